/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Per node and step: which ring adds, drops or passes which wavelength, or only the rings that change. */
#include "foreign/foreign.h"

struct settings {
    struct export_request *r;
    struct sink *sink;
    struct raster up;       /* what is up in the step */
    struct raster now;      /* what carries blocks; drawn only where lightpaths are held */
    uint8_t *last;          /* use of [node][direction][channel] in the step before */
    bool first;             /* no ring of this node has been written */
    uint32_t nodes, channels, wavelengths;
};

/** A ring of a node in a step. */
struct place {
    uint32_t step, node, channel;
    rwa_direction direction;
};

/* ---- a table ---- */

/** held: the lightpath carries nothing in this step. */
static void put_row(struct settings *s, const struct place *at, const char *action, const rwa_lightpath *lp, bool held)
{
    sink_put(s->sink, "%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%s", at->step, at->node, export_direction(at->direction),
             at->channel / s->wavelengths, at->channel % s->wavelengths, action);
    if (lp && held)
        sink_put(s->sink, ",%" PRIu32 ",%" PRIu32 ",\n", lp->src, lp->dst);
    else if (lp)
        sink_put(s->sink, ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 "\n", lp->src, lp->dst, lp->block);
    else
        sink_put(s->sink, ",,,\n");
}

/* ---- JSON Lines ---- */

static void put_json(struct settings *s, const struct place *at, const char *action, const rwa_lightpath *lp, bool held)
{
    sink_put(s->sink, "%s{\"dir\":\"%s\",\"fiber\":%" PRIu32 ",\"wavelength\":%" PRIu32 ",\"set\":\"%s\"", s->first ? "" : ",",
             export_direction(at->direction), at->channel / s->wavelengths, at->channel % s->wavelengths, action);
    if (lp)
        sink_put(s->sink, ",\"src\":%" PRIu32 ",\"dst\":%" PRIu32, lp->src, lp->dst);
    if (lp && held)
        sink_put(s->sink, ",\"block\":null,\"hold\":true");
    else if (lp)
        sink_put(s->sink, ",\"block\":%" PRIu64, lp->block);
    sink_put(s->sink, "}");
}

/* ---- both ---- */

/** up: the lightpath that is set; now: the one that carries a block here, NULL: none does. */
static void put_setting(struct settings *s, const struct place *at, const char *action, const rwa_lightpath *up, const rwa_lightpath *now)
{
    assert(at->node < s->nodes && at->channel < s->channels);
    if (s->r->o.csv)
        put_row(s, at, action, now ? now : up, !now);
    else
        put_json(s, at, action, now ? now : up, !now);
    s->first = false;
}

static void put_use(struct settings *s, const struct place *at, const struct ring_state *up)
{
    struct ring_state now = *up;
    if (s->r->hold)
        now = export_ring(&s->now, s->r->net, at->node, at->direction, at->channel);
    if (up->use & RING_DROP)
        put_setting(s, at, "drop", up->in, now.use & RING_DROP ? now.in : NULL);
    if (up->use & RING_ADD)
        put_setting(s, at, "add", up->out, now.use & RING_ADD ? now.out : NULL);
    if (up->use & RING_PASS)
        put_setting(s, at, "pass", up->in, now.use & RING_PASS ? now.in : NULL);
    if (up->use == RING_IDLE)
        put_setting(s, at, "idle", NULL, NULL);
}

/** Whether a use is written: changes only, or all but idle rings. */
static bool is_written(const struct settings *s, unsigned use, unsigned before)
{
    return s->r->o.changes ? use != before : use != RING_IDLE;
}

/** The use of ring k of a node, counted clockwise channels first; also remembers it for the changes of the next step. */
static struct ring_state take_use(struct settings *s, uint32_t node, uint32_t k, uint8_t *before)
{
    assert(node < s->nodes && s->channels > 0 && k < 2 * s->channels);
    struct ring_state use = export_ring(&s->up, s->r->net, node, k < s->channels ? RWA_CW : RWA_CCW, k % s->channels);
    uint8_t *last = &s->last[(size_t)node * 2 * s->channels + k];
    *before = *last;
    *last = (uint8_t)use.use;
    return use;
}

static void put_node(struct settings *s, uint32_t step, uint32_t node)
{
    bool csv = s->r->o.csv;
    s->first = true;
    if (!csv)
        sink_put(s->sink, "{\"step\":%" PRIu32 ",\"node\":%" PRIu32 ",\"%s\":[", step, node, s->r->o.changes ? "changes" : "rings");
    for (uint32_t k = 0; k < 2 * s->channels; k++) {
        assert(s->channels > 0);
        struct place at = {step, node, k % s->channels, k < s->channels ? RWA_CW : RWA_CCW};
        uint8_t before;
        struct ring_state use = take_use(s, node, k, &before);
        if (is_written(s, use.use, before))
            put_use(s, &at, &use);
    }
    sink_put(s->sink, csv ? "" : "]}\n");
}

/** Remember the uses of all rings in the step that is drawn. */
static void remember_uses(struct settings *s)
{
    uint8_t before;
    for (uint32_t node = 0; node < s->nodes; node++)
        for (uint32_t k = 0; k < 2 * s->channels; k++)
            take_use(s, node, k, &before);
}

/** A node and the number of its settings that are written. */
struct ranked {
    uint32_t changes, node;
};

COMPARATOR(by_changes, struct ranked, UP(changes) UP(node))

/** As put_use() writes them. */
static uint32_t count_settings(unsigned use)
{
    return use == RING_IDLE ? 1u : (use & RING_DROP ? 1u : 0u) + (use & RING_ADD ? 1u : 0u) + (use & RING_PASS ? 1u : 0u);
}

static uint32_t count_changes(const struct settings *s, uint32_t node)
{
    uint32_t changes = 0;
    assert(node < s->nodes && s->channels > 0);
    for (uint32_t k = 0; k < 2 * s->channels; k++) {
        unsigned use = export_ring(&s->up, s->r->net, node, k < s->channels ? RWA_CW : RWA_CCW, k % s->channels).use;
        changes += use != s->last[(size_t)node * 2 * s->channels + k] ? count_settings(use) : 0;
    }
    return changes;
}

/** All nodes of a step, those with the fewest changes first: a controller that serves one after the other keeps them waiting least. */
static rwa_status put_changes(struct settings *s, uint32_t step)
{
    struct ranked *ranked = base_array(s->nodes, sizeof *ranked, s->r->err);
    rwa_status st = ranked ? RWA_OK : RWA_NOMEM;
    for (uint32_t node = 0; node < s->nodes && st == RWA_OK; node++)
        ranked[node] = (struct ranked){count_changes(s, node), node};
    if (st == RWA_OK)
        qsort(ranked, s->nodes, sizeof *ranked, by_changes);
    for (uint32_t i = 0; i < s->nodes && st == RWA_OK; i++)
        put_node(s, step, ranked[i].node);
    free(ranked);
    return st;
}

static rwa_status draw_step(struct settings *s, uint32_t step)
{
    const struct export_request *r = s->r;
    raster_free(&s->up);
    raster_free(&s->now);
    if (!r->hold)
        return raster_draw(&s->up, r->sched, step, r->err);
    MUST(raster_draw(&s->now, r->sched, step, r->err));
    return raster_draw_held(&s->up, r->sched, step, r->hold, r->err);
}

static rwa_status put_step(struct settings *s, uint32_t step)
{
    uint32_t from = s->r->o.node == RWA_EXPORT_ALL ? 0 : (uint32_t)s->r->o.node;
    uint32_t to = s->r->o.node == RWA_EXPORT_ALL ? s->nodes : from + 1;
    MUST(export_go_on(s->r, step));
    MUST(draw_step(s, step));
    if (s->r->o.changes && from + 1 < to)
        return put_changes(s, step);
    for (uint32_t node = from; node < to; node++)
        put_node(s, step, node);
    return s->sink->status;
}

static rwa_status put_nodes(struct output *out, struct export_request *r)
{
    struct settings s = {.r = r, .sink = &out->sink, .nodes = rwa_network_nodes(r->net), .channels = rwa_network_channels(r->net),
                         .wavelengths = rwa_network_wavelengths(r->net)};
    rwa_status st = RWA_OK;
    MUST(export_needs_arcs(r, "nodes"));
    MUST(export_hold(r));
    MUST(base_new(s.last, (size_t)s.nodes * 2 * s.channels, r->err));
    if (r->o.changes && r->from > 1) {
        TRY(draw_step(&s, r->from - 1));
        remember_uses(&s);
    }
    if (r->o.csv)
        sink_put(s.sink, "step,node,dir,fiber,wavelength,set,src,dst,block\n");
    for (uint32_t step = r->from; step <= r->to; step++)
        TRY(put_step(&s, step));
done:
    raster_free(&s.up);
    raster_free(&s.now);
    free(s.last);
    return st;
}

const struct export_format export_nodes = {"nodes", "per node and step, what each ring adds, drops or passes (JSON Lines or CSV)",
                                           put_nodes, NULL};
