/* Output: text, start tags (13.3). */

#include "html.h"

#include <string.h>

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#endif

enum { IN_TEXT = 1, IN_VALUE = 2, NO_BREAK = 0xA0 };

/* Bytes that need escaping in texts and in values of attributes. */
static const uint8_t CHANGES[256] = {
    ['&'] = IN_TEXT | IN_VALUE, ['<'] = IN_TEXT | IN_VALUE, ['>'] = IN_TEXT | IN_VALUE,
    ['"'] = IN_VALUE,           ['\r'] = IN_TEXT | IN_VALUE,
    [0xC2] = IN_TEXT | IN_VALUE, /* the first byte of a no-break space, among others */
};

void put(Builder *b, const void *bytes, size_t n)
{
    if (!has_room(b, n)) {
        return;
    }
    memcpy(b->out + b->n_out, bytes, n);
    b->n_out += n;
}

static void put_lower(Builder *b, Slice name)
{
    const size_t n = name.stop - name.start;
    if (!has_room(b, n)) {
        return;
    }
    const uint8_t *restrict from = b->in + name.start;
    uint8_t *restrict to = b->out + b->n_out;
    for (size_t at = 0; at < n; at++) {
        to[at] = lower(from[at]);
    }
    b->n_out += n;
}

static void put_point(Builder *b, uint32_t point, int in_attribute)
{
    uint8_t bytes[4];
    size_t n = 0;
    if (point == '&') {
        put(b, "&amp;", 5);
    } else if (point == '<') {
        put(b, "&lt;", 4);
    } else if (point == '>') {
        put(b, "&gt;", 4);
    } else if (point == '"' && in_attribute) {
        put(b, "&quot;", 6);
    } else if (point == NO_BREAK) {
        put(b, "&nbsp;", 6);
    } else {
        if (point < 0x80) {
            bytes[n++] = (uint8_t)point;
        } else if (point < 0x800) {
            bytes[n++] = (uint8_t)(0xC0 | point >> 6);
        } else if (point < 0x10000) {
            bytes[n++] = (uint8_t)(0xE0 | point >> 12);
            bytes[n++] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
        } else {
            bytes[n++] = (uint8_t)(0xF0 | point >> 18);
            bytes[n++] = (uint8_t)(0x80 | (point >> 12 & 0x3F));
            bytes[n++] = (uint8_t)(0x80 | (point >> 6 & 0x3F));
        }
        if (point >= 0x80) {
            bytes[n++] = (uint8_t)(0x80 | (point & 0x3F));
        }
        put(b, bytes, n);
    }
}

/* Skip bytes that are copied unchanged. */
static size_t skip_plain(const Builder *b, size_t at, size_t stop, int in_attribute)
{
    const uint8_t *in = b->in;
    const uint8_t changed = in_attribute ? IN_VALUE : IN_TEXT;
#if defined(__SSE2__) && defined(__GNUC__)
    const __m128i and = _mm_set1_epi8('&'), less = _mm_set1_epi8('<'), more = _mm_set1_epi8('>');
    const __m128i quote = in_attribute ? _mm_set1_epi8('"') : and;
    const __m128i carriage = _mm_set1_epi8('\r'), no_break = _mm_set1_epi8((char)0xC2);
    for (; at < stop && b->n - at >= sizeof and; at += sizeof and) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(in + at));
        const __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(bytes, and), _mm_cmpeq_epi8(bytes, quote));
        const __m128i tags = _mm_or_si128(_mm_cmpeq_epi8(bytes, less), _mm_cmpeq_epi8(bytes, more));
        const __m128i rest =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, carriage), _mm_cmpeq_epi8(bytes, no_break));
        const int found = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(marks, tags), rest));
        if (found) {
            at += (size_t)__builtin_ctz((unsigned)found);
            return at < stop ? at : stop;
        }
    }
    at = at < stop ? at : stop;
#endif
    while (at < stop && !(CHANGES[in[at]] & changed)) {
        at++;
    }
    return at;
}

static void put_characters(Builder *b, Slice text, int in_attribute)
{
    const uint8_t *in = b->in;
    size_t at = text.start;
    while (at < text.stop) {
        const size_t run = at;
        at = skip_plain(b, at, text.stop, in_attribute);
        put(b, in + run, at - run);
        if (at == text.stop) {
            return;
        }
        uint32_t point = in[at];
        if (point == '&') {
            at = read_reference(b, at, text.stop, in_attribute, &point);
        } else if (point == '\r') {
            at += at + 1 < text.stop && in[at + 1] == '\n' ? 2 : 1;
            point = '\n';
        } else if (point == 0xC2) {
            if (at + 1 < text.stop && in[at + 1] != NO_BREAK) {
                put(b, in + at, 2);
                at += 2;
                continue;
            }
            point = NO_BREAK;
            at += 2;
        } else {
            at++;
        }
        put_point(b, point, in_attribute);
    }
}

/* Make room within the output; all known offsets after it move too. */
static void insert_room(Builder *b, size_t at, size_t n)
{
    if (!has_room(b, n)) {
        return;
    }
    memmove(b->out + at + n, b->out + at, b->n_out - at);
    b->n_out += n;
    for (size_t each = 0; each < b->depth; each++) {
        b->stack[each].start += b->stack[each].start >= at ? n : 0;
    }
    b->first_newline += b->first_newline != SIZE_MAX && b->first_newline >= at ? n : 0;
    for (size_t each = 0; each < b->n_format; each++) {
        b->formats[each].start += b->formats[each].start >= at ? n : 0;
    }
}

void put_text(Builder *b, Slice text)
{
    const size_t start = b->n_out;
    put_characters(b, text, 0);
    /* The parser takes a newline away behind such a start tag, so one that stays is doubled. */
    if (start == b->first_newline && b->n_out > start && b->out[start] == '\n') {
        insert_room(b, start, 1);
        if (!b->is_refused) {
            b->out[start] = '\n';
        }
    }
}

static void put_attributes(Builder *b, const Tag *tag, size_t first, Space space)
{
    for (size_t each = first; each < tag->n_attribute; each++) {
        const Slice name = tag->attributes[each].name;
        const char *spelled = NULL;
        put(b, " ", 1);
        if (space != IN_HTML) {
            spelled = format_attribute(b->in + name.start, name.stop - name.start, space);
        }
        if (spelled) {
            put(b, spelled, strlen(spelled));
        } else {
            put_lower(b, name);
        }
        put(b, "=\"", 2);
        put_characters(b, tag->attributes[each].value, 1);
        put(b, "\"", 1);
    }
}

void put_start_tag(Builder *b, const Tag *tag, Space space)
{
    const size_t size = tag->name.stop - tag->name.start;
    const char *spelled = space == IN_SVG ? spell_tag(b->in + tag->name.start, size) : NULL;
    if (tag->n_attribute > MAX_ATTRIBUTES) {
        refuse(b);
        return;
    }
    place_element(b, tag->whole);
    put(b, "<", 1);
    if (tag->element > FOREIGN && space == IN_HTML) {
        put(b, MEANINGS[tag->element].name, MEANINGS[tag->element].n_name);
    } else if (spelled) {
        put(b, spelled, size);
    } else {
        put_lower(b, tag->name);
    }
    put_attributes(b, tag, 0, space);
    put(b, ">", 1);
}

/* Whether the start tag before `stop` of the output, whose attributes begin at `at`, has this one. */
static int has_attribute(const Builder *b, size_t at, size_t stop, const char *name, size_t n)
{
    while (at < stop) {
        const size_t start = ++at; /* behind a space */
        at++;                      /* a name may begin with = */
        while (at < stop && b->out[at] != '=') {
            at++;
        }
        if (at - start == n && !memcmp(b->out + start, name, n)) {
            return 1;
        }
        at += 2; /* =" */
        while (at < stop && b->out[at] != '"') {
            at++;
        }
        at++;
    }
    return 0;
}

/* Add missing attributes to an open element: a second <html> or <body> (13.2.6.4.7). */
void add_attributes(Builder *b, size_t depth, const Tag *tag)
{
    if (!tag->n_attribute) {
        return;
    }
    /* The whole output has to be moved, so the number of times is limited. */
    if (tag->n_attribute > MAX_ATTRIBUTES || depth >= b->depth || b->n_moved++ == MAX_MOVED) {
        refuse(b);
        return;
    }
    const size_t start = b->stack[depth].start;
    const uint8_t *end = memchr(b->out + start, '>', b->n_out - start);
    const size_t stop = (size_t)(end - b->out);
    const size_t names = start + 1 + b->stack[depth].n_name, written = b->n_out;
    Tag added = *tag;
    size_t n_kept = 0;
    for (size_t each = 0; each < tag->n_attribute; each++) {
        char name[64];
        const Slice slice = tag->attributes[each].name;
        const size_t size = slice.stop - slice.start;
        if (size > sizeof name) {
            refuse(b);
            return;
        }
        for (size_t i = 0; i < size; i++) {
            name[i] = (char)lower(b->in[slice.start + i]);
        }
        if (!has_attribute(b, names, stop, name, size)) {
            added.attributes[n_kept++] = tag->attributes[each];
        }
    }
    added.n_attribute = n_kept;
    put_attributes(b, &added, 0, IN_HTML);
    const size_t size = b->n_out - written;
    if (b->is_refused || size > sizeof b->kept) {
        refuse(b);
        return;
    }
    memcpy(b->kept, b->out + written, size);
    b->n_out = written;
    insert_room(b, stop, size);
    if (!b->is_refused) {
        memcpy(b->out + stop, b->kept, size);
    }
}
