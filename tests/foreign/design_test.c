/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks and assignments written for other tools: read back, they are the same. */
#include "tests/support/assigning.h"
#include "tests/support/files.h"
#include "tests/support/folder.h"
#include "tests/support/same.h"

#include <jansson.h>

static rwa_network *through(const rwa_network *net, const char *format, const char *file)
{
    rwa_network *back = NULL;
    rwa_error err = {0};
    OK(rwa_network_write(net, format, in_dir(file), &err));
    OK(rwa_network_read(&back, in_dir(file), NULL, &err));
    return keep_network(back);
}

/** Fibre pair e of a network; both directions where links do not come in pairs. */
static rwa_link pair_at(const rwa_network *net, uint32_t e)
{
    rwa_topology kind = rwa_network_topology(net);
    bool halved = rwa_network_is_paired(net) && kind != RWA_RING && kind != RWA_LINE;
    return rwa_network_link(net, halved ? 2 * e : e);
}

/* ordered: the file keeps which end of a link came first, and the order of the links. */
static void expect_same(const rwa_network *a, const rwa_network *b, bool ordered, bool lengths, bool fibers)
{
    uint32_t pairs = rwa_network_is_paired(a) ? rwa_network_pairs(a) : rwa_network_links(a);
    CU_ASSERT_EQUAL_FATAL(rwa_network_nodes(a), rwa_network_nodes(b));
    CU_ASSERT_EQUAL_FATAL(rwa_network_links(a), rwa_network_links(b));
    CU_ASSERT_EQUAL_FATAL(rwa_network_is_paired(a), rwa_network_is_paired(b));
    for (uint32_t e = 0; e < pairs; e++) {
        rwa_link x = pair_at(a, e), y = pair_at(b, e);
        CU_ASSERT((x.from == y.from && x.to == y.to) || (!ordered && x.from == y.to && x.to == y.from));
        CU_ASSERT(!lengths || x.length_km == y.length_km);
        CU_ASSERT(!fibers || x.fibers == y.fibers);
    }
}

static const char *const specs[] = {"nsfnet14-21", "german17-24", "conus75-99", "ring:7",   "line:5",     "torus:3x4",
                                    "mesh:2x5",    "hypercube:3", "tree:2x3", "fat-tree:4", "circulant:9:1,4"};
enum { SPECS = COUNT(specs) };

static void expect_same_positions(const rwa_network *a, const rwa_network *b)
{
    rwa_position x, y;
    for (uint32_t v = 0; v < rwa_network_nodes(a); v++)
        if (rwa_network_position(&x, a, v))
            CU_ASSERT(rwa_network_position(&y, b, v) && x.x == y.x && x.y == y.y);
}

/* SNDlib has no fibres and rounds lengths; GNPy has spans of at most 80 km in place of links, which add up to them. */
static void networks_come_back(void)
{
    static const struct { const char *format, *file; bool ordered, whole; } formats[] = {
        {"graphml", "n.graphml", false, true}, {"json", "n.json", true, true}, {"sndlib", "n.txt", true, false}};
    for (size_t i = 0; i < SPECS; i++) {
        rwa_network *net = network_on("%s", specs[i]), *gnpy = through(net, "gnpy", "n.json");
        for (size_t f = 0; f < COUNT(formats); f++) {
            rwa_network *back = through(net, formats[f].format, formats[f].file);
            expect_same(net, back, formats[f].ordered, formats[f].whole, formats[f].whole);
            expect_same_positions(net, back);
            for (uint32_t v = 0; formats[f].whole && v < rwa_network_nodes(net); v++)
                if (rwa_network_node_name(net, v))
                    CU_ASSERT_STRING_EQUAL(rwa_network_node_name(back, v), rwa_network_node_name(net, v));
        }
        CU_ASSERT_EQUAL(rwa_network_links(gnpy), rwa_network_links(net));
        CU_ASSERT_EQUAL(rwa_network_pairs(gnpy), rwa_network_pairs(net));
        expect_same_positions(net, gnpy);
        for (uint32_t l = 0; l < rwa_network_links(net); l++) {
            rwa_link link = rwa_network_link(net, l);
            uint32_t there = rwa_network_find_link(gnpy, link.from, link.to);
            if (link.length_km > 0)
                CU_ASSERT_DOUBLE_EQUAL(rwa_network_link(gnpy, there).length_km, link.length_km, 1e-5);
        }
    }
}

/* Directed links, parallel ones, own fibres, reserved channels and risk groups; names that need marks. */
static void all_that_a_network_has_is_kept(void)
{
    static const char *const lines[] = {"links:0>1x2@2.5,1>2,0>1x3@1", "links:0-1x2@2.5,1-2,0-1x3@1"};
    static const char *const names[] = {"A & \"B\"", "<c>", "\xc3\xa4"};
    static const rwa_reserved reserved[] = {{0, 0, 3}, {0, 1, 3}, {1, 0, 0}};
    static const uint32_t risk[] = {0, 2};
    static const rwa_risk_group group = {risk, 2};
    for (int both = 0; both < 2; both++) {
        struct request r = request_of("%s", lines[both]);
        r.network.node_names = names;
        r.network.reserved = reserved;
        r.network.reserved_count = 3;
        r.network.risk_groups = &group;
        r.network.risk_group_count = 1;
        rwa_network *net = request_network(r);
        for (int json = 0; json < 2; json++) {
            rwa_network *back = json ? through(net, "json", "n.json") : through(net, "graphml", "n.graphml");
            const rwa_reserved *a, *b;
            expect_same_network(net, back);
            CU_ASSERT_EQUAL(rwa_network_is_paired(net), rwa_network_is_paired(back));
            size_t count = rwa_network_reserved(&a, net);
            CU_ASSERT_EQUAL_FATAL(rwa_network_reserved(&b, back), count);
            CU_ASSERT_EQUAL(memcmp(a, b, count * sizeof *a), 0);
        }
        CU_ASSERT_EQUAL(rwa_network_write(net, "sndlib", in_dir("x"), NULL), both ? RWA_OK : RWA_BADARG);
        OK(rwa_network_write(net, "gnpy", in_dir("x"), NULL));
    }
}

/* A star has one coupler, a switched network its switches: further nodes, each joined to all. */
static void networks_of_one_hop_show_their_hubs(void)
{
    static const struct {
        const char *spec;
        uint32_t nodes, hubs;
    } cases[] = {{"star:8", 8, 1}, {"ron:5", 5, 1}, {"ocs:6x3", 6, 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        rwa_network *net = network_on("%s", cases[i].spec), *back = through(net, "graphml", "n.graphml");
        CU_ASSERT_EQUAL(rwa_network_nodes(back), cases[i].nodes + cases[i].hubs);
        CU_ASSERT_EQUAL(rwa_network_pairs(back), cases[i].nodes * cases[i].hubs);
        CU_ASSERT_EQUAL(rwa_network_write(net, "json", in_dir("x"), NULL), RWA_BADARG);
        CU_ASSERT_EQUAL(rwa_network_write(net, "sndlib", in_dir("x"), NULL), RWA_BADARG);
    }
    rwa_network *net = network_on("ring:5");
    CU_ASSERT_EQUAL(rwa_network_write(net, "excel", in_dir("x"), NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_network_write(net, "graphml", in_dir("none/x"), NULL), RWA_IO);
}

/* The file gives the same network and demands, and so the same wavelengths. */
static void sndlib_gives_the_same_demands(void)
{
    static const double rates[] = {40e9, 100e9, 2.5e9};
    for (size_t i = 0; i < COUNT(rates); i++) {
        struct request r = request_of("german17-24 undirected random=40,7");
        rwa_network *back = NULL;
        rwa_demands *same = NULL;
        r.network.rate_bps = rates[i];
        rwa_assignment *result = assignment_for(r);
        const rwa_demands *demands = rwa_assignment_demands(result);
        OK(rwa_assignment_export(result, "sndlib", in_dir("a.txt"), NULL, NULL));
        OK(rwa_network_read(&back, in_dir("a.txt"), &r.network, NULL));
        OK(rwa_demands_read(&same, in_dir("a.txt"), keep_network(back), RWA_UNDIRECTED, NULL));
        CU_ASSERT_EQUAL_FATAL(rwa_demands_count(keep_demands(same)), rwa_demands_count(demands));
        CU_ASSERT(memcmp(rwa_demands_list(same), rwa_demands_list(demands), 40 * sizeof(rwa_demand)) == 0);
        CU_ASSERT_EQUAL(rwa_assignment_summary(assign_demands(back, same, NULL))->wavelengths,
                        rwa_assignment_summary(result)->wavelengths);
    }
}

/* A schedule's lightpaths, as demands: 56 of an all-gather on 8 nodes, not 40 for each. */
static void schedules_become_as_many_demands(void)
{
    static const char *const networks[] = {"ring:8", "line:8", "torus:2x4", "hypercube:3"};
    for (size_t i = 0; i < COUNT(networks); i++) {
        const rwa_schedule *sched = schedule_on("%s w=2", networks[i]);
        rwa_network *back = NULL;
        rwa_demands *demands = NULL;
        OK(rwa_schedule_export(sched, "sndlib", in_dir("s.txt"), NULL, NULL));
        OK(rwa_network_read(&back, in_dir("s.txt"), NULL, NULL));
        keep_network(back);
        expect_same(rwa_schedule_network(sched), back, true, false, false);
        OK(rwa_demands_read(&demands, in_dir("s.txt"), back, RWA_DIRECTED, NULL));
        CU_ASSERT_EQUAL(rwa_demands_lightpaths(demands), rwa_schedule_lightpaths(sched));
        rwa_demands_free(demands);
    }
}

static void a_table_has_a_row_for_each_route(void)
{
    rwa_assignment *result = assignment_on("nsfnet14-21");
    OK(rwa_assignment_export(result, "csv", in_dir("a.csv"), NULL, NULL));
    OK(rwa_assignment_export(result, "table", in_dir("a.tab"), NULL, NULL));
    char *csv = text_of(in_dir("a.csv")), *table = text_of(in_dir("a.tab"));
    CU_ASSERT_EQUAL(count_of(csv, "\n"), 92);
    CU_ASSERT_EQUAL(count_of(table, "\n"), 92);
    expect_part(csv, "Seattle (WA) - Palo Alto (CA)");
    CU_ASSERT_EQUAL(rwa_assignment_export(result, "excel", in_dir("x"), NULL, NULL), RWA_BADARG);
    CU_ASSERT_EQUAL(rwa_assignment_export(result, "csv", in_dir("none/x"), NULL, NULL), RWA_IO);
    CU_ASSERT_EQUAL(rwa_assignment_export(result, "openconfig", in_dir("x"), NULL, NULL), RWA_BADARG); /* no device */
    free(csv);
    free(table);
}

static json_t *load(const char *name)
{
    json_error_t why;
    json_t *document = json_load_file(in_dir(name), 0, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(document);
    return document;
}

/* A slot is 193.1 THz + N x 6.25 GHz: of the device's grid, with the device's rate. */
static void requests_have_the_slots_and_the_rate_of_the_device(void)
{
    rwa_assignment *result = assignment_on("ring:5");
    rwa_device *device = device_named("onoc-typical");
    rwa_export_options o = exporting(device);
    OK(rwa_assignment_export(result, "gnpy", in_dir("gnpy"), &o, NULL));
    json_t *services = load("gnpy/services.json"), *request;
    size_t i;
    CU_ASSERT_EQUAL(json_array_size(json_object_get(services, "path-request")), rwa_assignment_count(result));
    json_array_foreach(json_object_get(services, "path-request"), i, request) {
        const json_t *te = json_object_get(json_object_get(request, "path-constraints"), "te-bandwidth");
        const json_t *slot = json_array_get(json_object_get(te, "effective-freq-slot"), 0);
        rwa_route r;
        rwa_assignment_get(&r, result, i);
        double ghz = 193100 + 6.25 * (double)json_integer_value(json_object_get(slot, "N"));
        CU_ASSERT_DOUBLE_EQUAL(ghz, rwa_device_frequency_ghz(device, r.wavelength), 1e-6);
        CU_ASSERT_EQUAL(json_number_value(json_object_get(te, "path_bandwidth")), rwa_device_rate_bps(device));
    }
    json_decref(services);
    CU_ASSERT_EQUAL(rwa_assignment_export(result, "gnpy", in_dir("gnpy"), &o, NULL), RWA_BADARG); /* exists */
}

/* Slots 7 … 9 of a flexible grid from 191.35 THz: centred at 191.35 THz + 8.5 x 12.5 GHz = 193.1 THz - 263 x 6.25 GHz;
 * from 191.35 THz + 7 * 12.5 GHz to 3 * 12.5 GHz above. */
static void slots_of_a_flexible_grid_have_their_frequencies(void)
{
    static const uint32_t link = 0, width = 3;
    static const double rate = 100e9;
    struct request r = request_of("mesh:2x2 undirected slot=12.5e9 pairs=0>1 widths=3");
    const rwa_network *net = request_network(r);
    rwa_demands *demands = NULL;
    rwa_assignment *result = NULL;
    rwa_route route = {.hops = 1, .links = &link, .wavelength = 7};
    OK(rwa_demands_with_rates(&demands, request_demands(&r, net), &rate, NULL));
    OK(rwa_assignment_create(&result, net, keep_demands(demands), RWA_UNDIRECTED, NULL));
    OK(rwa_assignment_add_wide(result, &route, width, 0, NULL));
    OK(rwa_assignment_export(result, "gnpy", in_dir("flexible"), NULL, NULL));
    json_t *services = load("flexible/services.json");
    const json_t *request = json_array_get(json_object_get(services, "path-request"), 0);
    const json_t *te = json_object_get(json_object_get(request, "path-constraints"), "te-bandwidth");
    const json_t *slot = json_array_get(json_object_get(te, "effective-freq-slot"), 0);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(slot, "N")), -263);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(slot, "M")), 3);
    CU_ASSERT_EQUAL(json_number_value(json_object_get(te, "path_bandwidth")), rate);
    json_decref(services);
    OK(rwa_assignment_export(result, "openconfig", in_dir("media"), NULL, NULL));
    CU_ASSERT_EQUAL(rwa_assignment_export(result, "openconfig", in_dir("media"), NULL, NULL), RWA_BADARG);
    char *text = text_of(in_dir("media/n0.json"));
    expect_part(text, "\"lower-frequency\":\"191437500\",\"upper-frequency\":\"191475000\"");
    free(text);
    rwa_assignment_free(result);
}

static rwa_assignment *assign_wide(struct request r)
{
    r.network.slot_hz = RWA_SLOT_HZ;
    for (uint32_t i = 0; i < 40; i++)
        r.widths.at[r.widths.count++] = 1 + i % 5;
    return assignment_for(r);
}

/* A lightpath of h hops is a channel on h + 1 nodes, undirected both ways; the independent check of documents finds no
   overlap. */
static void documents_hold_every_lightpath(void)
{
    static const char *const lines[] = {"nsfnet14-21 undirected", "nsfnet14-21 directed guard=1", "ring:6 directed",
                                        "ring:5 undirected guard=1"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        char folder[16], path[48];
        rwa_assignment *r = assign_wide(request_of("%s random=40,5", lines[i]));
        uint64_t expected = 0, channels = 0;
        snprintf(folder, sizeof folder, "wide-%zu", i);
        OK(rwa_assignment_export(r, "openconfig", in_dir(folder), NULL, NULL));
        for (uint64_t k = 0; k < rwa_assignment_count(r); k++) {
            rwa_route route;
            rwa_assignment_get(&route, r, k);
            expected += (route.hops + 1) * (rwa_assignment_model(r) == RWA_UNDIRECTED ? 2 : 1);
        }
        for (uint32_t v = 0; v < rwa_network_nodes(rwa_assignment_network(r)); v++) {
            rwa_media_check *check = NULL;
            snprintf(path, sizeof path, "%s/n%u.json", folder, v);
            OK(rwa_media_check_file(&check, in_dir(path), NULL, NULL));
            CU_ASSERT_TRUE(rwa_media_check_summary(check)->ok);
            channels += rwa_media_check_summary(check)->channels;
            rwa_media_check_free(check);
        }
        CU_ASSERT_EQUAL(channels, expected);
    }
}

TESTS_IN_FOLDER("design", networks_come_back, all_that_a_network_has_is_kept,
                networks_of_one_hop_show_their_hubs, sndlib_gives_the_same_demands, schedules_become_as_many_demands,
                a_table_has_a_row_for_each_route,
                requests_have_the_slots_and_the_rate_of_the_device, slots_of_a_flexible_grid_have_their_frequencies,
                documents_hold_every_lightpath)
