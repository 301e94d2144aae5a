/* Any bytes as a mapping: a message, or a mapping that holds what it promises and that binding, lint
 * and completion take. The source has the joints that the mapping names, hung on each other by what
 * their names are, so that the input shapes the skeleton as well. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mapping/structure.h"
#include "odori/binding.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition)
{
    if (!condition) abort();
}

static void check_mapping(const od_mapping *mapping)
{
    check(mapping->name && mapping->title && mapping->entry_count >= 0 && mapping->bind.frame >= 0);
    for (int i = 0; i < mapping->strip_count; i++) check(mapping->strip[i] != NULL);
    for (int i = 0; i < mapping->require_count; i++) check(mapping->require[i] != NULL);
    for (int i = 0; i < mapping->morph_count; i++) check(mapping->morphs[i].source && mapping->morphs[i].target);
    for (int i = 0; i < mapping->entry_count; i++) {
        const od_map_entry *entry = &mapping->entries[i];
        check(*entry->source && *entry->target && entry->role >= OD_ROLE_NONE && entry->role < OD_ROLE_COUNT);
        check(entry->use >= OD_USE_ROTATION && entry->use <= OD_USE_BOTH && od_vec3_finite(entry->offset));
        for (int k = 0; k < i; k++)
            check(entry->role == OD_ROLE_NONE || entry->role != mapping->entries[k].role ||
                  !(entry->use & mapping->entries[k].use));
    }
}

static bool make_source(const od_mapping *mapping, od_skeleton *source, od_arena *arena, od_error *error)
{
    int count = mapping->entry_count < 200 ? mapping->entry_count : 200;
    *source = (od_skeleton){.bones = OD_NEW(arena, od_bone, (size_t)count + 1, error), .count = count + 1};
    if (!source->bones) return false;
    for (int i = 0; i <= count; i++) {
        const char *name = i < count ? mapping->entries[i].source : "Hips";
        unsigned first = (unsigned char)name[0], last = (unsigned char)name[strlen(name) - 1];
        vec3s at = {{(float)(last % 5) - 2, (float)(first % 7) - 3, (float)(i % 3)}};
        source->bones[i] = (od_bone){.name = name,
                                     .parent = i ? (int)((first + last) % (unsigned)i) : -1,
                                     .rest = {.q = od_quat_identity(), .t = at}};
    }
    od_skeleton_finish(source);
    return true;
}

static void check_binding(const od_binding *binding, const od_skeleton *source, const od_target *target)
{
    check(binding->translation_source >= -1 && binding->translation_source < source->count);
    for (int r = 0; r < OD_ROLE_COUNT; r++)
        check(binding->source_of_role[r] >= -1 && binding->source_of_role[r] < source->count);
    for (int i = 0; i < binding->count; i++) {
        const od_bound *row = &binding->rows[i];
        float norm = od_quat_dot(row->offset, row->offset);
        check(row->source >= 0 && row->source < source->count && norm > 0.999f && norm < 1.001f);
        check(row->bone >= -1 && row->bone < target->skeleton.count);
    }
}

static void use_mapping(const od_mapping *mapping, od_report *report, od_arena *arena, od_error *error)
{
    od_skeleton source;
    od_target target;
    od_binding binding;
    od_finding *findings;
    od_mapping complete, shaped;
    const char **unmapped;
    int count, unmapped_count;
    if (!make_source(mapping, &source, arena, error) || !od_target_standard(&target, arena, error)) return;
    od_scene scene = {.skeleton = source};
    if (od_mapping_lint(mapping, &scene, &target, &findings, &count, arena, error))
        for (int i = 0; i < count; i++) check(findings[i].path && *findings[i].text);
    if (od_mapping_complete(mapping, &source, &complete, &unmapped, &unmapped_count, arena, error)) {
        check_mapping(&complete);
        for (int i = 0; i < complete.entry_count; i++)
            check(od_skeleton_find(&source, complete.entries[i].source) >= 0);
        for (int i = 0; i < unmapped_count; i++) check(od_skeleton_find(&source, unmapped[i]) >= 0);
    }
    od_error why = {0};
    if (od_mapping_from_structure(&source, &shaped, report, arena, &why)) check_mapping(&shaped);
    if (od_binding_make(mapping, &source, &target, &binding, report, arena, &why))
        check_binding(&binding, &source, &target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_mapping mapping;
    od_report report = {.arena = arena};
    od_error error = {0};
    if (od_mapping_parse("fuzz.json", (const char *)data, size, &mapping, &report, arena, &error)) {
        check_mapping(&mapping);
        use_mapping(&mapping, &report, arena, &error);
    } else {
        check(error.failed && error.message[0]);
    }
    od_arena_free(arena);
    return 0;
}
