/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The last resort where links failed in one direction, or nodes have few ports: step after step, whoever lacks a block is
 * served by its nearest holder that has a channel and a port to spare, the near ones first.  Always ends, with every node
 * served that can be, but knows no far-sighted moves: about N / (2 sqrt(2W)) steps for an all-gather where few channels W
 * would allow fewer.
 */
#include "collective/needs.h"
#include "delivery/field.h"
#include "scheme/scheme.h"

#include <stdlib.h>

/** Nodes times blocks; beyond, it may take minutes. */
#define MOST_PAIRS 1048576.0

/** A node that still lacks a block it must get. */
struct pair {
    uint32_t node;
    uint64_t block;
};

struct relay {
    const struct scheme_request *request;
    struct field field;
    uint32_t reach;             /* of a lightpath */
    struct pair *wait;
    size_t waiting;
    bool done;
};

/** All who wait and have a holder no more than `reach` links away. */
static rwa_status serve_waiting(struct relay *r, uint32_t reach)
{
    size_t left = 0;
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < r->waiting && st == RWA_OK; i++) {
        const struct pair p = r->wait[i];
        bool sent = false;
        st = field_serve(&r->field, p.node, p.block, reach, &sent);
        if (!sent)
            r->wait[left++] = p;
    }
    r->waiting = left;
    return st;
}

/** Those that need not have a block, likewise. */
static rwa_status serve_others(struct relay *r, uint32_t reach)
{
    const rwa_collective *c = r->request->coll;
    bool sent = false;
    rwa_status st = RWA_OK;
    for (uint32_t v = 0; v < c->nodes && st == RWA_OK; v++)
        for (uint64_t b = 0; b < c->blocks && st == RWA_OK; b++)
            if (*field_at(&r->field, v, b) == FIELD_WITHOUT && !collective_needs(c, v, b))
                st = field_serve(&r->field, v, b, reach, &sent);
    return st;
}

/** A step of its own; where nobody who needs a block can be told, those on the way are told. */
static rwa_status serve_step(struct relay *r, bool *progress)
{
    struct field *f = &r->field;
    size_t before = f->count;
    rwa_status st = RWA_OK;
    field_begin(f, false);
    for (int others = 0; others < 2 && f->count == before; others++)
        for (uint32_t reach = 1, last = 0; !last; reach *= 2) {
            last = reach >= r->reach;
            TRY((others ? serve_others : serve_waiting)(r, last ? r->reach : reach));
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
    struct budget budget = base_budget(0, o->poll, o->poll_data);
    double all = (double)r->waiting;
    rwa_status st = RWA_OK;
    while (r->waiting > 0) {
        bool progress;
        TRY(serve_step(r, &progress));
        if (!progress)
            return scheme_refuse(r->request, "links that failed, or the limit of hops, leave some node without a way from a block it "
                                 "must get in this %s; more working links or longer lightpaths would help",
                                 rwa_collective_name(c->kind));
        if (base_must_stop(&budget, "relaying", 1 - (double)r->waiting / all))
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

static rwa_status list_waiting(struct relay *r, rwa_error *err)
{
    const rwa_collective *c = r->request->coll;
    size_t room = 0;
    rwa_status st = RWA_OK;
    for (uint32_t v = 0; v < c->nodes; v++)
        for (uint64_t b = 0; b < c->blocks; b++) {
            if (*field_at(&r->field, v, b) != FIELD_WITHOUT || !collective_needs(c, v, b))
                continue;
            TRY(base_grow((void **)&r->wait, &room, r->waiting + 1, sizeof *r->wait, err));
            r->wait[r->waiting++] = (struct pair){v, b};
        }
done:
    return st;
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
    TRY(list_waiting(r, err));
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
    if (r) {
        field_close(&r->field);
        free(r->wait);
    }
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
