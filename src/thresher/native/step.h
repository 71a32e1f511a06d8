/* A compiled step: `STEP(name) { … }` gets its arguments by name, as steps.txt declares them, as `of`.
 * Sizes are already checked. It returns a number, REFUSED or UNFIT, and must not use Python, which runs
 * concurrently, but for its clock. */

#ifndef THRESHER_STEP_H
#define THRESHER_STEP_H

#include "generated.h"

/* Return value of a step for arrays whose sizes do not match: Python gets a ValueError. */
#define UNFIT INT64_MIN

#define STEP(name) int64_t step_##name(const struct name##_arguments *of)

#endif
