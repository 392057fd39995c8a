/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The inside of a network, for the modules of the library. */
#pragma once

#include "base/arena.h"
#include "network/shape.h"
#include "rwa/network.h"

/** Ascending, nothing twice; all zeros: none. */
struct faults {
    uint32_t *channels;
    size_t channel_count;
    uint32_t *links;        /**< directed */
    uint32_t *from;         /**< of each of them the first step in which it is failed; 0: always */
    size_t link_count;
    uint32_t links_from;    /**< the last of these steps */
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

/** rwa_network_with_faults() with links that fail in different steps, `from` as in faults_set(). */
rwa_status network_with_failures(rwa_network **out, const rwa_network *net, const rwa_faults *faults,
                                 const uint32_t *from, rwa_error *err);
/** The first step in which a directed link is failed, 0: always; UINT64_MAX: the link works. */
uint64_t network_failed_from(const rwa_network *net, uint32_t link);
/** Whether the links failed in different steps; rwa_faults.links_from is the last of these then. */
bool network_fails_in_steps(const rwa_network *net);
/** Whether the position of some node is known. */
bool network_has_positions(const struct rwa_network *net);
/** A copy; NULL when memory is out. */
struct rwa_network *network_copy(const struct rwa_network *net, rwa_error *err);
/** A copy of a network of listed links whose links lead the other way, under their numbers; NULL when memory is out. */
struct rwa_network *network_reversed(const struct rwa_network *net, rwa_error *err);
/** A copy that has only the first `wavelengths` wavelengths, 1 … all.  The network has no reserved channels and
 *  outlives the copy.  NULL when memory is out. */
struct rwa_network *network_with_wavelengths(const struct rwa_network *net, uint32_t wavelengths, rwa_error *err);
/** A copy with one fibre of `channels` wavelengths on each link and no reserved channels, of a network whose links are
 *  alike and none failed.  RWA_NOMEM */
rwa_status network_with_channels(struct rwa_network **out, const struct rwa_network *net, uint32_t channels,
                                 rwa_error *err);
/** The network that has only the links which work in both directions; the given one lists its links in pairs and has no
 *  reserved channels.  NULL: these links do not reach every node.  RWA_NOMEM */
rwa_status network_working(struct rwa_network **out, const struct rwa_network *net, rwa_error *err);

/*
 * Capabilities: what code outside this module asks in place of the kind.
 *
 * A network that is a cycle, a path, a torus or a mesh has a canonical network: ring:N, line:N, torus:AxB or mesh:AxB,
 * with the same fibres, ports and faults.  Planning and bounds work on the canonical network; paths and node numbers
 * are then mapped back.  All questions below are O(1) unless they say otherwise.
 */

/** Properties that planning relies on; a network may have several.  A scheme or bound names those of which it needs
 *  one. */
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

/** The capabilities of the network itself, bits of enum network_capability: torus:64 has NETWORK_TORUS |
 *  NETWORK_LISTED, and its canonical network has NETWORK_CYCLE. */
unsigned network_capabilities(const struct rwa_network *net);

/** The canonical network of the same shape, or the network itself if there is none.  Lives as long as the network. */
const struct rwa_network *network_canonical(const struct rwa_network *net);
/** The node that stands for a node of the canonical network, and the other way round. */
uint32_t network_canonical_node(const struct rwa_network *net, uint32_t canonical_node);
uint32_t network_canonical_place(const struct rwa_network *net, uint32_t node);
/** network_canonical_node() of all nodes of the canonical network; NULL: every node has the same number in both. */
const uint32_t *network_canonical_nodes(const struct rwa_network *net);

/** A node in running text: "5 (Houston)", or "5" when it has no name, or its number as its name; returns text. */
enum { NODE_TEXT = 48 };
const char *network_node_text(char text[NODE_TEXT], const struct rwa_network *net, uint32_t node);
/** The name alone, or the number when it has none.  Both cut a long name between characters, and show control
 *  characters as "?". */
void network_name_node(char *to, size_t size, const struct rwa_network *net, uint32_t node);

/** Whether the network itself is a ring; a line; either of them: a direction determines the route. */
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

static inline bool network_has_failed_links(const struct rwa_network *net)
{
    return net->faults.link_count > 0;
}

/** On all links or on some. */
static inline bool network_has_reserved(const struct rwa_network *net)
{
    return net->faults.channel_count > 0 || net->reserved_count > 0;
}

/** The next node of a ring or line of `nodes` nodes in a direction. */
static inline uint32_t node_after(uint32_t nodes, uint32_t node, rwa_direction direction)
{
    if (direction == RWA_CW)
        return node + 1 == nodes ? 0 : node + 1;
    return node == 0 ? nodes - 1 : node - 1;
}

/** Ring and line: the directed link that leaves a node in a direction. */
static inline uint32_t network_arc_link(const struct rwa_network *net, uint32_t node, rwa_direction direction)
{
    return direction == RWA_CW ? node : rwa_network_pairs(net) + node_after(net->nodes, node, direction);
}

/** rwa_network_hops() for loops over lightpaths. */
static inline uint32_t network_hops(const struct rwa_network *net, uint32_t src, uint32_t dst, rwa_direction dir)
{
    uint32_t from = dir == RWA_CW ? src : dst, to = dir == RWA_CW ? dst : src;
    if (src >= net->nodes || dst >= net->nodes || !network_has_arcs(net))
        return 0;
    if (to >= from)
        return to - from;
    return network_is_cycle(net) ? net->nodes - from + to : 0;
}

/** Torus and mesh, with its dimensions: size[d] nodes each, the last one fastest in node numbers; cyclic: not a
 *  mesh. */
struct network_grid {
    const uint32_t *size;
    size_t dimensions;
    bool cyclic;
};
bool network_grid(struct network_grid *out, const struct rwa_network *net);
/** Star, ron and ocs: every ordered pair of nodes is one hop.  All others have links between nodes. */
bool network_is_one_hop(const struct rwa_network *net);
/** Some translation takes any node to any other (translations_of()); failed links are ignored. */
bool network_is_transitive(const struct rwa_network *net);

/** Ring and line: the links of one direction; every other kind: the directed links. */
uint32_t network_links_each_way(const struct rwa_network *net);

/** Fibres of the link that has most. */
uint32_t network_most_fibers(const struct rwa_network *net);
/** Whether several links lead from some node to the same other node; a path of nodes then means the first of them.
 *  O(links log degree) */
bool network_has_parallel_links(const struct rwa_network *net);

/** RWA_BADARG with a message unless the network is a ring or a line. what: "the planner", "this bound". */
rwa_status network_needs_arcs(const struct rwa_network *net, const char *what, rwa_error *err);

/**
 * The same network with its links listed in pairs, whatever its kind: ring and line become links 2i (clockwise) and
 * 2i + 1 (counter-clockwise) of a graph; kinds that list links are copied; star, ron and ocs are RWA_BADARG, they have
 * no links to route over.
 */
rwa_status network_list_links(struct rwa_network **out, const struct rwa_network *net, rwa_error *err);

/** The version of igraph that is running; a constant. */
const char *network_igraph_version(void);

/** In debug builds: the lists of a network agree.  O(nodes + links). */
#ifdef NDEBUG
#define network_check(net) ((void)0)
#else
void network_check(const struct rwa_network *net);
#endif

/* Inside the module. */

/** Counts the fibre pairs drawn, and stores them if `pairs` is not NULL; the arena is for the drawing function. */
struct pen {
    rwa_link *pairs;
    uint64_t count;
    struct arena arena;
};

void pen_draw(struct pen *pen, uint64_t a, uint64_t b);

/** A number that follows from a shape; the drawing of its fibre pairs. */
typedef uint64_t shape_number(const uint32_t *shape, size_t count);
typedef void shape_drawing(struct pen *pen, const uint32_t *shape, size_t count);

/** random_graphs.c: nodes and fibre pairs of networks from a seed, for the table.  Fewer pairs than counted: memory is
 *  out. */
shape_number seeded_nodes, barabasi_albert_nodes, regular_nodes, seeded_pairs, barabasi_albert_pairs, regular_pairs;
shape_drawing draw_waxman, draw_geometric, draw_barabasi_albert, draw_regular;

/** A kind of network: one row of the table in topology.c. */
struct topology {
    rwa_topology kind;
    const char *name;
    const char *separators;     /**< between the numbers of its shape; the last one repeats */
    size_t least, most;         /**< numbers of its shape */
    const char *expected;       /**< of these, for messages; NULL: it has no shape */
    unsigned capabilities;
    shape_number *nodes;        /**< 0: no such shape; at least UINT32_MAX: too many */
    shape_drawing *draw;        /**< NULL: it lists no links */
    shape_number *pairs;        /**< NULL: counted as they are drawn */
};

/** Row i, NULL beyond the last; the row of a kind, NULL when there is none. */
const struct topology *topology_at(size_t i);
const struct topology *topology_of(rwa_topology kind);
/** Set *nodes to the number of nodes of a shape.  RWA_BADARG: the kind of network has no such shape. */
rwa_status shape_nodes(uint32_t *nodes, rwa_topology kind, const uint32_t *shape, size_t count, rwa_error *err);
/** The fibre pairs of a shape of shape_nodes(): counted when pairs is NULL, else written too. */
uint64_t shape_pairs(rwa_link *pairs, rwa_topology kind, const uint32_t *shape, size_t count);
/** Read the number, digits only, at the beginning of a text.  Returns the text behind it; NULL: no number, or one above
 *  `most`. */
const char *read_digits(uint64_t *number, const char *text, uint64_t most);
/** RWA_BADARG for more links, or with both_ways pairs of them, than a network may have. */
rwa_status graph_refuse_links(uint64_t count, bool both_ways, rwa_error *err);
/** Give a network its links (pairs of them with both_ways), checked, and the table that finds them.  Where net->links
 *  has room for them already, `links` may be its second half. */
rwa_status graph_take_links(struct rwa_network *net, const rwa_link *links, size_t count, bool both_ways,
                            rwa_error *err);
rwa_status graph_take_reserved(struct rwa_network *net, const rwa_reserved *reserved, size_t count, rwa_error *err);
rwa_status graph_take_groups(struct rwa_network *net, const rwa_risk_group *groups, size_t count, rwa_error *err);
rwa_status graph_take_names(struct rwa_network *net, const char *const *names);
rwa_status graph_take_positions(struct rwa_network *net, const rwa_position *positions, rwa_error *err);
/** Copy the lists of links of `net` into the arena of `copy`, which must be empty. */
rwa_status graph_copy(struct rwa_network *copy, const struct rwa_network *net);
uint32_t graph_find_link(const struct rwa_network *net, uint32_t from, uint32_t to);
/** Let every link lead the other way. */
rwa_status graph_turn_links(struct rwa_network *net, rwa_error *err);
/** Replace the faults; on failure they are as they were.
 *  @param from  of each of faults->links the first step in which it is failed, the earliest of a link given twice;
 *               NULL: faults->links_from */
rwa_status faults_set(struct rwa_network *net, const rwa_faults *faults, const uint32_t *from, rwa_error *err);
rwa_status faults_copy(struct rwa_network *copy, const struct rwa_network *net, rwa_error *err);
/** The faults of a ring or line for the same network with its links listed in pairs. */
rwa_status faults_list(struct rwa_network *listed, const struct rwa_network *arcs, rwa_error *err);
void faults_free(struct rwa_network *net);
