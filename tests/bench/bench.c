/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How fast, and in how much memory: planning, checking, writing and reading, each beside a plain way to do the same in
 * the same run, so that the ratio means something on any machine.  Usage: bench FOLDER [NODES...]
 */
#include "tests/bench/timing.h"

#include <jansson.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 16, SMALL = 512, COLOURED = 256, SCANNED = 128, RUNS = 7, ENOUGH_S = 4 };

static double now_s(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static double peak_bytes(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return 1024.0 * (double)used.ru_maxrss;
}

static rwa_plan *plan_on_ring(uint32_t nodes, const char *scheme, const char *solver)
{
    rwa_network *net = NULL;
    rwa_plan *plan = NULL;
    rwa_collective coll;
    rwa_plan_options opts;
    rwa_plan_options_init(&opts);
    opts.scheme = scheme;
    opts.solver = solver;
    demand(rwa_network_create(&net, RWA_RING, nodes, NULL, &err));
    demand(rwa_collective_init(&coll, RWA_ALL_GATHER, nodes, 0, 1, 0, &err));
    demand(rwa_plan_make(&plan, net, &coll, &opts, &err));
    rwa_network_free(net);
    return plan;
}

/* The results of a measurement; members that it does not set are 0. */
struct figures {
    double lightpaths, wavelengths, bytes;
    double seconds, check_s, write_s, other_s;
};

struct measurement {
    void (*run)(struct figures *f, const struct measurement *m);
    uint32_t nodes;
    const char *solver, *path;
};

/* The figures of one run in a process of its own: no memory is warm from another one, and the peak is this run's. */
static struct figures run_apart(const struct measurement *m)
{
    struct figures f = {0};
    int ends[2], status = 0;
    fflush(stdout);
    if (pipe(ends) != 0)
        exit(1);
    pid_t child = fork();
    if (child == 0) {
        m->run(&f, m);
        _exit(write(ends[1], &f, sizeof f) == (ssize_t)sizeof f ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &f, sizeof f);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 || got != (ssize_t)sizeof f)
        exit(1);
    return f;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Each time is the least of some runs: what else the machine does only lengthens them. */
static struct figures measure(const struct measurement *m)
{
    double begin = now_s();
    struct figures best = run_apart(m);
    for (int k = 1; k < RUNS && now_s() - begin < ENOUGH_S; k++) {
        struct figures f = run_apart(m);
        best.seconds = least(best.seconds, f.seconds);
        best.check_s = least(best.check_s, f.check_s);
        best.write_s = least(best.write_s, f.write_s);
        best.other_s = least(best.other_s, f.other_s);
    }
    return best;
}

static void plan_check_write(struct figures *f, const struct measurement *m)
{
    double base = peak_bytes();
    rwa_plan *plan = plan_on_ring(m->nodes, "optree", NULL);
    const rwa_plan_report *s = rwa_plan_summary(plan);
    double begin = now_s();
    demand(rwa_schedule_write(rwa_plan_schedule(plan), m->path, &err));
    *f = (struct figures){.lightpaths = (double)s->lightpaths, .bytes = peak_bytes() - base, .seconds = s->plan_s,
                          .check_s = s->check_s, .write_s = now_s() - begin};
    rwa_plan_free(plan);
    unlink(m->path);
}

static void show_plans(uint32_t nodes, const char *path)
{
    struct figures f = measure(&(struct measurement){plan_check_write, nodes, NULL, path});
    double millions = f.lightpaths / 1e6;
    printf("%6lu %11.0f %12.2f %12.2f %12.2f %14.1f\n", (unsigned long)nodes, f.lightpaths, millions / f.seconds,
           millions / f.check_s, millions / f.write_s, f.bytes / f.lightpaths);
}

static double read_scanned(const char *path)
{
    rwa_reader *reader = NULL;
    rwa_lightpath lp;
    int got = 1;
    double begin = now_s();
    demand(rwa_reader_open(&reader, path, NULL, &err));
    while (got)
        demand(rwa_reader_next(&lp, &got, reader, &err));
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

static void read_both_ways(struct figures *f, const struct measurement *m)
{
    rwa_plan *plan = plan_on_ring(m->nodes, "optree", NULL);
    f->lightpaths = (double)rwa_plan_summary(plan)->lightpaths;
    demand(rwa_schedule_write(rwa_plan_schedule(plan), m->path, &err));
    f->seconds = read_scanned(m->path);
    f->other_s = read_as_trees(m->path);
    unlink(m->path);
    rwa_plan_free(plan);
}

static void compare_readers(const char *path)
{
    struct figures f = measure(&(struct measurement){read_both_ways, SMALL, NULL, path});
    printf("read %.0f lightpaths: scanner %.2f M/s, a JSON tree per line %.2f M/s: %.1f times as fast\n", f.lightpaths,
           f.lightpaths / f.seconds / 1e6, f.lightpaths / f.other_s / 1e6, f.other_s / f.seconds);
}

static void colour_all_to_all(struct figures *f, const struct measurement *m)
{
    rwa_plan *plan = plan_on_ring(m->nodes, "one-stage", m->solver);
    f->wavelengths = (double)rwa_plan_stage(plan, 0)->wavelengths;
    f->seconds = rwa_plan_summary(plan)->plan_s;
    rwa_plan_free(plan);
}

static void compare_colourings(void)
{
    struct figures closed = measure(&(struct measurement){colour_all_to_all, COLOURED, NULL, NULL});
    struct figures greedy = measure(&(struct measurement){colour_all_to_all, COLOURED, "first-fit", NULL});
    printf("all-to-all on %d nodes: closed form %.0f wavelengths in %.6f s, first-fit %.0f in %.6f s: %.1f times as "
           "fast\n",
           COLOURED, closed.wavelengths, closed.seconds, greedy.wavelengths, greedy.seconds,
           greedy.seconds / closed.seconds);
}

/* The plain way: every link of the arc is asked about every wavelength from 0 on. */
static double scan_plainly(const rwa_demand *list, uint32_t count, uint32_t nodes, uint32_t most)
{
    char *busy = calloc(2 * (size_t)nodes * most, 1);
    double begin = now_s();
    for (uint32_t i = 0; busy != NULL && i < count; i++) {
        uint32_t ahead = (list[i].dst + nodes - list[i].src) % nodes, back = 2 * ahead > nodes, wavelength = 0, hop = 0;
        uint32_t hops = back ? nodes - ahead : ahead, first = back ? list[i].dst : list[i].src;
        while (hop < hops) {
            int taken = busy[((size_t)back * nodes + (first + hop) % nodes) * most + wavelength];
            wavelength += taken != 0;
            hop = taken ? 0 : hop + 1;
        }
        for (hop = 0; hop < hops; hop++)
            busy[((size_t)back * nodes + (first + hop) % nodes) * most + wavelength] = 1;
    }
    if (busy == NULL)
        exit(1);
    free(busy);
    return now_s() - begin;
}

static void first_fit(struct figures *f, const struct measurement *m)
{
    rwa_network *net = NULL;
    rwa_demands *demands = NULL;
    rwa_assignment *r = NULL;
    rwa_assignment_options opts;
    uint32_t nodes = m->nodes;
    rwa_assignment_options_init(&opts);
    opts.solver = m->solver;
    demand(rwa_network_create(&net, RWA_RING, nodes, NULL, &err));
    demand(rwa_demands_all_to_all(&demands, nodes, RWA_DIRECTED, &err));
    demand(rwa_assignment_make(&r, net, demands, &opts, &err));
    const rwa_assignment_report *s = rwa_assignment_summary(r);
    *f = (struct figures){.lightpaths = (double)s->lightpaths,
                          .wavelengths = (double)s->wavelengths,
                          .seconds = s->seconds};
    if (nodes <= SCANNED)
        f->other_s =
            scan_plainly(rwa_demands_list(demands), (uint32_t)rwa_demands_count(demands), nodes, nodes * nodes / 4);
    rwa_assignment_free(r);
    rwa_demands_free(demands);
    rwa_network_free(net);
}

static void show_first_fit(uint32_t nodes, const char *solver)
{
    struct figures f = measure(&(struct measurement){first_fit, nodes, solver, NULL});
    printf("%6lu %11.0f %-14s %12.0f %12.6f", (unsigned long)nodes, f.lightpaths, solver, f.wavelengths, f.seconds);
    if (f.other_s > 0)
        printf(" %12.6f %8.1f", f.other_s, f.other_s / f.seconds);
    printf("\n");
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
        show_plans((uint32_t)strtoul(*nodes, NULL, 10), path);
    compare_readers(path);
    compare_colourings();
    printf("all-to-all round a ring by first-fit, beside a plain scan of every link and wavelength\n");
    printf("%6s %11s %-14s %12s %12s %12s %8s\n", "nodes", "lightpaths", "order", "wavelengths", "seconds", "plain",
           "ratio");
    for (uint32_t n = 64; n <= 1024; n *= 2) {
        show_first_fit(n, "first-fit");
        show_first_fit(n, "longest-first");
    }
    return 0;
}
