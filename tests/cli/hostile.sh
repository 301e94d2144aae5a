#!/bin/sh
# Malformed files: every run ends with a code of the table, tells one error when it fails, and leaves
# neither an output nor a temporary file.
. "$(dirname "$0")/lib/common"
mkdir "$scratch/out" "$scratch/in"
ran=0 refused=0 limit=
timeout 1 true 2>/dev/null && limit='timeout 20'
bvh=$scratch/in/good.bvh pmx=$scratch/in/good.pmx pmd=$scratch/in/good.pmd json=$scratch/in/good.json
x=$scratch/in/x
short_dance 4 >"$bvh"
cp "$samples/model.pmx" "$pmx"
cp "$samples/model.pmd" "$pmd"
"$odori" map -q "$bvh" -o "$json" || exit 1

# attempt NAME ARGUMENT...: converts and looks at all that is left.
attempt() {
    name=$1
    shift
    ran=$((ran + 1))
    $limit "$odori" convert "$@" -o "$scratch/out/o.vmd" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    [ "$status" -le 4 ] || bad "$name: exit code $status: $(tail -n 30 "$scratch/stderr")"
    [ ! -s "$scratch/stdout" ] || bad "$name: something on standard output"
    errors=$(grep -c '^odori: error:' "$scratch/stderr")
    if [ "$status" = 0 ]; then
        [ "$errors" = 0 ] || bad "$name: done, but with an error: $(cat "$scratch/stderr")"
        [ -s "$scratch/out/o.vmd" ] || bad "$name: done, but there is no motion"
        rm -f "$scratch/out/o.vmd"
    else
        refused=$((refused + 1))
        [ "$errors" = 1 ] || bad "$name: exit code $status with $errors errors: $(cat "$scratch/stderr")"
    fi
    set -- "$scratch/out/"* "$scratch/out/".[!.]*
    [ "$*" = "$scratch/out/* $scratch/out/.[!.]*" ] || {
        bad "$name: exit code $status leaves $*"
        rm -rf "$scratch/out" && mkdir "$scratch/out"
    }
}

# try KIND NAME: $x as a file of this kind, with good files for all else.
try() {
    case $1 in
    bvh) attempt "bvh, $2" "$x" -t "$pmx" ;;
    pmx | pmd) attempt "$1, $2" "$bvh" -t "$x" ;;
    json) attempt "json, $2" "$bvh" -t "$pmx" -m "$x" ;;
    esac
}

# must_fail KIND NAME CODE
must_fail() {
    try "$1" "$2"
    [ "$status" = "$3" ] || bad "$1, $2: expected the exit code $3, found $status"
}

size() { wc -c <"$1" | tr -d ' '; }

# byte N: one byte.
byte() { printf "\\$(printf %03o "$1")"; }

# le32 N: four bytes, the lowest first.
le32() {
    byte $(($1 & 255))
    byte $(($1 >> 8 & 255))
    byte $(($1 >> 16 & 255))
    byte $(($1 >> 24 & 255))
}

# poke OFFSET: standard input over the bytes of $x from there on.
poke() { dd of="$x" bs=1 seek="$1" conv=notrunc 2>/dev/null; }

# truncations KIND N: N lengths from 0 on, evenly over the file, and the last byte missing.
truncations() {
    eval "good=\$$1"
    total=$(size "$good") i=0
    while [ $i -lt "$2" ]; do
        length=$((total * i / $2))
        head -c $length "$good" >"$x"
        try "$1" "the first $length bytes"
        i=$((i + 1))
    done
    head -c $((total - 1)) "$good" >"$x"
    try "$1" 'the last byte missing'
}

# flips KIND N BYTES: BYTES (as printf takes them) at N places, from the first byte on, in steps that are
# no multiple of a record's size.
flips() {
    eval "good=\$$1"
    total=$(size "$good") i=0
    while [ $i -lt "$2" ]; do
        cp "$good" "$x"
        at=$(((total - 8) * i / $2 | 1))
        [ $i != 0 ] || at=0
        printf "$3" | poke $at
        try "$1" "$3 at $at"
        i=$((i + 1))
    done
}

for kind in bvh pmx pmd json; do
    eval "cp \"\$$kind\" \"$x\""
    try $kind 'as it is'
    [ "$status" = 0 ] || bad "$kind as it is: exit code $status"
    fault=1
    case $kind in pm? | json) fault=3 ;; esac
    : >"$x"
    must_fail $kind 'empty' $fault
    printf '\377\330\377\340\000\020JFIF\000\001\001\000\000\001\000\001\000\000' >"$x"
    must_fail $kind 'a picture' $fault
    head -c 5000 /dev/zero >"$x"
    must_fail $kind 'zeros' $fault
    head -c 5000 /dev/zero | tr '\0' '\377' >"$x"
    must_fail $kind 'all bits set' $fault
    head -c 100000 /dev/zero | tr '\0' '\n' >"$x"
    must_fail $kind 'only line ends' $fault
    head -c 100000 /dev/zero | tr '\0' '{' >"$x"
    must_fail $kind 'only braces' $fault
done

truncations bvh 20
truncations pmx 40
truncations pmd 30
truncations json 20
flips bvh 16 '\377'
flips bvh 8 '\0'
flips bvh 8 '}'
flips json 16 '\377'
flips json 8 '\0'
flips json 8 '"'
flips pmx 32 '\377\377\377\377'
flips pmx 16 '\377\377\377\177'
flips pmx 16 '\0\0\300\177'
flips pmd 24 '\377\377\377\377'
flips pmd 12 '\377\377\377\177'
flips pmd 12 '\0\0\300\177'

echo "$ran runs, $refused refused, $failures failures"
[ "$ran" -ge 300 ] || bad "only $ran runs"
[ "$failures" = 0 ]
