/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands share: options, exit codes, the signal, one way to say what went wrong. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "rwa.h"

enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_BAD_INPUT = 2, EXIT_STOPPED = 3, EXIT_MACHINE = 4 };

/* Bits that say which command takes an option. */
enum { CMD_PLAN = 1, CMD_CHECK = 2, CMD_BOUNDS = 4, CMD_EXPORT = 8, CMD_SHOW = 16, CMD_COMPARE = 32, CMD_SWEEP = 64,
       CMD_REPRODUCE = 128, CMD_CIRCUITS = 256, CMD_PLACE = 512, CMD_ASSIGN = 1024, CMD_EXPLAIN = 2048,
       CMD_IMPORT = 4096, CMD_TRAFFIC = 8192,
       CMD_ALL = (1 << 16) - 1 };

/* Counts to go through, in order. */
enum { RANGE_MAX = 64, LIST_MAX = 8, GIVEN_MAX = 128 };
typedef struct range { uint32_t values[RANGE_MAX]; size_t count; } range;

/* Everything the command line said. */
typedef struct options {
    const char *command;
    const char *given[GIVEN_MAX];   /* the names of the options, each once: tells a default from the same value given */
    size_t given_count;
    const char *file;           /* the operand: of reproduce a paper, else a file */
    const char *file2;          /* the second one of show */
    const char *network;
    rwa_network_options net;
    rwa_collective_kind collective;
    uint32_t root;
    uint64_t message, blocks;   /* blocks 0: the usual number, or the scheme's */
    uint32_t radix[RWA_STAGES_MAX];
    const char *device;
    rwa_plan_options plan;      /* scheme, solver, radices, limits, cost, power model */
    const char *schemes[RWA_STAGES_MAX];    /* of compare and sweep */
    size_t scheme_count;                    /* 0: all that can */
    range nodes, wavelengths;               /* of sweep */
    uint32_t threads;                       /* of sweep; 0: as many as there are processors */
    const char *plot;
    const char *item;                       /* of reproduce: a table or figure; NULL: all tables */
    int formulas_only;
    int json, csv;
    const char *output;
    uint32_t step, node;        /* of show */
    uint64_t block;
    const char *method;         /* of circuits and place */
    uint32_t episodes;          /* 0: chosen */
    double duty, quantum_s;
    int one_way;
    uint32_t devices, replicas, degree;
    uint64_t memory;
    const char *to;             /* of export */
    const char *from;           /* of import; NULL: told by the file */
    const char *repair;         /* of plan */
    const char *members, *reserved, *failed;    /* lists of numbers, ranges and links */
    uint32_t *member_list;      /* the members, once the network is known; NULL: all nodes */
    uint32_t at_step;
    uint32_t steps_before;      /* of the schedule that --repair names */
    int explain;
    uint32_t stage;             /* of explain */
    int changes;
    const char *demands;        /* of assign */
    const char *avoid, *converters;
    rwa_assign_options assign;  /* model, objective, routing, solver, limits */
    double loads[RANGE_MAX];    /* of traffic: Erlang */
    size_t load_count;
    rwa_policy policies[LIST_MAX];
    size_t policy_count;        /* 0: first-fit */
    rwa_routing routings[LIST_MAX];
    size_t routing_count;       /* 0: shortest */
    rwa_blocking_options blocking;
    int quiet, verbose, help, expand;
} options;

/* Read argv[2] and on for a command; 0, or the exit code after one line on standard error. */
int options_parse(options *o, const char *command, unsigned which, int argc, char **argv);
/* The options of a command, one line each, on standard output. */
void options_help(unsigned which);
/* One line "rwa: ..." on standard error; returns code. */
int fail(int code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* The same for a failed call of the library; writing: the call wrote a file. */
int fail_status(rwa_status status, const rwa_error *err, int writing);
/* Flush standard output; EXIT_MACHINE when it could not be written (quietly when its reader has gone). */
int finish(int code);

/* given.c: whether an option was given, by its long name. */
int option_given(const options *o, const char *name);
void option_note(options *o, const char *name);
/* A list of names for these: 0, or EXIT_BAD_INPUT after one line "--NAME: why" on the first option that was given and is, or
 * is not, among the names; -q and -v are always in place. */
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
int refuse_given(const options *o, const char *const *names, const char *why);
int refuse_others(const options *o, const char *const *names, const char *why);
/* The same for what depends on another option, on the collective or on the network. */
int refuse_power_model(const options *o);
int refuse_alpha(const options *o);
int refuse_root(const options *o, rwa_collective_kind kind);
int refuse_fibers(const options *o, const rwa_network *net);

/* SIGINT and SIGTERM ask long work to stop; poll() carries that to the library and shows progress. */
void signals_install(void);
int poll_progress(void *opts, const char *phase, double fraction);
int signals_asked(void);
double clock_s(void);
/* A bar on a terminal; seconds_left negative: not known. */
void progress_bar(const options *o, size_t done, size_t all, double fraction, double seconds_left);
void progress_clear(void);

/* Open what --device names and let it set what no option set; *device stays NULL without one. */
int device_apply(rwa_device **device, options *o);
/* Build the network and the collective the options describe, and set o->plan.members; target_free() in any case. */
int target_build(rwa_network **net, rwa_collective *coll, options *o);
void target_free(rwa_network *net, options *o);
/* "17,cw:3" as directed links; 0, or the exit code after one line.  The caller frees *links. */
int links_read(uint32_t **links, size_t *count, const rwa_network *net, const char *list);

int command_plan(options *o);
int command_check(options *o);
int command_bounds(options *o);
int command_export(options *o);
int command_import(options *o);
int command_compare(options *o);
int command_sweep(options *o);
int command_reproduce(options *o);
int command_show(options *o);
int command_explain(options *o);
/* rwa plan --repair: see repair.c; answer() is plan's way to write and print one. */
int command_repair(options *o);
int plan_answer(const rwa_plan *plan, options *o, const rwa_network *net, const rwa_collective *coll);
int command_circuits(options *o);
int command_place(options *o);
int command_assign(options *o);
int command_traffic(options *o);

#endif
