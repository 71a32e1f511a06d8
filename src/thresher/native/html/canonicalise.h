/* HTML source -> canonical HTML; thresher.canonical. */

#ifndef THRESHER_CANONICALISE_H
#define THRESHER_CANONICALISE_H

#include "../core.h"

/* What canonicalise() returns where there is too little room. */
#define TOO_LONG (-2)

/* source[n] in UTF-8 -> out[room], as the parser would serialise its tree; returns how many bytes,
 * REFUSED or TOO_LONG. */
int64_t canonicalise(const uint8_t *source, size_t n, uint8_t *out, size_t room);

#endif
