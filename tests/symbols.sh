#!/bin/sh
# The shared library exports what the headers promise and nothing else, needs nothing that is not
# there, calls nothing that prints or exits, and keeps no mutable globals but locks.
# OUT: folder of the build. CC: compiler.
set -u
OUT=${OUT:-build/release}
failed=0

complain() { # TITLE LINES
    [ -z "$2" ] && return
    echo "$1:"
    echo "$2" | sed 's/^/    /'
    failed=1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

nm -D --defined-only "$OUT/libodori.so" | awk '$2 != "A" { print $3 }' | sort >"$scratch/exported"
# Every declaration begins its line with OD_API; the name stands before the first parenthesis.
sed -n 's/^OD_API [^(]*[ *]\(od_[a-z0-9_]*\)(.*/\1/p' include/odori/*.h | sort >"$scratch/promised"
[ -s "$scratch/promised" ] || complain "no OD_API found" "include/odori"

complain "exported without od_" "$(grep -v '^od_' "$scratch/exported")"
complain "exported but in no header" "$(comm -23 "$scratch/exported" "$scratch/promised" | grep '^od_')"
complain "in a header but not exported" "$(comm -13 "$scratch/exported" "$scratch/promised")"
complain "undefined" "$(nm -D --undefined-only "$OUT/libodori.so" | grep -E ' od_')"

soname=$(objdump -p "$OUT/libodori.so" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = "libodori.so.${VERSION%%.*}" ] || complain "soname" "$soname"

forbidden='printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|fputc|perror|exit|_exit|quick_exit|abort|setlocale|signal|stdout|stderr'
complain "the library prints or exits" "$(nm -A --undefined-only "$OUT/libodori.a" 2>/dev/null | grep -E " U ($forbidden)(@|\$)")"

# Constant tables with addresses in them lie in .data.rel.ro; plain .data and .bss are mutable.
complain "mutable globals" "$(objdump -t "$OUT/libodori.a" |
    awk '/file format/ { file = $1 } ($4 == ".data" || $4 == ".bss") && $3 == "O" && $NF !~ /lock|mutex/ { print file, $NF }
         ($3 == ".data" || $3 == ".bss") && $2 == "O" && $NF !~ /lock|mutex/ { print file, $NF }')"

exit $failed
