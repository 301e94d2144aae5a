/* Nearest: what a misspelt word was meant to be. */
#ifndef ODORI_BASE_NEAREST_H
#define ODORI_BASE_NEAREST_H

/* The known word nearest to a misspelt one, NULL when none is near. `words` ends with NULL. */
const char *od_nearest(const char *word, const char *const *words);

#endif
