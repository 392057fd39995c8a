/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Printed figures, one after the other, with formula and schedule beside them. */
#include "paper/paper.h"

#include "base/number.h"

#include <ctype.h>

struct rwa_paper {
    rwa_paper_row *rows;
    size_t count;
    char *text;     /* of the data file; notes point into it */
};

static const struct {
    const char *name, *title;
} papers[] = {
    {"optree", "F. Dai, Y. Chen, Z. Huang, H. Zhang: Efficient Algorithm for All-gather Operation in Optical Interconnect Systems"},
    {"wrht", "F. Dai, Y. Chen, Z. Huang, H. Zhang, F. Zhang: WRHT: Efficient All-reduce for Distributed DNN Training in Optical "
             "Interconnect System"},
    {"star", "F. Desprez, A. Ferreira, B. Tourancheau: Efficient Communication Operations on Passive Optical Star Networks"},
    {"ron", "A. Afsahi, N. J. Dimopoulos: Latency hiding broadcasting algorithm on a reconfigurable optical interconnect"},
};
enum { PAPERS = sizeof papers / sizeof *papers };

OPTIONS(rwa_paper_options, .schedules = 1)

LISTED(rwa_paper_name, papers, .name)
LISTED(rwa_paper_title, papers, .title)

const char *rwa_paper_figure(size_t i, size_t figure)
{
    return i < PAPERS ? paper_figure_name(papers[i].name, figure) : NULL;
}

/* ---- rows ---- */

static void copy(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
}

rwa_paper_row *paper_add(struct reproduction *r, const char *item, const char *section, const char *row,
                         const char *column, const char *unit)
{
    if (base_grow((void **)&r->rows, &r->capacity, r->count + 1, sizeof *r->rows, r->err) != RWA_OK)
        return NULL;
    assert(item && section && row && column && unit && r->count < r->capacity);
    rwa_paper_row *out = &r->rows[r->count++];
    *out = (rwa_paper_row){.note = "", .x = NAN, .printed = NAN, .formula = NAN, .schedule = NAN};
    copy(out->item, sizeof out->item, item);
    copy(out->section, sizeof out->section, section);
    copy(out->row, sizeof out->row, row);
    copy(out->column, sizeof out->column, column);
    copy(out->unit, sizeof out->unit, unit);
    return out;
}

static int decimals_of(const char *printed)
{
    const char *point = strchr(printed, '.');
    return point ? (int)strlen(point + 1) : 0;
}

/** The papers cut some figures and round others. */
static int matches(const rwa_paper_row *row)
{
    assert(row->decimals >= 0 && !isnan(row->printed));
    double scale = pow(10, row->decimals), value = row->formula * scale, printed = round(row->printed * scale);
    return trunc(value + copysign(1e-9, value)) == printed || round(value) == printed;
}

/* ---- one cell ---- */

rwa_status paper_network(rwa_network **out, uint32_t nodes, uint32_t wavelengths, uint32_t ports, uint32_t tuning, rwa_error *err)
{
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.wavelengths = wavelengths;
    opts.ports = ports;
    opts.tuning = tuning;
    return rwa_network_create(out, ports ? RWA_RON : RWA_RING, nodes, &opts, err);
}

static struct setting setting_of(const struct cell *c, const char *scheme, uint32_t parameter, const char *variant)
{
    struct setting s = {scheme, (rwa_collective_kind)rwa_collective_find(c->collective), c->nodes, c->wavelengths, parameter,
                        variant, c->ports, c->tuning};
    return s;
}

static rwa_status schedule_steps(double *steps, struct reproduction *r, const struct setting *s)
{
    struct known k = {.steps = 0};
    struct setting asked = *s;
    *steps = NAN;
    if (!r->opts->schedules)
        return RWA_OK;
    /* The schedule takes the number of stages that serves it best, whatever the formula was evaluated at. */
    if (strcmp(s->scheme, "optree") == 0)
        asked.parameter = 0;
    MUST(paper_schedule(&k, r, &asked));
    *steps = k.steps > 0 ? k.steps : NAN;
    return RWA_OK;
}

static rwa_status fill_steps(rwa_paper_row *row, struct reproduction *r, const struct cell *c)
{
    const char *source = "";
    struct setting s = setting_of(c, c->scheme, c->parameter, c->variant);
    row->formula = paper_formula_steps(&s, &source, r->err);
    copy(row->formula_name, sizeof row->formula_name, source);
    return schedule_steps(&row->schedule, r, &s);
}

static rwa_status fill_reduction(rwa_paper_row *row, struct reproduction *r, const struct cell *c)
{
    const char *source = "";
    struct setting ours = setting_of(c, c->scheme, c->parameter, ""), theirs = setting_of(c, c->against, 0, c->variant);
    double a = paper_formula_steps(&ours, &source, r->err), b = paper_formula_steps(&theirs, &source, r->err);
    double a_schedule = NAN, b_schedule = NAN;
    row->formula = 100 * (1 - a / b);
    snprintf(row->formula_name, sizeof row->formula_name, "1 - %.0f / %.0f%s%s", a, b,
             *c->variant ? ", WRHT's form: " : "", c->variant);
    MUST(schedule_steps(&a_schedule, r, &ours));
    MUST(schedule_steps(&b_schedule, r, &theirs));
    row->schedule = 100 * (1 - a_schedule / b_schedule);
    return RWA_OK;
}

/** The mean, or the standard deviation, of the line's figures so far. */
static void fill_summary(rwa_paper_row *row, const struct reproduction *r, bool deviation)
{
    double sum[2] = {0, 0}, squares[2] = {0, 0}, count = 0;
    for (size_t i = 0; i + 1 < r->count; i++) {
        const rwa_paper_row *other = &r->rows[i];
        if (strcmp(other->item, row->item) != 0 || strcmp(other->row, row->row) != 0 || strncmp(other->formula_name, "1 - ", 4) != 0)
            continue;
        sum[0] += other->formula;
        sum[1] += other->schedule;
        squares[0] += other->formula * other->formula;
        squares[1] += other->schedule * other->schedule;
        count++;
    }
    assert(count > 0);
    row->formula = sum[0] / count;
    row->schedule = sum[1] / count;
    if (deviation) {
        row->formula = sqrt(squares[0] / count - row->formula * row->formula);
        row->schedule = sqrt(squares[1] / count - row->schedule * row->schedule);
    }
    copy(row->formula_name, sizeof row->formula_name, deviation ? "standard deviation of the line" : "mean of the line");
}

static void fill_stages(rwa_paper_row *row, const struct cell *c)
{
    double k = paper_lemma3(c->nodes);
    bool up = strcmp(c->variant, "lemma-3-up") == 0;
    row->formula = up ? ceil(k) : round(k);
    snprintf(row->formula_name, sizeof row->formula_name, "OpTree, Lemma 3: %.2f, %s", k, up ? "rounded up" : "rounded");
}

static rwa_status fill(rwa_paper_row *row, struct reproduction *r, const struct cell *c)
{
    const char *quantity = c->quantity;
    if (strcmp(quantity, "steps") == 0 || strcmp(quantity, "radix-steps") == 0)
        return fill_steps(row, r, c);
    if (strncmp(quantity, "star-", 5) == 0)
        return paper_star(row, r, c);
    if (strcmp(quantity, "reduction") == 0)
        return fill_reduction(row, r, c);
    if (strcmp(quantity, "average") == 0 || strcmp(quantity, "deviation") == 0) {
        fill_summary(row, r, *quantity == 'd');
    } else if (strcmp(quantity, "stages") == 0) {
        fill_stages(row, c);
    } else if (strcmp(quantity, "stage-wavelengths") == 0) {
        struct setting s = setting_of(c, c->scheme, 0, c->variant);
        row->formula = paper_stage_wavelengths(&s, c->parameter, r->err);
        copy(row->formula_name, sizeof row->formula_name, "OpTree, Section III-C");
    } else if (strcmp(quantity, "time-saved") == 0) {
        copy(row->formula_name, sizeof row->formula_name, "WRHT, equation (1)");
        return paper_time_saved(&row->formula, &row->schedule, r, c);
    } else {
        return base_fail(r->err, RWA_FORMAT, "quantity \"%s\": unknown", quantity);
    }
    return RWA_OK;
}

static rwa_status add_cell(struct reproduction *r, const struct cell *c)
{
    rwa_paper_row *row = paper_add(r, c->item, c->section, c->row, c->column, c->unit);
    MUST(row ? RWA_OK : RWA_NOMEM);
    rwa_status st = fill(row, r, c);
    row->note = c->note;
    if (*c->printed) {
        row->printed = number_read(c->printed, NULL);
        row->decimals = decimals_of(c->printed);
        row->matches = matches(row);
    }
    return st;
}

/* ---- a paper ---- */

/** "Fig. 5", "fig-5" and "FIG5" are one. */
static bool names(const char *wanted, const char *item)
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

static rwa_status tables(struct reproduction *r, char *text, const char *name)
{
    struct cell *cells = NULL;
    size_t count = 0;
    rwa_status st = RWA_OK;
    TRY(paper_cells(&cells, &count, text, name, r->err));
    for (size_t i = 0; i < count; i++) {
        if (r->opts->item && !names(r->opts->item, cells[i].item))
            continue;
        if (base_must_stop(&r->budget, "reproducing", (double)i / (double)count)) {
            st = base_fail(r->err, RWA_CANCELLED, "stopped at %s of %s", cells[i].item, name);
            goto done;
        }
        TRY(add_cell(r, &cells[i]));
    }
done:
    free(cells);
    return st;
}

/** The figure that the caller named, when there is one. */
static const char *wanted_figure(const char *name, const char *item)
{
    const char *figure;
    for (size_t i = 0; item && (figure = paper_figure_name(name, i)); i++)
        if (names(item, figure))
            return figure;
    return NULL;
}

static rwa_status reproduce(struct reproduction *r, char *text, const char *name)
{
    const char *figure = wanted_figure(name, r->opts->item);
    bool compared = false;
    if (figure)
        return paper_figure(r, name, figure);
    MUST(paper_comparison(&compared, r, name));
    if (!compared)
        MUST(tables(r, text, name));
    if (r->count == 0)
        return base_fail(r->err, RWA_BADARG, "paper %s has no item \"%.40s\" here", name, r->opts->item);
    return RWA_OK;
}

rwa_status rwa_paper_reproduce(rwa_paper **out, const char *name, const rwa_paper_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, name);
    rwa_paper_options o;
    rwa_error why = {0};
    struct reproduction r = {.opts = &o, .err = &why};
    const struct embedded *csv = embedded_find(embedded_papers, name);
    rwa_paper *paper = NULL;
    rwa_status st = RWA_OK;
    rwa_paper_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "paper options", err));
    if (!csv)
        return base_fail(err, RWA_BADARG, "paper \"%.40s\": unknown, expected optree, wrht, star or ron", name);
    r.budget = base_budget(0, o.poll, o.poll_data);
    o.poll = o.poll ? base_poll_budget : NULL;
    o.poll_data = &r.budget;
    st = RWA_NOMEM;
    paper = base_array(1, sizeof *paper, err);
    if (!paper)
        goto done;
    paper->text = base_copy_text(csv->text, err);
    if (!paper->text)
        goto done;
    st = reproduce(&r, paper->text, name);
    /* Callers see a failed figure as NaN; the first error is kept here. */
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
