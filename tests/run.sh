#!/bin/sh
# Runs test programs and scripts, as many at a time as there are cores: run.sh LOGS TEST...
# One line for each, the log of those that fail, and a summary that counts the single cases of unit
# tests and each script as one. A script that exits with 77 skips.
set -u
# Memory that is out is a failure to report, not to die of.
export ASAN_OPTIONS="${ASAN_OPTIONS:-allocator_may_return_null=1}"
export TSAN_OPTIONS="${TSAN_OPTIONS:-allocator_may_return_null=1}"
logs=$1
shift
mkdir -p "$logs"
passed=0 failed=0 skipped=0

# The number of cases of this outcome in a log of cmocka.
cases() {
    grep "^\[ *$1 *\] [A-Za-z0-9_]*\$" "$log" | sort -u | wc -l
}

# Of each a log and a file with its exit code. The scripts, which take longest, begin.
for test; do case $test in *.sh) echo "$test" ;; esac; done >"$logs/order"
for test; do case $test in *.sh) ;; *) echo "$test" ;; esac; done >>"$logs/order"
xargs -P "$(nproc)" -I TEST sh -c '
    name=$(basename "$2")
    case $2 in
    *.sh) sh "$2" ;;
    *) "$2" ;;
    esac >"$1/$name.log" 2>&1 </dev/null
    echo $? >"$1/$name.status"' sh "$logs" TEST <"$logs/order"

for test; do
    name=$(basename "$test")
    log=$logs/$name.log
    status=$(cat "$logs/$name.status")
    case $test in
    *.sh) good=$((status == 0)) bad=$((status != 0 && status != 77)) skip=$((status == 77)) ;;
    *)
        # cmocka lists what failed or was skipped a second time at the end.
        good=$(cases OK) bad=$(cases FAILED) skip=$(cases SKIPPED)
        ;;
    esac
    # A program that dies, or ran no case at all, is a failure as well.
    if [ "$status" != 0 ] && [ "$status" != 77 ] && [ "$bad" = 0 ]; then bad=1; fi
    if [ "$((good + bad + skip))" = 0 ]; then bad=1; fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
    if [ "$bad" != 0 ]; then
        echo "FAIL $name (exit code $status)"
        sed 's/^/    /' "$log" | tail -n 60
    elif [ "$good" = 0 ]; then
        echo "SKIP $name"
    else
        case $test in
        *.sh) echo "PASS $name" ;;
        *) echo "PASS $name ($good cases$([ "$skip" = 0 ] || echo ", $skip skipped"))" ;;
        esac
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
