/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Hierarchical ring all-reduce (Ueno, Yokota: Exhaustive Study of Hierarchical AllReduce Patterns, 2019; WRHT, Table
 * I).  A ring in every group of g neighbours scatters the sum of the group over its places (positions in the group);
 * for each place a ring over the groups completes the sum; and the rings in the groups gather it.
 *
 * The vector is cut into g chunks, one for each place, of c = min(groups, channels) blocks.  A step inside a group
 * sends the c blocks of a chunk on c wavelengths.  A step between groups sends one block of each chunk, even places
 * clockwise and odd ones counterclockwise, so that ceil(g / 2) wavelengths suffice.  This takes 2 (g - 1) + 2 (N / g -
 * 1) steps, one less than printed.  In a group that is one node short, the last node takes two places. */
#include "scheme/scheme.h"

/** How N nodes are divided into groups, and the vector into chunks. */
struct shape {
    uint32_t nodes, groups;
    uint32_t places; /* of the largest group */
    uint32_t parts;  /* blocks of a chunk */
};

static struct shape shape_of(const struct plan_request *request, uint32_t group)
{
    uint32_t nodes = rwa_network_nodes(request->net);
    struct shape s = {.nodes = nodes, .groups = (uint32_t)ceil_div(nodes, group)};
    s.places = (uint32_t)ceil_div(nodes, s.groups);
    s.parts = lesser(s.groups, rwa_network_channels(request->net));
    assert(s.places >= 1 && (uint64_t)s.places * s.groups >= nodes);
    return s;
}

/** Return the number of stages; each takes at least one step. */
static uint32_t stages_of(const struct shape *s)
{
    return 2 * (s->places - 1) + 2 * (s->groups - 1);
}

static uint64_t steps_of(const struct shape *s, uint32_t channels, bool cycle)
{
    uint64_t load = cycle ? ceil_div(s->places, 2) : s->places;
    return 2 * (uint64_t)(s->places - 1) + 2 * (s->groups - 1) * ceil_div(load, channels);
}

/** Return the group size that the caller gave, or else the one with the fewest steps. */
static uint32_t group_of(const struct plan_request *request)
{
    uint32_t nodes = rwa_network_nodes(request->net), channels = rwa_network_channels(request->net), best = nodes;
    bool cycle = network_is_cycle(request->net);
    uint64_t least = UINT64_MAX;
    if (request->opts->group > 0)
        return lesser(request->opts->group, nodes);
    for (uint32_t g = 2; g <= nodes; g++) {
        struct shape s = shape_of(request, g);
        uint64_t steps = steps_of(&s, channels, cycle);
        if (steps < least) {
            least = steps;
            best = g;
        }
    }
    return best;
}

static rwa_status h_ring_estimate(struct estimate *e, const struct plan_request *request, rwa_error *err)
{
    uint32_t group = group_of(request);
    struct shape s = shape_of(request, group);
    (void)err;
    e->blocks = (uint64_t)s.places * s.parts;
    e->least_steps = stages_of(&s);
    e->set[0].group = group;
    e->sets = 1;
    return RWA_OK;
}

/** Return the node at a position (`place`, from 0) of a group.  In a group that is one node short, the last node takes
 * two positions. */
static uint32_t player(const struct shape *s, uint32_t group, uint32_t place)
{
    uint32_t from = part_start(s->nodes, s->groups, group), to = part_start(s->nodes, s->groups, group + 1);
    assert(group < s->groups && place < s->places && from < to);
    return lesser(from + place, to - 1);
}

/** Add the transfers of a whole chunk from a position (`place`) of a group to the next position. */
static void send_chunk(const struct shape *shape, struct transfers *t, uint32_t group, uint32_t place, uint32_t chunk)
{
    assert(chunk < shape->places);
    uint32_t src = player(shape, group, place), dst = player(shape, group, (place + 1) % shape->places);
    for (uint32_t q = 0; q < shape->parts && src != dst; q++)
        transfer_add(t, src, dst, chunk * shape->parts + q);
}

/** Add to `t` the transfers of one step, from 0, of the rings inside the groups.  It is a step of the reduce-scatter
 * if `reducing`, after which position r has the group's sum of chunk r; else of the all-gather.  A node at two
 * positions adds its data only once, and receives no chunk that it holds already. */
static void pass_inside(const struct shape *shape, struct transfers *t, uint32_t step, bool reducing)
{
    uint32_t p = shape->places;
    for (uint32_t g = 0; g < shape->groups; g++)
        for (uint32_t r = 0; r < p; r++) {
            uint32_t chunk = (r + 2 * p - step - reducing) % p;
            bool idle = reducing ? step == 0 && r > 0 && player(shape, g, r) == player(shape, g, r - 1)
                                 : player(shape, g, chunk) == player(shape, g, (r + 1) % p);
            if (!idle)
                send_chunk(shape, t, g, r, chunk);
        }
}

/** Return the block of a chunk (0 … parts - 1) whose sum is completed at this group, its home; s->parts: there is
 * none. No two blocks of a chunk have the same home, and all chunks have the same homes. */
static uint32_t part_at(const struct shape *s, uint32_t group)
{
    uint32_t q = (uint32_t)ceil_div((uint64_t)group * s->parts, s->groups);
    return q < s->parts && (uint64_t)q * s->groups / s->parts == group ? q : s->parts;
}

/** Add to `t` the transfers of step `turn` of the rings between groups, one ring for each position in a group.  A
 * group sends on the block whose home (part_at()) lies `turn` groups before it; at odd positions, which send
 * counterclockwise, `turn` groups after it. */
static void pass_between(const struct shape *shape, struct transfers *t, uint32_t turn)
{
    uint32_t n = shape->groups;
    for (uint32_t g = 0; g < n; g++)
        for (uint32_t place = 0; place < shape->places; place++) {
            bool back = place % 2 == 1;
            uint32_t home = back ? (g + turn) % n : (g + n - turn % n) % n, to = back ? (g + n - 1) % n : (g + 1) % n;
            uint32_t part = part_at(shape, home);
            if (part == shape->parts)
                continue;
            if (t->direction)
                t->direction[t->count] = back ? RWA_CCW : RWA_CW;
            transfer_add(t, player(shape, g, place), player(shape, to, place), place * shape->parts + part);
        }
}

/** Push stage number `stage`, from 0, on a ring (`cycle`) or line.  First come the stages of the reduce-scatter inside
 * the groups; then blocks go round all groups twice, once to be added up and once to be copied; last come the stages
 * of the all-gather inside the groups. */
static rwa_status push_stage(struct schedule_sink *sink, const struct shape *shape, bool cycle, uint32_t stage)
{
    uint32_t inside = shape->places - 1, outside = shape->groups - 1;
    bool reducing = stage < inside + outside, between = stage >= inside && stage < inside + 2 * outside;
    struct transfers t;
    MUST(transfers_create(&t, (size_t)shape->groups * shape->places * (between ? 1 : shape->parts),
                          between && cycle ? WITH_DIRECTION : 0, sink->err));
    t.op = reducing ? RWA_REDUCE : RWA_COPY;
    if (between)
        pass_between(shape, &t, reducing ? stage - inside + 1 : stage - inside - outside);
    else
        pass_inside(shape, &t, reducing ? stage : stage - inside - 2 * outside, reducing);
    return sink_transfers(sink, &t);
}

static rwa_status h_ring_plan(struct schedule_sink *sink, const struct plan_request *request)
{
    struct shape shape = shape_of(request, request->parameters->group);
    bool cycle = network_is_cycle(request->net);
    for (uint32_t stage = 0; stage < stages_of(&shape); stage++)
        MUST(push_stage(sink, &shape, cycle, stage));
    return RWA_OK;
}

static void h_ring_formula(rwa_formula *f, const struct plan_request *request)
{
    uint64_t n = rwa_network_nodes(request->net), g = request->parameters->group;
    f->steps = 2 * g + ceil_div(2 * n, g) + ceil_div(g, rwa_network_channels(request->net)) - 4;
    f->source = "WRHT, Table I";
}

const struct scheme scheme_h_ring = {
    .name = "h-ring",
    .summary = "rings inside groups of g neighbours, and a ring over the groups for each place",
    .source = "WRHT, Table I",
    .collectives = 1u << RWA_ALL_REDUCE,
    .needs = NETWORK_ARCS,
    .reads = READS_GROUP,
    .solver_needs = NETWORK_ARCS,
    .validate = validate_group,
    .estimate = h_ring_estimate,
    .plan = h_ring_plan,
    .formula = h_ring_formula,
};
