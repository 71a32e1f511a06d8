/* HTML source -> canonical HTML; thresher.page.canonical. */

#ifndef THRESHER_CANONICALISE_H
#define THRESHER_CANONICALISE_H

#include "../core.h"

/* Return value of canonicalise() if there is too little room. */
#define TOO_LONG (-2)
/* And, if `asks` is set, at a raw-text element that is self-closed as in XML: `<script/>`. */
#define CLOSED_AS_XML (-3)

/* The results: out[room], tags[element_room], and the number of elements. */
typedef struct {
    uint8_t *out;
    size_t room;
    int32_t (*tags)[4]; /* of each element, start and stop of its start tag and of its end tag in the
                         * source; -1 for those that are not there */
    size_t element_room;
    int64_t *n_element;
} Canonical;

/* source[n] in UTF-8 -> canonical HTML, as the parser would serialise its tree; returns the size in
 * bytes, REFUSED, TOO_LONG or CLOSED_AS_XML. */
int64_t canonicalise(const uint8_t *source, size_t n, const Canonical *to, int asks);

#endif
