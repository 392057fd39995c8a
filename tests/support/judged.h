/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A schedule file written line by line in a test, then judged. */
#ifndef SUPPORT_JUDGED_H
#define SUPPORT_JUDGED_H

#include "tests/support/report.h"
#include "rwa.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JUDGED_LINES = 64 };

/** A header and its records, each without the newline. */
struct judged {
    const char *header;
    const char *lines[JUDGED_LINES];
    size_t count;
};

static inline rwa_status judged_check_with(rwa_check_report *out, const struct judged *file, const rwa_check_options *opts)
{
    char path[] = "/tmp/rwa-judged-XXXXXX";
    int fd = mkstemp(path);
    FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    memset(out, 0, sizeof *out);
    if (!stream)
        return RWA_IO;
    fprintf(stream, "%s\n", file->header);
    for (size_t i = 0; i < file->count; i++)
        fprintf(stream, "%s\n", file->lines[i]);
    fclose(stream);
    rwa_status st = report_file(out, path, opts, NULL);
    unlink(path);
    return st;
}

static inline rwa_status judged_check(rwa_check_report *out, const struct judged *file)
{
    return judged_check_with(out, file, NULL);
}

static inline void judged_expect_ok(const struct judged *file)
{
    rwa_check_report c;
    CU_ASSERT_EQUAL_FATAL(judged_check(&c, file), RWA_OK);
    CU_ASSERT_TRUE(c.ok);
    for (size_t i = 0; i < c.named; i++)
        fprintf(stderr, "expected ok, got %s: %s\n", rwa_violation_name(c.first[i].kind), c.first[i].text);
}

/** Replace line i (i == count: append one), and expect a violation of this kind that says this. */
static inline void judged_expect(const struct judged *right, size_t i, const char *line, rwa_violation_kind kind,
                                 const char *says)
{
    struct judged file = *right;
    rwa_check_report c;
    int said = 0;
    file.lines[i] = line;
    file.count += i == file.count;
    CU_ASSERT_EQUAL_FATAL(judged_check(&c, &file), RWA_OK);
    CU_ASSERT_FALSE(c.ok);
    for (size_t k = 0; k < c.named; k++)
        said = said || (c.first[k].kind == kind && strstr(c.first[k].text, says));
    CU_ASSERT_TRUE(said);
    if (!said)
        fprintf(stderr, "%s\n  expected %s \"%s\", got %s\n", line, rwa_violation_name(kind), says,
                c.named ? c.first[0].text : "ok");
}

#endif
