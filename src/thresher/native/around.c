/* The names around blocks, added up: the first step of the learned network. */

#include "network.h"

#include <string.h>

/* Add up the embeddings of the tokens of each distinct name; 0 or REFUSED. Sums may wrap around;
 * the differences that are wanted do not. */
static int add_up_tokens(const NameTokens *names, size_t n_code, uint32_t *of_name)
{
    memset(of_name, 0, names->n_name * n_code * sizeof *of_name);
    for (size_t name = 0; name < names->n_name; name++) {
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
            const int8_t *vector = names->embedding + (size_t)number * n_code;
            for (size_t at = 0; at < n_code; at++) {
                uint32_t *sum = of_name + name * n_code + at;
                *sum = (uint32_t)(*sum + (uint64_t)(int64_t)vector[at]);
            }
        }
    }
    return 0;
}

/* The last of the entries that begin at or before a row, from 1; 0 for none. */
static size_t find_entry(const int32_t *rows, size_t n_entry, int32_t row)
{
    size_t low = 0, high = n_entry;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (rows[middle] <= row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int add_up_names(const NameTokens *names, size_t n_code, const int32_t *leaf,
                 const int32_t *container, size_t n_block, uint32_t *of_name, uint32_t *sums,
                 int64_t *above, int32_t *out)
{
    const size_t n_level = N_CONTAINER + 1, n_entry = names->n_entry;
    if (add_up_tokens(names, n_code, of_name) < 0) {
        return REFUSED;
    }
    /* Entries count from 1; the sums of 0 are of nothing. What is around a row is the last entry
     * that begins at or before it and is not over, the one around that, and so on: `above`. */
    memset(sums, 0, n_code * sizeof *sums);
    above[0] = 0;
    size_t top = 0, entry = 1;
    for (size_t block = 0; block < n_block; block++) {
        for (; entry <= n_entry && names->row[entry - 1] <= leaf[block]; entry++) {
            const int64_t name = names->name[entry - 1];
            if (name < 0 || (uint64_t)name >= names->n_name) {
                return REFUSED;
            }
            while (top && names->end[top - 1] <= names->row[entry - 1]) {
                top = (size_t)above[top];
            }
            above[entry] = (int64_t)top;
            for (size_t at = 0; at < n_code; at++) {
                sums[entry * n_code + at] =
                    sums[top * n_code + at] + of_name[(size_t)name * n_code + at];
            }
            top = entry;
        }
        while (top && names->end[top - 1] <= leaf[block]) {
            top = (size_t)above[top];
        }
        memcpy(out + block * n_level * n_code, sums + top * n_code, n_code * sizeof *out);
    }
    /* A container is an element around blocks, so it has entries of its own. */
    for (size_t level = 0; level < N_CONTAINER; level++) {
        size_t found = 0;
        for (size_t block = 0; block < n_block; block++) {
            const int32_t row = container[level * n_block + block];
            if (!found || names->row[found - 1] != row) {
                found = find_entry(names->row, entry - 1, row);
                if (!found || names->row[found - 1] != row) {
                    return REFUSED;
                }
            }
            memcpy(out + (block * n_level + level + 1) * n_code, sums + found * n_code,
                   n_code * sizeof *out);
        }
    }
    for (size_t block = 0; block < n_block; block++) {
        int32_t *sum = out + block * n_level * n_code;
        for (size_t at = 0; at < N_CONTAINER * n_code; at++) {
            sum[at] = (int32_t)((uint32_t)sum[at] - (uint32_t)sum[at + n_code]);
        }
    }
    return 0;
}
