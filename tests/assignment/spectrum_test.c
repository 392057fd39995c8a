/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Lightpaths of several slots: the checker against pairs of intervals, files that keep widths, files that are
 *  damaged. */
#include "rwa.h"

#include "base/base.h"

#include "tests/support/report.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NODES = 5, PATHS = 7, SLOTS = 12 };

struct light {
    uint32_t src, dst, wavelength, width, guard;
};

static void fill(struct light *list, uint64_t *random)
{
    for (size_t i = 0; i < PATHS; i++) {
        struct light *l = &list[i];
        l->src = (uint32_t)base_random_below(random, NODES - 1);
        l->dst = l->src + 1 + (uint32_t)base_random_below(random, NODES - 1 - l->src);
        l->width = 1 + (uint32_t)base_random_below(random, 3);
        l->guard = (uint32_t)base_random_below(random, 2);
        l->wavelength = (uint32_t)base_random_below(random, SLOTS);
    }
}

/* On a line two lightpaths one way share a link exactly when their intervals of nodes overlap, and a slot likewise. */
static bool clashes(const struct light *list)
{
    for (size_t i = 0; i < PATHS; i++)
        for (size_t k = 0; k < i; k++) {
            const struct light *a = &list[i], *b = &list[k];
            bool link = a->src < b->dst && b->src < a->dst;
            if (link && a->wavelength < b->wavelength + b->width + b->guard &&
                b->wavelength < a->wavelength + a->width + a->guard)
                return true;
        }
    return false;
}

static rwa_assignment *assignment_of(const struct light *list)
{
    rwa_network_options o;
    rwa_network *net = NULL;
    rwa_demands *narrow = NULL, *demands = NULL;
    rwa_assignment *r = NULL;
    rwa_demand ends[PATHS];
    uint32_t widths[PATHS];
    rwa_network_options_init(&o);
    o.slot_hz = RWA_SLOT_HZ;
    for (size_t i = 0; i < PATHS; i++) {
        ends[i] = (rwa_demand){list[i].src, list[i].dst, 1, RWA_NONE};
        widths[i] = list[i].width;
    }
    OK(rwa_network_parse(&net, "line:5", &o, NULL));
    OK(rwa_demands_create(&narrow, NODES, ends, PATHS, NULL));
    OK(rwa_demands_with_widths(&demands, narrow, widths, NULL));
    OK(rwa_assignment_create(&r, net, demands, RWA_DIRECTED, NULL));
    for (size_t i = 0; i < PATHS; i++) {
        rwa_route route = {.demand = i,
                           .hops = list[i].dst - list[i].src,
                           .direction = RWA_CW,
                           .wavelength = list[i].wavelength};
        OK(rwa_assignment_add_wide(r, &route, list[i].width, list[i].guard, NULL));
        CU_ASSERT(rwa_assignment_width(r, i) == list[i].width && rwa_assignment_guard(r, i) == list[i].guard);
    }
    rwa_network_free(net);
    rwa_demands_free(narrow);
    rwa_demands_free(demands);
    return r;
}

static bool is_ok(const rwa_assignment *r)
{
    rwa_check_report c;
    OK(report_assignment(&c, r, NULL, NULL));
    return c.ok;
}

static char *load(const char *path)
{
    static char text[1 << 14];
    FILE *in = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    return text;
}

/* Written, read and written again, the file is the same, and so is the verdict on it. */
static void keep_in_file(const rwa_assignment *r, bool ok)
{
    char path[] = "/tmp/rwa-spectrum-XXXXXX";
    rwa_assignment *again = NULL;
    rwa_check_report c;
    close(mkstemp(path));
    OK(rwa_assignment_write(r, path, NULL));
    OK(report_file(&c, path, NULL, NULL));
    CU_ASSERT_EQUAL(c.ok, ok);
    OK(rwa_assignment_read(&again, path, NULL));
    CU_ASSERT_EQUAL(rwa_network_slot_hz(rwa_assignment_network(again)), RWA_SLOT_HZ);
    CU_ASSERT_EQUAL(is_ok(again), ok);
    CU_ASSERT_EQUAL(rwa_assignment_summary(again)->wavelengths, rwa_assignment_summary(r)->wavelengths);
    for (uint64_t i = 0; i < PATHS; i++) {
        CU_ASSERT_EQUAL(rwa_assignment_width(again, i), rwa_assignment_width(r, i));
        CU_ASSERT_EQUAL(rwa_assignment_guard(again, i), rwa_assignment_guard(r, i));
    }
    rwa_assignment_free(again);
    unlink(path);
}

static void the_checker_finds_overlaps(void)
{
    uint64_t random = 11;
    int right = 0, wrong = 0;
    for (int i = 0; i < 3000; i++) {
        struct light list[PATHS];
        fill(list, &random);
        bool clash = clashes(list);
        rwa_assignment *r = assignment_of(list);
        CU_ASSERT_EQUAL(is_ok(r), !clash);
        if (i % 50 == 0)
            keep_in_file(r, !clash);
        right += !clash;
        wrong += clash;
        rwa_assignment_free(r);
    }
    CU_ASSERT(right > 20 && wrong > 20);
}

/* A route narrower than its demand is a violation, a wider one is not. */
static void widths_are_those_of_the_demands(void)
{
    for (uint32_t width = 1; width <= 5; width++) {
        rwa_network *net = NULL;
        rwa_demands *narrow = NULL, *demands = NULL;
        rwa_assignment *r = NULL;
        uint32_t asked = 3;
        rwa_route route = {.hops = 1, .direction = RWA_CW};
        OK(rwa_network_parse(&net, "line:2", NULL, NULL));
        OK(rwa_demands_create(&narrow, 2, &(rwa_demand){0, 1, 1, RWA_NONE}, 1, NULL));
        OK(rwa_demands_with_widths(&demands, narrow, &asked, NULL));
        OK(rwa_assignment_create(&r, net, demands, RWA_DIRECTED, NULL));
        OK(rwa_assignment_add_wide(r, &route, width, 0, NULL));
        CU_ASSERT_EQUAL(is_ok(r), width >= asked);
        rwa_assignment_free(r);
        rwa_demands_free(narrow);
        rwa_demands_free(demands);
        rwa_network_free(net);
    }
}

#define HEADER(version)                                                                                                \
    "{\"format\":\"rwa-assignment\",\"version\":" version ",\"model\":\"directed\",\"network\":{\"nodes\":3,"          \
    "\"links\":[[0,1],[1,2]],\"fibers\":1,\"slot_ghz\":12.5},\"demands\":2,\"wavelengths\":8"
#define FIRST                                                                                                          \
    "{\"demand\":0,\"src\":0,\"dst\":2,\"path\":[0,1,2],\"fiber\":0,\"wavelength\":0,\"width\":3,\"guard\":1}\n"

static void check_text(const char *header, const char *rest, rwa_status status, bool ok, const char *words)
{
    char path[] = "/tmp/rwa-spectrum-XXXXXX";
    rwa_check_report c = {0};
    rwa_error err = {0};
    FILE *to = fdopen(mkstemp(path), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    fprintf(to, "%s}\n%s%s", header, FIRST, rest);
    fclose(to);
    CU_ASSERT_EQUAL(report_file(&c, path, NULL, &err), status);
    CU_ASSERT_EQUAL(c.ok, ok);
    expect_part(status == RWA_OK ? c.first[0].text : err.text, words);
    unlink(path);
}

#define SECOND(wavelength, more)                                                                                       \
    "{\"demand\":1,\"src\":1,\"dst\":2,\"path\":[1,2],\"fiber\":0,\"wavelength\":" wavelength more "}\n"

static void damaged_files_are_refused(void)
{
    check_text(HEADER("2"), SECOND("4", ",\"width\":4"), RWA_OK, true, "");
    check_text(HEADER("2"), SECOND("3", ",\"width\":4"), RWA_OK, false, "taken");          /* in the guard of the
                                                                                              first */
    check_text(HEADER("2"), SECOND("4", ",\"width\":4,\"guard\":1"), RWA_OK, false, "fibre 0, slot 8");
    check_text(HEADER("2"), SECOND("4", ",\"width\":5"), RWA_OK, false, "fibre 0, slot 8");
    check_text(HEADER("2"), SECOND("4294967295", ",\"width\":2"), RWA_OK, false, "slot");
    check_text(HEADER("2"), SECOND("4", ",\"width\":0"), RWA_FORMAT, false, ":3: \"width\"");
    check_text(HEADER("2"), SECOND("4", ",\"width\":\"2\""), RWA_FORMAT, false, ":3: \"width\"");
    check_text(HEADER("2"), SECOND("4", ",\"guard\":-1"), RWA_FORMAT, false, ":3: \"guard\"");
    check_text(HEADER("2"), SECOND("4", ",\"guard\":4000000"), RWA_FORMAT, false, ":3: \"guard\"");
    check_text(HEADER("1"), SECOND("1", ",\"width\":4"), RWA_OK, true, "");     /* version 1 has no widths */
    check_text(HEADER("3"), "", RWA_FORMAT, false, ":1: \"version\"");
    check_text("{\"format\":\"rwa-assignment\",\"version\":2,\"model\":\"directed\",\"network\":{\"nodes\":2,\"links\":"
               "[[0,1]],"
               "\"slot_ghz\":\"x\"},\"demands\":0,\"wavelengths\":1",
               "", RWA_FORMAT, false, ":1: \"slot_ghz\"");
}

/* 3 + 1 slots over both links and 4 over one: link 1 carries 8, link 0 carries 4; the cut of both links together proves
   ceil(12 / 2). */
static void bounds_weigh_slots(void)
{
    const char *second = SECOND("4", ",\"width\":4");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"load\",\"value\":8,\"link\":1}", second, RWA_OK, true, "");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"load\",\"value\":9,\"link\":1}", second, RWA_OK, false, "proves 8");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"load\",\"value\":5,\"link\":0}", second, RWA_OK, false, "proves 4");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"clique\",\"value\":8,\"clique\":[0,1]}", second, RWA_OK, true, "");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"clique\",\"value\":9,\"clique\":[0,1]}", second, RWA_OK, false,
               "proves 8");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"metric\",\"value\":6,\"lengths\":[1,1]}", second, RWA_OK, true, "");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"metric\",\"value\":7,\"lengths\":[1,1]}", second, RWA_OK, false,
               "proves 6");
    check_text(HEADER("2") ",\"bound\":{\"name\":\"cut\",\"value\":8,\"lengths\":[0,1]}", second, RWA_OK, true, "");
}

/* An assignment without widths is written as ever. */
static void narrow_files_stay_version_1(void)
{
    char path[] = "/tmp/rwa-spectrum-XXXXXX";
    struct light list[PATHS];
    for (size_t i = 0; i < PATHS; i++)
        list[i] = (struct light){0, 1, (uint32_t)i, 1, 0};
    rwa_assignment *r = assignment_of(list);
    close(mkstemp(path));
    OK(rwa_assignment_write(r, path, NULL));
    const char *text = load(path);
    expect_part(text, "\"version\":1");
    CU_ASSERT_PTR_NULL(strstr(text, "width"));
    unlink(path);
    rwa_assignment_free(r);
}

int main(void)
{
    return RUN_TESTS("assignments of several slots", the_checker_finds_overlaps, widths_are_those_of_the_demands,
                     damaged_files_are_refused, bounds_weigh_slots, narrow_files_stay_version_1);
}
