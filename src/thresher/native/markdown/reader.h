/* The state of reading a fragment, shared by its blocks and its inline elements. */

#ifndef THRESHER_READER_H
#define THRESHER_READER_H

#include "markdown.h"

enum { A_STRONG, A_B, AN_EM, AN_I, A_LINK, AN_ANCHOR };

typedef struct {
    int kind;
    size_t start; /* its first token */
} Span;

typedef struct {
    const uint8_t *markup;
    size_t n;
    const int64_t *url_stop;
    size_t n_url, url; /* the next link or image */
    const Given *given;
    size_t part; /* the next of the given blocks */
    Stream *out;
    size_t run; /* the first token of the run */
    Span spans[MAX_DEPTH];
    int32_t opened[MAX_DEPTH];
    size_t n_span, n_opened;
    int n_link, is_refused;
} Reader;

/* spans.c */

/* Add a token; NULL if there is no room for it. */
Token *add_token(Reader *reader, int kind, size_t start, size_t stop);
/* Whether the tokens from a place on show anything, pictures counted or not. */
int has_content(const Reader *reader, size_t start, int counts_images);
void open_span(Reader *reader, int kind);
/* End an element, or any link, and those in it that are still open. */
void close_span(Reader *reader, int kind, int any_link);
void end_spans(Reader *reader);

#endif
