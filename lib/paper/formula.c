/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The papers' formulas: those that stand beside the schemes, and the variants that only their tables use. */
#include "paper/paper.h"

#include "scheme/scheme.h"

static void read_radices(struct parameters *p, const char *text)
{
    for (size_t j = 0; *text && j < RADIX_LEVELS - 1; j++) {
        char *end = NULL;
        p->radix[j] = (uint32_t)strtoul(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
}

static void set_parameters(struct parameters *p, rwa_plan_options *opts, const struct setting *s)
{
    bool tree = strcmp(s->scheme, "optree") == 0;
    if (s->variant[0] >= '0' && s->variant[0] <= '9') {
        read_radices(p, s->variant);
        opts->radix = p->radix;
        for (opts->radix_count = 0; p->radix[opts->radix_count];)
            opts->radix_count++;
    } else if (tree) {
        for (uint32_t j = 0; j < s->parameter && j < RADIX_LEVELS - 1; j++)
            p->radix[j] = 2;   /* Theorem 1 looks at their number only */
    } else if (strcmp(s->scheme, "one-stage") == 0) {
        p->radix[0] = s->nodes;
    } else {
        p->group = s->parameter ? s->parameter : strcmp(s->scheme, "wrht") == 0 ? 2 * s->wavelengths + 1 : 0;
    }
    opts->last_exchange = strcmp(s->variant, "tree") == 0 ? RWA_LAST_TREE
                          : strcmp(s->variant, "all-to-all") == 0 ? RWA_LAST_ALL_TO_ALL : RWA_LAST_AUTO;
}

/** The value of the scheme's own formula. */
static rwa_status ask_scheme(rwa_formula *f, const struct setting *s, rwa_error *err)
{
    size_t found = base_find_name(rwa_scheme_name, s->scheme);
    const struct scheme *scheme = found == SIZE_MAX ? NULL : schemes[found];
    struct parameters parameters = {0};
    rwa_plan_options opts;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_status st = RWA_OK;
    memset(f, 0, sizeof *f);
    if (!scheme || !scheme->formula)
        return RWA_OK;
    rwa_plan_options_init(&opts);
    set_parameters(&parameters, &opts, s);
    TRY(paper_network(&net, s->nodes, s->wavelengths, s->ports, s->tuning, err));
    TRY(rwa_collective_init(&coll, s->collective, s->nodes, 0, s->nodes, 0, err));
    struct plan_request request = {.scheme = scheme, .net = net, .coll = &coll, .opts = &opts, .parameters = &parameters};
    scheme->formula(f, &request);
done:
    rwa_network_free(net);
    return st;
}

/** The second printed form of the WRHT all-gather broadcasts with t instead of t - 1 times m^(t-1) steps. */
static double last_power(const struct setting *s)
{
    double m = 2.0 * s->wavelengths + 1, power = 1;
    while (power * m < s->nodes)
        power *= m;
    return power;
}

double paper_formula_steps(const struct setting *s, const char **source, rwa_error *err)
{
    rwa_formula f;
    *source = "";
    if (ask_scheme(&f, s, err) != RWA_OK || !f.known)
        return NAN;
    *source = f.source;
    return (double)f.steps + (strcmp(s->variant, "second") == 0 ? last_power(s) : 0);
}

double paper_stage_wavelengths(const struct setting *s, uint32_t stage, rwa_error *err)
{
    rwa_formula f;
    if (ask_scheme(&f, s, err) != RWA_OK || stage == 0 || stage > f.stages)
        return NAN;
    return (double)f.stage_wavelengths[stage - 1];
}

double paper_lemma3(uint32_t nodes)
{
    double l = log((double)nodes);
    return (l + sqrt(l * (l - 2))) / 2;
}
