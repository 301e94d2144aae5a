/* Input: words of a command line, the table of options. Output: od_cli, help, completion. */
#include "cli/options.h"

#include <getopt.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/option_table.h"

enum { LONG = 256 }; /* getopt_long gives LONG + row for a long option */

/* A long option that the command does not have, that is short for several, or that got an argument
 * which it does not take. */
static bool refuse_long(const od_command *command, const char *word, od_error *error)
{
    const char *names[OD_OPTIONS + 1] = {NULL};
    int n = 0, begun = 0;
    char name[64] = "";
    size_t size = strcspn(word + 2, "=");
    if (size < sizeof name) memcpy(name, word + 2, size);
    for (int i = 0; i < OD_OPTIONS; i++) {
        const od_option *row = &od_options[i];
        bool same = !strcmp(row->name, name);
        if (same && !(row->commands & command->bit))
            return od_fail(error, "%s has no option --%s", command->name, name);
        if (same) return od_fail(error, "option --%s takes no argument", name);
        if (!(row->commands & command->bit)) continue;
        begun += !strncmp(row->name, name, size);
        names[n++] = row->name;
    }
    if (begun > 1) return od_fail(error, "option --%s may be several; write it in full", name);
    const char *near = od_nearest(name, names);
    return near ? od_fail(error, "unknown option --%s; did you mean --%s?", name, near)
                : od_fail(error, "unknown option --%s; `odori help %s` lists them", name, command->name);
}

/* What getopt_long did not like: `c` is its answer. */
static bool refuse(const od_command *command, int c, const char *word, od_error *error)
{
    bool is_long = !strncmp(word, "--", 2) && (optopt == 0 || optopt >= LONG);
    if (c == ':' && optopt >= LONG)
        return od_fail(error, "option --%s needs an argument", od_options[optopt - LONG].name);
    if (c == ':') return od_fail(error, "option -%c needs an argument", optopt);
    if (is_long) return refuse_long(command, word, error);
    return od_fail(error, "unknown option -%c; `odori help %s` lists them", optopt, command->name);
}

static bool choose(const od_option *row, const char *value, int *at, od_error *error)
{
    int index = 0;
    size_t size = strlen(value);
    for (const char *word = row->argument; *word; index++) {
        size_t n = strcspn(word, "|");
        if (n == size && !memcmp(word, value, n)) {
            *at = index;
            return true;
        }
        word += n + (word[n] == '|');
    }
    return od_fail(error, "--%s: expected one of %s, found \"%s\"", row->name, row->argument, value);
}

static bool measure(const od_option *row, const char *value, double *at, od_error *error)
{
    bool positive = row->kind == OD_OPTION_POSITIVE;
    if (!od_option_number(row->name, value, at, error)) return false;
    if (positive ? *at > 0 : *at >= 0) return true;
    return od_fail(error, "--%s: expected a number %s, found \"%s\"", row->name, positive ? "above 0" : "of 0 or more",
                   value);
}

static bool apply(const od_option *row, od_cli *cli, const char *value, od_error *error)
{
    void *at = (char *)cli + row->at;
    switch (row->kind) {
    case OD_OPTION_FLAG: *(bool *)at = true; return true;
    case OD_OPTION_COUNT: ++*(int *)at; return true;
    case OD_OPTION_PATH:
        if (!*value) return od_fail(error, "--%s: expected a name, found an empty text", row->name);
        *(const char **)at = value;
        return true;
    case OD_OPTION_TEXT: *(const char **)at = value; return true;
    case OD_OPTION_SECONDS:
    case OD_OPTION_POSITIVE: return measure(row, value, at, error);
    case OD_OPTION_CHOICE: return choose(row, value, at, error);
    case OD_OPTION_SPECIAL: break;
    }
    return row->parse(cli, value, error);
}

static const od_option *find_row(int c)
{
    for (int i = 0; i < OD_OPTIONS; i++)
        if (c == LONG + i || (od_options[i].letter && c == od_options[i].letter)) return &od_options[i];
    return NULL;
}

bool od_options_parse(const od_command *command, int argc, char **argv, od_cli *cli, od_arena *arena, od_error *error)
{
    struct option longs[OD_OPTIONS + 1] = {0};
    char shorts[2 * OD_OPTIONS + 2] = ":";
    size_t n = 0, s = 1;
    for (int i = 0; i < OD_OPTIONS; i++) {
        const od_option *row = &od_options[i];
        if (!(row->commands & command->bit)) continue;
        int takes = !row->argument ? no_argument : *row->argument == '[' ? optional_argument : required_argument;
        longs[n++] = (struct option){row->name, takes, NULL, LONG + i};
        if (row->letter) shorts[s++] = row->letter;
        if (row->letter && row->argument) shorts[s++] = ':';
    }
    for (int m = 0; m < OD_MEASURE_COUNT; m++) cli->limit[m] = (double)od_measures()[m].limit;
    cli->given = OD_NEW(arena, const char *, OD_OPTIONS, error);
    cli->targets = OD_NEW(arena, const char *, (size_t)argc, error);
    cli->includes = OD_NEW(arena, const char *, (size_t)argc, error);
    if (!cli->given || !cli->targets || !cli->includes) return false;
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        const od_option *row = find_row(c);
        if (!row) return refuse(command, c, argv[optind - 1], error);
        if (!apply(row, cli, optarg, error)) return false;
        cli->given[row - od_options] = optarg ? optarg : "";
    }
    cli->input_count = argc - optind;
    cli->inputs = OD_NEW(arena, const char *, (size_t)cli->input_count, error);
    if (!cli->inputs) return false;
    for (int i = 0; i < cli->input_count; i++) cli->inputs[i] = argv[optind + i];
    return true;
}

enum { INDENT = 28, WIDTH = 80 };

/* `text` behind INDENT columns, in lines of WIDTH; `at` columns are used already. */
static void print_wrapped(FILE *out, int at, const char *text)
{
    if (at > INDENT - 2) at = fprintf(out, "\n") - 1; /* no room beside what is there */
    at += fprintf(out, "%*s", INDENT - at, "");
    for (const char *word = text; *word;) {
        int n = (int)strcspn(word, " ");
        if (at + 1 + n >= WIDTH) at = fprintf(out, "\n%*s", INDENT, "") - 1;
        else if (word != text) at += fprintf(out, " ");
        at += fprintf(out, "%.*s", n, word);
        word += n + (word[n] == ' ');
    }
    fputc('\n', out);
}

void od_options_help(FILE *out, const od_command *command)
{
    const char *section = NULL, *shown = NULL;
    fprintf(out, "usage: odori %s%s%s\n\n%s\n", command->name, *command->arguments ? " " : "", command->arguments,
            command->help);
    for (int i = 0; i < OD_OPTIONS; i++) {
        const od_option *row = &od_options[i];
        if (row->section) section = row->section;
        if (!(row->commands & command->bit)) continue;
        if (section != shown) fprintf(out, "\n%s:\n", section);
        shown = section;
        char letter[5] = {row->letter ? '-' : ' ', row->letter ? row->letter : ' ', row->letter ? ',' : ' ', ' ', 0};
        int n = fprintf(out, "  %s--%s%s%s", letter, row->name, row->argument && *row->argument != '[' ? " " : "",
                        row->argument ? row->argument : "");
        print_wrapped(out, n, row->help);
    }
}

/* `a|b` as `a b`, without words in capitals, which stand for something. */
static void print_words(FILE *out, const char *words)
{
    for (const char *word = words; *word;) {
        size_t n = strcspn(word, "|");
        if (*word < 'A' || *word > 'Z') fprintf(out, "%.*s ", (int)n, word);
        word += n + (word[n] == '|');
    }
}

void od_options_bash(FILE *out)
{
    fprintf(out, "# bash completion for odori, made from its option table\n_odori() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
                 "    case $before in\n");
    for (int i = 0; i < OD_OPTIONS; i++) {
        const od_option *row = &od_options[i];
        if (!row->argument || !strchr(row->argument, '|') || row->kind == OD_OPTION_TEXT || row->kind == OD_OPTION_PATH)
            continue;
        fprintf(out, "    --%s) words='", row->name);
        print_words(out, row->argument);
        fprintf(out, "' ;;\n");
    }
    fprintf(out, "    --map | -m) words='");
    for (int i = 0; i < od_preset_count(); i++) fprintf(out, "%s ", od_preset_name(i));
    fprintf(out, "' ;;\n    --from) words='");
    int formats;
    const od_format *format = od_formats(&formats);
    for (int i = 0; i < formats; i++) fprintf(out, "%s ", format[i].name);
    fprintf(out, "' ;;\n    completion) words='bash' ;;\n    odori | */odori | help) words='");
    for (const od_command *c = od_commands; c->name; c++) fprintf(out, "%s ", c->name);
    fprintf(out, "' ;;\n    esac\n    if [[ $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n");
    for (const od_command *c = od_commands; c->name; c++) {
        fprintf(out, "        %s) words='", c->name);
        for (int i = 0; i < OD_OPTIONS; i++)
            if (od_options[i].commands & c->bit) fprintf(out, "--%s ", od_options[i].name);
        fprintf(out, "' ;;\n");
    }
    fprintf(out, "        esac\n    fi\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
                 "complete -o default -F _odori odori\n");
}
