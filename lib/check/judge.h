/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Inside the check room: what the judge remembers while a schedule passes by, one file for each kind of question. */
#ifndef CHECK_JUDGE_H
#define CHECK_JUDGE_H

#include "rwa/check.h"

#include "base/base.h"

struct judge;

/** Who holds what.  Values are read as they were at the start of the step and take effect at its end. */
struct book {
    rwa_status (*open)(struct judge *j);                            /* every node with what it starts from */
    rwa_status (*carry)(struct judge *j, const rwa_lightpath *lp);  /* one block from src to dst */
    void (*end_step)(struct judge *j);
    rwa_status (*judge_end)(struct judge *j);                       /* completeness; RWA_CANCELLED */
    void (*close)(struct judge *j);
};

extern const struct book book_of_copies;   /* held or not: collectives without reductions */
extern const struct book book_of_sums;     /* how often each contribution was counted: reductions */

/** Whether there is such a route, and whether its channel is free all along. */
struct medium {
    rwa_status (*open)(struct judge *j);
    /** The hops of a record's route, or 0 after an accusation; also judges that its taps are on it, in order. */
    uint32_t (*route)(struct judge *j, const rwa_lightpath *record, const rwa_lists *lists);
    /** Claim the route of one lightpath; what is claimed already is a clash. */
    rwa_status (*claim)(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t hops);
    void (*end_step)(struct judge *j);
    void (*close)(struct judge *j);
};

extern const struct medium medium_of_arcs;      /* ring, line */
extern const struct medium medium_of_links;     /* kinds that list their links */
extern const struct medium medium_of_star;
extern const struct medium medium_of_ron;
extern const struct medium medium_of_ocs;

/** Channels in use in the current step. */
struct lanes {
    uint64_t *busy;     /* bit (direction * channels + channel) * links + link; listed links: link * channels + channel */
    uint64_t *lit;      /* bit direction * channels + channel */
    size_t busy_words, lit_words;
    uint32_t directions;
    uint32_t channels;  /* of the link that has most */
};

/** What a port is set to, and the last step that used it. */
struct port {
    uint32_t set_to;    /* star: the channel; ron: the receiver */
    uint32_t used;
};

/** The ports of a node that were in use so far, in that order. */
struct port_set {
    struct port *list;
    size_t count, room;
};

/** The ports of all nodes, at most `each` of them to a node, that keep their setting from step to step. */
struct port_bank {
    struct port_set *of;    /* by node; NULL: not open */
    uint32_t each;
};

/** What using a port meant; PORT_NONE: all are in use. */
enum tuning { PORT_KEPT, PORT_TUNED, PORT_NONE };

struct delivery {
    uint32_t rank;
    uint32_t block;
};

struct judge {
    rwa_check_report *verdict;
    const rwa_network *net;
    const rwa_collective *coll;
    const uint32_t *members;    /* the nodes that take part; NULL: all */
    uint32_t *ranks;            /* of every node among them, NO_RANK: takes no part; NULL: all do */
    const rwa_device *device;
    rwa_power_model model;
    struct budget budget;
    uint32_t nodes, links, slots;
    uint32_t fibers;            /* of the link that has most */
    const struct book *book;
    uint64_t *held;             /* copies: bit rank * blocks + block, held at the start of the step */
    struct delivery *arrived;   /* copies: in the current step; held from the next one on */
    size_t arrivals, arrival_room;
    struct sums *sums;          /* reductions */
    const struct medium *medium;
    struct turns *turns;        /* while every node has done the same; NULL: book and medium know */
    struct lanes lanes;
    uint32_t failed_from;       /* the step from which on failed links are judged */
    uint32_t *broken[2];        /* arcs with failed links: how many lie before each link, by direction; NULL: none */
    uint32_t *passed;           /* listed links: the number of the last path through each node */
    uint32_t paths;
    bool reserved;              /* listed links: some channel of some link is */
    struct port_bank senders, receivers;
    struct airs *airs;          /* star: what is on each channel */
    struct beams *beams;        /* ron: the channels in use between pairs of nodes */
    struct switches *switches;  /* ocs */
    uint32_t *sends, *receptions;   /* of each node in the current step; NULL: ports are not limited */
    uint32_t *counted;          /* nodes whose counts are not zero */
    size_t counted_count, counted_room;
    bool tuned;                 /* something was retuned for the current step */
    uint64_t tuning_rounds;    /* steps for which that was so */
    rwa_lightpath *shining;     /* of the current step, kept only when a device is given */
    size_t shine, shine_room;
    uint32_t *tapped;           /* taps of all of these, and where those of each begin, and end: shine + 1 entries */
    size_t *tapped_first, tapped_room, first_room;
    uint64_t step_first;        /* number of the first lightpath of the step, orbits counted in full */
    uint64_t record;
    uint32_t step;
    rwa_error *err;
};

/** Count a violation of the current step and record; the first ones are also named. */
void accuse(struct judge *j, rwa_violation_kind kind, uint64_t link, uint64_t wavelength, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/** The same for what has no link or wavelength. */
#define ACCUSE(j, kind, ...) accuse((j), (kind), RWA_NO_INDEX, RWA_NO_INDEX, __VA_ARGS__)

#define NO_RANK UINT32_MAX

/** The place of a member among the members, which is how the collective counts its nodes. */
static inline uint32_t rank_of(const struct judge *j, uint32_t node)
{
    return j->ranks ? j->ranks[node] : node;
}

static inline uint32_t node_at(const struct judge *j, uint32_t rank)
{
    return j->members ? j->members[rank] : rank;
}

/** A channel that is reserved, which no lightpath may use. */
void accuse_closed(struct judge *j, const rwa_lightpath *lp);
/** A link that failed. */
void accuse_failed(struct judge *j, const rwa_lightpath *lp, uint64_t link);

/** Book and medium, for lightpaths one by one. */
rwa_status judge_open_fully(struct judge *j);

/** turns.c: where all nodes may do the same, j->turns; otherwise it stays NULL. */
rwa_status turns_open(struct judge *j);
/** Judge a record with its whole orbit.  When it is not like those before, or wrong: *judged is false, book and medium
 *  know from now on what was so far, and j->turns is NULL. */
rwa_status turns_judge(bool *judged, struct judge *j, const rwa_lightpath *record, const rwa_lists *lists, uint32_t hops);
void turns_end_step(struct judge *j);
/** When something is missing at the end, book and medium know, and j->turns is NULL. */
rwa_status turns_judge_end(struct judge *j);
void turns_close(struct judge *j);

/** Bits for all channels of `links` links in each of `directions`. */
rwa_status lanes_open(struct judge *j, uint32_t links, uint32_t directions, uint32_t channels);
/** The channel of a lightpath on its link. */
uint64_t channel_of(const struct judge *j, const rwa_lightpath *lp);
void lanes_end_step(struct judge *j);
void lanes_close(struct judge *j);

/** Where every pair of nodes is one hop: 1, or 0 after an accusation. */
uint32_t one_hop_route(struct judge *j, const rwa_lightpath *record, const rwa_lists *lists);

/** At most `ports` transmissions and as many receptions of a node in a step. */
rwa_status ports_open(struct judge *j);
rwa_status ports_send(struct judge *j, uint32_t node);
rwa_status ports_receive(struct judge *j, uint32_t node);
/** Lightpath i of a record that has a route over links: one transmission, a reception at dst and at every tap. */
rwa_status ports_see(struct judge *j, const rwa_lightpath *record, const rwa_lists *lists, uint32_t i);
void ports_end_step(struct judge *j);
void ports_close(struct judge *j);

rwa_status bank_open(struct judge *j, struct port_bank *bank, uint32_t each);
/** Use a port of the node in the current step: one that is set to this and free, else set one that was never in use, else
 *  the one that rested longest.  *rested: the last step of the one set anew, 0: none.  O(ports of the node in use so far). */
rwa_status bank_use(enum tuning *use, struct judge *j, struct port_bank *bank, uint32_t node, uint32_t set_to, uint32_t *rested);
/** Whether a port of the node set to this is in use in this step. */
bool bank_in_use(const struct port_bank *bank, uint32_t node, uint32_t set_to, uint32_t step);
/** Something was set anew for the current step. */
void count_tuning(struct judge *j);

void power_open(struct judge *j);
rwa_status power_see(struct judge *j, const rwa_lightpath *lp, const rwa_lists *lists, uint32_t turn);
rwa_status power_end_step(struct judge *j);
void power_close(struct judge *j);

/** The blocks of a record, one after the other: for (struct blocks_of b = blocks_of(record, lists); next_block(&b, &block);) */
struct blocks_of {
    const rwa_run *run;     /* NULL: the record has a single block */
    uint32_t runs, k;       /* runs from `run` on; blocks of it that were taken */
    uint64_t single;
};

static inline struct blocks_of blocks_of(const rwa_lightpath *record, const rwa_lists *lists)
{
    return (struct blocks_of){lists->runs, lists->runs ? lists->run_count : 1, 0, record->block};
}

static inline bool next_block(struct blocks_of *b, uint64_t *block)
{
    if (b->runs == 0)
        return false;
    *block = b->run ? b->run->first + (uint64_t)b->k * b->run->stride : b->single;
    if (++b->k >= (b->run ? b->run->count : 1)) {
        b->runs--;
        b->k = 0;
        b->run += b->run != NULL;
    }
    return true;
}

static inline bool get_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static inline void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

#endif
