/* One line of text for people: hostile names must not drive a terminal or break a line. */
#ifndef ODORI_BASE_LINE_H
#define ODORI_BASE_LINE_H

#include <stdbool.h>

/* Replaces control characters (C0, DEL, and C1 in UTF-8) by '?'. With `cut`, also removes the
 * incomplete UTF-8 character that vsnprintf may have left at the end. */
void od_line_clean(char *text, bool cut);

#endif
