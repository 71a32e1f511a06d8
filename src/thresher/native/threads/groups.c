/* Members of groups raised to the posts around them (thresher.analysis.threads.siblings). */

#include "threads.h"

/* Whether members are beside each other, not inside one another. */
static int are_beside(const int32_t *end, const int64_t *members, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (end[members[i - 1]] > members[i]) {
            return 0;
        }
    }
    return 1;
}

/* Raise members by one level, where the parent holds no other; returns 0 if most cannot be. */
static int raise_once(const RowGroups *groups, const int64_t *members, size_t n, int64_t *raised)
{
    size_t n_alone = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < n; i++) {
            const int64_t parent = groups->parent[raised[i]];
            if (parent >= 0 && (size_t)parent < groups->n_row
                && (i == 0 || members[i - 1] < parent)
                && (i + 1 == n || members[i + 1] >= groups->end[parent])) {
                n_alone++;
                if (turn) {
                    raised[i] = parent;
                }
            }
        }
        if (!turn && 2 * n_alone < n) {
            return 0;
        }
    }
    return 1;
}

int raise_groups(const RowGroups *groups, const Raised *out)
{
    size_t n_all = 0;
    for (size_t group = 0; group < groups->n_group; group++) {
        const int64_t start = groups->start[group], stop = groups->stop[group];
        if (start < 0 || stop < start || (size_t)stop > groups->n
            || (size_t)(stop - start) > out->n_room - n_all) {
            return REFUSED;
        }
        int64_t *members = out->members + n_all, *raised = out->raised + n_all;
        size_t n = 0;
        for (int64_t at = start; at < stop; at++) {
            const int64_t row = groups->rows[at];
            if (row < 0 || (size_t)row >= groups->n_row) {
                return REFUSED;
            }
            if (groups->member[row]) {
                members[n] = raised[n] = row;
                n++;
            }
        }
        out->sizes[group] = (int64_t)n;
        out->is_beside[group] = n > 1 && are_beside(groups->end, members, n);
        for (int64_t level = 0; out->is_beside[group] && level < groups->levels_up; level++) {
            if (!raise_once(groups, members, n, raised)) {
                break;
            }
        }
        n_all += n;
    }
    for (; n_all < out->n_room; n_all++) {
        out->members[n_all] = out->raised[n_all] = 0;
    }
    return 0;
}
