/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a reproduction: printed cells -> rows with formula and schedule beside them. */
#pragma once

#include "rwa/paper.h"

#include "base/base.h"
#include "base/embedded.h"

/** One line of a data file; texts point into the file's copy. */
struct cell {
    const char *item, *section, *row, *column, *unit, *printed, *quantity, *collective, *scheme, *against, *variant, *note;
    uint32_t nodes, wavelengths, parameter, ports, tuning;
};

/** A reproduction in progress; schedules are planned once per setting. */
struct known {
    char scheme[32];
    rwa_collective_kind collective;
    uint32_t nodes, wavelengths, parameter, ports, tuning;
    rwa_last_exchange last;
    uint32_t radix[4];          /* ended by 0 */
    double steps, parts;        /* what a lightpath carries is the message divided by parts */
};
struct reproduction {
    const rwa_paper_options *opts;
    struct budget budget;
    rwa_paper_row *rows;
    size_t count, capacity;
    struct known *known;
    size_t known_count, known_capacity;
    rwa_error *err;
};

/** A setting whose steps are asked for, on a ring, or with ports on a ron.  Of parameter, a scheme takes its own: stages,
 *  or nodes in a group. */
struct setting {
    const char *scheme;
    rwa_collective_kind collective;
    uint32_t nodes, wavelengths, parameter;
    const char *variant;        /* "first", "second", "theorem-1", "tree", "all-to-all", radices "4,4", or "" */
    uint32_t ports, tuning;
};

/** table.c: split a data file's copy in place.  *cells is the caller's to free. */
rwa_status paper_cells(struct cell **cells, size_t *count, char *text, const char *name, rwa_error *err);

/** paper.c: the network of a setting. */
rwa_status paper_network(rwa_network **out, uint32_t nodes, uint32_t wavelengths, uint32_t ports, uint32_t tuning, rwa_error *err);

/** formula.c: steps by the paper's formula, NaN when there is none; *source names it. */
double paper_formula_steps(const struct setting *s, const char **source, rwa_error *err);
/** Wavelengths of stage `stage` (from 1) of a tree with the radices in variant. */
double paper_stage_wavelengths(const struct setting *s, uint32_t stage, rwa_error *err);
/** Lemma 3 of OpTree, before it is made whole. */
double paper_lemma3(uint32_t nodes);

/** schedule.c: a planned and checked schedule of the setting; remembered.  out->steps 0: there is none. */
rwa_status paper_schedule(struct known *out, struct reproduction *r, const struct setting *s);

/** The quickest of some schemes for a message. */
struct quickest {
    double seconds;             /* NaN: there is none */
    const char *scheme;         /* not to be freed */
    uint32_t stripes;
};
/** schedule.c: what "auto" chooses for a message of so many bytes (per node, or per vector), planned and checked. */
rwa_status paper_quickest(struct quickest *out, struct reproduction *r, const struct setting *s, double bytes);

/** times.c: seconds of one collective of `bytes` (per node, or per vector) by the paper's formula; NaN when there is none.
 *  Schemes "e-ring" and "e-rd" are those of the electrical network. */
double paper_time_s(const struct setting *s, double bytes, rwa_error *err);
/** The same by a schedule. */
double paper_schedule_time_s(const struct known *schedule, double bytes);
bool paper_is_electrical(const char *scheme);
enum { PAPER_MODELS = 4 };
extern const struct paper_model { const char *name; double bytes; } paper_models[PAPER_MODELS];
/** The share of time saved by s against another scheme, averaged as the WRHT paper does, in %. */
rwa_status paper_time_saved(double *formula, double *schedule, struct reproduction *r, const struct cell *c);

/** star.c: steps, tunings or lower bound on a passive star; variant is "m=messages h=split-steps". */
rwa_status paper_star(rwa_paper_row *row, struct reproduction *r, const struct cell *c);

/** figures.c: all points of a figure of a paper; RWA_BADARG when there is no such figure. */
rwa_status paper_figure(struct reproduction *r, const char *paper, const char *figure);
const char *paper_figure_name(const char *paper, size_t i);

/** comparison.c: the item "comparison", or "comparison-100" for so many nodes in place of the paper's; *wanted: whether
 *  it is asked for. */
rwa_status paper_comparison(bool *wanted, struct reproduction *r, const char *paper);

/** A new row, all figures NaN; NULL: out of memory. */
rwa_paper_row *paper_add(struct reproduction *r, const char *item, const char *section, const char *row,
                         const char *column, const char *unit);
