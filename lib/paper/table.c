/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads the data files: CSV with quotes, a header line, and one printed number on each line. */
#include "paper/paper.h"

enum {
    ITEM,
    SECTION,
    ROW,
    COLUMN,
    UNIT,
    PRINTED,
    QUANTITY,
    COLLECTIVE,
    SCHEME,
    AGAINST,
    NODES,
    WAVELENGTHS,
    PARAMETER,
    PORTS,
    TUNING,
    VARIANT,
    NOTE,
    FIELDS
};

/** Return the next field of a CSV line, with its quotes removed in place.  *at moves behind the comma after it, or to
 *  the end of the line. */
static const char *next_field(char **at)
{
    char *from = *at, *start = from, *to = from;
    bool quoted = *from == '"';
    if (quoted)
        from++;
    for (; *from; from++) {
        if (quoted && from[0] == '"' && from[1] == '"')
            from++;
        else if (quoted && *from == '"') {
            from++;
            break;
        } else if (!quoted && *from == ',') {
            break;
        }
        *to++ = *from;
    }
    *at = *from == ',' ? from + 1 : from;
    *to = '\0';
    return start;
}

static uint32_t count_of(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

static bool take_line(struct paper_cell *c, char *line)
{
    const char *field[FIELDS] = {0};
    for (size_t i = 0; i < FIELDS; i++)
        field[i] = next_field(&line);
    *c = (struct paper_cell){.item = field[ITEM], .section = field[SECTION], .row = field[ROW], .column = field[COLUMN],
                       .unit = field[UNIT], .printed = field[PRINTED], .quantity = field[QUANTITY],
                       .collective = field[COLLECTIVE], .scheme = field[SCHEME], .against = field[AGAINST],
                       .variant = field[VARIANT], .note = field[NOTE], .nodes = count_of(field[NODES]),
                       .wavelengths = count_of(field[WAVELENGTHS]), .parameter = count_of(field[PARAMETER]),
                       .ports = count_of(field[PORTS]), .tuning = count_of(field[TUNING])};
    return *c->quantity != '\0';
}

rwa_status paper_cells(struct paper_cell **cells, size_t *count, char *text, const char *name, rwa_error *err)
{
    size_t lines = 0, number = 1;
    *count = 0;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    MUST(base_new(*cells, lines, err));
    char *line = strchr(text, '\n');    /* skip the heading */
    while (line && line[1] != '\0') {
        char *next = strchr(++line, '\n');
        if (next)
            *next = '\0';
        number++;
        assert(*count < lines);
        if (!take_line(&(*cells)[(*count)++], line))
            return base_fail(err, RWA_FORMAT, "%s.csv:%zu: no quantity, expected %d fields", name, number, (int)FIELDS);
        line = next;
    }
    return RWA_OK;
}
