/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/spectrum_map.h"

#include "assignment/assignment.h"
#include "network/network.h"

enum { CELLS_MOST = 1 << 26 };

uint32_t spectrum_carrier_of(const struct spectrum_map *m, uint32_t link)
{
    return network_carrier(m->result->net, link, m->result->model);
}

uint32_t spectrum_link_of(const struct spectrum_map *m, uint32_t carrier)
{
    bool halved = m->result->model == RWA_UNDIRECTED && !network_has_arcs(m->result->net);
    return halved ? 2 * carrier : carrier;
}

static uint32_t spectrum_fibers_of(const struct spectrum_map *m, uint32_t carrier)
{
    return rwa_network_link(m->result->net, spectrum_link_of(m, carrier)).fibers;
}

uint32_t *spectrum_cell(const struct spectrum_map *m, uint32_t row, uint32_t slot)
{
    assert(row < m->rows && slot < m->slots);
    return &m->cells[(size_t)row * m->slots + slot];
}

static void mark_reserved(struct spectrum_map *m)
{
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint32_t slot = 0; slot < m->slots; slot++) {
            uint32_t carrier = m->carrier[row], fiber = row - m->first_row[carrier];
            if (slot < rwa_network_wavelengths(m->result->net) &&
                rwa_network_is_reserved(m->result->net, spectrum_link_of(m, carrier), fiber, slot))
                *spectrum_cell(m, row, slot) = SPECTRUM_RESERVED;
        }
}

static bool is_shared_backup(const struct spectrum_map *m, uint64_t route)
{
    return result_route(m->result, route).role == RWA_SHARED_BACKUP;
}

static bool is_lightpath(uint32_t cell)
{
    return cell != SPECTRUM_FREE && cell < SPECTRUM_SHARED;
}

/** Mark in the table m the slots, from `lowest` on, that a route takes on a fibre of a link.  Skip slots outside the
 *  table.  Slots of another lightpath stay as they are or, if both routes are shared backups, are marked as shared. */
static void mark_hop(struct spectrum_map *m, uint64_t route, uint32_t link, uint32_t fiber, uint32_t lowest)
{
    struct extent extent = assignment_extent(m->result, route);
    uint32_t carrier = spectrum_carrier_of(m, link);
    if (fiber >= spectrum_fibers_of(m, carrier))
        return;
    m->rectangles++;
    for (uint32_t i = 0; i < extent.width + extent.guard && lowest + i < m->slots; i++) {
        uint32_t row = m->first_row[carrier] + fiber, *at = spectrum_cell(m, row, lowest + i);
        m->taken[row] += *at == SPECTRUM_FREE;
        if (*at == SPECTRUM_FREE) {
            *at = ((uint32_t)route + 1) | (i < extent.width ? 0 : SPECTRUM_GUARD);
        } else if (is_lightpath(*at) && is_shared_backup(m, route) &&
                   is_shared_backup(m, (*at & ~SPECTRUM_GUARD) - 1)) {
            *at = SPECTRUM_SHARED;
            m->shared = true;
        }
    }
}

static void mark_routes(struct spectrum_map *m)
{
    for (uint64_t i = 0; i < m->result->count; i++) {
        rwa_route route = result_route(m->result, i);
        for (uint32_t k = 0; k < route.hops; k++)
            mark_hop(m, i, rwa_assignment_link(m->result, i, k), route_fiber(&route, k), route_channel(&route, k));
    }
}

rwa_status spectrum_map_open(struct spectrum_map *m, const rwa_assignment *result, struct arena *memory)
{
    const rwa_network *net = result->net;
    *m = (struct spectrum_map){.result = result, .slots = result->summary.wavelengths};
    m->carriers = result->model == RWA_UNDIRECTED ? rwa_network_pairs(net) : rwa_network_links(net);
    if (rwa_network_slot_hz(net) > 0)
        RAISE(m->slots, rwa_network_wavelengths(net));
    for (uint32_t c = 0; c < m->carriers; c++)
        m->rows += spectrum_fibers_of(m, c);
    if (m->slots == 0 || m->rows == 0)
        return base_refuse(memory->err, "no lightpath has a slot, so there is no spectrum to draw");
    if ((uint64_t)m->rows * m->slots > CELLS_MOST || result->count >= SPECTRUM_GUARD - 2)
        return base_refuse(memory->err, "%u links by %u slots are too many to draw", m->rows, m->slots);
    arena_new(memory, m->first_row, m->carriers);
    arena_arrays(memory, m->rows, m->carrier, m->taken);
    MUST(arena_arrays(memory, (size_t)m->rows * m->slots, m->cells));
    for (uint32_t c = 0, row = 0; c < m->carriers; c++) {
        m->first_row[c] = row;
        for (uint32_t f = 0; f < spectrum_fibers_of(m, c); f++)
            m->carrier[row++] = c;
    }
    mark_reserved(m);
    mark_routes(m);
    return RWA_OK;
}

/** Write the name of a node to `to`, cut to `size` bytes.  Leave out a parenthesis that does not fit completely. */
static void name_end(char *to, size_t size, const struct spectrum_map *m, uint32_t node)
{
    network_name_node(to, size, m->result->net, node);
    char *state = strstr(to, " (");
    if (state && !strchr(state, ')'))
        *state = '\0';
}

struct spectrum_label spectrum_name_row(const struct spectrum_map *m, uint32_t row)
{
    uint32_t carrier = m->carrier[row];
    rwa_link link = rwa_network_link(m->result->net, spectrum_link_of(m, carrier));
    char from[SPECTRUM_LABEL / 2], end[SPECTRUM_LABEL / 2];
    name_end(from, sizeof from, m, link.from);
    name_end(end, sizeof end, m, link.to);
    struct spectrum_label label;
    int used = snprintf(label.text, sizeof label.text, "%s%s%s", from,
                        m->result->model == RWA_UNDIRECTED ? "-" : ">", end);
    if (link.fibers > 1)
        snprintf(label.text + used, sizeof label.text - (size_t)used, " /%u", row - m->first_row[carrier]);
    return label;
}
