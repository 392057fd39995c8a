/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The deadline of a whole plan: a poll that stops all work when the time is over. */
#include "plan/plan.h"

int deadline_poll_caller(void *data, const char *phase, double fraction)
{
    struct deadline *d = data;
    d->stopped = d->stopped || (d->poll && d->poll(d->data, phase, fraction) != 0);
    return d->stopped;
}

static int poll_deadline(void *data, const char *phase, double fraction)
{
    struct deadline *d = data;
    deadline_poll_caller(d, phase, fraction);
    d->passed = d->passed || (d->limit_s > 0 && base_now_s() > d->begin_s + d->limit_s);
    return d->stopped || d->passed;
}

void deadline_begin(struct deadline *d, rwa_plan_options *o)
{
    *d = (struct deadline){.poll = o->poll, .data = o->poll_data, .limit_s = o->time_limit_s, .begin_s = base_now_s()};
    if (!d->poll && d->limit_s <= 0)
        return;
    o->poll = poll_deadline;
    o->poll_data = d;
    o->time_limit_s /= 2;
}

void deadline_note_plan(struct deadline *d)
{
    if (d && d->first_s == 0)
        d->first_s = base_now_s() - d->begin_s;
}

bool deadline_passed(const struct deadline *d)
{
    return d && d->passed;
}

bool deadline_ended(const struct deadline *d, rwa_status st)
{
    return d && d->limit_s > 0 && !d->stopped && st == RWA_CANCELLED;
}

bool work_was_limited(const rwa_plan_options *o, rwa_status st)
{
    return st == RWA_CANCELLED && !(o->poll && o->poll(o->poll_data, "planning", -1) != 0);
}

rwa_status deadline_explain(const struct deadline *d, rwa_status st, rwa_error *err)
{
    if (!deadline_ended(d, st))
        return st;
    base_begin(err);
    return base_fail(err, RWA_CANCELLED,
                     "time_limit_s %g: no plan was found and checked in that time; more would help", d->limit_s);
}
