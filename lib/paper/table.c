/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads the data files: CSV with quotes, a header line, and one printed number on each line. */
#include "paper/paper.h"

#include "base/text.h"

static const char *next_field(char **rest)
{
    const char *field = text_field(rest, ',');
    return field ? field : "";
}

/** Fill c, a number that a paper prints, with the fields of a line of a data file.  Return false if there are too
 *  few. */
static bool take_line(struct paper_cell *c, char *line)
{
    struct setting *s = &c->setting;
    const char *collective, **texts[] = {&c->item, &c->section, &c->row, &c->column, &c->unit, &c->printed,
                                         &c->quantity, &collective, &s->scheme, &c->against};
    uint32_t *counts[] = {&s->nodes, &s->wavelengths, &s->parameter, &s->ports, &s->tuning};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = next_field(&line);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = (uint32_t)strtoul(next_field(&line), NULL, 10);
    s->variant = next_field(&line);
    c->note = next_field(&line);
    s->collective = (rwa_collective_kind)rwa_collective_find(collective);
    s->star = strncmp(c->quantity, "star-", 5) == 0;
    return *c->quantity != '\0';
}

rwa_status paper_cells(struct paper_cell **cells, size_t *count, char *text, const char *name, rwa_error *err)
{
    size_t number = 0;
    *count = 0;
    for (char *line; (line = text_line(&text));) {
        struct paper_cell cell;
        if (number++ == 0 || !*line)    /* the heading */
            continue;
        if (!take_line(&cell, line))
            return base_fail(err, RWA_FORMAT, "%s.csv:%zu: no quantity, expected 17 fields", name, number);
        MUST(base_append(*cells, *count, err, cell));
    }
    return RWA_OK;
}
