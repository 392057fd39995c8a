/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * GNPy topologies (github.com/Telecominfraproject/oopt-gnpy): elements with directed connections.  The nodes of the
 * network are the Roadms (the Transceivers if there is no Roadm); a link is a chain of fibres, amplifiers and fused
 * spans from one node to the next, and its length is the sum of the lengths of its fibres.
 */
#include "network/files/formats.h"

#include "base/bins.h"

/* The most elements of a link. */
enum { CHAIN_MOST = 1 << 12 };

struct element {
    double km;
    uint32_t node;          /* of the network; RWA_NONE: the element is inside a link */
    bool ends;              /* a Transceiver: no link leads through it */
    bool on_path;           /* on the way from the node being followed */
};

struct gnpy {
    struct network_draft *d;
    struct names uids;
    struct element *elements;
    uint32_t count;
    uint32_t *from, *to;    /* elements that each connection joins */
    struct bins leaving;    /* connections by the element where they begin */
};

static bool is_type(const json_t *element, const char *type)
{
    const char *text = json_text(element, "type");
    return text && strcmp(text, type) == 0;
}

static rwa_status read_length(struct network_draft *d, const json_t *element, double *km)
{
    const json_t *params = json_object_get(element, "params"), *length = json_object_get(params, "length");
    const char *unit = json_text(params, "length_units");
    *km = 0;
    if (!is_type(element, "Fiber") && !is_type(element, "RamanFiber"))
        return RWA_OK;
    if (!json_is_number(length) || json_number_value(length) < 0)
        return draft_fail(d, "expected a fibre's \"length\" as a number that is not negative");
    if (unit && strcmp(unit, "km") != 0 && strcmp(unit, "m") != 0)
        return draft_fail(d, "length_units \"%.64s\", expected km or m", unit);
    *km = json_number_value(length) / (unit && strcmp(unit, "m") == 0 ? 1000 : 1);
    return RWA_OK;
}

static const json_t *location_of(const json_t *element)
{
    return json_object_get(json_object_get(element, "metadata"), "location");
}

static rwa_status take_location(struct network_draft *d, const json_t *element)
{
    const json_t *x = json_object_get(location_of(element), "longitude"),
                 *y = json_object_get(location_of(element), "latitude");
    return json_is_number(x) && json_is_number(y) ? draft_position(d, json_number_value(x), json_number_value(y))
                                                  : RWA_OK;
}

static rwa_status take_element(struct gnpy *t, const json_t *element, const char *node_type)
{
    const char *uid = json_text(element, "uid");
    struct element *e = &t->elements[t->count];
    uint32_t number = 0;
    if (!uid || !*uid || !json_is_string(json_object_get(element, "type")))
        return draft_fail(t->d, "expected a \"uid\" and a \"type\"");
    MUST(names_add(&t->uids, uid, &number, t->d->err));
    if (number != t->count)
        MUST(draft_fail(t->d, "uid \"%.64s\" comes twice, expected each once", uid));
    MUST(read_length(t->d, element, &e->km));
    e->ends = is_type(element, "Transceiver");
    e->node = RWA_NONE;
    if (is_type(element, node_type)) {
        e->node = t->d->nodes;
        MUST(draft_add_node(t->d, uid, json_text(location_of(element), "city")));
        MUST(take_location(t->d, element));
    }
    t->count++;
    return RWA_OK;
}

static rwa_status take_elements(struct gnpy *t, const json_t *elements)
{
    const char *node_type = "Transceiver";
    if (!json_is_array(elements))
        return draft_fail(t->d, "expected \"elements\" to be an array");
    MUST(base_new(t->elements, json_array_size(elements), t->d->err));
    for (size_t i = 0; i < json_array_size(elements); i++)
        if (is_type(json_array_get(elements, i), "Roadm"))
            node_type = "Roadm";
    for (size_t i = 0; i < json_array_size(elements); i++) {
        snprintf(t->d->item, sizeof t->d->item, "elements[%zu]", i);
        MUST(take_element(t, json_array_get(elements, i), node_type));
    }
    return RWA_OK;
}

static rwa_status find_element(const struct gnpy *t, const json_t *connection, const char *end, uint32_t *number)
{
    const char *uid = json_text(connection, end);
    if (!uid)
        return draft_fail(t->d, "expected \"from_node\" and \"to_node\"");
    *number = names_find(&t->uids, uid);
    return *number != NAMES_NONE ? RWA_OK : draft_fail(t->d, "element \"%.64s\" is unknown", uid);
}

static rwa_status take_connections(struct gnpy *t, const json_t *connections)
{
    size_t count = json_array_size(connections);
    if (!json_is_array(connections))
        return draft_fail(t->d, "expected \"connections\" to be an array");
    MUST(base_new(t->from, count, t->d->err));
    MUST(base_new(t->to, count, t->d->err));
    for (size_t i = 0; i < count; i++) {
        snprintf(t->d->item, sizeof t->d->item, "connections[%zu]", i);
        MUST(find_element(t, json_array_get(connections, i), "from_node", &t->from[i]));
        MUST(find_element(t, json_array_get(connections, i), "to_node", &t->to[i]));
    }
    return bins_index(&t->leaving, t->count, count, NULL, t->from, NULL, t->d->err);
}

/** Continue the chains of elements that lead from node `from` to element `at` over `depth` elements and `km` of fibre.
 *  Add a link for each chain that ends in another node; drop chains that return to `from`. */
static rwa_status follow(struct gnpy *t, uint32_t from, uint32_t at, double km, uint32_t depth)
{
    rwa_status st = RWA_OK;
    if (depth == CHAIN_MOST)
        return draft_fail(t->d, "a link of more than %d elements, expected fewer", CHAIN_MOST);
    t->elements[at].on_path = true;
    for (size_t k = t->leaving.first[at]; k < t->leaving.first[at + 1] && st == RWA_OK; k++) {
        uint32_t next = t->to[t->leaving.number[k]];
        const struct element *e = &t->elements[next];
        if (e->node != RWA_NONE && e->node != from)
            st = draft_add_link(t->d, from, e->node, round(km * 1e6) / 1e6, 0);
        else if (e->node == RWA_NONE && !e->on_path && !e->ends)
            st = follow(t, from, next, km + e->km, depth + 1);
    }
    t->elements[at].on_path = false;
    return st;
}

/** Add the links of all chains of elements between two nodes. */
static rwa_status follow_all(struct gnpy *t)
{
    for (uint32_t e = 0; e < t->count; e++)
        if (t->elements[e].node != RWA_NONE)
            MUST(follow(t, t->elements[e].node, e, 0, 0));
    return RWA_OK;
}

/** Replace the links by fibre pairs if every link has an opposite one; otherwise they stay directed.  Cost
 *  O(links^2). */
static rwa_status pair_up(struct network_draft *d)
{
    bool *paired;
    size_t kept = 0, pairs = 0;
    MUST(base_new(paired, d->link_count, d->err));
    for (size_t i = 0; i < d->link_count; i++)
        for (size_t k = i + 1; k < d->link_count && !paired[i]; k++)
            if (!paired[k] && d->links[k].from == d->links[i].to && d->links[k].to == d->links[i].from) {
                paired[k] = true;
                pairs++;
                break;
            }
    d->directed = pairs * 2 != d->link_count;
    for (size_t i = 0; i < d->link_count; i++)
        if (d->directed || !paired[i])
            d->links[kept++] = d->links[i];
    d->link_count = kept;
    free(paired);
    return RWA_OK;
}

rwa_status format_gnpy(struct network_draft *d, const json_t *root)
{
    struct gnpy t = {.d = d};
    rwa_status st = RWA_OK;
    TRY(take_elements(&t, json_object_get(root, "elements")));
    TRY(take_connections(&t, json_object_get(root, "connections")));
    TRY(follow_all(&t));
    TRY(pair_up(d));
done:
    names_free(&t.uids);
    bins_free(&t.leaving);
    free_all(t.elements, t.from, t.to);
    return st;
}
