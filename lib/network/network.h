/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The internal data of a network, and its functions for the other modules of the library. */
#pragma once

#include "base/arena.h"
#include "network/shape.h"

/** The faults of a network, each list ascending without duplicates; all zeros: no faults. */
struct faults {
    uint32_t *channels;
    size_t channel_count;
    uint32_t *links;        /**< directed */
    uint32_t *from;         /**< for each of these links the first step in which it is failed; 0: from the beginning */
    size_t link_count;
    uint32_t links_from;    /**< the last of these steps */
    struct arena memory;    /**< of these lists */
};

struct rwa_network {
    rwa_topology kind;
    unsigned capabilities;  /**< as named in the table of kinds */
    uint32_t nodes;
    uint32_t fibers;
    uint32_t wavelengths;
    double rate_bps;
    double slot_hz;         /**< 0: fixed channels */
    uint32_t ports;
    uint32_t tuning;
    uint32_t shape[RWA_SHAPE_MAX];
    size_t shape_count;
    /* Kinds that list their links; nothing of it for the others. */
    bool paired;
    uint32_t link_count;
    rwa_link *links;
    uint32_t *first;        /**< nodes + 1: the links that leave node v are out[first[v]] … out[first[v + 1] - 1], */
    uint32_t *out;          /**< sorted by where they lead, then by number */
    char **names;           /**< NULL, or nodes of them; each may be NULL */
    rwa_position *positions;      /**< NULL, or nodes of them; NaN: not known */
    struct faults faults;
    rwa_reserved *reserved; /**< of directed links, ascending, none twice */
    size_t reserved_count;
    uint32_t *group_links;  /**< of risk group g: group_links[group_first[g]] … group_links[group_first[g + 1] - 1],
                                 ascending */
    size_t *group_first;    /**< group_count + 1 of them; NULL: no groups */
    size_t group_count;
    struct network_shape form; /**< found when it was built */
    struct arena arena;     /**< of all lists above but the faults */
};

struct pen;

/** Set *out to a copy of `net` that has these faults instead of its own.  from[i] is the first step in which
 *  faults->links[i] is failed; NULL: faults->links_from for all of them. */
rwa_status network_with_failures(rwa_network **out, const rwa_network *net, const rwa_faults *faults,
                                 const uint32_t *from, rwa_error *err);
/** Set *out to a copy of `net` in which `count` more links are failed, from step `step` on. */
rwa_status network_with_more_failures(rwa_network **out, const rwa_network *net, const uint32_t *links, size_t count,
                                      uint32_t step, rwa_error *err);
/** Return the first step in which a directed link is failed (0: it is failed from the beginning), or UINT64_MAX if the
 *  link works. */
uint64_t network_failed_from(const rwa_network *net, uint32_t link);
/** Tell whether some links fail in a later step than others. */
bool network_fails_in_steps(const rwa_network *net);
/** Return the number of nodes whose positions are known. */
uint32_t network_known_positions(const struct rwa_network *net);
/** Return st, the status of building *net.  Unless it is RWA_OK, free the network and set *net to NULL. */
rwa_status network_keep(struct rwa_network **net, rwa_status st);
/** Return a copy of a network, or NULL if memory runs out. */
struct rwa_network *network_copy(const struct rwa_network *net, rwa_error *err);
/** Return a copy of a network of listed links in which every link keeps its number but leads the other way.  NULL: out
 *  of memory. */
struct rwa_network *network_reversed(const struct rwa_network *net, rwa_error *err);
/** Return a copy that has only the first `wavelengths` wavelengths, 1 … all, and whose nodes have `ports` ports, or
 *  NULL if memory runs out.  A network that loses wavelengths must have no reserved channels. */
struct rwa_network *network_with_fewer(const struct rwa_network *net, uint32_t wavelengths, uint32_t ports,
                                       rwa_error *err);
/** Return options for a network that has the fibres, wavelengths, rate, slots, ports and tuning of this one. */
rwa_network_options network_options_like(const struct rwa_network *net);
/** Set *out to a copy of `net` with one fibre of `channels` wavelengths on each link and no reserved channels.  All
 *  links of `net` must have the same channels, and none may have failed.  RWA_NOMEM */
rwa_status network_with_channels(struct rwa_network **out, const struct rwa_network *net, uint32_t channels,
                                 rwa_error *err);
/** Set *out to a copy of `net` in which the channels that are reserved on some link are reserved on all links.
 *  RWA_NOMEM */
rwa_status network_reserve_on_all(struct rwa_network **out, const struct rwa_network *net, rwa_error *err);
/** Set *out to the network of `count` given nodes and of the links that work in both directions.  Its node i is
 *  nodes[i] of `net` (nodes NULL: node i).  *out is NULL, with RWA_OK, if one of these links ends at a node that is not
 *  given, or if they do not connect the given nodes.  `net` must list its links in pairs and have no reserved channels.
 *  RWA_NOMEM */
rwa_status network_working(struct rwa_network **out, const struct rwa_network *net, const uint32_t *nodes,
                           uint32_t count, rwa_error *err);

/*
 * Capabilities: what code outside this module asks in place of the kind.
 *
 * A network that is a cycle, a path, a torus or a mesh has a canonical network: ring:N, line:N, torus:AxB or mesh:AxB,
 * with the same fibres, ports and faults.  Planning and bounds work on the canonical network; paths and node numbers
 * are then mapped back.  All questions below are O(1) unless they say otherwise.
 */

/** Properties of a network that planning relies on; a network may have several.  A scheme or bound lists properties,
 *  and works on networks that have at least one of them. */
enum network_capability {
    NETWORK_CYCLE = 1 << 0,     /**< ring: routes are arcs, clockwise or counter-clockwise; nodes and channels can
                                     rotate (orbits) */
    NETWORK_PATH = 1 << 1,      /**< line: routes are arcs */
    NETWORK_TORUS = 1 << 2,     /**< network_grid(), every dimension a cycle or of size 2 */
    NETWORK_MESH = 1 << 3,      /**< network_grid(), every dimension a path */
    NETWORK_LISTED = 1 << 4,    /**< links are listed, routes are paths of nodes: every network but ring, line and the
                                     next ones */
    NETWORK_STAR = 1 << 5,      /**< one hop everywhere; a wavelength is one channel that all nodes share */
    NETWORK_PORTS = 1 << 6,     /**< one hop everywhere; only a node's ports and the time to retune limit (ron) */
    NETWORK_SWITCHES = 1 << 7,  /**< one hop everywhere; a fibre leads through one of several circuit switches (ocs) */
    NETWORK_ARCS = NETWORK_CYCLE | NETWORK_PATH,
    NETWORK_ONE_HOP = NETWORK_STAR | NETWORK_PORTS | NETWORK_SWITCHES,
};

/** Return the capabilities of the network itself as bits of enum network_capability.  Its canonical network may have
 *  others: torus:64 has NETWORK_TORUS | NETWORK_LISTED, and its canonical network has NETWORK_CYCLE. */
unsigned network_capabilities(const struct rwa_network *net);

/** Return the canonical network of the same shape (ring:N, line:N, torus:AxB or mesh:AxB), or the network itself if
 *  there is none.  It lives as long as the network. */
const struct rwa_network *network_canonical(const struct rwa_network *net);
/** Return the number in this network of a node of the canonical network; network_canonical_place() converts the other
 *  way. */
uint32_t network_canonical_node(const struct rwa_network *net, uint32_t canonical_node);
uint32_t network_canonical_place(const struct rwa_network *net, uint32_t node);
/** Return an array, which belongs to the network, of network_canonical_node() for all nodes of the canonical network.
 *  NULL: every node has the same number in both networks. */
const uint32_t *network_canonical_nodes(const struct rwa_network *net);

/** Write a node for a message into text[], and return it: "5 (Houston)", or "5" if it has no name but its number. */
enum { NODE_TEXT = 48 };
const char *network_node_text(char text[NODE_TEXT], const struct rwa_network *net, uint32_t node);
/** Write to to[], of `size` bytes, the name of a node, or its number if it has no name.  Like network_node_text(), it
 *  cuts a long name between characters, and shows control characters as "?". */
void network_name_node(char *to, size_t size, const struct rwa_network *net, uint32_t node);

/** Tell whether the network itself is a ring, whatever its canonical network is. */
static inline bool network_is_cycle(const struct rwa_network *net)
{
    return net->capabilities == NETWORK_CYCLE;
}

static inline bool network_is_path(const struct rwa_network *net)
{
    return net->capabilities == NETWORK_PATH;
}

static inline bool network_has_arcs(const struct rwa_network *net)
{
    return (net->capabilities & NETWORK_ARCS) != 0;
}

static inline rwa_faults network_faults(const struct rwa_network *net)
{
    rwa_faults faults;
    rwa_network_faults(&faults, net);
    return faults;
}

/** Return the number of a link's carrier, which lightpaths occupy: the link's fibre pair if demands are undirected,
 *  else the directed link itself. */
static inline uint32_t network_carrier(const struct rwa_network *net, uint32_t link, rwa_model model)
{
    return model == RWA_UNDIRECTED ? rwa_network_pair(net, link) : link;
}

static inline bool network_has_failed_links(const struct rwa_network *net)
{
    return net->faults.link_count > 0;
}

/** Return the number of channels of a link of `fibers` fibres, without those that are reserved on all links. */
uint32_t network_open_channels(const struct rwa_network *net, uint32_t fibers);

/** Tell whether a channel is reserved on some link or on all links. */
static inline bool network_has_reserved(const struct rwa_network *net)
{
    return net->faults.channel_count > 0 || net->reserved_count > 0;
}

/** Return the next node of a ring or line of `nodes` nodes in a direction. */
static inline uint32_t node_after(uint32_t nodes, uint32_t node, rwa_direction direction)
{
    if (direction == RWA_CW)
        return node + 1 == nodes ? 0 : node + 1;
    return node == 0 ? nodes - 1 : node - 1;
}

/** Return the directed link of a ring or line that leaves a node in a direction. */
static inline uint32_t network_arc_link(const struct rwa_network *net, uint32_t node, rwa_direction direction)
{
    return direction == RWA_CW ? node : rwa_network_pairs(net) + node_after(net->nodes, node, direction);
}

/** Return the number of links from src to dst in a direction of a ring or line, or 0 if there is no such route.  It is
 *  an inline version of rwa_network_hops() for long loops. */
static inline uint32_t network_hops(const struct rwa_network *net, uint32_t src, uint32_t dst, rwa_direction dir)
{
    uint32_t from = dir == RWA_CW ? src : dst, to = dir == RWA_CW ? dst : src;
    if (src >= net->nodes || dst >= net->nodes || !network_has_arcs(net))
        return 0;
    if (to >= from)
        return to - from;
    return network_is_cycle(net) ? net->nodes - from + to : 0;
}

/** The dimensions of a torus (cyclic) or mesh: size[d] nodes along dimension d.  Node numbers count the last dimension
 *  fastest. */
struct network_grid {
    const uint32_t *size;
    size_t dimensions;
    bool cyclic;
};
bool network_grid(struct network_grid *out, const struct rwa_network *net);
/** Tell whether every ordered pair of nodes is one hop apart, as on star, ron and ocs.  All other networks have links
 *  between some nodes only. */
bool network_is_one_hop(const struct rwa_network *net);
/** Tell whether every node can be moved to every other one by a translation of the network (translations_of()).  Failed
 *  links are ignored. */
bool network_is_transitive(const struct rwa_network *net);

/** Return the number of links in one direction of a ring or line, and the number of directed links of any other
 *  network. */
uint32_t network_links_each_way(const struct rwa_network *net);

/** Return the number of fibres of the link that has the most. */
uint32_t network_most_fibers(const struct rwa_network *net);
/** Tell whether some node has several links to the same other node; a path given by its nodes then uses the first of
 *  them.  O(links log degree) */
bool network_has_parallel_links(const struct rwa_network *net);

/**
 * Set *out to the same network with its links listed.  A ring or line becomes a graph with links 2i (clockwise) and 2i
 * + 1 (counter-clockwise); a network that lists its links already is copied.  RWA_BADARG: star, ron and ocs, which have
 * no links to route over.
 */
rwa_status network_list_links(struct rwa_network **out, const struct rwa_network *net, rwa_error *err);

/** Return the version of the igraph library in use, a constant text. */
const char *network_igraph_version(void);

/** In debug builds, abort unless the lists of a network agree.  O(nodes + links). */
#ifdef NDEBUG
#define network_check(net) ((void)0)
#else
void network_check(const struct rwa_network *net);
#endif

/* Inside the module. */

/** Counts the fibre pairs that a drawing function draws, and stores them if `pairs` is not NULL; the arena is for the
 *  working memory of that function. */
struct pen {
    rwa_link *pairs;
    uint64_t count;
    bool wraps;             /**< the ends of a dimension of a grid are joined */
    struct arena arena;
};

void pen_draw(struct pen *pen, uint64_t a, uint64_t b);

/** Functions of a shape, the numbers of a specification such as torus:8x8: one returns a number (of nodes, of fibre
 *  pairs), the other draws the fibre pairs. */
typedef uint64_t shape_number(const uint32_t *shape, size_t count);
typedef void shape_drawing(struct pen *pen, const uint32_t *shape, size_t count);

/** Return the numbers of nodes and fibre pairs of random networks, and draw them (random_graphs.c).  If fewer pairs are
 *  drawn than counted, memory has run out. */
shape_number seeded_nodes, barabasi_albert_nodes, regular_nodes, seeded_pairs, barabasi_albert_pairs, regular_pairs;
shape_drawing draw_waxman, draw_geometric, draw_barabasi_albert, draw_regular;

/** A kind of network (ring, torus, …): one row of the table in topology.c. */
struct topology {
    rwa_topology kind;
    const char *name;
    const char *separators;     /**< between the numbers of its shape; the last one repeats */
    size_t least, most;         /**< limits on how many numbers its shape has */
    const char *expected;       /**< these numbers in words, for messages; NULL: it has no shape */
    unsigned capabilities;
    shape_number *nodes;        /**< 0: no such shape; at least UINT32_MAX: too many */
    shape_drawing *draw;        /**< NULL: it lists no links */
    shape_number *pairs;        /**< NULL: counted as they are drawn */
};

/** Return row i, from 0, of the table of network kinds (topology.c), or NULL beyond the last row.  topology_of()
 *  returns the row of a kind, or NULL if the table has none. */
const struct topology *topology_at(size_t i);
const struct topology *topology_of(rwa_topology kind);
/** Set *nodes to the number of nodes of a network of this kind and shape; the shape of torus:8x8 is 8 and 8.
 *  RWA_BADARG: the kind has no such shape. */
rwa_status shape_nodes(uint32_t *nodes, rwa_topology kind, const uint32_t *shape, size_t count, rwa_error *err);
/** Return the number of fibre pairs of a network of this kind and shape, and write them to pairs[] unless it is
 *  NULL. */
uint64_t shape_pairs(rwa_link *pairs, rwa_topology kind, const uint32_t *shape, size_t count);
/** Set *number to the digits at the beginning of a text, without sign or blanks before them.  Return the text behind
 *  the digits; NULL if there are none or the number is above `most`. */
const char *read_digits(uint64_t *number, const char *text, uint64_t most);
/** Return RWA_BADARG if `count` links or, with both_ways, `count` fibre pairs are more than a network may have. */
rwa_status graph_refuse_links(uint64_t count, bool both_ways, rwa_error *err);
/** Check `count` links, store them in net->links, and build the index that finds them by their ends.  both_ways: store
 *  each link and its opposite as a pair.
 *  The caller may have allocated net->links already.  With both_ways, `links` may then be the second half of this
 *  array. */
rwa_status graph_take_links(struct rwa_network *net, const rwa_link *links, size_t count, bool both_ways,
                            rwa_error *err);
rwa_status graph_take_reserved(struct rwa_network *net, const rwa_reserved *reserved, size_t count, rwa_error *err);
rwa_status graph_take_groups(struct rwa_network *net, const rwa_risk_group *groups, size_t count, rwa_error *err);
rwa_status graph_take_names(struct rwa_network *net, const char *const *names);
rwa_status graph_take_positions(struct rwa_network *net, const rwa_position *positions, rwa_error *err);
/** Set *parts to the number of connected parts of a network, whatever the directions of its links.  Set *apart, unless
 *  it is NULL, to the first node that is not in the same part as node 0, or to RWA_NONE if all are. */
rwa_status graph_count_parts(uint32_t *parts, uint32_t *apart, uint32_t nodes, const rwa_link *links, size_t count,
                             rwa_error *err);
/** Copy the lists of links of `net` to `copy`, into its arena, which must be empty. */
rwa_status graph_copy(struct rwa_network *copy, const struct rwa_network *net);
uint32_t graph_find_link(const struct rwa_network *net, uint32_t from, uint32_t to);
/** Replace the faults of a network; after an error the former ones remain.
 *  @param from  from[i] is the first step in which faults->links[i] is failed; for a link given twice the earlier one
 *               counts.  NULL: faults->links_from for all links */
rwa_status faults_set(struct rwa_network *net, const rwa_faults *faults, const uint32_t *from, rwa_error *err);
/** Copy the faults of network `from`, if it has any, to network `to`.  number() converts the number of a link of `from`
 *  to its number in `to`; NULL: they are equal. */
rwa_status faults_translate(struct rwa_network *to, const struct rwa_network *from,
                            uint32_t (*number)(const struct rwa_network *from, uint32_t link), rwa_error *err);
