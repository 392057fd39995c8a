/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Schedules written in other tools' formats and read back, and programs of others. */
#include "tests/support/failing.h"
#include "tests/support/report.h"
#include "tests/support/plans.h"

static rwa_status import_text(rwa_schedule **out, rwa_import *found, const char *text, const rwa_network *net,
                              const rwa_import_options *opts, rwa_error *err)
{
    struct file file = file_make("given", text, strlen(text));
    rwa_status st = rwa_schedule_import(out, found, file.path, net, opts, err);
    file_drop(&file);
    return st;
}

/* ---- there and back ---- */

/* A program says who sends which block to whom, and with enough wavelengths for everything at once no step is split and
 * none comes later than in the schedule it was written from; a ring's, in which every block waits for the one before,
 * has no freedom.  Topologies say how many blocks go where in each step. */
static void exports_move_the_same_blocks(void)
{
    enum { STEPS = 1, BLOCKS = 2 };
    static const struct { const char *format, *line; int same; } cases[] = {
        {"msccl", "ring:16 w=8 by optree", BLOCKS},
        {"msccl", "ring:16 w=8 by wavefront", BLOCKS},
        {"msccl", "ring:9 w=8 by ring", STEPS | BLOCKS},
        {"msccl", "ring:12 w=8 all-reduce by wrht", BLOCKS},
        {"msccl", "ring:8 w=8 all-reduce by ring", BLOCKS},
        {"msccl", "ring:8 w=8 all-reduce by recursive-doubling", BLOCKS},
        {"msccl", "ring:9 w=8 all-reduce by binary-tree", BLOCKS},
        {"msccl", "torus:4x4 w=8 by torus-wavefront", BLOCKS},
        {"harvest", "ring:16 w=2 by optree", STEPS},
        {"harvest", "ring:12 w=2 by one-stage", STEPS},
        {"harvest", "ring:9 w=2 by ring", STEPS | BLOCKS},
        {"harvest", "ring:16 w=2 by wavefront", STEPS},
        {"harvest", "ring:20 w=2 all-reduce by wavefront", STEPS},
        {"harvest", "ring:8 w=2 all-reduce by ring", STEPS},
        {"harvest", "ring:8 w=2 reduce-scatter by ring", STEPS},
        {"harvest", "ring:8 w=2 all-to-all by one-stage", STEPS},
        {"harvest", "ring:16 w=2 root=1 broadcast by tree", STEPS}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool program = cases[i].format[0] == 'm', steps = cases[i].same & STEPS, blocks = cases[i].same & BLOCKS;
        struct request r = request_of("%s", cases[i].line);
        const rwa_schedule *sched = rwa_plan_schedule(plan_for(r));
        struct file file = file_make("a.gz", "", 0);
        rwa_schedule *back = NULL;
        rwa_import found;
        rwa_import_options o;
        rwa_import_options_init(&o);
        o.collective = r.kind;
        o.root = r.root;
        r.network.wavelengths = 256;
        OK(rwa_schedule_export(sched, cases[i].format, file.path, NULL, NULL));
        OK(rwa_schedule_import(&back, &found, file.path, request_network(r), &o, NULL));
        CU_ASSERT_STRING_EQUAL(found.format, cases[i].format);
        CU_ASSERT_EQUAL(moves_of(sched, steps, blocks), moves_of(back, steps, blocks));
        CU_ASSERT_TRUE(rwa_schedule_steps(back) == found.steps && found.steps <= rwa_schedule_steps(sched));
        CU_ASSERT_EQUAL(found.blocks_assigned, !program);
        expect_right(keep_schedule(back));
        file_drop(&file);
    }
}

/* ---- programs by hand ---- */

/** Recognised, so many steps in the file and in the schedule, so many lightpaths, and all of it right. */
static void expect_steps(const char *text, const char *network, const char *format, uint32_t steps,
                         uint64_t lightpaths)
{
    rwa_schedule *sched = NULL;
    rwa_import found;
    OK(import_text(&sched, &found, text, network_on("%s", network), NULL, NULL));
    CU_ASSERT_STRING_EQUAL(found.format, format);
    CU_ASSERT(found.steps == steps && rwa_schedule_steps(sched) == steps);
    CU_ASSERT_EQUAL(rwa_schedule_lightpaths(sched), lightpaths);
    expect_right(keep_schedule(sched));
}

#define STEP(s, type, from, to)                                                                                        \
    "<step s=\"" s "\" type=\"" type "\" srcbuf=\"o\" srcoff=\"" from "\" dstbuf=\"o\" dstoff=\"" to                   \
    "\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>"
#define RING_NODE(id, send, recv, own, first, second)                                                                  \
    "<gpu id=\"" id "\" i_chunks=\"1\" o_chunks=\"3\" s_chunks=\"0\"><tb id=\"0\" send=\"" send "\" recv=\"" recv      \
    "\" chan=\"0\">\n" STEP("0", "s", own, own) STEP("1", "rcs", first, first)                                         \
        STEP("2", "r", second, second) "</tb></gpu>\n"
#define ALGO(attributes) "<algo name=\"x\" proto=\"Simple\" nchannels=\"1\" ngpus=\"3\" " attributes ">\n"

#define SUM_NODE(id, send, recv, own, before, last)                                                                    \
    "<gpu id=\"" id "\" i_chunks=\"3\" o_chunks=\"3\" s_chunks=\"0\"><tb id=\"0\" send=\"" send "\" recv=\"" recv      \
    "\" chan=\"0\">\n" STEP("0", "s", own, own) STEP("1", "rrs", before, "-1") STEP("2", "rrcs", last, last)           \
        STEP("3", "rcs", "-1", own) STEP("4", "r", "-1", before) "</tb></gpu>\n"

/* The textbook's ring: everybody sends its own chunk, passes on what comes, and keeps the last; N - 1 steps.  Its
 * all-reduce: partial sums go round once, N - 1 steps, and the sums once more. */
static void textbook_programs_take_as_many_steps_as_in_the_book(void)
{
    expect_steps(ALGO("coll=\"allgather\" inplace=\"1\"") RING_NODE("0", "1", "2", "0", "2", "1")
                     RING_NODE("1", "2", "0", "1", "0", "2") RING_NODE("2", "0", "1", "2", "1", "0") "</algo>\n",
                 "ring:3 w=1", "msccl", 2, 6);
    expect_steps(ALGO("coll=\"allreduce\" inplace=\"1\"") SUM_NODE("0", "1", "2", "0", "2", "1")
                     SUM_NODE("1", "2", "0", "1", "0", "2") SUM_NODE("2", "0", "1", "2", "1", "0") "</algo>\n",
                 "ring:3 w=1", "msccl", 4, 12);
}

/* Recursive doubling of 8 nodes moves 1, 2 and 4 blocks between partners; nodes 4 apart on a ring of 8: with 16
 * wavelengths each step is one, with 1 the last alone needs more. */
static void demands_double(void)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "{\"n\":8,\"dims\":[8],\n\"steps\":[\n");
    for (int k = 0; k < 3; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s{\"chunksize\":%d,\"demand\":[", k ? ",\n" : "",
                                 1000 << k);
        for (int u = 0; u < 8; u++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s[%d,%d,%d]", u ? "," : "", u, u ^ 1 << k,
                                     1000 << k);
        used += (size_t)snprintf(text + used, sizeof text - used, "]}");
    }
    snprintf(text + used, sizeof text - used, "]}\n");
    for (uint32_t w = 1; w <= 16; w += 15) {
        rwa_schedule *sched = NULL;
        rwa_import found;
        OK(import_text(&sched, &found, text, network_on("ring:8 w=%u", w), NULL, NULL));
        CU_ASSERT_EQUAL(found.steps, 3);
        CU_ASSERT_EQUAL(rwa_schedule_steps(sched) == 3, w == 16);
        CU_ASSERT_EQUAL(rwa_schedule_collective(sched)->block_bytes, 1000);
        expect_right(keep_schedule(sched));
    }
}

/* Two neighbours add to each other's value: neither half may come later, for it would read the sum. */
static void an_exchange_of_sums_is_not_split(void)
{
    static const rwa_transfer list[] = {{1, 0, 1, RWA_REDUCE, 0}, {1, 1, 0, RWA_REDUCE, 0}, {1, 2, 0, RWA_REDUCE, 0},
                                        {1, 2, 1, RWA_REDUCE, 0}};
    rwa_network *line = network_on("line:3 w=1"), *wide = network_on("line:3 w=2");
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    rwa_error err = {0};
    OK(rwa_collective_init(&coll, RWA_ALL_REDUCE, 3, 0, 1, 1, NULL));
    CU_ASSERT_EQUAL(rwa_plan_transfers(&sched, line, &coll, NULL, list, 4, NULL, &err), RWA_BADARG);
    expect_part(err.text, "do not fit one step");
    OK(rwa_plan_transfers(&sched, wide, &coll, NULL, list, 4, NULL, NULL));
    CU_ASSERT_EQUAL(rwa_schedule_steps(sched), 1);
    rwa_schedule_free(sched);
}

/* Two links from node 0, one of two fibres: with one wavelength two transfers cross that one in a step, on a fibre
   each. */
static void fibres_are_counted_link_by_link(void)
{
    static const rwa_transfer list[] = {{1, 0, 1, RWA_COPY, 0},
                                        {1, 0, 1, RWA_COPY, 1},
                                        {1, 0, 2, RWA_COPY, 0},
                                        {2, 0, 2, RWA_COPY, 1}};
    rwa_network *net = network_on("links:0>1x2,1>0,0>2,2>0 w=1");
    rwa_collective coll;
    rwa_schedule *sched = NULL;
    OK(rwa_collective_init(&coll, RWA_BROADCAST, 3, 0, 64, 2, NULL));
    OK(rwa_plan_transfers(&sched, net, &coll, NULL, list, 4, NULL, NULL));
    CU_ASSERT_EQUAL(rwa_schedule_steps(sched), 2);
    expect_right(keep_schedule(sched));
}

/* A ring of four, node to next node, three times round: switches have numbers of their own, epochs have gaps. */
static void flows_are_steps_of_a_ring(void)
{
    char text[2000] = "{\"1-Epoch_Duration\": 1e-6, \"7-Flows\": [";
    for (unsigned s = 0; s < 4; s++)
        for (unsigned k = 0; k < 3; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "%s\"Chunk 0 from %u traveled over %u->%u in epoch %u%s\"", s + k ? "," : "", s + 5,
                     (s + k) % 4 + 5, (s + k + 1) % 4 + 5, 3 * k + 1, k ? " via switches 0" : "");
    strcat(text, "]}");
    expect_steps(text, "ring:4 w=1", "teccl", 3, 12);
}

/* Each node's tree: to one neighbour and on, and to the other. */
static void trees_are_steps_by_depth(void)
{
    char text[3000] = "<trees>";
    for (unsigned s = 0; s < 4; s++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<tree root=\"g%u\" nchunks=\"2\"><send src=\"g%u\" dst=\"g%u\"/><send src=\"g%u\" dst=\"g%u\"/>"
                 "<send src=\"g%u\" dst=\"g%u\"/></tree>", s, s, (s + 1) % 4, (s + 1) % 4, (s + 2) % 4, s, (s + 3) % 4);
    strcat(text, "</trees>");
    expect_steps(text, "ring:4 w=2", "forestcoll", 2, 24);
}

/* An incomplete program is read; the checker says what is missing. */
static void what_is_incomplete_is_read_and_judged(void)
{
    rwa_network *net = network_on("ring:3 w=1");
    rwa_schedule *sched = NULL;
    rwa_check_report verdict;
    OK(import_text(&sched, NULL, "{\"steps\":[{\"demand\":[[0,1,5]]}]}", net, NULL, NULL));
    OK(report_schedule(&verdict, sched, NULL, NULL));
    CU_ASSERT_FALSE(verdict.ok);
    CU_ASSERT_TRUE(verdict.by_kind[RWA_VIOLATION_COMPLETENESS] > 0);
    rwa_schedule_free(sched);
}

/* ---- what is wrong is said, with its line ---- */

#define HEADING "step,src,dst,dir,fiber,wavelength,block,op,hops"
#define HEAD HEADING "\n"
#define NETWORK                                                                                            \
    "# {\"format\":\"rwa-schedule\",\"version\":1,\"network\":{\"kind\":\"ring\",\"nodes\":4,\"fibers\":1," \
    "\"wavelengths\":1},"
#define OWN NETWORK "\"collective\":\"all-gather\",\"blocks\":4,\"block_bytes\":8,\"steps\":1,\"scheme\":\"\"}\n"
#define ONE "1,0,1,cw,0,0,0,copy,1\n"
#define GATHER ALGO("coll=\"allgather\"")
#define GPU "<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"3\" s_chunks=\"0\">\n"
#define TB "<tb id=\"0\" send=\"1\" recv=\"2\" chan=\"0\">\n"
#define END                                                                                                            \
    "</tb></gpu><gpu id=\"1\" i_chunks=\"1\" o_chunks=\"3\"/><gpu id=\"2\" i_chunks=\"1\" o_chunks=\"3\"/></algo>"

#define PLAN(gpus)                                                                                                     \
    "{\"collective\":\"allgather\",\"inplace\":true,\"max_message_size\":18446744073709551615,\"gpus\":[" gpus "]}"
#define DEVICE(id, ops)                                                                                                \
    "{\"id\":" id                                                                                                      \
    ",\"input_chunks\":1,\"output_chunks\":3,\"scratch_chunks\":0,\"threadblocks\":[{\"id\":0,\"ops\":[" ops "],"      \
    "\"channels\":[{\"channel_ids\":[0]}],\"remote_buffer_refs\":[{\"remote_buffer_ids\":[0]}]}],\"channels\":[{"      \
    "\"connected_to\":[1]}],"                                                                                          \
    "\"remote_buffers\":[{\"rank\":1,\"type\":\"o\"}]}"
#define PUT(from, to, size)                                                                                        \
    "\n{\"name\":\"put\",\"src_buff\":[{\"type\":\"o\",\"index\":" from ",\"size\":" size "}],"                   \
    "\"dst_buff\":[{\"buffer_id\":0,\"index\":" to ",\"size\":" size "}]}"
#define PLAN_OF(ops) PLAN(DEVICE("0", ops) "," DEVICE("1", "") "," DEVICE("2", ""))
#define PASS(id, peer, other)                                                                                          \
    "<gpu id=\"" id "\" i_chunks=\"1\" o_chunks=\"3\" s_chunks=\"0\"><tb id=\"0\" send=\"-1\" recv=\"" peer            \
    "\" chan=\"0\">" STEP("0", "r", other,                                                                             \
                          other) "</tb><tb id=\"1\" send=\"" peer "\" recv=\"-1\" chan=\"0\">"                         \
                                 "<step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"" id                                  \
                                 "\" dstbuf=\"o\" dstoff=\"0\" cnt=\"1\" depid=\"0\" deps=\"0\" hasdep=\"0\"/>"        \
                                 "</tb></gpu>\n"
#define TREES "<x><tree root=\"a\" nchunks=\"1\"/><tree root=\"b\" nchunks=\"1\"/>"

static const struct { const char *text; int line; const char *says;
} wrong[] = {
    {"", 1, "neither"},
    {"hello", 1, "neither"},
    {"step,src,dst\n", 1, "heading"},
    {HEAD, 1, "no lightpath"},
    {HEAD "1,0,1,cw,0,0,0,copy\n", 2, "8 fields"},
    {HEAD ONE "\n", 3, "1 fields"},
    {HEAD ONE "1,0,1,cw,0,0,0,copy,1,9\n", 3, "10 fields"},
    {HEAD "one,0,1,cw,0,0,0,copy,1\n", 2, "\"step\": expected"},
    {HEAD "1,-1,1,cw,0,0,0,copy,1\n", 2, "\"src\": expected"},
    {HEAD "1,0,4294967296,cw,0,0,0,copy,1\n", 2, "expected nodes 0 to 2"},
    {HEAD "1,0,1,up,0,0,0,copy,1\n", 2, "expected \"cw\" or \"ccw\""},
    {HEAD "1,0,1,cw,0,0,0,move,1\n", 2, "expected \"copy\" or \"reduce\""},
    {HEAD "1,0,3,cw,0,0,0,copy,1\n", 2, "expected nodes 0 to 2"},
    {HEAD "1,0,0,cw,0,0,0,copy,1\n", 2, "no such route"},
    {HEAD "1,0,1,cw,0,9,0,copy,1\n", 2, "wavelength 9"},
    {HEAD "1,0,1,cw,0,0,7,copy,1\n", 2, "block 7"},
    {HEAD "1,0,1,cw,0,0,0,reduce,1\n", 2, "a reduction"},
    {HEAD ONE "3,0,1,cw,0,0,0,copy,1\n", 3, "step 3 after step 1"},
    {HEAD "1,0,1,cw,0,0,0,copy,2\n", 2, "2 hops"},
    {"{\n\"steps\":\n}", 3, "JSON"},
    {"{\n\"steps\": 5}", 2, "\"steps\""},
    {"{\"a\":[\"steps\",{}],\n\"steps\":[\n]}", 2, "\"steps\""},
    {"{\n\n\"n\":4,\"steps\":[{\"demand\":[]}]}", 3, "the network has 3"},
    {"{\"steps\":[\n{\"demand\":[]},\n{}]}", 3, "either"},
    {"{\"steps\":[\n{\"demand\":[],\n\"topology\":[]}]}", 2, "either"},
    {"{\"steps\":[\n{\"demand\":[[0,1,4]]},{\n\"topology\":[]}]}", 3, "throughout"},
    {"{\"steps\":[\n{\"step\":2,\"demand\":[]}]}", 2, "\"step\": 1"},
    {"{\"steps\":[{\"demand\":\n7}]}", 2, "an array"},
    {"{\"steps\":[{\"demand\":[[0,1,4],\n[0,1]]}]}", 2, "[source, destination, bytes]"},
    {"{\"steps\":[{\"topology\":[[0,1,1],\n[0,1,0.5]]}]}", 2, "lanes"},
    {"{\"steps\":[{\"demand\":[\n[0,3,4]]}]}", 2, "node 3"},
    {"{\"steps\":[{\"demand\":[\n[1,1,4]]}]}", 2, "two different"},
    {"{\"steps\":[{\"demand\":[[0,1,0]]}]}", 1, "nothing moves"},
    {"{\"steps\":[{\"demand\":[[0,1,4],\n[0,2,4],[0,1,4]]}]}", 2, "found only"},
    {"<algo", 1, "XML"},
    {"<a>\n</a>", 1, "<algo>"},
    {ALGO("coll=\"custom\""), 2, "XML"},
    {ALGO("coll=\"custom\"") "</algo>", 1, "allgather or allreduce"},
    {"<algo ngpus=\"4\" coll=\"allgather\"/>", 1, "<algo ngpus>: expected 3"},
    {GATHER "</algo>", 1, "no <gpu>"},
    {GATHER GPU "</gpu></algo>", 1, "1 <gpu>"},
    {GATHER GPU "</gpu>\n<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"3\"/></algo>", 4, "expected 1"},
    {GATHER GPU "</gpu>\n<gpu id=\"1\" i_chunks=\"2\" o_chunks=\"3\"/></algo>", 4, "as all nodes have"},
    {GATHER "<gpu id=\"0\" i_chunks=\"1\" o_chunks=\"4\"/></algo>", 2, "o_chunks"},
    {GATHER GPU "<tb id=\"1\">" END, 3, "tb"},
    {GATHER GPU "<tb id=\"0\" send=\"0\" recv=\"2\" chan=\"0\">" END, 3, "its own node"},
    {GATHER GPU "<tb id=\"0\" send=\"5\" recv=\"2\" chan=\"0\">" END, 3, "up to 2"},
    {GATHER GPU TB STEP("1", "s", "0", "0") END, 4, "<step s>: expected 0"},
    {GATHER GPU TB STEP("0", "jump", "0", "0") END, 4, "expected s, r"},
    {GATHER GPU TB STEP("0", "rrc", "0", "0") END, 4, "a reduction in an all-gather"},
    {GATHER GPU TB STEP("0", "s", "3", "3") END, 4, "the buffer has 3"},
    {GATHER GPU TB STEP("0", "s", "x", "0") END, 4, "srcoff"},
    {GATHER GPU TB "<step s=\"0\" type=\"s\" srcbuf=\"s\" srcoff=\"0\" cnt=\"1\" depid=\"-1\"/>" END, 4, "scratch"},
    {GATHER GPU TB "<step s=\"0\" type=\"s\" srcbuf=\"o\" srcoff=\"0\" cnt=\"1\" depid=\"3\" deps=\"0\"/>" END, 4,
     "depends on id 0, which that thread block of node 0 has not"},
    {GATHER GPU TB STEP("0", "cpy", "0", "1") END, 4, "change places"},
    {ALGO("coll=\"allreduce\" inplace=\"1\"") "<gpu id=\"0\" i_chunks=\"3\" o_chunks=\"3\">" TB STEP("0", "rrc", "0",
                                                                                                     "1") END,
     3, "that is added"},
    {GATHER GPU TB "\n" STEP("0", "s", "0", "0") END, 5, "does not receive"},
    {GATHER GPU TB "\n" STEP("0", "r", "0", "0") END, 5, "does not send"},
    {GATHER GPU "<tb id=\"0\" send=\"-1\" recv=\"2\" chan=\"0\">" STEP("0", "s", "0", "0") END, 3, "has no send"},
    {GATHER GPU TB END, 1, "nothing is sent"},
    {GATHER PASS("0", "1", "1") PASS("1", "0", "0") "<gpu id=\"2\" i_chunks=\"1\" o_chunks=\"3\"/></algo>", 2,
     "for itself"}, /* each sends only when it has received: no node begins */
    {"{\n\"7-Flows\": 3}", 2, "an array of texts"},
    {"{\"7-Flows\": []}", 1, "an array of texts"},
    {"{\"7-Flows\": [\n\"Chunk 0 from 0 traveled over 0->1 in epoch 0\",\n\"Chunk 0 of 0\"]}", 3, "Chunk C from NODE"},
    {"{\"7-Flows\": [\n\"Chunk 0 from 0 traveled over 0->1 in epoch 99999999999\"]}", 2, "Chunk C from NODE"},
    {"{\"7-Flows\": [\n\"Chunk 0 from 0 traveled over 0->1 with volume 0.5 in epoch 0\"]}", 2, "whole chunks"},
    {"{\"7-Flows\": [\n\"Chunk 0 from 0 traveled over 0->7 in epoch 0\"]}", 2, "the network has 3"},
    {"{\"7-Flows\": [\n\"Chunk 0 from 0 traveled over 1->1 in epoch 0\"]}", 2, "two different nodes"},
    {"{\"threadblocks\": 1}", 1, "\"collective\""},
    {PLAN("{\"threadblocks\": []}"), 1, "1 gpus, the network has 3"},
    {PLAN(DEVICE("0", "") "," DEVICE("2", "") "," DEVICE("2", "")), 1, "expected \"id\": 1"},
    {PLAN_OF(""), 1, "nothing is put"},
    {PLAN_OF("\n{\"name\":\"dance\"}"), 2, "expected put, pws"},
    {PLAN_OF("{\"name\":\"nop\"},\n{\"name\":\"wait\",\"channel_ids\":[0]}"), 2, "for ever"},
    {PLAN_OF("\n{\"name\":\"wait\",\"channel_ids\":[7]}"), 2, "channel_ids"},
    {PLAN_OF(PUT("2", "0", "1")), 2, "holds something"},
    {PLAN_OF(PUT("0", "1", "1")), 2, "change places"},
    {PLAN_OF(PUT("0", "0", "4")), 2, "within the buffer"},
    {"<x>\n<tree root=\"a\" nchunks=\"0\"/></x>", 2, "nchunks"},
    {"<x>\n<tree nchunks=\"1\"/></x>", 2, "the name of a node"},
    {"<x><tree root=\"a\" nchunks=\"1\"/></x>", 1, "the network has 3"},
    {"<x><tree root=\"a\" nchunks=\"1\"/><tree root=\"b\" nchunks=\"2\"/><tree root=\"c\" nchunks=\"1\"/></x>", 1,
     "as many of each"},
    {TREES "<tree root=\"c\" nchunks=\"1\">\n<send src=\"a\" dst=\"b\"/></tree></x>", 2, "the tree has reached"},
    {TREES "<tree root=\"c\" nchunks=\"1\">\n<send src=\"c\" dst=\"d\"/></tree></x>", 2, "the root of no tree"},
    {TREES "<tree root=\"c\" nchunks=\"1\"/></x>", 1, "nothing is sent"},
    /* a table that brings its network along */
    {OWN HEAD "1,0,1,cw,0,0,,copy,1\n", 3, "\"block\": expected"},
    {OWN HEAD "1,0,1,cw,0,0,0  1,copy,1\n", 3, "\"blocks\""},
    {OWN HEAD "1,0,1,cw,0,0,0 4,copy,1\n", 3, "block 4"},
    {OWN HEAD "1,0,1,cw,0,0,4,copy,1\n", 3, "block 4: expected below 4"},
    {OWN HEADING ",taps\n1,0,2,cw,0,0,0,copy,2,3\n", 3, ""},
    {OWN HEADING ",caps\n", 2, "expected the heading"},
    {OWN "# a remark\n" HEAD, 3, "no lightpath"},
    {OWN "step,src\n", 2, "expected the heading"},
    {NETWORK "\n" HEAD, 1, ""},
    {"# {}\n" HEAD, 1, ""},
};

static void what_is_wrong_is_told_with_its_line(void)
{
    rwa_network *net = network_on("ring:3 w=1");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        rwa_schedule *sched = NULL;
        rwa_error err = {0};
        char place[24];
        snprintf(place, sizeof place, "/given:%d: ", wrong[i].line);
        CU_ASSERT_EQUAL(import_text(&sched, NULL, wrong[i].text, wrong[i].text[0] == '#' ? NULL : net, NULL, &err),
                        RWA_FORMAT);
        CU_ASSERT_PTR_NULL(sched);
        expect_part(err.text, place);
        expect_part(err.text, wrong[i].says);
    }
}

static void requests_that_make_no_sense_are_refused(void)
{
    rwa_network *ring = network_on("ring:3 w=1"), *star = network_on("star:3 w=8"),
                *torus = network_on("torus:2x2 w=2");
    rwa_schedule *sched = NULL;
    rwa_import_options o;
    rwa_import_options_init(&o);
    CU_ASSERT_EQUAL(rwa_schedule_import(&sched, NULL, "/nonexistent/x", ring, NULL, NULL), RWA_IO);
    o.format = "excel";
    CU_ASSERT_EQUAL(import_text(&sched, NULL, HEAD ONE, ring, &o, NULL), RWA_BADARG);
    o.format = NULL;
    o.collective = RWA_ALL_REDUCE;
    CU_ASSERT_EQUAL(import_text(&sched, NULL, GATHER GPU "</gpu></algo>", ring, &o, NULL), RWA_BADARG);
    o.collective = RWA_GATHER;
    CU_ASSERT_EQUAL(import_text(&sched, NULL, "{\"steps\":[{\"demand\":[[0,1,5]]}]}", ring, &o, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(import_text(&sched, NULL, "{\"steps\":[{\"demand\":[[0,1,5]]}]}", star, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(import_text(&sched, NULL, HEAD ONE, torus, NULL, NULL), RWA_FORMAT); /* paths, not directions */
    CU_ASSERT_EQUAL(import_text(&sched, NULL, HEAD ONE, NULL, NULL, NULL), RWA_BADARG); /* no network, nor in it */
    CU_ASSERT_PTR_NULL(sched);
}

struct read_back {
    const char *path;
    const rwa_network *net;
};

static rwa_status read_back(void *data)
{
    const struct read_back *given = data;
    rwa_schedule *sched = NULL;
    rwa_import_options o;
    rwa_plan_options plan;
    rwa_plan_options_init(&plan);
    rwa_import_options_init(&o);
    plan.solver = "first-fit";
    o.plan = &plan;
    rwa_status st = rwa_schedule_import(&sched, NULL, given->path, given->net, &o, NULL);
    CU_ASSERT_EQUAL(st == RWA_OK, sched != NULL);
    rwa_schedule_free(sched);
    return st;
}

/** Every allocation fails in turn: a table, steps, a program, and a program whose transfers are routed over links. */
static void every_failure_is_told(void)
{
    static const char *const cases[][2] = {
        {"csv", "ring:4"}, {"harvest", "ring:4"}, {"msccl", "ring:4"}, {"msccl", "torus:2x2"}};
    const rwa_schedule *sched = schedule_on("ring:4 w=2 by optree");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct file file = file_make("a", "", 0);
        OK(rwa_schedule_export(sched, cases[i][0], file.path, NULL, NULL));
        expect_every_failure_told(read_back, &(struct read_back){file.path, network_on("%s", cases[i][1])}, 10);
        file_drop(&file);
    }
}

TESTS("import", exports_move_the_same_blocks, textbook_programs_take_as_many_steps_as_in_the_book, demands_double,
      flows_are_steps_of_a_ring, trees_are_steps_by_depth, an_exchange_of_sums_is_not_split,
      fibres_are_counted_link_by_link, what_is_incomplete_is_read_and_judged, what_is_wrong_is_told_with_its_line,
      requests_that_make_no_sense_are_refused, every_failure_is_told)
