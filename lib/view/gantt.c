/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws links against time: what share of each link's channels is tuned, and what share sends. */
#include "network/network.h"
#include "schedule/raster.h"
#include "view/view.h"

#include "base/arithmetic.h"

/** ROWS_MOST: the most links that are drawn; of more links, the busiest.  All other values are in pixels. */
enum {
    ROWS_MOST = 64,
    ROW = 14,
    BAR = 12,
    TOP = 66,
    WIDTH = 960,
    MARGIN = 16,
    NUMBERS = 80,   /* the width of node numbers, and of names */
    NAMES = 300,
    NAME_TEXT = 22,     /* a longer name is cut */
    LABEL_LEAST = 20,
    TICKS = 20
};

/* ---- what is tuned ---- */

struct view_channel {
    uint64_t user;      /* hash of the lightpath that last used it; 0: none */
    uint32_t until;     /* the last step in which that is up */
    bool tuned;         /* it was not up before its step */
};

rwa_status view_open_tuning(struct view_tuning *u, const rwa_schedule *sched, struct arena *memory)
{
    const rwa_network *net = rwa_schedule_network(sched);
    size_t links = (size_t)raster_sides(net) * network_links_each_way(net);
    rwa_cost_options cost;
    rwa_cost_options_init(&cost);
    cost.model = RWA_COST_OVERLAP;
    arena_new(memory, u->channels, links * raster_channels(net));
    MUST(arena_arrays(memory, rwa_schedule_records(sched), u->hold));
    return rwa_cost_holds(u->hold, sched, &cost, memory->err);
}

rwa_status view_keep_tuned(struct view_tuning *u, struct raster *r, uint32_t step)
{
    struct view_channel *of;    /* of each lightpath what its channels hold from now on */
    size_t cells = (size_t)r->sides * r->links * r->channels;
    MUST(arena_arrays(&r->memory, r->count, of));
    for (size_t i = 0; i < r->count; i++)
        of[i] = (struct view_channel){walk_hash(&r->paths[i]) | 1, u->hold[r->paths[i].record].to, false};
    for (size_t k = 0; k < cells; k++)
        if (r->cell[k] > 0 && (u->channels[k].user != of[r->cell[k] - 1].user || u->channels[k].until < step))
            of[r->cell[k] - 1].tuned = true;
    for (size_t k = 0; k < cells; k++) {
        if (r->cell[k] == 0)
            continue;
        u->channels[k] = of[r->cell[k] - 1];
        r->cell[k] = u->channels[k].tuned ? r->cell[k] : 0;
    }
    return RWA_OK;
}

/* ---- the drawing ---- */

struct row {
    uint32_t link;
    double busy;        /* share of its channels, summed over the steps */
    double tuned;       /* share of its channels, summed over the steps that are tuned at one time */
};
COMPARATOR(by_occupancy, struct row, DOWN(busy) UP(link))

struct gantt {
    struct text *t;
    const rwa_schedule *sched;
    const struct view_times *times;
    const rwa_cost_options *cost;
    struct raster raster;       /* of a step */
    struct view_tuning tuning;
    struct row *rows;
    uint32_t links, shown;
    double left, scale, alpha_s;
};

static double place(const struct gantt *g, double time_s)
{
    return g->left + g->scale * time_s;
}

static double share_of(const struct gantt *g, uint32_t link)
{
    const struct raster *r = &g->raster;
    return raster_density(r, link / r->links, 0, 1, link % r->links, r->links);
}

static void add_span(const struct gantt *g, const char *class, double from_s, double to_s)
{
    text_add(g->t, "<rect class=\"%s\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%u\"/>\n", class,
             place(g, from_s), TOP, g->scale * (to_s - from_s), ROW * g->shown);
}

/** Draw the background of step number s, from 0: a band in every other epoch, and its start-up time.  In the overlap
 *  model the start-up begins as soon as the step before ends, in the other models just before the step sends. */
static void add_background(const struct gantt *g, uint32_t s)
{
    double before_s = s > 0 ? g->times->end_s[s - 1] : 0;
    double start_s = g->cost->model == RWA_COST_OVERLAP ? before_s : g->times->begin_s[s] - g->alpha_s;
    if ((g->times->epoch ? g->times->epoch[s] : s + 1) % 2)
        add_span(g, "band", before_s, g->times->end_s[s]);
    if (g->alpha_s > 0)
        add_span(g, "start", start_s, start_s + g->alpha_s);
}

/** For each row (a link), add the share of its channels that is tuned for step number s, from 0, to the row's sum.
 *  Draw the sums and begin new ones, unless the next step is tuned at the same time. */
static rwa_status add_tuning(struct gantt *g, uint32_t s)
{
    const double *tune_s = g->times->tune_s;
    double width = g->scale * g->cost->reconfig_s;
    if (g->cost->model != RWA_COST_PAPER)   /* in the model `paper` each step tunes all its lightpaths */
        MUST(view_keep_tuned(&g->tuning, &g->raster, s + 1));
    for (uint32_t i = 0; i < g->shown; i++)
        g->rows[i].tuned += share_of(g, g->rows[i].link);
    if (s + 1 < rwa_schedule_steps(g->sched) && tune_s[s + 1] <= tune_s[s])
        return RWA_OK;
    text_add(g->t, "<path class=\"tune\" d=\"");
    for (uint32_t i = 0; i < g->shown; i++, g->rows[i - 1].tuned = 0)
        if (g->rows[i].tuned > 0)
            text_add(g->t, "M%.3f %uh%.3fv%.2fh%.3fz", place(g, tune_s[s]), TOP + ROW * i + 1, width,
                     BAR * g->rows[i].tuned, -width);
    text_add(g->t, "\"/>\n");
    return RWA_OK;
}

static void add_sending(const struct gantt *g, uint32_t s)
{
    double begin_s = g->times->begin_s[s], width = g->scale * (g->times->end_s[s] - begin_s);
    if (width >= LABEL_LEAST)
        text_add(g->t, "<text class=\"mid\" x=\"%.1f\" y=\"%d\">%u</text>", place(g, begin_s) + width / 2, TOP - 4,
                 s + 1);
    text_add(g->t, "<path class=\"send\" d=\"");
    for (uint32_t i = 0; i < g->shown; i++) {
        double height = BAR * share_of(g, g->rows[i].link);
        text_add(g->t, "M%.3f %.2fh%.3fv%.2fh%.3fz", place(g, begin_s), TOP + ROW * i + BAR + 1 - height, width, height,
                 -width);
    }
    text_add(g->t, "\"><title>step %u", s + 1);
    view_add_times(g->t, s + 1, g->times);
    text_add(g->t, "</title></path>\n");
}

static void add_name(const struct gantt *g, uint32_t node, const char *after)
{
    const rwa_network *net = rwa_schedule_network(g->sched);
    const char *whole = rwa_network_node_name(net, node);
    char name[NAME_TEXT];
    network_name_node(name, sizeof name, net, node);
    view_add_words(g->t, name, whole && strlen(whole) >= sizeof name ? "…" : "");
    text_add(g->t, "%s", after);
}

static void add_names(const struct gantt *g)
{
    for (uint32_t i = 0; i < g->shown; i++) {
        rwa_link ends = rwa_network_link(rwa_schedule_network(g->sched), g->rows[i].link);
        text_add(g->t, "<text class=\"end\" x=\"%.0f\" y=\"%u\">", g->left - 6, TOP + ROW * i + BAR - 1);
        add_name(g, ends.from, " &gt; ");
        add_name(g, ends.to, "</text>\n");
    }
}

static void add_axis(const struct gantt *g, double total_s)
{
    double mark_s = view_tick(total_s, TICKS);
    for (uint32_t k = 0; k * mark_s <= total_s; k++)
        text_add(g->t, "<text class=\"mid\" x=\"%.1f\" y=\"%u\">%.6g%s</text>\n", place(g, k * mark_s),
                 TOP + ROW * (g->shown + 1), 1e6 * k * mark_s, k == 0 ? " us" : "");
}

static void open_drawing(const struct gantt *g, const char *title)
{
    view_open_drawing(g->t, &(struct view_drawing){
        .width = g->left + WIDTH + 2 * MARGIN, .height = TOP + ROW * (g->shown + 2), .title = title,
        .style = "text{font-size:11px}.band{fill:currentColor;opacity:.08}.send{fill:#0072b2}.tune{fill:#e69f00}"
                 ".start{fill:#cc79a7}"});
    text_add(g->t, "<text x=\"%d\" y=\"42\">Of the channels <tspan class=\"send\">■</tspan> sending, "
             "<tspan class=\"tune\">■</tspan> tuning%s", MARGIN,
             g->alpha_s > 0 ? "; <tspan class=\"start\">■</tspan> start-up" : "");
    text_add(g->t, g->shown < g->links ? "; the %u fullest of %u links</text>\n" : "</text>\n", g->shown, g->links);
}

/** Sort g->rows, the links, by the share of their channels that is busy over all steps, the busiest first. */
static rwa_status sort_rows(struct gantt *g)
{
    for (uint32_t s = 0; s < rwa_schedule_steps(g->sched); s++) {
        MUST(raster_draw(&g->raster, g->sched, s + 1, g->t->err));
        for (uint32_t l = 0; l < g->links; l++)
            g->rows[l].busy += share_of(g, l);
    }
    qsort(g->rows, g->links, sizeof *g->rows, by_occupancy);
    return RWA_OK;
}

rwa_status view_gantt(struct text *t, const rwa_schedule *sched, const struct view_times *times,
                      const rwa_cost_options *cost, const char *title, struct arena *memory)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t steps = rwa_schedule_steps(sched), links = rwa_network_links(net);
    struct gantt g = {.t = t, .sched = sched, .times = times, .cost = cost, .links = links,
                      .shown = lesser(links, ROWS_MOST), .scale = WIDTH / times->end_s[steps - 1],
                      .alpha_s = cost->model == RWA_COST_PAPER ? 0 : cost->alpha_s,
                      .left = rwa_network_node_name(net, 0) ? NAMES : NUMBERS};
    rwa_status st = RWA_OK;
    TRY(arena_arrays(memory, links, g.rows));
    TRY(view_open_tuning(&g.tuning, sched, memory));
    for (uint32_t l = 0; l < links; l++)
        g.rows[l].link = l;
    if (g.shown < links)
        TRY(sort_rows(&g));
    open_drawing(&g, title);
    add_names(&g);
    for (uint32_t s = 0; s < steps; s++)
        add_background(&g, s);
    for (uint32_t s = 0; s < steps; s++) {
        TRY(raster_draw(&g.raster, sched, s + 1, t->err));
        add_sending(&g, s);
        TRY(add_tuning(&g, s));
    }
    add_axis(&g, times->end_s[steps - 1]);
    text_add(t, "</svg>\n");
done:
    raster_free(&g.raster);
    return st;
}
