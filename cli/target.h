/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of the options that several commands share: the network with its faults and members, the collective, the
 * device, costs and planning.  Each value is one static variable, as a process runs one command. */
#pragma once

#include "option.h"

extern struct target {
    const char *spec;           /* the network, as typed */
    rwa_network_options opts;
    uint32_t slots;             /* of a flexible grid; 0: wavelengths */
    const char *members, *reserved, *failed;    /* lists of numbers, ranges and links */
    rwa_collective_kind kind;
    uint32_t root;              /* RWA_NONE: root_name has the name of a node */
    const char *root_name;
    uint64_t message, blocks;
    const char *device_name;
    rwa_power_model power_model;
    rwa_device *device;         /* this and the members below: opened objects; NULL: not opened yet, or not given */
    rwa_network *net;
    rwa_collective coll;
    uint32_t *member_list;
} target;
extern rwa_plan_options planning;
extern rwa_cost_options cost;
extern rwa_programs programs;   /* of --write-lp */

/* Tables of the values above. */
extern const option
    network_options[],          /* network, tuning, blocks, members, reserve, fail */
    graph_options[],            /* network, fail, fibers, slots: of demands on a graph */
    channel_options[],          /* wavelengths, ports, fibers, rate */
    fiber_options[],            /* fibers, rate */
    rate_options[],             /* the rate only, which a schedule file does not say */
    collective_options[],       /* collective, root, message */
    device_options[], power_options[],      /* device; power-model */
    cost_options[],             /* cost, alpha ... clock */
    cost_model_options[],       /* cost only */
    scheme_options[],
    planning_options[],         /* radix ... load-factor, objective, order */
    hops_options[],             /* max-hops, max-drops */
    search_options[],           /* solver, time-limit, seed */
    program_options[];          /* write-lp */
/* The tables of all commands that plan for a network; those of the commands with costs and devices. */
#define TARGET_TABLES network_options, channel_options, collective_options
#define PLANNING_TABLES planning_options, hops_options, search_options, device_options, power_options, cost_options

/* Reads the name of a scheme, or auto; also a former name of a scheme. */
option_reader read_scheme;

/* Set the options of the target to their defaults. */
void target_init(void);
/* Build the network and the collective, and open the device, which sets the values that no option set.  Return 0, or
 * the exit code after an error message of one line. */
int target_open(void);
/* Set the members of `planning` that come from other options and from opened objects: cost model, members, device,
 * programs. */
void planning_ready(void);
/* Set the library's options for bounds from the options of the command. */
void bound_options(rwa_bound_options *opts);
/* Set the library's options for checks from the options of the command. */
void check_options(rwa_check_options *opts);
/* Divide what is left of --time-limit evenly among `shares` tasks, and return the seconds for one; 0: no limit.  The
 * limit began at begin_s (clock_s()). */
double time_left(double begin_s, size_t shares);
/* Let a call of the library show progress, and stop on a signal. */
#define SHOW_PROGRESS(opts) ((opts).poll = poll_progress)
/* Tell whether an outcome has an answer, which means that it is optimal or feasible. */
int is_answer(rwa_outcome outcome);

/* Return the name of collective number i, or NULL past the end; find_collective() returns the number of a name, or
 * -1. */
const char *collective_name(size_t i);
int find_collective(const char *name);

/* Set target.net to the network that the options of the target describe, of any kind; for an unknown name suggest the
 * nearest one.  open_faulty() also refuses options that the network does not support, and applies the failed links and
 * reserved channels.  Return 0, or the exit code after a message of one line. */
int open_network(void);
int open_faulty(void);

/* Set target.device to the device that --device names.  Without one open nothing, but refuse --power-model.  Return 0,
 * or the exit code after an error message of one line. */
int device_open(void);
/* Open the device, if one is named.  It sets wavelengths, rate, start-up time and reconfiguration time where no option
 * does.  Return as device_open() does. */
int device_apply(void);
/* Return 0, or EXIT_BAD_INPUT after a message if there are more wavelengths than the grid of the device has. */
int refuse_grid(uint32_t wavelengths);

/* Set *links to the directed links that the value of --fail names, such as "17,cw:3", and *count to their number.
 * Return 0, or the exit code after an error message of one line. */
int read_links(uint32_t **links, size_t *count, const rwa_network *net);
/* Set *nodes and *count to the nodes in `list`, the value of option --flag: names or numbers separated by commas, a
 * name with a comma in quotes.  NULL: no nodes.  Return 0, or the exit code after an error message of one line. */
int read_nodes(uint32_t **nodes, size_t *count, const rwa_network *net, const char *flag, const char *list);
/* Set *node to the node that `name`, the value of --flag, means: the node of this number, else the one of this name.
 * Return 0, or the exit code after an error message of one line. */
int read_node(uint32_t *node, const rwa_network *net, const char *flag, const char *name);
/* Set target.root to the node that --root names, unless --root gave a number.  net NULL: the network is unknown, and a
 * name is an error.  Return 0, or the exit code after an error message of one line. */
int find_root(const rwa_network *net);
/* Tell whether a network is a ring or line. */
int network_is_arcs(const rwa_network *net);
/* Tell whether setting ports or switches takes steps on this network, as on star, ron and ocs. */
int network_is_tuned(const rwa_network *net);

/* Refuse --root for a collective without a root.  Return 0, or EXIT_BAD_INPUT after a message of one line. */
int refuse_root(rwa_collective_kind kind);
/* Refuse --alpha under the cost model `paper`, which has no start-up times.  Return as refuse_root() does. */
int refuse_alpha(void);
/* Return the object that collects the integer programs to be written, or NULL if none are asked for. */
rwa_programs *programs_asked(void);
