/* SPDX-License-Identifier: GPL-3.0-or-later */
/** In place of igraph on machines for which Debian does not build it: whatever begins with igraph fails with a
 *  status. */
#include <igraph.h>
#include <stdlib.h>

const igraph_attribute_table_t igraph_cattribute_table;

igraph_error_t igraph_read_graph_graphml(igraph_t *graph, FILE *file, igraph_integer_t index)
{
    (void)graph, (void)file, (void)index;
    return IGRAPH_UNIMPLEMENTED;
}

igraph_error_t igraph_read_graph_gml(igraph_t *graph, FILE *file)
{
    (void)graph, (void)file;
    return IGRAPH_UNIMPLEMENTED;
}

igraph_error_t igraph_vector_int_init(igraph_vector_int_t *vector, igraph_integer_t size)
{
    (void)vector, (void)size;
    return IGRAPH_UNIMPLEMENTED;
}

const char *igraph_strerror(const igraph_error_t code)
{
    (void)code;
    return "igraph is absent";
}

void igraph_version(const char **text, int *major, int *minor, int *patch)
{
    *text = "absent";
    (void)major, (void)minor, (void)patch;
}

igraph_error_handler_t *igraph_set_error_handler(igraph_error_handler_t *handler)
{
    (void)handler;
    return NULL;
}

igraph_warning_handler_t *igraph_set_warning_handler(igraph_warning_handler_t *handler)
{
    (void)handler;
    return NULL;
}

igraph_attribute_table_t *igraph_set_attribute_table(const igraph_attribute_table_t *table)
{
    (void)table;
    return NULL;
}

/** Stands for every other igraph function: no caller gets so far. */
void igraph_absent(void);
void igraph_absent(void)
{
    abort();
}
