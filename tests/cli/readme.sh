#!/bin/sh
# What the README shows is what comes: the first screen's words, and the program that uses the library.
. "$(dirname "$0")/lib/common"
mkdir "$scratch/bin" && ln -s "$odori" "$scratch/bin/odori"
PATH=$scratch/bin:$PATH
cd "$scratch" || exit 1
cp "$samples/dance.bvh" "$samples/model.pmx" .

# block KIND: the README's first block of code of this kind.
block() { awk -v fence="\`\`\`$1" '/^```/ { if (inside) exit; inside = $0 == fence; next } inside' "$root/README.md"; }

block console >shown
command=$(sed -n '1s/^\$ //p' shown)
run sh -c "$command"
is "exit code of: $command" 0 "$status"
sed 1d shown >lines
[ "$(wc -l <lines)" -ge 5 ] || bad 'the README shows hardly more than the command'
while IFS= read -r line; do
    holds "the README shows: $line" grep -qFx -e "$line" stderr
done <lines

# The program links with the library as it was built, so only where that is the plain one.
if [ "${CONFIG:-release}" = release ] && [ -n "${OUT:-}" ]; then
    block c >bones.c
    # shellcheck disable=SC2046
    run "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I"$root/include" bones.c $(pkg-config --cflags cglm) -L"$OUT" \
        -lodori -Wl,-rpath,"$OUT" -lm -o bones
    is 'the program of the README compiles' 0 "$status"
    [ "$status" = 0 ] || cat stderr
    run ./bones
    is 'the program of the README runs' 0 "$status"
    is 'what it prints' '104 bones' "$(cat stdout)"
fi
finish
