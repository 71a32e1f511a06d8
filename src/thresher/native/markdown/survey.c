/* What a fragment needs before it is written: the addresses of its links and images, and the parts
 * that Python renders, because they have rare elements.
 *
 * Such a part is a run, also one in a summary, a table, a block of code, a list of definitions or a
 * callout. What it is rendered as must not depend on what stands around it, nor the other way round: all
 * else is refused. */

#include "elements.h"

typedef struct {
    const uint8_t *markup;
    size_t n;
    Places *places;
    size_t run, run_places; /* where the run begins, and the places before it */
    int is_rare, in_heading, in_summary, is_refused;
    size_t n_caption;
} Survey;

static void add_place(Survey *survey, size_t start, size_t stop, int kind)
{
    Places *places = survey->places;
    if (places->n == places->n_room) {
        survey->is_refused = 1;
        return;
    }
    places->start[places->n] = (int64_t)start;
    places->stop[places->n] = (int64_t)stop;
    places->kind[places->n++] = kind;
}

static void begin_run(Survey *survey, size_t at)
{
    survey->run = at;
    survey->run_places = survey->places->n;
    survey->is_rare = 0;
}

static void end_run(Survey *survey, size_t stop)
{
    const int is_bold = survey->in_summary && !survey->in_heading && stop > survey->run;
    if (survey->is_rare || is_bold) {
        survey->places->n = survey->run_places; /* Python reads the addresses in it */
        add_place(survey, survey->run, stop,
                  is_bold              ? PLACE_SUMMARY
                  : survey->in_heading ? PLACE_HEADING
                                       : PLACE_RUN);
    }
}

/* -- parts that are rendered as a whole ----------------------------------------------------- */

/* Read the next tag; 0 if there is none. */
static int read_next(const Survey *survey, size_t at, Tag *tag)
{
    const uint8_t *found = memchr(survey->markup + at, '<', survey->n - at);
    return found
           && read_fragment_tag(survey->markup, survey->n, (size_t)(found - survey->markup), tag);
}

/* The end of a block of code, from behind its start tag; 0 if there is none. */
static size_t find_code_stop(const Survey *survey, size_t at)
{
    Tag tag;
    for (; read_next(survey, at, &tag); at = tag.stop) {
        const int kind = element_of(&tag).kind;
        if (kind == A_CODE_BLOCK && tag.is_end) {
            return tag.stop;
        }
        if (kind == A_RARE_ELEMENT) {
            return 0;
        }
    }
    return 0;
}

/* The end of a table whose cells are closed, and that has no blocks outside of these. */
static size_t find_table_stop(const Survey *survey, size_t at)
{
    Tag tag;
    size_t n_inner = 0;
    int in_cell = 0;
    for (; read_next(survey, at, &tag); at = tag.stop) {
        const int kind = element_of(&tag).kind;
        const int is_outside = kind != AN_OTHER && kind != A_TABLE_PART && kind != A_RARE_SPAN
                               && kind != A_SPAN && kind != AN_A && kind != A_LINE_BREAK
                               && kind != AN_IMAGE;
        if (kind == A_TABLE && tag.is_end) {
            if (!n_inner) {
                return in_cell ? 0 : tag.stop;
            }
            n_inner--;
        } else if (kind == A_RARE_ELEMENT || (!in_cell && is_outside)) {
            return 0;
        } else if (kind == A_TABLE) {
            n_inner++;
        } else if (kind == A_TABLE_PART && !n_inner && *tag.name == 't' && tag.name[1] != 'r') {
            in_cell = !tag.is_end;
        } else if (kind == A_CODE_BLOCK) {
            if (tag.is_end || !(tag.stop = find_code_stop(survey, tag.stop))) {
                return 0;
            }
        }
    }
    return 0;
}

/* The end of a list of definitions that holds text alone. */
static size_t find_definitions_stop(const Survey *survey, size_t at)
{
    Tag tag;
    size_t n_inner = 0;
    for (; read_next(survey, at, &tag); at = tag.stop) {
        const int kind = element_of(&tag).kind;
        if (kind == A_DEFINITION_LIST) {
            if (tag.is_end && !n_inner) {
                return tag.stop;
            }
            n_inner += tag.is_end ? (size_t)-1 : 1;
        } else if (kind == A_BLOCK || kind == A_RULE || kind == A_TABLE || kind == A_TABLE_PART
                   || kind == A_CODE_BLOCK || kind == A_RARE_ELEMENT) {
            return 0;
        }
    }
    return 0;
}

/* The end of a quote without lists and the like. */
static size_t find_quote_stop(const Survey *survey, size_t at)
{
    Tag tag;
    size_t n_inner = 0;
    int in_heading = 0;
    for (; read_next(survey, at, &tag); at = tag.stop) {
        const Element element = element_of(&tag);
        const int kind = element.kind;
        const int is_inside = kind == AN_OTHER || kind == A_PLAIN_BLOCK || kind == A_SPAN
                              || kind == A_RARE_SPAN || kind == AN_A || kind == A_LINE_BREAK
                              || kind == AN_IMAGE || kind == A_RULE;
        if (is_heading(element.value) && in_heading == tag.is_end) {
            in_heading = !tag.is_end;
        } else if (kind == A_BLOCK && element.value == QUOTE && !in_heading) {
            if (tag.is_end && !n_inner) {
                return tag.stop;
            }
            n_inner += tag.is_end ? (size_t)-1 : 1;
        } else if ((kind == A_CODE_BLOCK || kind == A_TABLE) && !tag.is_end) {
            tag.stop = kind == A_TABLE ? find_table_stop(survey, tag.stop)
                                       : find_code_stop(survey, tag.stop);
            if (!tag.stop) {
                return 0;
            }
        } else if (!is_inside) {
            return 0;
        }
    }
    return 0;
}

/* The end of a part of a kind, from behind its start tag; 0 if it cannot stand alone. */
static size_t find_stop(const Survey *survey, size_t at, int kind)
{
    switch (kind) {
    case PLACE_TABLE:
        return find_table_stop(survey, at);
    case PLACE_CODE:
        return find_code_stop(survey, at);
    case PLACE_DEFINITIONS:
        return survey->n_caption ? 0 : find_definitions_stop(survey, at);
    default:
        return survey->in_heading ? 0 : find_quote_stop(survey, at);
    }
}

static size_t add_part(Survey *survey, const Tag *tag, int kind, size_t start)
{
    const int is_alone = !tag->is_end && !survey->in_summary;
    const size_t stop = is_alone ? find_stop(survey, tag->stop, kind) : 0;
    if (!stop) {
        survey->is_refused = 1;
        return tag->stop;
    }
    end_run(survey, start);
    add_place(survey, start, stop, kind);
    begin_run(survey, stop);
    return stop;
}

/* -- all of it ------------------------------------------------------------------------------ */

static int is_host_byte(uint8_t byte)
{
    return is_ascii_alnum(byte) || byte == '.' || byte == '-' || byte == '_';
}

/* Whether an address is written as it stands: absolute, and without anything to be resolved, escaped,
 * encoded or removed (thresher.writers.stream.markup). */
static int is_plain_address(const uint8_t *url, size_t n)
{
    static const char scheme[] = "http";
    size_t at = sizeof scheme - 1;
    if (n < at || memcmp(url, scheme, at)) {
        return 0;
    }
    at += n > at && url[at] == 's';
    if (n < at + 3 || memcmp(url + at, "://", 3)) {
        return 0;
    }
    at += 3;
    const size_t host = at;
    while (at < n && is_host_byte(url[at])) {
        at++;
    }
    if (at == host || (at < n && url[at] != '/')) {
        return 0;
    }
    for (; at < n; at++) {
        if (url[at] <= ' ' || url[at] >= 0x7F || strchr("\"#&;<>?`", url[at])) {
            return 0;
        }
    }
    return 1;
}

static void add_address(Survey *survey, const Tag *tag, int is_image)
{
    const Value value = find_address(survey->markup, tag);
    const int is_plain = is_plain_address(survey->markup + value.start, value.stop - value.start);
    add_place(survey, value.start, value.stop,
              is_plain ? PLACE_PLAIN_ADDRESS : is_image ? PLACE_IMAGE : PLACE_LINK);
}

static size_t survey_tag(Survey *survey, const Tag *tag, size_t start)
{
    const Element element = element_of(tag);
    switch (element.kind) {
    case AN_A:
    case AN_IMAGE:
        if (!tag->is_end) {
            add_address(survey, tag, element.kind == AN_IMAGE);
        }
        break;
    case A_RULE:
        if (tag->is_end) {
            break;
        }
        /* fall through */
    case A_PLAIN_BLOCK:
    case A_BLOCK:
        if (element.value == QUOTE && !tag->is_end
            && find_value(survey->markup, tag, "data-callout").found) {
            return add_part(survey, tag, PLACE_CALLOUT, start);
        }
        end_run(survey, start);
        begin_run(survey, tag->stop);
        if (element.kind != A_PLAIN_BLOCK && survey->in_summary) {
            survey->is_refused |=
                !is_heading(element.value) || survey->in_heading != tag->is_end;
        }
        if (is_heading(element.value)) {
            survey->in_heading = !tag->is_end;
        } else if (element.value == OTHER_BLOCK) {
            survey->n_caption += !tag->is_end;
            survey->n_caption -= tag->is_end && survey->n_caption;
        }
        break;
    case A_RARE_SPAN:
        survey->is_rare = 1;
        break;
    case A_TABLE:
        return add_part(survey, tag, PLACE_TABLE, start);
    case A_CODE_BLOCK:
        return add_part(survey, tag, PLACE_CODE, start);
    case A_DEFINITION_LIST:
        return add_part(survey, tag, PLACE_DEFINITIONS, start);
    case A_SUMMARY:
        end_run(survey, start);
        begin_run(survey, tag->stop);
        survey->is_refused |= survey->in_summary != tag->is_end || survey->in_heading;
        survey->in_summary = !tag->is_end;
        break;
    case A_TABLE_PART:
    case A_DEFINITION_PART:
    case A_RARE_ELEMENT:
        survey->is_refused = 1;
        break;
    default:
        break;
    }
    return tag->stop;
}

/* Whether markup has a mark of notes (U+1FFFE, U+1FFFF, U+2FFFE). */
static int has_notes(const uint8_t *markup, size_t n)
{
    const uint8_t *at = markup;
    while ((at = memchr(at, 0xF0, (size_t)(markup + n - at))) != NULL) {
        if (markup + n - at > 3 && (at[1] == 0x9F || at[1] == 0xAF) && at[2] == 0xBF
            && at[3] >= 0xBE) {
            return 1;
        }
        at++;
    }
    return 0;
}

int64_t survey_markup(const uint8_t *markup, size_t n, Places *places)
{
    Survey survey = {.markup = markup, .n = n, .places = places};
    if (has_notes(markup, n)) {
        return REFUSED;
    }
    for (size_t at = 0; at < n && !survey.is_refused;) {
        const uint8_t *found = memchr(markup + at, '<', n - at);
        if (!found) {
            break;
        }
        const size_t start = (size_t)(found - markup);
        Tag tag;
        if (!read_fragment_tag(markup, n, start, &tag)) {
            return REFUSED;
        }
        at = survey_tag(&survey, &tag, start);
    }
    end_run(&survey, n);
    return survey.is_refused ? REFUSED : (int64_t)places->n;
}
