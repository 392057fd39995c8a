/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"

#include <time.h>

uint64_t base_random(uint64_t *state)
{
    /* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) */
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint64_t base_random_below(uint64_t *state, uint64_t below)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % below;
    uint64_t value = base_random(state);
    while (value >= limit)
        value = base_random(state);
    return value % below;
}

void base_shuffle(uint32_t *list, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)base_random_below(state, i), kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}

double base_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct watch base_watch(double limit_s, rwa_poll poll, void *data)
{
    struct watch watch = {.deadline_s = limit_s > 0 ? base_now_s() + limit_s : 0, .poll = poll, .data = data};
    return watch;
}

struct watch base_watch_part(const struct watch *whole, double share)
{
    struct watch part = *whole;
    double now = base_now_s();
    if (whole->deadline_s > 0)
        part.deadline_s = now + share * (whole->deadline_s - now);
    return part;
}

bool base_must_stop(struct watch *watch, const char *phase, double fraction)
{
    if (watch->poll && watch->poll(watch->data, phase, fraction) != 0)
        watch->cancelled = true;
    return watch->cancelled || (watch->deadline_s > 0 && base_now_s() > watch->deadline_s);
}
