/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Shows schedules in characters: an overview, and grids whose rows are wavelengths and whose columns are links. */
#include "base/arithmetic.h"
#include "network/network.h"
#include "schedule/raster.h"
#include "view/view.h"

#include "collective/needs.h"

/** LABEL: columns before a row.  ROWS_UNASKED: the most rows, in all grids together, of steps that the caller did not
 *  choose. */
enum {
    LABEL = 10,
    LINK_LABEL = 14,
    CELL_MOST = 6,
    ROWS_UNASKED = 160,
    ROWS_MOST = 128,
    BAR = 24,
    STEPS_LISTED = 40,
    NODES_LISTED = 64
};

static const char *side_name(uint32_t sides, uint32_t side)
{
    return sides == 1 ? "link" : side == RWA_CW ? "cw" : "ccw";
}

/** The columns and rows of a grid, and how many links and channels share a character. */
struct frame {
    uint32_t cell;              /* characters of a link; 0: several links share one character */
    uint32_t columns, rows;     /* of buckets where something is shared */
    bool exact;                 /* each link and each channel has a place of its own */
    bool table;                 /* a row for each link, a column for each channel; else the other way round */
};

/** Tell whether a network whose consecutive links are not neighbours is shown as a table of links and channels, which
 *  needs space for the whole table. */
static bool fits_table(const rwa_network *net, const rwa_view_options *o)
{
    return raster_sides(net) == 1 && network_links_each_way(net) <= ROWS_MOST
        && raster_channels(net) <= (o->columns - LINK_LABEL - 1) / CELL_MOST;
}

static struct frame frame_of(const rwa_network *net, const rwa_view_options *o)
{
    uint32_t width = o->columns - LABEL - 1, links = network_links_each_way(net);
    uint32_t channels = raster_channels(net);
    struct frame f = {.cell = width / links,
                      .columns = links < width ? links : width,
                      .rows = channels < ROWS_MOST ? channels : 32};
    if (fits_table(net, o))
        return (struct frame){.cell = CELL_MOST, .columns = channels, .rows = links, .exact = true, .table = true};
    LOWER(f.cell, CELL_MOST);
    f.exact = f.cell > 0 && f.rows == channels && raster_sides(net) == 2;
    if (!f.exact)
        f.cell = 1;
    assert(f.cell > 0 && f.columns > 0 && f.rows > 0);
    return f;
}

static const char *shade(double density, bool ascii)
{
    static const char *const plain[] = {".", "-", "+", "#", "@"}, *const blocks[] = {"·", "░", "▒", "▓", "█"};
    int level = density <= 0 ? 0 : density < 1.0 / 3 ? 1 : density < 2.0 / 3 ? 2 : density < 1 ? 3 : 4;
    return ascii ? plain[level] : blocks[level];
}

/* ---- the overview ---- */

static void add_bar(struct text *t, double share, const rwa_view_options *o)
{
    size_t full = (size_t)(share * BAR + 0.5);
    assert(full <= BAR);
    text_repeat(t, o->ascii ? "#" : "█", full);
    text_repeat(t, o->ascii ? "." : "░", BAR - full);
}

static void add_step_line(struct text *t, uint32_t step, const struct raster *r, uint64_t cells,
                          const rwa_view_options *o)
{
    double share = (double)r->busy / (double)cells;
    text_add(t, "%5u %10zu  ", step, r->count);
    add_bar(t, share, o);
    text_add(t, " %5.1f %% %9" PRIu64 " %8u\n", 100 * share, cells - r->busy, r->longest_hops);
}

/** Add to load[] the number of busy channels of each link in one step. */
static void add_loads(uint64_t *load, const struct raster *r)
{
    for (uint32_t k = 0; k < r->sides * r->links; k++)
        load[k] += (uint64_t)(r->channels * raster_density(r, k / r->links, 0, 1, k % r->links, r->links) + 0.5);
}

static void add_heat_row(struct text *t, const char *label, const uint64_t *load, uint64_t most, uint32_t links,
                         const rwa_view_options *o)
{
    uint32_t width = o->columns - LABEL - 1, columns = links < width ? links : width;
    assert(most > 0 && columns > 0);
    text_add(t, "%*s ", LABEL - 1, label);
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t from = raster_bucket(i, columns, links), to = raster_bucket(i + 1, columns, links);
        uint64_t sum = 0;
        for (uint32_t l = from; l < to; l++)
            sum += load[l];
        text_add(t, "%s", shade((double)sum / ((double)most * (to - from)), o->ascii));
    }
    text_add(t, "\n");
}

static rwa_status add_overview(struct text *t, const rwa_schedule *sched, const rwa_view_options *o,
                               const struct view_times *times, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    uint32_t links = network_links_each_way(net), steps = rwa_schedule_steps(sched), longest = 0,
             sides = raster_sides(net);
    uint64_t *load, busy = 0, of_step = raster_cells(net), cells = of_step * steps;
    struct raster r = {0};
    rwa_status st = RWA_OK;
    TRY(base_new(load, (size_t)links * sides, err));
    text_add(t, "\n step lightpaths  %-*s              idle  longest\n", BAR, "busy channels");
    for (uint32_t s = 1; s <= steps; s++) {
        TRY(raster_draw(&r, sched, s, err));
        add_loads(load, &r);
        busy += r.busy;
        RAISE(longest, r.longest_hops);
        if (s <= STEPS_LISTED && times->epoch && (s == 1 || times->epoch[s - 1] > times->epoch[s - 2]))
            text_add(t, "epoch %u\n", times->epoch[s - 1]);
        if (s <= STEPS_LISTED)
            add_step_line(t, s, &r, of_step, o);
    }
    if (steps > STEPS_LISTED)
        text_add(t, "  ... %u more steps\n", steps - STEPS_LISTED);
    text_add(t, "\n%.1f %% of all channels busy, %" PRIu64 " idle; longest lightpath %u hop%s\n",
             100.0 * (double)busy / (double)cells, cells - busy, longest, plural(longest));
    text_add(t, "busy by link, over all steps:\n");
    for (uint32_t side = 0; side < sides; side++)
        add_heat_row(t, side_name(sides, side), load + (size_t)side * links, (uint64_t)raster_channels(net) * steps,
                     links, o);
done:
    raster_free(&r);
    free(load);
    return st;
}

/* ---- a grid ---- */

/** A lightpath in a row of characters. */
struct run {
    char block[24];
    uint32_t length, from;  /* of the block's number, and where it begins: behind the row if there is no space */
    uint32_t characters;
    bool cw, begins, ends;  /* the row has the source, and the destination, of the lightpath */
};

static struct run run_of(const rwa_lightpath *lp, uint32_t characters)
{
    struct run run = {.characters = characters, .from = characters, .cw = true, .begins = true, .ends = true};
    run.length = (uint32_t)snprintf(run.block, sizeof run.block, "%" PRIu64, lp->block);
    return run;
}

/** Return character k of a run; a tap is a receiver before the end. */
static const char *sign_of(const struct run *run, uint32_t k, bool tap, bool ascii)
{
    uint32_t last = run->characters - 1;
    if (run->ends && k == (run->cw ? last : 0))
        return ascii ? (run->cw ? ">" : "<") : run->cw ? "▶" : "◀";
    if (tap)
        return ascii ? "+" : "┬";
    if (run->begins && k == (run->cw ? 0 : last))
        return ascii ? "|" : run->cw ? "├" : "┤";
    return ascii ? "-" : "─";
}

/** Add a link of a lightpath, which leads it to a node: characters [from, from + count) of its run. */
static void add_link(struct text *t, const struct run *run, uint32_t from, uint32_t count, const struct walk *path,
                     uint32_t node, const rwa_view_options *o)
{
    if (o->color)
        view_start_color(t, path->lp.block);
    for (uint32_t k = from; k < from + count; k++)
        if (k >= run->from && k < run->from + run->length)
            text_add_bytes(t, &run->block[k - run->from], 1);
        else
            text_add(t, "%s", sign_of(run, k, k == (run->cw ? from + count - 1 : from) && walk_is_tap(path, node),
                                      o->ascii));
    text_add(t, "%s", o->color ? "\033[0m" : "");
}

static void add_idle(struct text *t, uint32_t width, const rwa_view_options *o)
{
    assert(width > 0);
    text_repeat(t, " ", (width - 1) / 2);
    text_add(t, "%s", o->ascii ? "." : "·");
    text_repeat(t, " ", width - 1 - (width - 1) / 2);
}

/** Add a row of lightpaths, each with the number of its block: in the longer part if the margin cuts it, and between
 *  two receivers. */
static void add_exact_row(struct text *t, const struct raster *r, rwa_direction dir, uint32_t channel,
                          const struct frame *f, const rwa_network *net, const rwa_view_options *o)
{
    for (uint32_t l = 0; l < r->links; l++) {
        const struct walk *w = raster_at(r, dir, channel, l);
        if (!w) {
            add_idle(t, f->cell, o);
            continue;
        }
        uint32_t first = raster_first_link(&w->lp), at = l >= first ? l - first : l + r->links - first;
        uint32_t hops = walk_hops(w), seam = lesser(r->links - first, hops);
        uint32_t begin = hops - seam > seam ? seam : 0, end = begin > 0 ? hops : seam;
        struct run run = run_of(&w->lp, hops * f->cell);
        run.cw = dir == RWA_CW;
        raster_widest_unread(w, &begin, &end);
        uint32_t space = (end - begin) * f->cell;
        if (space >= run.length + 2)
            run.from = begin * f->cell + (space - run.length) / 2;
        add_link(t, &run, at * f->cell, f->cell, w, run.cw ? (l + 1) % rwa_network_nodes(net) : l, o);
    }
}

static void add_shaded_row(struct text *t, const struct raster *r, uint32_t side, uint32_t row,
                           const struct frame *f, const rwa_view_options *o)
{
    for (uint32_t i = 0; i < f->columns; i++) {
        double density = raster_density(r, side, row, f->rows, i, f->columns);
        if (o->color)
            text_add(t, "\033[48;5;%um \033[0m", 232 + (unsigned)(density * 23));
        else
            text_add(t, "%s", shade(density, o->ascii));
    }
}

/** Add the link numbers above the columns of a grid, as many as fit. */
static void add_ruler(struct text *t, const char *label, const struct frame *f, uint32_t links)
{
    uint32_t at = 0;
    text_add(t, "%-*s", LABEL, label);
    for (uint32_t i = 0; i < f->columns; i++) {
        char number[16];
        uint32_t length = (uint32_t)snprintf(number, sizeof number, "%u", raster_bucket(i, f->columns, links));
        uint32_t column = i * f->cell + (f->exact ? (f->cell - 1) / 2 : 0);
        if (column < at || column + length > f->columns * f->cell)
            continue;
        text_repeat(t, " ", column - at);
        text_add(t, "%s", number);
        at = column + length;
        text_add(t, " ");
        at++;
    }
    text_add(t, "\n");
}

static void add_side(struct text *t, const struct raster *r, uint32_t side, const struct frame *f,
                     const rwa_network *net, const rwa_view_options *o)
{
    add_ruler(t, r->sides == 1 ? "     link" : side == RWA_CW ? "cw  link" : "ccw link", f, r->links);
    for (uint32_t row = 0; row < f->rows; row++) {
        text_add(t, "%*s ", LABEL - 1, view_name_channel(net, raster_bucket(row, f->rows, r->channels), " ").text);
        if (f->exact)
            add_exact_row(t, r, (rwa_direction)side, row, f, net, o);
        else
            add_shaded_row(t, r, side, row, f, o);
        text_add(t, "\n");
    }
}

/** Add the table cell of a channel on a link: the block number of its lightpath, between marks where the lightpath
 *  begins and ends. */
static void add_table_cell(struct text *t, const struct raster *r, const rwa_network *net, uint32_t channel,
                           uint32_t link, const rwa_view_options *o)
{
    const struct walk *w = raster_at(r, 0, channel, link);
    rwa_link ends = rwa_network_link(net, link);
    if (!w && channel >= ends.fibers * rwa_network_wavelengths(net)) {
        text_repeat(t, " ", CELL_MOST);     /* a fibre that this link does not have */
        return;
    }
    if (!w) {
        add_idle(t, CELL_MOST, o);
        return;
    }
    struct run run = run_of(&w->lp, CELL_MOST - 1);
    run.begins = w->lp.src == ends.from;
    run.ends = w->lp.dst == ends.to;
    if (run.length + 2 <= run.characters)
        run.from = 1 + (run.characters - 2 - run.length) / 2;
    add_link(t, &run, 0, run.characters, w, ends.to, o);
    text_add(t, " ");
}

static void add_link_table(struct text *t, const struct raster *r, const struct frame *f, const rwa_network *net,
                           const rwa_view_options *o)
{
    text_add(t, "%*s", LINK_LABEL, "link    ");
    for (uint32_t c = 0; c < f->columns; c++)
        text_add(t, " %-*s", CELL_MOST - 1, view_name_channel(net, c, "").text);
    text_add(t, "\n");
    for (uint32_t l = 0; l < f->rows; l++) {
        rwa_link ends = rwa_network_link(net, l);
        text_add(t, "%5u > %-*u", ends.from, LINK_LABEL - 8, ends.to);
        for (uint32_t c = 0; c < f->columns; c++)
            add_table_cell(t, r, net, c, l, o);
        text_add(t, "\n");
    }
}

static rwa_status add_grid(struct text *t, const rwa_schedule *sched, uint32_t step, const rwa_view_options *o,
                           const struct view_times *times, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    struct frame f = frame_of(net, o);
    struct raster r = {0};
    rwa_status st = RWA_OK;
    TRY(raster_draw(&r, sched, step, err));
    text_add(t, "\nstep %u: %zu lightpaths, %.1f %% of the channels busy", step, r.count,
             100.0 * (double)r.busy / (double)raster_cells(net));
    view_add_times(t, step, times);
    text_add(t, "\n");
    for (uint32_t side = 0; side < r.sides && !f.table; side++)
        add_side(t, &r, side, &f, net, o);
    if (f.table)
        add_link_table(t, &r, &f, net, o);
done:
    raster_free(&r);
    return st;
}

/** Explain the block numbers of an all-to-all, which has a block for every pair of nodes. */
static void add_pairs(struct text *t, const rwa_schedule *sched)
{
    const rwa_collective *coll = rwa_schedule_collective(sched);
    uint64_t parts = collective_parts(coll);
    if (coll->kind != RWA_ALL_TO_ALL)
        return;
    if (parts > 1)
        text_add(t, "Blocks %" PRIu64 " k to %" PRIu64 " k + %" PRIu64 " are the parts of the k-th of these:\n", parts,
                 parts, parts - 1);
    if (rwa_schedule_members(sched))
        text_add(t, "Block %u i + j is what the i-th member has for the j-th, both from 0.\n", coll->nodes);
    else
        text_add(t, "Block %u s + d is what node s has for node d.\n", coll->nodes);
}

/** List the names of the nodes, since the grid shows their numbers. */
static void add_names(struct text *t, const rwa_network *net, uint32_t columns)
{
    uint32_t nodes = rwa_network_nodes(net);
    size_t used = strlen("Nodes:");
    if (nodes > NODES_LISTED || !rwa_network_node_name(net, 0))
        return;
    text_add(t, "Nodes:");
    for (uint32_t v = 0; v < nodes; v++) {
        const char *given = rwa_network_node_name(net, v), *name = given ? given : "-"; /* a file may name some nodes
                                                                                           alone */
        char number[16];
        size_t length = (size_t)snprintf(number, sizeof number, " %u ", v) + strlen(name) + 1;
        bool fits = used + length <= columns;
        text_add(t, "%s%s", fits ? "" : "\n ", number);
        text_add_visible(t, name);
        text_add(t, "%s", v + 1 < nodes ? "," : "\n");
        used = (fits ? used : 1) + length;
    }
}

static void add_legend(struct text *t, const rwa_schedule *sched, const rwa_view_options *o)
{
    const rwa_network *net = rwa_schedule_network(sched);
    struct frame f = frame_of(net, o);
    if (f.exact) {
        text_add(t, "\nA run is a lightpath, from its source to its arrow, with the number of its\nblock; a dot is an "
                    "idle channel.\n");
        if (rwa_schedule_lightpath_blocks(sched) > 1)
            text_add(t, "A lightpath carries up to %u blocks, of which it shows the first.\n",
                     rwa_schedule_lightpath_blocks(sched));
        if (rwa_schedule_receivers(sched) > 1)
            text_add(t, "A %s is where a node reads it on its way: the one its link leads to.\n",
                     o->ascii ? "+" : "┬");
        add_names(t, net, o->columns);
    } else if (f.columns == network_links_each_way(net) && f.rows == raster_channels(net)) {
        text_add(
            t,
            "\nEach character stands for a channel of a link, dark where it is busy; single\nlightpaths are left out "
            "(follow one by its node or block).\n");
    } else {
        text_add(t, "\nEach character stands for about %.1f links x %.1f channels, darker where more\n"
                 "are busy; single lightpaths are left out (follow one by its node or block).\n",
                 (double)network_links_each_way(net) / f.columns, (double)raster_channels(net) / f.rows);
    }
    add_pairs(t, sched);
}

/** Add the grid of the step that the options ask for or, without one, the grids of the first steps as far as they are
 *  easy to read. */
static rwa_status add_grids(struct text *t, const rwa_schedule *sched, const rwa_view_options *o,
                            const struct view_times *times, rwa_error *err)
{
    const rwa_network *net = rwa_schedule_network(sched);
    struct frame f = frame_of(net, o);
    uint32_t steps = rwa_schedule_steps(sched), from = o->step ? o->step : 1, to = o->step ? o->step : steps;
    uint32_t most = ROWS_UNASKED / (f.table ? f.rows + 3 : raster_sides(net) * (f.rows + 1) + 2);
    if (!o->step && to > most)
        to = most;
    for (uint32_t s = from; s <= to; s++)
        MUST(add_grid(t, sched, s, o, times, err));
    if (from <= to)
        add_legend(t, sched, o);
    if (!o->step && to < steps)
        text_add(t, "\n%u grid%s left out; set a step to draw its grid.\n", steps - to,
                 steps - to == 1 ? " is" : "s are");
    return RWA_OK;
}

/** Add the title, with line breaks between words where it is wider than the terminal. */
static void add_heading(struct text *t, const rwa_schedule *sched, const rwa_view_options *o)
{
    size_t start = t->used, last = 0;
    view_title(t, sched, o);
    text_add(t, "\n");
    for (size_t i = start; t->status == RWA_OK && i < t->used; i++) {
        if (i - start > o->columns && last > start) {
            t->data[last] = '\n';
            start = last + 1;
        }
        if (t->data[i] == ' ')
            last = i;
    }
}

static void add_failures(struct text *t, const rwa_network *net)
{
    uint32_t kept = view_kept_steps(net);
    if (!network_has_failed_links(net))
        return;
    text_add(t, "Failed: ");
    view_name_failures(t, net);
    text_add(t, "\n");
    if (kept > 0)
        text_add(t, "Kept from before the failure: step%s 1%s", kept == 1 ? "" : "s", kept == 1 ? "\n" : "");
    if (kept > 1)
        text_add(t, " to %u\n", kept);
}

rwa_status rwa_view_text(char **text, const rwa_schedule *sched, const rwa_view_options *opts, rwa_error *err)
{
    BEGIN_NEW(text, err, sched);
    struct text t = {.err = err};
    rwa_view_options o;
    rwa_status st = RWA_OK;
    struct view_times times = {0};
    TRY(view_take_options(&o, sched, opts, err));
    TRY(view_time(&times, sched, o.cost, o.rate_bps, err));
    add_heading(&t, sched, &o);
    add_failures(&t, rwa_schedule_network(sched));
    if (o.node != RWA_NO_INDEX)
        TRY(view_follow_node(&t, sched, &o, &times));
    if (o.block != RWA_NO_INDEX)
        TRY(view_follow_block(&t, sched, &o, err));
    if (o.node == RWA_NO_INDEX && o.block == RWA_NO_INDEX) {
        TRY(view_needs_links(sched, err));
        if (!o.step)
            TRY(add_overview(&t, sched, &o, &times, err));
        TRY(add_grids(&t, sched, &o, &times, err));
    }
    st = text_finish(&t, text);
    t.data = NULL;
done:
    free(t.data);
    view_drop_times(&times);
    return st;
}
