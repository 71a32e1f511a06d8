/* Delimiters of emphasis: thresher.writers.commonmark.signs. */

#include "markdown.h"

enum { NO_SIGN, A_SIGN };

typedef struct {
    size_t start, stop;
} Marks;

/* The next run of adjacent marks from a place on; an empty one at the end. */
static Marks find_marks(const Text *text, size_t at)
{
    while (at < text->n) {
        const uint8_t *found = memchr(text->bytes + at, 0xEF, text->n - at);
        if (!found) {
            break;
        }
        at = (size_t)(found - text->bytes);
        if (is_mark(text->bytes, text->n, at)) {
            size_t stop = at;
            while (stop < text->n && is_mark(text->bytes, text->n, stop)) {
                stop += MARK_BYTES;
            }
            return (Marks){at, stop};
        }
        at++;
    }
    return (Marks){text->n, text->n};
}

static int closes(const Text *text, size_t at)
{
    return (text->bytes[at + 2] - FIRST_MARK) & 1;
}

static int class_before(const Writer *writer, const Text *text, size_t at)
{
    size_t size;
    return at ? class_of(point_before(text->bytes, at, &size), writer->codes) : IS_SPACE;
}

static int class_behind(const Writer *writer, const Text *text, size_t at)
{
    size_t size;
    return at < text->n ? class_of(point_at(text->bytes, text->n, at, &size), writer->codes)
                        : IS_SPACE;
}

static int is_mark_of(const Text *text, size_t at, int closing)
{
    return at < text->n && is_mark(text->bytes, text->n, at) && closes(text, at) == closing;
}

/* −1 if the codes do not tell. */
static int is_word(const Writer *writer, uint32_t point)
{
    const int found = class_of(point, writer->codes);
    return found == IS_UNKNOWN ? -1 : found == IS_ALNUM || point == '_';
}

static size_t start_of_wide(const Text *text, size_t at)
{
    size_t size;
    while (at && is_wide(point_before(text->bytes, at, &size))) {
        at -= size;
    }
    return at;
}

static size_t stop_of_wide(const Text *text, size_t at)
{
    size_t size;
    while (at < text->n && is_wide(point_at(text->bytes, text->n, at, &size))) {
        at += size;
    }
    return at;
}

/* Exchange two adjacent parts of a text; `scratch` has room for both. */
static void exchange(Text *text, size_t start, size_t middle, size_t stop, uint8_t *scratch)
{
    memcpy(scratch, text->bytes + start, middle - start);
    memmove(text->bytes + start, text->bytes + middle, stop - middle);
    memcpy(text->bytes + start + (stop - middle), scratch, middle - start);
}

/* Move wide punctuation at the end of emphasis behind its marks if a word follows; 0 if it cannot be
 * told. */
static int move_wide_behind(const Writer *writer, Text *text)
{
    for (Marks marks = find_marks(text, 0); marks.start < text->n;
         marks = find_marks(text, marks.stop)) {
        size_t stop = marks.start, size;
        while (is_mark_of(text, stop, 1)) {
            stop += MARK_BYTES;
        }
        const size_t start = start_of_wide(text, marks.start);
        if (stop < marks.stop || start == marks.start || stop == text->n) {
            continue;
        }
        if (start && (is_space(point_before(text->bytes, start, &size))
                      || (start >= MARK_BYTES && is_mark_of(text, start - MARK_BYTES, 0)))) {
            continue;
        }
        const int is_before_word = is_word(writer, point_at(text->bytes, text->n, stop, &size));
        if (is_before_word < 0) {
            return 0;
        }
        if (is_before_word) {
            exchange(text, start, marks.start, stop, writer->flow.bytes);
        }
    }
    return 1;
}

/* The same for wide punctuation at its start, before the marks. */
static int move_wide_before(const Writer *writer, Text *text)
{
    for (Marks marks = find_marks(text, 0); marks.start < text->n;
         marks = find_marks(text, marks.stop)) {
        size_t start = marks.stop, size;
        while (start > marks.start && is_mark_of(text, start - MARK_BYTES, 0)) {
            start -= MARK_BYTES;
        }
        const size_t stop = stop_of_wide(text, marks.stop);
        if (start > marks.start || stop == marks.stop || !start) {
            continue;
        }
        if (stop < text->n && (is_space(point_at(text->bytes, text->n, stop, &size))
                               || is_mark_of(text, stop, 1))) {
            continue;
        }
        const int is_behind_word = is_word(writer, point_before(text->bytes, start, &size));
        if (is_behind_word < 0) {
            return 0;
        }
        if (is_behind_word) {
            exchange(text, start, marks.stop, stop, writer->flow.bytes);
            marks.stop = stop;
        }
    }
    return 1;
}

/* Remove emphasis that ends where the same begins; return the number of marks. */
static size_t join_marks(Text *text)
{
    size_t n_mark = 0;
    int is_adjacent = 0;
    for (Marks marks = find_marks(text, 0); marks.start < text->n;
         marks = find_marks(text, marks.stop)) {
        const size_t n = (marks.stop - marks.start) / MARK_BYTES;
        is_adjacent |= n > 1;
        n_mark += n;
    }
    if (!is_adjacent) {
        return n_mark;
    }
    size_t to = 0;
    for (size_t at = 0; at < text->n;) {
        const size_t next = at + MARK_BYTES;
        if (is_mark(text->bytes, text->n, at) && next < text->n
            && is_mark(text->bytes, text->n, next) && closes(text, at)
            && text->bytes[at + 2] == text->bytes[next + 2] + 1) {
            at += 2 * MARK_BYTES;
            n_mark -= 2;
        } else {
            text->bytes[to++] = text->bytes[at++];
        }
    }
    text->n = to;
    return n_mark;
}

/* Find the marks that become delimiters; 0 if it cannot. */
static int pair_marks(const Writer *writer, const Text *text)
{
    size_t opened[MAX_DEPTH], n_opened = 0, number = 0;
    uint8_t kinds[MAX_DEPTH], reads[MAX_DEPTH];
    for (Marks marks = find_marks(text, 0); marks.start < text->n;
         marks = find_marks(text, marks.stop)) {
        size_t n_closing = 0;
        for (size_t at = marks.start; at < marks.stop; at += MARK_BYTES) {
            n_closing += (size_t)closes(text, at);
        }
        const int before = class_before(writer, text, marks.start);
        const int behind = class_behind(writer, text, marks.stop);
        const int inner = n_closing ? before : behind, outer = n_closing ? behind : before;
        if (inner == IS_UNKNOWN || (inner == IS_SIGN && outer == IS_UNKNOWN)) {
            return 0;
        }
        const int is_read = inner == IS_ALNUM || inner == IS_OTHER
                            || (inner == IS_SIGN && (outer == IS_SPACE || outer == IS_SIGN));
        const size_t read_stop = n_closing ? marks.start + n_closing * MARK_BYTES : marks.stop;
        for (size_t at = marks.start; at < marks.stop; at += MARK_BYTES, number++) {
            const int reads_here = is_read && at < read_stop;
            writer->signs[number] = NO_SIGN;
            if (!closes(text, at)) {
                if (n_opened == MAX_DEPTH) {
                    return 0;
                }
                opened[n_opened] = number;
                kinds[n_opened] = text->bytes[at + 2];
                reads[n_opened++] = (uint8_t)reads_here;
            } else if (n_opened) {
                n_opened--;
                if (kinds[n_opened] + 1 != text->bytes[at + 2]) {
                    return 0;
                }
                if (reads_here && reads[n_opened]) {
                    writer->signs[opened[n_opened]] = writer->signs[number] = A_SIGN;
                }
            }
        }
    }
    return 1;
}

/* Whether a text whose marks are not written could begin a block. */
static int may_begin_block(const Writer *writer, const Text *text, Marks marks)
{
    size_t start = marks.start;
    if (start >= 2 && text->bytes[start - 1] == ' ' && text->bytes[start - 2] == ':') {
        start -= 2;
    }
    if ((start && text->bytes[start - 1] != '\n') || marks.stop >= text->n) {
        return 0;
    }
    size_t size;
    const uint32_t next = point_at(text->bytes, text->n, marks.stop, &size);
    return next == '#' || next == '-' || next == '+' || next == '>'
           || (next >= '0' && next <= '9') || may_be_digit(next, writer->codes);
}

int write_emphasis(Writer *writer, int begins_line)
{
    Text *text = &writer->written, *out = &writer->run;
    out->n = 0;
    const size_t n_mark = join_marks(text);
    if (n_mark > writer->n_sign_room || !move_wide_behind(writer, text)
        || !move_wide_before(writer, text) || !pair_marks(writer, text)) {
        return 0;
    }
    size_t done = 0, number = 0;
    for (Marks marks = find_marks(text, 0); marks.start < text->n;
         marks = find_marks(text, marks.stop)) {
        put(out, text->bytes + done, marks.start - done);
        int is_written = 0;
        for (size_t at = marks.start; at < marks.stop; at += MARK_BYTES, number++) {
            if (writer->signs[number] == A_SIGN) {
                const int is_strong = text->bytes[at + 2] < FIRST_MARK + 2;
                put(out, (const uint8_t *)"**", is_strong ? 2 : 1);
                is_written = 1;
            }
        }
        if (!is_written && begins_line && may_begin_block(writer, text, marks)) {
            return 0;
        }
        done = marks.stop;
    }
    put(out, text->bytes + done, text->n - done);
    return !out->is_full;
}
