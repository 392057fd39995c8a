/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "planning.h"

int read_scheme(void *to, const option *opt, const char *value)
{
    const char *found = rwa_scheme_find(value);
    int composed = strchr(value, ':') != NULL || strstr(value, " by ") != NULL; /* with a term, or of several: the library reads them */
    *(const char **)to = composed || found == NULL ? value : found;
    return composed || found != NULL ? 0 : read_name(to, opt, value);
}

static int read_radices(void *to, const option *opt, const char *value)
{
    count_list *list = to;
    char item[64];
    uint64_t radix;
    list->count = 0;
    for (const char *p = value; p != NULL; list->values[list->count++] = (uint32_t)radix)
        if (list->count == RWA_STAGES_MAX || !next_item(item, &p) || !parse_count(&radix, item, 2, RWA_NODES_MAX))
            return bad_value(opt, value, "numbers of at least 2 with commas, such as 4,4");
    return 0;
}

/* Blocks on a lightpath, or lightpaths of a block. */
static int read_load_factor(void *to, const option *opt, const char *value)
{
    rwa_plan_options *plan = to;
    uint64_t count = 0;
    int striped = strncmp(value, "1/", 2) == 0, chosen = strcmp(value, "auto") == 0;
    if (!chosen && !parse_count(&count, value + (striped ? 2 : 0), 1, striped ? RWA_CHANNELS_MAX : RWA_LIGHTPATH_BLOCKS_MAX))
        return bad_value(opt, value, "auto, blocks on a lightpath, such as 4, or a part of a block, such as 1/4");
    plan->stripes = chosen ? 0 : striped ? (uint32_t)count : 1;
    plan->lightpath_blocks = chosen ? 0 : striped ? 1 : (uint32_t)count;
    return 0;
}

static const choice last_exchanges[] = {{"auto", RWA_LAST_AUTO}, {"all-to-all", RWA_LAST_ALL_TO_ALL}, {"tree", RWA_LAST_TREE}, {NULL, 0}};
static const choice objectives[] = {{"time", RWA_LEAST_TIME}, {"steps", RWA_FEWEST_STEPS}, {NULL, 0}};
static const choice orders[] = {{"longest", RWA_ORDER_LONGEST}, {"given", RWA_ORDER_GIVEN}, {"start", RWA_ORDER_START}, {NULL, 0}};

const option planning_options[] = {
    {"radix", 0, "LIST", "radices of the tree, as 4,4: each at least 2, their product at least the nodes", NULL,
     IS(planning, radix, read_radices)},
    {"stages", 0, "K", "number of stages, where --radix is not given", NULL, IS_COUNT(planning, opts.stages, 1, RWA_STAGES_MAX)},
    {"group", 0, "M", "nodes in a group: wrht, h-ring, tree", "chosen",
     IS_COUNT(planning, opts.group, 2, RWA_NODES_MAX)},
    {"last-exchange", 0, "HOW", "wrht: auto, all-to-all or tree", "auto", IS_CHOICE(planning, opts.last_exchange, last_exchanges)},
    {"split-steps", 0, "H", "tcp: stages of a broadcast that split the message", "what costs least",
     IS_COUNT(planning, opts.split_steps, 0, 64)},
    {"load-factor", 0, "C", "4: up to 4 blocks on a lightpath; 1/4: a block in 4 stripes; auto: the quickest, with scheme auto", "auto",
     IS(planning, opts, read_load_factor), .field = "load_factor lightpath_blocks stripes"},
    {"objective", 0, "WHAT", "least time, or fewest steps of whole blocks, one on a lightpath: time or steps", "time",
     IS_CHOICE(planning, opts.objective, objectives)},
    {"order", 0, "ORDER", "of greedy solvers: longest, given or start", "longest", IS_CHOICE(planning, opts.solving.order, orders)},
    {0}};
const option search_options[] = {
    {"solver", 0, "NAME", "assigns wavelengths, where the scheme does not", "auto",
     IS_NAME_OR_AUTO(rwa_plan_options, solver, rwa_solver_name)},
    {"time-limit", 0, "SECONDS", "for planning, bounds and check together; 0: none", "10, for each search alone",
     IS_LIMIT(rwa_plan_options, time_limit_s), .field = "time_limit_s total_limit_s"},
    {"seed", 0, "N", "of randomised search", "1", IS_NUMBER(rwa_plan_options, seed, 0, UINT64_MAX)},
    {0}};
const option hops_options[] = {
    {"max-hops", 0, "H", "no lightpath longer than H links", NULL, IS_COUNT(rwa_plan_options, max_hops, 1, RWA_NODES_MAX)},
    {"max-drops", 0, "K", "up to K nodes may receive one lightpath, its end and taps on its way", "1",
     IS_COUNT(rwa_plan_options, max_drops, 1, RWA_NODES_MAX)},
    {0}};
const option scheme_options[] = {
    {"scheme", 0, "NAME", "a name that rwa plan --schemes lists, or auto", "auto", IS(rwa_plan_options, scheme, read_scheme),
     .names = rwa_scheme_name, .low = 1},
    {0}};

void planning_init(void *p)
{
    rwa_plan_options_init(&((planning *)p)->opts);
}

void planning_ready(planning *p, const target *t, common *c)
{
    rwa_plan_options *o = &p->opts;
    assert(p->radix.count <= RWA_STAGES_MAX);
    o->radix = p->radix.count > 0 ? p->radix.values : NULL;
    o->radix_count = p->radix.count;
    o->solving.time_limit_s = o->time_limit_s;
    o->total_limit_s = option_given(c, "time-limit") ? o->time_limit_s : 0;
    o->solving.seed = o->seed;
    SHOW_PROGRESS(o, c);
    SHOW_PROGRESS(&o->solving, c);
    if (t == NULL)
        return;
    o->members = t->member_list;
    o->device = t->device.device;
    o->power_model = t->device.model;
}
