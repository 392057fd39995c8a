/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare over ranges: every combination is a job; threads take jobs, a journal records those that are done. */
#include "cli/journal.h"
#include "cli/planning.h"
#include "cli/plot.h"
#include "cli/pool.h"
#include "cli/shard.h"
#include "commands.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

typedef struct sweep_options {
    common common;
    const char *networks;       /* blanks between them; NULL: ring */
    count_list nodes, wavelengths;
    rwa_network_options net;
    name_list collectives;
    size_list messages;
    uint32_t root;
    device_choice device;
    planning planning;
    rows_choice rows;
    shard_choice shard;
    uint32_t threads;           /* 0: as many as processors */
    int merge;
    const char *file;
} sweep_options;

static int find_collective(const char *name)
{
    int kind = rwa_collective_find(name);
    return kind == 0 ? -1 : kind;
}

static const option own_options[] = {
    {"network", 0, "LIST", "ring or line, their nodes by --nodes; or any, as \"torus:4x4 nsfnet14-21 net.graphml\"", "ring",
     IS_TEXT(sweep_options, networks)},
    {"nodes", 0, "RANGE", "as 64,128,256, or 64..1024, which doubles, or 64..256:64", "required on ring and line",
     IS_COUNT_LIST(sweep_options, nodes, RWA_NODES_MAX)},
    {"wavelengths", 'w', "RANGE", "of each fibre, as 4,16 or 16..128", "64, or the device's grid",
     IS_COUNT_LIST(sweep_options, wavelengths, RWA_CHANNELS_MAX)},
    {"collective", 0, "LIST", "as all-gather,all-reduce", "all-gather",
     IS_NAME_LIST(sweep_options, collectives, find_collective, collective_name,
                  "all-gather, all-reduce, reduce-scatter, broadcast, scatter, gather, all-to-all or reduce, with commas")},
    {"root", 0, "NODE", "of broadcast, scatter, gather and reduce", "0", IS_COUNT(sweep_options, root, 0, RWA_NODES_MAX - 1)},
    {"message", 0, "RANGE", "bytes per node, or per vector in reductions, as 25kB,4MiB or 1MB..64MB", "4MiB",
     IS(sweep_options, messages, read_size_list), .field = "message message_bytes"},
    {"output", 'o', "FILE", "write the table; until it is complete its rows are in FILE.part", NULL, IS_FILE(sweep_options, file)},
    {"shard", 0, "I/N", "only rows I, I + N, I + 2N, ...; --merge puts the N files together", NULL, IS(sweep_options, shard, read_shard)},
    {"merge", 0, NULL, "put the shards given as files together", NULL, IS_FLAG(sweep_options, merge)},
    {"threads", 0, "N", "plan N settings at a time", "all processors", IS_COUNT(sweep_options, threads, 1, THREADS_MAX)},
    {0}};
static const option_group groups[] = {
    {own_options, 0, NULL}, {fiber_options, offsetof(sweep_options, net), network_init}, PLANNING_GROUPS(sweep_options, device),
    {rows_options, offsetof(sweep_options, rows), NULL}, {NULL, 0, NULL}};

/* A network of the list: a kind whose nodes vary, or one network. */
typedef struct subject {
    char *spec;             /* NULL: a kind */
    rwa_topology kind;
    uint32_t nodes;         /* of one network */
    scheme_list *schemes;   /* for each collective */
} subject;

typedef struct sweep {
    sweep_options *o;
    subject *subjects;
    size_t subject_count;
    struct job *list;
    size_t jobs, mine;      /* of all, and of the shard */
    char **lines;           /* of each job, once it is done */
    size_t *open;           /* the jobs of the shard that no earlier run has done */
    double *work;           /* of each of those */
    size_t open_count, done;
    pthread_mutex_t lock;   /* of the journal and of `done` */
    journal journal;
    int written;            /* the table is complete at its destination */
} sweep;

/* A row: what it is about. */
typedef struct job {
    const subject *subject;
    uint32_t nodes, wavelengths;
    rwa_collective_kind collective;
    uint64_t message;
    const char *scheme;
} job;

/* ---- one job ---- */

static rwa_status make_row(char text[ROW_TEXT], const sweep *s, size_t index, rwa_poll poll, void *poll_data, rwa_error *err)
{
    job j = s->list[index];
    rwa_network_options net_opts = s->o->net;
    rwa_plan_options opts = s->o->planning.opts;
    rwa_network *net = NULL;
    rwa_collective coll;
    row r;
    net_opts.wavelengths = j.wavelengths;
    opts.poll = opts.solving.poll = poll;
    opts.poll_data = opts.solving.poll_data = poll_data;
    rwa_status status = j.subject->spec != NULL ? network_open(&net, j.subject->spec, &net_opts, err)
                                                : rwa_network_create(&net, j.subject->kind, j.nodes, &net_opts, err);
    if (status == RWA_OK)
        status = rwa_collective_init(&coll, j.collective, j.nodes, rwa_collective_has_root(j.collective) ? s->o->root : 0, j.message, 0,
                                 err);
    if (status == RWA_OK)
        status = row_make(&r, j.scheme, net, &coll, &opts, err);
    r.network = j.subject->spec;
    if (status == RWA_OK)
        row_csv(text, &r);
    rwa_network_free(net);
    return status;
}

static rwa_status keep(sweep *s, size_t index, const char *text, rwa_error *err)
{
    s->lines[index] = strdup(text);
    if (s->lines[index] == NULL || (s->journal.fd >= 0 && journal_add(&s->journal, index, text) != 0)) {
        snprintf(err->text, sizeof err->text, "%s", strerror(errno));
        return RWA_IO;
    }
    s->done++;
    assert(s->done <= s->mine);
    return RWA_OK;
}

static rwa_status run_job(void *data, size_t number, rwa_poll poll, void *poll_data, rwa_error *err)
{
    sweep *s = data;
    char text[ROW_TEXT];
    rwa_status status = make_row(text, s, s->open[number], poll, poll_data, err);
    if (status != RWA_OK)
        return status;
    pthread_mutex_lock(&s->lock);
    status = keep(s, s->open[number], text, err);
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* ---- the table ---- */

/* All settings that a row depends on, on one line. */
static char *settings_of(const sweep *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    fprintf(to, "rwa-sweep %s", rwa_version());
    options_print(to, &s->o->common, NAMES("output", "shard", "threads", "plot"));
    return fclose(to) == 0 ? rwa_text_make_visible(text) : NULL;
}

static int print_table(FILE *to, const sweep *s)
{
    char *settings = settings_of(s);
    if (settings == NULL)
        return fail_memory();
    shard_header(to, &s->o->shard, s->jobs, settings);
    free(settings);
    fprintf(to, "%s\n", row_csv_columns);
    for (size_t i = 0; i < s->jobs; i++)
        if (shard_has(&s->o->shard, i))
            fprintf(to, "%s\n", s->lines[i]);
    return 0;
}

/* The whole table in memory, so that a file appears whole or not at all. */
static int write_table(const sweep *s, const char *path)
{
    rwa_error err = {0};
    rwa_status status = RWA_NOMEM;
    char *text = NULL;
    size_t size = 0;
    int code = 0;
    FILE *to = open_memstream(&text, &size);
    if (to != NULL) {
        code = s->o->merge ? shards_merge(to, s->o->common.operands, s->mine) : print_table(to, s);
        if (fclose(to) == 0 && code == 0)
            status = rwa_text_write(text, path, &err);
    }
    free(text);
    return code != 0 ? code : status == RWA_OK ? 0 : fail_status(status, &err, 1);
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
    if (keeps_journal(s->o))
        return fail(EXIT_STOPPED, "stopped after %zu of %zu; the same command continues from %s.part", s->done, s->mine, s->o->file);
    return fail(EXIT_STOPPED, "stopped after %zu of %zu; with -o FILE the same command could continue", s->done, s->mine);
}

static int answer(sweep *s)
{
    int code = 0;
    if (to_file(s->o))
        code = write_table(s, s->o->file);
    else
        code = print_table(stdout, s);
    THEN(finish(EXIT_YES));
    s->written = code == EXIT_YES;
    if (s->written && s->o->rows.plot != NULL)
        code = plot_sweep(s->o->rows.plot, s->lines, s->jobs, &s->o->nodes, &s->o->wavelengths);
    return code;
}

/* The work of a job, for the time left: its lightpaths. */
static void list_open(sweep *s)
{
    for (size_t i = 0; i < s->jobs; i++) {
        s->done += s->lines[i] != NULL;
        if (s->lines[i] != NULL || !shard_has(&s->o->shard, i))
            continue;
        s->work[s->open_count] = (double)s->list[i].nodes * s->list[i].nodes;
        s->open[s->open_count++] = i;
    }
}

static int run_jobs(sweep *s)
{
    size_t ended = 0;
    rwa_error err = {0};
    char *settings = settings_of(s);
    int code = settings == NULL ? fail_memory() : 0;
    if (code == 0 && keeps_journal(s->o))
        code = journal_open(&s->journal, s->o->file, settings, s->lines, s->jobs);
    free(settings);
    if (code != 0)
        return code;
    list_open(s);
    rwa_status status = pool_run(&s->o->common, s->o->threads, s->open_count, s->work, run_job, s, &ended, &err);
    if (status != RWA_OK && status != RWA_CANCELLED)
        return fail_status(status, &err, 1);
    return s->done < s->mine ? stopped(s) : answer(s);
}

/* ---- the command ---- */

/* "ring:16,torus:4x4": numbers of a specification have commas between them, networks have blanks. */
static int has_commas_between(const char *spec)
{
    const char *comma = strchr(spec, ',');
    while (comma != NULL && !isalpha((unsigned char)comma[1]))
        comma = strchr(comma + 1, ',');
    return comma != NULL;
}

/* The schemes that apply, for each collective: of a kind found on its smallest network. */
static int find_schemes(sweep *s, subject *about)
{
    rwa_network *net = NULL;
    rwa_collective coll;
    rwa_error err = {0};
    const sweep_options *o = s->o;
    rwa_status status = about->spec != NULL ? network_open(&net, about->spec, &o->net, &err)
                                            : rwa_network_create(&net, about->kind, 2, NULL, &err);
    int code = status == RWA_BADARG && about->spec != NULL && has_commas_between(about->spec)
                   ? fail(EXIT_BAD_INPUT, "--network %s: expected blanks between networks, such as \"torus:4x4 nsfnet14-21\"", about->spec)
                   : fail_status(status, &err, 0);
    if (code == 0 && (about->schemes = calloc(o->collectives.count, sizeof *about->schemes)) == NULL)
        code = fail_memory();
    about->nodes = code == 0 ? rwa_network_nodes(net) : 0;
    for (size_t i = 0; i < o->collectives.count && code == 0; i++) {
        rwa_collective_kind kind = (rwa_collective_kind)o->collectives.values[i];
        assert(about->schemes);
        about->schemes[i] = o->rows.schemes;
        code = fail_status(rwa_collective_init(&coll, kind, about->nodes, 0, o->messages.values[0], 0, &err), &err, 0);
        THEN(rows_schemes(&about->schemes[i], net, &coll, &o->planning.opts));
    }
    rwa_network_free(net);
    return code;
}

static int add_subject(sweep *s, const char *word, size_t length)
{
    int ring = length == 4 && strncmp(word, "ring", 4) == 0, line = length == 4 && strncmp(word, "line", 4) == 0;
    char *spec = ring || line ? NULL : strndup(word, length);
    if (!ring && !line && spec == NULL)
        return fail_memory();
    subject *about = &s->subjects[s->subject_count++];
    *about = (subject){.kind = ring ? RWA_RING : RWA_LINE, .spec = spec};
    if ((ring || line) && s->o->nodes.count == 0)
        return fail(EXIT_BAD_INPUT, "no nodes given, expected for example: rwa sweep --nodes 64..1024 --wavelengths 16,64");
    return find_schemes(s, about);
}

static int find_subjects(sweep *s)
{
    int code = 0, kinds = 0;
    s->subjects = calloc(strlen(s->o->networks) / 2 + 1, sizeof *s->subjects);
    if (s->subjects == NULL)
        return fail_memory();
    for (const char *p = s->o->networks + strspn(s->o->networks, " "); *p != '\0' && code == 0; p += strspn(p, " ")) {
        size_t length = strcspn(p, " ");
        code = add_subject(s, p, length);
        kinds += code == 0 && s->subjects[s->subject_count - 1].spec == NULL;
        p += length;
    }
    if (code == 0 && s->subject_count == 0)
        code = fail(EXIT_BAD_INPUT, "--network: no network, expected for example \"torus:4x4 nsfnet14-21\"");
    if (code == 0 && kinds == 0 && s->o->nodes.count > 0)
        code = fail(EXIT_BAD_INPUT, "--nodes: of ring and line only, expected --network ring or line");
    if (code == 0 && s->o->rows.plot != NULL && (kinds != 1 || s->subject_count != 1 || s->o->collectives.count * s->o->messages.count > 1))
        code = fail(EXIT_BAD_INPUT, "--plot: expected one kind of network, one collective and one message");
    if (code == 0 && s->o->rows.plot != NULL && s->o->shard.count > 1)
        code = fail(EXIT_BAD_INPUT, "--plot: expected the whole table, not a shard");
    return code;
}

/* The rows of one subject with so many nodes; counted when s->list is NULL. */
static size_t list_rows(const sweep *s, const subject *about, uint32_t nodes, job *to)
{
    const sweep_options *o = s->o;
    size_t n = 0;
    for (size_t c = 0; c < o->collectives.count; c++)
        for (size_t m = 0; m < o->messages.count; m++)
            for (size_t w = 0; w < o->wavelengths.count; w++)
                for (size_t i = 0; i < about->schemes[c].count; i++, n++)
                    if (to != NULL)
                        to[n] = (job){about, nodes, o->wavelengths.values[w], (rwa_collective_kind)o->collectives.values[c],
                                      o->messages.values[m], about->schemes[c].names[i]};
    return n;
}

static size_t list_all(const sweep *s, job *to)
{
    size_t n = 0;
    for (size_t i = 0; i < s->subject_count; i++) {
        const subject *about = &s->subjects[i];
        for (size_t k = 0; k < (about->spec != NULL ? 1 : s->o->nodes.count); k++)
            n += list_rows(s, about, about->spec != NULL ? about->nodes : s->o->nodes.values[k], to != NULL ? to + n : NULL);
    }
    return n;
}

static int list_jobs(sweep *s)
{
    s->jobs = list_all(s, NULL);
    for (size_t i = 0; i < s->jobs; i++)
        s->mine += shard_has(&s->o->shard, i) != 0;
    s->list = calloc(s->jobs, sizeof *s->list);
    s->lines = calloc(s->jobs, sizeof *s->lines);
    s->open = calloc(s->jobs, sizeof *s->open);
    s->work = calloc(s->jobs, sizeof *s->work);
    if (s->list == NULL || s->lines == NULL || s->open == NULL || s->work == NULL)
        return fail_memory();
    list_all(s, s->list);
    return 0;
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

/* Lists that were not given have one value. */
static int complete_lists(sweep_options *o)
{
    int code = 0;
    if (o->networks == NULL)
        o->networks = "ring";
    if (o->collectives.count == 0)
        o->collectives = (name_list){{RWA_ALL_GATHER}, 1};
    if (o->messages.count == 0)
        o->messages = (size_list){{UINT64_C(4) << 20}, 1};
    for (size_t i = 0; o->root > 0 && i < o->collectives.count; i++)
        if (!rwa_collective_has_root((rwa_collective_kind)o->collectives.values[i]))
            code = fail(EXIT_BAD_INPUT, "--root: %s has no root, expected broadcast, scatter, gather or reduce",
                        rwa_collective_name((rwa_collective_kind)o->collectives.values[i]));
    return code;
}

static int prepare(sweep *s)
{
    sweep_options *o = s->o;
    int code = o->common.operands[0] != NULL ? fail(EXIT_BAD_INPUT, "unexpected argument %s; see rwa sweep --help", o->common.operands[0])
                                             : complete_lists(o);
    if (o->wavelengths.count > 0)
        o->net.wavelengths = o->wavelengths.values[0];
    THEN(device_apply(&o->device, &o->net, &o->planning.opts.cost, &o->common));
    THEN(check_wavelengths(o));
    planning_ready(&o->planning, NULL, &o->common);
    o->planning.opts.device = o->device.device;
    o->planning.opts.power_model = o->device.model;
    THEN(find_subjects(s));
    return code == 0 ? list_jobs(s) : code;
}

/* Shards as files on the command line. */
static int merge(sweep *s)
{
    sweep_options *o = s->o;
    int code = refuse_others(&o->common, NAMES("merge", "output"), "has no effect with --merge");
    while (s->mine < OPERANDS_MAX && o->common.operands[s->mine] != NULL)
        s->mine++;
    if (code == 0 && s->mine == 0)
        code = fail(EXIT_BAD_INPUT, "--merge: no files, expected the shards of a table");
    THEN(to_file(o) ? write_table(s, o->file) : shards_merge(stdout, o->common.operands, s->mine));
    return code == 0 ? finish(EXIT_YES) : code;
}

static int run(void *options)
{
    sweep_options *o = options;
    sweep s = {.o = o, .journal = {NULL, -1}};
    int code = o->merge ? merge(&s) : prepare(&s);
    if (code == 0 && !o->merge) {
        pthread_mutex_init(&s.lock, NULL);
        code = run_jobs(&s);
        pthread_mutex_destroy(&s.lock);
    }
    journal_close(&s.journal, s.written);
    for (size_t i = 0; s.lines != NULL && i < s.jobs; i++)
        free(s.lines[i]);
    free(s.lines);
    free(s.open);
    free(s.work);
    free(s.list);
    for (size_t i = 0; i < s.subject_count; i++) {
        free(s.subjects[i].spec);
        free(s.subjects[i].schemes);
    }
    free(s.subjects);
    rwa_device_free(o->device.device);
    return code;
}

const command command_sweep = {
    "sweep", "compare over ranges of settings, as CSV",
    "rwa sweep --nodes RANGE [options]\n"
    "       rwa sweep --network LIST [options]\n"
    "       rwa sweep --merge SHARD... [-o FILE]\n\n"
    "Compares the schemes for every combination of network, collective, message and wavelengths; the table is CSV (columns: "
    "docs/formats.md).  A range is a list, 64,128,256; "
    "or doubles from its first value to its last: 16..128 is 16,32,64,128; or has a step: 16..64:16 is 16,32,48,64.  "
    "A sweep with -o FILE that was stopped or killed continues from FILE.part when the same command is given again, and ends with "
    "the same bytes.  Several machines share a sweep by shards (docs/examples/sweep.slurm, .snakefile, .parallel.sh).\n\n"
    "Examples:\n"
    "  rwa sweep --nodes 64..1024 --wavelengths 16,64 -o sweep.csv\n"
    "  rwa sweep --nodes 100,360,1000 --scheme optree,one-stage --plot sweep.svg\n"
    "  rwa sweep --network \"torus:4x4 hypercube:4\" --message 64kB..1MB\n"
    "  rwa sweep --nodes 64..1024 --shard 2/4 -o part2.csv\n"
    "  rwa sweep --merge part*.csv -o sweep.csv\n",
    groups, sizeof(sweep_options), OPERANDS_MAX, run, NULL};
