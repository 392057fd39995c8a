/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands, one a file. */
#pragma once

#include "cli/print.h"

extern const command command_assign, command_bounds, command_check, command_circuits, command_compare, command_explain,
    command_export, command_gsnr, command_import, command_network, command_place, command_plan, command_reproduce,
    command_show, command_sweep, command_traffic;
