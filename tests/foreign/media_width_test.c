/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Assignments as OpenConfig media channels: every node's document is in order, and no slot is lost. */
#include "rwa.h"

#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rwa_assign_result *assign_wide(const char *spec, rwa_model model, uint32_t guard)
{
    rwa_network_options no;
    rwa_assign_options o;
    rwa_network *net = NULL;
    rwa_demands *narrow = NULL, *demands = NULL;
    rwa_assign_result *r = NULL;
    uint32_t widths[40];
    rwa_network_options_init(&no);
    no.slot_hz = RWA_SLOT_HZ;
    rwa_assign_options_init(&o);
    o.model = model;
    o.guard = guard;
    for (uint32_t i = 0; i < 40; i++)
        widths[i] = 1 + i % 5;
    CU_ASSERT_EQUAL_FATAL(rwa_network_open(&net, spec, &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_demands_random(&narrow, rwa_network_nodes(net), model, 40, 5, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_demands_with_widths(&demands, narrow, widths, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_assign(&r, net, demands, &o, NULL), RWA_OK);
    CU_ASSERT_TRUE(rwa_assign_result_summary(r)->check->ok);
    rwa_network_free(net);
    rwa_demands_free(narrow);
    rwa_demands_free(demands);
    return r;
}

static void remove_folder(const char *folder, uint32_t nodes)
{
    char path[128];
    for (uint32_t v = 0; v < nodes; v++) {
        snprintf(path, sizeof path, "%s/n%u.json", folder, v);
        unlink(path);
    }
    rmdir(folder);
}

/* A lightpath of h hops is a channel on h + 1 nodes, undirected both ways; the independent check of documents finds no overlap. */
static void documents_hold_every_lightpath(void)
{
    static const struct { const char *spec; rwa_model model; } cases[] = {
        {"nsfnet14-21", RWA_UNDIRECTED}, {"nsfnet14-21", RWA_DIRECTED}, {"ring:6", RWA_DIRECTED}, {"ring:5", RWA_UNDIRECTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char folder[] = "/tmp/rwa-media-XXXXXX", path[128];
        rwa_assign_result *r = assign_wide(cases[i].spec, cases[i].model, i % 2);
        uint64_t expected = 0, channels = 0;
        uint32_t nodes = rwa_network_nodes(rwa_assign_result_network(r));
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
        rmdir(folder);
        CU_ASSERT_EQUAL_FATAL(rwa_assign_result_export(r, "openconfig", folder, NULL, NULL), RWA_OK);
        for (uint64_t k = 0; k < rwa_assign_result_routes(r); k++) {
            rwa_route route;
            rwa_assign_result_get(&route, r, k);
            expected += (route.hops + 1) * (cases[i].model == RWA_UNDIRECTED ? 2 : 1);
        }
        for (uint32_t v = 0; v < nodes; v++) {
            rwa_media_check *check = NULL;
            snprintf(path, sizeof path, "%s/n%u.json", folder, v);
            CU_ASSERT_EQUAL_FATAL(rwa_openconfig_check(&check, path, NULL, NULL), RWA_OK);
            CU_ASSERT_TRUE(rwa_media_check_summary(check)->ok);
            channels += rwa_media_check_summary(check)->channels;
            rwa_media_check_free(check);
        }
        CU_ASSERT_EQUAL(channels, expected);
        remove_folder(folder, nodes);
        rwa_assign_result_free(r);
    }
}

/* Slot 7, 3 wide: 191.35 THz + 7 * 12.5 GHz to 3 * 12.5 GHz above; the centre is on the grid of 6.25 GHz. */
static void frequencies_are_those_of_the_grid(void)
{
    char folder[] = "/tmp/rwa-media-XXXXXX", path[128], text[4096] = "";
    rwa_network_options no;
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assign_result *r = NULL;
    rwa_route route = {.hops = 1, .direction = RWA_CW, .wavelength = 7};
    rwa_network_options_init(&no);
    no.slot_hz = RWA_SLOT_HZ;
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "line:2", &no, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_demands_create(&demands, 2, &(rwa_demand){0, 1, 1, RWA_NO_NODE}, 1, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_assign_result_create(&r, net, demands, RWA_DIRECTED, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_assign_result_add_wide(r, &route, 3, 1, NULL), RWA_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL(rwa_assign_result_export(r, "openconfig", folder, NULL, NULL), RWA_IO);     /* it exists */
    rmdir(folder);
    CU_ASSERT_EQUAL_FATAL(rwa_assign_result_export(r, "openconfig", folder, NULL, NULL), RWA_OK);
    snprintf(path, sizeof path, "%s/n0.json", folder);
    FILE *in = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"lower-frequency\":\"191437500\",\"upper-frequency\":\"191475000\""));
    remove_folder(folder, 2);
    rwa_assign_result_free(r);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

/* Fixed channels have no frequency without a device. */
static void fixed_channels_need_a_device(void)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assign_result *r = NULL;
    rwa_error err = {0};
    CU_ASSERT_EQUAL_FATAL(rwa_network_parse(&net, "line:2", NULL, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_demands_create(&demands, 2, &(rwa_demand){0, 1, 1, RWA_NO_NODE}, 1, NULL), RWA_OK);
    CU_ASSERT_EQUAL_FATAL(rwa_assign_result_create(&r, net, demands, RWA_DIRECTED, NULL), RWA_OK);
    CU_ASSERT_EQUAL(rwa_assign_result_export(r, "openconfig", "/tmp/rwa-none", NULL, &err), RWA_BADARG);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "fixed channels need one"));
    rwa_assign_result_free(r);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

int main(void)
{
    static const struct test tests[] = {TEST(documents_hold_every_lightpath), TEST(frequencies_are_those_of_the_grid),
                                        TEST(fixed_channels_need_a_device), {0}};
    return run_tests("media channels of assignments", tests);
}
