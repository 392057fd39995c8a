/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/ring.h"

/* ---- links of a channel ---- */

static bool is_free(const uint64_t *busy, uint64_t link, uint32_t end)
{
    uint64_t mask = 0;
    bool is = true;
    for (uint64_t here = 0; is && link < end; link += here) {
        here = bits_of_word(&mask, link, end - link);
        is = !(busy[link / 64] & mask);
    }
    return is;
}

static void take(uint64_t *busy, uint64_t link, uint32_t end)
{
    uint64_t mask = 0;
    for (uint64_t here = 0; link < end; link += here) {
        here = bits_of_word(&mask, link, end - link);
        busy[link / 64] |= mask;
    }
}

/** The links of a route round the ring: from … to - 1 and, if it passes from the last link to the first, 0 … rest -
 *  1. */
struct ring_arc {
    uint32_t from, to, rest;
};

static struct ring_arc links_of(const struct ring_job *job, size_t flow, int direction)
{
    const rwa_flow *f = &job->traffic->flow[flow];
    uint32_t from = direction == 0 ? f->src : f->dst, to = direction == 0 ? f->dst : f->src;
    return to > from ? (struct ring_arc){from, to, 0} : (struct ring_arc){from, job->nodes, to};
}

static uint64_t *channel_of(const struct ring_packing *p, int direction, uint32_t channel)
{
    return p->busy + ((size_t)direction * p->job->channels + channel) * p->words;
}

/* ---- packing ---- */

uint32_t ring_shortest(const struct ring_job *job, size_t flow)
{
    uint32_t hops = ring_hops(job, flow, 0);
    return job->directions == 2 && job->nodes - hops < hops ? job->nodes - hops : hops;
}

/** List the flows in p->order by their hops in the shorter direction, longest first, then by number. */
static rwa_status sort_flows(struct ring_packing *p, rwa_error *err)
{
    size_t n = p->job->traffic->count;
    uint64_t *key;
    MUST(base_new(key, n, err));
    for (size_t i = 0; i < n; i++)
        key[i] = (uint64_t)(p->job->nodes - ring_shortest(p->job, i)) << 32 | i;
    qsort(key, n, sizeof *key, order_uint64);
    for (size_t i = 0; i < n; i++)
        p->order[i] = (uint32_t)key[i];
    free(key);
    return RWA_OK;
}

void packing_reverse(struct ring_packing *p)
{
    for (size_t i = 0, j = p->job->traffic->count; i + 1 < j; i++) {
        uint32_t moved = p->order[i];
        p->order[i] = p->order[--j];
        p->order[j] = moved;
    }
}

rwa_status packing_open(struct ring_packing *p, const struct ring_job *job, rwa_error *err)
{
    size_t flows = job->traffic->count;
    *p = (struct ring_packing){.job = job, .words = (job->nodes + 63) / 64};
    MUST(base_fits_memory(16.0 * job->channels * (double)p->words, "packing lightpaths", err));
    MUST(base_new(p->busy, (size_t)job->directions * job->channels * p->words, err));
    MUST(base_new(p->count, flows, err));
    MUST(base_new(p->order, flows, err));
    return sort_flows(p, err);
}

void packing_free(struct ring_packing *p)
{
    free_all(p->busy, p->count, p->order, p->path);
}

rwa_status packing_put(struct ring_packing *p, size_t flow, int direction, uint32_t channel, rwa_error *err)
{
    assert(flow < p->job->traffic->count && channel < p->job->channels && direction < p->job->directions);
    struct ring_arc s = links_of(p->job, flow, direction);
    uint64_t *busy = channel_of(p, direction, channel);
    MUST(base_reserve(p->path, p->paths + 1, err));
    take(busy, s.from, s.to);
    take(busy, 0, s.rest);
    p->path[p->paths++] = (struct ring_path){(uint32_t)flow, channel, (uint8_t)direction};
    p->count[flow]++;
    return RWA_OK;
}

/** Add a lightpath for a flow on the first channel, from `first` on, that is free on all links of its route.  *found is
 *  false if there is none. */
static rwa_status add(struct ring_packing *p, size_t flow, int direction, uint32_t first, bool *found, rwa_error *err)
{
    struct ring_arc s = links_of(p->job, flow, direction);
    rwa_status st = RWA_OK;
    *found = false;
    for (uint32_t c = first; c < p->job->channels && !*found; c++) {
        const uint64_t *busy = channel_of(p, direction, c);
        if (!is_free(busy, s.from, s.to) || !is_free(busy, 0, s.rest))
            continue;
        st = packing_put(p, flow, direction, c, err);
        *found = true;
    }
    return st;
}

static rwa_status add_some(struct ring_packing *p, size_t flow, int direction, uint32_t wanted, rwa_error *err)
{
    bool found = true;
    for (uint32_t i = 0; i < wanted && found; i++) {
        uint32_t first = i > 0 ? p->path[p->paths - 1].channel + 1 : 0; /* earlier channels were not free for the
                                                                           previous lightpath either */
        MUST(add(p, flow, direction, first, &found, err));
    }
    return RWA_OK;
}

static void packing_clear(struct ring_packing *p)
{
    memset(p->busy, 0, (size_t)p->job->directions * p->job->channels * p->words * sizeof *p->busy);
    memset(p->count, 0, p->job->traffic->count * sizeof *p->count);
    p->paths = 0;
}

/** Give each flow its lightpaths, in the directions that p->job->share prescribes.  Lightpaths that find no channel
 *  there try the other direction. */
rwa_status packing_try(struct ring_packing *p, double load, bool *all, rwa_error *err)
{
    const struct ring_job *job = p->job;
    packing_clear(p);
    *all = true;
    for (size_t k = 0; k < job->traffic->count; k++) {
        size_t i = p->order[k];
        uint32_t wanted = circuits_for(job->traffic->flow[i].bytes, load);
        uint32_t ahead = job->directions == 1 ? wanted : (uint32_t)lround((double)wanted * job->share[i]);
        MUST(add_some(p, i, 0, ahead, err));
        if (job->directions == 2)
            MUST(add_some(p, i, 1, wanted - p->count[i], err));
        if (p->count[i] < wanted)
            MUST(add_some(p, i, 0, wanted - p->count[i], err));
        assert(p->count[i] <= wanted);
        *all = *all && p->count[i] == wanted;
    }
    return RWA_OK;
}

double packing_load(const struct ring_packing *p, size_t *served)
{
    double most = 0;
    *served = 0;
    for (size_t i = 0; i < p->job->traffic->count; i++) {
        if (p->count[i] == 0)
            continue;
        ++*served;
        most = fmax(most, p->job->traffic->flow[i].bytes / p->count[i]);
    }
    return most;
}

/* ---- filling: a heap of flows, the slowest on top ---- */

struct slow_flow {
    double bytes;       /* of each of its lightpaths; INFINITY: it has none */
    size_t flow;
};

static bool is_slower(const struct slow_flow *a, const struct slow_flow *b)
{
    return a->bytes > b->bytes;
}

HEAP(slow, struct slow_flow, is_slower)

static struct slow_flow slow_flow(const struct ring_packing *p, size_t flow)
{
    return (struct slow_flow){p->job->traffic->flow[flow].bytes / p->count[flow], flow};
}

rwa_status packing_fill(struct ring_packing *p, rwa_error *err)
{
    struct slow_flow *heap;
    size_t count = p->job->traffic->count;
    rwa_status st = RWA_OK;
    MUST(base_new(heap, count, err));
    for (size_t i = 0; i < count; i++)
        heap[i] = slow_flow(p, i);
    for (size_t i = count / 2; i-- > 0;)
        slow_sink(heap, count, i);
    while (count > 0) {
        size_t flow = heap[0].flow;
        int shorter = p->job->directions == 2 && ring_hops(p->job, flow, 1) < ring_hops(p->job, flow, 0);
        bool found = false;
        TRY(add(p, flow, shorter, 0, &found, err));
        if (!found && p->job->directions == 2)
            TRY(add(p, flow, !shorter, 0, &found, err));
        heap[0] = found ? slow_flow(p, flow) : heap[--count];
        slow_sink(heap, count, 0);
    }
done:
    free(heap);
    return st;
}

rwa_status packing_need(uint32_t *channels, const struct ring_job *job, rwa_error *err)
{
    enum { TRIED = 1 << 14 };
    struct ring_job wide = *job;
    struct ring_packing p;
    bool all = false;
    *channels = 0;
    wide.channels = job->traffic->count < TRIED ? (uint32_t)job->traffic->count : TRIED;
    rwa_status st = packing_open(&p, &wide, err);
    if (st == RWA_OK)
        st = packing_try(&p, INFINITY, &all, err);
    for (size_t i = 0; st == RWA_OK && all && i < p.paths; i++)
        RAISE(*channels, p.path[i].channel + 1);
    packing_free(&p);
    return st;
}
