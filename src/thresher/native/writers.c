/* Python steps for writers. */

#include "fragment/writers.h"
#include "step.h"

/* Whether the columns and views of a page have matching sizes. The first arguments of a step:
 * buffer; tag, parent, end, open_start of rows; leaf_offset; leaves, block_of_leaf. */
static int read_page(const Argument *of, Leafed *page)
{
    *page = (Leafed){of[0].data, of[1].data, of[2].data, of[3].data, of[4].data, of[5].data,
                     of[6].data, of[7].data, of[0].n,    of[1].n,    of[6].n};
    const size_t n_row = page->n_row;
    return n_row < INT32_MAX && page->n_leaf <= n_row && of[2].n == n_row && of[3].n == n_row
           && of[4].n == n_row && of[5].n == n_row + 1 && of[7].n == page->n_leaf;
}

/* A page; keep, gaps of leaves; closing[256]; kept, start, of_leaf, first_row, last_row; gaps; holds;
 * tags. */
STEP(group_kept, "12444444" "111" "iiiiibbb")
{
    Leafed page;
    if (!read_page(of, &page) || of[10].n != 256 || of[12].n != page.n_leaf + 1
        || of[17].n != page.n_row) {
        return UNFIT;
    }
    for (size_t i = 8; i < 17; i++) {
        if (of[i].n != page.n_leaf && i != 10 && i != 12) {
            return UNFIT;
        }
    }
    const Kept kept = {of[11].data, of[12].data, of[13].data, of[14].data, of[15].data,
                       of[16].data, of[17].data, of[18].data, of[18].n};
    return group_kept(&page, of[8].data, of[9].data, of[10].data, &kept);
}

/* A page; kind of tags; written_as, holds, preformatted, in_data of rows; block_row; first_leaf of
 * runs; structure, crossing, bare; container; scratch[2, n_row + 1]. */
STEP(lay_out_rows, "12444444" "42111" "44" "bbbii")
{
    Leafed page;
    if (!read_page(of, &page)) {
        return UNFIT;
    }
    const size_t n_row = page.n_row, n_run = of[14].n;
    if (of[9].n != n_row || of[10].n != n_row || of[11].n != n_row || of[12].n != n_row
        || of[15].n != n_row || of[16].n != n_row || of[17].n != n_run || of[18].n != n_run
        || of[19].n != 2 * (n_row + 1)) {
        return UNFIT;
    }
    const Known known = {of[8].data,  of[8].n,     of[9].data, of[10].data, of[11].data,
                         of[12].data, of[13].data, of[13].n,   of[14].data, n_run};
    int32_t *scratch = of[19].data;
    const Laid laid = {of[15].data, of[16].data, of[17].data,
                       of[18].data, scratch,     scratch + n_row + 1};
    return lay_out_rows(&page, &known, &laid);
}

/* buffer; tag, parent, end, depth, open_start, open_stop, close_start, close_stop of rows;
 * leaf_offset; kind of tags; written_as, holds, structure, crossing, preformatted, said of rows; rows,
 * run_of, gaps of kept leaves; container, first_row, last_row, bare of runs; has_links, long_tag;
 * scratch[n_row]; opens, closes of runs; key, start, stop of pieces. */
STEP(put_plain, "1244444444" "4211111" "441" "4441" "nn" "iii" "qii")
{
    const size_t n_row = of[1].n, n_kept = of[17].n, n_run = of[20].n, n_room = of[29].n;
    for (size_t i = 2; i < 17; i++) {
        if (of[i].n != n_row + (i == 9) && i != 10) {
            return UNFIT;
        }
    }
    if (n_row >= INT32_MAX || of[18].n != n_kept || of[19].n != n_kept || of[21].n != n_run
        || of[22].n != n_run || of[23].n != n_run || of[26].n != n_row || of[27].n != n_run
        || of[28].n != n_run || of[30].n != n_room || of[31].n != n_room
        || of[25].number > INT32_MAX || of[25].number < 0) {
        return UNFIT;
    }
    const Marked page = {of[0].data, of[1].data, of[2].data, of[3].data, of[4].data, of[5].data,
                         of[6].data, of[7].data, of[8].data, of[9].data, of[0].n,    n_row};
    const Outline outline = {of[10].data, of[10].n,    of[11].data,
                             of[12].data, of[13].data, of[14].data,
                             of[15].data, of[16].data, of[17].data,
                             of[18].data, of[19].data, n_kept,
                             of[20].data, of[21].data, of[22].data,
                             of[23].data, n_run,       of[24].number != 0,
                             (int32_t)of[25].number};
    Pieces pieces = {of[29].data, of[30].data, of[31].data, 0, n_room};
    return put_plain(&page, &outline, of[26].data, of[27].data, of[28].data, &pieces);
}

/* buffer; order, start, stop of slices; literals, offset of each and their end; joined. */
STEP(join_pieces, "1844" "14" "b")
{
    if (of[2].n != of[1].n || of[3].n != of[1].n || of[5].n == 0) {
        return UNFIT;
    }
    const Slices slices = {of[0].data, of[0].n, of[1].data, of[2].data, of[3].data, of[1].n};
    const Literals literals = {of[4].data, of[4].n, of[5].data, of[5].n - 1};
    return join_pieces(&slices, &literals, of[6].data, of[6].n);
}

/* markup; words of tags[n_tag, 2], allowed[n_tag], words of attributes[n, 2], bit of ids; tidied. */
STEP(tidy_markup, "1848" "n" "b")
{
    if (of[1].n != 2 * of[2].n || of[3].n % 2 != 0) {
        return UNFIT;
    }
    const NameRules rules = {{of[1].data, of[2].n},
                             {of[3].data, of[3].n / 2},
                             of[2].data,
                             (uint32_t)of[4].number};
    Tidied out = {of[5].data, 0, of[5].n};
    return tidy_markup(of[0].data, of[0].n, &rules, &out);
}
