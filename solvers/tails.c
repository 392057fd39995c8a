/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Arcs of a ring in one pass by first link.  Arcs that cover the last link and link 0 begin the pass, each on a colour
 * of its own.  Every arc takes a free colour by chance, so that the largest load is enough.  But an arc that crosses to
 * link 0 may come back to another colour than it began on.  Then these two colours exchange their tails: all arcs
 * behind a link where both are free.  As colours are taken by chance, there nearly always is such a link.
 */
#include "solvers/solver.h"

struct tails {
    const rwa_problem *problem;
    uint32_t *arc;              /* by first link */
    uint32_t *crossing;         /* arcs that cross to link 0; arc k begins on colour k */
    uint64_t *begun, *busy;     /* of each colour: links from 0 on that are taken, before the pass and now */
    uint32_t *colour;
};

static uint64_t end_of(const struct tails *s, uint32_t arc)
{
    return (uint64_t)s->problem->start[arc] + path_length(s->problem, arc);
}

/* Exchange the arcs of two colours behind the first link where both are free and an arc of one begins.  Returns false
 * if there is no such link. */
static bool exchange_tails(struct tails *s, uint32_t a, uint32_t b)
{
    uint64_t end[2] = {s->begun[a], s->begun[b]};
    bool met = false;
    for (size_t i = 0; i < s->problem->paths; i++) {
        uint32_t arc = s->arc[i], *colour = &s->colour[arc];
        if (*colour != a && *colour != b)
            continue;
        met = met || (end[0] <= s->problem->start[arc] && end[1] <= s->problem->start[arc]);
        end[*colour == b] = end_of(s, arc);
        *colour = met ? a + b - *colour : *colour;
    }
    return met;
}

/* Make one pass with `used` colours, and store the colouring.  An arc that cannot come back to its own colour gets one
 * more. */
static void pass(struct tails *s, struct solve *run, uint32_t used)
{
    const rwa_problem *p = s->problem;
    uint32_t colours = used, crossings = 0;
    for (size_t i = 0; i < p->paths; i++)
        if (end_of(s, s->arc[i]) > p->links) {
            s->crossing[crossings] = s->arc[i];
            s->begun[crossings++] = end_of(s, s->arc[i]) - p->links;
        }
    memcpy(s->busy, s->begun, colours * sizeof *s->busy);
    for (size_t i = 0; i < p->paths; i++) {
        uint32_t arc = s->arc[i], c = (uint32_t)base_random_below(&run->random, colours);
        while (s->busy[c] > p->start[arc])
            c = c + 1 < colours ? c + 1 : 0;
        s->colour[arc] = c;
        s->busy[c] = end_of(s, arc);
    }
    for (uint32_t k = 0; k < crossings; k++) {
        uint32_t *at = &s->colour[s->crossing[k]];
        if (*at != k && !exchange_tails(s, *at, k))
            *at = used++;
    }
    solve_keep(run, s->colour, used, "tails");
}

rwa_status tails_try(struct solve *run)
{
    enum { FIRST = 1 << 27, WORK = 1 << 22, PASSES = 64 };  /* arcs looked at, in the first pass and in all others,
                                                               and the number of these */
    const rwa_problem *p = run->problem;
    struct tails s = {.problem = p};
    struct arena memory = {.err = run->err};
    rwa_status st = RWA_OK;
    if (!p->start || (double)p->paths * run->peak > FIRST)
        return RWA_OK;
    TRY(arena_arrays(&memory, p->paths, s.arc, s.colour, s.crossing, s.begun, s.busy));
    TRY(sort_all_by(s.arc, p->paths, p->start, p->links, run->err));
    for (size_t i = 0; i <= WORK / (p->paths * run->peak + 1) && i <= PASSES && !solve_done(run); i++)
        pass(&s, run, run->peak + (run->have ? (uint32_t)i % (run->found.wavelengths - run->peak) : 0));
done:
    arena_free(&memory);
    return st;
}
