/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rwa/io.h"

#include "base/base.h"
#include "base/sink.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/** More than the longest record. */
enum { RECORD_ROOM = 512 };

static json_t *header_of(const rwa_schedule *sched)
{
    const rwa_network *net = rwa_schedule_network(sched);
    const rwa_collective *c = rwa_schedule_collective(sched);
    bool root = c->kind == RWA_BROADCAST || c->kind == RWA_SCATTER || c->kind == RWA_GATHER;
    return json_pack("{s:s, s:i, s:{s:s, s:I, s:I, s:I}, s:s, s:I, s:I, s:o*, s:I, s:s, s:I}",
                     "format", "rwa-schedule", "version", 1,
                     "network", "kind", rwa_network_kind_name(rwa_network_get_kind(net)),
                     "nodes", (json_int_t)rwa_network_nodes(net), "fibers", (json_int_t)rwa_network_fibers(net),
                     "wavelengths", (json_int_t)rwa_network_wavelengths(net),
                     "collective", rwa_collective_name(c->kind), "blocks", (json_int_t)c->blocks,
                     "block_bytes", (json_int_t)c->block_bytes, "root", root ? json_integer(c->root) : NULL,
                     "steps", (json_int_t)rwa_schedule_steps(sched), "scheme", rwa_schedule_scheme(sched),
                     "lightpaths", (json_int_t)rwa_schedule_lightpaths(sched));
}

static rwa_status write_header(struct sink *s, const rwa_schedule *sched)
{
    json_t *header = header_of(sched);
    char *text = header ? json_dumps(header, JSON_COMPACT) : NULL;
    rwa_status st = RWA_OK;
    json_decref(header);
    if (!text)
        return base_fail(s->err, RWA_NOMEM, "%s: no memory for the header, or a scheme's name that is not UTF-8", s->path);
    TRY(sink_write(s, text, strlen(text)));
    TRY(sink_write(s, "\n", 1));
done:
    free(text);
    return st;
}

static void put_record(struct sink *s, const rwa_lightpath *lp, bool reduction)
{
    sink_put_member(s, "{\"step\":", lp->step);
    sink_put_member(s, ",\"src\":", lp->src);
    sink_put_member(s, ",\"dst\":", lp->dst);
    sink_put_text(s, lp->direction == RWA_CCW ? ",\"dir\":\"ccw\"" : ",\"dir\":\"cw\"");
    sink_put_member(s, ",\"fiber\":", lp->fiber);
    sink_put_member(s, ",\"wavelength\":", lp->wavelength);
    sink_put_member(s, ",\"block\":", lp->block);
    if (reduction)
        sink_put_text(s, lp->op == RWA_REDUCE ? ",\"op\":\"reduce\"" : ",\"op\":\"copy\"");
    if (lp->orbit > 1) {
        sink_put_member(s, ",\"orbit\":", lp->orbit);
        sink_put_member(s, ",\"period\":", lp->period);
    }
    sink_put_text(s, "}\n");
}

static rwa_status ask(struct sink *s, struct watch *watch, double fraction)
{
    if (base_must_stop(watch, "writing", fraction))
        return base_fail(s->err, RWA_CANCELLED, "%s: writing was stopped; there is no file", s->path);
    return RWA_OK;
}

static rwa_status write_records(struct sink *s, const rwa_schedule *sched, struct watch *watch)
{
    rwa_collective_kind kind = rwa_schedule_collective(sched)->kind;
    bool reduction = kind == RWA_ALL_REDUCE || kind == RWA_REDUCE_SCATTER;
    uint64_t records = rwa_schedule_records(sched);
    rwa_status st = RWA_OK;
    for (uint64_t i = 0; i < records; i++) {
        rwa_lightpath lp;
        rwa_schedule_get(sched, i, &lp);
        if (s->used > SINK_BUFFER - RECORD_ROOM) {
            TRY(ask(s, watch, (double)i / (double)records));
            TRY(sink_flush(s));
        }
        put_record(s, &lp, reduction);
    }
done:
    return st;
}

rwa_status rwa_schedule_write_polled(const rwa_schedule *sched, const char *path, rwa_poll poll, void *data,
                                     rwa_error *err)
{
    struct sink s;
    struct watch watch = base_watch(0, poll, data);
    rwa_status st = RWA_OK;
    TRY(sink_open(&s, path, err));
    TRY(write_header(&s, sched));
    TRY(write_records(&s, sched, &watch));
    TRY(ask(&s, &watch, 1));
    TRY(sink_finish(&s));
done:
    sink_drop(&s);
    return st;
}

rwa_status rwa_schedule_write(const rwa_schedule *sched, const char *path, rwa_error *err)
{
    return rwa_schedule_write_polled(sched, path, NULL, NULL, err);
}
