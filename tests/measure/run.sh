#!/bin/sh
# Measures a list of sources on a list of models: a line of JSON each into FIGURES, then a table of them.
#   ODORI_PLAYERS=folder ODORI_TEST_DATA=folder [ODORI_STANDARD=file] sh tests/measure/run.sh FIGURES [odori options]
# ODORI_PLAYERS: folder of the installed players; ODORI_STANDARD: JSON table of the built-in model's bones, for the
# players. SOURCES and MODELS, separated by blanks, take the place of the lists.
set -u
figures=${1:?names no file for the figures}
shift
here=$(dirname "$0")
data=${ODORI_TEST_DATA:?is not set}
bvh=$data/bvh pmx=$data/pmx
sources=${SOURCES:-"samples/dance.bvh samples/second.bvh
    $bvh/assimp_assimp/01_01.bvh $bvh/assimp_assimp/Boxing_Toes.bvh
    $bvh/BandaiNamcoResearchInc_Bandai-Namco-Research-Motiondataset/dataset-1_dance-short_normal_001.bvh
    $bvh/BandaiNamcoResearchInc_Bandai-Namco-Research-Motiondataset/dataset-1_walk_normal_001.bvh
    $bvh/BandaiNamcoResearchInc_Bandai-Namco-Research-Motiondataset/dataset-2_walk_normal_001.bvh
    $bvh/akjava_BVH-Motion-Creator/14_08.bvh $bvh/KevinLTT_video2bvh/cxk.bvh
    $bvh/omimo_PyMO/AV_8Walk_Meredith_HVHA_Rep1.bvh $bvh/OlafHaag_bvh-toolbox/walk01.bvh
    $bvh/makehumancommunity_makehuman/dance1.bvh $bvh/makehumancommunity_makehuman/walk1.bvh
    $bvh/vrm-c_UniVRM/vrm10viewer_test_motion.txt $bvh/EmptyBlueBox_BVH2SMPL/SMPL.bvh
    $bvh/orangeduck_GenoView/Geno_stance.bvh $bvh/JonathanAlderson_BVH-Animation-Software/05_02.bvh
    $bvh/20tab_bvh-python/test_freebvh.bvh $bvh/20tab_bvh-python/test_mocapbank.bvh"}
models=${MODELS:-"${ODORI_STANDARD:+standard} $pmx/mmdagent-ex_gene/Gene.pmx
    $pmx/yohawing_unity-mmd-loader/mmt_test_model.pmx $pmx/yohawing_three-mmd-loader/yw_test_model.pmx
    $pmx/takahirox_mmd-viewer-js/low_miku__miku.pmd samples/model.pmx samples/model.pmd"}
: >"$figures"
for model in $models; do
    for source in $sources; do
        node "$here/measure.mjs" "$source" "$model" "$@" >>"$figures" ||
            echo "{\"source\":\"$(basename "$source")\",\"model\":\"$(basename "$model")\",\"failed\":true}" >>"$figures"
    done
done
node "$here/table.mjs" "$figures"
