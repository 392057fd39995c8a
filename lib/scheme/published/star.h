/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Collectives on a passive star, or through circuit switches: transmissions, their listeners and their blocks, made into the
 * steps of a stage.  Patterns and numbers: Desprez, Ferreira, Tourancheau, "Efficient communication operations on passive
 * optical star networks".
 */
#pragma once

#include "scheme/scheme.h"

/** One transmitter on one wavelength, for as many steps as it has blocks. */
struct air {
    uint32_t src, wavelength;
    size_t listener, listeners; /* in airs.listener[] */
    size_t block, blocks;       /* in airs.block[] */
};

/** Listeners may stop early: after `heard` blocks.  Those of one port, of all transmitters, are all different. */
struct listener {
    uint32_t node;
    uint32_t heard;
    uint32_t port;
};

/** The transmissions of a stage.  The first failure sticks. */
struct airs {
    struct air *air;
    struct listener *listener;
    uint32_t *block;
    size_t count, capacity, listeners, listener_capacity, blocks, block_capacity;
    rwa_status status;
    rwa_error *err;
};

void airs_close(struct airs *a);
/** Begin a transmission; its blocks and listeners follow. */
void airs_begin(struct airs *a, uint32_t src, uint32_t wavelength);
void airs_block(struct airs *a, uint64_t block);
void airs_listen(struct airs *a, uint32_t node, uint32_t heard, uint32_t port);

/**
 * Push a stage: every transmission one block a step.  Where the star has fewer channels than the transmissions name, they take
 * turns, as many at a time as there are channels.
 */
rwa_status airs_push(struct schedule_sink *sink, struct airs *a, const rwa_network *net);
/** The same through circuit switches: every listener has a circuit of its own, through the switch of its port's number, and
 *  hears as many blocks a step as a fibre has wavelengths. */
rwa_status airs_push_circuits(struct schedule_sink *sink, struct airs *a, const rwa_network *net);

/** The setting of an operation: nodes counted from the root, k wavelengths each. */
struct star {
    uint32_t nodes, root, ports;
    uint32_t width;         /* blocks a step that a listener hears: 1, or the wavelengths of a circuit */
    bool circuits;
    uint32_t stages;        /* h = ceil(log_{k+1} P) */
    bool whole;             /* P is a power of k + 1 */
    uint64_t blocks;        /* of the collective */
    rwa_collective_kind kind;
    uint32_t classes;       /* into how many parts the message of a broadcast is split, at most P; else P */
    uint32_t splits;        /* h', of a broadcast */
};

/** (k + 1)^e, or something beyond any number of nodes. */
uint64_t star_power(const struct star *s, uint32_t e);

/** TCP1: level `level` of the tree in which ranges of classes are cut into k + 1 parts, one kept and k sent; upwards:
 *  the parts come back. */
void star_tree(struct airs *a, const struct star *s, uint32_t level, bool upwards);
/** TCP2: stage `level` of the exchange after which every node of a clique has the blocks of all its classes. */
void star_exchange(struct airs *a, const struct star *s, uint32_t level);
/** TCP1 without splitting: every class is copied to k times as many nodes as have it. */
void star_copy(struct airs *a, const struct star *s, uint32_t level);
/** TCP2, personalised: blocks move to nodes that agree with their destination in one more digit. */
void star_personalised(struct airs *a, const struct star *s, uint32_t level);
