/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Pictures of schedules: for a terminal, as SVG, as one self-contained interactive page. */
#ifndef RWA_VIEW_H
#define RWA_VIEW_H

#include "rwa/assign.h"
#include "rwa/cost.h"
#include "rwa/device.h"
#include "rwa/fiber.h"

typedef struct rwa_view_options {
    size_t struct_size;         /**< set by init */
    uint32_t step;              /**< only this step; 0: an overview, and the grids of the first few steps */
    uint64_t node;              /**< follow the blocks that this node sends, receives and passes; default
                                     RWA_NO_INDEX */
    uint64_t block;             /**< follow this block from holder to holder; default RWA_NO_INDEX */
    uint32_t columns;           /**< of the terminal; default 80, at least 40 */
    int color;                  /**< terminal: 256-colour escapes; default 0 */
    int ascii;                  /**< terminal: ASCII only; default 0 */
    const rwa_device *device;   /**< pages: loss, SNR and bit error rate of every lightpath shown; borrowed, or NULL */
    rwa_power_model power_model;
    const char *title;          /**< NULL: made from the header of the schedule; borrowed */
    const rwa_cost_options *cost;   /**< shows the times of the steps; NULL: not shown, and those of pages and of gantt
                                         have the defaults; borrowed */
    double rate_bps;            /**< bit/s of a wavelength, for the times; 0: the network's */
    int gantt;                  /**< rwa_view_svg(): links against time, when they tune and send; default 0 */
    const char *const *names;   /**< pages: of each schedule, such as the name of its file, shown before its title and
                                     wherever the page speaks of it; NULL: none; borrowed */
    const char *const *proofs;  /**< drawings and pages: of each schedule, or of the assignment, what proves its lower
                                     bound (rwa_bounds_proof(), rwa_check_report.bound_proof).  Of an assignment,
                                     what its witness counts is drawn with them; NULL: none; borrowed */
    const uint32_t *const *sides;   /**< with proofs: of each schedule rwa_bounds_sends() of all nodes, whose cut is
                                     drawn; a drawing has nothing else.  NULL, or NULL for a schedule: nothing is
                                     marked; borrowed */
    const rwa_assignment *const *results;   /**< of each schedule the assignment that rwa_assignment_schedule() made it
                                     from, whose title and proof are shown; NULL, or NULL for a schedule: none;
                                     borrowed */
} rwa_view_options;

/** A page compares up to so many schedules. */
#define RWA_VIEW_PAGE_MOST 4

RWA_INIT(rwa_view_options)

/**
 * Draw a schedule in characters: utilisation per step, idle channels, the longest lightpath, and grids of links by
 * wavelengths with each lightpath as a run (on networks other than ring and line a table of their directed links).
 * Large grids show density, and the text says so.  Star, ron and ocs have no links: their text must follow a node or a
 * block (opts->node, opts->block), and rwa_view_svg() and rwa_view_html() refuse them.
 * @param[out] text  UTF-8 (ASCII on request), grids at most opts->columns wide; caller frees with rwa_text_free()
 * @return RWA_OK; RWA_BADARG: a step, node or block outside the schedule, a terminal too narrow, a network without
 *         links; RWA_NOMEM.  Cost O(lightpaths + link-channels of the steps drawn)
 */
RWA_API rwa_status rwa_view_text(char **text, const rwa_schedule *sched, const rwa_view_options *opts, rwa_error *err);

/** Draw a schedule as SVG: each step's lightpaths round the ring, or along the links of the network (up to 64 nodes),
 *  and its grid of links by wavelengths.  Ownership, errors and cost as rwa_view_text(). */
RWA_API rwa_status rwa_view_svg(char **text, const rwa_schedule *sched, const rwa_view_options *opts, rwa_error *err);

/**
 * Make one HTML page of schedules without external references: a step slider, a map with every link once and its
 * occupancy (on rings with few wavelengths all lightpaths), a grid, and the lightpaths of a block, node, link,
 * wavelength or stage.  The page can save its pictures as SVG and PNG.
 * @param scheds  one schedule, or up to RWA_VIEW_PAGE_MOST of any networks to be compared side by side
 * @return as rwa_view_text(); RWA_BADARG also for another count.  Pages stay below 5 MB: schedules of more than 64
 *         nodes (or 40,000 lightpaths) are shown by density, networks up to RWA_VIEW_MAP_NODES also on their map
 */
RWA_API rwa_status rwa_view_html(char **text, const rwa_schedule *const *scheds, size_t count,
                                 const rwa_view_options *opts, rwa_error *err);

/**
 * Draw OSNR, NLI and GSNR along a route as SVG: curves over the length of the route.
 * @param[out] text    caller frees with rwa_text_free()
 * @param along        count points, such as rwa_gsnr_along() fills
 * @param required_db  the required GSNR, drawn as a line; NaN: none
 * @param title        UTF-8
 * @return RWA_OK; RWA_BADARG: no point, or a route without length; RWA_NOMEM
 */
RWA_API rwa_status rwa_view_gsnr(char **text, const rwa_gsnr *along, size_t count, double required_db,
                                 const char *title, rwa_error *err);

/**
 * Draw a link budget as SVG, as a waterfall: from the power of the laser down to the received power, a bar for each
 * loss; from the sensitivity of the receiver up to the power needed; and the margin between received and needed power.
 * @param[out] text  caller frees with rwa_text_free()
 * @param title      UTF-8
 * @return RWA_OK; RWA_BADARG: the budget has no received power; RWA_NOMEM
 */
RWA_API rwa_status rwa_view_budget(char **text, const rwa_link_budget *budget, const char *title, rwa_error *err);

/**
 * Draw the spectrum of an assignment, as text for a terminal of opts->columns (several slots to a column if need be);
 * rwa_view_spectrum_svg() draws it as SVG.  It has a row for every fibre of a link (of a fibre pair when undirected),
 * its slots side by side, each lightpath a run.  Lightpaths and slots outside the network are left out.
 * @param[out] text  caller frees with rwa_text_free()
 * @param opts       NULL for the defaults; columns, color and title apply
 * @return RWA_OK; RWA_BADARG: no lightpath has a slot, columns below 40, too many links, slots or hops; RWA_NOMEM.
 *         Cost O(links * slots + hops of all routes times their slots)
 */
RWA_API rwa_status rwa_view_spectrum_text(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                          rwa_error *err);
RWA_API rwa_status rwa_view_spectrum_svg(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                         rwa_error *err);

/** A map shows assignments up to these. */
#define RWA_VIEW_MAP_NODES 512
#define RWA_VIEW_MAP_HOPS 400000    /**< of all routes together */

/**
 * Draw an assignment on the map of its network as SVG with a legend, each link in the colour of the share of its
 * channels in use.  rwa_view_assignment_html() makes an HTML page of it, where links show their spectrum, demands their
 * routes, and blocked demands their reason and remedies.
 * @param[out] text  caller frees with rwa_text_free()
 * @param opts       NULL for the defaults; title applies
 * @return RWA_OK; RWA_BADARG: no lightpath has a channel, more nodes or hops than RWA_VIEW_MAP_NODES and
 *         RWA_VIEW_MAP_HOPS; RWA_NOMEM; RWA_BACKEND.  Cost that of a layout, O(nodes^3), besides O(links * channels +
 *         hops of all routes)
 */
RWA_API rwa_status rwa_view_assignment_svg(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                           rwa_error *err);
RWA_API rwa_status rwa_view_assignment_html(char **text, const rwa_assignment *result, const rwa_view_options *opts,
                                            rwa_error *err);

#endif
