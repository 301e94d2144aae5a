/* Input: tasks. Output: the same, done by several threads and collected in order.
 * Invariant: tasks are begun in order, so that those which were begun are always the first ones. */
#define _GNU_SOURCE /* for sched_getaffinity; NOLINT(bugprone-reserved-identifier) */
#include "cli/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct crew {
    const od_workers *workers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;
    bool stopped;
    bool *done;
} crew;

static void *serve(void *context)
{
    crew *c = context;
    pthread_mutex_lock(&c->lock);
    while (!c->stopped && c->next < c->workers->count) {
        size_t task = c->next++;
        pthread_mutex_unlock(&c->lock);
        bool more = c->workers->work(c->workers->context, task);
        pthread_mutex_lock(&c->lock);
        c->stopped = c->stopped || !more;
        c->done[task] = true;
        pthread_cond_signal(&c->changed);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void stop(crew *c)
{
    pthread_mutex_lock(&c->lock);
    c->stopped = true;
    pthread_mutex_unlock(&c->lock);
}

/* Waits for a task, at most a tenth of a second. 1: it is done, 0: not yet, -1: it will never be. */
static int wait_for(crew *c, size_t task)
{
    enum { TENTH = 100000000, SECOND = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TENTH;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    pthread_mutex_lock(&c->lock);
    if (!c->done[task] && !(c->stopped && task >= c->next)) pthread_cond_timedwait(&c->changed, &c->lock, &until);
    int state = c->done[task] ? 1 : c->stopped && task >= c->next ? -1 : 0;
    pthread_mutex_unlock(&c->lock);
    return state;
}

static size_t collect(crew *c)
{
    const od_workers *w = c->workers;
    for (size_t task = 0; task < w->count;) {
        int state = wait_for(c, task);
        if (state < 0) return task;
        if (state) w->collect(w->context, task++);
        if (!w->tick(w->context)) stop(c);
    }
    return w->count;
}

/* Without threads. */
static size_t work_alone(const od_workers *w)
{
    size_t task = 0;
    for (bool more = true; more && task < w->count; task++) {
        more = w->work(w->context, task);
        w->collect(w->context, task);
        more = w->tick(w->context) && more;
    }
    return task;
}

size_t od_workers_run(const od_workers *w)
{
    size_t most = w->count < (size_t)w->threads ? w->count : (size_t)w->threads, started = 0;
    crew c = {.workers = w, .done = calloc(w->count + 1, sizeof *c.done)};
    pthread_t *threads = calloc(most + 1, sizeof *threads);
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.changed, NULL);
    while (c.done && threads && started < most && !pthread_create(&threads[started], NULL, serve, &c)) started++;
    size_t done = started ? collect(&c) : work_alone(w);
    for (size_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_cond_destroy(&c.changed);
    pthread_mutex_destroy(&c.lock);
    free(threads);
    free(c.done);
    return done;
}

/* Two numbers of a file; -1 for what is not there, as for "max". */
static void read_numbers(const char *folder, const char *name, double numbers[2])
{
    char path[4096];
    numbers[0] = numbers[1] = -1;
    int size = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = size < (int)sizeof path ? fopen(path, "r") : NULL;
    char text[64] = "";
    if (in && fgets(text, sizeof text, in)) {
        char *end;
        double first = strtod(text, &end);
        if (end != text) numbers[0] = first;
        numbers[1] = strtod(end + strcspn(end, " "), NULL);
    }
    if (in) fclose(in);
}

/* Processors that a control group may use; 0: as many as there are. */
static double quota_of(const char *folder, bool unified)
{
    double quota[2], period[2];
    read_numbers(folder, unified ? "cpu.max" : "cpu.cfs_quota_us", quota);
    if (unified) return quota[0] > 0 && quota[1] > 0 ? quota[0] / quota[1] : 0;
    read_numbers(folder, "cpu.cfs_period_us", period);
    return quota[0] > 0 && period[0] > 0 ? quota[0] / period[0] : 0;
}

/* The least quota of a group and those that it is in; `folder` is changed. */
static double least_quota(char *folder, size_t root, bool unified)
{
    double least = 0;
    for (;;) {
        double quota = quota_of(folder, unified);
        if (quota > 0 && (least == 0 || quota < least)) least = quota;
        char *slash = strrchr(folder, '/');
        if (!slash || slash < folder + root) return least;
        *slash = '\0';
    }
}

/* Lines of /proc/self/cgroup are "0::/path" (version 2) or "4:cpu,cpuacct:/path" (version 1). */
static double cgroup_quota(void)
{
    char line[4096], folder[4200];
    double least = 0;
    FILE *in = fopen("/proc/self/cgroup", "r");
    while (in && fgets(line, sizeof line, in)) {
        char *kinds = strchr(line, ':'), *path = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!path) continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        bool unified = !kinds[1], cpu = !strncmp(kinds + 1, "cpu", 3) && (kinds[4] == '\0' || kinds[4] == ',');
        if (!unified && !cpu && !strstr(kinds + 1, ",cpu")) continue;
        size_t root =
            (size_t)snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s", unified ? "" : "/", unified ? "" : kinds + 1);
        snprintf(folder + root, sizeof folder - root, "%s", path);
        double quota = least_quota(folder, root, unified);
        if (quota > 0 && (least == 0 || quota < least)) least = quota;
    }
    if (in) fclose(in);
    return least;
}

int od_workers_cores(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    double quota = cgroup_quota();
    if (quota > 0 && quota < cores) cores = (int)quota + (quota > (int)quota); /* half a processor is one worker */
    return cores > 0 ? cores : 1;
}
