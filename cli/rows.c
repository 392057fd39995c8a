/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plot.h"

struct rows_choice rows_choice;

/* Read a list of schemes; the names point into the table of schemes. */
static int read_schemes(const option *opt, const char *value)
{
    scheme_list *list = &rows_choice.schemes;
    const char *name;
    option one = *opt;
    char word[ITEM_MAX];
    one.to = &name;
    list->count = 0;
    for (const char *p = value; p; list->count++) {
        if (list->count == SCHEMES_MAX || !next_item(word, &p))
            return bad_value(opt, value, "fewer or shorter names");
        int code = read_scheme(&one, word);
        if (code != 0)
            return code;
        list->names[list->count] = rwa_scheme_find(name);
    }
    return 0;
}

const option rows_options[] = {{"scheme", "LIST", "names with commas (all that apply)",
                                IS(rows_choice.schemes, read_schemes), .names = rwa_scheme_name, .low = 1},
                               {"plot", "FILE.svg", "draw the steps, with gnuplot", IS(rows_choice.plot, read_plot)},
                               {0}};

int rows_schemes(scheme_list *s, const rwa_network *net, const rwa_collective *coll)
{
    for (size_t i = 0, all = s->count == 0; all && rwa_scheme_name(i) && s->count < SCHEMES_MAX; i++)
        if (rwa_scheme_fits(i, net, coll->kind))
            s->names[s->count++] = rwa_scheme_name(i);
    if (s->count == 0)
        return BAD_INPUT("no scheme for %s on a %s", rwa_collective_name(coll->kind),
                         rwa_topology_name(rwa_network_topology(net)));
    return CALL(rwa_compare_validate, s->names, s->count, net, coll, &planning);
}

static int planned(const row *r)
{
    return is_answer(r->figures.outcome);
}

/* Why there is no schedule, in the words of this command. */
#define WHY(r) AS_FLAGS((r)->figures.why)

/* Return the time of a scheme divided by its lower bound, or NaN without a plan or a bound. */
static double time_ratio(const rwa_comparison *c)
{
    return c->time_bound_s > 0 ? c->time_s / c->time_bound_s : NAN;
}

static json_t *known_count(int known, uint64_t value)
{
    return known ? json_count(value) : json_null();
}

json_t *row_json(const row *r)
{
    const rwa_comparison *c = &r->figures;
    int has = planned(r);
    return JSON("scheme:s outcome:s formula_steps:o steps:o bound:o formula_source:s optimal:b paper_seconds:f "
                "circuit_seconds:f longest_hops:o wavelengths_used:o lightpaths:o block_bytes:o power:v margin_db:f "
                "unchecked:o why:s "
                "overlap_seconds:f time_bound_seconds:f time_ratio:f",
                c->scheme, rwa_outcome_text(c->outcome), known_count(c->formula.known, c->formula.steps),
                known_count(has, c->steps), has ? json_bound(&c->bound) : json_null(),
                c->formula.known ? c->formula.source : NULL, c->outcome == RWA_OPTIMAL, c->paper_s, c->circuit_s,
                known_count(has, c->longest_hops), known_count(has, c->wavelengths_used),
                known_count(has, c->lightpaths), known_count(has, c->block_bytes), has ? c->power : RWA_UNCHECKED,
                c->margin_db, has && target.device ? json_unchecked(c->power_unchecked) : json_null(),
                has ? NULL : WHY(r), c->overlap_s, c->time_bound_s > 0 ? c->time_bound_s : NAN, time_ratio(c));
}

/* ---- CSV ---- */

/* The columns up to the last one that plot_sweep() draws are not quoted. */
static const char columns[] = "network,collective,nodes,wavelengths,fibers,scheme,outcome,formula_steps,steps,bound="
                              "bound.steps,optimal=proven,paper_seconds,"
                              "circuit_seconds,longest_hops,wavelengths_used,lightpaths,block_bytes,power=verdict,"
                              "margin_db,why\",overlap_seconds,"
                              "time_bound_seconds,time_ratio,message_bytes";

static const char *power_word(rwa_verdict verdict)
{
    return verdict == RWA_PASS ? "ok" : verdict == RWA_FAIL ? "fails" : "not checked";
}

static json_t *csv_row(const row *r)
{
    const char *kind = rwa_topology_name(rwa_network_topology(r->net));
    json_t *proven = planned(r) ? json_boolean(r->figures.outcome == RWA_OPTIMAL) : json_null();
    return json_add(json_setting(row_json(r), r->net, r->coll), "network:s verdict:s proven:o message_bytes:U",
                    r->network ? r->network : kind, planned(r) ? power_word(r->figures.power) : NULL, proven,
                    r->coll->message_bytes);
}

char *row_csv(const row *r)
{
    char *text = NULL;
    size_t size = 0;
    json_t *members = r ? csv_row(r) : NULL;
    FILE *to = !r || members ? open_memstream(&text, &size) : NULL;
    if (!to)
        return NULL;
    csv_line(to, members, columns);
    json_decref(members);
    if (fclose(to) != 0)
        return NULL;
    text[size - 1] = '\0';
    return strcat(rwa_text_make_visible(text), "\n");
}

/* ---- text ---- */

static void say_row(const row *r, int with_power)
{
    const rwa_comparison *c = &r->figures;
    char steps[ITEM_MAX], ratio[ITEM_MAX] = "-";
    const char *formula = CELL(c->formula.known, c->formula.steps);
    if (!planned(r)) {
        say("%-18s %7s %5s\n", c->scheme, formula, "none*");
        return;
    }
    snprintf(steps, sizeof steps, "%u%s", c->steps, c->outcome == RWA_OPTIMAL ? "!" : "");
    if (c->time_bound_s > 0)
        snprintf(ratio, sizeof ratio, "%.2f", time_ratio(c));
    say("%-18s %7s %5s %5s %8s %8s %5s %4u %5u%s%s\n", c->scheme, formula, steps,
        CELL(c->bound.value > 0, c->bound.value), TIME_TEXT(c->paper_s),
        TIME_TEXT(cost.model == RWA_COST_OVERLAP ? c->overlap_s : c->circuit_s), ratio, c->longest_hops,
        c->wavelengths_used, with_power ? "  " : "",
        !with_power                 ? ""
        : c->power == RWA_UNCHECKED ? "open"
                                    : power_word(c->power));
}

/* The reason why there is no schedule, with "this scheme" in place of the name of the scheme, so that several schemes
 * can share one footnote. */
static const char *shared_reason(char text[RWA_ERROR_TEXT], const row *r)
{
    char named[80];
    const char *why = WHY(r);
    size_t length = (size_t)snprintf(named, sizeof named, "scheme %s ", r->figures.scheme);
    const char *at = strstr(why, named);
    int before = at ? (int)(at - why) : (int)strlen(why);
    assert(length < sizeof named);
    snprintf(text, RWA_ERROR_TEXT, "%.*s%s%s", before, why, at ? "this scheme " : "",
             at ? at + length : "");
    return text;
}

/* Tell whether two rows have no schedule for the same reason. */
static int share_reason(const row *a, const row *b)
{
    char one[RWA_ERROR_TEXT], other[RWA_ERROR_TEXT];
    return !planned(a) && !planned(b) && strcmp(shared_reason(one, a), shared_reason(other, b)) == 0;
}

/* Report why schemes have no schedule: a footnote for each reason, after the names of all schemes that it holds for. */
static void say_reasons(const row *rows, size_t count)
{
    char why[RWA_ERROR_TEXT];
    for (size_t i = 0; i < count; i++) {
        size_t first = 0, same = 0;
        while (first < i && !share_reason(&rows[first], &rows[i]))
            first++;
        if (planned(&rows[i]) || first < i)
            continue;
        say("\n* %s", rows[i].figures.scheme);
        for (size_t k = i + 1; k < count; k++)
            if (share_reason(&rows[i], &rows[k]) && ++same > 0)
                say(", %s", rows[k].figures.scheme);
        say(": %s\n", same > 0 ? shared_reason(why, &rows[i]) : WHY(&rows[i]));
    }
}

void say_rows(const row *rows, size_t count)
{
    int proven = 0, formula = 0, with_power = 0;
    for (size_t i = 0; i < count; i++) {
        proven |= rows[i].figures.outcome == RWA_OPTIMAL;
        formula |= rows[i].figures.formula.known;
        with_power |= planned(&rows[i]) && rows[i].figures.power != RWA_UNCHECKED;
    }
    say("%-18s %7s %5s %5s %8s %8s %5s %4s %5s%s\n", "scheme", "formula", "steps", "bound", "paper",
        cost.model == RWA_COST_OVERLAP ? "overlap" : "circuit", "ratio", "hops", "waves", with_power ? "  power" : "");
    for (size_t i = 0; i < count; i++)
        say_row(&rows[i], with_power);
    say("\nratio: time by its lower bound for any number of blocks, %s cost model\n", rwa_cost_model_name(cost.model));
    if (formula)
        say("formula: the paper's, at the number of stages of the schedule\n");
    if (proven)
        say("! proven the fewest steps for as many blocks, and as many on a lightpath\n");
    say_reasons(rows, count);
}
