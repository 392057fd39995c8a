/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The orders in which compositions see the participants of a network. */
#pragma once

#include "delivery/exchange_load.h"

/** By number (round a ring, along a line, row by row); or so that segments of many sizes are compact: halves of halves of a grid's
 *  dimensions in turn, or of other networks. */
enum order_kind { ORDER_NUMBERS, ORDER_CLUSTERS, ORDER_KINDS };

/** Rotations of the dimensions of a grid, at most. */
enum { TURNS_MOST = 6 };

/** In how many ways the dimensions of a grid can be rotated; 1 for other networks. */
uint32_t orders_turns(const rwa_network *net);
/** What divides the sizes of all dimensions: with so much of theirs they change places, the rest leads farthest in each rotation. */
uint32_t orders_common_size(const struct network_grid *grid);
/** All nodes in an order, the dimensions of a grid rotated so often.  RWA_NOMEM */
rwa_status orders_make(uint32_t *order, const struct distances *distances, enum order_kind kind, uint32_t turn, rwa_error *err);
