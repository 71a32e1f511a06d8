/* Names of elements: their tags and the values of some attributes, each distinct one read once;
 * features/names.py.
 *
 * A token's hash is the sum of a number for its first symbol and one for each pair of neighbours
 * after it (features/hashing.py); letters are lower-cased. */

#include "../byte_kinds.h"
#include "network.h"

#include <string.h>

enum { SPACE_KIND = 1, LETTER_KIND = 2, UPPER_KIND = 3 };

enum { MIN_LETTERS = 2, MAX_NAMES = 24, N_SYMBOL = 256, MAX_TAGS = 256 };

static uint8_t find_kind(uint8_t symbol)
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

/* What is told of a value as it is read. */
typedef struct {
    uint64_t salt;
    uint64_t *hashes;         /* where the next token goes */
    uint8_t kind_of[N_SYMBOL]; /* of each symbol */
} Tokens;

/* The number of a symbol behind another: computed, for a table of all would not stay in the cache. */
static uint64_t number_of(uint8_t before, uint8_t symbol)
{
    return mix((uint64_t)before * N_SYMBOL + symbol + 1);
}

/* The hash of a run, one symbol at least, as it is. */
static uint64_t hash_run(const uint8_t *run, size_t n)
{
    uint64_t sum = number_of(0, run[0]);
    for (size_t at = 1; at < n; at++) {
        sum += number_of(run[at - 1], run[at]);
    }
    return sum;
}

int hash_runs(const uint8_t *symbols, size_t n_symbol, const int64_t *start, const int64_t *stop,
              size_t n_run, uint64_t *hashes)
{
    for (size_t run = 0; run < n_run; run++) {
        if (start[run] < 0 || stop[run] <= start[run] || (uint64_t)stop[run] > n_symbol) {
            return REFUSED;
        }
        hashes[run] = hash_run(symbols + start[run], (size_t)(stop[run] - start[run]));
    }
    return 0;
}

/* A name or a word in a value, as it is read: where it begins, and what the sum of the symbols up to
 * its end lacks to be its hash. */
typedef struct {
    size_t start;
    uint64_t lacks;
    int is_open;
} Run;

/* A whole name of several words goes behind the word that begins with it, where that was told. */
static void tell_name(Tokens *tokens, uint64_t *first, int is_behind, uint64_t hash)
{
    uint64_t *place = first + is_behind;
    memmove(place + 1, place, (size_t)(tokens->hashes - place) * sizeof *place);
    *place = hash;
    tokens->hashes++;
}

/* The bytes of a value up to the end of the last name that is read. */
static size_t cut_names(const Tokens *tokens, const uint8_t *value, size_t n)
{
    size_t n_name = 0;
    int is_inside = 0;
    for (size_t at = 0; at < n; at++) {
        const int is_space = tokens->kind_of[value[at]] == SPACE_KIND;
        if (is_inside && is_space && n_name == MAX_NAMES) {
            return at;
        }
        n_name += !is_inside && !is_space;
        is_inside = !is_space;
    }
    return n;
}

/* Read a value of n bytes: itself with a space behind, then its names and their words by place. All
 * letters count as small ones, and one sum over the symbols serves all hashes. */
static void read_value(Tokens *tokens, const uint8_t *value, size_t n)
{
    uint64_t *whole = tokens->hashes++, *first = whole;
    uint64_t sum = tokens->salt;
    uint8_t before = 0, kind_before = SPACE_KIND;
    Run name = {0, 0, 0}, word = {0, 0, 0};
    size_t n_word = 0;
    int begins_with_word = 0; /* whether the name's first token is a word at its start */
    for (size_t at = 0; at <= n; at++) {
        const uint8_t byte = at < n ? value[at] : ' ', symbol = lower(byte);
        const uint8_t kind = tokens->kind_of[byte];
        const int begins_word =
            kind >= LETTER_KIND
            && (kind_before < LETTER_KIND || (kind == UPPER_KIND && kind_before == LETTER_KIND));
        if (word.is_open && (begins_word || kind < LETTER_KIND)) {
            if (at - word.start >= MIN_LETTERS) {
                begins_with_word |= word.start == name.start;
                *tokens->hashes++ = sum + word.lacks;
            }
            word.is_open = 0;
        }
        if (name.is_open && kind == SPACE_KIND) {
            if (n_word > 1) {
                tell_name(tokens, first, begins_with_word, sum + name.lacks);
            }
            name.is_open = 0;
        }
        sum += number_of(before, symbol);
        const int begins_name = !name.is_open && kind != SPACE_KIND;
        if (begins_word || begins_name) {
            const Run run = {at, number_of(0, symbol) + tokens->salt - sum, 1};
            if (begins_name) {
                name = run;
                first = tokens->hashes;
                n_word = 0;
                begins_with_word = 0;
            }
            if (begins_word) {
                word = run;
                n_word++;
            }
        }
        before = symbol;
        kind_before = kind;
    }
    *whole = sum;
}

/* Scatter a value, n bytes of n_left, over the places of a table. */
static uint64_t scatter(const uint8_t *value, size_t n, size_t n_left, uint64_t salt)
{
    uint64_t hash = salt * GOLDEN + n;
    for (size_t at = 0; at < n; at += 8) {
        hash = (hash ^ load_word(value + at, n - at, n_left - at)) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    hash *= 0x94D049BB133111EBu;
    return hash ^ (hash >> 32);
}

/* Which of the wanted attributes it is; n_wanted for none. */
static size_t find_wanted(const NamedRows *rows, size_t attribute)
{
    size_t which = 0;
    while (which < rows->n_wanted
           && (rows->low[attribute] != rows->wanted[which][0]
               || rows->high[attribute] != rows->wanted[which][1])) {
        which++;
    }
    return which;
}

/* What has been read so far. */
typedef struct {
    Tokens tokens;
    int32_t n_name, n_tag;
    size_t n_entry;
    int64_t n_probe; /* see allow_probes */
} Told;

/* The place of a value in the table: where its name is, or a free one; neither, where there were too
 * many probes. */
static size_t find_place(const NamedRows *rows, const TokenRoom *room, size_t attribute,
                         uint64_t salt, Told *told)
{
    const uint8_t *value = rows->buffer + rows->start[attribute];
    const size_t n = (size_t)(rows->stop[attribute] - rows->start[attribute]);
    const size_t n_left = rows->n_byte - (size_t)rows->start[attribute];
    size_t place = scatter(value, n, n_left, salt) & (room->n_place - 1);
    while (room->table[place] >= 0 && told->n_probe >= 0) {
        const int32_t name = room->table[place], other = room->first_of[name];
        if ((size_t)(rows->stop[other] - rows->start[other]) == n && room->salt_of[name] == salt
            && !memcmp(rows->buffer + rows->start[other], value, n)) {
            break;
        }
        place = (place + 1) & (room->n_place - 1);
        told->n_probe--;
    }
    return place;
}

/* The name of an attribute's value; REFUSED where there is too little room for its tokens, or too much
 * in one place of the table. */
static int32_t name_value(const NamedRows *rows, const TokenRoom *room, size_t attribute,
                          uint64_t salt, Told *told)
{
    const int32_t start = rows->start[attribute], stop = rows->stop[attribute];
    if (start < 0 || stop < start || (size_t)stop > rows->n_byte) {
        return REFUSED;
    }
    const size_t n = (size_t)(stop - start);
    const size_t n_told = (size_t)(told->tokens.hashes - room->hashes);
    const size_t place = find_place(rows, room, attribute, salt, told);
    if (told->n_probe < 0) {
        return REFUSED;
    }
    if (room->table[place] < 0) {
        /* A token is of two bytes at least, or the value itself; a word may be a name too. */
        if (room->n_room - n_told < n + 2) {
            return REFUSED;
        }
        room->table[place] = told->n_name;
        room->first_of[told->n_name] = (int32_t)attribute;
        room->salt_of[told->n_name] = salt;
        room->start[told->n_name++] = (int32_t)n_told;
        told->tokens.salt = salt;
        read_value(&told->tokens, rows->buffer + start,
                   cut_names(&told->tokens, rows->buffer + start, n));
    }
    return room->table[place];
}

static int add_entry(const NamedRows *rows, const TokenRoom *room, size_t row, int32_t name, Told *told)
{
    if (name < 0 || told->n_entry == room->n_entry) {
        return REFUSED;
    }
    room->row[told->n_entry] = (int32_t)row;
    room->end[told->n_entry] = rows->end[row];
    room->name[told->n_entry++] = name;
    return 0;
}

static int is_around_blocks(const NamedRows *rows, size_t row)
{
    return rows->tag[row] != rows->text
           && rows->block_offset[rows->end[row]] > rows->block_offset[row];
}

/* The names of tags come first, one token each; of_tag[n_code]. */
static int name_tags(const NamedRows *rows, const TokenRoom *room, int32_t *of_tag, Told *told)
{
    memset(of_tag, 0xFF, rows->n_code * sizeof *of_tag);
    for (size_t row = 0; row < rows->n_row; row++) {
        const int16_t tag = rows->tag[row];
        const int32_t end = rows->end[row];
        if (tag < 0 || (size_t)tag >= rows->n_code || end < 0 || (size_t)end > rows->n_row) {
            return REFUSED;
        }
        room->signature[row] = tag;
        if (is_around_blocks(rows, row)) {
            of_tag[tag] = 0;
        }
    }
    for (size_t tag = 0; tag < rows->n_code; tag++) {
        if (!of_tag[tag]) {
            room->start[told->n_name] = told->n_name;
            *told->tokens.hashes++ = rows->tag_tokens[tag];
            of_tag[tag] = told->n_name++;
        }
    }
    told->n_tag = told->n_name;
    return 0;
}

int read_tokens(const NamedRows *rows, const TokenRoom *room, int64_t *sizes)
{
    int32_t of_tag[MAX_TAGS];
    Told told = {
        .tokens = {.hashes = room->hashes},
        .n_probe = allow_probes(rows->n_attribute),
    };
    for (size_t symbol = 0; symbol < N_SYMBOL; symbol++) {
        told.tokens.kind_of[symbol] = find_kind((uint8_t)symbol);
    }
    if (rows->n_code > MAX_TAGS || rows->n_code >= room->n_room || !room->n_place
        || (room->n_place & (room->n_place - 1)) || room->n_place <= room->n_room
        || name_tags(rows, room, of_tag, &told) < 0) {
        return REFUSED;
    }
    memset(room->table, 0xFF, room->n_place * sizeof *room->table);
    size_t attribute = 0;
    for (size_t row = 0; row < rows->n_row; row++) {
        if (!is_around_blocks(rows, row)) {
            continue;
        }
        if (add_entry(rows, room, row, of_tag[rows->tag[row]], &told) < 0) {
            return REFUSED;
        }
        while (attribute < rows->n_attribute && rows->row[attribute] < (int32_t)row) {
            attribute++;
        }
        for (; attribute < rows->n_attribute && rows->row[attribute] == (int32_t)row; attribute++) {
            const size_t which = find_wanted(rows, attribute), ahead = attribute + N_AHEAD;
            if (ahead < rows->n_attribute && (size_t)rows->start[ahead] < rows->n_byte) {
                FETCH(rows->buffer + rows->start[ahead]);
            }
            if (which == rows->n_wanted) {
                continue;
            }
            const int32_t name = name_value(rows, room, attribute, rows->salts[which], &told);
            if (add_entry(rows, room, row, name, &told) < 0) {
                return REFUSED;
            }
            if (which == 0) {
                room->signature[row] =
                    rows->tag[row] + (int64_t)(name - told.n_tag + 1) * (int64_t)rows->n_code;
            }
        }
    }
    sizes[0] = (int64_t)(told.tokens.hashes - room->hashes);
    sizes[1] = told.n_name;
    sizes[2] = (int64_t)told.n_entry;
    return 0;
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
        if (at + 2 * N_AHEAD < n_hash) {
            FETCH(table + place_of(hashes[at + 2 * N_AHEAD], n_place));
            const int32_t next = table[place_of(hashes[at + N_AHEAD], n_place)];
            FETCH(known + ((size_t)next < n_known ? next : 0));
        }
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
