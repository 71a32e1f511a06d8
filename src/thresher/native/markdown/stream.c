/* The events of plain markup: thresher.writers.stream.reader and runs. */

#include "elements.h"
#include "reader.h"

enum { MAX_NUMBER_DIGITS = 9 };

/* The marks of bold and italic, and a space, at the beginning of the texts. */
static const char MARKS[] = "\xEF\xB7\x90\xEF\xB7\x91\xEF\xB7\x92\xEF\xB7\x93 ";

static void add_event(Reader *reader, int kind, int32_t tag, size_t start, size_t stop)
{
    Stream *out = reader->out;
    if (out->n_event == out->event_room) {
        reader->is_refused = 1;
        return;
    }
    out->events[out->n_event++] = (Event){kind, tag, (int32_t)start, (int32_t)stop};
}

static void end_run(Reader *reader)
{
    Stream *out = reader->out;
    end_spans(reader);
    if (has_content(reader, reader->run, 1)) {
        add_event(reader, RUN, NO_TAG, reader->run, out->n_token);
    } else {
        out->n_token = reader->run;
    }
    reader->run = out->n_token;
}

/* -- inline elements ---------------------------------------------------------------------- */

/* Append the title of a link or image behind its text. */
static void add_title(Reader *reader, const Tag *tag, Token *token)
{
    const Value title = find_value(reader->markup, tag, "title");
    if (title.found && !put_collapsed(&reader->out->texts, reader->markup, title)) {
        reader->is_refused = 1;
    }
    token->title_stop = (int32_t)reader->out->texts.n;
}

/* The number of the next link or image, and whether it has a URL. */
static int next_url(Reader *reader, int32_t *number)
{
    const size_t each = reader->url++;
    if (each >= reader->n_url) {
        reader->is_refused = 1;
        return 0;
    }
    *number = (int32_t)each;
    return reader->url_stop[each] > (each ? reader->url_stop[each - 1] : 0);
}

static void open_link(Reader *reader, const Tag *tag)
{
    int32_t number = 0;
    const int has_url = next_url(reader, &number);
    if (reader->n_link) {
        close_span(reader, A_LINK, 1); /* links do not nest */
    }
    open_span(reader, has_url ? A_LINK : AN_ANCHOR);
    if (has_url) {
        reader->n_link++;
        const size_t n = reader->out->texts.n;
        Token *link = add_token(reader, LINK, n, n);
        if (link) {
            link->link = number;
            add_title(reader, tag, link);
        }
    }
}

static void add_image(Reader *reader, const Tag *tag)
{
    Text *texts = &reader->out->texts;
    int32_t number = 0;
    next_url(reader, &number);
    const size_t start = texts->n;
    const Value alt = find_value(reader->markup, tag, "alt");
    if (alt.found && !put_collapsed(texts, reader->markup, alt)) {
        reader->is_refused = 1;
    }
    Token *image = add_token(reader, IMAGE, start, texts->n);
    if (image) {
        image->link = number;
        add_title(reader, tag, image);
    }
}

/* Add a text, without what is invisible, its dollar signs marked. */
static void add_text(Reader *reader, size_t start, size_t stop)
{
    Text *texts = &reader->out->texts;
    const size_t begin = texts->n;
    if (!put_unescaped(texts, reader->markup, (Value){start, stop, 1})) {
        reader->is_refused = 1;
        return;
    }
    const size_t end = texts->n;
    size_t n_dollar = 0;
    for (const uint8_t *at = texts->bytes + begin;
         (at = memchr(at, '$', (size_t)(texts->bytes + end - at))) != NULL; at++) {
        n_dollar++;
    }
    texts->n = drop_invisible(texts->bytes, begin, end);
    if (n_dollar) {
        const size_t n_more = n_dollar * (sizeof DOLLAR_MARK - 1);
        if (n_more > texts->n_room - texts->n) {
            reader->is_refused = 1;
            return;
        }
        size_t from = texts->n, to = texts->n += n_more;
        while (from > begin) {
            const uint8_t byte = texts->bytes[--from];
            if (byte == '$') {
                to -= sizeof DOLLAR_MARK;
                memcpy(texts->bytes + to, DOLLAR_MARK, sizeof DOLLAR_MARK);
            } else {
                texts->bytes[--to] = byte;
            }
        }
    }
    add_token(reader, TEXT, begin, texts->n);
}

/* -- blocks ------------------------------------------------------------------------------- */

static void start_block(Reader *reader, int32_t tag, size_t number)
{
    const Stream *out = reader->out;
    const int is_list = tag == LIST || tag == NUMBERED_LIST;
    if (is_list && out->n_event) {
        const Event *before = out->events + out->n_event - 1;
        reader->is_refused |= before->kind == OPEN
                              && (before->tag == LIST || before->tag == NUMBERED_LIST);
    }
    if (reader->n_opened == MAX_DEPTH) {
        reader->is_refused = 1;
        return;
    }
    reader->opened[reader->n_opened++] = tag;
    add_event(reader, OPEN, tag, number, 0);
}

/* Close a block, and those in it that are still open. */
static void end_block(Reader *reader, int32_t tag)
{
    size_t at = reader->n_opened;
    while (at > 0 && reader->opened[at - 1] != tag) {
        at--;
    }
    while (at > 0 && reader->n_opened >= at) {
        add_event(reader, CLOSE, reader->opened[--reader->n_opened], 0, 0);
    }
}

/* The first number of a list (HTML Living Standard, 4.4.5), as far as its digits go. */
static size_t read_number(Reader *reader, const Tag *tag)
{
    const Value value = find_value(reader->markup, tag, "start");
    size_t at = value.start, number = 0;
    if (value.stop - at > MAX_NUMBER_DIGITS || (at < value.stop && reader->markup[at] == '-')) {
        reader->is_refused = 1;
        return 1;
    }
    while (at < value.stop && reader->markup[at] >= '0' && reader->markup[at] <= '9') {
        number = 10 * number + (size_t)(reader->markup[at++] - '0');
    }
    return at > value.start ? number : 1;
}

static int has_attribute(const Reader *reader, const Tag *tag, const char *name)
{
    return find_value(reader->markup, tag, name).found;
}

static void read_block_tag(Reader *reader, const Tag *tag, int32_t block)
{
    if (reader->out->n_token > reader->run || reader->n_span) {
        end_run(reader);
    }
    if (tag->is_end) {
        end_block(reader, block);
        return;
    }
    size_t number = 1;
    if (block == NUMBERED_LIST) {
        number = read_number(reader, tag);
        reader->is_refused |= has_attribute(reader, tag, "reversed");
    } else if (block == ITEM) {
        reader->is_refused |= has_attribute(reader, tag, "value");
    }
    start_block(reader, block, number);
}

static void read_inline_tag(Reader *reader, const Tag *tag, int kind)
{
    if (tag->is_end) {
        close_span(reader, kind, kind == A_LINK);
    } else if (kind == A_LINK) {
        open_link(reader, tag);
    } else {
        open_span(reader, kind);
        add_token(reader, TEXT, 0, 0); /* room for a space, and for a mark */
        add_token(reader, TEXT, 0, 0);
    }
}

static void read_known_tag(Reader *reader, const Tag *tag)
{
    const Element element = element_of(tag);
    switch (element.kind) {
    case AN_OTHER:
        break;
    case A_PLAIN_BLOCK:
    case A_SUMMARY:
        if (reader->out->n_token > reader->run || reader->n_span) {
            end_run(reader);
        }
        break;
    case A_BLOCK:
        read_block_tag(reader, tag, element.value);
        break;
    case AN_A:
        read_inline_tag(reader, tag, A_LINK);
        break;
    case A_SPAN:
        read_inline_tag(reader, tag, element.value);
        break;
    case A_LINE_BREAK:
        if (!tag->is_end) {
            add_token(reader, BREAK, 0, 0);
        }
        break;
    case AN_IMAGE:
        if (!tag->is_end) {
            add_image(reader, tag);
        }
        break;
    case A_RULE:
        if (!tag->is_end) {
            end_run(reader);
            add_event(reader, RULE, NO_TAG, 0, 0);
        }
        break;
    default:
        reader->is_refused = 1; /* such elements are in given blocks only */
    }
}

/* Whether a list is open: the paragraphs of a callout would be those of an item. */
static int is_in_list(const Reader *reader)
{
    for (size_t at = 0; at < reader->n_opened; at++) {
        const int32_t tag = reader->opened[at];
        if (tag == LIST || tag == NUMBERED_LIST || tag == ITEM) {
            return 1;
        }
    }
    return 0;
}

/* Add the next of the given blocks; return where the part of the markup that it stands for ends. */
static size_t add_given(Reader *reader, size_t at)
{
    const Given *given = reader->given;
    const size_t part = reader->part++;
    const int64_t stop = given->stop[part], kind = given->kind[part];
    if (stop < (int64_t)at || stop > (int64_t)reader->n || kind < GIVEN_RUN
        || kind > GIVEN_CALLOUT || (kind == GIVEN_CALLOUT && is_in_list(reader))) {
        reader->is_refused = 1;
        return at;
    }
    end_run(reader);
    if (kind != GIVEN_NOTHING) {
        add_event(reader, GIVEN, (int32_t)kind, part, 0);
    }
    return (size_t)stop;
}

static int is_given(const Reader *reader, size_t at)
{
    return reader->part < reader->given->n && reader->given->start[reader->part] == (int64_t)at;
}

int read_stream(const uint8_t *markup, size_t n, const int64_t *url_stop, size_t n_url,
                const Given *given, Stream *out)
{
    Reader reader = {.markup = markup, .n = n, .url_stop = url_stop, .n_url = n_url, .given = given,
                     .out = out};
    put(&out->texts, (const uint8_t *)MARKS, sizeof MARKS - 1);
    if (out->texts.is_full) {
        return 0;
    }
    size_t at = 0;
    while (at < n && !reader.is_refused) {
        if (is_given(&reader, at)) {
            at = add_given(&reader, at);
            continue;
        }
        const uint8_t *found = memchr(markup + at, '<', n - at);
        const size_t start = found ? (size_t)(found - markup) : n;
        if (start > at) {
            add_text(&reader, at, start);
        }
        at = start;
        if (found && !is_given(&reader, at)) {
            Tag tag;
            if (!read_fragment_tag(markup, n, start, &tag)) {
                return 0;
            }
            read_known_tag(&reader, &tag);
            at = tag.stop;
        }
    }
    end_run(&reader);
    while (reader.n_opened) {
        add_event(&reader, CLOSE, reader.opened[--reader.n_opened], 0, 0);
    }
    return !(reader.is_refused || out->texts.is_full || reader.part < given->n);
}
