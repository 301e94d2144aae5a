/* Input: arguments of options. Output: members of od_cli. */
#include "cli/option_table.h"

#include <stddef.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"

bool od_option_number(const char *name, const char *value, double *number, od_error *error)
{
    const char *end = value + strlen(value);
    if (od_number_parse(value, end, number) == end && isfinite(*number)) return true;
    return od_fail(error, "--%s: expected a number, found \"%s\"", name, value);
}

static bool parse_bind(od_cli *cli, const char *value, od_error *error)
{
    double frame = 0;
    cli->bind_set = true;
    if (!strcmp(value, "auto")) cli->retarget.bind = (od_bind){OD_BIND_AUTO, 0};
    else if (!strcmp(value, "rest")) cli->retarget.bind = (od_bind){OD_BIND_REST, 0};
    else if (!strncmp(value, "frame:", 6)) {
        if (!od_option_number("bind", value + 6, &frame, error)) return false;
        if (!(frame >= 0 && frame <= 1e9) || frame != floor(frame))
            return od_fail(error, "--bind: expected the number of a frame, found \"%s\"", value + 6);
        cli->retarget.bind = (od_bind){OD_BIND_FRAME, (int)frame};
    } else return od_fail(error, "--bind: expected auto, rest or frame:N, found \"%s\"", value);
    return true;
}

static bool parse_scale(od_cli *cli, const char *value, od_error *error)
{
    static const char *const words[] = {"auto", "leg", "hip"}; /* in the order of od_scale_kind */
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, words[i]) != 0) continue;
        cli->retarget.scale_kind = (od_scale_kind)i;
        return true;
    }
    cli->retarget.scale_kind = OD_SCALE_FIXED;
    if (!od_option_number("scale", value, &cli->retarget.scale, error)) return false;
    return cli->retarget.scale > 0 || od_fail(error, "--scale: expected a number above 0, found \"%s\"", value);
}

static bool parse_arm_angle(od_cli *cli, const char *value, od_error *error)
{
    double angle = 0;
    cli->retarget.arm_angle_set = strcmp(value, "auto") != 0;
    if (!cli->retarget.arm_angle_set) return true;
    if (!od_option_number("arm-angle", value, &angle, error)) return false;
    cli->retarget.arm_angle = (float)angle;
    return (angle >= -90 && angle <= 90) ||
           od_fail(error, "--arm-angle: expected -90 to 90 degrees, found \"%s\"", value);
}

static bool parse_ground(od_cli *cli, const char *value, od_error *error)
{
    cli->retarget.ground_set = strcmp(value, "auto") != 0;
    return !cli->retarget.ground_set || od_option_number("ground", value, &cli->retarget.ground, error);
}

static bool parse_drop_first(od_cli *cli, const char *value, od_error *error)
{
    cli->retarget.keep_first = !strcmp(value, "off");
    return cli->retarget.keep_first || !strcmp(value, "auto") ||
           od_fail(error, "--drop-first: expected auto or off, found \"%s\"", value);
}

static bool parse_every(od_cli *cli, const char *value, od_error *error)
{
    double number = 0;
    if (!od_option_number("every", value, &number, error)) return false;
    if (!(number >= 1 && number <= 1e9) || number != floor(number))
        return od_fail(error, "--every: expected a whole number above 0, found \"%s\"", value);
    cli->every = (int)number;
    return true;
}

/* DEG,UNITS */
static bool parse_tolerance(od_cli *cli, const char *value, od_error *error)
{
    od_reduce_options *reduce = &cli->reduce;
    const char *end = value + strlen(value), *comma = od_number_parse(value, end, &reduce->angle);
    reduce->tolerance_set = true;
    if (comma && *comma == ',' && od_number_parse(comma + 1, end, &reduce->way) == end && reduce->angle >= 0 &&
        reduce->angle <= 90 && reduce->way >= 0 && isfinite(reduce->way))
        return true;
    return od_fail(error, "--tolerance: expected degrees up to 90, a comma and units, as in 0.5,0.02, found \"%s\"",
                   value);
}

static bool parse_keys(const char *name, const char *value, size_t *keys, od_error *error)
{
    double number = 0;
    if (!od_option_number(name, value, &number, error)) return false;
    if (!(number >= 1 && number <= 1e9) || number != floor(number))
        return od_fail(error, "--%s: expected a whole number above 0, found \"%s\"", name, value);
    *keys = (size_t)number;
    return true;
}

/* "all" is what a folder of outputs gets without the option. */
static bool parse_clip(od_cli *cli, const char *value, od_error *error)
{
    (void)error;
    cli->all_clips = !strcmp(value, "all");
    cli->clip = cli->all_clips ? NULL : value;
    return true;
}

static bool parse_key_budget(od_cli *cli, const char *value, od_error *error)
{
    return parse_keys("key-budget", value, &cli->reduce.budget, error);
}

static bool parse_smooth(od_cli *cli, const char *value, od_error *error)
{
    cli->smooth = 1;
    if (!value) return true;
    if (!od_option_number("smooth", value, &cli->smooth, error)) return false;
    return (cli->smooth >= 0.1 && cli->smooth <= 30) ||
           od_fail(error, "--smooth: expected 0.1 to 30 frames, found \"%s\"", value);
}

static bool parse_split(od_cli *cli, const char *value, od_error *error)
{
    return parse_keys("split", value, &cli->split, error);
}

static bool parse_from(od_cli *cli, const char *value, od_error *error)
{
    cli->from = value;
    return od_format_named(value) ||
           od_fail(error, "--from: there is no format \"%s\"; `odori formats` lists them", value);
}

static bool add_part(od_cli *cli, const char *word, size_t size, od_error *error)
{
    const char *names[OD_RIG_PARTS + 2] = {"standard"};
    char text[32] = "";
    if (size < sizeof text) memcpy(text, word, size);
    for (int part = 0; part < OD_RIG_PARTS; part++) names[part + 1] = od_rig_part_name((od_rig_part)part);
    for (int i = 0; i <= OD_RIG_PARTS; i++) {
        if (strcmp(names[i], text) != 0) continue;
        for (int part = 0; part < OD_RIG_PARTS; part++) cli->rig.add[part] |= i == 0 || i == part + 1;
        return true;
    }
    const char *near = od_nearest(text, names);
    return near ? od_fail(error, "--add: there is nothing named \"%.*s\"; did you mean %s?", (int)size, word, near)
                : od_fail(error, "--add: there is nothing named \"%.*s\"", (int)size, word);
}

/* Words with commas between them. */
static bool parse_add(od_cli *cli, const char *value, od_error *error)
{
    for (const char *word = value;;) {
        size_t size = strcspn(word, ",");
        if (!add_part(cli, word, size, error)) return false;
        if (!word[size]) return true;
        word += size + 1;
    }
}

static bool parse_a_pose(od_cli *cli, const char *value, od_error *error)
{
    cli->rig.turn_arms = true;
    cli->rig.arm_angle = 35;
    if (!value) return true;
    if (!od_option_number("a-pose", value, &cli->rig.arm_angle, error)) return false;
    return (cli->rig.arm_angle >= -90 && cli->rig.arm_angle <= 90) ||
           od_fail(error, "--a-pose: expected -90 to 90 degrees, found \"%s\"", value);
}

static bool parse_t_pose(od_cli *cli, const char *value, od_error *error)
{
    (void)value;
    (void)error;
    cli->rig.turn_arms = true;
    cli->rig.arm_angle = 0;
    return true;
}

static bool parse_target(od_cli *cli, const char *value, od_error *error)
{
    if (!*value) return od_fail(error, "--target: expected a name, found an empty text");
    cli->target = cli->targets[cli->target_count++] = value;
    return true;
}

static bool parse_include(od_cli *cli, const char *value, od_error *error)
{
    if (!*value) return od_fail(error, "--include: expected a pattern, found an empty text");
    cli->includes[cli->include_count++] = value;
    return true;
}

static bool parse_jobs(od_cli *cli, const char *value, od_error *error)
{
    double jobs = 0;
    if (!od_option_number("jobs", value, &jobs, error)) return false;
    cli->jobs = jobs >= 1 && jobs <= 1024 && jobs == floor(jobs) ? (int)jobs : 0;
    return cli->jobs || od_fail(error, "--jobs: expected a number from 1 to 1024, found \"%s\"", value);
}

static bool parse_shard(od_cli *cli, const char *value, od_error *error)
{
    double shard = 0, shards = 0;
    const char *end = value + strlen(value), *slash = od_number_parse(value, end, &shard);
    bool good = slash && slash < end && *slash == '/' && od_number_parse(slash + 1, end, &shards) == end;
    good = good && shard >= 1 && shard <= shards && shards <= 1e6 && shard == floor(shard) && shards == floor(shards);
    if (!good) return od_fail(error, "--shard: expected I/N with I from 1 to N, found \"%s\"", value);
    cli->shard = (int)shard;
    cli->shards = (int)shards;
    return true;
}

static bool parse_progress(od_cli *cli, const char *value, od_error *error)
{
    cli->progress = value && !strcmp(value, "json") ? OD_PROGRESS_JSON : OD_PROGRESS_BAR;
    return !value || cli->progress == OD_PROGRESS_JSON ||
           od_fail(error, "--progress: expected json or nothing, found \"%s\"", value);
}

#define AT(member) offsetof(od_cli, member)
#define FLAG(member) OD_OPTION_FLAG, AT(member), NULL
#define COUNT(member) OD_OPTION_COUNT, AT(member), NULL
#define TEXT(member) OD_OPTION_TEXT, AT(member), NULL
#define PATH(member) OD_OPTION_PATH, AT(member), NULL
#define SECONDS(member) OD_OPTION_SECONDS, AT(member), NULL
#define POSITIVE(member) OD_OPTION_POSITIVE, AT(member), NULL
#define CHOICE(member) OD_OPTION_CHOICE, AT(member), NULL
#define LIMIT(measure) OD_OPTION_SECONDS, AT(limit[OD_MEASURE_##measure]), NULL
#define SPECIAL(parse) OD_OPTION_SPECIAL, 0, parse

const od_option od_options[] = {
    {"files", "target", 't', "MODEL", FOR_CONVERT | FOR_MAP | FOR_CHECK | FOR_REDUCE | OF_RUN, SPECIAL(parse_target),
     "PMX or PMD model that shall dance; without it the built-in standard model"},
    {NULL, "output", 'o', "FILE", FOR_CONVERT | FOR_MAP | FOR_RIG | FOR_REDUCE | FOR_REPORT | OF_RUN, PATH(output),
     "file to write; - is standard output"},
    {NULL, "output-dir", 0, "DIR", FOR_CONVERT | OF_RUN, PATH(output_dir),
     "write a VMD for each source into this folder"},
    {NULL, "force", 'f', NULL, FOR_CONVERT | FOR_MAP | FOR_RIG | FOR_REDUCE | FOR_REPORT | OF_RUN, FLAG(force),
     "overwrite existing files"},
    {NULL, "report", 0, "FILE", FOR_CONVERT | FOR_RIG | OF_RUN, PATH(report),
     "write all choices, warnings and figures as JSON"},
    {NULL, "from", 0, "FORMAT", FOR_FILES | FOR_DUMP, SPECIAL(parse_from),
     "format of the source, where its content does not say it"},
    {NULL, "source-model", 0, "MODEL", FOR_CONVERT | FOR_CHECK | FOR_MAP, PATH(source_model),
     "PMX or PMD model that a source of MMD keys was made for"},
    {NULL, "camera", 0, NULL, FOR_CONVERT, FLAG(camera), "scale the camera of a VMD, instead of its dance"},
    {NULL, "to", 0, "auto|vmd|bvh", FOR_CONVERT, CHOICE(to), "format of the output; auto: by its name, else VMD"},
    {NULL, "english", 0, NULL, FOR_CONVERT, FLAG(english), "English names for MMD's bones in a BVH"},
    {NULL, "root-joint", 0, "NAME", FOR_FILES | FOR_DUMP, TEXT(read.root_joint),
     "of several roots in the file the one to read; without it one that moves"},
    {NULL, "skeleton", 0, "FILE", FOR_FILES | FOR_DUMP, PATH(skeleton),
     "VRM model on whose joints a VRM animation is put first"},
    {NULL, "allow-external", 0, NULL, FOR_FILES | FOR_DUMP, FLAG(allow_external),
     "let a glTF read files outside its own folder"},
    {NULL, "clip", 0, "NAME|N|all", FOR_CONVERT | FOR_CHECK | FOR_INSPECT, SPECIAL(parse_clip),
     "of several clips the one to use, N from 0, or all that move"},
    {NULL, "model-name", 0, "NAME", FOR_CONVERT | FOR_REDUCE, TEXT(model_name),
     "name to write into the VMD instead of the model's"},

    {"mapping and rest pose", "map", 'm', "NAME|FILE", FOR_FILES | FOR_RIG, PATH(map),
     "a preset or a JSON file; without it names and shape of the source decide"},
    {NULL, "check", 0, NULL, FOR_MAP, FLAG(check), "check a mapping file against a source and a target"},
    {NULL, "bind", 0, "auto|rest|frame:N", FOR_CONVERT | FOR_CHECK | FOR_INSPECT, SPECIAL(parse_bind),
     "rest pose of the source: its zero pose or a frame of its motion"},
    {NULL, "up", 0, "auto|x|y|z|-x|-y|-z", FOR_CONVERT | FOR_CHECK | FOR_INSPECT, CHOICE(retarget.up),
     "axis of the file along which its people stand"},
    {NULL, "align", 0, "auto|all|none", FOR_CONVERT | FOR_CHECK, CHOICE(retarget.align),
     "correct rest poses: limbs and fingers, the trunk too, or nothing"},
    {NULL, "arm-angle", 0, "auto|DEG", FOR_CONVERT, SPECIAL(parse_arm_angle),
     "degrees by which the target's arms hang below the horizontal at rest"},

    {"travel", "scale", 0, "auto|leg|hip|N", FOR_CONVERT | FOR_CHECK, SPECIAL(parse_scale),
     "ratio of the legs, of hips to toes, or MMD units in a unit of the source"},
    {NULL, "ground", 0, "auto|N", FOR_CONVERT | FOR_CHECK, SPECIAL(parse_ground),
     "height of the source's toe joints when its feet stand, in its unit"},
    {NULL, "keep-heading", 0, NULL, FOR_CONVERT | FOR_CHECK, FLAG(retarget.keep_heading),
     "do not turn the source to the front"},
    {NULL, "keep-origin", 0, NULL, FOR_CONVERT | FOR_CHECK, FLAG(retarget.keep_origin),
     "do not move the start to the middle of the stage"},
    {NULL, "in-place", 0, NULL, FOR_CONVERT | FOR_CHECK, FLAG(retarget.in_place), "no travel over the floor"},
    {NULL, "groove", 0, NULL, FOR_CONVERT, FLAG(retarget.groove), "height of the travel into グルーブ"},
    {NULL, "mother", 0, NULL, FOR_CONVERT, FLAG(retarget.mother), "travel over the floor into 全ての親"},

    {"legs and feet", "legs", 0, "both|fk|ik", FOR_CONVERT, CHOICE(retarget.legs),
     "FK and IK keys that agree, FK with IK switched off, or IK alone"},
    {NULL, "feet", 0, "hybrid|absolute|relative", FOR_CONVERT, CHOICE(retarget.feet),
     "still on the floor, at the scaled place always, or as the hips carry them"},
    {NULL, "foot-lock", 0, "off|soft|hard", FOR_CONVERT, CHOICE(retarget.foot_lock),
     "hold standing feet in one place: not, drifts under 3 cm, or all"},

    {"time", "start", 0, "S", FOR_CONVERT | FOR_CHECK, SECONDS(retarget.resample.start),
     "begin at this second of the source"},
    {NULL, "end", 0, "S", FOR_CONVERT | FOR_CHECK, POSITIVE(retarget.resample.end), "end at this second of the source"},
    {NULL, "speed", 0, "N", FOR_CONVERT | FOR_CHECK, POSITIVE(retarget.resample.speed), "times as fast as the source"},
    {NULL, "drop-first", 0, "auto|off", FOR_CONVERT | FOR_CHECK, SPECIAL(parse_drop_first),
     "drop still frames at the start that show the rest pose"},
    {NULL, "every", 0, "N", FOR_DUMP, SPECIAL(parse_every), "of motions every N-th frame only"},

    {"bones of a model", "add", 0, "LIST", FOR_RIG, SPECIAL(parse_add),
     "parents, center, groove, waist, shoulders, twist, ik, dbones, toes, eyes, or standard for all; with commas"},
    {NULL, "ik-style", 0, "mmd|mltd", FOR_RIG, CHOICE(rig.style), "loops and limits of IK: MMD's, or MillionDance's"},
    {NULL, "rename", 0, NULL, FOR_RIG, FLAG(rig.rename), "give bones their MMD names"},
    {NULL, "a-pose", 0, "[=DEG]", FOR_RIG, SPECIAL(parse_a_pose),
     "turn the arms, with the mesh, to DEG (35) degrees below the horizontal"},
    {NULL, "t-pose", 0, NULL, FOR_RIG, SPECIAL(parse_t_pose), "turn the arms, with the mesh, to the horizontal"},
    {NULL, "dry-run", 0, NULL, FOR_RIG, FLAG(dry_run), "tell what would be done and write nothing"},

    {"keys", "reduce", 0, "bezier|linear|off", FOR_CONVERT | FOR_REDUCE, CHOICE(reduce.kind),
     "keys where they are needed, with curves or lines between them, or on every frame"},
    {NULL, "tolerance", 0, "DEG,UNITS", FOR_CONVERT | FOR_REDUCE, SPECIAL(parse_tolerance),
     "how far what is played may be off in any frame (0.5,0.02)"},
    {NULL, "key-budget", 0, "N", FOR_CONVERT | FOR_REDUCE, SPECIAL(parse_key_budget),
     "as many keys of bones at most, within the smallest tolerance that gives so few"},
    {NULL, "smooth", 0, "[=SIGMA]", FOR_CONVERT, SPECIAL(parse_smooth),
     "take out the tremble of motion capture, over SIGMA (1) frames, but for legs and hips"},
    {NULL, "split", 0, "N", FOR_REDUCE, SPECIAL(parse_split),
     "several files of at most N keys of bones, to load one after the other"},

    {"limits of the check", "no-check", 0, NULL, FOR_CONVERT | FOR_REDUCE, FLAG(no_check),
     "do not play the output back"},
    {NULL, "max-direction", 0, "DEG", FOR_CHECK, LIMIT(DIRECTION),
     "angle between a limb and the source's, in 95 % of the frames (10)"},
    {NULL, "max-ik-residual", 0, "UNITS", FOR_CHECK, LIMIT(RESIDUAL),
     "way from the end of an IK chain to its goal, in 95 % (1)"},
    {NULL, "max-knee", 0, "UNITS", FOR_CHECK, LIMIT(KNEE), "way that IK moves legs which FK keys have placed (0.1)"},
    {NULL, "max-player", 0, "UNITS", FOR_CHECK, LIMIT(PLAYER), "way between what two IK solvers show (0.1)"},
    {NULL, "max-limit", 0, "DEG", FOR_CHECK, LIMIT(LIMIT), "angle of a key beyond the limit of its joint (10)"},
    {NULL, "max-flip", 0, "DEG", FOR_CHECK, LIMIT(FLIP), "turn of a bone within a frame (90)"},
    {NULL, "max-slide", 0, "CM", FOR_CHECK, LIMIT(SLIDE), "slide of standing feet a frame, on average (1)"},
    {NULL, "max-float", 0, "UNITS", FOR_CHECK, LIMIT(FLOAT), "height of standing feet above the floor (0.5)"},
    {NULL, "max-under", 0, "UNITS", FOR_CHECK, LIMIT(UNDER), "depth of feet under the floor (0.25)"},
    {NULL, "max-keys", 0, "N", FOR_CHECK, LIMIT(KEYS), "keys of bones (600000, what MMD loads)"},

    {"several sources", "jobs", 'j', "N", FOR_CONVERT | OF_RUN, SPECIAL(parse_jobs),
     "how many to convert at a time; without it as many as there are processors"},
    {NULL, "recursive", 'r', NULL, FOR_CONVERT | OF_RUN, FLAG(recursive), "convert what is in folders"},
    {NULL, "include", 0, "PATTERN", FOR_CONVERT | OF_RUN, SPECIAL(parse_include),
     "of folders take the files of such names only; may be given again"},
    {NULL, "filelist", 0, "FILE", FOR_CONVERT | OF_RUN, PATH(filelist),
     "convert what FILE names, a line or a NUL behind each; - is standard input"},
    {NULL, "output-dir-mirror", 0, NULL, FOR_CONVERT | OF_RUN, FLAG(mirror),
     "keep the folders of the sources below the output's"},
    {NULL, "fail-fast", 0, NULL, FOR_CONVERT | OF_RUN, FLAG(fail_fast), "begin no other after a failure"},
    {NULL, "resume", 0, NULL, FOR_CONVERT | OF_RUN, FLAG(resume),
     "leave out what a run before made and nothing changed since"},
    {NULL, "retry-failed", 0, "REPORT", FOR_CONVERT | OF_RUN, PATH(retry), "convert what failed in a report"},
    {NULL, "shard", 0, "I/N", FOR_CONVERT | OF_RUN, SPECIAL(parse_shard),
     "convert the I-th of N parts, for several machines"},

    {"messages", "json", 0, NULL, FOR_INSPECT | FOR_CHECK | FOR_DUMP | OF_RUN, FLAG(json), "print JSON for programs"},
    {NULL, "summary", 0, NULL, FOR_CONVERT | OF_RUN, FLAG(summary),
     "print a table of what was converted, the worst first"},
    {NULL, "progress", 0, "[=json]", FOR_CONVERT | OF_RUN, SPECIAL(parse_progress),
     "show progress though it is no terminal, or tell it to programs"},
    {NULL, "quiet", 'q', NULL, FOR_FILES | FOR_DUMP | FOR_RIG | FOR_REDUCE | OF_RUN, FLAG(quiet), "print errors only"},
    {NULL, "verbose", 'v', NULL, FOR_CONVERT | OF_RUN, COUNT(verbose),
     "print more: of several sources what was chosen, of one what each joint drives; twice: yet more"},
    {NULL, "help", 'h', NULL, FOR_ALL | OF_RUN, FLAG(help), "print this help"},
};

_Static_assert(sizeof od_options / sizeof *od_options == OD_OPTIONS, "OD_OPTIONS counts the rows");
