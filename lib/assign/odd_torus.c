/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all on a torus of two equal odd dimensions in closed form: every wavelength fills every link.
 *
 * Both models. Let each dimension have n = 2m + 1 nodes. All pairs get n m(m+1)/2 colours, as many as the total length
 * of the shortest routes over all links demands; a lightpath and the one back, over the other links of the same fibre
 * pairs, have one colour. So count unordered pairs and undirected links.
 *
 * The *phase* of a node (x, y) is y - x mod n. A link along the first dimension leads down one phase, one along the
 * second leads up; name it by the lower phase. If all n nodes of one phase send a lightpath of the same steps, these
 * use exactly the n first links of a phase, and the n second links of a phase, for each phase they pass. So a colour
 * is filled when the phases of its first links are 0 … n - 1, each once, and those of its second links too. Lightpaths
 * of i steps along the first and j steps along the second dimension (written i, j) from phase c take first links [c -
 * i, c) and second links [c - i, c - i + j) if the first dimension goes first, else second links [c, c + j) and first
 * links [c + j - i, c + j). Lightpaths of u steps along the first and w steps against the second dimension (u, -w)
 * take [c - u, c) and [c - u - w, c - u), or [c - w - u, c - w) and [c - w, c).
 *
 * Let 1 <= i <= m, 0 <= j <= m, and put into a colour
 *
 * | steps | first links | second links | from phase | first goes |
 * |---|---|---|---|---|
 * | i, j | [0, i) | [i - j, i) | i - j | second |
 * | m+1-i, m-j | [i, m+1) | [i, i+m-j) | m+1 | first |
 * | m-j, -i | [m+1, 2m+1-j) | [2m+1-j, 2m+1-j+i) | 2m+1-j+i | second |
 * | j, -(m+1-i) | [2m+1-j, 2m+1) | [m-j+i, 2m+1-j) | 0 | first |
 *
 * The first links are filled. The second links go from i - j to i + m - j, on to 2m + 1 - j, and on to 2m + 1 - j + i,
 * which is i - j + n: filled. Each (i, j) and (m+1-i, m-j) make one kind of colour; they differ, because i = m+1-i and
 * j = m-j would make both m + 1 and m even. There are m(m+1)/2 kinds, each moved to n phases. Every unordered pair is
 * in one: steps along both dimensions, or along the first alone, are (i, j) with i >= 1; steps along the first and
 * against the second, or against the second alone, are (u, -w) with w >= 1, which is the third row with i = w, j = m -
 * u of one of the two numberings of its kind, and the fourth of the other. ∎
 */
#include "assign/torus.h"

static bool odd_fits(const struct torus *t, rwa_model model)
{
    (void)model;
    return t->dimensions == 2 && torus_is_regular(t) && t->size % 2 == 1;
}

static rwa_status prepare_odd(struct torus *t)
{
    t->colours = t->size * (t->half * (t->half + 1) / 2);
    return RWA_OK;
}

/* A lightpath, seen from the end from which it goes up along the first dimension, or down along the second one
 * alone. */
struct offset {
    uint32_t steps[2];
    bool against;       /* it goes down along the second dimension */
    bool turned;        /* it is seen from its destination */
};

static struct offset offset_of(const struct torus *t, uint32_t from, uint32_t to)
{
    uint32_t ahead[2];
    bool down[2];
    for (uint32_t d = 0; d < 2; d++) {
        ahead[d] = torus_ahead(t, from, to, d);
        down[d] = ahead[d] > t->half;
        ahead[d] = down[d] ? t->size - ahead[d] : ahead[d];
    }
    bool straight = ahead[0] == 0 || ahead[1] == 0;
    return (struct offset){.steps = {ahead[0], ahead[1]}, .against = straight ? ahead[0] == 0 : down[0] != down[1],
                           .turned = ahead[0] == 0 ? !down[1] : down[0]};
}

/* Set *kind to the kind of colour that serves lightpaths of this offset (the table above), and *second_first to whether
 * they go along the second dimension first.  Return the phase at which they start in the first colour of that kind. */
static uint32_t place_kind(const struct torus *t, const struct offset *o, uint32_t *kind, bool *second_first)
{
    uint32_t m = t->half, i = o->against ? o->steps[1] : o->steps[0], j = o->against ? m - o->steps[0] : o->steps[1];
    uint32_t kinds = m * (m + 1), number = (i - 1) * (m + 1) + j;
    bool partner = number >= kinds / 2;
    assert(i >= 1 && i <= m && j <= m);
    *kind = partner ? kinds - 1 - number : number;
    *second_first = !partner;
    if (o->against)
        return partner ? 0 : m + 1 + o->steps[0] + o->steps[1];
    return partner ? m + 1 : t->size + i - j;
}

static uint32_t write_route(const struct torus *t, uint32_t place, const struct offset *o, bool second_first)
{
    uint32_t hops = 0;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t d = (k == 0) == (second_first != o->turned) ? 1 : 0;
        place = torus_go(t, &hops, place, d, (d == 1 && o->against) == o->turned, o->steps[d]);
    }
    return hops;
}

static uint32_t odd_route(const struct torus *t, rwa_route *route, uint32_t from, uint32_t to)
{
    assert(t->dimensions == 2 && from != to);
    struct offset o = offset_of(t, from, to);
    uint32_t near = o.turned ? to : from, kind = 0;
    bool second_first = false;
    uint32_t phase = torus_digit(t, near, 1) + 2 * t->size - torus_digit(t, near, 0),
             first = place_kind(t, &o, &kind, &second_first);
    route->hops = write_route(t, from, &o, second_first);
    return kind * t->size + (phase + t->size - first % t->size) % t->size;
}

const struct torus_form odd_torus = {.fits = odd_fits, .prepare = prepare_odd, .route = odd_route};
