/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rows.h"

#include "print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

rwa_status row_make(row *out, const char *scheme, const rwa_network *net, const rwa_collective *coll,
                    const rwa_plan_options *opts, rwa_error *err)
{
    memset(out, 0, sizeof *out);
    out->kind = rwa_network_get_kind(net);
    out->collective = coll->kind;
    out->nodes = rwa_network_nodes(net);
    out->wavelengths = rwa_network_wavelengths(net);
    out->fibers = rwa_network_fibers(net);
    return rwa_compare_scheme(&out->figures, scheme, net, coll, opts, err);
}

size_t rows_schemes(const char *names[SCHEMES_MAX], const options *o, const rwa_network *net, rwa_collective_kind kind)
{
    size_t count = 0;
    if (o->scheme_count > 0) {
        memcpy(names, o->schemes, o->scheme_count * sizeof *names);
        return o->scheme_count;
    }
    for (size_t i = 0; rwa_scheme_name(i) != NULL && count < SCHEMES_MAX; i++)
        if (rwa_scheme_fits(i, net, kind))
            names[count++] = rwa_scheme_name(i);
    return count;
}

static int planned(const row *r)
{
    return r->figures.outcome == RWA_OPTIMAL || r->figures.outcome == RWA_FEASIBLE;
}

static const char *power_word(rwa_verdict verdict)
{
    return verdict == RWA_PASS ? "ok" : verdict == RWA_FAIL ? "fails" : "not checked";
}

/* ---- CSV ---- */

const char row_csv_columns[] = "network,collective,nodes,wavelengths,fibers,scheme,outcome,formula_steps,steps,bound,optimal,"
                               "paper_seconds,circuit_seconds,longest_hops,wavelengths_used,lightpaths,block_bytes,power,"
                               "margin_db,why";

/* Quoted, so that commas stay inside; a reason has no newline. */
static void put_quoted(char *to, size_t size, const char *text)
{
    size_t n = 0;
    to[n++] = '"';
    for (; *text != '\0' && n + 3 < size; text++) {
        if (*text == '"')
            to[n++] = '"';
        to[n++] = *text;
    }
    to[n++] = '"';
    to[n] = '\0';
}

static void put_count(char to[24], int known, uint64_t value)
{
    to[0] = '\0';
    if (known)
        snprintf(to, 24, "%" PRIu64, value);
}

static void put_figure(char to[32], double value)
{
    to[0] = '\0';
    if (isfinite(value))
        snprintf(to, 32, "%.9g", value);
}

void row_csv(char text[ROW_TEXT], const row *r)
{
    const rwa_comparison *c = &r->figures;
    char formula[24], steps[24], bound[24], hops[24], used[24], paths[24], block[24], paper[32], circuit[32], margin[32];
    char why[RWA_ERROR_TEXT + 8] = "";
    int has = planned(r);
    put_count(formula, c->formula.known, c->formula.steps);
    put_count(steps, has, c->steps);
    put_count(bound, has && c->bound.value > 0, c->bound.value);
    put_count(hops, has, c->longest_hops);
    put_count(used, has, c->wavelengths_used);
    put_count(paths, has, c->lightpaths);
    put_count(block, has, c->block_bytes);
    put_figure(paper, c->paper_s);
    put_figure(circuit, c->circuit_s);
    put_figure(margin, c->margin_db);
    if (!has)
        put_quoted(why, sizeof why, c->why);
    snprintf(text, ROW_TEXT, "%s,%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s",
             rwa_network_kind_name(r->kind), rwa_collective_name(r->collective), r->nodes, r->wavelengths, r->fibers,
             c->scheme, rwa_outcome_text(c->outcome), formula, steps, bound,
             !has ? "" : c->outcome == RWA_OPTIMAL ? "yes" : "no", paper, circuit, hops, used, paths, block,
             has ? power_word(c->power) : "", margin, why);
}

/* ---- JSON ---- */

static json_t *known_count(int known, uint64_t value)
{
    return known ? json_count(value) : json_null();
}

json_t *row_json(const row *r)
{
    const rwa_comparison *c = &r->figures;
    int has = planned(r);
    json_t *bound = has && c->bound.value > 0
                        ? json_pack("{s:s, s:o}", "name", c->bound.name, "steps", json_count(c->bound.value)) : json_null();
    json_t *all = json_pack("{s:s, s:s, s:o, s:o, s:o}", "scheme", c->scheme, "outcome", rwa_outcome_text(c->outcome),
                            "formula_steps", known_count(c->formula.known, c->formula.steps), "steps",
                            known_count(has, c->steps), "bound", bound);
    if (all == NULL)
        return NULL;
    json_object_set_new(all, "formula_source", c->formula.known ? json_string(c->formula.source) : json_null());
    json_object_set_new(all, "optimal", json_boolean(c->outcome == RWA_OPTIMAL));
    json_object_set_new(all, "paper_seconds", json_figure(c->paper_s));
    json_object_set_new(all, "circuit_seconds", json_figure(c->circuit_s));
    json_object_set_new(all, "longest_hops", known_count(has, c->longest_hops));
    json_object_set_new(all, "wavelengths_used", known_count(has, c->wavelengths_used));
    json_object_set_new(all, "lightpaths", known_count(has, c->lightpaths));
    json_object_set_new(all, "block_bytes", known_count(has, c->block_bytes));
    json_object_set_new(all, "power", has && c->power != RWA_UNCHECKED ? json_boolean(c->power == RWA_PASS) : json_null());
    json_object_set_new(all, "margin_db", json_figure(c->margin_db));
    json_object_set_new(all, "why", has ? json_null() : json_string(c->why));
    return all;
}

/* ---- text ---- */

static void text_row(FILE *to, const row *r, int lit)
{
    const rwa_comparison *c = &r->figures;
    char formula[24] = "-", bound[24] = "-", steps[32], paper[32], circuit[32];
    if (c->formula.known)
        put_count(formula, 1, c->formula.steps);
    if (!planned(r)) {
        fprintf(to, "%-18s %7s %6s\n", c->scheme, formula, "none*");
        return;
    }
    if (c->bound.value > 0)
        put_count(bound, 1, c->bound.value);
    snprintf(steps, sizeof steps, "%" PRIu32 "%s", c->steps, c->outcome == RWA_OPTIMAL ? "!" : "");
    time_text(paper, sizeof paper, c->paper_s);
    time_text(circuit, sizeof circuit, c->circuit_s);
    fprintf(to, "%-18s %7s %6s %7s %9s %9s %5" PRIu32 " %5" PRIu32 "%s%s\n", c->scheme, formula, steps, bound, paper, circuit,
            c->longest_hops, c->wavelengths_used, lit ? "  " : "",
            !lit ? "" : c->power == RWA_UNCHECKED ? "open" : power_word(c->power));
}

/* Whether the light of some schedule was judged. */
static int any_lit(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (planned(&rows[i]) && rows[i].figures.power != RWA_UNCHECKED)
            return 1;
    return 0;
}

void rows_text(FILE *to, const row *rows, size_t count)
{
    int proven = 0, lit = any_lit(rows, count);
    fprintf(to, "%-18s %7s %6s %7s %9s %9s %5s %5s%s\n", "scheme", "formula", "steps", "bound", "paper", "circuit", "hops", "waves",
            lit ? "  power" : "");
    for (size_t i = 0; i < count; i++) {
        text_row(to, &rows[i], lit);
        proven = proven || rows[i].figures.outcome == RWA_OPTIMAL;
    }
    if (proven)
        fprintf(to, "\n! no schedule has fewer steps with as many blocks\n");
    for (size_t i = 0; i < count; i++)
        if (!planned(&rows[i]))
            fprintf(to, "\n* %s: %s\n", rows[i].figures.scheme, rows[i].figures.why);
}
