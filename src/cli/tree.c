/* Input: bones with parents first. Output: bones depth first, siblings in the order of the input. */
#include "cli/tree.h"

#include <stdio.h>

#include "cli/print.h"

bool od_tree_make(const od_skeleton *skeleton, od_tree *tree, od_arena *arena, od_error *error)
{
    size_t count = (size_t)skeleton->count;
    int *size = OD_NEW(arena, int, count, error); /* bones in the branch of each bone */
    int *next = OD_NEW(arena, int, count, error); /* place for the next child of each bone */
    tree->order = OD_NEW(arena, int, count, error);
    tree->depth = OD_NEW(arena, int, count, error);
    if (!size || !next || !tree->order || !tree->depth) return false;
    for (int b = skeleton->count - 1; b >= 0; b--) {
        int parent = skeleton->bones[b].parent;
        size[b]++;
        if (parent >= 0) size[parent] += size[b];
    }
    for (int b = 0, root = 0; b < skeleton->count; b++) {
        int parent = skeleton->bones[b].parent, *place = parent < 0 ? &root : &next[parent];
        tree->order[*place] = b;
        tree->depth[b] = parent < 0 ? 0 : tree->depth[parent] + 1;
        next[b] = *place + 1;
        *place += size[b];
    }
    return true;
}

void od_tree_print(const od_skeleton *skeleton, const od_tree *tree, int bone)
{
    enum { DEEP = 40 }; /* levels beyond which a screen has no room for more */
    int depth = tree->depth[bone] < DEEP ? tree->depth[bone] : DEEP;
    printf("  %*s", 2 * depth, "");
    od_print_text(stdout, skeleton->bones[bone].name);
}
