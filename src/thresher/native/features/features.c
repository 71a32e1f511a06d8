/* The features of each block from its counts; the groups of thresher.features, in their order.
 *
 * A feature is a logarithm by the bits of a float, the share one count is of another, or a value:
 * see features/base.py. The order of what is added up in floats is that of numpy. */

#include "features.h"

#include <string.h>

enum { N_CONTAINER = 4, N_SIBLING_LEVEL = 3, N_DOMINANT = 3, N_REACH = 2, MOST_AROUND = 4,
       AROUND_BITS = 3, NO_HEADING = 7, N_EDGE = 3, LOG = 0, SHARE = 1, VALUE = 2, N_FORMULAS = 5 };

enum { OWN, CONTAINERS, NEXT, WITHIN, PAGE }; /* tables of formulas */

static const int64_t DOMINANT_TENTHS[N_DOMINANT] = {9, 7, 5};
static const int32_t REACHES[N_REACH] = {2, 6};

typedef struct {
    const int32_t *logs, *parts, *wholes;
    size_t n_log, n_share;
} Formulas;

typedef struct {
    const Blocks *page;
    const Ladder *ladder;
    const int32_t *sums;
    const Characters *characters;
    const int64_t *signature;
    const Recipe *recipe;
    Scratch scratch;
    float *out;
    size_t n, n_done[3];
    int failed;
    Formulas formulas[N_FORMULAS];
} Work;

/* The next feature of a kind; [n_block]. */
static float *next_of(Work *work, int kind)
{
    size_t place = work->n_done[kind]++;
    if (place >= work->recipe->n_row_of[kind]) {
        work->failed = 1;
        place = 0;
    }
    return work->out + (size_t)work->recipe->rows[kind][place] * work->n;
}

/* log2(1 + x), straight between powers of two: exponent and mantissa read as one number. */
static float log_of(float x)
{
    const float shifted = x + 1.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    float log = (float)bits;
    log = log * 1.1920928955078125e-07f; /* 2^-23 */
    return log - 127.0f;
}

static float share_of(float part, float whole)
{
    return part / (whole > 1.0f ? whole : 1.0f);
}

static const int32_t *sums_of(const Work *work, int32_t count)
{
    return work->sums + (size_t)count * (work->n + 1);
}

static int32_t between(const int32_t *sums, int32_t first, int32_t stop)
{
    return sums[stop] - sums[first];
}

/* What a block itself has. */
static int32_t at_block(const int32_t *sums, size_t block)
{
    return sums[block + 1] - sums[block];
}

/* -- a block's own text, and the elements around it ------------------------------------------- */

static void measure_own(Work *work)
{
    const Formulas *formulas = &work->formulas[OWN];
    for (size_t each = 0; each < formulas->n_log; each++) {
        const int32_t *sums = sums_of(work, formulas->logs[each]);
        float *out = next_of(work, LOG);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = log_of((float)at_block(sums, block));
        }
    }
    for (size_t each = 0; each < formulas->n_share; each++) {
        const int32_t *parts = sums_of(work, formulas->parts[each]);
        const int32_t *wholes = sums_of(work, formulas->wholes[each]);
        float *out = next_of(work, SHARE);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = share_of((float)at_block(parts, block), (float)at_block(wholes, block));
        }
    }
    for (size_t each = 0; each < 2 * N_EDGE; each++) {
        const uint8_t *edge = each < N_EDGE ? work->characters->first : work->characters->last;
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = edge[block] == work->recipe->edges[each];
        }
    }
}

static int measure_path(Work *work)
{
    const Blocks *page = work->page;
    const Recipe *recipe = work->recipe;
    Scratch scratch = work->scratch;
    uint64_t *around = take(&scratch, page->n_row, sizeof *around);
    if (!around || recipe->n_around * AROUND_BITS > 64) {
        return REFUSED;
    }
    /* Counts of each kind, up to the most that matters, side by side in one word. */
    for (size_t row = 0; row < page->n_row; row++) {
        uint64_t counts = row ? around[page->parent[row]] : 0;
        for (size_t each = 0; each < 2; each++) {
            const int32_t kind = recipe->around[each * recipe->n_code + (size_t)page->tag[row]];
            if (kind >= (int32_t)recipe->n_around) {
                return REFUSED;
            }
            if (kind >= 0 && (counts >> AROUND_BITS * kind & 7) < MOST_AROUND) {
                counts += (uint64_t)1 << AROUND_BITS * kind;
            }
        }
        around[row] = counts;
    }
    for (size_t kind = 0; kind < recipe->n_around; kind++) {
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < work->n; block++) {
            const int32_t row = page->leaves[page->block_start[block]];
            out[block] = (float)(around[row] >> AROUND_BITS * kind & 7);
        }
    }
    for (int32_t flags = recipe->hidden_flags; flags; flags &= flags - 1) {
        const int32_t flag = flags & -flags;
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < work->n; block++) {
            const int32_t row = page->leaves[page->block_start[block]];
            out[block] = (page->hidden[row] & flag) != 0;
        }
    }
    return 0;
}

/* -- containers ------------------------------------------------------------------------------- */

/* The smallest elements that hold most of the prose: all that do lie inside each other. */
static void measure_dominant(Work *work, float *shares[N_DOMINANT])
{
    const Ladder *ladder = work->ladder;
    const int32_t *words = sums_of(work, WORDS), *prose = sums_of(work, PROSE_WORDS);
    const int64_t total = prose[work->n];
    for (size_t nth = 0; nth < N_DOMINANT; nth++) {
        float *inside = next_of(work, VALUE), *before = next_of(work, VALUE);
        int32_t first = 0, stop = 0, held = 0;
        for (size_t row = work->page->n_row; total && row-- > 0;) {
            const int64_t here = between(prose, ladder->row_first[row], ladder->row_stop[row]);
            if (here * 10 >= DOMINANT_TENTHS[nth] * total) {
                first = ladder->row_first[row];
                stop = ladder->row_stop[row];
                held = between(words, first, stop);
                break;
            }
        }
        for (size_t block = 0; block < work->n; block++) {
            inside[block] = (int32_t)block >= first && (int32_t)block < stop;
            before[block] = (int32_t)block < first;
            shares[nth][block] = share_of((float)held, (float)words[work->n]);
        }
    }
}

/* Features of the containers, one a level. */
static void measure_logs(Work *work, const int32_t *sums)
{
    const int32_t *first = work->ladder->first, *stop = work->ladder->stop;
    for (size_t level = 0; level < N_CONTAINER; level++, first += work->n, stop += work->n) {
        float *out = next_of(work, LOG);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = log_of((float)between(sums, first[block], stop[block]));
        }
    }
}

static void measure_shares(Work *work, const int32_t *parts, const int32_t *wholes)
{
    const int32_t *first = work->ladder->first, *stop = work->ladder->stop;
    for (size_t level = 0; level < N_CONTAINER; level++, first += work->n, stop += work->n) {
        float *out = next_of(work, SHARE);
        for (size_t block = 0; block < work->n; block++) {
            out[block] = share_of((float)between(parts, first[block], stop[block]),
                                  (float)between(wholes, first[block], stop[block]));
        }
    }
}

static void measure_containers(Work *work)
{
    const Formulas *formulas = &work->formulas[CONTAINERS];
    const size_t n = work->n;
    const int32_t *words = sums_of(work, WORDS);
    for (size_t each = 0; each < formulas->n_log; each++) {
        measure_logs(work, sums_of(work, formulas->logs[each]));
    }
    float *out = next_of(work, LOG);
    for (size_t block = 0; block < n; block++) {
        out[block] = log_of((float)work->ladder->n_above[block]);
    }
    for (size_t each = 0; each < formulas->n_share; each++) {
        measure_shares(work, sums_of(work, formulas->parts[each]),
                       sums_of(work, formulas->wholes[each]));
    }
    const int32_t *first = work->ladder->first, *stop = work->ladder->stop;
    for (size_t level = 0; level < N_CONTAINER; level++) {
        out = next_of(work, SHARE);
        for (size_t block = 0; block < n; block++) {
            const size_t place = level * n + block;
            out[block] =
                share_of((float)between(words, first[place], stop[place]), (float)words[n]);
        }
    }
    for (size_t level = 0; level < N_CONTAINER; level++) {
        out = next_of(work, SHARE);
        for (size_t block = 0; block < n; block++) {
            const size_t place = level * n + block;
            out[block] = share_of((float)((int32_t)block - first[place]),
                                  (float)(stop[place] - first[place]));
        }
    }
    float *shares[N_DOMINANT];
    for (size_t nth = 0; nth < N_DOMINANT; nth++) {
        shares[nth] = next_of(work, SHARE);
    }
    measure_dominant(work, shares);
}

/* -- siblings --------------------------------------------------------------------------------- */

static uint64_t scatter(uint64_t key)
{
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9u;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBu;
    return key ^ (key >> 31);
}

static size_t table_places(size_t n)
{
    size_t n_place = 4;
    while (n_place < 2 * n) {
        n_place *= 2;
    }
    return n_place;
}

/* Children of one container with the same tag and classes. */
typedef struct {
    double spread; /* how far their words are from the mean, added up */
    int64_t size, words, link_words;
} Kin;

static int measure_siblings(Work *work)
{
    const Blocks *page = work->page;
    const Ladder *ladder = work->ladder;
    const size_t n = work->n, n_place = table_places(n);
    const int32_t *words = sums_of(work, WORDS), *links = sums_of(work, LINK_WORDS);
    Scratch scratch = work->scratch;
    int32_t *rank = take(&scratch, page->n_row, sizeof *rank);
    int32_t *table = take(&scratch, n_place, sizeof *table);
    int32_t *row_of = take(&scratch, n, sizeof *row_of); /* each child that holds a block */
    int32_t *kin_of = take(&scratch, n, sizeof *kin_of);
    int32_t *before = take(&scratch, n, sizeof *before);
    int32_t *speaker = take(&scratch, n, sizeof *speaker); /* the first child of each kin */
    Kin *kins = take(&scratch, n, sizeof *kins);
    if (!rank || !table || !row_of || !kin_of || !before || !speaker || !kins) {
        return REFUSED;
    }
    for (size_t level = 0; level < N_SIBLING_LEVEL; level++) {
        const int32_t *child = ladder->child + level * n;
        size_t n_held = 0, n_kin = 0;
        memset(rank, 0xFF, page->n_row * sizeof *rank);
        memset(table, 0xFF, n_place * sizeof *table);
        for (size_t block = 0; block < n; block++) {
            rank[child[block]] = 0;
        }
        for (size_t row = 0; row < page->n_row; row++) {
            if (rank[row] < 0) {
                continue;
            }
            const int64_t parent = page->parent[row], signature = work->signature[row];
            size_t place = scatter((uint64_t)signature * 0x9E3779B97F4A7C15u + (uint64_t)parent);
            for (place &= n_place - 1; table[place] >= 0; place = (place + 1) & (n_place - 1)) {
                const int32_t other = speaker[table[place]];
                if (page->parent[other] == parent && work->signature[other] == signature) {
                    break;
                }
            }
            if (table[place] < 0) {
                table[place] = (int32_t)n_kin;
                speaker[n_kin] = (int32_t)row;
                kins[n_kin++] = (Kin){0};
            }
            Kin *kin = kins + table[place];
            const int32_t first = ladder->row_first[row], stop = ladder->row_stop[row];
            rank[row] = (int32_t)n_held;
            row_of[n_held] = (int32_t)row;
            kin_of[n_held] = table[place];
            before[n_held++] = (int32_t)kin->size++;
            kin->words += between(words, first, stop);
            kin->link_words += between(links, first, stop);
        }
        for (size_t held = 0; held < n_held; held++) {
            Kin *kin = kins + kin_of[held];
            const int32_t row = row_of[held];
            const double mean = (double)kin->words / (double)kin->size;
            const double off =
                between(words, ladder->row_first[row], ladder->row_stop[row]) - mean;
            kin->spread += off < 0 ? -off : off;
        }
        float *size = next_of(work, LOG), *mean = next_of(work, LOG), *place = next_of(work, LOG);
        float *share = next_of(work, SHARE), *linked = next_of(work, SHARE);
        float *spread = next_of(work, VALUE);
        for (size_t block = 0; block < n; block++) {
            const int32_t held = rank[child[block]];
            const Kin *kin = kins + kin_of[held];
            const int32_t around = between(words, ladder->first[level * n + block],
                                           ladder->stop[level * n + block]);
            const double twice = 2.0 * (double)kin->words;
            size[block] = log_of((float)kin->size);
            mean[block] = log_of((float)((double)kin->words / (double)kin->size));
            place[block] = log_of((float)before[held]);
            share[block] = share_of((float)kin->words, (float)around);
            linked[block] = share_of((float)kin->link_words, (float)kin->words);
            spread[block] = (float)(kin->spread / (twice > 1.0 ? twice : 1.0));
        }
    }
    return 0;
}

/* -- place and neighbours ---------------------------------------------------------------------- */

static int measure_place(Work *work)
{
    const Blocks *page = work->page;
    const Recipe *recipe = work->recipe;
    const size_t n = work->n;
    const int32_t *words = sums_of(work, WORDS);
    Scratch scratch = work->scratch;
    int32_t *heading = take(&scratch, page->n_row, sizeof *heading); /* level, 0 for none */
    int32_t *level = take(&scratch, n, sizeof *level);
    if (!heading || !level) {
        return REFUSED;
    }
    for (size_t row = 0; row < page->n_row; row++) {
        heading[row] = recipe->flags[page->tag[row]] & IS_HEADING ? page->tag[row] - recipe->h1 + 1
                       : row                                      ? heading[page->parent[row]]
                                                                  : 0;
    }
    size_t h1 = n;
    for (size_t block = 0; block < n; block++) {
        level[block] = at_block(words, block) > 0 ? heading[page->leaves[page->block_start[block]]] : 0;
        h1 = level[block] == 1 && h1 == n ? block : h1;
    }
    float *before = next_of(work, LOG), *after = next_of(work, LOG), *depth = next_of(work, LOG);
    float *since = next_of(work, LOG), *until = next_of(work, LOG);
    float *words_before = next_of(work, SHARE), *blocks_before = next_of(work, SHARE);
    float *from_h1 = next_of(work, VALUE), *behind_h1 = next_of(work, VALUE);
    float *last_level = next_of(work, VALUE);
    int64_t last = -1;
    for (size_t block = 0; block < n; block++) {
        last = level[block] ? (int64_t)block : last;
        const int32_t words_since = words[block] - (h1 < n ? words[h1] : 0);
        const float log = log_of((float)(words_since < 0 ? -words_since : words_since));
        before[block] = log_of((float)block);
        after[block] = log_of((float)(n - 1 - block));
        depth[block] = log_of((float)page->depth[page->block_row[block]]);
        since[block] = log_of((float)((int64_t)block - last));
        words_before[block] = share_of((float)words[block], (float)words[n]);
        blocks_before[block] = share_of((float)block, (float)n);
        from_h1[block] = words_since < 0 ? -log : log;
        behind_h1[block] = block >= h1;
        last_level[block] = (float)(last < 0 ? NO_HEADING : level[last]);
    }
    size_t upcoming = n;
    for (size_t block = n; block-- > 0;) {
        upcoming = level[block] ? block : upcoming;
        until[block] = log_of((float)(upcoming - block));
    }
    return 0;
}

static void measure_neighbours(Work *work)
{
    const Formulas *formulas = &work->formulas[NEXT];
    const Blocks *page = work->page;
    const size_t n = work->n;
    for (size_t side = 0; side < 2; side++) {
        for (size_t each = 0; each < formulas->n_log; each++) {
            const int32_t *sums = sums_of(work, formulas->logs[each]);
            float *out = next_of(work, LOG);
            for (size_t block = 0; block < n; block++) {
                const size_t beside = side ? block + 1 : block - 1;
                out[block] = log_of(beside < n ? (float)at_block(sums, beside) : 0.0f);
            }
        }
        for (size_t each = 0; each < formulas->n_share; each++) {
            const int32_t *parts = sums_of(work, formulas->parts[each]);
            const int32_t *wholes = sums_of(work, formulas->wholes[each]);
            float *out = next_of(work, SHARE);
            for (size_t block = 0; block < n; block++) {
                const size_t beside = side ? block + 1 : block - 1;
                out[block] = beside < n ? share_of((float)at_block(parts, beside),
                                                   (float)at_block(wholes, beside))
                                        : 0.0f;
            }
        }
        float *out = next_of(work, VALUE);
        for (size_t block = 0; block < n; block++) {
            const size_t beside = side ? block + 1 : block - 1;
            out[block] = beside < n
                         && page->tag[page->block_row[block]] == page->tag[page->block_row[beside]];
        }
    }
    formulas = &work->formulas[WITHIN];
    for (size_t nth = 0; nth < N_REACH; nth++) {
        for (size_t each = 0; each < formulas->n_share; each++) {
            const int32_t *parts = sums_of(work, formulas->parts[each]);
            const int32_t *wholes = sums_of(work, formulas->wholes[each]);
            float *out = next_of(work, SHARE);
            for (int32_t block = 0; block < (int32_t)n; block++) {
                const int32_t low = block - REACHES[nth], high = block + REACHES[nth] + 1;
                const int32_t first = low > 0 ? low : 0;
                const int32_t stop = high < (int32_t)n ? high : (int32_t)n;
                out[block] = share_of((float)between(parts, first, stop),
                                      (float)between(wholes, first, stop));
            }
        }
    }
}

/* -- wording ------------------------------------------------------------------------------------ */

static int measure_wording(Work *work)
{
    const Characters *characters = work->characters;
    const uint64_t *sums = characters->word_sum;
    const int32_t *n_word = characters->n_word, *in_title = characters->in_title;
    const int32_t n_title = (int32_t)characters->n_title;
    const size_t n = work->n, n_place = table_places(n);
    Scratch scratch = work->scratch;
    int32_t *places = take(&scratch, n_place, sizeof *places);
    int32_t *first = take(&scratch, n, sizeof *first); /* the first block with the words */
    int32_t *n_copy = take(&scratch, n, sizeof *n_copy);
    if (!places || !first || !n_copy) {
        return REFUSED;
    }
    memset(places, 0xFF, n_place * sizeof *places);
    memset(n_copy, 0, n * sizeof *n_copy);
    for (size_t block = 0; block < n; block++) {
        size_t place = scatter(sums[block]) & (n_place - 1);
        while (places[place] >= 0 && sums[places[place]] != sums[block]) {
            place = (place + 1) & (n_place - 1);
        }
        if (places[place] < 0) {
            places[place] = (int32_t)block;
        }
        first[block] = places[place];
        n_copy[first[block]]++;
    }
    float *copies = next_of(work, LOG), *titled = next_of(work, SHARE);
    float *cover = next_of(work, SHARE), *headed = next_of(work, SHARE);
    float *is_first = next_of(work, VALUE);
    for (size_t block = 0; block < n; block++) {
        const int32_t covered = in_title[block] < n_title ? in_title[block] : n_title;
        copies[block] = log_of(n_word[block] ? (float)n_copy[first[block]] : 0.0f);
        titled[block] = share_of((float)in_title[block], (float)n_word[block]);
        cover[block] = share_of((float)covered, (float)n_title);
        headed[block] = share_of((float)characters->in_h1[block], (float)n_word[block]);
        is_first[block] = first[block] == (int32_t)block;
    }
    return 0;
}

/* -- the page as a whole ------------------------------------------------------------------------ */

static void fill(float *out, size_t n, float value)
{
    for (size_t block = 0; block < n; block++) {
        out[block] = value;
    }
}

static void measure_page(Work *work)
{
    const Formulas *formulas = &work->formulas[PAGE];
    const Blocks *page = work->page;
    const size_t n = work->n;
    for (size_t each = 0; each < formulas->n_log; each++) {
        fill(next_of(work, LOG), n, log_of((float)sums_of(work, formulas->logs[each])[n]));
    }
    fill(next_of(work, LOG), n, log_of((float)page->n_row));
    for (size_t each = 0; each < work->recipe->n_element; each++) {
        int32_t count = 0;
        for (size_t row = 0; row < page->n_row; row++) {
            count += page->tag[row] == work->recipe->elements[each];
        }
        fill(next_of(work, LOG), n, log_of((float)count));
    }
    for (size_t each = 0; each < formulas->n_share; each++) {
        const int32_t part = sums_of(work, formulas->parts[each])[n];
        const int32_t whole = sums_of(work, formulas->wholes[each])[n];
        fill(next_of(work, SHARE), n, share_of((float)part, (float)whole));
    }
}

/* Find the tables: of each how many logarithms, their counts, how many shares, parts, wholes. */
static int read_formulas(Work *work)
{
    const int32_t *at = work->recipe->formulas, *stop = at + work->recipe->n_formula;
    for (size_t each = 0; each < N_FORMULAS; each++) {
        Formulas *formulas = &work->formulas[each];
        if (at >= stop || *at < 0 || *at >= stop - at) {
            return REFUSED;
        }
        formulas->n_log = (size_t)*at++;
        formulas->logs = at;
        at += formulas->n_log;
        if (at >= stop || *at < 0 || 2 * (int64_t)*at >= stop - at) {
            return REFUSED;
        }
        formulas->n_share = (size_t)*at++;
        formulas->parts = at;
        formulas->wholes = at + formulas->n_share;
        at += 2 * formulas->n_share;
        for (const int32_t *count = formulas->logs; count < at; count++) {
            if (count != formulas->logs + formulas->n_log && (*count < 0 || *count >= N_COUNT)) {
                return REFUSED;
            }
        }
    }
    return at == stop ? 0 : REFUSED;
}

int measure_blocks(const Blocks *page, const Ladder *ladder, const int32_t *sums,
                   const Characters *characters, const int64_t *signature, const Recipe *recipe,
                   float *out, Scratch scratch)
{
    Work work = {page, ladder, sums, characters, signature, recipe, scratch, out, page->n_block,
                 {0, 0, 0}, 0, {{0}}};
    size_t n_feature = 0;
    for (size_t kind = 0; kind < 3; kind++) {
        n_feature += recipe->n_row_of[kind];
        for (size_t each = 0; each < recipe->n_row_of[kind]; each++) {
            const int32_t row = recipe->rows[kind][each];
            if (row < 0 || (size_t)row >= recipe->n_feature) {
                return REFUSED;
            }
        }
        if (!recipe->n_row_of[kind]) {
            return REFUSED;
        }
    }
    if (n_feature != recipe->n_feature || read_formulas(&work) < 0) {
        return REFUSED;
    }
    measure_own(&work);
    if (measure_path(&work) < 0) {
        return REFUSED;
    }
    measure_containers(&work);
    if (measure_siblings(&work) < 0 || measure_place(&work) < 0) {
        return REFUSED;
    }
    measure_neighbours(&work);
    if (measure_wording(&work) < 0) {
        return REFUSED;
    }
    measure_page(&work);
    for (size_t kind = 0; kind < 3; kind++) {
        work.failed |= work.n_done[kind] != recipe->n_row_of[kind];
    }
    return work.failed ? REFUSED : 0;
}
