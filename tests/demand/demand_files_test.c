/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Demand files of every form, right and wrong, on a path of five named nodes at 40 Gbit/s. */
#include "tests/support/assigning.h"
#include "tests/support/refused.h"

static const char *const names[] = {"Aalen", "Bonn, Rhein", "Celle", "Dorf", "Dorf"};

static rwa_network *path_of_five(const char *const *node_names)
{
    struct request r = request_of("links:0-1,1-2,2-3,3-4");
    r.network.node_names = node_names;
    return request_network(r);
}

static rwa_status read_as(rwa_demands **out, const char *name, const char *text, const char *const *node_names,
                          rwa_model model, rwa_error *err)
{
    struct file file = file_with(name, text);
    rwa_status st = rwa_demands_open(out, file.path, path_of_five(node_names), model, 1, err);
    CU_ASSERT(st == RWA_OK || strncmp(err->text, file.path, strlen(file.path)) == 0);
    file_drop(&file);
    return st;
}

/** A file that is right; the demands are kept. */
static const rwa_demand *demands_as(const char *name, const char *text, const char *const *node_names, rwa_model model,
                                    rwa_demands **out)
{
    rwa_error err = {0};
    rwa_status st = read_as(out, name, text, node_names, model, &err);
    if (st != RWA_OK)
        fprintf(stderr, "%s\n", err.text);
    CU_ASSERT_EQUAL_FATAL(st, RWA_OK);
    return rwa_demands_list(keep_demands(*out));
}

#define NATIVE(demands)                                                                                        \
    "?SNDlib native format; type: network; version: 1.0\nMETA ( unit = GBITPERSEC )\nNODES ( Aalen ( 0 0 ) )\n" \
    "LINKS ( )\nDEMANDS (\n" demands ")\n"

/** Aalen to Celle twice, Celle to Bonn once, in every form. */
static void every_form_gives_the_same_demands(void)
{
    static const char *const same[][2] = {
        {"d.csv", "src,dst,count\nAalen,Celle,2\n'Celle' , 'Bonn, Rhein'\n"},
        {"d.csv", "# by number\n0,2,2\n\n2,1,1 # once\r\n"},
        {"d.csv", "from,count,to\nAalen,2,Celle\n2,,1\n"},
        {"d.csv", "source,target,via,count\n0,2,,2\n2,1\n"},
        {"d.txt", "0 2 2\n2 1\n"},
        {"d.csv", "0;2;2;\n2;1\n"},
        {"d.json", "[[0,2,2],['Celle',1]]"},
        {"d.json", "{'demands':[{'src':'Aalen','dst':2,'count':2},{'src':2,'dst':'Bonn, Rhein'}]}"},
        {"d.json", "{'unit':'Gbit/s','demands':[[0,2,80],[2,1,0.5]]}"},
        {"d.json", "{'matrix':[[0,0,2,0,0],[0,0,0,0,0],[0,1,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]}"},
        {"d.txt", "0 0 2 0 0\n0 0 0 0 0\n0 1 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n"},
        {"d.csv", "0,0,2,0,0\n0,0,0,0,0\n0,1,0,0,0\n0,0,0,0,0\n0,0,0,0,0\n"},
        {"d.txt", NATIVE("x ( Aalen Celle ) 1 41.00 UNLIMITED\n y ( Celle 1 ) 1 40 3\n z ( Celle 3 ) 1 0 3\n")},
        {"d.xml",
         "<network><meta><unit>MBITPERSEC</unit></meta><networkStructure/><demands><demand "
         "id='1'><source>Aalen</source>"
         "<target>Celle</target><demandValue>80000</demandValue></demand><demand id='2'><source>2</source>"
         "<target>1</target><routingUnit>2</routingUnit><demandValue>5</demandValue></demand></demands></network>"},
    };
    for (size_t i = 0; i < COUNT(same); i++) {
        rwa_demands *d = NULL;
        const rwa_demand *list = demands_as(same[i][0], same[i][1], names, RWA_DIRECTED, &d);
        CU_ASSERT_EQUAL_FATAL(rwa_demands_count(d), 2);
        CU_ASSERT(list[0].src == 0 && list[0].dst == 2 && list[0].count == 2 && list[0].via == RWA_NONE);
        CU_ASSERT(list[1].src == 2 && list[1].dst == 1 && list[1].count == 1);
    }
}

/** A pair asks for the larger of its two entries; once, not twice. */
static void undirected_matrices_count_a_pair_once(void)
{
    rwa_demands *d = NULL;
    const rwa_demand *list = demands_as("m.txt", "0 3 0 0 0\n5 0 1 0 0\n0 1 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n", names,
                                        RWA_UNDIRECTED, &d);
    CU_ASSERT(rwa_demands_count(d) == 2 && list[0].count == 5 && rwa_demands_lightpaths(d) == 6);
}

/** Where nodes are called by numbers, a number in a text is a name; in JSON it stays a place. */
static void numbers_that_are_names_mean_names(void)
{
    static const char *const numbered[] = {"1", "2", "3", "4", "5"};
    rwa_demands *d = NULL;
    rwa_error err = {0};
    const rwa_demand *list = demands_as("n.csv", "1,5\n", numbered, RWA_DIRECTED, &d);
    CU_ASSERT(list[0].src == 0 && list[0].dst == 4);
    CU_ASSERT_EQUAL(read_as(&d, "n.csv", "0,4\n", numbered, RWA_DIRECTED, &err), RWA_FORMAT);
    list = demands_as("n.json", "[[1,4],['1','4']]", numbered, RWA_DIRECTED, &d);
    CU_ASSERT(list[0].src == 1 && list[1].src == 0);
}

static void nodes_to_pass_are_read(void)
{
    rwa_demands *d = NULL;
    CU_ASSERT_EQUAL(demands_as("v.csv", "0,4,1,Celle\n", names, RWA_DIRECTED, &d)->via, 2);
    CU_ASSERT_EQUAL(demands_as("v.json", "[{'src':0,'dst':4,'via':1}]", names, RWA_DIRECTED, &d)->via, 1);
}

/** The same three demands in every form: one slot without a rate, 4 slots, 3 slots for 100 Gbit/s. */
static void widths_and_rates_are_read(void)
{
    static const char *const same[][2] = {
        {"w.csv", "src,dst,count,via,width,rate\n0,1\n1,2,2,,4\n2,3,1,,3,100G\n"},
        {"w.txt", "0 1\n1 2 2 4 4\n2 3 1 4 3 1e11\n"},
        {"w.csv", "src,dst,rate,width,count\n0,1\n1,2,,4,2\n2,3,100G,3,1\n"},
        {"w.json",
         "[[0,1],{'src':1,'dst':2,'count':2,'width':4},{'src':2,'dst':3,'width':3,'rate':'0.1T'}]"},
        {"w.json",
         "[[0,1],{'src':1,'dst':2,'count':2,'width':4},{'src':2,'dst':3,'width':3,'rate':1e11}]"},
        {"w.json", "{'demands':[[0,1],"
                   "{'src':1,'dst':2,'count':2,'width':4},"
                   "{'src':2,'dst':3,'width':3,'rate':1e11}]}"},
    };
    for (size_t i = 0; i < COUNT(same); i++) {
        rwa_demands *d = NULL;
        const rwa_demand *list = demands_as(same[i][0], same[i][1], names, RWA_DIRECTED, &d);
        CU_ASSERT_EQUAL_FATAL(rwa_demands_count(d), 3);
        const uint32_t *widths = rwa_demands_widths(d);
        const double *rates = rwa_demands_rates(d);
        CU_ASSERT_FATAL(widths && rates);
        CU_ASSERT(widths[0] == 1 && widths[1] == 4 && widths[2] == 3 && rates[0] == 0 && rates[1] == 0 &&
                  rates[2] == 1e11);
        CU_ASSERT_EQUAL(list[1].count, 2);
    }
}

static rwa_status refuse_demands(const char *path, rwa_error *err)
{
    rwa_demands *d = NULL;
    rwa_status st = rwa_demands_open(&d, path, path_of_five(names), RWA_DIRECTED, 1, err);
    CU_ASSERT_PTR_NULL(d);
    return st;
}

static void bad_files_are_told_in_a_line(void)
{
    static const char *const csv[][2] = {
        {"", "empty"},
        {"src,dst\n", "no demand"},
        {"0,1\n0\n", ":2: 1 field"},
        {"src,dst\n0\n", ":2: 1 field"},
        {"src,dst,bytes\n0,1,5\n", ":1: column \"bytes\", expected src, dst, count"},
        {"src,dst,to\n0,1,5\n", ":1: column \"to\""},
        {"src,rate\n0,1G\n", ":1: no column dst"},
        {"src,dst,rate\n0,1,100G,2\n", ":2: 4 fields, expected at most the 3"},
        {"src,dst,via\n0,1,nowhere\n", ":2: node \"nowhere\" is unknown"},
        {"0,1,1,2,3,1G,0\n", ":1: 7 fields"},
        {"0,1,1,2,0\n", ":1: a width of 0 slots, expected a whole number from 1"},
        {"0,1\n0,1,1,,wide\n", ":2: width \"wide\", expected a whole number of slots"},
        {"0,1,1,,9999999\n", ":1: a width of 1e+07 slots"},
        {"0,1,1,,2,fast\n", ":1: rate \"fast\", expected bit/s above 0, such as 100G"},
        {"0,1,1,,2,0\n", ":1: rate \"0\""},
        {"0,1,1,,2,1GG\n", ":1: rate \"1GG\""},
        {"0,1,1,,2,-5G\n", ":1: rate \"-5G\""},
        {"0,1,1,,2,1e999\n", ":1: rate \"1e999\""},
        {"0,5\n", ":1: node \"5\" is unknown"},
        {"0,Ulm\n", "node \"Ulm\" is unknown"},
        {"0,Dorf\n", "several have that name"},
        {"2,2\n", "itself"},
        {"0,1,-3\n", "count \"-3\", expected a whole number"},
        {"0,1,99999999999\n", "expected at most"},
        {"0,1,1,1\n", "no end of the demand"},
        {"0,1\n0,M\xFCnchen\n", ":2: not UTF-8"},
    };
    static const char *const json[][2] = {
        {"[{'src':0,'dst':1,'width':0}]", "demands[0]: a width of 0 slots"},
        {"[{'src':0,'dst':1,'width':1.5}]", "demands[0]: width \"1.5\", expected a whole number of slots"},
        {"[{'src':0,'dst':1,'width':'2'}]", "demands[0]: width: expected a number"},
        {"[{'src':0,'dst':1,'rate':0}]", "demands[0]: rate \"0\", expected bit/s above 0"},
        {"[{'src':0,'dst':1,'rate':'x'}]", "demands[0]: rate \"x\""},
        {"[[0,1]", ":1: "},
        {"{'nodes':3}", "expected an array of demands"},
        {"[[0,1],[0]]", "demands[1]: "},
        {"[[0,7]]", "node \"7\" is unknown"},
        {"[[0,-1]]", "node \"-1\" is unknown"},
        {"[[0,1,-1]]", "not negative"},
        {"[[0,1,1.5]]", "whole number"},
        {"{'unit':'furlong','demands':[[0,1]]}", "unit"},
        {"{'matrix':[[0,1],[1,0]]}", "2 rows"},
        {"{'matrix':[[0,1],[1],[1],[1],[1]]}", "matrix[0]: 2 entries"},
    };
    static const char *const txt[][2] = {
        {"0 0 2 0 0\n0 0 0 0 0\n0 1 0 0 0\n0 0 0 0 0\n", ":1: a width of 0 slots"},
        {"1 0 2 0 0\n0 0 0 0 0\n0 1 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n", "itself"},
        {NATIVE("x ( Aalen Ulm ) 1 41.00 UNLIMITED\n"), ":6: node \"Ulm\" is unknown"},
        {NATIVE("x ( Aalen Celle ) 1 -1 UNLIMITED\n"), ":6: \"-1\""},
        {NATIVE("x ( Aalen Celle ) 1 \n"), "expected a demand"},
    };
    refuse_texts("b.csv", refuse_demands, csv, COUNT(csv));
    refuse_texts("b.json", refuse_demands, json, COUNT(json));
    refuse_texts("b.txt", refuse_demands, txt, COUNT(txt));
}

static void specifications_are_understood(void)
{
    const rwa_network *net = path_of_five(NULL);
    rwa_demands *d = NULL;
    OK(rwa_demands_open(&d, "all-to-all", net, RWA_UNDIRECTED, 1, NULL));
    CU_ASSERT_EQUAL(rwa_demands_count(keep_demands(d)), 10);
    OK(rwa_demands_open(&d, "random:7", net, RWA_DIRECTED, 5, NULL));
    CU_ASSERT_EQUAL(rwa_demands_count(keep_demands(d)), 7);
    CU_ASSERT_EQUAL(rwa_demands_open(&d, "random:", net, RWA_DIRECTED, 5, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_demands_open(&d, "random:-1", net, RWA_DIRECTED, 5, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_demands_open(&d, "/nowhere/d.csv", net, RWA_DIRECTED, 5, NULL), RWA_IO);
    CU_ASSERT_EQUAL(rwa_demands_open(&d, NULL, net, RWA_DIRECTED, 5, NULL), RWA_BADARG);
}

TESTS("demand files", every_form_gives_the_same_demands, undirected_matrices_count_a_pair_once,
      numbers_that_are_names_mean_names, nodes_to_pass_are_read, widths_and_rates_are_read,
      bad_files_are_told_in_a_line, specifications_are_understood)
