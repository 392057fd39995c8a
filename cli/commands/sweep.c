/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares schemes over ranges of settings: every combination is a job, threads do the jobs, and a journal records
 * those that are done. */
#include "cli/journal.h"
#include "cli/plot.h"
#include "cli/pool.h"
#include "cli/rows.h"
#include "cli/shard.h"
#include "commands.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

/* The values of the options; a list that is not given has one value. */
static const char *networks = "ring";   /* blanks between them */
static number_list nodes, wavelengths, messages = {{UINT64_C(4) << 20}, 1};
static name_list collectives = {{RWA_ALL_GATHER}, 1};
static shard own_shard = {1, 1};
static uint32_t threads;                /* 0: as many as processors */
static int merge;

static const option own_options[] = {
    {"network", "LIST", "ring or line, their nodes by --nodes; or any, as \"torus:4x4 nsfnet14-21 net.graphml\" (ring)",
     IS_TEXT(networks)},
    {"nodes", "RANGE", "as 64,128,256, or 64..1024, which doubles, or 64..256:64 (required on ring and line)",
     IS_COUNT_LIST(nodes, RWA_NODES_MAX)},
    {"wavelengths", "RANGE", "of each fibre, as 4,16 or 16..128 (64, or the device's grid)",
     IS_COUNT_LIST(wavelengths, RWA_CHANNELS_MAX)},
    {"collective", "LIST", "as all-gather,all-reduce (all-gather)",
     IS_NAME_LIST(collectives, find_collective, collective_name)},
    {"root", "NODE", "of broadcast, scatter, gather and reduce (0)", IS_COUNT(target.root, 0, RWA_NODES_MAX - 1)},
    {"message", "RANGE", "bytes per node, or per vector in reductions, as 25kB,4MiB or 1MB..64MB (4MiB)",
     IS(messages, read_size_list)},
    {"output", "FILE", "write the table; until it is complete its rows are in FILE.part", IS_FILE(output.file)},
    {"shard", "I/N", "only rows I, I + N, I + 2N, ...; --merge puts the N files together", IS(own_shard, read_shard)},
    {"merge", NULL, "put the shards given as files together", IS_FLAG(merge)},
    {"threads", "N", "plan N settings at a time (all processors)", IS_COUNT(threads, 1, THREADS_MAX)},
    {0}};

/* A network of the list; of a kind (ring or line) there is one for each number of nodes. */
typedef struct subject {
    const char *spec, *name;    /* its specification; its name in the table, NULL: its kind */
    uint32_t nodes;
    scheme_list *schemes;       /* for each collective */
} subject;

/* A row of the table: its setting, and what came of it. */
typedef struct sweep_job {
    size_t row;                 /* of the whole table, from 0 */
    const subject *subject;
    uint32_t wavelengths;
    rwa_collective_kind collective;
    uint64_t message;
    const char *scheme;         /* NULL: auto */
    rwa_plan_objective objective;
    char *line;                 /* NULL until it is planned, by this run or by an earlier one */
} job;

static subject *subjects;
static size_t subject_count, words, kinds;      /* words of --network, and kinds among them */
static job *jobs;               /* the rows of the shard */
static size_t rows, mine;       /* of the whole table, and of the shard */
static size_t done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;    /* of the journal and of `done` */

/* ---- one job ---- */

static rwa_status make_row(char **text, const job *j, rwa_poll poll, void *poll_data, rwa_error *err)
{
    const subject *about = j->subject;
    rwa_network_options opts = target.opts;
    rwa_network *net = NULL;
    rwa_collective coll;
    opts.wavelengths = j->wavelengths;
    rwa_status status = rwa_network_open(&net, about->spec, &opts, err);
    row r = {net, &coll, about->name, j->scheme, j->objective, {0}};
    if (status == RWA_OK)
        status = rwa_collective_init(&coll, j->collective, about->nodes,
                                     rwa_collective_has_root(j->collective) ? target.root : 0, j->message, 0, err);
    if (status == RWA_OK)
        status = row_plan(&r, rows > 1, planning.time_limit_s, poll, poll_data, err);
    if (status == RWA_OK && !(*text = row_csv(&r)))
        status = RWA_NOMEM;
    rwa_network_free(net);
    return status;
}

static rwa_status run_job(size_t number, rwa_poll poll, void *poll_data, rwa_error *err)
{
    job *j = &jobs[number];
    char *text = NULL;
    if (j->line)
        return RWA_OK;
    rwa_status status = make_row(&text, j, poll, poll_data, err);
    if (status != RWA_OK)
        return status;
    pthread_mutex_lock(&lock);
    j->line = text;
    if (journal_add(j->row, text) != 0) {
        snprintf(err->text, sizeof err->text, "%s", strerror(errno));
        status = RWA_IO;
    }
    done += status == RWA_OK;
    assert(done <= mine);
    pthread_mutex_unlock(&lock);
    return status;
}

/* The column of row_csv() with the number of steps, which the bound follows; none before it is quoted. */
enum { STEPS = 8 };

/* Return the part of a CSV line from its column STEPS on; NULL if it has fewer columns. */
static const char *from_steps(const char *line)
{
    for (size_t commas = 0; line && commas < STEPS; commas++)
        line = strchr(line, ',') ? strchr(line, ',') + 1 : NULL;
    return line;
}

/* Copy `line`, which an earlier run has written to the journal, to the job of row `number`.  Ignore a damaged line, so
 * that the row is planned again, and the line of a row that is not in the shard. */
static void take_row(size_t number, const char *line)
{
    job *j = number < rows && shard_has(&own_shard, number) ? &jobs[number / own_shard.count] : NULL;
    if (!j || j->line || !from_steps(line))
        return;
    j->line = strdup(line);
    done += j->line != NULL;
}

/* Return the relative work of job `number`, for the estimate of the time left: the square of the nodes, which is about
 * the number of lightpaths of a plan.  Return 0 if an earlier run has done the job. */
static double work_of(size_t number)
{
    const job *j = &jobs[number];
    return j->line ? 0 : (double)j->subject->nodes * j->subject->nodes;
}

/* ---- the table ---- */

/* All settings on which a row depends, on one line. */
static char *settings;

static int print_table(FILE *to)
{
    static char *columns;
    columns = row_csv(NULL);
    if (!columns)
        return fail_memory();
    if (given("shard"))
        shard_header(to, &own_shard, rows, settings);
    fputs(columns, to);
    for (size_t i = 0; i < mine; i++)
        fputs(jobs[i].line, to);
    return 0;
}

/* Write the table to standard output by print(); if -o names a file, write it there when it is complete, so that it
 * appears whole or not at all.  Return 0, or the exit code after an error message. */
static int write_table(int (*print)(FILE *to))
{
    static char *text;
    static size_t size;
    if (!names_file())
        return print(stdout);
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return fail_memory();
    int code = print(to), failed = fclose(to) != 0;
    MUST(code);
    return failed ? fail_memory() : WRITE(rwa_text_write, text, output.file);
}

/* Tell whether to keep a journal: there is none beside a pipe or a device. */
static int keeps_journal(void)
{
    struct stat info;
    return names_file() && (stat(output.file, &info) != 0 || S_ISREG(info.st_mode));
}

static int stopped(void)
{
    return fail(EXIT_STOPPED, "stopped after %zu of %zu; %s", done, mine,
                keeps_journal() ? phrase("the same command continues from %s.part", output.file)
                                : "with -o FILE the same command could continue");
}

/* ---- the figure: steps over nodes, a panel for each number of wavelengths, or over wavelengths ---- */

/* The rows go through all schemes for each number of wavelengths for each number of nodes. */
static size_t schemes, panels;
static int by_nodes;

/* Return the steps of row i, read from its CSV line; 0: it has no schedule.  Set *bound to the lower bound on the
 * steps. */
static unsigned long steps_of(size_t i, unsigned long *bound)
{
    char *at;
    unsigned long steps = strtoul(from_steps(jobs[i].line), &at, 10);
    *bound = strtoul(at + 1, NULL, 10);
    return steps;
}

/* Write a curve of panel number `panel` for gnuplot: the steps of scheme number `scheme` or, if that is the number of
 * schemes, the lower bounds on the steps. */
static void put_points(FILE *to, size_t panel, size_t scheme)
{
    int bounds = scheme == schemes;
    unsigned long bound;
    fprintf(to, "$p%zu << END\n", scheme);
    for (size_t i = panel * schemes; i < rows; i += panels * schemes) {
        size_t k = bounds ? 0 : scheme;
        while (bounds && k + 1 < schemes && steps_of(i + k, &bound) == 0) /* the first that has a schedule */
            k++;
        unsigned long steps = steps_of(i + k, &bound), y = bounds ? bound : steps;
        if (steps > 0 && y > 0)
            fprintf(to, "%u %lu\n", by_nodes ? jobs[i].subject->nodes : jobs[i].wavelengths, y);
    }
    fprintf(to, "END\n");
}

static int has_points(size_t scheme)
{
    unsigned long bound;
    size_t i = scheme;
    while (i < rows && steps_of(i, &bound) == 0)
        i += schemes;
    return i < rows;
}

static void put_panel(FILE *to, size_t panel)
{
    const job *first = &jobs[panel * schemes];
    for (size_t k = 0; k <= schemes; k++)
        put_points(to, panel, k);
    fprintf(to, "set title '%u %s'\nset xlabel '%s'\nplot ",
            by_nodes ? first->wavelengths : first->subject->nodes, by_nodes ? "wavelengths" : "nodes",
            by_nodes ? "nodes" : "wavelengths");
    for (size_t k = 0; k < schemes; k++)
        if (has_points(k))
            fprintf(to, "$p%zu using 1:2 with linespoints linewidth 2 pointtype 7 title '%s', ", k,
                    jobs[k].scheme                           ? jobs[k].scheme
                    : jobs[k].objective == RWA_LEAST_TIME ? "auto, time"
                                                             : "auto, steps");
    fprintf(to, "$p%zu using 1:2 with lines dashtype 2 linewidth 2 linecolor rgb 'black' title 'lower bound'\n",
            schemes);
}

static int draw(void)
{
    by_nodes = nodes.count > 1;
    panels = by_nodes ? wavelengths.count : 1;
    schemes = rows / nodes.count / wavelengths.count;
    return plot_panels("set logscale x 2\nset logscale y\nset grid\nset ylabel 'steps'\nset key top left\n", put_panel,
                       panels, 400, 480);
}

/* ---- running the jobs ---- */

static int answer(void)
{
    MUST(write_table(print_table));
    MUST(finish(EXIT_YES));
    journal_remove();
    return plot_file ? draw() : EXIT_YES;
}

static int run_jobs(void)
{
    size_t ended = 0;
    settings = options_text(phrase("rwa-sweep %s", rwa_version()), "output shard threads plot");
    if (!settings)
        return fail_memory();
    if (keeps_journal())
        MUST(journal_open(output.file, settings, take_row));
    int code = pool_run(threads, mine, work_of, run_job, &ended);
    return code == 0 || (code == EXIT_STOPPED && done == mine) ? answer() : code == EXIT_STOPPED ? stopped() : code;
}

/* ---- the command ---- */

/* Return the specification with blanks in place of the commas that stand before letters: "ring:16,torus:4x4" becomes
 * "ring:16 torus:4x4". */
static const char *blanks_between(const char *spec)
{
    char *text = phrase("%s", spec);
    for (char *p = text; *p; p++)
        if (*p == ',' && isalpha((unsigned char)p[1]))
            *p = ' ';
    return text;
}

static int open_subject(rwa_network **net, const char *spec)
{
    rwa_status status = rwa_network_open(net, spec, &target.opts, new_error());
    const char *separated = blanks_between(spec);
    if (status == RWA_BADARG && strchr(separated, ' '))
        return BAD_INPUT("--network %s: expected blanks between networks, in quotes: \"%s\"", spec, separated);
    return fail_name(status, suggest_network(spec));
}

/* Add a network to subjects[], and list there the schemes for each collective on it.
 * spec: the specification, allocated by the caller, and kept; NULL: the caller ran out of memory, which is reported
 * is_named: the rows show `spec` as the name of the network
 * Return 0, or the exit code after an error message. */
static int add_subject(const char *spec, int is_named)
{
    static rwa_network *net;
    rwa_collective coll;
    subject *about = &subjects[subject_count++];
    MUST(spec ? NEW(about->schemes, collectives.count) : fail_memory());
    about->spec = spec;
    about->name = is_named ? spec : NULL;
    MUST(open_subject(&net, spec));
    about->nodes = rwa_network_nodes(net);
    for (size_t i = 0; i < collectives.count; i++) {
        MUST(CALL(rwa_collective_init, &coll, (rwa_collective_kind)collectives.values[i], about->nodes, 0,
                  (uint64_t)messages.values[0], 0));
        MUST(rows_schemes(&about->schemes[i], net, &coll));
    }
    rwa_network_free(net);
    return 0;
}

static int take_word(const char *word, size_t length)
{
    words++;
    if (!is_among(word, length, "ring line"))
        return add_subject(strndup(word, length), 1);
    kinds++;
    if (nodes.count == 0)
        return BAD_INPUT("no nodes given, expected for example: rwa sweep --nodes 64..1024 --wavelengths 16,64");
    for (size_t k = 0; k < nodes.count; k++)
        MUST(add_subject(strdup(phrase("%.*s:%.0f", (int)length, word, nodes.values[k])), 0));
    return 0;
}

static int find_subjects(void)
{
    MUST(NEW(subjects, (strlen(networks) / 2 + 1) * (nodes.count + 1)));
    for (const char *p = networks + strspn(networks, " "); *p; p += strspn(p, " ")) {
        MUST(take_word(p, strcspn(p, " ")));
        p += strcspn(p, " ");
    }
    if (words == 0)
        return BAD_INPUT("--network: no network, expected for example \"torus:4x4 nsfnet14-21\"");
    if (kinds == 0 && nodes.count > 0)
        return BAD_INPUT("--nodes: of ring and line only, expected --network ring or line");
    if (plot_file && (kinds != 1 || words != 1 || collectives.count * messages.count > 1))
        return BAD_INPUT("--plot: expected one kind of network, one collective and one message");
    if (plot_file && own_shard.count > 1)
        return BAD_INPUT("--plot: expected the whole table, not a shard");
    return 0;
}

/* Count a row of the table in `rows` and, if it belongs to the shard, in `mine`.  Append it to jobs[] then, unless jobs
 * is NULL, as in a first pass that only counts. */
static void add_row(job j)
{
    j.row = rows++;
    if (!shard_has(&own_shard, j.row))
        return;
    if (jobs)
        jobs[mine] = j;
    mine++;
}

/* Pass the rows of all settings to add_row(), which counts them and, unless jobs is NULL, lists those of the shard. */
static void list_rows(void)
{
    rows = mine = 0;
    for (const subject *about = subjects; about < subjects + subject_count; about++)
        for (size_t c = 0; c < collectives.count; c++)
            for (size_t m = 0; m < messages.count; m++)
                for (size_t w = 0; w < wavelengths.count; w++)
                    for (size_t i = 0; i < about->schemes[c].count; i++)
                        add_row((job){.subject = about,
                                      .wavelengths = (uint32_t)wavelengths.values[w],
                                      .collective = (rwa_collective_kind)collectives.values[c],
                                      .message = (uint64_t)messages.values[m],
                                      .scheme = about->schemes[c].names[i],
                                      .objective = about->schemes[c].objectives[i]});
}

static int complete_lists(void)
{
    for (size_t i = 0; i < collectives.count; i++)
        MUST(refuse_root((rwa_collective_kind)collectives.values[i]));
    if (wavelengths.count > 0)
        target.opts.wavelengths = (uint32_t)wavelengths.values[0];
    MUST(device_apply());
    if (wavelengths.count == 0)
        wavelengths = (number_list){{target.opts.wavelengths}, 1};
    for (size_t i = 0; i < wavelengths.count; i++)
        MUST(refuse_grid((uint32_t)wavelengths.values[i]));
    return 0;
}

static int sweep(void)
{
    if (args.file)
        return BAD_INPUT("unexpected argument %s; see rwa sweep --help", args.file);
    MUST(complete_lists());
    planning_ready();
    MUST(find_subjects());
    list_rows();
    MUST(NEW(jobs, mine));
    list_rows();
    MUST(plot_needs());
    return run_jobs();
}

static int run(void)
{
    if (!merge)
        return sweep();
    MUST(refuse_others("merge output", "has no effect with --merge"));
    return write_table(shards_merge);
}

const command command_sweep = {
    "sweep",
    "compare over ranges of settings, as CSV",
    "rwa sweep --nodes RANGE [options]\n"
    "       rwa sweep --network LIST [options]\n"
    "       rwa sweep --merge SHARD... [-o FILE]\n\n"
    "Compares the schemes, and auto for least time and for fewest steps, for every combination of network, "
    "collective, message and wavelengths, as CSV (docs/reference/formats.md); a scheme that does not suit a network "
    "is a row with the reason.  With -o FILE the same command continues a sweep that was stopped.  Several machines "
    "share a sweep by shards (docs/examples/sweep.slurm, .snakefile, .parallel.sh).\n\n"
    "Examples:\n"
    "  rwa sweep --nodes 100,360,1000 --scheme optree,one-stage --plot sweep.svg\n"
    "  rwa sweep --network \"torus:4x4 hypercube:4\" --message 64kB..1MB\n"
    "  rwa sweep --nodes 64..1024 --shard 2/4 -o part2.csv\n"
    "  rwa sweep --merge part*.csv -o sweep.csv\n",
    TABLES(own_options, fiber_options, PLANNING_TABLES, rows_options),
    OPERANDS_MAX,
    run,
    NULL};
