/* Blocks as Markdown: thresher.writers.commonmark.renderer and items. */

#include "markdown.h"

#include <stdio.h>

typedef struct {
    int is_ordered, is_loose, is_other;
    int64_t number;
    size_t width;
} List;

typedef struct {
    Writer *writer;
    Text *out;
    const uint8_t *loose, *leading; /* of each event, whether it is such a list or item */
    uint8_t prefix[MAX_PREFIX];
    size_t n_prefix, prefixes[2 * MAX_DEPTH], n_prefixes; /* sizes of the prefixes around */
    uint8_t tight[2 * MAX_DEPTH + 1];
    List lists[MAX_DEPTH], last_list;
    size_t n_list;
    struct {
        int32_t tag;
        int continues;
    } opened[MAX_DEPTH + 2];
    size_t n_opened;
    int has_last_list, wants_blank, is_begun, is_attached, is_item_start, level, is_refused;
} Renderer;

static int is_list(int32_t tag)
{
    return tag == LIST || tag == NUMBERED_LIST;
}

static int is_given_run(const Event *event)
{
    return event->tag == GIVEN_RUN || event->tag == GIVEN_HEADING;
}

/* -- items -------------------------------------------------------------------------------- */

/* Flag the lists with an item of several paragraphs, or a text behind a list, a quote or a table, or
   between items, and the items that begin with text or with a list that does. */
static int read_items(const Stream *stream, uint8_t *loose, uint8_t *leading)
{
    struct {
        size_t index, n_list;
        int n_paragraph;
    } items[MAX_DEPTH];
    size_t lists[MAX_DEPTH], n_item = 0, n_list = 0;
    size_t n_waiting = 0; /* the innermost items that have begun, and nothing but lists followed */
    int in_heading = 0;
    memset(loose, 0, stream->n_event);
    memset(leading, 0, stream->n_event);
    for (size_t index = 0; index < stream->n_event; index++) {
        const Event *event = stream->events + index;
        if (event->kind == OPEN) {
            in_heading = is_heading(event->tag);
            if (event->tag == ITEM) {
                items[n_item].index = index;
                items[n_item].n_list = n_list;
                items[n_item++].n_paragraph = 0;
                n_waiting++;
                continue;
            }
            if (is_list(event->tag)) {
                lists[n_list++] = index;
            }
            for (; in_heading && n_waiting; n_waiting--) {
                leading[items[n_item - n_waiting].index] = 1;
            }
            n_waiting = event->tag == QUOTE ? 0 : n_waiting;
        } else if (event->kind == CLOSE) {
            n_waiting = event->tag == ITEM ? 0 : n_waiting;
            in_heading = 0;
            n_item -= event->tag == ITEM;
            n_list -= (size_t)is_list(event->tag);
            if (n_item && (is_list(event->tag) || event->tag == QUOTE)) {
                items[n_item - 1].n_paragraph = 1; /* a text on the next line would go on with it */
            }
        } else {
            const int is_run = event->kind == RUN || (event->kind == GIVEN && is_given_run(event));
            if (is_run && !in_heading) {
                const int is_loose = !n_item || items[n_item - 1].n_list < n_list;
                if (n_list && (is_loose || items[n_item - 1].n_paragraph)) {
                    loose[lists[n_list - 1]] = 1;
                }
                if (n_item) {
                    items[n_item - 1].n_paragraph++;
                }
                for (; n_waiting; n_waiting--) {
                    leading[items[n_item - n_waiting].index] = 1;
                }
            } else if (n_item && event->kind == GIVEN && event->tag == GIVEN_TABLE) {
                items[n_item - 1].n_paragraph = 1;
            }
            n_waiting = 0;
        }
    }
    return 1;
}

/* -- lines -------------------------------------------------------------------------------- */

static void put_prefix(Renderer *to)
{
    put(to->out, to->prefix, to->n_prefix);
}

/* Begin the line of a block, after a blank one if it or the block before wants that. */
static void begin_block(Renderer *to, int wants_blank)
{
    to->has_last_list = 0;
    if (!to->is_begun) {
        to->is_begun = 1;
        put_prefix(to);
    } else if (to->is_attached) {
        to->is_attached = 0;
    } else {
        put_byte(to->out, '\n');
        const int is_apart = (to->wants_blank || wants_blank) && !to->tight[to->n_prefixes];
        if (is_apart && !to->is_item_start) {
            size_t n = to->n_prefix;
            while (n && to->prefix[n - 1] == ' ') {
                n--;
            }
            put(to->out, to->prefix, n);
            put_byte(to->out, '\n');
        }
        put_prefix(to);
    }
    to->wants_blank = wants_blank;
    to->is_item_start = 0;
}

/* Let the next block begin on a line of its own, after a blank one. */
static void leave_line(Renderer *to)
{
    to->wants_blank = 1;
    to->is_attached = 0;
}

/* Begin the inside of a block, whose lines begin with an indent. */
static void enter(Renderer *to, const char *indent, size_t width, int is_tight)
{
    if (to->n_prefixes == 2 * MAX_DEPTH || width > MAX_PREFIX - to->n_prefix) {
        to->is_refused = 1;
        return;
    }
    to->prefixes[to->n_prefixes++] = to->n_prefix;
    if (indent) {
        memcpy(to->prefix + to->n_prefix, indent, width);
    } else {
        memset(to->prefix + to->n_prefix, ' ', width);
    }
    to->n_prefix += width;
    to->tight[to->n_prefixes] = (uint8_t)is_tight;
}

static void leave(Renderer *to)
{
    if (to->n_prefixes) {
        to->n_prefix = to->prefixes[--to->n_prefixes];
    }
    to->is_attached = 0;
}

/* Begin what stands in a list, but not in an item: it continues the last item. */
static void continue_item(Renderer *to, int32_t tag)
{
    int continues = 0;
    if (to->n_list && tag != ITEM && is_list(to->opened[to->n_opened - 1].tag)) {
        const List *around = to->lists + to->n_list - 1;
        continues = around->width > 0;
        if (continues) {
            enter(to, NULL, around->width, is_list(tag) || !around->is_loose);
        }
    }
    if (to->n_opened == MAX_DEPTH + 2) {
        to->is_refused = 1;
        return;
    }
    to->opened[to->n_opened].tag = tag;
    to->opened[to->n_opened++].continues = continues;
}

static void close_block(Renderer *to, int32_t tag)
{
    if (tag == ITEM || tag == QUOTE) {
        leave(to);
    } else if (is_list(tag) && to->n_list) {
        to->last_list = to->lists[--to->n_list];
        to->has_last_list = 1;
    } else if (is_heading(tag)) {
        to->level = 0;
    }
    if (to->opened[--to->n_opened].continues) {
        leave(to);
    }
}

/* -- blocks ------------------------------------------------------------------------------- */

/* The text of a given block. */
static const uint8_t *text_of(const Given *given, int32_t number, size_t *n)
{
    const size_t start = number ? (size_t)given->text_stop[number - 1] : 0;
    *n = (size_t)given->text_stop[number] - start;
    return given->texts + start;
}

/* Put lines, of which all but the first need the prefix. */
static void put_lines(Renderer *to, const uint8_t *lines, size_t n)
{
    for (size_t start = 0; start < n;) {
        const uint8_t *found = memchr(lines + start, '\n', n - start);
        const size_t stop = found ? (size_t)(found - lines) + 1 : n;
        put(to->out, lines + start, stop - start);
        if (found) {
            put_prefix(to);
        }
        start = stop;
    }
}

/* Write a run into that of the writer. */
static int write_any_run(Renderer *to, const Event *event)
{
    Writer *writer = to->writer;
    if (event->kind == RUN) {
        return write_run(writer, event->start, event->stop, to->level > 0);
    }
    size_t n;
    const uint8_t *text = text_of(writer->given, event->start, &n);
    writer->run.n = 0;
    put(&writer->run, text, n);
    return (event->tag == GIVEN_HEADING) == (to->level > 0) && !writer->run.is_full;
}

static void add_given_block(Renderer *to, const Event *event)
{
    size_t n;
    const uint8_t *text = text_of(to->writer->given, event->start, &n);
    if (event->tag == GIVEN_CALLOUT) {
        leave_line(to);
    }
    if (n) {
        begin_block(to, 1);
        put_lines(to, text, n);
    }
}

static void add_run(Renderer *to, const Event *event)
{
    const int continues = to->n_list && is_list(to->opened[to->n_opened - 1].tag)
                          && to->lists[to->n_list - 1].width;
    if (continues) {
        continue_item(to, NO_TAG);
    }
    begin_block(to, to->level > 0 || !to->tight[to->n_prefixes]);
    if (!write_any_run(to, event)) {
        to->is_refused = 1;
        return;
    }
    const Text *run = &to->writer->run;
    size_t start = 0;
    if (to->level) {
        put(to->out, (const uint8_t *)"######", (size_t)to->level);
        put_byte(to->out, ' ');
        /* Signs at its end would be read as the end of the heading (CommonMark 0.31.2, 4.2). */
        size_t signs = run->n;
        while (signs && run->bytes[signs - 1] == '#') {
            signs--;
        }
        if (signs < run->n && (!signs || run->bytes[signs - 1] == ' ')) {
            put(to->out, run->bytes, signs);
            put_byte(to->out, '\\');
            start = signs;
        }
    }
    put_lines(to, run->bytes + start, run->n - start);
    if (continues) {
        close_block(to, NO_TAG);
    }
}

static void open_quote(Renderer *to)
{
    if (to->is_begun) { /* the blank line before it is not part of it */
        leave_line(to);
        begin_block(to, 1);
        put(to->out, (const uint8_t *)"> ", 2);
        to->is_attached = 1;
    }
    enter(to, "> ", 2, 0);
}

static void open_list(Renderer *to, size_t index, const Event *event)
{
    const int is_ordered = event->tag == NUMBERED_LIST;
    const int follows = to->has_last_list && to->last_list.is_ordered == is_ordered;
    to->lists[to->n_list++] = (List){
        is_ordered, to->loose[index], follows && !to->last_list.is_other, event->start, 0,
    };
    /* Only a list that begins with 1 can follow a text directly. */
    to->wants_blank |= is_ordered && event->start != 1;
    to->has_last_list = 0;
}

static void open_item(Renderer *to, size_t index)
{
    List none = {0, 0, 0, 1, 0}, *around = to->n_list ? to->lists + to->n_list - 1 : &none;
    begin_block(to, around->is_loose);
    char marker[24];
    int width;
    if (around->is_ordered) {
        width = snprintf(marker, sizeof marker, "%lld%c ", (long long)around->number,
                         around->is_other ? ')' : '.');
        around->number++;
    } else {
        width = snprintf(marker, sizeof marker, "%c ", around->is_other ? '*' : '-');
    }
    put(to->out, (const uint8_t *)marker, (size_t)width);
    around->width = (size_t)width;
    enter(to, NULL, around->width, !around->is_loose);
    to->is_attached = to->leading[index];
    to->wants_blank = 0; /* a blank line here would end the item */
    to->is_item_start = 1;
}

static void open_block(Renderer *to, size_t index, const Event *event)
{
    continue_item(to, event->tag);
    if (event->tag == ITEM) {
        open_item(to, index);
    } else if (is_list(event->tag)) {
        open_list(to, index, event);
    } else if (is_heading(event->tag)) {
        to->level = event->tag - HEADING;
    } else if (event->tag == QUOTE) {
        open_quote(to);
    }
}

int64_t write_blocks(Writer *writer, uint8_t *loose, uint8_t *leading, Text *out)
{
    const Stream *stream = writer->stream;
    Renderer to = {.writer = writer, .out = out, .loose = loose, .leading = leading, .n_opened = 1};
    read_items(stream, loose, leading);
    for (size_t index = 0; index < stream->n_event; index++) {
        const Event *event = stream->events + index;
        if (event->kind == GIVEN && !is_given_run(event)) {
            add_given_block(&to, event);
        } else if (event->kind == RUN || event->kind == GIVEN) {
            add_run(&to, event);
        } else if (event->kind == OPEN) {
            open_block(&to, index, event);
        } else if (event->kind == CLOSE) {
            close_block(&to, event->tag);
        } else {
            begin_block(&to, 1);
            put(out, (const uint8_t *)"---", 3);
        }
        if (to.is_refused || out->is_full) {
            return REFUSED;
        }
    }
    size_t start = 0;
    while (out->n && is_ascii_space(out->bytes[out->n - 1])) {
        out->n--;
    }
    while (start < out->n && is_ascii_space(out->bytes[start])) {
        start++;
    }
    memmove(out->bytes, out->bytes + start, out->n - start);
    return (int64_t)(out->n - start);
}
