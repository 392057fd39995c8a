/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Programs without steps: what each node does, and what waits for what.  A send and the receive that it meets are a transfer, which takes
 * place in the first step that the waits allow, where a step sends what was held before it: what waits for a receive to send comes a step
 * later, and what waits for a send can share its step.  So two nodes that exchange their values, each ready to receive once it has sent,
 * wait for each other in a circle, but all in one step.
 */
#pragma once

#include "foreign/import.h"

#include "base/arena.h"

/** ADD: the addition of what a receive has brought. */
enum act_kind { ACT_NONE, ACT_SEND, ACT_RECEIVE, ACT_ADD };

/** What a node does at once, with blocks that follow each other. */
struct import_act {
    enum act_kind kind;
    bool reduces;               /* what arrives is added */
    uint32_t node, src, dst;    /* the ends of a send or receive */
    uint64_t channel;           /* or tag */
    uint64_t block, count;      /* count 0: the file does not name them */
    size_t place;               /* a line, or the number of the operation in its node's file */
};

/** An act waits for another one. */
struct import_wait {
    size_t from, to;
};

struct import_program {
    struct import *im;
    bool by_node;               /* a file for each node: `place` is the number of an operation */
    const char *channel_name;   /* "on channel" */
    rwa_status (*join)(struct import_program *p, size_t send, size_t receive);  /* check what meets, or complete it; NULL: nothing to do */
    void *data;                 /* of join() */
    struct import_act *acts;
    size_t count, capacity;
    struct import_wait *waits;
    size_t wait_count, wait_capacity;
    size_t *event;              /* of each act: the send of its transfer, or itself */
    uint32_t *step;             /* of each event, from 1 */
    struct arena memory;        /* of the last two */
};

/** RWA_FORMAT at the place of an act; NULL: of the program. */
rwa_status acts_fail(const struct import_program *p, const struct import_act *act, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
rwa_status acts_wait(struct import_program *p, size_t from, size_t to);
/** The first send with a pair of ends and a channel meets the first receive, and so on.  RWA_FORMAT: one is alone, or there are none. */
rwa_status acts_pair(struct import_program *p);
/** Find the steps of a program that is paired.  RWA_FORMAT: an act waits for itself */
rwa_status acts_settle(struct import_program *p);
/** Append its transfers, whose blocks are named. */
rwa_status acts_add(const struct import_program *p);
void acts_free(struct import_program *p);

/** import_steps.c: the first step of each event, from 1.  Events that wait for each other in a circle share a step.
 *  @param[out] endless  an act that waits for its own event in an earlier step; NULL: none does.  Cost O(acts + waits) */
rwa_status import_settle(struct import_program *p, const struct import_act **endless);
/** The least number of steps between an act and one that waits for it. */
uint32_t import_delay(const struct import_act *from, const struct import_act *to);
