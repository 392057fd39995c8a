/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reproduces the numbers that the papers print, one row for each, with formula and schedule beside it. */
#include "paper/paper.h"

#include "base/number.h"

#include <ctype.h>

struct rwa_paper {
    rwa_paper_row *rows;
    size_t count;
    char *text;     /* of the data file; notes point into it */
};

static const char *const papers[] = {"optree", "wrht", "star", "ron"};
enum { PAPERS = sizeof papers / sizeof *papers };

OPTIONS(rwa_paper_options, .schedules = 1)

LISTED(rwa_paper_name, papers, )

const char *rwa_paper_figure(size_t i, size_t figure)
{
    return i < PAPERS ? paper_figure_name(papers[i], figure) : NULL;
}

/* ---- rows ---- */

static void copy(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

rwa_status paper_add(rwa_paper_row **out, struct reproduction *r, const char *item, const char *section,
                     const char *row, const char *column, const char *unit)
{
    MUST(base_append(r->rows, r->count, r->err,
                     (rwa_paper_row){.note = "", .x = NAN, .printed = NAN, .formula = NAN, .schedule = NAN}));
    *out = &r->rows[r->count - 1];
    copy((*out)->item, sizeof (*out)->item, item);
    copy((*out)->section, sizeof (*out)->section, section);
    copy((*out)->row, sizeof (*out)->row, row);
    copy((*out)->column, sizeof (*out)->column, column);
    copy((*out)->unit, sizeof (*out)->unit, unit);
    return RWA_OK;
}

static int decimals_of(const char *printed)
{
    const char *point = strchr(printed, '.');
    return point ? (int)strlen(point + 1) : 0;
}

/** Tell whether the value by formula in a row gives the printed number, truncated or rounded: the papers truncate some
 *  numbers and round others. */
static int matches(const rwa_paper_row *row)
{
    assert(row->decimals >= 0 && !isnan(row->printed));
    double scale = pow(10, row->decimals), value = row->formula * scale, printed = round(row->printed * scale);
    return trunc(value + copysign(1e-9, value)) == printed || round(value) == printed;
}

/* ---- one cell ---- */

/** Set row->formula and row->schedule to the number of steps, by formula and by schedule; to the number of tunings if
 *  the paper prints tunings in this cell. */
static rwa_status fill_steps(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c)
{
    bool tunings = strcmp(c->quantity, "star-tunings") == 0;
    struct known_schedule k;
    rwa_formula f;
    double steps = paper_formula_steps(&f, r, &c->setting);
    row->formula = tunings && !isnan(steps) ? (double)f.tunings : steps;
    copy(row->formula_name, sizeof row->formula_name, f.source);
    MUST(paper_schedule(&k, r, &c->setting));
    row->schedule = tunings ? k.tunings : k.steps;
    return RWA_OK;
}

static rwa_status fill_bound(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c)
{
    struct question q = {0};
    rwa_bound bound;
    rwa_status st = RWA_OK;
    TRY(paper_ask(&q, r, &c->setting, PROBE_BYTES));
    TRY(rwa_bound_best(&bound, q.net, &q.coll, NULL, r->err));
    row->formula = (double)bound.value;
    snprintf(row->formula_name, sizeof row->formula_name, "lower bound: %s", bound.name);
done:
    rwa_network_free(q.net);
    return st;
}

static rwa_status fill_reduction(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c)
{
    struct setting ours = c->setting, theirs = ours;
    struct known_schedule own, other;
    rwa_formula f;
    ours.variant = "";
    theirs.scheme = c->against;
    theirs.parameter = 0;
    double a = paper_formula_steps(&f, r, &ours), b = paper_formula_steps(&f, r, &theirs);
    row->formula = 100 * (1 - a / b);
    snprintf(row->formula_name, sizeof row->formula_name, "1 - %.0f / %.0f%s%s", a, b,
             *theirs.variant ? ", WRHT's form: " : "", theirs.variant);
    MUST(paper_schedule(&own, r, &ours));
    MUST(paper_schedule(&other, r, &theirs));
    row->schedule = 100 * (1 - own.steps / other.steps);
    return RWA_OK;
}

/** Set row->formula and row->schedule to the mean or the standard deviation of earlier rows: those that give the steps
 *  saved, in %, in the same line of the paper's table.  `row` is the last one of the report. */
static rwa_status fill_summary(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c)
{
    double sum[2] = {0, 0}, squares[2] = {0, 0}, count = 0;
    bool deviation = strcmp(c->quantity, "deviation") == 0;
    for (size_t i = 0; i + 1 < r->count; i++) {
        const rwa_paper_row *other = &r->rows[i];
        const double figures[2] = {other->formula, other->schedule};
        if (strcmp(other->item, row->item) != 0 || strcmp(other->row, row->row) != 0 ||
            strncmp(other->formula_name, "1 - ", 4) != 0)
            continue;
        count++;
        for (size_t k = 0; k < 2; k++) {
            sum[k] += figures[k];
            squares[k] += figures[k] * figures[k];
        }
    }
    assert(count > 0);
    for (size_t k = 0; k < 2; k++) {
        double mean = sum[k] / count;
        *(k ? &row->schedule : &row->formula) = deviation ? sqrt(squares[k] / count - mean * mean) : mean;
    }
    copy(row->formula_name, sizeof row->formula_name,
         deviation ? "standard deviation of the line" : "mean of the line");
    return RWA_OK;
}

static rwa_status fill_stages(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c)
{
    double k = paper_lemma3(c->setting.nodes);
    bool up = strcmp(c->setting.variant, "lemma-3-up") == 0;
    (void)r;
    row->formula = up ? ceil(k) : round(k);
    snprintf(row->formula_name, sizeof row->formula_name, "OpTree, Lemma 3: %.2f, %s", k,
             up ? "rounded up" : "rounded");
    return RWA_OK;
}

/** Fill a row of the report with the wavelengths that one stage of a tree needs.  c->setting has the radices of the
 *  tree as its variant, and the number of the stage, from 1, as its parameter. */
static rwa_status fill_wavelengths(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c)
{
    struct setting tree = c->setting;
    uint32_t stage = tree.parameter;
    rwa_formula f;
    tree.parameter = 0;
    paper_formula_steps(&f, r, &tree);
    if (stage > 0 && stage <= f.stages)
        row->formula = (double)f.stage_wavelengths[stage - 1];
    copy(row->formula_name, sizeof row->formula_name, "OpTree, Section III-C");
    return RWA_OK;
}

static const struct {
    const char *quantity;
    rwa_status (*fill)(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c);
} quantities[] = {{"steps", fill_steps},           {"radix-steps", fill_steps},
                  {"star-steps", fill_steps},      {"star-tunings", fill_steps},
                  {"star-bound", fill_bound},      {"reduction", fill_reduction},
                  {"average", fill_summary},       {"deviation", fill_summary},
                  {"stages", fill_stages},         {"stage-wavelengths", fill_wavelengths},
                  {"time-saved", paper_time_saved}};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static rwa_status add_cell(struct reproduction *r, const struct paper_cell *c)
{
    rwa_paper_row *row = NULL;
    size_t i = 0;
    MUST(paper_add(&row, r, c->item, c->section, c->row, c->column, c->unit));
    while (i < QUANTITIES && strcmp(quantities[i].quantity, c->quantity) != 0)
        i++;
    if (i == QUANTITIES)
        return base_fail(r->err, RWA_FORMAT, "quantity \"%s\": unknown", c->quantity);
    MUST(quantities[i].fill(row, r, c));
    row->note = c->note;
    if (*c->printed) {
        row->printed = number_read(c->printed, NULL);
        row->decimals = decimals_of(c->printed);
        row->matches = matches(row);
    }
    return RWA_OK;
}

/* ---- a paper ---- */

bool paper_names(const char *wanted, const char *item)
{
    for (;;) {
        while (*wanted && !isalnum((unsigned char)*wanted))
            wanted++;
        while (*item && !isalnum((unsigned char)*item))
            item++;
        if (!*wanted || !*item)
            return *wanted == *item;
        if (tolower((unsigned char)*wanted++) != tolower((unsigned char)*item++))
            return false;
    }
}

/** Add the name of an item to a list, as the options take it: "table-1". */
static void list_item(char list[RWA_ERROR_TEXT], const char *item)
{
    size_t used = strlen(list), size = strlen(item) + 3;
    if (used + size > RWA_ERROR_TEXT / 2)
        return;
    used += (size_t)snprintf(list + used, size, "%s%s", used > 0 ? ", " : "", item);
    for (char *c = list + used - strlen(item); *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
}

static rwa_status refuse_item(const struct reproduction *r, const struct paper_cell *cells, size_t count,
                              const char *name)
{
    char list[RWA_ERROR_TEXT] = "";
    const char *figure;
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (strcmp(cells[first].item, cells[i].item) != 0)
            first++;
        if (first == i)
            list_item(list, cells[i].item);
    }
    for (size_t i = 0; (figure = paper_figure_name(name, i)); i++)
        list_item(list, figure);
    if (paper_figure_name(name, 0))
        list_item(list, "comparison");
    if (!*r->opts->item)
        return base_refuse(r->err, "item of paper %s: expected one of %s", name, list);
    return base_refuse(r->err, "paper %s has no item \"%.40s\", expected one of %s", name, r->opts->item, list);
}

static rwa_status tables(struct reproduction *r, char *text, const char *name)
{
    struct paper_cell *cells = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    TRY(paper_cells(&cells, &count, text, name, r->err));
    for (size_t i = 0; i < count; i++) {
        if (r->opts->item && !paper_names(r->opts->item, cells[i].item))
            continue;
        if (base_must_stop(&r->budget, "reproducing", (double)i / (double)count)) {
            st = base_fail(r->err, RWA_CANCELLED, "stopped at %s of %s", cells[i].item, name);
            goto done;
        }
        TRY(add_cell(r, &cells[i]));
    }
    if (r->count == 0)
        st = refuse_item(r, cells, count, name);
done:
    free(cells);
    return st;
}

static rwa_status reproduce(struct reproduction *r, char *text, const char *name)
{
    bool found = false;
    MUST(paper_figure(&found, r, name));
    if (!found)
        MUST(paper_comparison(&found, r, name));
    return r->count > 0 ? RWA_OK : tables(r, text, name);
}

rwa_status rwa_paper_make(rwa_paper **out, const char *name, const rwa_paper_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, name);
    rwa_paper_options o;
    rwa_error why = {0};
    struct reproduction r = {.opts = &o, .err = &why};
    const struct embedded *csv = embedded_find(embedded_papers, name);
    rwa_paper *paper = NULL;
    rwa_status st = RWA_OK;
    TRY(base_options(rwa_paper_options, &o, opts, err));
    if (!csv)
        return base_refuse(err, "paper \"%.40s\": unknown, expected optree, wrht, star or ron", name);
    r.budget = base_budget(0, o.poll, o.poll_data);
    o.poll = o.poll ? base_poll_budget : NULL;
    o.poll_data = &r.budget;
    TRY(base_new(paper, 1, err));
    paper->text = base_copy_text(csv->text, err);
    TRY(paper->text ? RWA_OK : RWA_NOMEM);
    st = reproduce(&r, paper->text, name);
    /* A number that failed is NaN in the row; the first error is kept here. */
    st = st == RWA_OK ? why.status : st;
    if (st != RWA_OK)
        base_fail(err, st, "%s", why.text);
    TRY(st);
    paper->rows = r.rows;
    paper->count = r.count;
    r.rows = NULL;
    *out = paper;
    paper = NULL;
done:
    free_all(r.rows, r.known);
    rwa_paper_free(paper);
    return st;
}

void rwa_paper_free(rwa_paper *paper)
{
    if (!paper)
        return;
    free_all(paper->rows, paper->text, paper);
}

GETTER(size_t, rwa_paper_rows, rwa_paper, count)

const rwa_paper_row *rwa_paper_get(const rwa_paper *paper, size_t i)
{
    return &paper->rows[i];
}
