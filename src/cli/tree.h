/* Tree: the bones of a skeleton as people read them, each below its parent. */
#ifndef ODORI_CLI_TREE_H
#define ODORI_CLI_TREE_H

#include "odori/skeleton.h"

typedef struct od_tree {
    int *order; /* order[count]: bones, depth first */
    int *depth; /* depth[bone]: 0 for roots */
} od_tree;

bool od_tree_make(const od_skeleton *skeleton, od_tree *tree, od_arena *arena, od_error *error);

/* The bone's name on standard output, indented by its depth. */
void od_tree_print(const od_skeleton *skeleton, const od_tree *tree, int bone);

#endif
