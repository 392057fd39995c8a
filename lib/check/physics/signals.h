/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The signals of a step while they are followed: for rings.c and link_budget.c only. */
#pragma once

#include "base/arena.h"
#include "check/physics/rings.h"
#include "network/network.h"
#include "power/power.h"

/** A receiver of a lightpath: its end, or a tap on its way. */
struct ring_receiver {
    size_t lightpath;
    uint32_t node;
    double share;           /* share of the arriving light that it takes: 1 except at taps */
    double received_dbm, other_mw, same_mw, same_field, loudest_mw;
    size_t loudest;         /* the lightpath that disturbs it most */
    size_t home;            /* the receiver that stands for it */
    size_t next;            /* 1 + the next receiver in the node's list, by wavelength; 0: none */
};

struct ring_sender {
    size_t next;            /* 1 + the next lightpath in the list of senders; 0: none */
};

struct signals {
    const struct lit_set *set;
    const rwa_device *device;
    uint32_t nodes, rings;
    double span_db, depth;
    /* of ring r for wavelength w, at index r - w + rings */
    double *parked_db;      /* loss past all parked rings before this distance */
    double *engaged_db;     /* additional loss past the engaged ring, compared with the same ring parked */
    double *parked, *passed;    /* the shares of the light that these two losses leave, if `tabled` */
    bool tabled;
    double *caught;         /* share of the light that the engaged ring takes */
    struct ring_receiver *receiver;
    size_t *first_receiver; /* of each lightpath, and one more for the end */
    struct ring_sender *sender;
    size_t *order;          /* the lightpaths by wavelength, the highest first */
    size_t *heads[2];       /* of each node: 1 + its first receiver, and 1 + its first sender, in the current guide */
    double *output_mw;      /* of each node, in the current guide */
    uint32_t period;        /* nodes; as many as there are: no lightpath stands for another */
    uint32_t *begins;       /* by channel, direction and node: 1 + the lightpath that begins there; 0: none */
    double *heard;          /* mW of each lit lightpath at each receiver of set->detailed; NULL: not asked for */
};

double decibel(double ratio);
double milliwatt(double dbm);
/** Return the loss in dB of light that passes a ring whose wavelength is `offset_ghz` away.  On resonance the ring
 *  takes the share `share`. */
double past_db(const struct signals *p, double offset_ghz, double share);
/** Return the loss in dB of wavelength w past the rings `from` to `to` - 1 if all are parked (off resonance). */
double past_parked_db(const struct signals *p, uint32_t w, uint32_t from, uint32_t to);
uint32_t wavelength_of(const struct signals *p, size_t lightpath);
uint32_t hops_to(const struct signals *p, size_t i, uint32_t node);
/** Compute the power figures of one receiver, after all signals of its guide were followed. */
rwa_power rate_receiver(const struct signals *p, const struct ring_receiver *r);

/** Begin the link budget of set->detailed: its levels, with no losses yet. */
void budget_begin(const struct lit_set *set);
/** Fill in the losses of set->detailed, and the crosstalk at its worst receiver, while the rings of its guide are
 *  engaged. */
void budget_fill(const struct signals *p);
