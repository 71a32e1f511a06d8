/* Literal dollar signs: thresher.writers.commonmark.signs. */

#include "markdown.h"

static int is_dollar_mark(const Text *text, size_t at)
{
    return text->n - at >= sizeof DOLLAR_MARK
           && !memcmp(text->bytes + at, DOLLAR_MARK, sizeof DOLLAR_MARK);
}

int write_dollars(Writer *writer)
{
    Text *from = &writer->written, *plain = &writer->flow, *out = &writer->run;
    size_t n_mark = 0;
    int has_sign = 0;
    plain->n = out->n = 0;
    for (size_t at = 0; at < from->n;) {
        const int is_mark_here = from->bytes[at] == DOLLAR_MARK[0] && is_dollar_mark(from, at);
        has_sign |= from->bytes[at] == '$';
        n_mark += (size_t)is_mark_here;
        put_byte(plain, is_mark_here ? '$' : from->bytes[at]);
        at += is_mark_here ? sizeof DOLLAR_MARK : 1;
    }
    if (!n_mark) {
        return 1;
    }
    size_t last = 0, size;
    for (size_t at = 1; at < plain->n; at++) {
        if (plain->bytes[at] != '$' || is_space(point_before(plain->bytes, at, &size))) {
            continue;
        }
        const size_t next = at + 1;
        if (next < plain->n) {
            if (may_be_digit(point_at(plain->bytes, plain->n, next, &size), writer->codes)) {
                return 0;
            }
            if (plain->bytes[next] >= '0' && plain->bytes[next] <= '9') {
                continue;
            }
        }
        last = at;
    }
    const int is_alone = n_mark == 1 && !has_sign;
    for (size_t at = 0, place = 0; at < from->n;) {
        size_t n = 0;
        while (at < from->n && is_dollar_mark(from, at)) {
            at += sizeof DOLLAR_MARK;
            n++;
        }
        if (!n) {
            put_byte(out, from->bytes[at++]);
            place++;
            continue;
        }
        const size_t next = place + 1;
        const int opens = next < last
                          && !is_space(point_at(plain->bytes, plain->n, next, &size));
        const int is_escaped = !is_alone && (opens || n > 1);
        for (size_t each = 0; each < n; each++) {
            put(out, (const uint8_t *)"\\$" + !is_escaped, is_escaped ? 2 : 1);
        }
        place += n;
    }
    if (plain->is_full || out->is_full) {
        return 0;
    }
    memcpy(from->bytes, out->bytes, out->n);
    from->n = out->n;
    return 1;
}
