/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The settings of nodes, step by step: which channel a node adds, drops or passes, and what changes from the step
 *  before. */
#ifndef RWA_SETTINGS_H
#define RWA_SETTINGS_H

#include "rwa/schedule.h"

/** The use of a channel at a node; a node that reads a lightpath and lets it pass (a tap) has DROP and PASS. */
enum { RWA_USE_ADD = 1, RWA_USE_DROP = 2, RWA_USE_PASS = 4 };

/** The action of a controller on a setting at the beginning of the step. */
typedef enum rwa_change {
    RWA_CHANGE_CLEAR = 1,   /**< up in the step before, and no longer */
    RWA_CHANGE_SET = 2,     /**< not up in the step before, or up with other values */
    RWA_CHANGE_KEEP = 3     /**< as in the step before: nothing to push */
} rwa_change;

/** One setting of one node.  A lightpath of h hops has h + 1 of them. */
typedef struct rwa_setting {
    uint32_t node;
    uint32_t in_link, out_link;     /**< directed links, as rwa_network_link(); RWA_NONE: the lightpath begins, or ends,
                                         here.  Star, ron and ocs have a link for each pair of nodes.  Of parallel links
                                         the lowest */
    uint32_t fiber, wavelength;
    uint32_t use;                   /**< RWA_USE_ADD, RWA_USE_DROP, RWA_USE_PASS; of CLEAR: the use that ends */
    rwa_change change;
    uint32_t src, dst;              /**< of the lightpath that is set up, kept, or was cleared */
    uint32_t held;                  /**< 1: the lightpath carries nothing in this step; it was used before, or will
                                         be */
    uint64_t block;                 /**< its first block; of a held lightpath: the block in a step that uses it */
    uint64_t record;                /**< the record of the schedule, for rwa_schedule_lists(); of a held lightpath: a
                                         record of another step */
    uint64_t since;                 /**< the first step that uses the lightpath while it is up, as it is in this step:
                                         with its ends and channel a name for as long */
} rwa_setting;

/** The steps in which the lightpaths of a record are up: tuned before step `from`, and held to the end of step `to`,
 *  whether or not they carry anything. */
typedef struct rwa_hold {
    uint32_t from, to;
} rwa_hold;

/** The settings of a step.  Immutable; free it with rwa_settings_free(). */
typedef struct rwa_settings rwa_settings;

/**
 * Compute the settings of nodes in a step, on every network, and what changes from the step before in this schedule.
 * Without `hold` a lightpath is up in the steps that use it, as in the cost model `paper`.  The other models need
 * lightpaths that are set earlier and kept longer: rwa_cost_holds() says in which steps.
 * After rwa_plan_repair(), nodes that have the settings of step at_step - 1 need only the changes of step at_step of
 * the repaired schedule, since the steps before are the same.  With `hold` this may be wrong: nodes may have been set
 * early for steps that the repair changed.  Compare then with the settings that the nodes have, as
 * docs/examples/controller.c does.
 * @param[out] out  new settings, caller frees with rwa_settings_free(); by node, and of a node first those to clear,
 *                  then those to set, then those kept
 * @param sched     borrowed, not needed afterwards
 * @param step      1 … steps + 1; the last of these clears all settings of step `steps`
 * @param node      only this node; RWA_NONE: every node
 * @param hold      when each record is up, as rwa_cost_holds() fills it; borrowed, not needed afterwards; NULL: in its
 *                  own step
 * @return RWA_OK; RWA_BADARG: a step or node outside the schedule; RWA_NOMEM.  Cost O(records * hops + n log n) for n
 *         settings and the records of the step; for one node an orbit counts as one record.  With `hold` the function
 *         also reads all records
 */
RWA_API rwa_status rwa_settings_make(rwa_settings **out, const rwa_schedule *sched, uint32_t step, uint32_t node,
                                     const rwa_hold *hold, rwa_error *err);
RWA_API void rwa_settings_free(rwa_settings *settings);
/** Set *list to all settings, and return how many there are.  The list lives as long as `settings`. */
RWA_API size_t rwa_settings_list(const rwa_setting **list, const rwa_settings *settings);
/** Return the number of settings that a controller must push: all but those kept. */
RWA_API size_t rwa_settings_changes(const rwa_settings *settings);
/** Set *list to the settings of one node, and return how many there are.  The list is a part of rwa_settings_list().
 *  O(log settings). */
RWA_API size_t rwa_settings_of_node(const rwa_setting **list, const rwa_settings *settings, uint32_t node);
/**
 * List the nodes in an order for a controller that serves one node after the other: those with the fewest settings to
 * push first, of equals the lowest number.  So they wait least on average (shortest processing time first; Smith, Naval
 * Research Logistics 1956).
 * @param[out] nodes  lives as long as the settings
 * @return their number: all nodes of the network, or 1 if the settings are those of one node
 */
RWA_API size_t rwa_settings_nodes(const uint32_t **nodes, const rwa_settings *settings);

#endif
