/* What must hold of every target that a reader hands on. */
#ifndef ODORI_FUZZ_CHECK_TARGET_H
#define ODORI_FUZZ_CHECK_TARGET_H

#include <stdint.h>
#include <stdlib.h>

#include "odori/format.h"

static void check(bool condition)
{
    if (!condition) abort();
}

static bool is_bone(const od_target *target, int bone)
{
    return bone >= 0 && bone < target->skeleton.count;
}

static void check_target(const od_target *target)
{
    check(target->skeleton.count > 0 && target->name && target->name_en);
    for (int i = 0; i < target->skeleton.count; i++) {
        const od_bone *bone = &target->skeleton.bones[i];
        const od_target_bone *b = &target->bones[i];
        check(bone->name && b->name_en && bone->parent < i && bone->parent >= -1);
        check(od_vec3_finite(bone->rest_world.t) && od_vec3_finite(b->tail) && od_vec3_finite(b->fixed_axis));
        check(b->append_source == -1 || is_bone(target, b->append_source));
        check(b->ik >= -1 && b->ik < target->ik_count && is_bone(target, target->deform[i]));
    }
    for (int i = 0; i < target->ik_count; i++) {
        check(is_bone(target, target->ik[i].bone) && is_bone(target, target->ik[i].effector));
        for (int k = 0; k < target->ik[i].link_count; k++) check(is_bone(target, target->ik[i].links[k].bone));
    }
    for (int r = 0; r < OD_ROLE_COUNT; r++) check(target->role[r] == -1 || is_bone(target, target->role[r]));
    for (int i = 0; i < target->morph_count; i++) check(target->morphs[i] != NULL);
    for (int i = 0; i < target->move_count; i++) {
        const od_morph_move *move = &target->moves[i];
        check(move->morph >= 0 && move->morph < target->morph_count && is_bone(target, move->bone));
        check(od_vec3_finite(move->position) && fabsf(od_quat_dot(move->rotation, move->rotation) - 1) < 1e-3F);
    }
    for (int i = 0; i < target->member_count; i++) {
        const od_morph_member *member = &target->members[i];
        check(member->group >= 0 && member->group < target->morph_count && isfinite(member->ratio));
        check(member->morph >= 0 && member->morph < target->morph_count);
    }
}

static int read_any(const uint8_t *data, size_t size, const char *format)
{
    od_arena *arena = od_arena_new((size_t)512 << 20);
    if (!arena) return 0;
    od_file file = {.name = "fuzz", .data = data, .size = size};
    od_target target;
    od_report report = {.arena = arena};
    od_error error = {0};
    if (od_read_target(&file, od_format_named(format), &target, &report, arena, &error)) check_target(&target);
    else check(error.failed && error.message[0]);
    od_arena_free(arena);
    return 0;
}

#endif
