/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Every allocation of the readers, of an assignment and of its judge is made to fail in turn: a status each time. */
#include "tests/support/report.h"
#include "tests/support/failing.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const char *const networks[][2] = {
    {"n.json",
     "{\"nodes\":[\"A\",\"B\",{\"id\":7,\"label\":\"C\"}],\"links\":[[0,1,10],[1,2],{\"from\":0,\"to\":2,\"fibers\":2,"
     "\"reserved\":[0,\"2-3\"]}],\"risk_groups\":[[0,1]]}"},
    {"n.txt", "A B 10\nB C\nC A 2.5\n"},
    {"n.txt", "n 3 3\nv 0 A\nv 1 B\nv 2 C\ne 0 1 10\ne 1 2 0\ne 0 2 2.5\n"},
    {"n.txt", "?SNDlib native format; type: network; version: 1.0\nNODES (\nA ( 1 2 )\nB ( 1 2 )\n)\nLINKS (\nl ( A B "
              ") 1 0 0 0 ( )\n)\n"},
    {"n.json", "{\"elements\":[{\"uid\":\"A\",\"type\":\"Roadm\"},{\"uid\":\"B\",\"type\":\"Roadm\"},{\"uid\":\"f\","
               "\"type\":\"Fiber\","
               "\"params\":{\"length\":3}}],\"connections\":[{\"from_node\":\"A\",\"to_node\":\"f\"},"
               "{\"from_node\":\"f\",\"to_node\":\"B\"}]}"},
    {"n.xml", "<network><networkStructure><nodes><node id=\"0\"/><node id=\"1\"/></nodes><links><link "
              "id=\"a\"><source>0</source>"
              "<target>1</target></link></links></networkStructure></network>"},
    {"n.graphml", "<graphml><key id=\"k\" for=\"edge\" attr.name=\"km\" attr.type=\"double\"/>"
                  "<graph edgedefault=\"undirected\"><node id=\"a\"/>"
                  "<node id=\"b\"/><edge source=\"a\" target=\"b\"><data key=\"k\">3</data></edge></graph></graphml>"},
    {"n.gml", "graph [ node [ id 1 label \"A\" ] node [ id 2 label \"B\" ] edge [ source 1 target 2 length 3 ] ]"},
};

static const char *const demands[][2] = {
    {"d.csv", "src,dst,count\n\"Houston (TX)\",0,2\n3,4\n"},
    {"d.json", "{\"unit\":\"Gbit/s\",\"demands\":[[0,2,80],{\"src\":1,\"dst\":3,\"via\":2}]}"},
};

static rwa_status read_network(void *path)
{
    rwa_network *net = NULL;
    rwa_error err = {0};
    rwa_status st = rwa_network_read(&net, path, NULL, &err);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

static rwa_status read_demands(void *path)
{
    rwa_network *net = NULL;
    rwa_demands *set = NULL;
    rwa_error err = {0};
    rwa_status st = rwa_network_open(&net, "nsfnet14-21", NULL, &err);
    THEN(rwa_demands_read(&set, path, net, RWA_DIRECTED, &err));
    rwa_demands_free(set);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

/** On a mesh: made, written, judged, read back and judged again. */
static rwa_status assign_and_read(void *path)
{
    rwa_network *net = NULL;
    rwa_demands *set = NULL;
    rwa_assignment *result = NULL, *again = NULL;
    rwa_check_report check;
    rwa_error err = {0};
    rwa_status st = rwa_network_parse(&net, "mesh:2x2", NULL, &err);
    THEN(rwa_demands_all_to_all(&set, 4, RWA_DIRECTED, &err));
    THEN(rwa_assignment_create(&result, net, set, RWA_DIRECTED, &err));
    for (size_t d = 0; st == RWA_OK && d < rwa_demands_count(set); d++) {
        const rwa_demand *demand = &rwa_demands_list(set)[d];
        uint32_t link = rwa_network_find_link(net, demand->src, demand->dst);
        rwa_route route = {.demand = d, .hops = link != RWA_NONE, .links = &link, .why = "far"};
        st = rwa_assignment_add(result, &route, &err);
    }
    THEN(rwa_assignment_write(result, path, &err));
    THEN(report_file(&check, path, NULL, &err));
    THEN(rwa_assignment_read(&again, path, &err));
    THEN(report_assignment(&check, again, NULL, &err));
    rwa_assignment_free(again);
    rwa_assignment_free(result);
    rwa_demands_free(set);
    rwa_network_free(net);
    return told_in_words(st, &err);
}

static void sweep(rwa_status (*read)(void *), const char *const files[][2], size_t count, int least)
{
    for (size_t i = 0; i < count; i++) {
        struct file file = file_make(files[i][0], files[i][1], strlen(files[i][1]));
        expect_every_failure_told(read, file.path, least);
        file_drop(&file);
    }
}

static void networks_fail_with_a_status(void)
{
    sweep(read_network, networks, COUNT(networks), 10);
}

static void demands_fail_with_a_status(void)
{
    sweep(read_demands, demands, COUNT(demands), 10);
}

static void assignments_fail_with_a_status(void)
{
    static const char *const files[][2] = {{"a.jsonl", ""}};
    sweep(assign_and_read, files, 1, 50);
}

TESTS("allocation in readers", networks_fail_with_a_status,
      demands_fail_with_a_status, assignments_fail_with_a_status)
