/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All-to-all on a torus of two equal odd dimensions in closed form: every wavelength fills every link.  The construction and its proof
 * are in docs/bounds.md.
 *
 * Let the size be 2m + 1, and the phase of a node (x, y) be y - x.  A wavelength serves four kinds of lightpaths from all nodes of one
 * phase each: steps (i, j) and (m + 1 - i, m - j) along both dimensions, (m - j, i) and (j, m + 1 - i) along the first and against the
 * second, 1 <= i <= m, 0 <= j <= m.
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

/* A lightpath of either direction, seen from the end where it goes up along the first dimension, or down along the second alone. */
struct offset {
    uint32_t steps[2];
    bool against;       /* it goes down along the second dimension */
    bool turned;        /* that end is the destination */
};

static struct offset offset_of(const struct torus *t, uint32_t from, uint32_t to)
{
    uint32_t ahead[2];
    bool down[2];
    for (uint32_t d = 0; d < 2; d++) {
        ahead[d] = (torus_digit(t, to, d) + t->size - torus_digit(t, from, d)) % t->size;
        down[d] = ahead[d] > t->half;
        ahead[d] = down[d] ? t->size - ahead[d] : ahead[d];
    }
    bool straight = ahead[0] == 0 || ahead[1] == 0;
    return (struct offset){.steps = {ahead[0], ahead[1]}, .against = straight ? ahead[0] == 0 : down[0] != down[1],
                           .turned = ahead[0] == 0 ? !down[1] : down[0]};
}

/* The phase of the near end in the first colour of its kind, and whether the second dimension comes first. */
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
        bool up = (d == 1 && o->against) == o->turned;
        for (uint32_t steps = o->steps[d]; steps > 0; steps--)
            place = torus_go(t, place, d, up, &t->arc[hops++]);
    }
    return hops;
}

static uint32_t odd_route(const struct torus *t, uint32_t *colour, uint32_t from, uint32_t to)
{
    assert(t->dimensions == 2 && from != to);
    struct offset o = offset_of(t, from, to);
    uint32_t near = o.turned ? to : from, kind = 0;
    bool second_first = false;
    uint32_t phase = torus_digit(t, near, 1) + 2 * t->size - torus_digit(t, near, 0), first = place_kind(t, &o, &kind, &second_first);
    *colour = kind * t->size + (phase + t->size - first % t->size) % t->size;
    return write_route(t, from, &o, second_first);
}

const struct torus_form odd_torus = {.fits = odd_fits, .prepare = prepare_odd, .route = odd_route};
