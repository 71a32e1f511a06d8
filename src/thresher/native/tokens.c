/* What elements are called: the distinct values of attributes, and their tokens; features/names.py.
 *
 * A token's hash is the sum of a number for its first symbol and one for each pair of neighbours
 * behind it (features/hashing.py); all letters count as small ones. */

#include "network.h"

#include <string.h>

enum { SPACE_KIND = 1, LETTER_KIND = 2, UPPER_KIND = 3 };

enum { MIN_LETTERS = 2, N_SYMBOL = 256 };

static uint8_t kind_of(uint8_t symbol)
{
    if (symbol >= 0x80 || (symbol >= 'a' && symbol <= 'z')) {
        return LETTER_KIND;
    }
    if (symbol >= 'A' && symbol <= 'Z') {
        return UPPER_KIND;
    }
    return symbol == ' ' || symbol == '\t' || symbol == '\n' || symbol == '\r' || symbol == '\f'
               ? SPACE_KIND
               : 0;
}

static uint8_t lower(uint8_t symbol)
{
    return symbol >= 'A' && symbol <= 'Z' ? (uint8_t)(symbol + ('a' - 'A')) : symbol;
}

/* What is told of a value as it is read. */
typedef struct {
    const uint64_t *numbers; /* [N_SYMBOL * N_SYMBOL] */
    uint64_t salt;
    uint64_t *hashes; /* where the next token goes */
} Tokens;

static uint64_t hash_of(const Tokens *tokens, const uint8_t *run, size_t n)
{
    uint8_t before = lower(run[0]);
    uint64_t sum = tokens->numbers[before];
    for (size_t at = 1; at < n; at++) {
        const uint8_t symbol = lower(run[at]);
        sum += tokens->numbers[before * N_SYMBOL + symbol];
        before = symbol;
    }
    return sum + tokens->salt;
}

static int begins_word(const uint8_t *value, size_t at)
{
    const uint8_t kind = kind_of(value[at]), before = at ? kind_of(value[at - 1]) : SPACE_KIND;
    return kind >= LETTER_KIND
           && (before < LETTER_KIND || (kind == UPPER_KIND && before == LETTER_KIND));
}

/* Read a value of n bytes: itself with a space behind, then its names and their words by place. */
static void read_value(Tokens *tokens, const uint8_t *value, size_t n)
{
    static const uint8_t SPACE = ' ';
    uint64_t whole = hash_of(tokens, n ? value : &SPACE, n ? n : 1);
    if (n) {
        whole += tokens->numbers[lower(value[n - 1]) * N_SYMBOL + SPACE];
    }
    *tokens->hashes++ = whole;
    for (size_t at = 0; at < n;) {
        if (kind_of(value[at]) == SPACE_KIND) {
            at++;
            continue;
        }
        const size_t start = at;
        size_t stop = at, n_word = 0;
        for (; stop < n && kind_of(value[stop]) != SPACE_KIND; stop++) {
            n_word += (size_t)begins_word(value, stop);
        }
        int is_told = n_word < 2;
        while (at < stop) {
            if (!begins_word(value, at)) {
                if (!is_told) {
                    *tokens->hashes++ = hash_of(tokens, value + start, stop - start);
                    is_told = 1;
                }
                at++;
                continue;
            }
            size_t end = at + 1;
            while (end < stop && kind_of(value[end]) >= LETTER_KIND && !begins_word(value, end)) {
                end++;
            }
            if (end - at >= MIN_LETTERS) {
                *tokens->hashes++ = hash_of(tokens, value + at, end - at);
            }
            if (!is_told) {
                *tokens->hashes++ = hash_of(tokens, value + start, stop - start);
                is_told = 1;
            }
            at = end;
        }
    }
}

/* Scatter the bytes of a value over the places of a table. */
static uint64_t scatter(const uint8_t *value, size_t n, uint64_t salt)
{
    uint64_t hash = salt * 0x9E3779B97F4A7C15u + n;
    while (n) {
        uint64_t word = 0;
        const size_t n_byte = n < sizeof word ? n : sizeof word;
        memcpy(&word, value, n_byte);
        hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
        value += n_byte;
        n -= n_byte;
    }
    hash *= 0x94D049BB133111EBu;
    return hash ^ (hash >> 32);
}

int64_t read_names(const uint8_t *buffer, size_t n_byte, const int32_t *start, const int32_t *stop,
                   const uint64_t *salt, size_t n_entry, const uint64_t *numbers, int32_t *table,
                   size_t n_place, int64_t *first_of, int64_t *name, uint64_t *hashes, size_t n_room,
                   int64_t *token_start)
{
    Tokens tokens = {numbers, 0, hashes};
    int64_t n_name = 0;
    if (!n_place || (n_place & (n_place - 1)) || n_place <= n_entry) {
        return REFUSED;
    }
    memset(table, 0xFF, n_place * sizeof *table);
    for (size_t entry = 0; entry < n_entry; entry++) {
        if (start[entry] < 0 || stop[entry] < start[entry] || (size_t)stop[entry] > n_byte) {
            return REFUSED;
        }
        const uint8_t *value = buffer + start[entry];
        const size_t n = (size_t)(stop[entry] - start[entry]);
        size_t place = scatter(value, n, salt[entry]) & (n_place - 1);
        for (;; place = (place + 1) & (n_place - 1)) {
            if (table[place] < 0) {
                break;
            }
            const size_t other = (size_t)first_of[table[place]];
            if ((size_t)(stop[other] - start[other]) == n && salt[other] == salt[entry]
                && !memcmp(buffer + start[other], value, n)) {
                break;
            }
        }
        if (table[place] < 0) {
            const size_t n_told = (size_t)(tokens.hashes - hashes);
            /* A token is of two bytes at least, or the value itself; a word may be a name too. */
            if (n_room - n_told < n + 2) {
                return REFUSED;
            }
            table[place] = (int32_t)n_name;
            first_of[n_name] = (int64_t)entry;
            token_start[n_name++] = (int64_t)n_told;
            tokens.salt = salt[entry];
            read_value(&tokens, value, n);
        }
        name[entry] = table[place];
    }
    token_start[n_name] = (int64_t)(tokens.hashes - hashes);
    return n_name;
}

/* -- numbers of tokens --------------------------------------------------------------------------
 *
 * Hashes are random enough to be their own places; a table has at least twice as many. */

static size_t place_of(uint64_t hash, size_t n_place)
{
    return (size_t)((hash * 0x9E3779B97F4A7C15u) >> 32) & (n_place - 1);
}

int index_hashes(const uint64_t *known, size_t n_known, int32_t *table, size_t n_place)
{
    if (!n_place || (n_place & (n_place - 1)) || n_place <= n_known || n_known > INT32_MAX) {
        return REFUSED;
    }
    memset(table, 0xFF, n_place * sizeof *table);
    for (size_t at = 0; at < n_known; at++) {
        size_t place = place_of(known[at], n_place);
        while (table[place] >= 0) {
            place = (place + 1) & (n_place - 1);
        }
        table[place] = (int32_t)at;
    }
    return 0;
}

int number_hashes(const uint64_t *known, size_t n_known, const int32_t *table, size_t n_place,
                  const uint64_t *hashes, size_t n_hash, int64_t *numbers)
{
    if (!n_place || (n_place & (n_place - 1)) || n_place <= n_known) {
        return REFUSED;
    }
    for (size_t at = 0; at < n_hash; at++) {
        size_t place = place_of(hashes[at], n_place);
        numbers[at] = (int64_t)n_known;
        for (size_t n_seen = 0; table[place] >= 0 && n_seen < n_place; n_seen++) {
            if ((size_t)table[place] >= n_known) {
                return REFUSED;
            }
            if (known[table[place]] == hashes[at]) {
                numbers[at] = table[place];
                break;
            }
            place = (place + 1) & (n_place - 1);
        }
    }
    return 0;
}
