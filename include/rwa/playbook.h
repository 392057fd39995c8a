/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Playbooks: for each single failure of a link or node, and each step in which it may come, the schedule that takes
 *  over, made beforehand and kept in a folder (docs/reference/formats.md, "Playbooks"). */
#ifndef RWA_PLAYBOOK_H
#define RWA_PLAYBOOK_H

#include "rwa/plan.h"

/** Whose failures a playbook has: fibre pairs, both ways, numbered as by rwa_network_pair(), or directed links where
 *  they do not come in pairs; or nodes with all their links.  rwa_state_fail() takes directed links instead, of a pair
 *  each by itself (rwa_failure). */
typedef enum rwa_play_kind { RWA_PLAY_LINK = 0, RWA_PLAY_NODE = 1 } rwa_play_kind;

/** A failure in a step, and numbers of the schedule that takes over, computed from that schedule.  The playbook owns
 *  the record; new members are added only at its end. */
typedef struct rwa_play {
    uint32_t failure;       /**< number of the pair, link or node */
    uint32_t step;          /**< the first step that the failure affects; 1: it came before the collective */
    const char *name;       /**< "0-1", "0>1", "Seattle" */
    int begins_again;       /**< 1: the schedule begins the collective again, among the other nodes after a failure of a
                                 node; 0: its first step - 1 steps are those of the plan */
    uint32_t steps;         /**< of the schedule; 0: there is none */
    double time_s;          /**< of the schedule; NaN: there is none */
    double after_s;         /**< from the failure, at the end of step - 1, to the end; NaN: there is none */
    uint64_t changed;       /**< lightpaths of the next step that the plan does not have in this step */
    uint64_t lost;          /**< blocks that other nodes need and that are lost with the node */
    const char *why;        /**< why there is no schedule; "" if there is one */
} rwa_play;

/** The plays of a schedule, read from a folder.  Immutable. */
typedef struct rwa_playbook rwa_playbook;

/**
 * Make the plays of a schedule for each failure of a kind in each step, check them, and write them to a new folder,
 * which appears whole or not at all.  After the failure of a link rwa_plan_repair() finishes the collective, and the
 * play takes no longer than a plan of rwa_plan_repair() for this failure alone.  After the failure of a node that takes
 * part, the others begin the collective again; if the node takes no part, its links are repaired.  If translations map
 * the steps of the plan before the failure to themselves, one schedule serves all failures that they map to each other.
 * @param folder  does not exist yet
 * @param sched   on a network of links; borrowed
 * @param opts    max_hops, device, power_model, cost, seed, poll and limits apply to each play, time_limit_s to all
 *                together; NULL for the defaults
 * @return RWA_OK, also if the collective cannot be finished after some failures; RWA_BADARG: a star, ron or ocs, a
 *         wrong schedule, or the path exists; RWA_IO: the folder cannot be written; RWA_NOMEM; RWA_BACKEND;
 *         RWA_CANCELLED, also if the time was over.  Cost of a repair and a check for each play
 */
RWA_API rwa_status rwa_playbook_make(const char *folder, const rwa_schedule *sched, rwa_play_kind kind,
                                     const rwa_plan_options *opts, rwa_error *err);
/**
 * Read a playbook: its index, the plan, and the schedule for each failure in each step.  Check the schedules and
 * measure them.  A schedule that is the translation of another one is not read again.
 * @param[out] out  new playbook, caller frees with rwa_playbook_free()
 * @param opts      device, power_model, cost (of the times), poll, and limits of each of its files apply; NULL for the
 *                  defaults
 * @return as rwa_playbook_schedule().  Cost of rwa_playbook_schedule() for the plan, and for each schedule that is no
 *         translation
 */
RWA_API rwa_status rwa_playbook_read(rwa_playbook **out, const char *folder, const rwa_plan_options *opts,
                                     rwa_error *err);
RWA_API void rwa_playbook_free(rwa_playbook *book);

RWA_API rwa_play_kind rwa_playbook_kind(const rwa_playbook *book);
RWA_API const rwa_schedule *rwa_playbook_plan(const rwa_playbook *book);    /**< lives as long as the playbook */
RWA_API uint32_t rwa_playbook_failures(const rwa_playbook *book);           /**< pairs, links or nodes */
/** Return the play for a failure, from 0, in a step, 1 … steps of the plan; NULL: there is no such failure or step.
 *  O(1). */
RWA_API const rwa_play *rwa_playbook_play(const rwa_playbook *book, uint32_t failure, uint32_t step);
/**
 * Make the schedule of a play, and check it.  Its steps before the failure, its network and its faults are taken from
 * the plan; the further steps are read from the file of the play.
 * @param[out] out  new schedule, caller frees with rwa_schedule_free()
 * @return RWA_OK; RWA_BADARG: no such play, or one without a schedule; RWA_FORMAT: the file is damaged, does not belong
 *         to the plan, or the checker rejects it; RWA_IO; RWA_NOMEM.  Cost of reading the file and of a check
 */
RWA_API rwa_status rwa_playbook_schedule(rwa_schedule **out, const rwa_playbook *book, uint32_t failure, uint32_t step,
                                         rwa_error *err);

#endif
