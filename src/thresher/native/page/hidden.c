/* Attributes that hide their elements: thresher.page.hidden. */

#include "../byte_kinds.h"
#include "../core.h"

#include <string.h>

/* The flags of thresher.page.hidden.Hidden that attributes set. */
enum { ATTRIBUTE = 8, STYLE = 16, ARIA = 32, SMALL = 64 };

enum { VALUE_BYTES = 64 }; /* read of a value */

typedef struct {
    const uint8_t *start, *stop;
} Text;

static int is_white(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static int is_word(uint8_t byte)
{
    return is_ascii_alnum(byte) || byte == '_';
}

static int begins_with(Text text, const char *word)
{
    const uint8_t *at = text.start;
    for (; *word; word++, at++) {
        if (at == text.stop || lower(*at) != (uint8_t)*word) {
            return 0;
        }
    }
    return 1;
}

static int is_text(Text text, const char *word)
{
    return (size_t)(text.stop - text.start) == strlen(word) && begins_with(text, word);
}

/* What declarations say; some hide only together. thresher.page.hidden has the same. */
enum {
    GONE = 1, UNSEEN = 2, CLEAR = 4, PLACED = 8, CUT = 16, NARROW = 32, LOW = 64, FLAT = 128,
    MOVES = 256, PADDED = 512, TINY = 1024, SHOWN = 2048
};

/* Whether a number is 0. */
static int is_zero(Text value)
{
    const uint8_t *at = value.start;
    if (at == value.stop || *at++ != '0') {
        return 0;
    }
    if (at < value.stop && *at == '.') {
        for (at++; at < value.stop && *at == '0'; at++) {
        }
    }
    return at == value.stop || !(is_digit(*at) || *at == '.');
}

/* Whether a length leads far off the page: -5000 or beyond, or -999. */
static int is_far(Text value)
{
    const uint8_t *at = value.start;
    if (at == value.stop || *at++ != '-') {
        return 0;
    }
    const uint8_t *first = at;
    while (at < value.stop && at - first < 5 && is_digit(*at)) {
        at++;
    }
    return at - first >= 5 || (at - first == 4 && *first >= '5')
           || (at - first == 3 && first[0] == '9' && first[1] == '9' && first[2] == '9');
}

/* Whether a clip is a rectangle without or with hardly any area. */
static int is_cut_away(Text value)
{
    if (!begins_with(value, "rect(")) {
        return 0;
    }
    for (const uint8_t *at = value.start + 5; at < value.stop; at++) {
        if (*at == ')') {
            return 1;
        }
        if (!strchr("01px ,%", lower(*at)) || !*at) {
            return 0;
        }
    }
    return 0;
}

static int is_moving(Text name)
{
    static const char *const names[] = {"trans", "anim", "will-change", "-webkit-trans",
                                        "-webkit-anim"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (begins_with(name, names[i])) {
            return 1;
        }
    }
    return 0;
}

static unsigned declare(Text name, Text value)
{
    if (is_text(name, "display")) {
        return begins_with(value, "none") ? GONE : SHOWN;
    }
    if (is_text(name, "visibility") || is_text(name, "content-visibility")) {
        return (begins_with(value, "hidden") || begins_with(value, "collapse") ? UNSEEN : 0)
               | (begins_with(value, "visible") && lower(*name.start) == 'v' ? SHOWN : 0);
    }
    if (is_text(name, "opacity")) {
        return (is_zero(value) ? CLEAR : 0)
               | (begins_with(value, "1") || begins_with(value, ".") || begins_with(value, "0.")
                      ? SHOWN
                      : 0);
    }
    if (is_text(name, "font-size")) {
        return is_zero(value) || begins_with(value, "1px") ? TINY : 0;
    }
    if (is_text(name, "position")) {
        return begins_with(value, "absolute") || begins_with(value, "fixed") ? PLACED : 0;
    }
    if (is_text(name, "overflow")) {
        return begins_with(value, "hidden") ? CUT : 0;
    }
    if (is_text(name, "width")) {
        return begins_with(value, "1px") ? NARROW : 0;
    }
    if (is_text(name, "height") || is_text(name, "max-height")) {
        return begins_with(value, "1px") ? LOW | FLAT : is_zero(value) ? FLAT : 0;
    }
    if (is_text(name, "clip")) {
        return is_cut_away(value) ? GONE : 0;
    }
    if (is_text(name, "clip-path")) {
        return begins_with(value, "inset(50%") || begins_with(value, "inset(100%") ? GONE : 0;
    }
    if (is_text(name, "left") || is_text(name, "top") || is_text(name, "right")
        || is_text(name, "text-indent") || is_text(name, "margin-left")) {
        return is_far(value) ? GONE : 0;
    }
    return is_moving(name) ? MOVES : begins_with(name, "padding") ? PADDED : 0;
}

/* What the declarations of a style say, which are found by their colons. */
static unsigned read_style(Text style)
{
    unsigned said = 0;
    const uint8_t *colon = style.start;
    while ((colon = memchr(colon, ':', (size_t)(style.stop - colon))) != NULL) {
        Text name = {colon, colon}, value = {colon + 1, style.stop};
        while (name.stop > style.start && is_white(name.stop[-1])) {
            name.stop--;
        }
        name.start = name.stop;
        while (name.start > style.start && (is_word(name.start[-1]) || name.start[-1] == '-')) {
            name.start--;
        }
        while (value.start < value.stop && is_white(*value.start)) {
            value.start++;
        }
        if (value.stop - value.start > VALUE_BYTES) {
            value.stop = value.start + VALUE_BYTES;
        }
        said |= declare(name, value);
        colon++;
    }
    return said;
}

/* The flags of what a style says. */
static uint8_t hides(unsigned said)
{
    if (said & GONE || (said & UNSEEN && !(said & MOVES))
        || (said & CLEAR && said & PLACED && !(said & MOVES))
        || (said & NARROW && said & LOW && said & CUT)
        || (said & FLAT && said & CUT && !(said & (MOVES | PADDED)))) {
        return STYLE;
    }
    return said & TINY ? SMALL : 0;
}

/* Whether `true` is a word of a value. */
static int says_true(Text value)
{
    for (const uint8_t *at = value.start; at < value.stop; at++) {
        if (begins_with((Text){at, value.stop}, "true") && (at == value.start || !is_word(at[-1]))
            && (at + 4 == value.stop || !is_word(at[4]))) {
            return 1;
        }
    }
    return 0;
}

static uint8_t hidden_by(const uint8_t *name, size_t size, Text value)
{
    if (size == 5 && memcmp(name, "style", 5) == 0) {
        return hides(read_style(value));
    }
    if (size == 6 && memcmp(name, "hidden", 6) == 0) {
        return ATTRIBUTE;
    }
    if (size == 11 && memcmp(name, "aria-hidden", 11) == 0) {
        return says_true(value) ? ARIA : 0;
    }
    return 0;
}

int flag_hidden(const uint8_t *buffer, size_t n_byte, const int32_t *row, const int32_t *name_start,
                const int32_t *start, const int32_t *stop, size_t n, size_t n_row, uint8_t *flags)
{
    enum { OPENING = 2 }; /* bytes between a name and its value: =" */
    for (size_t i = 0; i < n; i++) {
        const int64_t size = (int64_t)start[i] - name_start[i] - OPENING;
        if (row[i] < 0 || (size_t)row[i] >= n_row || name_start[i] < 0 || size < 0
            || start[i] > stop[i] || (size_t)stop[i] > n_byte) {
            return REFUSED;
        }
        const Text value = {buffer + start[i], buffer + stop[i]};
        flags[row[i]] |= hidden_by(buffer + name_start[i], (size_t)size, value);
    }
    return 0;
}

static Text skip_white(Text text)
{
    while (text.start < text.stop && is_white(*text.start)) {
        text.start++;
    }
    return text;
}

/* Skips a word and the white space behind it, of which there must be some. */
static int skip_word(Text *text, const char *word)
{
    const Text rest = {text->start + strlen(word), text->stop};
    if (!begins_with(*text, word) || skip_white(rest).start == rest.start) {
        return 0;
    }
    *text = skip_white(rest);
    return 1;
}

enum { ALWAYS = 0, ON_SOME = 1, ON_PAPER = 2 };

/* Whether the content of an at-rule holds on the screens of all readers, of some, or on none. */
static uint8_t find_medium(Text head)
{
    head = skip_white(head);
    if (begins_with(head, "@layer") || begins_with(head, "@supports")) {
        return ALWAYS;
    }
    if (!skip_word(&head, "@media")) {
        return ON_SOME;
    }
    skip_word(&head, "only");
    const int is_print = begins_with(head, "print");
    const size_t size =
        is_print ? 5 : begins_with(head, "all") ? 3 : begins_with(head, "screen") ? 6 : 0;
    head.start += size;
    const int is_whole = size && skip_white(head).start == head.stop;
    return !is_whole ? ON_SOME : is_print ? ON_PAPER : ALWAYS;
}

int64_t find_telling_rules(const uint8_t *css, size_t n, size_t n_room, uint8_t *narrow,
                           int32_t *start, int32_t *stop, uint8_t *tells)
{
    enum { HIDES = 1, SHOWS = 2 };
    const uint8_t *const end = css + n;
    Text head = {css, css}; /* of the rule that is open */
    const uint8_t *statement = css;
    const uint8_t *open = NULL; /* where its declarations start */
    size_t depth = 0, n_narrow = 0, n_paper = 0, n_brace = 0;
    int64_t n_found = 0;
    for (const uint8_t *at = css; at <= end; at++) {
        const uint8_t byte = at < end ? *at : '}';
        if (byte == ';') {
            statement = at + 1;
        } else if (byte == '{') {
            if (++n_brace > n_room) {
                return REFUSED;
            }
            if (open) {
                narrow[depth] = find_medium(head);
                n_narrow += narrow[depth] != ALWAYS;
                n_paper += narrow[depth++] == ON_PAPER;
            }
            head = (Text){statement, at};
            open = statement = at + 1;
        } else if (byte == '}') {
            if (open) {
                const unsigned said = read_style((Text){open, at});
                const int is_hiding = !n_narrow && hides(said) == STYLE;
                if (!n_paper && (is_hiding || said & SHOWN)) {
                    start[n_found] = (int32_t)(head.start - css);
                    stop[n_found] = (int32_t)(head.stop - css);
                    tells[n_found++] = (uint8_t)((is_hiding ? HIDES : 0) | (said & SHOWN ? SHOWS : 0));
                }
                open = NULL;
            } else if (depth) {
                n_narrow -= narrow[--depth] != ALWAYS;
                n_paper -= narrow[depth] == ON_PAPER;
            }
            statement = at + 1;
        }
    }
    return n_found;
}
