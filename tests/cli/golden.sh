#!/bin/sh
# What the program says, word by word, and what the sample dances are. GOLDEN=write makes the goldens anew: look at the difference then.
. "$(dirname "$0")/lib/common"
golden=$root/tests/golden
cd "$scratch" || exit 1
cp "$samples/dance.bvh" "$samples/second.bvh" "$samples/model.pmx" "$samples/model.pmd" .

# says_still NAME COMMAND...: all that the command says is what tests/golden/NAME holds.
says_still() {
    name=$1
    shift
    "$@" >"$name" 2>&1
    if [ "${GOLDEN:-}" = write ]; then cp "$name" "$golden/$name"; fi
    checks=$((checks + 1))
    diff "$golden/$name" "$name" || bad "$name differs"
}

# dances_still NAME SOURCE MODEL: the dance, with all keys, is what tests/golden/NAME holds, every 60th frame of
# it; numbers
# within 0.002, so that another compiler's rounding does not fail them.
dances_still() {
    "$odori" convert -q --reduce off "$2" -t "$3" -o "$1.vmd" || bad "$1 is not converted"
    "$odori" dump --every 60 "$1.vmd" >"$1.txt" || bad "$1 is not dumped"
    if [ "${GOLDEN:-}" = write ]; then cp "$1.txt" "$golden/$1.txt"; fi
    checks=$((checks + 1))
    awk -v other="$1.txt" '
        function is_number(word) { return word ~ /^-?[0-9]+(\.[0-9]+)?$/ }
        function differs(what) { print FILENAME ":" NR " " what; print "was: " was; print "is:  " $0; wrong = 1; exit }
        {
            was = $0
            n = split(was, old, " ")
            if ((getline <other) <= 0) { $0 = "(end)"; differs("ends") }
            if (NF != n) differs("differs")
            for (i = 1; i <= n; i++) {
                if (old[i] == $i) continue
                if (!is_number(old[i]) || !is_number($i)) differs("differs")
                d = old[i] - $i
                if (d > 0.002 || d < -0.002) differs("differs")
            }
        }
        END {
            if (!wrong && (getline <other) > 0) { was = "(end)"; print "more than there was: " $0; wrong = 1 }
            exit wrong
        }' "$golden/$1.txt" || bad "$1.txt differs"
}

all_help() {
    "$odori" help
    for command in convert check inspect dump map reduce rig formats completion help version; do
        echo "---- $command"
        "$odori" help "$command"
    done
}

says_still help.txt all_help
says_still inspect-second-bvh.txt "$odori" inspect second.bvh
says_still inspect-model-pmx.txt "$odori" inspect model.pmx
says_still inspect-model-pmd.txt "$odori" inspect model.pmd
says_still map-second-bvh.txt "$odori" map -q second.bvh
dances_still dance-pmx dance.bvh model.pmx
dances_still second-pmd second.bvh model.pmd
finish
