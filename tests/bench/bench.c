/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How fast, and in how much memory: planning, checking, writing and reading, each beside a plain way to do the same in
 * the same run, so that the ratio means something on any machine.  Usage: bench FOLDER [NODES...]
 */
#include "rwa.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 16, SMALL = 512, COLOURED = 256, SCANNED = 128 };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double peak_bytes(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return 1024.0 * (double)used.ru_maxrss;
}

static void demand(rwa_status st, const rwa_error *err)
{
    if (st == RWA_OK)
        return;
    fprintf(stderr, "bench: %s\n", err->text);
    exit(1);
}

static rwa_plan *plan_on_ring(uint32_t nodes, const char *scheme, const char *solver)
{
    rwa_network *net = NULL;
    rwa_plan *plan = NULL;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_error err = {0};
    rwa_plan_options_init(&opts);
    opts.scheme = scheme;
    opts.solver = solver;
    demand(rwa_network_create(&net, RWA_RING, nodes, NULL, &err), &err);
    demand(rwa_collective_init(&coll, RWA_ALL_GATHER, nodes, 0, 1, 0, &err), &err);
    demand(rwa_plan_make(&plan, net, &coll, &opts, &err), &err);
    rwa_network_free(net);
    return plan;
}

/* In a process of its own, so that the peak of memory is this case's. */
static void plan_check_write(uint32_t nodes, const char *path)
{
    rwa_error err = {0};
    double base = peak_bytes();
    rwa_plan *plan = plan_on_ring(nodes, "optree", NULL);
    const rwa_plan_report *s = rwa_plan_summary(plan);
    double count = (double)s->lightpaths, begin = now_s();
    demand(rwa_schedule_write(rwa_plan_schedule(plan), path, &err), &err);
    printf("%6lu %11.0f %12.2f %12.2f %12.2f %14.1f\n", (unsigned long)nodes, count, count / s->plan_s / 1e6,
           count / s->check_s / 1e6, count / (now_s() - begin) / 1e6, (peak_bytes() - base) / count);
    rwa_plan_free(plan);
}

static void in_a_process(uint32_t nodes, const char *path)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        plan_check_write(nodes, path);
        fflush(stdout);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(1);
    unlink(path);
}

static double read_scanned(const char *path)
{
    rwa_reader *reader = NULL;
    rwa_lightpath lp;
    rwa_error err = {0};
    int got = 1;
    double begin = now_s();
    demand(rwa_reader_open(&reader, path, &err), &err);
    while (got)
        demand(rwa_reader_next(&lp, &got, reader, &err), &err);
    rwa_reader_free(reader);
    return now_s() - begin;
}

/* The plain way: a JSON tree of every line, and its members looked up by name. */
static double read_as_trees(const char *path)
{
    static const char *const names[] = {"step", "src", "dst", "fiber", "wavelength", "block"};
    static char line[LINE_MAX_BYTES];
    FILE *file = fopen(path, "r");
    double begin = now_s();
    json_int_t sum = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        json_t *record = json_loads(line, 0, NULL);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            sum += json_integer_value(json_object_get(record, names[i]));
        json_decref(record);
    }
    if (file == NULL || sum == 0)
        exit(1);
    fclose(file);
    return now_s() - begin;
}

static void compare_readers(const char *path)
{
    rwa_error err = {0};
    rwa_plan *plan = plan_on_ring(SMALL, "optree", NULL);
    double count = (double)rwa_plan_summary(plan)->lightpaths;
    demand(rwa_schedule_write(rwa_plan_schedule(plan), path, &err), &err);
    double scanned = read_scanned(path), trees = read_as_trees(path);
    printf("read %.0f lightpaths: scanner %.2f M/s, a JSON tree per line %.2f M/s: %.1f times as fast\n", count,
           count / scanned / 1e6, count / trees / 1e6, trees / scanned);
    unlink(path);
    rwa_plan_free(plan);
}

static void compare_colourings(void)
{
    rwa_plan *closed = plan_on_ring(COLOURED, "one-stage", NULL);
    rwa_plan *greedy = plan_on_ring(COLOURED, "one-stage", "first-fit");
    const rwa_plan_report *a = rwa_plan_summary(closed), *b = rwa_plan_summary(greedy);
    printf("all-to-all on %d nodes: closed form %lu wavelengths in %.3f s, first-fit %lu in %.3f s: %.1f times as fast\n",
           COLOURED, (unsigned long)rwa_plan_stage(closed, 0)->wavelengths, a->plan_s,
           (unsigned long)rwa_plan_stage(greedy, 0)->wavelengths, b->plan_s, b->plan_s / a->plan_s);
    rwa_plan_free(closed);
    rwa_plan_free(greedy);
}

/* The plain way: every link of the arc is asked about every wavelength from 0 on. */
static double scan_plainly(const rwa_demand *list, uint32_t count, uint32_t nodes, uint32_t most)
{
    char *busy = calloc(2 * (size_t)nodes * most, 1);
    double begin = now_s();
    for (uint32_t i = 0; busy != NULL && i < count; i++) {
        uint32_t ahead = (list[i].dst + nodes - list[i].src) % nodes, back = 2 * ahead > nodes, wave = 0, hop = 0;
        uint32_t hops = back ? nodes - ahead : ahead, first = back ? list[i].dst : list[i].src;
        while (hop < hops) {
            int taken = busy[((size_t)back * nodes + (first + hop) % nodes) * most + wave];
            wave += taken != 0;
            hop = taken ? 0 : hop + 1;
        }
        for (hop = 0; hop < hops; hop++)
            busy[((size_t)back * nodes + (first + hop) % nodes) * most + wave] = 1;
    }
    if (busy == NULL)
        exit(1);
    free(busy);
    return now_s() - begin;
}

static void first_fit(uint32_t nodes, const char *solver)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assign_result *r = NULL;
    rwa_assign_options opts;
    rwa_error err = {0};
    rwa_assign_options_init(&opts);
    opts.solver = solver;
    demand(rwa_network_create(&net, RWA_RING, nodes, NULL, &err), &err);
    demand(rwa_demands_all_to_all(&demands, nodes, RWA_DIRECTED, &err), &err);
    demand(rwa_assign(&r, net, demands, &opts, &err), &err);
    const rwa_assign_report *s = rwa_assign_result_summary(r);
    printf("%6lu %11lu %-14s %12lu %12.6f", (unsigned long)nodes, (unsigned long)s->lightpaths, solver,
           (unsigned long)s->wavelengths, s->seconds);
    if (nodes <= SCANNED) {
        double plain = scan_plainly(rwa_demands_list(demands), (uint32_t)rwa_demands_count(demands), nodes, nodes * nodes / 4);
        printf(" %12.6f %8.1f", plain, plain / s->seconds);
    }
    printf("\n");
    rwa_assign_result_free(r);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

int main(int argc, char **argv)
{
    static char usual[2][8] = {"1024", "4096"};
    char *both[] = {usual[0], usual[1], NULL}, **nodes = argc > 2 ? argv + 2 : both, path[4096];
    if (argc < 2)
        return 2;
    snprintf(path, sizeof path, "%s/bench.jsonl", argv[1]);
    printf("all-gather by optree on rings, 64 wavelengths; million lightpaths a second\n");
    printf("%6s %11s %12s %12s %12s %14s\n", "nodes", "lightpaths", "plan", "check", "write", "peak bytes each");
    for (; *nodes != NULL; nodes++)
        in_a_process((uint32_t)strtoul(*nodes, NULL, 10), path);
    compare_readers(path);
    compare_colourings();
    printf("all-to-all round a ring by first-fit, beside a plain scan of every link and wavelength\n");
    printf("%6s %11s %-14s %12s %12s %12s %8s\n", "nodes", "lightpaths", "order", "wavelengths", "seconds", "plain", "ratio");
    for (uint32_t n = 64; n <= 1024; n *= 2) {
        first_fit(n, "first-fit");
        first_fit(n, "longest-first");
    }
    return 0;
}
