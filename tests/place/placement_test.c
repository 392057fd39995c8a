/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Placements: every distance, every start and every device recounted from the task graph alone. */
#include "tests/support/placing.h"
#include "tests/support/random.h"
#include "tests/support/refused.h"

KEEPER(tasks)
KEEPER(placement)

struct graph {
    rwa_task *task;
    rwa_task_edge *edge;
    size_t tasks, edges, room;
};

static uint32_t add_task(struct graph *g, double duration)
{
    g->task = realloc(g->task, (g->tasks + 1) * sizeof *g->task);
    g->task[g->tasks] = (rwa_task){duration, 1e6, 1e5};
    return (uint32_t)g->tasks++;
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to, double bytes)
{
    if (g->edges == g->room) {
        g->room = g->room ? 2 * g->room : 64;
        g->edge = realloc(g->edge, g->room * sizeof *g->edge);
    }
    g->edge[g->edges++] = (rwa_task_edge){from, to, bytes};
}

static rwa_tasks *build(struct graph *g)
{
    rwa_tasks *t = NULL;
    OK(rwa_tasks_create(&t, g->task, NULL, g->tasks, g->edge, g->edges, NULL));
    free(g->task);
    free(g->edge);
    return keep_tasks(t);
}

struct by_start {
    double start, end;
    uint32_t device;
};

COMPARATOR(order, struct by_start, UP(device) UP(start) UP(end))

/** Distances, precedence, one task at a time on a device, and the figures of the summary. */
static void placement_is_right(const rwa_placement *p, const rwa_tasks *t, uint32_t k, uint32_t distance)
{
    size_t n = rwa_tasks_count(t), far = 0, early = 0, clash = 0;
    struct by_start *list = calloc(n, sizeof *list);
    double last = 0;
    for (size_t i = 0; i < n; i++) {
        double start = rwa_placement_start(p, i);
        list[i] = (struct by_start){start, start + rwa_tasks_task(t, i).duration_s, rwa_placement_device(p, i)};
        CU_ASSERT_FATAL(list[i].device < k);
        last = fmax(last, list[i].end);
    }
    for (size_t e = 0; e < rwa_tasks_edges(t); e++) {
        rwa_task_edge edge = rwa_tasks_edge(t, e);
        far += (list[edge.to].device + k - list[edge.from].device) % k > distance;
        early += list[edge.to].start < list[edge.from].end;
    }
    qsort(list, n, sizeof *list, order);
    for (size_t i = 1; i < n; i++)
        clash += list[i].device == list[i - 1].device && list[i].start < list[i - 1].end;
    CU_ASSERT_EQUAL(far, 0);
    CU_ASSERT_EQUAL(early, 0);
    CU_ASSERT_EQUAL(clash, 0);
    CU_ASSERT_DOUBLE_EQUAL(rwa_placement_summary(p)->makespan_s, last, 1e-9 * last);
    CU_ASSERT_TRUE(last >= rwa_placement_summary(p)->bound_s * (1 - 1e-9));
    free(list);
}

/** No node sends to more than `degree` others, nor receives from more. */
static void degrees_are_kept(const rwa_traffic *t, uint32_t degree)
{
    uint32_t n = rwa_traffic_nodes(t);
    uint32_t *out = calloc(n, sizeof *out), *in = calloc(n, sizeof *in);
    for (size_t i = 0; i < rwa_traffic_flows(t); i++) {
        out[rwa_traffic_flow(t, i).src]++;
        in[rwa_traffic_flow(t, i).dst]++;
    }
    for (uint32_t v = 0; v < n; v++)
        CU_ASSERT_TRUE(out[v] <= degree && in[v] <= degree);
    free(out);
    free(in);
}

static rwa_placement *place(const rwa_tasks *t, uint32_t k, uint32_t replicas, uint32_t degree)
{
    rwa_placement *p = NULL;
    rwa_placement_options o;
    rwa_placement_options_init(&o);
    o.devices = k;
    o.replicas = replicas;
    o.degree = degree;
    OK(rwa_placement_make(&p, t, &o, NULL));
    return keep_placement(p);
}

/* SiP-ML, Figure 4: four operations in sequence, k = 4, l = 2, D = 3, hence Delta = 2.  A operation without parts (B)
   can hand its result to at most Delta + 1 devices, so the four parts of C cannot all run at once. */
static void the_papers_setting_keeps_its_degree(void)
{
    rwa_tasks *whole = NULL, *t = NULL;
    rwa_traffic *traffic = NULL;
    rwa_iteration it;
    static const char *const names[] = {"A", "B", "C", "D"};
    rwa_task ops[] = {{4e-3, 8e6, 4e6}, {1e-3, 2e6, 1e6}, {4e-3, 8e6, 4e6}, {2e-3, 4e6, 2e6}};
    rwa_task_edge edges[] = {{0, 1, 8e6}, {1, 2, 8e6}, {2, 3, 8e6}};
    OK(rwa_tasks_create(&whole, ops, names, 4, edges, 3, NULL));
    OK(rwa_tasks_split(&t, keep_tasks(whole), 1e-3, 4, NULL));
    keep_tasks(t);
    CU_ASSERT_EQUAL(rwa_tasks_count(t), 4 + 1 + 4 + 2);
    CU_ASSERT_EQUAL(rwa_tasks_edges(t), 4 * 1 + 1 * 4 + 4 * 2);
    CU_ASSERT_STRING_EQUAL(rwa_tasks_name(t, 0), "A.1");
    CU_ASSERT_STRING_EQUAL(rwa_tasks_name(t, 4), "B");
    rwa_placement *p = place(t, 4, 2, 3);
    CU_ASSERT_EQUAL(rwa_placement_summary(p)->distance, 2);
    placement_is_right(p, t, 4, 2);
    OK(rwa_placement_traffic(&traffic, p, NULL));
    keep_traffic(traffic);
    CU_ASSERT_EQUAL(rwa_traffic_nodes(traffic), 8);
    degrees_are_kept(traffic, 3);
    rwa_circuits *circuits = circuits_of(traffic, 3, NULL);
    CU_ASSERT_EQUAL(rwa_circuits_summary(circuits)->outcome, RWA_OPTIMAL);
    OK(rwa_placement_time(&it, p, circuits, 25e9, NULL));
    CU_ASSERT_TRUE(it.compute_s >= rwa_placement_summary(p)->makespan_s);
    /* no pair ends before its bytes have gone over its circuits one after the other */
    CU_ASSERT_TRUE(it.time_s >= rwa_circuits_summary(circuits)->load_bytes * 8 / 25e9);
}

/* Two replicas of a chain A -> B that one device holds: only gradients travel, 2 (l-1)/l of them: all, for l = 2. */
static void replicas_send_what_a_ring_all_reduce_sends(void)
{
    struct graph g = {0};
    rwa_traffic *traffic = NULL;
    rwa_iteration it;
    add_task(&g, 1);
    add_task(&g, 1);
    add_edge(&g, 0, 1, 1e6);
    rwa_tasks *t = build(&g);
    rwa_placement *p = place(t, 1, 2, 1);
    OK(rwa_placement_traffic(&traffic, p, NULL));
    keep_traffic(traffic);
    CU_ASSERT_EQUAL(rwa_traffic_flows(traffic), 2);
    CU_ASSERT_EQUAL(rwa_traffic_flow(traffic, 0).bytes, 2e5);
    rwa_circuits *circuits = circuits_of(traffic, 1, NULL);
    OK(rwa_placement_time(&it, p, circuits, 8e5, NULL));
    CU_ASSERT_DOUBLE_EQUAL(it.compute_s, 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(it.reduce_s, 2, 1e-12);
}

/* Random graphs with long edges need many repairs; the distances must hold all the same, for every Delta. */
static void repairs_end_and_leave_no_distance_too_long(void)
{
    uint64_t repairs = 0;
    seed = 11;
    for (int round = 0; round < 300; round++) {
        struct graph g = {0};
        uint32_t k = 2 + any(15), n = 2 + any(200);
        uint32_t distance = any(k), fan = 1 + any(4);
        uint64_t window = any(2) ? 8 : n;
        for (uint32_t v = 0; v < n; v++) {
            add_task(&g, 1 + any(9));
            for (uint32_t e = 0; e < fan && v > 0; e++)
                if (any(8) > 0)
                    add_edge(&g, v - 1 - any(v < window ? v : window), v, 100);
        }
        rwa_tasks *t = build(&g);
        rwa_placement *p = place(t, k, 2, distance + 1);
        CU_ASSERT_EQUAL(rwa_placement_summary(p)->distance, distance);
        placement_is_right(p, t, k, distance);
        repairs += rwa_placement_summary(p)->repairs;
    }
    CU_ASSERT_TRUE(repairs > 300);
}

/* Without a degree any list schedule is within twice the bound (Graham 1966: T <= work / k + critical path). */
static void without_a_degree_the_makespan_is_grahams(void)
{
    seed = 5;
    for (int round = 0; round < 50; round++) {
        struct graph g = {0};
        uint32_t n = 100;
        for (uint32_t v = 0; v < n; v++) {
            add_task(&g, 1 + any(9));
            if (v > 0 && any(3) > 0)
                add_edge(&g, any(v), v, 1);
        }
        rwa_tasks *t = build(&g);
        rwa_placement *p = place(t, 5, 1, 0);
        placement_is_right(p, t, 5, 4);
        CU_ASSERT_TRUE(rwa_placement_summary(p)->makespan_s <= 2 * rwa_placement_summary(p)->bound_s);
    }
}

/** Layers of `width` parts each, each part read by `fan` of the next layer (all of them: fan = width). */
static rwa_tasks *layered(uint32_t layers, uint32_t width, uint32_t fan)
{
    struct graph g = {0};
    for (uint32_t l = 0; l < layers; l++)
        for (uint32_t i = 0; i < width; i++) {
            uint32_t v = add_task(&g, 1e-5 * (90 + any(20)));
            for (uint32_t f = 0; f < fan && l > 0; f++)
                add_edge(&g, (l - 1) * width + (i + f) % width, v, 1e5);
        }
    return build(&g);
}

static void twenty_thousand_tasks_on_64_devices_take_seconds(void)
{
    static const uint32_t shapes[][4] = {{1250, 16, 16, 32}, {400, 50, 4, 8}, {312, 64, 64, 16}, {20000, 1, 1, 4}};
    seed = 9;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        rwa_tasks *t = layered(shapes[i][0], shapes[i][1], shapes[i][2]);
        double start = base_now_s();
        rwa_placement *p = place(t, 64, 1, shapes[i][3]);
        CU_ASSERT_TRUE(base_now_s() - start < 10);
        placement_is_right(p, t, 64, shapes[i][3]);
    }
}

static void what_finds_no_memory_says_so(void)
{
    struct graph g = {0};
    rwa_placement *p = NULL;
    rwa_placement_options o;
    rwa_traffic *traffic = NULL;
    for (int i = 0; i < 6; i++)
        add_task(&g, 1); /* 1e6 bytes each */
    rwa_tasks *t = build(&g);
    rwa_placement_options_init(&o);
    o.devices = 3;
    o.memory_bytes = 1.9e6; /* one each: three devices hold three of the six */
    OK(rwa_placement_make(&p, t, &o, NULL));
    keep_placement(p);
    CU_ASSERT_EQUAL(rwa_placement_summary(p)->outcome, RWA_INFEASIBLE);
    expect_part(rwa_placement_summary(p)->why, "at least 2e+06");
    CU_ASSERT_EQUAL(rwa_placement_traffic(&traffic, p, NULL), RWA_BADARG);
    o.memory_bytes = 2e6;
    OK(rwa_placement_make(&p, t, &o, NULL));
    keep_placement(p);
    CU_ASSERT_EQUAL(rwa_placement_summary(p)->outcome, RWA_OPTIMAL);
    CU_ASSERT_EQUAL(rwa_placement_summary(p)->memory_bytes, 2e6);
}

static rwa_status refuse_tasks(const char *path, rwa_error *err)
{
    rwa_tasks *t = NULL;
    rwa_status st = rwa_tasks_read(&t, path, err);
    CU_ASSERT_PTR_NULL(t);
    return st;
}

static void task_graphs_are_read_or_refused_with_their_place(void)
{
    static const char *const wrong[][2] = {
        {"{}", "at least one task"},
        {"[1]", "expected a JSON object"},
        {"{'tasks':[{}]}", "tasks[0].duration: is missing"},
        {"{'tasks':[{'duration':-1}]}", "tasks[0].duration: is none"},
        {"{'tasks':[{'duration':1,'memory':'x'}]}", "tasks[0].memory"},
        {"{'tasks':[{'duration':1}],'edges':[[0,1,5]]}", "edges[0]"},
        {"{'tasks':[{'duration':1,'name':'A'}],'edges':[['A','B',5]]}", "edges[0]"},
        {"{'tasks':[{'duration':1,'name':'A'},{'duration':1,'name':'A'}]}", "two tasks are named \"A\""},
        {"{'tasks':[{'duration':1},{'duration':1}],'edges':[[0,1,5],[1,0,5]]}", "waits for itself"},
        {"{'tasks':[{'duration':1}],'edges':[[0,0,5]]}", "waits for itself"},
    };
    struct file file = file_with("tasks.json",
                                 "{'tasks':[{'name':'A','duration':1},{'name':'B','duration':2,'memory':3,'gradient'"
                                 ":4},{'duration':1}],'edges':[['A','B',5],[0,1,6]]}");
    rwa_tasks *t = NULL;
    OK(rwa_tasks_read(&t, file.path, NULL));
    keep_tasks(t);
    file_drop(&file);
    CU_ASSERT_EQUAL(rwa_tasks_count(t), 3);
    CU_ASSERT_EQUAL(rwa_tasks_task(t, 1).gradient_bytes, 4);
    CU_ASSERT_EQUAL(rwa_tasks_edges(t), 2);
    CU_ASSERT(rwa_tasks_edge(t, 0).from == 0 && rwa_tasks_edge(t, 0).to == 1); /* the third task has no name */
    CU_ASSERT_STRING_EQUAL(rwa_tasks_name(t, 1), "B");
    refuse_texts("tasks.json", refuse_tasks, wrong, COUNT(wrong));
}

TESTS("placement", the_papers_setting_keeps_its_degree, replicas_send_what_a_ring_all_reduce_sends,
      repairs_end_and_leave_no_distance_too_long, without_a_degree_the_makespan_is_grahams,
      twenty_thousand_tasks_on_64_devices_take_seconds, what_finds_no_memory_says_so,
      task_graphs_are_read_or_refused_with_their_place)
