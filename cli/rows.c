/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rows.h"

#include "planning.h"
#include "plot.h"

/* The names point into the table of schemes. */
static int read_schemes(void *to, const option *opt, const char *value)
{
    scheme_list *list = to;
    char word[64];
    list->count = 0;
    for (const char *p = value; p != NULL; list->count++) {
        const char *name;
        if (list->count == SCHEMES_MAX || !next_item(word, &p))
            return bad_value(opt, value, "fewer or shorter names");
        int code = read_scheme(&name, opt, word);
        if (code != 0)
            return code;
        list->names[list->count] = rwa_scheme_find(name);
    }
    return 0;
}

const option rows_options[] = {
    {"scheme", 0, "LIST", "names with commas", "all that apply", IS(rows_choice, schemes, read_schemes),
     .names = rwa_scheme_name, .low = 1},
    {"plot", 0, "FILE.svg", "draw the steps, with gnuplot", NULL, IS(rows_choice, plot, read_plot)},
    {0}};

rwa_status row_make(row *out, const char *scheme, const rwa_network *net, const rwa_collective *coll,
                    const rwa_plan_options *opts, rwa_error *err)
{
    memset(out, 0, sizeof *out);
    out->kind = rwa_network_topology(net);
    out->collective = coll->kind;
    out->nodes = rwa_network_nodes(net);
    out->wavelengths = rwa_network_wavelengths(net);
    out->fibers = rwa_network_fibers(net);
    out->message = coll->message_bytes;
    out->model = opts->cost.model;
    out->device = opts->device;
    return rwa_compare_scheme(&out->figures, scheme, net, coll, opts, err);
}

int rows_schemes(scheme_list *s, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *opts)
{
    rwa_error err = {0};
    for (size_t i = 0, all = s->count == 0; all && rwa_scheme_name(i) != NULL && s->count < SCHEMES_MAX; i++)
        if (rwa_scheme_fits(i, net, coll->kind))
            s->names[s->count++] = rwa_scheme_name(i);
    if (s->count == 0)
        return fail(EXIT_BAD_INPUT, "no scheme for %s on a %s", rwa_collective_name(coll->kind),
                    rwa_topology_name(rwa_network_topology(net)));
    return fail_status(rwa_compare_validate(s->names, s->count, net, coll, opts, &err), &err, 0);
}

static int planned(const row *r)
{
    return r->figures.outcome == RWA_OPTIMAL || r->figures.outcome == RWA_FEASIBLE;
}

static const char *power_word(rwa_verdict verdict)
{
    return verdict == RWA_PASS ? "ok" : verdict == RWA_FAIL ? "fails" : "not checked";
}

/* Why there is no schedule, in the words of this command. */
static const char *why_of(char text[RWA_ERROR_TEXT], const row *r)
{
    return fields_as_flags(text, RWA_ERROR_TEXT, r->figures.why);
}

/* Time by its lower bound; NaN without a plan or a bound. */
static double time_ratio(const rwa_comparison *c)
{
    return c->time_bound_s > 0 ? c->time_s / c->time_bound_s : NAN;
}

/* ---- CSV ---- */

const char row_csv_columns[] = "network,collective,nodes,wavelengths,fibers,scheme,outcome,formula_steps,steps,bound,optimal,"
                               "paper_seconds,circuit_seconds,longest_hops,wavelengths_used,lightpaths,block_bytes,power,"
                               "margin_db,why,overlap_seconds,time_bound_seconds,time_ratio,message_bytes";

static void put_count(FILE *to, int known, uint64_t value)
{
    if (known)
        fprintf(to, "%" PRIu64, value);
    fputc(',', to);
}

void row_csv(char text[ROW_TEXT], const row *r)
{
    const rwa_comparison *c = &r->figures;
    char why[RWA_ERROR_TEXT];
    int has = planned(r);
    FILE *to = fmemopen(text, ROW_TEXT, "w");
    text[0] = '\0';
    if (to == NULL)
        return;
    const char *network = r->network != NULL ? r->network : rwa_topology_name(r->kind);
    if (strchr(network, ',') != NULL || strchr(network, '"') != NULL)
        print_quoted(to, network, '"');
    else
        fputs(network, to);
    fprintf(to, ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%s,", rwa_collective_name(r->collective), r->nodes, r->wavelengths,
            r->fibers, c->scheme, rwa_outcome_text(c->outcome));
    put_count(to, c->formula.known, c->formula.steps);
    put_count(to, has, c->steps);
    put_count(to, has && c->bound.value > 0, c->bound.value);
    fprintf(to, "%s,", !has ? "" : c->outcome == RWA_OPTIMAL ? "yes" : "no");
    print_figure(to, c->paper_s, ',');
    print_figure(to, c->circuit_s, ',');
    put_count(to, has, c->longest_hops);
    put_count(to, has, c->wavelengths_used);
    put_count(to, has, c->lightpaths);
    put_count(to, has, c->block_bytes);
    fprintf(to, "%s,", has ? power_word(c->power) : "");
    print_figure(to, c->margin_db, ',');
    if (!has)
        print_quoted(to, why_of(why, r), '"');
    fputc(',', to);
    print_figure(to, c->overlap_s, ',');
    print_figure(to, c->time_bound_s > 0 ? c->time_bound_s : NAN, ',');
    print_figure(to, time_ratio(c), ',');
    fprintf(to, "%" PRIu64, r->message);
    fclose(to);
    text[ROW_TEXT - 1] = '\0';
    rwa_text_make_visible(text);
}

/* ---- JSON ---- */

static json_t *known_count(int known, uint64_t value)
{
    return known ? json_count(value) : json_null();
}

json_t *row_json(const row *r)
{
    const rwa_comparison *c = &r->figures;
    char why[RWA_ERROR_TEXT];
    int has = planned(r);
    return json_add(json_object(), "scheme:s outcome:s formula_steps:o steps:o bound:o formula_source:s optimal:b paper_seconds:f "
                    "circuit_seconds:f longest_hops:o wavelengths_used:o lightpaths:o block_bytes:o power:o margin_db:f unchecked:o why:s "
                    "overlap_seconds:f time_bound_seconds:f time_ratio:f",
                    c->scheme, rwa_outcome_text(c->outcome), known_count(c->formula.known, c->formula.steps),
                    known_count(has, c->steps), has ? json_bound(&c->bound) : json_null(), c->formula.known ? c->formula.source : NULL,
                    c->outcome == RWA_OPTIMAL, c->paper_s, c->circuit_s, known_count(has, c->longest_hops),
                    known_count(has, c->wavelengths_used), known_count(has, c->lightpaths), known_count(has, c->block_bytes),
                    has && c->power != RWA_UNCHECKED ? json_boolean(c->power == RWA_PASS) : json_null(), c->margin_db,
                    has && r->device != NULL ? json_unchecked(r->device, c->power_unchecked) : json_null(),
                    has ? NULL : why_of(why, r), c->overlap_s, c->time_bound_s > 0 ? c->time_bound_s : NAN, time_ratio(c));
}

/* ---- text ---- */

static void count_text(char to[24], int known, uint64_t value)
{
    snprintf(to, 24, "-");
    if (known)
        snprintf(to, 24, "%" PRIu64, value);
}

static void print_row(FILE *to, const row *r, int with_power)
{
    const rwa_comparison *c = &r->figures;
    char formula[24], bound[24], steps[32], paper[32], other[32], ratio[32] = "-";
    count_text(formula, c->formula.known, c->formula.steps);
    if (!planned(r)) {
        fprintf(to, "%-18s %7s %5s\n", c->scheme, formula, "none*");
        return;
    }
    count_text(bound, c->bound.value > 0, c->bound.value);
    snprintf(steps, sizeof steps, "%" PRIu32 "%s", c->steps, c->outcome == RWA_OPTIMAL ? "!" : "");
    time_text(paper, sizeof paper, c->paper_s);
    time_text(other, sizeof other, r->model == RWA_COST_OVERLAP ? c->overlap_s : c->circuit_s);
    if (c->time_bound_s > 0)
        snprintf(ratio, sizeof ratio, "%.2f", time_ratio(c));
    fprintf(to, "%-18s %7s %5s %5s %8s %8s %5s %4" PRIu32 " %5" PRIu32 "%s%s\n", c->scheme, formula, steps, bound, paper, other,
            ratio, c->longest_hops, c->wavelengths_used, with_power ? "  " : "",
            !with_power ? "" : c->power == RWA_UNCHECKED ? "open" : power_word(c->power));
}

/* Whether the power of some schedule was checked. */
static int any_power(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (planned(&rows[i]) && rows[i].figures.power != RWA_UNCHECKED)
            return 1;
    return 0;
}

/* Why there is no schedule, with "this scheme" for the scheme's own name, so that schemes can share it. */
static const char *shared_reason(char text[RWA_ERROR_TEXT], const row *r)
{
    char why[RWA_ERROR_TEXT], named[80];
    size_t length = (size_t)snprintf(named, sizeof named, "scheme %s ", r->figures.scheme);
    const char *at = strstr(why_of(why, r), named);
    int before = at != NULL ? (int)(at - why) : (int)strlen(why);
    assert(length < sizeof named);
    snprintf(text, RWA_ERROR_TEXT, "%.*s%s%s", before, why, at != NULL ? "this scheme " : "", at != NULL ? at + length : "");
    return text;
}

/* Whether two rows are without a schedule for the same reason. */
static int share_reason(const row *a, const row *b)
{
    char one[RWA_ERROR_TEXT], other[RWA_ERROR_TEXT];
    return !planned(a) && !planned(b) && strcmp(shared_reason(one, a), shared_reason(other, b)) == 0;
}

/* A footnote for each reason, behind the names of all schemes that have it. */
static void print_reasons(FILE *to, const row *rows, size_t count)
{
    char why[RWA_ERROR_TEXT];
    for (size_t i = 0; i < count; i++) {
        size_t first = 0, same = 0;
        while (first < i && !share_reason(&rows[first], &rows[i]))
            first++;
        if (planned(&rows[i]) || first < i)
            continue;
        fprintf(to, "\n* %s", rows[i].figures.scheme);
        for (size_t k = i + 1; k < count; k++)
            if (share_reason(&rows[i], &rows[k]) && ++same > 0)
                fprintf(to, ", %s", rows[k].figures.scheme);
        fprintf(to, ": %s\n", same > 0 ? shared_reason(why, &rows[i]) : why_of(why, &rows[i]));
    }
}

void print_rows(FILE *to, const row *rows, size_t count)
{
    int proven = 0, with_power = any_power(rows, count);
    fprintf(to, "%-18s %7s %5s %5s %8s %8s %5s %4s %5s%s\n", "scheme", "formula", "steps", "bound", "paper",
            count > 0 && rows[0].model == RWA_COST_OVERLAP ? "overlap" : "circuit", "ratio", "hops", "waves", with_power ? "  power" : "");
    for (size_t i = 0; i < count; i++) {
        print_row(to, &rows[i], with_power);
        proven = proven || rows[i].figures.outcome == RWA_OPTIMAL;
    }
    if (count > 0)
        fprintf(to, "\nratio: time by its lower bound for any number of blocks, %s cost model\n", rwa_cost_model_name(rows[0].model));
    for (size_t i = 0; i < count; i++)
        if (rows[i].figures.formula.known) {
            fprintf(to, "formula: the paper's, at the number of stages of the schedule\n");
            break;
        }
    if (proven)
        fprintf(to, "! proven the fewest steps for as many blocks, and as many on a lightpath\n");
    print_reasons(to, rows, count);
}
