/* Well-formed UTF-8 (Unicode, table 3-7). */

#include "../byte_kinds.h"
#include "../core.h"

#include <string.h>

/* The number of bytes of the character at `at`; 0 if there is none. */
static size_t size_of(const uint8_t *at, size_t left)
{
    const uint8_t first = at[0], second = left > 1 ? at[1] : 0;
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xC2 || !continues_character(second)) {
        return 0;
    }
    if (first < 0xE0) {
        return 2;
    }
    if (left < 3 || !continues_character(at[2])) {
        return 0;
    }
    if (first < 0xF0) {
        /* Neither overlong nor a surrogate. */
        return (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ? 0 : 3;
    }
    if (left < 4 || !continues_character(at[3]) || first > 0xF4) {
        return 0;
    }
    return (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ? 0 : 4;
}

int64_t measure_utf8(const uint8_t *bytes, size_t n)
{
    const uint64_t high = 0x8080808080808080U;
    int64_t n_char = 0;
    for (size_t at = 0; at < n;) {
        /* Most of a page's markup is ASCII. */
        uint64_t words[4];
        while (n - at >= sizeof words) {
            memcpy(words, bytes + at, sizeof words);
            if ((words[0] | words[1] | words[2] | words[3]) & high) {
                break;
            }
            at += sizeof words;
            n_char += (int64_t)sizeof words;
        }
        for (size_t stop = n - at < sizeof words ? n : at + sizeof words; at < stop;) {
            const size_t size = size_of(bytes + at, n - at);
            if (size == 0) {
                return REFUSED;
            }
            at += size;
            n_char++;
        }
    }
    return n_char;
}
