/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Signals on amplified fibre: modulation formats, amplifier noise, nonlinear interference, and the format that reaches.
 *
 * GSNR is the signal over the noise of amplifiers plus the nonlinear interference (NLI), all as powers.  "In the signal
 * bandwidth" counts the noise in a band as wide as the symbol rate; "in 0.1 nm" counts it in 12.5 GHz.
 */
#ifndef RWA_FIBER_H
#define RWA_FIBER_H

#include "rwa/network.h"

/** The width of a slot of the flexible grid (ITU-T G.694.1). */
#define RWA_SLOT_HZ 12.5e9

/* ---- fibre profiles: the plant ---- */

/** Fibre, spans, amplifiers, nodes and the band; immutable, may be shared by threads. */
typedef struct rwa_fiber_profile rwa_fiber_profile;

/**
 * Open a fibre profile by name ("ssmf": built into the library) or from a JSON file (a name with a slash or ending in
 * .json).
 * @param[out] out  new profile, caller frees with rwa_fiber_profile_free()
 * @return RWA_OK; RWA_BADARG: no built-in profile of that name (the text lists them); RWA_FORMAT: not JSON, a field
 *         missing, unknown, of the wrong type or outside its range (the text names it); RWA_IO; RWA_NOMEM
 */
RWA_API rwa_status rwa_fiber_profile_open(rwa_fiber_profile **out, const char *name, rwa_error *err);
RWA_API void rwa_fiber_profile_free(rwa_fiber_profile *profile);
/** Return the name of built-in profile i = 0, 1, …; NULL past the end. */
RWA_API const char *rwa_fiber_profile_builtin(size_t i);
RWA_API const char *rwa_fiber_profile_name(const rwa_fiber_profile *profile);
RWA_API const char *rwa_fiber_profile_description(const rwa_fiber_profile *profile);
/** Return the frequency, in Hz, of the lower edge of slot 0. */
RWA_API double rwa_fiber_profile_first_hz(const rwa_fiber_profile *profile);
/** Return the margin in dB by which the GSNR of a lightpath must exceed the required GSNR of its format. */
RWA_API double rwa_fiber_profile_margin_db(const rwa_fiber_profile *profile);
/** Return the number of slots, RWA_SLOT_HZ wide, in the band. */
RWA_API uint32_t rwa_fiber_profile_slots(const rwa_fiber_profile *profile);
/** Return the number of spans of a link: the fewest equal spans that do not exceed the longest span of the profile.  0
 *  for a length of 0. */
RWA_API uint32_t rwa_fiber_profile_spans(const rwa_fiber_profile *profile, double length_km);
/** Return the power, in dBm, with which a carrier of `baud` symbols a second enters each span. */
RWA_API double rwa_fiber_profile_launch_dbm(const rwa_fiber_profile *profile, double baud);

/* ---- noise on a given route ---- */

/** One carrier of light. */
typedef struct rwa_carrier {
    double frequency_hz;    /**< its centre */
    double baud;            /**< symbols a second, the bandwidth of the signal in Hz */
    double launch_dbm;      /**< into every span */
} rwa_carrier;

/** The signal-to-noise ratios of one carrier behind the last amplifier, in dB; +infinity if there is no noise of
 *  that kind. */
typedef struct rwa_gsnr {
    double osnr_db;         /**< amplifier noise and transmitter, in the signal bandwidth */
    double nli_db;          /**< signal over nonlinear interference alone */
    double gsnr_db;         /**< both, in the signal bandwidth */
    double osnr_01nm_db;    /**< osnr_db in 0.1 nm (12.5 GHz) */
    double gsnr_01nm_db;    /**< gsnr_db in 0.1 nm */
    double length_km;       /**< fibre so far */
    const char *binding;    /**< the largest noise in words: "amplifier noise of the spans", …; a constant */
} rwa_gsnr;

/** A length of fibre with an amplifier behind it that makes up for its loss. */
typedef struct rwa_span {
    double length_km;
    int behind_node;        /**< 1: the light passes a node before this span; an amplifier makes up for the loss of the
                                 node */
} rwa_span;

/**
 * Compute the signal-to-noise ratios of carriers that pass the same spans together.
 * @param[out] out  count entries
 * @param spans     span_count of them, in travel order
 * @param carriers  count of them; their bands do not overlap
 * @return RWA_OK; RWA_BADARG: no span or carrier, overlapping carriers, a frequency, baud, power or length outside its
 *         range; RWA_NOMEM.  Cost O(count² + spans)
 */
RWA_API rwa_status rwa_gsnr_line(rwa_gsnr *out, const rwa_fiber_profile *profile, const rwa_span *spans,
                                 size_t span_count, const rwa_carrier *carriers, size_t count, rwa_error *err);
/**
 * Divide the links of a route into spans.  Each link begins behind a node and has rwa_fiber_profile_spans() equal
 * spans.
 * @param[out] out   NULL, or space for all spans
 * @param length_km  the length of each link
 * @return the number of spans; 0: a length is not above 0
 */
RWA_API size_t rwa_fiber_profile_place(rwa_span *out, const rwa_fiber_profile *profile, const double *length_km,
                                       size_t links);
/** Compute the signal-to-noise ratios of one carrier, number `carrier` from 0, behind each span.  `out` has span_count
 *  entries.  Errors as rwa_gsnr_line(); RWA_BADARG also if there is no such carrier. */
RWA_API rwa_status rwa_gsnr_along(rwa_gsnr *out, const rwa_fiber_profile *profile, const rwa_span *spans,
                                  size_t span_count, const rwa_carrier *carriers, size_t count, size_t carrier,
                                  rwa_error *err);

/* ---- modulation formats ---- */

/** A table of modulation formats; immutable, may be shared by threads. */
typedef struct rwa_modulations rwa_modulations;

/** One format: a carrier of `slots` slots carries rate_bps. */
typedef struct rwa_modulation {
    const char *name;           /**< lives as long as the table */
    double bits_per_symbol;     /**< of both polarisations together */
    double baud;                /**< symbols a second of one carrier */
    uint32_t slots;             /**< of one carrier */
    double rate_bps;            /**< of one carrier, without the overhead of error correction */
    double reach_km;            /**< infinity: any length; NaN: not given */
    double required_gsnr_db;    /**< in the signal bandwidth; NaN: not given */
} rwa_modulation;

/** Open a table of modulation formats by name ("coherent": built into the library) or from a JSON file.  The caller
 *  frees *out with rwa_modulations_free().  Errors as rwa_fiber_profile_open(). */
RWA_API rwa_status rwa_modulations_open(rwa_modulations **out, const char *name, rwa_error *err);
RWA_API void rwa_modulations_free(rwa_modulations *table);
/** Return the name of built-in table i = 0, 1, …; NULL past the end. */
RWA_API const char *rwa_modulations_builtin(size_t i);
RWA_API const char *rwa_modulations_name(const rwa_modulations *table);
RWA_API const char *rwa_modulations_description(const rwa_modulations *table);
RWA_API size_t rwa_modulations_count(const rwa_modulations *table);
/** Set *out to format i of a table, 0 … rwa_modulations_count() - 1. */
RWA_API void rwa_modulations_get(rwa_modulation *out, const rwa_modulations *table, size_t i);
/** Return the number, from 0, of the format with this name; RWA_NONE: there is none. */
RWA_API uint32_t rwa_modulations_find(const rwa_modulations *table, const char *name);

/* ---- the format that reaches ---- */

/** The formats that a route can carry: a table, with a profile (by GSNR) or without (by reach); immutable. */
typedef struct rwa_transmission rwa_transmission;

/** The format of a demand on a route. */
typedef struct rwa_modulation_choice {
    uint32_t modulation;    /**< its number in the table; RWA_NONE: none reaches */
    uint32_t carriers;      /**< side by side, each of the format's slots */
    uint32_t width;         /**< slots in all: carriers * slots */
    double length_km;
    double gsnr_db;         /**< worst case, in the signal bandwidth; NaN without a profile, or when none reaches */
    double margin_db;       /**< gsnr_db over the required GSNR and the profile's margin */
} rwa_modulation_choice;

/**
 * Combine a table of formats with a fibre profile, or with none.
 * @param[out] out  new transmission, caller frees with rwa_transmission_free()
 * @param table     copied
 * @param profile   copied; NULL: formats are chosen by their reach
 * @param slots     number of slots of the band; 0: as the profile says
 * @return RWA_OK; RWA_BADARG: a format without a reach (no profile) or without a required GSNR (profile); RWA_NOMEM.
 *         Cost O(formats * slots)
 */
RWA_API rwa_status rwa_transmission_create(rwa_transmission **out, const rwa_modulations *table,
                                           const rwa_fiber_profile *profile, uint32_t slots, rwa_error *err);
RWA_API void rwa_transmission_free(rwa_transmission *transmission);
RWA_API const rwa_modulations *rwa_transmission_modulations(const rwa_transmission *transmission);
/** Return the width of a fixed channel in slots: that of the profile; without a profile 4 (50 GHz). */
RWA_API uint32_t rwa_transmission_channel_slots(const rwa_transmission *transmission);
/** Return the fibre profile; NULL: formats are chosen by their reach. */
RWA_API const rwa_fiber_profile *rwa_transmission_profile(const rwa_transmission *transmission);

/**
 * Choose the format that carries a rate over a route in the fewest slots; of equally narrow ones the most robust
 * (lowest required GSNR, without a profile longest reach), then the one with the fewest carriers, then the first.  With
 * a profile the GSNR is that of the worst case: any carriers of the table's formats may fill the rest of the band.
 * @param[out] out    modulation RWA_NONE and width 0 if no format reaches
 * @param length_km   of each link, `links` entries; each above 0
 * @param most_slots  the most slots in all; 0: no limit
 * @return RWA_OK, also when no format reaches; RWA_BADARG: a length or rate that is not above 0.  Cost O(links +
 *         formats)
 */
RWA_API rwa_status rwa_transmission_choose(rwa_modulation_choice *out, const rwa_transmission *transmission,
                                           const double *length_km, size_t links, double rate_bps, uint32_t most_slots,
                                           rwa_error *err);
/** Compute the GSNR of one carrier of format number `modulation` over given spans in the worst case, as
 *  rwa_transmission_choose() does, whether the format reaches or not.  RWA_BADARG: no such format, no span, a length
 *  outside its range. */
RWA_API rwa_status rwa_transmission_worst_case(rwa_modulation_choice *out, const rwa_transmission *transmission,
                                               const rwa_span *spans, size_t span_count, size_t modulation,
                                               rwa_error *err);
/** Return 1 if the format of a result of rwa_transmission_worst_case() reaches, else 0. */
RWA_API int rwa_modulation_choice_reaches(const rwa_modulation_choice *choice, const rwa_transmission *transmission);
/** Choose a format as rwa_transmission_choose() does, for a route of `hops` directed links of a network.  RWA_BADARG
 *  also for a link without a length. */
RWA_API rwa_status rwa_transmission_choose_route(rwa_modulation_choice *out, const rwa_transmission *transmission,
                                                 const rwa_network *net, const uint32_t *links, size_t hops,
                                                 double rate_bps, uint32_t most_slots, rwa_error *err);

#endif
