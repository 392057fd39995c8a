/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare over ranges: every combination is a job; threads take jobs, a journal records those that are done. */
#include "cli/journal.h"
#include "cli/planning.h"
#include "cli/plot.h"
#include "commands.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

typedef struct sweep_options {
    common common;
    rwa_topology kind;
    count_list nodes, wavelengths;
    rwa_network_options net;
    collective_choice collective;
    device_choice device;
    planning planning;
    rows_choice rows;
    uint32_t threads;           /* 0: as many as processors */
    const char *file;
} sweep_options;

static const choice kinds[] = {{"ring", RWA_RING}, {"line", RWA_LINE}, {NULL, 0}};

/* ring or line. */
static int read_kind(void *to, const option *opt, const char *value)
{
    for (const choice *c = kinds; c->name != NULL; c++)
        if (strcmp(value, c->name) == 0) {
            *(rwa_topology *)to = (rwa_topology)c->value;
            return 0;
        }
    return bad_value(opt, value, "ring or line, and its nodes by --nodes");
}

static const option own_options[] = {
    {"network", 0, "KIND", "ring or line, its nodes by --nodes", "ring", IS(sweep_options, kind, read_kind)},
    {"nodes", 0, "RANGE", "as 64,128,256 or 64..1024, which doubles: 64,128,...,1024", "required",
     IS_COUNT_LIST(sweep_options, nodes, RWA_NODES_MAX)},
    {"wavelengths", 'w', "RANGE", "of each fibre, as 4,16 or 16..128", "64, or the device's grid",
     IS_COUNT_LIST(sweep_options, wavelengths, RWA_CHANNELS_MAX)},
    {"output", 'o', "FILE", "write the table; until it is complete its rows are in FILE.part", NULL, IS_FILE(sweep_options, file)},
    {"threads", 0, "N", "plan N settings at a time", "all processors", IS_COUNT(sweep_options, threads, 1, THREADS_MAX)},
    {NULL}};
static void init(void *options)
{
    ((sweep_options *)options)->kind = RWA_RING;
}

static const option_group groups[] = {
    {own_options, 0, init}, {fiber_options, offsetof(sweep_options, net), network_init}, COLLECTIVE_GROUPS(sweep_options, collective),
    PLANNING_GROUPS(sweep_options, device),    {rows_options, offsetof(sweep_options, rows), NULL}, {NULL, 0, NULL}};

typedef struct sweep {
    sweep_options *o;
    size_t jobs;
    char **lines;           /* of each job, once it is done */
    journal journal;
    pthread_mutex_t lock;   /* of the members below, and of the journal */
    pthread_cond_t changed;
    size_t next, done, running;
    double work, done_work, earlier_work;
    int failed;             /* a job or the journal; status and err say how */
    rwa_status status;
    rwa_error err;
    int written;            /* the table is complete at its destination */
} sweep;

typedef struct job { uint32_t nodes, wavelengths; const char *scheme; } job;

static job job_at(const sweep *s, size_t index)
{
    const scheme_list *schemes = &s->o->rows.schemes;
    size_t scheme = index % schemes->count, rest = index / schemes->count;
    assert(index < s->jobs);
    return (job){s->o->nodes.values[rest / s->o->wavelengths.count], s->o->wavelengths.values[rest % s->o->wavelengths.count],
                 schemes->names[scheme]};
}

/* The expected cost of a job, for the time left: its lightpaths. */
static double work_of(const sweep *s, size_t index)
{
    double nodes = job_at(s, index).nodes;
    return nodes * nodes;
}

/* ---- one job ---- */

static int poll_sweep(void *data, const char *phase, double fraction)
{
    sweep *s = data;
    (void)phase;
    (void)fraction;
    pthread_mutex_lock(&s->lock);
    int stop = s->failed;
    pthread_mutex_unlock(&s->lock);
    return stop || signals_asked();
}

static rwa_status run_job(char text[ROW_TEXT], sweep *s, size_t index, rwa_error *err)
{
    job j = job_at(s, index);
    rwa_network_options net_opts = s->o->net;
    rwa_plan_options opts = s->o->planning.opts;
    rwa_network *net = NULL;
    rwa_collective coll;
    row r;
    net_opts.wavelengths = j.wavelengths;
    opts.poll = opts.solving.poll = poll_sweep;
    opts.poll_data = opts.solving.poll_data = s;
    rwa_status status = rwa_network_create(&net, s->o->kind, j.nodes, &net_opts, err);
    if (status == RWA_OK)
        status = rwa_collective_init(&coll, s->o->collective.kind, j.nodes, s->o->collective.root, s->o->collective.message, 0, err);
    if (status == RWA_OK)
        status = row_make(&r, j.scheme, net, &coll, &opts, err);
    if (status == RWA_OK)
        row_csv(text, &r);
    rwa_network_free(net);
    return status;
}

/* ---- threads ---- */

/* The next job that is not done; s->jobs when there is none or all must stop.  With the lock held. */
static size_t take_job(sweep *s)
{
    while (s->next < s->jobs && s->lines[s->next] != NULL)
        s->next++;
    return s->failed || signals_asked() ? s->jobs : s->next < s->jobs ? s->next++ : s->jobs;
}

/* Stop all jobs; the first failure is reported.  With the lock held. */
static void give_up(sweep *s, rwa_status status, const char *why)
{
    if (s->failed)
        return;
    s->failed = 1;
    s->status = status;
    snprintf(s->err.text, sizeof s->err.text, "%s", why);
}

/* With the lock held. */
static void keep(sweep *s, size_t index, const char *text)
{
    s->lines[index] = strdup(text);
    if (s->lines[index] == NULL || (s->journal.fd >= 0 && journal_add(&s->journal, index, text) != 0)) {
        give_up(s, RWA_IO, strerror(errno));
        return;
    }
    s->done++;
    assert(s->done <= s->jobs);
    s->done_work += work_of(s, index);
}

static void *work(void *data)
{
    sweep *s = data;
    char text[ROW_TEXT];
    pthread_mutex_lock(&s->lock);
    for (size_t index; (index = take_job(s)) < s->jobs;) {
        rwa_error err = {0};
        pthread_mutex_unlock(&s->lock);
        rwa_status status = run_job(text, s, index, &err);
        pthread_mutex_lock(&s->lock);
        if (status == RWA_OK)
            keep(s, index, text);
        else if (status != RWA_CANCELLED)
            give_up(s, status, err.text);
        pthread_cond_signal(&s->changed);
    }
    s->running--;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Show progress until all threads have ended.  With the lock held. */
static void watch(sweep *s)
{
    double begin = clock_s();
    while (s->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&s->changed, &s->lock, &until);
        double now = s->done_work - s->earlier_work, left = s->work - s->done_work;
        progress_bar(&s->o->common, s->done, s->jobs, s->done_work / s->work, now > 0 ? (clock_s() - begin) * left / now : -1);
    }
}

static void run_threads(sweep *s)
{
    pthread_t threads[THREADS_MAX];
    size_t count = s->o->threads, started = 0;
    if (count == 0)
        count = sysconf(_SC_NPROCESSORS_ONLN) > 0 ? (size_t)sysconf(_SC_NPROCESSORS_ONLN) : 1;
    if (count > s->jobs)
        count = s->jobs;
    pthread_mutex_lock(&s->lock);
    while (started < count && pthread_create(&threads[started], NULL, work, s) == 0) {
        started++;
        s->running++;
    }
    if (started == 0) {     /* no thread could be created: work in this one */
        s->running++;
        pthread_mutex_unlock(&s->lock);
        work(s);
        return;
    }
    watch(s);
    pthread_mutex_unlock(&s->lock);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

/* ---- the table ---- */

static void print_counts(FILE *to, const char *name, const uint32_t *values, size_t count)
{
    fprintf(to, " %s", name);
    for (size_t i = 0; i < count; i++)
        fprintf(to, " %" PRIu32, values[i]);
}

/* All settings that a row depends on, on one line. */
static char *settings_of(const sweep *s)
{
    const sweep_options *o = s->o;
    const rwa_plan_options *p = &o->planning.opts;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    fprintf(to, "rwa-sweep %s %s %s root %" PRIu32 " message %" PRIu64 " fibers %" PRIu32 " rate %.17g", rwa_version(),
            rwa_topology_name(o->kind), rwa_collective_name(o->collective.kind), o->collective.root, o->collective.message,
            o->net.fibers, o->net.rate_bps);
    print_counts(to, "nodes", o->nodes.values, o->nodes.count);
    print_counts(to, "wavelengths", o->wavelengths.values, o->wavelengths.count);
    fprintf(to, " schemes");
    for (size_t i = 0; i < o->rows.schemes.count; i++)
        fprintf(to, " %s", o->rows.schemes.names[i] != NULL ? o->rows.schemes.names[i] : "auto");
    print_counts(to, "radix", p->radix, p->radix_count);
    fprintf(to, " stages %" PRIu32 " group %" PRIu32 " last %d solver %s order %d hops %" PRIu32 " limit %.17g seed %" PRIu64
            " device %s model %d alpha %.17g reconfig %.17g packet %" PRIu64 " flit %" PRIu64 " clock %.17g split %" PRIu32, p->stages,
            p->group, (int)p->last_exchange, p->solver != NULL ? p->solver : "auto", (int)p->solving.order, p->max_hops,
            p->time_limit_s, p->seed, o->device.name != NULL ? o->device.name : "none", (int)p->power_model, p->cost.alpha_s,
            p->cost.reconfig_s, p->cost.packet_bytes, p->cost.flit_bytes, p->cost.clock_hz, p->split_steps);
    fprintf(to, " stripes %" PRIu32 " slots %" PRIu32 " drops %" PRIu32, p->stripes, p->lightpath_blocks, p->max_drops);
    return fclose(to) == 0 ? text : NULL;
}

static void print_table(FILE *to, const sweep *s)
{
    fprintf(to, "%s\n", row_csv_columns);
    for (size_t i = 0; i < s->jobs; i++)
        fprintf(to, "%s\n", s->lines[i]);
}

static int write_table(const sweep *s, const char *path)
{
    rwa_error err = {0};
    rwa_status status = RWA_NOMEM;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to != NULL) {
        print_table(to, s);
        if (fclose(to) == 0)
            status = rwa_text_write(text, path, &err);
    }
    free(text);
    return status == RWA_OK ? 0 : fail_status(status, &err, 1);
}

static int to_file(const sweep_options *o)
{
    return o->file != NULL && strcmp(o->file, "-") != 0;
}

/* There is no journal beside a pipe or a device. */
static int keeps_journal(const sweep_options *o)
{
    struct stat info;
    return to_file(o) && (stat(o->file, &info) != 0 || S_ISREG(info.st_mode));
}

static int stopped(const sweep *s)
{
    if (s->failed)
        return fail_status(s->status, &s->err, 1);
    if (keeps_journal(s->o))
        return fail(EXIT_STOPPED, "stopped after %zu of %zu; the same command continues from %s.part", s->done, s->jobs,
                    s->o->file);
    return fail(EXIT_STOPPED, "stopped after %zu of %zu; with -o FILE the same command could continue", s->done, s->jobs);
}

static int answer(sweep *s)
{
    int code = 0;
    if (to_file(s->o))
        code = write_table(s, s->o->file);
    else
        print_table(stdout, s);
    if (code == 0)
        code = finish(EXIT_YES);
    s->written = code == EXIT_YES;
    if (s->written && s->o->rows.plot != NULL)
        code = plot_sweep(s->o->rows.plot, s->lines, s->jobs, &s->o->nodes, &s->o->wavelengths);
    return code;
}

static int run_jobs(sweep *s)
{
    char *settings = settings_of(s);
    int code = settings == NULL ? fail_memory() : 0;
    if (code == 0 && keeps_journal(s->o))
        code = journal_open(&s->journal, s->o->file, settings, s->lines, s->jobs);
    free(settings);
    if (code != 0)
        return code;
    for (size_t i = 0; i < s->jobs; i++) {
        s->work += work_of(s, i);
        s->done += s->lines[i] != NULL;
        s->done_work += s->lines[i] != NULL ? work_of(s, i) : 0;
    }
    s->earlier_work = s->done_work;
    run_threads(s);
    progress_clear();
    return s->done < s->jobs || s->failed ? stopped(s) : answer(s);
}

/* ---- the command ---- */

/* The schemes that apply, found on the smallest network of the kind. */
static int find_schemes(sweep *s)
{
    const collective_choice *chosen = &s->o->collective;
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_error err = {0};
    int code = fail_status(rwa_network_create(&net, s->o->kind, 2, NULL, &err), &err, 0);
    if (code == 0)
        code = fail_status(rwa_collective_init(&coll, chosen->kind, 2, 0, chosen->message, 0, &err), &err, 0);
    if (code == 0)
        code = rows_schemes(&s->o->rows.schemes, net, &coll, &s->o->planning.opts);
    rwa_network_free(net);
    s->jobs = s->o->nodes.count * s->o->wavelengths.count * s->o->rows.schemes.count;
    if (code == 0 && (s->lines = calloc(s->jobs, sizeof *s->lines)) == NULL)
        code = fail_memory();
    return code;
}

static int check_wavelengths(sweep_options *o)
{
    const rwa_device *device = o->device.device;
    if (o->wavelengths.count == 0)
        o->wavelengths = (count_list){{o->net.wavelengths}, 1};
    for (size_t i = 0; device != NULL && i < o->wavelengths.count; i++)
        if (o->wavelengths.values[i] > rwa_device_wavelengths(device))
            return fail(EXIT_BAD_INPUT, "--wavelengths %" PRIu32 ": device %s has a grid of %" PRIu32 ", expected no more",
                        o->wavelengths.values[i], rwa_device_name(device), rwa_device_wavelengths(device));
    return 0;
}

static int prepare(sweep *s)
{
    sweep_options *o = s->o;
    if (o->nodes.count == 0)
        return fail(EXIT_BAD_INPUT, "no nodes given, expected for example: rwa sweep --nodes 64..1024 --wavelengths 16,64");
    if (o->wavelengths.count > 0)
        o->net.wavelengths = o->wavelengths.values[0];
    int code = refuse_root(&o->collective, o->collective.kind);
    if (code == 0)
        code = device_apply(&o->device, &o->net, &o->planning.opts.cost, &o->common);
    if (code == 0)
        code = check_wavelengths(o);
    planning_ready(&o->planning, NULL, &o->common);
    o->planning.opts.device = o->device.device;
    o->planning.opts.power_model = o->device.model;
    return code == 0 ? find_schemes(s) : code;
}

static int run(void *options)
{
    sweep_options *o = options;
    sweep s = {.o = o, .journal = {NULL, -1}};
    int code = prepare(&s);
    if (code == 0) {
        pthread_mutex_init(&s.lock, NULL);
        pthread_cond_init(&s.changed, NULL);
        code = run_jobs(&s);
        pthread_cond_destroy(&s.changed);
        pthread_mutex_destroy(&s.lock);
    }
    journal_close(&s.journal, s.written);
    for (size_t i = 0; s.lines != NULL && i < s.jobs; i++)
        free(s.lines[i]);
    free(s.lines);
    rwa_device_free(o->device.device);
    return code;
}

const command command_sweep = {
    "sweep", "compare over ranges of nodes and wavelengths, as CSV",
    "rwa sweep --nodes RANGE [options]\n\n"
    "Compares the schemes for every combination of nodes and wavelengths; the table is CSV.  A range is a list, "
    "64,128,256, or doubles from its first count to its last: 16..128 is 16,32,64,128.  A sweep with -o FILE that was "
    "stopped or killed continues from FILE.part when the same command is given again, and ends with the same bytes.\n\n"
    "Examples:\n"
    "  rwa sweep --nodes 64..1024 --wavelengths 16,64 -o sweep.csv\n"
    "  rwa sweep --nodes 100,360,1000 --scheme optree,one-stage --plot sweep.svg\n",
    groups, sizeof(sweep_options), 0, run, schemes_help};
