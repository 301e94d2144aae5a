/* Memory of a whole conversion against the size of the file: the sample dance, repeated until it is long,
 * as it is and with numbers as short as they can be, at the rate of a camera and at that of MMD. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "odori/odori.h"

enum { SIZE = 48 << 20, ROOM = 32 << 20 /* bytes that any conversion may take */ };

static void stop(const char *what, const char *message)
{
    (void)fprintf(stderr, "bench_memory: %s: %s\n", what, message);
    exit(1);
}

/* The whole sample; NUL-terminated. */
static char *read_sample(void)
{
    FILE *file = fopen("samples/dance.bvh", "rb");
    size_t room = 4 << 20;
    char *text = calloc(1, room);
    if (!file || !text || fread(text, 1, room - 1, file) == 0)
        stop("samples/dance.bvh", "cannot be read; run it from the project's folder");
    (void)fclose(file);
    return text;
}

/* Copies rows; without what follows a point when numbers are to be whole. */
static size_t put_rows(char *to, const char *rows, bool whole)
{
    char *start = to;
    for (bool skip = false; *rows; rows++) {
        if (*rows == '.') skip = whole;
        else if (*rows < '0' || *rows > '9') skip = false;
        if (!skip) *to++ = *rows;
    }
    return (size_t)(to - start);
}

/* The sample's tree, then its rows again and again. Without a count all rows are taken. */
static od_file make_file(bool whole, const char *time)
{
    char *sample = read_sample(), *motion = strstr(sample, "MOTION"), *rate = strstr(sample, "Frame Time:");
    const char *rows = rate ? strchr(rate, '\n') : NULL;
    char *text = malloc(SIZE + 2 * strlen(sample));
    if (!motion || !rows || !text) stop("the sample", "has no motion");
    size_t size = (size_t)(motion - sample);
    memcpy(text, sample, size);
    size += (size_t)sprintf(text + size, "MOTION\nFrame Time: %s\n", time);
    while (size < SIZE) size += put_rows(text + size, rows + 1, whole);
    free(sample);
    return (od_file){.name = "dance.bvh", .data = (unsigned char *)text, .size = size};
}

static bool drop(void *context, const void *data, size_t size, od_error *error)
{
    (void)context;
    (void)data;
    (void)size;
    (void)error;
    return true;
}

/* All that the program does between the file's bytes and the VMD's. */
static void convert(od_file *file)
{
    od_error error = {0};
    od_arena *arena = od_arena_new(0);
    od_scene scene;
    od_target target;
    od_mapping mapping;
    od_binding binding;
    od_keys keys;
    od_retarget_result result;
    od_check check;
    bool done = od_read_scene(file, NULL, NULL, &scene, NULL, arena, &error);
    free((void *)(uintptr_t)file->data);
    done = done && od_target_standard(&target, arena, &error) &&
           od_mapping_detect(&scene.skeleton, &mapping, NULL, arena, &error) &&
           od_binding_make(&mapping, &scene.skeleton, &target, &binding, NULL, arena, &error) &&
           od_retarget(&scene, &scene.clips[0], &binding, &target, &(od_retarget_options){0}, &keys, &result, NULL,
                       arena, &error) &&
           od_check_motion(&target, &keys, &result.reference, &(od_check_options){.every = 10}, &check, NULL, arena,
                           &error) &&
           od_vmd_write(&keys, &(od_sink){.write = drop}, NULL, &error);
    if (!done) stop("conversion", error.message);
    od_arena_free(arena);
}

/* Peak over the file's size, of a process that does nothing else. */
static double measure(bool whole, const char *time)
{
    int ends[2];
    double ratio = 0;
    if (pipe(ends)) exit(1);
    pid_t child = fork();
    if (child == 0) {
        struct rusage usage;
        od_file file = make_file(whole, time);
        double size = (double)file.size;
        convert(&file);
        (void)getrusage(RUSAGE_SELF, &usage);
        ratio = ((double)usage.ru_maxrss * 1024 - ROOM) / size;
        _exit(write(ends[1], &ratio, sizeof ratio) != (ssize_t)sizeof ratio);
    }
    (void)close(ends[1]);
    if (child < 0 || read(ends[0], &ratio, sizeof ratio) != (ssize_t)sizeof ratio) exit(1);
    (void)close(ends[0]);
    (void)waitpid(child, NULL, 0);
    return ratio;
}

int main(void)
{
    static const struct {
        const char *title;
        bool whole;
        const char *time;
    } cases[] = {
        {"the sample's numbers, 60 fps", false, "0.0166667"},
        {"the sample's numbers, 30 fps", false, "0.0333333"},
        {"whole numbers, 60 fps", true, "0.0166667"},
        {"whole numbers, 30 fps", true, "0.0333333"},
    };
    puts("a conversion: (peak memory - 32 MiB) / size of the file");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ratio = measure(cases[i].whole, cases[i].time);
        printf("%-44s %6.2f   (at most 3)%s\n", cases[i].title, ratio, ratio <= 3 ? "" : "   MISSED");
    }
    return 0;
}
