/* The table of options: an option is one row. */
#ifndef ODORI_CLI_OPTION_TABLE_H
#define ODORI_CLI_OPTION_TABLE_H

#include "cli/options.h"

/* What an option does with its argument. */
typedef enum od_option_kind {
    OD_OPTION_FLAG,     /* no argument: sets a bool */
    OD_OPTION_COUNT,    /* no argument: counts how often it is given */
    OD_OPTION_TEXT,     /* keeps it */
    OD_OPTION_PATH,     /* keeps it unless it is empty */
    OD_OPTION_SECONDS,  /* a number of 0 or more */
    OD_OPTION_POSITIVE, /* a number above 0 */
    OD_OPTION_CHOICE,   /* one of the words of `argument`, in the order of an enumeration */
    OD_OPTION_SPECIAL   /* `parse` reads it */
} od_option_kind;

typedef struct od_option {
    const char *section; /* heading in the help; NULL: as the row before */
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: none; "[=NAME]": may be left out */
    unsigned commands;
    od_option_kind kind;
    size_t at; /* offset in od_cli */
    bool (*parse)(od_cli *cli, const char *value, od_error *error);
    const char *help;
} od_option;

extern const od_option od_options[];
enum { OD_OPTIONS = 73 }; /* rows; the compiler checks it */

/* A finite number and nothing behind it. */
bool od_option_number(const char *name, const char *value, double *number, od_error *error);

#endif
