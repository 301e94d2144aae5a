#!/bin/sh
# A file may include headers of its own layer and of lower ones; equal layers never meet. A public
# header belongs to the layer whose .c file has its name. The library neither prints nor exits, so
# the solver needs no stdio at all.
set -u

# The includes of a tree that break the rule, one a line; nothing when all is well.
violations() {
    (cd "$1" && grep -nE '^[[:space:]]*#[[:space:]]*include' $(find src include -name '*.[ch]' | sort) /dev/null |
        awk -v sources="$(find src -name '*.c' | tr '\n' ' ')" '
        BEGIN {
            split("base math motion mmd format mapping retarget rig cli", name, " ")
            split("0 1 2 3 4 4 5 5 6", height, " ")
            for (i in name) rank[name[i]] = height[i]
            home["scene"] = "motion" # only declares
            n = split(sources, path, " ")
            for (i = 1; i <= n; i++) {
                split(path[i], part, "/")
                noun = part[3]
                sub(/\.c$/, "", noun)
                if (part[2] != "cli") home[noun] = part[2]
            }
        }
        {
            split($0, field, ":")
            file = field[1]
            where = file ":" field[2]
            split(file, part, "/")
            noun = part[3]
            sub(/\.[ch]$/, "", noun)
            own = part[1] != "include" ? part[2] : noun == "odori" ? "cli" : home[noun] # odori.h includes all
            if (!match($0, /["<][^">]*[">]/)) next
            header = substr($0, RSTART + 1, RLENGTH - 2)
            quoted = substr($0, RSTART, 1) == "\""
            if (!quoted) {
                if (own == "retarget" && header == "stdio.h") print where ": the solver includes <stdio.h>"
                next
            }
            if (split(header, inside, "/") != 2) {
                print where ": \"" header "\" does not name its layer"
                next
            }
            noun = inside[2]
            sub(/\.h$/, "", noun)
            other = inside[1] == "odori" ? home[noun] : inside[1]
            if (!(own in rank)) print where ": the file belongs to no layer"
            else if (!(other in rank)) print where ": \"" header "\" belongs to no layer"
            else if (rank[other] > rank[own]) print where ": " own " includes " other ", a higher layer"
            else if (rank[other] == rank[own] && other != own) print where ": " own " includes " other ", an equal layer"
        }')
}

# The check must find what is wrong in a small tree made for it, and nothing else.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/base" "$scratch/src/format" "$scratch/src/mapping" "$scratch/src/retarget" "$scratch/include/odori"
touch "$scratch/src/base/error.c" "$scratch/src/mapping/mapping.c"
echo '#include "odori/error.h"' >"$scratch/src/format/good.c"
echo '#include "format/bvh.h"' >"$scratch/src/base/higher.c"
echo '#include "odori/mapping.h"' >"$scratch/src/format/equal.c"
echo '#include "good.h"' >"$scratch/src/format/nameless.c"
echo '#include "odori/nowhere.h"' >"$scratch/src/format/homeless.c"
echo '#include <stdio.h>' >"$scratch/src/retarget/prints.c"
echo '#include "odori/mapping.h"' >"$scratch/include/odori/error.h"
found=$(violations "$scratch" | cut -d: -f1 | sort | tr '\n' ' ')
want='include/odori/error.h src/base/higher.c src/format/equal.c src/format/homeless.c src/format/nameless.c src/retarget/prints.c '
if [ "$found" != "$want" ]; then
    echo "the check itself is broken: it found $found"
    exit 1
fi

found=$(violations .)
[ -z "$found" ] && exit 0
echo "$found"
exit 1
