/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scheme "logical-topology": lightpaths of several links stay up from the first step to the last; blocks travel over them. */
#include "scheme/own/logical.h"

/** How a plan is made. */
struct way {
    uint32_t parts;             /* of each block */
    uint32_t most;              /* blocks on a lightpath and step */
};

/** The quickest plan that was found. */
struct logical_draft {
    struct draft draft;
    struct budget budget;
    struct physical physical;
    struct logical topology;
    struct carriages carriages;
    uint32_t parts;             /* of each block; 0: no plan was found */
};

static void release_draft(struct draft *draft)
{
    struct logical_draft *d = (struct logical_draft *)draft;
    carriages_free(&d->carriages);
    logical_close(&d->topology);
    physical_close(&d->physical);
    free(d);
}

static bool is_exchange(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_TO_ALL;
}

static bool runs_backwards(const struct plan_request *request)
{
    return request->coll->kind == RWA_REDUCE_SCATTER || request->coll->kind == RWA_ALL_REDUCE;
}

static uint64_t blocks_of(const struct plan_request *request, uint32_t parts)
{
    uint64_t nodes = request->coll->nodes;
    return (is_exchange(request) ? nodes * nodes : nodes) * parts;
}

static double block_bytes(const struct plan_request *request, uint32_t parts)
{
    const rwa_collective *coll = request->coll;
    rwa_collective cut;
    rwa_status st = rwa_collective_init(&cut, coll->kind, coll->nodes, coll->root, coll->message_bytes, blocks_of(request, parts), NULL);
    return st == RWA_OK ? (double)cut.block_bytes : INFINITY;
}

static rwa_status travel(struct carriages *out, const struct logical *t, const struct plan_request *request, const struct way *way,
                         const rwa_cost_prices *price, double limit_s, rwa_error *err)
{
    struct travelling how = {.parts = way->parts, .most = way->most, .step_s = price->step_s,
                             .block_s = price->byte_s * block_bytes(request, way->parts), .limit_s = limit_s};
    return (is_exchange(request) ? logical_all_to_all : logical_all_gather)(out, t, &how, err);
}

/* ---- search ---- */

/** Topologies, at most. */
enum { CHOICES = 32 };

struct search {
    const struct plan_request *request;
    const struct physical *physical;
    rwa_cost_prices price;
    struct estimate *best;
    struct logical_draft *draft;
    const struct logical *kept; /* the topology being tried that the best plan is for; NULL: another one's */
    uint64_t hash[CHOICES];     /* of the topologies that were tried */
    size_t tried;
};

static double time_of(const struct search *s, const struct carriages *c, double bytes)
{
    double each_s = 0;
    for (uint32_t step = 1; step <= c->steps; step++)
        each_s += scheme_step_time(s->request, &s->price, (uint64_t)bytes * c->load[step]);
    return s->price.once_s + (double)scheme_passes(s->request) * each_s;
}

/** The time that is left for going over the topology once. */
static double limit_of(const struct search *s)
{
    return (s->best->time_s - s->price.once_s) / (double)scheme_passes(s->request);
}

/** The carriages go to the draft, and those of a slower plan come back. */
static void keep_way(struct search *s, const struct way *way, struct carriages *c, const struct logical *t, double time_s)
{
    uint64_t passes = scheme_passes(s->request);
    struct carriages slower = s->draft->carriages;
    *s->best = (struct estimate){.blocks = blocks_of(s->request, way->parts), .steps = passes * c->steps, .time_s = time_s,
                                 .reconfigurations = 1, .records = (double)passes * c->steps * t->links};
    s->draft->carriages = *c;
    s->draft->parts = way->parts;
    s->kept = t;
    *c = slower;
}

/** A topology has been tried: it goes to the draft if the best plan is for it. */
static void end_topology(struct search *s, struct logical *t)
{
    struct logical slower = s->draft->topology;
    if (s->kept == t) {
        s->draft->topology = *t;
        *t = slower;
        s->kept = NULL;
    }
    logical_close(t);
}

/** The outcome of one way. */
struct trial {
    double time_s;              /* INFINITY: it is not done, or takes no less than the best so far */
    double carried;             /* an all-to-all: carriages, for each part, until it was given up */
    bool full;                  /* as in carriages */
};

static rwa_status try_way(struct trial *out, struct search *s, const struct logical *t, const struct way *way, rwa_error *err)
{
    struct carriages c;
    MUST(physical_go_on(s->physical, err));
    rwa_status st = travel(&c, t, s->request, way, &s->price, limit_of(s), err);
    *out = (struct trial){INFINITY, (double)c.count / way->parts, c.full};
    if (st == RWA_OK && c.steps > 0)
        out->time_s = time_of(s, &c, block_bytes(s->request, way->parts));
    if (out->time_s < s->best->time_s)
        keep_way(s, way, &c, t, out->time_s);
    carriages_free(&c);
    return st;
}

enum { PART_BYTES = 64 };

/** Parts of a block beyond which cutting finer gains nothing. */
static uint32_t most_parts(const struct plan_request *request)
{
    enum { BLOCKS = 512, PAIR_BLOCKS = 1 << 15 };
    double blocks = is_exchange(request) ? PAIR_BLOCKS : BLOCKS;
    double most = fmin(block_bytes(request, 1) / PART_BYTES, blocks / (double)blocks_of(request, 1));
    return most > 1 ? (uint32_t)most : 1;
}

/** Whether the last doubling lost nothing, or nothing is found yet and it led further. */
static bool goes_on(const struct trial *now, const struct trial *before)
{
    bool nothing = isinf(now->time_s) && isinf(before->time_s);
    return nothing ? now->carried == 0 || now->carried > before->carried : now->time_s <= before->time_s;
}

/** Blocks on a lightpath, doubled as long as that loses nothing, or nothing is found, and it changes something. */
static rwa_status try_parts(struct trial *best, struct search *s, const struct logical *t, struct way *way, rwa_error *err)
{
    enum { MOST = 64 };
    struct trial before, now = {.time_s = INFINITY, .full = true};
    *best = before = now;
    for (way->most = 1; way->most <= MOST && goes_on(&now, &before) && now.full; way->most *= 2) {
        before = *best;
        MUST(try_way(&now, s, t, way, err));
        *best = now.time_s <= best->time_s ? now : *best;
    }
    return RWA_OK;
}

/** Whether a topology was not tried before; other choices may lead to the same one. */
static bool is_new(struct search *s, const struct logical *t)
{
    uint64_t hash = t->links;
    for (uint32_t l = 0; l < t->links; l += 2)
        hash = (hash ^ ((uint64_t)t->from[l] << 40 | (uint64_t)t->to[l] << 20 | t->channel[l])) * 0x9e3779b97f4a7c15ULL;
    for (size_t i = 0; i < s->tried; i++)
        if (s->hash[i] == hash)
            return false;
    assert(s->tried < CHOICES);
    s->hash[s->tried++] = hash;
    return true;
}

/** The steps, and what some node takes in over so many lightpaths. */
static double least_s(const struct search *s, uint64_t steps, uint64_t lightpaths)
{
    double bytes = (s->request->coll->nodes - 1.0) * block_bytes(s->request, 1);
    return (double)steps * s->price.step_s + s->price.byte_s * bytes / (double)lightpaths;
}

/** Lightpaths into each node, at least, with which so many steps are quick enough. */
static uint32_t least_degree(const struct search *s, uint64_t steps)
{
    double left_s = limit_of(s) - (double)steps * s->price.step_s, bytes = (s->request->coll->nodes - 1.0) * block_bytes(s->request, 1);
    return (uint32_t)fmin(s->price.byte_s * bytes / left_s, UINT32_MAX - 1.0) + 1;
}

/** In ever more parts, as long as that loses nothing, or nothing is found. */
static rwa_status try_topology(struct search *s, const struct logical_choice *choice, rwa_error *err)
{
    struct logical t;
    const struct physical *p = s->physical;
    uint64_t steps = ceil_div(p->farthest, choice->longest);
    uint32_t most_in = p->degree * p->channels < p->ports ? p->degree * p->channels : p->ports;
    if (least_s(s, steps, most_in) >= limit_of(s))
        return RWA_OK;
    rwa_status st = logical_open(&t, s->physical, choice, least_degree(s, steps), err);
    bool hopeless = st != RWA_OK || t.given_up || !is_new(s, &t) || least_s(s, t.farthest, t.degree) >= limit_of(s);
    uint32_t most = hopeless ? 0 : most_parts(s->request);
    struct trial before = {.time_s = INFINITY}, now = before;
    for (uint32_t parts = 1; st == RWA_OK && parts <= most && goes_on(&now, &before); parts *= 2) {
        before = now;
        st = try_parts(&now, s, &t, &(struct way){.parts = parts}, err);
    }
    end_topology(s, &t);
    return st;
}

/** Planned in about a second: over one topology for each length, and not where each step pays for tuning, since plans of fewer steps are
 *  quicker there. */
static bool is_large(const struct plan_request *request)
{
    enum { LARGE = 128 };
    return request->coll->nodes > LARGE;
}

/** At the rate that is estimated, since a trial takes long. */
static rwa_status try_at_rate(struct search *s, const struct levels *levels, rwa_error *err)
{
    const double hope = is_exchange(s->request) ? 1 : 0.85; /* of the time that is estimated */
    struct logical t;
    struct trial trial;
    if (hope * levels->time_s >= limit_of(s))
        return RWA_OK;
    rwa_status st = logical_open(&t, s->physical, &levels->choice, 0, err);
    if (st == RWA_OK && least_s(s, t.farthest, t.degree) < limit_of(s))
        st = try_way(&trial, s, &t, &(struct way){1, levels->most}, err);
    end_topology(s, &t);
    return st;
}

/** The levels that may be quickest. */
static rwa_status try_levels(struct search *s, uint32_t longest, rwa_error *err)
{
    enum { TRIED = 2 };
    struct levels list[LEVELS_MOST];
    struct levels_use use = {s->physical->nodes, s->physical->channels, longest, network_is_cycle(s->request->net), is_exchange(s->request),
                             s->price.step_s, s->price.byte_s * block_bytes(s->request, 1)};
    size_t count = levels_list(list, &use);
    for (size_t i = 0; i < count && i < TRIED; i++)
        MUST(use.nodes > GREEDY_NODES ? try_at_rate(s, &list[i], err) : try_topology(s, &list[i].choice, err));
    return RWA_OK;
}

/* ---- large networks, of no rings or lines ---- */

/** A topology of a large network, a way over it, and about what that takes. */
struct rated {
    struct logical_choice choice;
    struct way way;
    double time_s;
};

/** An all-gather: once blocks have come half the longest way, all lightpaths bring as many as they may. */
static void rate_gather(struct rated *r, const struct search *s, const struct lines_extent *e)
{
    enum { MOST = 64 };
    for (uint32_t parts = 1; parts <= LIT_PARTS && (parts == 1 || parts * PART_BYTES <= block_bytes(s->request, 1)); parts++)
        for (uint32_t most = 1; most <= MOST; most *= 2) {
            double busy = ceil((double)blocks_of(s->request, parts) / e->lit[parts - 1] / most);
            double steps = fmax(e->farthest, e->farthest / 2 + busy);
            double time_s = steps * (s->price.step_s + most * s->price.byte_s * block_bytes(s->request, parts));
            if (time_s < r->time_s) {
                r->way = (struct way){parts, most};
                r->time_s = time_s;
            }
        }
}

/** An all-to-all: blocks take dimensions in any order, so that steps are shorter than one dimension after the other. */
static void rate_exchange(struct rated *r, const struct search *s, const struct lines_extent *e)
{
    const double shorter = 0.6; /* measured */
    r->way = (struct way){.parts = 1};
    r->time_s = e->farthest * s->price.step_s + shorter * e->load * s->price.byte_s * block_bytes(s->request, 1);
}

static rwa_status rate(struct rated *r, const struct search *s, const struct logical_choice *choice, rwa_error *err)
{
    struct lines_extent extent;
    *r = (struct rated){.choice = *choice, .time_s = INFINITY};
    MUST(physical_go_on(s->physical, err));
    MUST(logical_measure(&extent, s->physical, choice, is_exchange(s->request), err));
    (is_exchange(s->request) ? rate_exchange : rate_gather)(r, s, &extent);
    return RWA_OK;
}

COMPARATOR(by_time, struct rated, UP(time_s))

static rwa_status try_rated(struct search *s, const struct rated *r, rwa_error *err)
{
    const double hope = 0.75; /* of the time that is estimated */
    struct logical t;
    struct trial trial;
    if (hope * r->time_s >= limit_of(s))
        return RWA_OK;
    rwa_status st = logical_open(&t, s->physical, &r->choice, 0, err);
    if (st == RWA_OK && is_new(s, &t) && least_s(s, t.farthest, t.degree) < limit_of(s))
        st = try_way(&trial, s, &t, &r->way, err);
    end_topology(s, &t);
    return st;
}

/** The quickest by estimate of those with lightpaths of several lengths. */
static rwa_status try_large(struct search *s, rwa_error *err)
{
    enum { SHARES = 3, LENGTHS = 9, TRIED = 2, MANY = 24 }; /* joined nodes: two lightpaths may lead to 600 */
    uint32_t channels = s->physical->channels, longest = s->request->opts->max_hops, most = 0;
    const uint32_t neighbours[SHARES] = {1, (uint32_t)ceil_div(channels, 4), (uint32_t)ceil_div(channels, 2)};
    bool whole = s->physical->lines == 0;
    const uint32_t joined[SHARES] = {whole ? MANY : (uint32_t)ceil_div(channels, 8), (uint32_t)ceil_div(channels, 2), UINT32_MAX};
    struct rated list[LENGTHS * SHARES * SHARES];
    size_t count = 0;
    most = whole ? s->physical->farthest : 0;
    for (uint32_t d = 0; d < s->physical->lines; d++)
        most = s->physical->line[d].farthest > most ? s->physical->line[d].farthest : most;
    for (longest = longest > 0 && longest < most ? longest : most; longest > 0; longest /= 2)
        for (size_t i = 0; i < (whole ? 1 : SHARES * SHARES); i++)
            MUST(rate(&list[count++], s, &(struct logical_choice){.longest = longest, .neighbours = neighbours[i / SHARES],
                                                                  .joined = joined[i % SHARES]}, err));
    qsort(list, count, sizeof *list, by_time);
    for (size_t i = 0, tried = 0; i < count && tried < TRIED; i++) {
        bool same = i > 0 && list[i].time_s == list[i - 1].time_s; /* most often the same topology */
        MUST(same ? RWA_OK : try_rated(s, &list[i], err));
        tried += !same;
    }
    return RWA_OK;
}

static rwa_status try_topologies(struct search *s, rwa_error *err)
{
    if (s->physical->nodes > GREEDY_NODES && !network_has_arcs(s->request->net))
        return try_large(s, err);
    uint32_t limit = s->request->opts->max_hops, farthest = s->physical->farthest, half = (uint32_t)ceil_div(s->physical->channels, 2);
    bool few = s->physical->ports < UINT32_MAX; /* ports, so that a tree comes first, and not neighbours */
    farthest = limit > 0 && limit < farthest ? limit : farthest;
    if (network_has_arcs(s->request->net) && !few)
        MUST(try_levels(s, farthest, err));
    if (s->physical->nodes > GREEDY_NODES)
        return RWA_OK;
    uint32_t step = half > 1 && !few ? 1 : 2; /* of a single channel half is all */
    for (uint32_t longest = farthest; longest > 0; longest /= 2)
        for (uint32_t kind = 0; kind < (is_large(s->request) ? 1 : 4); kind += step)
            MUST(try_topology(s, &(struct logical_choice){.longest = longest, .neighbours = kind & 1 ? half : 1,
                                                          .joined = kind & 2 ? UINT32_MAX : half}, err));
    return RWA_OK;
}

static rwa_status estimate_logical(struct estimate *out, const struct plan_request *request, rwa_error *err)
{
    const rwa_plan_options *o = request->opts;
    struct logical_draft *draft;
    struct search s = {.request = request, .best = out};
    rwa_status st = RWA_OK;
    MUST(base_new(draft, 1, err));
    draft->draft.release = release_draft;
    draft->budget = base_budget(0, o->poll, o->poll_data);
    s.draft = draft;
    s.physical = &draft->physical;
    if (!physical_limit(request) && !(is_large(request) && o->cost.model == RWA_COST_PAPER && request->below_s > 0)) {
        TRY(rwa_cost_floor(&s.price, rwa_network_rate_bps(request->net), &o->cost, err));
        TRY(physical_open(&draft->physical, request->net, &draft->budget, err));
        out->time_s = scheme_time_limit(request);
        if (draft->physical.nodes > 0)
            TRY(try_topologies(&s, err));
    }
    if (out->steps == 0) {
        *out = scheme_no_estimate(request);
    } else {
        out->draft = &draft->draft;
        draft = NULL;
    }
done:
    if (draft)
        release_draft(&draft->draft);
    return st;
}

/* ---- plan ---- */

struct writer {
    struct schedule_sink *sink;
    const struct plan_request *request;
    const struct logical *t;
    const struct carriages *c;
    rwa_run *run;
    uint32_t *path;
};

/** The blocks of a lightpath that are listed from `from` to `to`. */
static rwa_status push_lightpath(const struct writer *w, uint32_t link, size_t from, size_t to, bool backwards, rwa_error *err)
{
    const rwa_network *net = w->request->net;
    uint32_t channel = w->t->channel[link], wavelengths = rwa_network_wavelengths(net), nodes = rwa_network_nodes(net), runs = 0;
    uint32_t way = backwards ? link ^ 1 : link;
    rwa_lightpath lp = {.step = 1, .src = w->t->from[way], .dst = w->t->to[way], .orbit = 1, .fiber = channel / wavelengths,
                        .wavelength = channel % wavelengths, .op = backwards ? RWA_REDUCE : RWA_COPY};
    rwa_lists lists = {.runs = w->run, .path = w->path, .block_count = (uint32_t)(to - from)};
    for (size_t i = from; i < to; i++)
        runs = run_append(w->run, runs, (rwa_run){w->c->list[i].block, 1, 1});
    lists.run_count = runs;
    lists.path_nodes = logical_path(w->path, w->t, way);
    lp.block = w->run[0].first;
    if (network_has_arcs(net)) {
        lp.direction = w->path[1] == (lp.src + 1) % nodes ? RWA_CW : RWA_CCW;
        lists.path_nodes = 0;
    }
    return sink_lightpath(w->sink, &lp, &lists, err);
}

COMPARATOR(by_step, struct carriage, UP(step))

static rwa_status push_step(const struct writer *w, uint32_t step, bool backwards, rwa_error *err)
{
    const struct carriage *list = w->c->list;
    size_t at = base_first_from(list, w->c->count, sizeof *list, &(struct carriage){.step = step}, by_step);
    while (at < w->c->count && list[at].step == step) {
        size_t end = at;
        while (end < w->c->count && list[end].step == step && list[end].link == list[at].link)
            end++;
        MUST(push_lightpath(w, list[at].link, at, end, backwards, err));
        at = end;
    }
    return sink_end_stage(w->sink, err);
}

static rwa_status push_steps(const struct writer *w, rwa_error *err)
{
    for (uint32_t step = w->c->steps; step > 0 && runs_backwards(w->request); step--)
        MUST(push_step(w, step, true, err));
    for (uint32_t step = 1; step <= w->c->steps && w->request->coll->kind != RWA_REDUCE_SCATTER; step++)
        MUST(push_step(w, step, false, err));
    return RWA_OK;
}

static rwa_status write_carriages(struct schedule_sink *sink, const struct plan_request *request, const struct logical *t,
                                  const struct carriages *c, rwa_error *err)
{
    struct arena memory = {.err = err};
    struct writer w = {.sink = sink, .request = request, .t = t, .c = c};
    arena_new(&memory, w.run, c->count + 1);
    arena_new(&memory, w.path, t->physical->nodes + 1);
    rwa_status st = arena_status(&memory);
    if (st == RWA_OK)
        st = push_steps(&w, err);
    arena_free(&memory);
    return st;
}

static rwa_status plan_logical(struct schedule_sink *sink, const struct plan_request *request, rwa_error *err)
{
    struct logical_draft *draft = (struct logical_draft *)request->draft;
    if (physical_limit(request))
        return scheme_refuse(request, "scheme logical-topology does not support %s", physical_limit(request));
    if (!draft || request->coll->blocks != blocks_of(request, draft->parts))
        return scheme_refuse(request, "scheme logical-topology cuts blocks otherwise, or is not quicker than other schemes");
    MUST(carriages_sort(&draft->carriages, &draft->topology, err));
    return write_carriages(sink, request, &draft->topology, &draft->carriages, err);
}

const struct scheme scheme_logical = {
    .name = "logical-topology",
    .summary = "lightpaths of several links stay up from the first step to the last; blocks travel over them",
    .source = "this work",
    .collectives = 1u << RWA_ALL_GATHER | 1u << RWA_REDUCE_SCATTER | 1u << RWA_ALL_REDUCE | 1u << RWA_ALL_TO_ALL,
    .needs = NETWORK_ARCS | NETWORK_LISTED,
    .traits = SEARCHES | SHORTENS | KEEPS_LIGHTPATHS,
    .estimate = estimate_logical,
    .plan = plan_logical,
};
