#!/bin/sh
# Runs each fuzz target for a while: run.sh FOLDER SECONDS TARGET...
# fuzz_NOUN starts from tests/fuzz/corpus/NOUN and what earlier runs found; new finds and crashes go
# to FOLDER, never into the repository.
set -u
folder=$1 seconds=$2
shift 2
passed=0 failed=0

for target; do
    noun=$(basename "$target" | sed 's/^fuzz_//')
    found=$folder/found/$noun corpus=tests/fuzz/corpus/$noun log=$folder/$noun.log
    mkdir -p "$found" "$folder/crash/$noun"
    [ -d "$corpus" ] || corpus=
    # An input that takes seconds or a gigabyte is a fault as well.
    if UBSAN_OPTIONS=print_stacktrace=1 "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
        -max_len=16384 -artifact_prefix="$folder/crash/$noun/" -print_final_stats=1 "$found" $corpus >"$log" 2>&1 </dev/null; then
        passed=$((passed + 1))
        echo "PASS fuzz_$noun ($(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s)"
    else
        failed=$((failed + 1))
        echo "FAIL fuzz_$noun"
        grep -E 'ERROR|runtime error|SUMMARY|artifact|^ +#[0-9]+ .*/(src|tests)/' "$log" |
            head -n 40 | sed 's/^/    /'
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
