/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/files/graphs.h"

#include "base/number.h"
#include "network/files/graphml.h"
#include "network/igraph_guard.h"

#include <igraph.h>

/** The names and types of the attributes that the nodes have, or the edges. */
struct attributes {
    igraph_strvector_t names;
    igraph_vector_int_t types;
};

static igraph_error_t attributes_open(struct attributes *all)
{
    igraph_error_t code = igraph_strvector_init(&all->names, 0);
    if (code != IGRAPH_SUCCESS)
        return code;
    code = igraph_vector_int_init(&all->types, 0);
    if (code != IGRAPH_SUCCESS)
        igraph_strvector_destroy(&all->names);
    return code;
}

static void attributes_close(struct attributes *all)
{
    igraph_strvector_destroy(&all->names);
    igraph_vector_int_destroy(&all->types);
}

/** An attribute, found under the first of several usual names that is present. */
struct attribute {
    const char *name;       /* NULL: not there */
    bool is_text;
};

static struct attribute find_attribute(const struct attributes *all, const char *const *names)
{
    for (; *names; names++)
        for (igraph_integer_t i = 0; i < igraph_strvector_size(&all->names); i++) {
            igraph_integer_t type = VECTOR(all->types)[i];
            if (strcmp(igraph_strvector_get(&all->names, i), *names) == 0 &&
                (type == IGRAPH_ATTRIBUTE_NUMERIC || type == IGRAPH_ATTRIBUTE_STRING))
                return (struct attribute){*names, type == IGRAPH_ATTRIBUTE_STRING};
        }
    return (struct attribute){NULL, false};
}

/** Read a number that an edge has as attribute; it is 0 if absent, empty or NaN. */
static rwa_status edge_number(struct network_draft *d, const igraph_t *graph, struct attribute a, igraph_integer_t edge,
                              double *number)
{
    *number = 0;
    if (!a.name)
        return RWA_OK;
    if (!a.is_text) {
        *number = EAN(graph, a.name, edge);
        if (isnan(*number))
            *number = 0;
        return RWA_OK;
    }
    const char *text = EAS(graph, a.name, edge);
    return *text ? draft_number(d, text, a.name, number) : RWA_OK;
}

/** Return a number that a node has as attribute, or NaN if it has none. */
static double node_number(const igraph_t *graph, struct attribute a, igraph_integer_t node)
{
    char *end = NULL;
    if (!a.name)
        return NAN;
    if (!a.is_text)
        return VAN(graph, a.name, node);
    const char *text = VAS(graph, a.name, node);
    double number = number_read(text, &end);
    return end != text && *end == '\0' ? number : NAN;
}

/** Return a text that a node has as attribute, or a number written out as text; NULL if no node has the attribute. */
static const char *node_text(const igraph_t *graph, struct attribute a, igraph_integer_t node, char *buffer,
                             size_t size)
{
    if (!a.name)
        return NULL;
    if (a.is_text)
        return VAS(graph, a.name, node);
    snprintf(buffer, size, "%.17g", VAN(graph, a.name, node));
    return buffer;
}

static rwa_status take_vertices(struct network_draft *d, const igraph_t *graph, const struct attributes *all)
{
    static const char *const label_names[] = {"label", "name", NULL};
    static const char *const x_names[] = {"Longitude", "longitude", "lon", "x", NULL};
    static const char *const y_names[] = {"Latitude", "latitude", "lat", "y", NULL};
    struct attribute label = find_attribute(all, label_names);
    struct attribute x_of = find_attribute(all, x_names), y_of = find_attribute(all, y_names);
    igraph_integer_t count = igraph_vcount(graph);
    for (igraph_integer_t v = 0; v < count; v++) {
        char id[24], buffer[40];
        snprintf(d->item, sizeof d->item, "node %ld", (long)v);
        snprintf(id, sizeof id, "%ld", (long)v);
        MUST(draft_add_node(d, id, node_text(graph, label, v, buffer, sizeof buffer)));
        double x = node_number(graph, x_of, v), y = node_number(graph, y_of, v);
        if (isfinite(x) && isfinite(y))
            MUST(draft_position(d, x, y));
    }
    return RWA_OK;
}

/** Add an edge.  igraph does not keep the order of the ends of an undirected edge, so such an edge starts at its lower
 *  node. */
static rwa_status add_edge(struct network_draft *d, uint64_t from, uint64_t to, double km, uint64_t fibers)
{
    bool swapped = !d->directed && to < from;
    return draft_add_link(d, swapped ? to : from, swapped ? from : to, km, fibers);
}

/* ---- risk groups ---- */

enum { GROUP_NAME = 32 };

/** A link of a risk group. */
struct member {
    size_t length;          /* of the name */
    char name[GROUP_NAME];
    uint64_t link;
};

struct members {
    struct member *list;
    size_t count, capacity;
};

/** Shorter names first, so that numbers stand by value. */
static int by_group(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int names = x->length != y->length ? (x->length > y->length) - (x->length < y->length) : strcmp(x->name, y->name);
    return names ? names : (x->link > y->link) - (x->link < y->link);
}

/** Add a link to the groups that an edge names, separated by commas or blanks. */
static rwa_status join_groups(struct network_draft *d, struct members *all, const char *names, uint64_t link)
{
    static const char between[] = ",; \t\r\n";
    for (names += strspn(names, between); *names; names += strspn(names, between)) {
        struct member one = {.length = strcspn(names, between), .link = link};
        if (one.length >= GROUP_NAME)
            return draft_fail(d, "risk group \"%.*s...\": expected names of at most %d bytes", GROUP_NAME, names,
                              GROUP_NAME - 1);
        memcpy(one.name, names, one.length);
        MUST(base_append(all->list, all->count, all->capacity, d->err, one));
        names += one.length;
    }
    return RWA_OK;
}

/** Read the risk groups of all edges. */
static rwa_status take_groups(struct network_draft *d, const igraph_t *graph, const struct attributes *edges)
{
    static const char *const group_names[] = {"risk_groups", "risk_group", "srlg", "SRLG", "srlgs", NULL};
    struct attribute a = find_attribute(edges, group_names);
    struct members all = {0};
    rwa_status st = RWA_OK;
    for (igraph_integer_t e = 0; a.name && e < igraph_ecount(graph); e++) {
        char number[GROUP_NAME] = "";
        if (!a.is_text && !isnan(EAN(graph, a.name, e)))
            snprintf(number, sizeof number, "%.17g", EAN(graph, a.name, e));
        snprintf(d->item, sizeof d->item, "edge %ld", (long)e);
        TRY(join_groups(d, &all, a.is_text ? EAS(graph, a.name, e) : number, (uint64_t)e));
    }
    all.count = base_sort_unique(all.list, all.count, sizeof *all.list, by_group);
    for (size_t i = 0; i < all.count; i++) {
        if (i == 0 || strcmp(all.list[i].name, all.list[i - 1].name) != 0)
            TRY(draft_begin_group(d));
        TRY(draft_group_link(d, all.list[i].link));
    }
done:
    free(all.list);
    return st;
}

static rwa_status take_edges(struct network_draft *d, const igraph_t *graph, const struct attributes *all)
{
    static const char *const length_names[] = {"km", "length_km", "length", "distance", "dist", NULL};
    static const char *const fiber_names[] = {"fibers", "fibres", NULL};
    static const char *const capacity_names[] = {"capacity", NULL};
    static const char *const reserved_names[] = {"reserved", NULL};
    struct attribute length = find_attribute(all, length_names);
    struct attribute fibers = find_attribute(all, fiber_names);
    struct attribute capacity = find_attribute(all, capacity_names);
    struct attribute reserved = find_attribute(all, reserved_names);
    igraph_integer_t count = igraph_ecount(graph);
    for (igraph_integer_t e = 0; e < count; e++) {
        double km = 0, parallel = 0, limit = 0;
        snprintf(d->item, sizeof d->item, "edge %ld", (long)e);
        MUST(edge_number(d, graph, length, e, &km));
        MUST(edge_number(d, graph, fibers, e, &parallel));
        MUST(edge_number(d, graph, capacity, e, &limit));
        if (!(parallel >= 0 && parallel <= RWA_CHANNELS_MAX) || parallel != floor(parallel))
            MUST(draft_fail(d, "%g fibres, expected a whole number of at least 1", parallel));
        if (limit < 0)
            MUST(draft_fail(d, "a capacity of %g, expected one that is not negative", limit));
        MUST(add_edge(d, (uint64_t)IGRAPH_FROM(graph, e), (uint64_t)IGRAPH_TO(graph, e), km, (uint64_t)parallel));
        if (reserved.name && reserved.is_text)
            MUST(draft_reserve(d, DRAFT_ALL_FIBERS, EAS(graph, reserved.name, e)));
    }
    return RWA_OK;
}

static rwa_status take_attributed(struct network_draft *d, const igraph_t *graph, struct attributes *nodes,
                                  struct attributes *edges)
{
    igraph_error_t code =
        igraph_cattribute_list(graph, NULL, NULL, &nodes->names, &nodes->types, &edges->names, &edges->types);
    MUST(igraph_guard_status((int)code, d->file, d->err));
    d->directed = igraph_is_directed(graph);
    MUST(take_vertices(d, graph, nodes));
    MUST(take_edges(d, graph, edges));
    return take_groups(d, graph, edges);
}

static rwa_status take_graph(struct network_draft *d, const igraph_t *graph)
{
    struct attributes nodes, edges;
    igraph_error_t code = attributes_open(&nodes);
    if (code != IGRAPH_SUCCESS)
        return igraph_guard_status((int)code, d->file, d->err);
    code = attributes_open(&edges);
    rwa_status st = igraph_guard_status((int)code, d->file, d->err);
    if (st == RWA_OK) {
        st = take_attributed(d, graph, &nodes, &edges);
        attributes_close(&edges);
    }
    attributes_close(&nodes);
    return st;
}

static rwa_status read_graph(struct network_draft *d, const char *text, size_t length, bool graphml)
{
    igraph_t graph;
    rwa_status st = RWA_OK;
    FILE *file = fmemopen((void *)(uintptr_t)text, length, "r");
    if (!file)
        return base_fail(d->err, RWA_NOMEM, "out of memory for %s", d->file);
    igraph_guard_enter();
    igraph_error_t code = graphml ? igraph_read_graph_graphml(&graph, file, 0) : igraph_read_graph_gml(&graph, file);
    st = igraph_guard_status((int)code, d->file, d->err);
    if (st == RWA_OK) {
        st = take_graph(d, &graph);
        igraph_destroy(&graph);
    }
    igraph_guard_leave();
    fclose(file);
    return st;
}

rwa_status graphs_read_graphml(struct network_draft *d, const char *text, size_t length)
{
    rwa_status st = graphml_check(text, length, d->file, d->err);
    return st == RWA_OK ? read_graph(d, text, length, true) : st;
}

rwa_status graphs_read_gml(struct network_draft *d, const char *text, size_t length)
{
    return length ? read_graph(d, text, length, false) : draft_fail(d, "empty, expected GML");
}
