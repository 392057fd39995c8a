/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare over ranges: every combination is a job; threads take jobs, a journal remembers those that are done. */
#include "journal.h"
#include "plot.h"
#include "rows.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct sweep {
    options *o;
    rwa_network_kind kind;
    const char *schemes[SCHEMES_MAX];
    size_t scheme_count, jobs;
    char **lines;           /* of each job, once it is done */
    journal journal;
    pthread_mutex_t lock;   /* of what follows, and of the journal */
    pthread_cond_t changed;
    size_t next, done, running;
    double work, done_work, earlier_work;
    int failed;             /* a job or the journal: status and err say how */
    rwa_status status;
    rwa_error err;
    int written;            /* the table is where it was asked for */
} sweep;

typedef struct job { uint32_t nodes, wavelengths; const char *scheme; } job;

static job job_at(const sweep *s, size_t index)
{
    size_t scheme = index % s->scheme_count, rest = index / s->scheme_count;
    job found = {s->o->nodes.values[rest / s->o->wavelengths.count], s->o->wavelengths.values[rest % s->o->wavelengths.count],
                 s->schemes[scheme]};
    return found;
}

/* What a job is expected to cost, for the time left: its lightpaths. */
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
    rwa_plan_options opts = s->o->plan;
    rwa_network *net = NULL;
    rwa_collective coll;
    row r;
    net_opts.wavelengths = j.wavelengths;
    opts.poll = opts.solving.poll = poll_sweep;
    opts.poll_data = opts.solving.poll_data = s;
    rwa_status status = rwa_network_create(&net, s->kind, j.nodes, &net_opts, err);
    if (status == RWA_OK)
        status = rwa_collective_init(&coll, s->o->collective, j.nodes, s->o->root, s->o->message, 0, err);
    if (status == RWA_OK)
        status = row_make(&r, j.scheme, net, &coll, &opts, err);
    if (status == RWA_OK)
        row_csv(text, &r);
    rwa_network_free(net);
    return status;
}

/* ---- threads ---- */

/* The next job that is not done; s->jobs when there is none, or when all must stop.  Locked. */
static size_t take_job(sweep *s)
{
    while (s->next < s->jobs && s->lines[s->next] != NULL)
        s->next++;
    return s->failed || signals_asked() ? s->jobs : s->next < s->jobs ? s->next++ : s->jobs;
}

/* The first failure stands.  Locked. */
static void give_up(sweep *s, rwa_status status, const char *why)
{
    if (s->failed)
        return;
    s->failed = 1;
    s->status = status;
    snprintf(s->err.text, sizeof s->err.text, "%s", why);
}

/* Locked. */
static void keep(sweep *s, size_t index, const char *text)
{
    s->lines[index] = strdup(text);
    if (s->lines[index] == NULL || (s->journal.fd >= 0 && journal_add(&s->journal, index, text) != 0)) {
        give_up(s, RWA_IO, strerror(errno));
        return;
    }
    s->done++;
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

/* Show progress until all threads have ended.  Locked. */
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
        progress_bar(s->o, s->done, s->jobs, s->done_work / s->work, now > 0 ? (clock_s() - begin) * left / now : -1);
    }
}

static void run_threads(sweep *s)
{
    pthread_t threads[1024];
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
    if (started == 0) {     /* no thread is to be had: do it here */
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

/* Everything a row depends on, on one line. */
static char *settings_of(const sweep *s)
{
    const options *o = s->o;
    const rwa_plan_options *p = &o->plan;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    fprintf(to, "rwa-sweep %s %s %s root %" PRIu32 " message %" PRIu64 " fibers %" PRIu32 " rate %.17g nodes", rwa_version(),
            rwa_network_kind_name(s->kind), rwa_collective_name(o->collective), o->root, o->message, o->net.fibers,
            o->net.rate_bps);
    for (size_t i = 0; i < o->nodes.count; i++)
        fprintf(to, " %" PRIu32, o->nodes.values[i]);
    fprintf(to, " wavelengths");
    for (size_t i = 0; i < o->wavelengths.count; i++)
        fprintf(to, " %" PRIu32, o->wavelengths.values[i]);
    fprintf(to, " schemes");
    for (size_t i = 0; i < s->scheme_count; i++)
        fprintf(to, " %s", s->schemes[i] != NULL ? s->schemes[i] : "auto");
    fprintf(to, " radix");
    for (size_t i = 0; i < p->radix_count; i++)
        fprintf(to, " %" PRIu32, p->radix[i]);
    fprintf(to, " stages %" PRIu32 " group %" PRIu32 " last %d solver %s order %d hops %" PRIu32 " limit %.17g seed %" PRIu64
            " device %s model %d alpha %.17g reconfig %.17g packet %" PRIu64 " flit %" PRIu64 " clock %.17g", p->stages,
            p->group, (int)p->last_exchange, p->solver != NULL ? p->solver : "auto", (int)p->solving.order, p->max_hops,
            p->time_limit_s, p->seed, o->device != NULL ? o->device : "none", (int)p->power_model, p->cost.alpha_s,
            p->cost.reconfig_s, p->cost.packet_bytes, p->cost.flit_bytes, p->cost.clock_hz);
    if (p->stripes > 1 || p->slots > 1)
        fprintf(to, " stripes %" PRIu32 " slots %" PRIu32, p->stripes, p->slots);
    if (p->max_drops > 1)
        fprintf(to, " drops %" PRIu32, p->max_drops);
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

static int to_file(const options *o)
{
    return o->output != NULL && strcmp(o->output, "-") != 0;
}

/* A pipe or a device has no place beside it for what is done. */
static int keeps_journal(const options *o)
{
    struct stat info;
    return to_file(o) && (stat(o->output, &info) != 0 || S_ISREG(info.st_mode));
}

static int stopped(const sweep *s)
{
    if (s->failed)
        return fail_status(s->status, &s->err, 1);
    if (keeps_journal(s->o))
        return fail(EXIT_STOPPED, "stopped after %zu of %zu; the same command goes on from %s.part", s->done, s->jobs,
                    s->o->output);
    return fail(EXIT_STOPPED, "stopped after %zu of %zu; with -o FILE it could go on from there", s->done, s->jobs);
}

static int answer(sweep *s)
{
    int code = 0;
    if (to_file(s->o))
        code = write_table(s, s->o->output);
    else
        print_table(stdout, s);
    if (code == 0)
        code = finish(EXIT_YES);
    s->written = code == EXIT_YES;
    if (s->written && s->o->plot != NULL)
        code = plot_sweep(s->o->plot, s->lines, s->jobs, &s->o->nodes, &s->o->wavelengths);
    return code;
}

static int run(sweep *s)
{
    char *settings = settings_of(s);
    int code = settings == NULL ? fail(EXIT_MACHINE, "out of memory") : 0;
    if (code == 0 && keeps_journal(s->o))
        code = journal_open(&s->journal, s->o->output, settings, s->lines, s->jobs);
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

static int find_kind(sweep *s)
{
    static const rwa_network_kind kinds[] = {RWA_RING, RWA_LINE};
    const char *name = s->o->network != NULL ? s->o->network : "ring";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, rwa_network_kind_name(kinds[i])) == 0) {
            s->kind = kinds[i];
            return 0;
        }
    return fail(EXIT_BAD_INPUT, "--network %s: expected ring or line, and its nodes by --nodes", name);
}

/* The schemes that can, by the smallest network of the kind. */
static int find_schemes(sweep *s)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_error err = {0};
    rwa_status status = rwa_network_create(&net, s->kind, 2, NULL, &err);
    if (status == RWA_OK)
        status = rwa_collective_init(&coll, s->o->collective, 2, 0, s->o->message, 0, &err);
    if (status == RWA_OK) {
        s->scheme_count = rows_schemes(s->schemes, s->o, net, s->o->collective);
        status = rwa_compare_refuse(s->schemes, s->scheme_count, net, &coll, &s->o->plan, &err);
    }
    rwa_network_free(net);
    if (status != RWA_OK)
        return fail_status(status, &err, 0);
    if (s->scheme_count == 0)
        return fail(EXIT_BAD_INPUT, "no scheme here does %s on a %s", rwa_collective_name(s->o->collective),
                    rwa_network_kind_name(s->kind));
    s->jobs = s->o->nodes.count * s->o->wavelengths.count * s->scheme_count;
    s->lines = calloc(s->jobs, sizeof *s->lines);
    return s->lines != NULL ? 0 : fail(EXIT_MACHINE, "out of memory");
}

static int check_wavelengths(options *o, const rwa_device *device)
{
    if (o->wavelengths.count == 0)
        o->wavelengths = (range){{o->net.wavelengths}, 1};
    for (size_t i = 0; device != NULL && i < o->wavelengths.count; i++)
        if (o->wavelengths.values[i] > rwa_device_wavelengths(device))
            return fail(EXIT_BAD_INPUT, "--wavelengths %" PRIu32 ": device %s has a grid of %" PRIu32 ", expected no more",
                        o->wavelengths.values[i], rwa_device_name(device), rwa_device_wavelengths(device));
    return 0;
}

int command_sweep(options *o)
{
    sweep s = {.o = o, .journal = {NULL, -1}};
    rwa_device *device = NULL;
    if (o->nodes.count == 0)
        return fail(EXIT_BAD_INPUT, "no nodes given, expected for example: rwa sweep --nodes 64..1024 --wavelengths 16,64");
    if (o->wavelengths.count > 0)
        o->net.wavelengths = o->wavelengths.values[0];
    int code = refuse_root(o, o->collective);
    if (code == 0)
        code = device_apply(&device, o);
    if (code == 0)
        code = check_wavelengths(o, device);
    if (code == 0)
        code = find_kind(&s);
    if (code == 0)
        code = find_schemes(&s);
    if (code == 0) {
        pthread_mutex_init(&s.lock, NULL);
        pthread_cond_init(&s.changed, NULL);
        code = run(&s);
        pthread_cond_destroy(&s.changed);
        pthread_mutex_destroy(&s.lock);
    }
    journal_close(&s.journal, s.written);
    for (size_t i = 0; s.lines != NULL && i < s.jobs; i++)
        free(s.lines[i]);
    free(s.lines);
    rwa_device_free(device);
    return code;
}
