/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "standing": lightpaths that stay up from the first step to the last, the same at every node. */
#include "scheme/own/standing_search.h"

/** A share of a block of node 0 that a jump carries: on the way to `target`, as node `from` passes it on to the node at a place of the
 *  tree. */
struct item {
    uint32_t place, target, from;
};

/** The part of its jump's items that a lightpath carries: so many parts of blocks, the first `skipped` of the first item left out. */
struct slice {
    uint32_t item, skipped, blocks;
};

struct writer {
    struct schedule_sink *sink;
    const struct standing_network *network;
    const struct standing_choice *choice;
    rwa_collective_kind kind;
    bool orbits;                /* one record stands for the lightpaths of all nodes */
    rwa_run *run;               /* scratch: of a lightpath */
    struct item *item;          /* scratch: of a jump in a step */
    uint32_t *path;             /* scratch: nodes */
};

/** On a ring the channels of an orbit move only round one period that begins with channel 0. */
static bool has_orbits(const struct standing_network *network, const struct standing_choice *c)
{
    bool one = !network_has_arcs(network->net) || network->channels / c->jumps.period[0] == 1;
    return network_has_orbits(network->net) && one;
}

/** The place of the node that informs the one at a place. */
static uint32_t place_before(const struct writer *w, uint32_t place)
{
    const struct jumps *jumps = &w->choice->jumps;
    uint32_t v = place % w->network->nodes;
    return place - v + jump_end(w->network, &jumps->list[jumps->list[w->choice->tree.jump[place]].inverse], v);
}

static uint32_t parts_of_share(const struct writer *w)
{
    return (uint32_t)(w->choice->parts / w->choice->tree.shares);
}

/** The items that a jump carries in a step; in an all-to-all that is for all nodes beyond its end. */
static uint32_t list_items(const struct writer *w, size_t jump, uint32_t step)
{
    const struct standing_tree *tree = &w->choice->tree;
    uint32_t count = 0, places = tree->shares * w->network->nodes;
    for (uint32_t i = 0; i < places; i++) {
        uint32_t at = i;
        while (w->kind == RWA_ALL_TO_ALL && tree->step[at] > step)
            at = place_before(w, at);
        if (tree->step[at] == step && tree->jump[at] == jump)
            w->item[count++] = (struct item){at, i % w->network->nodes, place_before(w, at) % w->network->nodes};
    }
    assert(count == tree->count[(size_t)step * w->choice->jumps.count + jump]);
    return count;
}

/** The first part of an item, as it is for the owner whose block `node` passes on as node 0's block is passed on there. */
static uint64_t first_part(const struct writer *w, const struct item *item, uint32_t node)
{
    const struct translations *group = &w->network->group;
    uint64_t block = translations_move(group, node, item->from, 0);
    if (w->kind == RWA_ALL_TO_ALL)
        block = block * w->network->nodes + translations_add(group, (uint32_t)block, item->target);
    return block * w->choice->parts + item->place / w->network->nodes * parts_of_share(w);
}

/** The slice that lightpath k of a jump carries. */
static struct slice slice_of(const struct writer *w, const struct jump *jump, uint32_t items, uint32_t k)
{
    uint64_t parts = parts_of_share(w), all = items * parts;
    uint64_t from = all * k / jump->lightpaths, to = all * (k + 1) / jump->lightpaths;
    return (struct slice){(uint32_t)(from / parts), (uint32_t)(from % parts), (uint32_t)(to - from)};
}

static uint32_t list_runs(const struct writer *w, const struct slice *slice, uint32_t node)
{
    uint32_t runs = 0, parts = parts_of_share(w), skipped = slice->skipped, left = slice->blocks;
    for (const struct item *item = w->item + slice->item; left > 0; item++, skipped = 0) {
        uint32_t count = parts - skipped < left ? parts - skipped : left;
        runs = run_append(w->run, runs, (rwa_run){(uint32_t)(first_part(w, item, node) + skipped), count, 1});
        left -= count;
    }
    return runs;
}

static uint32_t trace(const struct writer *w, const struct jump *jump, uint32_t node, bool back, bool reversed)
{
    const struct link_cycle *c = &w->network->cycle[jump->cycle];
    if (network_has_arcs(w->network->net))
        return 0;
    for (uint32_t i = 0; i <= jump->links; i++, node = back ? c->before[node] : c->next[node])
        w->path[reversed ? jump->links - i : i] = node;
    return jump->links + 1;
}

/** Lightpath k of a jump from a node; reversed: back to it, with contributions to the same blocks. */
static rwa_status push_one(const struct writer *w, const struct jump *jump, const struct slice *slice, uint32_t k, uint32_t node,
                           bool reversed, rwa_error *err)
{
    const rwa_network *net = w->network->net;
    bool back;
    uint32_t channel = jump_channel(w->network, &w->choice->jumps, jump, k, node, &back), end = jump_end(w->network, jump, node);
    rwa_lists lists = {.runs = w->run, .run_count = list_runs(w, slice, node), .block_count = slice->blocks, .path = w->path};
    rwa_lightpath lp = {.step = 1, .src = reversed ? end : node, .dst = reversed ? node : end, .orbit = 1,
                        .fiber = channel / rwa_network_wavelengths(net), .wavelength = channel % rwa_network_wavelengths(net),
                        .op = reversed ? RWA_REDUCE : RWA_COPY};
    lists.path_nodes = trace(w, jump, node, back, reversed);
    lp.block = w->run[0].first;
    lp.direction = back != reversed && network_has_arcs(net) ? RWA_CCW : RWA_CW;
    if (w->orbits) {
        lp.orbit = w->network->nodes;
        lp.period = w->choice->jumps.period[jump->cycle];
    }
    return sink_lightpath(w->sink, &lp, &lists, err);
}

static rwa_status push_step(const struct writer *w, uint32_t step, bool reversed, rwa_error *err)
{
    const struct jumps *jumps = &w->choice->jumps;
    for (size_t j = 0; j < jumps->count; j++) {
        uint32_t items = list_items(w, j, step);
        for (uint32_t k = 0; k < jumps->list[j].lightpaths && items > 0; k++) {
            struct slice slice = slice_of(w, &jumps->list[j], items, k);
            for (uint32_t node = 0; node < (w->orbits ? 1 : w->network->nodes) && slice.blocks > 0; node++)
                MUST(push_one(w, &jumps->list[j], &slice, k, node, reversed, err));
        }
    }
    return sink_end_stage(w->sink, err);
}

static rwa_status push_steps(const struct writer *w, rwa_error *err)
{
    uint32_t steps = w->choice->tree.steps;
    for (uint32_t step = steps; step > 0 && standing_runs_backwards(w->kind); step--)
        MUST(push_step(w, step, true, err));
    for (uint32_t step = 1; step <= steps && w->kind != RWA_REDUCE_SCATTER; step++)
        MUST(push_step(w, step, false, err));
    return RWA_OK;
}

static rwa_status write_choice(struct schedule_sink *sink, const struct standing_network *network, const struct standing_choice *choice,
                               rwa_collective_kind kind, rwa_error *err)
{
    struct arena memory = {.err = err};
    struct writer w = {.sink = sink, .network = network, .choice = choice, .kind = kind, .orbits = has_orbits(network, choice)};
    rwa_status st = RWA_OK;
    arena_new(&memory, w.run, (size_t)choice->tree.shares * network->nodes + 1);
    arena_new(&memory, w.item, (size_t)choice->tree.shares * network->nodes);
    arena_new(&memory, w.path, network->nodes + 1);
    TRY(arena_status(&memory));
    TRY(push_steps(&w, err));
done:
    arena_free(&memory);
    return st;
}

/** What estimate() chose. */
struct standing_draft {
    struct draft draft;         /* first: a draft is one */
    struct standing_network network;
    struct standing_choice choice;
};

static void release_draft(struct draft *draft)
{
    struct standing_draft *d = (struct standing_draft *)draft;
    standing_choice_free(&d->choice);
    standing_network_close(&d->network);
    free(d);
}

/** The quickest choice below a limit; choice.tree.steps 0: there is none, or the network is not one of these. */
static rwa_status open_draft(struct standing_draft **out, const struct plan_request *request, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct standing_draft *d = *out = base_array(1, sizeof *d, err);
    if (!d)
        return RWA_NOMEM;
    d->draft.release = release_draft;
    TRY(standing_network_open(&d->network, request->net, request->opts->max_hops, err));
    if (d->network.cycles > 0 && request->opts->stripes <= 1)
        TRY(standing_search(&d->choice, &d->network, request, err));
    d->network.memory.err = NULL;
    return RWA_OK;
done:
    release_draft(&d->draft);
    *out = NULL;
    return st;
}

static rwa_status estimate_standing(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    struct standing_draft *d;
    MUST(open_draft(&d, request, err));
    const struct standing_choice *choice = &d->choice;
    if (choice->tree.steps == 0) {
        *out = scheme_no_estimate(request);
        release_draft(&d->draft);
        return RWA_OK;
    }
    out->draft = &d->draft;
    out->blocks = standing_units(request) * choice->parts;
    out->steps = (uint64_t)standing_passes(request) * choice->tree.steps;
    out->reconfigurations = 1;
    out->time_s = choice->time_s;
    out->periodic = has_orbits(&d->network, choice);
    out->records = standing_lightpaths(choice, request) / (out->periodic ? d->network.nodes : 1);
    return RWA_OK;
}

static rwa_status plan_choice(struct schedule_sink *sink, const struct standing_draft *d, const struct plan_request *request,
                              rwa_error *err)
{
    if (d->network.cycles == 0)
        return scheme_refuse(request, "scheme standing is for rings and networks whose nodes are all alike (tori, hypercubes, circulants), "
                             "with links there and back, all of one kind, none failed, and no limit of ports");
    if (d->choice.tree.steps == 0 || request->coll->blocks != standing_units(request) * d->choice.parts) /* 0: all take for ever */
        return scheme_refuse(request, "lightpaths that stay are not quicker than other schemes");
    return write_choice(sink, &d->network, &d->choice, request->coll->kind, err);
}

static rwa_status plan_standing(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct plan_request all = *request;
    struct standing_draft *own = NULL;
    all.below_s = 0;
    if (request->opts->stripes > 1)
        return scheme_refuse(request, "scheme standing does not support stripes, since it cuts blocks by itself");
    if (!request->draft)
        MUST(open_draft(&own, &all, err));
    rwa_status st = plan_choice(sink, own ? own : (struct standing_draft *)request->draft, request, err);
    if (own)
        release_draft(&own->draft);
    return st;
}

const struct scheme scheme_standing = {
    .name = "standing",
    .summary = "lightpaths that stay up from the first step to the last, alike at every node; blocks spread over them",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_REDUCE_SCATTER | 1u << RWA_ALL_REDUCE | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_CYCLE | NETWORK_LISTED,
    .traits = SEARCHES | SHORTENS | KEEPS_LIGHTPATHS,
    .estimate = estimate_standing,
    .plan = plan_standing,
};
