/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Printed numbers of papers beside values from their formulas and from checked schedules. */
#ifndef RWA_PAPER_H
#define RWA_PAPER_H

#include "rwa/compare.h"

/** One number that a paper prints, or one point of a curve that it draws.  Missing values are NaN. */
typedef struct rwa_paper_row {
    char item[24];              /**< "Table 2", "Fig. 5 (a)" */
    char section[24];           /**< its section: "Section V-D" */
    char row[48];               /**< the line of the table, or the name of the curve */
    char column[48];            /**< the column, or the position on the x axis in words */
    char unit[16];              /**< "steps", "%", "times" */
    char formula_name[96];      /**< the name of the formula behind `formula`; "": none */
    const char *note;           /**< a remark, such as a contradiction in the paper; never NULL */
    double x;                   /**< of a curve; NaN in tables */
    double printed;             /**< NaN: drawn only, or not printed */
    double formula;
    double schedule;            /**< of checked schedules; NaN: no schedule */
    int decimals;               /**< printed digits behind the point */
    int matches;                /**< 1: the formula, truncated or rounded to the printed digits, equals the printed
                                     figure */
} rwa_paper_row;

/** The rows of a paper; immutable. */
typedef struct rwa_paper rwa_paper;

typedef struct rwa_paper_options {
    size_t struct_size;         /**< set by init */
    const char *item;           /**< only this table or figure ("table-2", "Table 2", "fig-5"); NULL: all tables.
                                     optree, wrht: "comparison": the time of the quickest published scheme divided by
                                     that of "auto", at every number of nodes and wavelengths of the paper (minutes);
                                     "comparison-64": the same with 64 nodes */
    int schedules;              /**< 1 (default): plan and check schedules too (a minute for 4096 nodes) */
    rwa_poll poll;
    void *poll_data;
} rwa_paper_options;

RWA_INIT(rwa_paper_options)

/** Return the name of paper i = 0, 1, …; NULL past the end. */
RWA_API const char *rwa_paper_name(size_t i);
/** Return the name, such as "fig-4", of figure number `figure` = 0, 1, … of those of paper i that can be drawn; NULL
 *  past the end. */
RWA_API const char *rwa_paper_figure(size_t i, size_t figure);

/**
 * Recompute the numbers that a paper prints.
 * @param[out] out  new rows, caller frees with rwa_paper_free()
 * @param name      from rwa_paper_name()
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: no such paper or item; RWA_NOMEM; RWA_CANCELLED; otherwise as rwa_plan_make()
 */
RWA_API rwa_status rwa_paper_make(rwa_paper **out, const char *name, const rwa_paper_options *opts, rwa_error *err);
RWA_API void rwa_paper_free(rwa_paper *paper);
RWA_API size_t rwa_paper_rows(const rwa_paper *paper);
RWA_API const rwa_paper_row *rwa_paper_get(const rwa_paper *paper, size_t i);

#endif
