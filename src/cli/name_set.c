/* Input: names. Output: whether they are there. Open addressing; at most half of the slots are used. */
#include "cli/name_set.h"

#include <assert.h>
#include <string.h>

struct od_name_set {
    od_name_entry *slots;
    size_t mask, left;
};

/* FNV-1a, and at the end the mixing of MurmurHash3, so that low bits may be taken alone. */
uint64_t od_hash(uint64_t seed, const void *data, size_t size)
{
    uint64_t h = seed ^ 0xCBF29CE484222325;
    for (const unsigned char *p = data, *end = p + size; p < end; p++) h = (h ^ *p) * 0x100000001B3;
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCD;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53;
    return h ^ (h >> 33);
}

od_name_set *od_name_set_make(size_t count, od_arena *arena, od_error *error)
{
    size_t slots = 16;
    while (slots / 2 < count) slots *= 2;
    od_name_set *set = OD_NEW(arena, od_name_set, 1, error);
    if (!set) return NULL;
    set->slots = OD_NEW(arena, od_name_entry, slots, error);
    set->mask = slots - 1;
    set->left = count;
    return set->slots ? set : NULL;
}

static od_name_entry *slot_of(const od_name_set *set, const char *name)
{
    size_t i = (size_t)od_hash(0, name, strlen(name)) & set->mask;
    while (set->slots[i].name && strcmp(set->slots[i].name, name) != 0) i = (i + 1) & set->mask;
    return &set->slots[i];
}

od_name_entry *od_name_set_find(const od_name_set *set, const char *name)
{
    od_name_entry *slot = slot_of(set, name);
    return slot->name ? slot : NULL;
}

void od_name_set_add(od_name_set *set, const char *name, const char *owner)
{
    assert(set->left);
    set->left--;
    *slot_of(set, name) = (od_name_entry){.name = name, .owner = owner, .number = 1};
}
