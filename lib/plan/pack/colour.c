/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assign wavelengths to a stage as colours.  There may be more colours than channels; packing then makes several steps
 * of them. */
#include "plan/pack/pack.h"

#include "solvers/solver.h"

void coloured_free(struct coloured *c)
{
    transfers_free(&c->t);
    rwa_assignment_free(c->routes);
    memset(c, 0, sizeof *c);
}

rwa_solver_options solver_options(const rwa_plan_options *o)
{
    rwa_solver_options solving;
    rwa_solver_options_init(&solving);
    solving.order = o->order;
    solving.time_limit_s = o->time_limit_s;
    solving.seed = o->seed;
    solving.poll = o->poll;
    solving.poll_data = o->poll_data;
    return solving;
}

static rwa_status colour_direction(struct coloured *c, uint32_t links, rwa_direction dir, const rwa_plan_options *o,
                                   rwa_error *err)
{
    size_t from = dir == RWA_CW ? 0 : c->clockwise;
    size_t count = dir == RWA_CW ? c->clockwise : c->t.count - c->clockwise;
    const rwa_solver_options solving = solver_options(o);
    rwa_solver_result found;
    rwa_problem p = {.struct_size = sizeof p, .links = links, .paths = count};
    p.start = (dir == RWA_CW ? c->t.src : c->t.dst) + from;
    p.end = (dir == RWA_CW ? c->t.dst : c->t.src) + from;
    p.known = c->known ? c->known + from : NULL;
    assert(from + count <= c->t.count);
    if (count == 0)
        return RWA_OK;
    MUST(solver_run(c->colour + from, &found, sizeof found, o->solver, &p, &solving, o->programs, err));
    assert(found.bound <= found.wavelengths);
    RAISE(c->wavelengths, found.wavelengths);
    RAISE(c->bound, found.bound);
    c->solver = found.solver;
    return RWA_OK;
}

/** Use the colours (wavelengths) that the scheme itself has constructed. c->bound stays 0: no lower bound on their
 * number is known. */
static rwa_status take_colours(struct coloured *c)
{
    c->colour = c->t.colour;
    c->t.colour = NULL;
    c->solver = "scheme";
    for (size_t i = 0; i < c->t.count; i++)
        if (c->colour[i] >= c->wavelengths)
            c->wavelengths = c->colour[i] + 1;
    return RWA_OK;
}

rwa_status colour_stage(struct coloured *c, const rwa_network *net, const rwa_plan_options *o, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    assert(!c->colour && c->wavelengths == 0);
    if (c->t.colour)
        return take_colours(c);
    MUST(arena_arrays(&c->t.memory, c->t.count, c->colour));
    MUST(colour_direction(c, nodes, RWA_CW, o, err));
    return colour_direction(c, nodes, RWA_CCW, o, err);
}
