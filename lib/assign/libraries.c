/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The libraries that assignment and planning rest on, with the versions that are running. */
#include "rwa/assign.h"

#include "lp/guard.h"
#include "network/network.h"

#include <jansson.h>
#include <zlib.h>

static const char *jansson_running(void)
{
    return JANSSON_VERSION;
}

static const struct {
    const char *name;
    const char *(*version)(void);
} libraries[] = {{"GLPK", lp_version},
                 {"igraph", network_igraph_version},
                 {"jansson", jansson_running},
                 {"zlib", zlibVersion}};

const char *rwa_library_name(size_t i)
{
    return i < sizeof libraries / sizeof *libraries ? libraries[i].name : NULL;
}

const char *rwa_library_version(size_t i)
{
    return i < sizeof libraries / sizeof *libraries ? libraries[i].version() : NULL;
}
