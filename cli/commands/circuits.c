/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/circuits.h"
#include "commands.h"

static const option own_options[] = {
    {"network", "SPEC", "circuit switches, as ocs:64x8, or a ring, as ring:64 (required)", IS_TEXT(target.spec)},
    {"format", "FORMAT", "text, json, or csv: every circuit or lightpath (text)",
     IS_CHOICE(output.format, AS_TEXT, "text", "json", "csv")},
    {0}};

static void say_report(void)
{
    say_circuits();
    say_programs();
}

static int run(void)
{
    static rwa_traffic *traffic;
    if (!args.file || !target.spec)
        return BAD_INPUT("no %s given, expected for example: rwa circuits traffic.csv --network ocs:64x8",
                         !args.file ? "traffic" : "network");
    MUST(CALL(rwa_traffic_read, &traffic, args.file));
    MUST(circuits_make(traffic));
    return report_answer(print_circuits, say_report, circuits_json, circuits_verdict());
}

const command command_circuits = {
    "circuits",
    "circuits of switches, or lightpaths of a ring, for a traffic matrix",
    "rwa circuits TRAFFIC --network SPEC [options]\n\n"
    "Makes the slowest transfer as fast as possible: how many circuits of which switch, or lightpaths on which "
    "wavelengths, each pair gets.  TRAFFIC is CSV (a square matrix, or src,dst,bytes) or JSON; - is standard input. "
    " Exit 1: not every pair can be served.\n\n"
    "Examples:\n"
    "  rwa circuits traffic.csv --network ocs:64x8 --rate 25G\n"
    "  rwa circuits traffic.csv --network ocs:64x8 --episodes auto --duty 0.9\n"
    "  rwa circuits traffic.json --network ring:64 --wavelengths 16 --format csv\n",
    TABLES(own_options, program_options, report_file_options, circuits_options),
    1,
    run,
    NULL};
