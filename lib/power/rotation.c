/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "power/rotation.h"

#include "network/network.h"

size_t beginning_of(const rwa_network *net, const rwa_lightpath *lp, uint32_t src)
{
    size_t guide = 2 * (size_t)lp->fiber + (lp->direction == RWA_CCW);
    return (guide * net->wavelengths + lp->wavelength) * net->nodes + src;
}

/** Return 1 + the index of the lightpath whose source is `back` nodes before that of lightpath i, on the same channel
 *  and in the same direction; 0: there is none. */
static uint32_t at_back(const struct rotation *r, size_t i, uint32_t back)
{
    const rwa_lightpath *lp = &r->list[i];
    return r->at[beginning_of(r->net, lp, (lp->src + r->net->nodes - back) % r->net->nodes)];
}

size_t rotation_back(const struct rotation *r, size_t i, uint32_t back)
{
    assert(back % r->turn == 0 && back < r->net->nodes);
    return back == 0 ? i : at_back(r, i, back) - 1;
}

static bool taps_are_copies(const struct power_taps *taps, size_t i, size_t j, uint32_t back, uint32_t nodes)
{
    size_t count = taps ? taps->first[i + 1] - taps->first[i] : 0, k = 0;
    if (taps && taps->first[j + 1] - taps->first[j] != count)
        return false;
    while (k < count && (taps->tap[taps->first[j] + k] + back) % nodes == taps->tap[taps->first[i] + k])
        k++;
    return k == count;
}

/** Tell whether a rotation by `back` nodes maps the lightpaths onto themselves.  For each there must be one on the same
 *  channel whose source, destination and taps are `back` nodes before.  Either both must send, as the first `lit`
 *  lightpaths do, or neither. */
static bool repeats(const struct rotation *r, const struct power_taps *taps, size_t count, size_t lit, uint32_t back)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = at_back(r, i, back);
        if (j == 0 || (i < lit) != (j - 1 < lit) || (r->list[j - 1].dst + back) % r->net->nodes != r->list[i].dst ||
            !taps_are_copies(taps, i, j - 1, back, r->net->nodes))
            return false;
    }
    return true;
}

rwa_status rotation_find(struct rotation *out, const rwa_network *net, const rwa_lightpath *lightpaths,
                         const struct power_taps *taps, size_t count, size_t lit, struct arena *memory)
{
    uint32_t nodes = net->nodes;
    *out = (struct rotation){nodes, net, lightpaths, NULL};
    if (!network_is_cycle(net) || count < 2)
        return RWA_OK;
    MUST(arena_arrays(memory, (size_t)2 * rwa_network_channels(net) * nodes, out->at));
    for (size_t i = 0; i < count; i++) {
        uint32_t *at = &out->at[beginning_of(net, &lightpaths[i], lightpaths[i].src)];
        if (*at > 0)    /* two begin at one place: the step is wrong, and its power is computed one by one */
            return RWA_OK;
        *at = (uint32_t)i + 1;
    }
    for (uint32_t turn = 1; turn < nodes; turn++)
        if (nodes % turn == 0 && repeats(out, taps, count, lit, turn)) {
            out->turn = turn;
            break;
        }
    return RWA_OK;
}
