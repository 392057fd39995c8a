/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/power.h"

#include "base/base.h"

static void add_term(rwa_budget_term *terms, size_t *count, bool has, double db, const char *format, uint32_t number)
{
    if (!has)
        return;
    rwa_budget_term *t = &terms[(*count)++];
    *t = (rwa_budget_term){.db = db};
    snprintf(t->name, sizeof t->name, format, number, plural(number));
}

size_t rwa_link_budget_terms(rwa_budget_term *terms, const rwa_link_budget *b)
{
    size_t count = 0;
    uint32_t parked = b->rings - b->engaged, hops = b->power.hops;
    bool rings = b->model == RWA_POWER_RINGS;
    add_term(terms, &count, true, b->modulator_db, "modulator", 0);
    add_term(terms, &count, !rings, b->node_db, "%u node%s, paper_pass_db each", hops);
    add_term(terms, &count, rings && parked > 0, b->parked_db, "%u ring%s parked, at no lit wavelength", parked);
    if (rings && parked > 0)
        snprintf(terms[count - 1].remark, sizeof terms->remark, "mean %.4f dB", b->parked_db / parked);
    add_term(terms, &count, rings && b->engaged > 0, b->engaged_db, "%u ring%s passed, tuned to others", b->engaged);
    add_term(terms, &count, rings, b->span_db, "%u span%s: waveguide, fibre, coupling", hops);
    add_term(terms, &count, b->share_db > 0, b->share_db, "left for the receivers behind this one", 0);
    add_term(terms, &count, rings, b->drop_db, "dropped by its own ring", 0);
    assert(count <= RWA_BUDGET_TERMS);
    return count;
}
