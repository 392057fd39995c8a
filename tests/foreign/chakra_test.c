/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Chakra traces read back, and traces of others, right and wrong. */
#include "foreign/program/chakra.h"
#include "foreign/program/protobuf.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"
#include "tests/support/plans.h"

#include <sys/stat.h>

enum { NODES = 4, NAMED = 1, BROKEN = 2 };

static void drop_traces(void)
{
    char command[200];
    snprintf(command, sizeof command, "rm -r %s", in_dir("t"));
    CU_ASSERT_EQUAL(system(command), 0);
}

/* ---- there and back ---- */

static rwa_schedule *come_back(const rwa_schedule *sched, rwa_import *found)
{
    rwa_schedule *back = NULL;
    OK(rwa_schedule_export(sched, "chakra", in_dir("t"), NULL, NULL));
    OK(rwa_schedule_import(&back, found, in_dir("t"), rwa_schedule_network(sched), NULL, NULL));
    expect_right(back);
    drop_traces();
    return keep_schedule(back);
}

/** The output names the collective and the blocks, so the same blocks move between the same nodes; the order of a trace
 *  allows no later step than the schedule's. */
static void traces_come_back(void)
{
    static const char *const lines[] = {
        "ring:8 w=64 by wavefront", "ring:8 w=64 all-reduce", "torus:3x3 w=64 all-reduce",
        "ring:9 w=64 reduce-scatter by wavefront", "ring:6 w=64 all-to-all", "line:5 w=64 root=1 broadcast",
        "mesh:2x3 w=64 root=1 scatter", "ring:7 w=64 root=1 gather", "ring:12 w=64 all-reduce by wrht"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        const rwa_schedule *sched = schedule_on("%s", lines[i]);
        const rwa_collective *coll = rwa_schedule_collective(sched);
        rwa_import found;
        rwa_schedule *back = come_back(sched, &found);
        CU_ASSERT_STRING_EQUAL(found.format, "chakra");
        CU_ASSERT(found.steps <= rwa_schedule_steps(sched) && found.routes_assigned && !found.blocks_assigned);
        CU_ASSERT_EQUAL(rwa_schedule_collective(back)->kind, coll->kind);
        CU_ASSERT_EQUAL(rwa_schedule_collective(back)->block_bytes, coll->block_bytes);
        CU_ASSERT_EQUAL(moves_of(sched, false, true), moves_of(back, false, true));
    }
}

/** Blocks that shared a lightpath do so again: on these networks the plan comes back as quick as it was.  One block on
 *  a lightpath takes at least as many steps as a node has blocks to receive on its links and channels, far more than
 *  these plans do.  (Of two lightpaths of a step between the same nodes, as on torus:4x4 with 4 wavelengths, a trace
 *  keeps one.) */
static void lightpaths_of_several_blocks_come_back(void)
{
    static const char *const networks[] = {"mesh:3x3 w=2", "torus:4x4 w=3", "nsfnet14-21 w=2", "torus:3x3 w=2"};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const rwa_schedule *sched = schedule_on("%s bytes=4194304 by compose", networks[i]);
        const rwa_schedule *back = come_back(sched, NULL);
        double before_s = 0, after_s = 0;
        CU_ASSERT(rwa_schedule_lightpath_blocks(sched) > 1);
        OK(rwa_cost_schedule(&before_s, sched, NULL, NULL));
        OK(rwa_cost_schedule(&after_s, back, NULL, NULL));
        CU_ASSERT(after_s <= before_s * (1 + 1e-9));
        CU_ASSERT(rwa_schedule_lightpath_blocks(back) > 1);
        CU_ASSERT_EQUAL(rwa_schedule_steps(back), rwa_schedule_steps(sched));
    }
}

/* ---- traces of others ---- */

/** An operation: what a trace says of it. */
struct op {
    uint32_t node, id, type, src, dst, tag, bytes;
    uint32_t deps[3];   /* 0 ends them */
};

static void add_attribute(struct text *t, const char *name, uint32_t value)
{
    struct text one = {0};
    protobuf_add_bytes(&one, CHAKRA_ATTR_NAME, name, strlen(name));
    protobuf_add_number(&one, CHAKRA_INT32, value);
    protobuf_add_bytes(t, CHAKRA_NODE_ATTR, one.data, one.used);
    rwa_text_free(one.data);
}

/** Dependencies are written one by one, as an older writer does, not packed. */
static void add_op(struct text *trace, const struct op *op, int named)
{
    struct text t = {0};
    protobuf_add_number(&t, CHAKRA_NODE_ID, op->id);
    protobuf_add_number(&t, CHAKRA_NODE_TYPE, op->type);
    for (size_t d = 0; d < 3 && op->deps[d]; d++)
        protobuf_add_number(&t, d ? CHAKRA_NODE_DATA_DEPS : CHAKRA_NODE_CTRL_DEPS, op->deps[d]);
    if (op->type == CHAKRA_SEND || op->type == CHAKRA_RECV) {
        add_attribute(&t, op->type == CHAKRA_SEND ? "comm_dst" : "comm_src",
                      op->type == CHAKRA_SEND ? op->dst : op->src);
        add_attribute(&t, "comm_tag", op->tag);
        add_attribute(&t, "comm_size", op->bytes);
        if (named == NAMED)
            add_attribute(&t, "block", op->tag);
    }
    protobuf_add_varint(trace, t.used + (named == BROKEN));
    text_add_bytes(trace, t.data, t.used);
    rwa_text_free(t.data);
}

static void write_traces(const struct op *ops, size_t count, uint32_t nodes, int named)
{
    CU_ASSERT_EQUAL_FATAL(mkdir(in_dir("t"), 0777), 0);
    for (uint32_t v = 0; v < nodes; v++) {
        struct text trace = {0};
        char name[40];
        protobuf_add_varint(&trace, 0);
        for (size_t i = 0; i < count; i++)
            if (ops[i].node == v)
                add_op(&trace, &ops[i], named);
        snprintf(name, sizeof name, "t/trace.%u.et", v);
        file_write(in_dir(name), trace.data, trace.used);
        rwa_text_free(trace.data);
    }
}

static rwa_status import_traces(rwa_schedule **out, rwa_import *found, rwa_error *err)
{
    rwa_status st = rwa_schedule_import(out, found, in_dir("t"), network_on("ring:4"), NULL, err);
    CU_ASSERT_EQUAL(st == RWA_OK, *out != NULL);
    return st;
}

/** The ring algorithm by bytes alone: node v sends its block to v + 1, then what it got last, three times.  Each send
 *  but the first waits for the receive before it, so it takes three steps, and no other blocks but these carry it
 *  through. */
static void bytes_become_blocks(void)
{
    struct op ops[NODES * 6];
    rwa_schedule *sched = NULL;
    rwa_import found;
    rwa_error err = {0};
    for (uint32_t v = 0; v < NODES; v++)
        for (uint32_t k = 0; k < 3; k++) {
            ops[v * 6 + 2 * k] = (struct op){v, 2 * k + 1, CHAKRA_SEND, v, (v + 1) % NODES, k, 1000, {k ? 2 * k : 0}};
            ops[v * 6 + 2 * k + 1] = (struct op){v, 2 * k + 2, CHAKRA_RECV, (v + 3) % NODES, v, k, 1000, {0}};
        }
    write_traces(ops, NODES * 6, NODES, 0);
    OK(import_traces(&sched, &found, &err));
    CU_ASSERT(found.blocks_assigned && found.steps == 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sched);
    CU_ASSERT_EQUAL(rwa_schedule_steps(sched), 3);
    expect_right(sched);
    rwa_schedule_free(sched);
    drop_traces();
}

/** Nodes 0 and 1 exchange blocks 0 and 1, each ready to receive once it has sent: a circle, but all in one step.  With
 *  a computation between a receive and the send behind it, that send still waits one step only. */
static void exchanges_share_a_step(void)
{
    const struct op ops[] = {{0, 1, CHAKRA_SEND, 0, 1, 0, 8, {0}}, {0, 2, CHAKRA_RECV, 1, 0, 1, 8, {1}},
                             {1, 1, CHAKRA_SEND, 1, 0, 1, 8, {0}}, {1, 2, CHAKRA_RECV, 0, 1, 0, 8, {1}},
                             {1, 3, CHAKRA_COMP, 0, 0, 0, 0, {2}},
                             {1, 4, CHAKRA_SEND, 1, 2, 0, 8, {3, 1}}, {2, 1, CHAKRA_RECV, 1, 2, 0, 8, {0}}};
    rwa_schedule *sched = NULL;
    rwa_import found;
    write_traces(ops, COUNT(ops), NODES, NAMED);
    OK(import_traces(&sched, &found, NULL));
    CU_ASSERT_EQUAL(found.steps, 2);
    CU_ASSERT_EQUAL(rwa_schedule_first(sched, 2), 2);
    rwa_schedule_free(sched);
    drop_traces();
}

/** Each message names the node and the operation. */
static void faults_are_named(void)
{
    static const struct { struct op ops[4]; const char *says;
    } cases[] = {{{{0, 1, CHAKRA_SEND, 0, 1, 0, 8, {0}}},
                  "node 0: operation 1: sends to node 1 with tag 0, which does not receive it"},
                 {{{1, 1, CHAKRA_RECV, 0, 1, 5, 8, {0}}},
                  "node 1: operation 1: receives from node 0 with tag 5, which does not send it"},
                 {{{0, 1, CHAKRA_SEND, 0, 1, 0, 8, {7}}, {1, 1, CHAKRA_RECV, 0, 1, 0, 8, {0}}},
                  "depends on id 7, which node 0 has not"},
                 {{{0, 1, CHAKRA_SEND, 0, 1, 0, 8, {0}}, {1, 1, CHAKRA_RECV, 0, 1, 0, 9, {0}}},
                  "receives 9 bytes, node 0 sends 8"},
                 {{{0, 1, CHAKRA_SEND, 0, 9, 0, 8, {0}}}, "comm_dst 9, expected node 0 and another one below 4"},
                 {{{0, 1, CHAKRA_COMP, 0, 0, 0, 0, {0}}, {0, 1, CHAKRA_COMP, 0, 0, 0, 0, {0}}}, "id 1 a second time"},
                 {{{0, 1, CHAKRA_COLL, 0, 0, 0, 0, {0}}}, "COMM_COLL_NODE"},
                 {{{0, 1, CHAKRA_COMP, 0, 0, 0, 0, {0}}}, "nothing is sent"},
                 /* node 0 sends what it will get from node 1, and that waits for it */
                 {{{0, 1, CHAKRA_SEND, 0, 1, 0, 8, {2}}, {0, 2, CHAKRA_RECV, 1, 0, 1, 8, {0}},
                   {1, 1, CHAKRA_SEND, 1, 0, 1, 8, {2}}, {1, 2, CHAKRA_RECV, 0, 1, 0, 8, {0}}},
                  "waits for itself through others"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_schedule *sched = NULL;
        rwa_error err = {0};
        size_t count = 0;
        while (count < 4 && cases[i].ops[count].type)
            count++;
        write_traces(cases[i].ops, count, NODES, NAMED);
        CU_ASSERT_EQUAL(import_traces(&sched, NULL, &err), RWA_FORMAT);
        expect_part(err.text, cases[i].says);
        drop_traces();
    }
}

/** Node 0 sends to node 1. */
static const struct op message[] = {{0, 1, CHAKRA_SEND, 0, 1, 0, 8, {0}}, {1, 1, CHAKRA_RECV, 0, 1, 0, 8, {0}}};

/** Too few traces, too many, a message cut short, no folder of traces, and formats of files. */
static void folders_are_checked(void)
{
    static const struct { uint32_t nodes; int how; rwa_status status; const char *says; } cases[] = {
        {3, 0, RWA_IO, "trace.3.et"}, {5, 0, RWA_FORMAT, "a trace of node 4, the network has 4 nodes"},
        {4, BROKEN, RWA_FORMAT, "cut short"}, {0, 0, RWA_FORMAT, "0 files NAME.0.et"}};
    rwa_schedule *sched = NULL;
    rwa_error err = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_traces(message, 2, cases[i].nodes, cases[i].how);
        CU_ASSERT_EQUAL(import_traces(&sched, NULL, &err), cases[i].status);
        expect_part(err.text, cases[i].says);
        drop_traces();
    }
    write_traces(message, 2, NODES, 0);
    remove(in_dir("t/trace.2.et"));
    CU_ASSERT_EQUAL(mkfifo(in_dir("t/trace.2.et"), 0600), 0);
    CU_ASSERT_EQUAL(import_traces(&sched, NULL, &err), RWA_FORMAT);
    expect_part(err.text, "trace.2.et: a pipe or a device");
    drop_traces();
}

static rwa_status read_back(void *data)
{
    rwa_schedule *sched = NULL;
    rwa_status st = rwa_schedule_import(&sched, NULL, in_dir("t"), data, NULL, NULL);
    rwa_schedule_free(sched);
    return st;
}

static void every_failure_is_told(void)
{
    write_traces(message, 2, NODES, NAMED);
    expect_every_failure_told(read_back, network_on("ring:4"), 20);
    drop_traces();
}

TESTS_IN_FOLDER("chakra", traces_come_back, lightpaths_of_several_blocks_come_back, bytes_become_blocks,
                exchanges_share_a_step, faults_are_named, folders_are_checked, every_failure_is_told)
