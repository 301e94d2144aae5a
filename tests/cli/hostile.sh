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

# ---- BVH of a meaning that cannot be -------------------------------------------------------------

# edit KIND NAME CODE SCRIPT: the good file through sed.
edit() {
    eval "sed \"\$4\" \"\$$1\"" >"$x"
    cmp -s "$x" "$(eval "echo \$$1")" && bad "$1, $2: the edit changes nothing"
    if [ "$3" = any ]; then try "$1" "$2"; else must_fail "$1" "$2" "$3"; fi
}

for number in nan NaN inf -inf Infinity 1e999 -1e999 0x10 1,5 1e 1.2.3 -- 1e308 3.5e38; do
    edit bvh "offset $number" 1 "4s/OFFSET .*/OFFSET 0 $number 0/"
    edit bvh "a value $number" 1 "s/^\(-*[0-9.]* \)-*[0-9.]* /\1$number /"
done
for number in nan inf -1 0 1e-300 1e300 '' 1e-9 100000; do
    edit bvh "frame time $number" any "s/Frame Time:.*/Frame Time: $number/"
done
for number in -1 3 5 0 99999999999 2147483647 2147483648 4294967295 18446744073709551616 1e9 '' x; do
    edit bvh "$number frames" any "s/^Frames:.*/Frames: $number/"
done
for number in 0 1 2 7 -3 999999999 99999999999999999999 x ''; do
    edit bvh "$number channels" 1 "s/CHANNELS 3 /CHANNELS $number /"
done
edit bvh 'an unknown channel' 1 's/CHANNELS 3 Zrotation/CHANNELS 3 Wrotation/'
edit bvh 'a channel twice' any 's/CHANNELS 3 Zrotation Xrotation/CHANNELS 3 Zrotation Zrotation/'
edit bvh 'no hierarchy' 1 '/^HIERARCHY/d'
edit bvh 'no motion' any '/^MOTION/,$d'
edit bvh 'no root' 1 's/^ROOT.*/JOINT a/'
edit bvh 'a root without a name' any 's/^ROOT.*/ROOT/'
edit bvh 'a brace too few' 1 '0,/^{/s/^{//;3d'
edit bvh 'a brace too many' 1 's/^MOTION/}\
MOTION/'
edit bvh 'all joints of one name' any 's/JOINT .*/JOINT a/'
edit bvh 'a joint twice' any 's/RightArm/LeftArm/'
edit bvh 'all offsets zero' any 's/OFFSET .*/OFFSET 0 0 0/'
edit bvh 'huge offsets' any 's/OFFSET .*/OFFSET 1e30 1e30 1e30/'
edit bvh 'tiny offsets' any 's/OFFSET .*/OFFSET 1e-30 1e-30 1e-30/'
edit bvh 'no channels at all' any '/CHANNELS/d'
edit bvh 'values missing in a row' any '$s/ .*//'
edit bvh 'values missing at the end' any '$d'
edit bvh 'a word among values' 1 '$s/ / x /'
{ cat "$bvh" && head -c 3000000 /dev/zero | tr '\0' '1'; } >"$x"
try bvh 'a number of three million digits'
{ printf 'HIERARCHY\nROOT ' && head -c 3000000 /dev/zero | tr '\0' a; } >"$x"
must_fail bvh 'a name of three million letters' 1
awk 'BEGIN {
    print "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
    for (i = 0; i < 200000; i++) print "JOINT j" i "\n{\nOFFSET 0 1 0"
}' >"$x"
must_fail bvh 'joints nested deeply' 1
awk 'BEGIN {
    print "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
    for (i = 0; i < 100000; i++) print "JOINT j" i "\n{\nOFFSET 0 1 0\nCHANNELS 0\n}"
    print "}\nMOTION\nFrames: 1\nFrame Time: 0.03\n0 0 0"
}' >"$x"
try bvh 'a hundred thousand joints'

# ---- PMX made by hand ----------------------------------------------------------------------------

f_nan='\0\0\300\177' f_infinity='\0\0\200\177' f_zero='\0\0\0\0' f_huge='\377\377\177\177'

# text WORD
text() {
    le32 ${#1}
    printf %s "$1"
}

# pmx_begin BONES: a PMX 2.0 in UTF-8 with indices of one byte, no vertex, face, texture or material.
pmx_begin() {
    printf 'PMX \0\0\0\100\010\001\000\001\001\001\001\001\001'
    text m && text '' && text '' && text ''
    le32 0 && le32 0 && le32 0 && le32 0
    le32 "$1"
}

# pmx_bone NAME PARENT FLAGS [X]: at 0, X, 0; what FLAGS ask for must follow. FLAGS are without a tail's bone.
pmx_bone() {
    text "$1" && text ''
    printf "$f_zero${4:-$f_zero}$f_zero"
    byte $(($2 & 255))
    le32 0
    byte $(($3 & 255)) && byte $(($3 >> 8))
    printf "$f_zero$f_zero$f_zero"
}

pmx_end() {
    le32 0 && le32 0 && le32 0 && le32 0
}

# pmx NAME CODE COMMAND: what the command prints between beginning and end, as two bones.
pmx() {
    { pmx_begin 2 && eval "$3" && pmx_end; } >"$x"
    if [ "$2" = any ]; then try pmx "$1"; else must_fail pmx "$1" "$2"; fi
}

follow() { byte "$1" && printf "${2:-\\0\\0\\200\\077}"; }

# ik TARGET LOOPS LINKS LINK...
ik() {
    byte "$1" && le32 "$2" && printf '\0\0\200\077' && le32 "$3"
    shift 3
    for link; do byte "$link" && byte 0; done
}

pmx 'two plain bones' any 'pmx_bone a -1 0 && pmx_bone b 0 0'
pmx 'parents in a circle' 3 'pmx_bone a 1 0 && pmx_bone b 0 0'
pmx 'its own parent' 3 'pmx_bone a 0 0 && pmx_bone b 0 0'
pmx 'a parent that is not there' 3 'pmx_bone a 100 0 && pmx_bone b 0 0'
pmx 'a parent of -2' 3 'pmx_bone a -2 0 && pmx_bone b 0 0'
pmx 'two bones of one name' any 'pmx_bone a -1 0 && pmx_bone a 0 0'
pmx 'a bone without a name' any 'pmx_bone "" -1 0 && pmx_bone "" 0 0'
for number in nan infinity huge; do
    eval "float=\$f_$number"
    pmx "a bone at $number" any "pmx_bone a -1 0 '$float' && pmx_bone b 0 0"
    pmx "a ratio of $number" any "pmx_bone a -1 0 && pmx_bone b 0 256 && follow 0 '$float'"
done
pmx 'a bone that follows itself' any 'pmx_bone a -1 0 && pmx_bone b 0 256 && follow 1'
pmx 'bones that follow each other' any 'pmx_bone a -1 256 && follow 1 && pmx_bone b 0 256 && follow 0'
pmx 'following what is not there' 3 'pmx_bone a -1 0 && pmx_bone b 0 256 && follow 77'
pmx 'IK of itself' any 'pmx_bone a -1 0 && pmx_bone b 0 32 && ik 1 10 1 1'
pmx 'IK of what is not there' any 'pmx_bone a -1 0 && pmx_bone b 0 32 && ik 50 10 1 0'
pmx 'IK over what is not there' any 'pmx_bone a -1 0 && pmx_bone b 0 32 && ik 0 10 1 60'
pmx 'IK over one bone twice' any 'pmx_bone a -1 0 && pmx_bone b 0 32 && ik 0 10 2 0 0'
pmx 'IK of 2147483647 loops' any 'pmx_bone a -1 0 && pmx_bone b 0 32 && ik 0 2147483647 1 0'
for count in -1 2147483647 -2147483648 65536 1000000000; do
    pmx "IK over $count bones" 3 "pmx_bone a -1 0 && pmx_bone b 0 32 && ik 0 10 $count 0"
    { pmx_begin $count && pmx_bone a -1 0; } >"$x"
    must_fail pmx "$count bones" 3
    { pmx_begin 1 && le32 $count; } >"$x"
    must_fail pmx "a name of $count bytes" 3
done
pmx 'all flags set' 3 'pmx_bone a -1 65535 && pmx_bone b 0 65535'
{ pmx_begin 0 && pmx_end; } >"$x"
try pmx 'no bones'
{ pmx_begin 1 && le32 4 && printf '\377\376\300\200' && le32 0; } >"$x"
must_fail pmx 'a name that is no UTF-8' 3
for at in 4 8 9 10 11 12 13 14 15 16; do
    for value in 0 3 255; do
        { pmx_begin 1 && pmx_bone a -1 0 && pmx_end; } >"$x"
        byte $value | poke $at
        try pmx "byte $at of the head is $value"
    done
done

# ---- PMD: the counts -----------------------------------------------------------------------------

# at OFFSET SIZE: the number there, the lowest byte first.
at() { od -An -tu"$2" -j "$1" -N "$2" "$pmd" | tr -d ' '; }
vertices=283
faces=$((vertices + 4 + 38 * $(at $vertices 4)))
materials=$((faces + 4 + 2 * $(at $faces 4)))
bones=$((materials + 4 + 70 * $(at $materials 4)))
chains=$((bones + 2 + 39 * $(at $bones 2)))
for place in $vertices $faces $materials; do
    for count in '\377\377\377\377' '\377\377\377\177' '\0\0\0\200' '\377\377\0\0'; do
        cp "$pmd" "$x"
        printf "$count" | poke "$place"
        must_fail pmd "the count $count at $place" 3
    done
done
for place in $bones $chains; do
    for count in '\377\377' '\0\0' '\0\200' '\1\0'; do
        cp "$pmd" "$x"
        printf "$count" | poke "$place"
        try pmd "the count $count at $place"
    done
done
for parent in 0 1 2 200 254 255; do
    cp "$pmd" "$x"
    { byte "$parent" && byte 0; } | poke $((bones + 2 + 20))
    try pmd "the first bone has the parent $parent"
    { byte "$parent" && byte 0; } | poke $((bones + 2 + 39 + 20))
    try pmd "the first two bones have the parent $parent"
done
for link in 0 1 255; do
    cp "$pmd" "$x"
    { byte "$link" && byte 0 && byte "$link" && byte 0 && byte 255; } | poke $((chains + 2))
    try pmd "the first IK chain begins with $link, $link, 255"
done
for value in "$f_nan" "$f_infinity" "$f_huge"; do
    cp "$pmd" "$x"
    printf "$value" | poke $((bones + 2 + 39 * 3 + 27))
    try pmd "the fourth bone is at $value"
done

# ---- mapping files -------------------------------------------------------------------------------

# mapping NAME CODE TEXT
mapping() {
    printf '%s' "$3" >"$x"
    if [ "$2" = any ]; then try json "$1"; else must_fail json "$1" "$2"; fi
}
legs=
for side in Left,左 Right,右; do
    for part in UpLeg,足 Leg,ひざ Foot,足首; do
        legs="$legs{\"source\": \"${side%,*}${part%,*}\", \"target\": \"${side#*,}${part#*,}\"}, "
    done
done
# bone NAME CODE MEMBERS: a mapping that would do, but for an entry of these members.
bone() { mapping "$1" "$2" "{\"odori\": 1, \"name\": \"x\", \"bones\": [$legs{$3}]}"; }
both='"source": "mixamorig:Hips", "target": "下半身"'

bone 'one entry' 0 "$both"
for value in null true 2 '"1"' -1 1e999 1.5 '[]' '{}'; do
    mapping "version $value" 3 "{\"odori\": $value, \"name\": \"x\", \"bones\": []}"
    code=3
    [ "$value" != '"1"' ] || code=0 # a name that neither rig has
    bone "source $value" $code "\"source\": $value, \"target\": \"下半身\""
    bone "target $value" $code "\"source\": \"mixamorig:Hips\", \"target\": $value"
    bone "use $value" 3 "$both, \"use\": $value"
    bone "offset $value" 3 "$both, \"offset\": $value"
    mapping "bones $value" 3 "{\"odori\": 1, \"name\": \"x\", \"bones\": $value}"
done
for value in '[1, 2]' '[1, 2, 3, 4]' '[1, 2, "3"]' '[1e999, 0, 0]' '[NaN, 0, 0]' '[1e300, 0, 0]' '[null, 0, 0]'; do
    bone "offset $value" 3 "$both, \"offset\": $value"
done
bone 'a member twice' 3 "$both, $both"
bone 'an unknown member' 3 "$both, \"colour\": 1"
bone 'a wrong escape' 3 '"source": "\x", "target": "下半身"'
bone 'half a surrogate' any '"source": "\ud800", "target": "下半身"'
bone 'a zero in a name' 3 '"source": "a\u0000b", "target": "下半身"'
bone 'a comma at the end' 3 "$both,"
bone 'an IK bone' 3 '"source": "mixamorig:Hips", "target": "左足ＩＫ"'
mapping 'a comment' 3 '{ // no'
mapping 'text after the end' 3 '{"odori": 1, "name": "x", "bones": []} {}'
mapping 'only an array' 3 '[]'
mapping 'only a number' 3 '1'
for open in '[' '{"a":' '[{"bones":'; do
    awk -v open="$open" 'BEGIN { for (i = 0; i < 100000; i++) printf "%s", open }' >"$x"
    must_fail json "$open a hundred thousand times" 3
done
awk 'BEGIN {
    printf "{\"odori\": 1, \"name\": \"x\", \"bones\": ["
    for (i = 0; i < 100000; i++) printf "{\"source\": \"j%d\", \"target\": \"下半身\"},", i
    printf "{}]}"
}' >"$x"
must_fail json 'a hundred thousand entries' 3
{ printf '{"odori": 1, "name": "' && head -c 3000000 /dev/zero | tr '\0' a && printf '"}'; } >"$x"
must_fail json 'a name of three million letters' 3

echo "$ran runs, $refused refused, $failures failures"
[ "$ran" -ge 300 ] || bad "only $ran runs"
[ "$failures" = 0 ]
