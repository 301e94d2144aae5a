/* Report: the JSON of --report. The same input gives the same bytes. */
#ifndef ODORI_CLI_REPORT_H
#define ODORI_CLI_REPORT_H

#include "cli/writer.h"
#include "odori/retarget.h"

/* The whole: { odori, version, target, files: [ ... ] }. `path` may be NULL: the built-in model. */
void od_report_begin(od_writer *w, const char *path, const od_target *target, const od_report *notes);
void od_report_end(od_writer *w);

/* Members of one file's object. */
void od_report_notes(od_writer *w, const od_report *report);
void od_report_clip(od_writer *w, const od_clip *clip);
void od_report_mapping(od_writer *w, const od_mapping *mapping, const od_binding *binding, const od_skeleton *source,
                       const od_target *target);
void od_report_result(od_writer *w, const od_retarget_result *result);
void od_report_keys(od_writer *w, const od_keys *keys);

#endif
