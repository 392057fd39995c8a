/* SPDX-License-Identifier: GPL-3.0-or-later */
/** In place of igraph on machines for which Debian does not build it: whatever begins with igraph fails with a
 *  status. */
#include <igraph.h>

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

/** Stands for every other function of igraph, and for its table of attributes, which none of them reads. */
igraph_error_t igraph_absent(void);
igraph_error_t igraph_absent(void)
{
    return IGRAPH_UNIMPLEMENTED;
}
