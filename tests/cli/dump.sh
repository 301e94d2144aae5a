#!/bin/sh
# Dumps: all of a file as text and as JSON, stable, from any kind of file.
. "$(dirname "$0")/lib/common"
cd "$scratch" || exit 1
cp "$samples/model.pmx" "$samples/model.pmd" "$root/mappings/mixamo.json" .
short_dance 60 >a.bvh
"$odori" convert -q --reduce off a.bvh -t model.pmx -o a.vmd || bad 'convert a.bvh'
printf 'Vocaloid Pose Data file\r\n\r\nm.osm;\r\n1;\r\n\r\nBone0{head\r\n 1,2,3;\r\n 0,0,0.6,0.8;\r\n}\r\n' >a.vpd
python3 -c '' 2>/dev/null && python=yes || { python='' && echo 'skipped: there is no python3 to read JSON with'; }

# shows TEXT: a line of the last dump is this.
shows() { holds "a line is: $1" grep -qFx -e "$1" stdout; }

for file in a.bvh a.vmd a.vpd model.pmx model.pmd mixamo.json; do
    run "$odori" dump "$file"
    is "dump $file" 0 "$status"
    is "dump $file on standard error" '' "$(cat stderr)"
    mv stdout plain
    run "$odori" dump "$file"
    holds "two dumps of $file are one" cmp plain stdout
    "$odori" dump - <"$file" >piped
    sed "s/\"$file\"/\"standard input\"/; s/^clip \"a\"/clip \"standard input\"/" plain >expected
    holds "dump of a pipe: $file" cmp expected piped
    run "$odori" dump --json "$file"
    is "dump --json $file" 0 "$status"
    [ -z "$python" ] || holds "dump --json $file is JSON" python3 -c 'import json, sys
def refuse(word): raise ValueError(word)
assert json.load(open(sys.argv[1], encoding="utf-8"), parse_constant=refuse)["file"] == sys.argv[2]' stdout "$file"
done

run "$odori" dump a.vpd
shows 'keys  file "a.vpd"  format "vpd"  model "m"'
shows 'bone "head"  count 1'
shows '  frame 0  at 1 2 3  turned 0 0 0.6 0.8'
run "$odori" dump model.pmx
shows 'ik "左足ＩＫ"  effector "左足首"  loops 40  limit 114.59156'
shows '  link "左ひざ"  min -180 0 0  max -0.5 0 0'
holds 'a bone that another turns' grep -q '^bone "左肩C" .* append-rotation .*append "左肩P"  ratio -1$' stdout
shows 'morph "あ"'
run "$odori" dump mixamo.json
shows 'joint "mixamorig:LeftArm"  target "左腕"  use rotation  offset 0 0 0'
run "$odori" dump a.bvh
is 'frames of a BVH' 60 "$(grep -c '^  frame ' stdout)"
is 'joints of a BVH' "$(grep -c 'ROOT\|JOINT\|End' a.bvh)" "$(grep -c '^joint ' stdout)"

# What is dumped of keys is what was written: as many as the file's size says, in each track as it counts.
run "$odori" dump a.vmd
keys=$(grep -c '^  frame ' stdout) morphs=$(grep -c '^morph ' stdout) switches=$(grep -c '^  switch ' stdout)
is 'morphs' 0 "$morphs"
is 'keys' "$(wc -c <a.vmd)" $((74 + 111 * keys + 9 + 21 * switches))
is 'counts of tracks' "$keys" "$(awk '/^bone / { sum += $NF } END { print sum }' stdout)"
shows 'ik  frame 0  shown yes'
run "$odori" dump --every 10 a.vmd
is 'every 10th of 31 frames' '0 10 20 30' "$(awk '/^  frame/ { print $2 }' stdout | sort -nu | paste -sd ' ' -)"
run "$odori" dump --every 25 a.bvh
is 'every 25th of 60 frames' '0 25 50' "$(awk '/^  frame/ { print $2 }' stdout | paste -sd ' ' -)"

# ends STATUS TEXT ARGUMENT...
ends() {
    want=$1 text=$2
    shift 2
    run "$odori" dump "$@"
    is "dump $*" "$want" "$status"
    says "$text"
}
printf 'x' >x.jpg
printf '{"odori": 2}' >wrong.json
head -c 200 a.vmd >cut.vmd
ends 1 'the format is not known' x.jpg
ends 1 'cannot be read' none.vmd
ends 1 'cannot be in the' cut.vmd
ends 1 'expected MikuMikuDance motion' --from vmd model.pmx
ends 2 'expected a whole number above 0' --every 0 a.vmd
ends 2 'expected a whole number above 0' --every 1.5 a.vmd
ends 2 'usage' a.vmd a.bvh
run "$odori" dump wrong.json
is 'dump of a wrong mapping' 1 "$status"

printf 'Vocaloid Pose Data file\nm;\n1;\nBone0{a\033[31m"\\\n 1,2,3;\n 0,0,0,1;\n}\n' >odd.vpd
run "$odori" dump odd.vpd
holds 'control characters are escaped' grep -qF 'bone "a\u001b[31m\"\\"  count 1' stdout
finish
