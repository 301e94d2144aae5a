/* Input: words of a command line. Output: od_cli. An option is one row. */
#include "cli/options.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "base/number.h"

enum { CONVERT = 1, INSPECT = 2, MAP = 4, ALL = 7 };

/* What an option does with its argument. */
typedef enum kind { FLAG, TEXT, NUMBER, CHOICE, SPECIAL } kind;

typedef struct option_row {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: none; for CHOICE the words, in the order of the enumeration */
    unsigned commands;
    kind kind;
    size_t at; /* offset in od_cli */
    bool (*special)(od_cli *cli, const char *value, od_error *error);
    const char *help;
} option_row;

static bool parse_number(const char *name, const char *value, double *number, od_error *error)
{
    const char *end = value + strlen(value);
    if (*value && od_number_parse(value, end, number) == end) return true;
    return od_fail(error, "--%s: expected a number, found \"%s\"", name, value);
}

static bool parse_bind(od_cli *cli, const char *value, od_error *error)
{
    double frame = 0;
    od_bind *bind = &cli->retarget.bind;
    if (!strcmp(value, "auto")) bind->kind = OD_BIND_AUTO;
    else if (!strcmp(value, "rest")) bind->kind = OD_BIND_REST;
    else if (!strncmp(value, "frame:", 6)) {
        if (!parse_number("bind", value + 6, &frame, error)) return false;
        if (!(frame >= 0 && frame <= 1e9) || frame != (double)(int)frame)
            return od_fail(error, "--bind: expected a frame number, found \"%s\"", value + 6);
        *bind = (od_bind){OD_BIND_FRAME, (int)frame};
    } else return od_fail(error, "--bind: expected auto, rest or frame:N, found \"%s\"", value);
    return true;
}

static bool parse_scale(od_cli *cli, const char *value, od_error *error)
{
    static const char *const words[] = {"auto", "leg", "hip"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, words[i]) != 0) continue;
        cli->retarget.scale_kind = (od_scale_kind)i;
        return true;
    }
    cli->retarget.scale_kind = OD_SCALE_FIXED;
    if (!parse_number("scale", value, &cli->retarget.scale, error)) return false;
    return cli->retarget.scale > 0 || od_fail(error, "--scale: expected a number above 0, found \"%s\"", value);
}

static bool parse_arm_angle(od_cli *cli, const char *value, od_error *error)
{
    double angle = 0;
    cli->retarget.arm_angle_set = strcmp(value, "auto") != 0;
    if (!cli->retarget.arm_angle_set) return true;
    if (!parse_number("arm-angle", value, &angle, error)) return false;
    cli->retarget.arm_angle = (float)angle;
    return (angle >= -90 && angle <= 90) ||
           od_fail(error, "--arm-angle: expected -90 to 90 degrees, found \"%s\"", value);
}

static bool parse_ground(od_cli *cli, const char *value, od_error *error)
{
    cli->retarget.ground_set = strcmp(value, "auto") != 0;
    return !cli->retarget.ground_set || parse_number("ground", value, &cli->retarget.ground, error);
}

static bool parse_drop_first(od_cli *cli, const char *value, od_error *error)
{
    cli->retarget.keep_first = !strcmp(value, "off");
    return cli->retarget.keep_first || !strcmp(value, "auto") ||
           od_fail(error, "--drop-first: expected auto or off, found \"%s\"", value);
}

static bool parse_from(od_cli *cli, const char *value, od_error *error)
{
    cli->from = value;
    return od_format_named(value) ||
           od_fail(error, "--from: there is no format \"%s\"; `odori formats` lists them", value);
}

#define AT(member) offsetof(od_cli, member)

static const option_row table[] = {
    {"target", 't', "MODEL", CONVERT | MAP, TEXT, AT(target), NULL,
     "PMX or PMD model that shall dance; without it the built-in standard model"},
    {"output", 'o', "FILE", CONVERT | MAP, TEXT, AT(output), NULL, "file to write; - is standard output"},
    {"output-dir", 0, "DIR", CONVERT, TEXT, AT(output_dir), NULL, "write a VMD for each source into this folder"},
    {"force", 'f', NULL, CONVERT | MAP, FLAG, AT(force), NULL, "overwrite existing files"},
    {"map", 'm', "NAME|FILE", CONVERT | INSPECT | MAP, TEXT, AT(map), NULL,
     "mapping: a preset's name or a JSON file; without it the joints' names and the tree decide"},
    {"from", 0, "FORMAT", ALL, SPECIAL, 0, parse_from, "format of the source, instead of what its content says"},
    {"root-joint", 0, "NAME", ALL, TEXT, AT(read.root_joint), NULL,
     "of several roots in a BVH the one to read; without it the first that moves"},
    {"clip", 0, "NAME|N", CONVERT | INSPECT, TEXT, AT(clip), NULL, "of several clips in a file the one to convert"},
    {"model-name", 0, "NAME", CONVERT, TEXT, AT(model_name), NULL,
     "model's name to write into the VMD instead of the target's"},
    {"bind", 0, "auto|rest|frame:N", CONVERT | INSPECT, SPECIAL, 0, parse_bind,
     "rest pose of the source: its zero pose or a frame of its motion"},
    {"align", 0, "auto|all|none", CONVERT, CHOICE, AT(retarget.align), NULL,
     "correct rest poses: limbs and fingers, the trunk too, or nothing"},
    {"arm-angle", 0, "auto|DEG", CONVERT, SPECIAL, 0, parse_arm_angle,
     "degrees by which the target's arms hang below the horizontal at rest"},
    {"scale", 0, "auto|leg|hip|N", CONVERT, SPECIAL, 0, parse_scale,
     "travel by the ratio of the legs, of hips to toes, or MMD units in a unit of the source"},
    {"ground", 0, "auto|N", CONVERT, SPECIAL, 0, parse_ground,
     "height of the source's toe joints when its feet stand, in its unit"},
    {"legs", 0, "both|fk|ik", CONVERT, CHOICE, AT(retarget.legs), NULL,
     "leg keys: FK and IK that agree, FK with IK switched off, or IK alone"},
    {"feet", 0, "hybrid|absolute|relative", CONVERT, CHOICE, AT(retarget.feet), NULL,
     "feet on the floor stand still; at the scaled place always; or as the hips carry them"},
    {"foot-lock", 0, "off|soft|hard", CONVERT, CHOICE, AT(retarget.foot_lock), NULL,
     "hold standing feet in one place: not, drifts under 3 cm, or all"},
    {"groove", 0, NULL, CONVERT, FLAG, AT(retarget.groove), NULL, "height of the travel into グルーブ"},
    {"mother", 0, NULL, CONVERT, FLAG, AT(retarget.mother), NULL, "travel over the floor into 全ての親"},
    {"in-place", 0, NULL, CONVERT, FLAG, AT(retarget.in_place), NULL, "no travel over the floor"},
    {"keep-heading", 0, NULL, CONVERT, FLAG, AT(retarget.keep_heading), NULL,
     "do not turn the source to face the front"},
    {"keep-origin", 0, NULL, CONVERT, FLAG, AT(retarget.keep_origin), NULL,
     "do not move the start to the middle of the stage"},
    {"start", 0, "S", CONVERT, NUMBER, AT(retarget.resample.start), NULL, "begin at this second of the source"},
    {"end", 0, "S", CONVERT, NUMBER, AT(retarget.resample.end), NULL, "end at this second of the source"},
    {"speed", 0, "N", CONVERT, NUMBER, AT(retarget.resample.speed), NULL, "times as fast as the source"},
    {"drop-first", 0, "auto|off", CONVERT, SPECIAL, 0, parse_drop_first,
     "drop still frames at the start that show the rest pose"},
    {"report", 0, "FILE", CONVERT, TEXT, AT(report), NULL, "write all choices, warnings and figures as JSON"},
    {"check", 0, NULL, MAP, FLAG, AT(check), NULL, "check a mapping file against a source and a target"},
    {"json", 0, NULL, INSPECT, FLAG, AT(json), NULL, "print JSON for programs"},
    {"quiet", 'q', NULL, ALL, FLAG, AT(quiet), NULL, "print errors only"},
    {"verbose", 'v', NULL, ALL, FLAG, AT(verbose), NULL, "print more"},
    {"help", 'h', NULL, ALL, FLAG, AT(help), NULL, "print this help"},
};

enum { ROWS = sizeof table / sizeof *table };

/* Levenshtein's distance of short words. */
static size_t distance(const char *a, const char *b)
{
    size_t row[64], n = strlen(b);
    if (n >= 64) return n;
    for (size_t k = 0; k <= n; k++) row[k] = k;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < n; k++) {
            size_t change = diagonal + (a[i] != b[k]);
            diagonal = row[k + 1];
            size_t other = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;
            row[k + 1] = change < other ? change : other;
        }
    }
    return row[n];
}

const char *od_nearest(const char *word, const char *const *words)
{
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 2; /* about one slip in three letters */
    for (; *words; words++) {
        size_t d = distance(word, *words);
        if (d >= least) continue;
        least = d;
        best = *words;
    }
    return best;
}

static bool unknown_option(const od_command *command, const char *word, od_error *error)
{
    const char *names[ROWS + 1] = {NULL};
    size_t n = 0;
    char name[64] = "";
    const char *bare = word + strspn(word, "-");
    memcpy(name, bare, strcspn(bare, "=") < sizeof name - 1 ? strcspn(bare, "=") : sizeof name - 1);
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i].commands & command->bit) names[n++] = table[i].name;
        else if (!strcmp(table[i].name, name)) return od_fail(error, "%s has no option --%s", command->name, name);
    }
    const char *near = od_nearest(name, names);
    return near ? od_fail(error, "unknown option %s; did you mean --%s?", word, near)
                : od_fail(error, "unknown option %s; `odori help %s` lists them", word, command->name);
}

static bool choose(const option_row *row, const char *value, void *at, od_error *error)
{
    int index = 0;
    size_t size = strlen(value);
    for (const char *word = row->argument; *word; index++) {
        size_t n = strcspn(word, "|");
        if (n == size && !memcmp(word, value, n)) {
            *(int *)at = index;
            return true;
        }
        word += n + (word[n] == '|');
    }
    return od_fail(error, "--%s: expected %s, found \"%s\"", row->name, row->argument, value);
}

static bool apply(const option_row *row, od_cli *cli, const char *value, od_error *error)
{
    void *at = (char *)cli + row->at;
    switch (row->kind) {
    case FLAG: *(bool *)at = true; return true;
    case TEXT: *(const char **)at = value; return true;
    case NUMBER: return parse_number(row->name, value, at, error);
    case CHOICE: return choose(row, value, at, error);
    case SPECIAL: break;
    }
    return row->special(cli, value, error);
}

bool od_options_parse(const od_command *command, int argc, char **argv, od_cli *cli, od_arena *arena, od_error *error)
{
    struct option longs[ROWS + 1] = {0};
    char shorts[3 * ROWS + 3] = ":";
    size_t n = 0, s = 1;
    for (size_t i = 0; i < ROWS; i++) {
        if (!(table[i].commands & command->bit)) continue;
        int has = table[i].argument ? required_argument : no_argument;
        longs[n++] = (struct option){table[i].name, has, NULL, (int)(256 + i)};
        if (!table[i].letter) continue;
        shorts[s++] = table[i].letter;
        if (table[i].argument) shorts[s++] = ':';
    }
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        const char *word = argv[optind - 1];
        if (c == ':') return od_fail(error, "option %s needs an argument", word);
        const option_row *row = NULL;
        for (size_t i = 0; i < ROWS && !row; i++)
            if (c == (int)(256 + i) || (table[i].letter && c == table[i].letter)) row = &table[i];
        if (!row) return unknown_option(command, word, error);
        if (!apply(row, cli, optarg, error)) return false;
    }
    cli->input_count = argc - optind;
    cli->inputs = OD_NEW(arena, const char *, (size_t)cli->input_count, error);
    if (!cli->inputs) return false;
    for (int i = 0; i < cli->input_count; i++) cli->inputs[i] = argv[optind + i];
    return true;
}

void od_options_help(FILE *out, const od_command *command)
{
    fprintf(out, "usage: odori %s %s\n\n%s\n", command->name, command->arguments, command->help);
    for (size_t i = 0, first = 1; i < ROWS; i++) {
        const option_row *row = &table[i];
        if (!(row->commands & command->bit)) continue;
        if (first) fprintf(out, "\noptions:\n");
        first = 0;
        char left[64];
        int n = snprintf(left, sizeof left, "%s%c%s--%s%s%s", row->letter ? "-" : "", row->letter ? row->letter : ' ',
                         row->letter ? ", " : "   ", row->name, row->argument ? " " : "",
                         row->argument ? row->argument : "");
        if (n < 34) fprintf(out, "  %-34s%s\n", left, row->help);
        else fprintf(out, "  %s\n  %34s%s\n", left, "", row->help);
    }
}

void od_program_help(FILE *out)
{
    fprintf(out, "odori makes a dance for one rig into a motion for any MikuMikuDance model.\n\n"
                 "usage: odori COMMAND [OPTION]... [FILE]...\n\ncommands:\n");
    for (const od_command *c = od_commands; c->name; c++) fprintf(out, "  %-12s%s\n", c->name, c->help);
    fprintf(out, "\nexample:\n  odori convert dance.bvh -t model.pmx -o dance.vmd\n\n"
                 "`odori help COMMAND` tells more; so does man odori.\n");
}

void od_options_bash(FILE *out)
{
    fprintf(out, "# bash completion for odori, made from its option table\n_odori() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                 "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='");
    for (const od_command *c = od_commands; c->name; c++) fprintf(out, "%s%s", c == od_commands ? "" : " ", c->name);
    fprintf(out, "'\n    else\n        case $before in\n");
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].argument && strchr(table[i].argument, '|') && table[i].kind != TEXT) {
            fprintf(out, "        --%s) words='", table[i].name);
            for (const char *p = table[i].argument; *p; p++) fputc(*p == '|' ? ' ' : *p, out);
            fprintf(out, "' ;;\n");
        }
    fprintf(out, "        --map|-m) words='");
    for (int i = 0; i < od_preset_count(); i++) fprintf(out, "%s%s", i ? " " : "", od_preset_name(i));
    fprintf(out, "' ;;\n        *) case ${COMP_WORDS[1]} in\n");
    for (const od_command *c = od_commands; c->name; c++) {
        fprintf(out, "            %s) words='", c->name);
        for (size_t i = 0; i < ROWS; i++)
            if (table[i].commands & c->bit) fprintf(out, "--%s ", table[i].name);
        fprintf(out, "' ;;\n");
    }
    fprintf(out, "            esac ;;\n        esac\n    fi\n"
                 "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
                 "complete -o default -F _odori odori\n");
}
