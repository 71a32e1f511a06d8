/* Elements by their names. */

#include "elements.h"

#include <string.h>

#define EACH_MEANING(name, flags, start, end) {#name, sizeof #name - 1, flags, start, end},
const Meaning MEANINGS[N_ELEMENT] = {
    {"", 0, 0, START_ORDINARY, END_ORDINARY},
    {"", 0, 0, START_ORDINARY, END_ORDINARY},
    ELEMENTS(EACH_MEANING)
};
#undef EACH_MEANING

enum { WORD_BYTES = 8 };

static size_t place_of(const uint64_t words[2])
{
    /* Odd numbers without pattern: the fraction of the golden ratio, and that of the root of 3. */
    const uint64_t mixed = (words[0] ^ words[1] * 0xBB67AE8584CAA73BU) * 0x9E3779B97F4A7C15U;
    return (size_t)(mixed >> 54);
}

/* The bytes of a name in lower case, the first in the lowest place. */
static void pack(const uint8_t *name, size_t n, uint64_t words[2])
{
    words[0] = words[1] = 0;
    for (size_t at = 0; at < n; at++) {
        const uint8_t byte = name[at];
        const uint64_t small = (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte;
        words[at / WORD_BYTES] |= small << (8 * (at % WORD_BYTES));
    }
}

void fill_names(ElementNames *names)
{
    memset(names, 0, sizeof *names);
    for (size_t each = FOREIGN + 1; each < N_ELEMENT; each++) {
        const char *name = MEANINGS[each].name;
        pack((const uint8_t *)name, MEANINGS[each].n_name, names->words[each]);
        size_t place = place_of(names->words[each]);
        while (names->at[place]) {
            place = (place + 1) % N_PLACE;
        }
        names->at[place] = (uint8_t)each;
    }
}

Element find_element(const ElementNames *names, const uint8_t *name, size_t n)
{
    uint64_t words[2];
    if (n > NAME_BYTES) {
        return OTHER;
    }
    pack(name, n, words);
    for (size_t place = place_of(words); names->at[place]; place = (place + 1) % N_PLACE) {
        const uint64_t *known = names->words[names->at[place]];
        if (known[0] == words[0] && known[1] == words[1]) {
            return (Element)names->at[place];
        }
    }
    return OTHER;
}
