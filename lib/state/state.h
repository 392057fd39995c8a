/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a state: free channels as bitsets, lightpaths in slots, cached routes, a circular buffer of past
 *  operations. */
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "routing/graph.h"
#include "routing/k_shortest.h"
#include "routing/protection.h"
#include "rwa/state.h"

/** A carrier is what carries each channel once: a directed link, or a fibre pair when undirected.  A channel is
 *  wavelength * fibers + fiber, so that first-fit takes the lowest channel. */
#define NO_CHANNEL UINT32_MAX
#define NO_SLOT UINT32_MAX

/** ---- lightpaths ---- */

/** TOMBSTONE: a lightpath released, or the former place of one moved, kept for undo.  BACKUP: set up, the backup of
 *  the lightpath in `other`. */
enum life { FREE, LIVE, TOMBSTONE, BACKUP };
enum { SIZES = 32 };

struct slot {
    uint64_t id;            /* the lightpath's number, unique in the state; 0: the slot is a backup or a former route */
    uint32_t src, dst;
    uint32_t hops;
    uint32_t channel;
    uint64_t first;         /* index of its links: numbers[first] … , 1 << size entries */
    uint32_t other;         /* free slot: the next free slot of this size; lightpath: its backup; backup: its
                               lightpath */
    uint32_t before, after; /* neighbours in the list of the lightpaths that are up, by number */
    unsigned size : 6;
    unsigned shared : 1;    /* a backup whose channels other backups may share */
    unsigned lit : 1;       /* a shared backup that is set up and carries the signal (switching.c) */
    uint8_t life;
    uint16_t guard;
    uint32_t width;         /* the lightpath takes width + guard channels, `fibers` apart, from `channel` on */
};

static inline uint32_t slot_span(const struct slot *one)
{
    return one->width + one->guard;
}

struct slots {
    struct slot *list;
    size_t count, capacity;
    uint32_t *numbers;
    size_t number_count, number_capacity;
    uint32_t free[SIZES];   /* the first free slot of each size */
    size_t live;
    uint32_t first, last;   /* ends of the list of lightpaths that are up, by number; NO_SLOT: it is empty */
    uint32_t latest;        /* the slot that was set up last */
    uint64_t next_id;       /* the number of the next lightpath; numbers only rise */
    uint32_t *index;        /* slots by number, open addressing; NO_SLOT: empty */
    size_t index_capacity, named;   /* a power of two; slots in the index */
};

/** Numbers of lightpaths stay below this one, the largest that files can hold. */
#define LIGHTPATH_IDS (UINT64_C(1) << 53)

void slots_init(struct slots *s);
void slots_free(struct slots *s);
/** Take a slot that can hold the links of a route; its life is still FREE.  O(1); allocates only when no slot of
 *  that size is left. */
rwa_status slots_take(struct slots *s, uint32_t hops, uint32_t *slot, rwa_error *err);
/** Make a slot that was taken, or is not FREE, available again, together with its backup; its id becomes invalid. */
void slots_recycle(struct slots *s, uint32_t slot);
/** Reserve an entry of the index for one more number, after which slots_name() cannot fail.  RWA_NOMEM also when all
 *  numbers are used up. */
rwa_status slots_make_room(struct slots *s, rwa_error *err);
/** Give a taken slot its number: the next one, or `id`, which no lightpath that is up may have. */
void slots_name(struct slots *s, uint32_t slot, uint64_t id);
/** Change the life of a lightpath, and with it that of its backup.  A lightpath must have its number when it is set
 *  up. */
void slots_live(struct slots *s, uint32_t slot, enum life life);
/** Make a taken slot the backup of a lightpath. */
void slots_join(struct slots *s, uint32_t lightpath, uint32_t backup, bool shared);
/** The live slot of an id; NO_SLOT. */
uint32_t slots_find(const struct slots *s, uint64_t id);
/** The live slot with the least number above `id`.  O(1) where the id is 0 or that of a lightpath that is up, else
 *  O(lightpaths). */
uint32_t slots_above(const struct slots *s, uint64_t id);

/** ---- routes between pairs of nodes ---- */

/** Entry of the table: 32 bytes, half a cache line, because in a large network nearly every lookup misses the cache. */
struct pair {
    uint64_t key;           /* src * nodes + dst + 1; 0: empty */
    uint32_t first;         /* in paths */
    uint32_t start, hops;   /* of the first path, so that it need not be looked up in paths */
    uint32_t count;
    uint32_t sought;        /* how many paths were searched for: if fewer were found, there are no more */
};

/** The routes to try: paths first … first + count - 1; path `first` has `hops` links, beginning at index `start`. */
struct tried {
    size_t first;
    uint32_t start, hops;
    uint32_t count;
};

/** A hash table with open addressing; its capacity is a power of two. */
struct pair_table {
    struct pair *list;
    size_t capacity, used;
};

/** The index at which the search for a key begins. */
static inline size_t pairs_home(const struct pair_table *t, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->capacity - 1);
}
/** The entry of a key, or the empty one where it belongs; NULL: the table has none. */
struct pair *pairs_place(const struct pair_table *t, uint64_t key);
/** Keep the paths from number `before` on as those of a key; st: of the search for them, whose failure drops them. */
rwa_status pairs_note(struct pair_table *t, struct paths *paths, uint64_t key, size_t before, uint32_t sought,
                      rwa_status st, struct pair **out, rwa_error *err);
/** Drop all routes kept, and their entries. */
void pairs_forget(struct pair_table *t, struct paths *paths);
/** Drop them only if more than ROUTES_KEPT links are kept. */
void pairs_limit(struct pair_table *t, struct paths *paths);

/** Most links of all cached routes: 64 MiB. */
enum { ROUTES_KEPT = 1 << 24 };

struct routes {
    const rwa_network *net; /* the network of the state, with its failed carriers */
    const bool *failed;
    struct routing_graph graph;
    struct k_shortest *k_shortest;
    struct paths paths;
    uint32_t *arc;          /* ring and line: the route under construction; nodes entries */
    struct pair_table table;
    uint32_t most, max_hops;
    bool stale;             /* links have failed or were repaired since the graph was built */
};

void routes_free(struct routes *r);
/** Start again from r->net without its failed links. */
rwa_status routes_begin(struct routes *r, rwa_model model, rwa_error *err);
/** r->net with the links that are failed now. */
rwa_status routes_network(rwa_network **out, const struct routes *r, rwa_model model, rwa_error *err);
/** The `most` shortest routes of a pair, or as many as there are, in r->paths until the next call.  Must not be
 *  called when stale. */
rwa_status routes_find(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, struct tried *out, rwa_error *err);
/** The key of a pair of nodes. */
static inline uint64_t routes_key(const struct routes *r, uint32_t src, uint32_t dst)
{
    return (uint64_t)src * r->graph.nodes + dst + 1;
}

/** A table with more entries exceeds the cache: half a megabyte. */
enum { LARGE_TABLE = 1 << 14 };

/** Fetch a pair's entry, and then the links of its first route, into the cache before routes_find() reads them,
 *  where the table is large.  Always inline: gcc assumes that a function that only prefetches has no effect, and
 *  drops calls of it. */
__attribute__((always_inline)) static inline void routes_expect(const struct routes *r, uint32_t src, uint32_t dst)
{
    if (r->table.capacity >= LARGE_TABLE)
        __builtin_prefetch(&r->table.list[pairs_home(&r->table, routes_key(r, src, dst))]);
}

__attribute__((always_inline)) static inline void routes_expect_first(const struct routes *r, uint32_t src,
                                                                      uint32_t dst)
{
    if (r->table.capacity >= LARGE_TABLE && r->paths.count > 0)
        __builtin_prefetch(r->paths.arc + pairs_place(&r->table, routes_key(r, src, dst))->start);
}

/** ---- past operations ---- */

enum operation { ADDED, RELEASED, MOVED, FAILED, REPAIRED };

struct event {
    enum operation operation;
    uint32_t subject;       /* slot, or carrier */
    uint32_t former;        /* MOVED: the tombstone with its former route */
    uint32_t switched;      /* number of shared backups that the operation lit or switched off */
};

struct history {
    struct event *ring;
    uint32_t capacity;
    uint32_t next;          /* where the next event goes */
    uint32_t kept;          /* number of events before `next` that are kept */
    uint64_t operations;    /* operations done and not undone */
};

/** ---- shared backups that are lit (switching.c) ---- */

struct switching {
    uint64_t *lit;          /* carriers * words: channels of lit backups; NULL: no lightpath has a shared backup yet */
    uint32_t backups;       /* number of shared backups that are up */
    uint32_t *log;          /* backups lit or switched off, from `first` on: by the operations in the history, then
                               `fresh` ones by the current operation */
    size_t first, count, capacity;
    uint32_t fresh;         /* entries of the current operation */
};

/** ---- bit rates and formats of lightpaths (details.c) ---- */

struct detail {
    double rate_bps;        /* 0: not known */
    uint32_t format;        /* the number of its name, plus 1; 0: not known */
};

/** The details of each slot; allocated from the first lightpath on that has any. */
struct details {
    struct detail *of;
    size_t count, capacity;
    struct names names;
};

struct rwa_state {
    rwa_network *net;
    rwa_model model;
    uint32_t nodes, links, carriers;
    uint32_t fibers;        /* fibres of the carrier that has the most */
    uint32_t channels, words;
    uint32_t *carrier;      /* of each directed link */
    uint32_t *carrier_fibers;   /* of each carrier: a pair has only the fibres that both links have */
    uint64_t *free;         /* carriers * words: channels that exist, are not reserved and not taken */
    uint64_t closed;        /* channels of carriers that are missing or reserved */
    uint64_t *use;          /* of each wavelength: on how many carriers, times fibres, it is taken */
    bool *failed;           /* carriers */
    struct slots slots;
    struct routes routes;
    struct history history;
    struct details details;
    struct switching switching;
    struct protector *protector;    /* NULL: no lightpath has a backup yet */
    uint64_t random;
    uint32_t *seen;         /* nodes: the number of the last route that passed each node */
    uint32_t seen_number;
    uint32_t *given;        /* the route that a caller gave, checked; nodes entries */
    uint64_t *mask;         /* channels that the request allows; words */
    uint64_t *places;       /* places on the current route: channels where the request fits; words */
    struct arena arena;     /* of all arrays above */
};

static inline struct slot *slot_at(const struct rwa_state *s, uint32_t slot)
{
    return &s->slots.list[slot];
}

static inline const uint32_t *slot_links(const struct rwa_state *s, uint32_t slot)
{
    return s->slots.numbers + slot_at(s, slot)->first;
}

/** ---- choosing (choose.c) ---- */

/** A route and the lowest channel on it; hops 0: there is none. */
struct choice {
    const uint32_t *links;
    uint32_t hops;
    uint32_t channel;       /* the lowest of the request->span channels */
};

/** A checked request, with what is still to be chosen. */
struct request {
    rwa_request asked;    /* its links, if any, are state->given */
    const uint64_t *mask;   /* NULL: any channel; for several slots the lowest one counts */
    uint32_t span;          /* slots with the guard */
    uint64_t id;            /* the lightpath's number; 0: the next one */
    const char *format;     /* NULL, or the format on the route chosen */
    uint64_t random;        /* state of the random numbers, which the choice advances */
};

/** Check a request and store its route and channels; without a width it takes that of the slot moved, or 1.
 *  RWA_BADARG. */
rwa_status request_take(struct rwa_state *s, struct request *request, const rwa_request *asked,
                        const struct slot *moved, rwa_error *err);
/** The routes to try, in order, as link lists by route(); count 0 when there is none.  May search for routes. */
rwa_status request_routes(struct rwa_state *s, const struct request *request, struct tried *out, rwa_error *err);
/** Route i of the routes to try; its channel is not set. */
static inline struct choice request_route(const struct rwa_state *s, const struct request *request,
                                          const struct tried *tried, uint32_t i)
{
    const struct paths *p = &s->routes.paths;
    size_t path = tried->first + i;
    if (request->asked.links)
        return (struct choice){request->asked.links, request->asked.hops, NO_CHANNEL};
    if (i == 0)
        return (struct choice){p->arc + tried->start, tried->hops, NO_CHANNEL};
    return (struct choice){p->arc + p->first[path], (uint32_t)(p->first[path + 1] - p->first[path]), NO_CHANNEL};
}
/** Search for routes again if links have failed or were repaired. */
rwa_status routes_refresh(struct rwa_state *s, rwa_error *err);
/** Whether some format can carry the request over a route; if so, request->span is set to its slots there.
 *  RWA_BADARG: a link without a length. */
rwa_status request_fit(bool *fits, const struct rwa_state *s, struct request *request, const struct choice *route,
                       rwa_error *err);
/** Choose the route and channel of a request; choice->hops 0: blocked.  Changes nothing in the state. */
rwa_status request_choose(struct rwa_state *s, struct request *request, struct choice *choice, rwa_error *err);
/** The first failed link of a route; RWA_NONE: none has failed. */
uint32_t failed_on(const struct rwa_state *s, const uint32_t *links, uint32_t hops);
/** Whether no link of a slot has failed. */
bool is_whole(const struct rwa_state *s, uint32_t slot);

/** A word of 64 channels: those that are allowed and free on all links of a route. */
static inline uint64_t free_word(const struct rwa_state *s, const uint32_t *links, uint32_t hops, const uint64_t *mask,
                                 uint32_t w)
{
    uint64_t word = mask ? mask[w] : UINT64_MAX;
    for (uint32_t k = 0; k < hops; k++)
        word &= s->free[(size_t)s->carrier[links[k]] * s->words + w];
    return word;
}

static inline bool is_free(const struct rwa_state *s, uint32_t carrier, uint32_t channel)
{
    return s->free[(size_t)carrier * s->words + channel / 64] >> (channel % 64) & 1;
}

/** The lowest channel that is free on all links of a route; NO_CHANNEL: none. */
static inline uint32_t free_first(const struct rwa_state *s, const uint32_t *links, uint32_t hops, const uint64_t *mask)
{
    for (uint32_t w = 0; w < s->words; w++) {
        uint64_t word = free_word(s, links, hops, mask, w);
        if (word)
            return 64 * w + (uint32_t)__builtin_ctzll(word);
    }
    return NO_CHANNEL;
}

/** Whether the `span` channels of one fibre from this one on exist and are free. */
bool is_free_span(const struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span);
/** Fill s->places with the places for `span` slots on all links of a route; false when there are none (places.c). */
bool find_places(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
/** The next place in s->places above `after`, or the first one after NO_CHANNEL; NO_CHANNEL at the end. */
uint32_t next_place(const struct rwa_state *s, uint32_t after);
/** How many places for `span` slots are free on all links of a route, and the lowest of them (places.c). */
uint32_t free_count(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
uint32_t free_lowest(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
/** The place on a route that the request's policy chooses; NO_CHANNEL: none. */
uint32_t place_choose(struct rwa_state *s, struct request *request, const struct choice *choice);

static inline uint32_t channel_of(const struct rwa_state *s, uint32_t fiber, uint32_t wavelength)
{
    return wavelength * s->fibers + fiber;
}

/** The wavelength of a channel; avoids the division on networks with one fibre, which are the most common. */
static inline uint32_t wavelength_of(const struct rwa_state *s, uint32_t channel)
{
    return s->fibers == 1 ? channel : channel / s->fibers;
}

static inline uint32_t fiber_of(const struct rwa_state *s, uint32_t channel)
{
    return s->fibers == 1 ? 0 : channel % s->fibers;
}

/** The details of a slot; rate 0 and format 0 where nothing is known. */
struct detail details_get(const struct details *d, uint32_t slot);
const char *details_name(const struct details *d, struct detail detail);
/** Fill *out with what is kept beside a lightpath (its format and rate), and reserve memory for it, so that
 *  details_set() cannot fail.  Returns RWA_NOMEM where there is none. */
rwa_status details_prepare(struct rwa_state *s, const struct request *request, struct detail *out, rwa_error *err);
void details_set(struct details *d, uint32_t slot, struct detail detail);
void details_swap(struct details *d, uint32_t slot, uint32_t other);
void details_free(struct details *d);

/** ---- backups (protect.c) ---- */

/** A lightpath and its backup: request and choice of each. */
struct protected_choice {
    struct request request[2];
    struct choice route[2];
};

/** Choose the routes and channels of a request with a backup; both hops 0: blocked.  Changes nothing in the state. */
rwa_status protect_choose(struct rwa_state *s, const struct request *request, struct protected_choice *out,
                          rwa_error *err);
/** The pairs of routes that protect_choose() tries. */
struct pair_survey {
    uint32_t count;
    bool all;               /* count 0: true when there are no pairs, false when the search gave up */
    bool fits_format;       /* for some pair, formats can carry the request over both routes */
};
rwa_status protect_survey(struct rwa_state *s, const struct request *request, struct pair_survey *out, rwa_error *err);
/** Set up lightpath and backup, without adding the operation to the history. */
rwa_status protect_set_up(struct rwa_state *s, const struct protected_choice *choice, uint32_t *slot, rwa_error *err);
/** Set up a backup on the route and channel of its request, for a lightpath that is up; RWA_BADARG: they are taken. */
rwa_status protect_join(struct rwa_state *s, uint32_t slot, const struct request *backup, rwa_error *err);
/** Drop the route pairs, because the routes are about to change. */
void protect_drop_routes(struct rwa_state *s);
void protect_free(struct rwa_state *s);
/** Take, or (open) give back, the channels of a backup. */
void protect_set(struct rwa_state *s, uint32_t slot, bool open);
/** The number of channels, summed over links, that only shared backups hold. */
uint64_t protect_shared(const struct rwa_state *s);

/** ---- shared backups that are lit (switching.c) ---- */

/** Reserve memory in the log for all that one operation can light or switch off.  RWA_NOMEM. */
rwa_status switching_prepare(struct rwa_state *s, rwa_error *err);
/** After links have failed or were repaired: switch off the backups that are no longer needed or have failed, then
 *  light those that are needed and can be lit, in the order of their numbers.  Call switching_prepare() first. */
void switching_update(struct rwa_state *s);
/** Light the backup of a lightpath if it is needed and its channels are dark. */
void switching_light(struct rwa_state *s, uint32_t slot);
bool switching_is_lit(const struct rwa_state *s, uint32_t slot);
/** Turn a lightpath into a tombstone.  Backups that waited for channels of its lit backup are lit.  Where its backup
 *  is lit, call switching_prepare() first. */
void switching_leave(struct rwa_state *s, uint32_t slot);
/** Set up the lightpath of a tombstone again.  switching_undo() undoes the changes of backups since. */
void switching_return(struct rwa_state *s, uint32_t slot);
/** End an operation: returns the number of changes since the last call, which belong to it. */
uint32_t switching_end(struct rwa_state *s);
/** Undo the last `count` changes. */
void switching_undo(struct rwa_state *s, uint32_t count);
/** Drop the first `count` changes of the log. */
void switching_forget(struct rwa_state *s, uint32_t count);
/** Whether another lit backup uses a channel of this shared backup, so that it cannot be lit. */
bool switching_is_taken(const struct rwa_state *s, uint32_t backup);
/** Whether a lightpath carries its signal, on its working route or on its backup. */
bool switching_carries(const struct rwa_state *s, uint32_t slot);
void switching_free(struct rwa_state *s);

/** ---- changing (state.c) ---- */

/** Take, or (open) give back, these channels of a link. */
void state_set(struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span, bool open);
/** Take an entry of the list of lightpaths for the chosen route and channel of a request; it is not live yet. */
rwa_status state_take_slot(struct rwa_state *s, const struct request *request, const struct choice *choice,
                           uint32_t *slot, rwa_error *err);
/** Take, or (open) give back, the channels of a slot on all its links. */
void state_set_slot(struct rwa_state *s, uint32_t slot, bool open);
/** Take, or give back, the channels of a lightpath and its backup. */
void state_occupy(struct rwa_state *s, uint32_t slot);
void state_vacate(struct rwa_state *s, uint32_t slot);
/** Set up a lightpath on this route and channel, without adding the operation to the history. */
rwa_status state_set_up(struct rwa_state *s, const struct request *request, const struct choice *choice, uint32_t *slot,
                        rwa_error *err);
/** Exchange the route and channel of a lightpath with those of another slot. */
void state_swap(struct rwa_state *s, uint32_t slot, uint32_t other);
void state_fail(struct rwa_state *s, uint32_t carrier, bool failed);

/** Debug builds: abort unless slots, channels, use and history agree (check.c).  O(channels of links + lightpaths),
 *  once in a number of calls. */
#ifndef NDEBUG
void state_check(const struct rwa_state *s);
#else
#define state_check(s) ((void)(s))
#endif

/** ---- remembering (history.c) ---- */

void history_add(struct rwa_state *s, struct event event);
/** Forget the history: nothing done before can be undone. */
void history_forget(struct rwa_state *s);
