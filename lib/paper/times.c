/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Computes communication times as the papers count them: every step takes the time of its data, of the reconfiguration
 *  and of O/E/O conversion. */
#include "paper/paper.h"

/** Both papers assume 40 Gbit/s for each wavelength; the other numbers are the defaults of the cost model. */
#define OPTICAL_BPS 40e9
/** WRHT, Section IV-A; a parameter is a float32. */
const struct paper_model paper_models[PAPER_MODELS] = {
    {"AlexNet", 4 * 62.3e6}, {"VGG16", 4 * 138e6}, {"ResNet50", 4 * 25e6}, {"GoogLeNet", 4 * 6.7977e6}};

static double optical_s(double steps, double bytes)
{
    assert(steps >= 0 && bytes >= 0);
    return rwa_cost_steps((uint64_t)steps, (uint64_t)ceil(bytes), OPTICAL_BPS, NULL);
}

static bool is_electrical(const char *scheme)
{
    return strncmp(scheme, "e-", 2) == 0;
}

/** Return the seconds of H-Ring in `steps` steps, on N nodes in groups of g.  The rings inside groups send 1/g of the
 *  vector in each of their 2 (g - 1) steps, the rings between groups 1/N of it in each of the other steps. */
static double h_ring_s(double steps, double bytes, uint32_t nodes, uint32_t group)
{
    double inside = 2.0 * (group - 1);
    return optical_s(inside, bytes / group) + optical_s(steps - inside, bytes / nodes);
}

double paper_time_s(const struct reproduction *r, const struct setting *s, double bytes)
{
    rwa_formula f;
    if (is_electrical(s->scheme))
        return (strcmp(s->scheme, "e-ring") == 0 ? paper_electrical_ring_s : paper_electrical_doubling_s)(
            s->nodes, (uint64_t)bytes);
    double steps = paper_formula_steps(&f, r, s);
    if (isnan(steps))
        return NAN;
    if (s->collective == RWA_ALL_REDUCE && strcmp(s->scheme, "h-ring") == 0)
        return h_ring_s(steps, bytes, s->nodes, s->parameter);
    bool shares = s->collective == RWA_ALL_REDUCE && strcmp(s->scheme, "ring") == 0;
    return optical_s(steps, shares ? bytes / s->nodes : bytes);
}

double paper_schedule_time_s(const struct known_schedule *schedule, double bytes)
{
    return schedule->steps > 0 ? optical_s(schedule->steps, bytes / schedule->parts) : NAN;
}

rwa_status paper_times(double seconds[2], struct reproduction *r, const struct setting *s, double bytes)
{
    struct known_schedule k;
    seconds[0] = seconds[1] = paper_time_s(r, s, bytes);
    if (is_electrical(s->scheme))
        return RWA_OK;
    MUST(paper_schedule(&k, r, s));
    seconds[1] = paper_schedule_time_s(&k, bytes);
    return RWA_OK;
}

rwa_status paper_time_saved(rwa_paper_row *row, struct reproduction *r, const struct paper_cell *c)
{
    static const uint32_t optical[] = {1024, 2048, 3072, 4096}, electrical[] = {128, 256, 512, 1024};
    const uint32_t *sizes = strcmp(c->setting.variant, "optical") == 0 ? optical : electrical;
    double saved[2] = {0, 0};
    snprintf(row->formula_name, sizeof row->formula_name, "WRHT, equation (1)");
    for (size_t n = 0; n < 4; n++)
        for (size_t m = 0; m < PAPER_MODELS; m++) {
            uint32_t wavelengths = c->setting.wavelengths;
            struct setting ours = paper_setting(c->setting.scheme, RWA_ALL_REDUCE, sizes[n], wavelengths);
            struct setting theirs = paper_setting(c->against, RWA_ALL_REDUCE, sizes[n], wavelengths);
            double a[2], b[2];
            MUST(paper_times(a, r, &ours, paper_models[m].bytes));
            MUST(paper_times(b, r, &theirs, paper_models[m].bytes));
            for (size_t i = 0; i < 2; i++)
                saved[i] += 100 * (1 - a[i] / b[i]) / (4 * PAPER_MODELS);
        }
    row->formula = saved[0];
    row->schedule = saved[1];
    return RWA_OK;
}
