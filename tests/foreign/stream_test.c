/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A function of the caller receives, byte for byte, the file; and a function that stops the output stops it. */
#include "tests/support/assigning.h"
#include "tests/support/files.h"

static const char *const path = "/tmp/rwa-stream-test";

/** What a function has received since it was last compared. */
static struct {
    char *text;
    size_t size, calls;
} taken;

static int take(void *stop, const char *bytes, size_t size)
{
    CU_ASSERT(size >= 1 && size <= 131072);
    taken.text = realloc(taken.text, taken.size + size + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(taken.text);
    memcpy(taken.text + taken.size, bytes, size);
    taken.size += size;
    taken.text[taken.size] = '\0';
    taken.calls++;
    return stop != NULL;
}

static void forget(void)
{
    free(taken.text);
    memset(&taken, 0, sizeof taken);
}

/** Written to the file and to the function alike. */
static void expect_same(rwa_status written, rwa_status streamed)
{
    OK(written);
    OK(streamed);
    char *file = text_of(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(taken.text);
    CU_ASSERT_STRING_EQUAL(taken.text, file);
    free(file);
    forget();
    unlink(path);
}

/** Stopped by the function, which is not asked again. */
static void expect_stopped(rwa_status st)
{
    CU_ASSERT_EQUAL(st, RWA_CANCELLED);
    CU_ASSERT_EQUAL(taken.calls, 1);
    forget();
}

static void schedules_are_the_bytes_of_their_files(void)
{
    static const char *const formats[] = {"csv",      "nodes",  "harvest", "msccl",     "mscclpp",
                                          "settings", "sndlib", "gnpy",    "openconfig"};
    const rwa_schedule *sched = schedule_on("ring:8 w=2 by ring");
    rwa_device *device = device_named("onoc-typical");
    for (size_t i = 0; i < COUNT(formats); i++) {
        rwa_export_options o = exporting(device);
        o.step = i >= 7 ? 2 : 0;  /* gnpy has no steps */
        o.node = i == 8 ? 3 : RWA_EXPORT_ALL;
        rwa_status st = rwa_schedule_export(sched, formats[i], path, &o, NULL);
        o.write = take;
        expect_same(st, rwa_schedule_export(sched, formats[i], NULL, &o, NULL));
    }
    sched = schedule_on("ring:64 w=2 all-to-all");
    expect_same(rwa_schedule_write(sched, path, NULL), rwa_schedule_stream(sched, take, NULL, NULL));
    expect_stopped(rwa_schedule_stream(sched, take, &taken, NULL));
}

static void assignments_are_the_bytes_of_their_files(void)
{
    static const char *const formats[] = {"csv", "table", "sndlib"};
    rwa_assignment *result = assignment_on("nsfnet14-21");
    expect_same(rwa_assignment_write(result, path, NULL), rwa_assignment_stream(result, take, NULL, NULL));
    for (size_t i = 0; i < COUNT(formats); i++) {
        rwa_export_options o = exporting(NULL);
        rwa_status st = rwa_assignment_export(result, formats[i], path, &o, NULL);
        o.write = take;
        expect_same(st, rwa_assignment_export(result, formats[i], NULL, &o, NULL));
    }
}

/** Every format of networks, on one with names and lengths. */
static void networks_are_the_bytes_of_their_files(void)
{
    rwa_network *net = network_on("nsfnet14-21 w=64"), *large = network_on("torus:64x64 w=64");
    for (size_t i = 0; rwa_network_format_name(i); i++)
        expect_same(rwa_network_write(net, rwa_network_format_name(i), path, NULL),
                    rwa_network_stream(net, rwa_network_format_name(i), take, NULL, NULL));
    expect_stopped(rwa_network_stream(large, "json", take, &taken, NULL));
    CU_ASSERT_EQUAL(rwa_network_stream(net, "excel", take, NULL, NULL), RWA_BADARG);
}

/** Several files cannot be separated in one stream of bytes. */
static void formats_of_several_files_refuse_a_function(void)
{
    const rwa_schedule *sched = schedule_on("ring:8 w=2 by ring");
    rwa_export_options o = exporting(device_named("onoc-typical"));
    rwa_error err = {0};
    o.write = take;
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "openconfig", NULL, &o, &err), RWA_BADARG);
    expect_part(err.text, "several files");
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "chakra", NULL, &o, &err), RWA_BADARG);
}

TESTS("stream", schedules_are_the_bytes_of_their_files, assignments_are_the_bytes_of_their_files,
      networks_are_the_bytes_of_their_files, formats_of_several_files_refuse_a_function)
