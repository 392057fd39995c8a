/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What exists: nodes joined by directed links, each link F parallel fibres of w wavelengths. */
#ifndef RWA_NETWORK_H
#define RWA_NETWORK_H

#include "rwa/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The most nodes a network may have; more is refused before anything is allocated. */
#define RWA_NODES_MAX (1u << 24)
/** The most channels (fibres times wavelengths) a link may have in one direction. */
#define RWA_CHANNELS_MAX (1u << 20)

typedef enum rwa_network_kind {
    RWA_RING = 1,   /**< link i joins node i and node i+1 (mod nodes) */
    RWA_LINE = 2    /**< link i joins node i and node i+1; one link fewer than nodes */
} rwa_network_kind;

/** Clockwise runs from node i to node i+1.  The two directions never share a channel. */
typedef enum rwa_direction { RWA_CW = 0, RWA_CCW = 1 } rwa_direction;

/** A network; immutable once built, may be shared by threads. */
typedef struct rwa_network rwa_network;

/** What every fibre of a network offers. */
typedef struct rwa_network_options {
    size_t struct_size;     /**< set by init */
    uint32_t fibers;        /**< parallel fibres per link and direction; default 1 */
    uint32_t wavelengths;   /**< per fibre; default 64 */
    double rate_bps;        /**< bit/s of one wavelength; default 40e9 */
} rwa_network_options;

RWA_API void rwa_network_options_init_sized(rwa_network_options *opts, size_t size);
#define rwa_network_options_init(o) rwa_network_options_init_sized((o), sizeof *(o))

/**
 * Build a network from its specification, "ring:1024" or "line:16".
 * @param[out] out  new network, caller frees with rwa_network_free()
 * @param spec      KIND:NODES
 * @param opts      NULL for the defaults
 * @return RWA_OK; RWA_BADARG: unknown kind, nodes outside 2 … RWA_NODES_MAX, no fibre or wavelength, more than
 *         RWA_CHANNELS_MAX channels, a rate that is not a positive number; RWA_NOMEM.  Cost O(1).
 */
RWA_API rwa_status rwa_network_parse(rwa_network **out, const char *spec, const rwa_network_options *opts,
                                     rwa_error *err);

/** The same from numbers; errors as rwa_network_parse(). */
RWA_API rwa_status rwa_network_create(rwa_network **out, rwa_network_kind kind, uint32_t nodes,
                                      const rwa_network_options *opts, rwa_error *err);
RWA_API void rwa_network_free(rwa_network *net);

RWA_API rwa_network_kind rwa_network_get_kind(const rwa_network *net);
RWA_API const char *rwa_network_kind_name(rwa_network_kind kind); /**< "ring", "line"; NULL for no kind */
RWA_API uint32_t rwa_network_nodes(const rwa_network *net);
RWA_API uint32_t rwa_network_links(const rwa_network *net);       /**< per direction */
RWA_API uint32_t rwa_network_fibers(const rwa_network *net);
RWA_API uint32_t rwa_network_wavelengths(const rwa_network *net); /**< per fibre */
RWA_API uint32_t rwa_network_channels(const rwa_network *net);    /**< W = fibres times wavelengths, per direction */
RWA_API double rwa_network_rate_bps(const rwa_network *net);

/** Hops from src to dst in the given direction; 0 when there is no such route (a line's wrong direction, src = dst). */
RWA_API uint32_t rwa_network_hops(const rwa_network *net, uint32_t src, uint32_t dst, rwa_direction dir);

#ifdef __cplusplus
}
#endif
#endif
