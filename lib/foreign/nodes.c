/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Per node and step: which ring adds, drops or passes which wavelength, and what is set differently from before. */
#include "foreign/foreign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct export_request *r;
    struct sink sink;
    struct raster now;
    uint8_t *was;           /* use of [node][direction][channel] in the step before */
    uint32_t nodes, channels, wavelengths;
};

static const char *direction_name(rwa_direction dir)
{
    return dir == RWA_CCW ? "ccw" : "cw";
}

/* ---- a table ---- */

static void put_row(struct settings *s, uint32_t step, uint32_t node, rwa_direction dir, uint32_t channel,
                    const char *action, const rwa_lightpath *lp)
{
    sink_put_member(&s->sink, "", step);
    sink_put_member(&s->sink, ",", node);
    sink_put_text(&s->sink, dir == RWA_CCW ? ",ccw" : ",cw");
    sink_put_member(&s->sink, ",", channel / s->wavelengths);
    sink_put_member(&s->sink, ",", channel % s->wavelengths);
    sink_put_text(&s->sink, ",");
    sink_put_text(&s->sink, action);
    if (lp) {
        sink_put_member(&s->sink, ",", lp->src);
        sink_put_member(&s->sink, ",", lp->dst);
        sink_put_member(&s->sink, ",", lp->block);
        sink_put_text(&s->sink, "\n");
    } else {
        sink_put_text(&s->sink, ",,,\n");
    }
}

static void put_rows(struct settings *s, uint32_t step, uint32_t node, rwa_direction dir, uint32_t channel,
                     const struct ring_state *use)
{
    if (use->use & RING_DROP)
        put_row(s, step, node, dir, channel, "drop", use->in);
    if (use->use & RING_ADD)
        put_row(s, step, node, dir, channel, "add", use->out);
    if (use->use & RING_PASS)
        put_row(s, step, node, dir, channel, "pass", use->in);
    if (use->use == RING_IDLE)
        put_row(s, step, node, dir, channel, "idle", NULL);
}

/* ---- JSON Lines ---- */

static void put_json(struct settings *s, bool *first, rwa_direction dir, uint32_t channel, const char *action,
                     const rwa_lightpath *lp)
{
    sink_put_text(&s->sink, *first ? "{\"dir\":\"" : ",{\"dir\":\"");
    *first = false;
    sink_put_text(&s->sink, direction_name(dir));
    sink_put_member(&s->sink, "\",\"fiber\":", channel / s->wavelengths);
    sink_put_member(&s->sink, ",\"wavelength\":", channel % s->wavelengths);
    sink_put_text(&s->sink, ",\"set\":\"");
    sink_put_text(&s->sink, action);
    sink_put_text(&s->sink, "\"");
    if (lp) {
        sink_put_member(&s->sink, ",\"src\":", lp->src);
        sink_put_member(&s->sink, ",\"dst\":", lp->dst);
        sink_put_member(&s->sink, ",\"block\":", lp->block);
    }
    sink_put_text(&s->sink, "}");
}

static void put_jsons(struct settings *s, bool *first, rwa_direction dir, uint32_t channel, const struct ring_state *use)
{
    if (use->use & RING_DROP)
        put_json(s, first, dir, channel, "drop", use->in);
    if (use->use & RING_ADD)
        put_json(s, first, dir, channel, "add", use->out);
    if (use->use & RING_PASS)
        put_json(s, first, dir, channel, "pass", use->in);
    if (use->use == RING_IDLE)
        put_json(s, first, dir, channel, "idle", NULL);
}

/* ---- both ---- */

/** Idle rings are named only where they were not idle before. */
static bool worth_telling(const struct settings *s, unsigned use, unsigned was)
{
    return s->r->o.changes ? use != was : use != RING_IDLE;
}

static rwa_status put_node(struct settings *s, uint32_t step, uint32_t node)
{
    rwa_status st = RWA_OK;
    bool first = true, csv = s->r->o.csv;
    if (!csv) {
        sink_put_member(&s->sink, "{\"step\":", step);
        sink_put_member(&s->sink, ",\"node\":", node);
        sink_put_text(&s->sink, s->r->o.changes ? ",\"changes\":[" : ",\"rings\":[");
    }
    for (uint32_t k = 0; k < 2 * s->channels; k++) {
        rwa_direction dir = k < s->channels ? RWA_CW : RWA_CCW;
        struct ring_state use = export_ring(&s->now, s->r->net, node, dir, k % s->channels);
        uint8_t *was = &s->was[(size_t)node * 2 * s->channels + k];
        bool tell = worth_telling(s, use.use, *was);
        *was = (uint8_t)use.use;
        if (!tell)
            continue;
        if (s->sink.used > SINK_BUFFER - 1024)
            TRY(sink_flush(&s->sink));
        if (csv)
            put_rows(s, step, node, dir, k % s->channels, &use);
        else
            put_jsons(s, &first, dir, k % s->channels, &use);
    }
    if (s->sink.used > SINK_BUFFER - 1024)
        TRY(sink_flush(&s->sink));
    sink_put_text(&s->sink, csv ? "" : "]}\n");
done:
    return st;
}

/** What a step's rings look like, for the changes of the next one. */
static void remember(struct settings *s)
{
    for (uint32_t node = 0; node < s->nodes; node++)
        for (uint32_t k = 0; k < 2 * s->channels; k++)
            s->was[(size_t)node * 2 * s->channels + k] =
                (uint8_t)export_ring(&s->now, s->r->net, node, k < s->channels ? RWA_CW : RWA_CCW, k % s->channels).use;
}

static rwa_status put_step(struct settings *s, uint32_t step)
{
    uint32_t from = s->r->o.node == RWA_EXPORT_ALL ? 0 : (uint32_t)s->r->o.node;
    uint32_t to = s->r->o.node == RWA_EXPORT_ALL ? s->nodes : from + 1;
    rwa_status st = RWA_OK;
    raster_free(&s->now);
    TRY(export_go_on(s->r, step));
    TRY(raster_draw(&s->now, s->r->sched, step, s->r->err));
    for (uint32_t node = from; node < to; node++)
        TRY(put_node(s, step, node));
done:
    return st;
}

static rwa_status write_nodes(struct export_request *r)
{
    struct settings s = {.r = r, .nodes = rwa_network_nodes(r->net), .channels = rwa_network_channels(r->net),
                         .wavelengths = rwa_network_wavelengths(r->net)};
    rwa_status st = export_needs_arcs(r, "nodes");
    if (st != RWA_OK)
        return st;
    s.was = base_array((size_t)s.nodes * 2 * s.channels, 1, r->err);
    if (!s.was)
        return RWA_NOMEM;
    st = sink_open(&s.sink, r->path, r->err);
    if (st == RWA_OK && r->o.changes && r->from > 1) {
        TRY(raster_draw(&s.now, r->sched, r->from - 1, r->err));
        remember(&s);
    }
    if (st == RWA_OK && r->o.csv)
        sink_put_text(&s.sink, "step,node,dir,fiber,wavelength,set,src,dst,block\n");
    for (uint32_t step = r->from; step <= r->to && st == RWA_OK; step++)
        TRY(put_step(&s, step));
    if (st == RWA_OK)
        TRY(sink_finish(&s.sink));
done:
    sink_drop(&s.sink);
    raster_free(&s.now);
    free(s.was);
    return st;
}

const struct export_format export_nodes = {"nodes", "per node and step, what each ring adds, drops or passes (JSON Lines or CSV)",
                                           write_nodes};
