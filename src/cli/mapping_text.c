/* Input: a mapping. Output: its JSON text, one bone a line, ready for editing. */
#include "cli/mapping_text.h"

#include "cli/print.h"

static void print_list(FILE *out, const char *name, const char *const *texts, int count)
{
    fprintf(out, "\"%s\": [", name);
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s", i ? ", " : "");
        od_print_json(out, texts[i]);
    }
    fprintf(out, "]");
}

static void print_entry(FILE *out, const od_map_entry *entry)
{
    static const char *const uses[] = {"", "rotation", "translation", "both"};
    fprintf(out, "    { \"source\": ");
    od_print_json(out, entry->source);
    if (entry->nth) fprintf(out, ", \"nth\": %d", entry->nth);
    fprintf(out, ", \"target\": ");
    od_print_json(out, entry->target);
    if (entry->use != od_use_default(entry->role) || entry->role == OD_ROLE_CENTER)
        fprintf(out, ", \"use\": \"%s\"", uses[entry->use]);
    if (glms_vec3_norm(entry->offset) > 0)
        fprintf(out, ", \"offset\": [%.6g, %.6g, %.6g]", (double)entry->offset.x, (double)entry->offset.y,
                (double)entry->offset.z);
    fprintf(out, " }");
}

void od_print_mapping(FILE *out, const od_mapping *m, const char *const *unmapped, int unmapped_count)
{
    fprintf(out, "{\n  \"odori\": 1,\n  \"name\": ");
    od_print_json(out, m->name);
    fprintf(out, ",\n  \"title\": ");
    od_print_json(out, m->title ? m->title : "");
    if (!m->verified) fprintf(out, ",\n  \"verified\": false");
    if (m->strip_count || m->require_count) {
        fprintf(out, ",\n  \"detect\": { ");
        print_list(out, "strip", m->strip, m->strip_count);
        fprintf(out, ", ");
        print_list(out, "require", m->require, m->require_count);
        fprintf(out, " }");
    }
    if (m->bind.kind == OD_BIND_REST) fprintf(out, ",\n  \"bind\": \"rest\"");
    if (m->bind.kind == OD_BIND_FRAME) fprintf(out, ",\n  \"bind\": \"frame:%d\"", m->bind.frame);
    fprintf(out, ",\n  \"bones\": [\n");
    for (int i = 0; i < m->entry_count; i++) {
        print_entry(out, &m->entries[i]);
        fprintf(out, "%s\n", i + 1 < m->entry_count ? "," : "");
    }
    fprintf(out, "  ]");
    if (m->morph_count) fprintf(out, ",\n  \"morphs\": [\n");
    for (int i = 0; i < m->morph_count; i++) {
        fprintf(out, "    { \"source\": ");
        od_print_json(out, m->morphs[i].source);
        fprintf(out, ", \"target\": ");
        od_print_json(out, m->morphs[i].target);
        fprintf(out, " }%s\n", i + 1 < m->morph_count ? "," : "\n  ]");
    }
    if (unmapped_count) fprintf(out, ",\n  ");
    if (unmapped_count) print_list(out, "unmapped", unmapped, unmapped_count);
    fprintf(out, "\n}\n");
}
