/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Communication times as the papers count them: every step pays its data, the reconfiguration and O/E/O. */
#include "paper/paper.h"

/** Both papers: 40 Gbit/s a wavelength; the rest are the defaults of the cost model. */
#define OPTICAL_BPS 40e9
/** WRHT, Section IV-A; a parameter is a float32. */
const struct paper_model paper_models[PAPER_MODELS] = {
    {"AlexNet", 4 * 62.3e6}, {"VGG16", 4 * 138e6}, {"ResNet50", 4 * 25e6}, {"GoogLeNet", 4 * 6.7977e6}};

static double optical_s(double steps, double bytes)
{
    assert(steps >= 0 && bytes >= 0);
    return rwa_cost_steps((uint64_t)steps, (uint64_t)ceil(bytes), OPTICAL_BPS, NULL);
}

bool paper_is_electrical(const char *scheme)
{
    return strncmp(scheme, "e-", 2) == 0;
}

/** Rings inside groups of g move 1/g of the vector, the rings between groups 1/N of it. */
static double h_ring_s(double steps, double bytes, uint32_t nodes, uint32_t group)
{
    double inside = 2.0 * (group - 1);
    return optical_s(inside, bytes / group) + optical_s(steps - inside, bytes / nodes);
}

double paper_time_s(const struct setting *s, double bytes, rwa_error *err)
{
    const char *source = NULL;
    if (paper_is_electrical(s->scheme))
        return rwa_cost_electrical(strcmp(s->scheme, "e-ring") == 0 ? RWA_ELECTRICAL_RING : RWA_ELECTRICAL_DOUBLING,
                                   s->nodes, (uint64_t)bytes, NULL);
    double steps = paper_formula_steps(s, &source, err);
    if (isnan(steps))
        return NAN;
    if (s->collective == RWA_ALL_REDUCE && strcmp(s->scheme, "h-ring") == 0)
        return h_ring_s(steps, bytes, s->nodes, s->parameter);
    bool shares = s->collective == RWA_ALL_REDUCE && strcmp(s->scheme, "ring") == 0;
    return optical_s(steps, shares ? bytes / s->nodes : bytes);
}

double paper_schedule_time_s(const struct known *schedule, double bytes)
{
    return schedule->steps > 0 ? optical_s(schedule->steps, bytes / schedule->parts) : NAN;
}

static rwa_status times_of(double *formula, double *schedule, struct reproduction *r, const struct setting *s, double bytes)
{
    struct known k = {.steps = 0};
    *formula = paper_time_s(s, bytes, r->err);
    *schedule = paper_is_electrical(s->scheme) ? *formula : NAN;
    if (r->opts->schedules && !paper_is_electrical(s->scheme)) {
        MUST(paper_schedule(&k, r, s));
        *schedule = paper_schedule_time_s(&k, bytes);
    }
    return RWA_OK;
}

rwa_status paper_time_saved(double *formula, double *schedule, struct reproduction *r, const struct cell *c)
{
    static const uint32_t optical[] = {1024, 2048, 3072, 4096}, electrical[] = {128, 256, 512, 1024};
    const uint32_t *sizes = strcmp(c->variant, "optical") == 0 ? optical : electrical;
    double sum = 0, schedule_sum = 0;
    for (size_t n = 0; n < 4; n++)
        for (size_t m = 0; m < PAPER_MODELS; m++) {
            struct setting ours = {c->scheme, RWA_ALL_REDUCE, sizes[n], c->wavelengths, 0, "", 0, 0};
            struct setting theirs = {c->against, RWA_ALL_REDUCE, sizes[n], c->wavelengths,
                                     strcmp(c->against, "h-ring") == 0 ? 5 : 0, "", 0, 0};
            double a, a_schedule, b, b_schedule;
            MUST(times_of(&a, &a_schedule, r, &ours, paper_models[m].bytes));
            MUST(times_of(&b, &b_schedule, r, &theirs, paper_models[m].bytes));
            sum += 100 * (1 - a / b) / (4 * PAPER_MODELS);
            schedule_sum += 100 * (1 - a_schedule / b_schedule) / (4 * PAPER_MODELS);
        }
    *formula = sum;
    *schedule = schedule_sum;
    return RWA_OK;
}
