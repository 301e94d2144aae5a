#!/bin/sh
# Every command that the README and the man page show runs, and the mapping that the other page shows
# is accepted.
. "$(dirname "$0")/lib/common"
mkdir "$scratch/bin" "$scratch/folder"
ln -s "$odori" "$scratch/bin/odori"
PATH=$scratch/bin:$PATH
export PATH

# examples FILE...: runs each line of standard input in one new folder with the samples.
examples() {
    rm -rf "$scratch/folder"
    mkdir "$scratch/folder"
    cp -R "$samples" "$scratch/folder/samples"
    before=$checks
    while read -r line; do
        (cd "$scratch/folder" && sh -c "$line") >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
        status=$?
        is "$1: $line" 0 $status
        [ $status = 0 ] || sed 's/^/    /' "$scratch/stderr"
    done <"$scratch/lines"
    [ $((checks - before)) -ge "$2" ] || bad "$1: only $((checks - before)) examples were found"
}

sed -n '/<!-- examples -->/,$p' "$root/README.md" | awk '/^```/ { if (inside) exit; inside = 1; next } inside' \
    >"$scratch/lines"
examples README.md 8
for file in dance.vmd piped.vmd out/dance.vmd out/second.vmd my.json; do
    holds "README.md: $file is there" test -s "$scratch/folder/$file"
done

awk '/^\.Sh/ { examples = /EXAMPLES/ } /^\.Ed/ { inside = 0 } examples && inside { gsub(/\\-/, "-"); print }
     /^\.Bd -literal/ { inside = 1 }' "$root/man/odori.1" >"$scratch/lines"
examples odori.1 6
for file in dance.vmd dance2.vmd out/dance.vmd out.json my.json second.vmd; do
    holds "odori.1: $file is there" test -s "$scratch/folder/$file"
done
holds 'odori.1: the pipeline gives the same bytes' cmp "$scratch/folder/dance.vmd" "$scratch/folder/dance2.vmd"

# Of the page about batches, what needs no other machine and no other program.
awk '/^\.Ed/ { inside = 0 } inside && /^odori/ { gsub(/\\-/, "-"); print } /^\.Bd -literal/ { inside = 1 }' \
    "$root/man/odori-batch.7" >"$scratch/lines"
examples odori-batch.7 7
for file in out/dance.vmd both/model/dance.vmd both/model-2/second.vmd all/dance.vmd all/second.vmd all.json; do
    holds "odori-batch.7: $file is there" test -s "$scratch/folder/$file"
done

# The mapping has too few joints to dance with, so that the check finds something, but it is read.
awk '/^\.Sh/ { examples = /EXAMPLES/ } /^\.Ed/ { inside = 0 } examples && inside { gsub(/\\-/, "-"); print }
     /^\.Bd -literal/ { inside = 1 }' "$root/man/odori-mapping.5" >"$scratch/mine.json"
holds 'odori-mapping.5 shows a mapping' grep -q '"odori": 1' "$scratch/mine.json"
run odori map "$samples/dance.bvh" -m "$scratch/mine.json" -o "$scratch/whole.json"
is 'the mapping of odori-mapping.5 is accepted' 0 "$status"
[ "$status" = 0 ] || cat "$scratch/stderr"
run odori map "$samples/dance.bvh" -m "$scratch/whole.json"
is 'so is what is made of it' 0 "$status"
finish
