/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demands while their file is being read. */
#pragma once

#include "base/names.h"
#include "rwa/demand.h"

#include <stdbool.h>

/** Start with {.file = …, .net = …, .model = …, .err = …} and demand_list_open(). */
struct demand_list {
    const char *file;
    size_t line;            /**< 0: item names the place */
    char item[64];
    const rwa_network *net;
    rwa_model model;
    rwa_error *err;
    struct names names;     /**< of the nodes that have one */
    uint32_t *nodes;        /**< the node of a name */
    bool numbers_are_names; /**< some node's name is a number: then no number means a node by its place */
    rwa_demand *list;
    size_t count, capacity;
    uint32_t *widths;       /**< of each demand */
    double *rates;
    size_t width_capacity, rate_capacity;
};

rwa_status demand_list_open(struct demand_list *d);
void demand_list_free(struct demand_list *d);
/** RWA_FORMAT with "FILE:LINE: …" or "FILE: ITEM: …". */
#define demand_list_fail(d, ...) base_fail_at((d)->err, (d)->file, (d)->line, (d)->item, __VA_ARGS__)
/** The node of a name, or of its number. */
rwa_status demand_list_node(struct demand_list *d, const char *text, uint32_t *node);
/** count 0: nothing is asked for, and nothing added. */
rwa_status demand_list_add(struct demand_list *d, uint32_t src, uint32_t dst, uint64_t count, uint32_t via);
/** A demand for an amount, in lightpaths (unit 0) or bit/s: as many lightpaths of the network's rate as it needs; on a flexible
 *  grid one lightpath of that bit rate. */
rwa_status demand_list_add_amount(struct demand_list *d, uint32_t src, uint32_t dst, double amount, double unit_bps, uint32_t via);
/** The width and the bit rate of the last demand added; width 0, rate 0: as it was. */
void demand_list_widen(struct demand_list *d, uint64_t width, double rate_bps);
/** A width as a number of slots; anything else is RWA_FORMAT. */
rwa_status demand_list_width(struct demand_list *d, double number, uint64_t *width);
/** "100G" or "1e11" in bit/s. */
rwa_status demand_list_rate(struct demand_list *d, const char *text, double *rate_bps);
/** The demands read, or RWA_FORMAT. */
rwa_status demand_list_finish(rwa_demands **out, struct demand_list *d);
/** The number of lightpaths of the network's rate that the amount needs; unit 0: the amount counts lightpaths. */
rwa_status demand_list_amount(struct demand_list *d, double amount, double unit_bps, uint64_t *count);
/** A whole matrix of nodes times nodes counts; undirected, the larger of its two entries counts for a pair. */
rwa_status demand_list_matrix(struct demand_list *d, const uint64_t *counts);

/** A JSON text. */
rwa_status demand_list_json(struct demand_list *d, const char *text, size_t length);
