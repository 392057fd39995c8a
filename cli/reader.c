/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of option values: numbers, quantities with units, words, lists. */
#include "option.h"

#include <ctype.h>

int bad_value(const option *opt, const char *value, const char *expected)
{
    assert(expected);
    return BAD_INPUT("--%s %s: expected %s", opt->name, *value ? value : "''", expected);
}

/* ---- numbers ---- */

int parse_digits(uint64_t *out, const char *text, const char **end)
{
    uint64_t value = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    *out = value;
    *end = p;
    return p != text;
}

int parse_count(uint64_t *out, const char *text, uint64_t least, uint64_t most)
{
    const char *end;
    uint64_t value;
    if (!parse_digits(&value, text, &end) || *end || value < least || value > most)
        return 0;
    *out = value;
    return 1;
}

int is_among(const char *text, size_t length, const char *words)
{
    for (const char *p = words; *p; p += strcspn(p, " "), p += *p == ' ')
        if (strcspn(p, " ") == length && strncmp(p, text, length) == 0)
            return 1;
    return 0;
}

double unit_factor(const char *unit)
{
    static const double factors[] = {1e3, 1e6, 1e9, 1e12, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12, 1};
    char first[] = {*unit, '\0'};
    if (*unit && strncmp(unit + 1, "iB", 2) == 0)
        return ldexp(1024, 10 * (int)strcspn("KMGT", first));
    return factors[strcspn("kMGT%munp", first)];
}

/* Return the factor of a unit, or 0 if it is not among `units`, which blanks separate.  If that list begins with a
 * blank, an empty name stands for its first unit. */
static double factor_of(const char *units, const char *name)
{
    return is_among(name, strlen(name), units) ? unit_factor(*name ? name : units + 1) : 0;
}

int parse_quantity(double *out, const char *text, const char *units, int positive)
{
    char *end = NULL;
    if (strspn(text, "0123456789.") == 0 || text[1] == 'x' || text[1] == 'X')
        return 0;
    double number = strtod(text, &end), factor = factor_of(units, end), value = number * factor;
    if (end == text || factor == 0 || !isfinite(value) || (positive && !(value > 0))) /* a tiny value may round to 0 */
        return 0;
    *out = value;
    return 1;
}

int read_flag(const option *opt, const char *value)
{
    (void)value;
    *(int *)opt->to = 1;
    return 0;
}

int read_text(const option *opt, const char *value)
{
    *(const char **)opt->to = value;
    return 0;
}

static int take_number(uint64_t *to, const option *opt, const char *value)
{
    assert(opt->low <= opt->high);
    if (parse_count(to, value, opt->low, opt->high))
        return 0;
    return bad_value(opt, value,
                     opt->high == UINT64_MAX
                         ? "a whole number"
                         : phrase("a whole number, %" PRIu64 " to %" PRIu64, opt->low, opt->high));
}

int read_number(const option *opt, const char *value)
{
    return take_number(opt->to, opt, value);
}

int read_count(const option *opt, const char *value)
{
    uint64_t number = 0;
    assert(opt->high <= UINT32_MAX);
    MUST(take_number(&number, opt, value));
    *(uint32_t *)opt->to = (uint32_t)number;
    return 0;
}

int read_quantity(const option *opt, const char *value)
{
    return parse_quantity(opt->to, value, opt->units, opt->low > 0) ? 0 : bad_value(opt, value, opt->expected);
}

/* ---- words ---- */

static const char *word_at(const option *opt, size_t i)
{
    return opt->words ? opt->words[i] : opt->names(i);
}

/* Return the number of a word among those that the option knows, or -1. */
static int find_word(const option *opt, const char *word)
{
    int i = 0;
    if (opt->find)
        return opt->find(word);
    while (word_at(opt, (size_t)i) && strcmp(word_at(opt, (size_t)i), word) != 0)
        i++;
    return word_at(opt, (size_t)i) ? i : -1;
}

int number_of(const char *(*names)(size_t i), const char *name)
{
    return find_word(&(option){.names = names}, name);
}

/* Report a bad value and return EXIT_BAD_INPUT.  List the expected words, as in "text, json or csv", then the remark
 * `more`, and propose the expected word nearest to `word`, the wrong part of the value. */
static int unknown_word(const option *opt, const char *value, const char *word, const char *more)
{
    const char *expected = opt->read == read_name && opt->low ? "auto, " : "";
    suggestion near;
    suggest_init(&near, word, strlen(word));
    for (size_t i = 0; word_at(opt, i); i++) {
        suggest_try(&near, word_at(opt, i));
        if (!*expected || strcmp(word_at(opt, i), "auto") != 0)
            expected = phrase("%s%s%s", expected, word_at(opt, i),
                              !word_at(opt, i + 1) ? "" : word_at(opt, i + 2) ? ", " : " or ");
    }
    return bad_value(opt, value, phrase("%s%s%s", expected, more, suggest_question(&near, "")));
}

int read_choice(const option *opt, const char *value)
{
    int number = find_word(opt, value);
    if (number < 0)
        return unknown_word(opt, value, value, "");
    *(int *)opt->to = (int)opt->low + number;
    return 0;
}

/* Set *opt->to to `value`, one of the names that the option knows, or "auto" if the option allows it.  Return 0, or the
 * exit code after an error message. */
int read_name(const option *opt, const char *value)
{
    *(const char **)opt->to = value;
    return (opt->low > 0 && strcmp(value, "auto") == 0) || find_word(opt, value) >= 0
               ? 0
               : unknown_word(opt, value, value, "");
}

/* ---- lists ---- */

int next_item(char item[ITEM_MAX], const char **text)
{
    int quoted = **text == '"';
    const char *from = *text + quoted;
    size_t length = strcspn(from, quoted ? "\"" : ",");
    if (length >= ITEM_MAX)
        return 0;
    memcpy(item, from, length);
    item[length] = '\0';
    from += length;
    from += quoted && *from == '"';
    *text = *from ? from + 1 : NULL;
    return 1;
}

/* Set *out to the bytes of a size with its unit, or to 0 if they are more than INT64_MAX.  Return 1; 0 if the text is
 * no size or the size is 0. */
static int parse_size(uint64_t *out, const char *text)
{
    const char *end, *name = text + strspn(text, "0123456789");
    int fits = parse_digits(out, text, &end);
    uint64_t factor = name == text ? 0 : (uint64_t)factor_of(" B kB MB GB TB KiB MiB GiB TiB", name);
    if (factor == 0 || (fits && *out == 0))
        return 0;
    *out = fits && *out <= (uint64_t)INT64_MAX / factor ? *out * factor : 0;
    return 1;
}

int read_size(const option *opt, const char *value)
{
    uint64_t size;
    if (!parse_size(&size, value))
        return bad_value(opt, value, "a whole number, at least one byte, such as 128, 25kB or 4MiB");
    if (size == 0)
        return bad_value(opt, value, "at most 8388607TiB (9223372036854775807 bytes)");
    *(uint64_t *)opt->to = size;
    return 0;
}

/* Reads one number of a list, above 0. */
typedef int part_reader(double *out, const char *text);

static int read_count_part(double *out, const char *text)
{
    uint64_t count = 0;
    int is = parse_count(&count, text, 1, UINT64_MAX);
    *out = (double)count;
    return is;
}

static int read_size_part(double *out, const char *text)
{
    uint64_t size = 0;
    int is = parse_size(&size, text) && size > 0;
    *out = (double)size;
    return is;
}

static int read_figure_part(double *out, const char *text)
{
    return parse_quantity(out, text, PLAIN_UNITS, 1);
}

/* Add the numbers of an item, a number or a range, to a list; part() reads a number, which must be at most `most`.  The
 * range "64..256:64" adds 64, 128, 192 and 256.  Without a step, whole numbers double, as 64, 128, ..., 1024 for
 * "64..1024"; decimal numbers (read_figure_part()) take eight equal steps.  Return 0 if the item is neither, else 1. */
static int add_range(number_list *list, char *item, double most, part_reader *part)
{
    char *dots = strstr(item, ".."), *colon = dots ? strchr(dots, ':') : NULL;
    int figures = part == read_figure_part;
    double first, last, step = 0, value;
    if (colon)
        *colon = '\0';
    if (dots)
        *dots = '\0';
    if (!part(&first, item))
        return 0;
    last = first;
    if ((dots && (!part(&last, dots + 2) || (figures && last == first))) || last < first || last > most ||
        (colon && !part(&step, colon + 1)))
        return 0;
    if (figures && !colon)
        step = (last - first) / 8;
    for (int i = 0; (value = step > 0 ? first + i * step : ldexp(first, i)) <= last * (figures ? 1 + 1e-9 : 1); i++) {
        if (list->count == LIST_MAX)
            return 0;
        list->values[list->count++] = value;
    }
    return 1;
}

static int read_ranges(const option *opt, const char *value, double most, part_reader *part, const char *expected)
{
    number_list *list = opt->to;
    char item[ITEM_MAX];
    list->count = 0;
    for (const char *p = value; p;)
        if (!next_item(item, &p) || !add_range(list, item, most, part))
            return bad_value(opt, value, expected);
    return 0;
}

int read_count_list(const option *opt, const char *value)
{
    return read_ranges(opt, value, (double)opt->high, read_count_part,
                       "counts with commas, such as 64,128,256, a doubling range, such as 16..128, or one with a step, "
                       "such as 16..128:16");
}

int read_size_list(const option *opt, const char *value)
{
    return read_ranges(opt, value, (double)INT64_MAX, read_size_part,
                       "sizes from 1 byte to 8388607TiB with commas, such as 25kB,4MiB, a doubling range, such as "
                       "1kB..1MB, or one with a step, such as 1MB..8MB:1MB");
}

int read_figure_list(const option *opt, const char *value)
{
    return read_ranges(opt, value, INFINITY, read_figure_part, opt->expected);
}

int read_name_list(const option *opt, const char *value)
{
    name_list *list = opt->to;
    char item[ITEM_MAX] = "";
    list->count = 0;
    for (const char *p = value; p; list->count++)
        if (list->count == LIST_MAX || !next_item(item, &p) ||
            (list->values[list->count] = find_word(opt, item)) < 0)
            return unknown_word(opt, value, item, ", with commas");
    return 0;
}
