/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Explain a plan in words and small drawings: the task, and the steps of one block. */
#include "base/arena.h"
#include "plan/plan.h"

#include "base/text.h"
#include "collective/needs.h"
#include "cost/cost.h"
#include "schedule/schedule.h"
#include "schedule/raster.h"

/** NODES_DRAWN: networks with more nodes are not drawn, since they do not fit a line.  HOPS_LISTED: lists are cut after
 * this many entries. */
enum { NODES_DRAWN = 64, HOPS_LISTED = 12 };

struct explainer {
    struct arena memory;        /* of the arrays */
    struct text *t;
    const rwa_plan *plan;
    const rwa_plan_report *s;
    const rwa_schedule *sched;
    const rwa_network *net;
    const rwa_collective *coll;
    uint32_t nodes;
    uint64_t block;             /* the block that is followed */
    bool summed;                /* its contributions are added up, and copies of the sum go out */
    uint32_t owner;             /* the node where it begins */
    double cells;               /* channels of all links; 0: not counted */
    double *begin_s, *end_s;    /* of each step in the models `circuit` and `overlap`; NULL in the others */
    uint32_t *epoch;            /* of each step in the model `circuit`; NULL in the others */
    uint32_t *after;            /* of each step: cost_conflicts(); NULL: as begin_s */
    rwa_lightpath *raises;
};

/* ---- the task ---- */

static const char *const tasks[] = {
    [RWA_ALL_GATHER] = "Every node has blocks of its own, and in the end every node holds all",
    [RWA_ALL_REDUCE] = "Every node has a vector, and in the end every node holds the sum of all",
    [RWA_REDUCE_SCATTER] = "Every node has a vector, and in the end each owner holds its part of the sum",
    [RWA_BROADCAST] = "One node sends its blocks to every other node",
    [RWA_SCATTER] = "One node sends each other node its own block",
    [RWA_GATHER] = "One node collects the blocks of all",
    [RWA_ROOTED_REDUCE] = "Every node has a vector, and in the end one node holds the sum of all",
    [RWA_ALL_TO_ALL] = "Every node has a block for each other node",
};

static void explain_task(const struct explainer *w)
{
    text_add(w->t, "%s: %" PRIu64 " blocks in all.\n", tasks[w->coll->kind], w->coll->blocks);
}

/** If the scheme plans the time-reversed collective, write that into the explanation (w->t). */
static void explain_reversal(const struct explainer *w)
{
    rwa_collective_kind kind = w->coll->kind, forwards = forward_kind(kind);
    size_t i = base_find_name(rwa_scheme_name, w->s->scheme);
    if (i == SIZE_MAX || is_composite_name(rwa_schedule_scheme(w->sched)) || forwards == kind ||
        (schemes[i]->collectives >> kind & 1))
        return;
    text_add(w->t, "Planned as %s and run backwards%s.\n", rwa_collective_name(forwards),
             kind == RWA_ALL_REDUCE ? ", then forwards" : "");
}

/* ---- the steps of a block ---- */

/** Return the block whose route is explained.
 * @param[out] owner  the node where the block starts; in reductions, the node to which it belongs */
static uint64_t choose_block(const struct explainer *w, uint32_t *owner)
{
    const rwa_collective *c = w->coll;
    const uint32_t *members = rwa_schedule_members(w->sched);
    bool one = c->kind == RWA_SCATTER || c->kind == RWA_GATHER,
         from_root = c->kind == RWA_SCATTER || c->kind == RWA_BROADCAST;
    uint64_t block = c->kind == RWA_ALL_TO_ALL ? collective_parts(c) : 0;
    while (one && block + 1 < c->blocks && rwa_collective_owner(c, block) == c->root)
        block++;
    uint32_t place = from_root ? c->root : rwa_collective_owner(c, block);
    assert(place < c->nodes && block < c->blocks);
    *owner = base_mapped(members, place);
    return block;
}

static bool adds_up(const struct explainer *w)
{
    return rwa_collective_is_reduction(w->coll->kind);
}

/** Return the distance of a node from the owner of the block, clockwise positive; on a ring in the shorter
 * direction. */
static long offset_of(const struct explainer *w, uint32_t node, uint32_t owner)
{
    long d = (long)node - (long)owner, n = (long)w->nodes;
    if (!network_is_cycle(w->net))
        return d;
    d = (d % n + n) % n;
    return d > n / 2 ? d - n : d;
}

static void draw_nodes(const struct explainer *w, const uint8_t *state)
{
    text_add(w->t, "    ");
    bool ring = network_is_cycle(w->net);
    for (uint32_t v = 0; v < w->nodes; v++) {
        /* on a ring, the owner in the middle */
        uint32_t node = ring ? (v + w->nodes / 2 + 1 + w->owner) % w->nodes : v;
        text_add(w->t, "%s", state[node] == 1 ? "#" : state[node] == 2 ? "*" : ".");
    }
    text_add(w->t, "\n");
}

/** Append a node to `hops`: on rings and lines its distance from the block's owner (0: the owner itself), else its
 * number and name. */
static void add_place(const struct explainer *w, struct text *hops, uint32_t node)
{
    char name[NODE_TEXT];
    long offset = offset_of(w, node, w->owner);
    if (network_has_arcs(w->net))
        text_add(hops, offset == 0 ? "%ld" : "%+ld", offset);
    else
        text_add(hops, "%s", network_node_text(name, w->net, node));
}

/** Append to `hops` source, destination and taps of lightpath `lp`; on networks that list links also the nodes
 * between. */
static void add_hop(const struct explainer *w, struct text *hops, const rwa_lightpath *lp, const rwa_lists *lists)
{
    add_place(w, hops, lp->src);
    text_add(hops, " to ");
    add_place(w, hops, lp->dst);
    for (uint32_t k = 1; k + 1 < lists->path_nodes; k++)
        text_add(hops, "%s%u", k == 1 ? " by " : "-", lists->path[k]);
    for (uint32_t i = 0; i < lists->tap_count; i++) {
        text_add(hops, "%s ", i == 0 ? " (tapped at" : "");
        add_place(w, hops, lists->taps[i]);
        text_add(hops, "%s", i + 1 == lists->tap_count ? ")" : "");
    }
}

/** What is counted of the lightpaths of a step. */
struct step_figures {
    struct text hops;           /* of the block that is followed */
    uint64_t found;             /* number of lightpaths that carry it */
    uint64_t cells, count;      /* of all lightpaths */
};

/** Count the lightpaths of a step (f->count), and list those that carry the explained block (f->hops).  In state[],
 * each node that receives the block gets the value 2 (1: it has the block, 0: it has not). */
static rwa_status follow_block(struct step_figures *f, struct explainer *w, uint32_t step, uint8_t *state,
                               rwa_error *err)
{
    uint32_t *words = NULL;
    rwa_status st = RWA_OK;
    for (struct walk at = walk_step(w->sched, step); walk_next(&at); f->count++) {
        rwa_lists lists;
        if (at.turn == 0)
            f->cells += (uint64_t)at.whole.orbit * walk_hops(&at);
        if (!walk_carries(&at, w->block))
            continue;
        TRY(walk_lists(&lists, &words, &at, err));
        if (f->found++ < HOPS_LISTED) {
            text_add(&f->hops, f->found > 1 ? ", " : " ");
            add_hop(w, &f->hops, &at.lp, &lists);
        }
        if (at.lp.op == RWA_COPY && adds_up(w) && !w->summed) {     /* from here on it shows who has the sum */
            w->summed = true;
            memset(state, 0, w->nodes);
        }
        if (w->summed && !state[at.lp.src])
            state[at.lp.src] = 1;
        state[at.lp.dst] = 2;
        for (uint32_t i = 0; i < lists.tap_count; i++)
            state[lists.taps[i]] = 2;
    }
done:
    free(words);
    return st;
}

/** Return the earlier step that must end before the lightpaths of `step` are set up, since they reuse its channels or
 * micro-rings.  0: there is none, or the step before `step` had to wait for the same one. */
static uint32_t conflict_of(const struct explainer *w, uint32_t step)
{
    return step > 1 && w->after[step - 1] > w->after[step - 2] ? w->after[step - 1] : 0;
}

/** Write into the explanation (w->t) why the lightpaths of the step cannot be set up earlier. */
static void explain_conflict(const struct explainer *w, uint32_t step)
{
    const rwa_lightpath *lp = &w->raises[step - 1];
    uint32_t before = conflict_of(w, step);
    char ends[2][NODE_TEXT];
    bool fits = before == 0 || (w->epoch && w->epoch[before - 1] < w->epoch[step - 2]);
    if (step == 1 || fits)
        text_add(w->t, "%s.\n",
                 step == 1 ? "the first lightpaths are tuned" : "a failure or optical power ends the one before");
    else
        text_add(w->t, "the lightpath from %s to %s replaces one of step %u.\n",
                 network_node_text(ends[0], w->net, lp->src), network_node_text(ends[1], w->net, lp->dst), before);
}

/** If an epoch begins with the step (model `circuit`), write into the explanation (w->t) why.  If the step waits for a
 * reconfiguration after an earlier step (model `overlap`), write after which one, and why.  Otherwise write nothing. */
static void explain_epoch(const struct explainer *w, uint32_t step)
{
    double alpha_s = w->plan->cost.alpha_s, before_s = w->begin_s && step > 1 ? w->end_s[step - 2] : 0;
    if (w->epoch && (step == 1 || w->epoch[step - 1] > w->epoch[step - 2])) {
        text_add(w->t, "    Epoch %u begins: ", w->epoch[step - 1]);
        explain_conflict(w, step);
    } else if (w->begin_s && !w->epoch && conflict_of(w, step) > 0 &&
               w->begin_s[step - 1] > (before_s + alpha_s) * (1 + 1e-12)) {
        text_add(w->t, "    Waits for a reconfiguration after step %u: ", conflict_of(w, step));
        explain_conflict(w, step);
    }
}

static rwa_status explain_step(struct explainer *w, uint32_t step, uint8_t *state, bool shown, rwa_error *err)
{
    struct step_figures f = {.hops.err = w->t->err};
    rwa_status st = follow_block(&f, w, step, state, err);
    if (shown && st == RWA_OK) {
        const char *idle = f.count > 0 ? " does not move, others do" : " does not move";
        text_add(w->t, "\nStep %u: %sblock %" PRIu64 "%s%s%s\n", step, w->summed ? "the sum of " : "", w->block,
                 f.found ? " goes" : idle, f.found ? f.hops.data : "", f.found > HOPS_LISTED ? ", ..." : "");
        if (w->nodes <= NODES_DRAWN)
            draw_nodes(w, state);
        text_add(w->t, "    %" PRIu64 " lightpath%s", f.count, plural(f.count));
        if (w->cells > 0)
            text_add(w->t, ", %.0f %% of all channels busy", 100.0 * (double)f.cells / w->cells);
        if (w->begin_s) /* some steps share a reconfiguration, or overlap with one: the times say how far */
            text_add(w->t, ", %.6g to %.6g us", 1e6 * w->begin_s[step - 1], 1e6 * w->end_s[step - 1]);
        text_add(w->t, "\n");
        explain_epoch(w, step);
    }
    for (uint32_t v = 0; v < w->nodes && w->nodes <= NODES_DRAWN; v++)
        state[v] = state[v] ? 1 : 0;
    text_drop_part(w->t, &f.hops);
    return st;
}

static void explain_signs(const struct explainer *w)
{
    char owner[NODE_TEXT];
    network_node_text(owner, w->net, w->owner);
    text_add(w->t, "\n");
    if (network_has_arcs(w->net))
        text_add(w->t, "Nodes are given by their distances from node %s, the owner of block %" PRIu64 ": + clockwise, "
                 "- counter-clockwise.\n", owner, w->block);
    else
        text_add(w->t, "Block %" PRIu64 " %s node %s.\n", w->block, adds_up(w) ? "belongs to" : "begins at", owner);
    if (w->nodes > NODES_DRAWN)
        return;
    text_add(w->t, "A column of the drawing is a node");
    if (network_is_cycle(w->net))
        text_add(w->t, ", clockwise to the right, the owner in column %u", (w->nodes + 1) / 2);
    text_add(w->t, ".\n%s.\n",
             adds_up(w) ? "# holds contributions of others, * receives some, . has only its own"
                        : "# holds the block (before step 1 only the owner), * receives it, . does not have it yet");
    if (w->coll->kind == RWA_ALL_REDUCE)
        text_add(w->t, "Where the sum goes: # holds it, * receives it, . does not have it yet.\n");
}

/** Write into the explanation (w->t) the route of one block, step by step.  On rings and lines, nodes are given by
 * their distance from the block's owner.
 * @param only  the step to explain; 0: all steps */
static rwa_status explain_block(struct explainer *w, size_t only, rwa_error *err)
{
    uint8_t *state;
    MUST(base_new(state, w->nodes, err));
    rwa_status st = RWA_OK;
    state[w->owner] = !adds_up(w);
    explain_signs(w);
    for (uint32_t step = 1; step <= rwa_schedule_steps(w->sched) && st == RWA_OK; step++)
        st = explain_step(w, step, state, !only || only == step, err);
    free(state);
    return st;
}

static rwa_status time_steps(struct explainer *w, rwa_error *err)
{
    const rwa_cost_options *cost = &w->plan->cost;
    size_t steps = rwa_schedule_steps(w->sched);
    if (cost->struct_size == 0 || cost->model == RWA_COST_PAPER)
        return RWA_OK;
    MUST(arena_arrays(&w->memory, steps + 1, w->begin_s, w->end_s, w->after, w->raises));
    MUST(rwa_cost_step_times(NULL, w->begin_s, w->end_s, w->sched, 0, cost, err));
    if (cost->model == RWA_COST_CIRCUIT) {
        MUST(arena_arrays(&w->memory, steps + 1, w->epoch));
        MUST(rwa_cost_epochs(w->epoch, w->sched, cost, err));
    }
    return cost_conflicts(w->after, w->raises, w->sched, err);
}

rwa_status rwa_plan_explain(char **text, const rwa_plan *plan, size_t stage, rwa_error *err)
{
    BEGIN_NEW(text, err, plan);
    struct text t = {.err = err};
    const rwa_schedule *sched = plan->schedule;
    rwa_status st = RWA_OK;
    if (!sched)
        return base_refuse(err, "there is no plan to explain: %s", plan->summary.why);
    struct explainer w = {.memory = {.err = err},
                          .t = &t,
                          .plan = plan,
                          .s = &plan->summary,
                          .sched = sched,
                          .net = rwa_schedule_network(sched),
                          .coll = rwa_schedule_collective(sched)};
    w.nodes = rwa_network_nodes(w.net);
    w.block = choose_block(&w, &w.owner);
    w.cells = (double)raster_cells(w.net);
    TRY(time_steps(&w, err));
    if (stage > w.s->steps)
        TRY(base_refuse(err, "stage %zu: expected 1 to %u", stage, w.s->steps));
    if (!stage) {
        explain_task(&w);
        explain_reversal(&w);
    }
    TRY(explain_block(&w, stage, err));
    st = text_finish(&t, text);
done:
    free(t.data);
    arena_free(&w.memory);
    return st;
}
