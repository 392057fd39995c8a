/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Programs without steps: what each node does, and what waits for what.  A send and the receive that it meets are a
 * transfer, which takes place in the first step that the waits allow, where a step sends what was held before it: what
 * waits for a receive to send comes a step later, and what waits for a send can share its step.  So two nodes that
 * exchange their values, each ready to receive once it has sent, wait for each other in a circle, but all in one step.
 */
#pragma once

#include "foreign/import.h"

/** COMPUTE: of what was received, perhaps an addition; ADD: the addition of what a receive has brought. */
enum act_kind { ACT_NONE, ACT_COMPUTE, ACT_SEND, ACT_RECEIVE, ACT_ADD };

#define ACT_UNKNOWN UINT64_MAX

/** What a node does at once, with blocks that follow each other. */
struct import_act {
    enum act_kind kind;
    bool reduces;               /* what arrives is added */
    uint32_t node, src, dst;    /* the ends of a send or receive */
    uint64_t channel;           /* or tag */
    uint64_t block, count;      /* count 0: the file does not name them */
    uint64_t bytes;             /* ACT_UNKNOWN: the file does not say */
    size_t place;               /* a line, or the number of the operation in its node's file of a folder */
    size_t event;               /* by acts_pair(): the send of its transfer, or itself */
    uint32_t step;              /* of an event by acts_settle(), from 1 */
};

/** An act waits for another one. */
struct import_wait {
    size_t from, to;
};

/** RWA_FORMAT at the place of an act; NULL: of the program. */
rwa_status acts_fail(const struct import *im, const struct import_act *act, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
rwa_status acts_wait(struct import *im, size_t from, size_t to);
/** The first send with a pair of ends and a channel meets the first receive, and so on; blocks that one of them names
 * are those of both. RWA_FORMAT: one is alone, or says otherwise than the other, or there are none. */
rwa_status acts_pair(struct import *im);
/** Find the steps of acts that are paired.  Events that wait for each other in a circle share a step.  RWA_FORMAT: an
 * act waits for itself in an earlier step.  Cost O(acts + waits) */
rwa_status acts_settle(struct import *im);
/** Append their transfers, whose blocks are named. */
rwa_status acts_add(struct import *im);
