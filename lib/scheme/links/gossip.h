/* SPDX-License-Identifier: GPL-3.0-or-later */
/** An all-gather between neighbours, for the files of the scheme "gossip": in each step every node sends each neighbour blocks that this
 *  one lacks. */
#pragma once

#include "base/arena.h"
#include "network/network.h"
#include "scheme/scheme.h"

/** By how many nodes hold a block, few first. */
enum { GOSSIP_CLASSES = 3 };

/** How it is done. */
struct way {
    uint32_t parts;             /* of each block */
    uint32_t most;              /* blocks on a lightpath and step */
};

struct gossip {
    const rwa_network *net;     /* with its links listed, each channel alike */
    struct way way;
    uint32_t nodes, links, channels, blocks;
    size_t words;
    uint64_t *has, *offers;     /* [node][word]: blocks now, and at the beginning of the step */
    uint64_t *sent;             /* [link][word]: in the step */
    uint64_t *rare;             /* [class][word] */
    uint32_t *holders, *sorted; /* of each block; blocks by holders */
    uint32_t *order;            /* of links: drawn at random */
    bool *spent;                /* of each link: nothing is left to send in the step */
    uint64_t random;
    size_t missing;
    struct arena memory;
    /* What came of it. */
    uint32_t steps;
    uint32_t *count;            /* [step, from 0][link]: blocks that it carries */
    uint32_t *load;             /* [step, from 0]: blocks on the fullest lightpath */
    bool keep;                  /* the sequence */
    uint32_t *sequence;         /* blocks, by step, link and number */
    size_t count_room, load_room, sequence_room, sequence_count;
};

/** keep: what each link carries.  RWA_NOMEM; gossip_close() in any case. */
rwa_status gossip_open(struct gossip *g, const rwa_network *net, const struct way *way, bool keep, rwa_error *err);
/** One step more; *some: whether any block was sent.  RWA_NOMEM; RWA_CANCELLED.  O(most * links * words) */
rwa_status gossip_step(bool *some, struct gossip *g, struct budget *budget, rwa_error *err);
void gossip_close(struct gossip *g);
