/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The checker's own computation of signal to noise, for every carrier of an assignment among the others on its
 * fibres. It uses the numbers of the profile and the table of formats, but none of the planning functions.  Noise
 * of an amplifier: h f F G per hertz; nonlinear interference: P. Poggiolini et al., JLT 32(4), 2014, incoherent GN
 * model, with power spectral densities.
 */
#include "check/check.h"
#include "check/physics/gsnr.h"

#include "assignment/assignment.h"
#include "fiber/fiber.h"

#define CIRCLE 6.283185307179586        /* 2 pi */
#define QUANTUM 6.62607015e-34          /* J s */
#define VACUUM 299792458.0              /* m/s */
#define REFERENCE_HZ (VACUUM / 1550e-9)
#define CORE_UM 4.2

/* A carrier on one fibre of one link. */
struct checked_signal {
    double hz, baud, density;   /* W/Hz */
    uint64_t key;               /* link of the model, then fibre */
    uint32_t route, number;     /* its route, and its number among the route's carriers */
    double km;
};

struct gsnr_checker {
    rwa_check_report *report;
    const rwa_assignment *r;
    const rwa_transmission *t;
    const rwa_fiber_profile *fiber;     /* NULL: by reach */
    struct checked_signal *signals;
    size_t count, capacity;
    double *noise;              /* for each carrier of each route: noise density divided by signal density */
    size_t *first;              /* for each route: where its carriers begin in `noise`; and the end */
    uint32_t step;              /* of a schedule; 0: an assignment */
    uint64_t index;             /* the number of its first lightpath in the schedule */
    rwa_error *err;
};

static rwa_violation route_violation(const struct gsnr_checker *chk, uint64_t i)
{
    rwa_violation violation = {.kind = RWA_VIOLATION_POWER,
                               .step = chk->step,
                               .lightpath = chk->index + i,
                               .link = RWA_NO_INDEX,
                               .wavelength = RWA_NO_INDEX};
    int before = chk->step > 0 ? snprintf(violation.text, sizeof violation.text, "step %u: ", chk->step) : 0;
    snprintf(violation.text + before, sizeof violation.text - (size_t)before, "lightpath %" PRIu64, chk->index + i);
    return violation;
}

#define report_route(chk, i, ...) report_add((chk)->report, 0, route_violation((chk), i), __VA_ARGS__)

/* ---- the lightpaths ---- */

/* Find the modulation format of a route.  Return false if a violation was reported, or if the route carries no
 * signal. */
static bool format_of(rwa_modulation *m, struct gsnr_checker *chk, uint64_t i)
{
    const char *name = rwa_assignment_modulation(chk->r, i);
    const rwa_modulations *table = rwa_transmission_modulations(chk->t);
    if (chk->r->routes[i].hops == 0 || chk->r->routes[i].down || chk->r->routes[i].role == RWA_SHARED_BACKUP)
        return false;
    if (!name) {
        report_route(chk, i, " names no modulation format");
        return false;
    }
    for (size_t k = 0; k < table->count; k++) {
        *m = table->list[k];
        if (strcmp(m->name, name) == 0)
            return true;
    }
    report_route(chk, i, " is modulated by %.64s, which table %.64s does not have", name, table->name);
    return false;
}

/* Return the first of the slots that a route may fill on a hop, as a position on the grid.  *width gets the number of
 * slots. */
static double slots_of(uint32_t *width, const struct gsnr_checker *chk, uint64_t i, uint32_t wavelength)
{
    uint32_t channel = (uint32_t)lround(chk->fiber ? chk->fiber->channel_ghz / 12.5 : CHANNEL_HZ / RWA_SLOT_HZ);
    bool flexible = rwa_network_slot_hz(chk->r->net) > 0;
    *width = flexible ? rwa_assignment_width(chk->r, i) : channel;
    return flexible ? wavelength : (double)wavelength * channel;
}

/* Return the bit rate that a route must carry, in bit/s; 0 if it is unknown. */
static double rate_of(const struct gsnr_checker *chk, uint64_t i)
{
    const double *rates = rwa_demands_rates(chk->r->demands);
    if (rwa_network_slot_hz(chk->r->net) > 0)
        return rates ? rates[chk->r->routes[i].demand] : 0;
    return rwa_network_rate_bps(chk->r->net);
}

/* Return the number of carriers side by side that carry the rate of a route in a format; 0 after a violation was
 * reported. */
static uint32_t carriers_of(struct gsnr_checker *chk, uint64_t i, const rwa_modulation *m)
{
    uint32_t width, hold;
    double rate = rate_of(chk, i), need;
    slots_of(&width, chk, i, 0);
    hold = width / m->slots;
    need = rate > 0 ? ceil(rate / m->rate_bps - 1e-9) : hold;
    if (hold == 0 || need > hold) {
        report_route(chk, i, " has %u slots, too few for %g Gbit/s by %.64s", width, rate / 1e9, m->name);
        return 0;
    }
    return rwa_network_slot_hz(chk->r->net) > 0 ? hold : (uint32_t)fmax(need, 1);
}

static rwa_status add_signals(struct gsnr_checker *chk, uint64_t i, uint32_t k, const rwa_modulation *m,
                              uint32_t carriers)
{
    uint32_t width;
    rwa_route route = result_route(chk->r, i);
    uint32_t directed = rwa_assignment_link(chk->r, i, k), fiber = route.fibers ? route.fibers[k] : route.fiber;
    uint32_t link = chk->r->model == RWA_UNDIRECTED ? rwa_network_pair(chk->r->net, directed) : directed;
    double low = slots_of(&width, chk, i, route.wavelengths ? route.wavelengths[k] : route.wavelength);
    double watts = 1e-3 * pow(10, chk->fiber->launch_dbm / 10);
    if (!isnan(chk->fiber->launch_baud_gbd))
        watts *= m->baud / (chk->fiber->launch_baud_gbd * 1e9);
    MUST(base_reserve(chk->signals, chk->count + carriers, chk->capacity, chk->err));
    for (uint32_t c = 0; c < carriers; c++) {
        double middle = low + width / 2.0 + (c - (carriers - 1) / 2.0) * m->slots;
        chk->signals[chk->count++] = (struct checked_signal){.hz = chk->fiber->first_ghz * 1e9 + 12.5e9 * middle,
                                                     .baud = m->baud,
                                                     .density = watts / m->baud,
                                                     .key = (uint64_t)link << 32 | fiber,
                                                     .route = (uint32_t)i,
                                                     .number = c,
                                                     .km = rwa_network_link(chk->r->net, directed).length_km};
    }
    return RWA_OK;
}

static double km_of(const struct gsnr_checker *chk, uint64_t i)
{
    double km = 0;
    for (uint32_t k = 0; k < chk->r->routes[i].hops; k++) {
        double hop = rwa_network_link(chk->r->net, rwa_assignment_link(chk->r, i, k)).length_km;
        km = hop > 0 ? km + hop : NAN;
    }
    return km;
}

static rwa_status take_route(struct gsnr_checker *chk, uint64_t i, size_t *carriers)
{
    rwa_modulation m;
    *carriers = 0;
    if (!format_of(&m, chk, i))
        return RWA_OK;
    double km = km_of(chk, i);
    if (isnan(km))
        report_route(chk, i, " crosses a link without a length");
    else if (!chk->fiber && km > m.reach_km)
        report_route(chk, i, " of %.1f km is longer than the reach of %.64s, %.1f km", km, m.name, m.reach_km);
    if (isnan(km))
        return RWA_OK;
    *carriers = carriers_of(chk, i, &m);
    for (uint32_t k = 0; chk->fiber && *carriers > 0 && k < chk->r->routes[i].hops; k++)
        MUST(add_signals(chk, i, k, &m, (uint32_t)*carriers));
    return RWA_OK;
}

/* ---- noise ---- */

/* Return the area under 1/sqrt(1 + x² f²) from 0 to f, times x, given xf = x * f: the inverse hyperbolic sine, an odd
 * function. */
static double area(double xf)
{
    double size = fabs(xf), value = log(size + sqrt(size * size + 1));
    return xf < 0 ? -value : value;
}

/* Return the density of nonlinear interference on `to` from `by` in one span, divided by the signal density of `to`,
 * without the factor of the squared effective length. */
static double disturbance(const struct gsnr_checker *chk, const struct checked_signal *to,
                          const struct checked_signal *by, double loss, double beta)
{
    double distance = by->hz - to->hz, x = CIRCLE * CIRCLE / 4 * beta / loss * to->baud;
    double part = area(x * (distance + by->baud / 2)) - area(x * (distance - by->baud / 2));
    bool self = by->route == to->route && by->number == to->number;
    double area_um2 =
        1 / (1 / chk->fiber->effective_area_um2 + log(to->hz / REFERENCE_HZ) * 2 / (CIRCLE * CORE_UM * CORE_UM));
    double gamma = CIRCLE * to->hz / VACUUM * chk->fiber->nonlinear_index_m2_per_w / (area_um2 * 1e-12);
    return (self ? 16.0 : 32.0) / 27 * gamma * gamma * by->density * by->density * part * loss / (2 * CIRCLE * beta);
}

/* Return the noise density that a carrier collects on one link, divided by its signal density. */
static double collect(const struct gsnr_checker *chk, const struct checked_signal *to,
                      const struct checked_signal *from, const struct checked_signal *end)
{
    const rwa_fiber_profile *p = chk->fiber;
    double loss = p->fiber_db_per_km * log(10) / 1e4;                                             /* 1/m */
    double beta = p->dispersion_ps_nm_km * 1e-6 * 1550e-9 / (CIRCLE * REFERENCE_HZ);              /* s²/m */
    double spans = ceil(to->km / p->span_km - 1e-9), span_km = to->km / spans, sum = 0;
    double effective = (1 - exp(-loss * span_km * 1e3)) / loss;
    for (const struct checked_signal *by = from; by < end; by++)
        sum += disturbance(chk, to, by, loss, beta);
    double span_db = p->fiber_db_per_km * span_km + p->connector_db;
    double amplified = spans * pow(10, (span_db + p->noise_figure_db) / 10);
    if (p->node_loss_db > 0)
        amplified += pow(10, (p->node_loss_db + p->node_noise_figure_db) / 10);
    return QUANTUM * to->hz * amplified / to->density + spans * effective * effective * sum;
}

COMPARATOR(by_key, struct checked_signal, UP(key))

static void add_noise(struct gsnr_checker *chk)
{
    size_t from = 0, end;
    base_sort(chk->signals, chk->count, by_key);
    for (; from < chk->count; from = end) {
        for (end = from + 1; end < chk->count && chk->signals[end].key == chk->signals[from].key; end++)
            ;
        for (size_t k = from; k < end; k++) {
            const struct checked_signal *to = &chk->signals[k];
            chk->noise[chk->first[to->route] + to->number] += collect(chk, to, chk->signals + from, chk->signals + end);
        }
    }
}

/* ---- the verdict ---- */

static void give_verdict(struct gsnr_checker *chk, uint64_t i)
{
    rwa_check_report *report = chk->report;
    rwa_modulation m;
    double most = 0;
    if (chk->first[i] == chk->first[i + 1] || !format_of(&m, chk, i))
        return;
    for (size_t c = chk->first[i]; c < chk->first[i + 1]; c++)
        most = fmax(most, chk->noise[c]);
    if (!isnan(chk->fiber->transmitter_osnr_db))
        most += m.baud / 12.5e9 / pow(10, chk->fiber->transmitter_osnr_db / 10);
    double gsnr = -10 * log10(most), margin = gsnr - m.required_gsnr_db - chk->fiber->margin_db;
    report->gsnr_checked++;
    if (chk->index + i == report->gsnr_lightpath) {
        report->gsnr_db = gsnr;
        report->gsnr_needed_db = gsnr - margin;
    }
    if (!(margin >= report->gsnr_margin_db)) {  /* NaN before the first lightpath */
        report->gsnr_margin_db = margin;
        report->worst_gsnr_db = gsnr;
        report->worst_gsnr_lightpath = chk->index + i;
    }
    if (margin < 0)
        report_route(chk, i, ": GSNR %.2f dB, %.64s needs %.2f dB", gsnr, m.name,
                     m.required_gsnr_db + chk->fiber->margin_db);
}

static rwa_status check_routes(struct gsnr_checker *chk)
{
    for (uint64_t i = 0; i < chk->r->count; i++) {
        size_t carriers = 0;
        MUST(take_route(chk, i, &carriers));
        chk->first[i + 1] = chk->first[i] + (chk->fiber ? carriers : 0);
    }
    if (!chk->fiber)
        return RWA_OK;
    MUST(base_new(chk->noise, chk->first[chk->r->count], chk->err));
    add_noise(chk);
    for (uint64_t i = 0; i < chk->r->count; i++)
        give_verdict(chk, i);
    return RWA_OK;
}

rwa_status check_step_gsnr(rwa_check_report *report, const rwa_assignment *result, const rwa_transmission *transmission,
                           uint32_t step, uint64_t index, rwa_error *err)
{
    struct gsnr_checker chk = {.report = report,
                               .r = result,
                               .t = transmission,
                               .fiber = rwa_transmission_profile(transmission),
                               .step = step,
                               .index = index,
                               .err = err};
    rwa_status st = RWA_NOMEM;
    chk.first = base_array(result->count + 1, sizeof *chk.first, err);
    if (chk.first)
        st = check_routes(&chk);
    free_all(chk.signals, chk.noise, chk.first);
    return st;
}

rwa_status check_gsnr(rwa_check_report *report, const rwa_assignment *result, const rwa_transmission *transmission,
                      rwa_error *err)
{
    report->gsnr_margin_db = report->worst_gsnr_db = NAN;
    report->worst_gsnr_lightpath = RWA_NO_INDEX;
    rwa_status st = check_step_gsnr(report, result, transmission, 0, 0, err);
    report->ok = report->violations == 0;
    return st;
}
