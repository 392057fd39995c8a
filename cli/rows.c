/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rows.h"

#include "plot.h"

static scheme_list schemes_asked;

/* Read a list of schemes, separated by commas, into schemes_asked, whose names point into the table of schemes.  Return
 * 0, or the exit code after an error message. */
static int read_schemes(const option *opt, const char *value)
{
    scheme_list *list = &schemes_asked;
    const char *name;
    option one = *opt;
    char word[ITEM_MAX];
    one.to = &name;
    list->count = 0;
    for (const char *p = value; p; list->count++) {
        if (list->count == SCHEMES_MAX || !next_item(word, &p))
            return bad_value(opt, value, "fewer or shorter names");
        MUST(read_scheme(&one, word));
        list->names[list->count] = rwa_scheme_find(name);
    }
    return 0;
}

const option rows_options[] = {{"scheme", "LIST", "names with commas (auto and all that apply)",
                                IS(schemes_asked, read_schemes), .names = rwa_scheme_name, .low = 1},
                               {"plot", "FILE.svg", "draw the steps, with gnuplot", IS(plot_file, read_plot)},
                               {0}};

/* Add a scheme (NULL: auto) to the list, with the objective of --objective.  Without that option add auto twice, once
 * for each objective. */
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
    const scheme_list *asked = &schemes_asked;
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

rwa_status row_plan(row *r, int of_many, double limit_s, rwa_poll poll, void *poll_data, rwa_error *err)
{
    rwa_plan_options opts = planning;
    rwa_comparison *c = &r->figures;
    opts.objective = r->objective;
    opts.time_limit_s = limit_s;
    opts.poll = poll;
    opts.poll_data = poll_data;
    rwa_status status = rwa_compare_scheme(c, r->asked, r->net, r->coll, &opts, err);
    int suits = r->asked ? rwa_scheme_fits((size_t)number_of(rwa_scheme_name, r->asked), r->net, r->coll->kind)
                         : given("scheme");
    if (status != RWA_BADARG || (!of_many && suits))
        return status;
    c->scheme = r->asked ? r->asked : "auto";
    c->outcome = RWA_INFEASIBLE;
    memcpy(c->why, err->text, sizeof c->why);
    *err = (rwa_error){0};
    return RWA_OK;
}

int row_is_planned(const row *r)
{
    return is_answer(r->figures.outcome);
}

json_t *row_json(const row *r)
{
    const rwa_comparison *c = &r->figures;
    int has = row_is_planned(r);
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
                has ? NULL : as_flags(c->why), c->overlap_s, c->time_bound_s,
                c->time_bound_s > 0 ? c->time_s / c->time_bound_s : NAN,
                r->asked ? r->asked : "auto", r->objective == RWA_LEAST_TIME ? "time" : "steps",
                has ? (uint64_t)round((double)r->coll->block_bytes / (double)c->block_bytes) : 0, c->lightpath_blocks,
                planning.seed, rwa_version(), c->bound_max_hops, c->formula.flaw);
}

/* ---- CSV ---- */

/* The columns up to the last one that the figure of a sweep shows are not quoted, nor are those behind
 * message_bytes. */
static const char columns[] = "network,collective,nodes,wavelengths,fibers,scheme,outcome,formula_steps,steps,bound="
                              "bound.steps,optimal=proven,paper_seconds,"
                              "circuit_seconds,longest_hops,wavelengths_used,lightpaths,block_bytes,power=verdict,"
                              "margin_db,why\",overlap_seconds,"
                              "time_bound_seconds,time_ratio,message_bytes,"
                              "asked,objective,parts,load_factor,seed,version";

static json_t *csv_row(const row *r)
{
    const char *kind = rwa_topology_name(rwa_network_topology(r->net));
    json_t *proven = row_is_planned(r) ? json_boolean(r->figures.outcome == RWA_OPTIMAL) : json_null();
    return json_add(json_setting(row_json(r), r->net, r->coll), "network:s verdict:s proven:o message_bytes:U",
                    r->network ? r->network : kind,
                    row_is_planned(r) ? verdict_text(r->figures.power, "ok", "fails", "not checked") : NULL, proven,
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
