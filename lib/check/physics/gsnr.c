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

static rwa_violation route_violation(const struct gsnr_checker *chk, uint64_t number)
{
    rwa_violation violation = {.kind = RWA_VIOLATION_POWER,
                               .step = chk->step,
                               .lightpath = number,
                               .link = RWA_NO_INDEX,
                               .wavelength = RWA_NO_INDEX};
    int before = chk->step > 0 ? snprintf(violation.text, sizeof violation.text, "step %u: ", chk->step) : 0;
    snprintf(violation.text + before, sizeof violation.text - (size_t)before, "lightpath %" PRIu64, number);
    return violation;
}

#define report_route(chk, i, ...) report_add((chk)->report, 0, route_violation((chk), i), __VA_ARGS__)

/* ---- the lightpaths ---- */

/* Return the width, in slots of 12.5 GHz, of the spectrum that a lightpath may fill: its slots on a flexible grid,
 * else a fixed channel. */
static uint32_t width_of(const struct gsnr_checker *chk, const struct gsnr_path *p)
{
    bool flexible = rwa_network_slot_hz(chk->net) > 0;
    double channel = chk->fiber ? chk->fiber->channel_ghz / 12.5 : CHANNEL_HZ / RWA_SLOT_HZ;
    return flexible ? p->width : (uint32_t)lround(channel);
}

/* Return how many carriers of a format a lightpath has side by side: on a flexible grid as many as fit its slots, else
 * as many as its rate needs.  0, after a report, if those that fit cannot carry the rate. */
static uint32_t carriers_of(struct gsnr_checker *chk, const struct gsnr_path *p, const rwa_modulation *m)
{
    uint32_t width = width_of(chk, p), hold = width / m->slots;
    double need = p->rate_bps > 0 ? ceil(p->rate_bps / m->rate_bps - 1e-9) : hold;
    if (hold == 0 || need > hold) {
        report_route(chk, p->number, " has %u slots, too few for %g Gbit/s by %.64s", width, p->rate_bps / 1e9,
                     m->name);
        return 0;
    }
    return rwa_network_slot_hz(chk->net) > 0 ? hold : (uint32_t)fmax(need, 1);
}

/* Add to chk->signals the optical carriers of the lightpath that was added last, on hop k (from 0) of its path.
 * RWA_NOMEM. */
static rwa_status add_signals(struct gsnr_checker *chk, const struct gsnr_path *p, uint32_t k)
{
    const struct checked_route *route = &chk->routes[chk->route_count - 1];
    const rwa_modulation *m = &route->m;
    uint32_t link = p->links[k], fiber = p->fibers ? p->fibers[k] : p->fiber, width = width_of(chk, p),
             wavelength = p->wavelengths ? p->wavelengths[k] : p->wavelength;
    uint64_t carrier = chk->undirected ? rwa_network_pair(chk->net, link) : link;
    double low = rwa_network_slot_hz(chk->net) > 0 ? wavelength : (double)wavelength * width,
           watts = 1e-3 * pow(10, chk->fiber->launch_dbm / 10);
    if (!isnan(chk->fiber->launch_baud_gbd))
        watts *= m->baud / (chk->fiber->launch_baud_gbd * 1e9);
    for (uint32_t c = 0; c < route->carriers; c++) {
        double middle = low + width / 2.0 + (c - (route->carriers - 1) / 2.0) * m->slots;
        struct checked_signal signal = {.hz = chk->fiber->first_ghz * 1e9 + 12.5e9 * middle,
                                        .baud = m->baud,
                                        .density = watts / m->baud,
                                        .key = carrier << 32 | fiber,
                                        .noise = route->first + c,
                                        .km = rwa_network_link(chk->net, link).length_km};
        MUST(base_append(chk->signals, chk->count, chk->err, signal));
    }
    return RWA_OK;
}

rwa_status gsnr_take(struct gsnr_checker *chk, const struct gsnr_path *p, const rwa_modulation *m)
{
    double km = 0;
    for (uint32_t k = 0; k < p->hops; k++) {
        double hop = rwa_network_link(chk->net, p->links[k]).length_km;
        km = hop > 0 ? km + hop : NAN;
    }
    if (isnan(km)) {
        report_route(chk, p->number, " crosses a link without a length");
        return RWA_OK;
    }
    if (!chk->fiber && km > m->reach_km)
        report_route(chk, p->number, " of %.1f km is longer than the reach of %.64s, %.1f km", km, m->name,
                     m->reach_km);
    struct checked_route route = {*m, p->number, chk->carriers, carriers_of(chk, p, m)};
    if (!chk->fiber || route.carriers == 0)
        return RWA_OK;
    chk->carriers += route.carriers;
    MUST(base_append(chk->routes, chk->route_count, chk->err, route));
    for (uint32_t k = 0; k < p->hops; k++)
        MUST(add_signals(chk, p, k));
    return RWA_OK;
}

/* ---- noise ---- */

/* Return the inverse hyperbolic sine of xf.  If xf = x * f, it is x times the area under 1 / sqrt(1 + x² t²) for t
 * from 0 to f. */
static double area(double xf)
{
    double size = fabs(xf), value = log(size + sqrt(size * size + 1));
    return xf < 0 ? -value : value;
}

/* Return the density of the nonlinear interference that carrier `by` causes to carrier `to` in one span, divided by
 * the signal density of `to` and by the square of the effective length.  `loss`: 1/m; `beta`, the dispersion: s²/m. */
static double disturbance(const struct gsnr_checker *chk, const struct checked_signal *to,
                          const struct checked_signal *by, double loss, double beta)
{
    double distance = by->hz - to->hz, x = CIRCLE * CIRCLE / 4 * beta / loss * to->baud;
    double part = area(x * (distance + by->baud / 2)) - area(x * (distance - by->baud / 2));
    bool self = by->noise == to->noise;
    double area_um2 =
        1 / (1 / chk->fiber->effective_area_um2 + log(to->hz / REFERENCE_HZ) * 2 / (CIRCLE * CORE_UM * CORE_UM));
    double gamma = CIRCLE * to->hz / VACUUM * chk->fiber->nonlinear_index_m2_per_w / (area_um2 * 1e-12);
    return (self ? 16.0 : 32.0) / 27 * gamma * gamma * by->density * by->density * part * loss / (2 * CIRCLE * beta);
}

/* Return the noise density that carrier `to` collects on one link, divided by its signal density: noise of amplifiers,
 * and interference by the carriers of the link's fibre, which are `from` … `end` - 1. */
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
            chk->noise[to->noise] += collect(chk, to, chk->signals + from, chk->signals + end);
        }
    }
}

/* ---- the verdict ---- */

static void give_verdict(struct gsnr_checker *chk, const struct checked_route *route)
{
    rwa_check_report *report = chk->report;
    double most = 0;
    for (size_t c = route->first; c < route->first + route->carriers; c++)
        most = fmax(most, chk->noise[c]);
    if (!isnan(chk->fiber->transmitter_osnr_db))
        most += route->m.baud / 12.5e9 / pow(10, chk->fiber->transmitter_osnr_db / 10);
    double gsnr = -10 * log10(most), margin = gsnr - route->m.required_gsnr_db - chk->fiber->margin_db;
    report->gsnr_checked++;
    if (route->number == report->gsnr_lightpath) {
        report->gsnr_db = gsnr;
        report->gsnr_needed_db = gsnr - margin;
    }
    if (!(margin >= report->gsnr_margin_db)) {  /* NaN before the first lightpath */
        report->gsnr_margin_db = margin;
        report->worst_gsnr_db = gsnr;
        report->worst_gsnr_lightpath = route->number;
    }
    if (margin < 0)
        report_route(chk, route->number, ": GSNR %.2f dB, %.64s needs %.2f dB", gsnr, route->m.name,
                     route->m.required_gsnr_db + chk->fiber->margin_db);
}

rwa_status gsnr_judge(struct gsnr_checker *chk)
{
    if (chk->route_count == 0)
        return RWA_OK;
    MUST(base_new(chk->noise, chk->carriers, chk->err));
    add_noise(chk);
    for (size_t i = 0; i < chk->route_count; i++)
        give_verdict(chk, &chk->routes[i]);
    free(chk->noise);
    chk->count = chk->route_count = chk->carriers = 0;
    return RWA_OK;
}

void gsnr_release(struct gsnr_checker *chk)
{
    free_all(chk->signals, chk->routes);
}

/* ---- assignments ---- */

/* Return the modulation format of route i of an assignment; NULL, after a report, if it names none of the table. */
static const rwa_modulation *format_of(struct gsnr_checker *chk, const rwa_assignment *r, uint64_t i)
{
    const char *name = rwa_assignment_modulation(r, i);
    const rwa_modulations *table = rwa_transmission_modulations(chk->t);
    uint32_t number = name ? rwa_modulations_find(table, name) : RWA_NONE;
    if (number != RWA_NONE)
        return &table->list[number];
    if (name)
        report_route(chk, i, " is modulated by %.64s, which table %.64s does not have", name,
                     rwa_modulations_name(table));
    else
        report_route(chk, i, " names no modulation format");
    return NULL;
}

static rwa_status take_route(struct gsnr_checker *chk, const rwa_assignment *r, uint64_t i)
{
    const double *rates = rwa_demands_rates(r->demands);
    rwa_route route = result_route(r, i);
    bool dark = route.hops == 0 || route.down || route.role == RWA_SHARED_BACKUP;
    const rwa_modulation *m = dark ? NULL : format_of(chk, r, i);
    uint32_t *links;
    if (!m)
        return RWA_OK;
    MUST(base_new(links, route.hops, chk->err));
    for (uint32_t k = 0; k < route.hops; k++)
        links[k] = rwa_assignment_link(r, i, k);
    struct gsnr_path path = {i, route.hops, route.fiber, route.wavelength, links, route.fibers, route.wavelengths,
                             rwa_assignment_width(r, i), rwa_network_rate_bps(r->net)};
    if (rwa_network_slot_hz(r->net) > 0)
        path.rate_bps = rates ? rates[route.demand] : 0;
    rwa_status st = gsnr_take(chk, &path, m);
    free(links);
    return st;
}

rwa_status check_gsnr(rwa_check_report *report, const rwa_assignment *result, const rwa_transmission *transmission,
                      rwa_error *err)
{
    struct gsnr_checker chk = gsnr_begin(report, result->net, transmission, err);
    rwa_status st = RWA_OK;
    chk.undirected = result->model == RWA_UNDIRECTED;
    for (uint64_t i = 0; i < result->count; i++)
        TRY(take_route(&chk, result, i));
    TRY(gsnr_judge(&chk));
done:
    gsnr_release(&chk);
    report->ok = report->violations == 0;
    return st;
}

struct gsnr_checker gsnr_begin(rwa_check_report *report, const rwa_network *net, const rwa_transmission *t,
                               rwa_error *err)
{
    report->gsnr_margin_db = report->worst_gsnr_db = NAN;
    report->worst_gsnr_lightpath = RWA_NO_INDEX;
    return (struct gsnr_checker){
        .report = report, .net = net, .t = t, .fiber = rwa_transmission_profile(t), .err = err};
}
