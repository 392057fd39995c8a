/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Internals of a schedule: one array per member, 17 bytes per record without orbits and lists. */
#pragma once

#include "network/network.h"
#include "network/translations.h"
#include "rwa/schedule.h"

#include <stdbool.h>

/** Bytes per record with an orbit and lists, including space to grow, but without the words of the lists. */
enum { SCHEDULE_RECORD_BYTES = 40 };

/** flags of a record: bit 0 the direction, bit 1 the operation */
enum { RECORD_CCW = 1, RECORD_REDUCE = 2 };

/** The lists of all records, one after the other: a head of 1 to 4 words, the path, the runs (three words each), the
 *  taps. */
struct pool {
    uint32_t *words;
    size_t used;
};

struct rwa_schedule {
    struct rwa_network *net;
    rwa_collective coll;
    uint32_t *members;      /* NULL: all nodes */
    char *scheme;
    uint32_t *cuts;         /* steps before which epochs are cut; NULL: none */
    size_t cut_count;
    bool needs_path;        /* the network lists its links */
    struct translations group;  /* translations of orbits */
    uint32_t fibers;        /* of the link that has most */
    size_t count;
    size_t capacity;
    uint32_t *src;
    uint32_t *dst;
    uint32_t *block;
    uint32_t *channel;      /* fiber * wavelengths + wavelength */
    uint8_t *flags;
    uint32_t *orbit;        /* NULL while no record has an orbit */
    uint32_t *period;
    uint64_t *lists;        /* position in the pool plus 1, 0: none; NULL while no record has lists */
    struct pool pool;
    bool merged;            /* some record has several blocks, or taps */
    bool runs;              /* some record is written as runs of blocks, see RUN_LIST_MOST */
    bool banks;             /* some orbit is on channels beyond its period */
    uint32_t slots;         /* most blocks of a record */
    uint32_t drops;         /* most receivers of a record */
    uint64_t *first;        /* first record of step s at first[s - 1]; steps + 1 entries once closed */
    uint32_t *step_blocks;  /* of each step for which it has memory: most blocks of a record; 0 stands for one */
    uint32_t steps;
    uint64_t lightpaths;
    uint64_t *line, line_count; /* of the first records, their lines in the file of another planner; 0: not known */
};

static inline rwa_lightpath schedule_lightpath(const rwa_schedule *sched, uint64_t i)
{
    rwa_lightpath lp;
    rwa_schedule_get(&lp, sched, i);
    return lp;
}

static inline rwa_lists schedule_lists(const rwa_schedule *sched, uint64_t i)
{
    rwa_lists lists;
    rwa_schedule_lists(&lists, sched, i);
    return lists;
}

/** Return the index of the first record of a step.  It is 0 for step 0, and the number of records for a step after the
 * last one. */
static inline uint64_t first_of_step(const rwa_schedule *s, uint32_t step)
{
    return step == 0 ? 0 : step > s->steps ? s->count : s->first[step - 1];
}

/** Return record i as rwa_schedule_get() does, but faster: the caller knows the step, so it need not be sought; and a
 * channel of the first fibre takes no division. */
static inline rwa_lightpath record_in_step(const rwa_schedule *s, uint64_t i, uint32_t step)
{
    assert(first_of_step(s, step) <= i && i < first_of_step(s, step + 1));
    uint32_t channel = s->channel[i], wavelengths = s->net->wavelengths,
             fiber = channel < wavelengths ? 0 : channel / wavelengths;
    return (rwa_lightpath){
        .step = step,
        .src = s->src[i],
        .dst = s->dst[i],
        .fiber = fiber,
        .wavelength = channel - fiber * wavelengths,
        .orbit = s->orbit ? s->orbit[i] : 1,
        .period = s->period ? s->period[i] : 0,
        .direction = s->flags[i] & RECORD_CCW ? RWA_CCW : RWA_CW,
        .op = s->flags[i] & RECORD_REDUCE ? RWA_REDUCE : RWA_COPY,
        .block = s->block[i],
    };
}

/** Return the hops of a record's lightpaths on any network; 1 where every pair of nodes is one hop apart. */
static inline uint32_t schedule_hops(const rwa_schedule *sched, uint64_t record)
{
    if (network_has_arcs(sched->net))
        return network_hops(sched->net, sched->src[record], sched->dst[record],
                            sched->flags[record] & RECORD_CCW ? RWA_CCW : RWA_CW);
    rwa_lists lists = schedule_lists(sched, record);
    return lists.path_nodes ? lists.path_nodes - 1 : 1;
}

/** Return the channel of a lightpath: fiber * wavelengths + wavelength. */
static inline uint32_t lightpath_channel(const struct rwa_network *net, const rwa_lightpath *lp)
{
    return lp->fiber * net->wavelengths + lp->wavelength;
}
/** Move a lightpath to the fibre and wavelength of a channel of the network. */
static inline void lightpath_set_channel(rwa_lightpath *lp, const struct rwa_network *net, uint64_t channel)
{
    lp->fiber = channel < net->wavelengths ? 0 : (uint32_t)(channel / net->wavelengths);
    lp->wavelength = (uint32_t)(channel - (uint64_t)lp->fiber * net->wavelengths);
}
/** Return one more than the highest channel of all lightpaths of a record.  An orbit counts with its whole period of
 * channels. */
uint32_t record_top(const rwa_network *net, const rwa_lightpath *record);

/** Return the first step whose lightpaths the translations of the network do not map to each other; if there is none,
 * the number of steps plus 1.  When this step begins, the blocks that a node holds are still the translations of those
 * that any other node holds. 0: the translations do not map the network, or the collective, to itself.  O(records)
 * @param[out] group  the translations; only of use unless the result is 0 */
uint32_t schedule_symmetric_until(struct translations *group, const rwa_schedule *sched);

/** Iterator over the lightpaths of a step, with orbits written out:
 *  for (struct walk w = walk_step(sched, step); walk_next(&w);) … w.lp … */
struct walk {
    const rwa_schedule *sched;
    uint32_t step;
    uint64_t record, end;   /* record of the lightpath; end of the step's records */
    uint32_t turn;          /* number of the lightpath in the orbit of its record */
    rwa_lightpath whole;    /* its record */
    uint32_t top;           /* record_top() of its record */
    rwa_lists lists;        /* those of its record */
    rwa_lightpath lp;
};
struct walk walk_step(const rwa_schedule *sched, uint32_t step);
bool walk_next(struct walk *walk);
/** Return the block of the current lightpath that corresponds to a block of its record, the first lightpath of the
 * orbit. walk_node() does so for a node of the path, or a tap. */
uint64_t walk_block(const struct walk *walk, uint64_t block);
uint32_t walk_node(const struct walk *walk, uint32_t node);
/** Iterator over the blocks that the current lightpath carries, in the order of its runs:
 *  for (struct carried c = {0}; walk_next_block(&c, &w);) … c.block … */
struct carried {
    uint64_t block;
    rwa_run one;
    const rwa_run *run;     /* NULL: before the first block */
    uint32_t runs, k;       /* runs left; blocks of this run that have passed */
};
bool walk_next_block(struct carried *c, const struct walk *walk);
/** Likewise for the blocks of a record, whose lists are `lists`. */
bool record_next_block(struct carried *c, const rwa_lightpath *record, const rwa_lists *lists);
/** Return the number of hops of the current lightpath. walk_hop_node() returns the node k hops after its source;
 * walk_hop_link() the directed link of hop k, counted from 0 (RWA_NONE: there is none). */
static inline uint32_t walk_hops(const struct walk *walk)
{
    return schedule_hops(walk->sched, walk->record);
}
uint32_t walk_hop_node(const struct walk *walk, uint32_t k);
uint32_t walk_hop_link(const struct walk *walk, uint32_t k);
/** Return the lists of the current lightpath in *out: those of its record, or copies in *words, which is NULL at first
 *  and grows; the caller frees it. */
rwa_status walk_lists(rwa_lists *out, uint32_t **words, const struct walk *walk, rwa_error *err);
/** Tell whether a node is a tap of the current lightpath: it receives the signal and lets it pass. */
bool walk_is_tap(const struct walk *walk, uint32_t node);
/** Return a hash of the current lightpath's ends, channel, route and taps, without its blocks. */
uint64_t walk_hash(const struct walk *walk);
/** Tell whether the current lightpath carries the block.  O(runs). */
bool walk_carries(const struct walk *walk, uint64_t block);

/** Copy the epoch cuts before steps below `end` from another schedule, which has the same steps below `end`.
 * RWA_NOMEM. */
rwa_status schedule_keep_cuts(rwa_schedule *sched, const rwa_schedule *from, uint32_t end, rwa_error *err);
/** Tell whether epochs may be cut before these steps: they must ascend, from 2 to `last`. */
bool cuts_are_valid(const uint32_t *steps, size_t count, uint32_t last);
/** Reserve space for exactly `records` more records, so that a planner that knows its size wastes no memory. */
rwa_status schedule_reserve(struct rwa_schedule *sched, size_t records, rwa_error *err);

/** Return the version of the file format that the schedule needs: 1; 2 for several blocks on a lightpath, or taps; 3
 *  for runs; 4 for orbits of paths, of pairs of several blocks, of a collective with a root, or on channels from a
 *  multiple of their period on. */
enum { SCHEDULE_ORBITS_OF_PATHS = 4 };
unsigned schedule_version(const struct rwa_schedule *sched);

/** Tell whether the first lightpath of a record carries the block. */
bool record_carries(const rwa_lightpath *record, const rwa_lists *lists, uint64_t block);

/** A list of more blocks than this is written as runs if these take fewer numbers. */
enum { RUN_LIST_MOST = 8 };
static inline bool lists_are_runs(const rwa_lists *l)
{
    return l->block_count > RUN_LIST_MOST && (uint64_t)3 * l->run_count < l->block_count;
}

/** Return RWA_BADARG unless the members ascend and are nodes of the network. */
rwa_status members_refuse(const struct rwa_network *net, const uint32_t *members, uint32_t count, rwa_error *err);

/** Return st, the status of making *sched.  Unless it is RWA_OK, free the schedule and set *sched to NULL. */
rwa_status schedule_keep(struct rwa_schedule **sched, rwa_status st);

/** In debug builds, assert the invariants of all records.  O(records + steps). */
void schedule_check(const struct rwa_schedule *sched);

/* ---- lists.c ---- */

/** Return RWA_BADARG unless path, taps and blocks are valid for this record. */
rwa_status lists_refuse(const struct rwa_schedule *sched, const rwa_lightpath *lp, const rwa_lists *lists,
                        rwa_error *err);
/** Convert a list of blocks to runs, in the same order; out has space for as many runs as blocks.  Returns the
 *  number of runs. */
uint32_t runs_of_blocks(rwa_run *out, const uint32_t *blocks, uint32_t count);
/** Append the lists of a record to the pool.
 * @param[out] place  where they begin, for pool_get()
 * @param[out] runs   number of their runs of blocks */
rwa_status pool_put(struct pool *pool, const rwa_lists *lists, uint64_t *place, uint32_t *runs, rwa_error *err);
void pool_get(const struct pool *pool, uint64_t place, rwa_lists *out);
