/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Choose the modulation format that reaches the end of a route: by length, or by the GSNR in the worst case. */
#include "fiber/fiber.h"

/* The noise of one format in the worst case.  The noise of a route is amplifiers * (losses + nodes) + interference *
 * effective + transmitter, with the sums of struct route_sums. */
struct worst_case {
    double amplifiers;      /* noise of an amplifier of noise figure 0 dB behind no loss */
    double interference;    /* of a span, over the square of its effective length */
    double transmitter;
};

struct rwa_transmission {
    struct arena memory;            /* of all that follows */
    rwa_modulations *table;
    rwa_fiber_profile *profile;     /* NULL: by reach */
    struct worst_case *worst;       /* of each format; NULL without a profile */
    uint32_t slots;                 /* of the band; 0: not limited */
    double node_noise_ratio;        /* noise of a node's amplifier in the unit of `amplifiers` */
};

/* Sum over the links of a route, for every format. */
struct route_sums {
    double length_km;
    double losses;          /* of span amplifiers: noise figure times gain */
    double nodes;
    double effective;       /* squares of effective lengths, m² */
};

/* ---- the worst case ---- */

/* Return a power density d, in W/Hz, for the worst case of a carrier; `cut` is its format.  Light of density d in the
 * whole band outside the carrier's slots interferes with it at least as much as any carriers of the table's formats
 * there. */
static double densest(const struct rwa_transmission *t, const rwa_modulation *cut)
{
    /*
     * A carrier of power density d interferes by d² times the integral of k(f) = 1/sqrt(1 + x² f²) over its band
     * (fiber_interference(); f from the centre of `cut`, x = fiber_walk_off()).  Its band is the middle of its slots,
     * of which it fills the part `fill`.  Where k is convex, x f >= 1/sqrt(2), its mean over the middle of an interval
     * is at most its mean over the whole interval.  So the integral over the band is at most fill times the integral
     * over the slots.  If k is not convex everywhere outside the slots of `cut`, fill is taken as 1.  Slots do not
     * overlap, so with the largest d² * fill of all formats the integral over the whole band bounds the sum.
     */
    double most = 0;
    bool convex = fiber_walk_off(t->profile, cut->baud) * cut->slots * RWA_SLOT_HZ / 2 >= sqrt(0.5);
    for (size_t i = 0; i < t->table->count; i++) {
        const rwa_modulation *m = &t->table->list[i];
        double density = fiber_density(rwa_fiber_profile_launch_dbm(t->profile, m->baud), m->baud);
        double fill = convex ? m->baud / (m->slots * RWA_SLOT_HZ) : 1;
        most = fmax(most, density * density * fill);
    }
    return sqrt(most);
}

/* Return the nonlinear interference on a carrier of format `m`, as fiber_interference() does, if other carriers fill
 * the rest of the band.  The carrier's slots begin at slot `at` of the band, from 0; its power density is `own`.  The
 * power density of the other carriers is `others`; both are in W/Hz. */
static double interference_at(const struct rwa_transmission *t, const rwa_modulation *m, double own, double others,
                              double at)
{
    double below = -RWA_SLOT_HZ * (at + m->slots / 2.0), above = RWA_SLOT_HZ * (t->slots - at - m->slots / 2.0);
    double half = m->slots * RWA_SLOT_HZ / 2, f = rwa_fiber_profile_first_hz(t->profile) - below;
    return fiber_interference(t->profile, f, m->baud, own, -m->baud / 2, m->baud / 2, 1) +
           fiber_interference(t->profile, f, m->baud, others, below, -half, 2) +
           fiber_interference(t->profile, f, m->baud, others, half, above, 2);
}

static void find_worst(struct worst_case *worst, const struct rwa_transmission *t, const rwa_modulation *m)
{
    const rwa_fiber_profile *profile = t->profile;
    double launch_dbm = rwa_fiber_profile_launch_dbm(profile, m->baud);
    double own = fiber_density(launch_dbm, m->baud), others = densest(t, m);
    double top = rwa_fiber_profile_first_hz(profile) + RWA_SLOT_HZ * (t->slots - m->slots / 2.0);
    *worst = (struct worst_case){.amplifiers = fiber_amplifier_noise(top, m->baud, launch_dbm, 0, 0),
                                 .transmitter = fiber_transmitter(profile, m->baud).transmitter};
    for (uint32_t at = 0; at / 2.0 + m->slots <= t->slots; at++)    /* in the middle of a fixed channel half slots
                                                                       occur */
        worst->interference = fmax(worst->interference, interference_at(t, m, own, others, at / 2.0));
}

/* Return the noise of a route in the worst case, without that of the transmitter, divided by the signal power. */
static double worst_noise(const struct worst_case *worst, const struct route_sums *sums)
{
    return worst->amplifiers * (sums->losses + sums->nodes) + worst->interference * sums->effective;
}

/* ---- create ---- */

static rwa_status check_table(const rwa_modulations *table, bool by_reach, rwa_error *err)
{
    for (size_t i = 0; i < table->count; i++) {
        const rwa_modulation *m = &table->list[i];
        if (by_reach && isnan(m->reach_km))
            return base_refuse(err, "format %s of table %s has no reach, expected one or a fibre profile", m->name,
                               table->profile.name);
        if (!by_reach && isnan(m->required_gsnr_db))
            return base_refuse(err, "format %s of table %s has no required GSNR, expected gsnr_db or osnr_db", m->name,
                               table->profile.name);
    }
    return RWA_OK;
}

/* Return copies, in the arena, of the name and the description of a profile. */
static struct profile copy_names(struct arena *memory, const struct profile *from)
{
    return (struct profile){.name = arena_copy_text(memory, from->name),
                            .description = arena_copy_text(memory, from->description)};
}

static rwa_status copy_table(struct rwa_transmission *t, const rwa_modulations *table)
{
    if (!arena_copy(&t->memory, t->table, table, 1))
        return RWA_NOMEM;
    t->table->profile = copy_names(&t->memory, &table->profile);
    arena_copy(&t->memory, t->table->list, table->list, table->count);
    for (size_t i = 0; t->table->list && i < table->count; i++)
        t->table->list[i].name = arena_copy_text(&t->memory, table->list[i].name);
    return arena_status(&t->memory);
}

static rwa_status use_profile(struct rwa_transmission *t, const rwa_fiber_profile *profile, rwa_error *err)
{
    if (t->slots == 0)
        t->slots = rwa_fiber_profile_slots(profile);
    if (profile->first_ghz + t->slots * RWA_SLOT_HZ / 1e9 > FIBER_BAND_END_GHZ)
        return base_refuse(err, "%u slots from %g GHz, expected a band that ends at %d GHz or before", t->slots,
                           profile->first_ghz, FIBER_BAND_END_GHZ);
    arena_copy(&t->memory, t->profile, profile, 1);
    MUST(arena_arrays(&t->memory, t->table->count, t->worst));
    t->profile->profile = copy_names(&t->memory, &profile->profile);
    MUST(arena_status(&t->memory));
    if (profile->node_loss_db > 0)
        t->node_noise_ratio = fiber_ratio(profile->node_loss_db + profile->node_noise_figure_db);
    for (size_t i = 0; i < t->table->count; i++)
        find_worst(&t->worst[i], t, &t->table->list[i]);
    return RWA_OK;
}

rwa_status rwa_transmission_create(rwa_transmission **out, const rwa_modulations *table,
                                   const rwa_fiber_profile *profile, uint32_t slots, rwa_error *err)
{
    BEGIN_NEW(out, err, table);
    rwa_status st = RWA_OK;
    rwa_transmission *t;
    MUST(base_new(t, 1, err));
    TRY(check_table(table, !profile, err));
    t->memory.err = err;
    TRY(copy_table(t, table));
    t->slots = slots;
    if (profile)
        TRY(use_profile(t, profile, err));
    t->memory.err = NULL;   /* the caller's, which may not outlive it */
    *out = t;
    t = NULL;
done:
    rwa_transmission_free(t);
    return st;
}

void rwa_transmission_free(rwa_transmission *transmission)
{
    if (!transmission)
        return;
    arena_free(&transmission->memory);
    free(transmission);
}

GETTER(const rwa_modulations *, rwa_transmission_modulations, rwa_transmission, table)
GETTER(const rwa_fiber_profile *, rwa_transmission_profile, rwa_transmission, profile)

uint32_t rwa_transmission_channel_slots(const rwa_transmission *transmission)
{
    double width = transmission->profile ? transmission->profile->channel_ghz * 1e9 : CHANNEL_HZ;
    return (uint32_t)(width / RWA_SLOT_HZ + 0.5);
}

/** Return the number of fixed channels in the band of the profile; UINT32_MAX without a profile. */
static uint32_t fixed_channels(const rwa_transmission *transmission)
{
    return transmission->profile ? transmission->slots / rwa_transmission_channel_slots(transmission) : UINT32_MAX;
}

uint32_t transmission_band(const rwa_network *net, const rwa_transmission *transmission)
{
    return transmission->profile && rwa_network_slot_hz(net) > 0 ? rwa_fiber_profile_slots(transmission->profile)
                                                                  : fixed_channels(transmission);
}

/* ---- choose ---- */

/* Add the length and the noise of `spans` equal spans to those of a route.  If `behind_node`, the noise of the node
 * before the first span counts too. */
static void add_spans(struct route_sums *sums, const struct rwa_transmission *t, double spans, double span_km,
                      bool behind_node)
{
    sums->length_km += spans * span_km;
    if (!t->profile)
        return;
    sums->losses += spans * fiber_ratio(fiber_span_loss_db(t->profile, span_km) + t->profile->noise_figure_db);
    sums->effective += spans * fiber_effective_length_squared(t->profile, span_km);
    sums->nodes += behind_node ? t->node_noise_ratio : 0;
}

static void add_link(struct route_sums *sums, const struct rwa_transmission *t, double length_km)
{
    double spans = t->profile ? rwa_fiber_profile_spans(t->profile, length_km) : 1;
    add_spans(sums, t, spans, length_km / spans, true);
}

static void measure(rwa_modulation_choice *c, const struct rwa_transmission *t, const struct route_sums *sums)
{
    c->length_km = sums->length_km;
    c->gsnr_db = c->margin_db = NAN;
    if (!t->profile)
        return;
    c->gsnr_db = -fiber_db(worst_noise(&t->worst[c->modulation], sums) + t->worst[c->modulation].transmitter);
    c->margin_db = c->gsnr_db - t->table->list[c->modulation].required_gsnr_db - t->profile->margin_db;
}

int rwa_modulation_choice_reaches(const rwa_modulation_choice *choice, const rwa_transmission *transmission)
{
    assert(choice->modulation < transmission->table->count);
    return transmission->profile ? choice->margin_db >= 0
                                 : choice->length_km <= transmission->table->list[choice->modulation].reach_km;
}

/* Tell whether a choice is better than the best one so far: it takes fewer slots; or as many, and is more robust (lower
 * required GSNR, without a profile longer reach); or is equal in both, and has fewer carriers. */
static bool is_better(const struct rwa_transmission *t, const rwa_modulation_choice *c,
                      const rwa_modulation_choice *best)
{
    if (best->width == 0 || c->width != best->width)
        return best->width == 0 || c->width < best->width;
    const rwa_modulation *a = &t->table->list[c->modulation], *b = &t->table->list[best->modulation];
    double more = t->profile ? b->required_gsnr_db - a->required_gsnr_db : a->reach_km - b->reach_km;
    return more > 0 || (!(more < 0) && c->carriers < best->carriers);
}

static bool fits(rwa_modulation_choice *c, const struct rwa_transmission *t, size_t i, double rate_bps,
                 uint32_t most_slots)
{
    const rwa_modulation *m = &t->table->list[i];
    double carriers = ceil(rate_bps / m->rate_bps * (1 - 1e-12)), width = carriers * m->slots;
    if ((most_slots && width > most_slots) || width > (t->slots ? t->slots : UINT32_MAX))
        return false;
    c->modulation = (uint32_t)i;
    c->carriers = (uint32_t)carriers;
    c->width = (uint32_t)width;
    return true;
}

bool transmission_fits(const rwa_transmission *transmission, size_t i, double rate_bps, uint32_t most_slots)
{
    rwa_modulation_choice c;
    return fits(&c, transmission, i, rate_bps, most_slots);
}

double transmission_noise(const rwa_transmission *transmission, size_t i, double length_km)
{
    struct route_sums sums = {0};
    add_link(&sums, transmission, length_km);
    return transmission->profile ? worst_noise(&transmission->worst[i], &sums) : length_km;
}

double transmission_limit(const rwa_transmission *transmission, size_t i)
{
    const rwa_modulation *m = &transmission->table->list[i];
    if (!transmission->profile)
        return m->reach_km;
    return fiber_ratio(-m->required_gsnr_db - transmission->profile->margin_db) - transmission->worst[i].transmitter;
}

static void choose(rwa_modulation_choice *best, const struct rwa_transmission *t, const struct route_sums *sums,
                   double rate_bps, uint32_t most_slots)
{
    *best =
        (rwa_modulation_choice){.modulation = RWA_NONE, .length_km = sums->length_km, .gsnr_db = NAN, .margin_db = NAN};
    for (size_t i = 0; i < t->table->count; i++) {
        rwa_modulation_choice c = {0};
        if (!fits(&c, t, i, rate_bps, most_slots))
            continue;
        assert(c.width > 0 && c.carriers > 0);
        measure(&c, t, sums);
        if (rwa_modulation_choice_reaches(&c, t) && is_better(t, &c, best))
            *best = c;
    }
}

static rwa_status check_rate(double rate_bps, rwa_error *err)
{
    if (rate_bps > 0 && isfinite(rate_bps))
        return RWA_OK;
    return base_refuse(err, "rate_bps %g, expected above 0", rate_bps);
}

rwa_status rwa_transmission_choose(rwa_modulation_choice *out, const rwa_transmission *transmission,
                                   const double *length_km, size_t links, double rate_bps, uint32_t most_slots,
                                   rwa_error *err)
{
    BEGIN(err, out, transmission, !links || length_km);
    struct route_sums sums = {0};
    MUST(check_rate(rate_bps, err));
    for (size_t i = 0; i < links; i++) {
        if (!(length_km[i] > 0 && isfinite(length_km[i])))
            return base_refuse(err, "link %zu of the route: length_km %g, expected above 0", i, length_km[i]);
        add_link(&sums, transmission, length_km[i]);
    }
    choose(out, transmission, &sums, rate_bps, most_slots);
    return RWA_OK;
}

rwa_status rwa_transmission_worst_case(rwa_modulation_choice *out, const rwa_transmission *transmission,
                                       const rwa_span *spans, size_t span_count, size_t modulation, rwa_error *err)
{
    BEGIN(err, out, transmission, !span_count || spans);
    struct route_sums sums = {0};
    if (modulation >= transmission->table->count)
        return base_refuse(err, "format %zu, expected less than %zu", modulation, transmission->table->count);
    MUST(fiber_check_spans(spans, span_count, err));
    for (size_t k = 0; k < span_count; k++)
        add_spans(&sums, transmission, 1, spans[k].length_km, spans[k].behind_node);
    *out = (rwa_modulation_choice){.modulation = (uint32_t)modulation, .carriers = 1,
                                   .width = transmission->table->list[modulation].slots};
    measure(out, transmission, &sums);
    return RWA_OK;
}

rwa_status rwa_transmission_choose_route(rwa_modulation_choice *out, const rwa_transmission *transmission,
                                         const rwa_network *net, const uint32_t *links, size_t hops, double rate_bps,
                                         uint32_t most_slots, rwa_error *err)
{
    BEGIN(err, out, transmission, net, !hops || links);
    struct route_sums sums = {0};
    MUST(check_rate(rate_bps, err));
    for (size_t i = 0; i < hops; i++) {
        if (links[i] >= rwa_network_links(net))
            return base_refuse(err, "link %u: the network has %u directed links", links[i], rwa_network_links(net));
        rwa_link link = rwa_network_link(net, links[i]);
        if (!(link.length_km > 0))
            return base_refuse(err, "link %u from node %u to %u has no length, expected one in km", links[i], link.from,
                               link.to);
        add_link(&sums, transmission, link.length_km);
    }
    choose(out, transmission, &sums, rate_bps, most_slots);
    return RWA_OK;
}
