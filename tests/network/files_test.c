/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Network files of every format, right and wrong. */
#include "tests/support/refused.h"
#include "tests/support/request.h"

static rwa_network *read_as(const char *name, const char *text)
{
    struct file file = file_with(name, text);
    rwa_network *net = network_on("%s", file.path);
    file_drop(&file);
    return net;
}

#define GRAPHML(kind, body)                                                                                        \
    "<?xml version='1.0' encoding='utf-8'?><graphml xmlns='http://graphml.graphdrawing.org/xmlns'>\n"         \
    "<key attr.name='distance' attr.type='double' for='edge' id='d9'/>\n"                                   \
    "<key attr.name='label' attr.type='string' for='node' id='d1'/>\n"                                      \
    "<key attr.name='id' attr.type='int' for='node' id='d2'/>\n"                                            \
    "<key attr.name='reserved' attr.type='string' for='edge' id='d4'/>\n"                                   \
    "<key attr.name='srlg' attr.type='string' for='edge' id='d5'/>\n"                                      \
    "<graph edgedefault='" kind "'>" body "</graph></graphml>\n"

#define NATIVE(nodes, links)                                                                                       \
    "?SNDlib native format; type: network; version: 1.0\n# a ring\nMETA (\n unit = GBITPERSEC\n origin = a (b) c\n)\n" \
    "NODES (\n" nodes ")\nLINKS (\n" links ")\nADMISSIBLE_PATHS ( )\n"

#define SNDLIB_XML(links)                                                                                          \
    "<?xml version='1.0' encoding='ISO-8859-1'?>\n<network xmlns='http://sndlib.zib.de/network'>\n"           \
    "<networkStructure><nodes><node id='M\xFCnster'/><node id='B'/><node id='C'/></nodes>\n<links>" links     \
    "</links></networkStructure></network>\n"

/** The same triangle A-B (10 km), B-C, A-C (2.5 km) in every format. */
static void every_format_gives_the_same_triangle(void)
{
    static const struct {
        const char *file, *text;
        int named, measured;
    } same[] = {
        {"t.graphml",
         GRAPHML("undirected",
                 "<node id='0'><data key='d1'>A</data><data key='d2'>7</data></node>"
                 "<node id='1'><data key='d1'>B</data></node><node id='2'><data key='d1'>C</data></node>"
                 "<edge source='0' target='1'><data key='d9'>10</data></edge><edge source='1' target='2'/>"
                 "<edge source='0' target='2'><data key='d9'>2.5</data></edge>"),
         1, 1},
        {"t.gml",
         "graph [ directed 0 node [ id 5 label 'A' ] node [ id 6 label 'B' ] node [ id 7 label 'C' ]\n"
         "edge [ source 5 target 6 length 10 ] edge [ source 6 target 7 ] edge [ source 5 target 7 km 2.5 ] ]\n",
         1, 1},
        {"t.json",
         "{'nodes':['A','B','C'],'links':[[0,1,10],['B','C'],{'from':'A','to':2,'km':2.5}]}", 1,
         1},
        {"t.json",
         "{'nodes':[{'id':0,'name':'A'},{'id':1,'name':'B'},{'id':2,'name':'C'}],'links':"
         "[{'source':0,'target':1,'length':10},{'source':1,'target':2},"
         "{'source':0,'target':2,'weight':2.5}]}",
         1, 1},
        {"t.txt", "# comment\nA B 10\nB,C\n\nA C 2.5\n", 1, 1},
        {"t.txt", "n 3 3\nv 0 A\nv 1 B\nv 2 C\ne 0 1 10\ne 1 2 0\ne 0 2 2.5\n", 1, 1},
        {"t.txt",
         "\xEF\xBB\xBF"
         "0 1 10\r\n1 2\r\n0 2 2.5\r\n",
         0, 1},
        {"t.txt",
         NATIVE(" A ( 1 2 )\n B ( 1.5 2 ) ( ) ( )\n C ( 0 0 )\n",
                " l1 ( A B ) 0 0 0 0 ( 40 1 80 2 )\n l2 ( B C ) 0 0 0 0 ( )\n l3 (A C) 0.00 0 0 0 ( ) # end\n"),
         1, 0},
        {"t.xml",
         SNDLIB_XML("<link id='1'><source>M\xFCnster</source><target>B</target></link>"
                    "<link id='2'><source> B </source><target>C</target></link>"
                    "<link id='3'><source>M\xFCnster</source><target>C</target></link>"),
         2, 0},
    };
    for (size_t i = 0; i < COUNT(same); i++) {
        rwa_network *net = read_as(same[i].file, same[i].text);
        static const uint32_t ends[][2] = {{0, 1}, {1, 2}, {0, 2}};
        static const double km[] = {10, 0, 2.5};
        CU_ASSERT_EQUAL(rwa_network_topology(net), RWA_GRAPH);
        CU_ASSERT_EQUAL(rwa_network_model(net), RWA_UNDIRECTED);
        CU_ASSERT_EQUAL(rwa_network_nodes(net), 3);
        CU_ASSERT_EQUAL_FATAL(rwa_network_links(net), 6);
        for (uint32_t e = 0; e < 3; e++) {
            rwa_link link = rwa_network_link(net, 2 * e);
            CU_ASSERT(link.from == ends[e][0] && link.to == ends[e][1]);
            CU_ASSERT_EQUAL(link.length_km, same[i].measured ? km[e] : 0);
        }
        const char *name = rwa_network_node_name(net, 0);
        CU_ASSERT(same[i].named ? name && strcmp(name, same[i].named == 2 ? "M\xC3\xBCnster" : "A") == 0 : !name);
    }
}

static void directed_files_keep_single_links(void)
{
    static const char *const files[][2] = {
        {"d.graphml", GRAPHML("directed", "<node id='a'/><node id='b'/><edge source='a' target='b'/>")},
        {"d.gml", "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]"},
        {"d.json", "{'directed':true,'nodes':2,'links':[[0,1]]}"}};
    for (size_t i = 0; i < 3; i++) {
        rwa_network *net = read_as(files[i][0], files[i][1]);
        CU_ASSERT_EQUAL(rwa_network_links(net), 1);
        CU_ASSERT_EQUAL(rwa_network_find_link(net, 0, 1), 0);
        CU_ASSERT_EQUAL(rwa_network_model(net), RWA_DIRECTED);
    }
}

static void parallel_links_stay_parallel(void)
{
    rwa_network *net =
        read_as("p.graphml", GRAPHML("undirected", "<node id='a'/><node id='b'/><edge source='a' target='b'/>"
                                                   "<edge source='b' target='a'/>"));
    CU_ASSERT_EQUAL(rwa_network_pairs(net), 2);
    CU_ASSERT_EQUAL(rwa_network_find_link(net, 0, 1), 0);
    CU_ASSERT_EQUAL(rwa_network_find_link(net, 1, 0), 1);
}

/** Two nodes with the label "-" are told apart by their ids, as in Topology Zoo files. */
static void doubled_labels_fall_back_to_ids(void)
{
    rwa_network *net = read_as("l.json", "{'nodes':[{'id':'x','label':'-'},{'id':'y','label':'-'},"
                                         "{'id':'z','label':'Ulm'}],'links':[['x','y'],['y','z']]}");
    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(net, 0), "x");
    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(net, 1), "y");
    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(net, 2), "Ulm");
    net = read_as("l.gml", "graph [ node [ id 1 label 5 ] node [ id 2 ] edge [ source 1 target 2 ] ]");
    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(net, 0), "5");
    CU_ASSERT_PTR_NULL(rwa_network_node_name(net, 1));
}

/** Node 1 of such a list is node 0 of the network. */
static void edge_lists_may_count_from_one(void)
{
    rwa_network *net = read_as("o.txt", "1 2\n2 3\n");
    CU_ASSERT_EQUAL(rwa_network_nodes(net), 3);
    CU_ASSERT_EQUAL(rwa_network_find_link(net, 1, 2), 2);
}

static void channel_sets_and_groups_are_read(void)
{
    rwa_network *net = read_as("c.json", "{'format':'rwa-network','version':1,'nodes':3,'links':["
                                         "{'from':0,'to':1,'fibers':2,'reserved':[0,'4-6']},"
                                         "{'from':1,'to':2,'fibers':2,'reserved':[{'fiber':1,'wavelengths':"
                                         "'3'}]}],'risk_groups':[[0,1]]}");
    const uint32_t *links = NULL;
    for (uint32_t fiber = 0; fiber < 2; fiber++)
        for (uint32_t w = 0; w < 8; w++) {
            CU_ASSERT_EQUAL(rwa_network_is_reserved(net, 1, fiber, w), w == 0 || (w >= 4 && w <= 6));
            CU_ASSERT_EQUAL(rwa_network_is_reserved(net, 2, fiber, w), fiber == 1 && w == 3);
        }
    CU_ASSERT_EQUAL(rwa_network_link(net, 0).fibers, 2);
    CU_ASSERT_EQUAL(rwa_network_risk_group(&links, net, 0), 4);
    net = read_as("c.graphml", GRAPHML("undirected", "<node id='a'/><node id='b'/><edge source='a' target='b'>"
                                                     "<data key='d4'>1, 3-4</data></edge>"));
    for (uint32_t w = 0; w < 6; w++)
        CU_ASSERT_EQUAL(rwa_network_is_reserved(net, 0, 0, w), w == 1 || w == 3 || w == 4);
}

/* Groups stand by the length of their names, then by the alphabet: so 9 comes before 10. */
static void risk_groups_of_graphml_are_read(void)
{
#define EDGE(from, to, groups) "<edge source='" from "' target='" to "'><data key='d5'>" groups "</data></edge>"
    rwa_network *net = read_as("r.graphml", GRAPHML("undirected", "<node id='a'/><node id='b'/><node id='c'/>"
                                                    EDGE("a", "b", "10, 9") EDGE("b", "c", "duct;9 9")
                                                    EDGE("a", "c", "")));
    static const uint32_t expected[3][4] = {{0, 1, 2, 3}, {0, 1}, {2, 3}};
    static const size_t counts[3] = {4, 2, 2};
    const uint32_t *links = NULL;
    CU_ASSERT_EQUAL_FATAL(rwa_network_risk_groups(net), 3);
    for (size_t g = 0; g < 3; g++) {
        CU_ASSERT_EQUAL_FATAL(rwa_network_risk_group(&links, net, g), counts[g]);
        CU_ASSERT_EQUAL(memcmp(links, expected[g], counts[g] * sizeof *links), 0);
    }
}

#define ELEMENT(uid, type) "{'uid':'" uid "','type':'" type "'},"
#define FIBER(uid, length, units) "{'uid':'" uid "','type':'Fiber','params':{'length':" \
    length ",'length_units':'" units "'}},"
#define JOIN(a, b) "{'from_node':'" a "','to_node':'" b "'}"

/** A - (30 km, fused both ways, 20 km) - B, and an amplified 7 km from B to C and back; transceivers are no nodes. */
#define GNPY                                                                            \
    "{'elements':["                                                                   \
    ELEMENT("trx A", "Transceiver") ELEMENT("A", "Roadm") ELEMENT("B", "Roadm")         \
    ELEMENT("C", "Roadm") FIBER("AF", "30", "km") FIBER("FA", "30", "km")               \
    FIBER("FB", "20000", "m") FIBER("BF", "20", "km") FIBER("BC", "7", "km")            \
    FIBER("CB", "7", "km") ELEMENT("amp", "Edfa") "{'uid':'F','type':'Fused'}]," \
    "'connections':["                                                                 \
    JOIN("trx A", "A") "," JOIN("A", "trx A") "," JOIN("A", "AF") "," JOIN("AF", "F")   \
    "," JOIN("F", "FB") "," JOIN("FB", "B") "," JOIN("B", "BF") "," JOIN("BF", "F")     \
    "," JOIN("F", "FA") "," JOIN("FA", "A") "," JOIN("B", "amp") "," JOIN("amp", "BC")  \
    "," JOIN("BC", "C") "," JOIN("C", "CB") "," JOIN("CB", "B") "]}"

static void gnpy_chains_become_links(void)
{
    rwa_network *net = read_as("g.json", GNPY);
    CU_ASSERT_EQUAL(rwa_network_nodes(net), 3);
    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(net, 2), "C");
    CU_ASSERT_EQUAL_FATAL(rwa_network_pairs(net), 2);
    CU_ASSERT_DOUBLE_EQUAL(rwa_network_link(net, rwa_network_find_link(net, 0, 1)).length_km, 50, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(rwa_network_link(net, rwa_network_find_link(net, 2, 1)).length_km, 7, 1e-9);
}

/** Its name says its nodes and links. */
static void builtin_networks_are_as_large_as_their_names_say(void)
{
    size_t count = 0;
    for (const char *name; (name = rwa_network_builtin(count)) != NULL; count++) {
        unsigned nodes = 0, links = 0;
        const char *digits = strrchr(name, '-');
        CU_ASSERT_PTR_NOT_NULL_FATAL(digits);
        links = (unsigned)strtoul(digits + 1, NULL, 10);
        while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        nodes = (unsigned)strtoul(digits, NULL, 10);
        const rwa_network *net = network_on("%s", name);
        CU_ASSERT_EQUAL(rwa_network_nodes(net), nodes);
        CU_ASSERT_EQUAL(rwa_network_pairs(net), links);
    }
    CU_ASSERT(count >= 20);
}

static rwa_status refuse_network(const char *path, rwa_error *err)
{
    rwa_network *net = NULL;
    rwa_status st = rwa_network_open(&net, path, NULL, err);
    CU_ASSERT_PTR_NULL(net);
    return st;
}

static void bad_graphml_is_told_in_a_line(void)
{
    static const char *const bad[][2] = {
        /* GraphML: truncated, empty, not XML, wrong root, two graphs, no direction, id twice, no id, unknown node,
           loop, negative or no number for a length, bytes that are not UTF-8, in two parts, one node, an edge of its
           own mind */
        {"<graphml><graph edgedefault='undirected'><node id='a'/><edge sou", ":1: "},
        {"", "empty"},
        {"graph {a -- b}", "expected XML"},
        {"<gexf/>", "<graphml>"},
        {"<graphml><graph edgedefault='undirected'/><graph edgedefault='undirected'/></graphml>", "one graph"},
        {"<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/><edge source='a' target='b'/><graph edge"
         "default='directed'><node id='c'/></graph></graph></graphml>", "no graph inside a graph"},
        {"<graphml><graph><node id='a'/></graph></graphml>", "edgedefault"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/>\n<node id='a'/>"), ":8: node \"a\" comes twice"},
        {GRAPHML("undirected", "<node/>"), "expected an id"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/>" EDGE("a", "b", "1,a-name-of-more-than-31-bytes-here")),
         "links[0]: risk group"},
        {GRAPHML("undirected", "<node id='a'/><edge source='a' target='b'/>"), "node \"b\" is unknown"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/><edge source='a' target='a'/>"), "itself"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/><edge source='a' target='b'>"
                               "<data key='d9'>-3</data></edge>"),
         "not negative"},
        {GRAPHML("undirected", "<node id='a'><data key='d1'>M\xFC</data></node>"), "UTF-8"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/><node id='c'/><node id='e'/><edge source='a' target='b'/>"
                               "<edge source='a' target='b'/><edge source='c' target='e'/>"),
         "connected"},
        {GRAPHML("undirected", "<node id='a'/>"), "at least 2"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/>" "<edge source='a' target='b' directed='true'/>"),
         "direction"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/><edge source='a' target='b'>"
                               "<data key='d4'>4-2</data></edge>"),
         "reserved"},
        {"<graphml><graph edgedefault='sideways'><node id='a'/></graph></graphml>", "edgedefault=\"directed\" or"},
        {GRAPHML("undirected", "<node id='a'/><node id='b'/><edge source='a'/>"), "a source and a target"},
        /* entities that blow up, and that read other files */
        {"<!DOCTYPE g [<!ENTITY a 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"
         "'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'><!ENT"
         "ITY e '&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;'><!ENTITY f '&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;'>]><graphml><"
         "graph edgedefault='undirected'><node id='&f;&f;&f;&f;'/></graph></graphml>", "expected XML"},
        {"<!DOCTYPE g [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><graphml><graph edgedefault='undirected'><node id='&x"
         ";'/></graph></graphml>", "external entity"},
    };
    refuse_texts("b.graphml", refuse_network, bad, COUNT(bad));
}

static void bad_gml_is_told_in_a_line(void)
{
    static const char *const bad[][2] = {
        {"graph [ node [ id 1 ] edge [ source 1 ] ]", "No 'target'"},
        {"graph [ node [ id 99999999999999999999 ] ]", "node id"},
        {"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 length 'far' ] ]", "number of km"},
        {"graph [ node [ id 1 ] node [ id 2 ] edge [ source 1", ":1: "},
        {"", "empty"},
        {"graph [\n node [ id 1 ]\n node [ id 1 ] ]", ":3: Duplicate"},
        {"graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "Unknown target"},
        {"graph [ node [ id 1 label 'M\xFC' ] ]", ":1: not UTF-8"},
        {"graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 length -1 ] ]", "not negative"},
        {"graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 capacity -1 ] ]", "capacity"},
        {"graph [ node [ id 1 ] node [ id 2 ] edge [ source 2 target 2 ] ]", "itself"},
    };
    refuse_texts("b.gml", refuse_network, bad, COUNT(bad));
}

static void bad_native_sndlib_files_are_told_in_a_line(void)
{
    static const char *const bad[][2] = {
        {"?SNDlib native format; type: model; version: 1.0\n", "type: network"},
        {"?SNDlib native format; type: network; version: 1.0\nNODES (\n A ( 1 2 )\n", "the file ends"},
        {NATIVE("A ( 1 2 )\nA ( 1 2 )\n", ""), ":9: node \"A\" comes twice"},
        {NATIVE("A ( 1 2 )\nB ( 1 2 )\n", "l ( A D ) 0 0 0 0 ( )\n"), ":12: node \"D\" is unknown"},
        {NATIVE("A ( 1 2 )\nB ( 1 2 )\n", "l ( A B ) -5 0 0 0 ( )\n"), "capacity that is not negative"},
        {NATIVE("A ( 1 2 )\nB ( 1 2 )\n", "l ( A B ) 0 0 0 0 ( -1 2 )\n"), "module capacity"},
        {NATIVE("A ( 1 x )\n", ""), ":8: \"x\", expected a coordinate"},
        {NATIVE("A ( 1 2 )\nB ( 1 2 )\n", "l ( A B ) 0 0 ( )\n"), "expected a routing cost"},
    };
    refuse_texts("b.txt", refuse_network, bad, COUNT(bad));
}

static void bad_sndlib_xml_is_told_in_a_line(void)
{
    static const char *const bad[][2] = {
        {SNDLIB_XML("<link id='1'><source>B</source></link>"), "<source> and <target>"},
        {SNDLIB_XML("<link id='1'><source>B</source><target>D</target></link>"), ":4: node \"D\" is unknown"},
        {SNDLIB_XML("<link id='1'><source>B</source><target>C</target>"
                    "<preInstalledModule><capacity>-1</capacity></preInstalledModule></link>"),
         "not negative"},
        {"<network>", ":1: "},
        {"<network/>", "<networkStructure>"},
    };
    refuse_texts("b.xml", refuse_network, bad, COUNT(bad));
}

static void bad_json_is_told_in_a_line(void)
{
    static const char *const bad[][2] = {
        {"{'nodes':2,'links':[[0,1]", ":1: "},
        {"{'nodes':2,\n'nodes':2,'links':[]}", ":2: "},
        {"[]", "an object"},
        {"{'nodes':2}", "\"links\""},
        {"{'nodes':-4,'links':[]}", "expected 2 to"},
        {"{'nodes':99999999999,'links':[]}", "expected 2 to"},
        {"{'nodes':10000000,'links':[[0,1]]}", "cannot be connected"},
        {"{'nodes':2,'links':[[0,2]]}", "links[0]: node \"2\" is unknown"},
        {"{'nodes':2,'links':[[0,1],[1,1]]}", "links[1]: a link from node 1 to itself"},
        {"{'nodes':2,'links':[[0,1,'far']]}", "number of km"},
        {"{'nodes':2,'links':[[0,1,-1]]}", "not negative"},
        {"{'nodes':2,'links':[[0,1,4294967296242]]}", "at most 1e+06"},
        {"{'nodes':2,'links':[{'from':0,'to':1,'fibers':0}]}", "at least 1"},
        {"{'nodes':2,'links':[{'from':0,'to':1,'capacity':-2}]}", "capacity"},
        {"{'nodes':2,'links':[{'from':0,'to':1,'reserved':'x'}]}", "0,3,8-15"},
        {"{'nodes':2,'links':[{'from':0,'to':1,'reserved':'0-1048575,0-1048575,0-1048575,0-1048575,0'}]}",
         "more than 4194304 reserved channels"},
        {"{'nodes':2,'links':[{'from':0,'to':1,'fibers':1048576,'reserved':'0-4'}]}",
         "more than 4194304 reserved channels"},
        {"{'nodes':2,'links':[{'from':0}]}", "\"to\""},
        {"{'nodes':['a','a'],'links':[[0,1]]}", "nodes[1]: node \"a\" comes twice"},
        {"{'nodes':4,'links':[[0,1],[0,1],[2,3]]}", "no way leads from node 0 to node 2"},
        {"{'format':'rwa-schedule','nodes':2,'links':[[0,1]]}", "rwa-network"},
        {"{'format':'rwa-network','version':2,'nodes':2,'links':[[0,1]]}", "\"version\": 1"},
        {"{'nodes':2,'links':[[0,1]],'risk_groups':[[1]]}", "risk_groups[0]: link 1"},
        {"{'nodes':['M\xFC','b'],'links':[[0,1]]}", ":1: not UTF-8"},
        {"{'elements':[{'uid':'a','type':'Roadm'},{'uid':'a','type':'Roadm'}],'connections':[]}", "comes twice"},
        {"{'elements':[" FIBER("f", "-2", "km") ELEMENT("g", "Fused") "{'uid':'a','type':'Roadm'}],'connections':[]}",
         "not negative"},
        {"{'elements':[{'uid':'a','type':'Roadm'}],'connections':[" JOIN("a", "b") "]}", "element \"b\" is unknown"},
        {"{'nodes':2,'links':[[0,1,1e999]]}", "overflow"},
        {"{'nodes':2.5,'links':[[0,1]]}", "a number of nodes"},
        {"{'nodes':2,'links':[[0,1]],'directed':'yes'}", "true or false"},
        {"{'nodes':2,'links':[[0,1]]} and more", "end of file expected"},
    };
    refuse_texts("b.json", refuse_network, bad, COUNT(bad));
}

static void bad_edge_lists_are_told_in_a_line(void)
{
    static const char *const bad[][2] = {
        {"0 1 nan\n", "expected a number"},
        {"0 1 inf\n", "expected a number"},
        {"\xFF\xFE" "0 1\n", ":1: not UTF-8"},
        {"", "empty"},
        {"# nothing\n", "no link"},
        {"0 1\n1\n", ":2: 1 word"},
        {"0 1 2 3\n", ":1: 4 words"},
        {"0 1 far\n", "expected a number"},
        {"0 1 -1\n", "not negative"},
        {"0 1\n1 1\n", ":2: a link from node 1 to itself"},
        {"0 1\n2 3\n0 1\n", "no way leads"},
        {"0 9999999\n", "cannot be connected"},
        {"n 10000000 1\nv 0 a\nv 1 b\ne 0 1 3\n", "expected the 10000000 and 1"},
        {"n 2 1\nv 1 a\n", ":2: node 1, expected node 0"},
        {"n 2 1\nv 0 a\nv 1 b\ne 0 2 3\n", ":4: node 2 is unknown"},
    };
    refuse_texts("b.txt", refuse_network, bad, COUNT(bad));
}

static void names_of_nothing_are_refused(void)
{
    rwa_network *net = NULL;
    CU_ASSERT_EQUAL(rwa_network_open(&net, "nsfnet", NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_open(&net, NULL, NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_open(&net, "/nowhere/net.graphml", NULL, NULL), RWA_IO);
    CU_ASSERT_EQUAL(rwa_network_open(&net, "/tmp", NULL, NULL), RWA_IO);
}

TESTS("network files", every_format_gives_the_same_triangle, directed_files_keep_single_links,
      parallel_links_stay_parallel, doubled_labels_fall_back_to_ids, edge_lists_may_count_from_one,
      channel_sets_and_groups_are_read, risk_groups_of_graphml_are_read, gnpy_chains_become_links,
      builtin_networks_are_as_large_as_their_names_say,
      bad_graphml_is_told_in_a_line, bad_gml_is_told_in_a_line, bad_native_sndlib_files_are_told_in_a_line,
      bad_sndlib_xml_is_told_in_a_line, bad_json_is_told_in_a_line, bad_edge_lists_are_told_in_a_line,
      names_of_nothing_are_refused)
