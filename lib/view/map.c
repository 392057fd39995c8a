/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/map.h"

#include "assignment/assignment.h"
#include "base/arithmetic.h"
#include "network/network.h"

/** Return the line of the map to which a carrier (fibre pair or directed link) belongs: all links between two nodes are
 *  one line. */
static struct map_line *line_of(const struct map *m, uint32_t carrier)
{
    const rwa_network *net = m->spectrum.result->net;
    rwa_link ends = rwa_network_link(net, spectrum_link_of(&m->spectrum, carrier));
    return &m->lines[lesser(rwa_network_find_link(net, ends.from, ends.to),
                            rwa_network_find_link(net, ends.to, ends.from))];
}

static rwa_status join_lines(struct map *m)
{
    const struct spectrum_map *s = &m->spectrum;
    MUST(arena_arrays(&m->arena, rwa_network_links(s->result->net), m->lines, m->lengths));
    for (uint32_t row = 0; row < s->rows; row++) {
        struct map_line *l = line_of(m, s->carrier[row]);
        l->rows++;
        l->taken += s->taken[row];
        assert(l->taken <= (uint64_t)l->rows * s->slots);
    }
    return RWA_OK;
}

/** If the links of length above 0 are those of a cut, set side[v] to 1 for each node v on one side of it; otherwise
 *  leave side[] zero. */
static void find_side(uint32_t *side, const uint32_t *lengths, const rwa_assignment *r)
{
    uint32_t links = rwa_network_links(r->net), first = 0;
    bool grows = true, cut = true;
    while (first < links && lengths[first] == 0)
        first++;
    if (first == links)
        return;
    /* the side: the nodes that links of length 0 join to the source of the first longer link */
    side[rwa_network_link(r->net, first).from] = 1;
    while (grows) {
        grows = false;
        for (uint32_t l = 0; l < links; l++) {
            rwa_link ends = rwa_network_link(r->net, l);
            if (lengths[l] == 0 && side[ends.from] && !side[ends.to])
                side[ends.to] = grows = true;
        }
    }
    /* a cut: every longer link leads from this side to the other */
    for (uint32_t l = 0; l < links; l++) {
        rwa_link ends = rwa_network_link(r->net, l);
        bool leaves = side[ends.from] || r->model == RWA_UNDIRECTED;
        cut = cut && (lengths[l] == 0 || (leaves && side[ends.from] != side[ends.to]));
    }
    if (!cut)
        memset(side, 0, rwa_network_nodes(r->net) * sizeof *side);
}

void map_mark_proof(uint32_t *lengths, uint32_t *side, const rwa_assignment *r)
{
    const rwa_certificate *bound = &r->summary.bound;
    for (uint32_t l = 0; l < rwa_network_links(r->net); l++) {
        uint32_t carrier = network_carrier(r->net, l, r->model);
        lengths[l] = carrier < bound->length_count ? bound->lengths[carrier]
                                                   : bound->kind == RWA_WITNESS_LINK && bound->link == carrier;
    }
    find_side(side, lengths, r);
}

void map_add_spots(struct text *t, const struct places *p, const rwa_network *net)
{
    char name[128];
    text_add(t, "spots:[");
    for (uint32_t v = 0; v < rwa_network_nodes(net); v++) {
        network_name_node(name, sizeof name, net, v);
        text_add(t, "[%.4f,%.4f,", p->x[v], p->y[v]);
        view_add_quoted(t, name);
        text_add(t, "],");
    }
    text_add(t, "],\n");
}

void map_add_proof(struct text *t, const char *words, const uint32_t *side, uint32_t nodes)
{
    text_add(t, "proof:{words:");
    view_add_quoted(t, words);
    text_add(t, ",side:");
    view_add_list(t, side, nodes);
}

/** Store in the map what proves the bound of the assignment: its words, the length of each link and line in it, and one
 *  side of a cut. */
static rwa_status take_proof(struct map *m)
{
    const rwa_assignment *r = m->spectrum.result;
    MUST(arena_arrays(&m->arena, rwa_network_nodes(r->net), m->side));
    if (!m->opts.proofs || !r->summary.bound.name)
        return RWA_OK;
    m->proof = m->opts.proofs[0];
    map_mark_proof(m->lengths, m->side, r);
    for (uint32_t c = 0; c < m->spectrum.carriers; c++)
        RAISE(line_of(m, c)->counted, m->lengths[spectrum_link_of(&m->spectrum, c)]);
    return RWA_OK;
}

rwa_status map_open(struct map *m, const rwa_assignment *result, const rwa_view_options *opts, rwa_error *err)
{
    *m = (struct map){.arena = {.err = err}};
    MUST(base_options(rwa_view_options, &m->opts, opts, err));
    if (rwa_network_nodes(result->net) > RWA_VIEW_MAP_NODES)
        return base_refuse(err, "%u nodes are too many for a map, expected at most %d", rwa_network_nodes(result->net),
                           RWA_VIEW_MAP_NODES);
    MUST(spectrum_map_open(&m->spectrum, result, &m->arena));
    if (m->spectrum.rectangles > RWA_VIEW_MAP_HOPS)
        return base_refuse(err, "%" PRIu64 " hops are too many for a map, expected at most %d", m->spectrum.rectangles,
                           RWA_VIEW_MAP_HOPS);
    MUST(places_open(&m->places, result->net, &m->arena));
    MUST(join_lines(m));
    return take_proof(m);
}
