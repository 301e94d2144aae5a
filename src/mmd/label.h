/* Labels: names as a VMD holds them, in CP932, cut to 15 bytes. */
#ifndef ODORI_MMD_LABEL_H
#define ODORI_MMD_LABEL_H

#include <stdbool.h>

enum { OD_LABEL = 15 };

/* The bytes of a name, NUL padded; false when CP932 lacks one of its characters. */
bool od_label_make(const char *name, unsigned char label[OD_LABEL]);

/* Are two names one in a VMD? Names that CP932 lacks are one only when they are equal. */
bool od_label_same(const char *a, const char *b);

#endif
