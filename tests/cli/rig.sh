#!/bin/sh
# rig: models are written byte for byte when nothing is asked; what is added is told; nothing is lost when
# something goes wrong.
. "$(dirname "$0")/lib/common"
cd "$scratch" || exit 1
cp "$samples/model.pmx" "$samples/model.pmd" .

# ---- nothing to add ------------------------------------------------------------------------------

run "$odori" rig model.pmx -o same.pmx
is 'rig without --add' 0 "$status"
holds 'the model is written byte for byte' cmp model.pmx same.pmx
says 'byte for byte'
run "$odori" rig -q model.pmx -o - -f
is 'to a pipe' 0 "$status"
holds 'the same to a pipe' cmp model.pmx stdout
run sh -c "'$odori' rig -q - -o piped.pmx <model.pmx"
is 'from a pipe' 0 "$status"
holds 'the same from a pipe' cmp model.pmx piped.pmx
run "$odori" rig -q model.pmd -o from-pmd.pmx
is 'a PMD' 0 "$status"
"$odori" inspect model.pmd | sed 's/^model.pmd: pmd/X: pmx/' >pmd.txt
"$odori" inspect from-pmd.pmx | sed 's/^from-pmd.pmx/X/' >pmx.txt
holds 'a PMD has the same bones as a PMX' cmp pmd.txt pmx.txt

# ---- adding --------------------------------------------------------------------------------------

run "$odori" rig model.pmd --add standard -o once.pmx
is 'rig --add standard' 0 "$status"
says 'added 左足D'
says 'there already: 左足ＩＫ'
run "$odori" rig once.pmx --add standard -o twice.pmx
is 'the second time' 0 "$status"
holds 'nothing changes the second time' cmp once.pmx twice.pmx
run "$odori" rig model.pmd --add ik,center,groove --dry-run -o none.pmx
is '--dry-run' 0 "$status"
says 'グルーブ'
[ ! -e none.pmx ] || bad '--dry-run wrote a file'
run "$odori" rig -q model.pmd --add twist --report report.json -o twist.pmx
is '--report' 0 "$status"
holds 'the report tells of what was added' grep -q '左腕捩1' report.json
run "$odori" rig -q model.pmx --t-pose -o t.pmx
is '--t-pose' 0 "$status"
run "$odori" rig t.pmx --a-pose=35 -o a.pmx
is '--a-pose=35' 0 "$status"
says 'to 35.0 below the horizontal'
"$odori" convert -q "$samples/dance.bvh" -t once.pmx -o dance.vmd || bad 'the rigged model does not dance'
run "$odori" check -q dance.vmd -t once.pmx
is 'the dance on the rigged model' 0 "$status"

# ---- what goes wrong -----------------------------------------------------------------------------

run "$odori" rig model.pmx -o once.pmx
is 'an existing file' 4 "$status"
run "$odori" rig model.pmx -f -o model.pmx
is 'the model itself' 4 "$status"
run "$odori" rig "$samples/dance.bvh" -o none.pmx
is 'a motion' 1 "$status"
says 'expected a model'
head -c 5000 model.pmx >cut.pmx
run "$odori" rig cut.pmx --add ik -o none.pmx
is 'half a model' 1 "$status"
run "$odori" rig model.pmx --add ik -m nobody -o none.pmx
is 'a mapping that is not there' 3 "$status"
for list in '' ik, ,ik ikk 'ik center' IK; do
    run "$odori" rig model.pmx --add "$list" -o none.pmx
    is "--add '$list'" 2 "$status"
done
run "$odori" rig model.pmx --add twits -o none.pmx
says 'did you mean twist?'
for angle in x 91 -90.5 nan; do
    run "$odori" rig model.pmx --a-pose=$angle -o none.pmx
    is "--a-pose=$angle" 2 "$status"
done
[ ! -e none.pmx ] || bad 'a failure left a file'
finish
