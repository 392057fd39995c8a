/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Makes the papers' settings, and the arguments with which the library is called for them. */
#include "paper/paper.h"

struct setting paper_setting(const char *scheme, rwa_collective_kind collective, uint32_t nodes, uint32_t wavelengths)
{
    enum { GROUP = 5 }; /* as Table I and Fig. 4 of WRHT have it */
    uint32_t parameter = strcmp(scheme, "optree") == 0 ? (uint32_t)ceil(fmax(paper_lemma3(nodes), 0))
                         : strcmp(scheme, "h-ring") == 0 ? GROUP : 0;
    return (struct setting){scheme, collective, nodes, wavelengths, parameter,
                            collective == RWA_ALL_GATHER && strcmp(scheme, "wrht") == 0 ? "first" : "", 0, 0, false};
}

/** Return the number behind a letter and "=" in a variant, such as 128 for m in "m=128 h=1"; `otherwise` if there is
 *  none. */
static uint32_t number(const char *variant, char name, uint32_t otherwise)
{
    for (const char *p = variant; *p; p++)
        if (p[0] == name && p[1] == '=')
            return (uint32_t)strtoul(p + 2, NULL, 10);
    return otherwise;
}

rwa_status paper_ask(struct question *q, const struct reproduction *r, const struct setting *s, uint64_t bytes)
{
    rwa_plan_options *opts = &q->opts;
    rwa_network_options o;
    rwa_network_options_init(&o);
    o.wavelengths = s->wavelengths;
    o.ports = s->ports;
    o.tuning = s->tuning;
    rwa_plan_options_init(opts);
    for (const char *at = s->variant; opts->radix_count < 3 && *at >= '0' && *at <= '9'; opts->radix_count++) {
        char *end = NULL;
        q->radix[opts->radix_count] = (uint32_t)strtoul(at, &end, 10);
        at = *end == ',' ? end + 1 : end;
    }
    /* One stage, and radices, say the stages themselves. */
    bool tree = strcmp(s->scheme, "optree") == 0, fixed = q->radix[0] || strcmp(s->scheme, "one-stage") == 0;
    opts->scheme = s->scheme;
    opts->radix = q->radix;
    opts->stages = tree && !fixed ? s->parameter : 0;
    opts->group = !tree && !fixed ? s->parameter : 0;
    opts->last_exchange = strcmp(s->variant, "tree") == 0 ? RWA_LAST_TREE
                          : strcmp(s->variant, "all-to-all") == 0 ? RWA_LAST_ALL_TO_ALL : RWA_LAST_AUTO;
    opts->split_steps = number(s->variant, 'h', RWA_SPLIT_BEST);
    opts->poll = r->opts->poll;
    opts->poll_data = r->opts->poll_data;
    MUST(rwa_network_create(&q->net, s->star ? RWA_STAR : s->ports ? RWA_RON : RWA_RING, s->nodes, &o, r->err));
    return rwa_collective_init(&q->coll, s->collective, s->nodes, 0, bytes, number(s->variant, 'm', 0), r->err);
}
