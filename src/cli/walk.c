/* Input: names of files and folders. Output: sources, always in the same order. */
#include "cli/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/input.h"

od_source *od_sources_add(od_sources *sources, const char *path, const char *place, const char *trouble,
                          od_error *error)
{
    od_source *source = OD_NEW(sources->arena, od_source, 1, error);
    if (!source) return NULL;
    *source = (od_source){.path = path, .place = place, .trouble = trouble};
    if (sources->last) sources->last->next = source;
    else sources->first = source;
    sources->last = source;
    sources->count++;
    return source;
}

typedef struct walk {
    const od_cli *cli;
    od_sources *sources;
    struct stat output; /* of the folder that is written to */
    bool output_there;
    od_error *error;
} walk;

/* Does a blank-separated list have the word, in whatever case? */
static bool listed(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = list; *at;) {
        size_t n = strcspn(at, " ");
        if (n == size && !strncasecmp(at, word, n)) return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

/* Keys of MMD are a source only together with a model. */
static bool is_motion(const od_cli *cli, const char *name)
{
    int count;
    const od_format *formats = od_formats(&count);
    const char *dot = strrchr(name, '.');
    for (int i = 0; dot && i < count; i++)
        if ((formats[i].read_scene || (formats[i].read_keys && (cli->source_model || cli->camera))) &&
            listed(formats[i].extensions, dot + 1))
            return true;
    return false;
}

static bool is_included(const od_cli *cli, const char *name)
{
    for (int i = 0; i < cli->include_count; i++)
        if (!fnmatch(cli->includes[i], name, 0)) return true;
    return !cli->include_count && is_motion(cli, name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in an open folder; false with errno when not all could be read. */
static bool list_names(DIR *list, char ***names, size_t *count)
{
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(list));) {
        if (entry->d_name[0] == '.') continue;
        char **more = *count % 64 ? *names : realloc(*names, (*count + 64) * sizeof *more);
        if (!more) return false;
        *names = more;
        if (!(more[*count] = strdup(entry->d_name))) return false;
        ++*count;
    }
    return !errno;
}

/* The same for a folder's name, sorted. They and the list are from malloc. */
static bool read_names(const char *folder, char ***names, size_t *count)
{
    DIR *list = opendir(folder);
    *names = NULL;
    *count = 0;
    if (!list) return false;
    bool good = list_names(list, names, count);
    int reason = errno;
    closedir(list);
    if (*names) qsort(*names, *count, sizeof **names, by_name);
    errno = reason;
    return good;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; names && i < count; i++) free(names[i]);
    free(names);
}

static bool walk_folder(walk *w, const char *folder, const char *place);

static bool walk_entry(walk *w, const char *folder, const char *place, const char *name)
{
    od_arena *arena = w->sources->arena;
    struct stat info;
    const char *between = folder[strlen(folder) - 1] == '/' ? "" : "/";
    const char *path = od_arena_format(arena, w->error, "%s%s%s", folder, between, name);
    const char *inner = path ? od_arena_format(arena, w->error, "%s%s%s", place, *place ? "/" : "", name) : NULL;
    if (!inner) return false;
    if (lstat(path, &info)) return true; /* it went away */
    if (S_ISDIR(info.st_mode)) {
        bool own = w->output_there && info.st_dev == w->output.st_dev && info.st_ino == w->output.st_ino;
        return own || walk_folder(w, path, inner);
    }
    bool file = !stat(path, &info) && S_ISREG(info.st_mode);
    return !file || !is_included(w->cli, name) || od_sources_add(w->sources, path, inner, NULL, w->error);
}

static bool walk_folder(walk *w, const char *folder, const char *place)
{
    size_t count;
    char **names;
    bool good = read_names(folder, &names, &count);
    if (!good) {
        const char *why =
            od_arena_format(w->sources->arena, w->error, "%s: cannot be read: %s", folder, strerror(errno));
        good = why && od_sources_add(w->sources, folder, *place ? place : folder, why, w->error);
    }
    for (size_t i = 0; names && i < count && good; i++) good = walk_entry(w, folder, place, names[i]);
    free_names(names, count);
    return good;
}

static bool add_named(walk *w, const char *path)
{
    struct stat info;
    bool folder = strcmp(path, "-") != 0 && !stat(path, &info) && S_ISDIR(info.st_mode);
    if (folder && w->cli->recursive) return walk_folder(w, path, "");
    const char *why = NULL;
    if (folder) {
        why = od_arena_format(w->sources->arena, w->error, "%s: is a folder; -r converts the files in it", path);
        if (!why) return false;
    }
    return od_sources_add(w->sources, path, path, why, w->error);
}

/* Names end with NUL when there is one, else with line feeds. */
static bool add_list(walk *w, const od_file *list)
{
    const char *at = (const char *)list->data, *end = at + list->size;
    char mark = list->size && memchr(at, '\0', list->size) ? '\0' : '\n';
    while (at < end) {
        const char *stop = memchr(at, mark, (size_t)(end - at));
        size_t size = (size_t)((stop ? stop : end) - at);
        if (mark == '\n' && size && at[size - 1] == '\r') size--;
        const char *path = od_arena_text(w->sources->arena, at, size, w->error);
        if (!path || (*path && !add_named(w, path))) return false;
        at = stop ? stop + 1 : end;
    }
    return true;
}

bool od_walk(const od_cli *cli, od_sources *sources, od_error *error)
{
    walk w = {.cli = cli, .sources = sources, .error = error};
    w.output_there = cli->output_dir && !stat(cli->output_dir, &w.output);
    for (int i = 0; i < cli->input_count; i++)
        if (!add_named(&w, cli->inputs[i])) return false;
    if (!cli->filelist) return true;
    od_file list;
    if (!od_input_read(cli->filelist, &list, error)) return false;
    bool good = add_list(&w, &list);
    od_input_free(&list);
    return good;
}
