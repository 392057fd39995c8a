/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The internal data of a state: free channels as bitsets, records of lightpaths, cached routes, and a circular buffer
 *  of past operations.  The variable `slot` is the index of such a record, not a slot of the spectrum. */
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "routing/graph.h"
#include "routing/k_shortest.h"
#include "routing/protection.h"
#include "rwa/state.h"

/** A carrier is what can carry each channel once: a directed link, or a fibre pair in the undirected model.  Channel
 *  numbers are wavelength * fibers + fiber, so that first-fit takes the lowest channel. */
#define NO_CHANNEL UINT32_MAX
#define NO_SLOT UINT32_MAX

/** ---- lightpaths ---- */

/** LIVE: a lightpath that is up.  BACKUP: the backup of the lightpath in slot `other`, which is up.  TOMBSTONE: a
 *  released lightpath, or the former route of a moved one, kept for undo. */
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
    unsigned requested : 2; /* a lightpath: the rwa_protection requested; it stays when a move releases the backup */
    unsigned was_up : 1;    /* a backup: its lightpath carried before the current operation (switching.c) */
    uint8_t life;
    uint16_t guard;
    uint32_t width;         /* the lightpath takes width + guard channels, `fibers` apart, from `channel` on */
    double rate_bps;        /* 0: not known */
    const char *format;     /* of the state's formats; NULL: not known */
    char *tag;              /* owned by the slot, until it has another lightpath; NULL: none */
};

static inline uint32_t slot_span(const struct slot *one)
{
    return one->width + one->guard;
}

struct slots {
    struct slot *list;
    size_t count;
    uint32_t *numbers;
    size_t number_count;
    uint32_t free[SIZES];   /* the first free slot of each size */
    size_t live;
    uint32_t first, last;   /* ends of the list of lightpaths that are up, by number; NO_SLOT: it is empty */
    uint32_t latest;        /* the slot that was set up last */
    uint64_t next_id;       /* the number of the next lightpath; numbers only rise */
    uint32_t *index;        /* slots by number, open addressing; NO_SLOT: empty */
    size_t index_capacity, named;   /* a power of two; slots in the index */
};

/** Lightpath numbers are below this limit, the largest number that files can hold. */
#define LIGHTPATH_IDS (UINT64_C(1) << 53)

void slots_init(struct slots *s);
void slots_free(struct slots *s);
/** Take a free record for a lightpath of `hops` links; *slot: its index.  Its life stays FREE.  O(1); allocates memory
 *  only when no freed record of that size is left.  RWA_NOMEM. */
rwa_status slots_take(struct slots *s, uint32_t hops, uint32_t *slot, rwa_error *err);
/** Free the record of a lightpath, and that of its backup, for other lightpaths.  The lightpath's number becomes
 *  invalid. */
void slots_recycle(struct slots *s, uint32_t slot);
/** Reserve space in the index of lightpath numbers for one more, so that slots_name() cannot fail.  RWA_NOMEM also
 *  when all numbers are used up. */
rwa_status slots_make_room(struct slots *s, rwa_error *err);
/** Give the lightpath in `slot` its number: `id`, which no lightpath that is up may have, or the next free one if `id`
 *  is RWA_NO_LIGHTPATH. */
void slots_name(struct slots *s, uint32_t slot, uint64_t id);
/** Set the life of a lightpath's record.  That of its backup becomes BACKUP if the lightpath is LIVE now, else the
 *  same.  A lightpath must have its number before it is LIVE. */
void slots_live(struct slots *s, uint32_t slot, enum life life);
/** Make the record `backup`, just taken, the backup of the lightpath in `slot`.  If the lightpath is LIVE, the life of
 *  the backup becomes BACKUP, else the life of the lightpath.  `shared`: other backups may share its channels. */
void slots_join(struct slots *s, uint32_t slot, uint32_t backup, bool shared);
/** Return the record of the lightpath that is up under this number; NO_SLOT: there is none. */
uint32_t slots_find(const struct slots *s, uint64_t id);
/** Return the record of the lightpath that is up under the least number above `id`; NO_SLOT: there is none.  O(1) if
 *  `id` is 0 or the number of a lightpath that is up, else O(lightpaths). */
uint32_t slots_above(const struct slots *s, uint64_t id);

/** ---- routes between pairs of nodes ---- */

/** The cached routes of one pair of nodes.  32 bytes, half a cache line, because in a large network nearly every lookup
 *  misses the cache. */
struct pair {
    uint64_t key;           /* src * nodes + dst + 1; 0: empty */
    uint32_t first;         /* in paths */
    uint32_t start, hops;   /* of the first path, so that it need not be looked up in paths */
    uint32_t count;
    uint32_t sought;        /* how many paths were searched for: if fewer were found, there are no more */
};

/** The routes to try for a request, in order: paths first … first + count - 1 of the cache.  Path `first` has `hops`
 *  links, from index `start` on. */
struct tried {
    size_t first;
    uint32_t start, hops;
    uint32_t count;
};

/** A hash table of cached routes by pair of nodes, with open addressing; its capacity is a power of two. */
struct pair_table {
    struct pair *list;
    size_t capacity, used;
};

/** Return the index in the hash table at which the search for a pair of nodes begins.  `key`: routes_key() of the
 *  pair. */
static inline size_t pairs_home(const struct pair_table *t, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->capacity - 1);
}
/** Return the entry of a pair of nodes (by its key), or the empty entry where it belongs; NULL: the table has no
 *  memory yet. */
struct pair *pairs_place(const struct pair_table *t, uint64_t key);
/** Store in the table the result of a search for `sought` routes of the pair of nodes with this key: those in `paths`
 *  from path number `before` on.  *out: the entry of the pair.  If the search ended with an error `st`, or if memory
 *  runs out, drop these paths and return the error. */
rwa_status pairs_note(struct pair_table *t, struct paths *paths, uint64_t key, size_t before, uint32_t sought,
                      rwa_status st, struct pair **out, rwa_error *err);
/** Drop all cached routes and their entries in the table. */
void pairs_forget(struct pair_table *t, struct paths *paths);
/** Drop all cached routes if they have more than ROUTES_KEPT links in total. */
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
/** Drop the cached routes, and build the routing graph from r->net without the links that are failed now. */
rwa_status routes_begin(struct routes *r, rwa_model model, rwa_error *err);
/** Make a copy of r->net in which exactly the links failed now are marked as failed.  The caller frees it. */
rwa_status routes_network(rwa_network **out, const struct routes *r, rwa_model model, rwa_error *err);
/** Find the `most` shortest routes from src to dst, or all if there are fewer.  *out says where they are in r->paths,
 *  until the next call.  The routing graph must not be stale.  RWA_NOMEM. */
rwa_status routes_find(struct routes *r, uint32_t src, uint32_t dst, uint32_t most, struct tried *out, rwa_error *err);
/** Return the key of a pair of nodes in the table of cached routes. */
static inline uint64_t routes_key(const struct routes *r, uint32_t src, uint32_t dst)
{
    return (uint64_t)src * r->graph.nodes + dst + 1;
}

/** A table with more entries exceeds the cache: half a megabyte. */
enum { LARGE_TABLE = 1 << 14 };

/** Prefetch the table entry of a pair of nodes, if the table is large; routes_expect_first() then prefetches the links
 *  of its first route.  Always inline: gcc assumes that a function that only prefetches has no effect, and drops calls
 *  of it. */
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

/** What is done to a state; BASE and UNDONE are in journals alone. */
enum operation { ADDED, FAILED, BASE, RELEASED, MOVED, REPAIRED, UNDONE };

struct event {
    enum operation operation;
    uint32_t subject;       /* slot; FAILED, REPAIRED: element; UNDONE: number of operations */
    uint32_t former;        /* MOVED: the tombstone with its former route */
    uint32_t switched;      /* number of shared backups that the operation lit or switched off */
};

struct history {
    struct event *ring;     /* that of operation i is at i & mask */
    uint64_t mask;          /* entries of the ring, a power of two, minus 1 */
    uint32_t capacity;
    uint32_t kept;          /* number of events that are kept, the last ones */
    uint64_t operations;    /* operations done and not undone */
};

/** ---- shared backups that are lit (switching.c) ---- */

struct switching {
    uint64_t *lit;          /* carriers * words: channels of lit backups; NULL: no lightpath has a shared backup yet */
    uint32_t backups;       /* number of shared backups that are up */
    uint32_t *log;          /* backups lit or switched off, from `first` on: by the operations in the history, then
                               `fresh` ones by the current operation */
    size_t first, count;
    uint32_t fresh;         /* entries of the current operation */
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
    uint64_t taken;         /* channels taken, summed over carriers; one that several backups share counts once */
    uint64_t *use;          /* of each wavelength: on how many carriers, times fibres, it is taken */
    bool *marked;           /* elements that can fail (failures.c): carriers, then nodes, then risk groups */
    uint32_t *causes;       /* carriers: how many links that a marked element holds they are */
    bool *failed;           /* carriers with causes */
    struct slots slots;
    struct routes routes;
    struct history history;
    struct names formats;   /* names of the modulation formats of lightpaths */
    struct switching switching;
    struct journal *journal;        /* NULL: the state is in memory alone */
    struct protector *protector;    /* NULL: no lightpath has a backup yet */
    uint64_t *moved;        /* ids of the lightpaths that the last rwa_state_restore() moved */
    uint64_t random;
    uint32_t *seen;         /* nodes: the number of the last route that passed each node */
    uint32_t seen_number;
    uint32_t *marks;        /* carriers: the number of the last marked route that can fail with it (protect.c) */
    uint32_t mark_number;
    uint32_t *given;        /* the route that a caller gave, checked; nodes entries */
    uint64_t *mask;         /* channels that the request allows; words */
    uint64_t *places;       /* places on the current route: channels where the request fits; words */
    uint64_t *open;         /* channels to which a lightpath may move aside; words */
    struct arena arena;     /* of all arrays above */
};

static inline struct slot *slot_at(const struct rwa_state *s, uint32_t slot)
{
    return &s->slots.list[slot];
}

/** Do what follows for the slot of each lightpath that is up, in the order of their numbers. */
#define EACH_LIGHTPATH(s, slot) \
    for (uint32_t slot = (s)->slots.first; slot != NO_SLOT; slot = slot_at((s), slot)->after)

static inline const uint32_t *slot_links(const struct rwa_state *s, uint32_t slot)
{
    return s->slots.numbers + slot_at(s, slot)->first;
}

/** ---- choosing (choose.c) ---- */

/** A route, and the lowest channel of the slots chosen on it; hops 0: there is no route. */
struct choice {
    const uint32_t *links;
    uint32_t hops;
    uint32_t channel;       /* the lowest of the request->span channels */
};

/** A request that has been checked, and what has been chosen for it so far. */
struct request {
    rwa_request asked;    /* its links, if any, are state->given */
    const uint64_t *mask;   /* NULL: any channel; for several slots the lowest one counts */
    uint32_t span;          /* slots with the guard */
    uint64_t id;            /* the lightpath's number; 0: the next one */
    const char *format;     /* NULL, or the format on the route chosen */
    uint64_t random;        /* state of the random numbers, which the choice advances */
    const struct choice *working;   /* of the lightpath whose backup it asks for; NULL: it asks for no backup */
};

/** Check what a caller asks for, and store it in *request with its route and its allowed channels.  Without a width it
 *  gets the width of the lightpath `moved` or, if that is NULL, one slot of the spectrum.  RWA_BADARG. */
rwa_status request_take(struct rwa_state *s, struct request *request, const rwa_request *asked,
                        const struct slot *moved, rwa_error *err);
/** Find the routes on which a request is tried, in this order; request_route() returns each one.  out->count is 0 if
 *  there is none.  RWA_NOMEM. */
rwa_status request_routes(struct rwa_state *s, const struct request *request, struct tried *out, rwa_error *err);
/** Return route i (from 0) of those that request_routes() has found.  Its channel is not set. */
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
/** Drop the cached routes and build the routing graph again if links have failed or were repaired. */
rwa_status routes_refresh(struct rwa_state *s, rwa_error *err);
/** Set *fits to whether some modulation format can carry the request over a route.  If so, set the request's format
 *  and width to those on this route.  Without a transmission every route fits.  RWA_BADARG: a link without a
 *  length. */
rwa_status request_fit(bool *fits, const struct rwa_state *s, struct request *request, const struct choice *route,
                       rwa_error *err);
/** Choose a route and a channel for a request; choice->hops is 0 if it is blocked.  The state does not change. */
rwa_status request_choose(struct rwa_state *s, struct request *request, struct choice *choice, rwa_error *err);
/** Return the first failed link of a route, or RWA_NONE if all links work. */
uint32_t failed_on(const struct rwa_state *s, const uint32_t *links, uint32_t hops);
/** Tell whether all links on the route of the lightpath or backup in `slot` work. */
bool is_whole(const struct rwa_state *s, uint32_t slot);

/** Return a bit mask of the channels 64 w … 64 w + 63: those that `mask` allows (NULL: all) and that are free on all
 *  links of a route. */
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
    return get_bit(s->free + (size_t)carrier * s->words, channel);
}

/** Tell whether `span` neighbouring channels of one fibre, from `channel` on, exist and are free on a carrier. */
bool is_free_span(const struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span);
/** Set s->places to the channels of `mask` (NULL: all) at which `span` adjacent channels of a fibre begin that are free
 *  on all links of a route.  Return false if there are none (places.c). */
bool find_places(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
/** Return the place of s->places at which `cost` is least, the lowest of equals; NO_CHANNEL: there is none.  Always
 *  inline: a call for each place would take longer than what it computes. */
__attribute__((always_inline)) static inline uint32_t
least_place(const struct rwa_state *s, const struct choice *route, uint32_t span,
            int64_t (*cost)(const struct rwa_state *, const struct choice *, uint32_t place, uint32_t span))
{
    uint32_t best = NO_CHANNEL;
    int64_t least = INT64_MAX;
    for (uint32_t w = 0; w < s->words; w++)
        for (uint64_t word = s->places[w]; word; word &= word - 1) {
            uint32_t place = 64 * w + (uint32_t)__builtin_ctzll(word);
            int64_t here = cost(s, route, place, span);
            best = here < least ? place : best;
            LOWER(least, here);
        }
    return best;
}
/** Return the number of channels of `mask` (NULL: all) at which `span` adjacent channels of a fibre begin that are free
 *  on all links of a route.  free_lowest() returns the lowest of them, or NO_CHANNEL (places.c). */
uint32_t free_count(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
uint32_t free_lowest(struct rwa_state *s, const uint32_t *links, uint32_t hops, uint32_t span, const uint64_t *mask);
/** Return the channel that the request's policy (first-fit, …) chooses on a route; NO_CHANNEL: none is free. */
uint32_t place_choose(struct rwa_state *s, struct request *request, const struct choice *choice);

static inline uint32_t channel_of(const struct rwa_state *s, uint32_t fiber, uint32_t wavelength)
{
    return wavelength * s->fibers + fiber;
}

/** Return the wavelength of a channel; avoids the division on networks with one fibre, which are the most common. */
static inline uint32_t wavelength_of(const struct rwa_state *s, uint32_t channel)
{
    return s->fibers == 1 ? channel : channel / s->fibers;
}

static inline uint32_t fiber_of(const struct rwa_state *s, uint32_t channel)
{
    return s->fibers == 1 ? 0 : channel % s->fibers;
}

/** ---- backups (protect.c) ---- */

/** The pairs of routes tried for a lightpath and its backup. */
struct pairs_tried {
    uint32_t count;
    bool all;               /* count 0: true when there are no pairs, false when the search gave up */
    bool fits_format;       /* for some pair tried, formats can carry the request over both routes */
};

/** A lightpath [0] and its backup [1]: the request, route and channel of each. */
struct protected_choice {
    struct request request[2];
    struct choice route[2];
    struct pairs_tried tried;
};

/** Return the channel chosen for a backup on a route; NO_CHANNEL: none is free.  A dedicated backup follows the
 *  request's policy; a shared one goes where it uses the fewest free channels.  backup_places() returns how many
 *  channels there are to choose from. */
uint32_t backup_place(struct rwa_state *s, struct request *request, const struct choice *route);
uint32_t backup_places(struct rwa_state *s, const struct request *request, const struct choice *route);
/** Choose the routes and channels of a lightpath and its backup; the hops of both are 0 if the request is blocked.
 *  The state does not change.  RWA_NOMEM. */
rwa_status protect_choose(struct rwa_state *s, const struct request *request, struct protected_choice *out,
                          rwa_error *err);
/** Set up a lightpath and its backup, without adding the operation to the history; *slot: the lightpath's record. */
rwa_status protect_set_up(struct rwa_state *s, const struct protected_choice *choice, uint32_t *slot, rwa_error *err);
/** Choose the route and channel of a new backup for a lightpath that has its channels on route `working` now.
 *  out->hops is 0 if it is blocked.  The route is valid until other routes are searched for.  RWA_NOMEM. */
rwa_status protect_choose_backup(struct rwa_state *s, struct request *request, const struct choice *working,
                                 struct choice *out, rwa_error *err);
/** Give the lightpath in `slot`, which is not up yet, a backup on a route.  The backup has a record of its own, and
 *  takes no channels yet.  RWA_NOMEM. */
rwa_status protect_attach(struct rwa_state *s, uint32_t slot, const struct request *request, const struct choice *route,
                          rwa_error *err);
/** Tell whether some channel of a shared backup is held by another backup, too. */
bool protect_shares(const struct rwa_state *s, uint32_t backup);
/** Set up a backup for the lightpath in `slot`, which is up, on the route and channel that the request `backup` gives.
 *  RWA_BADARG: the backup shares a link or a risk group with the lightpath, or its channels are taken. */
rwa_status protect_join(struct rwa_state *s, uint32_t slot, const struct request *backup, rwa_error *err);
/** Drop the cached pairs of routes, because the links that work are about to change. */
void protect_drop_routes(struct rwa_state *s);
void protect_free(struct rwa_state *s);
/** Take the channels of the backup in `slot` or, with `open`, give them back.  A channel stays taken as long as some
 *  backup holds it. */
void protect_set(struct rwa_state *s, uint32_t slot, bool open);

/** ---- shared backups that are lit (switching.c) ---- */

/** Begin an operation that may light shared backups or switch them off: reserve memory for it in the log, and record
 *  which lightpaths carry their signals now.  `slot`: the lightpath, if the operation does no more than release or move
 *  one; then nothing happens unless its backup is lit.  NO_SLOT: any other operation.  RWA_NOMEM. */
rwa_status switching_prepare(struct rwa_state *s, uint32_t slot, rwa_error *err);
/** Reserve memory in the log for one change of every shared backup.  RWA_NOMEM. */
rwa_status switching_reserve(struct rwa_state *s, rwa_error *err);
/** After links have failed or were repaired, switch off the shared backups that are no longer needed or have failed,
 *  then light those that are needed and can be lit.  Backups of lightpaths that carried their signals before the
 *  operation come first, then the others, each in the order of the lightpaths' numbers.  Call switching_prepare()
 *  first. */
void switching_update(struct rwa_state *s);
/** Light the shared backup of a lightpath if its working route has failed, the backup has not, and no other lit backup
 *  uses its channels. */
void switching_light(struct rwa_state *s, uint32_t slot);
bool switching_is_lit(const struct rwa_state *s, uint32_t slot);
/** Release a lightpath but keep it as a tombstone.  If its backup is lit, switch it off and light the backups that
 *  waited for its channels.  Call switching_prepare() first. */
void switching_leave(struct rwa_state *s, uint32_t slot);
/** Exchange the route and backup of the lightpath in `slot` with those of the tombstone `other`.  If its backup is
 *  lit, switch it off and light the backups that waited for its channels.  Call switching_prepare() first. */
void switching_exchange(struct rwa_state *s, uint32_t slot, uint32_t other);
/** End an operation, and return how many changes it has logged: backups lit, and backups switched off. */
uint32_t switching_end(struct rwa_state *s);
/** Undo the last `count` changes of the log: switch off each backup that was lit, and light each that was switched
 *  off.  With `forward`, redo the `count` changes that were undone last. */
void switching_replay(struct rwa_state *s, uint32_t count, bool forward);
/** Drop the oldest `count` changes of the log; they can no longer be undone. */
void switching_forget(struct rwa_state *s, uint32_t count);
/** Tell whether a shared backup cannot be lit, because another lit backup uses one of its channels. */
bool switching_is_taken(const struct rwa_state *s, uint32_t backup);
/** Tell whether a lightpath carries its signal, on its working route or on its backup. */
bool switching_carries(const struct rwa_state *s, uint32_t slot);
void switching_free(struct rwa_state *s);

/** ---- changing (state.c) ---- */

/** Mark `span` channels of a carrier, from `channel` on, as taken or, with `open`, as free. */
void state_set(struct rwa_state *s, uint32_t carrier, uint32_t channel, uint32_t span, bool open);
/** Take a free record, *slot, and store in it a lightpath for a request, on the route and channel chosen.  The
 *  lightpath is not up yet and takes no channels.  RWA_NOMEM. */
rwa_status state_take_slot(struct rwa_state *s, const struct request *request, const struct choice *choice,
                           uint32_t *slot, rwa_error *err);
/** Mark the channels of the lightpath in `slot`, on all links of its route, as taken or, with `open`, as free. */
void state_set_slot(struct rwa_state *s, uint32_t slot, bool open);
/** Take the channels of a lightpath and of its backup; state_vacate() gives them back. */
void state_occupy(struct rwa_state *s, uint32_t slot);
void state_vacate(struct rwa_state *s, uint32_t slot);
/** With `live`, set up again the lightpath of the tombstone in `slot`; else make the lightpath in `slot`, which is up,
 *  a tombstone.  In the list of lightpaths a tombstone returns between its former neighbours, so undo later operations
 *  first.  Lit backups are not changed. */
void state_set_live(struct rwa_state *s, uint32_t slot, bool live);
/** Set up a lightpath on the chosen route and channel, without adding the operation to the history; *slot: its
 *  record. */
rwa_status state_set_up(struct rwa_state *s, const struct request *request, const struct choice *choice, uint32_t *slot,
                        rwa_error *err);
/** A lightpath or backup from a file, with its route and channel. */
struct arrival {
    uint64_t number;            /* in messages */
    uint64_t id;                /* its number; 0: the next one of the state */
    rwa_request asked;
    rwa_protection protects;    /* RWA_PROTECTION_NONE, or it is the backup of the lightpath in *slot */
    bool moves;                 /* it gets no number, and is not live: for state_exchange() */
    const char *format;         /* NULL: not known */
};
/** Set up the lightpath that `a` describes, on its route and channel, and set *slot to its record.  If `a` is a
 *  backup, set it up for the lightpath in *slot (exchange.c).  RWA_BADARG: the state has no place for it;
 *  RWA_NOMEM. */
rwa_status state_arrive(uint32_t *slot, struct rwa_state *s, const struct arrival *a, rwa_error *err);
/** Exchange the route, channel and backup of the lightpath in `slot` with those stored in the tombstone `other`. */
void state_swap(struct rwa_state *s, uint32_t slot, uint32_t other);
/** Move the lightpath in `slot`: exchange its route, channel and backup with those prepared in the record `other`, just
 *  taken, and add the operation (MOVED) to the history.  If its backup is lit, call switching_prepare() first.  RWA_IO,
 *  RWA_NOMEM as history_add(). */
rwa_status state_exchange(struct rwa_state *s, uint32_t slot, uint32_t other, rwa_error *err);
/** Choose a route and a channel for a lightpath that is up, as if its own channels were free, and move it there as
 *  state_exchange() does.  Its backup is released.  If it is blocked, choice->hops is 0 and the state is unchanged. */
rwa_status state_reroute(struct rwa_state *s, uint32_t slot, struct request *request, struct choice *choice,
                         rwa_error *err);
/** Choose a route and a channel for a request, with its backup if it asks for one; choice->hops is 0 if it is
 *  blocked.  Unless `slot` is NULL, set the lightpath up in the record *slot; the caller adds the operation to the
 *  history. */
rwa_status state_choose(struct rwa_state *s, struct request *request, struct choice *choice, uint32_t *slot,
                        rwa_error *err);
/** Try a request as if the lightpath in `slot` were released; *fits: it fits.  Also find a channel of `allowed` to
 *  which the lightpath could move on its route instead; *channel: the lowest at which the request fits.  NO_CHANNEL:
 *  there is none, or the lightpath must stay, because it has a backup, crosses a failed link or is held for a plan.
 *  `allowed`: channels at which the lightpath fits on its route; NULL: all of these.  The state is as before
 *  (explain.c). */
rwa_status explain_move(struct rwa_state *s, const struct request *request, uint32_t slot, const uint64_t *allowed,
                       bool *fits, uint32_t *channel, rwa_error *err);
/** Return the request to move the lightpath in `slot` to this channel of its present route. */
rwa_request state_retuned(const struct rwa_state *s, uint32_t slot, uint32_t channel);
/** Set *slot to the record of the lightpath that is up under number `id`.  RWA_BADARG: there is none. */
rwa_status state_find(const struct rwa_state *s, uint64_t id, uint32_t *slot, rwa_error *err);
/** Set *slot to the record of lightpath `id`, and take a request to move it, as request_take() does.  RWA_BADARG also
 *  if the request has other end nodes than the lightpath. */
rwa_status state_take_change(struct rwa_state *s, uint64_t id, const rwa_request *asked, struct request *request,
                             uint32_t *slot, rwa_error *err);
/** Fill in *out for the lightpath or backup in `slot`. */
void state_report(const struct rwa_state *s, uint32_t slot, rwa_placed *out);

/** Set map[link of the other network] to the link of the state with the same end nodes.  RWA_BADARG: a network that has
 *  other nodes or other links (exchange.c). */
rwa_status state_match_links(uint32_t *map, const struct rwa_state *s, const rwa_network *other, rwa_error *err);
/** Tell whether the lightpath in `slot` stands for channels held for a plan, and so must not move (plans.c). */
bool state_is_held(const struct rwa_state *s, uint32_t slot);

/** ---- failures (failures.c) ---- */

/** End a trial that has changed s->failed: exactly those links fail again that belong to a marked element (link, node,
 *  risk group). */
void state_end_trial(struct rwa_state *s);
/** Mark an element (a link, node or risk group, numbered as in failures.c) as failed, or as repaired.  A link has
 *  failed as long as one of the elements to which it belongs is marked as failed. */
void state_fail(struct rwa_state *s, uint32_t element, bool failed);
/** state_elements() returns how many elements can fail: links, nodes and risk groups.  state_element() returns the
 *  element of a kind and number, or state_elements() if there is none. */
uint32_t state_elements(const struct rwa_state *s);
uint32_t state_element(const struct rwa_state *s, rwa_failure kind, uint32_t number);
/** Return the kind of an element: link, node or risk group.  Set *number to its number among those of its kind; a
 *  fibre pair has the number of its first link. */
rwa_failure state_kind(const struct rwa_state *s, uint32_t element, uint32_t *number);

/** In debug builds, abort unless slots, channels, use and history agree (check.c).  O(channels of links + lightpaths),
 *  once in a number of calls. */
#ifndef NDEBUG
void state_check(const struct rwa_state *s);
#else
#define state_check(s) ((void)(s))
#endif

/** ---- remembering (history.c) ---- */

/** Add an operation that has just been done to the journal and to the history.  RWA_IO, RWA_NOMEM: the journal cannot
 *  take it, and the operation was reverted. */
rwa_status history_add(struct rwa_state *s, struct event event, rwa_error *err);
/** Set how many operations the history keeps, and drop the oldest ones beyond this number.  RWA_NOMEM. */
rwa_status history_resize(struct rwa_state *s, uint32_t capacity, rwa_error *err);
/** Drop the whole history: no operation before this call can be undone. */
void history_forget(struct rwa_state *s);
/** Take back the last `count` operations, call each(data, NULL), then do them again, and call each(data, event) after
 *  each.  Nothing is allocated, and the state ends as it was. */
void history_replay(struct rwa_state *s, uint32_t count, void (*each)(void *, const struct event *), void *data);

/** ---- the journal (journal.c), of states that have one ---- */

/** Append an operation to the journal.  Call it after the operation, but before an undo (UNDONE).  On failure the
 *  journal is as before.  RWA_IO, RWA_NOMEM. */
rwa_status journal_append(struct rwa_state *s, const struct event *event, rwa_error *err);
/** Rewrite the journal if it has become long.  Call it after an operation.  If rewriting fails, the journal stays as
 *  it is. */
void journal_shorten(struct rwa_state *s);
void journal_leave(struct journal *j);
