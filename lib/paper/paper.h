/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a reproduction: printed cells -> rows with formula and schedule beside them. */
#pragma once

#include "rwa/paper.h"

#include "base/base.h"
#include "base/embedded.h"

/** One line of a data file; texts point into the file's copy. */
struct paper_cell {
    const char *item, *section, *row, *column, *unit, *printed, *quantity, *collective, *scheme, *against, *variant,
        *note;
    uint32_t nodes, wavelengths, parameter, ports, tuning;
};

/** A setting whose steps are wanted: on a star, with ports on a ron, else on a ring.  The meaning of `parameter`
 * depends on the scheme: stages, or nodes in a group. */
struct setting {
    const char *scheme;
    rwa_collective_kind collective;
    uint32_t nodes, wavelengths, parameter;
    const char *variant; /* "first", "second", "theorem-1", "tree", "all-to-all", radices "4,4", "depth" (the schedule
                            takes as many stages as the formula), on a star "m=messages h=split-steps", or "" */
    uint32_t ports, tuning;
    bool star;
};
/** A setting as the papers evaluate it: OpTree with its best depth, H-Ring with groups of five, the first form of
 *  WRHT. */
struct setting paper_setting(const char *scheme, rwa_collective_kind collective, uint32_t nodes, uint32_t wavelengths);

/** A reproduction in progress; schedules are planned once per setting. */
struct known_schedule {
    struct setting asked;
    double steps, tunings,
        parts; /* a lightpath carries the message divided by `parts`; NaN: there is no schedule */
};
struct reproduction {
    const rwa_paper_options *opts;
    struct budget budget;
    rwa_paper_row *rows;
    size_t count, capacity;
    struct known_schedule *known;
    size_t known_count, known_capacity;
    rwa_error *err;
};

/** The message for questions whose answer does not depend on it (steps, blocks, formulas); with this size the quickest
 *  plan is also quick to check. */
#define PROBE_BYTES (1u << 20)

/** setting.c: the arguments of a call of the library; do not copy or move it, since it points into itself.  The caller
 * frees the network, also after a failure. */
struct question {
    rwa_network *net;
    rwa_collective coll;
    rwa_plan_options opts;
    uint32_t radix[4];          /* ended by 0 */
};
rwa_status paper_ask(struct question *q, const struct reproduction *r, const struct setting *s, uint64_t bytes);

/** table.c: split a data file's copy in place.  The caller frees *cells. */
rwa_status paper_cells(struct paper_cell **cells, size_t *count, char *text, const char *name, rwa_error *err);

/** formula.c: steps by the paper's formula, NaN when there is none; f->source names it, or is "". */
double paper_formula_steps(rwa_formula *f, const struct reproduction *r, const struct setting *s);
/** The number of Lemma 3 of OpTree before rounding. */
double paper_lemma3(uint32_t nodes);

/** schedule.c: a planned and checked schedule of the setting, where schedules are asked for; remembered. */
rwa_status paper_schedule(struct known_schedule *out, struct reproduction *r, const struct setting *s);

/** The quickest of some schemes for a message. */
struct quickest {
    double seconds;             /* NaN: there is none */
    const char *scheme;         /* not to be freed */
    uint32_t stripes;
};
/** schedule.c: what "auto" chooses for a message of so many bytes (per node, or per vector), planned and checked. */
rwa_status paper_quickest(struct quickest *out, struct reproduction *r, const struct setting *s, double bytes);

/** times.c: seconds of one collective of `bytes` (per node, or per vector) by the paper's formula; NaN when there is
 * none. Schemes "e-ring" and "e-rd" are those of the electrical network. */
double paper_time_s(const struct reproduction *r, const struct setting *s, double bytes);
/** The same time by a schedule. */
double paper_schedule_time_s(const struct known_schedule *schedule, double bytes);
/** Both times; an electrical network has no schedule, so both are by its formula. */
rwa_status paper_times(double seconds[2], struct reproduction *r, const struct setting *s, double bytes);
enum { PAPER_MODELS = 4 };
extern const struct paper_model { const char *name; double bytes; } paper_models[PAPER_MODELS];
/** The share of time that s saves in comparison with another scheme, in %, averaged as in the WRHT paper. */
rwa_status paper_time_saved(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c);

/** Whether two names mean the same item: "Fig. 5", "fig-5" and "FIG5" do. */
bool paper_names(const char *wanted, const char *item);

/** figures.c: all points of a figure of a paper; *wanted: whether one is asked for. */
rwa_status paper_figure(bool *wanted, struct reproduction *r, const char *paper);
const char *paper_figure_name(const char *paper, size_t i);

/** comparison.c: the item "comparison", or "comparison-100" for so many nodes in place of the paper's; *wanted: whether
 *  it is asked for. */
rwa_status paper_comparison(bool *wanted, struct reproduction *r, const char *paper);

/** Add a row whose numbers are all NaN. */
rwa_status paper_add(rwa_paper_row **out, struct reproduction *r, const char *item, const char *section,
                     const char *row, const char *column, const char *unit);
