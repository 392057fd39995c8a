/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of a schedule check while records are read; each kind of constraint has a file of its own. */
#pragma once

#include "check/check.h"

#include "rwa/check.h"

#include "base/arena.h"
#include "base/arithmetic.h"
#include "base/limits.h"
#include "check/bits.h"
#include "check/physics/rings.h"
#include "network/network.h"

struct checker;

/* ---- orbits ---- */

/** The coordinates of nodes in a ring, torus or hypercube.  On a network without orbits the only coordinate is the
 *  number of the node. */
struct coordinates {
    uint32_t nodes;
    size_t count;
    uint32_t size[RWA_SHAPE_MAX];
};

void coordinates_open(struct coordinates *c, const rwa_network *net);
/** Add the coordinates of nodes a and b, each modulo its size, and return the node at the sum (node_minus(): at the
 *  difference).  O(coordinates). */
uint32_t node_plus(const struct coordinates *c, uint32_t a, uint32_t b);
uint32_t node_minus(const struct coordinates *c, uint32_t a, uint32_t b);
uint32_t coordinate_of(const struct coordinates *c, uint32_t node, size_t dimension);
/** Return the first dimension in which nodes a and b have different coordinates; the last dimension if a is b. */
size_t first_difference(const struct coordinates *c, uint32_t a, uint32_t b);
/** Tell whether a record is a single lightpath, or an orbit that this network, its collective and
 *  docs/reference/formats.md allow.  If not, report a violation. */
bool orbit_allowed(struct checker *chk, const rwa_lightpath *lp);
/** Return the block that lightpath i of an orbit carries if lightpath 0 carries `block`. */
uint64_t block_plus(const struct coordinates *c, const rwa_collective *coll, uint64_t block, uint32_t i);
/**
 * Return lightpath i of those that a record stands for, as a record of its own (orbit 1).
 * @param i            from 0 to record->orbit - 1; lightpath 0 is the one in the record
 * @param wavelengths  number of wavelengths of a fibre
 */
rwa_lightpath lightpath_plus(const struct coordinates *c, const rwa_collective *coll, const rwa_lightpath *record,
                             uint32_t i, uint32_t wavelengths);

/* ---- constraints ---- */

/** How the checker keeps the blocks that each node holds.  Blocks are read as at the start of a step; those that arrive
 *  in a step count from its end on. */
struct holdings {
    rwa_status (*open)(struct checker *chk);                            /* the blocks before the first step */
    /** Transfer a run of blocks from the source of a lightpath to one of its receivers. */
    rwa_status (*transfer)(struct checker *chk, const rwa_lightpath *lp, uint32_t to, const rwa_run *run);
    rwa_status (*end_step)(struct checker *chk);
    rwa_status (*check_end)(struct checker *chk);                       /* Check completeness; RWA_CANCELLED */
    void (*close)(struct checker *chk);
};

extern const struct holdings holdings_of_copies;   /* held or not; for collectives without reductions */
extern const struct holdings holdings_of_sums;     /* how often each contribution was counted; for reductions */

/** The channels of a kind of network: functions that find whether a route exists, and whether its channel is free on
 *  every link. */
struct channel_model {
    rwa_status (*open)(struct checker *chk);
    /** Return the hops of a record's route, or 0 after reporting that it does not exist.  Also checks that the taps lie
     *  on the route, in travel order. */
    uint32_t (*route)(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists);
    /** Take the channel of one lightpath of the record that was last given to route(), and report a channel that is
     *  already taken. */
    rwa_status (*claim)(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops);
    void (*end_step)(struct checker *chk);
};

extern const struct channel_model channels_of_arcs;      /* ring, line */
extern const struct channel_model channels_of_links;     /* networks that list their links */
extern const struct channel_model channels_of_star;
extern const struct channel_model channels_of_ron;
extern const struct channel_model channels_of_ocs;

/** A violation in the report: a lightpath whose channel on a link is already taken by another lightpath, which is named
 *  later. */
struct meeting {
    size_t named;           /* index in the report */
    uint64_t bit;           /* of the channel, in channels_in_use.busy */
    uint64_t first;         /* first record of its step */
};

/** A run of consecutive bits. */
struct span {
    uint64_t from;
    uint32_t count;
};

/** Channels in use in the current step. */
struct channels_in_use {
    uint64_t *busy; /* bit (direction * channels + channel) * links + link; listed links: link * channels + channel;
                       node 0 alone: class_key() */
    uint64_t *lit;      /* bit direction * channels + channel */
    size_t busy_words, lit_words;
    uint32_t directions;
    uint32_t count;     /* number of channels of the link that has most */
    uint32_t top;       /* no channel from this one on is lit */
    struct span *spans; /* bits of `busy` that were set in this step; if there are too many, only the first of them */
    size_t span_count;
};

/** The setting of a port (what it is tuned to), and the last step that used it. */
struct port {
    uint32_t setting;   /* star: the channel; ron: the receiver */
    uint32_t used;
};

/** A setting that none of a node's ports had at the start of the step, and the record that needs it. */
struct retuning {
    uint32_t node, setting;
    uint64_t record;
};

/** The ports of a node that were used so far, in the order of first use. */
struct port_set {
    struct port *list;
    size_t count;
};

/** The ports of all nodes, at most `each` of them per node.  A port keeps its setting from step to step. */
struct port_bank {
    struct port_set *of;    /* by node; NULL: not open */
    uint32_t each;
    struct retuning *wanted;    /* settings that the current step needs in addition */
    size_t wanted_count;
    bool rests;             /* ron: a port rests while it is retuned, and its first setting does not count as
                               retuning */
};

/** A hash set of random numbers above 0 with open addressing, at most half full. */
struct number_set {
    uint64_t *slot;         /* 0: the slot is free */
    size_t count, slots;    /* slots: a power of two */
};

/** Memory for the lists (nodes, blocks) of one lightpath of an orbit. */
struct moved_lists {
    uint32_t *nodes;
    rwa_run *runs;
};

/** Blocks first … end - 1. */
struct interval {
    uint64_t first, end;
};

struct checker {
    rwa_check_report *report;
    const rwa_network *net;
    rwa_faults faults;          /* of the network */
    const rwa_collective *coll;
    const uint32_t *members;    /* nodes that take part; NULL: all */
    uint32_t *ranks;            /* for each node its number among them, NO_RANK: takes no part; NULL: all take part */
    const rwa_device *device;
    rwa_power_model model;
    const rwa_transmission *transmission;   /* of fibre; NULL: none */
    struct gsnr_checker *fiber_step;        /* its lightpaths of the current step */
    uint64_t fiber_first;       /* the number of the next of them */
    double rate_bps;            /* of a lightpath; 0: the network's */
    uint64_t detailed;          /* the lightpath whose link budget is reported, by its number; RWA_NO_INDEX: none */
    rwa_limits limits;
    struct budget budget;
    uint32_t nodes, links, slots, wavelengths;
    uint32_t fibers;            /* of the link that has most */
    struct coordinates group;   /* coordinates that orbits are translated in */
    /* number of classes of links that translations map to each other, see symmetry.c; 0: there are none */
    uint32_t classes;
    struct moved_lists moved;
    const struct holdings *holdings;
    struct copies *copies;      /* for collectives without reductions */
    struct sums *sums;          /* for reductions */
    uint64_t spent, polled;     /* units of work so far, and at the last poll; see spend() */
    uint64_t unasked;           /* limit of `spent`: beyond it work must be earned, or the caller polled */
    uint64_t gained; /* bits set for the first time by this work: blocks that became known, channels taken */
    const struct channel_model *channel_model;
    /* NULL, or: all records so far were full orbits, so only node 0 is examined */
    struct symmetry *symmetry;
    bool may_turn;              /* full orbits can be checked at one node */
    bool asymmetric;            /* node 0 does not stand for all: check again without symmetry */
    bool begins;                /* the record is the first one of its step */
    struct channels_in_use channels;
    struct meeting meetings[RWA_VIOLATIONS_NAMED];
    size_t meeting_count;
    rwa_check_report *named;    /* of the first pass, while a second one names the other lightpaths of meetings; NULL */
    uint32_t *visited;          /* listed links: number of the last path through each node */
    uint32_t *route_links;      /* listed links: the links of the current record's route */
    uint32_t paths;
    bool reserved;              /* listed links: some channel of some link is reserved */
    struct port_bank senders, receivers;
    struct transmission *on_air;    /* star: the last transmission on each channel */
    rwa_run *air_runs;          /* star: the blocks of the transmissions of this step */
    size_t air_run_count;
    struct number_set claimed;  /* star, ron: the channels in use between pairs of nodes in the current step */
    struct circuit_end *circuits_to, *circuits_from;    /* ocs: by switch * nodes + node */
    uint32_t *sends, *receptions;   /* for each node, in the current step; NULL: ports are not limited */
    uint32_t *counted;          /* nodes whose counts are not 0 */
    size_t counted_count;
    bool tuned;                 /* some port was retuned for the current step */
    uint64_t tuning_rounds;    /* number of steps for which ports were retuned */
    struct lit_path *lit;       /* lightpaths of the current step; only with a device */
    size_t lit_count;
    struct lit_path *known;     /* lightpaths of the step before, and their figures; none: too many, or no such step */
    size_t known_count;
    rwa_power *known_power;
    double known_dbm;           /* most power at any node's output */
    const uint32_t *cuts;       /* steps before which the header cuts epochs */
    size_t cut_count;
    float severity[RWA_VIOLATIONS_NAMED];   /* of each named violation of power; equal ones do not differ by rounding */
    struct rings *rings;        /* rings that stay tuned from step to step; NULL: none yet */
    struct timing *timing;      /* NULL: the time was not asked for */
    uint64_t step_first;        /* number of the first lightpath of the step, counting all lightpaths of orbits */
    uint64_t record;
    uint64_t first_record;      /* of the step */
    uint64_t line;              /* line of the record in a file; 0: no file, or the check does not concern one record */
    uint32_t step;
    struct arena memory;        /* of the arrays whose size is fixed */
    rwa_error *err;
};

/** Count a violation of the current step and record, and keep it with its text as long as the report has space. */
#define report_violation(chk, what, on_link, on_wavelength, ...)                                                       \
    report_add((chk)->report, (chk)->line,                                                                             \
               (rwa_violation){.kind = (what),                                                                         \
                               .step = (chk)->step,                                                                    \
                               .lightpath = (chk)->record,                                                             \
                               .link = (on_link),                                                                      \
                               .wavelength = (on_wavelength)},                                                         \
               __VA_ARGS__)
/** Report a violation by a lightpath, as report_violation() does; the text begins with "step S: lightpath A to B ". */
#define report_lightpath(chk, kind, lp, link, ...) \
    report_add((chk)->report, (chk)->line, lightpath_violation((chk), (kind), (lp), (link)), __VA_ARGS__)
rwa_violation lightpath_violation(const struct checker *chk, rwa_violation_kind kind, const rwa_lightpath *lp,
                                  uint64_t link);
/** Report a violation of the current step and record that concerns no link and no wavelength. */
#define REPORT(chk, kind, ...) report_violation((chk), (kind), RWA_NO_INDEX, RWA_NO_INDEX, __VA_ARGS__)

#define NO_RANK UINT32_MAX

/** Return the rank of a node: its number among the members of the collective, from 0.  NO_RANK: it is no member. */
static inline uint32_t rank_of(const struct checker *chk, uint32_t node)
{
    return base_mapped(chk->ranks, node);
}

/** Write to `to` the name and the end nodes of a link that a lightpath crosses: "link 15 ccw (0 to 15)".  Return
 *  `to`. */
const char *link_text(char to[LINK_TEXT_SIZE], const struct checker *chk, const rwa_lightpath *lp, uint64_t link);
#define LINK_TEXT(chk, lp, link) link_text((char[LINK_TEXT_SIZE]){0}, (chk), (lp), (link))

static inline uint32_t node_at(const struct checker *chk, uint32_t rank)
{
    return base_mapped(chk->members, rank);
}

/** Tell whether there are violations other than of power.  Power is checked later, epoch by epoch, and affects neither
 *  these violations nor the symmetry between nodes. */
static inline bool is_violated(const struct checker *chk)
{
    return chk->report->violations > chk->report->by_kind[RWA_VIOLATION_POWER];
}

/** Return RWA_CANCELLED, with a message that names the step, if the caller's callback or time limit stops the check. */
rwa_status poll_check(struct checker *chk);

/** Continue spend() when chk->spent exceeds chk->unasked: refuse the work if the file has not earned it, and poll the
 *  caller if the last poll was long ago.  Then set chk->unasked to the amount up to which spend() need not call again.
 *  RWA_BADARG: refused; RWA_CANCELLED. */
rwa_status spend_more(struct checker *chk);

/**
 * Account for work in units of about a nanosecond (one block, or 64 neighbouring bits).
 * A few bytes of a file can demand the same large transfer many times over.  So the file must earn the work.  A
 * constant amount is free; each record, each block that is new to its receiver and each channel taken earns more.
 * @return RWA_OK; RWA_BADARG: more work than the file has earned; RWA_CANCELLED
 */
static inline rwa_status spend(struct checker *chk, uint64_t work)
{
    chk->spent += work;
    return chk->spent <= chk->unasked ? RWA_OK : spend_more(chk);
}

/** Return the intersection of two intervals; if they do not meet, an empty interval with first == end. */
static inline struct interval meet(struct interval a, struct interval b)
{
    RAISE(a.first, b.first);
    LOWER(a.end, b.end);
    RAISE(a.end, a.first);
    return a;
}

static inline uint64_t length(struct interval i)
{
    return i.end - i.first;
}

/** Tell whether the blocks divide evenly among the nodes (all-to-all: among the pairs of nodes).  Orbits require it:
 *  only then do translations of the network map blocks to blocks. */
static inline bool blocks_rotate(const rwa_collective *c)
{
    return c->blocks % (c->kind == RWA_ALL_TO_ALL ? (uint64_t)c->nodes * c->nodes : c->nodes) == 0;
}

/** Return the blocks b with floor(b * nodes / blocks) = rank: those that the member of this rank owns, or in an
 *  all-to-all those that it sends. */
static inline struct interval owned_blocks(const rwa_collective *c, uint32_t rank)
{
    return (struct interval){ceil_div(rank * c->blocks, c->nodes),
                             ceil_div((rank + UINT64_C(1)) * c->blocks, c->nodes)};
}

/** Report a lightpath whose channel on a link is already taken by another lightpath of the step.  `bit`: that of the
 *  channel in chk->channels.busy.  The other lightpath is named at the end of the check, by meet_others(). */
void report_meeting(struct checker *chk, const rwa_lightpath *lp, uint32_t link, uint64_t bit);
/** Name `lp` as the other lightpath in this step's violations by report_meeting() on the channels of `lp`: the `count`
 *  bits from `from` on in chk->channels.busy.  This is the work of a second pass over the schedule, which ends
 *  (chk->asymmetric) when no violation is left to complete. */
void meet_others(struct checker *chk, const rwa_lightpath *lp, uint64_t from, uint32_t count);

/** Report that a lightpath uses a failed link. */
void report_failed(struct checker *chk, const rwa_lightpath *lp, uint64_t link);

/** Return those of `blocks` that a member must hold at the end.  In an all-to-all `blocks` must have a single
 *  source. */
struct interval wanted_blocks(const struct checker *chk, uint32_t rank, struct interval blocks);
/** Tell whether every member holds its share of the blocks now: the blocks b with floor(b * nodes / blocks) = its
 *  rank. */
bool copies_hold_shares(const struct checker *chk);

/** Allocate what is needed to find the links of routes, on a network that lists its links.  RWA_NOMEM. */
rwa_status links_open_routes(struct checker *chk);
/** Store in *lp lightpath i (from 0) of those that a record stands for, and in *out its lists of nodes and blocks.
 *  *out uses memory of chk->moved and is valid until the next call.  RWA_BADARG and RWA_CANCELLED as spend();
 *  RWA_NOMEM. */
rwa_status orbit_lightpath(rwa_lightpath *lp, rwa_lists *out, struct checker *chk, const rwa_lightpath *record,
                           const rwa_lists *lists, uint32_t i);

/** Set chk->classes to the number of classes of links; 0: the network has none.  A class holds the links that
 *  translations of the network map to each other: on a ring those of one direction, on a torus those that lead one way
 *  along one dimension. */
void classes_open(struct checker *chk);
/** Return the class to which all links of a route belong; chk->classes if they belong to several or to none. */
uint32_t class_of_route(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops);
/** Return the number of nodes of each cycle that the links of a class form.  class_position() returns a node's
 *  coordinate along its cycle. */
uint32_t class_cycle(const struct checker *chk, uint32_t class);
uint32_t class_position(const struct checker *chk, uint32_t class, uint32_t node);
/** Return the node that stands for link `hop` (from 0) of a route: its class_position() is the link's position along
 *  the cycle.  On networks that list their links it is the node where the link begins.  On a ring, where hops are
 *  counted clockwise, it is the one at the link's anticlockwise end. */
static inline uint32_t link_node(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists,
                                 uint32_t hop)
{
    if (lists->path_nodes > 0)
        return lists->path[hop];
    uint32_t node = (lp->direction == RWA_CW ? lp->src : lp->dst) + hop;
    return node < chk->nodes ? node : node - chk->nodes;
}

/** Return the key of a channel on a link of a class, a number below chk->classes * channels.  With one of its hops, an
 *  orbit of all nodes takes a channel on every link of the class.  If it has this `period`, these channels have the
 *  same key, and no other channels have it.  `position`: class_position() of the link's link_node(). */
static inline uint64_t class_key(const struct checker *chk, uint32_t class, uint32_t period, uint64_t channel,
                                 uint32_t position)
{
    uint64_t bank = channel - channel % period;
    return class * (uint64_t)chk->fibers * chk->wavelengths + bank +
           (channel - bank + period - position % period) % period;
}

/** Let node 0 stand for all nodes from the first step on (set chk->symmetry), if the network and the collective are
 *  symmetric.  Otherwise, and in a broadcast, chk->symmetry stays NULL.  RWA_NOMEM. */
rwa_status symmetry_open(struct checker *chk);
/** Let node 0 stand for all nodes from a later step of a broadcast on (set chk->symmetry).  This requires that the
 *  first record of the step is an orbit of all nodes, and that each node holds its share of the blocks; otherwise do
 *  nothing.  RWA_NOMEM. */
rwa_status symmetry_begin(struct checker *chk, const rwa_lightpath *record);
/** Take the channels of a record that should be an orbit of all nodes.  Return false if one of them is already taken,
 *  or if the record breaks the symmetry.  It keeps the symmetry if it is such an orbit, and its links belong to one
 *  class and are at most as many as its period.  The period must divide the nodes of the class's cycles, and be that of
 *  all orbits of the step in the class. */
bool symmetry_take(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops);

/** Allocate the sets of bits in chk->channels.  `busy` has a bit for each of `channels` channels of each of `links`
 *  links in each of `directions` directions.  RWA_NOMEM. */
rwa_status channels_open(struct checker *chk, uint32_t links, uint32_t directions, uint32_t channels);
/** Return the number of a lightpath's channel: its fibre times the wavelengths of a fibre, plus its wavelength. */
static inline uint64_t channel_of(const struct checker *chk, const rwa_lightpath *lp)
{
    return (uint64_t)lp->fiber * chk->wavelengths + lp->wavelength;
}

/** Return the number of links of a lightpath on a ring or line; 0 if it has no route. */
static inline uint32_t arc_hops(const struct checker *chk, const rwa_lightpath *lp)
{
    return network_hops(chk->net, lp->src, lp->dst, lp->direction);
}

/** Return the bit in chk->channels.busy for the channel of a lightpath on one of its links, on a ring or line.  `hop`:
 *  the link, counted clockwise along the route from 0. */
static inline uint64_t arc_place(const struct checker *chk, const rwa_lightpath *lp, uint32_t hop)
{
    uint64_t channels = (uint64_t)chk->fibers * chk->wavelengths,
             lane = (lp->direction == RWA_CCW ? channels : 0) + channel_of(chk, lp);
    return lane * chk->links + ((lp->direction == RWA_CCW ? lp->dst : lp->src) + hop) % chk->links;
}

/** Let a lightpath take the channels of the `count` bits from `from` on in chk->channels.busy.  Return the number of
 *  free ones in front of the first one that was already taken; `count` if all were free. */
uint32_t channels_claim(struct checker *chk, const rwa_lightpath *lp, uint64_t from, uint32_t count);
/** Mark a channel in chk->channels.lit as used by a lightpath in this direction, on whatever link.  The number of
 *  marked channels is that of the channels that the step uses. */
static inline void channels_light(struct checker *chk, uint32_t direction, uint64_t channel)
{
    struct channels_in_use *l = &chk->channels;
    assert(direction < l->directions && channel < l->count);
    set_bit(l->lit, (uint64_t)direction * l->count + channel);
    RAISE(l->top, (uint32_t)channel + 1);
}

void channels_end_step(struct checker *chk);

/** Return 1, the hops of a lightpath on a network where every pair of nodes is one hop apart; 0, after a report, if it
 *  does not join two different nodes in one hop. */
uint32_t one_hop_route(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists);

/** Prepare to count the transmissions and receptions of each node in a step, if the network limits its ports.
 *  RWA_NOMEM. */
rwa_status ports_open(struct checker *chk);
/** Count one more transmission of a node (`sends`), or reception, in the current step.  Report the first one for which
 *  the node has no port. */
rwa_status ports_count(struct checker *chk, uint32_t node, bool sends);
/** Count the ports that a lightpath uses on a network of links: one to transmit at its source, one to receive at its
 *  end and at every tap.  RWA_NOMEM. */
rwa_status ports_use(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists);
rwa_status ports_end_step(struct checker *chk);
void ports_close(struct checker *chk);

rwa_status bank_open(struct checker *chk, struct port_bank *bank, uint32_t each);
/** Use a port of a node with this setting (struct port) in the current step.  *tuned: none of the node's ports that are
 *  not in use yet has the setting, so one will be retuned at the end of the step.  O(ports of the node in use so far).
 *  RWA_NOMEM. */
rwa_status bank_use(bool *tuned, struct checker *chk, struct port_bank *bank, uint32_t node, uint32_t setting);
/** Take the channel of a lightpath between its source and its end, on a network where every pair of nodes is one hop
 *  apart.  *fresh: no other lightpath of the step with these two nodes has the channel.  RWA_NOMEM. */
rwa_status claim_hop(bool *fresh, struct checker *chk, const rwa_lightpath *lp);
/** Add a number to a hash set; *fresh: it was not there.  The numbers are hashes by mix(): two different things have
 *  the same number, and count as one, with probability 2^-64.  RWA_NOMEM; RWA_BADARG: the caller's limit on memory. */
rwa_status note_number(bool *fresh, struct checker *chk, struct number_set *s, uint64_t number);
uint64_t mix(uint64_t sum, uint64_t next);
/** Count one more retuned port in the report, and note that ports were retuned for the current step. */
void count_tuning(struct checker *chk);

/** Prepare to compute the time of the schedule in the cost model of `opts`; without a model, and from the first
 *  violation on, it is not computed.  RWA_BADARG: a number of the model that is not above 0; RWA_NOMEM. */
rwa_status timing_open(struct checker *chk, const rwa_check_options *opts);
rwa_status timing_record(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops);
rwa_status timing_end_step(struct checker *chk);
/** Add to the time in chk->timing that of the steps without lightpaths that come before step `step`.  RWA_NOMEM. */
rwa_status timing_skip_to(struct checker *chk, uint32_t step);
void timing_report(struct checker *chk);
/** Tell whether the ports of a lightpath on a ring or line may still be tuned to it.  `used`: the last step that used
 *  it.  They may if, at its source, its end and each tap, fewer lightpaths have used a port after that step than the
 *  node has ports. */
bool timing_keeps_ports(const struct checker *chk, const struct lit_path *path, uint32_t used);
/** Tell whether epochs are computed: the cost model has them, and there is no violation (other than of power). */
bool timing_has_epochs(const struct checker *chk);
/** Set *last to the last step whose tuned rings are known for certain, whatever follows; UINT32_MAX without epochs.
 *  *together: all rings tuned in its epoch are released after it (model `circuit`, or no epochs); false: each ring
 *  stays tuned until another lightpath needs it (`overlap`).  Return false if a later step may still change the number
 *  of epochs so far: in the model `circuit`, after a link failure, until a step has a lightpath that no earlier step
 *  had. */
bool timing_settled(uint32_t *last, bool *together, const struct checker *chk);
void timing_close(struct checker *chk);

/** Prepare to check the signal to noise of each step (physics/step_gsnr.c); nothing if `transmission` is NULL.
 *  gsnr_add() takes the links of a lightpath from chk->route_links.  RWA_BADARG: the network lists no links, or a link
 *  has no length; RWA_NOMEM. */
rwa_status gsnr_open(struct checker *chk, const rwa_transmission *transmission);
rwa_status gsnr_add(struct checker *chk, const rwa_lightpath *lp, uint32_t hops);
void gsnr_close(struct checker *chk);

void power_open(struct checker *chk);
/** Add a lightpath, of `hops` hops, to those of the current step whose power is checked.  RWA_NOMEM. */
rwa_status power_add(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops);
/** End the current step for power.  Check the power of each step, this one or earlier, as soon as it is known which
 *  rings are tuned in it.  Call it after timing_end_step().  RWA_CANCELLED; RWA_NOMEM. */
rwa_status power_end_step(struct checker *chk);
/** Check the power of the steps that still wait to be checked.  Call it after the last step.  RWA_CANCELLED;
 *  RWA_NOMEM. */
rwa_status power_end(struct checker *chk);
void power_close(struct checker *chk);
