/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"

void base_shuffle(uint32_t *list, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)base_random_below(state, i), kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}
