#!/bin/sh
# Figures for a table of sources and targets, one line of JSON each.
#   ODORI_PLAYERS=folder ODORI_TEST_DATA=folder sh tests/measure/run.sh [odori options] >figures.jsonl
# ODORI_STANDARD: the built-in model as PMX, when there is one.
set -u
data=${ODORI_TEST_DATA:?is not set}
bvh=$data/bvh pmx=$data/pmx
for model in ${ODORI_STANDARD:-} "$pmx/mmdagent-ex_gene/Gene.pmx" "$pmx/yohawing_unity-mmd-loader/mmt_test_model.pmx" \
    "$pmx/takahirox_mmd-viewer-js/low_miku__miku.pmd" samples/model.pmx samples/model.pmd; do
    [ -f "$model" ] || continue
    for source in samples/dance.bvh samples/second.bvh "$bvh/assimp_assimp/01_01.bvh" "$bvh/assimp_assimp/Boxing_Toes.bvh" \
        "$bvh/BandaiNamcoResearchInc_Bandai-Namco-Research-Motiondataset/dataset-1_dance-short_normal_001.bvh" \
        "$bvh/akjava_BVH-Motion-Creator/14_08.bvh" "$bvh/KevinLTT_video2bvh/cxk.bvh" \
        "$bvh/omimo_PyMO/AV_8Walk_Meredith_HVHA_Rep1.bvh" "$bvh/OlafHaag_bvh-toolbox/walk01.bvh" \
        "$bvh/20tab_bvh-python/test_freebvh.bvh" "$bvh/vrm-c_UniVRM/vrm10viewer_test_motion.txt" \
        "$bvh/EmptyBlueBox_BVH2SMPL/SMPL.bvh" "$bvh/20tab_bvh-python/test_mocapbank.bvh"; do
        [ -f "$source" ] || continue
        node tests/measure/measure.mjs "$source" "$model" "$@" || echo "{\"source\":\"$source\",\"model\":\"$model\",\"failed\":true}"
    done
done
