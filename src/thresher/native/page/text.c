/* The text of a page: texts joined and unescaped, their words counted, their characters coded. */

#include "../core.h"

#include <string.h>

/* Codes of thresher.page.characters: the part in words lies in bits 8 to 11. */
enum { PART_SPACE = 1, PART_WORD = 2, PART_IDEOGRAPH = 3, PART_MARK = 4, PART_JOINER = 5 };
enum { PART_BIT = 8, N_BASIC = 0x10000 };

/* A character in the buffer, escaped or not. */
typedef struct {
    const char *bytes, *unescaped;
    size_t n_byte, n_unescaped;
    uint32_t point;
} Character;

/* The escapes of texts (HTML Living Standard, 13.3). */
static const Character ESCAPES[] = {{"&nbsp;", "\xC2\xA0", 6, 2, 0xA0},
                                    {"&lt;", "<", 4, 1, '<'},
                                    {"&gt;", ">", 4, 1, '>'},
                                    {"&amp;", "&", 5, 1, '&'}};

/* The bytes of a row that is a text, 0 of others; REFUSED where they are not in the buffer. */
static int64_t text_bytes(const TextRows *rows, size_t row)
{
    if (rows->tag[row] != rows->text) {
        return 0;
    }
    const int64_t start = rows->start[row], stop = rows->stop[row];
    return start < 0 || stop < start || (uint64_t)stop > rows->n_byte ? REFUSED : stop - start;
}

int64_t measure_texts(const TextRows *rows)
{
    int64_t n_byte = 0;
    for (size_t row = 0; row < rows->n_row; row++) {
        const int64_t n = text_bytes(rows, row);
        if (n < 0) {
            return REFUSED;
        }
        n_byte += n;
    }
    return n_byte;
}

/* The code of a character beyond the basic plane, as in thresher.page.characters. */
static uint16_t code_astral(uint32_t point, uint16_t code)
{
    const uint32_t symbols = 0x1F000, ideographs = 0x20000, tags = 0xE0000;
    const int part = point < symbols                       ? PART_WORD
                     : point >= ideographs && point < tags ? PART_IDEOGRAPH
                                                           : 0;
    return (uint16_t)(code | part << PART_BIT);
}

static uint16_t code_at(uint32_t point, const uint16_t *code_of)
{
    return point < N_BASIC ? code_of[point] : code_astral(point, code_of[N_BASIC]);
}

/* Decode the character at `text`, of n >= 1 bytes; its size is 0 if it is not UTF-8. */
static Character decode(const uint8_t *text, size_t n)
{
    const size_t size = *text < 0x80 ? 1 : *text < 0xC0 ? 0 : *text < 0xE0 ? 2 : *text < 0xF0 ? 3 : 4;
    if (size > n) {
        return (Character){0};
    }
    uint32_t point = size > 1 ? *text & (0x7Fu >> size) : *text;
    for (size_t at = 1; at < size; at++) {
        point = point << 6 | (text[at] & 0x3F);
    }
    return (Character){NULL, (const char *)text, size, size, point};
}

/* Read the character at `text` as `decode` does, escaped or not. */
static Character read_character(const uint8_t *text, size_t n)
{
    for (size_t each = 0; *text == '&' && each < sizeof ESCAPES / sizeof *ESCAPES; each++) {
        if (n >= ESCAPES[each].n_byte && !memcmp(text, ESCAPES[each].bytes, ESCAPES[each].n_byte)) {
            return ESCAPES[each];
        }
    }
    return decode(text, n);
}

/* Counts of texts. */
typedef struct {
    int32_t n_word, n_char, in_word;
} Count;

/* Whether a part is one of several, a bit each. */
static int32_t is_any(uint32_t part, uint32_t parts)
{
    return (int32_t)(parts >> part & 1);
}

/* Count one more character; branch-free, because words are short. */
static void count_character(Count *count, uint16_t code)
{
    const uint32_t part = code >> PART_BIT & 0xF;
    count->n_char += is_any(part, ~(1u << PART_SPACE | 1u << PART_JOINER));
    /* A combining mark belongs to the word of its letter; on anything else it is not a word. */
    const int32_t attached = is_any(part, ~0u << PART_MARK) & count->in_word;
    const int32_t in_word = is_any(part, 1u << PART_WORD) | attached;
    count->n_word += (in_word & ~count->in_word) | is_any(part, 1u << PART_IDEOGRAPH);
    count->in_word = in_word;
}

/* Where the next of a page's texts goes. */
typedef struct {
    uint8_t *joined;
    int32_t n_char;
    Count count;
} Reading;

/* Read a text of n bytes, for which there is room, one character at a time. */
static int read_text(const uint8_t *text, size_t n, const uint16_t *code_of, Reading *reading)
{
    Reading next = *reading;
    next.count.in_word = 0; /* a word never spans two texts */
    for (size_t at = 0; at < n; next.n_char++) {
        const uint8_t byte = text[at];
        uint16_t code;
        if (byte < 0x80 && byte != '&') {
            *next.joined++ = byte;
            code = code_of[byte];
            at++;
        } else {
            const Character read = read_character(text + at, n - at);
            if (!read.n_byte) {
                return REFUSED;
            }
            memcpy(next.joined, read.unescaped, read.n_unescaped);
            next.joined += read.n_unescaped;
            code = code_at(read.point, code_of);
            at += read.n_byte;
        }
        count_character(&next.count, code);
    }
    *reading = next;
    return 0;
}

int64_t read_texts(const TextRows *rows, const uint16_t *code_of, const ReadTexts *out)
{
    Reading next = {out->joined, 0, {0, 0, 0}};
    out->offsets[0] = out->words[0] = out->chars[0] = 0;
    for (size_t row = 0; row < rows->n_row; row++) {
        const int64_t n = text_bytes(rows, row);
        if (n < 0 || (size_t)n > out->n_room - (size_t)(next.joined - out->joined)) {
            return REFUSED;
        }
        if (n && read_text(rows->buffer + rows->start[row], (size_t)n, code_of, &next) < 0) {
            return REFUSED;
        }
        out->offsets[row + 1] = next.n_char;
        out->words[row + 1] = next.count.n_word;
        out->chars[row + 1] = next.count.n_char;
    }
    return (int64_t)(next.joined - out->joined);
}

int classify(const uint8_t *utf8, size_t n, const uint16_t *code_of, uint16_t *codes,
             size_t n_char)
{
    enum { STRIDE = 8 };
    const uint64_t high = 0x8080808080808080U;
    size_t at = 0, done = 0;
    while (at < n && done < n_char) {
        uint64_t word = high;
        /* Most of a text is ASCII. */
        while (n - at >= STRIDE && n_char - done >= STRIDE) {
            memcpy(&word, utf8 + at, STRIDE);
            if (word & high) {
                break;
            }
            for (size_t i = 0; i < STRIDE; i++) {
                codes[done + i] = code_of[utf8[at + i]];
            }
            at += STRIDE;
            done += STRIDE;
        }
        for (size_t i = 0; i < STRIDE && at < n && done < n_char; i++) {
            const Character read = decode(utf8 + at, n - at);
            if (!read.n_byte) {
                return REFUSED;
            }
            codes[done++] = code_at(read.point, code_of);
            at += read.n_byte;
        }
    }
    return at == n && done == n_char ? 0 : REFUSED;
}

int count_words(const uint16_t *codes, size_t n, size_t n_offset, const int32_t *offsets,
                int32_t *words, int32_t *chars)
{
    size_t at = 0;
    Count count = {0, 0, 0};
    for (size_t i = 0; i < n_offset; i++) {
        if (offsets[i] < 0 || (size_t)offsets[i] > n || (size_t)offsets[i] < at) {
            return REFUSED;
        }
        /* A word never spans two texts. */
        for (count.in_word = 0; at < (size_t)offsets[i]; at++) {
            count_character(&count, codes[at]);
        }
        words[i] = count.n_word;
        chars[i] = count.n_char;
    }
    return 0;
}
