/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/template_space.h"

#include "network/network.h"

/** Steps of the search for a route, after which the displacement has none. */
enum { MOST_SEARCHED = 4096 };

static rwa_status allocate(struct template_space *s, rwa_error *err)
{
    size_t nodes = s->nodes;
    s->memory.err = err;
    arena_new(&s->memory, s->way, s->ways);
    arena_new(&s->memory, s->phase, nodes);
    arena_new(&s->memory, s->hops, nodes * nodes);
    arena_new(&s->memory, s->order, nodes * nodes);
    arena_new(&s->memory, s->turned, nodes);
    arena_new(&s->memory, s->routes, nodes);
    arena_new(&s->memory, s->route, nodes * TEMPLATE_ROUTES * TEMPLATE_HOPS);
    return arena_status(&s->memory);
}

static void set_phases(struct template_space *s)
{
    for (uint32_t v = 0; v < s->nodes; v++) {
        uint32_t sum = 0;
        for (size_t d = 0; d < s->group->digits; d++)
            sum += s->group->radix[d] % s->period == 0 ? translations_digit(s->group, v, d) : 0;
        s->phase[v] = sum % s->period;
    }
}

/** Links from node 0, breadth first; `list` gets the nodes. */
static void measure(const struct template_space *s, uint32_t *links, uint32_t *list)
{
    uint32_t end = 1;
    memset(links, 0xff, s->nodes * sizeof *links);
    links[0] = list[0] = 0;
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t w = 0; w < s->ways; w++) {
            uint32_t to = translations_add(s->group, list[i], s->way[w]);
            if (links[to] == UINT32_MAX) {
                links[to] = links[list[i]] + 1;
                list[end++] = to;
            }
        }
}

/* ---- routes of a displacement: shortest, and without two hops in one slot ---- */

struct route_search {
    const struct template_space *space;
    const uint32_t *links;  /* of each node, from node 0 */
    uint8_t *route;
    uint32_t first, turn;   /* the way tried first; the next ones follow upwards or downwards */
    uint32_t searched;
};

/** Whether an earlier hop of the route has the slot of this way at `at`. */
static bool meets_itself(const struct route_search *r, uint32_t hops, uint32_t at, uint32_t way)
{
    const struct template_space *s = r->space;
    size_t slot = template_slot(s, way, at, 0);
    for (uint32_t k = 0, node = 0; k < hops; node = translations_add(s->group, node, s->way[r->route[k]]), k++)
        if (template_slot(s, r->route[k], node, 0) == slot)
            return true;
    return false;
}

/** From `at`, `left` links away from the destination, which the sum of both names. */
static bool go_on(struct route_search *r, uint32_t hops, uint32_t at, uint32_t left)
{
    const struct template_space *s = r->space;
    if (r->links[left] == 0)
        return true;
    for (uint32_t i = 0; i < s->ways && r->searched < MOST_SEARCHED; i++) {
        uint32_t way = (r->first + (r->turn ? s->ways - i : i)) % s->ways;
        uint32_t rest = translations_move(s->group, left, s->way[way], 0);
        if (r->links[rest] + 1 != r->links[left] || meets_itself(r, hops, at, way))
            continue;
        r->searched++;
        r->route[hops] = (uint8_t)way;
        if (go_on(r, hops + 1, translations_add(s->group, at, s->way[way]), rest))
            return true;
    }
    return false;
}

static void find_routes(struct template_space *s, const uint32_t *links, uint32_t to)
{
    for (uint32_t i = 0; i < TEMPLATE_ROUTES; i++) {
        uint8_t *route = s->route + ((size_t)to * TEMPLATE_ROUTES + s->routes[to]) * TEMPLATE_HOPS;
        struct route_search r = {.space = s, .links = links, .route = route, .first = i * s->ways / TEMPLATE_ROUTES, .turn = i % 2};
        if (!go_on(&r, 0, 0, to))
            return;
        s->routes[to]++;
    }
}

/** A turn by a right angle where two digits are alike, else the change of all signs, if all hops stay as they are. */
static void find_symmetry(struct template_space *s, const uint32_t *links)
{
    const struct translations *g = s->group;
    bool square = g->digits == 2 && g->radix[0] == g->radix[1] && !g->element, kept = true;
    for (uint32_t v = 0; v < s->nodes; v++) {
        uint32_t high = v / g->radix[1 % g->digits], low = v % g->radix[1 % g->digits];
        s->turned[v] = square ? (g->radix[0] - low) % g->radix[0] * g->radix[0] + high : translations_move(g, 0, v, 0);
        kept = kept && links[s->turned[v]] == links[v] && template_hops(s, 0, s->turned[v]) == template_hops(s, 0, v);
    }
    for (uint32_t v = 0; v < s->nodes && !kept; v++)
        s->turned[v] = v;
}

/** A property of node 0 is one of every node. */
static void fill_tables(struct template_space *s, const uint32_t *links, const uint32_t *list, uint32_t max_hops)
{
    uint32_t most = max_hops > 0 && max_hops < TEMPLATE_HOPS ? max_hops : TEMPLATE_HOPS;
    for (uint32_t v = 1; v < s->nodes; v++)
        if (links[v] <= most)
            find_routes(s, links, v);
    for (uint32_t from = 0; from < s->nodes; from++)
        for (uint32_t i = 0; i < s->nodes; i++) {
            uint32_t to = translations_add(s->group, list[i], from);
            s->order[(size_t)from * s->nodes + i] = (uint16_t)to;
            s->hops[(size_t)from * s->nodes + to] = (uint8_t)(i == 0 ? 0 : s->routes[list[i]] > 0 ? links[list[i]] : TEMPLATE_FAR);
        }
    find_symmetry(s, links);
}

rwa_status template_space_open(struct template_space *s, const struct translations *group, const rwa_network *listed, uint32_t period,
                               uint32_t max_hops, rwa_error *err)
{
    uint32_t *links = base_array(group->nodes, sizeof *links, err), *list = base_array(group->nodes, sizeof *list, err);
    rwa_status st = links && list ? RWA_OK : RWA_NOMEM;
    assert(group->nodes <= TEMPLATE_NODES);
    *s = (struct template_space){.group = group, .nodes = group->nodes, .channels = rwa_network_channels(listed), .period = period,
                                 .ways = listed->first[1] - listed->first[0]};
    TRY(st);
    TRY(allocate(s, err));
    for (uint32_t w = 0; w < s->ways; w++)
        s->way[w] = listed->links[listed->out[listed->first[0] + w]].to;
    set_phases(s);
    measure(s, links, list);
    fill_tables(s, links, list, max_hops);
done:
    free(links);
    free(list);
    return st;
}

void template_space_close(struct template_space *s)
{
    arena_free(&s->memory);
    memset(s, 0, sizeof *s);
}
