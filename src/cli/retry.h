/* Retry: what failed in a report. */
#ifndef ODORI_CLI_RETRY_H
#define ODORI_CLI_RETRY_H

#include "base/json.h"
#include "cli/walk.h"

/* The sources of --retry-failed with the names that their outputs had; those that failed are wanted. */
bool od_retry_read(const od_cli *cli, od_sources *sources, od_error *error);

/* A whole report. Free with od_json_free. */
od_json *od_retry_parse(const char *path, od_error *error);

/* A member of an object; NULL: it has none of that name. */
const od_json *od_retry_member(const od_json *object, const char *name);

#endif
