/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The time of a schedule: the users of places so far (timing.c), and the epochs that follow from them (epochs.c). */
#pragma once

#include "check/checker.h"

/** The last user of a resource, and the last step in which it used it; 0: no user yet. */
struct use {
    uint64_t user;
    uint32_t step;
};

/** The last users of a node's ports, the latest first; at most one more than there are ports. */
struct recent_users {
    struct use *at;
    size_t count;
};

/** The entries for the links of a class that only orbits of all nodes use. */
struct class_places {
    uint32_t period;        /* 0: no orbit yet */
    uint32_t span;          /* positions along the cycle that `at` has; 1: one period, position 0 stands for all */
    struct use *at;         /* position * channels + channel */
};

/** The number of epochs so far, and the first step of the current one. */
struct epochs {
    uint64_t count;
    uint32_t first;
};

/** A step, and when it ends. */
struct ended {
    uint32_t step;
    double end_s;
};

struct timing {
    rwa_cost_options cost;
    double rate_bps;
    uint64_t channels;
    size_t ports;
    struct class_places *class;         /* by class; not used with `place` */
    struct use *place; /* (direction, channel, link), (link, channel), channel of a star, end of a switch */
    struct recent_users *out, *in;      /* by node; NULL: ports are not limited, or (in) only senders retune */
    size_t cuts_passed;                 /* of chk->cuts */
    uint32_t *failures;                 /* steps from 2 on in which links fail, ascending */
    size_t failure_count, failures_passed;
    struct number_set known;            /* lightpaths so far; used only with failures */
    bool fresh;                         /* the step has a lightpath that no earlier step had */
    uint32_t unfit; /* the last step that does not fit together with the steps up to the current one; 0: all fit */
    struct epochs epochs;
    struct epochs split;                /* the epochs if one ends before each failure since the last fresh lightpath */
    bool undecided;                     /* there was such a failure: a fresh lightpath would make `split` replace
                                           `epochs` */
    uint32_t blocks;                    /* on the fullest lightpath of the step */
    struct ended *ended; /* overlap: ascending; of consecutive steps of a ron without lightpaths only the last */
    size_t ended_count;
    uint64_t fullest_bytes;             /* on the fullest lightpath of each step, added up */
    uint64_t work;                      /* since the last poll */
    uint32_t steps;
    double end_s;                       /* of the last step; in the model circuit without reconfigurations */
};

/** Tell whether the time is not computed: because it was not asked for, or because a violation makes it unknown. */
static inline bool has_no_time(const struct checker *chk)
{
    return !chk->timing || is_violated(chk);
}
