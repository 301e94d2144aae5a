/* Report: the JSON of --report. The same input gives the same bytes. */
#ifndef ODORI_CLI_REPORT_H
#define ODORI_CLI_REPORT_H

#include "cli/options.h"
#include "cli/writer.h"
#include "odori/retarget.h"

/* The status of a source that was not begun. */
enum { OD_REPORT_LEFT = -1 };

/* The whole: { odori, version, options, targets, files: [ ... ], left }. */
void od_report_begin(od_writer *w, const od_cli *cli);
/* Of each target; `path` may be NULL: the built-in model. */
void od_report_target(od_writer *w, const char *path, const od_target *target, const od_report *notes);
void od_report_files(od_writer *w);
/* `left`: sources that were not begun. */
void od_report_end(od_writer *w, size_t left);

/* A file's name; what is no UTF-8 gets a second member, "NAME_bytes", in hexadecimal digits. */
void od_report_path(od_writer *w, const char *name, const char *path);

/* Member "reduction". */
void od_report_reduction(od_writer *w, const od_reduction *reduction, od_reduce_kind kind);

/* Members of one file's object. */
void od_report_notes(od_writer *w, const od_report *report);
void od_report_clip(od_writer *w, const od_clip *clip);
void od_report_mapping(od_writer *w, const od_mapping *mapping, const od_binding *binding, const od_skeleton *source,
                       const od_target *target);
void od_report_result(od_writer *w, const od_retarget_result *result);
void od_report_keys(od_writer *w, const od_keys *keys);

#endif
