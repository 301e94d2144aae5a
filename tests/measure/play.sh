#!/bin/sh
# Compares the player with independent ones on models and motions, and on random keys of every bone: a line of
# JSON each into FIGURES.
#   ODORI_PLAYERS=folder ODORI_TEST_DATA=folder sh tests/measure/play.sh PROGRAM FIGURES
# PROGRAM is the build's measure/play. MODELS and MOTIONS, separated by blanks, take the place of the lists.
set -u
program=${1:?names no program} figures=${2:?names no file for the figures}
here=$(dirname "$0")
pmx=${ODORI_TEST_DATA:?is not set}/pmx vmd=$ODORI_TEST_DATA/vmd
models=${MODELS:-"$pmx/mmdagent-ex_gene/Gene.pmx $pmx/yohawing_unity-mmd-loader/mmt_test_model.pmx
    $pmx/yohawing_three-mmd-loader/yw_test_model.pmx $pmx/yohawing_three-mmd-loader/test_semi_basic_bone.pmx
    $pmx/yohawing_three-mmd-loader/test_basic_bone.pmx $pmx/hkrn_nanoem/main.pmx
    $pmx/takahirox_mmd-viewer-js/low_miku__miku.pmd $pmx/mmdagent-ex_gene/Gene.pmd"}
motions=${MOTIONS:-"$vmd/takahirox_mmd-viewer-js/wavefile_v2.vmd $vmd/shiroha-233_MC-MMD-rust/walk.vmd
    $vmd/MMD-Blender_blender_mmd_tools/test.vmd $vmd/mmdagent-ex_gene/02_laugh.vmd
    $vmd/mmdagent-ex_gene/33_angry.vmd $vmd/mmdagent-ex_gene/stand.vmd $vmd/mmdagent-ex_gene/00_normal.vmd
    $vmd/mmdagent-ex_uka/22_apology.vmd $vmd/yohawing_unity-mmd-loader/mmt_test_model_test_motion.vmd random:1"}
small=${SMALL-"$pmx/yohawing_three-mmd-loader/test_append_bone.pmx $pmx/yohawing_three-mmd-loader/test_fix_axis.pmx
    $pmx/yohawing_three-mmd-loader/test_given_bone_comprehensive.pmx $pmx/yohawing_mmd-anim/ik_multi_axis_limit.pmx
    $pmx/noname0310_babylon-mmd/bone_flag_test.pmx $pmx/noname0310_babylon-mmd/bone_hierarchy_test.pmx
    $pmx/noname0310_babylon-mmd/bone_hierarchy_test2.pmx $pmx/noname0310_babylon-mmd/constraint_test.pmx
    $pmx/noname0310_babylon-mmd/constraint_test4.pmx $pmx/yohawing_unity-mmd-loader/test_hair_physics.pmx
    $pmx/miu200521358_vmd_sizing/debug_bone5.pmx"}
: >"$figures"
compare() {
    node "$here/play.mjs" --steps "${STEPS:-60}" "$program" "$1" "$2" >>"$figures" ||
        echo "{\"model\":\"$(basename "$1")\",\"motion\":\"$(basename "$2")\",\"failed\":true}" >>"$figures"
}
for model in $models; do
    for motion in $motions; do compare "$model" "$motion"; done
done
for model in $small; do compare "$model" random:1; done
