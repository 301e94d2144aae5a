/* Input: a report. Output: its sources, and which of them failed for which target. */
#include "cli/retry.h"

#include <stdlib.h>
#include <string.h>

#include "cli/input.h"
#include "cli/load.h"

const od_json *od_retry_member(const od_json *object, const char *name)
{
    const od_json *member = od_json_kind_of(object) == OD_JSON_OBJECT ? od_json_first(object) : NULL;
    while (member && strcmp(od_json_name(member), name) != 0) member = od_json_next(member);
    return member;
}

od_json *od_retry_parse(const char *path, od_error *error)
{
    od_file file;
    if (!od_input_read(path, &file, error)) return NULL;
    od_json *root = od_json_parse(file.name, (const char *)file.data, file.size, error);
    od_input_free(&file);
    const od_json *version = root ? od_retry_member(root, "odori") : NULL;
    const od_json *files = root ? od_retry_member(root, "files") : NULL;
    bool good = version && od_json_number(version) == 1 && files && od_json_kind_of(files) == OD_JSON_ARRAY;
    if (root && !good) od_fail(error, "%s: expected a report of odori, found other JSON", od_load_name(path));
    if (good) return root;
    if (root) od_json_free(root);
    return NULL;
}

/* A file's name as od_report_path writes it; NULL: there is none. */
static const char *take_path(const od_json *object, const char *name, od_arena *arena, od_error *error)
{
    char member[32];
    snprintf(member, sizeof member, "%s_bytes", name);
    const od_json *bytes = od_retry_member(object, member), *text = od_retry_member(object, name);
    if (!bytes) {
        bool there = text && od_json_kind_of(text) == OD_JSON_TEXT;
        return there ? od_arena_text(arena, od_json_text(text), strlen(od_json_text(text)), error) : NULL;
    }
    const char *digits = od_json_text(bytes);
    size_t size = strlen(digits) / 2;
    char *path = od_arena_text(arena, digits, size, error);
    for (size_t i = 0; path && i < size; i++) {
        char pair[3] = {digits[2 * i], digits[2 * i + 1], '\0'};
        path[i] = (char)strtoul(pair, NULL, 16);
    }
    return path;
}

/* A report may come from anywhere: a name must not lead out of the output's folder. */
static bool is_inside(const char *name)
{
    for (const char *at = name; *at;) {
        size_t n = strcspn(at, "/");
        if (!n || (n == 2 && at[0] == '.' && at[1] == '.')) return false;
        at += n + (at[n] == '/');
    }
    return *name != '\0';
}

static bool take_file(const od_cli *cli, const od_json *file, od_sources *sources, od_name_set *seen, od_error *error)
{
    od_arena *arena = sources->arena;
    const char *path = take_path(file, "source", arena, error), *name = take_path(file, "name", arena, error);
    const char *target = take_path(file, "target", arena, error);
    const od_json *status = od_retry_member(file, "status");
    if (error->failed) return false;
    if (!path || !name || !is_inside(name) || !status)
        return od_fail(error, "%s: expected files with source, name and status, as those of a batch have",
                       od_load_name(cli->retry));
    const char *pair = od_arena_format(arena, error, "%s\n%s", path, target ? target : "");
    if (!pair) return false;
    if (od_json_number(status) != 0 && !od_name_set_find(sources->wanted, pair))
        od_name_set_add(sources->wanted, pair, path);
    if (od_name_set_find(seen, path)) return true;
    od_name_set_add(seen, path, path);
    od_source *source = od_sources_add(sources, path, path, NULL, error);
    if (source) source->name = name;
    return source != NULL;
}

static bool take_files(const od_cli *cli, const od_json *files, od_sources *sources, od_error *error)
{
    size_t count = 0;
    for (const od_json *file = od_json_first(files); file; file = od_json_next(file)) count++;
    od_name_set *seen = od_name_set_make(count, sources->arena, error);
    sources->wanted = od_name_set_make(count, sources->arena, error);
    if (!seen || !sources->wanted) return false;
    for (const od_json *file = od_json_first(files); file; file = od_json_next(file))
        if (!take_file(cli, file, sources, seen, error)) return false;
    return true;
}

bool od_retry_read(const od_cli *cli, od_sources *sources, od_error *error)
{
    od_json *root = od_retry_parse(cli->retry, error);
    if (!root) return false;
    bool good = take_files(cli, od_retry_member(root, "files"), sources, error);
    od_json_free(root);
    return good;
}
