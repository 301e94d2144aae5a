/* A writer's bytes in memory. */
#ifndef ODORI_TESTS_SINK_H
#define ODORI_TESTS_SINK_H

#include "check.h"
#include "odori/format.h"

typedef struct memory {
    unsigned char *data; /* free it */
    size_t size, room;
    size_t fail_behind; /* bytes behind which it fails; 0: never */
} memory;

od_sink sink_into(memory *m);

#endif
