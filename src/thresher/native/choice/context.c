/* The context by which each block is decided; thresher.algorithms.learned.context. */

#include <math.h>
#include <string.h>

#include "selected.h"

static const double LIGHT = 0.1;
static const double FAR = 30, NEAR = 8, STEPS = 65536;
static const double FAR_BLOCKS = 4, FAR_WORDS = 6, FAR_LEVELS = 6;
static const double PROBABLE[] = {0, 2.5};
static const int SHIFTS[] = {-1, -2, -3, 1, 2, 3};

enum {
    N_OWN = 6,
    N_SHIFT = sizeof SHIFTS / sizeof *SHIFTS,
    N_SAME = 2,
    N_PROBABLE = sizeof PROBABLE / sizeof *PROBABLE,
    N_SIDE = 4,
    N_NEAREST = 2 * N_SIDE + 2,
    N_AROUND = 3,
    N_OF_CONTAINER = 5,
    N_OF_PATTERN = 4,
    N_WHOLE = 7,
    AT_ROLES = N_OWN,
    AT_SHIFTS = AT_ROLES + N_ROLE,
    AT_SAME = AT_SHIFTS + N_SHIFT,
    AT_NEAREST = AT_SAME + N_SAME,
    AT_CONTAINERS = AT_NEAREST + N_PROBABLE * N_NEAREST,
    AT_PATTERNS = AT_CONTAINERS + N_AROUND * N_OF_CONTAINER,
    AT_PAGE = AT_PATTERNS + N_PATTERN * N_OF_PATTERN,
};
_Static_assert(N_CONTEXT == AT_PAGE + N_WHOLE + N_PAGE_TYPE + N_SCOPE, "steps.txt");

static double sigmoid(double log_odds)
{
    const double bounded = log_odds < -FAR ? -FAR : log_odds > FAR ? FAR : log_odds;
    return rint(STEPS / (1 + exp(-bounded))) / STEPS;
}

static double at_least(double value, double least)
{
    return value < least ? least : value;
}

static double clip(double log_odds)
{
    return log_odds < -NEAR ? -NEAR : log_odds > NEAR ? NEAR : log_odds;
}

static double log_odds_at(const Scored *page, size_t block)
{
    return clip(page->log_odds[block]);
}

/* Which container of a block is the nearest that holds another. */
static double find_level(const Scored *page, size_t block, size_t other)
{
    size_t level = 0;
    for (size_t at = block; level < page->n_level; level++, at += page->n) {
        if (page->first[at] <= (int64_t)other && (int64_t)other < page->stop[at]) {
            break;
        }
    }
    return (double)level;
}

static void describe_roles(const float *scores, double *out)
{
    double most = scores[0], total = 0;
    for (size_t role = 1; role < N_ROLE; role++) {
        most = scores[role] > most ? scores[role] : most;
    }
    for (size_t role = 0; role < N_ROLE; role++) {
        total += exp(scores[role] - most);
    }
    const double log_total = log(total);
    for (size_t role = 0; role < N_ROLE; role++) {
        out[role] = at_least(scores[role] - most - log_total, -NEAR) / 3;
    }
}

static void describe_block(const Scored *page, size_t block, double *out)
{
    const double here = log_odds_at(page, block), words = (double)page->words[block];
    const double own[N_OWN] = {
        here / 3, sigmoid(here), here > 0, log1p(words) / 3,
        page->link_words[block] / at_least(words, 1), words == 0,
    };
    for (size_t at = 0; at < N_OWN; at++) {
        out[at] = own[at];
    }
    describe_roles(page->roles + block * N_ROLE, out + AT_ROLES);
    for (size_t at = 0; at < N_SHIFT; at++) {
        const int64_t other = (int64_t)block + SHIFTS[at];
        const int is_inside = other >= 0 && other < (int64_t)page->n;
        out[AT_SHIFTS + at] = (is_inside ? log_odds_at(page, (size_t)other) : -NEAR) / 3;
    }
    out[AT_SAME] = block > 0 && find_level(page, block, block - 1) == 0;
    out[AT_SAME + 1] = block + 1 < page->n && find_level(page, block, block + 1) == 0;
}

/* The nearest probable block on one side -> 4 numbers. */
static void describe_side(const Scored *page, size_t block, size_t other, double between, double *out)
{
    const int exists = other < page->n;
    const double distance = (double)(other > block ? other - block : block - other);
    out[0] = (exists ? log1p(distance) : FAR_BLOCKS) / 2;
    out[1] = (exists ? log1p(between) : FAR_WORDS) / 3;
    out[2] = (exists ? find_level(page, block, other) : FAR_LEVELS) / 3;
    out[3] = (exists ? find_level(page, other, block) : FAR_LEVELS) / 3;
}

/* The nearest probable blocks before and after each -> 10 numbers. */
static int describe_nearest(const Scored *page, double least, double *inputs, Clock *clock)
{
    size_t other = page->n;
    double between = 0;
    for (size_t block = 0; block < page->n; block++) {
        if (is_time_up(clock, N_CONTEXT)) {
            return REFUSED;
        }
        describe_side(page, block, other, between, inputs + block * N_CONTEXT);
        between += (double)page->words[block];
        if (log_odds_at(page, block) > least) {
            other = block;
            between = 0;
        }
    }
    other = page->n;
    between = 0;
    for (size_t block = page->n; block-- > 0;) {
        if (is_time_up(clock, N_CONTEXT)) {
            return REFUSED;
        }
        double *out = inputs + block * N_CONTEXT;
        describe_side(page, block, other, between, out + N_SIDE);
        between += (double)page->words[block];
        if (log_odds_at(page, block) > least) {
            other = block;
            between = 0;
        }
        out[2 * N_SIDE] = at_least(out[2], out[N_SIDE + 2]);
        out[2 * N_SIDE + 1] = out[0] != FAR_BLOCKS / 2 && out[N_SIDE] != FAR_BLOCKS / 2;
    }
    return 0;
}

enum { EXPECTED, EXPECTED_WORDS, WORDS, LINK_WORDS, N_SUM };

/* Sums over the blocks before each: sum[N_SUM][n + 1]. */
static void add_up(const Scored *page, double *const *sum)
{
    for (size_t which = 0; which < N_SUM; which++) {
        sum[which][0] = 0;
    }
    for (size_t block = 0; block < page->n; block++) {
        const double probability = sigmoid(log_odds_at(page, block));
        const double words = (double)page->words[block];
        sum[EXPECTED][block + 1] = sum[EXPECTED][block] + probability;
        sum[EXPECTED_WORDS][block + 1] = sum[EXPECTED_WORDS][block] + probability * words;
        sum[WORDS][block + 1] = sum[WORDS][block] + words;
        sum[LINK_WORDS][block + 1] = sum[LINK_WORDS][block] + page->link_words[block];
    }
}

/* The nearest containers of a block -> 5 numbers each. */
static void describe_containers(const Scored *page, double *const *sum, size_t block, double *out)
{
    for (size_t level = 0; level < N_AROUND; level++) {
        const int32_t first = page->first[level * page->n + block];
        const int32_t stop = page->stop[level * page->n + block];
        const double words = sum[WORDS][stop] - sum[WORDS][first];
        *out++ = (sum[EXPECTED][stop] - sum[EXPECTED][first]) / (stop - first);
        *out++ = (sum[EXPECTED_WORDS][stop] - sum[EXPECTED_WORDS][first] + 0.1) / (words + 0.2);
        *out++ = log1p(stop - first) / 3;
        *out++ = log1p(words) / 3;
        *out++ = (sum[LINK_WORDS][stop] - sum[LINK_WORDS][first]) / at_least(words, 1);
    }
}

enum { COUNT, ODDS, LIKELY, HEAVY, LIKELY_WORDS, N_PART };
_Static_assert(N_PART == N_CONTEXT_SUM, "steps.txt");

static void weigh_parts(const Scored *page, size_t block, double *part)
{
    const double here = log_odds_at(page, block), weight = (double)page->words[block] + LIGHT;
    part[COUNT] = 1;
    part[ODDS] = here;
    part[LIKELY] = sigmoid(here);
    part[HEAVY] = weight;
    part[LIKELY_WORDS] = part[LIKELY] * weight;
}

/* The other blocks of each block's pattern -> 4 numbers; a block alone by itself. */
static int describe_pattern(const Scored *page, const int32_t *pattern, double *const *sum,
                            double *inputs, Clock *clock)
{
    double part[N_PART], others[N_PART];
    for (size_t which = 0; which < N_PART; which++) {
        memset(sum[which], 0, N_PATTERN * page->n * sizeof *sum[which]);
    }
    for (size_t block = 0; block < page->n; block++) {
        if (pattern[block] < 0 || (size_t)pattern[block] >= N_PATTERN * page->n
            || is_time_up(clock, N_PART)) {
            return REFUSED;
        }
        weigh_parts(page, block, part);
        for (size_t which = 0; which < N_PART; which++) {
            sum[which][pattern[block]] += part[which];
        }
    }
    for (size_t block = 0; block < page->n; block++) {
        if (is_time_up(clock, N_PART)) {
            return REFUSED;
        }
        weigh_parts(page, block, part);
        for (size_t which = 0; which < N_PART; which++) {
            others[which] = sum[which][pattern[block]] - part[which];
        }
        const int is_alone = others[COUNT] == 0;
        const double count = at_least(others[COUNT], 1), heavy = at_least(others[HEAVY], LIGHT / 2);
        double *out = inputs + block * N_CONTEXT;
        out[0] = log1p(others[COUNT]) / 3;
        out[1] = (is_alone ? part[ODDS] : others[ODDS] / count) / 3;
        out[2] = is_alone ? part[LIKELY] : others[LIKELY] / count;
        out[3] = is_alone ? part[LIKELY] : others[LIKELY_WORDS] / heavy;
    }
    return 0;
}

/* The page as a whole, its types and the scope. */
static void describe_page(const Scored *page, double *const *sum, double *out)
{
    const double words = sum[WORDS][page->n], found = sum[EXPECTED_WORDS][page->n];
    double spread = 0, most = -NEAR;
    for (size_t block = 0; block < page->n; block++) {
        const double here = log_odds_at(page, block), probability = sigmoid(here);
        spread += probability * (1 - probability) * (double)page->words[block];
        most = at_least(here, most);
    }
    *out++ = log1p((double)page->n) / 4;
    *out++ = log1p(words) / 6;
    *out++ = found / at_least(words, 1);
    *out++ = log1p(found) / 6;
    *out++ = spread / at_least(found, 1);
    *out++ = most / 3;
    *out++ = sum[LINK_WORDS][page->n] / at_least(words, 1);
    for (size_t type = 0; type < N_PAGE_TYPE; type++) {
        *out++ = page->types[type];
    }
    for (size_t scope = 0; scope < N_SCOPE; scope++) {
        *out++ = scope == page->scope;
    }
}

int describe_context(const Scored *page, double *sums, double *inputs, Clock *clock)
{
    for (size_t at = 0; at < page->n_level * page->n; at++) {
        if (page->first[at] < 0 || page->stop[at] <= page->first[at]
            || (size_t)page->stop[at] > page->n) {
            return REFUSED;
        }
    }
    double *sum[N_CONTEXT_SUM];
    for (size_t which = 0; which < N_CONTEXT_SUM; which++) {
        sum[which] = sums + which * N_PATTERN * (page->n + 1);
    }
    for (size_t which = 0; which < N_PATTERN; which++) {
        double *out = inputs + AT_PATTERNS + which * N_OF_PATTERN;
        if (describe_pattern(page, page->patterns + which * page->n, sum, out, clock) < 0) {
            return REFUSED;
        }
    }
    add_up(page, sum);
    for (size_t which = 0; which < N_PROBABLE; which++) {
        double *out = inputs + AT_NEAREST + which * N_NEAREST;
        if (describe_nearest(page, PROBABLE[which], out, clock) < 0) {
            return REFUSED;
        }
    }
    double whole[N_WHOLE + N_PAGE_TYPE + N_SCOPE];
    describe_page(page, sum, whole);
    for (size_t block = 0; block < page->n; block++) {
        if (is_time_up(clock, N_CONTEXT)) {
            return REFUSED;
        }
        double *out = inputs + block * N_CONTEXT;
        describe_block(page, block, out);
        describe_containers(page, sum, block, out + AT_CONTAINERS);
        for (size_t at = 0; at < sizeof whole / sizeof *whole; at++) {
            out[AT_PAGE + at] = whole[at];
        }
    }
    return 0;
}
