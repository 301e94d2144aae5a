#!/bin/sh
# Names from files: they cannot drive a terminal or break a document; a rig of no person's shape still
# gets a mapping to begin with.
. "$(dirname "$0")/lib/common"
cd "$scratch" || exit 1
escape=$(printf '\033')

# Dances whose left arm has a name that would clear the screen (by C0 and by C1), quotes and others.
short_dance 3 >plain.bvh
rename() { sed "s/mixamorig:LeftHand\$/$1/" plain.bvh; }
rename 'a\x1b[2J\x07b' >c0.bvh
rename 'a\xc2\x9b2Jb' >c1.bvh
rename 'a"b\\\\c\/d\x7f' >quotes.bvh
rename 'a\xff\xfeb' >bytes.bvh

# quiet FILE: no control character but line feeds.
quiet() {
    checks=$((checks + 1))
    ! tr -d '\n' <"$1" | LC_ALL=C grep -q '[[:cntrl:]]' || bad "$2: a control character is printed"
    checks=$((checks + 1))
    ! grep -q "$(printf '\302\233')" "$1" || bad "$2: a control character (C1) is printed"
}

for name in c0 c1 quotes bytes; do
    holds "$name has another name" sh -c "! cmp -s $name.bvh plain.bvh"
    for command in inspect 'inspect --json' map "convert -v -f -o $name.vmd --report -"; do
        run "$odori" $command $name.bvh
        is "$command $name.bvh" 0 "$status"
        quiet stdout "$command $name.bvh"
        quiet stderr "$command $name.bvh, errors"
        [ "$command" != inspect ] && python3 -c '' 2>/dev/null || continue
        holds "$command $name.bvh is JSON" python3 -c 'import json, sys
json.load(open(sys.argv[1], encoding="utf-8"))' stdout
    done
    run "$odori" map $name.bvh -f -o $name.json
    run "$odori" convert $name.bvh -m $name.json -q -f -o mapped.vmd
    is "$name.bvh with its own mapping" 0 "$status"
    holds "$name.bvh: the mapping finds the names" cmp $name.vmd mapped.vmd
done

# Joints that are all called the same, and names in CP932: the shape tells them apart, and so does the
# mapping that is written.
sed 's/\(ROOT\|JOINT\) .*/\1 Bone/' plain.bvh >same.bvh
awk '/ROOT|JOINT/ { printf "%s \203{\201[\203\223%c\n", $1, 65 + n++ % 26; next } { print }' plain.bvh >cp932.bvh
holds 'the names are not UTF-8' sh -c '! iconv -f UTF-8 -t UTF-8 cp932.bvh'
for name in same cp932; do
    run "$odori" convert $name.bvh -f -o $name.vmd --report $name.report.json
    is "$name.bvh" 0 "$status"
    says 'found by the shape'
    run "$odori" map $name.bvh -f -o $name.json
    holds "$name.json numbers the joints" grep -q '"nth": 2' $name.json
    run "$odori" convert $name.bvh -m $name.json -q -f -o mapped.vmd
    is "$name.bvh with its own mapping" 0 "$status"
    holds "$name.bvh: the mapping finds the joints" cmp $name.vmd mapped.vmd
    run "$odori" map --check $name.json $name.bvh
    is "the check of $name.json" 0 "$status"
done
holds 'the names are read' grep -q 'ボーンA' cp932.json

# Files' names, too.
cp plain.bvh "a${escape}[2Jb.bvh"
: >"c${escape}[2Jd.bvh"
for file in "a${escape}[2Jb.bvh" "c${escape}[2Jd.bvh" "none${escape}[2J"; do
    for command in inspect 'inspect --json' map 'convert -f -o a.vmd --report -'; do
        run "$odori" $command "$file"
        quiet stdout "$command of a file with an odd name"
        quiet stderr "$command of a file with an odd name, errors"
    done
done
run "$odori" "con${escape}[2Jvert"
quiet stderr 'an odd command'
run "$odori" convert "--forc${escape}e" plain.bvh
quiet stderr 'an odd option'

# A tree of a thousand levels stays readable.
awk 'BEGIN {
    print "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
    for (i = 0; i < 200; i++) print "JOINT j" i "\n{\nOFFSET 0 1 0\nCHANNELS 0"
    print "End Site\n{\nOFFSET 0 1 0\n}"
    for (i = 0; i < 201; i++) print "}"
    print "MOTION\nFrames: 1\nFrame Time: 0.03\n0 0 0"
}' >deep.bvh
run "$odori" inspect deep.bvh
is 'a deep tree' 0 "$status"
holds 'all of it is there' grep -q 'j199$' stdout
holds 'no line is endless' awk 'length > 300 { exit 1 }' stdout

# What is no person has no mapping; a file to write one into lists all its joints.
run "$odori" convert deep.bvh -o deep.vmd
is 'a snake does not dance' 1 "$status"
run "$odori" map deep.bvh -o deep.json
is 'map of a snake' 0 "$status"
says 'no bone is mapped'
holds 'it lists the joints' grep -q '"unmapped": \["r", "j0", .*"j199"' deep.json
run "$odori" map --check deep.json deep.bvh
is 'what is wrong with it' 3 "$status"
holds 'the legs are missing' grep -q 'nothing drives 左足' stdout
run "$odori" convert deep.bvh -m deep.json -o deep.vmd
is 'nor with that mapping' 3 "$status"
holds 'no file is left' sh -c '! ls deep.vmd .odori-* 2>/dev/null'

# The first root that moves may be no person: the others are named.
awk '/^MOTION/ { exit } { print }' deep.bvh >two.bvh
awk '/^MOTION/ { exit } /HIERARCHY/ { next } { print }' plain.bvh >>two.bvh
awk '/^Frame Time/ { print "MOTION\nFrames: 3\nFrame Time: 0.0166667"; motion = 1; next } motion { print n++, "0 0", $0 }' \
    plain.bvh >>two.bvh
run "$odori" convert two.bvh -o two.vmd
is 'a snake before the dancer' 1 "$status"
says 'only the root r was read: --root-joint takes another (mixamorig:Hips)'
run "$odori" inspect two.bvh
holds 'inspect names the other root' grep -q 'other roots.*mixamorig:Hips' stdout
run "$odori" map two.bvh -f -o two.json
says '--root-joint takes another (mixamorig:Hips)'
run "$odori" convert two.bvh --root-joint mixamorig:Hips -o two.vmd
is 'the dancer by name' 0 "$status"
"$odori" convert plain.bvh -q -f -o plain.vmd
holds 'gives the same as alone' cmp two.vmd plain.vmd

# Hundreds of warnings do not hide the error.
awk 'BEGIN {
    printf "{\"odori\": 1, \"name\": \"x\", \"bones\": ["
    for (i = 0; i < 199; i++) printf "{\"source\": \"j%d\", \"target\": \"b%d\"}, ", i, i
    printf "{\"source\": \"j199\", \"target\": \"b199\"}]}"
}' >many.json
run "$odori" convert deep.bvh -m many.json -o deep.vmd
is 'many warnings' 3 "$status"
says 'more'
holds 'all lines fit a screen' sh -c '[ "$(wc -l <stderr)" -le 24 ]'
finish
