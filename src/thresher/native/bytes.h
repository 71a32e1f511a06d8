/* Bytes that are appended to a place with limited room. */

#ifndef THRESHER_BYTES_H
#define THRESHER_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes that are appended to; `is_full` once one did not fit. */
typedef struct {
    uint8_t *bytes;
    size_t n, n_room;
    int is_full;
} Text;

static inline void put(Text *text, const uint8_t *bytes, size_t n)
{
    if (n > text->n_room - text->n) {
        text->is_full = 1;
        return;
    }
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
}

static inline void put_byte(Text *text, uint8_t byte)
{
    if (text->n == text->n_room) {
        text->is_full = 1;
        return;
    }
    text->bytes[text->n++] = byte;
}

#endif
