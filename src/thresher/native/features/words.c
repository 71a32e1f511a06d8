/* The characters of blocks by kind, and the words they share with titles; features/characters.py.
 * The first words of blocks as numbers; features/words.py. */

#include "features.h"

#include <string.h>

enum { SPACE = 0, LETTER = 1, UNSPACED = 3, DIGIT = 4, KIND_BIT = 12 };

enum { STEP_SYMBOLS = 8 }; /* of a word, that are hashed together */

enum { IN_TITLE_MARK = 1, IN_H1_MARK = 2 };

enum { N_LETTER = 6, BUCKET_BITS = 13, N_CODE_KIND = 16 }; /* of words as numbers */

static int kind_of(uint16_t code)
{
    return code >> KIND_BIT;
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

/* Read to the end of the next word: one letter of an unspaced script, or a run of letters and
 * digits. Returns its start, `stop` if there is none; counts kinds except letters and spaces. */
static int32_t next_word(const uint16_t *codes, int32_t *at, int32_t stop, int32_t *of_kind)
{
    int32_t begins = *at, ends;
    int first = 0;
    for (; begins < stop; begins++) {
        first = kind_of(codes[begins]);
        if (first >= LETTER && first <= DIGIT) {
            break;
        }
        if (first != SPACE) {
            of_kind[first]++;
        }
    }
    for (ends = begins; ends < stop; ends++) {
        const int kind = kind_of(codes[ends]);
        if (kind == LETTER && first != UNSPACED) {
            continue;
        }
        if (kind < LETTER || kind > DIGIT
            || (ends > begins && (first == UNSPACED || kind == UNSPACED))) {
            break;
        }
        if (kind != LETTER) {
            of_kind[kind]++;
        }
    }
    *at = ends;
    return begins;
}

/* The slot of a word in the table of the titles' words, or a free one. */
static size_t find_place(TitleWords *titles, uint64_t hash)
{
    size_t place = (size_t)(hash >> 32) & (titles->n_place - 1);
    while (titles->marks[place] && titles->hashes[place] != hash && --titles->n_probe >= 0) {
        place = (place + 1) & (titles->n_place - 1);
    }
    return place;
}

/* Mark the words inside the first element with a tag that has any. Returns the number of distinct
 * words, or REFUSED if the table is too small. */
static int64_t mark_words(const Texts *texts, int16_t tag, uint8_t mark, TitleWords *titles)
{
    int32_t not_asked_for[N_KIND] = {0};
    int64_t n_marked = 0;
    for (size_t row = 0; row < texts->n_row && !n_marked; row++) {
        if (texts->tag[row] != tag) {
            continue;
        }
        for (size_t inner = row; inner < (size_t)texts->end[row]; inner++) {
            int32_t at = texts->text_offset[inner];
            const int32_t stop = texts->text_offset[inner + 1];
            while (at < stop) {
                const int32_t begins = next_word(texts->codes, &at, stop, not_asked_for);
                if (begins == stop) {
                    break;
                }
                const uint64_t hash = hash_word(texts->codes + begins, (size_t)(at - begins));
                const size_t place = find_place(titles, hash);
                n_marked += !(titles->marks[place] & mark);
                titles->n_word += !titles->marks[place];
                titles->hashes[place] = hash;
                titles->marks[place] |= mark;
                if (2 * titles->n_word > titles->n_place || titles->n_probe < 0) {
                    return REFUSED;
                }
            }
        }
    }
    return n_marked;
}

static void read_text(const Texts *texts, TitleWords *titles, int32_t at, int32_t stop,
                      size_t block, const Characters *out)
{
    while (at < stop && titles->n_probe >= 0) {
        const int32_t begins = next_word(texts->codes, &at, stop, out->counts + block * N_KIND);
        if (begins == stop) {
            break;
        }
        const uint64_t hash = hash_word(texts->codes + begins, (size_t)(at - begins));
        const uint8_t marks = titles->marks[find_place(titles, hash)];
        out->n_word[block]++;
        out->word_sum[block] += hash;
        out->in_title[block] += (marks & IN_TITLE_MARK) != 0;
        out->in_h1[block] += (marks & IN_H1_MARK) != 0;
    }
}

/* The kinds of the first and last visible character of a block. */
static void read_edges(const Texts *texts, int32_t low, int32_t high, uint8_t *first, uint8_t *last)
{
    while (low < high && kind_of(texts->codes[low]) == SPACE) {
        low++;
    }
    while (low < high && kind_of(texts->codes[high - 1]) == SPACE) {
        high--;
    }
    *first = low < high ? (uint8_t)kind_of(texts->codes[low]) : SPACE;
    *last = low < high ? (uint8_t)kind_of(texts->codes[high - 1]) : SPACE;
}

static int are_texts(const Texts *texts)
{
    int fit = texts->n_row && texts->n_block && texts->text_offset[0] == 0
              && (size_t)texts->text_offset[texts->n_row] <= texts->n_char
              && texts->block_start[0] == 0
              && (size_t)texts->block_start[texts->n_block] == texts->n_leaf;
    for (size_t row = 0; row < texts->n_row && fit; row++) {
        fit = texts->text_offset[row] <= texts->text_offset[row + 1] && texts->end[row] >= 0
              && (size_t)texts->end[row] <= texts->n_row;
    }
    for (size_t block = 0; block < texts->n_block && fit; block++) {
        fit = texts->block_start[block] < texts->block_start[block + 1];
    }
    for (size_t leaf = 0; leaf < texts->n_leaf && fit; leaf++) {
        fit = texts->leaves[leaf] >= 0 && (size_t)texts->leaves[leaf] < texts->n_row;
    }
    uint16_t most = 0;
    for (size_t at = 0; at < texts->n_char; at++) {
        most = texts->codes[at] > most ? texts->codes[at] : most;
    }
    return fit && kind_of(most) < N_KIND;
}

int64_t read_characters(const Texts *texts, TitleWords *titles, const Characters *out)
{
    const size_t n_block = texts->n_block;
    if (!titles->n_place || (titles->n_place & (titles->n_place - 1)) || !are_texts(texts)) {
        return REFUSED;
    }
    titles->n_probe = allow_probes(texts->n_char);
    memset(titles->marks, 0, titles->n_place);
    memset(out->counts, 0, n_block * N_KIND * sizeof *out->counts);
    memset(out->n_word, 0, n_block * sizeof *out->n_word);
    memset(out->in_title, 0, n_block * sizeof *out->in_title);
    memset(out->in_h1, 0, n_block * sizeof *out->in_h1);
    memset(out->word_sum, 0, n_block * sizeof *out->word_sum);
    const int64_t n_title = mark_words(texts, texts->title, IN_TITLE_MARK, titles);
    if (n_title < 0 || mark_words(texts, texts->h1, IN_H1_MARK, titles) < 0) {
        return REFUSED;
    }
    for (size_t block = 0; block < n_block; block++) {
        const size_t first = (size_t)texts->block_start[block];
        const size_t stop = (size_t)texts->block_start[block + 1];
        for (size_t leaf = first; leaf < stop; leaf++) {
            const size_t row = (size_t)texts->leaves[leaf];
            read_text(texts, titles, texts->text_offset[row], texts->text_offset[row + 1], block,
                      out);
        }
        read_edges(texts, texts->text_offset[texts->leaves[first]],
                   texts->text_offset[texts->leaves[stop - 1] + 1], out->first + block,
                   out->last + block);
    }
    return titles->n_probe < 0 ? REFUSED : n_title;
}

/* The number of a word by its first letters, all digits being alike. */
static uint16_t number_word(const uint16_t *codes, size_t n)
{
    uint16_t letters[N_LETTER];
    const size_t n_letter = n < N_LETTER ? n : N_LETTER;
    for (size_t at = 0; at < n_letter; at++) {
        letters[at] = kind_of(codes[at]) == DIGIT ? '0' : codes[at];
    }
    return (uint16_t)((hash_word(letters, n_letter) >> (64 - BUCKET_BITS)) + 1);
}

int read_words(const Texts *texts, uint16_t *numbers)
{
    int32_t not_asked_for[N_CODE_KIND] = {0};
    if (!are_texts(texts)) {
        return REFUSED;
    }
    memset(numbers, 0, texts->n_block * N_WORD * sizeof *numbers);
    for (size_t block = 0; block < texts->n_block; block++, numbers += N_WORD) {
        size_t n_word = 0;
        for (int32_t leaf = texts->block_start[block]; leaf < texts->block_start[block + 1]; leaf++) {
            int32_t at = texts->text_offset[texts->leaves[leaf]];
            const int32_t stop = texts->text_offset[texts->leaves[leaf] + 1];
            while (at < stop && n_word < N_WORD) {
                const int32_t begins = next_word(texts->codes, &at, stop, not_asked_for);
                if (begins == stop) {
                    break;
                }
                const uint16_t *word = texts->codes + begins;
                const int is_pair =
                    at < stop && kind_of(word[0]) == UNSPACED && kind_of(word[1]) == UNSPACED;
                numbers[n_word++] = number_word(word, is_pair ? 2 : (size_t)(at - begins));
            }
        }
    }
    return 0;
}
