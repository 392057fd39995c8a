/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A function of the caller receives, byte for byte, the file; and a function that stops the output stops it. */
#define _XOPEN_SOURCE 700
#include "rwa.h"

#include "tests/support/plans.h"
#include "tests/support/suite.h"

#include <unistd.h>

struct taken {
    char *text;
    size_t size, calls, stop_after;
};

static int take(void *data, const char *bytes, size_t size)
{
    struct taken *t = data;
    CU_ASSERT(size >= 1 && size <= 131072);
    t->text = realloc(t->text, t->size + size + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t->text);
    memcpy(t->text + t->size, bytes, size);
    t->size += size;
    t->text[t->size] = '\0';
    return ++t->calls == t->stop_after;
}

static void expect_file(struct taken *t, const char *path)
{
    char *file = text_of(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t->text);
    CU_ASSERT_STRING_EQUAL(t->text, file);
    free(t->text);
    free(file);
    unlink(path);
}

static void exports_are_the_bytes_of_their_files(void)
{
    static const char *const formats[] = {"csv",      "nodes",  "harvest", "msccl",     "mscclpp",
                                          "settings", "sndlib", "gnpy",    "openconfig"};
    rwa_plan *plan = plan_of("ring:8", 2, RWA_ALL_GATHER, "ring");
    rwa_device *device = NULL;
    OK(rwa_device_open(&device, "onoc-typical", NULL));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        rwa_export_options o;
        struct taken t = {0};
        rwa_error err = {0};
        rwa_export_options_init(&o);
        o.device = device;
        o.step = i >= 7 ? 2 : 0;  /* gnpy has no steps */
        o.node = i == 8 ? 3 : RWA_EXPORT_ALL;
        rwa_status st = rwa_schedule_export(rwa_plan_schedule(plan), formats[i], "/tmp/rwa-stream-test", &o, &err);
        o.write = take;
        o.write_data = &t;
        CU_ASSERT_EQUAL(rwa_schedule_export(rwa_plan_schedule(plan), formats[i], NULL, &o, &err), st);
        OK(st);
        if (st == RWA_OK)
            expect_file(&t, "/tmp/rwa-stream-test");
        else
            fprintf(stderr, "%s: %s\n", formats[i], err.text);
    }
    rwa_device_free(device);
    rwa_plan_free(plan);
}

static void schedules_are_the_bytes_of_their_files(void)
{
    rwa_plan *plan = plan_of("ring:64", 2, RWA_ALL_TO_ALL, NULL);
    struct taken t = {0}, stopped = {.stop_after = 1};
    OK(rwa_schedule_write(rwa_plan_schedule(plan), "/tmp/rwa-stream-test", NULL));
    OK(rwa_schedule_stream(rwa_plan_schedule(plan), take, &t, NULL));
    expect_file(&t, "/tmp/rwa-stream-test");
    CU_ASSERT_EQUAL(rwa_schedule_stream(rwa_plan_schedule(plan), take, &stopped, NULL), RWA_CANCELLED);
    CU_ASSERT_EQUAL(stopped.calls, 1);
    free(stopped.text);
    rwa_plan_free(plan);
}

static void assignments_are_the_bytes_of_their_files(void)
{
    static const char *const formats[] = {"csv", "table", "sndlib"};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    struct taken t = {0};
    OK(rwa_network_open(&net, "nsfnet14-21", NULL, NULL));
    OK(rwa_demands_open(&demands, "all-to-all", net, rwa_network_model(net), 1, NULL));
    OK(rwa_assignment_make(&result, net, demands, NULL, NULL));
    OK(rwa_assignment_write(result, "/tmp/rwa-stream-test", NULL));
    OK(rwa_assignment_stream(result, take, &t, NULL));
    expect_file(&t, "/tmp/rwa-stream-test");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        rwa_export_options o;
        struct taken u = {0};
        rwa_export_options_init(&o);
        OK(rwa_assignment_export(result, formats[i], "/tmp/rwa-stream-test", &o, NULL));
        o.write = take;
        o.write_data = &u;
        OK(rwa_assignment_export(result, formats[i], NULL, &o, NULL));
        expect_file(&u, "/tmp/rwa-stream-test");
    }
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

/** Every format of networks, on one with names and lengths; a function that asks to stop is not asked again. */
static void networks_are_the_bytes_of_their_files(void)
{
    rwa_network *net = NULL, *large = NULL;
    struct taken stopped = {.stop_after = 1};
    OK(rwa_network_open(&net, "nsfnet14-21", NULL, NULL));
    OK(rwa_network_parse(&large, "torus:64x64", NULL, NULL));
    for (size_t i = 0; rwa_network_format_name(i); i++) {
        struct taken t = {0};
        OK(rwa_network_write(net, rwa_network_format_name(i), "/tmp/rwa-stream-test", NULL));
        OK(rwa_network_stream(net, rwa_network_format_name(i), take, &t, NULL));
        expect_file(&t, "/tmp/rwa-stream-test");
    }
    CU_ASSERT_EQUAL(rwa_network_stream(large, "json", take, &stopped, NULL), RWA_CANCELLED);
    CU_ASSERT_EQUAL(stopped.calls, 1);
    CU_ASSERT_EQUAL(rwa_network_stream(net, "excel", take, &stopped, NULL), RWA_BADARG);
    free(stopped.text);
    rwa_network_free(large);
    rwa_network_free(net);
}

/** Several files cannot be separated in one stream of bytes. */
static void formats_of_several_files_refuse_a_function(void)
{
    rwa_plan *plan = plan_of("ring:8", 2, RWA_ALL_GATHER, "ring");
    rwa_export_options o;
    rwa_error err = {0};
    rwa_export_options_init(&o);
    OK(rwa_device_open((rwa_device **)&o.device, "onoc-typical", NULL));
    o.write = take;
    CU_ASSERT_EQUAL(rwa_schedule_export(rwa_plan_schedule(plan), "openconfig", NULL, &o, &err), RWA_BADARG);
    expect_part(err.text, "several files");
    CU_ASSERT_EQUAL(rwa_schedule_export(rwa_plan_schedule(plan), "chakra", NULL, &o, &err), RWA_BADARG);
    rwa_device_free((rwa_device *)o.device);
    rwa_plan_free(plan);
}

int main(void)
{
    return RUN_TESTS("stream", exports_are_the_bytes_of_their_files, schedules_are_the_bytes_of_their_files,
                     assignments_are_the_bytes_of_their_files, networks_are_the_bytes_of_their_files,
                     formats_of_several_files_refuse_a_function);
}
