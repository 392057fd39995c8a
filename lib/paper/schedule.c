/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Real schedules for the papers' settings, planned and checked once each. */
#include "paper/paper.h"

#include "collective/needs.h"

/** Steps and blocks do not depend on the message; this one's quickest plan is quick to check, too. */
#define PROBE_BYTES (1u << 20)

static void name_scheme(struct known *k, const char *scheme)
{
    size_t length = strlen(scheme);
    memset(k->scheme, 0, sizeof k->scheme);
    memcpy(k->scheme, scheme, length < sizeof k->scheme ? length : sizeof k->scheme - 1);
}

static struct known describe(const struct setting *s)
{
    struct known k = {.collective = s->collective, .nodes = s->nodes, .wavelengths = s->wavelengths,
                      .ports = s->ports, .tuning = s->tuning};
    const char *at = s->variant;
    name_scheme(&k, s->scheme);
    for (size_t j = 0; j < 3 && *at >= '0' && *at <= '9'; j++) {
        char *end = NULL;
        k.radix[j] = (uint32_t)strtoul(at, &end, 10);
        at = *end == ',' ? end + 1 : end;
    }
    assert(k.radix[3] == 0);
    if (strcmp(s->variant, "tree") == 0)
        k.last = RWA_LAST_TREE;
    else if (strcmp(s->variant, "all-to-all") == 0)
        k.last = RWA_LAST_ALL_TO_ALL;
    /* One stage, and radices, say the stages themselves. */
    k.parameter = k.radix[0] || strcmp(s->scheme, "one-stage") == 0 ? 0 : s->parameter;
    return k;
}

static bool same(const struct known *a, const struct known *b)
{
    return strcmp(a->scheme, b->scheme) == 0 && a->collective == b->collective && a->nodes == b->nodes &&
           a->wavelengths == b->wavelengths && a->ports == b->ports && a->tuning == b->tuning &&
           a->parameter == b->parameter && a->last == b->last &&
           memcmp(a->radix, b->radix, sizeof a->radix) == 0;
}

/** Plan a setting with a message; *found stays NULL after a failure. */
static rwa_status make(rwa_plan **found, struct reproduction *r, const struct known *k, uint64_t bytes)
{
    rwa_plan_options opts;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    bool tree = strcmp(k->scheme, "optree") == 0;
    rwa_plan_options_init(&opts);
    opts.stages = tree && !k->radix[0] ? k->parameter : 0;
    opts.group = tree ? 0 : k->parameter;
    opts.last_exchange = k->last;
    opts.radix = k->radix;
    while (k->radix[opts.radix_count])
        opts.radix_count++;
    opts.poll = opts.solving.poll = r->opts->poll;
    opts.poll_data = opts.solving.poll_data = r->opts->poll_data;
    TRY(paper_network(&net, k->nodes, k->wavelengths, k->ports, k->tuning, r->err));
    TRY(rwa_collective_init(&coll, k->collective, k->nodes, 0, bytes, 0, r->err));
    opts.scheme = k->scheme;
    TRY(rwa_plan_make(found, net, &coll, &opts, r->err));
done:
    rwa_network_free(net);
    return st;
}

/** The number of lightpath loads in a node's message, or in a reduction's vector. */
static double parts_of(const struct known *k, uint64_t blocks, uint32_t slots)
{
    bool whole = collective_message_is_whole(k->collective);
    assert(slots > 0 && k->nodes > 0 && blocks > 0);
    return (double)blocks / (whole ? 1 : k->nodes) / slots;
}

static rwa_status plan(struct known *k, struct reproduction *r)
{
    rwa_plan *found = NULL;
    rwa_status st = RWA_OK;
    TRY(make(&found, r, k, k->collective == RWA_ALL_REDUCE ? PROBE_BYTES : (uint64_t)PROBE_BYTES * k->nodes));
    const rwa_schedule *sched = rwa_plan_schedule(found);
    k->steps = sched ? rwa_schedule_steps(sched) : 0;
    assert(!sched || k->steps > 0);
    k->parts = sched ? parts_of(k, rwa_schedule_collective(sched)->blocks, rwa_schedule_lightpath_blocks(sched)) : NAN;
done:
    rwa_plan_free(found);
    return st;
}

rwa_status paper_quickest(struct quickest *out, struct reproduction *r, const struct setting *s, double bytes)
{
    const struct known asked = describe(s);
    rwa_plan *found = NULL;
    MUST(make(&found, r, &asked, (uint64_t)bytes));
    const rwa_plan_report *sum = rwa_plan_summary(found);
    if (rwa_plan_schedule(found))
        *out = (struct quickest){sum->time_s, sum->scheme, sum->stripes};
    rwa_plan_free(found);
    return RWA_OK;
}

rwa_status paper_schedule(struct known *out, struct reproduction *r, const struct setting *s)
{
    struct known k = describe(s);
    for (size_t i = 0; i < r->known_count; i++)
        if (same(&r->known[i], &k)) {
            *out = r->known[i];
            return RWA_OK;
        }
    MUST(base_grow((void **)&r->known, &r->known_capacity, r->known_count + 1, sizeof *r->known, r->err));
    MUST(plan(&k, r));
    assert(r->known_count < r->known_capacity);
    r->known[r->known_count++] = k;
    *out = k;
    return RWA_OK;
}
