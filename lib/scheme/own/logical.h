/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Logical topologies, for the files of the scheme "logical-topology": lightpaths that stay up are the links of another network, of fewer
 * hops, over which blocks travel from node to node.
 */
#pragma once

#include "base/arena.h"
#include "base/bins.h"
#include "scheme/scheme.h"

/** Nodes at most; beyond GREEDY_NODES on rings and lines, with levels, on meshes, those of lines of LINE_NODES line by line, and where
 *  nodes are not all alike. */
enum { LOGICAL_NODES = 2048, GREEDY_NODES = 256, LINE_NODES = 64 };

/** A physical network of links there and back, and a shortest route between every two nodes. */
struct physical {
    const rwa_network *net;
    rwa_network *listed;        /* with its links listed */
    uint32_t nodes, fibres, channels;   /* fibre pairs; channels of each */
    uint32_t ports;             /* lightpaths out of, and into, a node, at most; UINT32_MAX: any number */
    uint32_t *into;             /* [src][dst]: the last link of the route; UINT32_MAX: src is dst */
    uint16_t *hops;             /* [src][dst] */
    double *gain;               /* [a][b], a < b: of joining them first, for each link; up to GREEDY_NODES */
    uint32_t farthest;
    uint32_t degree;            /* links out of the node with the fewest */
    struct physical *line;      /* of a mesh beyond GREEDY_NODES: a line of each dimension that has more than one node */
    uint32_t lines;
    struct budget *budget;      /* polled by all that is slow; NULL: none */
    struct arena memory;
};

/** Why a request cannot be planned over a logical topology, or NULL. */
const char *physical_limit(const struct plan_request *request);
/** RWA_OK, also where a node cannot be reached (nodes 0); RWA_NOMEM.  physical_close() in any case. */
rwa_status physical_open(struct physical *out, const rwa_network *net, struct budget *budget, rwa_error *err);
void physical_close(struct physical *p);
/** Whether the budget ends the planning, and RWA_CANCELLED then. */
bool physical_stops(const struct physical *p);
rwa_status physical_go_on(const struct physical *p, rwa_error *err);

/** Which lightpaths are chosen. */
struct logical_choice {
    uint32_t longest;           /* links of a lightpath, at most */
    uint32_t neighbours;        /* channels of each link that lightpaths of one link take first */
    uint32_t joined;            /* far nodes that a node is joined to at first, at most: with few no node is on the way of all others */
    uint32_t levels;            /* on a ring or line: of lightpaths of 1, r, r² ... `longest` links; 0: as the two above say */
    uint32_t ratio;             /* r */
    uint32_t extra;             /* the level, from 1, that has the channels that are left when each has as many, the lowest a single one */
};

/** Channels of a level, on each of which its lightpaths follow each other. */
uint32_t levels_copies(const struct logical_choice *c, uint32_t channels, uint32_t level);

/** The network and the collective that levels are made for. */
struct levels_use {
    uint32_t nodes, channels;
    uint32_t longest;           /* links of a lightpath, at most */
    bool ring;                  /* or a line */
    bool exchange;              /* an all-to-all, or an all-gather */
    double step_s, block_s;     /* of a step, and of a block on its fullest lightpath */
};
/** Levels, and about what they take. */
struct levels {
    struct logical_choice choice;
    uint32_t most;              /* blocks on a lightpath and step */
    double time_s;              /* without the first tuning */
};
/** Of each number of levels the quickest, and of these the quickest first; returns how many.  `list` has LEVELS_MOST places. */
enum { LEVELS_MOST = 8 };
size_t levels_list(struct levels *list, const struct levels_use *use);

/** Link l and link l ^ 1 lead there and back over the same channel and links. */
struct logical {
    const struct physical *physical;
    bool levelled;              /* of levels: even links lead one way along the ring or line, odd ones the other */
    uint32_t *from, *to, *channel;
    uint32_t links;
    uint16_t *hops;             /* [src][dst]: fewest lightpaths from one to the other */
    uint32_t farthest;
    uint32_t degree;            /* lightpaths out of the node with the fewest */
    bool given_up;              /* some node would have too few: no more is known */
    struct arena memory;
};

/** Neighbours first, then lightpaths that shorten the ways of all pairs most, until no channel is left for another; or levels.
 *  @param degree  lightpaths out of each node, at least: a topology with fewer is given up
 *  RWA_NOMEM, RWA_CANCELLED.  O(links * nodes²), with levels O(links * nodes).  logical_close() in any case. */
rwa_status logical_open(struct logical *out, const struct physical *physical, const struct logical_choice *choice, uint32_t degree,
                        rwa_error *err);
/** logical_grid.c: whether a network is a mesh whose lines can have a topology each. */
bool logical_splits(const rwa_network *net);
/** Open the lines.  RWA_NOMEM; physical_close() closes them in any case. */
rwa_status physical_split(struct physical *p, rwa_error *err);
/** What is soon known of a topology of a large network: of a mesh, what its lines alone say. */
enum { LIT_PARTS = 2 };
struct lines_extent {
    uint32_t farthest;          /* lightpaths of the longest way */
    double load;                /* an all-to-all, one dimension after the other: blocks on the fullest lightpath of each step, added up */
    uint32_t lit[LIT_PARTS];    /* an all-gather of blocks in 1, 2 ... parts: lightpaths to the node with the fewest; of those
                                   with the same ends no more than there are parts */
};
rwa_status logical_measure(struct lines_extent *out, const struct physical *p, const struct logical_choice *choice, bool exchange,
                           rwa_error *err);
/** A topology of each line; logical_open() calls it where there are lines. */
rwa_status logical_open_lines(struct logical *out, const struct physical *physical, const struct logical_choice *choice, uint32_t degree,
                              rwa_error *err);
void logical_close(struct logical *t);
/** The lightpaths by the node that they leave.  RWA_NOMEM; bins_free() in any case. */
rwa_status logical_links_out(struct bins *out, const struct logical *t, rwa_error *err);
/** The nodes of a lightpath, src first; returns how many. */
uint32_t logical_path(uint32_t *node, const struct logical *t, uint32_t link);

/** In step `step`, from 1, a lightpath carries a block. */
struct carriage {
    uint32_t step, link, block;
};

/** How blocks travel. */
struct carriages {
    struct carriage *list;
    size_t count, room;
    uint32_t steps;
    uint32_t *load;             /* of each step, from 1: blocks on the fullest lightpath */
    size_t load_room;
    bool full;                  /* an all-gather: if lightpaths might carry more blocks, it would be another one */
};
void carriages_free(struct carriages *c);
/** By step and link; in each, as they were.  RWA_NOMEM, RWA_CANCELLED */
rwa_status carriages_sort(struct carriages *c, const struct logical *t, rwa_error *err);

struct travelling {
    uint32_t parts;             /* blocks of each node, or pair of nodes */
    uint32_t most;              /* an all-gather: on a lightpath and step */
    double step_s, block_s;     /* of a step, and of a block on its fullest lightpath; */
    double limit_s;             /* of all steps; what takes longer is given up */
};

/** An all-gather: each node gets each block once.  None (steps 0) where it is given up, or blocks do not reach all nodes.
 *  RWA_NOMEM, RWA_CANCELLED */
rwa_status logical_all_gather(struct carriages *out, const struct logical *t, const struct travelling *how, rwa_error *err);
/** An all-to-all over the fewest lightpaths; those of a step are about equally full.  None (steps 0) where it is given up.
 *  RWA_NOMEM, RWA_CANCELLED */
rwa_status logical_all_to_all(struct carriages *out, const struct logical *t, const struct travelling *how, rwa_error *err);
