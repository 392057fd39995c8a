/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * On a line the lightpaths of a step and direction are intervals, so channels suffice wherever no link carries more lightpaths than it
 * has channels: only capacity counts.  The nodes at the ends limit most: they have one link, and every block must come over it.
 * So in every step the fronts of all blocks, their outermost holders, send first, about as far as there are channels, which
 * fills the links towards an end with blocks that are new there; near an end by shorter hops, since the gaps they leave can be
 * filled from one side mainly.  Then every gap does what the cheapest way to fill it in the steps left begins with; free
 * capacity goes to the widest gaps.  Where nodes may tap lightpaths, one that goes beyond a node is read there, and one that
 * ends before it goes on, before another is sent.
 *
 * A ring that lost links clockwise is whole the other way, which is up here.  The node above a failed link takes all it lacks
 * from its one link, so that nothing should pass it by: a block's rising front stops at each of these nodes, its falling front
 * goes as far as links work.  Only gaps without a failed link inside are filled.  Since no lightpath passes position 0, those of a
 * step and direction are intervals again.
 */
#include "delivery/line/greedy_pass.h"

enum { RISE, FALL };

static bool is_ring(const struct greedy_pass *g)
{
    return g->limits.failed != NULL;
}

/** Rising links from each position to one below a failed link, and falling ones that work, by walking round twice. */
static void measure_runs(struct greedy_pass *g)
{
    uint32_t n = g->limits.nodes;
    const bool *failed = g->limits.failed;
    for (uint32_t i = 0; i < 2 * n; i++) {
        uint32_t down = (2 * n - 1 - i) % n, up = i % n, below = (up + n - 1) % n;
        g->run[RISE][down] = failed[down] ? 0 : g->run[RISE][(down + 1) % n] + 1;
        g->run[FALL][up] = failed[below] ? 0 : g->run[FALL][below] + 1;
    }
}

/** A step has no more of them in one direction than channels on all links, and than blocks that nodes lack. */
static rwa_status create_open(struct greedy_pass *g, rwa_error *err)
{
    size_t n = g->limits.nodes, most = g->limits.channels < n ? g->limits.channels * n : n * n;
    rwa_status st = RWA_OK;
    for (int way = RISE; way <= FALL; way++) {
        g->open[way] = base_array(most, sizeof *g->open[way], err);
        g->latest[way] = base_array(n * n, sizeof *g->latest[way], err);
        st = g->open[way] && g->latest[way] ? st : RWA_NOMEM;
    }
    return st;
}

rwa_status greedy_pass_create(struct greedy_pass *g, const struct line_limits *limits, const struct gap_table *table, rwa_error *err)
{
    size_t n = limits->nodes;
    uint32_t places = limits->nodes + (limits->failed != NULL);
    *g = (struct greedy_pass){.limits = *limits, .table = table, .places = places, .words = ((size_t)places + 63) / 64};
    assert(limits->drops >= 1 && (!limits->failed || (limits->drops == 1 && limits->failed[0])));
    g->old = base_array(n * g->words, sizeof *g->old, err);
    g->now = base_array(n * g->words, sizeof *g->now, err);
    rwa_status st = g->old && g->now ? RWA_OK : RWA_NOMEM;
    uint32_t **each[] = {&g->origin, &g->front[RISE], &g->front[FALL], &g->run[RISE], &g->run[FALL], &g->capacity[RISE],
                         &g->capacity[FALL], &g->sends, &g->reads, &g->order, &g->list, &g->next, &g->split.up, &g->split.down};
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        *each[i] = base_array(n + 1, sizeof **each[i], err);
        st = *each[i] ? st : RWA_NOMEM;
    }
    TRY(st);
    for (uint32_t b = 0; b < n && is_ring(g); b++)
        g->origin[b] = (limits->above + limits->nodes - b) % limits->nodes;
    if (is_ring(g))
        measure_runs(g);
    if (limits->drops > 1)
        TRY(create_open(g, err));
    TRY(intervals_open(&g->intervals, limits->nodes, err));
    TRY(delivery_tree_create(&g->made, limits->nodes, limits->nodes, 0, err));
done:
    return st;
}

void greedy_pass_free(struct greedy_pass *g)
{
    for (int way = RISE; way <= FALL; way++) {
        free_all(g->front[way], g->run[way], g->capacity[way], g->open[way], g->latest[way]);
    }
    void *const each[] = {g->origin, g->old, g->now, g->sends, g->reads, g->order, g->list, g->next, g->split.up, g->split.down};
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        free(each[i]);
    intervals_free(&g->intervals);
    delivery_tree_free(&g->made);
    memset(g, 0, sizeof *g);
}

/* ---- places ---- */

static uint32_t position(const struct greedy_pass *g, uint32_t block, uint32_t place)
{
    uint32_t n = g->limits.nodes, at = place + g->origin[block];
    assert(place < g->places && block < n && at < 2 * n);
    return at >= n ? at - n : at;
}

static bool holds(const struct greedy_pass *g, const uint64_t *holders, uint32_t block, uint32_t place)
{
    return row_holds(holders + block * g->words, place);
}

static uint32_t next_holder(const struct greedy_pass *g, const uint64_t *holders, uint32_t block, uint32_t place)
{
    return row_next(holders + block * g->words, g->places, place);
}

/** Links from a to b in a direction; 0 where b lies the other way. */
static uint32_t ahead(int way, uint32_t a, uint32_t b)
{
    return way == RISE ? (b > a ? b - a : 0) : (a > b ? a - b : 0);
}

static uint32_t onward(int way, uint32_t place, uint32_t links)
{
    return way == RISE ? place + links : place - links;
}

/** Whether a failed link lies between two holders with nodes above it that lack the block: those up to place *stop. */
static bool is_cut(const struct greedy_pass *g, uint32_t block, uint32_t low, uint32_t high, uint32_t *stop)
{
    *stop = high;
    if (!is_ring(g) || high - low < 2)
        return false;
    *stop = low + 1 + g->run[RISE][position(g, block, low + 1)];
    return *stop < high;
}

/* ---- sending ---- */

/** The last lightpath that a place sent of a block in this step, if it may have another reader. */
static struct open_lightpath *open_lightpath_of(struct greedy_pass *g, int way, uint32_t block, uint32_t src)
{
    if (g->limits.drops == 1)
        return NULL;
    uint32_t at = g->latest[way][(size_t)block * g->limits.nodes + src];
    struct open_lightpath *l = &g->open[way][at];
    return at < g->opened[way] && l->block == block && l->src == src && l->readers < g->limits.drops ? l : NULL;
}

/** Whether the ports of the receiver, and of the sender where that is to send one lightpath more, suffice. */
static bool has_ports(const struct greedy_pass *g, const struct open_lightpath *l, uint32_t from, uint32_t to)
{
    uint32_t ports = g->limits.ports;
    return ports == 0 || (g->reads[to] < ports && (l || g->sends[from] < ports));
}

/** One more reader of a lightpath that was there, and now ends at `end`, or (NULL) of a new one. */
static void add_reader(struct greedy_pass *g, int way, struct open_lightpath *l, uint32_t block, uint32_t src, uint32_t end)
{
    if (l) {
        l->readers++;
        l->end = end;
    } else if (g->limits.drops > 1) {
        g->latest[way][(size_t)block * g->limits.nodes + src] = g->opened[way];
        g->open[way][g->opened[way]++] = (struct open_lightpath){block, src, end, 1};
    }
}

/** So many of `links` links from a position on have free channels. */
static uint32_t free_links(const struct greedy_pass *g, int way, uint32_t at, uint32_t links)
{
    const uint32_t *capacity = g->capacity[way];
    uint32_t n = g->limits.nodes, count = 0;
    if (way == RISE)
        for (; count < links && capacity[at] > 0; count++)
            at = at + 1 == n ? 0 : at + 1;
    else
        for (; count < links && capacity[at == 0 ? n - 1 : at - 1] > 0; count++)
            at = at == 0 ? n - 1 : at - 1;
    return count;
}

static void take_links(struct greedy_pass *g, int way, uint32_t at, uint32_t links)
{
    uint32_t n = g->limits.nodes, *capacity = g->capacity[way];
    for (; links > 0; links--) {
        at = way == FALL ? (at == 0 ? n - 1 : at - 1) : at;
        assert(capacity[at] > 0);
        capacity[at]--;
        at = way == RISE ? (at + 1 == n ? 0 : at + 1) : at;
    }
}

static void deliver(struct greedy_pass *g, int way, uint32_t block, uint32_t from, uint32_t dst, uint32_t links)
{
    uint32_t to = position(g, block, dst);
    assert(g->missing > 0 && links > 0);
    g->missing--;
    row_add(g->now + block * g->words, dst);
    g->reads[to]++;
    delivery_tree_row(&g->made, block)[to] =
        (struct delivery){.from = from, .step = g->step, .links = links, .way = (uint8_t)way, .ends = true};
}

/** Send to a place, or as far towards it as there is capacity, but beyond `past`; where the lightpath is read, or none. */
static uint32_t send(struct greedy_pass *g, int way, uint32_t block, uint32_t src, uint32_t past, uint32_t dst)
{
    uint32_t max_hops = g->limits.max_hops, from = position(g, block, src);
    if (max_hops > 0 && ahead(way, src, dst) > max_hops)
        dst = onward(way, src, max_hops);
    struct open_lightpath *l = open_lightpath_of(g, way, block, src);
    uint32_t begin = l ? l->end : src, begin_at = l ? position(g, block, begin) : from;
    uint32_t links = free_links(g, way, begin_at, ahead(way, begin, dst)), at = onward(way, begin, links);
    if (links == 0 && !l)
        return PLACE_NONE;
    uint32_t end = at;
    at = ahead(way, dst, at) > 0 ? dst : at;    /* the lightpath went farther before */
    if (ahead(way, past, at) == 0 || holds(g, g->now, block, at) || !has_ports(g, l, from, position(g, block, at)))
        return PLACE_NONE;
    take_links(g, way, begin_at, links);
    g->sends[from] += !l;
    add_reader(g, way, l, block, src, end);
    deliver(g, way, block, from, at, ahead(way, src, at));
    return at;
}

/* ---- fronts ---- */

static uint32_t steps_left(const struct greedy_pass *g)
{
    return g->step < g->parameters.aim ? g->parameters.aim - g->step + 1 : 1;
}

/** How far a front sends that has `distance` nodes before its next stop, and `whole` until its last. */
static uint32_t stride(struct greedy_pass *g, uint32_t distance, uint32_t whole)
{
    uint64_t speed = g->parameters.last_speed + (uint64_t)g->parameters.slope * distance;
    uint64_t must = is_ring(g) ? (uint64_t)whole * GREEDY_ONE / steps_left(g) : 0;
    if (speed > g->parameters.speed)
        speed = g->parameters.speed;
    if (speed < must)
        speed = must;
    uint64_t nodes = (speed + base_random_below(&g->random, GREEDY_ONE)) / GREEDY_ONE;
    if (nodes > distance || steps_left(g) == 1)
        return distance;
    return nodes > 0 ? (uint32_t)nodes : 1;
}

/** Nodes that a lightpath passes tap it at equal distances; in the last step next to each other, since no gap may stay. */
static void tap_evenly(struct greedy_pass *g, int way, uint32_t block, uint32_t src, uint32_t dst)
{
    uint32_t links = ahead(way, src, dst), drops = g->limits.drops;
    for (uint32_t i = 1; i < drops && i < links; i++) {
        uint32_t back = steps_left(g) == 1 || links <= drops ? i : (uint32_t)((uint64_t)links * i / drops);
        send(g, way, block, src, src, onward(1 - way, dst, back));
    }
}

/** How far up the rising front of a block on a ring has yet to go; 0: no failed link is before it. */
static uint32_t rising_way(const struct greedy_pass *g, uint32_t block)
{
    uint32_t low = g->front[RISE][block], high = g->front[FALL][block], stop;
    return !is_cut(g, block, low, high, &stop) ? 0 : high - 1 - g->run[FALL][position(g, block, high)] - low;
}

static void advance_front(struct greedy_pass *g, int way, uint32_t block, uint32_t distance, uint32_t whole)
{
    uint32_t src = g->front[way][block];
    if (whole == 0)
        return;
    uint32_t at = send(g, way, block, src, src, onward(way, src, stride(g, distance, whole)));
    if (at == PLACE_NONE)
        return;
    g->front[way][block] = at;
    tap_evenly(g, way, block, src, at);
}

static void advance(struct greedy_pass *g, uint32_t block)
{
    uint32_t low = g->front[RISE][block], high = g->front[FALL][block], last = g->limits.nodes - 1, stop;
    if (!is_ring(g)) {      /* on a line the fronts run apart */
        advance_front(g, RISE, block, last - low, last - low);
        advance_front(g, FALL, block, high, high);
    } else if (is_cut(g, block, low, high, &stop)) {
        uint32_t up = rising_way(g, block), down = high - 1 - (low + up);
        advance_front(g, RISE, block, stop - low, up);
        advance_front(g, FALL, block, down, down);
    }
}

/* ---- gaps ---- */

/** On a line, links towards an end cost the more, the nearer it is: they are needed for blocks that have yet to reach it. */
static unsigned bias_at(struct greedy_pass *g, uint32_t low, uint32_t high)
{
    uint64_t noise = base_random_below(&g->random, GREEDY_ONE);
    if (is_ring(g))
        return (unsigned)(((uint64_t)g->parameters.bias * (GAP_BIASES - 1) + noise) / GREEDY_ONE);
    int64_t from_middle = (int64_t)low + high - g->limits.nodes;
    int64_t bias = GAP_EVEN * GREEDY_ONE + from_middle * GAP_EVEN * g->parameters.bias / g->limits.nodes + (int64_t)noise;
    return bias < GAP_BIASES * GREEDY_ONE ? (unsigned)(bias / GREEDY_ONE) : GAP_BIASES - 1;
}

/** Far hops first: a nearer node is informed even when capacity ends before it. */
static void fill_gap(struct greedy_pass *g, uint32_t block, uint32_t low, uint32_t high)
{
    const uint32_t golden = 40503, silver = 27146; /* fractions of 1/65536 whose multiples spread evenly */
    struct gap_split *s = &g->split;
    gap_split(s, g->table, high - low, steps_left(g), bias_at(g, low, high), (block * golden + g->step * silver) % 65536);
    for (size_t k = s->ups; k-- > 0;)
        send(g, RISE, block, low, low + (k > 0 ? s->up[k - 1] : 0), low + s->up[k]);
    for (size_t k = s->downs; k-- > 0;)
        send(g, FALL, block, high, high - (k > 0 ? s->down[k - 1] : 0), high - s->down[k]);
}

static void fill_gaps(struct greedy_pass *g, uint32_t block)
{
    uint32_t low = next_holder(g, g->old, block, 0), high, stop;
    for (; (high = next_holder(g, g->old, block, low + 1)) != PLACE_NONE; low = high)
        if (high - low > 1 && !is_cut(g, block, low, high, &stop))
            fill_gap(g, block, low, high);
}

static rwa_status add_interval(struct greedy_pass *g, const struct interval *i, rwa_error *err)
{
    uint32_t stop;
    bool closed = i->high - i->low < 2 || is_cut(g, i->block, i->low, i->high, &stop);
    return closed ? RWA_OK : intervals_add(&g->intervals, i, err);
}

/** All gaps that a block has by now. */
static rwa_status list_intervals(struct greedy_pass *g, uint32_t block, rwa_error *err)
{
    struct interval i = {.block = block, .low = next_holder(g, g->now, block, 0)};
    i.below = holds(g, g->old, block, i.low) ? i.low : PLACE_NONE;
    for (; (i.high = next_holder(g, g->now, block, i.low + 1)) != PLACE_NONE; i.low = i.high) {
        i.above = i.high - i.low > 1 ? next_holder(g, g->old, block, i.high) : PLACE_NONE;
        MUST(add_interval(g, &i, err));
        i.below = holds(g, g->old, block, i.high) ? i.high : i.below;
    }
    return RWA_OK;
}

/** Inform a node in a gap, from the nearer side if there is capacity: the farther it lies the more it helps, but the more capacity
 *  it takes. */
static uint32_t split_interval(struct greedy_pass *g, const struct interval *i)
{
    uint32_t part = (i->high - i->low + g->parameters.cut - 1) / g->parameters.cut, at = PLACE_NONE, stop;
    bool first = i->below != PLACE_NONE && (i->above == PLACE_NONE || i->low - i->below <= i->above - i->high);
    bool whole = i->below != PLACE_NONE && !is_cut(g, i->block, i->below, i->high, &stop);
    if (first && whole)
        at = send(g, RISE, i->block, i->below, i->low, i->low + part);
    if (at == PLACE_NONE && i->above != PLACE_NONE)
        at = send(g, FALL, i->block, i->above, i->high, i->high - part);
    if (at == PLACE_NONE && !first && whole)
        at = send(g, RISE, i->block, i->below, i->low, i->low + part);
    return at;
}

/** The capacity that is left goes to the widest gaps. */
static rwa_status use_rest(struct greedy_pass *g, rwa_error *err)
{
    struct interval i;
    intervals_clear(&g->intervals);
    for (uint32_t k = 0; k < g->limits.nodes; k++)
        MUST(list_intervals(g, g->order[k], err));
    while (intervals_take(&g->intervals, &i)) {
        struct interval upper = i, lower = i;
        uint32_t at = split_interval(g, &i);
        if (at == PLACE_NONE)
            continue;
        upper.high = lower.low = at;
        MUST(add_interval(g, &upper, err));
        MUST(add_interval(g, &lower, err));
    }
    return RWA_OK;
}

/* ---- steps ---- */

/** By chance, but on a ring blocks whose rising fronts have a longer way first. */
static void put_in_order(struct greedy_pass *g)
{
    uint32_t n = g->limits.nodes, at = 0;
    base_shuffle(g->order, n, &g->random);
    if (!is_ring(g))
        return;
    memset(g->list, 0xff, ((size_t)n + 1) * sizeof *g->list);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t way = rising_way(g, g->order[i]);
        g->next[g->order[i]] = g->list[way];
        g->list[way] = g->order[i];
    }
    for (uint32_t way = n + 1; way-- > 0;)
        for (uint32_t block = g->list[way]; block != PLACE_NONE; block = g->next[block])
            g->order[at++] = block;
    assert(at == n);
}

static rwa_status make_step(struct greedy_pass *g, rwa_error *err)
{
    uint32_t n = g->limits.nodes;
    memcpy(g->old, g->now, n * g->words * sizeof *g->old);
    g->opened[RISE] = g->opened[FALL] = 0;
    for (uint32_t e = 0; e < n; e++) {
        g->capacity[RISE][e] = g->limits.channels;
        g->capacity[FALL][e] = is_ring(g) && g->limits.failed[e] ? 0 : g->limits.channels;
    }
    memset(g->sends, 0, n * sizeof *g->sends);
    memset(g->reads, 0, n * sizeof *g->reads);
    put_in_order(g);
    for (uint32_t i = 0; i < n; i++)
        advance(g, g->order[i]);
    for (uint32_t i = 0; i < n; i++)
        fill_gaps(g, g->order[i]);
    return use_rest(g, err);
}

static void begin(struct greedy_pass *g, const struct greedy_parameters *parameters, uint64_t seed)
{
    uint32_t n = g->limits.nodes;
    g->parameters = *parameters;
    g->random = seed;
    g->step = 0;
    g->missing = (uint64_t)n * (n - 1);
    memset(g->now, 0, n * g->words * sizeof *g->now);
    for (uint32_t b = 0; b < n; b++) {
        g->front[RISE][b] = is_ring(g) ? 0 : b;
        g->front[FALL][b] = is_ring(g) ? n : b;
        row_add(g->now + b * g->words, g->front[RISE][b]);
        row_add(g->now + b * g->words, g->front[FALL][b]);
        g->order[b] = b;
    }
}

rwa_status greedy_pass_go(struct greedy_pass *g, bool *done, const struct greedy_parameters *parameters, uint32_t most,
                          uint64_t seed, struct budget *budget, rwa_error *err)
{
    begin(g, parameters, seed);
    while (g->missing > 0 && g->step < most) {
        if (base_must_stop(budget, "greedy passes", -1) && (budget->cancelled || most < GREEDY_ANY_STEPS))
            break;
        g->step++;
        MUST(make_step(g, err));
    }
    g->made.steps = g->step;
    *done = g->missing == 0;
    if (*done)
        delivery_tree_check(&g->made);
    return RWA_OK;
}
