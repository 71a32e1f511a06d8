/* Classes of characters, where Markdown asks for them. */

#include "markdown.h"

enum {
    KIND_SHIFT = 12, /* as in thresher.page.characters */
    PART_SHIFT = 8,
    PART_MASK = 0xF,
    PART_WORD = 2,
    PART_IDEOGRAPH = 3,
    PART_MARK = 4,
    PART_JOINER = 5,
    KIND_SPACE = 0,
    KIND_DIGIT = 4,
    KIND_OTHER = 10,
    N_BASIC = 0x10000
};

typedef struct {
    uint32_t first, last;
} Range;

/* Ranges without unassigned characters (Unicode 14). */
static const Range SIGNS[] = {
    {0x00A1, 0x00BF},   {0x00D7, 0x00D7},   {0x00F7, 0x00F7},   {0x2010, 0x2027},
    {0x2030, 0x205E},   {0x2190, 0x2426},   {0x2500, 0x2B73},   {0x3001, 0x3003},
    {0x3008, 0x3020},   {0xFF01, 0xFF0F},   {0xFF1A, 0xFF20},   {0xFF3B, 0xFF40},
    {0xFF5B, 0xFF65},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6D7}, {0x1F90C, 0x1F9FF},
};
static const uint32_t WIDE[] = {
    0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x3001, 0x3002, 0x3008, 0x3009,
    0x300A, 0x300B, 0x300C, 0x300D, 0x300E, 0x300F, 0x3010, 0x3011, 0x3014, 0x3015,
    0x30FB, 0xFF01, 0xFF08, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF5E,
};

uint32_t point_at(const uint8_t *bytes, size_t n, size_t at, size_t *size)
{
    const uint8_t first = bytes[at];
    *size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (*size > n - at) {
        *size = n - at;
        return UINT32_MAX;
    }
    uint32_t point = *size == 1 ? first : first & (0xFFu >> (*size + 1));
    for (size_t each = 1; each < *size; each++) {
        point = point << 6 | (bytes[at + each] & 0x3Fu);
    }
    return point;
}

uint32_t point_before(const uint8_t *bytes, size_t at, size_t *size)
{
    size_t start = at - 1;
    while (start > 0 && at - start < 4 && continues_character(bytes[start])) {
        start--;
    }
    const uint32_t point = point_at(bytes, at, start, size);
    *size = at - start;
    return point;
}

int is_space(uint32_t point)
{
    if (point < 0x80) {
        return (point >= '\t' && point <= '\r') || (point >= 0x1C && point <= ' ');
    }
    return point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A)
           || point == 0x2028 || point == 0x2029 || point == 0x202F || point == 0x205F
           || point == 0x3000;
}

int class_of(uint32_t point, const uint16_t *codes)
{
    if (point < 0x80) {
        return is_ascii_alnum((uint8_t)point) ? IS_ALNUM
               : is_space(point)              ? IS_SPACE
               : point > ' ' && point < 0x7F  ? IS_SIGN
                                              : IS_OTHER;
    }
    if (is_space(point)) {
        return IS_SPACE;
    }
    const uint16_t code = codes[point < N_BASIC ? point : N_BASIC];
    const int kind = code >> KIND_SHIFT, part = code >> PART_SHIFT & PART_MASK;
    if (point < N_BASIC) {
        if (part == PART_WORD || part == PART_IDEOGRAPH) {
            return IS_ALNUM;
        }
        if (part == PART_MARK || part == PART_JOINER || kind == KIND_SPACE) {
            return IS_OTHER;
        }
        if (kind > KIND_DIGIT && kind < KIND_OTHER) {
            return IS_SIGN;
        }
    }
    if (kind == KIND_OTHER) {
        for (size_t range = 0; range < sizeof SIGNS / sizeof *SIGNS; range++) {
            if (point >= SIGNS[range].first && point <= SIGNS[range].last) {
                return IS_SIGN;
            }
        }
    }
    return IS_UNKNOWN;
}

int may_be_digit(uint32_t point, const uint16_t *codes)
{
    if (point < 0x660 || (point >= 0x2000 && point < 0xA000)) {
        return 0; /* fractions, powers and numerals, but no decimal digits */
    }
    return point >= N_BASIC || codes[point] >> KIND_SHIFT == KIND_DIGIT;
}

int is_wide(uint32_t point)
{
    for (size_t each = 0; each < sizeof WIDE / sizeof *WIDE; each++) {
        if (WIDE[each] == point) {
            return 1;
        }
    }
    return 0;
}
