/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Files that a reader refuses. */
#pragma once

#include "rwa.h"

#include "tests/support/files.h"
#include "tests/support/suite.h"

/** A case is a text, in which ' stands for a quote, and what is said of a file of this name that holds it, in one line
 *  that begins with the file's path. */
static inline void refuse_texts(const char *name, rwa_status (*read)(const char *path, rwa_error *err),
                                const char *const (*cases)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct file file = file_with(name, cases[i][0]);
        rwa_error err = {0};
        CU_ASSERT_EQUAL(read(file.path, &err), RWA_FORMAT);
        CU_ASSERT(strncmp(err.text, file.path, strlen(file.path)) == 0 && !strchr(err.text, '\n'));
        expect_part(err.text, cases[i][1]);
        file_drop(&file);
    }
}
