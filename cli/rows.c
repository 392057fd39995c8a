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

const option rows_options[] = {{"scheme", "LIST", "names with commas (auto and all that apply)",
                                IS(rows_choice.schemes, read_schemes), .names = rwa_scheme_name, .low = 1},
                               {"plot", "FILE.svg", "draw the steps, with gnuplot", IS(rows_choice.plot, read_plot)},
                               {0}};

/* Add a scheme, or auto (NULL), which comes for each objective unless one was given. */
static void add_scheme(scheme_list *s, const char *name)
{
    for (int objective = RWA_LEAST_TIME; objective <= RWA_FEWEST_STEPS && s->count < SCHEMES_MAX; objective++)
        if (objective == (int)planning.objective || (!name && !given("objective"))) {
            s->names[s->count] = name;
            s->objectives[s->count++] = (rwa_plan_objective)objective;
        }
}

int rows_schemes(scheme_list *s, const rwa_network *net, const rwa_collective *coll)
{
    const scheme_list *asked = &rows_choice.schemes;
    size_t before = 0;
    s->count = 0;
    for (size_t i = 0; i < asked->count; i++)
        add_scheme(s, asked->names[i]);
    if (asked->count == 0) {
        add_scheme(s, NULL);
        before = s->count;
        for (size_t i = 0; rwa_scheme_name(i); i++)
            if (rwa_scheme_fits(i, net, coll->kind))
                add_scheme(s, rwa_scheme_name(i));
    }
    if (s->count == before)
        return BAD_INPUT("no scheme for %s on %s networks", rwa_collective_name(coll->kind),
                         rwa_topology_name(rwa_network_topology(net)));
    return CALL(rwa_compare_validate, s->names, s->count, net, coll, &planning);
}

/* Tell whether the scheme of a row suits its network and collective. */
static int suits(const row *r)
{
    return rwa_scheme_fits((size_t)number_of(rwa_scheme_name, r->asked), r->net, r->coll->kind);
}

rwa_status row_plan(row *r, rwa_plan_options *opts, int of_many, rwa_error *err)
{
    rwa_comparison *c = &r->figures;
    opts->objective = r->objective;
    rwa_status status = rwa_compare_scheme(c, r->asked, r->net, r->coll, opts, err);
    if (status != RWA_BADARG || (!of_many && (r->asked ? suits(r) : given("scheme"))))
        return status;
    c->scheme = r->asked ? r->asked : "auto";
    c->outcome = RWA_INFEASIBLE;
    memcpy(c->why, err->text, sizeof c->why);
    *err = (rwa_error){0};
    return RWA_OK;
}

const char *row_name(const row *r)
{
    return r->asked ? r->figures.scheme : r->objective == RWA_LEAST_TIME ? "auto, time" : "auto, whole blocks";
}

static int planned(const row *r)
{
    return is_answer(r->figures.outcome);
}

/* Why there is no schedule, in the words of this command. */
#define WHY(r) as_flags((r)->figures.why)

/* Return the time of a scheme divided by its lower bound, or NaN without a plan or a bound. */
static double time_ratio(const rwa_comparison *c)
{
    return c->time_bound_s > 0 ? c->time_s / c->time_bound_s : NAN;
}

json_t *row_json(const row *r)
{
    const rwa_comparison *c = &r->figures;
    int has = planned(r);
    return JSON("scheme:s outcome:s formula_steps:P steps:p bound:o formula_source:s optimal:b paper_seconds:f "
                "circuit_seconds:f longest_hops:p wavelengths_used:p lightpaths:P block_bytes:P power:v margin_db:f "
                "unchecked:o why:s "
                "overlap_seconds:f time_bound_seconds:F time_ratio:f asked:s objective:s parts:P load_factor:p seed:U "
                "version:s bound_max_hops:p formula_flaw:s",
                c->scheme, rwa_outcome_text(c->outcome), c->formula.known ? c->formula.steps : 0,
                c->steps, has ? json_bound(&c->bound) : json_null(),
                c->formula.known ? c->formula.source : NULL, c->outcome == RWA_OPTIMAL, c->paper_s, c->circuit_s,
                c->longest_hops, c->wavelengths_used, c->lightpaths, c->block_bytes, has ? c->power : RWA_UNCHECKED,
                c->margin_db, has && target.device ? json_unchecked(c->power_unchecked) : json_null(),
                has ? NULL : WHY(r), c->overlap_s, c->time_bound_s, time_ratio(c),
                r->asked ? r->asked : "auto", r->objective == RWA_LEAST_TIME ? "time" : "steps",
                has ? (uint64_t)round((double)r->coll->block_bytes / (double)c->block_bytes) : 0, c->lightpath_blocks,
                planning.seed, rwa_version(), c->bound_max_hops, c->formula.flaw);
}

/* ---- CSV ---- */

/* The columns up to the last one that plot_sweep() draws are not quoted, nor are those behind message_bytes. */
static const char columns[] = "network,collective,nodes,wavelengths,fibers,scheme,outcome,formula_steps,steps,bound="
                              "bound.steps,optimal=proven,paper_seconds,"
                              "circuit_seconds,longest_hops,wavelengths_used,lightpaths,block_bytes,power=verdict,"
                              "margin_db,why\",overlap_seconds,"
                              "time_bound_seconds,time_ratio,message_bytes,"
                              "asked,objective,parts,load_factor,seed,version";

static json_t *csv_row(const row *r)
{
    const char *kind = rwa_topology_name(rwa_network_topology(r->net));
    json_t *proven = planned(r) ? json_boolean(r->figures.outcome == RWA_OPTIMAL) : json_null();
    return json_add(json_setting(row_json(r), r->net, r->coll), "network:s verdict:s proven:o message_bytes:U",
                    r->network ? r->network : kind,
                    planned(r) ? verdict_text(r->figures.power, "ok", "fails", "not checked") : NULL, proven,
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
    say("%-18s%7s%c", row_name(r), cell_text(c->formula.known, c->formula.steps), c->formula.flaw ? '~' : ' ');
    if (!planned(r)) {
        say("%5s\n", "none*");
        return;
    }
    say("%5s %5s %11s %8s %8s %4u", phrase("%u%s", c->steps, c->outcome == RWA_OPTIMAL ? "!" : ""),
        cell_text(c->bound.value > 0, c->bound.value),
        load_text(c->lightpath_blocks, c->block_bytes), time_text(c->paper_s),
        time_text(cost.model == RWA_COST_OVERLAP ? c->overlap_s : c->circuit_s), c->longest_hops);
    if (with_power)
        say("  %s\n", verdict_text(c->power, "ok", "fails", "open"));
    else
        say(" %5u\n", c->wavelengths_used);
}

/* Report the lower bound on the time, the same for all rows, in the column of its cost model. */
static void say_time_bound(const row *rows, size_t count)
{
    size_t i = 0;
    while (i < count && !(rows[i].figures.time_bound_s > 0))
        i++;
    if (i < count)
        say("%-18s%30s%*s\n", "lower bound", "any", cost.model == RWA_COST_PAPER ? 9 : 18,
            time_text(rows[i].figures.time_bound_s));
}

/* Report the formulas that promise fewer steps than any schedule can have, and the hop limit that the bounds assume. */
static void say_remarks(const row *rows, size_t count)
{
    uint32_t hops = 0;
    for (size_t i = 0; i < count; i++) {
        const rwa_comparison *c = &rows[i].figures;
        hops = c->bound_max_hops > 0 ? c->bound_max_hops : hops;
        if (c->formula.flaw)
            say("~ no schedule of %s takes only %" PRIu64 ": %s (N = %u, w = %u)\n", row_name(&rows[i]),
                c->formula.steps, c->formula.flaw, rows[i].coll->nodes, rwa_network_channels(rows[i].net));
    }
    if (hops > 0)
        say("%sounds are for lightpaths of at most %s\n", target.device ? "where power is ok, b" : "b",
            counted(hops, "hop"));
}

/* Report which schemes auto chose. */
static void say_chosen(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rows[i].asked && planned(&rows[i])) {
            say("%s: by %s", row_name(&rows[i]), rows[i].figures.scheme);
            if (rows[i].figures.stripes > 1)
                say(", blocks in %u parts", rows[i].figures.stripes);
            if (rows[i].objective == RWA_FEWEST_STEPS)
                say(", fewest steps, one block a lightpath");
            say("\n");
        }
}

/* Report why schemes have no schedule. */
static void say_unplanned(const row *rows, size_t count)
{
    reason *list = malloc(count * sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        list[i] = reason_of(planned(&rows[i]) ? NULL : row_name(&rows[i]), rows[i].figures.scheme, rows[i].figures.why);
    if (list)
        say_reasons("* no schedule", list, count);
    free(list);
}

void say_rows(const row *rows, size_t count)
{
    const char *other = cost.model == RWA_COST_OVERLAP ? "overlap" : "circuit";
    int formula = 0, any = 0, with_power = 0;
    for (size_t i = 0; i < count; i++) {
        any |= planned(&rows[i]);
        formula |= rows[i].figures.formula.known;
        with_power |= planned(&rows[i]) && rows[i].figures.power != RWA_UNCHECKED;
    }
    say("%-18s%7s %5s %5s %11s %8s %8s %4s %s\n", "scheme", "formula", "steps", "bound", "block", "paper", other,
        "hops", with_power ? " power" : "waves");
    for (size_t i = 0; i < count; i++)
        say_row(&rows[i], with_power);
    say_time_bound(rows, count);
    say("\n");
    say_chosen(rows, count);
    if (formula)
        say("formula: steps by the scheme's article; steps: of the checked schedule\n");
    if (any)
        say("bound: no schedule with such blocks takes fewer steps; ! the steps equal it\n"
            "block: its size; 2x1 MiB: 1 or 2 of 1 MiB on a lightpath; any: of any size\n"
            "paper: time %s\n"
            "%s: time %s\n"
            "hops: links of the longest lightpath%s\n",
            cost_text(RWA_COST_PAPER), other,
            cost_text(cost.model == RWA_COST_OVERLAP ? RWA_COST_OVERLAP : RWA_COST_CIRCUIT),
            with_power ? "" : "; waves: wavelengths used");
    if (any && cost.alpha_s > 0)
        say("%s counts the start-up of a step too, %s; paper does not\n", other, time_text(cost.alpha_s));
    say_remarks(rows, count);
    say_unplanned(rows, count);
}
