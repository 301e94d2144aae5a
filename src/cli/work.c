/* Input: sources, targets. Output: tasks with names of outputs, all different.
 * Invariant: the same sources in the same order give the same names, whichever share of them is done. */
#include "cli/work.h"

#include <stdlib.h>
#include <string.h>

#include "cli/convert.h"
#include "cli/load.h"

typedef struct planning {
    const od_cli *cli;
    od_work *work;
    const char **targets; /* folders of the targets: "" or "miku/" */
    const char *ending;
    od_arena *arena;
    od_error *error;
} planning;

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Bytes of a file's name without its ending. */
static size_t stem_size(const char *base)
{
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - base) : strlen(base);
}

/* "pack/../dances/a.fbx" -> "pack/dances/a": nothing leaves the output's folder. */
static const char *mirror(const char *place, od_arena *arena, od_error *error)
{
    const char *base = base_of(place);
    char *text = od_arena_text(arena, place, strlen(place), error), *to = text;
    if (!text) return NULL;
    for (const char *at = place; at < base;) {
        size_t n = strcspn(at, "/");
        bool kept = n && !(n == 1 && at[0] == '.') && !(n == 2 && at[0] == '.' && at[1] == '.');
        if (kept) {
            memcpy(to, at, n + 1);
            to += n + 1;
        }
        at += n + 1;
    }
    size_t size = stem_size(base);
    memcpy(to, base, size);
    to[size] = '\0';
    return text;
}

static const char *plain_name(const od_cli *cli, const od_source *source, od_arena *arena, od_error *error)
{
    if (source->name) return source->name;
    if (!strcmp(source->path, "-")) return "stdin";
    if (cli->mirror) return mirror(source->place, arena, error);
    const char *base = base_of(source->place);
    return od_arena_text(arena, base, stem_size(base), error);
}

/* The first of "name-2", "name-3", ... that is free. */
static const char *free_name(od_name_set *names, const char *name, od_arena *arena, od_error *error)
{
    od_name_entry *taken = od_name_set_find(names, name);
    for (;;) {
        const char *other = od_arena_format(arena, error, "%s-%d", name, ++taken->number);
        if (!other || !od_name_set_find(names, other)) return other;
    }
}

/* Names of all sources; that of one which is there twice is NULL. A name that nobody else wants is never
 * given to another. */
static const char **name_all(planning *p, const od_sources *sources, const char **notes)
{
    const char **names = OD_NEW(p->arena, const char *, sources->count, p->error);
    od_name_set *seen = od_name_set_make(sources->count, p->arena, p->error);
    od_name_set *taken = p->work->names = od_name_set_make(sources->count, p->arena, p->error);
    if (!names || !seen || !taken) return NULL;
    size_t i = 0;
    for (const od_source *s = sources->first; s; s = s->next, i++) {
        if (od_name_set_find(seen, s->path)) {
            od_warn(p->work->notes, "%s: is there twice, and converted once", od_load_name(s->path));
            continue;
        }
        od_name_set_add(seen, s->path, s->path);
        if (!(names[i] = plain_name(p->cli, s, p->arena, p->error))) return NULL;
        if (!od_name_set_find(taken, names[i])) od_name_set_add(taken, names[i], s->path);
    }
    i = 0;
    for (const od_source *s = sources->first; s; s = s->next, i++) {
        const od_name_entry *entry = names[i] ? od_name_set_find(taken, names[i]) : NULL;
        if (!entry || entry->owner == s->path) continue;
        const char *name = free_name(taken, names[i], p->arena, p->error);
        if (!name) return NULL;
        notes[i] = od_arena_format(p->arena, p->error, "the name %s is that of %s already: this becomes %s", names[i],
                                   od_load_name(entry->owner), name);
        od_name_set_add(taken, names[i] = name, s->path);
    }
    return names;
}

/* A folder for each of several targets. */
static bool name_targets(planning *p)
{
    int count = p->cli->target_count > 1 ? p->cli->target_count : 1;
    od_name_set *taken = od_name_set_make((size_t)count, p->arena, p->error);
    p->targets = OD_NEW(p->arena, const char *, (size_t)count, p->error);
    if (!taken || !p->targets) return false;
    if (count == 1) p->targets[0] = "";
    for (int i = 0; i < count && count > 1; i++) {
        const char *path = p->cli->targets[i], *base = base_of(path);
        const char *name = strcmp(path, "-") != 0 ? od_arena_text(p->arena, base, stem_size(base), p->error) : "stdin";
        if (name && od_name_set_find(taken, name)) name = free_name(taken, name, p->arena, p->error);
        if (!name) return false;
        od_name_set_add(taken, name, path);
        if (!(p->targets[i] = od_arena_format(p->arena, p->error, "%s/", name))) return false;
    }
    return true;
}

/* --shard: what is whose does not change when there are more files. */
static bool is_mine(const od_cli *cli, const char *path)
{
    return !cli->shards || od_hash(0, path, strlen(path)) % (uint64_t)cli->shards == (uint64_t)cli->shard - 1;
}

/* Is it among what is asked for? -1: memory is out. */
static int is_wanted(planning *p, const od_sources *sources, const char *source, int target)
{
    const char *path = p->cli->target_count ? p->cli->targets[target] : "";
    if (!is_mine(p->cli, source)) return 0;
    if (!sources->wanted) return 1;
    const char *pair = od_arena_format(p->arena, p->error, "%s\n%s", source, path);
    return pair ? od_name_set_find(sources->wanted, pair) != NULL : -1;
}

static bool add_tasks(planning *p, const od_sources *sources, const od_source *source, const char *name,
                      const char *note, int *number)
{
    int targets = p->cli->target_count > 1 ? p->cli->target_count : 1;
    for (int t = 0; t < targets; t++) {
        od_task task = {source->path, name, NULL, source->trouble, note, t, ++*number};
        int wanted = is_wanted(p, sources, source->path, t);
        if (!wanted) continue;
        if (wanted < 0) return false;
        task.output = od_arena_format(p->arena, p->error, "%s/%s%s.%s", p->work->root, p->targets[t], name, p->ending);
        if (!task.output) return false;
        p->work->tasks[p->work->count++] = task;
    }
    return true;
}

/* The folders of the outputs, from the root on, each once. */
static bool list_folders(planning *p)
{
    od_work *work = p->work;
    size_t most = 1, root = strlen(work->root);
    for (size_t i = 0; i < work->count; i++)
        for (const char *c = work->tasks[i].output + root; *c; c++) most += *c == '/';
    od_name_set *seen = od_name_set_make(most, p->arena, p->error);
    work->folders = OD_NEW(p->arena, const char *, most, p->error);
    if (!seen || !work->folders) return false;
    work->folders[work->folder_count++] = work->root;
    for (size_t i = 0; i < work->count; i++) {
        const char *output = work->tasks[i].output;
        for (const char *c = strchr(output + root + 1, '/'); c; c = strchr(c + 1, '/')) {
            const char *folder = od_arena_text(p->arena, output, (size_t)(c - output), p->error);
            if (!folder) return false;
            if (od_name_set_find(seen, folder)) continue;
            od_name_set_add(seen, folder, folder);
            work->folders[work->folder_count++] = folder;
        }
    }
    return true;
}

static int by_file(const void *a, const void *b)
{
    const struct stat *x = a, *y = b;
    if (x->st_dev != y->st_dev) return x->st_dev < y->st_dev ? -1 : 1;
    return x->st_ino < y->st_ino ? -1 : x->st_ino > y->st_ino;
}

static bool list_files(planning *p, const od_sources *sources)
{
    od_work *work = p->work;
    work->files = OD_NEW(p->arena, struct stat, sources->count, p->error);
    if (!work->files) return false;
    for (const od_source *s = sources->first; s; s = s->next)
        work->file_count += !stat(s->path, &work->files[work->file_count]);
    if (work->file_count) qsort(work->files, work->file_count, sizeof *work->files, by_file);
    return true;
}

bool od_work_is_source(const od_work *work, const char *path)
{
    struct stat info;
    return work->file_count && !stat(path, &info) &&
           bsearch(&info, work->files, work->file_count, sizeof info, by_file);
}

bool od_work_plan(const od_cli *cli, const od_sources *sources, od_work *work, od_report *notes, od_arena *arena,
                  od_error *error)
{
    planning p = {cli, work, NULL, od_convert_ending(cli), arena, error};
    size_t targets = cli->target_count > 1 ? (size_t)cli->target_count : 1, i = 0;
    *work = (od_work){.notes = notes, .root = cli->output_dir};
    work->tasks = OD_NEW(arena, od_task, sources->count * targets, error);
    const char **trouble = OD_NEW(arena, const char *, sources->count, error);
    const char **names = work->tasks && trouble && name_targets(&p) ? name_all(&p, sources, trouble) : NULL;
    int number = 0;
    if (!names) return false;
    for (const od_source *s = sources->first; s; s = s->next, i++)
        if (names[i] && !add_tasks(&p, sources, s, names[i], trouble[i], &number)) return false;
    return list_files(&p, sources) && list_folders(&p);
}

enum { LONGEST = 100 }; /* bytes of a clip's name in a file's */

/* The byte at `i` of a clip's name in a file's name: without what divides names; 0: the end. */
static char part_at(const od_clip *clip, size_t i)
{
    char c = clip->name[i];
    return i >= LONGEST ? '\0' : c && ((unsigned char)c < 0x20 || strchr("./\\:*?\"<>|\x7f", c)) ? '_' : c;
}

static bool is_part(const od_clip *clip, const char *text)
{
    size_t i = 0;
    while (text[i] && text[i] == part_at(clip, i)) i++;
    return !text[i] && !part_at(clip, i);
}

/* Would another clip or source have this name? Parts have no dots, so that "a.b" of one source is "a.b" of no
 * other unless that is its whole name. */
static bool is_free(const od_work *work, const od_scene *scene, const od_clip *clip, const char *part, const char *name)
{
    if (!*part || od_name_set_find(work->names, name)) return false;
    for (const od_clip *other = scene->clips; other < scene->clips + scene->clip_count; other++)
        if (other != clip && is_part(other, part)) return false;
    return true;
}

const char *od_work_name_clip(const od_work *work, const od_task *task, const od_scene *scene, const od_clip *clip,
                              od_arena *arena, od_error *error)
{
    char first[LONGEST + 1];
    size_t size = 0, stem = (size_t)(strrchr(task->output, '.') - task->output);
    while (part_at(clip, size)) size++;
    while (size && clip->name[size] && (clip->name[size] & 0xC0) == 0x80) size--; /* cut at a character */
    for (size_t i = 0; i < size; i++) first[i] = part_at(clip, i);
    first[size] = '\0';
    for (const char *part = first;;) {
        const char *name = od_arena_format(arena, error, "%s.%s", task->name, part);
        if (!name) return NULL;
        bool cut = part == first && strlen(clip->name) > size;
        if (!cut && is_free(work, scene, clip, part, name))
            return od_arena_format(arena, error, "%.*s.%s%s", (int)stem, task->output, part, task->output + stem);
        part = od_arena_format(arena, error, "%s_%d", part, (int)(clip - scene->clips));
        if (!part) return NULL;
    }
}
