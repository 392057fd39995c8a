/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Draws links against time: when lightpaths are tuned, and what share of each link's channels sends. */
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
    LABEL_LEAST = 20
};

struct row {
    uint32_t link;
    double busy;        /* share of its channels, summed over the steps */
};
COMPARATOR(by_occupancy, struct row, DOWN(busy) UP(link))

struct gantt {
    struct text *t;
    const rwa_schedule *sched;
    const struct view_times *times;
    struct raster raster;       /* of a step */
    struct row *rows;
    uint32_t links, shown;
    double left, scale, reconfig_s;
};

static double place(const struct gantt *g, double time_s)
{
    return g->left + g->scale * time_s;
}

static double share_of(const struct gantt *g, uint32_t link)
{
    const struct raster *r = &g->raster;
    return raster_density(r, link / r->links, 0, r->channels, link % r->links, link % r->links + 1);
}

static void add_span(const struct gantt *g, const char *class, double from_s, double to_s)
{
    text_add(g->t, "<rect class=\"%s\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%u\"/>\n", class,
             place(g, from_s), TOP, g->scale * (to_s - from_s), ROW * g->shown);
}

/** Draw the band of a step, darker in every other epoch, and when its lightpaths are tuned. */
static void add_background(const struct gantt *g, uint32_t s)
{
    double tune_s = g->times->tune_s[s], end_s = g->times->end_s[s];
    if ((g->times->epoch ? g->times->epoch[s] : s + 1) % 2)
        add_span(g, "band", s > 0 ? g->times->end_s[s - 1] : 0, end_s);
    if (s == 0 || tune_s > g->times->tune_s[s - 1])
        add_span(g, "tune", tune_s, tune_s + g->reconfig_s);
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
    view_add_words(g->t, "", name, whole && strlen(whole) >= sizeof name ? "…" : "");
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
    double mark_s = pow(10, floor(log10(total_s / 2)));
    for (uint32_t k = 0; k * mark_s <= total_s; k++)
        text_add(g->t, "<text class=\"mid\" x=\"%.1f\" y=\"%u\">%.6g%s</text>\n", place(g, k * mark_s),
                 TOP + ROW * (g->shown + 1), 1e6 * k * mark_s, k == 0 ? " us" : "");
}

static void open_drawing(const struct gantt *g, const char *title)
{
    view_open_drawing(g->t, &(struct view_drawing){
        .width = g->left + WIDTH + 2 * MARGIN, .height = TOP + ROW * (g->shown + 2), .title = title, .x = MARGIN,
        .y = 24,
        .style = "svg{color:#1c2733}text{font:11px system-ui,sans-serif;fill:currentColor}.mid{text-anchor:middle}"
                 ".end{text-anchor:end}.band{fill:currentColor;opacity:.08}.send{fill:#0072b2}.tune{fill:#e69f00}"
                 "@media (prefers-color-scheme:dark){svg{color:#dde6ee}.ground{fill:#12181f}.send{fill:#56b4e9}}"});
    text_add(g->t, "<text x=\"%d\" y=\"42\"><tspan class=\"send\">■</tspan> sending, by the share of channels; "
             "<tspan class=\"tune\">■</tspan> tuning", MARGIN);
    text_add(g->t, g->shown < g->links ? "; the %u fullest of %u links</text>\n" : "</text>\n", g->shown, g->links);
}

static rwa_status take_step(struct gantt *g, uint32_t s, rwa_error *err)
{
    raster_free(&g->raster);
    return raster_draw(&g->raster, g->sched, s + 1, err);
}

/** Sort the rows by occupancy, the busiest link first. */
static rwa_status sort_rows(struct gantt *g, rwa_error *err)
{
    for (uint32_t s = 0; s < rwa_schedule_steps(g->sched); s++) {
        MUST(take_step(g, s, err));
        for (uint32_t l = 0; l < g->links; l++)
            g->rows[l].busy += share_of(g, l);
    }
    qsort(g->rows, g->links, sizeof *g->rows, by_occupancy);
    return RWA_OK;
}

rwa_status view_gantt(struct text *t, const rwa_schedule *sched, const struct view_times *times, double reconfig_s,
                      const char *title, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t steps = rwa_schedule_steps(sched), links = rwa_network_links(net);
    struct gantt g = {.t = t, .sched = sched, .times = times, .reconfig_s = reconfig_s, .links = links,
                      .shown = lesser(links, ROWS_MOST), .scale = WIDTH / times->end_s[steps - 1],
                      .left = rwa_network_node_name(net, 0) ? NAMES : NUMBERS};
    rwa_status st = RWA_OK;
    TRY(base_new(g.rows, links, err));
    for (uint32_t l = 0; l < links; l++)
        g.rows[l].link = l;
    if (g.shown < links)
        TRY(sort_rows(&g, err));
    open_drawing(&g, title);
    add_names(&g);
    for (uint32_t s = 0; s < steps; s++)
        add_background(&g, s);
    for (uint32_t s = 0; s < steps; s++) {
        TRY(take_step(&g, s, err));
        add_sending(&g, s);
    }
    add_axis(&g, times->end_s[steps - 1]);
    text_add(t, "</svg>\n");
done:
    raster_free(&g.raster);
    free(g.rows);
    return st;
}
