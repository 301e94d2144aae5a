/* Output: the presets that are compiled in. */
#include <string.h>

#include "mapping/presets_data.h"
#include "odori/mapping.h"

int od_preset_count(void)
{
    return od_presets_count;
}

const char *od_preset_name(int index)
{
    return od_presets[index].name;
}

bool od_preset_load(int index, od_mapping *mapping, od_arena *arena, od_error *error)
{
    const od_preset *preset = &od_presets[index];
    return od_mapping_parse(preset->name, preset->text, strlen(preset->text), mapping, NULL, arena, error);
}
