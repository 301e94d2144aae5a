/* Reading BVH: time against a bare scan of the digits and against strtod, memory against the size of
 * the file, cost against the number of frames. All of one run, on a file made in memory. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "format/bvh.h"

enum { JOINTS = 31, COLUMNS = 6 + 3 * (JOINTS - 1), FRAMES = 60000, ROUNDS = 12 };

typedef struct text {
    char *bytes;
    size_t size;
    size_t rows; /* where the rows begin */
    size_t numbers;
} text;

static void *must(void *memory)
{
    if (memory) return memory;
    (void)fprintf(stderr, "out of memory\n");
    exit(1);
}

/* A rig of thirty-one joints in five chains, turning smoothly with some noise. */
static text make_text(int frames)
{
    size_t room = 8192 + (size_t)frames * COLUMNS * 12;
    text t = {.bytes = must(malloc(room)), .numbers = (size_t)frames * COLUMNS};
    size_t n = (size_t)snprintf(t.bytes, room,
                                "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition "
                                "Zrotation Yrotation Xrotation\n");
    for (int i = 1; i < JOINTS; i++) {
        n += (size_t)snprintf(t.bytes + n, room - n,
                              "\tJOINT Joint%d\n\t{\n\t\tOFFSET 0.0 %d.5 1.25\n\t\tCHANNELS 3 Zrotation Yrotation "
                              "Xrotation\n",
                              i, i);
        if (i % 6 == 0)
            n += (size_t)snprintf(t.bytes + n, room - n, "\tEnd Site\n\t{\n\t\tOFFSET 0 5 0\n\t}\n\t}}}}}}\n");
    }
    n += (size_t)snprintf(t.bytes + n, room - n, "}\nMOTION\nFrames: %d\nFrame Time: .0083333\n", frames);
    t.rows = n;
    uint32_t seed = 1;
    for (int frame = 0; frame < frames; frame++) {
        for (int c = 0; c < COLUMNS; c++) {
            seed = seed * 1664525u + 1013904223u;
            double reach = c < 6 ? 100 : 5 + 7 * (c % 11);
            double value = reach * sin(frame * 0.01 + c) + (seed >> 16) * 1e-5;
            n += (size_t)snprintf(t.bytes + n, room - n, "%.4f%c", value, c + 1 < COLUMNS ? ' ' : '\n');
        }
    }
    t.size = n;
    return t;
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- what is timed ------------------------------------------------------------------------------- */

/* Each pass returns a sum of the numbers, so that none can be left out; they must agree. */
typedef double pass(const text *);

/* The floor: one look at each byte, digits gathered, no care for exactness, exponents or faults. */
static double scan_bytes(const text *t)
{
    static const double parts[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    const char *p = t->bytes + t->rows, *end = t->bytes + t->size;
    double sum = 0;
    while (p < end) {
        int64_t digits = 0;
        bool negative = *p == '-';
        p += negative;
        while (*p >= '0') digits = digits * 10 + (*p++ - '0');
        const char *point = p;
        if (*p == '.')
            for (p++; *p >= '0'; p++) digits = digits * 10 + (*p - '0');
        size_t places = p > point ? (size_t)(p - point - 1) : 0;
        double value = (double)digits * parts[places];
        sum += negative ? -value : value;
        p++;
    }
    return sum;
}

/* The same floor with eight bytes looked at together: the digits of a part without a loop. */
static double scan_words(const text *t)
{
    static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    static const double parts[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    const char *p = t->bytes + t->rows, *end = t->bytes + t->size; /* the buffer goes on behind its end */
    double sum = 0;
    while (p < end) {
        uint64_t digits = 0;
        size_t places = 0;
        bool negative = *p == '-';
        p += negative;
        for (int part = 0; part < 2; part++) {
            uint64_t b;
            memcpy(&b, p, sizeof b);
            b ^= UINT64_C(0x3030303030303030);
            uint64_t other = (b | (b + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
            size_t n = (size_t)__builtin_ctzll(other) / 8;
            b <<= 1;
            b <<= 63 - 8 * n;
            b = b * 10 + (b >> 8);
            b = ((b & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
                 ((b >> 16) & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
                32;
            digits = digits * powers[n] + (uint32_t)b;
            places = part ? n : 0;
            p += n;
            if (*p != '.') break;
            p++;
        }
        double value = (double)(int64_t)digits * parts[places];
        sum += negative ? -value : value;
        p++;
    }
    return sum;
}

/* Text to numbers as the reader does it. */
static double parse_numbers(const text *t)
{
    const char *p = t->bytes + t->rows, *end = t->bytes + t->size;
    double sum = 0;
    for (;;) {
        while (p < end && (unsigned char)*p <= ' ') p++;
        if (p == end) return sum;
        double value;
        p = od_number_parse(p, end, &value);
        if (!p) exit(1);
        sum += value;
    }
}

static double parse_by_strtod(const text *t)
{
    char *p = t->bytes + t->rows, *end = t->bytes + t->size; /* make_text leaves a NUL there */
    double sum = 0;
    while (p + 1 < end) sum += strtod(p, &p);
    return sum;
}

typedef struct measure {
    pass *run;
    double best, sum;
} measure;

/* The best time of each pass; they take turns, so that what else the machine does hits all alike. */
static void measure_all(measure *measures, int count, const text *t)
{
    for (int i = 0; i < ROUNDS * count; i++) {
        measure *m = &measures[i % count];
        double start = now();
        m->sum = m->run(t);
        double time = now() - start;
        m->best = i < count ? time : fmin(time, m->best);
    }
}

/* ---- the whole reader ---------------------------------------------------------------------------- */

typedef struct reading {
    double seconds, peak; /* peak: most bytes in use, those of the text included */
} reading;

/* Text to transforms, once, in a process with nothing but the text, as a conversion does it. */
static reading read_in_child(const text *t)
{
    int ends[2];
    reading r = {0, 0};
    if (pipe(ends)) exit(1);
    pid_t child = fork();
    if (child == 0) {
        od_file file = {.name = "bench.bvh", .data = (const unsigned char *)t->bytes, .size = t->size};
        od_scene scene;
        struct rusage usage;
        od_arena *arena = must(od_arena_new(0));
        double start = now();
        if (!od_bvh_read(&file, NULL, &scene, NULL, arena, NULL)) _exit(1);
        r.seconds = now() - start;
        (void)getrusage(RUSAGE_SELF, &usage);
        r.peak = (double)usage.ru_maxrss * 1024;
        _exit(write(ends[1], &r, sizeof r) != (ssize_t)sizeof r);
    }
    (void)close(ends[1]);
    if (child < 0 || read(ends[0], &r, sizeof r) != (ssize_t)sizeof r) exit(1);
    (void)close(ends[0]);
    (void)waitpid(child, NULL, 0);
    return r;
}

static reading best_reading(reading a, reading b)
{
    return (reading){.seconds = fmin(a.seconds, b.seconds), .peak = fmax(a.peak, b.peak)};
}

/* ---- output -------------------------------------------------------------------------------------- */

static void show(const char *what, double ratio, double limit, bool at_least)
{
    bool met = at_least ? ratio >= limit : ratio <= limit;
    printf("%-44s %6.2f   (%s %g)%s\n", what, ratio, at_least ? "at least" : "at most", limit, met ? "" : "   MISSED");
}

int main(void)
{
    text t = make_text(FRAMES), tenth = make_text(FRAMES / 10);
    double size = (double)t.size;
    reading whole = read_in_child(&t), part = read_in_child(&tenth);
    for (int i = 1; i < ROUNDS; i++) {
        whole = best_reading(whole, read_in_child(&t));
        part = best_reading(part, read_in_child(&tenth));
    }

    enum { BYTES, WORDS, NUMBERS, STRTOD, COUNT };
    measure m[COUNT] = {{.run = scan_bytes}, {.run = scan_words}, {.run = parse_numbers}, {.run = parse_by_strtod}};
    measure_all(m, COUNT, &t);
    for (int i = 1; i < COUNT; i++)
        if (!(fabs(m[i].sum - m[0].sum) <= 1e-9 * (double)t.numbers))
            printf("the sums differ: %.9g %.9g\n", m[0].sum, m[i].sum);
    double fastest = fmin(m[BYTES].best, m[WORDS].best);

    printf(
        "%.1f MB, %d frames of %d numbers; MB/s: scan by bytes %.0f, by words %.0f, text to numbers %.0f, strtod %.0f, "
        "whole reader %.0f\n",
        size / 1e6, FRAMES, COLUMNS, size / m[BYTES].best / 1e6, size / m[WORDS].best / 1e6,
        size / m[NUMBERS].best / 1e6, size / m[STRTOD].best / 1e6, size / whole.seconds / 1e6);
    show("text to numbers / fastest scan", m[NUMBERS].best / fastest, 1.5, false);
    show("strtod loop / text to numbers", m[STRTOD].best / m[NUMBERS].best, 5, true);
    show("strtod loop / whole reader", m[STRTOD].best / whole.seconds, 1, true);
    show("(peak memory - 32 MiB) / size of the file", (whole.peak - 32 * 1024 * 1024) / size, 3, false);
    show("time of 10 x the frames", whole.seconds / part.seconds, 10.5, false);
    free(tenth.bytes);
    free(t.bytes);
    return 0;
}
