/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The target of a plan: the network, its faults and reservations, the members, the collective, the device. */
#pragma once

#include "option.h"

typedef struct network_choice { const char *spec; rwa_network_options opts; } network_choice;
typedef struct collective_choice {
    rwa_collective_kind kind;
    uint32_t root;              /* RWA_NO_NODE: root_name has the name of a node */
    const char *root_name;
    uint64_t message, blocks;
} collective_choice;
typedef struct device_choice { const char *name; rwa_power_model model; rwa_device *device; } device_choice;

typedef struct target {
    network_choice network;
    collective_choice collective;
    device_choice device;
    const char *members, *reserved, *failed;    /* lists of numbers, ranges and links */
    uint32_t *member_list;                      /* NULL: all nodes */
    rwa_network *net;                           /* this and coll: from target_open() on */
    rwa_collective coll;
} target;

/* Tables of the structs above and of rwa_cost_options. */
extern const option wavelength_options[],   /* of rwa_network_options: wavelengths, ports */
    fiber_options[],                        /* of rwa_network_options: fibers, rate */
    collective_options[],                   /* of collective_choice: collective, root, message */
    target_options[],                       /* of target: network, blocks, tuning, members, reserve, fail */
    device_options[], power_options[],      /* of device_choice: device; device, power-model */
    cost_model_options[], cost_options[],   /* of rwa_cost_options */
    rate_options[];         /* of rwa_network_options: the rate only, which a schedule file does not say */

/* The groups of a command with rwa_network_options M: wavelengths, ports, fibers, rate; with a collective_choice M; with a
 * `target`. */
#define NETWORK_GROUPS(S, M) {wavelength_options, offsetof(S, M), network_init}, {fiber_options, offsetof(S, M), NULL}
#define COLLECTIVE_GROUPS(S, M) {collective_options, offsetof(S, M), collective_init}
#define TARGET_GROUPS(S) {target_options, offsetof(S, target), NULL}, NETWORK_GROUPS(S, target.network.opts), \
    COLLECTIVE_GROUPS(S, target.collective)

/* Defaults of rwa_network_options, collective_choice, rwa_cost_options. */
void network_init(void *opts);
void collective_init(void *chosen);
void cost_init(void *opts);

/* Build the network and the collective, and open the device, which sets what no option set.  0, or the exit code after one
 * line; target_close() in any case. */
int target_open(target *t, rwa_cost_options *cost, const common *c);
void target_close(target *t);

/* The collectives by name, NULL past the end. */
const char *collective_name(size_t i);

/* rwa_network_open(), whose failure suggests the nearest name. */
rwa_status network_open(rwa_network **net, const char *spec, const rwa_network_options *opts, rwa_error *err);

/* Open the device, if one is named; the power model needs one.  The caller frees d->device. */
int device_open(device_choice *d, const common *c);
/* The same; the device sets wavelengths, rate and reconfiguration where no option does. */
int device_apply(device_choice *d, rwa_network_options *net, rwa_cost_options *cost, const common *c);

/* "17,cw:3" as directed links; 0, or the exit code after one line.  The caller frees *links. */
int read_links(uint32_t **links, size_t *count, const rwa_network *net, const char *list);
/* Names or numbers of nodes with commas, of --flag; a name with a comma in it stands in quotes.  list NULL: none.  0, or the exit
 * code after one line.  The caller frees *nodes. */
int read_nodes(uint32_t **nodes, size_t *count, const rwa_network *net, const char *flag, const char *list);
/* The node of a number, or else of a name, of --flag; 0, or the exit code after one line. */
int read_node(uint32_t *node, const rwa_network *net, const char *flag, const char *name);
/* The root by its name; net NULL: it has none.  0, or the exit code after one line. */
int find_root(collective_choice *chosen, const rwa_network *net);
/* Replace a network by one with the failed links of --fail and reserved channels (NULL: none); 0, or the exit code after one line. */
int apply_faults(rwa_network **net, const char *reserved, const char *failed);
/* Whether setting ports or switches takes steps: star, ron, ocs. */
int network_is_tuned(const rwa_network *net);

/* 0, or EXIT_BAD_INPUT after one line, on options without effect on this collective, cost model or network. */
int refuse_root(const collective_choice *chosen, rwa_collective_kind kind);
int refuse_alpha(const rwa_cost_options *cost, const common *c);
/* --slots makes a flexible grid of the network; 0, or EXIT_BAD_INPUT after one line beside --wavelengths. */
int take_slots(network_choice *chosen, uint32_t slots, const common *c);
int refuse_fibers(const network_choice *chosen, const rwa_network *net, const common *c);
