/* Short texts with a year, 1990 to 2049 (thresher.analysis.threads.evidence). */

#include "../byte_kinds.h"
#include "threads.h"

/* The century of a year that bytes begin with, 0 for none; a fourth digit may be of any script, and
 * so REFUSED is returned for one that is not ASCII. */
static int century_of(const uint8_t *bytes, size_t n)
{
    if (n < 4 || (bytes[0] != '1' && bytes[0] != '2') || !is_digit(bytes[1])) {
        return 0;
    }
    const int is_19 = bytes[0] == '1' && bytes[1] == '9' && bytes[2] == '9';
    const int is_20 = bytes[0] == '2' && bytes[1] == '0' && bytes[2] >= '0' && bytes[2] <= '4';
    if (!is_19 && !is_20) {
        return 0;
    }
    return bytes[3] >= 0x80 ? REFUSED : !is_digit(bytes[3]) ? 0 : is_19 ? 1 : 2;
}

int64_t find_years(const uint8_t *utf8, size_t n_byte, const ShortTexts *texts, int32_t *found)
{
    int64_t n_found = 0, place = -1; /* characters before the one at hand */
    int64_t free_at[3] = {0};        /* years of a century do not overlap */
    size_t next = 0;                 /* the text at hand is the one before it */
    for (size_t at = 0; at < n_byte; at++) {
        place += !continues_character(utf8[at]);
        if (utf8[at] != '1' && utf8[at] != '2') {
            continue;
        }
        const int century = century_of(utf8 + at, n_byte - at);
        if (century < 0) {
            return REFUSED;
        }
        if (!century || place < free_at[century]) {
            continue;
        }
        free_at[century] = place + 4;
        while (next < texts->n && texts->start[next] <= place) {
            next++;
        }
        if (!next) {
            continue;
        }
        const int32_t text = (int32_t)(next - 1);
        if (place < texts->stop[text] && texts->chars[text] <= texts->max_chars
            && (!n_found || found[n_found - 1] != text)) {
            found[n_found++] = text;
        }
    }
    return n_found;
}
