/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The table of schemes, and what every scheme's stages need. */
#include "scheme/scheme.h"

#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct scheme *const schemes[] = {
    &scheme_line_wavefront, /* these two before the wavefront, which on a ring that lost a direction goes one way round only */
    &scheme_broken_wavefront,
    &scheme_wavefront,
    &scheme_torus_wavefront,
    &scheme_optree,
    &scheme_one_stage,
    &scheme_ring_striped,
    &scheme_ring_both,
    &scheme_ring,
    &scheme_neighbor_exchange,
    &scheme_wrht,
    &scheme_h_ring,
    &scheme_rotated_trees,
    &scheme_recursive_doubling,
    &scheme_binary_tree,
    &scheme_tree,
    &scheme_direct,
    &scheme_nearest,
    &scheme_tcp,
    &scheme_latency_hiding,
    &scheme_forest,
    &scheme_ron_b3,
    &scheme_ron_b2,
    &scheme_ron_b1,
    &scheme_relay,
};
const size_t scheme_count = sizeof schemes / sizeof schemes[0];

const char *rwa_scheme_name(size_t i)
{
    return i < scheme_count ? schemes[i]->name : NULL;
}

const char *rwa_scheme_summary(size_t i)
{
    return i < scheme_count ? schemes[i]->summary : NULL;
}

const char *rwa_scheme_source(size_t i)
{
    return i < scheme_count ? schemes[i]->source : NULL;
}

rwa_status scheme_refuse(const struct scheme_request *request, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(request->why, RWA_ERROR_TEXT, format, args);
    va_end(args);
    return RWA_OK;
}

bool scheme_is_named(const struct scheme *scheme, const char *name)
{
    bool old_name = scheme == &scheme_rotated_trees && strcmp(name, "turned-trees") == 0;
    return old_name || strcmp(scheme->name, name) == 0;
}

uint64_t scheme_whole_message(const struct scheme_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE ? 1 : 0;
}

rwa_status stage_create(struct stage *stage, size_t most, rwa_error *err)
{
    memset(stage, 0, sizeof *stage);
    stage->src = base_array(most, sizeof *stage->src, err);
    stage->dst = base_array(most, sizeof *stage->dst, err);
    stage->block = base_array(most, sizeof *stage->block, err);
    return stage->src && stage->dst && stage->block ? RWA_OK : RWA_NOMEM;
}

void stage_free(struct stage *stage)
{
    free(stage->src);
    free(stage->dst);
    free(stage->block);
    free(stage->direction);
    free(stage->colour);
    free(stage->early);
    free(stage->rank_of);
    free(stage->copy_of);
    free(stage->copy);
    free(stage->records);
    free(stage->path);
    free(stage->path_first);
    free(stage->blocks);
    free(stage->block_first);
    free(stage->taps);
    free(stage->tap_first);
    memset(stage, 0, sizeof *stage);
}
