/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/seed.h"

/** A sink that passes on the first steps, and notes whom they inform: each stage is a step. */
struct beginning {
    struct schedule_sink sink;  /* first: a sink is a beginning */
    struct schedule_sink *to;   /* NULL: nothing is passed on */
    uint32_t *informed;         /* as in struct seed; NULL: nothing is noted */
    uint32_t steps, most;       /* done; passed on */
};

static void note(struct beginning *b, uint32_t node)
{
    if (b->informed)
        b->informed[node] = b->steps + 1;
}

static bool passes(const struct beginning *b)
{
    return b->to && b->steps < b->most;
}

static rwa_status take_transfers(struct schedule_sink *sink, struct transfers *stage, rwa_error *err)
{
    struct beginning *b = (struct beginning *)sink;
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < stage->count; i++)
        note(b, stage->dst[i]);
    if (passes(b))
        st = sink_transfers(b->to, stage, err);
    transfers_free(stage);
    b->steps++;
    return st;
}

static rwa_status take_lightpath(struct schedule_sink *sink, const rwa_lightpath *lp, const rwa_lists *lists, rwa_error *err)
{
    struct beginning *b = (struct beginning *)sink;
    note(b, lp->dst);
    return passes(b) ? sink_lightpath(b->to, lp, lists, err) : RWA_OK;
}

static rwa_status end_step(struct schedule_sink *sink, rwa_error *err)
{
    struct beginning *b = (struct beginning *)sink;
    rwa_status st = passes(b) ? sink_end_stage(b->to, err) : RWA_OK;
    b->steps++;
    return st;
}

/** The broadcast of one block among these nodes. */
struct among {
    rwa_collective coll;
    rwa_plan_options opts;
    uint32_t *members;          /* NULL: all */
};

/** On rings and lines trees inform all. */
static rwa_status open_among(struct among *a, const struct plan_request *request, const bool *passing, rwa_error *err)
{
    uint32_t nodes = request->coll->nodes, root = request->coll->root, count = nodes;
    *a = (struct among){.opts = *request->opts};
    if (passing && !network_has_arcs(request->net)) {
        MUST(base_new(a->members, nodes, err));
        count = 0;
        for (uint32_t v = 0; v < nodes; v++) {
            root = v == request->coll->root ? count : root;
            if (passing[v] || v == request->coll->root)
                a->members[count++] = v;
        }
        a->opts.members = a->members;
    }
    return rwa_collective_init(&a->coll, RWA_BROADCAST, count, root, 1, 1, err);
}

/** On rings and lines without a limit of hops a tree has the fewest steps there are. */
static rwa_status begin(struct beginning *b, const struct plan_request *request, const bool *passing, rwa_error *err)
{
    struct plan_request seed = *request;
    struct among among;
    rwa_status st = RWA_OK;
    b->sink = (struct schedule_sink){take_transfers, NULL, take_lightpath, end_step};
    TRY(open_among(&among, request, passing, err));
    seed.coll = &among.coll;
    seed.opts = &among.opts;
    seed.below_s = 0;
    seed.brief = true;
    if (among.coll.nodes > 1)
        TRY((network_has_arcs(request->net) ? scheme_tree : scheme_nearest).plan(&b->sink, &seed, err));
done:
    free(among.members);
    return st;
}

rwa_status seed_push(struct schedule_sink *sink, const struct plan_request *request, const bool *passing, uint32_t steps, rwa_error *err)
{
    struct beginning b = {.to = sink, .most = steps};
    return begin(&b, request, passing, err);
}

rwa_status seed_find(struct seed *out, const struct plan_request *request, const bool *passing, rwa_error *err)
{
    struct plan_request noted = *request;
    char why[RWA_ERROR_TEXT] = "";
    *out = (struct seed){0};
    if (network_has_arcs(request->net) && request->opts->max_hops > 0)
        return RWA_OK;
    MUST(base_new(out->informed, rwa_network_nodes(request->net), err));
    struct beginning b = {.informed = out->informed};
    noted.why = why;
    MUST(begin(&b, &noted, passing, err));
    out->steps = why[0] == '\0' ? b.steps : 0;
    return RWA_OK;
}

void seed_free(struct seed *seed)
{
    free(seed->informed);
}
