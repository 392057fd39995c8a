/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks: nodes joined by directed links, each with F parallel fibres of w wavelengths. */
#ifndef RWA_NETWORK_H
#define RWA_NETWORK_H

#include "rwa/limits.h"

/** The most nodes a network may have.  Functions reject more before they allocate memory. */
#define RWA_NODES_MAX (1u << 24)
/** The most directed links a network with listed links may have. */
#define RWA_LINKS_MAX (1u << 28)
/** The most channels (fibres times wavelengths) a link may have in one direction. */
#define RWA_CHANNELS_MAX (1u << 20)
/** The longest link in km: thousands of spans, not millions. */
#define RWA_LENGTH_KM_MAX 1e6
/** The most numbers in a shape. */
enum { RWA_SHAPE_MAX = 32 };
/** The width of a slot of the flexible grid (ITU-T G.694.1, section 7). */
#define RWA_SLOT_HZ 12.5e9

/**
 * The channel model: it defines a demand and the lightpaths that may not share a channel.
 * Directed: every link has two opposite fibres and a demand is one way.  Undirected: a demand is a pair of nodes, its
 * lightpath takes the same route, fibre and wavelength both ways, and a fibre pair carries a wavelength once.
 */
typedef enum rwa_model { RWA_DIRECTED = 1, RWA_UNDIRECTED = 2 } rwa_model;

RWA_API const char *rwa_model_name(rwa_model model);    /**< "directed", "undirected"; NULL for no model */

/**
 * Kinds of network, each with its shape.  Nodes of torus and mesh are numbered row by row, the last coordinate fastest.
 * Ring and line keep no list of links; star, ron and ocs join every ordered pair of nodes by one optical hop and keep
 * none either; all others list their directed links, in pairs: link 2e runs forth, link 2e + 1 back.
 */
typedef enum rwa_topology {
    RWA_RING = 1,       /**< ring:N.  Link i joins node i and node i+1 (mod nodes) */
    RWA_LINE = 2,       /**< line:N.  Link i joins node i and node i+1; one link fewer than nodes */
    RWA_TORUS = 3,      /**< torus:AxB…, a dimension of 2 has one link between its two nodes, not two */
    RWA_MESH = 4,       /**< mesh:AxB… */
    RWA_HYPERCUBE = 5,  /**< hypercube:D, 2^D nodes; neighbours differ in one bit */
    RWA_TREE = 6,       /**< tree:AxD, every inner node has A children, leaves at depth D; the parent of i is (i-1)/A */
    RWA_FAT_TREE = 7,   /**< fat-tree:K, K even: K^3/4 hosts first, then per pod K/2 edge and K/2 aggregation switches,
                             then K^2/4 core switches (Al-Fares, Loukissas, Vahdat, SIGCOMM 2008) */
    RWA_CIRCULANT = 8,  /**< circulant:N:s,t,…, node i joined to i ± s, i ± t, … (mod N); 1 <= s <= N/2 */
    RWA_GRAPH = 9,      /**< any directed links, as from a file */
    RWA_STAR = 10,      /**< star:P, a passive star: each wavelength is one channel shared by all */
    RWA_RON = 11,       /**< ron:N, a reconfigurable network of nodes with `ports` ports each */
    RWA_OCS = 12,       /**< ocs:NxQ, N nodes and Q circuit switches; a link's fibre q leads through switch q */
    RWA_WAXMAN = 13,    /**< waxman:N:SEED, connected, mean degree 4, near nodes joined more often (Waxman, JSAC
                             1988) */
    RWA_GEOMETRIC = 14, /**< geometric:N:SEED, connected, mean degree 4, near points of a square joined (Gabriel) */
    RWA_BARABASI_ALBERT = 15,   /**< barabasi-albert:N:M:SEED, newcomers join M nodes chosen by their degree (Science
                                     1999) */
    RWA_REGULAR = 16,   /**< regular:N:D:SEED, connected, every node has D neighbours, random otherwise */
    RWA_DRAGONFLY = 17  /**< dragonfly:A:G:H, G groups of A routers, all joined inside, H links of each to other groups
                             at most; one link between any two groups, G <= A H + 1 (Kim, Dally, Scott, Abts, ISCA
                             2008) */
} rwa_topology;

/** Clockwise runs from node i to node i+1.  The two directions never share a channel. */
typedef enum rwa_direction { RWA_CW = 0, RWA_CCW = 1 } rwa_direction;

/** A directed link. */
typedef struct rwa_link {
    uint32_t from, to;
    double length_km;   /**< 0: not known */
    uint32_t fibers;    /**< parallel fibres; as input 0 means the `fibers` of the options; as output never 0 */
} rwa_link;

/** Channels and links that no lightpath may use.  Numbers in any order; borrowed. */
typedef struct rwa_faults {
    const uint32_t *channels;   /**< reserved on every link, fiber * wavelengths + wavelength */
    size_t channel_count;
    const uint32_t *links;      /**< failed directed links, numbered as in rwa_network_link() */
    size_t link_count;
    uint32_t links_from;        /**< first step of a schedule in which the links are failed; 0: always */
} rwa_faults;

/** A channel of a link that no lightpath may use: occupied, or kept for others. */
typedef struct rwa_reserved {
    uint32_t link, fiber, wavelength;
} rwa_reserved;

/** The place of a node: x to the east and y to the north, as longitude and latitude in degrees, or in any unit of a
 *  plane. */
typedef struct rwa_position {
    double x, y;
} rwa_position;

/** Links that fail together, such as the links in one duct. */
typedef struct rwa_risk_group {
    const uint32_t *links;
    size_t count;
} rwa_risk_group;

/** A network; immutable once built, may be shared by threads. */
typedef struct rwa_network rwa_network;

/** The properties of the fibres and nodes of a network. */
typedef struct rwa_network_options {
    size_t struct_size;     /**< set by init */
    uint32_t fibers;        /**< parallel fibres per link and direction; default 1; ocs: the switches, set by its
                                 shape */
    uint32_t wavelengths;   /**< per fibre; default 64 */
    double rate_bps;        /**< bit/s of one wavelength; default 40e9 */
    uint32_t ports;         /**< most simultaneous transmissions, and receptions, of a node; 0: no limit (default) */
    uint32_t tuning;        /**< steps that retuning takes (star: per wavelength, ron: per reconfiguration); default
                                 0 */
    int both_ways;          /**< rwa_network_create_graph(): each link given stands for a pair of links, forth and
                                 back */
    const char *const *node_names;  /**< rwa_network_create_graph(): NULL, or one per node; copied */
    const rwa_reserved *reserved;   /**< rwa_network_create_graph(): reserved_count channels, by the index of the link
                                         as given; with both_ways they are taken in both directions; copied */
    size_t reserved_count;
    const rwa_risk_group *risk_groups;  /**< rwa_network_create_graph(): risk_group_count groups, likewise; copied */
    size_t risk_group_count;
    const rwa_limits *limits;   /**< nodes, memory, and bytes of a file; NULL: none of the caller's; borrowed */
    double slot_hz;             /**< 0: fixed channels (default).  Above: a flexible grid, whose `wavelengths` are slots
                                     of this width; RWA_SLOT_HZ is that of ITU-T G.694.1 */
    const rwa_position *positions;    /**< rwa_network_create_graph(): NULL, or one per node, NaN where it is not known;
                                           copied */
} rwa_network_options;

RWA_INIT(rwa_network_options)

/**
 * Build a network from its specification: KIND:SHAPE as listed at rwa_topology, such as "ring:1024", "torus:8x8",
 * "circulant:8:1,2" or "ocs:64x8".
 * @param[out] out  new network, caller frees with rwa_network_free()
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: unknown kind, an invalid shape, nodes outside 2 … RWA_NODES_MAX, no fibre or
 *         wavelength, more than RWA_CHANNELS_MAX channels, a rate that is not a positive number; RWA_NOMEM.
 *         Cost O(1) for ring, line, star, ron and ocs, else O(nodes + links)
 */
RWA_API rwa_status rwa_network_parse(rwa_network **out, const char *spec, const rwa_network_options *opts,
                                     rwa_error *err);

/**
 * Read a network from a file: GraphML, GML, SNDlib native or XML, GNPy topology, JSON or an edge list.  The name and
 * the first bytes of the file determine the format (docs/guide/networks.md).  The network is of kind RWA_GRAPH.  Links
 * come in pairs unless the file declares them directed; parallel links stay parallel.
 * @param[out] out  as in rwa_network_parse()
 * @return RWA_OK; RWA_IO; RWA_FORMAT: "FILE:LINE: what is wrong, and what was expected", also for a self-loop, an
 *         unknown node, a duplicate id, a negative length or capacity and a disconnected network; RWA_BADARG as
 *         rwa_network_create_graph(); RWA_NOMEM.  Cost O(size of the file)
 */
RWA_API rwa_status rwa_network_read(rwa_network **out, const char *path, const rwa_network_options *opts,
                                    rwa_error *err);

/** Open a network by its built-in name ("nsfnet14-21"), from a file (a name with a slash or a known ending), or from
 *  its specification.  `out` and errors as in rwa_network_read() and rwa_network_parse(). */
RWA_API rwa_status rwa_network_open(rwa_network **out, const char *spec, const rwa_network_options *opts,
                                    rwa_error *err);
/** Return the name of built-in network i = 0, 1, …; NULL past the end. */
RWA_API const char *rwa_network_builtin(size_t i);

/** Build a network of a kind from the `count` numbers of its shape, in the order of the specification (for torus:8x4:
 *  8, 4).  `out` and errors as in rwa_network_parse(). */
RWA_API rwa_status rwa_network_create_shape(rwa_network **out, rwa_topology kind, const uint32_t *shape, size_t count,
                                            const rwa_network_options *opts, rwa_error *err);

/** Build a ring, line, star, ron or ocs (with opts->fibers switches) from its number of nodes.  `out` and errors as in
 *  rwa_network_parse(). */
RWA_API rwa_status rwa_network_create(rwa_network **out, rwa_topology kind, uint32_t nodes,
                                      const rwa_network_options *opts, rwa_error *err);

/**
 * Build a network of kind RWA_GRAPH from its links.  Parallel links keep their own numbers.  With opts->both_ways entry
 * e of `links` becomes links 2e and 2e + 1, else entry i becomes link i.
 * @param[out] out  as in rwa_network_parse()
 * @param links     link_count entries, copied
 * @return RWA_OK; RWA_BADARG: a node outside the network, a self-loop, a length that is negative or not a number,
 *         limits as rwa_network_parse(); RWA_NOMEM.  Cost O((nodes + links) log links)
 */
RWA_API rwa_status rwa_network_create_graph(rwa_network **out, uint32_t nodes, const rwa_link *links, size_t link_count,
                                            const rwa_network_options *opts, rwa_error *err);

/**
 * Copy a network, with other faults in place of all its own.
 * @param[out] out  as in rwa_network_parse()
 * @param faults    copied
 * @return RWA_OK; RWA_BADARG: a channel or link outside the network, failed links of star, ron and ocs; RWA_NOMEM
 */
RWA_API rwa_status rwa_network_with_faults(rwa_network **out, const rwa_network *net, const rwa_faults *faults,
                                           rwa_error *err);
RWA_API void rwa_network_free(rwa_network *net);

/** Return the default model of a network: undirected for graphs whose links come in pairs, else directed. */
RWA_API rwa_model rwa_network_model(const rwa_network *net);

RWA_API rwa_topology rwa_network_topology(const rwa_network *net);
RWA_API const char *rwa_topology_name(rwa_topology kind); /**< "ring", "fat-tree"; NULL for no kind */
RWA_API int rwa_topology_find(const char *name); /**< the kind of that name; -1: there is none */
/** Set *shape to the numbers of the shape, and return how many there are; RWA_GRAPH has none.  They live as long as the
 *  network. */
RWA_API size_t rwa_network_shape(const uint32_t **shape, const rwa_network *net);
RWA_API uint32_t rwa_network_nodes(const rwa_network *net);
RWA_API uint32_t rwa_network_fibers(const rwa_network *net);      /**< of every link without its own number */
RWA_API uint32_t rwa_network_wavelengths(const rwa_network *net); /**< per fibre */
RWA_API uint32_t rwa_network_channels(const rwa_network *net);    /**< W = fibres times wavelengths, per direction */
RWA_API double rwa_network_rate_bps(const rwa_network *net);
RWA_API double rwa_network_slot_hz(const rwa_network *net);       /**< 0: fixed channels */
RWA_API uint32_t rwa_network_ports(const rwa_network *net);       /**< 0: no limit */
RWA_API uint32_t rwa_network_tuning(const rwa_network *net);

/** Set *out to the faults of a network, ascending, without duplicates; they live as long as the network.  Where links
 *  failed in different steps, since a schedule was repaired more than once, out->links_from is the last of these
 *  steps. */
RWA_API void rwa_network_faults(rwa_faults *out, const rwa_network *net);
RWA_API int rwa_network_is_reserved_everywhere(const rwa_network *net, uint32_t channel);    /**< reserved on every
                                                                                                  link; O(log) */
RWA_API int rwa_network_is_failed(const rwa_network *net, uint32_t link);       /**< directed; O(log) */
/**
 * Find the directed links that a text names.  On every network "A-B" is the fibre pair between two nodes, both ways,
 * and "A>B" the link from A to B, where A and B are names or numbers (rwa_network_find_node()).  Of parallel links the
 * lowest is found.  On ring and line "cw:17" or "ccw:17" is one direction of link 17, and "17" is both; on other
 * networks "17" is directed link 17.
 * @return the number of entries written to links: 1 or 2; 0 when the text names no link
 */
RWA_API size_t rwa_network_find_links(uint32_t links[2], const rwa_network *net, const char *name);

/** Return the number of directed links. */
RWA_API uint32_t rwa_network_links(const rwa_network *net);
/** Return directed link i, 0 … rwa_network_links() - 1.  On ring and line all clockwise links come first, in the order
 *  of their numbers, then all counter-clockwise ones.  O(1). */
RWA_API rwa_link rwa_network_link(const rwa_network *net, uint32_t i);
/** Return the lowest directed link from one node to another; RWA_NONE: no such link or node, or the network lists no
 *  links.  O(log degree). */
RWA_API uint32_t rwa_network_find_link(const rwa_network *net, uint32_t from, uint32_t to);
/** Return 1 if links come in fibre pairs, forth and back (all kinds but star, ron, ocs, and graphs built of single
 *  links); else 0. */
RWA_API int rwa_network_is_paired(const rwa_network *net);
/** Return the number of fibre pairs, half that of directed links; 0 if links do not come in pairs. */
RWA_API uint32_t rwa_network_pairs(const rwa_network *net);
/** Return the fibre pair of a directed link, if links come in pairs: link / 2; on ring and line the number of the link,
 *  for either direction. */
RWA_API uint32_t rwa_network_pair(const rwa_network *net, uint32_t link);
/** Return the name of a node; NULL when it has none. */
RWA_API const char *rwa_network_node_name(const rwa_network *net, uint32_t node);
/** Set *out to the position of a node and return 1; if it is not known, set NaN and return 0. */
RWA_API int rwa_network_position(rwa_position *out, const rwa_network *net, uint32_t node);
/** Return the node with this name; or else the one node whose name is this text and a remark in brackets, as "Seattle"
 *  for "Seattle (WA)"; or else the node with this number, from 0, if no node has a number as its name.  RWA_NONE: there
 *  is none, or several nodes have the name.  O(nodes). */
RWA_API uint32_t rwa_network_find_node(const rwa_network *net, const char *name);
/** Set *list to the channels that are reserved on single directed links, by link, fibre and wavelength, without
 *  duplicates, and return how many there are.  The list lives as long as the network. */
RWA_API size_t rwa_network_reserved(const rwa_reserved **list, const rwa_network *net);
/** Return 1 if a channel of a directed link is reserved, on this link or on all, else 0.  O(log of the reserved
 *  channels). */
RWA_API int rwa_network_is_reserved(const rwa_network *net, uint32_t link, uint32_t fiber, uint32_t wavelength);
RWA_API size_t rwa_network_risk_groups(const rwa_network *net);
/** Set *links to the directed links of risk group g, from 0, ascending, and return how many there are.  They live as
 *  long as the network. */
RWA_API size_t rwa_network_risk_group(const uint32_t **links, const rwa_network *net, size_t g);

/** Return the hops from src to dst on a ring or line in the given direction; 0: there is no such route (on a line the
 *  wrong direction, src = dst), or the network is of another kind. */
RWA_API uint32_t rwa_network_hops(const rwa_network *net, uint32_t src, uint32_t dst, rwa_direction dir);

#endif
