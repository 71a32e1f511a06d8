/* Counts of the contents of each block; thresher.features.block. */

#include "features.h"

#include <string.h>

enum { PROSE_MIN_WORDS = 10 };

/* Kinds of thresher.page.characters.CharacterKind, from TERMINATOR on, and those before. */
static const int KIND_OF[N_COUNT] = {
    [TERMINATORS] = 5, [COMMAS] = 6, [QUOTES] = 7,         [SEPARATORS] = 8, [MONEY] = 9,
    [SYMBOLS] = 10,    [UPPERS] = 2, [UNSPACED_CHARS] = 3, [DIGITS] = 4,
};

int count_blocks(const Blocks *page, const ContainerChain *chain, const int32_t *flags, size_t n_code,
                 const int32_t *kinds, int32_t *sums, int64_t *words_of, Scratch scratch)
{
    const size_t n_block = page->n_block;
    uint8_t *is_bold = take(&scratch, page->n_row, sizeof *is_bold);
    if (!is_bold) {
        return REFUSED;
    }
    /* First the counts of each block, then their prefix sums. */
    int32_t *of[N_COUNT];
    for (size_t each = 0; each < N_COUNT; each++) {
        of[each] = sums + each * (n_block + 1) + 1;
    }
    memset(sums, 0, N_COUNT * (n_block + 1) * sizeof *sums);
    for (size_t row = 0; row < page->n_row; row++) {
        if (page->tag[row] < 0 || (size_t)page->tag[row] >= n_code) {
            return REFUSED;
        }
        const int32_t told = flags[page->tag[row]];
        is_bold[row] = (row && is_bold[page->parent[row]]) || (told & IS_EMPHASIS);
        const size_t block = (size_t)chain->row_first[row];
        if (block < n_block && (told & (IS_LINK | IS_BREAK))) {
            of[told & IS_LINK ? LINKS : BREAKS][block]++;
        }
    }
    for (size_t leaf = 0; leaf < page->n_leaf; leaf++) {
        const size_t block = (size_t)page->of_leaf[leaf], row = (size_t)page->leaves[leaf];
        const int32_t words = page->leaf_words[leaf];
        of[WORDS][block] += words;
        of[LINK_WORDS][block] += page->leaf_link_words[leaf];
        of[CHARS][block] += page->leaf_chars[leaf];
        of[IMAGES][block] += (flags[page->tag[row]] & IS_REPLACED) != 0;
        of[EMPHASISED][block] += is_bold[row] ? words : 0;
        of[HIDDEN_WORDS][block] += page->hidden[row] ? words : 0;
    }
    for (size_t block = 0; block < n_block; block++) {
        const int32_t words = of[WORDS][block], link_words = of[LINK_WORDS][block];
        const int32_t told = flags[page->tag[page->block_row[block]]];
        const int is_prose = words >= PROSE_MIN_WORDS && 3 * link_words < words;
        for (size_t each = 0; each < N_COUNT; each++) {
            if (KIND_OF[each]) {
                of[each][block] = kinds[block * N_KIND + (size_t)KIND_OF[each]];
            }
        }
        of[BLOCKS][block] = 1;
        of[LEAVES][block] = page->block_start[block + 1] - page->block_start[block];
        of[PROSE_WORDS][block] = is_prose ? words : 0;
        of[PROSE_BLOCKS][block] = is_prose;
        of[LINK_BLOCKS][block] = 2 * link_words > words;
        of[HEADINGS][block] = (told & IS_HEADING) != 0;
        of[PARAGRAPH_WORDS][block] = told & IS_PARAGRAPH ? words : 0;
        of[ITEMS][block] = (told & IS_ITEM) != 0;
        of[CONTROLS][block] = (told & IS_CONTROL) != 0;
    }
    for (size_t block = 0; block < n_block; block++) {
        words_of[block] = of[WORDS][block];
    }
    for (size_t each = 0; each < N_COUNT; each++) {
        for (size_t block = 1; block < n_block; block++) {
            of[each][block] += of[each][block - 1];
        }
    }
    return 0;
}
