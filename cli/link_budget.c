/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The link budget of a lightpath as a table, and as JSON. */
#include "print.h"

/* A bit error rate below this one means no error in practice: at 100 Gbit/s one in three hours. */
#define BER_TINY_LOG10 (-15.0)
/* Crosstalk that is so many dB below the noise of the receiver is reported as one sum. */
#define FAINT_DB 20

static const rwa_link_budget *b;    /* the one that is reported */

const char *ber_text(double log10_ber)
{
    return log10_ber < BER_TINY_LOG10 ? "below 1e-15" : phrase("%.1e", pow(10, log10_ber));
}

/* Report a line of the table: the name of an item, its value in the unit `in`, and a remark.  Skip it if the value is
 * not finite. */
static void line(const char *item, double value, const char *in, const char *remark)
{
    if (isfinite(value))
        say("  %-44s %9.2f %-*s%s\n", item, value, *remark ? 5 : 0, in, remark);
}

static const char *verdict_remark(rwa_verdict verdict, const char *passed, const char *failed)
{
    return verdict_text(verdict, passed, failed, "not fully checked");
}

static void say_losses(void)
{
    rwa_budget_term terms[RWA_BUDGET_TERMS];
    size_t count = rwa_link_budget_terms(terms, b);
    line("laser", b->laser_dbm, "dBm", "");
    for (size_t i = 0; i < count; i++)
        line(terms[i].name, -terms[i].db, "dB", terms[i].remark);
}

static void say_margin(void)
{
    line("received", b->power.received_dbm, "dBm", "the sum so far");
    line("sensitivity of the receiver", b->sensitivity_dbm, "dBm", "");
    line("penalty of the finite extinction ratio", b->extinction_db, "dB", "");
    line("required margin", b->margin_db, "dB", "");
    line("needed", b->sensitivity_dbm + b->extinction_db + b->margin_db, "dBm", "sum of these three");
    line("margin above what is needed", b->power.margin_db, "dB",
         verdict_remark(b->power.budget, "passes", b->power.margin_db < 0
                                             ? "FAILS: below 0"
                                             : "FAILS: a waveguide carries more than waveguide_max_dbm"));
}

static void say_crosstalk(void)
{
    double others_mw = pow(10, b->power.noise_dbm / 10) + pow(10, b->power.coherent_dbm / 10);
    size_t named = 0;
    say("Crosstalk at node %u%s\n", b->receiver,
        b->aggressors == 0 ? "" : " of light passing on, or left over after its end; dB lost\n"
                                  "in modulator and spans, in rings passed, in this receiver's ring");
    for (; named < b->aggressors && named < RWA_AGGRESSORS_NAMED; named++) {
        if (b->worst[named].dbm < b->other_noise_dbm - FAINT_DB)
            break;
        const rwa_crosstalk *c = &b->worst[named];
        double before_db = b->modulator_db + c->span_db;
        line(phrase("of lightpath %" PRIu64 ", %u to %u, wavelength %u", c->lightpath, c->src, c->dst, c->wavelength),
             c->dbm, "dBm", phrase("-%.1f -%.1f -%.1f", before_db, b->laser_dbm - before_db - c->rejection_db - c->dbm,
                                   c->rejection_db));
        others_mw -= pow(10, c->dbm / 10);
    }
    if (b->aggressors > named)
        line(phrase("of %zu more together", b->aggressors - named), 10 * log10(others_mw), "dBm", "");
    if (b->model == RWA_POWER_PAPER)
        line(phrase("of %s and the transmitter", counted(b->power.hops, "node")), b->power.noise_dbm, "dBm", "");
    line("noise of the receiver", b->other_noise_dbm, "dBm", "");
}

static void say_errors(void)
{
    double ratio = -4 * log(10) * (b->power.log10_ber - log10(0.5));
    if (!isfinite(b->power.log10_ber))
        return;
    line("SNR, received to the sum of these", 10 * log10(ratio), "dB", phrase("ratio %.4g", ratio));
    say("  %-44s %s, %s\n", "bit error rate, 1/2 e^(-SNR/4)", ber_text(b->power.log10_ber),
        verdict_remark(b->power.crosstalk, phrase("passes: at most %g", b->ber_max),
                       phrase("FAILS: above %g", b->ber_max)));
}

void say_budget(const rwa_link_budget *budget)
{
    const rwa_lightpath *lp = &budget->route;
    b = budget;
    if (b->step == 0)
        return;
    const char *way = lp->direction == RWA_CW ? " clockwise" : " counter-clockwise";
    say("Link budget of lightpath %" PRIu64 ", step %u: %u to %u%s, fibre %u, wavelength %u\n", b->lightpath,
        b->step, lp->src, lp->dst, b->model == RWA_POWER_PAPER ? "" : way, lp->fiber, lp->wavelength);
    if (b->receiver != lp->dst)
        say("  at its receiver at node %u\n", b->receiver);
    if (!isfinite(b->power.received_dbm)) {
        say("  not computed, as the profile lacks a field that it needs\n");
        return;
    }
    say_losses();
    say_margin();
    say_crosstalk();
    say_errors();
}

static json_t *crosstalk_json(size_t i)
{
    const rwa_crosstalk *c = &b->worst[i];
    return JSON("lightpath:U src:u dst:u wavelength:u dbm:f spans_db:f rejection_db:f", c->lightpath, c->src,
                c->dst, c->wavelength, c->dbm, c->span_db, c->rejection_db);
}

json_t *json_budget(const rwa_link_budget *budget)
{
    const rwa_power *p = &budget->power;
    b = budget;
    if (b->step == 0)
        return json_null();
    json_t *all = JSON("lightpath:U step:u src:u dst:u fiber:u wavelength:u receiver:u hops:u", b->lightpath, b->step,
                       b->route.src, b->route.dst, b->route.fiber, b->route.wavelength, b->receiver, p->hops);
    all = json_add(all,
                   "laser_dbm:f modulator_db:f parked_rings:u parked_db:f tuned_rings:u tuned_db:f spans_db:f "
                   "nodes_db:f share_db:f drop_db:f received_dbm:f sensitivity_dbm:f extinction_db:f "
                   "required_margin_db:f margin_db:f",
                   b->laser_dbm, b->modulator_db, b->rings - b->engaged, b->parked_db, b->engaged, b->engaged_db,
                   b->span_db, b->node_db, b->share_db, b->drop_db, p->received_dbm, b->sensitivity_dbm,
                   b->extinction_db, b->margin_db, p->margin_db);
    return json_add(all,
                    "aggressors:z crosstalk:o crosstalk_dbm:f own_wavelength_dbm:f noise_dbm:f snr_db:f "
                    "log10_ber:f ber_max:f budget_ok:v ber_ok:v",
                    b->aggressors,
                    json_list(b->aggressors < RWA_AGGRESSORS_NAMED ? b->aggressors : RWA_AGGRESSORS_NAMED,
                              crosstalk_json),
                    p->noise_dbm, p->coherent_dbm, b->other_noise_dbm, p->snr_db, p->log10_ber, b->ber_max, p->budget,
                    p->crosstalk);
}
