#!/bin/sh
# Runs test programs and scripts one after another: run.sh LOGS TEST...
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

for test; do
    name=$(basename "$test")
    log=$logs/$name.log
    case $test in
    *.sh) sh "$test" >"$log" 2>&1 </dev/null ;;
    *) "$test" >"$log" 2>&1 </dev/null ;;
    esac
    status=$?
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
