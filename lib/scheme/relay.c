/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The last resort where links failed in one direction, or nodes have few ports: step after step, whoever lacks a block is
 * served by its nearest holder that has a channel and a port to spare, the near ones first.  Always ends, with every node
 * served that can be, but knows no far-sighted moves: about N / (2 sqrt(2W)) steps for an all-gather where few channels W
 * would allow fewer.
 */
#include "collective/needs.h"
#include "scheme/field.h"
#include "scheme/scheme.h"

#include <stdlib.h>

/** Nodes times blocks; beyond, it would take minutes. */
#define MOST_PAIRS 131072.0

struct relay {
    const struct scheme_request *request;
    struct field field;
    uint32_t reach;             /* of a lightpath */
    size_t waiting;             /* pairs that still lack what they must get */
    bool done;
};

/** All pairs that wait and have a holder no more than `reach` links away; `anyone`: also those that need not have it. */
static rwa_status serve_within(struct relay *r, uint32_t reach, bool anyone)
{
    const rwa_collective *c = r->request->coll;
    bool sent = false;
    rwa_status st = RWA_OK;
    for (uint32_t v = 0; v < c->nodes; v++)
        for (uint64_t b = 0; b < c->blocks; b++) {
            bool needed = collective_needs(c, v, b);
            if (*field_at(&r->field, v, b) != FIELD_WITHOUT || !(needed || anyone))
                continue;
            TRY(field_serve(&r->field, v, b, reach, &sent));
            r->waiting -= sent && needed;
        }
done:
    return st;
}

/** A step of its own; where nobody who needs a block can be told, those on the way are told. */
static rwa_status serve_step(struct relay *r, bool *progress)
{
    struct field *f = &r->field;
    size_t before = f->count;
    rwa_status st = RWA_OK;
    field_begin(f, false);
    for (int anyone = 0; anyone < 2 && f->count == before; anyone++)
        for (uint32_t reach = 1, last = 0; !last; reach *= 2) {
            last = reach >= r->reach;
            TRY(serve_within(r, last ? r->reach : reach, anyone != 0));
        }
    field_end(f);
    *progress = f->count > before;
done:
    return st;
}

static rwa_status serve_all(struct relay *r, rwa_error *err)
{
    const rwa_plan_options *o = r->request->opts;
    const rwa_collective *c = r->request->coll;
    struct watch watch = base_watch(0, o->poll, o->poll_data);
    double all = (double)r->waiting;
    rwa_status st = RWA_OK;
    while (r->waiting > 0) {
        bool progress;
        TRY(serve_step(r, &progress));
        if (!progress)
            return scheme_refuse(r->request, "links that failed, or the limit of hops, leave some node without a way from a block it "
                                 "must get in this %s; more working links or longer lightpaths would help",
                                 rwa_collective_name(c->kind));
        if (base_must_stop(&watch, "relaying", 1 - (double)r->waiting / all))
            return base_fail(err, RWA_CANCELLED, "planning was stopped at step %u", r->field.step);
    }
done:
    return st;
}

/** Leave out lightpaths to nodes that neither need the block nor pass it on. */
static void prune(struct relay *r)
{
    struct field *f = &r->field;
    const rwa_collective *c = r->request->coll;
    size_t kept = f->count;
    for (size_t i = f->count; i-- > 0;) {
        rwa_lightpath *lp = &f->sent[i];
        if (!collective_needs(c, lp->dst, lp->block) && *field_at(f, lp->dst, lp->block) != FIELD_GETS)
            continue;
        *field_at(f, lp->src, lp->block) = FIELD_GETS; /* from here on: passes it on */
        f->sent[--kept] = *lp;
    }
    for (size_t i = kept; i < f->count; i++)
        f->sent[i - kept] = f->sent[i];
    f->count -= kept;
}

static void count_waiting(struct relay *r)
{
    const rwa_collective *c = r->request->coll;
    for (uint32_t v = 0; v < c->nodes; v++)
        for (uint64_t b = 0; b < c->blocks; b++)
            r->waiting += *field_at(&r->field, v, b) == FIELD_WITHOUT && collective_needs(c, v, b);
}

static rwa_status relay_open(void **state, const struct scheme_request *request, rwa_error *err)
{
    uint32_t links = rwa_network_links(request->net), hops = request->opts->max_hops;
    rwa_status st = RWA_OK;
    struct relay *r = base_array(1, sizeof *r, err);
    *state = r;
    if (!r)
        return RWA_NOMEM;
    r->request = request;
    if ((double)request->coll->nodes * (double)request->coll->blocks > MOST_PAIRS)
        return scheme_refuse(request, "relay looks at every node and block in every step, at most %.0f of them; fewer members, or another "
                             "scheme, would do", MOST_PAIRS);
    r->reach = hops > 0 && hops < links ? hops : links;
    TRY(field_open(&r->field, request->net, request->coll, err));
    count_waiting(r);
    TRY(serve_all(r, err));
    prune(r);
done:
    return st;
}

static rwa_status relay_next(void *state, struct stage *stage, rwa_error *err)
{
    struct relay *r = state;
    (void)err;
    if (r->done)
        return RWA_OK;
    r->done = true;
    stage->records = r->field.sent;
    stage->record_count = r->field.count;
    r->field.sent = NULL;
    return RWA_OK;
}

static void relay_close(void *state)
{
    struct relay *r = state;
    if (r)
        field_close(&r->field);
    free(r);
}

const struct scheme scheme_relay = {
    .name = "relay",
    .summary = "around failed links and with few ports: who lacks a block gets it from the nearest holder that is free",
    .source = "own; a last resort",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_BROADCAST | 1u << RWA_SCATTER | 1u << RWA_ALL_TO_ALL,
    .networks = 1u << RWA_RING | 1u << RWA_LINE,
    .reversible = true,
    .shortens = true,
    .mends = true,
    .last_resort = true,
    .open = relay_open,
    .next = relay_next,
    .close = relay_close,
};
