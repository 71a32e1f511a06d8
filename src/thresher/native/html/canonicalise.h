/* HTML source -> canonical HTML; thresher.canonical. */

#ifndef THRESHER_CANONICALISE_H
#define THRESHER_CANONICALISE_H

#include "../core.h"

/* source[n] in UTF-8 -> out[room], as the parser would serialise its tree; returns how many bytes, or
 * REFUSED. */
int64_t canonicalise(const uint8_t *source, size_t n, uint8_t *out, size_t room);

#endif
