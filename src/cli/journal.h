/* Journal: which outputs are done, kept beside them, for --resume. */
#ifndef ODORI_CLI_JOURNAL_H
#define ODORI_CLI_JOURNAL_H

#include <stdint.h>

#include "cli/options.h"

typedef struct od_journal od_journal;

/* Opens the journal of a folder for adding; with --resume (or --retry-failed) it knows what runs before did. */
od_journal *od_journal_open(const od_cli *cli, od_arena *arena, od_error *error);
void od_journal_close(od_journal *journal);

/* What a source becomes with these options: a number that changes when the source, the target, the mapping, an
 * option or the program does. `output` is the name that is planned. */
uint64_t od_journal_key(const od_cli *cli, const char *source, const char *output);

/* Are all outputs of `key` as they were made? `*count` of them. */
bool od_journal_whole(const od_journal *journal, uint64_t key, int *count);

/* Is the part (clip) of `key` as it was made? Its path when it is; NULL: it is not. */
const char *od_journal_part(const od_journal *journal, uint64_t key, int part);

/* Was the file made by a run before, and not touched since? Then it may be replaced. */
bool od_journal_made(const od_journal *journal, const char *path);

/* Notes an output that is whole but has no name yet: who is killed after this leaves either no file of this age or
 * a whole one. Safe from several threads. */
bool od_journal_add(od_journal *journal, uint64_t key, int part, int parts, const char *path, int file,
                    od_error *error);

#endif
