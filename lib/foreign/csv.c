/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One lightpath a line, orbits written out: for spreadsheets and scripts.  A comment before the heading holds the
 * header of the schedule file, so that import needs nothing else.
 */
#include "foreign/foreign.h"

#include "schedule/header.h"

/** Add the nodes list[] of a record as one field with blanks between them, translated for the current lightpath of the
 *  record's orbit. */
static void add_nodes(struct text *t, const struct walk *w, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        text_put(t, "%s%u", i > 0 ? " " : "", walk_node(w, list[i]));
}

/** Add the blocks of the current lightpath as one field, separated by blanks. */
static void add_blocks(struct text *t, const struct walk *w)
{
    const char *gap = "";
    for (struct carried c = {0}; walk_next_block(&c, w); gap = " ")
        text_put(t, "%s%" PRIu64, gap, c.block);
}

/** Add the line of the current lightpath.  `taps`: the table has a last column for the receivers before the
 *  destination. */
static void add_line(struct text *t, const struct walk *w, bool taps)
{
    const rwa_lightpath *lp = &w->lp;
    const uint32_t ends[2] = {w->whole.src, w->whole.dst};
    const rwa_lists *lists = &w->lists;
    uint32_t hops = walk_hops(w);
    text_put(t, "%u,%u,%u,", lp->step, lp->src, lp->dst);
    if (network_has_arcs(w->sched->net))
        text_put(t, "%s", export_direction(lp->direction));
    else
        add_nodes(t, w, lists->path ? lists->path : ends, hops + 1);
    text_put(t, ",%u,%u,", lp->fiber, lp->wavelength);
    add_blocks(t, w);
    text_put(t, ",%s,%u%s", lp->op == RWA_REDUCE ? "reduce" : "copy", hops, taps ? "," : "");
    add_nodes(t, w, lists->taps, lists->tap_count);
    text_put(t, "\n");
}

static rwa_status put_csv(struct text *t, struct export_request *r)
{
    bool taps = rwa_schedule_receivers(r->sched) > 1;
    struct text header = {.err = r->err};
    header_add(&header, r->sched);
    text_put(t, "# ");
    text_add_part(t, &header);
    text_put(t, "\nstep,src,dst,%s,fiber,wavelength,block,op,hops%s\n", network_has_arcs(r->net) ? "dir" : "path",
             taps ? ",taps" : "");
    for (uint32_t s = r->from; s <= r->to; s++) {
        MUST(export_go_on(r, s));
        for (struct walk w = walk_step(r->sched, s); walk_next(&w);)
            add_line(t, &w, taps);
    }
    return RWA_OK;
}

const struct export_format export_csv = {"csv", put_csv, 0};
