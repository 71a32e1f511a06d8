/* Addresses that readers find in a text: thresher.writers.commonmark.inline. */

#include "markdown.h"

/* No handler is in it for those that would take it for a tag. */
int is_shown_address(const uint8_t *url, size_t n)
{
    static const char SCHEME[] = "http";
    size_t at = 0;
    while (at < sizeof SCHEME - 1 && at < n && (url[at] | 0x20) == SCHEME[at]) {
        at++;
    }
    if (at < sizeof SCHEME - 1) {
        return 0;
    }
    at += at < n && (url[at] | 0x20) == 's';
    if (n - at < 3 || memcmp(url + at, "://", 3)) {
        return 0;
    }
    for (at = 0; at < n; at++) {
        if (url[at] <= ' ' || url[at] == '<' || url[at] == '>' || url[at] == 0x7F) {
            return 0;
        }
        if ((url[at] != '/' && url[at] != '\'' && url[at] != '"') || n - at < 3
            || (url[at + 1] | 0x20) != 'o' || (url[at + 2] | 0x20) != 'n') {
            continue;
        }
        size_t stop = at + 3;
        while (stop < n && url[stop] > '9' && is_ascii_alnum(url[stop])) {
            stop++;
        }
        if (stop > at + 3 && stop < n && url[stop] == '=') {
            return 0;
        }
    }
    return 1;
}

void end_address(Writer *writer, size_t start)
{
    Text *out = &writer->written, *ended = &writer->flow;
    const uint8_t *bytes = out->bytes;
    size_t first = out->n;
    while (first > start && !is_ascii_space(bytes[first - 1])) {
        first--;
    }
    size_t n_w = 0, done = first;
    ended->n = 0;
    for (size_t at = first; at < out->n; at++) {
        const uint8_t byte = bytes[at];
        if (is_mark(bytes, out->n, at)) {
            at += MARK_BYTES - 1;
            continue;
        }
        const char *reference = byte == '.' && n_w >= 3 ? "&#46;" : NULL;
        if (byte == ':') {
            const size_t slash = skip_marks(bytes, out->n, at + 1);
            const size_t other = slash < out->n ? skip_marks(bytes, out->n, slash + 1) : slash;
            if (other < out->n && bytes[slash] == '/' && bytes[other] == '/') {
                reference = "&#58;";
            }
        }
        if (reference) {
            put(ended, bytes + done, at - done);
            put(ended, (const uint8_t *)reference, strlen(reference));
            done = at + 1;
        }
        n_w = (byte | 0x20) == 'w' ? n_w + 1 : 0;
    }
    if (done > first) {
        put(ended, bytes + done, out->n - done);
        out->n = first;
        put(out, ended->bytes, ended->n);
        ended->n = 0;
    }
}
