/* Sums of the embeddings of names around blocks, and of their first words: the first step of the learned network. */

#include "network.h"

#include <string.h>

/* Sum the embeddings of the tokens of each distinct name; 0 or REFUSED. Sums may wrap around;
 * the differences that are used do not. */
static int add_up_tokens(const NameTokens *names, size_t n_code, uint32_t *of_name)
{
    memset(of_name, 0, names->n_name * n_code * sizeof *of_name);
    for (size_t name = 0; name < names->n_name; name++, of_name += n_code) {
        const int64_t stop =
            name + 1 < names->n_name ? names->start[name + 1] : (int64_t)names->n_token;
        int64_t token = names->start[name];
        if (token < 0 || stop > (int64_t)names->n_token) {
            return REFUSED;
        }
        for (; token < stop; token++) {
            const int64_t number = names->numbers[token];
            if (number < 0 || (uint64_t)number >= names->n_number) {
                return REFUSED;
            }
            const size_t ahead = (size_t)token + N_AHEAD;
            if (ahead < names->n_token && (uint64_t)names->numbers[ahead] < names->n_number) {
                FETCH(names->embedding + (size_t)names->numbers[ahead] * n_code);
            }
            const int8_t *vector = names->embedding + (size_t)number * n_code;
            for (size_t at = 0; at < n_code; at++) {
                const int32_t weight = vector[at];
                of_name[at] += (uint32_t)weight;
            }
        }
    }
    return 0;
}

/* Subtract the sums of two elements of a block's path, [net, n_in]; return whether they fit 16 bits.
 * Those of a network go `step` numbers behind those of the last. */
static int tell_between(const uint32_t *inner, const uint32_t *outer, size_t n_net, size_t n_in,
                        int16_t *out, size_t step)
{
    uint32_t beyond = 0;
    for (size_t which = 0; which < n_net; which++, out += step) {
        for (size_t at = 0; at < n_in; at++) {
            const uint32_t sum = inner[which * n_in + at] - (outer ? outer[which * n_in + at] : 0);
            out[at] = (int16_t)sum;
            beyond |= sum + 0x8000;
        }
    }
    return beyond <= UINT16_MAX;
}

int add_up_names(const NameTokens *names, size_t n_code, size_t n_net, const int32_t *leaf,
                 const int32_t *container, size_t n_block, uint32_t *of_name, Path *path,
                 int16_t *out, size_t step)
{
    const size_t n_in = n_code / n_net;
    if (add_up_tokens(names, n_code, of_name) < 0 || !path->n_room) {
        return REFUSED;
    }
    /* The elements around a block that have names: each with the sum of all names down to its own.
     * Below the first is nothing. */
    size_t n_open = 1, entry = 0;
    memset(path->sums, 0, n_code * sizeof *path->sums);
    path->row[0] = -1;
    path->end[0] = INT32_MAX;
    for (size_t block = 0; block < n_block; block++) {
        for (; entry < names->n_entry && names->row[entry] <= leaf[block]; entry++) {
            const int32_t row = names->row[entry];
            const int32_t name = names->name[entry];
            if (name < 0 || (size_t)name >= names->n_name) {
                return REFUSED;
            }
            while (n_open > 1 && path->end[n_open - 1] <= row) {
                n_open--;
            }
            if (path->row[n_open - 1] != row) {
                if (n_open == path->n_room) {
                    return REFUSED;
                }
                path->row[n_open] = row;
                path->end[n_open] = names->end[entry];
                memcpy(path->sums + n_open * n_code, path->sums + (n_open - 1) * n_code,
                       n_code * sizeof *path->sums);
                n_open++;
            }
            uint32_t *sum = path->sums + (n_open - 1) * n_code;
            for (size_t at = 0; at < n_code; at++) {
                sum[at] += of_name[(size_t)name * n_code + at];
            }
        }
        while (n_open > 1 && path->end[n_open - 1] <= leaf[block]) {
            n_open--;
        }
        /* A container is an ancestor of blocks, so it has names of its own. */
        const uint32_t *inner = path->sums + (n_open - 1) * n_code;
        size_t at = n_open - 1;
        int16_t *to = out + block * step;
        for (size_t level = 0; level < N_CONTAINER; level++, to += n_in) {
            const int32_t row = container[level * n_block + block];
            while (at && path->row[at] > row) {
                at--;
            }
            const uint32_t *outer = path->sums + at * n_code;
            if (path->row[at] != row || row < 0
                || !tell_between(inner, outer, n_net, n_in, to, step / n_net)) {
                return REFUSED;
            }
            inner = outer;
        }
        if (!tell_between(inner, NULL, n_net, n_in, to, step / n_net)) {
            return REFUSED;
        }
    }
    return 0;
}

int add_up_words(const BlockWords *words, size_t n_net, size_t n_block, int16_t *out, size_t step)
{
    const size_t n_code = words->n_code, n_in = n_code / n_net;
    int16_t sums[MAX_UNITS];
    if (n_code > MAX_UNITS) {
        return REFUSED;
    }
    const uint16_t *numbers = words->numbers;
    for (size_t block = 0; block < n_block && n_code; block++, numbers += N_WORD, out += step) {
        memset(sums, 0, n_code * sizeof *sums);
        for (size_t word = 0; word < N_WORD; word++) {
            if (numbers[word] >= words->n_number) {
                return REFUSED;
            }
            const int8_t *vector = words->embedding + numbers[word] * n_code;
            for (size_t at = 0; at < n_code; at++) {
                sums[at] = (int16_t)(sums[at] + vector[at]);
            }
        }
        for (size_t which = 0; which < n_net; which++) {
            memcpy(out + which * (step / n_net), sums + which * n_in, n_in * sizeof *sums);
        }
    }
    return 0;
}
