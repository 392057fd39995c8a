/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

rwa_plan_options planning;
rwa_programs programs = {.struct_size = sizeof programs};
static uint32_t radices[RWA_STAGES_MAX];

int read_scheme(const option *opt, const char *value)
{
    const char *found = rwa_scheme_find(value);
    int composed = strchr(value, ':') ||
                   strstr(value, " by "); /* with a term, or of several: the library reads them */
    if (!composed && !found)
        return read_name(opt, value);
    *(const char **)opt->to = composed ? value : found;
    return 0;
}

static int read_radices(const option *opt, const char *value)
{
    char item[ITEM_MAX];
    uint64_t radix;
    planning.radix = radices;
    planning.radix_count = 0;
    for (const char *p = value; p; radices[planning.radix_count++] = (uint32_t)radix)
        if (planning.radix_count == RWA_STAGES_MAX || !next_item(item, &p) ||
            !parse_count(&radix, item, 2, RWA_NODES_MAX))
            return bad_value(opt, value, "numbers of at least 2 with commas, such as 4,4");
    return 0;
}

/* Set the stripes and blocks per lightpath of `planning` to the load factor that `value` gives.  "4": up to 4 blocks on
 * a lightpath.  "1/4": each block is divided into 4 parts, each with a tree of its own.  "auto": the planner chooses.
 * Return 0, or the exit code after an error message. */
static int read_load_factor(const option *opt, const char *value)
{
    uint64_t count = 0;
    int striped = strncmp(value, "1/", 2) == 0, chosen = strcmp(value, "auto") == 0;
    if (!chosen &&
        !parse_count(&count, value + (striped ? 2 : 0), 1, striped ? RWA_CHANNELS_MAX : RWA_LIGHTPATH_BLOCKS_MAX))
        return bad_value(opt, value, "auto, blocks on a lightpath, such as 4, or a part of a block, such as 1/4");
    planning.stripes = chosen ? 0 : striped ? (uint32_t)count : 1;
    planning.lightpath_blocks = chosen ? 0 : striped ? 1 : (uint32_t)count;
    return 0;
}

const option scheme_options[] = {{"scheme", "NAME", "a name that rwa plan --schemes lists, or auto (auto)",
                                  IS(planning.scheme, read_scheme), .names = rwa_scheme_name, .low = 1},
                                 {0}};
const option planning_options[] = {
    {"radix", "LIST", "radices of the tree, as 4,4: each at least 2, their product at least the nodes",
     IS(radices, read_radices)},
    {"stages", "K", "number of stages, where --radix is not given", IS_COUNT(planning.stages, 1, RWA_STAGES_MAX)},
    {"group", "M", "nodes in a group: wrht, h-ring, tree (chosen)", IS_COUNT(planning.group, 2, RWA_NODES_MAX)},
    {"last-exchange", "HOW", "wrht: auto, all-to-all or tree (auto)",
     IS_CHOICE(planning.last_exchange, RWA_LAST_AUTO, "auto", "all-to-all", "tree")},
    {"split-steps", "H", "tcp: stages of a broadcast that split the message (what costs least)",
     IS_COUNT(planning.split_steps, 0, 64)},
    {"load-factor", "C",
     "4: up to 4 blocks on a lightpath; 1/4: a block in 4 stripes; auto: the quickest, with scheme auto (auto)",
     IS(planning.stripes, read_load_factor), .field = "load_factor lightpath_blocks stripes"},
    {"objective", "WHAT", "least time, or fewest steps of whole blocks, one on a lightpath: time or steps (time)",
     IS_CHOICE(planning.objective, RWA_LEAST_TIME, "time", "steps")},
    {"order", "ORDER", "of greedy solvers: longest, given or start (longest)",
     IS_CHOICE(planning.order, RWA_ORDER_LONGEST, "longest", "given", "start")},
    {0}};
const option search_options[] = {{"solver", "NAME", "assigns wavelengths, where the scheme does not (auto)",
                                  IS_NAME_OR_AUTO(planning.solver, rwa_solver_name)},
                                 {"time-limit", "SECONDS",
                                  "for planning, bounds and check together; 0: none (0)",
                                  IS_LIMIT(planning.time_limit_s), .field = "time_limit_s"},
                                 {"seed", "N", "of randomised search (1)", IS_NUMBER(planning.seed, 0, UINT64_MAX)},
                                 {0}};
const option hops_options[] = {
    {"max-hops", "H", "no lightpath longer than H links", IS_COUNT(planning.max_hops, 1, RWA_NODES_MAX)},
    {"max-drops", "K", "up to K nodes may receive one lightpath, its end and taps on its way (1)",
     IS_COUNT(planning.max_drops, 1, RWA_NODES_MAX)},
    {0}};
const option program_options[] = {
    {"write-lp", "FILE", "write each integer program before it is solved: .lp, or .mps", IS_FILE(programs.path)}, {0}};

void bound_options(rwa_bound_options *opts)
{
    rwa_bound_options_init(opts);
    opts->max_hops = planning.max_hops;
    opts->max_drops = planning.max_drops;
    if (planning.lightpath_blocks > 0)
        opts->lightpath_blocks = planning.lightpath_blocks;
    opts->members = target.member_list;
    SHOW_PROGRESS(*opts);
}

void check_options(rwa_check_options *opts)
{
    rwa_check_options_init(opts);
    opts->device = target.device;
    opts->power_model = target.power_model;
    opts->cost = &cost;
    SHOW_PROGRESS(*opts);
}

double time_left(double begin_s, size_t shares)
{
    const double least = 0.001;
    double left = begin_s + planning.time_limit_s - clock_s();
    return planning.time_limit_s == 0 ? 0 : fmax(left / (double)shares, least);
}

rwa_programs *programs_asked(void)
{
    return programs.path ? &programs : NULL;
}

void planning_ready(void)
{
    rwa_plan_options *o = &planning;
    o->cost = cost;
    o->members = target.member_list;
    o->device = target.device;
    o->power_model = target.power_model;
    o->programs = programs_asked();
    SHOW_PROGRESS(*o);
}
