/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads GraphML and GML by igraph, and passes nodes and edges to the reader of JSON, so that one set of member names
 *  serves all three formats. */
#include "network/files/formats.h"

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

/** Add the attributes of node i, or of edge i unless `of_nodes`, to an object as members: texts and numbers, or null if
 *  the attribute has no value there.  `all` lists the attributes; "weight" is left out, since it is not a length.
 *  Return false if memory runs out. */
static bool add_attributes(json_t *object, const igraph_t *graph, const struct attributes *all, bool of_nodes,
                           igraph_integer_t i)
{
    static const double exact = 9007199254740992; /* whole numbers up to here are exact as doubles */
    for (igraph_integer_t k = 0; k < igraph_strvector_size(&all->names); k++) {
        const char *name = igraph_strvector_get(&all->names, k), *text = NULL;
        double number = NAN;
        if (strcmp(name, "weight") == 0)
            continue;
        if (VECTOR(all->types)[k] == IGRAPH_ATTRIBUTE_STRING)
            text = of_nodes ? VAS(graph, name, i) : EAS(graph, name, i);
        else if (VECTOR(all->types)[k] == IGRAPH_ATTRIBUTE_NUMERIC)
            number = of_nodes ? VAN(graph, name, i) : EAN(graph, name, i);
        bool known = text ? *text : isfinite(number), whole = number == floor(number) && fabs(number) < exact;
        json_t *value = !known ? json_null() : text ? json_string_nocheck(text)
                        : whole ? json_integer((json_int_t)number) : json_real(number);
        if (json_object_set_new_nocheck(object, name, value) != 0)
            return false;
    }
    return true;
}

/** Append to `list` an object for each node or, unless `of_nodes`, for each edge; `all` lists their attributes.  igraph
 *  does not keep the order of an undirected edge's ends, so such an edge starts at its lower node.  Return false if
 *  memory runs out. */
static bool add_objects(json_t *list, const igraph_t *graph, const struct attributes *all, bool of_nodes)
{
    bool enough = true;
    igraph_integer_t count = of_nodes ? igraph_vcount(graph) : igraph_ecount(graph);
    for (igraph_integer_t i = 0; i < count && enough; i++) {
        json_int_t from = of_nodes ? i : IGRAPH_FROM(graph, i), to = of_nodes ? i : IGRAPH_TO(graph, i);
        bool swapped = !igraph_is_directed(graph) && to < from;
        json_t *object = json_object(), *place = of_nodes ? json_pack("{s:I}", "id", from) :
            json_pack("{s:I,s:I}", "from", swapped ? to : from, "to", swapped ? from : to);
        enough = add_attributes(object, graph, all, of_nodes, i) && json_object_update(object, place) == 0;
        enough = json_array_append_new(list, object) == 0 && enough;
        json_decref(place);
    }
    return enough;
}

static rwa_status make_document(json_t **out, const igraph_t *graph, struct attributes all[2], const char *file,
                                rwa_error *err)
{
    igraph_error_t code = igraph_cattribute_list(graph, NULL, NULL, &all[0].names, &all[0].types, &all[1].names,
                                                 &all[1].types);
    MUST(igraph_guard_status((int)code, file, err));
    *out = json_pack("{s:b,s:[],s:[]}", "directed", igraph_is_directed(graph), "nodes", "links");
    return add_objects(json_object_get(*out, "nodes"), graph, &all[0], true) &&
           add_objects(json_object_get(*out, "links"), graph, &all[1], false) ? RWA_OK
           : base_fail(err, RWA_NOMEM, "out of memory for %s", file);
}

static rwa_status convert(json_t **out, const igraph_t *graph, const char *file, rwa_error *err)
{
    struct attributes all[2];
    size_t open = 0;
    igraph_error_t code = IGRAPH_SUCCESS;
    while (open < 2 && (code = attributes_open(&all[open])) == IGRAPH_SUCCESS)
        open++;
    rwa_status st = open == 2 ? make_document(out, graph, all, file, err) : igraph_guard_status((int)code, file, err);
    while (open > 0)
        attributes_close(&all[--open]);
    return st;
}

rwa_status format_graph(struct network_draft *d, const char *text, size_t length, bool graphml)
{
    igraph_t graph;
    json_t *document = NULL;
    rwa_status st = RWA_OK;
    if (graphml)
        MUST(graphml_check(text, length, d->file, d->err));
    FILE *file = fmemopen((void *)(uintptr_t)text, length, "r");
    if (!file)
        return base_fail(d->err, RWA_NOMEM, "out of memory for %s", d->file);
    igraph_guard_enter();
    igraph_error_t code = graphml ? igraph_read_graph_graphml(&graph, file, 0) : igraph_read_graph_gml(&graph, file);
    st = igraph_guard_status((int)code, d->file, d->err);
    if (st == RWA_OK) {
        st = convert(&document, &graph, d->file, d->err);
        igraph_destroy(&graph);
    }
    igraph_guard_leave();
    fclose(file);
    if (st == RWA_OK)
        st = format_document(d, document);
    json_decref(document);
    return st;
}
