/* Text: UTF-8 inside, CP932 and UTF-16LE at the borders. */
#ifndef ODORI_BASE_TEXT_H
#define ODORI_BASE_TEXT_H

#include <stddef.h>

#include "odori/arena.h"

/* UTF-8 from CP932 bytes up to the first NUL or `size`. A character that was cut at the end is
 * dropped, invalid bytes become U+FFFD. */
char *od_text_from_cp932(od_arena *arena, const unsigned char *bytes, size_t size, od_error *error);

/* Are these bytes whole characters of CP932? */
bool od_text_is_cp932(const unsigned char *bytes, size_t size);

/* Does this byte begin a CP932 character of two? The second may be any of 0x40 to 0xFC, thus '{' as well. */
bool od_cp932_is_lead(unsigned char byte);

/* Are these bytes whole characters of UTF-8? */
bool od_text_is_utf8(const unsigned char *bytes, size_t size);

/* UTF-8 from UTF-16LE of `size` bytes (an odd last byte is ignored); lone surrogates and NUL become
 * U+FFFD. */
char *od_text_from_utf16(od_arena *arena, const unsigned char *bytes, size_t size, od_error *error);

/* UTF-16LE from valid UTF-8; `*size` in bytes. */
unsigned char *od_text_to_utf16(od_arena *arena, const char *utf8, size_t *size, od_error *error);

/* UTF-8 from bytes that should be UTF-8: invalid sequences and NUL become U+FFFD. */
char *od_text_from_utf8(od_arena *arena, const unsigned char *bytes, size_t size, od_error *error);

/* The CP932 form of a UTF-8 text in a field of `size` bytes: cut at a character, NUL padded.
 * `*lost`: characters that CP932 lacks were met (the field then is all zero, as MMD itself writes
 * it); `*cut`: it did not fit. Both may be NULL. */
void od_text_to_cp932(const char *utf8, unsigned char *field, size_t size, bool *lost, bool *cut);

/* Bytes of the UTF-8 character at `text` if it is whole and valid within `size`, else 0. */
size_t od_utf8_length(const unsigned char *text, size_t size);

#endif
