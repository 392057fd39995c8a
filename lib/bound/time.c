/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound on time that holds however a schedule stripes or merges blocks.  Bytes can be split arbitrarily, so
 * only link-channels times time count.  More steps allow shorter routes (broadcast-tree), but each step has its
 * cost. docs/reference/bounds.md, "Time".
 */
#include "bound/case.h"
#include "bound/graph.h"
#include "collective/needs.h"

static const double rounding = 1e-12;

/** The message in blocks of equal size, however a schedule splits or groups them.  The owners of the collective stay
 *  the same. */
struct payload {
    rwa_collective coll;
    double block_bytes;
};

/** Return the bytes of the messages of all nodes.  If the collective does not say (as when read from a file), return
 * the bytes of all blocks. */
static double all_bytes(const rwa_collective *coll)
{
    if (coll->message_bytes > 0)
        return (double)coll->message_bytes * (collective_message_is_whole(coll->kind) ? 1 : coll->nodes);
    return (double)coll->block_bytes * (double)coll->blocks;
}

static struct payload payload_of(const rwa_collective *coll)
{
    double bytes = all_bytes(coll);
    struct payload p = {*coll, 0};
    switch (coll->kind) {
    case RWA_ALL_TO_ALL:
    case RWA_ALL_REDUCE:
    case RWA_ROOTED_REDUCE:
    case RWA_BROADCAST: /* the number of blocks does not determine which node has which */
        p.coll.blocks = rwa_collective_default_blocks(coll->kind, coll->nodes);
        break;
    default: /* with equal owners one block each, else as many as each owns */
        if (coll->blocks % coll->nodes == 0)
            p.coll.blocks = coll->nodes;
    }
    p.block_bytes = bytes / (double)p.coll.blocks;
    return p;
}

/** What the fullest channel of a schedule carries, at least. */
struct fullest {
    double share;           /* blocks */
    bool of_trees;          /* the share that the trees of all blocks need */
};

struct time_search {
    const struct bound_case *c;
    const rwa_cost_prices *floor;
    double block_bytes;
    double passing;         /* blocks that must pass some place, divided by what passes there in a step */
    struct bound_load load; /* the two numbers of `passing` */
    uint64_t fewest;        /* steps of any schedule, at least */
    const char *fewest_why; /* fewer steps ... */
    double trees, channels; /* of the last share_in(): what the trees of all blocks need, spread over the channels */
    struct growth *growth;  /* networks of listed links */
    double best;
    uint64_t steps;         /* of a schedule that could take this time */
    struct timed { uint64_t steps; double share, seconds; } less;   /* the quickest of fewer steps */
    struct timed more;      /* the quickest of more steps considered */
    struct fullest now;     /* of such a schedule */
    struct fullest before;  /* of a schedule of one step less */
    struct fullest last;    /* of the number of steps considered last */
    struct timed rest;      /* one step more than considered last: no greater number is quicker */
};

static double seconds_of(const struct time_search *s, uint64_t steps, double share)
{
    return s->floor->once_s + s->floor->step_s * (double)steps + s->floor->byte_s * s->block_bytes * share;
}

bool bound_starts_at_root(const struct bound_case *c)
{
    return c->coll->kind == RWA_BROADCAST || (c->coll->kind == RWA_ALL_REDUCE && !c->taps);
}

static double share_along(struct time_search *s, uint64_t steps, const struct spheres *spheres)
{
    struct tree_need need = tree_need(spheres, s->c);
    double share = s->trees = (double)need.cost / (s->channels = (double)need.capacity);
    double first = bound_starts_at_root(s->c) ? (double)s->c->coll->blocks * first_step_share(s->c, steps, NULL) : 0;
    return fmax(first, share);
}

static double share_in_graph(struct time_search *s, uint64_t steps)
{
    uint64_t known = steps <= GROWTH_STEPS ? steps : 0;
    double blocks = (double)s->c->coll->blocks;
    s->channels = (double)s->c->graph->channels;
    s->trees = blocks * growth_length(s->growth, known) / s->channels;
    return fmax(s->trees, blocks * growth_share(s->growth, known, NULL));
}

/** Return a lower bound on the number of blocks that pass the fullest channel in a schedule of `steps` steps.
 * @param spheres  of the lattice of so many steps; on rings and lines */
static double share_in(struct time_search *s, uint64_t steps, const struct spheres *spheres)
{
    double share = 0;
    if (s->c->arcs)
        share = share_along(s, steps, spheres);
    else if (s->growth && s->c->graph->channels > 0)
        share = share_in_graph(s, steps);
    else if (s->c->capabilities & NETWORK_ONE_HOP)
        return fmax(one_hop_share(s->c, steps, NULL), s->passing);
    if (share > 0 && bound_starts_at_root(s->c))
        share = fmax(share, (double)s->c->coll->blocks * ramp_share(s->c, steps, NULL));
    return fmax(share, s->passing);
}

/** Compute the least time of a schedule of `steps` steps, and lower s->best to it.  Return false if more steps cannot
 * be faster.
 * @param share        blocks on its fullest channel
 * @param least_share  blocks on the fullest channel of any schedule */
static bool consider(struct time_search *s, uint64_t steps, double share, double least_share)
{
    struct fullest now = {share, share == s->trees};
    double seconds = seconds_of(s, steps, share);
    s->rest = (struct timed){steps + 1, least_share, seconds_of(s, steps + 1, least_share)};
    if (seconds < s->more.seconds)
        s->more = (struct timed){steps, share, seconds};
    if (seconds < s->best) {
        s->less = (struct timed){s->steps, s->now.share, s->best};
        s->best = seconds;
        s->steps = steps;
        s->now = now;
        s->before = s->last;
        s->more.seconds = INFINITY;
    }
    s->last = now;
    return share > least_share && s->rest.seconds < s->best;
}

/** Lower s->best to the least time of a schedule of s->fewest steps or more.  The search ends at as many steps as
 * nodes: all lightpaths can then be one link long, so more steps save nothing. */
static rwa_status search_steps(struct time_search *s, rwa_error *err)
{
    enum { POLL_EVERY = 65536 };
    const struct bound_case *c = s->c;
    uint64_t enough = bound_max(c->nodes, GROWTH_STEPS + 1);
    struct spheres last = spheres_of(enough, c->drops);
    double least_share = share_in(s, enough, &last);
    bool more = s->floor->step_s > 0, hops = more && c->arcs && c->max_hops < bound_farthest(c);
    struct spheres limited = {0};
    rwa_status st = hops ? spheres_open(&limited, c->max_hops, c->drops, 2 * c->nodes, err) : RWA_OK;
    if (!more)
        consider(s, 0, least_share, least_share);
    for (uint64_t steps = 1; st == RWA_OK && more; steps++) {
        if (hops)
            spheres_step(&limited);
        if (steps < s->fewest)
            continue;
        struct spheres spheres = hops ? limited : spheres_of(steps, c->drops);
        more = consider(s, steps, share_in(s, steps, &spheres), least_share) && steps < enough;
        if (steps % POLL_EVERY == 0 && base_must_stop(c->budget, "bound on time", -1))
            st = base_fail(err, RWA_CANCELLED, "stopped while computing the bound on time");
    }
    spheres_close(&limited);
    return st;
}

static rwa_status load_of(struct time_search *s, rwa_error *err)
{
    struct bound_load *l = &s->load;
    MUST(cut_load(l, s->c, CUT_BLOCKS, err));
    if (s->c->capabilities & NETWORK_ONE_HOP)
        one_hop_load(l, s->c);
    else
        ports_load(l, s->c);
    MUST(distance_load(l, s->c, err));
    if (s->c->graph && bound_is_spread(s->c))
        MUST(growth_open(&s->growth, s->c, err));
    s->passing = l->share;
    return RWA_OK;
}

/** Set *fewest to a lower bound on the steps of any schedule, whatever its lightpaths carry; at least 1. */
static rwa_status fewest_steps(uint64_t *fewest, struct time_search *s, rwa_error *err)
{
    const struct bound_case *c = s->c;
    rwa_bound growth = {0};
    uint64_t pairs;
    MUST(pairs_steps(&pairs, c, err));
    if (c->capabilities & NETWORK_ONE_HOP)
        MUST(bound_one_hop_growth.compute(&growth, c, err));
    const char *spread = "cannot bring all data to all that need it";
    struct { uint64_t steps; const char *why; } all[] = {
        {growth.value, spread}, {spread_steps(c), spread},
        {pairs, "cannot join all pairs over a cut"},
        {one_hop_turns(c), "cannot give every node its turn to send"}};
    *fewest = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].steps > *fewest) {
            *fewest = all[i].steps;
            s->fewest_why = all[i].why;
        }
    return RWA_OK;
}

/** Set s->best to the least time of a schedule of `fewest` steps or more. */
static rwa_status search_times(struct time_search *s, uint64_t fewest, rwa_error *err)
{
    s->best = INFINITY;
    s->fewest = fewest;
    if ((s->c->capabilities & NETWORK_ONE_HOP) || bound_is_spread(s->c)) /* what passes depends on the steps */
        return search_steps(s, err);
    consider(s, fewest, s->passing, s->passing);
    return RWA_OK;
}

/** Write into the proof how many channels of links the cheapest tree of a byte needs in `steps` steps, and how they add
 * up if that is known: "16 channels a byte (14 nodes x 1 link + 1 x 2)".
 * @param share  blocks that the trees put on each channel
 * @param unit   what follows the number of channels */
static void say_tree(const struct time_search *s, uint64_t steps, double share, const char *unit)
{
    const struct bound_case *c = s->c;
    double channels = share * s->channels / (double)c->coll->blocks;
    char sum[RWA_ERROR_TEXT] = "";
    if (c->arcs && c->max_hops >= bound_farthest(c) && steps > 0)
        tree_sum(sum, spheres_of(steps, c->drops), c);
    else if (c->coll->kind == RWA_ALL_REDUCE)
        bound_split_sum(sum, c, channels);
    text_append(c->proof, *sum ? "%.6g%s (%s)" : "%.6g%s%s", channels, unit, sum);
}

/** Write into `terms` how a lower bound on the fullest channel's blocks follows from how few nodes have data to send in
 * the first of `steps` steps.
 * @param share  the bound
 * @return false if it follows from something else */
static bool say_senders(char *terms, const struct time_search *s, uint64_t steps, double share)
{
    const struct bound_case *c = s->c;
    double blocks = (double)c->coll->blocks;
    if (share == blocks * ramp_share(c, steps, terms))
        return true;
    *terms = '\0';
    return c->arcs ? share == blocks * first_step_share(c, steps, terms)
                   : s->growth && steps <= GROWTH_STEPS && share == blocks * growth_share(s->growth, steps, terms);
}

/** Write into the proof why fewer steps, or more, take longer. */
static void say_steps(const struct time_search *s)
{
    const struct bound_case *c = s->c;
    char terms[RWA_ERROR_TEXT] = "";
    if (s->steps < 2)
        return;
    text_append(c->proof, "; fewer than %" PRIu64 " steps ", s->steps);
    if (s->steps == s->fewest)
        text_append(c->proof, "%s", s->fewest_why);
    else if (s->before.of_trees) {
        text_append(c->proof, "need longer lightpaths, ");
        say_tree(s, s->steps - 1, s->before.share, " channels a byte");
        text_append(c->proof, ":");
    } else {
        bool known = say_senders(terms, s, s->steps - 1, s->before.share);
        bool trees = s->now.of_trees; /* or else the words of `terms` stand there already */
        text_append(c->proof, trees && known ? "have few senders" : "need");
        if (known)
            text_append(c->proof, "%s of all bytes:", trees ? terms : strstr(terms, ": ") + 1);
    }
    if (s->steps > s->fewest)
        text_append(c->proof, " at least %.0f bytes on the fullest lightpaths, %.6g us in %" PRIu64,
                    s->block_bytes * s->before.share, 1e6 * s->less.seconds, s->less.steps);
    const struct timed *next = s->more.seconds < s->rest.seconds ? &s->more : &s->rest;
    text_append(c->proof, "; more steps take at least %.6g us (%" PRIu64 " with %.0f bytes", 1e6 * next->seconds,
                next->steps, s->block_bytes * next->share);
    if (next->share == s->load.share && next->share != s->now.share)
        text_append(c->proof, ", as %" PRIu64 " x %.12g must pass %" PRIu64 " channels", s->load.blocks, s->block_bytes,
                    s->load.width);
    text_append(c->proof, ")");
}

/** Write into the proof why the fullest channel carries `bytes` bytes in all steps together.
 * @param epochs  spans of steps without reconfiguration in the schedule */
static void say_share(const struct time_search *s, uint64_t epochs, double bytes)
{
    const struct bound_case *c = s->c;
    double blocks = (double)c->coll->blocks, share = s->now.share;
    char terms[RWA_ERROR_TEXT] = "";
    if (share == s->load.share) {
        bound_say(c, "%" PRIu64 " x %.12g bytes must pass %" PRIu64 " channel%s", s->load.blocks, s->block_bytes,
                  s->load.width, plural(s->load.width));
    } else if (s->now.of_trees) {
        bound_say(c, "each of %.0f bytes takes at least ", s->block_bytes * blocks);
        say_tree(s, s->steps, share, "");
        text_append(c->proof, " of the %.0f channels of all links", s->channels);
    } else if (c->coll->kind == RWA_ALL_TO_ALL) {
        if (share == s->passing)
            epochs_share(c, epochs, terms);
        else
            one_hop_share(c, s->steps, terms);
        bound_say(c, "%s x %.12g bytes", terms, s->block_bytes);
    } else {
        say_senders(terms, s, s->steps, share);
        bool backwards = c->reversed || c->coll->kind == RWA_ROOTED_REDUCE;
        bound_say(c, "%sin %" PRIu64 " step%s each byte takes senders' channels%s = %.6g, and there are "
                  "%.0f bytes", backwards ? "backwards in time, " : "", s->steps, plural(s->steps), terms,
                  share / blocks, s->block_bytes * blocks);
    }
    text_append(c->proof, ": at least %.0f bytes on the fullest lightpaths", bytes);
}

/** Write into the proof the terms that add up to the bound: reconfigurations, steps and bytes, without terms of 0. */
static void say_terms(const struct time_search *s, uint64_t epochs, double seconds)
{
    const double us = 1e6, ns = 1e9;
    const rwa_cost_prices *p = s->floor;
    double more_s = (double)(epochs - 1) * p->setting_s, once_s = p->once_s + more_s;
    double bytes = s->block_bytes * s->now.share;
    if (!s->c->proof)
        return;
    if (seconds > (more_s + seconds_of(s, s->steps, s->now.share)) * (1 + rounding)) {
        bound_say(s->c, "%" PRIu64 " epochs of at least %.6g us each: %.6g us", epochs, us * (p->once_s + p->step_s),
                  us * seconds);
        return;
    }
    char sum[RWA_ERROR_TEXT] = "; so ";
    if (once_s > 0)
        text_append(sum, "%.6g us of set-up + ", us * once_s);
    if (p->step_s > 0)
        text_append(sum, "%" PRIu64 " step%s x %.6g us + ", s->steps, plural(s->steps), us * p->step_s);
    text_append(sum, "%.0f bytes x %.6g ns = %.6g us", bytes, ns * p->byte_s, us * seconds);
    say_share(s, epochs, bytes);
    if (p->step_s > 0 && once_s <= 0)
        say_steps(s);
    text_append(s->c->proof, "%s", sum);
}

/** Set s->best to the least time over all numbers of epochs (spans of steps without reconfiguration), and write its
 * proof.
 * @param fewest  lower bound on the steps of any schedule */
static rwa_status search_epochs(struct time_search *s, uint64_t fewest, rwa_error *err)
{
    /* an epoch begins no earlier than a reconfiguration after the first step of the epoch before, even in the model
       `overlap` */
    double turn = s->floor->once_s + s->floor->step_s, passing = s->passing, best = INFINITY;
    MUST(search_times(s, fewest, err));
    say_terms(s, 1, s->best);
    /* epochs cost nothing by themselves */
    if (s->floor->once_s <= 0)
        return RWA_OK;
    double any = s->best;
    /* fewer epochs need more steps, but each epoch costs a reconfiguration */
    for (uint64_t n = bound_max(one_hop_turns(s->c), 1);; n++) {
        double extra = (double)(n - 1) * s->floor->setting_s, seconds = fmax(any + extra, (double)n * turn);
        uint64_t steps = spread_steps_in_epochs(s->c, n);
        double share = epochs_share(s->c, n, NULL);
        bool limits = steps > fewest || share > passing;
        if (seconds >= best)
            break;
        if (limits || s->best > any) {  /* or else s has the steps and bytes of another time */
            s->passing = fmax(passing, share);
            MUST(search_times(s, bound_max(fewest, steps), err));
            seconds = fmax(s->best + extra, (double)n * turn);
        }
        if (seconds < best) {
            best = seconds;
            say_terms(s, n, seconds);
        }
        if (!limits)
            break;
    }
    s->best = best;
    return RWA_OK;
}

rwa_status rwa_bound_time(double *seconds, char *proof, const rwa_network *net, const rwa_collective *coll,
                          const rwa_cost_prices *floor, const rwa_bound_options *opts, rwa_error *err)
{
    BEGIN(err, seconds, net, coll, floor);
    struct payload payload = payload_of(coll);
    struct bound_case c = {0};
    struct time_search s = {.c = &c, .floor = floor, .block_bytes = payload.block_bytes, .best = INFINITY};
    rwa_bound_options o;
    rwa_status st = RWA_OK;
    uint64_t fewest;
    *seconds = 0;
    if (proof)
        proof[0] = '\0';
    TRY(base_options(rwa_bound_options, &o, opts, err));
    o.lightpath_blocks = 1; /* the longer steps of merged blocks are counted in bytes */
    struct budget budget = base_budget(0, o.poll, o.poll_data);
    TRY(bound_case_open(&c, net, &payload.coll, &o, &budget, err));
    TRY(load_of(&s, err));
    TRY(fewest_steps(&fewest, &s, err));
    c.proof = proof;
    TRY(search_epochs(&s, fewest, err));
    double turns = one_hop_turns_time(&c, floor, s.block_bytes, s.best);
    *seconds = fmax(s.best, turns) * (1 - rounding);
done:
    growth_close(s.growth);
    bound_case_close(&c);
    return st;
}
