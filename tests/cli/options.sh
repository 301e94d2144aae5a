#!/bin/sh
# The command line: help, man page and completion tell of the same options; wrong words are told in a
# sentence and end with 2.
. "$(dirname "$0")/lib/common"
cd "$scratch" || exit 1
man=$root/man/odori.1
short_dance 30 >a.bvh
"$odori" completion bash >completion || bad 'completion bash'

# ---- help, man page, completion ------------------------------------------------------------------

count=0
commands=$("$odori" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
    run "$odori" help "$command"
    is "help $command" 0 "$status"
    is "help $command on standard error" '' "$(cat stderr)"
    cp stdout help
    "$odori" "$command" --help >help2 2>&1
    is "$command --help" 0 $?
    holds "$command --help is help $command" cmp help help2
    "$odori" "$command" -h >help2
    holds "$command -h is help $command" cmp help help2
    holds "$command in the man page" grep -q "^\.\(It \)*Cm $command\b" "$man"
    holds "no line of help $command is wider than 80" awk 'length > 80 { exit 1 }' help
    sed -n "s/^ *$command) words='\(.*\)'.*/\1/p" completion | tr ' ' '\n' | grep '^--' | sort >completed
    sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' help | sort >options
    [ "$command" = help ] || {
        count=$((count + $(wc -l <options)))
        holds "the completion of $command has the options of its help" cmp options completed
    }
    while read -r option; do
        holds "$option of $command in the man page" grep -q "^\.It .*Fl Fl ${option#--}\( \|\$\)" "$man"
    done <options
done
[ "$count" -gt 30 ] || bad "help tells of $count options only"
for option in $(sed -n 's/^\.It .*Fl Fl \([a-z-]*\).*/--\1/p' "$man"); do
    holds "$option of the man page in the completion" grep -q -e " $option \|'$option " completion
done

run "$odori" help
is 'help' 0 "$status"
cp stdout help
for word in --help -h; do
    run "$odori" $word
    is "$word" 0 "$status"
    holds "$word is help" cmp help stdout
done
run "$odori"
is 'no command' 2 "$status"
is 'no command, standard output' '' "$(cat stdout)"
holds 'no command gives help on standard error' cmp help stderr
run "$odori" version
is 'version' 0 "$status"
version=$(sed -n 's/^#define OD_VERSION "\(.*\)"/\1/p' "$root/include/odori/odori.h")
is 'version says' "odori $version" "$(cat stdout)"
is '--version says' "odori $version" "$("$odori" --version)"
run "$odori" formats
is 'formats' 0 "$status"
for format in bvh pmx pmd vmd; do holds "formats has $format" grep -q "^  $format " stdout; done
presets=$(for file in "$root"/mappings/*.json; do basename "$file" .json; done | grep -v schema | sort)
is 'formats lists the presets' "$presets" "$(sed -n '/^presets/,$s/^  \([a-z0-9_]*\) .*/\1/p' stdout | sort)"

# ---- the completion in a shell -------------------------------------------------------------------

# complete WORD...: what the last word could become.
complete() {
    bash --norc -c 'set -u; . ./completion || exit 1; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _odori
        echo ${COMPREPLY[*]-}' bash "$@" 2>&1
}
if bash --norc -c 'type compgen mapfile' >/dev/null 2>&1; then
    is 'the completion is read' '' "$(bash --norc -c '. ./completion' 2>&1)"
    is 'completes a command' convert "$(complete odori con)"
    is 'completes commands' "$(echo $commands)" "$(complete odori '')"
    is 'completes after a path' inspect "$(complete ./build/odori in)"
    is 'completes an option' '--foot-lock' "$(complete odori convert a.bvh --foo)"
    is 'completes options' '--keep-heading --keep-origin' "$(complete odori convert --keep)"
    is 'completes values' 'off soft hard' "$(complete odori convert --foot-lock '')"
    is 'completes a value' hybrid "$(complete odori convert --feet h)"
    is 'completes presets' mixamo "$(complete odori convert -m mixa)"
    is 'completes presets of --map' mixamo "$(complete odori convert --map mixa)"
    is 'completes formats' 'bvh' "$(complete odori convert --from b)"
    is 'completes shells' 'bash' "$(complete odori completion '')"
    is 'completes the command of help' 'convert' "$(complete odori help con)"
    is 'leaves files alone' '' "$(complete odori convert a)"
else
    echo 'skipped: there is no bash to complete in'
fi

# ---- wrong words ---------------------------------------------------------------------------------

# wrong TEXT WORD...: ends with 2 and one error that has the text.
wrong() {
    text=$1
    shift
    run "$odori" "$@"
    is "exit code of: odori $*" 2 "$status"
    is "standard output of: odori $*" '' "$(cat stdout)"
    is "errors of: odori $*" 1 "$(grep -c '^odori: error: ' stderr)"
    is "lines of: odori $*" 1 "$(wc -l <stderr | tr -d ' ')"
    says "$text"
}
wrong 'did you mean convert?' conver a.bvh
wrong 'did you mean inspect?' inspekt a.bvh
wrong 'did you mean formats?' format
wrong 'did you mean convert?' help covert
wrong 'odori help' somethingelse
wrong 'odori help' ''
wrong 'did you mean --foot-lock?' convert --footlock soft a.bvh
wrong 'did you mean --keep-heading?' convert --keep-heding a.bvh
wrong 'did you mean --json?' inspect --jsn a.bvh
wrong 'odori help convert' convert --something-else a.bvh
wrong 'odori help convert' convert -z a.bvh
wrong 'odori help convert' convert -qz a.bvh
wrong '--json' convert --json a.bvh
wrong '--output-dir' map --output-dir x a.bvh
wrong 'may be several' convert --keep a.bvh
wrong 'takes no argument' convert --force=yes a.bvh
wrong '--target needs an argument' convert a.bvh --target
wrong '-t needs an argument' convert a.bvh -t
wrong 'unknown option' convert "--$(head -c 5000 /dev/zero | tr '\0' x)" a.bvh
wrong 'usage: odori convert' convert
wrong 'usage: odori inspect' inspect
wrong 'usage: odori inspect' inspect a.bvh a.bvh
wrong 'usage: odori map' map
wrong 'usage: odori map' map a.bvh a.bvh
wrong 'usage: odori map --check' map --check a.bvh
wrong 'usage: odori formats' formats a.bvh
wrong 'usage: odori completion' completion
wrong 'zsh' completion zsh
wrong 'usage: odori version' version 1

# Each option that takes an argument gets words that it must refuse; the sentence names the option.
refused() {
    option=$1
    shift
    for value; do wrong "--$option" convert a.bvh "--$option" "$value"; done
}
refused bind '' up frame: frame:x frame:-1 frame:1.5 frame:1e99 Rest
refused align '' most 1 'auto|all'
refused arm-angle '' x 91 -90.5 nan inf 1e999 '30 '
refused scale '' 0 -1 nan big
refused ground '' x nan 1,5
refused legs '' fkik FK
refused feet '' still
refused foot-lock '' on
refused start '' x -1 nan
refused end '' 0 -1 inf
refused speed '' 0 -2 1/2 nan
refused drop-first '' on
refused from '' fbxx
for option in target map output output-dir report; do refused $option ''; done
run "$odori" inspect ''
is 'a file without a name' 1 "$status"
says 'found an empty text'
"$odori" help convert >help
for option in $(sed -n 's/^  \(-., \|    \)--\([a-z-]*\) [A-Za-z].*/\2/p' help); do
    wrong "option --$option needs an argument" convert a.bvh "--$option"
done
for value in '' x -1 99; do
    run "$odori" convert a.bvh --clip "$value" -o none.vmd
    is "--clip \"$value\"" 1 "$status"
    says 'there is no clip'
done
run "$odori" convert a.bvh --root-joint nobody -o none.vmd
is '--root-joint nobody' 1 "$status"
says nobody
run "$odori" convert a.bvh -m mixamoo -o none.vmd
is '-m mixamoo' 3 "$status"
says 'did you mean mixamo?'
run "$odori" convert a.bvh --start 1 --end 0.5 -o none.vmd
checks=$((checks + 1))
[ "$status" = 1 ] || [ "$status" = 2 ] || bad "an end before the start: exit code $status"
run "$odori" convert a.bvh --bind frame:30 -o none.vmd
is 'a rest frame behind the last' 1 "$status"
is 'no file of all that' '' "$(ls ./*.vmd 2>/dev/null)"

# ---- right words ---------------------------------------------------------------------------------

for words in '--bind auto' '--bind rest' '--bind frame:4' '--align auto' '--align all' '--align none' \
    '--arm-angle auto' '--arm-angle -5.5' '--scale auto' '--scale leg' '--scale hip' '--scale 0.08' '--ground auto' \
    '--ground -3' '--legs both' '--legs fk' '--legs ik' '--feet hybrid' '--feet absolute' '--feet relative' \
    '--foot-lock off' '--foot-lock soft' '--foot-lock hard' '--groove' '--mother' '--in-place' '--keep-heading' \
    '--keep-origin' '--start 0.1' '--end 0.1' '--speed 2' '--drop-first auto' '--drop-first off' '--from bvh' \
    '--clip 0' '--model-name x' '--root-joint mixamorig:Hips' '-m mixamo' '-v' '--foot hard' '--speed=2'; do
    run "$odori" convert a.bvh $words -f -o a.vmd
    is "convert $words" 0 "$status"
done
cp a.bvh ./-a.bvh
run "$odori" convert -f -o a.vmd -- -a.bvh
is 'a name that begins with -' 0 "$status"
finish
