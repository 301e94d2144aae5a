/* Input: what a conversion chose and measured. Output: members of its report. */
#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/option_table.h"
#include "odori/odori.h"

static void notes_of(od_writer *w, const char *name, const od_report *report, od_note_kind kind)
{
    od_writer_begin(w, name, '[');
    for (const od_note *note = report->first; note; note = note->next)
        if (note->kind == kind) od_writer_text(w, NULL, note->text);
    od_writer_end(w, ']');
}

void od_report_begin(od_writer *w, const od_cli *cli)
{
    od_writer_begin(w, NULL, '{');
    od_writer_number(w, "odori", 1);
    od_writer_text(w, "version", od_version());
    od_writer_begin(w, "options", '{');
    for (int i = 0; i < OD_OPTIONS; i++)
        if (cli->given[i] && !(od_options[i].commands & OF_RUN)) od_writer_text(w, od_options[i].name, cli->given[i]);
    od_writer_end(w, '}');
    od_writer_begin(w, "targets", '[');
}

void od_report_target(od_writer *w, const char *path, const od_target *target, const od_report *notes)
{
    od_writer_begin(w, NULL, '{');
    od_report_path(w, "file", path);
    od_writer_text(w, "name", target->name);
    od_writer_number(w, "bones", target->skeleton.count);
    notes_of(w, "warnings", notes, OD_NOTE_WARNING);
    od_writer_end(w, '}');
}

void od_report_files(od_writer *w)
{
    od_writer_end(w, ']');
    od_writer_begin(w, "files", '[');
}

void od_report_end(od_writer *w, size_t left)
{
    od_writer_end(w, ']');
    od_writer_number(w, "left", (double)left);
    od_writer_end(w, '}');
}

void od_report_path(od_writer *w, const char *name, const char *path)
{
    od_writer_text(w, name, path);
    if (!path || od_text_is_utf8((const unsigned char *)path, strlen(path))) return;
    char member[32], *digits = malloc(2 * strlen(path) + 1);
    if (!digits) return;
    snprintf(member, sizeof member, "%s_bytes", name);
    for (size_t i = 0; path[i]; i++) snprintf(digits + 2 * i, 3, "%02x", (unsigned)(unsigned char)path[i]);
    od_writer_text(w, member, digits);
    free(digits);
}

void od_report_notes(od_writer *w, const od_report *report)
{
    notes_of(w, "choices", report, OD_NOTE_CHOICE);
    notes_of(w, "warnings", report, OD_NOTE_WARNING);
}

void od_report_clip(od_writer *w, const od_clip *clip)
{
    od_writer_begin(w, "clip", '{');
    od_writer_text(w, "name", clip->name);
    od_writer_number(w, "frames", clip->frames);
    od_writer_number(w, "fps", clip->fps);
    od_writer_end(w, '}');
}

void od_report_mapping(od_writer *w, const od_mapping *mapping, const od_binding *binding, const od_skeleton *source,
                       const od_target *target)
{
    static const char *const uses[] = {"", "rotation", "translation", "both"};
    od_fit fit = od_mapping_fit(mapping, source);
    od_writer_begin(w, "mapping", '{');
    od_writer_text(w, "name", mapping->name);
    od_writer_number(w, "joints_found", fit.found);
    od_writer_number(w, "joints_named", fit.total);
    od_writer_begin(w, "bones", '[');
    for (int i = 0; i < binding->count; i++) {
        const od_bound *row = &binding->rows[i];
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "source", source->bones[row->source].name);
        od_writer_text(w, "role", row->role == OD_ROLE_NONE ? NULL : od_role_name(row->role));
        od_writer_text(w, "target", row->bone >= 0 ? target->skeleton.bones[row->bone].name : NULL);
        od_writer_text(w, "use", uses[row->use]);
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
    od_writer_end(w, '}');
}

void od_report_result(od_writer *w, const od_retarget_result *r)
{
    od_writer_begin(w, "rest", '{');
    od_writer_text(w, "bind", r->bind.kind == OD_BIND_FRAME ? "frame" : "rest");
    od_writer_number(w, "frame", r->bind.frame);
    od_writer_text(w, "reason", r->bind_reason);
    od_writer_text(w, "up", r->up);
    od_writer_number(w, "heading", (double)r->heading);
    od_writer_number(w, "arm_angle", (double)r->arm_angle);
    od_writer_end(w, '}');
    od_writer_number(w, "scale", (double)r->scale);
    od_writer_text(w, "scale_kind", r->scale_kind);
    od_writer_number(w, "ground", (double)r->ground);
    od_writer_number(w, "frames", r->frames);
    od_writer_number(w, "dropped", r->dropped);
    od_writer_begin(w, "feet", '{');
    od_writer_number(w, "contacts", r->contacts);
    od_writer_number(w, "contact_share", (double)r->contact_share);
    od_writer_number(w, "slide_source", (double)r->slide_source);
    od_writer_number(w, "slide", (double)r->slide);
    od_writer_number(w, "hips_lowered", (double)r->reach_lowered);
    od_writer_end(w, '}');
}

void od_report_reduction(od_writer *w, const od_reduction *reduction, od_reduce_kind kind)
{
    static const char *const kinds[] = {"bezier", "linear", "off"}; /* in the order of od_reduce_kind */
    od_writer_begin(w, "reduction", '{');
    od_writer_text(w, "kind", kinds[kind]);
    if (kind != OD_REDUCE_OFF) {
        od_writer_number(w, "degrees", reduction->angle);
        od_writer_number(w, "units", reduction->way);
        od_writer_number(w, "keys_before", (double)reduction->before);
        od_writer_number(w, "rounds", reduction->rounds);
    }
    od_writer_end(w, '}');
}

void od_report_keys(od_writer *w, const od_keys *keys)
{
    od_writer_number(w, "keys", (double)od_keys_count(keys));
    od_writer_begin(w, "tracks", '{');
    for (int i = 0; i < keys->track_count; i++) od_writer_number(w, keys->tracks[i].name, keys->tracks[i].count);
    od_writer_end(w, '}');
}
