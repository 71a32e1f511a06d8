/* The elements of a fragment, by what they mean for Markdown: thresher.writers.stream.reader and runs. */

#include "elements.h"
#include "reader.h"

typedef struct {
    const char *name;
    size_t n_name;
    Element element;
} Known;

#define KNOWN(name, kind, value) {name, sizeof name - 1, {kind, value}}

static const Known KNOWN[] = {
    /* The most frequent first. */
    KNOWN("a", AN_A, 0),
    KNOWN("p", A_PLAIN_BLOCK, 0),
    KNOWN("li", A_BLOCK, ITEM),
    KNOWN("strong", A_SPAN, A_STRONG),
    KNOWN("br", A_LINE_BREAK, 0),
    KNOWN("img", AN_IMAGE, 0),
    KNOWN("em", A_SPAN, AN_EM),
    KNOWN("b", A_SPAN, A_B),
    KNOWN("i", A_SPAN, AN_I),
    KNOWN("ul", A_BLOCK, LIST),
    KNOWN("h1", A_BLOCK, HEADING + 1),
    KNOWN("h2", A_BLOCK, HEADING + 2),
    KNOWN("h3", A_BLOCK, HEADING + 3),
    KNOWN("h4", A_BLOCK, HEADING + 4),
    KNOWN("h5", A_BLOCK, HEADING + 5),
    KNOWN("h6", A_BLOCK, HEADING + 6),
    KNOWN("td", A_TABLE_PART, 0),
    KNOWN("th", A_TABLE_PART, 0),
    KNOWN("tr", A_TABLE_PART, 0),
    KNOWN("code", A_RARE_SPAN, 0),
    KNOWN("blockquote", A_BLOCK, QUOTE),
    KNOWN("figure", A_PLAIN_BLOCK, 0),
    KNOWN("figcaption", A_BLOCK, OTHER_BLOCK),
    KNOWN("div", A_PLAIN_BLOCK, 0),
    KNOWN("ol", A_BLOCK, NUMBERED_LIST),
    KNOWN("hr", A_RULE, 0),
    KNOWN("details", A_PLAIN_BLOCK, 0),
    KNOWN("annotation", A_RARE_SPAN, 0),
    KNOWN("del", A_RARE_SPAN, 0),
    KNOWN("input", A_RARE_SPAN, 0),
    KNOWN("kbd", A_RARE_SPAN, 0),
    KNOWN("mark", A_RARE_SPAN, 0),
    KNOWN("math", A_RARE_SPAN, 0),
    KNOWN("q", A_RARE_SPAN, 0),
    KNOWN("rt", A_RARE_SPAN, 0),
    KNOWN("s", A_RARE_SPAN, 0),
    KNOWN("samp", A_RARE_SPAN, 0),
    KNOWN("strike", A_RARE_SPAN, 0),
    KNOWN("sub", A_RARE_SPAN, 0),
    KNOWN("sup", A_RARE_SPAN, 0),
    KNOWN("tt", A_RARE_SPAN, 0),
    KNOWN("table", A_TABLE, 0),
    KNOWN("pre", A_CODE_BLOCK, 0),
    KNOWN("dl", A_DEFINITION_LIST, 0),
    KNOWN("summary", A_SUMMARY, 0),
    KNOWN("dt", A_DEFINITION_PART, 0),
    KNOWN("dd", A_DEFINITION_PART, 0),
    KNOWN("caption", A_TABLE_PART, 0),
    KNOWN("annotation-xml", A_RARE_ELEMENT, 0),
    KNOWN("dir", A_RARE_ELEMENT, 0),
    KNOWN("menu", A_RARE_ELEMENT, 0),
    KNOWN("script", A_RARE_ELEMENT, 0),
    KNOWN("style", A_RARE_ELEMENT, 0),
    KNOWN("svg", A_RARE_ELEMENT, 0),
    KNOWN("title", A_RARE_ELEMENT, 0),
};

Element element_of(const Tag *tag)
{
    for (size_t each = 0; each < sizeof KNOWN / sizeof *KNOWN; each++) {
        if (KNOWN[each].n_name == tag->n_name
            && !memcmp(KNOWN[each].name, tag->name, tag->n_name)) {
            return KNOWN[each].element;
        }
    }
    return (Element){AN_OTHER, 0};
}
