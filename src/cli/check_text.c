/* Input: figures of a check, limits. Output: what they say. */
#include "cli/check_text.h"

#include <math.h>
#include <string.h>

#include "cli/print.h"

static bool is_above(const od_figure *figure, const double *limits)
{
    return (double)od_figure_judged(figure) > limits[figure->measure];
}

static const char *statistic_name(od_measure measure)
{
    static const char *const names[] = {"on average", "in 95 % of the frames", "at most"};
    return names[od_measures()[measure].judged];
}

/* Counts have no frame and no unit. */
static bool is_count(const od_figure *figure)
{
    return !*od_measures()[figure->measure].unit;
}

int od_check_judge(const od_check *check, const double *limits, od_report *report)
{
    int above = 0;
    for (int i = 0; i < check->figure_count; i++) {
        const od_figure *f = &check->figures[i];
        const od_measure_row *row = &od_measures()[f->measure];
        if (f->is_sum || !is_above(f, limits)) continue;
        above++;
        if (is_count(f))
            od_warn(report, "%s: %.0f%s%s", row->title, (double)f->max, f->bone ? ", the first is " : "",
                    f->bone ? f->bone : "");
        else if (f->frame < 0)
            od_warn(report, "%s: %.3g %s, above %g", row->title, (double)od_figure_judged(f), row->unit,
                    limits[f->measure]);
        else
            od_warn(report, "%s (%s): %.3g %s %s, above %g; the worst is %.3g at frame %d, %s", row->title, f->group,
                    (double)od_figure_judged(f), row->unit, statistic_name(f->measure), limits[f->measure],
                    (double)f->max, f->frame, f->bone ? f->bone : "the whole");
    }
    return above;
}

void od_check_print(FILE *out, const od_check *check, const double *limits)
{
    od_measure last = OD_MEASURE_COUNT;
    fprintf(out, "%d frames, %.1f s, %zu keys\n\n", check->frames, check->frames / 30.0, check->keys);
    fprintf(out, "  %10s%10s%10s%10s\n", "mean", "p50", "p95", "max");
    for (int i = 0; i < check->figure_count; i++) {
        const od_figure *f = &check->figures[i];
        const od_measure_row *row = &od_measures()[f->measure];
        if (f->measure != last) fprintf(out, "%s%s%s\n", row->title, *row->unit ? ", " : "", row->unit);
        last = f->measure;
        fprintf(out, "%c ", !f->is_sum && is_above(f, limits) ? '!' : ' ');
        if (is_count(f)) fprintf(out, "%40.0f", (double)f->max);
        else fprintf(out, "%10.4g%10.4g%10.4g%10.4g", (double)f->mean, (double)f->p50, (double)f->p95, (double)f->max);
        fputs("  ", out);
        od_print_text(out, f->group);
        if (f->frame >= 0) fprintf(out, ", frame %d", f->frame);
        if (f->bone) fputs(", ", out);
        if (f->bone) od_print_text(out, f->bone);
        fputc('\n', out);
    }
}

double od_check_worst(const od_check *check, od_measure measure, const char *group, const char *other)
{
    double value = -1;
    for (int i = 0; i < check->figure_count; i++) {
        const od_figure *f = &check->figures[i];
        if (f->measure != measure || f->is_sum) continue;
        if (group && strcmp(f->group, group) != 0 && strcmp(f->group, other) != 0) continue;
        value = fmax(value, (double)od_figure_judged(f));
    }
    return value;
}

void od_check_print_line(FILE *out, const od_check *check)
{
    double legs = od_check_worst(check, OD_MEASURE_DIRECTION, "thighs", "shins");
    double slide = od_check_worst(check, OD_MEASURE_SLIDE, NULL, NULL);
    double source = od_check_worst(check, OD_MEASURE_SOURCE_SLIDE, NULL, NULL);
    double residual = od_check_worst(check, OD_MEASURE_RESIDUAL, NULL, NULL);
    const char *before = "  played back: ";
    if (legs >= 0) fprintf(out, "%slegs within %.1f deg in 95 %%", before, legs), before = ", ";
    if (slide >= 0) fprintf(out, "%sfeet slide %.2f cm/frame", before, slide), before = ", ";
    if (slide >= 0 && source >= 0) fprintf(out, " (source %.2f)", source);
    if (residual >= 0) fprintf(out, "%sIK residual %.5f", before, residual), before = ", ";
    if (before[0] == ',') fputc('\n', out);
}

void od_check_write(od_writer *w, const char *name, const od_check *check, const double *limits)
{
    od_writer_begin(w, name, '{');
    od_writer_number(w, "frames", check->frames);
    od_writer_number(w, "keys", (double)check->keys);
    od_writer_number(w, "ik_iterations", check->iterations);
    od_writer_begin(w, "figures", '[');
    for (int i = 0; i < check->figure_count; i++) {
        const od_figure *f = &check->figures[i];
        od_writer_begin(w, NULL, '{');
        od_writer_text(w, "measure", od_measures()[f->measure].name);
        od_writer_text(w, "unit", od_measures()[f->measure].unit);
        od_writer_text(w, "group", f->group);
        od_writer_number(w, "samples", f->count);
        od_writer_number(w, "mean", (double)f->mean);
        od_writer_number(w, "p50", (double)f->p50);
        od_writer_number(w, "p95", (double)f->p95);
        od_writer_number(w, "max", (double)f->max);
        od_writer_number(w, "frame", f->frame < 0 ? (double)NAN : f->frame);
        od_writer_text(w, "bone", f->bone);
        od_writer_number(w, "limit", limits[f->measure]);
        od_writer_bool(w, "above", is_above(f, limits));
        od_writer_end(w, '}');
    }
    od_writer_end(w, ']');
    od_writer_end(w, '}');
}
