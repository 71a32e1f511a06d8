/* Runs as Markdown: thresher.writers.commonmark.inline. */

#include "markdown.h"

typedef struct {
    Writer *to;
    int in_heading, in_link, owes_space, at_line, at_edge, is_refused;
    size_t owed_breaks, text_start; /* in what is written: behind the last token that is no text */
    int32_t link, title, title_stop; /* of the open link */
} Line;

/* -- the flow ----------------------------------------------------------------------------- */

/* Write the white space or the breaks that are owed. */
static void pay(Line *line)
{
    Text *out = &line->to->written;
    if (line->owes_space) {
        if (!line->at_edge) {
            put_byte(out, ' ');
        }
    } else if (line->in_heading) {
        if (!line->at_line) {
            put_byte(out, ' ');
        }
    } else {
        put(out, (const uint8_t *)(line->at_line ? "\\\n" : "  \n"), line->at_line ? 2 : 3);
        for (size_t more = 1; more < line->owed_breaks; more++) {
            put(out, (const uint8_t *)"\\\n", 2);
        }
        line->at_line = 1;
    }
    line->owes_space = 0;
    line->owed_breaks = 0;
    line->at_edge = 0;
}

static int owes(const Line *line)
{
    return line->owes_space || line->owed_breaks;
}

/* Trim a text by white space beyond ASCII at the edges of its line; return whether a space is left in
 * its place at the end. */
static int trim_wide(const Line *line, Text *flow, size_t *start, int ends_line)
{
    uint8_t *bytes = flow->bytes;
    size_t size;
    if (line->in_heading) {
        size_t to = 0;
        int is_wide_run = 0;
        for (size_t at = 0; at < flow->n; at += size) {
            const uint32_t point = point_at(bytes, flow->n, at, &size);
            const int is_wide_space = point > 0x85 && is_space(point);
            if (!is_wide_space) {
                memmove(bytes + to, bytes + at, size);
                to += size;
            } else if (!is_wide_run) {
                bytes[to++] = ' ';
            }
            is_wide_run = is_wide_space;
        }
        flow->n = to;
    }
    if (line->at_edge || line->owed_breaks) {
        while (*start < flow->n && is_space(point_at(bytes, flow->n, *start, &size))) {
            *start += size;
        }
    }
    int is_trimmed = 0;
    if (ends_line) {
        while (flow->n > *start
               && is_space(point_before(bytes + *start, flow->n - *start, &size))) {
            flow->n -= size;
            is_trimmed = 1;
        }
    }
    return is_trimmed;
}

static int is_ascii(const uint8_t *bytes, size_t n)
{
    for (size_t at = 0; at < n; at++) {
        if (bytes[at] >= 0x80) {
            return 0;
        }
    }
    return 1;
}

/* Write the text that has been gathered, its white space collapsed, and escaped. */
static void put_text(Line *line, int ends_line)
{
    Text *flow = &line->to->flow;
    if (!flow->n) {
        return;
    }
    size_t start = 0;
    int ends_in_space = 0;
    if (!is_ascii(flow->bytes, flow->n)) {
        ends_in_space = trim_wide(line, flow, &start, ends_line);
    }
    const uint8_t *words = flow->bytes + start;
    size_t n = flow->n - start;
    flow->n = 0;
    const int is_any = n > 0 || ends_in_space;
    const int begins_in_space = n ? is_ascii_space(*words) : ends_in_space;
    ends_in_space |= n && is_ascii_space(words[n - 1]);
    while (n && is_ascii_space(*words)) {
        words++;
        n--;
    }
    while (n && is_ascii_space(words[n - 1])) {
        n--;
    }
    if (!n) {
        line->owes_space |= is_any && !owes(line);
        return;
    }
    line->owes_space |= begins_in_space && !owes(line);
    if (owes(line)) {
        pay(line);
    }
    if (line->at_line && !line->in_heading) {
        const int64_t size = put_line_sign(&line->to->written, words, n, line->to->codes);
        if (size < 0) {
            line->is_refused = 1;
            return;
        }
        words += size;
        n -= (size_t)size;
    }
    put_escaped(&line->to->written, words, n, line->in_link);
    line->at_line = line->at_edge = 0;
    line->owes_space = ends_in_space;
}

/* -- links and images --------------------------------------------------------------------- */

static const uint8_t *url_of(const Writer *writer, int32_t link, size_t *n)
{
    const size_t start = link ? (size_t)writer->url_stop[link - 1] : 0;
    *n = (size_t)writer->url_stop[link] - start;
    return writer->urls + start;
}

/* The token behind a link, at whose text `at` is, if it shows its own address; else 0. */
static int32_t find_autolink_end(const Writer *writer, const Token *link, int32_t at)
{
    const Token *tokens = writer->stream->tokens;
    const uint8_t *texts = writer->stream->texts.bytes;
    size_t n;
    const uint8_t *url = url_of(writer, link->link, &n);
    size_t place = 0;
    int is_first = 1;
    while (tokens[at].kind == TEXT && (is_first || place < n)) {
        const size_t stop = (size_t)tokens[at].stop;
        for (size_t from = (size_t)tokens[at].start; from < stop;) {
            const int is_dollar = stop - from >= sizeof DOLLAR_MARK
                                  && !memcmp(texts + from, DOLLAR_MARK, sizeof DOLLAR_MARK);
            if (place == n || url[place++] != (is_dollar ? '$' : texts[from])) {
                return 0;
            }
            from += is_dollar ? sizeof DOLLAR_MARK : 1;
        }
        is_first = 0;
        at++;
    }
    if (is_first || place < n || tokens[at].kind != LINK_END) {
        return 0;
    }
    return is_shown_address(url, n) ? at + 1 : 0;
}

/* Whether white space begins the text at a token. */
static int begins_with_space(const Writer *writer, int32_t at, int32_t stop)
{
    const Stream *stream = writer->stream;
    const Token *token = stream->tokens + at;
    const int is_nothing = token->kind == LINK_END
                           || (token->kind == TEXT && token->start == token->stop);
    if (is_nothing && ++at == stop) {
        return 0;
    }
    token = stream->tokens + at;
    size_t size;
    return token->kind == TEXT && token->start < token->stop
           && is_space(point_at(stream->texts.bytes, (size_t)token->stop, (size_t)token->start,
                                &size));
}

/* Begin a link at a token, or write all of it; return the next token. */
static int32_t open_link(Line *line, int32_t at, int32_t stop)
{
    Writer *writer = line->to;
    Text *out = &writer->written;
    const Token *link = writer->stream->tokens + at++;
    line->owes_space |= !owes(line) && begins_with_space(writer, at, stop);
    const int32_t end = link->title_stop > link->stop ? 0 : find_autolink_end(writer, link, at);
    if (end) {
        if (owes(line)) {
            pay(line);
        } else {
            end_address(writer, line->text_start);
        }
        size_t n;
        const uint8_t *url = url_of(writer, link->link, &n);
        put_byte(out, '<');
        put(out, url, n);
        put_byte(out, '>');
        line->at_line = line->at_edge = 0;
        return end;
    }
    if (owes(line)) {
        pay(line);
    } else {
        end_address(writer, line->text_start);
        if (out->n && out->bytes[out->n - 1] == '!') {
            out->n--;
            put(out, (const uint8_t *)"\\!", 2);
        }
    }
    put_byte(out, '[');
    line->link = link->link;
    line->title = link->stop;
    line->title_stop = link->title_stop;
    line->at_line = 0;
    line->at_edge = line->in_link = 1;
    return at;
}

static void close_link(Line *line)
{
    Text *out = &line->to->written;
    size_t n;
    const uint8_t *url = url_of(line->to, line->link, &n);
    put(out, (const uint8_t *)"](", 2);
    put_url(out, url, n);
    put_title(out, line->to, line->title, line->title_stop);
    put_byte(out, ')');
    line->at_line = line->at_edge = line->in_link = 0;
}

/* Whether words directly follow an image that is no initial: it floats beside them. */
static int is_beside_words(const Writer *writer, const Token *image, const Token *stop)
{
    const uint8_t *texts = writer->stream->texts.bytes;
    size_t size;
    if (image->start < image->stop) {
        point_at(texts, (size_t)image->stop, (size_t)image->start, &size);
        if ((int32_t)size == image->stop - image->start) {
            return 0;
        }
    }
    for (const Token *following = image + 1; following < stop; following++) {
        if (following->kind == LINK_END) {
            continue;
        }
        if (following->kind != TEXT) {
            return 0;
        }
        const size_t end = (size_t)following->stop;
        size_t at = (size_t)following->start;
        while (at < end && is_mark(texts, end, at) && !(texts[at + 2] & 1)) {
            at += MARK_BYTES;  /* one that opens */
        }
        if (at < end) {
            const uint32_t first = point_at(texts, end, at, &size);
            if (first >= 0x80) {
                return !is_space(first) && !is_mark(texts, end, at);
            }
            return is_ascii_alnum((uint8_t)first) || first == '"' || first == '\'' || first == '(';
        }
    }
    return 0;
}

static void put_image(Line *line, const Token *image, const Token *stop)
{
    Writer *writer = line->to;
    const int begins = line->at_edge || line->owed_breaks;
    Text *out = &writer->written;
    if (owes(line)) {
        pay(line);
    } else {
        end_address(writer, line->text_start);
    }
    size_t n;
    const uint8_t *url = url_of(writer, image->link, &n);
    put(out, (const uint8_t *)"![", 2);
    put_escaped(out, writer->stream->texts.bytes + image->start,
                (size_t)(image->stop - image->start), 1);
    put(out, (const uint8_t *)"](", 2);
    if (n) {
        put_url(out, url, n);
    } else {
        put(out, (const uint8_t *)"<>", 2);
    }
    put_title(out, writer, image->stop, image->title_stop);
    put_byte(out, ')');
    line->at_line = line->at_edge = 0;
    line->owes_space = begins && is_beside_words(writer, image, stop);
}

int write_run(Writer *writer, int32_t start, int32_t stop, int in_heading)
{
    Line line = {.to = writer, .in_heading = in_heading, .at_line = 1, .at_edge = 1};
    const Token *tokens = writer->stream->tokens;
    const uint8_t *texts = writer->stream->texts.bytes;
    writer->flow.n = writer->written.n = 0;
    for (int32_t at = start; at < stop;) {
        const Token *token = tokens + at;
        if (token->kind == TEXT) {
            put(&writer->flow, texts + token->start, (size_t)(token->stop - token->start));
            at++;
            continue;
        }
        put_text(&line, token->kind == BREAK || token->kind == LINK_END);
        if (token->kind == LINK) {
            at = open_link(&line, at, stop);
            line.text_start = writer->written.n;
            continue;
        }
        at++;
        if (token->kind == LINK_END) {
            close_link(&line);
        } else if (token->kind == IMAGE) {
            put_image(&line, token, tokens + stop);
        } else {
            line.owed_breaks++;
            line.owes_space = 0;
        }
        line.text_start = writer->written.n;
    }
    put_text(&line, 1);
    if (line.is_refused || writer->flow.is_full || writer->written.is_full) {
        return 0;
    }
    if (memchr(writer->written.bytes, DOLLAR_MARK[0], writer->written.n)
        && !write_dollars(writer)) {
        return 0;
    }
    return write_emphasis(writer, !in_heading);
}
