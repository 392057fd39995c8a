/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One bank of micro-rings: Lorentzian (or Butterworth) filters, parked or engaged. */
#include "power/power.h"

#include "base/base.h"

double power_db(double ratio)
{
    return 10.0 * log10(ratio);
}

double power_ratio(double db)
{
    const double neper_per_db = 0.23025850929940457; /* ln(10)/10: exp() takes half the time of pow() */
    return exp(db * neper_per_db);
}

double power_log10_ber(double snr)
{
    return log10(0.5) - snr / (4.0 * log(10.0));
}

/** Return the share of the power that the filter of a ring passes at a frequency `offset_ghz` off its resonance: 1 on
 *  resonance. */
static double response(const rwa_device *device, double offset_ghz)
{
    double width = device->grid_base_ghz / device->ring_q;
    double x = 2.0 * offset_ghz / width;
    return 1.0 / (1.0 + pow(x * x, device->filter_order));
}

static double through_db(const rwa_device *device, double offset_ghz)
{
    double depth = 1.0 - power_ratio(-device->ring_through_er_db);
    return device->ring_pass_db - power_db(1.0 - depth * response(device, offset_ghz));
}

rwa_status bank_build(struct bank *bank, const rwa_device *device, uint32_t rings, rwa_error *err)
{
    size_t size = 2 * (size_t)rings + 1;
    *bank = (struct bank){.rings = rings};
    bank->engaged_extra_db = base_array(size, sizeof *bank->engaged_extra_db, err);
    bank->parked_sum_db = base_array(size, sizeof *bank->parked_sum_db, err);
    bank->drop = base_array(size, sizeof *bank->drop, err);
    if (!bank->engaged_extra_db || !bank->parked_sum_db || !bank->drop) {
        bank_release(bank);
        return RWA_NOMEM;
    }
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        double offset = ((double)i - rings) * device->spacing_ghz;
        double parked = through_db(device, offset + device->park_offset_ghz);
        bank->parked_sum_db[i] = sum;
        bank->engaged_extra_db[i] = through_db(device, offset) - parked;
        bank->drop[i] = power_ratio(-device->ring_drop_db) * response(device, offset);
        sum += parked;
    }
    bank->drop_db = device->ring_drop_db;
    bank->depth = 1.0 - power_ratio(-device->ring_through_er_db);
    bank->pass_db = device->ring_pass_db;
    bank->span_db = device->waveguide_db_per_cm * device->waveguide_cm_per_hop +
                    device->fiber_db_per_km * device->fiber_km_per_hop + 2.0 * device->coupling_db;
    return RWA_OK;
}

void bank_release(struct bank *bank)
{
    free_all(bank->engaged_extra_db, bank->parked_sum_db, bank->drop);
    *bank = (struct bank){0};
}

static size_t at(const struct bank *bank, uint32_t w, uint32_t ring)
{
    assert(w < bank->rings && ring <= bank->rings);
    return (size_t)ring + bank->rings - w;
}

double bank_parked_db(const struct bank *bank, uint32_t w, uint32_t from, uint32_t to)
{
    return bank->parked_sum_db[at(bank, w, to)] - bank->parked_sum_db[at(bank, w, from)];
}

double bank_engaged_db(const struct bank *bank, uint32_t w, uint32_t ring)
{
    return bank->engaged_extra_db[at(bank, w, ring)];
}

double bank_drop(const struct bank *bank, uint32_t w, uint32_t ring)
{
    return bank->drop[at(bank, w, ring)];
}

double bank_tap_db(const struct bank *bank, uint32_t w, uint32_t ring, double share)
{
    double response = bank_drop(bank, w, ring) * power_ratio(bank->drop_db);
    return bank->pass_db - power_db(1.0 - share * bank->depth * response) - bank_parked_db(bank, w, ring, ring + 1);
}
