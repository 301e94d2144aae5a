#!/bin/sh
# What `make install` puts down works from where it lies: the program converts the sample, a small
# program builds against the library with pkg-config, shared and static, and `make uninstall` takes
# every file away again. Run by `make installcheck`, or alone after `make`.
set -u
BUILD=${BUILD:-build} CC=${CC:-cc}
make="${MAKE:-make} --no-print-directory DEPS=skip BUILD=$BUILD CC=$CC"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
root=$scratch/root

fail() {
    echo "$*"
    exit 1
}

$make install DESTDIR="$root" PREFIX=/usr >"$scratch/log" 2>&1 || fail "make install: $(cat "$scratch/log")"
for file in bin/odori lib/libodori.a lib/libodori.so lib/pkgconfig/odori.pc include/odori/odori.h \
    share/man/man1/odori.1 share/man/man5/odori-mapping.5 share/man/man7/odori-batch.7 share/bash-completion/completions/odori; do
    [ -s "$root/usr/$file" ] || fail "$file is missing or empty"
done
grep -q "$scratch" "$root/usr/lib/pkgconfig/odori.pc" && fail "odori.pc names the scratch folder"
bash -n "$root/usr/share/bash-completion/completions/odori" || fail "the completion is no bash"

# The program, away from the tree.
cp samples/dance.bvh samples/model.pmx "$scratch" || exit 1
(cd "$scratch" && root/usr/bin/odori convert dance.bvh -t model.pmx -o dance.vmd >log 2>&1) ||
    fail "the installed program: $(cat "$scratch/log")"
[ "$(head -c 25 "$scratch/dance.vmd")" = 'Vocaloid Motion Data 0002' ] || fail "dance.vmd is no VMD"

# The library. Debian has no static cJSON, so only odori itself is linked statically there.
cat >"$scratch/main.c" <<'C'
#include <odori/odori.h>
#include <stdio.h>
int main(void)
{
    od_error error = {0};
    od_target target;
    od_arena *arena = od_arena_new(0);
    if (!od_target_standard(&target, arena, &error)) return 1;
    printf("%s %s\n", od_version(), target.skeleton.bones[od_skeleton_find(&target.skeleton, "センター")].name);
    od_arena_free(arena);
    return 0;
}
C
config() {
    PKG_CONFIG_PATH="$root/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" pkg-config "$@" odori
}
version=$(config --modversion) || fail "pkg-config does not find odori"
for kind in shared static; do
    flags=$(config --cflags --libs)
    [ $kind = shared ] || flags=$(config --static --cflags --libs | sed 's/-lodori/-l:libodori.a/')
    # shellcheck disable=SC2086
    $CC -std=c11 -Wall -Wextra -Werror "$scratch/main.c" -o "$scratch/$kind" $flags 2>"$scratch/log" ||
        fail "$kind: $flags: $(cat "$scratch/log")"
    found=$(LD_LIBRARY_PATH="$root/usr/lib" "$scratch/$kind") || fail "$kind: exit code $?"
    [ "$found" = "$version センター" ] || fail "$kind: printed '$found'"
done
if objdump -p "$scratch/static" | grep -q 'NEEDED.*libodori'; then fail "the static program needs libodori.so"; fi
objdump -p "$scratch/shared" | grep -q "NEEDED.*libodori.so.${version%%.*}\$" || fail "the soname is wrong"

$make uninstall DESTDIR="$root" PREFIX=/usr >"$scratch/log" 2>&1 || fail "make uninstall: $(cat "$scratch/log")"
left=$(find "$root" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
