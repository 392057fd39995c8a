/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "standing": every node has the same circuits, which stay up during the whole plan, and the blocks of all
 * nodes move alike over them.  A template tree gives the moves of a block of node 0; the moves of all other blocks are
 * translations of it.  A block may be divided into shares, each with a template tree of its own, and each share is cut
 * into parts. */
#include "scheme/circuits/standing.h"

/** The parameters of a plan: its offsets (circuits that every node has), the number of trees over them, and the parts
 * of blocks. */
struct standing_recipe {
    uint32_t parts;             /* of a share */
    uint32_t shares;            /* of a block */
    struct offset_choice offsets;
};

static struct parameters parameters_of(const struct standing_recipe *r)
{
    return (struct parameters){.radix = {r->parts, r->shares, r->offsets.lengths, r->offsets.ratio}};
}

static struct standing_recipe recipe_of(const struct parameters *p)
{
    const uint32_t *n = p->radix;
    return (struct standing_recipe){n[0], n[1], {n[2], n[3]}};
}

/** The network, and the offsets and trees that a recipe gives on it. */
struct made {
    const struct plan_request *request;
    struct budget budget;
    struct standing_network network;
    struct offsets offsets;
    struct standing_tree tree;
};

static rwa_status made_open(struct made *out, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    *out = (struct made){.request = request, .budget = base_budget(0, o->poll, o->poll_data)};
    MUST(standing_network_open(&out->network, request->net, o->max_hops, &out->budget, err));
    return base_new(out->offsets.slot, out->network.cycles * out->network.channels + 1, err);
}

static void made_close(struct made *m)
{
    standing_tree_free(&m->tree);
    free(m->offsets.slot);
    standing_network_close(&m->network);
}

static bool is_exchange(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_TO_ALL;
}

/* ---- search ---- */

struct standing_search {
    struct made made;
    rwa_cost_prices price;
    struct estimate *best;
};

/** Return the largest number of parts of a block to try: more parts would be too small, or too many for the checker. */
static uint32_t most_parts(const struct plan_request *request)
{
    enum { PARTS = 128 };
    double most = fmin(circuits_most_pieces(request, request->sums && !network_has_orbits(request->net)), PARTS);
    return most > 1 ? (uint32_t)most : 1;
}

/** Return the number of parts on the fullest lightpath of a step, if each share of a block is cut into `parts`
 * parts. */
static uint64_t fullest(const struct made *m, uint32_t step, uint64_t parts)
{
    const uint32_t *count = m->tree.count + (size_t)step * m->offsets.count;
    uint64_t most = 0;
    for (size_t j = 0; j < m->offsets.count; j++) {
        uint64_t load = ceil_div(count[j] * parts, m->offsets.list[j].lightpaths);
        RAISE(most, load);
    }
    return most;
}

static double time_of(uint64_t *most, const struct standing_search *s, uint32_t parts)
{
    const struct made *m = &s->made;
    double bytes = circuits_part_bytes(m->request, parts * m->tree.shares), time_s = s->price.once_s;
    *most = 1;
    for (uint32_t step = 1; step <= m->tree.steps; step++) {
        uint64_t load = fullest(m, step, parts);
        time_s += scheme_step_time(m->request, &s->price, (uint64_t)(bytes * (double)load));
        RAISE(*most, load);
    }
    return time_s;
}

static double lightpaths_of(const struct made *m)
{
    double lightpaths = 0;
    for (size_t i = m->offsets.count; i < ((size_t)m->tree.steps + 1) * m->offsets.count; i++)
        lightpaths += m->tree.count[i] > 0 ? m->offsets.list[i % m->offsets.count].lightpaths : 0;
    return lightpaths * m->network.nodes;
}

/** Choose recipe->parts, into which each share of a block is cut: the smallest number whose plan takes at most about
 * 1 % longer than the quickest.  Keep the plan if it beats the best one so far. */
static void rate_parts(struct standing_search *s, struct standing_recipe *recipe)
{
    const double hardly = 1.01;
    const struct made *m = &s->made;
    const bool orbits = network_has_orbits(m->request->net);
    double lightpaths = lightpaths_of(m), best_s = INFINITY;
    if (m->request->lightpaths_most > 0 && lightpaths > m->request->lightpaths_most)
        return;
    for (uint32_t most = most_parts(m->request) / recipe->shares, parts = 1, next; parts <= most; parts = next) {
        uint64_t load;
        double time_s = time_of(&load, s, parts);
        next = larger_number(parts);
        next = next > most && parts < most ? most : next;
        if (time_s * hardly >= best_s)
            continue;
        best_s = time_s;
        recipe->parts = parts;
        if (time_s < s->best->time_s)
            *s->best = (struct estimate){.blocks = circuits_blocks(m->request, parts * recipe->shares),
                                         .steps = m->tree.steps,
                                         .load = load,
                                         .time_s = time_s,
                                         .periodic = orbits,
                                         .sets = 1,
                                         .set[0] = parameters_of(recipe),
                                         .records = lightpaths / (orbits ? m->network.nodes : 1)};
    }
}

static rwa_status try_recipe(struct standing_search *s, struct standing_recipe *recipe, rwa_error *err)
{
    struct made *m = &s->made;
    double steps = (s->best->time_s - s->price.once_s) / s->price.step_s; /* more take longer, even without data */
    MUST(circuits_go_on(&m->budget, err));
    standing_tree_free(&m->tree);
    MUST(standing_tree_grow(&m->tree, &m->network, &m->offsets, recipe->shares, is_exchange(m->request),
                            steps < UINT32_MAX - 1 ? (uint32_t)fmax(steps, 0) : UINT32_MAX - 1, err));
    if (m->tree.steps > 0)
        rate_parts(s, recipe);
    return RWA_OK;
}

/** Try plans over offsets of `lengths` lengths with ratio `ratio` (struct offset_choice).  In the first, one template
 * tree spreads each block.  If there are few offsets, a second plan divides a block into as many shares as there are
 * offsets, each with a tree of its own. */
static rwa_status try_offsets(struct standing_search *s, uint32_t lengths, uint32_t ratio, rwa_error *err)
{
    enum { SHARES_MOST = 8 };
    struct standing_recipe recipe = {.shares = 1, .offsets = {lengths, ratio}};
    offsets_choose(&s->made.offsets, &s->made.network, &recipe.offsets);
    if (s->made.offsets.count == 0)
        return RWA_OK;
    MUST(try_recipe(s, &recipe, err));
    recipe.shares = (uint32_t)s->made.offsets.count; /* all offsets can be equally full from the first step on */
    return recipe.shares > 1 && recipe.shares <= SHARES_MOST ? try_recipe(s, &recipe, err) : RWA_OK;
}

/** Return the largest number of links of an offset: limited by half the longest cycle, the channels and the hop
 * limit. */
static uint32_t longest_offset(const struct standing_network *n)
{
    uint32_t order = 1, most = lesser(n->channels, n->max_hops);
    for (size_t c = 0; c < n->cycles; c++)
        RAISE(order, n->cycle[c].order);
    return lesser(order / 2, most);
}

static rwa_status try_all(struct standing_search *s, rwa_error *err)
{
    uint32_t longest = longest_offset(&s->made.network);
    for (uint32_t ratio = 1; ratio == 1 || ratio <= longest; ratio = larger_number(ratio))
        for (uint32_t lengths = ratio > 1 ? 2 : 1, links = ratio;
             lengths <= LENGTHS_MOST && (links <= longest || links == 1); lengths++) {
            MUST(try_offsets(s, lengths, ratio, err));
            links = ratio > 1 ? links * ratio : links + 1;
        }
    return RWA_OK;
}

static rwa_status estimate_standing(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct standing_search s = {.best = out};
    rwa_status st = made_open(&s.made, request, err);
    TRY(st);
    TRY(rwa_cost_floor(&s.price, rwa_network_rate_bps(request->net), &o->cost, err));
    out->time_s = scheme_time_limit(request);
    if (s.made.network.cycles > 0 && o->stripes <= 1)
        TRY(try_all(&s, err));
    if (out->steps == 0)
        *out = scheme_no_estimate(request);
done:
    made_close(&s.made);
    return st;
}

/* ---- plan ---- */

/** A share of a block of node 0 that moves by an offset from a node.  In an all-to-all its destination is `target`;
 * otherwise that is the node where the offset ends. */
struct standing_item {
    uint32_t share, target, from;
};

struct standing_writer {
    struct schedule_sink *sink;
    const struct made *made;
    uint32_t parts;             /* of a share */
    bool orbits;                /* one record stands for the lightpaths of all nodes */
    rwa_run *run;               /* scratch: of a lightpath */
    uint32_t *path;             /* scratch: nodes */
    struct standing_item *item; /* one for each move of the tree */
    struct bins items;          /* by step * offsets + offset */
};

/** Return the number of the first part that `node` sends for `item`, a move of the template tree.  The part belongs to
 * the block whose translated tree has `node` where the template has the sender. */
static uint64_t first_part(const struct standing_writer *w, const struct standing_item *item, uint32_t node)
{
    const struct made *m = w->made;
    uint64_t block = translations_move(&m->network.group, node, item->from, 0);
    if (is_exchange(m->request))
        block = block * m->network.nodes + translations_add(&m->network.group, (uint32_t)block, item->target);
    return (block * m->tree.shares + item->share) * w->parts;
}

/** List in w->run, as runs, some of the parts that `node` sends for the moves in `items` (indices in w->item).  The
 * parts of all these moves are counted from 0, w->parts for each move; those from `begin` to `end` - 1 are listed.
 * Returns the number of runs. */
static uint32_t list_runs(const struct standing_writer *w, const uint32_t *items, uint64_t begin, uint64_t end,
                          uint32_t node)
{
    uint32_t runs = 0;
    for (uint64_t at = begin, count; at < end; at += count) {
        uint64_t skipped = at % w->parts;
        count = w->parts - skipped < end - at ? w->parts - skipped : end - at;
        uint64_t first = first_part(w, &w->item[items[at / w->parts]], node) + skipped;
        runs = run_append(w->run, runs, (rwa_run){(uint32_t)first, (uint32_t)count, 1});
    }
    return runs;
}

static uint32_t trace(const struct standing_writer *w, const struct offset *offset, uint32_t node)
{
    const struct link_cycle *c = &w->made->network.cycle[offset->cycle];
    if (network_has_arcs(w->made->request->net))
        return 0;
    for (uint32_t i = 0; i <= offset->links; i++, node = offset->back ? c->before[node] : c->next[node])
        w->path[i] = node;
    return offset->links + 1;
}

/** Push lightpath k of an offset from a node, with its equal share of the parts that the offset carries in a step.  Bin
 * `key` of w->items, step * offsets + offset, lists the moves. */
static rwa_status push_lightpath(const struct standing_writer *w, const struct offset *offset, size_t key, uint32_t k,
                                 uint32_t node)
{
    const struct made *m = w->made;
    const size_t *first = w->items.first + key;
    uint64_t all = (first[1] - first[0]) * w->parts, begin = all * k / offset->lightpaths,
             end = all * (k + 1) / offset->lightpaths;
    rwa_lightpath lp = {.step = 1,
                        .src = node,
                        .dst = offset_end(&m->network, offset, node),
                        .orbit = 1,
                        .wavelength = offset_channel(&m->network, &m->offsets, offset, k, node)};
    if (begin == end)
        return RWA_OK;
    rwa_lists lists = {.runs = w->run,
                       .run_count = list_runs(w, w->items.number + first[0], begin, end, node),
                       .block_count = (uint32_t)(end - begin),
                       .path = w->path,
                       .path_nodes = trace(w, offset, node)};
    lp.block = w->run[0].first;
    lp.direction = offset->back && network_has_arcs(m->request->net) ? RWA_CCW : RWA_CW;
    if (w->orbits) {
        lp.orbit = m->network.nodes;
        lp.period = m->offsets.period[offset->cycle];
    }
    return sink_lightpath(w->sink, &lp, &lists);
}

static rwa_status push_step(const struct standing_writer *w, uint32_t step)
{
    const struct offsets *offsets = &w->made->offsets;
    uint32_t nodes = w->orbits ? 1 : w->made->network.nodes;
    for (size_t j = 0; j < offsets->count; j++)
        for (uint32_t i = 0; i < offsets->list[j].lightpaths * nodes; i++)
            MUST(push_lightpath(w, &offsets->list[j], step * offsets->count + j, i / nodes, i % nodes));
    return sink_end_stage(w->sink);
}

/** List the moves of the template tree (a share of node 0's block over an offset) in w->item, and sort them by step and
 * offset. */
static rwa_status list_items(struct standing_writer *w, rwa_error *err)
{
    const struct made *m = w->made;
    const struct standing_tree *tree = &m->tree;
    uint32_t others = m->network.nodes - 1, offsets = (uint32_t)m->offsets.count, *key;
    struct standing_item *at = w->item;
    bool apart = is_exchange(m->request);
    MUST(base_new(key, tree->moves, err));
    for (uint32_t i = 0, more = 1; i < tree->shares * others; i++, more = 1)
        for (uint32_t target = tree->order[others - i % others], v = target; more > 0; more = apart && v > 0) {
            uint32_t offset = tree->offset[at - w->item];
            key[at - w->item] = tree->step[v] * offsets + offset;
            v = offset_end(&m->network, &m->offsets.list[m->offsets.list[offset].inverse], v);
            *at++ = (struct standing_item){i / others, target, v};
        }
    rwa_status st = bins_index(&w->items, (tree->steps + 1) * offsets, tree->moves, NULL, key, NULL, err);
    free(key);
    return st;
}

static rwa_status write_plan(struct schedule_sink *sink, const struct made *m, uint32_t parts)
{
    struct arena memory = {.err = sink->err};
    struct standing_writer w = {.sink = sink, .made = m, .parts = parts, .orbits = network_has_orbits(m->request->net)};
    arena_new(&memory, w.run, (size_t)m->tree.shares * m->network.nodes + 1);
    arena_new(&memory, w.path, m->network.nodes + 1);
    arena_new(&memory, w.item, m->tree.moves);
    rwa_status st = arena_status(&memory);
    if (st == RWA_OK)
        st = list_items(&w, sink->err);
    for (uint32_t step = 1; step <= m->tree.steps && st == RWA_OK; step++)
        st = push_step(&w, step);
    bins_free(&w.items);
    arena_free(&memory);
    return st;
}

static rwa_status plan_standing(struct schedule_sink *sink, const struct plan_request *request)
{
    struct standing_recipe recipe = recipe_of(request->parameters);
    struct made m;
    rwa_status st = made_open(&m, request, sink->err);
    TRY(st);
    if (request->opts->stripes > 1)
        TRY(scheme_refuse(request, "scheme standing does not support stripes, since it cuts blocks by itself"));
    else if (m.network.cycles == 0)
        TRY(scheme_refuse(
            request,
            "scheme standing is for rings and networks whose nodes are all alike (tori, hypercubes, circulants), "
            "with links there and back, all of one kind, none failed, and no limit of ports"));
    else if (recipe.parts == 0 || request->coll->blocks != circuits_blocks(request, recipe.parts * recipe.shares))
        TRY(scheme_refuse(request, "lightpaths that stay are not quicker than other schemes"));
    else {
        offsets_choose(&m.offsets, &m.network, &recipe.offsets);
        TRY(standing_tree_grow(&m.tree, &m.network, &m.offsets, recipe.shares, is_exchange(request), UINT32_MAX - 1,
                               sink->err));
        TRY(write_plan(sink, &m, recipe.parts));
    }
done:
    made_close(&m);
    return st;
}

const struct scheme scheme_standing = {
    .name = "standing",
    .summary = "lightpaths that stay up from the first step to the last, alike at every node; blocks spread over them",
    .source = "rwa's own, unpublished",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_CYCLE | NETWORK_LISTED,
    .traits = SEARCHES | SHORTENS | KEEPS_LIGHTPATHS | REVERSIBLE,
    .estimate = estimate_standing,
    .plan = plan_standing,
};
