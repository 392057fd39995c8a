/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of a schedule check while records pass; one file for each kind of constraint. */
#pragma once

#include "check/check.h"

#include "rwa/check.h"

#include "base/arena.h"
#include "base/limits.h"
#include "check/bits.h"
#include "network/network.h"

struct checker;

/* ---- orbits ---- */

/** The coordinates of the nodes; a network that has no orbits has one, its number. */
struct coordinates {
    uint32_t nodes;
    size_t count;
    uint32_t size[RWA_SHAPE_MAX];
};

void coordinates_open(struct coordinates *c, const rwa_network *net);
/** The node whose coordinates are those of a plus those of b; a minus b.  O(coordinates). */
uint32_t node_plus(const struct coordinates *c, uint32_t a, uint32_t b);
uint32_t node_minus(const struct coordinates *c, uint32_t a, uint32_t b);
uint32_t coordinate_of(const struct coordinates *c, uint32_t node, size_t dimension);
/** The first dimension in which two nodes differ; the last one if none does. */
size_t first_difference(const struct coordinates *c, uint32_t a, uint32_t b);
/** The block that lightpath i carries where the first one carries `block`; one of the collective's blocks. */
uint64_t block_plus(const struct coordinates *c, const rwa_collective *coll, uint64_t block, uint32_t i);
/** Lightpath i < record->orbit, with orbit 1; wavelengths of a fibre. */
rwa_lightpath lightpath_plus(const struct coordinates *c, const rwa_collective *coll, const rwa_lightpath *record,
                             uint32_t i, uint32_t wavelengths);

/* ---- constraints ---- */

/** The blocks that each node holds.  Values are read as at the start of a step and take effect at its end. */
struct holdings {
    rwa_status (*open)(struct checker *chk);                            /* the blocks before the first step */
    /** Runs of blocks that src will send to dst soon: fetch what memory has of them.  NULL: not worth it. */
    void (*expect)(const struct checker *chk, const rwa_lightpath *lp, const rwa_run *runs, uint32_t count);
    /** A run of blocks from src to dst. */
    rwa_status (*transfer)(struct checker *chk, const rwa_lightpath *lp, const rwa_run *run);
    rwa_status (*end_step)(struct checker *chk);
    rwa_status (*check_end)(struct checker *chk);                       /* completeness; RWA_CANCELLED */
    void (*close)(struct checker *chk);
};

extern const struct holdings holdings_of_copies;   /* held or not: collectives without reductions */
extern const struct holdings holdings_of_sums;     /* how often each contribution was counted: reductions */

/** The channels of a network: whether a route exists, and whether its channel is free on every link. */
struct channel_model {
    rwa_status (*open)(struct checker *chk);
    /** The hops of a record's route, or 0 after a violation was reported; also checks that its taps are on it, in
     * order. */
    uint32_t (*route)(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists);
    /** Take the channel of one lightpath of the record last given to route(); report a channel that
     *  is taken already. */
    rwa_status (*claim)(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops);
    void (*end_step)(struct checker *chk);
};

extern const struct channel_model channels_of_arcs;      /* ring, line */
extern const struct channel_model channels_of_links;     /* kinds that list their links */
extern const struct channel_model channels_of_star;
extern const struct channel_model channels_of_ron;
extern const struct channel_model channels_of_ocs;

/** The record that a lightpath comes from, and its line in a file. */
struct origin {
    uint64_t record, line;
};

/** A named violation of a lightpath whose channel on a link another one has. */
struct meeting {
    size_t named;           /* its index in the report */
    uint64_t record, link;
    uint64_t first;         /* record of its step */
    rwa_lightpath lp;
    bool complete;          /* the text names the other one */
};

/** Neighbouring bits. */
struct span {
    uint64_t from;
    uint32_t count;
};

/** Channels in use in the current step. */
struct channels_in_use {
    uint64_t *busy; /* bit (direction * channels + channel) * links + link; listed links: link * channels + channel */
    uint64_t *lit;      /* bit direction * channels + channel */
    size_t busy_words, lit_words;
    uint32_t directions;
    uint32_t count;     /* of the link that has most */
    uint32_t top;       /* channels from this one on are not lit */
    struct span *spans; /* bits of `busy` that were set in this step; if there are too many, only the first of them */
    size_t span_count;
};

/** Setting of a port, and the last step that used it. */
struct port {
    uint32_t setting;   /* star: the channel; ron: the receiver */
    uint32_t used;
};

/** A setting that no port of the node had at the start of the step, and the record that needs it. */
struct retuning {
    uint32_t setting;
    uint64_t record;
};

/** The ports of a node that were in use so far, in that order, and the ones to retune for the current step. */
struct port_set {
    struct port *list;
    size_t count, capacity;
    struct retuning *wanted;
    size_t wanted_count, wanted_capacity;
};

/** The ports of all nodes, at most `each` of them to a node, that keep their setting from step to step. */
struct port_bank {
    struct port_set *of;    /* by node; NULL: not open */
    uint32_t each;
    uint32_t *waiting;      /* nodes that have something to retune for the current step */
    size_t waiting_count, waiting_capacity;
    bool rests;             /* ron: a port rests while it is retuned, and its first setting does not count */
};

/** ron: a hash table with open addressing; entries of earlier steps are free. */
struct connections {
    struct connection *at;
    size_t size, used;
};

/** The effect of using a port. */
enum tuning { PORT_KEPT, PORT_TUNED };

/** The lists of a lightpath of an orbit. */
struct moved_lists {
    uint32_t *nodes;
    rwa_run *runs;
    size_t node_capacity, run_capacity;
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
    const uint32_t *members;    /* the nodes that take part; NULL: all */
    uint32_t *ranks;            /* of every node among them, NO_RANK: takes no part; NULL: all do */
    const rwa_device *device;
    rwa_power_model model;
    rwa_limits limits;
    struct budget budget;
    uint32_t nodes, links, slots, wavelengths;
    uint32_t fibers;            /* of the link that has most */
    struct coordinates group;   /* by which orbits move */
    /* of links that translations move to each other, alike in all, see symmetry.c; 0: there are none */
    uint32_t classes;
    struct moved_lists moved;
    const struct holdings *holdings;
    struct copies *copies;      /* without reductions */
    struct sums *sums;          /* reductions */
    uint64_t spent, polled;     /* units of work so far, and when the caller was last asked; see spend() */
    uint64_t unasked;           /* units of work that are earned, and done before the caller is asked again */
    uint64_t gained; /* bits that this work set for the first time: blocks that became known, channels taken */
    const struct channel_model *channel_model;
    /* all records so far were full orbits, of which node 0 is looked at; NULL: lightpath by lightpath */
    struct symmetry *symmetry;
    bool may_turn;              /* full orbits can be checked at one node */
    bool asymmetric;            /* node 0 does not show all: begin again without symmetry */
    bool begins;                /* the record is the first of its step */
    struct channels_in_use channels;
    struct meeting meetings[RWA_VIOLATIONS_NAMED];
    size_t meeting_count;
    uint32_t *broken[2];        /* arcs with failed links: how many lie before each link, by direction; NULL: none */
    uint64_t broken_from, broken_until; /* in steps from … until - 1; UINT64_MAX: no end */
    uint32_t *visited;          /* listed links: the number of the last path through each node */
    uint32_t *route_links;      /* listed links: those of the route of the current record */
    uint32_t paths;
    bool reserved;              /* listed links: some channel of some link is */
    struct port_bank senders, receivers;
    struct transmission *on_air;    /* star: the last transmission of each channel */
    rwa_run *air_runs;          /* star: the blocks of the transmissions of this step */
    size_t air_run_count, air_run_capacity;
    struct connections connections; /* ron: the channels in use between pairs of nodes */
    struct circuit_end *circuits_to, *circuits_from;    /* ocs: by switch * nodes + node */
    uint32_t *sends, *receptions;   /* of each node in the current step; NULL: ports are not limited */
    uint32_t *counted;          /* nodes whose counts are not zero */
    size_t counted_count, counted_capacity;
    bool tuned;                 /* something was retuned for the current step */
    uint64_t tuning_rounds;    /* steps for which that was so */
    rwa_lightpath *lightpaths;     /* of the current step, kept only when a device is given */
    struct origin *origins;        /* where each of them stands */
    size_t lightpath_count, lightpath_capacity, origin_capacity;
    uint32_t *taps;           /* the taps of lightpath i are taps[first_tap[i]] … taps[first_tap[i + 1] - 1] */
    size_t *first_tap, tap_capacity, first_tap_capacity;
    const uint32_t *cuts;       /* steps before which the header cuts an epoch */
    size_t cut_count;
    struct rings *rings;        /* rings that stay tuned from step to step; NULL: none so far */
    struct timing *timing;      /* NULL: the time was not asked for */
    uint64_t step_first;        /* number of the first lightpath of the step, orbits counted in full */
    uint64_t record;
    uint64_t first_record;      /* of the step */
    uint64_t line;              /* of the record, in a file; 0: none, or what is checked is not one record */
    uint32_t step;
    struct arena memory;        /* of the arrays that do not grow */
    rwa_error *err;
};

/** Count a violation of the current step and record; the first ones are also named. */
#define report_violation(chk, what, on_link, on_wavelength, ...)                                                       \
    report_add((chk)->report, (chk)->line,                                                                             \
               (rwa_violation){.kind = (what),                                                                         \
                               .step = (chk)->step,                                                                    \
                               .lightpath = (chk)->record,                                                             \
                               .link = (on_link),                                                                      \
                               .wavelength = (on_wavelength)},                                                         \
               __VA_ARGS__)
/** The same for a lightpath; the text gets the prefix "step S: lightpath A to B ". */
#define report_lightpath(chk, kind, lp, link, ...) \
    report_add((chk)->report, (chk)->line, lightpath_violation((chk), (kind), (lp), (link)), __VA_ARGS__)
rwa_violation lightpath_violation(const struct checker *chk, rwa_violation_kind kind, const rwa_lightpath *lp,
                                  uint64_t link);
/** The same without a link or wavelength. */
#define REPORT(chk, kind, ...) report_violation((chk), (kind), RWA_NO_INDEX, RWA_NO_INDEX, __VA_ARGS__)

#define NO_RANK UINT32_MAX

/** The place of a member among the members, which is how the collective counts its nodes. */
static inline uint32_t rank_of(const struct checker *chk, uint32_t node)
{
    return chk->ranks ? chk->ranks[node] : node;
}

static inline const char *direction_name(rwa_direction direction)
{
    return direction == RWA_CW ? "cw" : "ccw";
}

/** The direction of a lightpath behind its link, where links have two. */
const char *after_link(const struct checker *chk, const rwa_lightpath *lp);

static inline uint32_t node_at(const struct checker *chk, uint32_t rank)
{
    return chk->members ? chk->members[rank] : rank;
}

/** Power apart: it is judged by epochs, and changes neither these nor the symmetry. */
static inline bool is_violated(const struct checker *chk)
{
    return chk->report->violations > chk->report->by_kind[RWA_VIOLATION_POWER];
}

/** Violations that are counted and not named. */
void report_count(struct checker *chk, rwa_violation_kind kind, uint64_t count);

/** Ask the caller whether to go on; RWA_CANCELLED names the step. */
rwa_status poll_check(struct checker *chk);

/** Work beyond `unasked`: refuse what is not earned, ask the caller, and set `unasked` anew. */
rwa_status spend_more(struct checker *chk);

/**
 * Account for work: a unit is about a nanosecond, a block or 64 neighbouring bits.  A few bytes of a file can ask for
 * the same large transfer many times over; that is refused when the work exceeds a constant, plus a multiple of the
 * records and of the blocks that arrive.
 * @return RWA_OK; RWA_BADARG; RWA_CANCELLED
 */
static inline rwa_status spend(struct checker *chk, uint64_t work)
{
    chk->spent += work;
    return chk->spent <= chk->unasked ? RWA_OK : spend_more(chk);
}

/** The part that two intervals share; empty, with its ends in order, when there is none. */
static inline struct interval meet(struct interval a, struct interval b)
{
    struct interval both = {a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
    if (both.first > a.end)
        both.first = a.end;
    if (both.end < both.first)
        both.end = both.first;
    return both;
}

static inline uint64_t length(struct interval i)
{
    return i.end - i.first;
}

/** Whether the rotation of a ring moves every block to a block, as orbits do. */
static inline bool blocks_rotate(const rwa_collective *c)
{
    return c->blocks % (c->kind == RWA_ALL_TO_ALL ? (uint64_t)c->nodes * c->nodes : c->nodes) == 0;
}

/** The blocks b with floor(b * nodes / blocks) = rank; of an all-to-all those that start there. */
static inline struct interval owned_blocks(const rwa_collective *c, uint32_t rank)
{
    uint64_t n = c->nodes;
    return (struct interval){(rank * c->blocks + n - 1) / n, ((rank + UINT64_C(1)) * c->blocks + n - 1) / n};
}

/** Those of a schedule, or else of a file. */
struct records {
    const rwa_schedule *sched;
    const char *path;
    rwa_reader *reader;
    uint32_t step;      /* of a schedule: that of the record before, or one of no record */
};

/** Whether they can be read a second time, unlike those of a pipe. */
bool records_can_reopen(const struct records *from);
/** Begin with the first record, whether others were read or not. */
rwa_status records_open(struct records *from, const rwa_limits *limits, rwa_error *err);
/** Record number chk->record. */
rwa_status records_next(rwa_lightpath *record, rwa_lists *lists, int *got, struct checker *chk, struct records *from);

/** Whether a record is in its ranges, and an orbit allowed; else a violation is reported. */
bool in_range(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists);
bool orbit_allowed(struct checker *chk, const rwa_lightpath *lp);

/** Report a lightpath that meets another one, which the end of the check names, on a link. */
void report_meeting(struct checker *chk, const rwa_lightpath *lp, uint32_t link);
/** Name the other lightpath of each meeting.  The verdict stands: a failure, or the end of the budget, leaves it
 * unnamed. */
void name_others(struct checker *chk, const struct records *from);

/** A lightpath uses a link that failed. */
void report_failed(struct checker *chk, const rwa_lightpath *lp, uint64_t link);

/** Whether every rank holds the blocks that it would own in an all-gather. */
bool copies_hold_shares(const struct checker *chk);

enum { GOT_COPY = 1, GOT_REDUCE = 2 }; /* of reductions: what arrives at a node */

/** The links that the route of a record takes on listed links, before its channels are checked. */
rwa_status links_open_routes(struct checker *chk);
/** Lightpath i of an orbit; *out lives in chk->moved until the next call. */
rwa_status orbit_lightpath(rwa_lightpath *lp, rwa_lists *out, struct checker *chk, const rwa_lightpath *record,
                           const rwa_lists *lists, uint32_t i);

/** Number the classes of links, chk->classes. */
void classes_open(struct checker *chk);
/** The class of all links of a route; chk->classes: there is none, or several. */
uint32_t class_of_route(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops);
/** Of orbits of this class: the nodes of the cycle along which they lead; the coordinate of a node along it. */
uint32_t class_cycle(const struct checker *chk, uint32_t class);
uint32_t class_position(const struct checker *chk, uint32_t class, uint32_t node);
/** The node that stands for link `hop` of a route. */
static inline uint32_t link_node(const struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists,
                                 uint32_t hop)
{
    if (lists->path_nodes > 0)
        return lists->path[hop];
    uint32_t node = (lp->direction == RWA_CW ? lp->src : lp->dst) + hop;
    return node < chk->nodes ? node : node - chk->nodes;
}

/** The key that is the same along an orbit with this period, from the channels and the links of a class that its
 * lightpaths take: below chk->classes times the channels. */
static inline uint64_t class_key(const struct checker *chk, uint32_t class, uint32_t period, uint64_t channel,
                                 uint32_t position)
{
    uint64_t bank = channel - channel % period;
    return class * (uint64_t)chk->fibers * chk->wavelengths + bank +
           (channel - bank + period - position % period) % period;
}

/** Open chk->symmetry if full orbits may be checked at one node, and can be from the first step on; otherwise it stays
 * NULL. */
rwa_status symmetry_open(struct checker *chk);
/** Open it before the first record of a later step, if that is a full orbit and the holdings allow it. */
rwa_status symmetry_begin(struct checker *chk, const rwa_lightpath *record);
/** Take the channels of a full orbit; false: the record is none, or meets another one. */
bool symmetry_take(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops);
void symmetry_end_step(struct checker *chk);
void symmetry_close(struct checker *chk);

/** Bits for all channels of `links` links in each of `directions`. */
rwa_status channels_open(struct checker *chk, uint32_t links, uint32_t directions, uint32_t channels);
/** The channel of a lightpath on its link. */
static inline uint64_t channel_of(const struct checker *chk, const rwa_lightpath *lp)
{
    return (uint64_t)lp->fiber * chk->wavelengths + lp->wavelength;
}

/** On rings and lines: the links of a lightpath; 0: it has no route. */
static inline uint32_t arc_hops(const struct checker *chk, const rwa_lightpath *lp)
{
    return network_hops(chk->net, lp->src, lp->dst, lp->direction);
}

/** On rings and lines: the number of link `hop` of a route, counted from its lower end, with the direction and channel
 * of the lightpath. */
static inline uint64_t arc_place(const struct checker *chk, const rwa_lightpath *lp, uint32_t hop)
{
    uint64_t channels = (uint64_t)chk->fibers * chk->wavelengths,
             lane = (lp->direction == RWA_CCW ? channels : 0) + channel_of(chk, lp);
    return lane * chk->links + ((lp->direction == RWA_CCW ? lp->dst : lp->src) + hop) % chk->links;
}

/** Take bits of `busy` from `from` on. @return how many of them come before the first that was taken already, or all */
uint32_t channels_claim(struct checker *chk, uint64_t from, uint32_t count);
/** A lightpath of this direction is on a channel. */
static inline void channels_light(struct checker *chk, uint32_t direction, uint64_t channel)
{
    struct channels_in_use *l = &chk->channels;
    assert(direction < l->directions && channel < l->count);
    set_bit(l->lit, (uint64_t)direction * l->count + channel);
    l->top = channel >= l->top ? (uint32_t)channel + 1 : l->top;
}

void channels_end_step(struct checker *chk);

/** The route where every pair of nodes is one hop: 1, or 0 after a violation was reported. */
uint32_t one_hop_route(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists);

/** At most `ports` transmissions and as many receptions of a node in a step. */
rwa_status ports_open(struct checker *chk);
rwa_status ports_send(struct checker *chk, uint32_t node);
rwa_status ports_receive(struct checker *chk, uint32_t node);
/** A lightpath that has a route over links: one transmission, a reception at dst and at every tap. */
rwa_status ports_use(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists);
rwa_status ports_end_step(struct checker *chk);
void ports_close(struct checker *chk);

rwa_status bank_open(struct checker *chk, struct port_bank *bank, uint32_t each);
/** Use a port of the node in the current step: one that had this setting at the start of the step and is free.  Without
 * one, the end of the step takes a port never used, or else the one that has been idle longest, so that nothing depends
 * on the order of the lightpaths of a step.  O(ports of the node in use so far). */
rwa_status bank_use(enum tuning *use, struct checker *chk, struct port_bank *bank, uint32_t node, uint32_t setting);
/** Whether a port of the node set to this is, or will be, in use in this step. */
bool bank_in_use(const struct port_bank *bank, uint32_t node, uint32_t setting, uint32_t step);
/** Count a port that was retuned for the current step. */
void count_tuning(struct checker *chk);

/** The time under the caller's cost options; nothing without them, and from the first violation on. */
rwa_status timing_open(struct checker *chk, const rwa_check_options *opts);
rwa_status timing_record(struct checker *chk, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops);
rwa_status timing_end_step(struct checker *chk);
/** Steps without a lightpath before this one. */
rwa_status timing_skip_to(struct checker *chk, uint32_t step);
void timing_report(struct checker *chk);
/** On rings and lines: whether the ports of a lightpath may be set as in step `used`, its last one: at each of its
 * nodes fewer other users than ports came after it. */
bool timing_keeps_ports(const struct checker *chk, const rwa_lightpath *lp, const uint32_t *taps, uint32_t tap_count,
                        uint32_t used);
/** Whether the cost model has epochs, and no violation but of power keeps them from being known. */
bool timing_has_epochs(const struct checker *chk);
/** Whether the epochs so far depend on lightpaths of later steps, as after a failure. */
bool timing_is_undecided(const struct checker *chk);
/** The last step of which later steps change no tuned ring.  *together: the rings of its epoch are let go after it
 * (circuit); else (overlap) each is kept until another lightpath needs it. */
uint32_t timing_settled(const struct checker *chk, bool *together);
void timing_close(struct checker *chk);

void power_open(struct checker *chk);
rwa_status power_add(struct checker *chk, const rwa_lightpath *lp, const rwa_lists *lists);
/** After timing_end_step(). */
rwa_status power_end_step(struct checker *chk);
/** After the last step. */
rwa_status power_end(struct checker *chk);
void power_close(struct checker *chk);
