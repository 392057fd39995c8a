/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion of commands, options and their values in a shell. */
#pragma once

#include "option.h"

/* The script on standard output, for bash or zsh. */
void completion_print(const command *const *commands, size_t count, int zsh);
