/* Drawings and formulas (13.2.6.5). */

#include "html.h"

#include <string.h>

typedef struct {
    const char *name;
    size_t n;
} Spelling;

#define SPELLED(name) {name, sizeof name - 1}

static const Spelling TAGS[] = {
    SPELLED("altGlyph"), SPELLED("altGlyphDef"), SPELLED("altGlyphItem"),
    SPELLED("animateColor"), SPELLED("animateMotion"), SPELLED("animateTransform"),
    SPELLED("clipPath"), SPELLED("feBlend"), SPELLED("feColorMatrix"),
    SPELLED("feComponentTransfer"), SPELLED("feComposite"), SPELLED("feConvolveMatrix"),
    SPELLED("feDiffuseLighting"), SPELLED("feDisplacementMap"), SPELLED("feDistantLight"),
    SPELLED("feDropShadow"), SPELLED("feFlood"), SPELLED("feFuncA"), SPELLED("feFuncB"),
    SPELLED("feFuncG"), SPELLED("feFuncR"), SPELLED("feGaussianBlur"), SPELLED("feImage"),
    SPELLED("feMerge"), SPELLED("feMergeNode"), SPELLED("feMorphology"), SPELLED("feOffset"),
    SPELLED("fePointLight"), SPELLED("feSpecularLighting"), SPELLED("feSpotLight"),
    SPELLED("feTile"), SPELLED("feTurbulence"), SPELLED("foreignObject"), SPELLED("glyphRef"),
    SPELLED("linearGradient"), SPELLED("radialGradient"), SPELLED("textPath"),
};

static const Spelling ATTRIBUTES[] = {
    SPELLED("attributeName"), SPELLED("attributeType"), SPELLED("baseFrequency"),
    SPELLED("baseProfile"), SPELLED("calcMode"), SPELLED("clipPathUnits"),
    SPELLED("diffuseConstant"), SPELLED("edgeMode"), SPELLED("filterUnits"), SPELLED("glyphRef"),
    SPELLED("gradientTransform"), SPELLED("gradientUnits"), SPELLED("kernelMatrix"),
    SPELLED("kernelUnitLength"), SPELLED("keyPoints"), SPELLED("keySplines"), SPELLED("keyTimes"),
    SPELLED("lengthAdjust"), SPELLED("limitingConeAngle"), SPELLED("markerHeight"),
    SPELLED("markerUnits"), SPELLED("markerWidth"), SPELLED("maskContentUnits"),
    SPELLED("maskUnits"), SPELLED("numOctaves"), SPELLED("pathLength"),
    SPELLED("patternContentUnits"), SPELLED("patternTransform"), SPELLED("patternUnits"),
    SPELLED("pointsAtX"), SPELLED("pointsAtY"), SPELLED("pointsAtZ"), SPELLED("preserveAlpha"),
    SPELLED("preserveAspectRatio"), SPELLED("primitiveUnits"), SPELLED("refX"), SPELLED("refY"),
    SPELLED("repeatCount"), SPELLED("repeatDur"), SPELLED("requiredExtensions"),
    SPELLED("requiredFeatures"), SPELLED("specularConstant"), SPELLED("specularExponent"),
    SPELLED("spreadMethod"), SPELLED("startOffset"), SPELLED("stdDeviation"),
    SPELLED("stitchTiles"), SPELLED("surfaceScale"), SPELLED("systemLanguage"),
    SPELLED("tableValues"), SPELLED("targetX"), SPELLED("targetY"), SPELLED("textLength"),
    SPELLED("viewBox"), SPELLED("viewTarget"), SPELLED("xChannelSelector"),
    SPELLED("yChannelSelector"), SPELLED("zoomAndPan"),
};

static const char *spell(const Spelling *known, size_t n_known, const uint8_t *name, size_t n)
{
    for (size_t each = 0; each < n_known; each++) {
        const char *spelled = known[each].name;
        if (known[each].n != n || lower((uint8_t)spelled[0]) != lower(name[0])) {
            continue;
        }
        size_t at = 1;
        while (at < n && lower((uint8_t)spelled[at]) == lower(name[at])) {
            at++;
        }
        if (at == n) {
            return spelled;
        }
    }
    return NULL;
}

const char *spell_tag(const uint8_t *name, size_t n)
{
    return spell(TAGS, sizeof TAGS / sizeof *TAGS, name, n);
}

const char *format_attribute(const uint8_t *name, size_t n, Space space)
{
    if (space == IN_SVG) {
        return spell(ATTRIBUTES, sizeof ATTRIBUTES / sizeof *ATTRIBUTES, name, n);
    }
    return is_word(name, n, "definitionurl") ? "definitionURL" : NULL;
}

int is_foreign(Builder *b, const Tag *tag)
{
    const Open *top = top_of(b);
    if (top->space == IN_HTML) {
        return 0;
    }
    if (tag->is_end || !top->integration) {
        return 1;
    }
    const uint8_t *name = b->in + tag->name.start;
    const size_t n = tag->name.stop - tag->name.start;
    return top->integration == TEXT_INTEGRATED
           && (is_word(name, n, "mglyph") || is_word(name, n, "malignmark"));
}

static int breaks_out(const Builder *b, const Tag *tag)
{
    if (tag->is_end) {
        return tag->element == E_br || tag->element == E_p;
    }
    if (tag->element == E_font) {
        return value_of(b, tag, "color").stop || value_of(b, tag, "face").stop
               || value_of(b, tag, "size").stop;
    }
    return (MEANINGS[tag->element].flags & BREAKS_OUT) != 0;
}

/* Returns whether the tag is to be taken as one of HTML. */
int in_foreign(Builder *b, const Tag *tag)
{
    if (breaks_out(b, tag)) {
        while (top_of(b)->space != IN_HTML && !top_of(b)->integration) {
            pop(b);
        }
        return 1;
    }
    if (!tag->is_end) {
        insert_foreign(b, tag, top_of(b)->space);
        return 0;
    }
    for (size_t at = b->depth; at-- > 0;) {
        const Open *open = &b->stack[at];
        if (open->is_gone) {
            continue;
        }
        if (open->space == IN_HTML) {
            return 1;
        }
        if (is_name_of(b, open, tag->name)) {
            while (b->depth > at) {
                pop(b);
            }
            return 0;
        }
    }
    return 0;
}
