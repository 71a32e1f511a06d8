/* Kinds of bytes of ASCII and UTF-8. */

#ifndef THRESHER_BYTE_KINDS_H
#define THRESHER_BYTE_KINDS_H

#include <stdint.h>

static inline int is_letter(uint8_t byte)
{
    return (uint8_t)((byte | 0x20) - 'a') < 26;
}

static inline int is_digit(uint8_t byte)
{
    return (uint8_t)(byte - '0') < 10;
}

static inline int is_ascii_alnum(uint8_t byte)
{
    return is_letter(byte) || is_digit(byte);
}

static inline uint8_t lower(uint8_t byte)
{
    return (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte;
}

/* Whether a byte is not the first of its character in UTF-8. */
static inline int continues_character(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

#endif
