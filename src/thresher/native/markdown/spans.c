/* Inline elements of a run: thresher.writers.stream.runs. */

#include "reader.h"

enum { SPACE_PLACE = 4 * MARK_BYTES }; /* in the texts of a stream, behind the marks */

Token *add_token(Reader *reader, int kind, size_t start, size_t stop)
{
    Stream *out = reader->out;
    if (out->n_token == out->token_room) {
        reader->is_refused = 1;
        return NULL;
    }
    Token *token = out->tokens + out->n_token++;
    *token = (Token){kind, (int32_t)start, (int32_t)stop, (int32_t)stop, 0};
    return token;
}

static size_t trim_start(const uint8_t *bytes, size_t start, size_t stop)
{
    size_t size;
    while (start < stop && is_space(point_at(bytes, stop, start, &size))) {
        start += size;
    }
    return start;
}

static size_t trim_stop(const uint8_t *bytes, size_t start, size_t stop)
{
    size_t size;
    while (start < stop && is_space(point_before(bytes + start, stop - start, &size))) {
        stop -= size;
    }
    return stop;
}

int has_content(const Reader *reader, size_t start, int counts_images)
{
    const Stream *out = reader->out;
    for (size_t at = start; at < out->n_token; at++) {
        const Token *token = out->tokens + at;
        const size_t begin = (size_t)token->start, end = (size_t)token->stop;
        if ((token->kind == IMAGE && counts_images)
            || (token->kind == TEXT && trim_start(out->texts.bytes, begin, end) < end)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a token shows nothing: the edges of links do not. */
static int is_empty(const Token *token)
{
    return token->kind == LINK || token->kind == LINK_END
           || (token->kind == TEXT && token->start == token->stop);
}

/* Move white space from the start of an element before it; return whether some was at its end. */
static int move_spaces_out(const Reader *reader, size_t start)
{
    Token *tokens = reader->out->tokens;
    const uint8_t *texts = reader->out->texts.bytes;
    size_t first = start + 2, last = reader->out->n_token;
    while (first < last && is_empty(tokens + first)) {
        first++;
    }
    while (last > first && is_empty(tokens + last - 1)) {
        last--;
    }
    if (first == last) {
        return 0;
    }
    Token *token = tokens + first;
    if (token->kind == TEXT) {
        const size_t begin = trim_start(texts, (size_t)token->start, (size_t)token->stop);
        if (begin > (size_t)token->start) {
            token->start = (int32_t)begin;
            tokens[start].start = SPACE_PLACE;
            tokens[start].stop = SPACE_PLACE + 1;
        }
    }
    token = tokens + last - 1;
    if (token->kind == TEXT) {
        const size_t end = trim_stop(texts, (size_t)token->start, (size_t)token->stop);
        if (end < (size_t)token->stop) {
            token->stop = (int32_t)end;
            return 1;
        }
    }
    return 0;
}

/* Whether the text of a link, or that of its pictures, without marks and its white space collapsed, is
   its title, but for the case of the letters a to z. */
static int repeats_title(const Reader *reader, size_t start, int kind)
{
    const Stream *out = reader->out;
    const uint8_t *texts = out->texts.bytes;
    const Token *link = out->tokens + start;
    size_t title = (size_t)link->stop;
    const size_t title_stop = (size_t)link->title_stop;
    int is_owed = 0, is_begun = 0;
    for (size_t each = start + 1; each < out->n_token; each++) {
        const Token *token = out->tokens + each;
        if (token->kind != kind) {
            continue;
        }
        size_t size;
        const size_t stop = (size_t)token->stop;
        for (size_t at = (size_t)token->start; at < stop; at += size) {
            const uint32_t point = point_at(texts, stop, at, &size);
            if (point >= 0xFDD0 && point <= 0xFDEF) {
                continue;
            }
            if (is_space(point)) {
                is_owed = is_begun;
                continue;
            }
            if (is_owed && (title == title_stop || texts[title++] != ' ')) {
                return 0;
            }
            is_owed = 0;
            is_begun = 1;
            const int is_dollar = size == sizeof DOLLAR_MARK
                                  && !memcmp(texts + at, DOLLAR_MARK, size);
            const uint8_t *shown = is_dollar ? (const uint8_t *)"$" : texts + at;
            const size_t n = is_dollar ? 1 : size;
            if (n > title_stop - title
                || (n == 1 ? lower(texts[title]) != lower(*shown) : memcmp(texts + title, shown, n))) {
                return 0;
            }
            title += n;
        }
    }
    return title == title_stop;
}

static void finish_span(Reader *reader, Span span)
{
    Stream *out = reader->out;
    if (reader->is_refused) {
        return; /* tokens may be missing */
    }
    if (span.kind == A_LINK) {
        Token *link = out->tokens + span.start;
        reader->n_link--;
        if (link->title_stop > link->stop
            && (repeats_title(reader, span.start, TEXT) || repeats_title(reader, span.start, IMAGE))) {
            link->title_stop = link->stop;
        }
        add_token(reader, LINK_END, 0, 0);
    } else if (span.kind != AN_ANCHOR) {
        const int is_spaced = move_spaces_out(reader, span.start);
        if (has_content(reader, span.start + 2, 0)) {
            const size_t mark = (size_t)span.kind / 2 * 2 * MARK_BYTES;
            out->tokens[span.start + 1].start = (int32_t)mark;
            out->tokens[span.start + 1].stop = (int32_t)mark + MARK_BYTES;
            add_token(reader, TEXT, mark + MARK_BYTES, mark + 2 * MARK_BYTES);
        }
        if (is_spaced) {
            add_token(reader, TEXT, SPACE_PLACE, SPACE_PLACE + 1);
        }
    }
}

static int is_link(int kind)
{
    return kind == A_LINK || kind == AN_ANCHOR;
}

void close_span(Reader *reader, int kind, int any_link)
{
    size_t at = reader->n_span;
    while (at > 0) {
        at--;
        const int found = reader->spans[at].kind;
        if (found == kind || (any_link && is_link(found))) {
            while (reader->n_span > at) {
                finish_span(reader, reader->spans[--reader->n_span]);
            }
            return;
        }
    }
}

void end_spans(Reader *reader)
{
    while (reader->n_span) {
        finish_span(reader, reader->spans[--reader->n_span]);
    }
}

void open_span(Reader *reader, int kind)
{
    if (reader->n_span == MAX_DEPTH) {
        reader->is_refused = 1;
        return;
    }
    reader->spans[reader->n_span++] = (Span){kind, reader->out->n_token};
}
