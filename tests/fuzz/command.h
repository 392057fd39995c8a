/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The whole command on a line of words. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** One word a line; always 0.  Lines that would write a file, read others than those at hand or take hours are passed
 *  over. */
int fuzz_command(const uint8_t *data, size_t size);
