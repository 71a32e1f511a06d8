/* HTML source -> canonical HTML; thresher.page.canonical. */

#ifndef THRESHER_CANONICALISE_H
#define THRESHER_CANONICALISE_H

#include "../core.h"

/* What canonicalise() returns where there is too little room. */
#define TOO_LONG (-2)
/* And where it asks what to make of an element of text that is closed as in XML: `<script/>`. */
#define CLOSED_AS_XML (-3)

/* source[n] in UTF-8 -> out[room], as the parser would serialise its tree; returns how many bytes,
 * REFUSED, TOO_LONG or CLOSED_AS_XML. */
int64_t canonicalise(const uint8_t *source, size_t n, uint8_t *out, size_t room, int asks);

#endif
