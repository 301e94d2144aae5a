/* Input: outcomes. Output: a table, the worst first. */
#include "cli/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/load.h"
#include "cli/print.h"

/* The largest share of a limit. */
static double badness(const od_outcome *row, const double *limits)
{
    if (row->status != EXIT_DONE) return (double)INFINITY;
    if (row->kept) return -1;
    double worst = fmax(row->direction / limits[OD_MEASURE_DIRECTION], row->slide / limits[OD_MEASURE_SLIDE]);
    return fmax(worst, row->residual / limits[OD_MEASURE_RESIDUAL]);
}

typedef struct place {
    double badness;
    int row;
} place;

static int by_badness(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->badness != y->badness) return x->badness > y->badness ? -1 : 1;
    return x->row - y->row;
}

static void print_figure(FILE *out, int width, int digits, double value)
{
    if (value < 0) fprintf(out, "%*s", width, "-");
    else fprintf(out, "%*.*f", width, digits, value);
}

void od_summary_print(FILE *out, const od_outcomes *outcomes, const double *limits)
{
    place *order = calloc((size_t)outcomes->count + 1, sizeof *order);
    if (!order) return;
    for (int i = 0; i < outcomes->count; i++) order[i] = (place){badness(&outcomes->rows[i], limits), i};
    qsort(order, (size_t)outcomes->count, sizeof *order, by_badness);
    fprintf(out, "%-16s%8s%8s%8s%10s%9s%8s  %s\n", "mapping", "frames", "degrees", "cm slide", "IK units", "keys",
            "seconds", "file");
    for (int i = 0; i < outcomes->count; i++) {
        const od_outcome *row = &outcomes->rows[order[i].row];
        if (row->status != EXIT_DONE) fprintf(out, "%-67s", "failed");
        else if (row->kept) fprintf(out, "%-67s", "was there");
        else {
            fprintf(out, "%-15.15s %8d", *row->mapping ? row->mapping : "-", row->frames);
            print_figure(out, 8, 1, row->direction);
            print_figure(out, 8, 2, row->slide);
            print_figure(out, 10, 4, row->residual);
            print_figure(out, 9, 0, row->keys);
            print_figure(out, 8, 2, row->seconds);
        }
        fputs("  ", out);
        od_print_text(out, row->output ? row->output : od_load_name(row->source));
        fputc('\n', out);
    }
    free(order);
}
