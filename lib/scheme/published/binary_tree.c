/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Binary-tree all-reduce (WRHT, Section III-B and Table I): in step i the first node of every group of 2^i adds what the
 * middle one has gathered; then the same steps backwards as a broadcast.  2 ceil(log2 N) steps, one wavelength, since
 * the groups do not overlap.
 */
#include "scheme/scheme.h"

#include "base/base.h"

#include <stdlib.h>

struct binary {
    uint32_t nodes, levels;
    uint32_t stage;             /* done: below `levels` reducing, then broadcasting */
};

static uint32_t levels_of(uint32_t nodes)
{
    uint32_t levels = 0;
    while (((uint64_t)1 << levels) < nodes)
        levels++;
    return levels;
}

static rwa_status binary_open(void **out, const struct scheme_request *request, rwa_error *err)
{
    struct binary *b = base_array(1, sizeof *b, err);
    *out = b;
    if (!b)
        return RWA_NOMEM;
    b->nodes = rwa_network_nodes(request->net);
    b->levels = levels_of(b->nodes);
    return RWA_OK;
}

static rwa_status binary_next(void *state, struct stage *s, rwa_error *err)
{
    struct binary *b = state;
    bool reducing = b->stage < b->levels;
    rwa_status st = RWA_OK;
    if (b->stage == 2 * b->levels)
        return RWA_OK;
    uint64_t half = (uint64_t)1 << (reducing ? b->stage : 2 * b->levels - 1 - b->stage);
    TRY(stage_create(s, b->nodes / half / 2 + 1, err));
    s->op = reducing ? RWA_REDUCE : RWA_COPY;
    for (uint64_t first = 0; first + half < b->nodes; first += 2 * half) {
        uint32_t low = (uint32_t)first, middle = (uint32_t)(first + half);
        stage_add(s, reducing ? middle : low, reducing ? low : middle, 0);
    }
    b->stage++;
done:
    return st;
}

static void binary_formula(rwa_formula *f, const struct scheme_request *request)
{
    f->known = 1;
    f->steps = (uint64_t)2 * levels_of(rwa_network_nodes(request->net));
    f->source = "WRHT, Table I";
}

const struct scheme scheme_binary_tree = {
    .name = "binary-tree",
    .summary = "pairs of groups add up into their first node, then the sum goes back the same way",
    .source = "WRHT, Table I",
    .collectives = 1u << RWA_ALL_REDUCE,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .solved = 1u << RWA_RING | 1u << RWA_LINE,
    .blocks = scheme_whole_message,
    .stripes = true,
    .open = binary_open,
    .next = binary_next,
    .close = base_free,
    .formula = binary_formula,
};
