#!/bin/sh
# Mapping files: what map writes is what convert used, --check finds what is wrong, the presets and the
# schema agree with the parser; and inspect shows what is there.
. "$(dirname "$0")/lib/common"
model=$samples/model.pmx
cd "$scratch" || exit 1
short_dance 30 >a.bvh
short_dance 30 "$samples/second.bvh" >b.bvh
python=
python3 -c '' 2>/dev/null && python=yes
[ -n "$python" ] || echo 'skipped: there is no python3 to read JSON with'

# is_json FILE: JSON without NaN.
is_json() {
    [ -z "$python" ] || holds "$1 is JSON" python3 -c 'import json, sys
def refuse(word): raise ValueError(word)
json.load(open(sys.argv[1], encoding="utf-8"), parse_constant=refuse)' "$1"
}

# ---- there and back ------------------------------------------------------------------------------

for name in a b; do
    run "$odori" map $name.bvh -o $name.json
    is "map $name.bvh" 0 "$status"
    is_json $name.json
    "$odori" map -q $name.bvh >printed.json 2>stderr
    is 'map -q says nothing' '' "$(cat stderr)"
    holds "map $name.bvh prints what it writes" cmp $name.json printed.json
    "$odori" convert -q $name.bvh -t "$model" -o $name.vmd || bad "convert $name.bvh"
    "$odori" convert -q $name.bvh -t "$model" -m $name.json -o $name-mapped.vmd || bad "convert $name.bvh -m"
    holds "$name.bvh with its mapping gives the same motion" cmp $name.vmd $name-mapped.vmd
    "$odori" convert -q $name.bvh -t "$model" -m - <$name.json >$name-piped.vmd
    holds "$name.bvh with its mapping from a pipe" cmp $name.vmd $name-piped.vmd
    "$odori" map -q $name.bvh -m $name.json >again.json
    holds "the mapping of the mapping of $name.bvh" cmp $name.json again.json
    run "$odori" map --check $name.json $name.bvh -t "$model"
    is "map --check $name.json" 0 "$status"
    holds "nothing is wrong in $name.json" grep -q '^0 wrong' stdout
done
run "$odori" map a.bvh -o a.json
is 'an existing mapping is refused' 4 "$status"
run "$odori" map a.bvh -o a.json -f
is 'and replaced with -f' 0 "$status"
run "$odori" convert a.bvh -t "$model" -m unreal_ue5 -o none.vmd
is 'the mapping of another rig' 3 "$status"
checks=$((checks + 1))
[ ! -e none.vmd ] || bad 'a motion by the mapping of another rig'

# ---- map --check ---------------------------------------------------------------------------------

# finds TEXT CODE SCRIPT: what the check says of the mapping after sed.
finds() {
    sed "$3" a.json >changed.json
    checks=$((checks + 1))
    ! cmp -s a.json changed.json || bad "$1: sed changed nothing"
    run "$odori" map --check changed.json a.bvh -t "$model"
    is "code: $1" "$2" "$status"
    holds "found: $1" grep -qF "$1" stdout
    case $2 in
    0) holds "nothing wrong: $1" grep -q '^0 wrong, [1-9]' stdout ;;
    3) holds "something wrong: $1" grep -q '^[1-9][0-9]* wrong' stdout ;;
    esac
}
swap='s/:Left\([A-Z]\)/:Xeft\1/; s/:Right\([A-Z]\)/:Left\1/; s/:Xeft/:Right/'
finds '"mixamorig:RightArm" drives 左腕: left and right are swapped' 3 "$swap"
finds '$.bones[0]: the source has no joint "mixamorig:Hops"' 3 '0,/mixamorig:Hips/s//mixamorig:Hops/'
finds 'longer than the 15 bytes' 3 's/"首"/"とてもとてもながいなまえ"/'
finds "not in MMD's character set" 3 's/"首"/"🎵"/'
finds 'the target has no "尻尾"' 0 's/"首"/"尻尾"/'
finds 'nothing drives 左ひざ' 3 '/左ひざ/d'
finds 'nothing drives 左ひじ' 0 '/左ひじ/d'
finds '"mixamorig:LeftForeArm" between others' 0 '/左ひじ/d'
finds '$.bind: there is no frame 30: the source has 30 frames' 3 's/"odori": 1,/& "bind": "frame:30",/'
finds 'joint "mixamorig:LeftUpLeg" drives 左足 too' 3 's/"mixamorig:RightUpLeg"/"mixamorig:LeftUpLeg"/'
finds 'left and right are swapped' 3 "$swap"
is 'swapped sides are told once' 0 "$(grep -c 'left and right are swapped' stderr)"

# What is wrong with a mapping that was given is no fault of the source.
sed 's/"odori": 1,/& "bind": "frame:30",/' a.json >changed.json
run "$odori" convert a.bvh -m changed.json -o none.vmd
is 'a rest frame that is not there' 3 "$status"
says '$.bind: frame 30 is out of range'
run "$odori" convert a.bvh -m changed.json --bind frame:29 -f -o none.vmd
is 'unless another is asked for' 0 "$status"
run "$odori" convert a.bvh --bind frame:30 -f -o none.vmd
is 'and not there either' 1 "$status"
sed "$swap" a.json >changed.json
run "$odori" convert a.bvh -m changed.json -f -o none.vmd
is 'swapped sides' 3 "$status"
says 'left and right seem swapped'
rm -f none.vmd
finds '"mixamorig:LeftForeArm" between others' 0 '/左ひじ/d'
run "$odori" map --check changed.json -q a.bvh -t "$model"
checks=$((checks + 1))
! grep -q ' wrong, ' stdout || bad 'map --check -q prints the summary'
run "$odori" map --check a.json b.bvh -t "$model"
is 'the check with another source' 3 "$status"
run "$odori" map --check a.bvh a.bvh
is 'the check of what is no mapping' 3 "$status"
is 'its errors' 1 "$(grep -c '^odori: error:' stderr)"
run "$odori" map --check a.json none.bvh
is 'the check without a source' 1 "$status"

# ---- presets and schema --------------------------------------------------------------------------

for file in "$root"/mappings/*.json; do
    case $file in *.schema.json) continue ;; esac
    run "$odori" map -m "$file" a.bvh -o preset.json -f
    is "$(basename "$file") is accepted" 0 "$status"
    [ "$status" = 0 ] || cat stderr
    is_json preset.json
done

# known PLACE TEXT: the members that the message about an unknown one names, against those of the schema.
known() {
    printf '%s' "$2" >wrong.json
    run "$odori" map -m wrong.json a.bvh
    is "an unknown member of $1" 3 "$status"
    told=$(sed -n 's/.*unknown member "colour"; known are //p' stderr | sed 's/, / /g')
    [ -z "$python" ] || is "members of $1" "$(python3 -c 'import json, sys
node = json.load(open(sys.argv[1], encoding="utf-8"))
for step in sys.argv[2].split():
    node = node["properties"][step]
    node = node.get("items", node)
assert node["additionalProperties"] is False
print(*node["properties"])' "$root/mappings/mapping.schema.json" "${1#top}")" "$told"
}

# needed PLACE MEMBER TEXT: the member that is missing in the text.
needed() {
    printf '%s' "$3" >wrong.json
    run "$odori" map -m wrong.json a.bvh
    is "$1 without $2" 3 "$status"
    says "\"$2\" is missing"
}
head='"odori": 1, "name": "x"'
known top '{"colour": 1}'
known detect "{$head, \"detect\": {\"colour\": 1}}"
known bones "{$head, \"bones\": [{\"colour\": 1}]}"
known morphs "{$head, \"bones\": [], \"morphs\": [{\"colour\": 1}]}"
needed top odori '{"name": "x", "bones": []}'
needed top name '{"odori": 1, "bones": []}'
needed top bones "{$head}"
needed bones source "{$head, \"bones\": [{\"target\": \"首\"}]}"
needed bones target "{$head, \"bones\": [{\"source\": \"x\"}]}"
needed morphs source "{$head, \"bones\": [], \"morphs\": [{\"target\": \"あ\"}]}"
needed morphs target "{$head, \"bones\": [], \"morphs\": [{\"source\": \"x\"}]}"
if [ -n "$python" ]; then
    is 'needed members of the schema' 'bones name odori / source target / source target' "$(python3 -c 'import json, sys
s = json.load(open(sys.argv[1], encoding="utf-8"))
print(*sorted(s["required"]), "/", *sorted(s["properties"]["bones"]["items"]["required"]), "/",
      *sorted(s["properties"]["morphs"]["items"]["required"]))' "$root/mappings/mapping.schema.json")"
fi

# ---- inspect -------------------------------------------------------------------------------------

joints=$(grep -c 'ROOT\|JOINT\|End Site' a.bvh)
for file in a.bvh b.bvh "$samples/model.pmx" "$samples/model.pmd"; do
    run "$odori" inspect "$file"
    is "inspect $file" 0 "$status"
    cp stdout words.txt
    run "$odori" inspect --json "$file"
    is "inspect --json $file" 0 "$status"
    cp stdout "$(basename "$file").json"
    is_json "$(basename "$file").json"
done
run "$odori" inspect a.bvh
holds 'inspect counts joints' grep -q ": bvh, $joints joints, 1 clip" stdout
holds 'inspect counts frames' grep -q 'clip 0 ".*": 30 frames at 60 fps, 0.50 s' stdout
holds 'inspect knows the rig' grep -q '^  mapping: mixamo' stdout
holds 'inspect knows what a joint drives' grep -q 'mixamorig:LeftArm .*左腕' stdout
run "$odori" inspect "$samples/model.pmx"
holds 'inspect shows a bone of a model' grep -q '左足ＩＫ.*IK of 左足首' stdout
cat a.bvh | "$odori" inspect - >piped
"$odori" inspect a.bvh >plain
is 'inspect of a pipe' "$(sed 's/^a\.bvh:/standard input:/; s/clip 0 "a"/clip 0 "standard input"/' plain)" "$(cat piped)"
if [ -n "$python" ]; then
    is 'what the JSON says of a dance' "bvh mixamo $joints 30 60" "$(python3 -c 'import json
v = json.load(open("a.bvh.json", encoding="utf-8"))
print(v["format"], v["mapping"], len(v["joints"]), v["clips"][0]["frames"], v["clips"][0]["fps"])')"
    is 'what the JSON says of a model' 'pmx True True' "$(python3 -c 'import json
v = json.load(open("model.pmx.json", encoding="utf-8"))
names = {b["name"] for b in v["bones"]}
print(v["format"], "左足ＩＫ" in names, all(b["parent"] is None or b["parent"] in names for b in v["bones"]))')"
fi
run "$odori" inspect none.bvh
is 'inspect of no file' 1 "$status"
is 'its errors' 1 "$(grep -c '^odori: error:' stderr)"
finish
