/* Binding: a mapping applied to one source skeleton and one target. */
#ifndef ODORI_BINDING_H
#define ODORI_BINDING_H

#include "odori/mapping.h"
#include "odori/scene.h"
#include "odori/target.h"

/* One row: a joint of the source and what it drives. */
typedef struct od_bound {
    int source;   /* index in the source's skeleton */
    od_role role; /* OD_ROLE_NONE: `bone` says which */
    int bone;     /* index in the target's skeleton; -1 when the target lacks it (a role that the
                       solver folds into its neighbours) */
    od_use use;
    versors offset; /* of the mapping, in the target's rest frame */
} od_bound;

typedef struct od_binding {
    od_bound *rows;
    int count;
    int source_of_role[OD_ROLE_COUNT]; /* joint whose rotation drives the role, -1: none */
    versors offset_of_role[OD_ROLE_COUNT];
    int translation_source; /* joint whose travel moves the body (the hips), -1: none */
    const od_map_morph *morphs;
    int morph_count;
} od_binding;

/* Resolves names: exactly first, then without namespace, path and prefixes, without case, blanks, '_',
 * '.', '-'. Says which joints the source lacks; warns about bones that the target lacks or moves itself
 * and about limbs that nothing drives. Fails when a leg's joint is missing. */
OD_API bool od_binding_make(const od_mapping *mapping, const od_skeleton *source, const od_target *target,
                            od_binding *binding, od_report *report, od_arena *arena, od_error *error);

/* Something that a person who wrote a mapping should look at. */
typedef struct od_finding {
    bool wrong;       /* false: may be meant so */
    const char *path; /* of the member: "$.bones[3]", "$.bind" */
    const char *text;
} od_finding;

/* Checks a mapping against a source and a target: joints and bones that are not there, sides swapped by
 * name or at rest, joints used twice or left out between others, names that a VMD cannot hold, limbs
 * that nothing drives, a rest frame that no clip has. */
OD_API bool od_mapping_lint(const od_mapping *mapping, const od_scene *scene, const od_target *target,
                            od_finding **findings, int *count, od_arena *arena, od_error *error);

/* The mapping with the source's own names, without joints that the source lacks, and the list of the
 * joints that it leaves out. */
OD_API bool od_mapping_complete(const od_mapping *mapping, const od_skeleton *source, od_mapping *complete,
                                const char ***unmapped, int *unmapped_count, od_arena *arena, od_error *error);

#endif
