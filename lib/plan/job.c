/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One scheme's job on one residual network: which network, which collective in which blocks, and what is known before. */
#include "plan/plan.h"

#include "collective/needs.h"
#include "network/translations.h"

const rwa_network *job_network(const struct job *job)
{
    const struct residual *r = job->residual;
    bool backwards = job_is_reversed(job) && r->opposite && !rwa_network_is_paired(r->net);
    return job->thin ? job->thin : backwards ? r->opposite : r->net;
}

bool job_is_reversed(const struct job *job)
{
    return job->forward.kind != job->residual->coll.kind;
}

uint64_t job_passes(const struct job *job)
{
    return job_is_reversed(job) && job->residual->coll.kind == RWA_ALL_REDUCE ? 2 : 1;
}

/** Of its plan, orbits written out; 0: no limit. */
static double lightpaths_most(const struct job *job)
{
    const struct residual *r = job->residual;
    bool orbits = network_has_orbits(job_network(job)) && !r->node && !r->own;
    return job->records_most > 0 ? job->records_most * (orbits ? job->forward.nodes : 1) : job->lightpaths_most;
}

struct plan_request job_request(const struct job *job, const struct parameters *parameters, char *why)
{
    bool sums = rwa_collective_is_reduction(job->residual->coll.kind);
    return (struct plan_request){.scheme = job->scheme, .net = job_network(job), .coll = &job->forward, .sums = sums, .opts = &job->opts,
                                 .parameters = parameters, .price = job->price, .memo = job->memo, .below_s = job->below_s,
                                 .lightpaths_most = lightpaths_most(job), .anyhow = job->anyhow, .once = job->once,
                                 .draft = job->estimate.draft, .why = why};
}

/** Under every model a step that sets new lightpaths pays for that. */
static rwa_status find_prices(struct job *job, rwa_error *err)
{
    const rwa_cost_options *cost = &job->opts.cost;
    rwa_status st = rwa_cost_floor(&job->price, rwa_network_rate_bps(job_network(job)), cost, err);
    if (job->thin && !network_has_arcs(job->thin)) /* its blocks are those of a stripe */
        job->price.byte_s /= job->opts.stripes;
    job->price.step_s = cost->reconfig_s + (cost->model == RWA_COST_CIRCUIT ? cost->alpha_s : 0);
    if (cost->model == RWA_COST_OVERLAP)
        job->price.step_s = fmax(cost->reconfig_s, cost->alpha_s);
    return st;
}

/** The collective that the scheme plans, in the blocks of the one asked for; where links lead one way, on reversed links. */
static rwa_status find_forward(struct job *job, rwa_error *err)
{
    const rwa_collective *coll = &job->residual->coll;
    rwa_collective_kind kind = forward_kind(coll->kind);
    bool shared = kind == RWA_ALL_GATHER; /* every node has a part of the vector */
    job->forward = *coll;
    if ((job->scheme->collectives >> coll->kind & 1) || kind == coll->kind)
        return RWA_OK;
    uint64_t message = shared ? ceil_div(coll->message_bytes, coll->nodes) : coll->message_bytes;
    MUST(rwa_collective_init(&job->forward, kind, coll->nodes, coll->root, message, coll->blocks, err));
    job->forward.blocks_given = coll->blocks_given;
    return RWA_OK;
}

uint64_t job_blocks(const struct job *job)
{
    const rwa_collective *f = &job->forward;
    return job->estimate.blocks > 0 ? job->estimate.blocks : rwa_collective_default_blocks(f->kind, f->nodes);
}

/** Into the blocks of the scheme; the caller may have left their number to the scheme. */
static rwa_status cut_message(struct job *job, rwa_error *err)
{
    const rwa_collective given = job->forward;
    uint64_t blocks = job_blocks(job);
    rwa_status st = rwa_collective_init(&job->forward, given.kind, given.nodes, given.root, given.message_bytes, blocks, err);
    if (st == RWA_OK && chose_blocks(&given) && given.blocks != job->forward.blocks)
        return base_fail(err, RWA_BADARG, "%llu blocks: scheme %s cuts the message into %llu", (unsigned long long)given.blocks,
                         job->scheme->name, (unsigned long long)job->forward.blocks);
    if (st == RWA_OK && job->thin && collective_has_owners(job->residual->coll.kind) && job->forward.blocks % given.nodes != 0)
        return base_fail(err, RWA_BADARG, "%llu blocks in stripes: expected a multiple of the %u nodes that take part, as stripes go where "
                         "their block does", (unsigned long long)job->forward.blocks, given.nodes);
    return st;
}

static rwa_status open_stripes(struct job *job, rwa_error *err)
{
    if (job->opts.stripes <= 1)
        return RWA_OK;
    if (job->residual->coll.kind == RWA_ALL_TO_ALL)
        return base_fail(err, RWA_BADARG, "stripes: an all-to-all has one block for each pair of nodes");
    return thin_network(&job->thin, job->residual->net, job->opts.stripes, err);
}

rwa_status job_open(struct job *job, const struct scheme *scheme, const struct residual *residual, const rwa_plan_options *o,
                    const struct plan_task *t, rwa_error *err)
{
    *job = (struct job){.scheme = scheme, .residual = residual, .opts = *o, .memo = t->memo, .below_s = t->below_s,
                        .lightpaths_most = t->lightpaths_most, .records_most = t->records_most, .once = t->once};
    job->opts.max_hops = residual->max_hops;
    job->opts.members = residual->members;
    MUST(open_stripes(job, err));
    MUST(find_forward(job, err));
    MUST(find_prices(job, err));
    if (job->below_s > 0) /* the second pass is tuned no later than the first */
        job->below_s = job->price.once_s + (job->below_s - job->price.once_s) / (double)job_passes(job);
    struct plan_request request = job_request(job, NULL, NULL);
    if (scheme->validate)
        MUST(scheme->validate(&request, err));
    if (scheme->estimate)
        MUST(scheme->estimate(&job->estimate, &request, err));
    assert(job->estimate.sets <= PARAMETER_SETS);
    return cut_message(job, err);
}

void job_close(struct job *job)
{
    if (job->estimate.draft)
        job->estimate.draft->release(job->estimate.draft);
    rwa_network_free(job->thin);
    job->estimate.draft = NULL;
    job->thin = NULL;
}
