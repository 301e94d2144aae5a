/* Input: a word, known words. Output: the known one that takes fewest changes of a letter. */
#include "base/nearest.h"

#include <stddef.h>
#include <string.h>

/* Levenshtein's distance of short words. */
static size_t distance(const char *a, const char *b)
{
    size_t row[64], n = strlen(b);
    if (n >= 64) return n;
    for (size_t k = 0; k <= n; k++) row[k] = k;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < n; k++) {
            size_t change = diagonal + (a[i] != b[k]);
            diagonal = row[k + 1];
            size_t other = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;
            row[k + 1] = change < other ? change : other;
        }
    }
    return row[n];
}

const char *od_nearest(const char *word, const char *const *words)
{
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 2; /* about one slip in three letters */
    for (; *words; words++) {
        size_t d = distance(word, *words);
        if (d >= least) continue;
        least = d;
        best = *words;
    }
    return best;
}
