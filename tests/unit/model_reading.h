/* What the tests of the model readers share: reading bytes, looking at what came of them, and what no
 * reader may do with broken ones. */
#ifndef ODORI_TESTS_MODEL_READING_H
#define ODORI_TESTS_MODEL_READING_H

#include "check.h"
#include "model.h"
#include "odori/format.h"

typedef bool model_reader(const od_file *file, od_target *target, od_report *report, od_arena *arena, od_error *error);

typedef struct model_reading {
    od_arena *arena;
    od_target target;
    od_report report;
    od_error error;
    bool ok;
} model_reading;

/* Free the arena. */
model_reading model_read(model_reader *read, const char *name, const unsigned char *data, size_t size);

/* The bone of a name, which must be there. */
const od_target_bone *model_bone(const model_reading *r, const char *name);

/* A model with some bytes changed at random is read or refused, and all that is read is a number. */
void model_check_flips(model_reader *read, const bytes *model, uint32_t seed);

/* Memory may run out at any point. */
void model_check_memory(model_reader *read, const bytes *model);

/* Counts of a real model from the folder of real files, and that its legs are known. */
void model_check_real(model_reader *read, const char *name, int bones, int ik, int morphs);

#endif
