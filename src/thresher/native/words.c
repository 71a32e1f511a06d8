/* The characters of blocks by kind, and the hashes of a page's words; features/characters.py. */

#include "network.h"

#include <string.h>

enum { N_KIND = 11, SPACE = 0, LETTER = 1, UPPER = 2, UNSPACED = 3, DIGIT = 4, KIND_BIT = 12 };

enum { STEP_SYMBOLS = 8 }; /* of a word, that are hashed together */

static int kind_of(uint16_t code)
{
    return code >> KIND_BIT;
}

static int is_inside(int kind)
{
    return kind >= LETTER && kind <= DIGIT;
}

static uint64_t hash_word(const uint16_t *codes, size_t n)
{
    uint64_t hash = 0;
    for (size_t start = 0; start < n; start += STEP_SYMBOLS) {
        const size_t n_left = n - start, n_symbol = n_left < STEP_SYMBOLS ? n_left : STEP_SYMBOLS;
        uint64_t symbols = 0;
        for (size_t at = 0; at < n_symbol; at++) {
            symbols |= (uint64_t)(codes[start + at] & 0xFF) << 8 * at;
        }
        hash = mix(start ? hash ^ symbols : symbols + n * GOLDEN);
    }
    return hash;
}

int64_t read_words(const uint16_t *codes, size_t n_char, const int32_t *start, const int32_t *block,
                   size_t n_text, size_t n_block, int64_t *counts, int32_t *word_start,
                   int32_t *word_block, uint64_t *word_hash, size_t n_room)
{
    size_t n_word = 0;
    memset(counts, 0, (n_block + 1) * N_KIND * sizeof *counts);
    for (size_t text = 0; text < n_text; text++) {
        const int64_t stop = text + 1 < n_text ? start[text + 1] : (int64_t)n_char;
        int64_t at = start[text];
        if (at < 0 || stop > (int64_t)n_char || block[text] < 0 || (size_t)block[text] > n_block) {
            return REFUSED;
        }
        int64_t *of_kind = counts + (size_t)block[text] * N_KIND;
        while (at < stop) {
            const int first = kind_of(codes[at]);
            if (!is_inside(first)) {
                of_kind[first < N_KIND ? first : 0]++;
                at++;
                continue;
            }
            /* A word: one letter of an unspaced script, or letters and digits in a row. */
            const int64_t began = at;
            for (int kind = first; at < stop; at++) {
                kind = kind_of(codes[at]);
                if (!is_inside(kind) || (at > began && (first == UNSPACED || kind == UNSPACED))) {
                    break;
                }
                of_kind[kind]++;
            }
            if (n_word < n_room) {
                word_start[n_word] = (int32_t)began;
                word_block[n_word] = block[text];
                word_hash[n_word] = hash_word(codes + began, (size_t)(at - began));
            }
            n_word++;
        }
    }
    for (size_t each = 0; each < n_block + 1; each++) {
        counts[each * N_KIND + SPACE] = 0;
        counts[each * N_KIND + LETTER] = 0;
    }
    return (int64_t)n_word;
}

int read_edges(const uint16_t *codes, size_t n_char, const int32_t *start, const int32_t *stop,
               size_t n_block, uint8_t *first, uint8_t *last)
{
    for (size_t block = 0; block < n_block; block++) {
        int64_t low = start[block], high = stop[block];
        if (low < 0 || high > (int64_t)n_char) {
            return REFUSED;
        }
        while (low < high && kind_of(codes[low]) == SPACE) {
            low++;
        }
        while (low < high && kind_of(codes[high - 1]) == SPACE) {
            high--;
        }
        first[block] = low < high ? (uint8_t)kind_of(codes[low]) : SPACE;
        last[block] = low < high ? (uint8_t)kind_of(codes[high - 1]) : SPACE;
    }
    return 0;
}
