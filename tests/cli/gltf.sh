#!/bin/sh
# glTF and VRM through the program: bytes beside the file and elsewhere, from standard input, onto a model.
. "$(dirname "$0")/lib/common"
cd "$scratch" || exit 1
mkdir dances
cp "$samples/model.pmx" .

# ends STATUS ARGUMENT...: the program ends so.
ends() {
    want=$1
    shift
    run "$odori" "$@"
    is "odori $*" "$want" "$status"
}

# person EXTENSION BUFFER HEIGHT: a person of this height in metres as glTF whose left arm is lowered in a second.
person() {
    awk -v extension="$1" -v buffer="$2" -v high="$3" '
    function node(name, x, y, z, children, slot) {
        nodes = nodes sprintf("%s{\"name\":\"%s\",\"translation\":[%g,%g,%g],\"children\":[%s]}", n ? "," : "", name,
            x * high, y * high, z * high, children)
        if (slot) slots = slots sprintf("%s\"%s\":{\"node\":%d}", slots ? "," : "", slot, n)
        n++
    }
    BEGIN {
        node("a0", 0, 0.55, 0, "1,5,9", "hips")
        node("a1", 0, 0.1, 0, "2", "spine")
        node("a2", 0, 0.1, 0, "3,13,16", "chest")
        node("a3", 0, 0.12, 0, "4", "neck")
        node("a4", 0, 0.05, 0, "19", "head")
        node("a5", 0.06, -0.03, 0, "6", "leftUpperLeg")
        node("a6", 0, -0.24, 0, "7", "leftLowerLeg")
        node("a7", 0, -0.24, 0, "8", "leftFoot")
        node("a8", 0, -0.03, 0.08, "", "leftToes")
        node("a9", -0.06, -0.03, 0, "10", "rightUpperLeg")
        node("a10", 0, -0.24, 0, "11", "rightLowerLeg")
        node("a11", 0, -0.24, 0, "12", "rightFoot")
        node("a12", 0, -0.03, 0.08, "", "rightToes")
        node("a13", 0.1, 0.08, 0, "14", "leftUpperArm")
        node("a14", 0.17, 0, 0, "15", "leftLowerArm")
        node("a15", 0.15, 0, 0, "", "leftHand")
        node("a16", -0.1, 0.08, 0, "17", "rightUpperArm")
        node("a17", -0.17, 0, 0, "18", "rightLowerArm")
        node("a18", -0.15, 0, 0, "", "rightHand")
        node("a19", 0, 0.1, 0, "", "")
        printf "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[%s]", nodes
        if (buffer) printf ",\"buffers\":[{\"byteLength\":40,\"uri\":\"%s\"}],\"bufferViews\":[{\"buffer\":0," \
            "\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],\"accessors\":[{\"bufferView\":0," \
            "\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},{\"bufferView\":1,\"componentType\":5126," \
            "\"count\":2,\"type\":\"VEC4\"}],\"animations\":[{\"name\":\"lower\",\"channels\":[{\"sampler\":0," \
            "\"target\":{\"node\":13,\"path\":\"rotation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}]", buffer
        if (extension) printf ",\"extensions\":{\"%s\":{\"humanoid\":{\"humanBones\":{%s}}}}", extension, slots
        print "}"
    }'
}

# Times 0 and 1; no turn and 60 degrees about -z.
{
    printf '\000\000\000\000\000\000\200\077'
    printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\200\077'
    printf '\000\000\000\000\000\000\000\000\000\000\000\277\327\263\135\077'
} >'dances/the bytes.bin'
is 'bytes of the animation' 40 "$(wc -c <'dances/the bytes.bin' | tr -d ' ')"
data="data:application/octet-stream;base64,$(base64 <'dances/the bytes.bin' | tr -d '\n')"

person VRMC_vrm_animation the%20bytes.bin 1.6 >dances/lower.vrma
ends 0 convert dances/lower.vrma -t model.pmx -o lower.vmd
says 'the source says which joint is which'
ends 0 check -q lower.vmd dances/lower.vrma -t model.pmx
ends 0 inspect dances/lower.vrma
holds 'inspect names the clip' grep -q 'clip 0 "lower"' stdout

# Of the same bytes in the file the same motion is made, also from standard input.
person VRMC_vrm_animation "$data" 1.6 >whole.gltf
ends 0 convert -q whole.gltf -t model.pmx -o whole.vmd
holds 'bytes beside the file or in it are the same' cmp lower.vmd whole.vmd
"$odori" convert -q - -t model.pmx <whole.gltf >piped.vmd
holds 'a file or standard input is the same' cmp whole.vmd piped.vmd

# Each clip that moves gets a file.
sed 's/\("animations":\[\)\({.*}\)\(\],"extensions"\)/\1\2,\2\3/; s/"name":"lower"/"name":"again"/2' whole.gltf >two.gltf
ends 2 convert --clip all two.gltf -t model.pmx -o none.vmd
says '--clip all needs --output-dir'
ends 0 convert -q --clip all two.gltf -t model.pmx --output-dir clips
is 'files of two clips' 'two.again.vmd two.lower.vmd' "$(ls clips | tr '\n' ' ' | sed 's/ $//')"
ends 0 convert -q --clip again two.gltf -t model.pmx -o again.vmd
holds 'one clip of two is the same' cmp again.vmd clips/two.again.vmd

# Out of the folder leads no way, unless it is allowed.
cp 'dances/the bytes.bin' elsewhere.bin
for out in ../elsewhere.bin %2e%2e/elsewhere.bin x/../../elsewhere.bin "$scratch/elsewhere.bin"; do
    person VRMC_vrm_animation "$out" 1.6 >dances/out.vrma
    ends 1 convert -q -f dances/out.vrma -t model.pmx -o out.vmd
    says 'is not in its folder; --allow-external reads it'
    [ "$out" = x/../../elsewhere.bin ] && continue
    ends 0 convert -q -f --allow-external dances/out.vrma -t model.pmx -o out.vmd
done
run sh -c '"$1" convert -q - -t model.pmx -o no.vmd <dances/lower.vrma' sh "$odori"
says 'standard input needs "the bytes.bin", and has no folder'
person VRMC_vrm_animation nothing.bin 1.6 >dances/out.vrma
ends 1 convert -q -f dances/out.vrma -t model.pmx -o out.vmd
says 'dances/nothing.bin: cannot be read'

# Without the humanoid the shape tells.
person '' the%20bytes.bin 1.6 >dances/shape.gltf
ends 0 convert dances/shape.gltf -t model.pmx -o shape.vmd
says 'found by the shape of the skeleton'

# Degrees about z by which the left arm is turned at the end.
lowered() {
    "$odori" dump "$1" | awk '/joint "a13".*turned/ { z = $(NF - 1); w = $NF }
        END { printf "%.1f", 2 * atan2(z, w) * 180 / atan2(0, -1) }'
}
is 'the arm of the file itself' -60.0 "$(lowered dances/shape.gltf)"

# What gltfpack makes of it, quantised and packed, with and without a fallback, shows the same.
if command -v gltfpack >/dev/null; then
    for packing in -c -cc -cf; do
        run gltfpack -i dances/shape.gltf -o dances/packed.glb -kn "$packing"
        is "gltfpack $packing" 0 "$status"
        holds "gltfpack $packing packs" grep -q EXT_meshopt_compression dances/packed.glb
        ends 0 convert -q -f dances/packed.glb -t model.pmx -o packed.vmd
        ends 0 check -q packed.vmd dances/shape.gltf -t model.pmx
        is "the arm of gltfpack $packing" "-60.0" "$(lowered dances/packed.glb)"
    done
else
    echo 'gltfpack is not there: what it packs is not read'
fi

# Onto a model; a model alone has no motion.
person VRMC_vrm '' 0.8 >model.vrm
ends 0 convert -q --skeleton model.vrm dances/lower.vrma -t model.pmx -o onto.vmd
ends 0 check -q onto.vmd --skeleton model.vrm dances/lower.vrma -t model.pmx
ends 1 convert -q model.vrm -t model.pmx -o none.vmd
says 'there is no motion in the file'
ends 1 convert -q --skeleton dances/shape.gltf dances/lower.vrma -t model.pmx -o none.vmd
says 'the skeleton does not say what its joints are'
ends 4 convert -q -f --skeleton model.vrm dances/lower.vrma -t model.pmx -o model.vrm
says 'is the skeleton itself'

finish
