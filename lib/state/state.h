/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a state: free channels as bitsets, lightpaths in slots, routes that are kept, a ring of past
 *  operations. */
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "routing/graph.h"
#include "routing/k_shortest.h"
#include "routing/protection.h"
#include "rwa/state.h"

/** A carrier carries each channel once: a directed link, or a fibre pair when undirected.
 *  A channel is wavelength * fibers + fiber, so that the lowest one is first-fit's. */
#define NO_CHANNEL UINT32_MAX
#define NO_SLOT UINT32_MAX

/** ---- lightpaths ---- */

/** Tombstone: released or moved, kept for undo.  Backup: up, behind the lightpath in `other`. */
enum life { FREE, LIVE, TOMBSTONE, BACKUP };
enum { SIZES = 32 };

struct slot {
    uint64_t id;            /* the lightpath's number, unique in the state; 0: of a backup or a former route */
    uint32_t src, dst;
    uint32_t hops;
    uint32_t channel;
    uint64_t first;         /* its links: numbers[first] … , 1 << size entries */
    uint32_t other;         /* free: the next one of this size; else the backup of a lightpath, or the lightpath of a
                               backup */
    uint32_t before, after; /* lightpaths that are up, by number */
    unsigned size : 6;
    unsigned shared : 1;    /* a backup whose channels other backups may use too */
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
    uint32_t first, last;   /* lightpaths that are up, by number; NO_SLOT */
    uint32_t latest;        /* the slot that came up last */
    uint64_t next_id;       /* the number of the next lightpath; numbers only rise */
    uint32_t *index;        /* slots by number, open addressing; NO_SLOT: empty */
    size_t index_capacity, named;   /* a power of two; slots in the index */
};

/** Numbers of lightpaths stay below this one, the most that files have. */
#define LIGHTPATH_IDS (UINT64_C(1) << 53)

void slots_init(struct slots *s);
void slots_free(struct slots *s);
/** A slot that holds the links of a route, still FREE; O(1), allocates only when none of that size is left. */
rwa_status slots_take(struct slots *s, uint32_t hops, uint32_t *slot, rwa_error *err);
/** Make a slot, taken or not FREE, available again, and its backup; its id becomes invalid. */
void slots_recycle(struct slots *s, uint32_t slot);
/** Room in the index for one more number, after which slots_name() cannot fail.  RWA_NOMEM also: all numbers are
 *  given. */
rwa_status slots_make_room(struct slots *s, rwa_error *err);
/** Give a slot taken its number: the next one, or with an id that one, which no lightpath that is up has. */
void slots_name(struct slots *s, uint32_t slot, uint64_t id);
/** Change the life of a lightpath, and that of its backup with it.  A lightpath that comes up has its number. */
void slots_live(struct slots *s, uint32_t slot, enum life life);
/** A slot taken becomes the backup of a lightpath. */
void slots_join(struct slots *s, uint32_t lightpath, uint32_t backup, bool shared);
static inline uint64_t slots_id(const struct slots *s, uint32_t slot)
{
    return s->list[slot].id;
}
/** The live slot of an id; NO_SLOT. */
uint32_t slots_find(const struct slots *s, uint64_t id);
/** The live slot with the least number above this id.  O(1) where the id is 0 or a lightpath that is up has it, else
 *  O(lightpaths). */
uint32_t slots_above(const struct slots *s, uint64_t id);
static inline const uint32_t *slots_links(const struct slots *s, uint32_t slot)
{
    return s->numbers + s->list[slot].first;
}

/** ---- routes between pairs of nodes ---- */

/** 32 bytes, half a cache line: in a large network nearly every look is at memory far away. */
struct pair {
    uint64_t key;           /* src * nodes + dst + 1; 0: empty */
    uint32_t first;         /* in paths */
    uint32_t start, hops;   /* the first path's, so that it need not be looked up there */
    uint32_t count;
    uint32_t sought;        /* how many were: fewer found are all there are */
};

/** Paths first … first + count - 1; path `first` has `hops` links from `start` on. */
struct tried {
    size_t first;
    uint32_t start, hops;
    uint32_t count;
};

/** Open addressing; the capacity is a power of two. */
struct pair_table {
    struct pair *list;
    size_t capacity, used;
};

/** The place at which the search for a key begins. */
static inline size_t pairs_home(const struct pair_table *t, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->capacity - 1);
}
/** The entry of a key, or the empty one where it belongs; NULL: the table has none. */
struct pair *pairs_place(const struct pair_table *t, uint64_t key);
/** Put an entry into the table, which grows where it must; one of the same key gives way. */
rwa_status pairs_put(struct pair_table *t, struct pair pair, struct pair **out, rwa_error *err);
/** Drop all routes kept, and their entries. */
void pairs_forget(struct pair_table *t, struct paths *paths);
/** The same, where more links than ROUTES_KEPT are kept. */
void pairs_limit(struct pair_table *t, struct paths *paths);

/** Links of all routes kept: 64 MiB. */
enum { ROUTES_KEPT = 1 << 24 };

struct routes {
    const rwa_network *net; /* the state's, and its failed carriers */
    const bool *failed;
    struct routing_graph graph;
    struct k_shortest *k_shortest;
    struct paths paths;
    uint32_t *arc;          /* of ring and line: a route being put together; nodes entries */
    struct pair_table table;
    uint32_t most, max_hops;
    bool stale;             /* links have failed or work again since */
};

void routes_free(struct routes *r);
/** Begin again on r->net without its failed links. */
rwa_status routes_begin(struct routes *r, rwa_model model, rwa_error *err);
/** The `most` shortest routes of a pair, or as many as there are, in r->paths until the next call.  Not when stale. */
rwa_status routes_find(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, struct tried *out, rwa_error *err);
/** The key of a pair of nodes. */
static inline uint64_t routes_key(const struct routes *r, uint32_t src, uint32_t dst)
{
    return (uint64_t)src * r->graph.nodes + dst + 1;
}

/** Entries of a table that is no longer in the cache: half a megabyte. */
enum { LARGE_TABLE = 1 << 14 };

/** Fetch a pair's entry into the cache before routes_find() reads it, where the table is large; then the links of its
 *  first route.  Always inline: gcc takes a function that only prefetches for one without effect and drops its
 *  calls. */
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
    uint32_t switched;      /* shared backups that it lit or put out */
};

struct history {
    struct event *ring;
    uint32_t capacity;
    uint32_t next;          /* where the next event goes */
    uint32_t kept;          /* events before that */
    uint64_t operations;    /* done and not undone */
};

/** ---- shared backups that are lit (switching.c) ---- */

struct switching {
    uint64_t *lit;          /* carriers * words: channels of lit backups; NULL: no lightpath has a shared backup yet */
    uint32_t backups;       /* shared ones that are up */
    uint32_t *log;          /* backups lit or put out, from `first` on: those of the operations in the history, then
                               `fresh` ones */
    size_t first, count, capacity;
    uint32_t fresh;         /* by the operation at hand */
};

/** ---- bit rates and formats of lightpaths (details.c) ---- */

struct detail {
    double rate_bps;        /* 0: not known */
    uint32_t format;        /* the number of its name, plus 1; 0: not known */
};

/** Of each slot, from the first lightpath on of which something is known. */
struct details {
    struct detail *of;
    size_t count, capacity;
    struct names names;
};

struct rwa_state {
    rwa_network *net;
    rwa_model model;
    uint32_t nodes, links, carriers;
    uint32_t fibers;        /* of the carrier that has most */
    uint32_t channels, words;
    uint32_t *carrier;      /* of each directed link */
    uint32_t *carrier_fibers;   /* of each carrier: a pair has only the fibres that both links have */
    uint64_t *free;         /* carriers * words: channels that are there, not reserved and not taken */
    uint64_t closed;        /* channels of carriers that are missing or reserved */
    uint64_t *use;          /* of each wavelength: carriers times fibres that it is taken on */
    bool *failed;           /* carriers */
    struct slots slots;
    struct routes routes;
    struct history history;
    struct details details;
    struct switching switching;
    struct protector *protector;    /* NULL: no lightpath has a backup yet */
    uint64_t random;
    uint32_t *seen;         /* nodes: the number of the last route that passed */
    uint32_t seen_number;
    uint32_t *given;        /* a caller's route, checked; nodes entries */
    uint64_t *mask;         /* channels a request allows; words */
    uint64_t *places;       /* of the route at hand: channels where the request fits; words */
    struct arena arena;     /* of all arrays above */
};

/** ---- choosing (choose.c) ---- */

/** A route and the channel on it; hops 0: there is none. */
struct choice {
    const uint32_t *links;
    uint32_t hops;
    uint32_t channel;       /* the lowest of request->span */
};

/** A checked request: the choices it leaves. */
struct request {
    rwa_request asked;    /* its links, if any, are state->given */
    const uint64_t *mask;   /* NULL: any channel; of several slots the lowest */
    uint32_t span;          /* slots with the guard */
    uint64_t id;            /* its number; 0: the next one */
    const char *format;     /* NULL, or that of the route chosen */
    uint64_t random;        /* goes on with the choice */
};

/** Check a request and keep its route and channels for choosing; without a width it takes that of the slot moved, or 1.
 *  RWA_BADARG. */
rwa_status request_take(struct rwa_state *s, struct request *request, const rwa_request *asked,
                        const struct slot *moved, rwa_error *err);
/** The routes to try, in order: link lists by route(); count 0 when there is none.  May search for them. */
rwa_status request_routes(struct rwa_state *s, const struct request *request, struct tried *out, rwa_error *err);
/** Route i of those to try; its channel is not set. */
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
/** Search for routes again where links have failed or work again since. */
rwa_status routes_refresh(struct rwa_state *s, rwa_error *err);
/** Whether some format carries the request over a route; then request->span is its slots there.  RWA_BADARG: a link
 *  without a length. */
rwa_status request_fit(bool *fits, const struct rwa_state *s, struct request *request, const struct choice *route,
                       rwa_error *err);
/** The route and channel of a request; choice->hops 0: blocked.  Changes nothing. */
rwa_status request_choose(struct rwa_state *s, struct request *request, struct choice *choice, rwa_error *err);
/** The first of a route's links that has failed; RWA_NONE. */
uint32_t failed_on(const struct rwa_state *s, const uint32_t *links, uint32_t hops);

/** 64 channels: which are free on all links of a route and allowed. */
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

/** The lowest channel free on all of a route; NO_CHANNEL. */
static inline uint32_t free_first(const struct rwa_state *s, const uint32_t *links, uint32_t hops, const uint64_t *mask)
{
    for (uint32_t w = 0; w < s->words; w++) {
        uint64_t word = free_word(s, links, hops, mask, w);
        if (word)
            return 64 * w + (uint32_t)__builtin_ctzll(word);
    }
    return NO_CHANNEL;
}

/** All `span` channels from this one on, of one fibre, exist and are free. */
bool is_free_span(const struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span);
/** Fill s->places with those for `span` slots on all of a route; false when there are none (places.c). */
bool find_places(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
/** One of them above the one given, or the first one after NO_CHANNEL; NO_CHANNEL at the end. */
uint32_t next_place(const struct rwa_state *s, uint32_t after);
/** How many places for `span` slots are free on all of a route, and the lowest of them (places.c). */
uint32_t free_count(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
uint32_t free_lowest(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
/** The place on a route that the request's policy takes; NO_CHANNEL. */
uint32_t place_choose(struct rwa_state *s, struct request *request, const struct choice *choice);

static inline uint32_t channel_of(const struct rwa_state *s, uint32_t fiber, uint32_t wavelength)
{
    return wavelength * s->fibers + fiber;
}

/** The wavelength of a channel; most networks have one fibre, which saves the division. */
static inline uint32_t wavelength_of(const struct rwa_state *s, uint32_t channel)
{
    return s->fibers == 1 ? channel : channel / s->fibers;
}

static inline uint32_t fiber_of(const struct rwa_state *s, uint32_t channel)
{
    return s->fibers == 1 ? 0 : channel % s->fibers;
}

/** The same of a slot; NULL and 0 where nothing is known. */
struct detail details_get(const struct details *d, uint32_t slot);
const char *details_name(const struct details *d, struct detail detail);
/** Room for the details of one more slot; then details_set() cannot fail.  RWA_NOMEM. */
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

/** The routes and channels of a request with a backup; both hops 0: blocked.  Changes nothing. */
rwa_status protect_choose(struct rwa_state *s, const struct request *request, struct protected_choice *out,
                          rwa_error *err);
/** The pairs of routes that protect_choose() tries. */
struct pair_survey {
    uint32_t count;
    bool all;               /* count 0: there are none; else the search for one has given up */
    bool fits_format;       /* formats carry the request over both routes of some pair */
};
rwa_status protect_survey(struct rwa_state *s, const struct request *request, struct pair_survey *out, rwa_error *err);
/** Both come up, without being remembered. */
rwa_status protect_set_up(struct rwa_state *s, const struct protected_choice *choice, uint32_t *slot, rwa_error *err);
/** A backup on the route and channel of its request, for a lightpath that is up; RWA_BADARG: they are taken. */
rwa_status protect_join(struct rwa_state *s, uint32_t slot, const struct request *backup, rwa_error *err);
/** Routes are about to change. */
void protect_drop_routes(struct rwa_state *s);
void protect_free(struct rwa_state *s);
/** Take, or (open) give back, the channels of a backup. */
void protect_set(struct rwa_state *s, uint32_t slot, bool open);
/** Channels, link by link, that nothing but shared backups holds. */
uint64_t protect_shared(const struct rwa_state *s);

/** ---- shared backups that are lit (switching.c) ---- */

/** Room in the log for all that one operation can light or put out.  RWA_NOMEM. */
rwa_status switching_prepare(struct rwa_state *s, rwa_error *err);
/** Links have failed or work again: put out the backups that are not needed or are broken, then light what is needed
 *  and can be, by number.  After switching_prepare(). */
void switching_update(struct rwa_state *s);
/** Light the backup of a lightpath if it is needed and its channels are dark. */
void switching_light(struct rwa_state *s, uint32_t slot);
bool switching_is_lit(const struct rwa_state *s, uint32_t slot);
/** A lightpath goes, and leaves a tombstone; backups that waited for the channels of its own are lit.  After
 *  switching_prepare() where its backup is lit. */
void switching_leave(struct rwa_state *s, uint32_t slot);
/** It comes back; what was lit and put out since is undone by switching_undo(). */
void switching_return(struct rwa_state *s, uint32_t slot);
/** The changes since the last call become those of one operation; how many. */
uint32_t switching_end(struct rwa_state *s);
/** Undo the last changes. */
void switching_undo(struct rwa_state *s, uint32_t count);
/** Drop the first changes of the log. */
void switching_forget(struct rwa_state *s, uint32_t count);
/** Another lit backup is on a channel of a shared one, which therefore cannot be lit. */
bool switching_is_taken(const struct rwa_state *s, uint32_t backup);
/** A lightpath carries its signal, on its route or on its backup. */
bool switching_carries(const struct rwa_state *s, uint32_t slot);
void switching_free(struct rwa_state *s);

/** ---- changing (state.c) ---- */

/** Take, or (open) give back, these channels of a link. */
void state_set(struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span, bool open);
/** A slot with the route and channel of a request, not yet live. */
rwa_status state_take_slot(struct rwa_state *s, const struct request *request, const struct choice *choice,
                           uint32_t *slot, rwa_error *err);
/** The same of one slot on all its links. */
void state_set_slot(struct rwa_state *s, uint32_t slot, bool open);
/** Take, or give back, the channels of a lightpath and its backup. */
void state_occupy(struct rwa_state *s, uint32_t slot);
void state_vacate(struct rwa_state *s, uint32_t slot);
/** A lightpath comes up there, without being remembered. */
rwa_status state_set_up(struct rwa_state *s, const struct request *request, const struct choice *choice, uint32_t *slot,
                        rwa_error *err);
/** Exchange route and channel of a lightpath with those of another slot. */
void state_swap(struct rwa_state *s, uint32_t slot, uint32_t other);
void state_fail(struct rwa_state *s, uint32_t carrier, bool failed);

/** Debug builds: abort unless slots, channels, use and history agree (check.c).  O(channels of links + lightpaths), now
 *  and then. */
#ifndef NDEBUG
void state_check(const struct rwa_state *s);
#else
#define state_check(s) ((void)(s))
#endif

/** ---- remembering (history.c) ---- */

void history_add(struct rwa_state *s, struct event event);
/** Nothing that was done before can be undone. */
void history_forget(struct rwa_state *s);
