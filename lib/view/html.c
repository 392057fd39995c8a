/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Makes the HTML page of schedules, with everything inside: their data as a script, and the template (page.html). */
#include "assignment/assignment.h"
#include "power/power.h"
#include "schedule/raster.h"
#include "view/map.h"

#include "base/arithmetic.h"
#include "network/network.h"

/** The most characters of density data of a schedule, which keeps a page with a few schedules below 5 MB. */
enum { DENSITY_MOST = 2000000, COLUMNS_MOST = 128, ROWS_MOST = 32, COLUMNS_LEAST = 16, ROWS_LEAST = 4 };

static void add_figure(struct text *t, double value)
{
    text_add(t, isfinite(value) ? ",%.3g" : ",null", value);
}

/** Add four items to the data of a page: the hops of a lightpath; its links (0: the direction determines them); its
 *  taps, the nodes that receive it in passing (0: none); its blocks (0: every lightpath has one). */
static void add_lists(struct text *t, const struct walk *w)
{
    const rwa_lists *lists = &w->lists;
    uint32_t hops = walk_hops(w);
    bool arcs = network_has_arcs(w->sched->net);
    text_add(t, "%u,%s", hops, arcs ? "0," : "[");
    for (uint32_t k = 0; k < hops && !arcs; k++)
        text_add(t, "%u,", walk_hop_link(w, k));
    text_add(t, "%s%s", arcs ? "" : "],", lists->tap_count > 0 ? "[" : "0,");
    for (uint32_t k = 0; k < lists->tap_count; k++)
        text_add(t, "%u,", walk_node(w, lists->taps[k]));
    text_add(t, lists->tap_count > 0 ? "]," : "");
    if (w->sched->slots > 1)
        view_add_blocks(t, w);
    else
        text_add(t, "0");
}

/** Add the lightpaths of a step to the data of a page.  Mark those that are tuned for the step, which alone are in the
 *  cells of the raster r. */
static rwa_status add_lightpaths(struct text *t, const struct raster *r, const rwa_schedule *sched, uint32_t step,
                                 const rwa_view_options *o)
{
    const rwa_network *net = rwa_schedule_network(sched);
    rwa_power *power = NULL;
    rwa_status st = RWA_OK;
    if (o->device) {
        size_t count;
        TRY(power_of_step(&power, &count, o->device, o->power_model, sched, step, NULL, NULL, t->err));
    }
    text_add(t, "paths:[");
    for (size_t i = 0; i < r->count; i++) {
        const struct walk *w = &r->paths[i];
        const rwa_lightpath *lp = &w->lp;
        uint32_t channel = lightpath_channel(net, lp),
                 side = r->sides == 2 && lp->direction == RWA_CCW,
                 link = walk_hop_link(w, 0) - side * r->links;
        text_add(t, "[%u,%u,%d,%u,%" PRIu64 ",%d,%d,", lp->src, lp->dst, lp->direction == RWA_CCW, channel, lp->block,
                 lp->op == RWA_REDUCE, raster_at(r, side, channel, link) != NULL);
        add_lists(t, w);
        if (power) {
            add_figure(t, power[i].loss_db);
            add_figure(t, power[i].snr_db);
            add_figure(t, power[i].log10_ber);
        }
        text_add(t, "],");
    }
    text_add(t, "]");
done:
    free(power);
    return st;
}

struct density {
    uint32_t columns, rows, steps;  /* steps: how many are recorded */
};

static struct density plan_density(const rwa_schedule *sched)
{
    const rwa_network *net = rwa_schedule_network(sched);
    struct density d = {lesser(network_links_each_way(net), COLUMNS_MOST), lesser(raster_channels(net), ROWS_MOST),
                        rwa_schedule_steps(sched)};
    uint32_t sides = raster_sides(net);
    while ((uint64_t)d.columns * d.rows * sides * d.steps > DENSITY_MOST &&
           (d.columns > COLUMNS_LEAST || d.rows > ROWS_LEAST)) {
        d.columns = d.columns > COLUMNS_LEAST ? d.columns / 2 : d.columns;
        d.rows = d.rows > ROWS_LEAST ? d.rows / 2 : d.rows;
    }
    d.steps = lesser(d.steps, DENSITY_MOST / (sides * d.columns * d.rows));
    return d;
}

/** Add the share of busy channels in each cell of a grid of d->rows by d->columns as a digit, 0 idle … 9 all busy.  If
 *  there are two directions, the clockwise rows come first. */
static void add_density(struct text *t, const struct raster *r, const struct density *d)
{
    text_add(t, "density:\"");
    for (uint32_t row = 0; row < r->sides * d->rows; row++)
        for (uint32_t i = 0; i < d->columns; i++) {
            double share = raster_density(r, row / d->rows, row % d->rows, d->rows, i, d->columns);
            char digit = (char)('0' + (int)ceil(share * 9 - 1e-9));
            text_add_bytes(t, &digit, 1);
        }
    text_add(t, "\",");
}

/** Add three items to the data of a page: the failed links, each with the first step in which it is down; the number of
 *  steps before the first failure; the failed links in words. */
static void add_failed(struct text *t, const rwa_network *net)
{
    struct text words = {.err = t->err};
    rwa_faults faults = network_faults(net);
    text_add(t, "failed:[");
    for (size_t i = 0; i < faults.link_count; i++)
        text_add(t, "[%u,%" PRIu64 "],", faults.links[i], network_failed_from(net, faults.links[i]));
    text_add(t, "],kept:%u,failures:", view_kept_steps(net));
    view_name_failures(&words, net);
    view_add_quoted(t, words.data);
    text_drop_part(t, &words);
}

static void add_facts(struct text *t, const rwa_schedule *sched, const rwa_view_options *o)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const rwa_collective *coll = rwa_schedule_collective(sched);
    struct text title = {.err = t->err};
    view_title(&title, sched, o);
    text_add(t, "{isAssignment:%d,title:", o->results && o->results[0]);
    view_add_quoted(t, title.data);
    text_drop_part(t, &title);
    text_add(t, ",name:");
    view_add_quoted(t, o->names ? o->names[0] : NULL);
    text_add(t, ",ring:%d,sides:%u,nodes:%u,links:%u,fibers:%u,wavelengths:%u,cells:%" PRIu64 ",steps:%u,"
             "collective:\"%s\",power:%d,blocks:%" PRIu64 ",", network_is_cycle(net), raster_sides(net),
             rwa_network_nodes(net), network_links_each_way(net), network_most_fibers(net),
             rwa_network_wavelengths(net), raster_cells(net), rwa_schedule_steps(sched),
             rwa_collective_name(coll->kind), o->device != NULL, coll->blocks);
    add_failed(t, net);
}

/** Add the lightpaths of the clique that proves an assignment's bound, as numbers of blocks in an all-to-all.  For
 *  each, add two blocks: that from its source to its destination, and that of the opposite direction. */
static void add_meeting(struct text *t, const rwa_assignment *r)
{
    const rwa_certificate *bound = &r->summary.bound;
    uint32_t nodes = rwa_network_nodes(r->net);
    text_add(t, ",meet:[");
    for (size_t i = 0; bound->kind == RWA_WITNESS_CLIQUE && i < bound->route_count; i++) {
        const rwa_demand *d = &rwa_demands_list(r->demands)[r->routes[bound->routes[i]].demand];
        text_add(t, "%u,%u,", d->src * nodes + d->dst, d->dst * nodes + d->src);
    }
    text_add(t, "]");
}

/** Add the proof of a bound, o->proofs[0], to the data of a page, if there is one: its words and the side of each node.
 *  For an assignment, add also the length of each directed link, and the lightpaths of a clique. */
static rwa_status add_proof(struct text *t, const rwa_network *net, const rwa_view_options *o, struct arena *memory)
{
    const rwa_assignment *r = o->results ? o->results[0] : NULL;
    uint32_t nodes = rwa_network_nodes(net), links = r ? rwa_network_links(net) : 0, *marks;
    if (!o->proofs || !o->proofs[0])
        return RWA_OK;
    MUST(arena_arrays(memory, (size_t)nodes + links, marks));
    if (r)
        map_mark_proof(marks + nodes, marks, r);
    else if (o->sides && o->sides[0])
        memcpy(marks, o->sides[0], nodes * sizeof *marks);
    map_add_proof(t, o->proofs[0], marks, nodes);
    if (r) {
        text_add(t, ",lengths:");
        view_add_list(t, marks + nodes, links);
        add_meeting(t, r);
    }
    text_add(t, "}");
    return RWA_OK;
}

/** Add the map of a network to the data of a page: its nodes and, for each directed link, ends, bend and number of
 *  channels. */
static rwa_status add_places(struct text *t, const rwa_network *net, struct arena *memory)
{
    struct places p;
    MUST(places_open(&p, net, memory));
    map_add_spots(t, &p, net);
    text_add(t, "ends:[");
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link ends = rwa_network_link(net, l);
        text_add(t, "[%u,%u,%.4f,%u],", ends.from, ends.to, p.bow[l], ends.fibers * rwa_network_wavelengths(net));
    }
    text_add(t, "],\n");
    return svg_map_sizes(t, net, &p, memory);
}

/** Divide the directed links of each side of the raster (a direction of a ring, or all links) into `parts` parts.  Add
 *  for each part the mean number of channels of a link that are busy, as the list `name`. */
static void add_loads(struct text *t, const char *name, const struct raster *r, uint32_t parts)
{
    text_add(t, "%s:[", name);
    for (uint32_t k = 0; k < r->sides * parts; k++)
        text_add(t, "%.4g,", r->channels * raster_density(r, k / parts, 0, 1, k % parts, parts));
    text_add(t, "],");
}

/** Add three times of each step in microseconds: the begin of its tuning, its begin and its end.  Do so for each cost
 *  model, that of the options first. */
static rwa_status add_times(struct text *t, const rwa_schedule *sched, uint32_t steps, const rwa_view_options *o,
                            struct arena *memory)
{
    const double us = 1e6;
    rwa_cost_options cost;
    MUST(base_options(rwa_cost_options, &cost, o->cost, t->err));
    text_add(t, ",reconfig:%.6g,alpha:%.6g,times:{", us * cost.reconfig_s, us * cost.alpha_s);
    for (int i = 0; i < 3; i++, cost.model = (cost.model + 1) % 3) {
        struct view_times times;
        MUST(t->status);    /* the times begin an error record of their own */
        MUST(view_time(&times, sched, &cost, o->rate_bps, memory));
        text_add(t, "%s:[", rwa_cost_model_name(cost.model));
        for (uint32_t s = 0; s < steps; s++)
            text_add(t, "[%.6g,%.6g,%.6g],", us * times.tune_s[s], us * times.begin_s[s], us * times.end_s[s]);
        text_add(t, "],");
    }
    text_add(t, "},\n");
    return RWA_OK;
}

static rwa_status add_schedule(struct text *t, const rwa_schedule *sched, const rwa_view_options *o)
{
    const rwa_network *net = rwa_schedule_network(sched);
    bool full = view_drawn_fully(sched);
    bool map = full || (raster_sides(net) == 1 && rwa_network_nodes(net) <= RWA_VIEW_MAP_NODES);
    struct density d = plan_density(sched);
    struct arena memory = {.err = t->err};
    struct raster r = {0};
    struct view_tuning tuning;
    rwa_status st = RWA_OK;
    uint32_t steps = full ? rwa_schedule_steps(sched) : d.steps,
             parts = map ? network_links_each_way(net) : d.columns;
    add_facts(t, sched, o);
    TRY(add_times(t, sched, steps, o, &memory));
    TRY(view_open_tuning(&tuning, sched, &memory));
    text_add(t, "columns:%u,rows:%u,records:[", d.columns, d.rows);
    for (uint32_t s = 1; s <= steps; s++) {
        TRY(raster_draw(&r, sched, s, t->err));
        text_add(t, "{stats:[%zu,%" PRIu64 ",%u],", r.count, r.busy, r.longest_hops);
        if (!full) {
            add_density(t, &r, &d);
            add_loads(t, "loads", &r, parts);
        }
        TRY(view_keep_tuned(&tuning, &r, s));
        if (full)
            TRY(add_lightpaths(t, &r, sched, s, o));
        else
            add_loads(t, "tunes", &r, parts);
        text_add(t, "},\n");
    }
    text_add(t, "],");
    if (map)
        TRY(add_places(t, net, &memory));
    TRY(add_proof(t, net, o, &memory));
    text_add(t, "},");
done:
    raster_free(&r);
    arena_free(&memory);
    return st;
}

rwa_status rwa_view_html(char **text, const rwa_schedule *const *scheds, size_t count, const rwa_view_options *opts,
                         rwa_error *err)
{
    BEGIN_NEW(text, err, !count || scheds);
    struct text t = {.err = err};
    rwa_view_options o;
    rwa_status st = RWA_OK;
    if (count < 1 || count > RWA_VIEW_PAGE_MOST)
        return base_refuse(err, "%zu schedules, expected 1 to %d", count, RWA_VIEW_PAGE_MOST);
    view_open_page(&t, "schedules");
    text_add(&t, "[");
    for (size_t i = 0; i < count; i++) {
        TRY(view_take_options(&o, scheds[i], opts, err));
        TRY(view_needs_links(scheds[i], err));
        o.names = o.names ? o.names + i : NULL;
        o.proofs = o.proofs ? o.proofs + i : NULL;
        o.sides = o.sides ? o.sides + i : NULL;
        o.results = o.results ? o.results + i : NULL;
        TRY(add_schedule(&t, scheds[i], &o));
    }
    text_add(&t, "];\n</script>\n");
    view_add_page(&t, "grids");
    view_add_page(&t, "steps");
    view_add_page(&t, "page");
    return text_finish(&t, text);
done:
    free(t.data);
    return st;
}
