/* The built-in presets as the build makes them from mappings/. */
#ifndef ODORI_MAPPING_PRESETS_DATA_H
#define ODORI_MAPPING_PRESETS_DATA_H

typedef struct od_preset {
    const char *name, *text;
} od_preset;

extern const od_preset od_presets[];
extern const int od_presets_count;

#endif
