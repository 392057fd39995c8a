/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Logical topologies of large meshes: in each dimension that of a line, on all lines of the dimension. */
#include "scheme/own/logical.h"

bool logical_splits(const rwa_network *net)
{
    struct network_grid grid;
    bool splits = network_grid(&grid, net) && !grid.cyclic && !network_has_arcs(net);
    for (size_t d = 0; splits && d < grid.dimensions; d++)
        splits = grid.size[d] <= LINE_NODES;
    return splits;
}

rwa_status physical_split(struct physical *p, rwa_error *err)
{
    struct network_grid grid;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.fibers = p->net->fibers;
    opts.wavelengths = p->net->wavelengths;
    network_grid(&grid, p->net);
    arena_new(&p->memory, p->line, grid.dimensions);
    MUST(arena_status(&p->memory));
    for (size_t d = 0; d < grid.dimensions; d++) {
        rwa_network *net;
        if (grid.size[d] == 1)
            continue;
        MUST(rwa_network_create(&net, RWA_LINE, grid.size[d], &opts, err));
        rwa_status st = physical_open(&p->line[p->lines], net, p->budget, err);
        p->line[p->lines++].net = NULL; /* the links listed are enough */
        rwa_network_free(net);
        MUST(st);
    }
    return RWA_OK;
}

/** Lightpaths to a node of a line, at least: of those between the same two nodes no more than there are parts. */
static rwa_status count_lit(uint32_t lit[LIT_PARTS], const struct logical *line, rwa_error *err)
{
    uint32_t nodes = line->physical->nodes, *parallel = base_array((size_t)nodes * nodes, sizeof *parallel, err);
    MUST(parallel ? RWA_OK : RWA_NOMEM);
    for (uint32_t l = 0; l < line->links; l++)
        parallel[(size_t)line->to[l] * nodes + line->from[l]]++;
    for (uint32_t parts = 1, fewest = UINT32_MAX; parts <= LIT_PARTS; lit[parts++ - 1] += fewest, fewest = UINT32_MAX)
        for (uint32_t to = 0; to < nodes; to++) {
            uint32_t here = 0;
            for (uint32_t from = 0; from < nodes; from++)
                here += parallel[(size_t)to * nodes + from] < parts ? parallel[(size_t)to * nodes + from] : parts;
            fewest = here < fewest ? here : fewest;
        }
    free(parallel);
    return RWA_OK;
}

/** All pairs of nodes exchange a block: those of a line as many as it has nodes beside it. */
static rwa_status add_exchange(double *load, const struct logical *line, uint32_t nodes, rwa_error *err)
{
    struct carriages c;
    rwa_status st = logical_all_to_all(&c, line, &(struct travelling){.parts = 1, .limit_s = INFINITY}, err);
    for (uint32_t step = 1; step <= c.steps; step++)
        *load += (double)c.load[step] * (nodes / line->physical->nodes);
    carriages_free(&c);
    return st;
}

/** A topology of all nodes: blocks take the fewest lightpaths, which are about equally full. */
static rwa_status measure_whole(struct lines_extent *out, const struct physical *p, const struct logical_choice *choice, bool exchange,
                                rwa_error *err)
{
    const double uneven = 1.5;
    struct logical t;
    rwa_status st = logical_open(&t, p, choice, 0, err);
    TRY(st);
    out->farthest = t.farthest;
    for (size_t i = 0; i < (size_t)p->nodes * p->nodes && exchange; i++)
        out->load += uneven * t.hops[i] / t.links;
    if (!exchange)
        TRY(count_lit(out->lit, &t, err));
done:
    logical_close(&t);
    return st;
}

rwa_status logical_measure(struct lines_extent *out, const struct physical *p, const struct logical_choice *choice, bool exchange,
                           rwa_error *err)
{
    rwa_status st = RWA_OK;
    *out = (struct lines_extent){0};
    if (p->lines == 0)
        return measure_whole(out, p, choice, exchange, err);
    for (uint32_t d = 0; d < p->lines && st == RWA_OK; d++) {
        struct logical line;
        st = logical_open(&line, &p->line[d], choice, 0, err);
        out->farthest += line.farthest;
        if (st == RWA_OK)
            st = exchange ? add_exchange(&out->load, &line, p->nodes, err) : count_lit(out->lit, &line, err);
        logical_close(&line);
    }
    return st;
}

/** Lay the topology of one line on all lines of its dimension, whose neighbours are `stride` numbers apart. */
static void lay_lines(struct logical *out, const struct logical *line, uint32_t stride)
{
    uint32_t nodes = out->physical->nodes, size = line->physical->nodes;
    for (uint32_t first = 0; first < nodes; first++)
        for (uint32_t l = 0; l < line->links && first / stride % size == 0; l++) {
            out->from[out->links] = first + line->from[l] * stride;
            out->to[out->links] = first + line->to[l] * stride;
            out->channel[out->links++] = line->channel[l];
        }
    for (uint32_t src = 0; src < nodes; src++) {
        const uint16_t *hops = line->hops + (size_t)(src / stride % size) * size;
        for (uint32_t dst = 0; dst < nodes; dst++)
            out->hops[(size_t)src * nodes + dst] = (uint16_t)(out->hops[(size_t)src * nodes + dst] + hops[dst / stride % size]);
    }
    out->farthest += line->farthest;
    out->degree += line->degree;
}

rwa_status logical_open_lines(struct logical *out, const struct physical *p, const struct logical_choice *choice, uint32_t degree,
                              rwa_error *err)
{
    struct logical line[RWA_SHAPE_MAX] = {{0}};
    size_t links = 0, made = 0;
    rwa_status st = RWA_OK;
    *out = (struct logical){.physical = p, .memory = {.err = err}};
    for (uint32_t d = 0; d < p->lines; d++) {
        TRY(logical_open(&line[made++], &p->line[d], choice, 0, err));
        links += (size_t)line[d].links * (p->nodes / p->line[d].nodes);
    }
    arena_new(&out->memory, out->from, links);
    arena_new(&out->memory, out->to, links);
    arena_new(&out->memory, out->channel, links);
    arena_new(&out->memory, out->hops, (size_t)p->nodes * p->nodes);
    TRY(arena_status(&out->memory));
    for (uint32_t d = p->lines, stride = 1; d-- > 0; stride *= p->line[d].nodes)
        lay_lines(out, &line[d], stride);
    out->given_up = out->degree < degree;
done:
    for (size_t d = 0; d < made; d++)
        logical_close(&line[d]);
    return st;
}
