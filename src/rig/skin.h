/* Skin: which bones move a vertex, and moving it to others. The mesh at rest stays where it is. */
#ifndef ODORI_RIG_SKIN_H
#define ODORI_RIG_SKIN_H

#include "odori/model.h"

/* Weight of the vertex's n-th bone. */
float od_vertex_weight(const od_vertex *vertex, int n);

/* Sum of the weights of the bones that are marked, marked[bone]. */
float od_vertex_share(const od_vertex *vertex, const bool *marked, int bones);

/* What moved with bone `from` moves with `to`: vertices and rigid bodies. */
void od_skin_move(od_model *model, int from, int to);

/* Shares what moves with bone `from` between bones in a row, stops[0] at `start` and before it, the last at
 * `end` and behind it, the others evenly between, by the place of each vertex. A vertex of SDEF, which
 * has two bones, goes to the nearest stop. */
void od_skin_spread(od_model *model, int from, vec3s start, vec3s end, const int *stops, int count);

#endif
