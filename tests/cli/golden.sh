#!/bin/sh
# What the program says, word by word. GOLDEN=write makes the goldens anew: look at the difference then.
. "$(dirname "$0")/lib/common"
golden=$root/tests/golden
cd "$scratch" || exit 1
cp "$samples/second.bvh" "$samples/model.pmx" "$samples/model.pmd" .

# says_still NAME COMMAND...: all that the command says is what tests/golden/NAME holds.
says_still() {
    name=$1
    shift
    "$@" >"$name" 2>&1
    if [ "${GOLDEN:-}" = write ]; then cp "$name" "$golden/$name"; fi
    checks=$((checks + 1))
    diff "$golden/$name" "$name" || bad "$name differs"
}

all_help() {
    "$odori" help
    for command in convert check inspect map formats completion help version; do
        echo "---- $command"
        "$odori" help "$command"
    done
}

says_still help.txt all_help
says_still inspect-second-bvh.txt "$odori" inspect second.bvh
says_still inspect-model-pmx.txt "$odori" inspect model.pmx
says_still inspect-model-pmd.txt "$odori" inspect model.pmd
says_still map-second-bvh.txt "$odori" map -q second.bvh
finish
