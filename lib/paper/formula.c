/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Evaluates the papers' formulas: those of the schemes, and the variants that only the papers' tables use. */
#include "paper/paper.h"

#include "scheme/scheme.h"

/** Evaluate the paper's formula for the scheme of a setting, into *f.  f->source is NULL if the scheme has no formula,
 *  or after a failure. */
static rwa_status ask_scheme(rwa_formula *f, const struct reproduction *r, const struct setting *s)
{
    size_t found = base_find_name(rwa_scheme_name, s->scheme);
    struct parameters parameters = {0};
    struct question q = {0};
    rwa_status st = RWA_OK;
    memset(f, 0, sizeof *f);
    if (found == SIZE_MAX || !schemes[found]->formula)
        return RWA_OK;
    TRY(paper_ask(&q, r, s, PROBE_BYTES));
    memcpy(parameters.radix, q.radix, sizeof q.radix);
    if (strcmp(s->scheme, "optree") == 0) {
        for (uint32_t j = 0; j < s->parameter && j < RADIX_LEVELS - 1 && !q.radix[0]; j++)
            parameters.radix[j] = 2;   /* Theorem 1 looks at their number only */
    } else if (strcmp(s->scheme, "one-stage") == 0) {
        parameters.radix[0] = s->nodes;
    } else {
        parameters.group = s->parameter ? s->parameter : strcmp(s->scheme, "wrht") == 0 ? 2 * s->wavelengths + 1 : 0;
    }
    struct plan_request request = {
        .scheme = schemes[found], .net = q.net, .coll = &q.coll, .opts = &q.opts, .parameters = &parameters};
    request.scheme->formula(f, &request);
done:
    rwa_network_free(q.net);
    return st;
}

/** Return m^(t-1), the difference between the two printed forms of the WRHT all-gather: its broadcast takes (t-1)
 *  m^(t-1) steps in the first form, t m^(t-1) in the second.  m = 2w + 1 for w wavelengths; m^t is the first power of m
 *  that reaches the number of nodes. */
static double last_power(const struct setting *s)
{
    double m = 2.0 * s->wavelengths + 1, power = 1;
    while (power * m < s->nodes)
        power *= m;
    return power;
}

double paper_formula_steps(rwa_formula *f, const struct reproduction *r, const struct setting *s)
{
    bool known = ask_scheme(f, r, s) == RWA_OK && f->source;
    f->source = known ? f->source : "";
    return known ? (double)f->steps + (strcmp(s->variant, "second") == 0 ? last_power(s) : 0) : NAN;
}

double paper_lemma3(uint32_t nodes)
{
    double l = log((double)nodes);
    return (l + sqrt(l * (l - 2))) / 2;
}
