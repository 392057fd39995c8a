/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solvers/branch_bound.h"

enum { UNDECIDED = 0, PLACED, LEFT_OUT };

struct search {
    const struct branch_bound *run;
    struct table table;
    uint8_t *state;         /* of each demand */
    uint32_t left;          /* demands not decided yet */
    uint32_t spare;         /* that may still be left out */
    uint64_t steps;
    bool found, stopped;
};

/* Channels a segment may take: those in use, and the first that is not. */
static uint32_t channels_open(const struct search *s, uint32_t used)
{
    return s->run->distinct || used >= s->run->channels ? s->run->channels : used + 1;
}

static uint32_t count_free(const struct search *s, size_t segment, uint32_t channels)
{
    uint32_t count = 0;
    for (uint32_t word = 0; 64 * word < channels; word++) {
        uint64_t bits = table_open(&s->table, segment, word);
        if (channels - 64 * word < 64)
            bits &= ~(UINT64_MAX << (channels - 64 * word));
        count += (uint32_t)__builtin_popcountll(bits);
    }
    return count;
}

/* Ways left for a demand, roughly: a route has as many as its poorest segment. */
static uint32_t count_options(const struct search *s, uint32_t demand, uint32_t used, uint32_t enough)
{
    const struct candidates *cand = s->run->cand;
    uint32_t options = 0, channels = channels_open(s, used);
    for (size_t r = cand->route[demand]; r < cand->route[demand + 1] && options < enough; r++) {
        uint32_t least = UINT32_MAX;
        for (size_t k = cand->segment[r]; k < cand->segment[r + 1] && least > 0; k++) {
            uint32_t here = count_free(s, k, channels);
            least = here < least ? here : least;
        }
        options += least;
    }
    return options;
}

/* A twin waits for the one before it. */
static bool is_next(const struct search *s, uint32_t demand)
{
    uint32_t twin = s->run->twin[demand];
    return s->state[demand] == UNDECIDED && (twin == UINT32_MAX || s->state[twin] != UNDECIDED);
}

static uint32_t choose_demand(const struct search *s, uint32_t used, uint32_t *options)
{
    uint32_t best = UINT32_MAX;
    *options = UINT32_MAX;
    for (uint32_t d = 0; d < s->run->cand->demands && *options > 0; d++) {
        uint32_t here = is_next(s, d) ? count_options(s, d, used, *options) : UINT32_MAX;
        if (here < *options) {
            *options = here;
            best = d;
        }
    }
    return best;
}

/* Of twins, the later one has the later route, or the same and a higher channel. */
static bool comes_after_twin(const struct search *s, uint32_t demand, size_t route, uint32_t channel)
{
    uint32_t twin = s->run->twin[demand];
    if (twin == UINT32_MAX)
        return true;
    const struct candidates *cand = s->run->cand;
    size_t number = route - cand->route[demand], before = s->table.at.route[twin] - cand->route[twin];
    return number != before ? number > before : channel > s->table.at.channel[cand->segment[s->table.at.route[twin]]];
}

static void branch(struct search *s, uint32_t used);

static void go_on_with(struct search *s, uint32_t demand, size_t route, uint32_t used)
{
    assert(s->left > 0 && s->state[demand] == UNDECIDED);
    table_put(&s->table, demand, route);
    s->state[demand] = PLACED;
    s->left--;
    branch(s, used);
    if (s->found)
        return;
    s->left++;
    s->state[demand] = UNDECIDED;
    table_lift(&s->table, demand);
}

/* A channel for each segment from `segment` on. */
static void try_segments(struct search *s, uint32_t demand, size_t route, size_t segment, uint32_t used)
{
    const struct candidates *cand = s->run->cand;
    if (segment == cand->segment[route + 1]) {
        go_on_with(s, demand, route, used);
        return;
    }
    uint32_t channels = channels_open(s, used);
    for (uint32_t word = 0; 64 * word < channels && !s->found && !s->stopped; word++) {
        uint64_t bits = table_open(&s->table, segment, word);
        for (; bits && !s->found && !s->stopped; bits &= bits - 1) {
            uint32_t channel = 64 * word + (uint32_t)__builtin_ctzll(bits);
            if (channel >= channels)
                break;
            if (segment == cand->segment[route] && !comes_after_twin(s, demand, route, channel))
                continue;
            s->table.at.channel[segment] = channel;
            try_segments(s, demand, route, segment + 1, channel >= used ? channel + 1 : used);
        }
    }
}

static void leave_out(struct search *s, uint32_t demand, uint32_t used)
{
    assert(s->left > 0 && s->spare > 0);
    s->state[demand] = LEFT_OUT;
    s->left--;
    s->spare--;
    branch(s, used);
    if (s->found)
        return;
    s->spare++;
    s->left++;
    s->state[demand] = UNDECIDED;
}

static void branch(struct search *s, uint32_t used)
{
    assert(used <= s->run->channels);
    const struct candidates *cand = s->run->cand;
    uint32_t options = 0;
    s->found = s->found || s->left <= s->spare;
    if (++s->steps % 256 == 0 && base_must_stop(s->run->budget, "exhaustive search", -1))
        s->stopped = true;
    if (s->found || s->stopped)
        return;
    uint32_t demand = choose_demand(s, used, &options), twin = s->run->twin[demand];
    bool must_stay_out = twin != UINT32_MAX && s->state[twin] == LEFT_OUT;
    for (size_t r = cand->route[demand]; r < cand->route[demand + 1] && options > 0 && !must_stay_out; r++) {
        try_segments(s, demand, r, cand->segment[r], used);
        if (s->found || s->stopped)
            return;
    }
    if (s->spare > 0)
        leave_out(s, demand, used);
}

rwa_status branch_bound_run(const struct branch_bound *run, struct placement *out, enum branch_answer *answer, rwa_error *err)
{
    assert(run->channels > 0 && run->need <= run->cand->demands);
    rwa_status st = RWA_OK;
    struct search s = {.run = run, .left = run->cand->demands, .spare = run->cand->demands - run->need};
    TRY(table_create(&s.table, run->cand, run->channels, err));
    TRY(base_new(s.state, run->cand->demands, err));
    branch(&s, 0);
    *answer = s.found ? BRANCH_FOUND : s.stopped ? BRANCH_STOPPED : BRANCH_NONE;
    table_check(&s.table);
    if (s.found) {
        placement_copy(out, &s.table.at, run->cand);
        out->channels = run->channels;
    }
done:
    table_free(&s.table);
    free(s.state);
    return st;
}
