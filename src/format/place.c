/* Input: a JSON tree. Output: its values, each checked, or a failure that names the way to it. */
#include "format/place.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

od_place od_place_root(const od_document *document, const od_json *root)
{
    return (od_place){.document = document, .value = root};
}

od_place od_place_member(const od_place *object, const char *name)
{
    const od_json *value = object->value ? od_json_member(object->value, name) : NULL;
    return (od_place){.document = object->document, .above = object, .name = name, .value = value};
}

od_place od_place_element(const od_place_list *list, int index)
{
    return (od_place){
        .document = list->array.document, .above = &list->array, .index = index, .value = list->items[index]};
}

/* Writes the way to a place; depth is bounded by that of the document. */
static void write_way(const od_place *at, char *way, size_t size)
{
    const od_place *chain[16];
    int depth = 0;
    size_t used = 1;
    snprintf(way, size, "$");
    for (; at->above && depth < 16; at = at->above) chain[depth++] = at;
    while (depth-- > 0 && used < size) {
        const od_place *step = chain[depth];
        int n = step->name ? snprintf(way + used, size - used, ".%s", step->name)
                           : snprintf(way + used, size - used, "[%d]", step->index);
        used += n > 0 ? (size_t)n : 0;
    }
}

bool od_place_fail(const od_place *at, const char *format, ...)
{
    char way[256], what[512];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    write_way(at, way, sizeof way);
    return od_fail(at->document->error, "%s: %s: %s", at->document->file, way, what);
}

static bool expect(const od_place *at, od_json_kind kind)
{
    od_json_kind found = od_json_kind_of(at->value);
    return found == kind ||
           od_place_fail(at, "expected %s, found %s", od_json_kind_name(kind), od_json_kind_name(found));
}

bool od_place_list_make(const od_place *object, const char *name, od_place_list *list)
{
    const od_document *document = object->document;
    *list = (od_place_list){.array = od_place_member(object, name)};
    if (!list->array.value) return true;
    if (!expect(&list->array, OD_JSON_ARRAY)) return false;
    list->items = OD_NEW(document->arena, const od_json *, (size_t)od_json_count(list->array.value), document->error);
    if (!list->items) return false;
    for (const od_json *item = od_json_first(list->array.value); item; item = od_json_next(item))
        list->items[list->count++] = item;
    return true;
}

bool od_place_as_index(const od_place *at, int count, int *index)
{
    if (!expect(at, OD_JSON_NUMBER)) return false;
    double number = od_json_number(at->value);
    if (number != floor(number) || number < 0 || number >= count)
        return od_place_fail(at, "expected an index below %d, found %.15g", count, number);
    *index = (int)number;
    return true;
}

bool od_place_index(const od_place *object, const char *name, int count, int *index)
{
    od_place at = od_place_member(object, name);
    return !at.value || od_place_as_index(&at, count, index);
}

bool od_place_size(const od_place *object, const char *name, size_t most, size_t *size)
{
    od_place at = od_place_member(object, name);
    if (!at.value) return true;
    if (!expect(&at, OD_JSON_NUMBER)) return false;
    double number = od_json_number(at.value);
    if (number != floor(number) || number < 0 || number > (double)most)
        return od_place_fail(&at, "expected a whole number up to %zu, found %.15g", most, number);
    *size = (size_t)number;
    return true;
}

bool od_place_numbers(const od_place *object, const char *name, int count, float *numbers)
{
    od_place at = od_place_member(object, name);
    int n = 0;
    if (!at.value) return true;
    if (!expect(&at, OD_JSON_ARRAY)) return false;
    if (od_json_count(at.value) != count)
        return od_place_fail(&at, "expected %d numbers, found %d", count, od_json_count(at.value));
    for (const od_json *item = od_json_first(at.value); item; item = od_json_next(item), n++) {
        od_place element = {.document = at.document, .above = &at, .index = n, .value = item};
        double number = od_json_number(item);
        if (!expect(&element, OD_JSON_NUMBER)) return false;
        if (!isfinite((float)number)) return od_place_fail(&element, "%.15g is too large", number);
        numbers[n] = (float)number;
    }
    return true;
}

bool od_place_flag(const od_place *object, const char *name, bool *flag)
{
    od_place at = od_place_member(object, name);
    if (!at.value) return true;
    if (!expect(&at, OD_JSON_BOOL)) return false;
    *flag = od_json_bool(at.value);
    return true;
}

bool od_place_text(const od_place *object, const char *name, const char **text)
{
    od_place at = od_place_member(object, name);
    if (!at.value) return true;
    if (!expect(&at, OD_JSON_TEXT)) return false;
    *text = od_json_text(at.value);
    return true;
}
