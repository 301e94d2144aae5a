/* Whole files for the tests that read some. */
#ifndef ODORI_TESTS_FILE_H
#define ODORI_TESTS_FILE_H

#include "check.h"
#include "odori/format.h"

/* The file's bytes, behind them a NUL; the test fails when it cannot be read. */
od_file file_read(const char *name, od_arena *arena);

/* Calls `visit` for each file of each folder below data/folder, with its path below that; returns their number. */
int file_each(const char *data, const char *folder, void (*visit)(const char *data, const char *path));

#endif
