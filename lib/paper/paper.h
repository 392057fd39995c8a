/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The internal data of a reproduction: from printed numbers to rows with formula and schedule beside them. */
#pragma once

#include "rwa/paper.h"

#include "base/base.h"
#include "base/embedded.h"

/** A setting of a paper for which steps are computed: on a star, on a ron if it has ports, else on a ring.  The meaning
 *  of `parameter` depends on the scheme: stages, or nodes in a group. */
struct setting {
    const char *scheme;
    rwa_collective_kind collective;
    uint32_t nodes, wavelengths, parameter;
    const char *variant; /* "first", "second", "theorem-1", "tree", "all-to-all", radices "4,4", "depth" (the schedule
                            takes as many stages as the formula), on a star "m=messages h=split-steps", or "" */
    uint32_t ports, tuning;
    bool star;
};
/** Return a setting with the parameters that the papers use: for OpTree the best depth, for H-Ring groups of five, for
 *  WRHT the first form of its formula. */
struct setting paper_setting(const char *scheme, rwa_collective_kind collective, uint32_t nodes, uint32_t wavelengths);

/** One line of a data file, a number that a paper prints; its texts point into the copy of the file. */
struct paper_cell {
    const char *item, *section, *row, *column, *unit, *printed, *quantity, *against, *note;
    struct setting setting;
};

/** What is known about the schedule of a setting; schedules are planned once for each setting. */
struct known_schedule {
    struct setting asked;
    double steps, tunings,
        parts; /* a lightpath carries the message divided by `parts`; NaN: there is no schedule */
};
struct reproduction {
    const rwa_paper_options *opts;
    struct budget budget;
    rwa_paper_row *rows;
    size_t count;
    struct known_schedule *known;
    size_t known_count;
    rwa_error *err;
};

/** The message size for questions whose answer does not depend on it (steps, blocks, formulas).  With this size the
 *  quickest plan is also quick to check. */
#define PROBE_BYTES (1u << 20)

/** The arguments of a call of the library (setting.c).  Do not copy or move it, since it points into itself.  The
 *  caller frees the network, also after a failure. */
struct question {
    rwa_network *net;
    rwa_collective coll;
    rwa_plan_options opts;
    uint32_t radix[4];          /* ended by 0 */
};
rwa_status paper_ask(struct question *q, const struct reproduction *r, const struct setting *s, uint64_t bytes);

/** Split the text of a data file, in place, into its lines and fields (table.c).  Set *cells, NULL at first, to *count
 *  entries, one for each line after the heading; the caller frees them, also after a failure.  `name` is the name of
 *  the file, for messages. */
rwa_status paper_cells(struct paper_cell **cells, size_t *count, char *text, const char *name, rwa_error *err);

/** Return the number of steps by the paper's formula (formula.c); NaN if the setting has no formula.  f->source names
 *  the formula, or is "". */
double paper_formula_steps(rwa_formula *f, const struct reproduction *r, const struct setting *s);
/** Return the best depth of an OpTree tree by Lemma 3 of the paper, before rounding; NaN below 8 nodes. */
double paper_lemma3(uint32_t nodes);

/** Return in *out the steps and tunings of the schedule for a paper's setting (schedule.c).  The first call plans and
 *  checks the schedule; later calls return the same numbers.  They are NaN if there is no schedule, or if the options
 *  ask for none. */
rwa_status paper_schedule(struct known_schedule *out, struct reproduction *r, const struct setting *s);

/** The quickest of several schemes for a message. */
struct quickest {
    double seconds;             /* NaN: there is none */
    const char *scheme;         /* not to be freed */
    uint32_t stripes;
};
/** Plan and check the schedule that "auto" chooses in a setting for a message of `bytes` bytes, per node or per vector
 *  (schedule.c).  Set *out to its time, scheme and number of stripes; without a schedule *out stays as it is. */
rwa_status paper_quickest(struct quickest *out, struct reproduction *r, const struct setting *s, double bytes);

/** Return the seconds of an all-reduce of at least one byte among N >= 2 nodes on the electrical network of WRHT
 *  (electrical.c): a ring sends 1/N of the bytes 2 (N - 1) times.  In paper_electrical_doubling_s(), recursive
 *  doubling exchanges all bytes log2 N times, and twice more if N is no power of two.  A step lasts as long as its
 *  longest path. */
double paper_electrical_ring_s(uint32_t nodes, uint64_t bytes);
double paper_electrical_doubling_s(uint32_t nodes, uint64_t bytes);
/** Return the seconds of one collective of `bytes` (per node, or per vector) by the paper's formula (times.c); NaN if
 *  the setting has no formula.  Schemes "e-ring" and "e-rd" are those of the electrical network. */
double paper_time_s(const struct reproduction *r, const struct setting *s, double bytes);
/** Return the seconds of one collective of `bytes` (per node, or per vector) by its schedule; NaN if it has none. */
double paper_schedule_time_s(const struct known_schedule *schedule, double bytes);
/** Compute the seconds of one collective by formula, seconds[0], and by schedule, seconds[1].  An electrical network
 *  has no schedule, so both are by its formula. */
rwa_status paper_times(double seconds[2], struct reproduction *r, const struct setting *s, double bytes);
enum { PAPER_MODELS = 4 };
extern const struct paper_model { const char *name; double bytes; } paper_models[PAPER_MODELS];
/** Fill a row with the time in % that the scheme of c->setting saves in comparison with the scheme c->against: the mean
 *  over the numbers of nodes and the messages of the WRHT paper. */
rwa_status paper_time_saved(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c);

/** Tell whether two names mean the same item, as "Fig. 5", "fig-5" and "FIG5" do. */
bool paper_names(const char *wanted, const char *item);

/** Add to the report all points of the figure that the options ask for, if it is one of this paper (figures.c).
 *  *wanted tells whether it is. */
rwa_status paper_figure(bool *wanted, struct reproduction *r, const char *paper);
const char *paper_figure_name(const char *paper, size_t i);

/** Add to the report this paper's rows of the comparison (comparison.c) if the options ask for the item "comparison",
 *  or "comparison-100" for 100 nodes only; *wanted tells whether they do. */
rwa_status paper_comparison(bool *wanted, struct reproduction *r, const char *paper);

/** Add a row to the report, with these texts and with NaN for all numbers, and return it in *out. */
rwa_status paper_add(rwa_paper_row **out, struct reproduction *r, const char *item, const char *section,
                     const char *row, const char *column, const char *unit);
