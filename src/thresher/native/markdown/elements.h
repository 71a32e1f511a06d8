/* The elements of a fragment, by what they mean for Markdown. */

#ifndef THRESHER_ELEMENTS_H
#define THRESHER_ELEMENTS_H

#include "markdown.h"

enum {
    AN_OTHER,       /* only its content counts */
    A_PLAIN_BLOCK,  /* only its edges count */
    A_BLOCK,        /* with a tag of the events */
    A_SPAN,         /* with a kind of spans */
    AN_A,
    A_LINE_BREAK,
    AN_IMAGE,
    A_RULE,
    A_RARE_SPAN,    /* Python renders the run that it is in */
    A_TABLE,        /* Python renders these as a whole, and callouts */
    A_CODE_BLOCK,
    A_DEFINITION_LIST,
    A_SUMMARY,      /* and the runs in it */
    A_TABLE_PART,   /* these only in the ones above */
    A_DEFINITION_PART,
    A_RARE_ELEMENT  /* Python renders all of the markup */
};

typedef struct {
    int kind;
    int32_t value; /* the tag of a block, the kind of a span */
} Element;

Element element_of(const Tag *tag);

#endif
