/* Strings and numbers in JSON, as Python's json writes them without `ensure_ascii`. */

#include "json.h"

void put_json(Text *out, const uint8_t *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    size_t begun = 0;
    for (size_t at = 0; at < n; at++) {
        const uint8_t byte = bytes[at];
        if (byte >= ' ' && byte != '"' && byte != '\\') {
            continue;
        }
        put(out, bytes + begun, at - begun);
        begun = at + 1;
        put_byte(out, '\\');
        switch (byte) {
        case '\n': put_byte(out, 'n'); break;
        case '\r': put_byte(out, 'r'); break;
        case '\t': put_byte(out, 't'); break;
        case '\f': put_byte(out, 'f'); break;
        case '\b': put_byte(out, 'b'); break;
        case '"':
        case '\\': put_byte(out, byte); break;
        default:
            put(out, (const uint8_t *)"u00", 3);
            put_byte(out, (uint8_t)digits[byte >> 4]);
            put_byte(out, (uint8_t)digits[byte & 15]);
        }
    }
    put(out, bytes + begun, n - begun);
}

void put_number(Text *out, int64_t number)
{
    uint8_t digits[20];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? (uint64_t)0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (uint8_t)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0) {
        put_byte(out, '-');
    }
    put(out, digits + at, sizeof digits - at);
}

int put_literal(const Literals *literals, int32_t number, Text *out)
{
    if (number < 0 || (size_t)number >= literals->n) {
        return 0;
    }
    const int32_t start = literals->offset[number], stop = literals->offset[number + 1];
    if (start < 0 || stop < start || (size_t)stop > literals->n_byte) {
        return 0;
    }
    put(out, literals->bytes + start, (size_t)(stop - start));
    return 1;
}

void put_score(Text *out, int32_t score)
{
    enum { N_DIGIT = 16 };
    static const uint64_t step = 152587890625u; /* 10^16 / N_SCORE_STEP: all digits of a step */
    /* Python writes low scores with an exponent. */
    static const char *const low[] = {
        "0.0",             "1.52587890625e-05", "3.0517578125e-05", "4.57763671875e-05",
        "6.103515625e-05", "7.62939453125e-05", "9.1552734375e-05",
    };
    enum { N_LOW = sizeof low / sizeof *low };
    if (score < N_LOW || score == N_SCORE_STEP) {
        const char *written = score < N_LOW ? low[score] : "1.0";
        put(out, (const uint8_t *)written, strlen(written));
        return;
    }
    uint8_t digits[N_DIGIT];
    uint64_t rest = (uint64_t)score * step;
    size_t n = N_DIGIT;
    for (size_t at = N_DIGIT; at-- > 0; rest /= 10) {
        digits[at] = (uint8_t)('0' + rest % 10);
    }
    /* The steps of numbers below 1 are so small that no number of fewer digits is read as the same. */
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    put(out, (const uint8_t *)"0.", 2);
    put(out, digits, n);
}
