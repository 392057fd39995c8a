/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The library takes its memory from the program, and gives all of it back.  Nothing else is tested in this process:
 *  the allocator is set once. */
#include "rwa.h"
#include "tests/support/suite.h"

#include <unistd.h>

/* Every block knows its size and that it is ours: a block of another allocator has no such mark. */
struct block {
    uint64_t mark;
    size_t size;
};
static const uint64_t MARK = 0x5a6b7c8d9eaf1021;
static long held, asked;
static int told; /* of its data, which every call must bring along */

static void *wrap(struct block *block, size_t size)
{
    if (!block)
        return NULL;
    *block = (struct block){MARK, size};
    held++;
    return block + 1;
}

static struct block *unwrap(void *memory)
{
    struct block *block = (struct block *)memory - 1;
    CU_ASSERT_EQUAL_FATAL(block->mark, MARK);
    block->mark = 0;
    held--;
    return block;
}

static void *allocate(void *data, size_t size)
{
    CU_ASSERT_TRUE(data == &told && size > 0);
    asked++;
    struct block *block = malloc(sizeof *block + size);
    if (block)
        memset(block + 1, 0xA5, size); /* callers may not count on zeros */
    return wrap(block, size);
}

static void release(void *data, void *memory)
{
    CU_ASSERT_TRUE(data == &told && memory);
    struct block *block = unwrap(memory);
    memset(block + 1, 0x5A, block->size);
    free(block);
}

static void *resize(void *data, void *memory, size_t size)
{
    void *fresh = allocate(data, size);
    if (fresh && memory) {
        size_t had = ((struct block *)memory - 1)->size;
        memcpy(fresh, memory, had < size ? had : size);
        release(data, memory);
    }
    return fresh;
}

static void it_is_set_once_and_whole(void)
{
    rwa_allocator ours = {sizeof ours, allocate, resize, NULL, &told};
    CU_ASSERT_EQUAL(rwa_set_allocator(&ours, NULL), RWA_BADARG);
    ours.release = release;
    ours.struct_size = 0;
    CU_ASSERT_EQUAL(rwa_set_allocator(&ours, NULL), RWA_BADARG);
    ours.struct_size = sizeof ours;
    OK(rwa_set_allocator(&ours, NULL));
    CU_ASSERT_EQUAL(rwa_set_allocator(&ours, NULL), RWA_BADARG);
}

static void exports(const rwa_schedule *sched, const char *folder)
{
    rwa_export_options o;
    rwa_device *device = NULL;
    rwa_export_options_init(&o);
    OK(rwa_device_open(&device, "onoc-typical", NULL));
    o.device = device;
    o.step = 1;
    for (size_t i = 0; rwa_schedule_format_name(i); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, rwa_schedule_format_name(i));
        o.node = strcmp(rwa_schedule_format_name(i), "openconfig") == 0 ? 0 : RWA_EXPORT_ALL;
        o.step =
            strncmp(rwa_schedule_format_name(i), "msccl", 5) != 0 && strcmp(rwa_schedule_format_name(i), "chakra") != 0;
        OK(rwa_schedule_export(sched, rwa_schedule_format_name(i), path, &o, NULL));
        if (unlink(path) != 0) {
            char command[160];
            snprintf(command, sizeof command, "rm -r %s", path); /* a folder */
            CU_ASSERT_EQUAL(system(command), 0);
        }
    }
    rwa_device_free(device);
}

/* One way through nearly every room: planning, writing, reading, drawing, exporting, explaining, repairing. */
static void what_was_taken_is_given_back(void)
{
    char folder[] = "/tmp/rwa-allocator-XXXXXX", path[64], *text = NULL;
    const uint32_t link = 3;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.jsonl.gz", folder);
    rwa_network *net = NULL;
    rwa_network_options few;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan *plan = NULL, *mended = NULL;
    rwa_schedule *read = NULL;
    rwa_network_options_init(&few);
    few.wavelengths = 2;
    OK(rwa_network_parse(&net, "ring:12", &few, NULL));
    OK(rwa_collective_init(&coll, RWA_ALL_GATHER, 12, 0, 4096, 0, NULL));
    rwa_plan_options_init(&opts);
    opts.scheme = "wavefront";
    OK(rwa_plan_make(&plan, net, &coll, &opts, NULL));
    const rwa_schedule *sched = rwa_plan_schedule(plan);
    OK(rwa_schedule_write(sched, path, NULL));
    OK(rwa_schedule_read(&read, path, NULL, NULL));
    OK(rwa_plan_repair(&mended, sched, &link, 1, 2, NULL, NULL));
    OK(rwa_plan_explain(&text, plan, 0, NULL));
    exports(sched, folder);
    CU_ASSERT_TRUE(held > 10);
    rwa_text_free(text);
    rwa_schedule_free(read);
    rwa_plan_free(mended);
    rwa_plan_free(plan);
    rwa_network_free(net);
    unlink(path);
    rmdir(folder);
    CU_ASSERT_EQUAL(held, 0);
    CU_ASSERT_TRUE(asked > 100);
}

/* The rooms that other libraries stand behind: igraph, GLPK, libxml2, jansson. */
static void so_is_what_stands_beside_other_libraries(void)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_assignment_options opts;
    rwa_assignment_options_init(&opts);
    opts.time_limit_s = 0.2;
    OK(rwa_network_open(&net, "nsfnet14-21", NULL, NULL));
    OK(rwa_demands_open(&demands, "all-to-all", net, rwa_network_model(net), 1, NULL));
    OK(rwa_assignment_make(&result, net, demands, &opts, NULL));
    CU_ASSERT_TRUE(held > 10);
    rwa_assignment_free(result);
    rwa_demands_free(demands);
    rwa_network_free(net);
    CU_ASSERT_EQUAL(held, 0);
}

TESTS("allocator", it_is_set_once_and_whole, what_was_taken_is_given_back, so_is_what_stands_beside_other_libraries)
