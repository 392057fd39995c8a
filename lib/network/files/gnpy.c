/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * GNPy topologies (github.com/Telecominfraproject/oopt-gnpy): elements with directed connections.  The nodes of the
 * network are the Roadms (the Transceivers if there is no Roadm); a link is a chain of fibres, amplifiers and fused
 * spans from one node to the next, and its length is the sum of the lengths of its fibres.
 */
#include "network/files/formats.h"

struct element {
    double km;
    uint32_t node;          /* of the network; RWA_NONE: the element is inside a link */
    bool ends;              /* a Transceiver: no link leads through it */
    uint32_t first, count;  /* of its connections, in next */
};

struct gnpy {
    struct network_draft *d;
    struct names uids;
    struct element *elements;
    uint32_t count;
    uint32_t (*joined)[2];
    size_t joined_count;
    uint32_t *next;
    uint32_t *path;         /* elements on the way from the node being followed */
    bool *on_path;
};

static bool is_type(const json_t *element, const char *type)
{
    const char *text = json_string_value(json_object_get(element, "type"));
    return text && strcmp(text, type) == 0;
}

static rwa_status read_length(struct network_draft *d, const json_t *element, double *km)
{
    const json_t *params = json_object_get(element, "params"), *length = json_object_get(params, "length");
    const char *unit = json_string_value(json_object_get(params, "length_units"));
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
    const char *uid = json_string_value(json_object_get(element, "uid"));
    struct element *e = &t->elements[t->count];
    uint32_t number = 0;
    bool known = false;
    if (!uid || !*uid || !json_is_string(json_object_get(element, "type")))
        return draft_fail(t->d, "expected a \"uid\" and a \"type\"");
    MUST(names_add(&t->uids, uid, &number, &known, t->d->err));
    if (known)
        MUST(draft_fail(t->d, "uid \"%.64s\" comes twice, expected each once", uid));
    MUST(read_length(t->d, element, &e->km));
    e->ends = is_type(element, "Transceiver");
    e->node = RWA_NONE;
    if (is_type(element, node_type)) {
        e->node = t->d->nodes;
        MUST(draft_add_node(t->d, uid, json_string_value(json_object_get(location_of(element), "city"))));
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
    const char *uid = json_string_value(json_object_get(connection, end));
    if (!uid)
        return draft_fail(t->d, "expected \"from_node\" and \"to_node\"");
    *number = names_find(&t->uids, uid);
    return *number != NAMES_NONE ? RWA_OK : draft_fail(t->d, "element \"%.64s\" is unknown", uid);
}

/** Sort the connections by the element where they begin: element e is followed by next[e.first] … next[e.first +
 *  e.count - 1]. */
static rwa_status take_connections(struct gnpy *t, const json_t *connections)
{
    uint32_t at = 0;
    if (!json_is_array(connections))
        return draft_fail(t->d, "expected \"connections\" to be an array");
    MUST(base_new(t->joined, json_array_size(connections), t->d->err));
    MUST(base_new(t->next, json_array_size(connections), t->d->err));
    assert(t->elements);
    for (size_t i = 0; i < json_array_size(connections); i++) {
        snprintf(t->d->item, sizeof t->d->item, "connections[%zu]", i);
        MUST(find_element(t, json_array_get(connections, i), "from_node", &t->joined[i][0]));
        MUST(find_element(t, json_array_get(connections, i), "to_node", &t->joined[i][1]));
        t->elements[t->joined[i][0]].count++;
        t->joined_count++;
    }
    for (uint32_t e = 0; e < t->count; e++) {
        t->elements[e].first = at;
        at += t->elements[e].count;
        t->elements[e].count = 0;
    }
    for (size_t i = 0; i < t->joined_count; i++) {
        struct element *e = &t->elements[t->joined[i][0]];
        t->next[e->first + e->count++] = t->joined[i][1];
    }
    return RWA_OK;
}

/** Follow all chains of elements from a node through element `first`, and add a link for each node at the end of one.
 *  A fused span that serves both directions also leads back, so a chain that returns to its node is no link. */
static rwa_status follow(struct gnpy *t, uint32_t from, uint32_t first)
{
    uint32_t *turn;
    size_t depth = 0;
    double km = 0;
    rwa_status st = RWA_OK;
    MUST(base_new(turn, t->count, t->d->err));
    t->path[depth++] = first;
    t->on_path[first] = true;
    km += t->elements[first].km;
    while (depth > 0) {
        uint32_t at = t->path[depth - 1];
        const struct element *e = &t->elements[at];
        if (turn[at] == e->count) {
            t->on_path[at] = false;
            turn[at] = 0;
            km -= e->km;
            depth--;
            continue;
        }
        uint32_t next = t->next[e->first + turn[at]++], node = t->elements[next].node;
        if (node != RWA_NONE) {
            if (node != from)
                TRY(draft_add_link(t->d, from, node, round(km * 1e6) / 1e6, 0));
        } else if (!t->on_path[next] && !t->elements[next].ends) {
            t->path[depth++] = next;
            t->on_path[next] = true;
            km += t->elements[next].km;
        }
    }
done:
    free(turn);
    return st;
}

/** Add the links of all chains of elements between two nodes. */
static rwa_status follow_all(struct gnpy *t)
{
    MUST(base_new(t->path, t->count, t->d->err));
    MUST(base_new(t->on_path, t->count, t->d->err));
    for (uint32_t e = 0; e < t->count; e++)
        for (uint32_t k = 0; t->elements[e].node != RWA_NONE && k < t->elements[e].count; k++) {
            uint32_t next = t->next[t->elements[e].first + k], from = t->elements[e].node, to = t->elements[next].node;
            if (to != RWA_NONE && to != from)
                MUST(draft_add_link(t->d, from, to, 0, 0));
            else if (to == RWA_NONE && !t->elements[next].ends)
                MUST(follow(t, from, next));
        }
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
    free_all(t.elements, t.joined, t.next, t.path, t.on_path);
    return st;
}
