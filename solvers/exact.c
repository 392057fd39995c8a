/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Exact colouring: constructions first, then DSATUR branch and bound while the paths are few. */
#include "solvers/solver.h"

enum { SEARCH_PATHS = 128 };

struct search {
    struct solve *run;
    size_t paths;
    bool touch[SEARCH_PATHS][SEARCH_PATHS];
    uint32_t colour[SEARCH_PATHS];                      /* UINT32_MAX: none yet */
    uint32_t near[SEARCH_PATHS][SEARCH_PATHS];          /* neighbours of a path that have a colour */
    uint32_t barred[SEARCH_PATHS];                      /* colours its neighbours have */
    uint32_t degree[SEARCH_PATHS];
    uint64_t steps, most_steps;
    bool stopped;
};

static void find_conflicts(struct search *s, bool *on_link)
{
    const rwa_problem *p = s->run->problem;
    for (size_t i = 0; i < s->paths; i++) {
        memset(on_link, 0, p->links * sizeof *on_link);
        for (uint32_t k = 0; k < path_length(p, i); k++)
            on_link[path_link(p, i, k)] = true;
        for (size_t j = 0; j < i; j++) {
            for (uint32_t k = 0; k < path_length(p, j) && !s->touch[i][j]; k++)
                s->touch[i][j] = on_link[path_link(p, j, k)];
            s->touch[j][i] = s->touch[i][j];
            s->degree[i] += s->touch[i][j];
            s->degree[j] += s->touch[i][j];
        }
    }
}

static bool uses_link(const rwa_problem *p, size_t path, uint32_t link)
{
    for (uint32_t k = 0; k < path_length(p, path); k++)
        if (path_link(p, path, k) == link)
            return true;
    return false;
}

static void give_colour(struct search *s, size_t path, uint32_t c)
{
    assert(s->colour[path] == UINT32_MAX && c < SEARCH_PATHS);
    s->colour[path] = c;
    for (size_t j = 0; j < s->paths; j++)
        if (s->touch[path][j] && s->near[j][c]++ == 0)
            s->barred[j]++;
}

static void take_back(struct search *s, size_t path)
{
    assert(s->colour[path] != UINT32_MAX);
    uint32_t c = s->colour[path];
    s->colour[path] = UINT32_MAX;
    for (size_t j = 0; j < s->paths; j++)
        if (s->touch[path][j] && --s->near[j][c] == 0)
            s->barred[j]--;
}

/* All paths of a busiest link meet each other; paths that meet all of these join them.  Their colours are a matter of names,
 * so fixing them loses nothing and removes the symmetry. */
static uint32_t colour_clique(struct search *s)
{
    uint32_t used = 0;
    for (size_t i = 0; i < s->paths; i++)
        if (uses_link(s->run->problem, i, s->run->peak_link))
            give_colour(s, i, used++);
    for (size_t i = 0; i < s->paths; i++)
        if (s->colour[i] == UINT32_MAX && s->barred[i] == used)
            give_colour(s, i, used++);
    return used;
}

/* The uncoloured path with the fewest colours left, ties by degree; == paths when all are coloured. */
static size_t most_constrained(const struct search *s)
{
    size_t best = s->paths;
    for (size_t i = 0; i < s->paths; i++) {
        if (s->colour[i] != UINT32_MAX)
            continue;
        if (best == s->paths || s->barred[i] > s->barred[best] || (s->barred[i] == s->barred[best] && s->degree[i] > s->degree[best]))
            best = i;
    }
    return best;
}

static void branch_on(struct search *s, uint32_t used)
{
    size_t path = most_constrained(s);
    if (path == s->paths) {
        solve_keep(s->run, s->colour, used, "exact");
        return;
    }
    if (++s->steps == s->most_steps || (s->steps % 1024 == 0 && base_must_stop(&s->run->budget, "search", -1)))
        s->stopped = true;
    /* one colour beyond those in use stands for all new ones; wavelengths shrinks as better answers come */
    for (uint32_t c = 0; c <= used && !s->stopped && !solve_done(s->run); c++) {
        uint32_t next = c == used ? used + 1 : used;
        if (next >= s->run->found.wavelengths)
            return;
        if (s->near[path][c] > 0)
            continue;
        give_colour(s, path, c);
        branch_on(s, next);
        take_back(s, path);
    }
}

rwa_status search_try(struct solve *run, uint64_t most_steps)
{
    rwa_status st = RWA_NOMEM;
    uint32_t clique = 0;
    struct search *s = NULL;
    bool *on_link = NULL;
    if (run->problem->paths > SEARCH_PATHS || run->problem->paths == 0)
        return RWA_OK;
    s = base_array(1, sizeof *s, run->err);
    on_link = base_array(run->problem->links, sizeof *on_link, run->err);
    if (!s || !on_link)
        goto done;
    st = RWA_OK;
    s->run = run;
    s->most_steps = most_steps;
    s->paths = run->problem->paths;
    for (size_t i = 0; i < s->paths; i++)
        s->colour[i] = UINT32_MAX;
    find_conflicts(s, on_link);
    clique = colour_clique(s);
    solve_raise(run, clique, "clique");
    if (solve_done(run))
        goto done;
    branch_on(s, clique);
    if (!s->stopped)
        solve_raise(run, run->found.wavelengths, "search");
done:
    free_all(on_link, s);
    return st;
}
