/* Mapping: which source joint drives which target bone; JSON files and built-in presets. */
#ifndef ODORI_MAPPING_H
#define ODORI_MAPPING_H

#include "odori/report.h"
#include "odori/role.h"
#include "odori/skeleton.h"

typedef enum od_use { OD_USE_ROTATION = 1, OD_USE_TRANSLATION = 2, OD_USE_BOTH = 3 } od_use;

typedef struct od_map_entry {
    const char *source; /* joint name */
    int nth;            /* of the joints of exactly this name, in the skeleton's order, from 1; 0: as names are found */
    const char *target; /* bone name as written: Japanese or English */
    od_role role;       /* of the target, OD_ROLE_NONE for other bones (matched by name) */
    od_use use;         /* without "use": translation for センター, 全ての親 and グルーブ, else rotation */
    vec3s offset;       /* Euler XYZ, degrees, in the target's rest frame */
} od_map_entry;

typedef struct od_map_morph {
    const char *source, *target;
} od_map_morph;

typedef enum od_bind_kind { OD_BIND_AUTO, OD_BIND_REST, OD_BIND_FRAME } od_bind_kind;

/* Which pose of the source is its rest. */
typedef struct od_bind {
    od_bind_kind kind;
    int frame; /* for OD_BIND_FRAME: frame of the source clip */
} od_bind;

typedef struct od_mapping {
    const char *name, *title;
    bool verified;      /* false: the preset was not seen on real files; its title says so */
    const char **strip; /* patterns of prefixes that names may carry; '*' stands for digits or nothing */
    int strip_count;
    const char **require; /* joints without which the preset does not fit */
    int require_count;
    od_bind bind;
    od_map_entry *entries;
    int entry_count;
    od_map_morph *morphs;
    int morph_count;
} od_mapping;

/* A mapping from JSON text; `name` is the file's name for messages. Strict: unknown members, wrong
 * types, unknown targets, duplicates are failures with line and column or with the member's path. */
OD_API bool od_mapping_parse(const char *name, const char *text, size_t size, od_mapping *mapping, od_report *report,
                             od_arena *arena, od_error *error);

/* What an entry without "use" is for: travel for センター, 全ての親 and グルーブ, else rotation. */
OD_API od_use od_use_default(od_role role);

/* Names and titles of the built-in presets. */
OD_API int od_preset_count(void);
OD_API const char *od_preset_name(int index);
OD_API bool od_preset_load(int index, od_mapping *mapping, od_arena *arena, od_error *error);

/* How well a mapping fits a skeleton. */
typedef struct od_fit {
    int found, total; /* distinct source joints of the mapping */
    bool required;    /* all of `require` are there, and the essential roles are driven */
} od_fit;
OD_API od_fit od_mapping_fit(const od_mapping *mapping, const od_skeleton *skeleton);

/* The mapping for a skeleton: the preset that fits best by names, else one made from the
 * skeleton's structure (two mirrored long chains downwards, arms, head). Notes the choice. */
OD_API bool od_mapping_detect(const od_skeleton *skeleton, od_mapping *mapping, od_report *report, od_arena *arena,
                              od_error *error);

/* The mapping of a scene that says itself what its joints are (od_scene.roles). */
OD_API bool od_mapping_from_roles(const od_skeleton *skeleton, const int *roles, od_mapping *mapping, od_report *report,
                                  od_arena *arena, od_error *error);

#endif
