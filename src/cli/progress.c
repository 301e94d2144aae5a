/* Input: what is done. Output: a line that is drawn again and again, or a JSON object a line. */
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/print.h"

double od_progress_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

od_progress od_progress_begin(const od_cli *cli, size_t total)
{
    od_progress p = {.kind = cli->progress, .total = total, .begin = od_progress_now()};
    p.enabled = cli->progress != OD_PROGRESS_AUTO || (!cli->quiet && isatty(STDERR_FILENO));
    if (p.kind == OD_PROGRESS_JSON) fprintf(stderr, "{\"event\": \"begin\", \"total\": %zu}\n", total);
    return p;
}

static void put_text(const char *name, const char *text)
{
    fprintf(stderr, ", \"%s\": ", name);
    if (text) od_print_json(stderr, text);
    else fputs("null", stderr);
}

static double rate(const od_progress *p)
{
    double seconds = od_progress_now() - p->begin;
    return seconds > 0 ? p->frames / seconds : 0;
}

static void print_json(const od_progress *p, const od_outcome *row)
{
    fprintf(stderr, "{\"event\": \"output\"");
    put_text("source", row->source);
    put_text("output", row->output);
    put_text("error", row->error);
    fprintf(stderr,
            ", \"status\": %d, \"kept\": %s, \"frames\": %d, \"seconds\": %.3f, \"done\": %zu, \"total\": %zu, "
            "\"failed\": %zu}\n",
            row->status, row->kept ? "true" : "false", row->frames, row->seconds, p->done, p->total, p->failed);
}

void od_progress_note(od_progress *p, const od_outcomes *outcomes)
{
    bool failed = outcomes->lost, kept = outcomes->count > 0;
    for (int i = 0; i < outcomes->count; i++) {
        const od_outcome *row = &outcomes->rows[i];
        failed = failed || row->status != EXIT_DONE;
        kept = kept && row->kept;
        p->frames += row->status == EXIT_DONE ? row->frames : 0;
    }
    p->done++;
    p->failed += failed;
    p->kept += kept;
    for (int i = 0; i < outcomes->count && p->kind == OD_PROGRESS_JSON; i++) print_json(p, &outcomes->rows[i]);
}

void od_progress_draw(od_progress *p)
{
    enum { BAR = 20 };
    struct winsize size;
    double now = od_progress_now();
    if (!p->enabled || p->kind == OD_PROGRESS_JSON || now - p->drawn < 0.1) return;
    int filled = p->total ? (int)(BAR * p->done / p->total) : BAR;
    size_t worked = p->done - p->kept;
    char line[160], left[32] = "";
    if (worked) {
        double seconds = (now - p->begin) / (double)worked * (double)(p->total - p->done);
        snprintf(left, sizeof left, "  %.0f:%02d left", (double)(int)(seconds / 60), (int)seconds % 60);
    }
    snprintf(line, sizeof line, "[%.*s%*s] %zu/%zu  %.0f frames/s%s  %zu failed", filled, "####################",
             BAR - filled, "", p->done, p->total, rate(p), left, p->failed);
    int width = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1 ? size.ws_col - 1 : 79;
    fprintf(stderr, "\r\x1b[K%.*s", width, line);
    p->drawn = now;
    p->shown = true;
}

void od_progress_clear(od_progress *p)
{
    if (p->shown) fputs("\r\x1b[K", stderr);
    p->shown = false;
}

void od_progress_end(od_progress *p, size_t left)
{
    od_progress_clear(p);
    if (p->kind == OD_PROGRESS_JSON)
        fprintf(stderr,
                "{\"event\": \"end\", \"done\": %zu, \"total\": %zu, \"failed\": %zu, \"kept\": %zu, "
                "\"left\": %zu, \"frames\": %.0f, \"frames_per_second\": %.1f}\n",
                p->done, p->total, p->failed, p->kept, left, p->frames, rate(p));
}
