/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the calls of every_export.h are made with. */
#ifndef SUPPORT_EXPORT_WORLD_H
#define SUPPORT_EXPORT_WORLD_H

/* ---- the world ---- */

static void put(char *path, const char *name, const char *text)
{
    snprintf(path, 64, "%s/%s", w.folder, name);
    if (text)
        OK(rwa_text_write(text, path, NULL));
}

static void make_files(void)
{
    strcpy(w.folder, "/tmp/rwa-api-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(w.folder));
    put(w.output, "output", NULL);
    put(w.output_gz, "output.gz", NULL);
    put(w.schedule_file, "schedule.jsonl.gz", NULL);
    put(w.assignment_file, "assignment.jsonl", NULL);
    put(w.openconfig_file, "openconfig.json", NULL);
    put(w.table_file, "table.csv", NULL);
    put(w.network_file, "network.json", "{\"nodes\":[\"A\",\"B\",\"C\"],\"links\":[[0,1,10],[1,2],[2,0]]}");
    put(w.demands_file, "demands.csv", "src,dst,count\n0,1,2\n2,3\n");
    put(w.traffic_file, "traffic.json", "{\"nodes\":3,\"flows\":[[0,1,1e6],[1,2,5e5]]}");
    put(w.tasks_file, "tasks.json",
        "{\"tasks\":[{\"name\":\"A\",\"duration\":4,\"gradient\":8},{\"duration\":1},{\"name\":\"C\",\"duration\":3},"
        "{\"name\":\"D\",\"duration\":2}],\"edges\":[[\"A\",1,8],[1,\"C\",8],[\"A\",\"D\",3],[\"C\",\"D\",8]]}");
}

static void set_options(void)
{
    rwa_network_options_init(&w.graph);
    w.graph.both_ways = 1;
    w.graph.node_names = three_names;
    rwa_assignment_options_init(&w.assign);
    rwa_check_options_init(&w.checking);
    w.checking.device = w.device;
    rwa_cost_options_init(&w.cost);
    w.cost.model = RWA_COST_CIRCUIT;
    rwa_export_options_init(&w.exporting);
    w.exporting.device = w.device;
    rwa_paper_options_init(&w.reproducing);
    w.reproducing.schedules = 0;
    w.reproducing.item = "table-1";
    rwa_placement_options_init(&w.placing);
    w.placing.devices = 4;
    rwa_plan_options_init(&w.planning);
    w.planning.scheme = "optree";
    rwa_allocation_options_init(&w.ringing);
    w.ringing.method = RWA_RING_FLOW;
    rwa_solver_options_init(&w.solving);
    rwa_view_options_init(&w.viewing);
    w.viewing.device = w.device;
    w.turning = (rwa_lightpath){.step = 1, .src = 0, .dst = 1, .orbit = 7, .period = 7};
    w.lights[0] = (rwa_lightpath){.step = 1, .src = 0, .dst = 3, .orbit = 1};
    w.lights[1] = (rwa_lightpath){.step = 1, .src = 3, .dst = 5, .orbit = 1};
}

static void make_playbooks(void)
{
    rwa_collective two;
    rwa_network *net = NULL;
    rwa_lightpath lp = {.step = 1, .src = 0, .dst = 1, .orbit = 1};
    OK(rwa_network_parse(&net, "line:2", NULL, NULL));
    OK(rwa_collective_init(&two, RWA_BROADCAST, 2, 0, 1000, 0, NULL));
    OK(rwa_schedule_create(&w.pair, net, &two, "pair", NULL));
    OK(rwa_schedule_add(w.pair, &lp, NULL));
    rwa_network_free(net);
    snprintf(w.plays_folder, sizeof w.plays_folder, "%.50s/plays", w.folder);
    OK(rwa_playbook_make(w.plays_folder, w.sched, RWA_FAILED_LINK, NULL, NULL));
    OK(rwa_playbook_read(&w.plays, w.plays_folder, NULL, NULL));
}

static void make_plans(void)
{
    OK(rwa_network_parse(&w.ring, "ring:7", NULL, NULL));
    OK(rwa_network_parse(&w.torus, "torus:3x3", NULL, NULL));
    OK(rwa_network_parse(&w.mesh, "mesh:2x2", NULL, NULL));
    OK(rwa_collective_init(&w.seven, RWA_ALL_GATHER, 7, 0, 1000, 0, NULL));
    OK(rwa_collective_init(&w.nine, RWA_BROADCAST, 9, 4, 1000, 2, NULL));
    OK(rwa_plan_make(&w.plan, w.ring, &w.seven, &w.planning, NULL));
    w.sched = rwa_plan_schedule(w.plan);
    make_playbooks();
    OK(rwa_settings_make(&w.settings, w.sched, 1, RWA_NONE, NULL, NULL));
    OK(rwa_schedule_write(w.sched, w.schedule_file, NULL));
    OK(rwa_reader_open(&w.reader, w.schedule_file, NULL, NULL));
    OK(rwa_schedule_export(w.sched, "csv", w.table_file, NULL, NULL));
    OK(rwa_paper_make(&w.paper, "optree", &w.reproducing, NULL));
    rwa_export_options one = w.exporting;
    one.step = 1;
    one.node = 1;
    OK(rwa_schedule_export(w.sched, "openconfig", w.openconfig_file, &one, NULL));
}

/** One lightpath over 80 km, with its format. */
static void make_modulated(void)
{
    static const rwa_link link = {0, 1, 80, 1};
    static const rwa_demand demand = {0, 1, 1, RWA_NONE};
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_route route = {.hops = 1, .links = &(uint32_t){0}};
    OK(rwa_network_create_graph(&net, 2, &link, 1, NULL, NULL));
    OK(rwa_demands_create(&demands, 2, &demand, 1, NULL));
    OK(rwa_assignment_create(&w.modulated, net, demands, RWA_DIRECTED, NULL));
    OK(rwa_assignment_add(w.modulated, &route, NULL));
    OK(rwa_assignment_set_modulation(w.modulated, 0, "QPSK-32", NULL));
    rwa_demands_free(demands);
    rwa_network_free(net);
}

static void make_world(void)
{
    make_files();
    OK(rwa_device_open(&w.device, "synthetic-64", NULL));
    OK(rwa_fiber_profile_open(&w.fiber, "ssmf", NULL));
    OK(rwa_modulations_open(&w.modulations, "coherent", NULL));
    OK(rwa_transmission_create(&w.transmission, w.modulations, w.fiber, 0, NULL));
    make_modulated();
    set_options();
    make_plans();
    OK(rwa_demands_all_to_all(&w.demands, 4, RWA_DIRECTED, NULL));
    w.assign.model = RWA_DIRECTED;
    OK(rwa_assignment_make(&w.assigned, w.mesh, w.demands, &w.assign, NULL));
    OK(rwa_assignment_write(w.assigned, w.assignment_file, NULL));
    rwa_state_options_init(&w.keeping);
    w.keeping.history = 4;
    rwa_request_init(&w.request, 0, 3);
    OK(rwa_state_create(&w.state, w.mesh, &w.keeping, NULL));
    OK(rwa_state_add(&w.placed, w.state, &w.request, NULL));
    OK(rwa_traffic_create(&w.traffic, 7, flows, 3, NULL));
    OK(rwa_circuits_make(&w.circuits, w.traffic, 2, NULL, NULL));
    OK(rwa_allocation_make(&w.lightpaths, w.traffic, w.ring, &w.ringing, NULL));
    OK(rwa_tasks_read(&w.tasks, w.tasks_file, NULL));
    OK(rwa_placement_make(&w.placement, w.tasks, &w.placing, NULL));
    OK(rwa_placement_traffic(&w.placed_traffic, w.placement, NULL));
    OK(rwa_circuits_make(&w.placed_circuits, w.placed_traffic, 4, NULL, NULL));
    OK(rwa_bounds_make(&w.bounds, w.ring, &w.seven, NULL, NULL));
    OK(rwa_media_check_file(&w.media, w.openconfig_file, w.device, NULL));
}

static void free_world(void)
{
    char *const files[] = {w.output, w.output_gz, w.schedule_file, w.assignment_file, w.network_file, w.demands_file,
                           w.openconfig_file, w.traffic_file, w.tasks_file, w.table_file};
    rwa_media_check_free(w.media);
    rwa_bounds_free(w.bounds);
    rwa_state_free(w.state);
    rwa_reader_free(w.reader);
    rwa_playbook_free(w.plays);
    rwa_schedule_free(w.pair);
    rwa_paper_free(w.paper);
    rwa_circuits_free(w.placed_circuits);
    rwa_traffic_free(w.placed_traffic);
    rwa_placement_free(w.placement);
    rwa_tasks_free(w.tasks);
    rwa_allocation_free(w.lightpaths);
    rwa_circuits_free(w.circuits);
    rwa_traffic_free(w.traffic);
    rwa_assignment_free(w.assigned);
    rwa_demands_free(w.demands);
    rwa_assignment_free(w.modulated);
    rwa_transmission_free(w.transmission);
    rwa_modulations_free(w.modulations);
    rwa_fiber_profile_free(w.fiber);
    rwa_device_free(w.device);
    rwa_settings_free(w.settings);
    rwa_plan_free(w.plan);
    rwa_network_free(w.mesh);
    rwa_network_free(w.torus);
    rwa_network_free(w.ring);
    for (size_t i = 0; i < COUNT(files); i++)
        unlink(files[i]);
    char line[96];
    snprintf(line, sizeof line, "rm -rf %s", w.plays_folder);
    CU_ASSERT_EQUAL(system(line), 0);
    CU_ASSERT_EQUAL(rmdir(w.folder), 0); /* no call left a file of its own */
}

#endif
