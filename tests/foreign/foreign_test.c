/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Settings of nodes and documents written for controllers, step by step, and what formats refuse.  What is imported
 *  again stands in import_test.c, table_test.c and chakra_test.c. */
#include "tests/support/folder.h"
#include "tests/support/plans.h"

#include <jansson.h>
#include <sys/stat.h>

static uint64_t hops_in_all(const rwa_schedule *sched)
{
    uint64_t hops = 0;
    for (uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath lp = lightpath_of(sched, i);
        hops += (uint64_t)lp.orbit * rwa_network_hops(rwa_schedule_network(sched), lp.src, lp.dst, lp.direction);
    }
    return hops;
}

/* A lightpath of h hops is added once, dropped once, and passed by the h - 1 nodes between. */
static void every_ring_is_accounted_for(void)
{
    static const char *const lines[] = {"ring:16 w=2 by wavefront", "ring:9 w=2 by optree", "line:7 w=2 by optree",
                                        "ring:2 w=2 by one-stage"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        const rwa_schedule *sched = schedule_on("%s", lines[i]);
        uint64_t lightpaths = rwa_schedule_lightpaths(sched);
        OK(rwa_schedule_export(sched, "nodes", in_dir("n.jsonl"), NULL, NULL));
        char *text = text_of(in_dir("n.jsonl"));
        CU_ASSERT_EQUAL(count_of(text, "\"set\":\"add\""), lightpaths);
        CU_ASSERT_EQUAL(count_of(text, "\"set\":\"drop\""), lightpaths);
        CU_ASSERT_EQUAL(count_of(text, "\"set\":\"pass\""), hops_in_all(sched) - lightpaths);
        CU_ASSERT_EQUAL(count_of(text, "\n"),
                        (size_t)rwa_schedule_steps(sched) * rwa_network_nodes(rwa_schedule_network(sched)));
        free(text);
    }
}

enum { NODES = 16, CHANNELS = 2 };

/** Apply the rows of a table to what the rings are set to; rows of one ring in one step come together. */
static void apply(unsigned char use[][NODES][2][CHANNELS], const char *path, uint32_t steps)
{
    char *text = text_of(path), *line = strtok(text, "\n");
    unsigned last_key = UINT32_MAX;
    for (uint32_t t = 1; t <= steps; t++)
        memset(use[t], 0, sizeof use[t]);
    while ((line = strtok(NULL, "\n")) != NULL) {
        unsigned step, node, fiber, wavelength;
        char way[4], set[8];
        CU_ASSERT_EQUAL_FATAL(sscanf(line, "%u,%u,%3[cw],%u,%u,%7[a-z]", &step, &node, way, &fiber, &wavelength, set),
                              6);
        unsigned back = strcmp(way, "ccw") == 0, key = ((step * NODES + node) * 2 + back) * CHANNELS + wavelength;
        unsigned bit = strcmp(set, "add") == 0 ? 1 : strcmp(set, "drop") == 0 ? 2 : strcmp(set, "pass") == 0 ? 4 : 128;
        for (uint32_t t = step; t <= steps; t++) /* as it stays until it is set again */
            use[t][node][back][wavelength] =
                (unsigned char)(key == last_key ? use[t][node][back][wavelength] | bit : bit);
        last_key = key;
    }
    free(text);
}

/* Settings that stay as they were, and changes applied to them, are the settings of each step. */
static void changes_add_up_to_the_settings(void)
{
    static unsigned char whole[32][NODES][2][CHANNELS], changed[32][NODES][2][CHANNELS];
    const rwa_schedule *sched = schedule_on("ring:16 w=2 by optree");
    uint32_t steps = rwa_schedule_steps(sched);
    rwa_export_options o = exporting(NULL);
    o.csv = 1;
    o.changes = 1;
    CU_ASSERT_FATAL(steps < 32);
    OK(rwa_schedule_export(sched, "nodes", in_dir("c.csv"), &o, NULL));
    apply(changed, in_dir("c.csv"), steps);
    o.changes = 0;
    for (uint32_t t = 1; t <= steps; t++) {
        o.step = t;
        OK(rwa_schedule_export(sched, "nodes", in_dir("w.csv"), &o, NULL));
        apply(whole, in_dir("w.csv"), steps);
        for (size_t v = 0; v < NODES; v++)
            for (size_t d = 0; d < 2; d++)
                for (size_t c = 0; c < CHANNELS; c++)
                    CU_ASSERT_EQUAL(whole[t][v][d][c], changed[t][v][d][c] & 127);
    }
}

/* ---- OpenConfig ---- */

static void documents_are_sound(void)
{
    const rwa_schedule *sched = schedule_on("ring:16 w=2 by optree");
    rwa_device *device = device_named("onoc-typical");
    rwa_export_options o = exporting(device);
    uint64_t channels = 0;
    OK(rwa_schedule_export(sched, "openconfig", in_dir("oc"), &o, NULL));
    for (uint32_t t = 1; t <= rwa_schedule_steps(sched); t++)
        for (uint32_t v = 0; v < 16; v++) {
            char path[200];
            rwa_media_check *verdict = NULL;
            snprintf(path, sizeof path, "%s/step-%u/n%u.json", in_dir("oc"), t, v);
            OK(rwa_media_check_file(&verdict, path, device, NULL));
            CU_ASSERT(rwa_media_check_summary(verdict)->ok);
            channels += rwa_media_check_summary(verdict)->channels;
            rwa_media_check_free(verdict);
        }
    /* a channel on each node a lightpath touches */
    CU_ASSERT_EQUAL(channels, hops_in_all(sched) + rwa_schedule_lightpaths(sched));
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "openconfig", in_dir("oc"), &o, NULL),
                    RWA_BADARG); /* exists */
}

#define CHANNEL(index, lower, upper, dest)                                                                             \
    "{\"index\":" index ",\"config\":{\"index\":" index ",\"lower-frequency\":\"" lower "\",\"upper-frequency\":\""    \
    upper "\"},\"source\":{\"config\":{\"port-name\":\"a\"}},\"dest\":{\"config\":{\"port-name\":\"" dest "\"}}}"
#define ROUTER(channels)                                                                                               \
    "{\"openconfig-platform:components\":{\"component\":[{\"name\":\"a\"},{\"name\":\"b\"}]},"                         \
    "\"openconfig-wavelength-router:wavelength-router\":{\"media-channels\":{\"channel\":[" channels "]}}}"

/* onoc-typical's band begins half a spacing below its first wavelength; 1 MHz is far below it. */
static void what_a_schema_lets_pass_is_caught(void)
{
    static const struct { const char *document, *says; } cases[] = {
        {ROUTER(CHANNEL("1", "193000000", "193200000", "b")), NULL},
        {ROUTER(CHANNEL("1", "193200000", "193000000", "b")), "ends at"},
        {ROUTER(CHANNEL("1", "193000000", "193200000", "b") ","
                CHANNEL("2", "193199999", "193400000", "b")), "overlap"},
        {ROUTER(CHANNEL("1", "193000000", "193200000", "b") ","
                CHANNEL("2", "193200000", "193400000", "b")), NULL},
        {ROUTER(CHANNEL("1", "1", "2", "b")), "band"},
        {ROUTER(CHANNEL("1", "193000000", "193200000", "c")), "no component"},
        {ROUTER(CHANNEL("7", "193000000", "193200000", "b") ","
                CHANNEL("7", "193200000", "193400000", "b")), "twice"}};
    rwa_device *device = device_named("aggressive");
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_media_check *verdict = NULL;
        OK(rwa_text_write(cases[i].document, in_dir("m.json"), NULL));
        OK(rwa_media_check_file(&verdict, in_dir("m.json"), device, NULL));
        CU_ASSERT_EQUAL(rwa_media_check_summary(verdict)->ok, cases[i].says == NULL);
        if (cases[i].says)
            expect_part(rwa_media_check_violation(verdict, 0), cases[i].says);
        rwa_media_check_free(verdict);
    }
    rwa_media_check *verdict = NULL;
    OK(rwa_text_write("{}", in_dir("m.json"), NULL));
    CU_ASSERT_EQUAL(rwa_media_check_file(&verdict, in_dir("m.json"), device, NULL), RWA_FORMAT);
    OK(rwa_text_write("{", in_dir("m.json"), NULL));
    CU_ASSERT_EQUAL(rwa_media_check_file(&verdict, in_dir("m.json"), device, NULL), RWA_FORMAT);
    CU_ASSERT_EQUAL(rwa_media_check_file(&verdict, in_dir("nothing.json"), device, NULL), RWA_IO);
}

/* ---- the others ---- */

/* GNPy has no steps: one of them, a request for each lightpath. */
static void a_step_is_a_list_of_requests(void)
{
    const rwa_schedule *sched = schedule_on("ring:8 w=2 by optree");
    rwa_export_options o = exporting(device_named("optree-paper"));
    json_error_t why;
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "gnpy", in_dir("g.json"), &o, NULL),
                    RWA_BADARG); /* no step */
    o.step = 1;
    OK(rwa_schedule_export(sched, "gnpy", in_dir("g.json"), &o, NULL));
    json_t *requests = json_load_file(in_dir("g.json"), 0, &why);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(requests, "path-request")),
                    rwa_schedule_first(sched, 2));
    json_decref(requests);
}

/* Steps 1 to 3 are one epoch, 4 another: 0 to 1, 1 to 2, 0 to 1, 0 to 2, all on one wavelength. */
static rwa_schedule *two_epochs(void)
{
    static const uint32_t ends[][2] = {{0, 1}, {1, 2}, {0, 1}, {0, 2}};
    rwa_schedule *sched = empty_on("line:3 w=1 bytes=1000");
    for (uint32_t i = 0; i < 4; i++) {
        rwa_lightpath lp = {.step = i + 1, .src = ends[i][0], .dst = ends[i][1], .block = ends[i][0], .orbit = 1};
        OK(rwa_schedule_add(sched, &lp, NULL));
    }
    return sched;
}

static bool exports(const rwa_schedule *sched, const char *format, const rwa_export_options *o, const char *expected)
{
    if (rwa_schedule_export(sched, format, in_dir("held"), o, NULL) != RWA_OK)
        return false;
    char *text = text_of(in_dir("held"));
    bool found = strstr(text, expected) != NULL;
    free(text);
    return found;
}

/* In the model circuit an epoch is set before its first step, and nothing changes until it ends. */
static void an_epoch_is_set_at_once(void)
{
    static const char *const changes = "block\n1,0,cw,0,0,add,0,1,0\n1,2,cw,0,0,drop,1,2,\n1,1,cw,0,0,drop,0,1,0\n1,1,"
                                       "cw,0,0,add,1,2,\n4,1,cw,0,0,pass,0,2,0\n";
    static const char *const second =
        "\n2,0,cw,0,0,add,0,1,\n2,1,cw,0,0,drop,0,1,\n2,1,cw,0,0,add,1,2,1\n2,2,cw,0,0,drop,1,2,1\n3,";
    rwa_schedule *sched = two_epochs();
    rwa_cost_options cost;
    rwa_export_options o = exporting(NULL);
    rwa_error err = {0};
    rwa_cost_options_init(&cost);
    cost.model = RWA_COST_CIRCUIT;
    o.cost = &cost;
    o.csv = 1;
    CU_ASSERT(exports(sched, "nodes", &o, second));
    o.changes = 1;
    CU_ASSERT(exports(sched, "nodes", &o, changes));
    CU_ASSERT(exports(sched, "settings", &o,
                      "{\"change\":\"set\",\"use\":\"add\",\"from\":null,\"to\":2,\"fiber\":0,\"wavelength\":0,"
                      "\"src\":1,\"dst\":2,\"block\":null,\"hold\":true}"));
    CU_ASSERT(!exports(sched, "settings", &o, "\"step\":2") && !exports(sched, "settings", &o, "\"step\":3"));
    CU_ASSERT(exports(sched, "settings", &o, "\"step\":4"));
    CU_ASSERT(exports(sched, "harvest", &o, "\"num_of_reconfigs\":2,\"reconf_cost_total\":5e-05"));
    o.device = device_named("onoc-typical");
    o.node = 1;
    char *text[4];
    for (o.step = 1; o.step <= 4; o.step++) {
        OK(rwa_schedule_export(sched, "openconfig", in_dir("held"), &o, NULL));
        text[o.step - 1] = text_of(in_dir("held"));
    }
    CU_ASSERT(strcmp(text[0], text[1]) == 0 && strcmp(text[0], text[2]) == 0 && strcmp(text[0], text[3]) != 0);
    for (size_t i = 0; i < 4; i++)
        free(text[i]);
    o.step = 0;
    cost.model = RWA_COST_OVERLAP;
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "harvest", in_dir("held"), &o, &err), RWA_BADARG);
}

static void what_has_no_words_is_refused(void)
{
    const rwa_schedule *sched = schedule_on("ring:5 w=2 by optree");
    rwa_export_options o = exporting(NULL);
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "excel", in_dir("x"), NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "openconfig", in_dir("x"), NULL, NULL), RWA_BADARG); /* no grid */
    o.step = 99;
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "csv", in_dir("x"), &o, NULL), RWA_BADARG);
    o.step = 0;
    o.node = 5;
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "nodes", in_dir("x"), &o, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "csv", in_dir("none/x"), NULL, NULL), RWA_IO);
    CU_ASSERT_NOT_EQUAL(access(in_dir("x"), F_OK), 0);
}

TESTS_IN_FOLDER("foreign", every_ring_is_accounted_for, changes_add_up_to_the_settings, documents_are_sound,
                what_a_schema_lets_pass_is_caught, a_step_is_a_list_of_requests, an_epoch_is_set_at_once,
                what_has_no_words_is_refused)
