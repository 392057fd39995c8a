/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The time of a schedule: the users of its places so far (timing.c), and the epochs that follow
 *  from them (epochs.c). */
#pragma once

#include "check/checker.h"

/** The user of a place and its stay there; stay 0: none yet. */
struct use {
    uint64_t user;
    uint32_t stay;
};

/** The last step of users that come together: all those of a step, or the lightpaths of an orbit. */
struct stay {
    uint32_t step;
    bool whole;             /* of an orbit: no other user has taken any of its places since */
};

/** The users of ports, and the last step of each. */
struct port_use {
    uint64_t user;
    uint32_t step;
};

/** The users of the ports of a node, the one that used them last first, and no more than ports + 1. */
struct recent_users {
    struct port_use *at;
    size_t count, capacity;
};

/** The links of a class, which whole orbits alone use. */
struct class_places {
    uint32_t period;        /* 0: no orbit yet */
    uint32_t span;          /* positions along the cycle that `at` has; 1: one period, position 0 stands for all */
    struct use *at;         /* position * channels + channel */
};

/** Epochs so far, and the first step of the running one. */
struct epochs {
    uint64_t count;
    uint32_t first;
};

/** A step and its end in seconds. */
struct ended {
    uint32_t step;
    double end_s;
};

/** A random number and what it stands for. */
struct numbered {
    uint64_t number;        /* 0: the slot is free */
    uint32_t stay;
};

/** A hash set of random numbers with open addressing, at most half full. */
struct number_set {
    struct numbered *slot;
    size_t count, slots;    /* slots: a power of two */
};

struct timing {
    rwa_cost_options cost;
    double rate_bps;
    uint64_t channels;
    size_t ports;
    struct class_places *class;         /* by class; not used with `place` */
    struct use *place; /* (direction, channel, link), (link, channel), channel of a star, end of a switch */
    struct recent_users *out, *in;      /* by node; NULL: no limit of ports, or (in) only senders retune */
    struct stay *stay;                  /* the first one stands for none */
    size_t stays, stay_capacity;
    uint32_t taking;                    /* the stay of the users that take places now */
    uint32_t step_stay;                 /* that of the last step of which one was needed */
    struct number_set orbits;           /* taken lightpath by lightpath, and the stay of each */
    const uint32_t *cuts;               /* steps before which the header cuts an epoch */
    size_t cut_count, cuts_passed;
    uint32_t *failures;                 /* steps from 2 on in which links fail, ascending */
    size_t failure_count, failures_passed;
    struct number_set known;            /* lightpaths so far; only with failures */
    bool fresh;                         /* the step has a lightpath that no step before had */
    uint32_t unfit; /* the last step that does not fit with those up to the current one; 0: all fit */
    struct epochs epochs;
    struct epochs split;                /* if an epoch ends before each failure since the last fresh lightpath */
    bool undecided;                     /* there is such a failure, so that `split` may replace `epochs` */
    uint32_t blocks;                    /* of the fullest lightpath of the step */
    struct ended *ended; /* overlap: ascending; of steps of a ron without a lightpath only the last in a row */
    size_t ended_count, ended_capacity;
    uint64_t work;                      /* since the last poll */
    uint32_t steps;
    double end_s;                       /* of the last step; without reconfigurations in the model circuit */
};

static inline uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/** Whether the time is not asked for, or not known for a violation. */
static inline bool has_no_time(const struct checker *chk)
{
    return !chk->timing || is_violated(chk);
}
