/* The events of plain markup: thresher.writers.stream.reader and runs. */

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
    if (has_content(reader, reader->run)) {
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

/* Add a text, without soft hyphens, its dollar signs marked. */
static void add_text(Reader *reader, size_t start, size_t stop)
{
    Text *texts = &reader->out->texts;
    const size_t begin = texts->n;
    if (!put_unescaped(texts, reader->markup, (Value){start, stop, 1})) {
        reader->is_refused = 1;
        return;
    }
    const size_t end = texts->n;
    size_t n_dollar = 0, to = begin;
    for (const uint8_t *at = texts->bytes + begin;
         (at = memchr(at, '$', (size_t)(texts->bytes + end - at))) != NULL; at++) {
        n_dollar++;
    }
    if (memchr(texts->bytes + begin, 0xC2, end - begin)) {
        for (size_t at = begin; at < end; at++) {
            if (texts->bytes[at] == 0xC2 && at + 1 < end && texts->bytes[at + 1] == 0xAD) {
                at++;
                continue;
            }
            texts->bytes[to++] = texts->bytes[at];
        }
        texts->n = to;
    }
    if (n_dollar) {
        const size_t n_more = n_dollar * (sizeof DOLLAR_MARK - 1);
        if (n_more > texts->n_room - texts->n) {
            reader->is_refused = 1;
            return;
        }
        size_t from = texts->n;
        to = texts->n += n_more;
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
    if (value.stop - at > MAX_NUMBER_DIGITS) {
        reader->is_refused = 1;
        return 1;
    }
    while (at < value.stop && reader->markup[at] >= '0' && reader->markup[at] <= '9') {
        number = 10 * number + (size_t)(reader->markup[at++] - '0');
    }
    return at > value.start ? number : 1;
}

/* Elements of which only the edges count, and those with a meaning; 0 for others. */
static int is_plain_block(const Tag *tag)
{
    return is_named(tag, "p") || is_named(tag, "div") || is_named(tag, "figure")
           || is_named(tag, "details");
}

static int32_t block_of(const Tag *tag)
{
    const uint8_t *name = tag->name;
    if (tag->n_name == 2) {
        if (name[0] == 'h' && name[1] >= '1' && name[1] <= '6') {
            return HEADING + name[1] - '0';
        }
        if (name[1] == 'l') {
            return name[0] == 'u' ? LIST : name[0] == 'o' ? NUMBERED_LIST : NO_TAG;
        }
        return name[0] == 'l' && name[1] == 'i' ? ITEM : NO_TAG;
    }
    return is_named(tag, "blockquote")   ? QUOTE
           : is_named(tag, "figcaption") ? OTHER_BLOCK
                                         : NO_TAG;
}

/* Elements that need more than this step knows. */
static int is_rare(const Tag *tag)
{
    static const char *const names[] = {
        "acronym", "annotation", "annotation-xml", "caption", "code", "dd", "del", "dir", "dl",
        "dt", "input", "kbd", "mark", "math", "menu", "pre", "q", "rt", "s", "samp", "script", "strike",
        "style", "sub", "summary", "sup", "svg", "table", "td", "th", "title", "tr", "tt",
    };
    for (size_t each = 0; each < sizeof names / sizeof *names; each++) {
        if (is_named(tag, names[each])) {
            return 1;
        }
    }
    return 0;
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
    } else if (block == QUOTE) {
        reader->is_refused |= has_attribute(reader, tag, "data-callout");
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
    int32_t block;
    if (is_plain_block(tag)) {
        if (reader->out->n_token > reader->run || reader->n_span) {
            end_run(reader);
        }
    } else if (is_named(tag, "a")) {
        read_inline_tag(reader, tag, A_LINK);
    } else if (is_named(tag, "strong")) {
        read_inline_tag(reader, tag, A_STRONG);
    } else if (is_named(tag, "b")) {
        read_inline_tag(reader, tag, A_B);
    } else if (is_named(tag, "em")) {
        read_inline_tag(reader, tag, AN_EM);
    } else if (is_named(tag, "i")) {
        read_inline_tag(reader, tag, AN_I);
    } else if ((block = block_of(tag)) != NO_TAG) {
        read_block_tag(reader, tag, block);
    } else if (tag->is_end) {
        reader->is_refused |= is_rare(tag);
    } else if (is_named(tag, "br")) {
        add_token(reader, BREAK, 0, 0);
    } else if (is_named(tag, "img")) {
        add_image(reader, tag);
    } else if (is_named(tag, "hr")) {
        end_run(reader);
        add_event(reader, RULE, NO_TAG, 0, 0);
    } else {
        reader->is_refused |= is_rare(tag);
    }
}

/* Whether markup has a mark of notes (U+1FFFE, U+1FFFF, U+2FFFE). */
static int has_notes(const uint8_t *markup, size_t n)
{
    const uint8_t *at = markup;
    while ((at = memchr(at, 0xF0, (size_t)(markup + n - at))) != NULL) {
        if (markup + n - at > 3 && (at[1] == 0x9F || at[1] == 0xAF) && at[2] == 0xBF
            && at[3] >= 0xBE) {
            return 1;
        }
        at++;
    }
    return 0;
}

int read_stream(const uint8_t *markup, size_t n, const int64_t *url_stop, size_t n_url, Stream *out)
{
    Reader reader = {.markup = markup, .n = n, .url_stop = url_stop, .n_url = n_url, .out = out};
    put(&out->texts, (const uint8_t *)MARKS, sizeof MARKS - 1);
    if (out->texts.is_full || has_notes(markup, n)) {
        return 0;
    }
    size_t at = 0;
    while (at < n && !reader.is_refused) {
        const uint8_t *found = memchr(markup + at, '<', n - at);
        const size_t start = found ? (size_t)(found - markup) : n;
        if (start > at) {
            add_text(&reader, at, start);
        }
        Tag tag = {.stop = n};
        if (found) {
            if (!read_fragment_tag(markup, n, start, &tag)) {
                return 0;
            }
            read_known_tag(&reader, &tag);
        }
        at = tag.stop;
    }
    end_run(&reader);
    while (reader.n_opened) {
        add_event(&reader, CLOSE, reader.opened[--reader.n_opened], 0, 0);
    }
    return !(reader.is_refused || out->texts.is_full);
}
