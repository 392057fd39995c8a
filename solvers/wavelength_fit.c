/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * First-fit on many arcs, longest first, one wavelength at a time: each takes, in order, every arc that still fits.  That
 * gives the colours of the pass over the arcs, but looks for the next arc that fits a gap, not at each arc and
 * wavelength.
 */
#include "solvers/solver.h"

#include "base/arithmetic.h"

enum { MOST_LINKS = 4096 };

struct gap {
    uint32_t from, length;  /* links from … from + length - 1, counted round the ring */
};

struct wavelength_fit {
    const rwa_problem *problem;
    uint32_t links, words;
    const uint32_t *order;  /* paths, longest first, then by start, then by index */
    uint32_t *next;         /* next[length * links + start]: where in order the next such arc stands */
    uint32_t *left;         /* how many such arcs are left */
    uint64_t *some;         /* bit start % 64 of some[length * words + start / 64]: there is one left */
    uint32_t *of_length;    /* arcs left of each length */
    struct gap *gap;
    uint32_t gaps;
    uint32_t longest;       /* length of which arcs are left */
    struct arena *arena;
};

static rwa_status wavelength_fit_create(struct wavelength_fit *r)
{
    const rwa_problem *p = r->problem;
    size_t n = r->links;
    arena_new(r->arena, r->next, n * n);
    arena_new(r->arena, r->left, n * n);
    arena_new(r->arena, r->some, n * r->words);
    arena_new(r->arena, r->of_length, n);
    arena_new(r->arena, r->gap, n + 1);
    if (r->arena->failed)
        return RWA_NOMEM;
    for (size_t i = p->paths; i-- > 0;) {
        uint32_t path = r->order[i], length = path_length(p, path), start = p->start[path];
        r->next[length * n + start] = (uint32_t)i;
        r->left[length * n + start]++;
        r->some[length * r->words + start / 64] |= UINT64_C(1) << start % 64;
        r->of_length[length]++;
    }
    r->longest = r->links - 1;
    return RWA_OK;
}

/* The lowest start from … to of an arc of this length that is left; UINT32_MAX when there is none. */
static uint32_t find_start(const struct wavelength_fit *r, uint32_t length, uint32_t from, uint32_t to)
{
    assert(from <= to && to < r->links);
    const uint64_t *some = r->some + (size_t)length * r->words;
    uint32_t word = from / 64, start = UINT32_MAX;
    uint64_t bits = some[word] & UINT64_MAX << from % 64;
    while (!bits && word < to / 64)
        bits = some[++word];
    if (bits)
        start = 64 * word + (uint32_t)__builtin_ctzll(bits);
    return start <= to ? start : UINT32_MAX;
}

/* The lowest start, at least `from`, of an arc of this length that is left and lies in the gap. */
static uint32_t find_in_gap(const struct wavelength_fit *r, const struct gap *gap, uint32_t length, uint32_t from)
{
    uint32_t n = r->links, low = gap->from, high = 0, found = UINT32_MAX;
    if (gap->length < length)
        return found;
    high = gap->length == n ? low + n - 1 : low + gap->length - length;
    if (high >= n && from <= high - n) /* the starts beyond the end of the numbering are the lowest */
        found = find_start(r, length, from, high - n);
    if (found == UINT32_MAX && (low > from ? low : from) <= lesser(high, n - 1))
        found = find_start(r, length, low > from ? low : from, lesser(high, n - 1));
    return found;
}

static void split_gap(struct wavelength_fit *r, uint32_t g, uint32_t start, uint32_t length)
{
    assert(g < r->gaps && length <= r->gap[g].length);
    struct gap whole = r->gap[g];
    uint32_t before = whole.length == r->links ? 0 : (start + r->links - whole.from) % r->links;
    struct gap after = {(start + length) % r->links, whole.length - length - before};
    if (before > 0)
        r->gap[g].length = before;
    else
        r->gap[g] = r->gap[--r->gaps];
    if (after.length > 0)
        r->gap[r->gaps++] = after;
}

static uint32_t widest(const struct wavelength_fit *r)
{
    uint32_t most = 0;
    for (uint32_t g = 0; g < r->gaps; g++)
        most = r->gap[g].length > most ? r->gap[g].length : most;
    return most;
}

static void take_arc(struct wavelength_fit *r, uint32_t length, uint32_t start, uint32_t *colour, uint32_t c)
{
    assert(r->left[(size_t)length * r->links + start] > 0);
    size_t kind = (size_t)length * r->links + start;
    colour[r->order[r->next[kind]++]] = c;
    r->of_length[length]--;
    if (--r->left[kind] == 0)
        r->some[(size_t)length * r->words + start / 64] &= ~(UINT64_C(1) << start % 64);
}

/* All arcs of one length that fit, by ascending start; how many. */
static uint32_t fill_length(struct wavelength_fit *r, uint32_t length, uint32_t *colour, uint32_t c)
{
    uint32_t taken = 0;
    for (uint32_t from = 0; from < r->links;) {
        uint32_t start = UINT32_MAX, at = 0;
        for (uint32_t g = 0; g < r->gaps; g++) {
            uint32_t found = find_in_gap(r, &r->gap[g], length, from);
            if (found < start) {
                start = found;
                at = g;
            }
        }
        if (start == UINT32_MAX)
            break;
        take_arc(r, length, start, colour, c);
        split_gap(r, at, start, length);
        taken++;
        from = start + 1;
    }
    return taken;
}

static uint32_t fill_colour(struct wavelength_fit *r, uint32_t *colour, uint32_t c)
{
    uint32_t taken = 0;
    r->gap[0] = (struct gap){0, r->links};
    r->gaps = 1;
    while (r->longest > 0 && r->of_length[r->longest] == 0)
        r->longest--;
    for (uint32_t length = lesser(r->longest, widest(r)); length > 0; length--) {
        uint32_t now = r->of_length[length] > 0 ? fill_length(r, length, colour, c) : 0;
        taken += now;
        if (now > 0 && widest(r) < length)
            length = widest(r) + 1;
    }
    return taken;
}

bool wavelength_fit_applies(const rwa_problem *p)
{
    return p->start && p->links <= MOST_LINKS && 8.0 * (double)p->paths >= (double)p->links * p->links;
}

rwa_status wavelength_fit_run(struct solve *run, const uint32_t *order, uint32_t *colour, uint32_t *used)
{
    assert(wavelength_fit_applies(run->problem));
    const rwa_problem *p = run->problem;
    struct arena arena = {.err = run->err};
    struct wavelength_fit r = {.problem = p, .links = p->links, .words = (p->links + 63) / 64, .order = order, .arena = &arena};
    rwa_status st = wavelength_fit_create(&r);
    size_t done = 0;
    for (*used = 0; st == RWA_OK && done < p->paths; ++*used) {
        /* the clock does not stop the first pass: a late answer is better than none */
        if (*used % 256 == 0 && base_must_stop(&run->budget, "first-fit", (double)done / (double)p->paths) &&
            (run->have || run->budget.cancelled))
            break;
        done += fill_colour(&r, colour, *used);
    }
    if (st == RWA_OK && done < p->paths)
        st = run->have ? RWA_OK : base_fail(run->err, RWA_CANCELLED, "first-fit: cancelled");
    if (done < p->paths)
        *used = 0;
    arena_free(&arena);
    return st;
}
