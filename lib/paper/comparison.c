/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Compares the papers' schemes with what this library chooses, for all settings and message sizes of the papers'
 *  measurements. */
#include "paper/paper.h"

#include <ctype.h>

/** The messages of OpTree, Fig. 5, in bytes. */
static const double messages[] = {32e3, 64e3, 128e3, 256e3, 512e3, 1024e3, 4e6, 16e6, 64e6, 256e6, 1024e6, 4096e6};
enum { MESSAGES = sizeof messages / sizeof *messages, PUBLISHED = 5, NODES = 5 };

/** The settings of a paper: each of its numbers of nodes with each entry of `wavelengths`, which has the numbers of
 *  WRHT and the smallest one of OpTree. */
struct matrix {
    const char *paper, *section;
    rwa_collective_kind collective;
    uint32_t nodes[NODES];      /* and then 0 */
    const char *published[PUBLISHED];
};

static const struct matrix matrices[] = {
    {"optree", "Sections V-C to V-E", RWA_ALL_GATHER, {512, 1024, 2048, 4096},
     {"optree", "wrht", "ring", "neighbor-exchange", "one-stage"}},
    {"wrht", "Sections III-D, IV", RWA_ALL_REDUCE, {512, 1024, 2048, 3072, 4096},
     {"wrht", "ring", "h-ring", "binary-tree", "recursive-doubling"}},
};
static const uint32_t wavelengths[] = {4, 8, 16, 32, 64, 128, 256};
enum { WAVELENGTHS = sizeof wavelengths / sizeof *wavelengths };

static void offer(struct quickest *q, double seconds, const char *scheme)
{
    if (isfinite(seconds) && (q->scheme[0] == '\0' || seconds < q->seconds))
        *q = (struct quickest){seconds, scheme, 1};
}

static void name_message(char to[24], double bytes)
{
    bool small = bytes < 2e6;
    snprintf(to, 24, "%g %s", bytes / (small ? 1e3 : 1e6), small ? "kB" : "MB");
}

/** Add a row to the report for a number of nodes, of wavelengths (`channels`), and a message of `bytes` bytes: the time
 *  of the quickest scheme of m->published, by formula and by schedule, each divided by the time of the plan that "auto"
 *  makes.  `published` has the schedules of these schemes. */
static rwa_status add_ratio(struct reproduction *r, const struct matrix *m,
                            const struct known_schedule published[PUBLISHED], uint32_t nodes, uint32_t channels,
                            double bytes)
{
    struct quickest own = {NAN, "", 1}, formula = own, schedule = own;
    struct setting asked = paper_setting("auto", m->collective, nodes, channels);
    rwa_paper_row *out = NULL;
    char row[48], message[24], stripes[24] = "";
    for (size_t i = 0; i < PUBLISHED; i++) {
        struct setting s = paper_setting(m->published[i], m->collective, nodes, channels);
        offer(&formula, paper_time_s(r, &s, bytes), s.scheme);
        offer(&schedule, paper_schedule_time_s(&published[i], bytes), s.scheme);
    }
    MUST(paper_quickest(&own, r, &asked, bytes));
    snprintf(row, sizeof row, "N = %u, w = %u", (unsigned)nodes, (unsigned)channels);
    name_message(message, bytes);
    MUST(paper_add(&out, r, "Comparison", m->section, row, message, "times"));
    out->formula = formula.seconds / own.seconds;
    out->schedule = schedule.seconds / own.seconds;
    out->note =
        "The quickest published scheme's time divided by auto's, in the papers' cost model: by the published formula, "
        "whether or not a schedule can be so quick, and by a checked schedule.";
    if (own.stripes > 1)
        snprintf(stripes, sizeof stripes, "/%u", (unsigned)own.stripes);
    /* long names are cut */
    int length = snprintf(out->formula_name, sizeof out->formula_name, "%s by formula, %s by schedule; auto: %.40s%s",
                          formula.scheme, schedule.scheme[0] ? schedule.scheme : "none", own.scheme, stripes);
    return length > 0 ? RWA_OK : RWA_BACKEND;
}

static rwa_status compare_at(struct reproduction *r, const struct matrix *m, uint32_t nodes, uint32_t channels)
{
    struct known_schedule published[PUBLISHED];
    for (size_t i = 0; i < PUBLISHED; i++) {
        struct setting s = paper_setting(m->published[i], m->collective, nodes, channels);
        s.parameter = 0; /* a schedule takes the groups that serve it best */
        MUST(paper_schedule(&published[i], r, &s));
    }
    for (size_t i = 0; i < MESSAGES; i++)
        MUST(add_ratio(r, m, published, nodes, channels, messages[i]));
    return RWA_OK;
}

/** Tell whether an item is "comparison", perhaps followed by a number of nodes as in "comparison-100".  *nodes is that
 *  number, or 0 for all. */
static bool asks_for_comparison(const char *item, uint32_t *nodes)
{
    static const char word[] = "comparison";
    for (size_t i = 0; i + 1 < sizeof word; i++)
        if (!item || tolower((unsigned char)item[i]) != word[i])
            return false;
    item += sizeof word - 1;
    *nodes = *item ? (uint32_t)strtoul(item + 1, NULL, 10) : 0;
    return *item == '\0' || *nodes > 1;
}

static rwa_status compare_all(struct reproduction *r, const struct matrix *m, const uint32_t nodes[NODES])
{
    size_t count = 0;
    while (count < NODES && nodes[count] > 0)
        count++;
    for (size_t k = 0; k < count * WAVELENGTHS; k++) {
        if (base_must_stop(&r->budget, "comparing", (double)k / (double)(count * WAVELENGTHS)))
            return base_fail(r->err, RWA_CANCELLED, "stopped at %u nodes", (unsigned)nodes[k / WAVELENGTHS]);
        MUST(compare_at(r, m, nodes[k / WAVELENGTHS], wavelengths[k % WAVELENGTHS]));
    }
    return RWA_OK;
}

rwa_status paper_comparison(bool *wanted, struct reproduction *r, const char *paper)
{
    uint32_t only[NODES] = {0};
    *wanted = asks_for_comparison(r->opts->item, only);
    for (size_t i = 0; *wanted && i < sizeof matrices / sizeof *matrices; i++)
        if (strcmp(matrices[i].paper, paper) == 0)
            return compare_all(r, &matrices[i], only[0] ? only : matrices[i].nodes);
    return RWA_OK;
}
