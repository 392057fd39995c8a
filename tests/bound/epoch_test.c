/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time in all models, and steps: bounds against every schedule of small networks, and against random schedules of
 * larger ones.  In the models `circuit` and `overlap` a lightpath stays up until another user takes a place of it.
 * The time of a schedule is taken from its definition: steps i … j fit if no place has more users in them than its
 * capacity.  The search tries every set of lightpaths in each step, since one more may delay it, and every set of
 * blocks on each; it ends where no schedule can be quicker than the best so far, which at first is the bound itself,
 * unless the least time is wanted. An all-reduce adds up sets of contributions, as if adding one twice did no harm:
 * so it has more schedules than those that are correct.
 */
#include "tests/support/bounds.h"
#include "tests/support/random.h"
#include "tests/support/wants.h"

enum { NODES = 32, STEPS = 40, PLACES = 320, USES = 40, USERS = 4, CHOSEN = 64, OPTIONS = 4096 };

/** A lightpath, with the places that it takes, and who it is there. */
struct path {
    unsigned src, readers, uses;
    struct { unsigned place, user; } use[USES];
};

struct world {
    struct request request;
    const rwa_network *net;
    unsigned ports, root, members;  /* nodes that take part, a set */
    unsigned nodes, count, size, capacity[PLACES];
    bool limits_steps[PLACES];      /* the place has so many users in a step, but any number in an epoch */
    struct path *paths;
};

/** A step: lightpaths, and the longest transmission. */
struct step {
    const struct path *list[CHOSEN];
    unsigned count;
    double begin, end;
};

/* ---- the lightpaths of a network ---- */

static void use(struct path *p, unsigned place, unsigned user)
{
    CU_ASSERT_FATAL(p->uses < USES && place < PLACES);
    p->use[p->uses].place = place;
    p->use[p->uses++].user = user;
}

/** With the transmitter of its source and the receivers of its readers; `user` 0: the lightpath itself. */
static void add_path(struct world *w, struct path p, unsigned user)
{
    bool ron = rwa_network_topology(w->net) == RWA_RON;
    if (w->count == w->size) {
        w->size = 2 * w->size + 64;
        w->paths = realloc(w->paths, w->size * sizeof *w->paths);
        CU_ASSERT_PTR_NOT_NULL_FATAL(w->paths);
    }
    unsigned me = user > 0 ? user : w->count + 1, base = PLACES - 2 * w->nodes;
    for (unsigned v = 0; w->ports > 0 && v < w->nodes; v++)
        for (unsigned end = 0; end < 2; end++) {
            unsigned place = base + 2 * v + end;
            w->capacity[place] = w->ports;
            w->limits_steps[place] = ron && end == 1;
            if (end ? p.readers >> v & 1 : v == p.src)
                use(&p, place, ron && end == 0 ? (unsigned)__builtin_ctz(p.readers) + 1 : me);
        }
    w->paths[w->count++] = p;
}

/** Every simple route from the last node of this one on, on each wavelength. */
static void add_routes(struct world *w, unsigned node, unsigned visited, const unsigned *route, unsigned hops,
                       unsigned src)
{
    unsigned waves = rwa_network_wavelengths(w->net), more[NODES];
    for (unsigned wave = 0; wave < waves && hops > 0; wave++) {
        struct path p = {.src = src, .readers = 1u << node};
        for (unsigned h = 0; h < hops; h++)
            use(&p, route[h] * waves + wave, w->count + 1);
        add_path(w, p, 0);
        for (unsigned h = 1; h < hops && w->request.options.max_drops > 1; h++) { /* one tap */
            unsigned tap = rwa_network_link(w->net, route[h]).from;
            for (unsigned i = 0; i < p.uses; i++)
                p.use[i].user = w->count + 1;
            p.readers = 1u << node | 1u << tap;
            add_path(w, p, 0);
        }
    }
    for (unsigned i = 0; i < rwa_network_links(w->net); i++) {
        rwa_link l = rwa_network_link(w->net, i);
        if (l.from != node || visited >> l.to & 1)
            continue;
        memcpy(more, route, hops * sizeof *more);
        more[hops] = i;
        add_routes(w, l.to, visited | 1u << l.to, more, hops + 1, src);
    }
}

static void add_circuits(struct world *w, unsigned src, unsigned dst)
{
    unsigned lanes = rwa_network_wavelengths(w->net), n = w->nodes;
    for (unsigned s = 0; s < rwa_network_fibers(w->net); s++)
        for (unsigned lane = 0; lane < lanes; lane++) {
            struct path p = {.src = src, .readers = 1u << dst};
            unsigned circuit = (s * n + src) * n + dst + 1;
            use(&p, s * n + src, circuit);
            use(&p, (rwa_network_fibers(w->net) + s) * n + dst, circuit);
            add_path(w, p, circuit);
        }
}

/** Everyone may hear every channel, unless receivers are few; a channel has one transmission in a step. */
static void add_transmissions(struct world *w, unsigned src)
{
    unsigned others = ((1u << w->nodes) - 1) & ~(1u << src), channels = rwa_network_wavelengths(w->net);
    for (unsigned c = 0; c < channels; c++)
        for (unsigned readers = others; readers > 0; readers = w->ports > 0 ? (readers - 1) & others : 0) {
            struct path p = {.src = src, .readers = readers};
            use(&p, c, src);
            use(&p, channels + c, w->count + 1);
            w->limits_steps[channels + c] = true;
            add_path(w, p, c + 1);
        }
}

/** The lightpaths that begin at a node. */
static void add_paths(struct world *w, unsigned src)
{
    rwa_topology kind = rwa_network_topology(w->net);
    if (kind == RWA_STAR)
        add_transmissions(w, src);
    else if (kind != RWA_OCS && kind != RWA_RON)
        add_routes(w, src, 1u << src, NULL, 0, src);
    for (unsigned dst = 0; dst < w->nodes; dst++)
        if (dst != src && kind == RWA_OCS)
            add_circuits(w, src, dst);
        else if (dst != src && kind == RWA_RON)
            for (unsigned c = 0; c < (w->ports > 0 ? 1 : rwa_network_wavelengths(w->net)); c++)
                add_path(w, (struct path){.src = src, .readers = 1u << dst}, 0);
}

static void open_world(struct world *w, struct request r)
{
    *w = (struct world){.request = r, .net = request_network(r), .ports = r.network.ports, .root = r.root};
    w->nodes = rwa_network_nodes(w->net);
    CU_ASSERT_FATAL(w->nodes < NODES);
    for (unsigned i = 0; i < r.members.count; i++)
        w->members |= 1u << r.members.at[i];
    if (w->members == 0)
        w->members = (1u << w->nodes) - 1;
    else
        w->root = r.members.at[r.root];
    for (unsigned i = 0; i < PLACES; i++)
        w->capacity[i] = 1;
    for (unsigned src = 0; src < w->nodes; src++)
        add_paths(w, src);
}

/* ---- time, from its definition ---- */

static bool fits(const struct world *w, const struct step *from, const struct step *to)
{
    unsigned char count[PLACES] = {0};
    unsigned users[PLACES][USERS];
    for (const struct step *s = from; s <= to; s++)
        for (unsigned i = 0; i < s->count; i++)
            for (unsigned u = 0; u < s->list[i]->uses; u++) {
                unsigned place = s->list[i]->use[u].place, user = s->list[i]->use[u].user, k = 0;
                while (k < count[place] && users[place][k] != user)
                    k++;
                if (k < count[place] || (w->limits_steps[place] && from < to))
                    continue;
                if (k == w->capacity[place])
                    return false;
                users[place][count[place]++] = user;
            }
    return true;
}

/** The first step of the epoch that the last of the steps is in: greedy epochs. */
static unsigned epoch_begin(const struct world *w, const struct step *steps, unsigned count)
{
    unsigned begin = 0;
    for (unsigned s = 1; s < count; s++)
        begin = fits(w, steps + begin, steps + s) ? begin : s;
    return begin;
}

/** Set the times of the last step. */
static void set_times(const struct world *w, struct step *steps, unsigned count, const rwa_cost_options *cost,
                      double transmission)
{
    unsigned s = count - 1;
    double before = s > 0 ? steps[s - 1].end : 0, begin = before + cost->alpha_s, r = cost->reconfig_s;
    if (cost->model == RWA_COST_PAPER) {
        begin = before + r;
    } else if (cost->model == RWA_COST_CIRCUIT) {
        begin += epoch_begin(w, steps, count) == s ? r : 0;
    } else {
        unsigned i = s;
        while (i > 0 && fits(w, steps + i - 1, steps + s))
            i--;
        begin = fmax(begin, (i > 0 ? steps[i - 1].end : 0) + r);
    }
    steps[s].begin = begin;
    steps[s].end = begin + transmission;
}

/* ---- every schedule ---- */

struct search {
    const struct world *w;
    rwa_collective coll;
    rwa_cost_options cost;
    double block_s, best;
    unsigned wanted[NODES];         /* blocks, or contributions */
    bool sums;                      /* a lightpath takes all its source has for the time of a block */
    unsigned long tries, most;
    struct step steps[STEPS];
};

struct option {
    const struct path *path;
    unsigned blocks;
};

struct state {
    unsigned holds[NODES];
    unsigned sent;      /* of a reduce: nodes that have sent */
};

/** A reduce is a broadcast time-reversed: each node but the root sends once, after it has received all that it is to.
 */
static bool reduces(const struct search *s, const struct state *now, const struct state *next, const struct path *p)
{
    bool shared = (p->readers & (p->readers - 1)) != 0; /* a star; there a node may also send what it has sent */
    if (s->coll.kind != RWA_ROOTED_REDUCE || shared)
        return true;
    bool received = now->holds[p->src] != next->holds[p->src], over = (next->sent & (p->readers | 1u << p->src)) != 0;
    return p->src != s->w->root && !received && !over;
}

static void try_all(struct search *s, const struct state *now, unsigned steps);

/** Every set of the options from `from` on, beside those of the step so far; nothing arrives twice. */
static void choose(struct search *s, const struct state *now, const struct state *next, const struct option *list,
                   unsigned count, unsigned from, unsigned steps, unsigned longest)
{
    struct step *step = &s->steps[steps];
    if (step->count > 0) {
        set_times(s->w, s->steps, steps + 1, &s->cost, longest * s->block_s);
        if (step->end >= s->best)
            return; /* more lightpaths end no sooner */
        try_all(s, next, steps + 1);
    }
    for (; from < count && s->tries < s->most; from++) {
        const struct option *o = &list[from];
        struct state more = *next;
        unsigned fresh = 0, length = s->sums ? 1 : (unsigned)__builtin_popcount(o->blocks);
        bool again = false;
        for (unsigned v = 0; v < s->w->nodes; v++)
            if (o->path->readers >> v & 1) {
                fresh |= o->blocks & ~next->holds[v];
                more.holds[v] |= o->blocks;
            }
        for (unsigned i = 0; i < step->count; i++)
            again |= step->list[i] == o->path;
        if ((fresh != o->blocks && !(s->sums && fresh)) || !reduces(s, now, next, o->path))
            continue;
        more.sent |= 1u << o->path->src;
        CU_ASSERT_FATAL(step->count < CHOSEN);
        step->list[step->count++] = o->path;
        if (!again && fits(s->w, step, step))
            choose(s, now, &more, list, count, from + 1, steps, length > longest ? length : longest);
        step->count--;
    }
}

static bool is_complete(const struct search *s, const struct state *now)
{
    for (unsigned v = 0; v < s->w->nodes; v++)
        if (s->wanted[v] & ~now->holds[v])
            return false;
    return true;
}

static unsigned find_options(struct option *list, const struct search *s, const struct state *now)
{
    unsigned count = 0;
    for (unsigned i = 0; i < s->w->count; i++) {
        const struct path *p = &s->w->paths[i];
        unsigned lacked = 0;
        for (unsigned v = 0; v < s->w->nodes; v++)
            lacked |= p->readers >> v & 1 ? ~now->holds[v] : 0;
        unsigned useful = now->holds[p->src] & lacked;
        for (unsigned set = useful; set > 0; set = s->sums ? 0 : (set - 1) & useful) {
            CU_ASSERT_FATAL(count < OPTIONS);
            list[count++] = (struct option){p, s->sums ? now->holds[p->src] : set};
        }
    }
    return count;
}

static void try_all(struct search *s, const struct state *now, unsigned steps)
{
    s->tries++;
    if (is_complete(s, now)) {
        s->best = s->steps[steps - 1].end;
        return;
    }
    double end = steps > 0 ? s->steps[steps - 1].end : fmax(s->cost.reconfig_s - s->cost.alpha_s, 0);
    if (steps == STEPS || end + s->cost.alpha_s + s->block_s >= s->best)
        return;
    struct option *list = malloc(OPTIONS * sizeof *list);
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    s->steps[steps].count = 0;
    choose(s, now, now, list, find_options(list, s, now), 0, steps, 0);
    free(list);
}

/** Of a reduction without its blocks: which contributions a node has. */
static struct state start_of(struct search *s)
{
    const rwa_collective *c = &s->coll;
    struct state start = {0};
    for (unsigned v = 0, rank = 0; v < s->w->nodes; rank += s->w->members >> v & 1, v++)
        for (unsigned b = 0; b < (s->sums ? s->w->nodes : c->blocks) && (s->w->members >> v & 1); b++) {
            start.holds[v] |= (unsigned)(s->sums ? b == v : starts_with(c, rank, b)) << b;
            s->wanted[v] |= (unsigned)(s->sums ? (s->w->members >> b & 1) && wants(c, rank, 0) : wants(c, rank, b))
                            << b;
        }
    return start;
}

/** Seconds of a byte of whole packets on a wavelength of 40 Gbit/s, with its flits. */
static const double byte_s = 8 / 40e9 + 4e-9 / 128;
static unsigned tested, reached, cut_off;
static const double times[][2] = {{1e-6, 25e-6}, {0, 25e-6}, {2e-6, 1e-6}, {1e-7, 1e-6}, {1e-6, 3e-6}};
enum { TIMES = COUNT(times), PAPER = 2 * TIMES, SORTS };

/** The request with the times of a row, in one model or the other; at last in the model `paper`. */
static struct request timed(struct request r, size_t sort)
{
    r.options.cost.model = sort < TIMES ? RWA_COST_CIRCUIT : sort < PAPER ? RWA_COST_OVERLAP : RWA_COST_PAPER;
    r.options.cost.alpha_s = times[sort % TIMES][0];
    r.options.cost.reconfig_s = times[sort % TIMES][1];
    return r;
}

/** @param least  to be found, however long it takes; else only whether any schedule is below the bound */
static void play_one(const struct world *w, struct request r, double bound, double block_s, bool least)
{
    static struct search s;
    s = (struct search){.w = w, .coll = request_collective(&r, w->net), .cost = r.options.cost, .most = 100000,
                        .block_s = block_s, .sums = r.kind == RWA_ROOTED_REDUCE || r.kind == RWA_ALL_REDUCE};
    s.best = least ? INFINITY : bound * (1 - 1e-9);
    struct state start = start_of(&s);
    try_all(&s, &start, 0);
    bool broken = least ? bound > s.best * (1 + 1e-9) : s.best < bound * (1 - 1e-9);
    CU_ASSERT(!broken);
    if (broken || getenv("RWA_TEST_VERBOSE"))
        printf("%s%s: %u bytes, %s, alpha %g, reconfiguration %g: bound %g, least %g\n",
               s.tries >= s.most ? "(cut off) " : "", r.line, (unsigned)r.bytes, rwa_cost_model_name(s.cost.model),
               s.cost.alpha_s, s.cost.reconfig_s, bound, s.best);
    tested++;
    cut_off += s.tries >= s.most;
    reached += least && s.best <= bound * (1 + 1e-9);
}

/** The fewest steps, with any number of blocks on a lightpath: a step of any length takes 1 s. */
static void play_steps(const struct world *w, struct request r, bool least)
{
    uint64_t blocks = request_collective(&r, w->net).blocks;
    r.options.lightpath_blocks = (uint32_t)(blocks > w->nodes ? blocks : w->nodes);
    r.options.cost = (rwa_cost_options){.model = RWA_COST_PAPER, .reconfig_s = 1};
    play_one(w, r, (double)steps_bound_for(r), 0, least);
}

/** A collective on each network of a list, which NULL ends, with two messages of whole packets. */
static void play(const char *const *nets, const char *what, bool least)
{
    for (; *nets; nets++) {
        struct world w;
        struct request r = request_of("%s %s", *nets, what);
        open_world(&w, r);
        for (size_t i = 0; i < 2 * SORTS; i++) {
            r.bytes = i < SORTS ? 128 * 12 : 128 * 12000;
            struct request one = timed(r, i % SORTS);
            play_one(&w, one, time_bound_for(one), byte_s * (double)request_collective(&one, w.net).block_bytes, least);
        }
        play_steps(&w, r, least);
        free(w.paths);
    }
}

static const char *const one_block[] = {
    "ring:3 w=1", "ring:4 w=1", "ring:4 w=2", "ring:4 w=2 ports=1", "ring:4 w=2 ports=2", "ring:5 w=1",
    "line:3 w=1 root=1", "line:4 w=1", "line:4 w=1 root=1", "line:4 w=2", "line:4 w=2 ports=1", "line:5 w=1",
    "line:5 w=1 root=2", "star:3 w=1", "star:4 w=1", "star:4 w=2", "ocs:4x1 w=1", "ocs:4x2 w=1", "ocs:4x2 w=1 ports=1",
    "ron:4 w=1 ports=1", "ron:4 w=1 ports=2", "tree:3x1 w=1", "tree:3x1 w=1 root=1", "mesh:2x2 w=1", NULL};
static const char *const long_one_block[] = {
    "ring:5 w=2", "ring:5 w=2 ports=1", "line:5 w=2", "line:5 w=2 root=1", "line:5 w=2 ports=2", "star:5 w=2",
    "ocs:5x1 w=1", "ocs:5x2 w=1", "ocs:5x1 w=2", "ron:5 w=1 ports=1", "ron:5 w=1 ports=2", "tree:4x1 w=1 root=1",
    "tree:4x1 w=1", "mesh:2x2 w=2 ports=1", NULL};
static const char *const small[] = {
    "ring:3 w=1", "ring:3 w=2 ports=1 root=1", "line:3 w=1", "line:3 w=1 root=1", "line:3 w=2 root=1", "star:3 w=1",
    "star:3 w=2", "ocs:3x1 w=1", "ron:3 w=1 ports=1", NULL};
static const char *const one_hop[] = {
    "ocs:2x1 w=1", "ocs:3x1 w=1", "ocs:3x1 w=2", "ocs:3x2 w=1", "ocs:3x2 w=1 ports=1", "ocs:4x1 w=1", "ocs:4x1 w=2",
    "ocs:4x3 w=1 ports=2", "ron:3 w=1 ports=1", "ron:3 w=1 ports=2", "ron:3 w=2", "ron:4 w=1 ports=1", "star:3 w=1",
    "star:3 w=2", "star:3 w=2 ports=1", "star:4 w=1", "star:4 w=2", NULL};
static const char *const medium[] = {
    "ring:3 w=2", "ring:4 w=1", "ring:4 w=1 ports=1", "ring:4 w=2 ports=1", "line:4 w=1", "line:4 w=1 root=1",
    "line:4 w=2 root=1", "star:4 w=1", "star:4 w=2", "ocs:3x2 w=1", "ocs:4x1 w=1", "ocs:4x2 w=1", "ron:4 w=1 ports=1",
    "ron:4 w=1 ports=2", "tree:3x1 w=1 root=1", "mesh:2x2 w=1", NULL};
static const char *const tapped[] = {
    "ring:4 w=1 drops=2", "ring:5 w=1 drops=2", "line:4 w=1 drops=2", "line:5 w=1 root=1 drops=2",
    "line:4 w=2 ports=1 drops=2", "tree:3x1 w=1 root=1 drops=2", "mesh:2x2 w=1 ports=1 drops=2", NULL};
static const char *const some_take_part[] = {
    "ring:5 w=1 members=0,2,4", "ring:5 w=1 ports=1 members=0,1,2,4", "line:5 w=1 members=1,3,4",
    "ocs:5x1 w=1 members=0,1,2,3", "ron:5 w=1 ports=1 members=0,1,2,3", "tree:3x1 w=1 members=1,2,3",
    "tree:2x2 w=1 ports=1 members=3,4,5,6", "mesh:2x2 w=1 ports=1 members=0,1,2", NULL};

/** Every number of blocks that a search ends with: stars, reconfigurable networks, switches. */
static void no_schedule_beats_one_hop_bounds(void)
{
    static const char *const kinds[] = {"root=1 broadcast", "root=1 scatter", "root=1 gather", "all-gather"};
    tested = cut_off = 0;
    for (const char *const *net = one_hop; *net; net++) {
        unsigned nodes = (unsigned)(strchr(*net, ':')[1] - '0');
        for (unsigned blocks = 1; blocks * nodes <= 9 && blocks <= 4; blocks++)
            for (size_t k = 0; k < COUNT(kinds); k++) {
                char what[64];
                snprintf(what, sizeof what, "%s blocks=%u", kinds[k], blocks);
                play((const char *const[]){*net, NULL}, what, false);
            }
        if (nodes < 4)
            play((const char *const[]){*net, NULL}, "root=1 reduce blocks=1", true);
    }
    printf("%u searches of %u are cut off ... ", cut_off, tested);
    CU_ASSERT(cut_off == 0);
}

struct game {
    const char *const *nets, *what;
};

static void play_all(const struct game *games, size_t count, bool least)
{
    for (size_t i = 0; i < count; i++)
        play(games[i].nets, games[i].what, least);
    printf("%u of %u bounds are reached, %u searches are cut off ... ", reached, tested, cut_off);
}

static void no_schedule_beats_the_bound(void)
{
    static const struct game games[] = {
        {one_block, "broadcast blocks=1"}, {one_block, "reduce blocks=1"}, {small, "scatter"}, {small, "gather"},
        {tapped, "broadcast blocks=1"}, {some_take_part, "broadcast blocks=1"}, {some_take_part, "reduce blocks=1"}};
    static const struct game more[] = {
        {small, "all-reduce blocks=1"}, {small, "all-gather"}, {small, "broadcast blocks=2"}};
    static const struct game larger[] = {
        {long_one_block, "broadcast blocks=1"}, {long_one_block, "reduce blocks=1"}, {tapped, "scatter"},
        {medium, "scatter"}, {medium, "gather"}, {medium, "all-reduce blocks=1"}, {medium, "all-gather"},
        {medium, "broadcast blocks=2"}, {small, "all-to-all"}, {long_one_block, "scatter"}, {long_one_block, "gather"}};
    tested = reached = cut_off = 0;
    play_all(games, COUNT(games), true);
    CU_ASSERT(reached > tested / 4 && cut_off == 0); /* or the bound says little */
    play_all(more, COUNT(more), false);
    play_all(larger, thorough ? COUNT(larger) : 0, false);
}

/* ---- schedules of larger networks ---- */

/** Plans are checked, and timed without the bounds; on these networks they come near them, also in the models and at
 *  the times in which a step costs much or nothing. */
static void no_plan_beats_the_bound(void)
{
    static const char *const nets[] = {
        "ring:6 w=1", "ring:8 w=1", "ring:8 w=2", "ring:9 w=2 ports=2", "ring:12 w=2", "ring:7 w=1 ports=1",
        "ring:16 w=3", "line:6 w=1 root=2", "line:9 w=1 root=4", "line:9 w=2", "line:8 w=2 ports=1 root=3",
        "ocs:8x2 w=1", "ocs:9x2 w=1 ports=1", "ocs:7x1 w=1", "ron:9 w=1 ports=1", "ron:9 w=1 ports=2", "tree:2x2 w=1",
        "tree:2x2 w=1 root=3", "mesh:2x3 w=1", "mesh:2x3 w=1 ports=2 root=1", "star:9 w=3"};
    unsigned near = 0, all = 0;
    for (size_t i = 0; i < 2 * COUNT(nets); i++)
        for (size_t sort = 0; sort < SORTS; sort++, all++) {
            const rwa_plan_report *s = rwa_plan_summary(plan_for(
                timed(request_of("%s bytes=3840 %s", nets[i / 2], i % 2 ? "reduce" : "broadcast"), sort)));
            near += s->time_s <= 1.05 * s->time_bound_s;
        }
    printf("within 5 %% of %u of %u bounds ... ", near, all);
    CU_ASSERT(near > all / 4);
}

TESTS("bounds of circuit and overlap", no_schedule_beats_the_bound, no_schedule_beats_one_hop_bounds,
      no_plan_beats_the_bound)
