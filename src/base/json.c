/* Input: JSON text. Output: a tree that keeps what strictness promises.
 * cJSON itself is lenient: it takes duplicates and trailing garbage, and its parser keeps a global
 * for the place of an error, hence the mutex. */
#include "base/json.h"

#include <cJSON.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t parse_lock = PTHREAD_MUTEX_INITIALIZER;

static const cJSON *node(const od_json *value)
{
    return (const cJSON *)(const void *)value;
}

static const od_json *value_of(const cJSON *item)
{
    return (const od_json *)(const void *)item;
}

static void fail_at(const char *file, const char *text, const char *at, const char *what, od_error *error)
{
    int line = 1, column = 1;
    for (const char *p = text; p < at; p++) {
        column = *p == '\n' ? 1 : column + 1;
        line += *p == '\n';
    }
    od_fail(error, "%s:%d:%d: %s", file, line, column, what);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* No object may have a member twice. `path` is a buffer with the way to `item`. */
static bool check_members(const cJSON *item, const char *file, char *path, size_t size, od_error *error)
{
    int count = cJSON_GetArraySize(item);
    if (cJSON_IsObject(item) && count > 1) {
        const char **names = malloc((size_t)count * sizeof *names);
        if (!names) return od_fail(error, "out of memory");
        int n = 0, twice = 0;
        for (const cJSON *child = item->child; child; child = child->next) names[n++] = child->string;
        qsort(names, (size_t)n, sizeof *names, by_text);
        for (int i = 1; i < n && !twice; i++)
            if (!strcmp(names[i], names[i - 1])) twice = i;
        if (twice) od_fail(error, "%s: %s.%s is there twice", file, path, names[twice]);
        free(names);
        if (twice) return false;
    }
    size_t used = strlen(path);
    int index = 0;
    for (const cJSON *child = item->child; child; child = child->next) {
        if (cJSON_IsObject(item)) snprintf(path + used, size - used, ".%s", child->string);
        else snprintf(path + used, size - used, "[%d]", index++);
        if (!check_members(child, file, path, size, error)) return false;
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
    const char *end = text, *last = text + size;
    pthread_mutex_lock(&parse_lock);
    cJSON *root = size ? cJSON_ParseWithLengthOpts(text, size, &end, false) : NULL;
    pthread_mutex_unlock(&parse_lock);
    if (!root) {
        if (end >= last) fail_at(file, text, last, "the text ends before the JSON is complete", error);
        else fail_at(file, text, end, "this is no JSON", error);
        return NULL;
    }
    while (end < last && strchr(" \t\r\n", *end) && *end) end++;
    char path[512] = "$";
    bool good = end == last;
    if (!good) fail_at(file, text, end, "expected the end of the text", error);
    good = good && check_members(root, file, path, sizeof path, error);
    if (good) return (od_json *)(void *)root;
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
