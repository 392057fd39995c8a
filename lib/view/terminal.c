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

/** What is shown; of a grid its columns and rows, and how many links and channels share a character. */
struct terminal {
    struct text *t;
    const rwa_schedule *sched;
    const rwa_network *net;
    const rwa_view_options *o;
    struct view_times times;
    struct arena memory;
    struct raster r;            /* of the step shown last */
    uint32_t cell;              /* characters of a link */
    uint32_t columns, rows;     /* of buckets where something is shared */
    bool exact;                 /* each link and each channel has a place of its own */
    bool table;                 /* a row for each link, a column for each channel; else the other way round */
};

/** Choose how grids are laid out, and store it in v.  On networks other than rings and lines, if all channels of all
 *  links have space: as a table of links and channels.  Otherwise as a grid, in which a character stands for several
 *  links or channels where space is short. */
static void plan_grids(struct terminal *v)
{
    uint32_t width = v->o->columns - LABEL - 1, links = network_links_each_way(v->net),
             channels = raster_channels(v->net), sides = raster_sides(v->net);
    v->table = sides == 1 && links <= ROWS_MOST && channels <= (v->o->columns - LINK_LABEL - 1) / CELL_MOST;
    v->columns = v->table ? channels : lesser(links, width);
    v->rows = v->table ? links : channels < ROWS_MOST ? channels : 32;
    v->exact = v->table || (links <= width && v->rows == channels && sides == 2);
    v->cell = v->exact ? lesser(width / links, CELL_MOST) : 1;
    assert(v->columns > 0 && v->rows > 0 && (v->table || v->cell > 0));
}

static void add_shade(const struct terminal *v, double density)
{
    static const char *const plain[] = {".", "-", "+", "#", "@"}, *const blocks[] = {"·", "░", "▒", "▓", "█"};
    int level = density <= 0 ? 0 : density < 1.0 / 3 ? 1 : density < 2.0 / 3 ? 2 : density < 1 ? 3 : 4;
    text_add(v->t, "%s", (v->o->ascii ? plain : blocks)[level]);
}

/* ---- the overview ---- */

static void add_step_line(const struct terminal *v, uint32_t step, uint64_t cells)
{
    double share = (double)v->r.busy / (double)cells;
    size_t full = (size_t)(share * BAR + 0.5);
    assert(full <= BAR);
    text_add(v->t, "%5u %10zu  ", step, v->r.count);
    text_repeat(v->t, v->o->ascii ? "#" : "█", full);
    text_repeat(v->t, v->o->ascii ? "." : "░", BAR - full);
    text_add(v->t, " %5.1f %% %9" PRIu64 " %8u\n", 100 * share, cells - v->r.busy, v->r.longest_hops);
}

/** Add the number of busy channels of each link in one step to load[]. */
static void add_loads(uint64_t *load, const struct raster *r)
{
    for (uint32_t k = 0; k < r->sides * r->links; k++)
        load[k] += (uint64_t)(r->channels * raster_density(r, k / r->links, 0, 1, k % r->links, r->links) + 0.5);
}

static void add_heat_row(const struct terminal *v, uint32_t side, const uint64_t *load, uint64_t most)
{
    uint32_t links = v->r.links, columns = lesser(links, v->o->columns - LABEL - 1);
    assert(most > 0 && columns > 0);
    text_add(v->t, "%*s ", LABEL - 1, v->r.sides == 1 ? "link" : side == RWA_CW ? "cw" : "ccw");
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t from = raster_bucket(i, columns, links), to = raster_bucket(i + 1, columns, links);
        uint64_t sum = 0;
        for (uint32_t l = from; l < to; l++)
            sum += load[side * links + l];
        add_shade(v, (double)sum / ((double)most * (to - from)));
    }
    text_add(v->t, "\n");
}

static rwa_status add_overview(struct terminal *v)
{
    uint32_t steps = rwa_schedule_steps(v->sched), longest = 0, sides = raster_sides(v->net), *epoch = v->times.epoch;
    uint64_t *load, busy = 0, of_step = raster_cells(v->net), cells = of_step * steps;
    MUST(arena_arrays(&v->memory, (size_t)network_links_each_way(v->net) * sides, load));
    text_add(v->t, "\n step lightpaths  %-*s              idle  longest\n", BAR, "busy channels");
    for (uint32_t s = 1; s <= steps; s++) {
        MUST(raster_draw(&v->r, v->sched, s, v->memory.err));
        add_loads(load, &v->r);
        busy += v->r.busy;
        RAISE(longest, v->r.longest_hops);
        if (s <= STEPS_LISTED && epoch && (s == 1 || epoch[s - 1] > epoch[s - 2]))
            text_add(v->t, "epoch %u\n", epoch[s - 1]);
        if (s <= STEPS_LISTED)
            add_step_line(v, s, of_step);
    }
    if (steps > STEPS_LISTED)
        text_add(v->t, "  ... %u more steps\n", steps - STEPS_LISTED);
    text_add(v->t, "\n%.1f %% of all channels busy, %" PRIu64 " idle; longest lightpath %u hop%s\n",
             100.0 * (double)busy / (double)cells, cells - busy, longest, plural(longest));
    text_add(v->t, "busy by link, over all steps:\n");
    for (uint32_t side = 0; side < sides; side++)
        add_heat_row(v, side, load, (uint64_t)v->r.channels * steps);
    return RWA_OK;
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

/** Return character k of a lightpath that is drawn as a run of characters.  tap: there a node receives the lightpath in
 *  passing; ascii: return ASCII */
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

/** Draw a link of lightpath `path`: `count` characters, from number `from` on, of the run of characters that stands for
 *  the lightpath.  `node` is the end of the link that the lightpath reaches; it may be a tap. */
static void add_link(const struct terminal *v, const struct run *run, uint32_t from, uint32_t count,
                     const struct walk *path, uint32_t node)
{
    if (v->o->color)
        view_start_color(v->t, path->lp.block);
    for (uint32_t k = from; k < from + count; k++)
        if (k >= run->from && k < run->from + run->length)
            text_add_bytes(v->t, &run->block[k - run->from], 1);
        else
            text_add(v->t, "%s", sign_of(run, k, k == (run->cw ? from + count - 1 : from) && walk_is_tap(path, node),
                                         v->o->ascii));
    text_add(v->t, "%s", v->o->color ? "\033[0m" : "");
}

static void add_idle(const struct terminal *v, uint32_t width)
{
    assert(width > 0);
    text_repeat(v->t, " ", (width - 1) / 2);
    text_add(v->t, "%s", v->o->ascii ? "." : "·");
    text_repeat(v->t, " ", width / 2);
}

/** Draw a row of the grid: the lightpaths of one direction and channel, each with its block number. */
static void add_exact_row(const struct terminal *v, rwa_direction dir, uint32_t channel)
{
    const struct raster *r = &v->r;
    for (uint32_t l = 0; l < r->links; l++) {
        const struct walk *w = raster_at(r, dir, channel, l);
        if (!w) {
            add_idle(v, v->cell);
            continue;
        }
        uint32_t first = raster_first_link(&w->lp), at = l >= first ? l - first : l + r->links - first;
        uint32_t hops = walk_hops(w), seam = lesser(r->links - first, hops);
        uint32_t begin = hops - seam > seam ? seam : 0, end = begin > 0 ? hops : seam;
        struct run run = run_of(&w->lp, hops * v->cell);
        run.cw = dir == RWA_CW;
        /* the number is in the longer part of a lightpath that the border divides, and there between two receivers */
        raster_widest_unread(w, &begin, &end);
        uint32_t space = (end - begin) * v->cell;
        if (space >= run.length + 2)
            run.from = begin * v->cell + (space - run.length) / 2;
        add_link(v, &run, at * v->cell, v->cell, w, run.cw ? (l + 1) % rwa_network_nodes(v->net) : l);
    }
}

static void add_shaded_row(const struct terminal *v, uint32_t side, uint32_t row)
{
    for (uint32_t i = 0; i < v->columns; i++) {
        double density = raster_density(&v->r, side, row, v->rows, i, v->columns);
        if (v->o->color)
            text_add(v->t, "\033[48;5;%um \033[0m", 232 + (unsigned)(density * 23));
        else
            add_shade(v, density);
    }
}

/** Add `label` and, above the columns of a grid, the link numbers, as many as fit. */
static void add_ruler(const struct terminal *v, const char *label)
{
    uint32_t at = 0;
    text_add(v->t, "%-*s", LABEL, label);
    for (uint32_t i = 0; i < v->columns; i++) {
        char number[16];
        uint32_t length = (uint32_t)snprintf(number, sizeof number, "%u", raster_bucket(i, v->columns, v->r.links));
        uint32_t column = i * v->cell + (v->cell - 1) / 2;
        if (column < at || column + length > v->columns * v->cell)
            continue;
        text_repeat(v->t, " ", column - at);
        text_add(v->t, "%s ", number);
        at = column + length + 1;
    }
    text_add(v->t, "\n");
}

static void add_side(const struct terminal *v, uint32_t side)
{
    add_ruler(v, v->r.sides == 1 ? "     link" : side == RWA_CW ? "cw  link" : "ccw link");
    for (uint32_t row = 0; row < v->rows; row++) {
        text_add(v->t, "%*s ", LABEL - 1,
                 view_name_channel(v->net, raster_bucket(row, v->rows, v->r.channels), " ").text);
        if (v->exact)
            add_exact_row(v, (rwa_direction)side, row);
        else
            add_shaded_row(v, side, row);
        text_add(v->t, "\n");
    }
}

/** Add the table cell of a channel on a link: the block number of the lightpath there, with marks if the lightpath
 *  begins or ends on this link. */
static void add_table_cell(const struct terminal *v, uint32_t channel, uint32_t link)
{
    const struct walk *w = raster_at(&v->r, 0, channel, link);
    rwa_link ends = rwa_network_link(v->net, link);
    if (!w && channel >= ends.fibers * rwa_network_wavelengths(v->net)) {
        text_repeat(v->t, " ", CELL_MOST);     /* a fibre that this link does not have */
        return;
    }
    if (!w) {
        add_idle(v, CELL_MOST);
        return;
    }
    struct run run = run_of(&w->lp, CELL_MOST - 1);
    run.begins = w->lp.src == ends.from;
    run.ends = w->lp.dst == ends.to;
    if (run.length + 2 <= run.characters)
        run.from = 1 + (run.characters - 2 - run.length) / 2;
    add_link(v, &run, 0, run.characters, w, ends.to);
    text_add(v->t, " ");
}

static void add_link_table(const struct terminal *v)
{
    text_add(v->t, "%*s", LINK_LABEL, "link    ");
    for (uint32_t c = 0; c < v->columns; c++)
        text_add(v->t, " %-*s", CELL_MOST - 1, view_name_channel(v->net, c, "").text);
    text_add(v->t, "\n");
    for (uint32_t l = 0; l < v->rows; l++) {
        rwa_link ends = rwa_network_link(v->net, l);
        text_add(v->t, "%5u > %-*u", ends.from, LINK_LABEL - 8, ends.to);
        for (uint32_t c = 0; c < v->columns; c++)
            add_table_cell(v, c, l);
        text_add(v->t, "\n");
    }
}

static rwa_status add_grid(struct terminal *v, uint32_t step)
{
    MUST(raster_draw(&v->r, v->sched, step, v->memory.err));
    text_add(v->t, "\nstep %u: %zu lightpaths, %.1f %% of the channels busy", step, v->r.count,
             100.0 * (double)v->r.busy / (double)raster_cells(v->net));
    view_add_times(v->t, step, &v->times);
    text_add(v->t, "\n");
    for (uint32_t side = 0; side < v->r.sides && !v->table; side++)
        add_side(v, side);
    if (v->table)
        add_link_table(v);
    return RWA_OK;
}

/** If the collective is an all-to-all, explain how its blocks, one for each pair of nodes, are numbered. */
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

/** List the names of the nodes in lines of at most `columns` characters, since the grid shows their numbers. */
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

static void add_legend(const struct terminal *v)
{
    if (v->exact) {
        text_add(v->t, "\nA run is a lightpath, from its source to its arrow, with the number of its\n"
                       "block; a dot is an idle channel.\n");
        if (rwa_schedule_lightpath_blocks(v->sched) > 1)
            text_add(v->t, "A lightpath carries up to %u blocks, of which it shows the first.\n",
                     rwa_schedule_lightpath_blocks(v->sched));
        if (rwa_schedule_receivers(v->sched) > 1)
            text_add(v->t, "A %s is where a node reads it on its way: the one its link leads to.\n",
                     v->o->ascii ? "+" : "┬");
        add_names(v->t, v->net, v->o->columns);
    } else if (v->columns == v->r.links && v->rows == v->r.channels) {
        text_add(v->t, "\nEach character stands for a channel of a link, dark where it is busy; single\n"
                       "lightpaths are left out (follow one by its node or block).\n");
    } else {
        text_add(v->t, "\nEach character stands for about %.1f links x %.1f channels, darker where more\n"
                       "are busy; single lightpaths are left out (follow one by its node or block).\n",
                 (double)v->r.links / v->columns, (double)v->r.channels / v->rows);
    }
    add_pairs(v->t, v->sched);
}

/** Add the grid of the step that the options name; if they name none, add the grids of the first steps, as many as are
 *  easy to read. */
static rwa_status add_grids(struct terminal *v)
{
    uint32_t only = v->o->step, steps = rwa_schedule_steps(v->sched), from = only ? only : 1, to = only ? only : steps;
    if (!only)
        LOWER(to, ROWS_UNASKED / (v->table ? v->rows + 3 : raster_sides(v->net) * (v->rows + 1) + 2));
    for (uint32_t s = from; s <= to; s++)
        MUST(add_grid(v, s));
    if (from <= to)
        add_legend(v);
    if (!only && to < steps)
        text_add(v->t, "\n%u grid%s left out; set a step to draw its grid.\n", steps - to,
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
    struct terminal v = {.t = &t, .sched = sched, .net = rwa_schedule_network(sched), .o = &o, .memory.err = err};
    rwa_status st = RWA_OK;
    TRY(view_take_options(&o, sched, opts, err));
    TRY(view_time(&v.times, sched, o.cost, o.rate_bps, &v.memory));
    add_heading(&t, sched, &o);
    add_failures(&t, v.net);
    if (o.node != RWA_NO_INDEX)
        TRY(view_follow_node(&t, sched, &o, &v.times));
    if (o.block != RWA_NO_INDEX)
        TRY(view_follow_block(&t, sched, &o));
    if (o.node == RWA_NO_INDEX && o.block == RWA_NO_INDEX) {
        TRY(view_needs_links(sched, err));
        if (!o.step)
            TRY(add_overview(&v));
        plan_grids(&v);
        TRY(add_grids(&v));
    }
    st = text_finish(&t, text);
done:
    free(t.data);
    raster_free(&v.r);
    arena_free(&v.memory);
    return st;
}
