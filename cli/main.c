/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fold.h"
#include "near.h"
#include "options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    unsigned bit;
    int (*run)(options *o);
    const char *summary;
    const char *usage;
} command;

static const command commands[] = {
    {"plan", CMD_PLAN, command_plan, "make a schedule, check it, say how good it is",
     "rwa plan --network SPEC [options]\n\n"
     "Plans a collective, checks the schedule with the independent checker, and compares it with what no "
     "schedule can beat.  Exit 1: no schedule satisfies the limits.\n\n"
     "Examples:\n"
     "  rwa plan --network ring:16 -w 2 --scheme optree --radix 4,4 -o plan.jsonl\n"
     "  rwa plan --network ring:64 --message 4MiB --device onoc-typical --format json\n"
     "  rwa plan --network ring:1024 --members 0-63,128-191 --reserve 0-7 --fail cw:17\n"
     "  rwa plan --network ring:1024 --scheme wavefront --max-drops 5\n"
     "  rwa plan --repair plan.jsonl --fail 7 --at-step 3 -o repaired.jsonl\n"},
    {"explain", CMD_EXPLAIN, command_explain, "say how a plan is made, and why it is as good as it is",
     "rwa explain --network SPEC [options]\n\n"
     "Walks through a plan: the task, the groups and stages of a tree or the way a block takes, how many lightpaths the "
     "heaviest link carries and why that needs so many wavelengths, the bound, and where the light goes.\n\n"
     "Examples:\n"
     "  rwa explain --network ring:16 --wavelengths 2\n"
     "  rwa explain --network ring:16 -w 2 --scheme optree --radix 4,4 --stage 1\n"
     "  rwa explain --network ring:64 --wavelengths 8 --device onoc-typical\n"},
    {"check", CMD_CHECK, command_check, "verify a schedule file",
     "rwa check FILE [options]\n\n"
     "Verifies channels, continuity, causality and completeness, and power when a device is given.\n"
     "Exit 1: a violation; exit 2: the file cannot be read as a schedule.\n\n"
     "Examples:\n"
     "  rwa check plan.jsonl\n"
     "  rwa check plan.jsonl.gz --device onoc-typical --format json\n"},
    {"assign", CMD_ASSIGN, command_assign, "routes and wavelengths for demands on any network",
     "rwa assign --network SPEC|FILE [options]\n\n"
     "Gives every demand a route, a fibre and a wavelength, checks the answer, and says what no answer can beat, with a "
     "witness.  Networks and demands come from files too: GraphML, GML, SNDlib, GNPy, JSON, CSV (docs/networks.md).\n"
     "Exit 1: the demands cannot be served with the given wavelengths; it says what would help.\n\n"
     "Examples:\n"
     "  rwa assign --network nsfnet14-21 -o assignment.jsonl\n"
     "  rwa assign --network net.graphml --demands demands.csv -w 8 --format json\n"
     "  rwa assign --network nsfnet14-21 --wavelengths 4 --objective demands\n"},
    {"traffic", CMD_TRAFFIC, command_traffic, "how much random traffic a network turns away",
     "rwa traffic --network SPEC|FILE --load RANGE [options]\n\n"
     "Simulates requests that come as a Poisson process between random nodes, hold for exponential times and are lost when "
     "no route that is tried has a wavelength free all along; a load of A Erlang is A requests in a mean holding time. "
     "Several routings and policies see the same traffic.  Between two nodes Erlang B is exact, and stands beside.\n\n"
     "Examples:\n"
     "  rwa traffic --network nsfnet14-21 -w 16 --load 60..140\n"
     "  rwa traffic --network nsfnet14-21 -w 16 --load 60..140 --plot blocking.svg\n"
     "  rwa traffic --network line:2 --model undirected -w 8 --load 2,4,8 --format csv\n"},
    {"bounds", CMD_BOUNDS, command_bounds, "list the lower bounds: what no schedule can beat",
     "rwa bounds --network SPEC [options]\n\n"
     "Lists every lower bound that applies, with its value, statement and source.\n\n"
     "Examples:\n"
     "  rwa bounds --network ring:16 --wavelengths 2\n"
     "  rwa bounds --network line:64 --max-hops 8 --format json\n"},
    {"show", CMD_SHOW, command_show, "draw a schedule: in the terminal, as SVG, as an interactive page",
     "rwa show FILE [FILE2] [options]\n\n"
     "Draws a schedule, or an assignment: utilisation, and grids of links by wavelengths with every lightpath as a run; "
     "--node and --block follow one of them through the steps.  -o x.svg draws, -o x.html makes one self-contained "
     "interactive page, of two files side by side.  A drawing is not a verdict: that is rwa check.\n\n"
     "Examples:\n"
     "  rwa show plan.jsonl\n"
     "  rwa show plan.jsonl --block 3\n"
     "  rwa show optree.jsonl wavefront.jsonl -o compare.html\n"},
    {"compare", CMD_COMPARE, command_compare, "schemes side by side: steps, bound, time, light",
     "rwa compare --network SPEC [options]\n\n"
     "Plans with every scheme that can do it, checks each schedule, and shows them in one table: the steps of the "
     "paper's formula and of the schedule, the lower bound, the time in both cost models, the longest lightpath, the "
     "wavelengths used, and whether the light suffices.  Exit 1: no scheme has a schedule.\n\n"
     "Examples:\n"
     "  rwa compare --network ring:64 --wavelengths 8\n"
     "  rwa compare --network ring:1000 --collective all-reduce --message 552MB\n"
     "  rwa compare --network ring:128 --device aggressive --plot compare.svg\n"},
    {"sweep", CMD_SWEEP, command_sweep, "compare over ranges of nodes and wavelengths, as CSV",
     "rwa sweep --nodes RANGE [options]\n\n"
     "Compares the schemes for every combination of nodes and wavelengths; the table is CSV.  A range is a list, "
     "64,128,256, or doubles from its first count to its last: 16..128 is 16,32,64,128.  A sweep with -o FILE that was "
     "stopped or killed goes on from FILE.part when the same command is given again, and ends with the same bytes.\n\n"
     "Examples:\n"
     "  rwa sweep --nodes 64..1024 --wavelengths 16,64 -o sweep.csv\n"
     "  rwa sweep --nodes 100,360,1000 --scheme optree,one-stage --plot sweep.svg\n"},
    {"reproduce", CMD_REPRODUCE, command_reproduce, "a paper's tables: printed, by formula, and as schedules",
     "rwa reproduce optree|wrht|star|ron [options]\n\n"
     "Recomputes what a paper prints: the printed figure, what its formula gives, what a checked schedule takes, and "
     "the difference, with a note wherever the paper contradicts itself.  --item picks a table, or the curves of a "
     "figure (optree: fig-4 to fig-7; wrht: fig-4, fig-5), which --plot draws.\n\n"
     "Examples:\n"
     "  rwa reproduce optree\n"
     "  rwa reproduce wrht --item table-I --format csv\n"
     "  rwa reproduce optree --item fig-6 --plot fig-6.svg\n"
     "  rwa reproduce optree --item comparison --format csv\n"},
    {"export", CMD_EXPORT, command_export, "write a schedule for controllers and simulators, or in full",
     "rwa export FILE --to FORMAT -o OUT [options]\n"
     "       rwa export FILE --expand -o OUT\n\n"
     "Formats: csv, a lightpath a line; nodes, what each ring adds, drops or passes; openconfig, media channels, a document "
     "for each node and step in a new folder (or one file, with --node and --step); harvest, per-step topologies; msccl, a "
     "program of sends and receives; gnpy and sndlib, requests and routes.\n\n"
     "Examples:\n"
     "  rwa export plan.jsonl --to csv -o plan.csv\n"
     "  rwa export plan.jsonl --to nodes --node 3 --changes -o -\n"
     "  rwa export plan.jsonl --to openconfig --device onoc-typical -o settings\n"
     "  rwa export plan.jsonl --expand -o all.jsonl.gz\n"},
    {"import", CMD_IMPORT, command_import, "read another planner's schedule, complete it and judge it",
     "rwa import FILE [--network SPEC] [-o OUT] [options]\n\n"
     "Formats: csv, the table that export writes, which says its network too; msccl, programs (XML) of an all-gather or all-reduce; "
     "harvest, steps of demands or topologies (JSON).  Routes and wavelengths that a file does not tell are assigned, and a "
     "step for which the wavelengths do not suffice becomes several.  OUT is written when the schedule is right.\n"
     "Exit 1: it is not; the violations are named.  docs/formats.md says what is read, and how.\n\n"
     "Examples:\n"
     "  rwa import allgather.xml --network ring:16 --wavelengths 4 -o imported.jsonl\n"
     "  rwa import demands.json --network torus:4x4 --format json\n"
     "  rwa import plan.csv -o plan.jsonl\n"},
    {"circuits", CMD_CIRCUITS, command_circuits, "circuits of switches, or lightpaths of a ring, for a traffic matrix",
     "rwa circuits TRAFFIC --network SPEC [options]\n\n"
     "Makes the slowest transfer as fast as possible: how many circuits each pair of nodes gets and which switch carries "
     "them, or how many lightpaths and on which wavelengths.  TRAFFIC is CSV (a square matrix, or the line src,dst,bytes "
     "and a flow a line) or JSON; - is standard input.  Exit 1: not every pair can be served.\n\n"
     "Examples:\n"
     "  rwa circuits traffic.csv --network ocs:64x8 --rate 25G\n"
     "  rwa circuits traffic.csv --network ocs:64x8 --episodes auto --duty 0.9\n"
     "  rwa circuits traffic.json --network ring:64 --wavelengths 16 --format csv\n"},
    {"place", CMD_PLACE, command_place, "place a task graph onto devices; traffic, circuits and time from it",
     "rwa place TASKS --devices K [options]\n\n"
     "Places the tasks so that every device sends to few others; the traffic follows from that, with --network the "
     "circuits for it, and the time of an iteration over them.  Exit 1: no room, or not every pair can be served.\n\n"
     "Examples:\n"
     "  rwa place tasks.json --devices 4 --replicas 2 --degree 3 --network ocs:8x3\n"
     "  rwa place tasks.json --devices 8 --quantum 1ms --format csv |\n"
     "    rwa circuits - --network ring:8\n"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int fail(int code, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *p = text; *p != '\0'; p++)   /* one line, and no control characters from names */
        if ((unsigned char)*p < 32 || *p == 127)
            *p = '?';
    progress_clear();
    fprintf(stderr, "rwa: %s\n", text);
    return code;
}

int fail_status(rwa_status status, const rwa_error *err, int writing)
{
    int code = EXIT_MACHINE;
    if (status == RWA_BADARG || status == RWA_FORMAT || (status == RWA_IO && !writing))
        code = EXIT_BAD_INPUT;
    else if (status == RWA_CANCELLED)
        code = EXIT_STOPPED;
    return fail(code, "%s", err->text[0] != '\0' ? err->text : rwa_status_text(status));
}

int finish(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno == EPIPE)
        return EXIT_MACHINE;
    return fail(EXIT_MACHINE, "standard output: %s", errno != 0 ? strerror(errno) : "could not be written");
}

static int help_all(void)
{
    fold folded;
    FILE *to = fold_open(&folded, stdout);
    fprintf(to, "rwa plans collectives on optical interconnects, checks the plans, and says how far from the best they are.\n\n"
            "Usage: rwa COMMAND [options]\n\nCommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-9s  %s\n", commands[i].name, commands[i].summary);
    fold_close(&folded, -1, FOLD_PROSE);
    printf("\nExample:\n  rwa plan --network ring:16 --wavelengths 2 -o plan.jsonl\n  rwa check plan.jsonl\n\n"
           "rwa help COMMAND (or rwa COMMAND --help) tells more; rwa --version the version.\n"
           "Exit codes: 0 done; 1 the answer is no; 2 bad input; 3 stopped; 4 the machine\nfailed.\n");
    return finish(EXIT_YES);
}

/* What the command is about is folded, its examples are for copying. */
static int help_one(const command *c)
{
    fold folded;
    const char *examples = strstr(c->usage, "Examples:\n");
    size_t about = examples != NULL ? (size_t)(examples - c->usage) : strlen(c->usage);
    FILE *to = fold_open(&folded, stdout);
    fprintf(to, "Usage: %.*s", (int)about, c->usage);
    fold_close(&folded, -1, FOLD_PROSE);
    fputs(examples != NULL ? examples : "", stdout);
    options_help(c->bit);
    return finish(EXIT_YES);
}

static int no_command(void)
{
    char known[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < COMMANDS && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : i + 1 == COMMANDS ? " or " : ", ",
                                 commands[i].name);
    return fail(EXIT_BAD_INPUT, "no command, expected %s; see rwa --help", known);
}

static int unknown_command(const char *word)
{
    char question[64];
    near_name near;
    near_init(&near, word, strlen(word));
    for (size_t i = 0; i < COMMANDS; i++)
        near_try(&near, commands[i].name);
    return fail(EXIT_BAD_INPUT, "unknown %s %s%s; see rwa --help", word[0] == '-' ? "option" : "command", word,
                near_question(&near, "", question, sizeof question));
}

/* "help", or "help COMMAND". */
static int help(int words, char **word)
{
    if (words == 0)
        return help_all();
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(word[0], commands[i].name) == 0)
            return help_one(&commands[i]);
    return unknown_command(word[0]);
}

int main(int argc, char **argv)
{
    signals_install();
    if (argc < 2)
        return no_command();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(argv[1], "--version") == 0) {
        printf("rwa %s\n", rwa_version());
        return finish(EXIT_YES);
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        const command *c = &commands[i];
        options o;
        if (strcmp(argv[1], c->name) != 0)
            continue;
        int code = options_parse(&o, c->name, c->bit, argc, argv);
        if (code != 0)
            return code;
        return o.help ? help_one(c) : c->run(&o);
    }
    return unknown_command(argv[1]);
}
