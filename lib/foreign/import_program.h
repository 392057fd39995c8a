/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Programs without steps: the acts of each node, and the acts that each act waits for.  A send and its receive are one
 * transfer, which takes place in the first step that the waits allow.  A step sends only blocks held before it: a send
 * that waits for a receive comes at least a step later, and an act that waits for a send can share the step of that
 * send.  Two nodes that exchange their values, each of which receives after it has sent, wait for each other in a
 * circle, and the whole circle takes place in one step.
 */
#pragma once

#include "foreign/import.h"

/** COMPUTE: a computation on received data, possibly an addition; ADD: the addition of the data of a receive. */
enum act_kind { ACT_NONE, ACT_COMPUTE, ACT_SEND, ACT_RECEIVE, ACT_ADD };

#define ACT_UNKNOWN UINT64_MAX

/** One operation of a node on consecutive blocks. */
struct import_act {
    enum act_kind kind;
    bool reduces;               /* what arrives is added */
    uint32_t node;
    uint64_t src, dst;          /* the ends of a send or receive: nodes */
    uint64_t channel;           /* or tag */
    uint64_t block, count;      /* count 0: the file does not name them */
    uint64_t bytes;             /* ACT_UNKNOWN: the file does not say */
    size_t place;               /* a line, or the number of the operation in its node's file of a folder */
    size_t event;               /* set by acts_pair(): the act that sends its transfer, or the act itself */
    uint32_t step;              /* of an event by acts_settle(), from 1 */
};

/** Act `to` waits for act `from`. */
struct import_wait {
    size_t from, to;
};

/** How a program names an operation: by the number in a thread block of its node, from whatever number on.  One that
 *  receives and then sends has two acts. */
struct import_name {
    uint32_t node, thread;
    uint64_t number;
    size_t act;                 /* the act that has the name, or the one that waits for it */
};

/** Fail with RWA_FORMAT and a message that names the file, and the line or operation of an act (NULL: none). */
rwa_status acts_fail(const struct import *im, const struct import_act *act, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** Append an act, which carries out operation `number` of thread block `thread` of its node, or a part of this
 *  operation. */
rwa_status acts_append(struct import *im, const struct import_act *act, uint32_t thread, uint64_t number);
rwa_status acts_wait(struct import *im, size_t from, size_t to);
/** Let the act that is appended next wait for operation `number` in thread block `thread` of a node.  The operation may
 *  be appended later. */
rwa_status acts_await(struct import *im, uint32_t node, uint32_t thread, uint64_t number);
/** Turn each call of acts_await() into a wait for the last act of the operation.  Pair each send with a receive of the
 *  same ends and channel, in the order of appending.  If only one of them names its blocks, the other gets the same.
 *  RWA_FORMAT: two operations have the same number, or none has one that is awaited; an act without a partner, a send
 *  and a receive that contradict each other, or no send at all. */
rwa_status acts_pair(struct import *im);
/** Find the steps of all acts, after acts_pair().  Acts that wait for each other in a circle share a step.  RWA_FORMAT:
 *  a wait inside a circle needs a later step.  Cost O(acts + waits) */
rwa_status acts_settle(struct import *im);
/** Append the transfers of all acts to im->list.  The acts must name their blocks. */
rwa_status acts_add(struct import *im);
