/* Input: JSON text. Output: a tree that keeps what strictness promises.
 * cJSON itself is lenient (control characters, 01, duplicates, ...) and says little about faults, so
 * the syntax is checked before it sees the text. Its parser keeps a global, hence the mutex. */
#include "base/json.h"

#include <cJSON.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_syntax.h"

static pthread_mutex_t parse_lock = PTHREAD_MUTEX_INITIALIZER;

static const cJSON *node(const od_json *value)
{
    return (const cJSON *)(const void *)value;
}

static const od_json *value_of(const cJSON *item)
{
    return (const od_json *)(const void *)item;
}

/* A member's name and its place among all names of the text. */
typedef struct name {
    const char *text;
    int number;
} name;

static int by_text(const void *a, const void *b)
{
    const name *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : x->number - y->number;
}

typedef struct walk {
    const char *file, *text;
    size_t size;
    int number;     /* of the next name */
    char path[512]; /* to the value that is looked at */
    od_error *error;
} walk;

static bool check_values(walk *w, const cJSON *item);

/* `names` has room for all members of the object. */
static bool check_members(walk *w, const cJSON *object, name *names)
{
    int n = 0;
    size_t used = strlen(w->path);
    for (const cJSON *child = object->child; child; child = child->next) {
        names[n++] = (name){child->string, w->number++};
        snprintf(w->path + used, sizeof w->path - used, ".%s", child->string);
        if (!check_values(w, child)) return false;
        w->path[used] = '\0';
    }
    qsort(names, (size_t)n, sizeof *names, by_text);
    for (int i = 1; i < n; i++) {
        char what[640];
        if (strcmp(names[i].text, names[i - 1].text) != 0) continue;
        snprintf(what, sizeof what, "%s.%s is there twice", w->path, names[i].text);
        return od_json_fail_at_name(w->file, w->text, w->size, names[i].number, what, w->error);
    }
    return true;
}

/* No object may have a member twice, no number may be beyond a double. */
static bool check_values(walk *w, const cJSON *item)
{
    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return od_fail(w->error, "%s: %s: expected a number below 1.8e308", w->file, w->path);
    if (cJSON_IsObject(item)) {
        name *names = malloc((size_t)cJSON_GetArraySize(item) * sizeof *names + 1);
        bool good = names ? check_members(w, item, names) : od_fail(w->error, "out of memory");
        free(names);
        return good;
    }
    size_t used = strlen(w->path);
    int index = 0;
    for (const cJSON *child = item->child; child; child = child->next) {
        snprintf(w->path + used, sizeof w->path - used, "[%d]", index++);
        if (!check_values(w, child)) return false;
        w->path[used] = '\0';
    }
    return true;
}

od_json *od_json_parse(const char *file, const char *text, size_t size, od_error *error)
{
    static const char bom[] = "\xEF\xBB\xBF";
    if (size >= 3 && !memcmp(text, bom, 3)) {
        text += 3;
        size -= 3;
    }
    if (!od_json_check(file, text, size, error)) return NULL;
    pthread_mutex_lock(&parse_lock);
    cJSON *root = cJSON_ParseWithLength(text, size);
    pthread_mutex_unlock(&parse_lock);
    walk w = {.file = file, .text = text, .size = size, .path = "$", .error = error};
    if (!root) od_fail(error, "%s: out of memory", file);
    else if (check_values(&w, root)) return (od_json *)(void *)root;
    cJSON_Delete(root);
    return NULL;
}

void od_json_free(od_json *root)
{
    cJSON_Delete((cJSON *)(void *)root);
}

od_json_kind od_json_kind_of(const od_json *value)
{
    const cJSON *item = node(value);
    if (cJSON_IsBool(item)) return OD_JSON_BOOL;
    if (cJSON_IsNumber(item)) return OD_JSON_NUMBER;
    if (cJSON_IsString(item)) return OD_JSON_TEXT;
    if (cJSON_IsArray(item)) return OD_JSON_ARRAY;
    return cJSON_IsObject(item) ? OD_JSON_OBJECT : OD_JSON_NULL;
}

const char *od_json_kind_name(od_json_kind kind)
{
    static const char *const names[] = {"null", "true or false", "a number", "a text", "an array", "an object"};
    return names[kind];
}

const od_json *od_json_first(const od_json *value)
{
    return value_of(node(value)->child);
}

const od_json *od_json_next(const od_json *child)
{
    return value_of(node(child)->next);
}

int od_json_count(const od_json *value)
{
    return cJSON_GetArraySize(node(value));
}

const od_json *od_json_member(const od_json *object, const char *member)
{
    if (!cJSON_IsObject(node(object))) return NULL;
    return value_of(cJSON_GetObjectItemCaseSensitive(node(object), member));
}

const char *od_json_name(const od_json *member)
{
    return node(member)->string;
}

const char *od_json_text(const od_json *value)
{
    return cJSON_IsString(node(value)) ? node(value)->valuestring : "";
}

double od_json_number(const od_json *value)
{
    return cJSON_IsNumber(node(value)) ? node(value)->valuedouble : 0;
}

bool od_json_bool(const od_json *value)
{
    return cJSON_IsTrue(node(value)) != 0;
}
