/* The text of a page: texts joined and unescaped, and their words counted. */

#include "core.h"

#include <string.h>

/* Codes of thresher.characters: the part in words lies in bits 8 to 11. */
enum { PART_SPACE = 1, PART_WORD = 2, PART_IDEOGRAPH = 3, PART_MARK = 4, PART_JOINER = 5 };

typedef struct {
    const char *escape, *character;
    size_t n_escape, n_character;
} Escape;

/* The escapes of texts (HTML Living Standard, 13.3). */
static const Escape ESCAPES[] = {
    {"&nbsp;", "\xC2\xA0", 6, 2}, {"&lt;", "<", 4, 1}, {"&gt;", ">", 4, 1}, {"&amp;", "&", 5, 1}};

static size_t count_characters(const uint8_t *bytes, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += (bytes[i] & 0xC0) != 0x80;
    }
    return count;
}

/* Copy n bytes unescaped to `to`, which has room for as many; return how many it became. */
static size_t unescape(const uint8_t *from, size_t n, uint8_t *to)
{
    size_t i = 0, size = 0;
    while (i < n) {
        const uint8_t *amp = memchr(from + i, '&', n - i);
        size_t plain = amp ? (size_t)(amp - from) - i : n - i;
        memcpy(to + size, from + i, plain);
        i += plain;
        size += plain;
        if (!amp) {
            break;
        }
        size_t which = 0, n_escape = sizeof ESCAPES / sizeof *ESCAPES;
        while (which < n_escape
               && (n - i < ESCAPES[which].n_escape
                   || memcmp(from + i, ESCAPES[which].escape, ESCAPES[which].n_escape) != 0)) {
            which++;
        }
        if (which == n_escape) {
            to[size++] = from[i++];
            continue;
        }
        memcpy(to + size, ESCAPES[which].character, ESCAPES[which].n_character);
        i += ESCAPES[which].n_escape;
        size += ESCAPES[which].n_character;
    }
    return size;
}

int64_t join_text(const uint8_t *buffer, size_t n, size_t n_text, const int32_t *start,
                  const int32_t *stop, uint8_t *joined, size_t n_room, int32_t *offsets)
{
    size_t size = 0, characters = 0;
    for (size_t text = 0; text < n_text; text++) {
        if (start[text] < 0 || stop[text] < start[text] || (size_t)stop[text] > n
            || (size_t)(stop[text] - start[text]) > n_room - size) {
            return REFUSED;
        }
        offsets[text] = (int32_t)characters;
        size_t added = unescape(buffer + start[text], (size_t)(stop[text] - start[text]),
                                joined + size);
        characters += count_characters(joined + size, added);
        size += added;
    }
    offsets[n_text] = (int32_t)characters;
    return (int64_t)size;
}

/* The code of a character beyond the basic plane. */
static uint16_t classify_astral(uint32_t point, uint16_t code, const int32_t *astral)
{
    if (point < (uint32_t)astral[0]) {
        return code | PART_WORD << 8;
    }
    const int is_ideograph = point >= (uint32_t)astral[1] && point < (uint32_t)astral[2];
    return is_ideograph ? code | PART_IDEOGRAPH << 8 : code;
}

int classify(const uint8_t *utf16, size_t n_unit, const uint16_t *code_of, const int32_t *astral,
             uint16_t *codes, size_t n_char)
{
    size_t at = 0, done = 0;
    for (; at < n_unit && done < n_char; at++, done++) {
        const uint32_t unit = utf16[2 * at] | (uint32_t)utf16[2 * at + 1] << 8;
        if ((unit & 0xFC00) != 0xD800) {
            codes[done] = code_of[unit];
            continue;
        }
        if (++at == n_unit) {
            return REFUSED;
        }
        const uint32_t second = utf16[2 * at] | (uint32_t)utf16[2 * at + 1] << 8;
        const uint32_t point = 0x10000 + ((unit & 0x3FF) << 10) + (second & 0x3FF);
        codes[done] = classify_astral(point, code_of[0x10000], astral);
    }
    return at == n_unit && done == n_char ? 0 : REFUSED;
}

int count_words(const uint16_t *codes, size_t n, size_t n_offset, const int32_t *offsets,
                int32_t *words, int32_t *chars)
{
    size_t at = 0;
    int32_t n_word = 0, n_char = 0;
    for (size_t i = 0; i < n_offset; i++) {
        if (offsets[i] < 0 || (size_t)offsets[i] > n || (size_t)offsets[i] < at) {
            return REFUSED;
        }
        /* A word never spans two texts; without branches, for words are short. */
        int32_t in_word = 0;
        for (; at < (size_t)offsets[i]; at++) {
            int part = codes[at] >> 8 & 0xF;
            n_char += (part != PART_SPACE) & (part != PART_JOINER);
            /* What is put on a letter belongs to its word; on anything else it is no word. */
            int32_t now_in_word = (part == PART_WORD) | ((part >= PART_MARK) & in_word);
            n_word += (now_in_word & ~in_word) | (part == PART_IDEOGRAPH);
            in_word = now_in_word;
        }
        words[i] = n_word;
        chars[i] = n_char;
    }
    return 0;
}
