/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/base.h"

#include <time.h>

double base_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct budget base_budget(double limit_s, rwa_poll poll, void *data)
{
    struct budget budget = {.deadline_s = limit_s > 0 ? base_now_s() + limit_s : 0, .poll = poll, .data = data};
    return budget;
}

struct budget base_budget_part(const struct budget *whole, double share)
{
    struct budget part = *whole;
    double now = base_now_s();
    if (whole->deadline_s > 0)
        part.deadline_s = now + share * (whole->deadline_s - now);
    return part;
}

bool base_is_late(const struct budget *budget)
{
    static const double grace_s = 0.1;
    return budget->deadline_s > 0 && base_now_s() > budget->deadline_s + grace_s;
}

bool base_must_stop(struct budget *budget, const char *phase, double fraction)
{
    if (!budget->cancelled && budget->poll)
        budget->cancelled = budget->poll(budget->data, phase, fraction) != 0;
    budget->looks -= budget->looks > 1;
    return budget->cancelled || budget->looks == 1 || (budget->deadline_s > 0 && base_now_s() > budget->deadline_s);
}

int base_poll_budget(void *budget, const char *phase, double fraction)
{
    return base_must_stop(budget, phase, fraction);
}
