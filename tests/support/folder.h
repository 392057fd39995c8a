/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names in the folder that a test program makes for itself. */
#ifndef SUPPORT_FOLDER_H
#define SUPPORT_FOLDER_H

#include <stdio.h>

static char dir[64];

/** The path of a name in the folder; the last two stay valid. */
static inline const char *in_dir(const char *name)
{
    static char path[2][160];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

#endif
