/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/circuits.h"
#include "cli/wrap.h"
#include "commands.h"

typedef struct circuits_command_options {
    common common;
    circuits_choice circuits;
    output_choice output;
    rwa_programs programs;
} circuits_command_options;

static const option own_options[] = {
    {"network", 0, "SPEC", "circuit switches, as ocs:64x8, or a ring, as ring:64", "required",
     IS_TEXT(circuits_command_options, circuits.network.spec)},
    {"write-lp", 0, "FILE", "write each integer program before it is solved: .lp, or .mps", NULL,
     IS_FILE(circuits_command_options, programs.path)},
    {"output", 'o', "FILE", "write the JSON report; - is standard output", NULL, IS_FILE(circuits_command_options, output.file)},
    {"format", 0, "FORMAT", "text, json, or csv: every circuit or lightpath", "text",
     IS_CHOICE(circuits_command_options, output.format, text_json_csv)},
    {0}};
static const option_group groups[] = {
    {own_options, 0, NULL}, {circuits_options, offsetof(circuits_command_options, circuits), circuits_init}, {NULL, 0, NULL}};

static int answer(const circuits_command_options *o, const circuits_answer *a)
{
    wrap wrapped;
    if (o->output.format == AS_CSV) {
        print_circuits_csv(a);
    } else if (o->output.format == AS_TEXT) {
        FILE *to = wrap_open(&wrapped, report_stream(&o->output));
        print_circuits(to, a);
        print_programs(to, &o->programs);
        wrap_close(&wrapped, WRAP_HANG, 0);
    }
    int wanted = o->output.format == AS_JSON || o->output.file != NULL;
    return report_finish(&o->output, wanted ? circuits_json(a) : NULL, circuits_verdict(a));
}

static int run(void *options)
{
    circuits_command_options *o = options;
    rwa_traffic *traffic = NULL;
    circuits_answer a = {0};
    rwa_error err = {0};
    const char *file = o->common.operands[0];
    if (file == NULL || o->circuits.network.spec == NULL)
        return fail(EXIT_BAD_INPUT, "no %s given, expected for example: rwa circuits traffic.csv --network ocs:64x8",
                    file == NULL ? "traffic" : "network");
    o->programs.struct_size = sizeof o->programs;
    o->circuits.programs = o->programs.path != NULL ? &o->programs : NULL;
    int code = fail_status(rwa_traffic_read(&traffic, file, &err), &err, 0);
    THEN(circuits_make(&a, traffic, &o->circuits, &o->common));
    THEN(answer(o, &a));
    circuits_free(&a);
    rwa_traffic_free(traffic);
    return code;
}

const command command_circuits = {
    "circuits", "circuits of switches, or lightpaths of a ring, for a traffic matrix",
    "rwa circuits TRAFFIC --network SPEC [options]\n\n"
    "Makes the slowest transfer as fast as possible: how many circuits each pair of nodes gets and which switch carries "
    "them, or how many lightpaths and on which wavelengths.  TRAFFIC is CSV (a square matrix, or the line src,dst,bytes "
    "and a flow a line) or JSON; - is standard input.  Exit 1: not every pair can be served.\n\n"
    "Examples:\n"
    "  rwa circuits traffic.csv --network ocs:64x8 --rate 25G\n"
    "  rwa circuits traffic.csv --network ocs:64x8 --episodes auto --duty 0.9\n"
    "  rwa circuits traffic.json --network ring:64 --wavelengths 16 --format csv\n",
    groups, sizeof(circuits_command_options), 1, run, NULL};
