/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens what the common options describe: the network with its faults and members, the collective, the device. */
#include "target.h"

struct target target = {.kind = RWA_ALL_GATHER, .message = 4u << 20};
rwa_cost_options cost;

const char *collective_name(size_t i)
{
    return rwa_collective_name((rwa_collective_kind)(RWA_ALL_GATHER + i));
}

int find_collective(const char *name)
{
    int kind = rwa_collective_find(name);
    return kind == 0 ? -1 : kind;
}

/* Set target.root_name to the value of --root, and target.root to its number; RWA_NONE if it is a name, which
 * find_root() looks up when the network is known.  Return 0. */
static int read_root(const option *opt, const char *value)
{
    uint64_t number = 0;
    (void)opt;
    target.root_name = value;
    target.root = parse_count(&number, value, 0, RWA_NODES_MAX - 1) ? (uint32_t)number : RWA_NONE;
    return 0;
}

#define RATE {"rate", "RATE", "bit/s of one wavelength, as 40G (40G, or the device's)", IS_RATE(target.opts.rate_bps)}
#define FIBERS                                                                                                         \
    {                                                                                                                  \
        "fibers", "F", "fibres of each link and direction (1)", IS_COUNT(target.opts.fibers, 1, RWA_CHANNELS_MAX)      \
    }
#define COST_MODEL {"cost", "MODEL", \
    "time of steps: paper, each is set up; circuit, only what changes; overlap, set up while others send (paper)", \
    IS_CHOICE(cost.model, RWA_COST_PAPER, "paper", "circuit", "overlap")}
const option network_options[] = {
    {"network", "SPEC|FILE",
     "as ring:16, torus:8x8, star:64, net.graphml, nsfnet14-21 (required, unless a file has it)", IS_TEXT(target.spec)},
    {"tuning", "D", "star, ron, ocs: steps that one retuning takes (0)",
     IS_COUNT(target.opts.tuning, 0, UINT32_MAX / 2)},
    {"blocks", "M", "cut the message into M blocks (the usual number, or the scheme's)",
     IS_NUMBER(target.blocks, 1, UINT32_MAX)},
    {"members", "LIST", "only these nodes take part, as 0-63,128 or by name; lightpaths may pass the others",
     IS_TEXT(target.members)},
    {"reserve", "LIST", "channels that must stay unused, fiber * wavelengths + wavelength, as 0-7,12",
     IS_TEXT(target.reserved)},
    {"fail", "LIST",
     "failed links, with commas: 5-6 or Berlin-Hamburg both ways, '5>6' one way; or numbers, on ring and line "
     "17 both ways, cw:17 or ccw:17 one way, elsewhere directed links",
     IS_TEXT(target.failed)},
    {0}};
const option graph_options[] =
    {{"network", "SPEC|FILE",
      "as nsfnet14-21, net.graphml or ring:16 (rwa network --list; docs/guide/networks.md) (required)",
      IS_TEXT(target.spec)},
     {"fail", "LIST", "failed links, as 5-6, 'Berlin>Hamburg' or numbers, with commas", IS_TEXT(target.failed)},
     {"fibers", "F", "fibres of each link and direction, unless a file gives them (1)",
      IS_COUNT(target.opts.fibers, 1, RWA_CHANNELS_MAX)},
     {"slots", "S", "of each fibre on a flexible grid, 12.5 GHz each, in place of -w",
      IS_COUNT(target.slots, 1, RWA_CHANNELS_MAX)},
     {0}};
const option channel_options[] = {{"wavelengths", "W", "of each fibre (64, or the device's grid; star: enough for all)",
                                   IS_COUNT(target.opts.wavelengths, 1, RWA_CHANNELS_MAX)},
                                  {"ports", "K", "transmissions, and receptions, of a node at a time (no limit)",
                                   IS_COUNT(target.opts.ports, 1, RWA_CHANNELS_MAX)},
                                  FIBERS,
                                  RATE,
                                  {0}};
const option fiber_options[] = {FIBERS, RATE, {0}};
const option rate_options[] = {RATE, {0}};
const option collective_options[] = {
    {"collective", "NAME", "all-gather, all-reduce, reduce-scatter, broadcast, ... (all-gather)",
     IS_NAMED(target.kind, find_collective, collective_name)},
    {"root", "NODE", "of broadcast, scatter, gather and reduce: a number or a name (0)", IS(target.root, read_root)},
    {"message", "SIZE", "bytes per node, or per vector in reductions, as 4MiB or 25kB (4MiB)", IS_SIZE(target.message)},
    {0}};
const option device_options[] = {{"device", "NAME|FILE",
                                  "device profile: checks power, sets wavelengths, rate, reconfiguration",
                                  IS_TEXT(target.device_name)},
                                 {0}};
const option power_options[] = {
    {"power-model", "MODEL", "rings: every micro-ring on a route counts; paper: one loss for each interface (rings)",
     IS_CHOICE(target.power_model, RWA_POWER_RINGS, "rings", "paper")},
    {0}};
const option cost_model_options[] = {COST_MODEL, {0}};
const option cost_options[] = {
    COST_MODEL,
    {"alpha", "TIME", "start-up of a step, models circuit and overlap (0us, or the device's)", IS_TIME(cost.alpha_s)},
    {"reconfig", "TIME", "one reconfiguration (25us, or the device's)", IS_TIME(cost.reconfig_s)},
    {"packet", "SIZE", "a block travels in whole packets of so many bytes (128)", IS_SIZE(cost.packet_bytes)},
    {"flit", "SIZE", "bytes that O/E/O conversion takes in a cycle (32)", IS_SIZE(cost.flit_bytes)},
    {"clock", "FREQ", "of O/E/O conversion (1GHz)",
     IS_POSITIVE(cost.clock_hz, " Hz kHz MHz GHz", "a frequency, such as 1GHz")},
    {0}};

void target_init(void)
{
    rwa_network_options_init(&target.opts);
    rwa_plan_options_init(&planning);
    rwa_cost_options_init(&cost);
}

/* ---- lists of numbers and links ---- */

static int refuse_link(const rwa_network *net, const char *name)
{
    int arcs = network_is_arcs(net);
    return BAD_INPUT("--fail %s: no such link, expected two neighbours as A-B or A>B, or 0 to %u%s%s", name,
                (arcs ? rwa_network_pairs(net) : rwa_network_links(net)) - 1, arcs ? ", or cw: or ccw: before it" : "",
                suggest_link(net, name));
}

int read_links(uint32_t **links, size_t *count, const rwa_network *net)
{
    const char *list = target.failed;
    size_t most = strlen(list) + 2;     /* two of each name, which has at least one letter and a comma */
    char name[ITEM_MAX];
    *count = 0;
    MUST(NEW(*links, most));
    for (const char *p = list; p;) {
        const char *rest = p;
        size_t found = next_item(name, &p) ? rwa_network_find_links(*links + *count, net, name) : 0;
        *count += found;
        assert(*count <= most);
        if (found == 0)
            return refuse_link(net, p != rest ? name : rest);
    }
    return 0;
}

/* Read "7", "0-63" or the name of a node of `net` (NULL: no names) into *first and *last.  Return 1, or 0 if the text
 * is none of these or a number is not less than `below`. */
static int parse_item(uint64_t *first, uint64_t *last, const char *item, uint64_t below, const rwa_network *net)
{
    const char *end;
    int read = parse_digits(first, item, &end);
    *last = *first;
    if (read && *end == '-')
        read = parse_digits(last, end + 1, &end);
    if (read && !*end && *first <= *last && *last < below)
        return 1;
    *first = *last = net ? rwa_network_find_node(net, item) : RWA_NONE;
    return *last < below;
}

/* Set *list, ascending without repetition, and *count to the numbers in `text`, the value of option --name, such as
 * "0-63,128".  Numbers must be less than `below`; with `net`, names of its nodes may stand for numbers.  *count must be
 * 0 before.  Return 0, or the exit code after an error message of one line. */
static int read_numbers(uint32_t **list, size_t *count, const char *name, const char *text, uint32_t below,
                        const rwa_network *net)
{
    uint64_t first = 0, last;
    char item[ITEM_MAX] = "";
    MUST(NEW(*list, below));
    for (const char *p = text; p;) {
        if (!next_item(item, &p) || !parse_item(&first, &last, item, below, net))
            return BAD_INPUT("--%s %s: expected numbers%s and ranges up to %u, such as 0-3,7%s", name, text,
                             net ? ", names" : "", below - 1, net ? suggest_node(net, item) : "");
        for (uint64_t i = first; i <= last; i++)
            (*list)[i] = 1;
    }
    for (uint32_t i = 0; i < below; i++)    /* the marks become the numbers: count is at most i */
        if ((*list)[i])
            (*list)[(*count)++] = i;
    return 0;
}

/* ---- the device ---- */

int device_open(void)
{
    assert(!target.device);
    if (!target.device_name)
        return refuse_given("power-model", "the power check needs a device, expected --device too");
    rwa_status status = rwa_device_open(&target.device, target.device_name, new_error());
    return fail_name(status, number_of(rwa_fiber_profile_builtin, target.device_name) >= 0
                                 ? "; a fibre profile is for rwa assign, gsnr and check"
                                 : suggest_from(rwa_device_builtin, target.device_name));
}

int refuse_grid(uint32_t wavelengths)
{
    uint32_t grid = target.device ? rwa_device_wavelengths(target.device) : UINT32_MAX;
    return wavelengths <= grid ? 0
                               : BAD_INPUT("--wavelengths %u: device %s has %u, expected at most so many",
                                           wavelengths, rwa_device_name(target.device), grid);
}

int device_apply(void)
{
    MUST(device_open());
    if (!target.device)
        return 0;
    if (!given("wavelengths"))
        target.opts.wavelengths = rwa_device_wavelengths(target.device);
    if (!given("rate"))
        target.opts.rate_bps = rwa_device_rate_bps(target.device);
    if (!given("reconfig"))
        cost.reconfig_s = rwa_device_reconfig_s(target.device);
    if (!given("alpha"))
        cost.alpha_s = rwa_device_alpha_s(target.device);
    return refuse_grid(target.opts.wavelengths);
}

/* ---- options without effect ---- */

int refuse_root(rwa_collective_kind kind)
{
    if (target.root == 0 || rwa_collective_has_root(kind))
        return 0;
    return BAD_INPUT("--root: %s has no root, expected broadcast, scatter, gather or reduce",
                     rwa_collective_name(kind));
}

int refuse_alpha(void)
{
    return cost.model != RWA_COST_PAPER ? 0
           : refuse_given("alpha", "the paper model has no start-up, expected --cost circuit or overlap too");
}

/* Refuse --fibers on an ocs, whose specification gives the number of switches, and on a network that gives each link
 * its own fibres.  Return 0, or the exit code after an error message. */
static int refuse_fibers(void)
{
    const rwa_network *net = target.net;
    uint32_t links = rwa_network_topology(net) == RWA_GRAPH ? rwa_network_links(net) : 0, i = 0;
    if (!given("fibers"))
        return 0;
    if (rwa_network_topology(net) == RWA_OCS)
        return BAD_INPUT("--fibers: %s gives the number of switches, expected no --fibers", target.spec);
    while (i < links && rwa_network_link(net, i).fibers != target.opts.fibers)
        i++;
    return links == 0 || i < links
               ? 0
               : BAD_INPUT("--fibers: %s gives the fibres of each link, expected no --fibers", target.spec);
}

int network_is_arcs(const rwa_network *net)
{
    rwa_topology kind = rwa_network_topology(net);
    return kind == RWA_RING || kind == RWA_LINE;
}

int network_is_tuned(const rwa_network *net)
{
    rwa_topology kind = rwa_network_topology(net);
    return kind == RWA_STAR || kind == RWA_RON || kind == RWA_OCS;
}

int is_answer(rwa_outcome outcome)
{
    return outcome == RWA_OPTIMAL || outcome == RWA_FEASIBLE;
}

/* ---- the target ---- */

/* Replace target.net by the network with the failed links of --fail and the reserved channels of --reserve.  Return 0,
 * or the exit code after an error message. */
static int apply_faults(void)
{
    static rwa_network *whole;
    static uint32_t *channels, *links;
    rwa_faults faults = {0};
    if (target.reserved)
        MUST(read_numbers(&channels, &faults.channel_count, "reserve", target.reserved,
                          rwa_network_channels(target.net), NULL));
    if (target.failed)
        MUST(read_links(&links, &faults.link_count, target.net));
    if (!channels && !links)
        return 0;
    faults.channels = channels;
    faults.links = links;
    whole = target.net;
    return CALL(rwa_network_with_faults, &target.net, whole, &faults);
}

/* Read --members, if given, into target.member_list, and set *count to their number.  target.root becomes the index of
 * the root among them; without --root the first member is the root.  Return 0, or the exit code after an error
 * message. */
static int apply_members(uint32_t *count)
{
    size_t members = 0, place = 0;
    if (!target.members)
        return 0;
    MUST(read_numbers(&target.member_list, &members, "members", target.members, rwa_network_nodes(target.net),
                      target.net));
    if (members < 2)
        return BAD_INPUT("--members %s: expected at least two different nodes", target.members);
    while (given("root") && place < members && target.member_list[place] != target.root)
        place++;
    if (place == members)
        return BAD_INPUT("--root %s: expected one of the members", target.root_name);
    target.root = (uint32_t)place;
    *count = (uint32_t)members;
    return 0;
}

/* If neither an option nor a device sets the wavelengths of a star, open target.net again with enough for all
 * transmissions of a step, but at most RWA_CHANNELS_MAX channels.  A node sends to every other node or, if it has fewer
 * ports, to one from each port.  Return 0 or the exit code. */
static int widen_star(void)
{
    rwa_network_options *opts = &target.opts;
    uint64_t nodes = rwa_network_nodes(target.net),
             each = opts->ports > 0 && opts->ports < nodes ? opts->ports : nodes - 1;
    uint64_t wanted = nodes * each < RWA_CHANNELS_MAX / opts->fibers ? nodes * each : RWA_CHANNELS_MAX / opts->fibers;
    if (rwa_network_topology(target.net) != RWA_STAR || given("wavelengths") || target.device_name ||
        wanted <= opts->wavelengths)
        return 0;
    opts->wavelengths = (uint32_t)wanted;
    rwa_network_free(target.net);
    return CALL(rwa_network_open, &target.net, target.spec, opts);
}

/* If --slots is given, let the options of the network describe a flexible grid of that many slots, and refuse
 * --wavelengths.  Return 0, or the exit code after an error message. */
static int take_slots(void)
{
    if (target.slots == 0)
        return 0;
    if (given("wavelengths"))
        return BAD_INPUT("--slots %u --wavelengths: a fibre has slots or fixed channels, expected one of the two",
                         target.slots);
    target.opts.slot_hz = RWA_SLOT_HZ;
    target.opts.wavelengths = target.slots;
    return 0;
}

int open_network(void)
{
    MUST(take_slots());
    return fail_name(rwa_network_open(&target.net, target.spec, &target.opts, new_error()),
                     suggest_network(target.spec));
}

/* Refuse options that the opened network does not support, then apply failed links and reserved channels to it.  Return
 * 0, or the exit code after an error message. */
static int settle_network(void)
{
    MUST(refuse_fibers());
    if (target.opts.tuning > 0 && !network_is_tuned(target.net))
        return BAD_INPUT("--tuning: a %s has nothing to tune, expected a star, ron or ocs",
                         rwa_topology_name(rwa_network_topology(target.net)));
    return apply_faults();
}

int open_faulty(void)
{
    MUST(open_network());
    return settle_network();
}

int target_open(void)
{
    if (!target.spec)
        return BAD_INPUT("no network given, expected for example: rwa %s --network ring:16", args.command->name);
    MUST(device_apply());
    MUST(refuse_root(target.kind));
    MUST(open_network());
    MUST(widen_star());
    MUST(settle_network());
    MUST(find_root(target.net));
    uint32_t nodes = rwa_network_nodes(target.net);
    MUST(apply_members(&nodes));
    return CALL(rwa_collective_init, &target.coll, target.kind, nodes, target.root, target.message, target.blocks);
}

int read_node(uint32_t *node, const rwa_network *net, const char *flag, const char *name)
{
    uint64_t number = 0;
    uint32_t nodes = rwa_network_nodes(net);
    *node = parse_count(&number, name, 0, nodes - 1) ? (uint32_t)number : rwa_network_find_node(net, name);
    return *node != RWA_NONE ? 0
           : BAD_INPUT("--%s %s: no such node, expected a name or a number up to %u%s", flag, name, nodes - 1,
                  suggest_node(net, name));
}

int find_root(const rwa_network *net)
{
    if (target.root != RWA_NONE)
        return 0;
    return net ? read_node(&target.root, net, "root", target.root_name)
           : BAD_INPUT("--root %s: a name needs --network, expected a number", target.root_name);
}

int read_nodes(uint32_t **nodes, size_t *count, const rwa_network *net, const char *flag, const char *list)
{
    char name[ITEM_MAX] = "";
    *count = 0;
    *nodes = NULL;
    if (!list)
        return 0;
    MUST(NEW(*nodes, strlen(list) + 1));
    for (const char *p = list; p; ++*count)
        if (!next_item(name, &p) || ((*nodes)[*count] = rwa_network_find_node(net, name)) == RWA_NONE)
            return BAD_INPUT("--%s: no node \"%s\", expected names or numbers of nodes with commas%s", flag, name,
                             suggest_node(net, name));
    return 0;
}
