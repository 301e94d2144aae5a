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

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *find_twice(const cJSON *object, int count, const char **names)
{
    int n = 0;
    for (const cJSON *child = object->child; child; child = child->next) names[n++] = child->string;
    qsort(names, (size_t)count, sizeof *names, by_text);
    for (int i = 1; i < count; i++)
        if (!strcmp(names[i], names[i - 1])) return names[i];
    return NULL;
}

/* No object may have a member twice, no number may be beyond a double. `path` is a buffer with the way
 * to `item`. */
static bool check_values(const cJSON *item, const char *file, char *path, size_t size, od_error *error)
{
    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return od_fail(error, "%s: %s: expected a number below 1.8e308", file, path);
    int count = cJSON_GetArraySize(item);
    if (cJSON_IsObject(item) && count > 1) {
        const char **names = malloc((size_t)count * sizeof *names);
        if (!names) return od_fail(error, "out of memory");
        const char *twice = find_twice(item, count, names);
        free(names);
        if (twice) return od_fail(error, "%s: %s.%s is there twice", file, path, twice);
    }
    size_t used = strlen(path);
    int index = 0;
    for (const cJSON *child = item->child; child; child = child->next) {
        if (cJSON_IsObject(item)) snprintf(path + used, size - used, ".%s", child->string);
        else snprintf(path + used, size - used, "[%d]", index++);
        if (!check_values(child, file, path, size, error)) return false;
        path[used] = '\0';
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
    char path[512] = "$";
    if (!root) od_fail(error, "%s: out of memory", file);
    else if (check_values(root, file, path, sizeof path, error)) return (od_json *)(void *)root;
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
