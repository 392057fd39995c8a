/* SPDX-License-Identifier: GPL-3.0-or-later */
/** GSNR of given carriers behind given spans. */
#include "fiber/fiber.h"

#define MOST_BAUD 1e12
#define MOST_SPAN_KM 1e3

static rwa_status check_carriers(const rwa_carrier *carriers, size_t count, rwa_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const rwa_carrier *c = &carriers[i];
        if (!(c->frequency_hz >= FIBER_BAND_BEGIN_GHZ * 1e9 && c->frequency_hz <= FIBER_BAND_END_GHZ * 1e9))
            return base_refuse(err, "carrier %zu: frequency_hz %g, expected 180e12 to 215e12", i, c->frequency_hz);
        if (!(c->baud > 0 && c->baud <= MOST_BAUD))
            return base_refuse(err, "carrier %zu: baud %g, expected above 0 and at most 1e12", i, c->baud);
        if (!(fabs(c->launch_dbm) <= 100))
            return base_refuse(err, "carrier %zu: launch_dbm %g, expected -100 to 100", i, c->launch_dbm);
    }
    return RWA_OK;
}

COMPARATOR(by_frequency, rwa_carrier, UP(frequency_hz))

/* Return RWA_BADARG if two carriers overlap.  Neighbours may touch, up to the rounding of their frequencies. */
static rwa_status check_overlap(const rwa_carrier *carriers, size_t count, rwa_error *err)
{
    rwa_carrier *sorted;
    rwa_status st = RWA_OK;
    MUST(base_new(sorted, count, err));
    memcpy(sorted, carriers, count * sizeof *sorted);
    base_sort(sorted, count, by_frequency);
    for (size_t i = 1; i < count && st == RWA_OK; i++)
        if (sorted[i].frequency_hz - sorted[i - 1].frequency_hz <
            (sorted[i].baud + sorted[i - 1].baud) / 2 * (1 - 1e-9))
            st = base_refuse(err, "the carriers at %.6f and %.6f THz overlap", sorted[i - 1].frequency_hz / 1e12,
                             sorted[i].frequency_hz / 1e12);
    free(sorted);
    return st;
}

rwa_status fiber_check_spans(const rwa_span *spans, size_t count, rwa_error *err)
{
    if (count == 0)
        return base_refuse(err, "no span, expected at least one");
    for (size_t i = 0; i < count; i++)
        if (!(spans[i].length_km > 0 && spans[i].length_km <= MOST_SPAN_KM))
            return base_refuse(err, "span %zu: length_km %g, expected above 0 and at most 1000", i, spans[i].length_km);
    return RWA_OK;
}

static rwa_status check(const rwa_span *spans, size_t span_count, const rwa_carrier *carriers, size_t count,
                        rwa_error *err)
{
    if (count == 0)
        return base_refuse(err, "no carrier, expected at least one");
    MUST(fiber_check_spans(spans, span_count, err));
    MUST(check_carriers(carriers, count, err));
    return check_overlap(carriers, count, err);
}

rwa_status rwa_gsnr_along(rwa_gsnr *out, const rwa_fiber_profile *profile, const rwa_span *spans, size_t span_count,
                          const rwa_carrier *carriers, size_t count, size_t carrier, rwa_error *err)
{
    BEGIN(err, out, profile, !span_count || spans, !count || carriers);
    double length_km = 0;
    if (carrier >= count)
        return base_refuse(err, "carrier %zu, expected less than %zu", carrier, count);
    MUST(check(spans, span_count, carriers, count, err));
    double interference = fiber_interference_of(profile, carriers, count, carrier);
    struct noise noise = fiber_transmitter(profile, carriers[carrier].baud);
    for (size_t k = 0; k < span_count; k++) {
        fiber_add_span(&noise, profile, &carriers[carrier], &spans[k], interference);
        length_km += spans[k].length_km;
        fiber_gsnr(&out[k], &noise, carriers[carrier].baud, length_km);
    }
    return RWA_OK;
}

rwa_status rwa_gsnr_line(rwa_gsnr *out, const rwa_fiber_profile *profile, const rwa_span *spans, size_t span_count,
                         const rwa_carrier *carriers, size_t count, rwa_error *err)
{
    BEGIN(err, !count || out, profile, !span_count || spans, !count || carriers);
    double length_km = 0;
    MUST(check(spans, span_count, carriers, count, err));
    for (size_t k = 0; k < span_count; k++)
        length_km += spans[k].length_km;
    for (size_t i = 0; i < count; i++) {
        double interference = fiber_interference_of(profile, carriers, count, i);
        struct noise noise = fiber_transmitter(profile, carriers[i].baud);
        for (size_t k = 0; k < span_count; k++)
            fiber_add_span(&noise, profile, &carriers[i], &spans[k], interference);
        fiber_gsnr(&out[i], &noise, carriers[i].baud, length_km);
    }
    return RWA_OK;
}
