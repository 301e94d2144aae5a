#!/bin/sh
# Motions of MMD: checked, converted from model to model, their cameras scaled.
. "$(dirname "$0")/lib/common"
cd "$scratch" || exit 1
short_dance 240 >dance.bvh
cp "$samples/second.bvh" "$samples/model.pmx" "$samples/model.pmd" .

# ends STATUS ARGUMENT...: the program ends so.
ends() {
    want=$1
    shift
    run "$odori" "$@"
    is "odori $*" "$want" "$status"
}

# prints TEXT: the last run's standard output has the text in it.
prints() {
    checks=$((checks + 1))
    grep -qF -e "$1" "$scratch/stdout" || bad "no \"$1\" on standard output"
}

ends 0 convert -q dance.bvh -t model.pmx --reduce off -o dance.vmd
ends 0 check dance.vmd -t model.pmx
prints "feet under the floor, units"
ends 0 check -q dance.vmd dance.bvh -t model.pmx
ends 1 check dance.vmd dance.bvh -t model.pmx --max-direction 0.01
says "direction of limbs (thighs)"
says "at frame"
prints "! "
ends 1 check -q dance.vmd dance.bvh -t model.pmx --speed 2
says "longer or shorter than the source: 1.98 times"
ends 0 check --json dance.vmd -t model.pmx
prints '"ik_iterations": 0'
ends 1 check dance.bvh -t model.pmx
says "is no MMD motion"
ends 2 check --max-slide much dance.vmd
ends 3 check dance.vmd -t dance.bvh

frames=121 # 240 at 60 a second, of which 119.5 steps remain at 30 and the last pose
ends 0 inspect dance.vmd
prints "左足ＩＫ: $frames keys to frame $((frames - 1)), moves and turns"
ends 0 inspect --json dance.vmd
prints "\"frames\": $frames"

# From model to model: a source of keys needs the model that it was made for.
ends 1 convert dance.vmd -t model.pmd -o none.vmd
says "--source-model"
ends 0 convert dance.vmd --source-model model.pmx -t model.pmd -o pmd.vmd
says "played back: legs within"
ends 0 check -q pmd.vmd -t model.pmd
ends 0 convert -q dance.vmd --source-model model.pmx -t model.pmx --reduce off -o same.vmd
ends 0 check -q same.vmd dance.vmd --source-model model.pmx -t model.pmx --max-direction 0.002
ends 1 convert dance.vmd --source-model dance.bvh -t model.pmd -o none.vmd
ends 4 convert dance.vmd --source-model model.pmx -t model.pmd -f -o model.pmx
says "the source's model itself"

# A pose is a motion of one frame.
printf 'Vocaloid Pose Data file\r\n\r\nm.osm;\r\n1;\r\n\r\nBone0{\215\266\230\162\r\n 0,0,0;\r\n 0,0,0.6,0.8;\r\n}\r\n' >pose.vpd
ends 0 convert -q pose.vpd --source-model model.pmx -t model.pmx -o pose.vmd
# Its knees are straight, those of MMD's limits bent by half a degree.
ends 0 check -q pose.vmd pose.vpd --source-model model.pmx -t model.pmx --max-direction 0.3

# Back to BVH, as it is seen: IK is played.
ends 0 convert dance.vmd --source-model model.pmx -o back.bvh
says "written: $frames frames"
ends 0 check -q dance.vmd back.bvh -t model.pmx --max-direction 0.002
ends 0 convert -q dance.vmd --source-model model.pmx --to bvh --english -o - # a pipe
cp stdout english.bvh
ends 0 convert english.bvh -t model.pmd -o english.vmd
says "names of MMD's bones"
ends 0 convert dance.bvh --to bvh --start 0.5 --end 1.5 -o part.bvh
says "written: 61 frames, 1.0 s"
ends 0 convert dance.bvh second.bvh --to bvh --output-dir bvhs
is "names of the outputs" "dance.bvh second.bvh" "$(ls bvhs | tr '\n' ' ' | sed 's/ $//')"

# Few keys: with curves, with lines, nearer.
ends 0 convert dance.bvh -t model.pmx -o few.vmd
says "within 0.5 deg, 0.02 units"
ends 0 check -q few.vmd dance.bvh -t model.pmx
ends 0 convert -q dance.bvh -t model.pmx --reduce linear -o lines.vmd
ends 0 convert -q dance.bvh -t model.pmx --tolerance 0.1,0.005 -o near.vmd
ends 0 convert -q dance.bvh -t model.pmx --no-check -o unchecked.vmd
size() { wc -c <"$1"; }
holds "curves save keys" [ $((5 * $(size few.vmd))) -lt "$(size dance.vmd)" ]
holds "curves save more keys than lines" [ "$(size few.vmd)" -lt "$(size lines.vmd)" ]
holds "a smaller tolerance needs more keys" [ "$(size few.vmd)" -lt "$(size near.vmd)" ]
holds "keys are reduced without a check, too" [ $((5 * $(size unchecked.vmd))) -lt "$(size dance.vmd)" ]
for wrong in 1 1, ,1 -1,1 1,-1 91,1 x,1 1,1x; do
    ends 2 convert dance.bvh -t model.pmx --tolerance "$wrong" -o none.vmd
done
ends 2 convert dance.bvh -t model.pmx --reduce much -o none.vmd

ends 2 convert dance.bvh -t model.pmx --key-budget 0.5 -o none.vmd
ends 0 convert dance.bvh -t model.pmx --key-budget 700 -o budget.vmd
holds "the budget is kept" [ "$(size budget.vmd)" -lt $((700 * 111 + 4000)) ]

# Without the tremble.
ends 0 convert dance.bvh -t model.pmx --smooth=0.5 -o smooth.vmd
says "smoothed over 0.5 frames:"
ends 0 convert -q dance.bvh -t model.pmx --smooth --reduce off -f -o smooth.vmd
holds "smoothing changes the motion" sh -c '! cmp -s smooth.vmd dance.vmd'
ends 2 convert dance.bvh -t model.pmx --smooth=0 -o none.vmd
ends 2 convert dance.bvh -t model.pmx --smooth=x -o none.vmd

# The same for motions of others; what is sparse stays.
ends 0 reduce dance.vmd -t model.pmx -o reduced.vmd
says "within 0.5 deg, 0.02 units"
holds "keys are reduced" [ $((5 * $(size reduced.vmd))) -lt "$(size dance.vmd)" ]
ends 0 check -q reduced.vmd dance.bvh -t model.pmx
ends 0 reduce -q reduced.vmd -t model.pmx -o again.vmd
holds "a reduction of a reduction changes nothing" cmp reduced.vmd again.vmd
ends 4 reduce dance.vmd -t model.pmx -o reduced.vmd
ends 4 reduce dance.vmd -t model.pmx -f -o dance.vmd
ends 1 reduce dance.bvh -t model.pmx -o none.vmd
ends 3 reduce dance.vmd -t dance.bvh -o none.vmd
ends 2 reduce -t model.pmx

# In several files: none of them when one is there already.
ends 0 reduce dance.vmd -t model.pmx --split 300 -o several.vmd
says "in 3 files"
is "parts" "several.1of3.vmd several.2of3.vmd several.3of3.vmd" "$(echo several.*)"
for part in several.*; do
    holds "$part has few keys" [ "$(size "$part")" -lt $((300 * 111 + 4000)) ]
    ends 0 inspect "$part"
done
rm several.1of3.vmd
ends 4 reduce dance.vmd -t model.pmx --split 300 -o several.vmd
says "several.2of3.vmd: exists already"
is "parts" "several.2of3.vmd several.3of3.vmd" "$(echo several.*)"
ends 0 reduce -q dance.vmd -t model.pmx --split 100000 -o whole.vmd
holds "what fits is not split" cmp whole.vmd reduced.vmd
ends 2 reduce dance.vmd -t model.pmx --split 300
ends 2 reduce dance.vmd -t model.pmx --split 0 -o none.vmd

# The camera.
ends 1 convert --camera dance.vmd --source-model model.pmx -t model.pmd -o none.vmd
says "no camera keys"
is "files left" "no" "$([ -e none.vmd ] && echo yes || echo no)"
finish
