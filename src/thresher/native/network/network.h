/* The learned network over integers: declarations shared by its steps; thresher.algorithms.learned. */

#ifndef THRESHER_NETWORK_H
#define THRESHER_NETWORK_H

#include "../core.h"
#include "../generated.h"

enum {
    TILE = 4,          /* blocks whose sums a layer adds up together */
    STRIP = 32,        /* blocks that go through a layer together; a whole number of tiles */
    LANES = 16,        /* units of a layer come in so many */
    MAX_UNITS = 256,   /* of one layer, of all networks */
    MAX_INPUTS = 1024, /* of one layer */
    N_SHIFT = 4,       /* neighbours that it sees */
    MAX_LEVEL = 255    /* largest value between layers */
};

enum { BEST = 0, WITH_AVX512 = 1, WITH_AVX2 = 2, PLAIN = 3, WITH_VNNI = 4 }; /* SIMD levels */

/* Inputs of 16 bits, in pairs side by side: those of row r, pair p lie at
 * in[r * row_step + p * pair_step]. */
typedef struct {
    const int16_t *in;
    size_t row_step, pair_step, n_pair;
} Pairs;

/* Some inputs of 8 bits, in fours: those of row r begin at in[r * row_step]. */
typedef struct {
    const uint8_t *in;
    size_t row_step, n_four;
} Codes;

/* How a feature is read. */
typedef struct {
    float mean, deviation, saturation, clip, steps;
} Scale;

/* How sums become the inputs of the next layer. */
typedef struct {
    const float *scale, *bias; /* [n_unit] */
    float level;
} Activation;

typedef struct {
    /* weights[n_pair, step, 2] -> sums[n_row, n_unit], with room for a whole number of tiles. The
     * units are a multiple of LANES. */
    void (*add_pairs)(const Pairs *in, size_t n_row, const int16_t *weights, size_t step,
                      size_t n_unit, int32_t *sums);
    /* Parts that make up all inputs, weights[n_four, n_unit, 4], begin[n_unit] or NULL -> the same. */
    void (*add_codes)(const Codes *parts, size_t n_part, size_t n_row, const int8_t *weights,
                      size_t n_unit, const int32_t *begin, int32_t *sums);
    /* sums[n_row, n_unit], more[n_row, n_unit] or NULL -> the next layer's inputs, from 0 to
     * MAX_LEVEL; out[n_row, out_step]. */
    void (*activate)(const int32_t *sums, const int32_t *more, size_t n_row, size_t n_unit,
                     const Activation *of, uint8_t *out, size_t out_step);
    /* values[n_row], of a strip at most -> out[n_row]. */
    void (*quantise)(const float *values, size_t n_row, const Scale *scale, int16_t *out);
    /* Sums before and behind so many blocks -> means[width], rounded. */
    void (*average)(const int32_t *before, const int32_t *behind, size_t count, size_t width,
                    uint8_t *means);
} SimdLevel;

/* Return the functions of a SIMD level; NULL if this machine lacks it, or numpy is faster. */
const SimdLevel *choose_simd_level(int32_t simd);

/* What steps read. */
typedef struct {
    const int8_t *embedding; /* [n_number, n_code] */
    const int64_t *numbers;  /* [n_token] */
    const int32_t *start;    /* [n_name]: where the tokens of each begin */
    const int32_t *row;      /* [n_entry], rising */
    const int32_t *end, *name;
    size_t n_number, n_token, n_name, n_entry;
} NameTokens;
typedef struct {
    const int8_t *embedding; /* [n_number, n_code] */
    const uint16_t *numbers; /* [n_block, N_WORD] */
    size_t n_number, n_code; /* the latter is 0 if the network reads no words */
} BlockWords;
/* Room for the elements around a block, and for none: rows, their ends, sums[n_room, n_code]. */
typedef struct {
    int32_t *row, *end;
    uint32_t *sums;
    size_t n_room;
} Path;
typedef struct {
    const int32_t *dims;  /* [9]: the sizes of `Network`, and the SIMD level */
    const int16_t *pairs; /* [n_pairs]: those of features and names */
    const int8_t *fours;  /* [n_fours]: those of codes, and of the output */
    const float *real;    /* [n_real] */
    size_t n_pairs, n_fours, n_real;
} Weights;
typedef struct {
    const int32_t *first, *stop; /* [containers, n_block] */
    const uint8_t *summary;      /* [n_block, net, n_summary] */
    const int32_t *sums;         /* [n_block + 1, net, n_summary] */
    const uint8_t *page;         /* [net, 2, n_summary] */
} Around;

/* around.c: scratch of_name[n_name, n_code] -> for each block and network out[1 + containers,
 * n_code / net], the names inside the nearest container, between it and the next, ..., all others; the
 * next block's begin `step` numbers further, the next network's step / n_net. REFUSED where the path has
 * too little room, or a sum leaves 16 bits. */
int add_up_names(const NameTokens *names, size_t n_code, size_t n_net, const int32_t *leaf,
                 const int32_t *container, size_t n_block, uint32_t *of_name, Path *path,
                 int16_t *out, size_t step);
/* The sums of blocks' first words, out[n_code / net] for each network; steps as above. */
int add_up_words(const BlockWords *words, size_t n_net, size_t n_block, int16_t *out, size_t step);
/* network.c: inputs[n_feature, n_block], names as above, types[n_type] -> for the blocks start:stop
 * code[n_block, net, n_unit], summary[n_block, net, n_summary]. The input `hide` counts as 0. */
int code_blocks(const Weights *weights, const int16_t *inputs, const int16_t *names,
                const int16_t *types, size_t n_block, size_t start, size_t stop, int64_t hide,
                uint8_t *code, uint8_t *summary);
/* Sums before each block, and the page's mean summaries over blocks and over words. */
int add_up_summaries(const uint8_t *summary, const int64_t *words, size_t n_block, size_t n_net,
                     size_t n_summary, int32_t *sums, uint8_t *page);
/* Code blocks anew with what is around them: code as above; next[n_block, net, n_summary], or in the
 * last round votes[net, n_block]. */
int relate_blocks(const Weights *weights, const Around *around, size_t n_block, size_t turn,
                  size_t start, size_t stop, uint8_t *code, uint8_t *next, int32_t *votes);

/* tokens.c */

/* A page's rows, and its attributes in the order of their rows. */
typedef struct {
    const uint8_t *buffer;
    size_t n_byte;
    const int16_t *tag;
    const int32_t *end, *block_offset; /* [n_row], [n_row + 1] */
    size_t n_row;
    const int32_t *row, *start, *stop; /* [n_attribute]; the last two of values, in the buffer */
    const uint64_t *low, *high;        /* their names, as thresher.page.names packs them */
    size_t n_attribute;
    const uint64_t (*wanted)[2]; /* the names of those that are read; of the first are signatures */
    const uint64_t *salts;       /* what tells their tokens apart; [n_wanted] */
    size_t n_wanted;
    const uint64_t *tag_tokens; /* [n_code] */
    size_t n_code;
    int16_t text; /* the code of what is no element */
} NamedRows;

/* Where `thresher.features.names.Tokens` go. */
typedef struct {
    uint64_t *hashes;          /* [n_room] */
    int32_t *start;            /* [n_room], of which as many are used as there are names */
    int32_t *first_of;         /* [n_room]; scratch: where each name was first seen */
    uint64_t *salt_of;         /* [n_room]; scratch */
    size_t n_room;
    int32_t *table;            /* [n_place], a power of two above n_room; scratch */
    size_t n_place;
    int32_t *row, *end, *name; /* [n_entry] */
    size_t n_entry;
    int64_t *signature; /* [n_row] */
} TokenRoom;

/* Read the names of blocks' ancestors -> sizes[3]: tokens, names, entries. REFUSED if there is
 * too little room for tokens. */
int read_tokens(const NamedRows *rows, const TokenRoom *room, int64_t *sizes);
/* Hash the runs start:stop of symbols, each of at least one. */
int hash_runs(const uint8_t *symbols, size_t n_symbol, const int64_t *start, const int64_t *stop,
              size_t n_run, uint64_t *hashes);
int index_hashes(const uint64_t *known, size_t n_known, int32_t *table, size_t n_place);
/* Indices in `known`, n_known for missing ones; the table is that of index_hashes. */
int number_hashes(const uint64_t *known, size_t n_known, const int32_t *table, size_t n_place,
                  const uint64_t *hashes, size_t n_hash, int64_t *numbers);

/* means.c */

/* thresher.algorithms.learned.page_type.PageTypeModel. */
typedef struct {
    const float *mean, *deviation; /* [n_mean] */
    const float *feature_weights;  /* [n_mean, n_type] */
    const float *token_weights;    /* [n_number, n_type] */
    const float *bias;             /* [n_type] */
    double clip;
    size_t n_mean, n_type, n_number;
} TypeModel;
/* means[n_mean], tokens[n_token]; seen[n_number] to work in -> scores[n_type], and by names alone
 * [n_type] behind them. */
int score_types(const TypeModel *model, const double *means, const int64_t *tokens, size_t n_token,
                uint8_t *seen, double *scores);

#endif
