/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Computes the power of all lightpaths of a step together.  Each signal is followed from its laser round the ring for
 * at most one lap; it loses power in every micro-ring and leaves a share in every engaged receiver ring that it passes.
 * If a rotation of the network maps the lightpaths onto themselves, each has copies by rotation, and only the signal of
 * the first copy is followed (rotation.h).
 */
#include "power/power.h"

#include "network/network.h"
#include "power/rotation.h"

/** A residual weaker than this is no longer followed. */
#define FLOOR_DBM (-300.0)

/** A ring on resonance, in a receiver or transmitter bank. */
struct engaged {
    uint64_t guide;         /**< direction and fibre */
    uint32_t node, wavelength;
    size_t lightpath, reader;   /**< reader: its receiver, among those of all lightpaths */
    size_t stands;              /**< the receiver that stands for this one: of the lightpath's first copy */
    double share;           /**< the share of its signal that the ring drops: 1 except at taps */
};

/** The crosstalk and noise at a receiver, in mW. */
struct crosstalk {
    double incoherent, coherent;
    double field;           /**< sum of the roots of the coherent powers */
    double loudest;
    uint64_t loudest_index;
    bool overfull;          /**< it is in a waveguide whose power is above the limit */
};

struct power_step {
    const rwa_device *device;
    const rwa_network *net;
    const rwa_lightpath *lightpaths;
    rwa_power *power;
    rwa_power *at;                      /**< each receiver */
    struct crosstalk *crosstalk;                /**< likewise */
    size_t *first;                      /**< first receiver of each lightpath, then the end; the last receiver of a
                                             lightpath is its destination */
    size_t readers;
    size_t lit;                         /**< the first `lit` lightpaths send; the others only engage their rings */
    struct bank bank;
    uint32_t nodes;
    struct rotation rotation;           /**< only lightpaths from its first `turn` nodes are followed */
    struct budget *budget;              /**< NULL: none */
    bool stopped;
    struct engaged *rx, *tx;            /**< sorted by guide, node, wavelength; as many as receivers and lightpaths */
    size_t *rx_first, *tx_first;        /**< by node, of the guide at hand; 1 + index, 0: none */
    size_t rx_end, tx_end;              /**< of the guide at hand */
    double *output;                     /**< by node modulo turn: power in the guide at hand, mW */
};

COMPARATOR(by_guide, struct engaged, UP(guide) UP(node) UP(wavelength) UP(lightpath))

/** Tell whether the device has every parameter that RWA_POWER_RINGS needs for the losses of a path. */
static bool power_has_losses(const rwa_device *device)
{
    double sum = device->laser_dbm + device->modulator_loss_db + device->ring_pass_db + device->ring_drop_db +
                 device->ring_through_er_db + device->ring_q + device->park_offset_ghz + device->waveguide_db_per_cm +
                 device->waveguide_cm_per_hop + device->fiber_db_per_km + device->fiber_km_per_hop +
                 device->coupling_db;
    return !isnan(sum);
}

/** Return the least power that a receiver needs, in dBm: sensitivity, extinction penalty and margin; NaN if one of them
 *  is unknown. */
static double power_needed_dbm(const rwa_device *device)
{
    double ratio = power_ratio(device->extinction_ratio_db);
    return device->rx_sensitivity_dbm + power_db((ratio + 1.0) / (ratio - 1.0)) + device->margin_db;
}

static void clear(rwa_power *power, uint32_t hops)
{
    *power = (rwa_power){.hops = hops, .loss_db = NAN, .received_dbm = NAN, .margin_db = NAN, .noise_dbm = NAN,
                         .coherent_dbm = NAN, .snr_db = NAN, .snr_coherent_db = NAN, .log10_ber = NAN,
                         .aggressor = UINT64_MAX, .budget = RWA_UNCHECKED, .crosstalk = RWA_UNCHECKED};
}

static rwa_verdict verdict_of(double figure, double least)
{
    if (isnan(figure) || isnan(least))
        return RWA_UNCHECKED;
    return figure >= least ? RWA_PASS : RWA_FAIL;
}

/** Return by how many nodes the source of lightpath i lies behind that of its first copy, the rotated lightpath that
 *  stands for it (rotation.h). */
static uint32_t behind(const struct power_step *s, size_t i)
{
    return s->lightpaths[i].src - rotation_src(&s->rotation, i);
}

/** Add `mw`, the power that the signal of lightpath `index` leaves in the ring of another lightpath's receiver, to the
 *  crosstalk of that receiver, in s->crosstalk[ring->stands].  That entry belongs to the receiver's first copy by
 *  rotation, the only copy whose crosstalk is kept. */
static void disturb(struct power_step *s, const struct engaged *ring, double mw, size_t index)
{
    struct crosstalk *victim = &s->crosstalk[ring->stands];
    if (s->lightpaths[index].wavelength == ring->wavelength) {
        victim->coherent += mw;
        victim->field += sqrt(mw);
    } else {
        victim->incoherent += mw;
    }
    if (mw > victim->loudest) {
        victim->loudest = mw;
        victim->loudest_index = rotation_back(&s->rotation, index, behind(s, ring->lightpath));
    }
}

/** Pass the signal of lightpath `index`, of power `dbm`, through the receiver rings of a node, and return its power
 *  behind them, in dBm.  Each receiver on resonance gets a share of it, as signal or as crosstalk. */
static double pass_receivers(struct power_step *s, size_t index, double dbm, uint32_t node)
{
    uint32_t w = s->lightpaths[index].wavelength;
    double extra = 0;
    for (size_t i = s->rx_first[node]; i && i <= s->rx_end && s->rx[i - 1].node == node; i++) {
        const struct engaged *ring = &s->rx[i - 1];
        double here = dbm - bank_parked_db(&s->bank, w, 0, ring->wavelength) - extra;
        if (ring->lightpath == index)
            s->at[ring->reader].received_dbm = here + power_db(ring->share) - s->bank.drop_db;
        else
            disturb(s, ring, power_ratio(here) * bank_drop(&s->bank, w, ring->wavelength) * ring->share, index);
        bool last = i == s->rx_end || s->rx[i].node != node || s->rx[i].wavelength != ring->wavelength;
        if (last)
            extra += ring->share < 1 ? bank_tap_db(&s->bank, w, ring->wavelength, ring->share)
                                     : bank_engaged_db(&s->bank, w, ring->wavelength);
    }
    return dbm - bank_parked_db(&s->bank, w, 0, s->bank.rings) - extra;
}

/** Pass a signal of wavelength `w` and power `dbm` through the transmitter rings of a node, from ring `from` on, and
 *  return its power behind them, in dBm. */
static double pass_transmitters(const struct power_step *s, uint32_t w, double dbm, uint32_t node, uint32_t from)
{
    double loss = bank_parked_db(&s->bank, w, from, s->bank.rings);
    for (size_t i = s->tx_first[node]; i && i <= s->tx_end && s->tx[i - 1].node == node; i++) {
        uint32_t ring = s->tx[i - 1].wavelength;
        bool last = i == s->tx_end || s->tx[i].node != node || s->tx[i].wavelength != ring;
        if (last && ring >= from)
            loss += bank_engaged_db(&s->bank, w, ring);
    }
    return dbm - loss;
}

static uint32_t longest_path(const struct power_step *s, const rwa_lightpath *path)
{
    if (network_is_cycle(s->net))
        return s->nodes;
    return path->direction == RWA_CW ? s->nodes - 1 - path->src : path->src;
}

static void follow(struct power_step *s, size_t index)
{
    const rwa_lightpath *path = &s->lightpaths[index];
    uint32_t hops = s->power[index].hops, most = longest_path(s, path), node = path->src;
    double dbm = s->device->laser_dbm - s->device->modulator_loss_db;
    dbm = pass_transmitters(s, path->wavelength, dbm, node, path->wavelength + 1);
    s->output[node % s->rotation.turn] += power_ratio(dbm);
    for (uint32_t h = 1; h <= most; h++) {
        node = node_after(s->nodes, node, path->direction);
        dbm = pass_receivers(s, index, dbm - s->bank.span_db, node);
        if (h == s->nodes || (h >= hops && dbm < FLOOR_DBM))
            break;
        dbm = pass_transmitters(s, path->wavelength, dbm, node, 0);
        s->output[node % s->rotation.turn] += power_ratio(dbm);
    }
}

static void check_waveguides(struct power_step *s, size_t index)
{
    const rwa_lightpath *path = &s->lightpaths[index];
    double most = power_ratio(s->device->waveguide_max_dbm);
    uint32_t node = path->src;
    for (uint32_t h = 0; h < s->power[index].hops; h++) {
        for (size_t r = s->first[index]; s->output[node % s->rotation.turn] > most && r < s->first[index + 1]; r++)
            s->crosstalk[r].overfull = true;
        node = node_after(s->nodes, node, path->direction);
    }
}

/** Set first[v], for each node v that has rings in rings[from … end - 1], to 1 + the index of the first of them; if
 *  `known` is false, to 0. */
static void set_first(size_t *first, const struct engaged *rings, size_t from, size_t end, bool known)
{
    for (size_t i = end; i > from; i--)
        first[rings[i - 1].node] = known ? i : 0;
}

/** Lightpaths between two polls of the budget: with a thousand channels each takes some 0.1 ms. */
enum { POLL_EVERY = 64 };

/** Tell whether the signal of lightpath i is followed: it sends, and it is the first of its copies by rotation. */
static bool is_followed(const struct power_step *s, size_t i)
{
    return i < s->lit && behind(s, i) == 0;
}

/** Follow the signals of one fibre and direction, and record in s->at and s->crosstalk what they leave at its
 *  receivers.  These are s->rx[rx … s->rx_end - 1]; its transmitters are s->tx[tx … s->tx_end - 1].  Return the largest
 *  power at the output of a node, in mW. */
static double run_guide(struct power_step *s, size_t rx, size_t tx)
{
    double most = 0;
    memset(s->output, 0, s->nodes * sizeof *s->output);
    set_first(s->rx_first, s->rx, rx, s->rx_end, true);
    set_first(s->tx_first, s->tx, tx, s->tx_end, true);
    for (size_t i = tx; i < s->tx_end && !s->stopped; i++) {
        if (is_followed(s, s->tx[i].lightpath))
            follow(s, s->tx[i].lightpath);
        s->stopped = i % POLL_EVERY == 0 && s->budget && base_must_stop(s->budget, "power", -1);
    }
    for (size_t i = tx; i < s->tx_end; i++)
        if (is_followed(s, s->tx[i].lightpath))
            check_waveguides(s, s->tx[i].lightpath);
    set_first(s->rx_first, s->rx, rx, s->rx_end, false);
    set_first(s->tx_first, s->tx, tx, s->tx_end, false);
    for (uint32_t node = 0; node < s->rotation.turn; node++)
        most = fmax(most, s->output[node]);
    return most;
}

static void rate_reader(const rwa_device *device, rwa_power *power, const struct crosstalk *crosstalk)
{
    double signal = power_ratio(power->received_dbm), other = power_ratio(device->other_noise_dbm);
    double field = fmax(0.0, sqrt(signal) - crosstalk->field);
    power->loss_db = device->laser_dbm - power->received_dbm;
    power->margin_db = power->received_dbm - power_needed_dbm(device);
    power->noise_dbm = power_db(crosstalk->incoherent);
    power->coherent_dbm = power_db(crosstalk->coherent);
    double snr = signal / (crosstalk->incoherent + crosstalk->coherent + other);
    double worst = isnan(other) ? NAN : field * field / (crosstalk->incoherent + other);
    power->snr_db = power_db(snr);
    power->snr_coherent_db = power_db(worst);
    power->log10_ber = power_log10_ber(device->coherent_worst ? worst : snr);
    power->aggressor = crosstalk->loudest > 0 ? crosstalk->loudest_index : UINT64_MAX;
    power->crosstalk = verdict_of(-power->log10_ber, -log10(device->ber_max));
    power->budget = verdict_of(power->margin_db, 0);
    if (crosstalk->overfull)
        power->budget = RWA_FAIL;
    else if (power->budget == RWA_PASS && isnan(device->waveguide_max_dbm))
        power->budget = RWA_UNCHECKED;
}

/** Return the loss in dB for wavelength `w` from the ring of one receiver to that of another, `hops` hops on.  All
 *  rings between them are parked.  What the first receiver takes does not count. */
static double path_db(const struct bank *bank, uint32_t w, uint32_t hops)
{
    return hops * (bank->span_db + 2 * bank_parked_db(bank, w, 0, bank->rings)) - bank_parked_db(bank, w, w, w + 1) +
           bank->pass_db;
}

/** Put the rings of the receivers of lightpath `index` on resonance, in s->rx, each with its share by power_shares().
 *  `numbers` is scratch memory for two numbers per receiver. */
static void engage_readers(struct power_step *s, size_t index, const struct power_taps *taps, double *numbers)
{
    const rwa_lightpath *path = &s->lightpaths[index];
    assert(s->first[index + 1] > s->first[index] && s->first[index + 1] <= s->readers);
    size_t count = s->first[index + 1] - s->first[index], begin = taps ? taps->first[index] : 0;
    double *share = numbers, *path_loss_db = numbers + count;
    uint32_t before = 0;
    for (size_t k = 0; k < count; k++) {
        struct engaged *ring = &s->rx[s->first[index] + k];
        assert(taps || k + 1 == count);
        uint32_t node = taps && k + 1 < count ? taps->tap[begin + k] : path->dst;
        uint32_t hops = network_hops(s->net, path->src, node, path->direction);
        *ring = (struct engaged){s->tx[index].guide, node, path->wavelength, index, s->first[index] + k, 0, 1};
        s->at[s->first[index] + k] = s->power[index];
        if (k > 0)
            path_loss_db[k - 1] = path_db(&s->bank, path->wavelength, hops - before);
        before = hops;
    }
    power_shares(share, path_loss_db, count, s->bank.depth);
    for (size_t k = 0; k < count; k++)
        s->rx[s->first[index] + k].share = share[k];
}

static rwa_status engage(struct power_step *s, const struct power_taps *taps, size_t count, rwa_error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < count; i++) {
        const rwa_lightpath *path = &s->lightpaths[i];
        uint64_t guide = 2 * (uint64_t)path->fiber + (path->direction == RWA_CCW);
        size_t readers = 1 + (taps ? taps->first[i + 1] - taps->first[i] : 0);
        s->tx[i] = (struct engaged){guide, path->src, path->wavelength, i, s->first[i], s->first[i], 1};
        s->first[i + 1] = s->first[i] + readers;
        RAISE(most, readers);
    }
    double *numbers = base_array(2 * most, sizeof *numbers, err);
    for (size_t i = 0; numbers && i < count; i++)
        engage_readers(s, i, taps, numbers);
    for (size_t r = 0; numbers && r < s->readers; r++) {
        struct engaged *ring = &s->rx[r];
        size_t copy = rotation_back(&s->rotation, ring->lightpath, behind(s, ring->lightpath));
        ring->stands = s->first[copy] + ring->reader - s->first[ring->lightpath];
    }
    free(numbers);
    return numbers ? RWA_OK : RWA_NOMEM;
}

static size_t end_of_guide(const struct engaged *rings, size_t from, size_t count)
{
    size_t end = from;
    while (end < count && rings[end].guide == rings[from].guide)
        end++;
    return end;
}

static void run_guides(struct power_step *s, double *most_dbm, size_t count)
{
    double most = 0;
    qsort(s->rx, s->readers, sizeof *s->rx, by_guide);
    qsort(s->tx, count, sizeof *s->tx, by_guide);
    for (size_t rx = 0, tx = 0; tx < count; rx = s->rx_end, tx = s->tx_end) {
        s->rx_end = end_of_guide(s->rx, rx, s->readers);
        s->tx_end = end_of_guide(s->tx, tx, count);
        most = fmax(most, run_guide(s, rx, tx));
    }
    *most_dbm = power_db(most);
}

/** Compute the power and error rate of each receiver of lightpath i, in s->at, and set s->power[i] to the worst of them
 *  (power_worsen()). */
static void rate_lightpath(struct power_step *s, size_t i)
{
    for (size_t r = s->first[i]; r < s->first[i + 1]; r++) {
        rate_reader(s->device, &s->at[r], &s->crosstalk[r]);
        if (r == s->first[i])
            s->power[i] = s->at[r];
        else
            power_worsen(&s->power[i], &s->at[r]);
    }
}

/** Give lightpath i the power and error rate of its first copy by rotation, the only copy whose signal was followed.
 *  Its aggressor, the lightpath that disturbs it most, becomes the rotated aggressor of that copy. */
static void copy_rating(struct power_step *s, size_t i)
{
    uint32_t back = behind(s, i);
    rwa_power *power = &s->power[i];
    *power = s->power[rotation_back(&s->rotation, i, back)];
    if (power->aggressor != UINT64_MAX && back > 0)
        power->aggressor = rotation_back(&s->rotation, power->aggressor, s->nodes - back);
}

static void rate_all(struct power_step *s)
{
    for (size_t i = 0; i < s->lit; i++)
        if (is_followed(s, i))
            rate_lightpath(s, i);
    for (size_t i = 0; i < s->lit; i++)
        copy_rating(s, i);
}

static rwa_status step_rings(rwa_power *power, double *most_dbm, const rwa_device *device, const rwa_network *net,
                             const rwa_lightpath *lightpaths, const struct power_taps *taps, size_t count, size_t lit,
                             struct budget *budget, rwa_error *err)
{
    rwa_status st = RWA_OK;
    struct arena memory = {.err = err};
    struct power_step s = {.device = device,
                           .net = net,
                           .lightpaths = lightpaths,
                           .power = power,
                           .nodes = rwa_network_nodes(net),
                           .budget = budget,
                           .lit = lit,
                           .readers = count + (taps ? taps->first[count] - taps->first[0] : 0)};
    uint32_t rings = rwa_network_wavelengths(net), grid = rwa_device_wavelengths(device);
    if (count == 0 || !power_has_losses(device))
        return RWA_OK;
    arena_arrays(&memory, s.readers, s.crosstalk, s.at, s.rx);
    arena_new(&memory, s.first, count + 1);
    arena_new(&memory, s.tx, count);
    TRY(arena_arrays(&memory, s.nodes, s.rx_first, s.tx_first, s.output));
    TRY(bank_build(&s.bank, device, rings < grid ? rings : grid, err));
    TRY(rotation_find(&s.rotation, net, lightpaths, taps, count, lit, &memory));
    TRY(engage(&s, taps, count, err));
    run_guides(&s, most_dbm, count);
    if (s.stopped)
        TRY(base_fail(err, RWA_CANCELLED, "stopped while computing the power of %zu lightpaths", count));
    rate_all(&s);
done:
    bank_release(&s.bank);
    arena_free(&memory);
    return st;
}

/** Set *power, which has the hops of a lightpath, to its power and error rate by OpTree, eqs. 4-9; as there, noise is
 *  not attenuated.  All receivers get the same power as the first one, which is `first_hops` hops away and receives
 *  `shared_db` less than it would alone. */
static void rate_by_paper(const rwa_device *device, rwa_power *power, double shared_db, uint32_t first_hops)
{
    double loss = device->modulator_loss_db + first_hops * device->paper_pass_db + shared_db;
    double noise =
        power->hops * power_ratio(device->paper_rx_crosstalk_dbm) + power_ratio(device->paper_tx_crosstalk_dbm);
    power->loss_db = loss;
    power->received_dbm = device->laser_dbm - loss;
    power->margin_db = power->received_dbm - power_needed_dbm(device);
    power->noise_dbm = power_db(noise);
    double snr = power_ratio(power->received_dbm) / (noise + power_ratio(device->other_noise_dbm));
    power->snr_db = power->snr_coherent_db = power_db(snr);
    power->coherent_dbm = isnan(noise) ? NAN : -INFINITY;
    power->log10_ber = power_log10_ber(snr);
    power->budget = verdict_of(power->margin_db, 0);
    power->crosstalk = verdict_of(-power->log10_ber, -log10(device->ber_max));
}

static rwa_status rate_all_by_paper(rwa_power *power, const rwa_device *device, const rwa_network *net,
                                    const rwa_lightpath *lightpaths, const struct power_taps *taps, size_t count,
                                    rwa_error *err)
{
    double *numbers = base_array(2 * (size_t)rwa_network_nodes(net), sizeof *numbers, err);
    for (size_t i = 0; numbers && i < count; i++) {
        const rwa_lightpath *path = &lightpaths[i];
        size_t readers = 1 + (taps ? taps->first[i + 1] - taps->first[i] : 0);
        uint32_t first = power[i].hops, before = 0;
        for (size_t k = 0; k + 1 < readers; k++) {
            uint32_t hops = network_hops(net, path->src, taps->tap[taps->first[i] + k], path->direction);
            first = k == 0 ? hops : first;
            if (k > 0)
                numbers[readers + k - 1] = (hops - before) * device->paper_pass_db;
            before = hops;
        }
        if (readers > 1)
            numbers[2 * readers - 2] = (power[i].hops - before) * device->paper_pass_db;
        power_shares(numbers, numbers + readers, readers, 1.0);
        rate_by_paper(device, &power[i], -power_db(numbers[0]), first);
    }
    free(numbers);
    return numbers ? RWA_OK : RWA_NOMEM;
}

/** Check that the taps of a lightpath lie on its route, in travel order.  RWA_BADARG if not; the message calls it
 *  lightpath `index`. */
static rwa_status check_taps(const rwa_network *net, const rwa_lightpath *path, const uint32_t *tap, size_t count,
                             size_t index, rwa_error *err)
{
    uint32_t before = 0, end = network_hops(net, path->src, path->dst, path->direction);
    for (size_t k = 0; k < count; k++) {
        uint32_t hops = tap[k] < rwa_network_nodes(net) ? network_hops(net, path->src, tap[k], path->direction) : 0;
        if (hops <= before || hops >= end)
            return base_refuse(err, "lightpath %zu: tap %u is not on its route in travel order", index,
                               (unsigned)tap[k]);
        before = hops;
    }
    return RWA_OK;
}

static rwa_status check_lightpath(const rwa_device *device, const rwa_network *net, const rwa_lightpath *path,
                                  size_t index, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(net);
    if (path->orbit != 1)
        return base_refuse(err, "lightpath %zu: orbit %u, expected 1", index, (unsigned)path->orbit);
    if (path->direction != RWA_CW && path->direction != RWA_CCW)
        return base_refuse(err, "lightpath %zu: no such direction", index);
    if (path->src >= nodes || path->dst >= nodes || network_hops(net, path->src, path->dst, path->direction) == 0)
        return base_refuse(err, "lightpath %zu: no route from %u to %u in this direction", index, (unsigned)path->src,
                           (unsigned)path->dst);
    if (path->fiber >= rwa_network_fibers(net) || path->wavelength >= rwa_network_wavelengths(net))
        return base_refuse(err, "lightpath %zu: fibre %u, wavelength %u: the network has no such channel", index,
                           (unsigned)path->fiber, (unsigned)path->wavelength);
    if (path->wavelength >= rwa_device_wavelengths(device))
        return base_refuse(err, "lightpath %zu: wavelength %u: the grid of %s has %u", index,
                           (unsigned)path->wavelength, rwa_device_name(device),
                           (unsigned)rwa_device_wavelengths(device));
    return RWA_OK;
}

rwa_status power_step(rwa_power *power, double *waveguide_max_dbm, const rwa_device *device, rwa_power_model model,
                      const rwa_network *net, const rwa_lightpath *lightpaths, const struct power_taps *taps,
                      size_t count, size_t lit, struct budget *budget, rwa_error *err)
{
    double most = NAN;
    rwa_status st = RWA_OK;
    assert(lit <= count);
    if (!device || !net || (count > 0 && (!power || !lightpaths)))
        return base_refuse(err, "power of a step: a device, a network and lightpaths are needed");
    if (model != RWA_POWER_RINGS && model != RWA_POWER_PAPER)
        return base_refuse(err, "power of a step: no such model");
    if (!network_has_arcs(net))
        return base_refuse(err, "the power model does not cover a network of kind %s yet, expected ring or line",
                           rwa_topology_name(rwa_network_topology(net)));
    for (size_t i = 0; i < count; i++) {
        TRY(check_lightpath(device, net, &lightpaths[i], i, err));
        if (taps)
            TRY(check_taps(net, &lightpaths[i], taps->tap + taps->first[i], taps->first[i + 1] - taps->first[i], i,
                           err));
        clear(&power[i], network_hops(net, lightpaths[i].src, lightpaths[i].dst, lightpaths[i].direction));
    }
    if (model == RWA_POWER_RINGS)
        TRY(step_rings(power, &most, device, net, lightpaths, taps, count, lit, budget, err));
    else
        TRY(rate_all_by_paper(power, device, net, lightpaths, taps, lit, err));
done:
    if (waveguide_max_dbm)
        *waveguide_max_dbm = most;
    return st;
}

rwa_status rwa_power_step(rwa_power *power, const rwa_device *device, rwa_power_model model, const rwa_network *net,
                          const rwa_lightpath *lightpaths, size_t count, rwa_error *err)
{
    BEGIN(err, power, device, net, !count || lightpaths);
    return power_step(power, NULL, device, model, net, lightpaths, NULL, count, count, NULL, err);
}

uint32_t rwa_device_reach(const rwa_device *device, rwa_power_model model, uint32_t nodes, uint32_t wavelengths)
{
    double first, hop, needed = power_needed_dbm(device);
    uint32_t reach = 0, grid = rwa_device_wavelengths(device);
    if (model == RWA_POWER_PAPER) {
        hop = device->paper_pass_db;
        first = device->laser_dbm - device->modulator_loss_db - hop;
    } else {
        struct bank bank;
        uint32_t rings = wavelengths < grid ? wavelengths : grid;
        if (rings == 0 || !power_has_losses(device) || bank_build(&bank, device, rings, NULL) != RWA_OK)
            return UINT32_MAX;
        /* Wavelength 0: its own rings are the only engaged ones. */
        hop = bank.span_db + 2.0 * bank_parked_db(&bank, 0, 0, rings);
        double launch = device->laser_dbm - device->modulator_loss_db - bank_parked_db(&bank, 0, 1, rings);
        first = launch - bank.span_db - bank.drop_db;
        bank_release(&bank);
        if (launch > device->waveguide_max_dbm)
            return 0;
    }
    if (isnan(first) || isnan(needed))
        return UINT32_MAX;
    while (reach + 1 < nodes && first - reach * hop >= needed)
        reach++;
    return reach;
}
