/* Attributes that hide their elements: thresher.page.hidden. */

#include "../byte_kinds.h"
#include "../core.h"

#include <string.h>

/* The flags of thresher.page.hidden.Hidden that attributes set. */
enum { ATTRIBUTE = 8, STYLE = 16, ARIA = 32 };

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

static int ends_with(Text text, const char *word)
{
    const size_t size = strlen(word);
    return (size_t)(text.stop - text.start) >= size
           && begins_with((Text){text.stop - size, text.stop}, word);
}

/* Whether a text ends with the name of a property, not just with a longer name. */
static int ends_with_name(Text text, const char *name)
{
    if (!ends_with(text, name)) {
        return 0;
    }
    const uint8_t *at = text.stop - strlen(name);
    return at == text.start || !(is_word(at[-1]) || at[-1] == '-');
}

/* `display: none`, `visibility: hidden` and the like, found by their colons. */
static int hides(Text style)
{
    const uint8_t *colon = style.start;
    while ((colon = memchr(colon, ':', (size_t)(style.stop - colon))) != NULL) {
        Text before = {style.start, colon}, behind = {colon + 1, style.stop};
        while (before.stop > before.start && is_white(before.stop[-1])) {
            before.stop--;
        }
        while (behind.start < behind.stop && is_white(*behind.start)) {
            behind.start++;
        }
        if (begins_with(behind, "none")) {
            if (ends_with_name(before, "display")) {
                return 1;
            }
        } else if ((begins_with(behind, "hidden") || begins_with(behind, "collapse"))
                   && (ends_with_name(before, "visibility")
                       || ends_with_name(before, "content-visibility"))) {
            return 1;
        }
        colon++;
    }
    return 0;
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
        return hides(value) ? STYLE : 0;
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
