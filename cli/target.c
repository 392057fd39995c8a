/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

#include "suggest.h"

const char *collective_name(size_t i)
{
    return rwa_collective_name((rwa_collective_kind)(RWA_ALL_GATHER + i));
}

static int unknown_collective(const option *opt, const char *value)
{
    char question[SUGGEST_TEXT], expected[512];
    snprintf(expected, sizeof expected, "all-gather, all-reduce, reduce-scatter, broadcast, scatter, gather, all-to-all or reduce%s",
             suggest_from(collective_name, value, question));
    return bad_value(opt, value, expected);
}

static int read_collective(void *to, const option *opt, const char *value)
{
    int kind = rwa_collective_find(value);
    if (kind == 0)
        return unknown_collective(opt, value);
    *(rwa_collective_kind *)to = (rwa_collective_kind)kind;
    return 0;
}

static const choice power_models[] = {{"rings", RWA_POWER_RINGS}, {"paper", RWA_POWER_PAPER}, {NULL, 0}};
static const choice cost_models[] = {{"paper", RWA_COST_PAPER}, {"circuit", RWA_COST_CIRCUIT}, {"overlap", RWA_COST_OVERLAP}, {NULL, 0}};

const option wavelength_options[] = {
    {"wavelengths", 'w', "W", "of each fibre", "64, or the device's grid; star: enough for all",
     IS_COUNT(rwa_network_options, wavelengths, 1, RWA_CHANNELS_MAX)},
    {"ports", 0, "K", "transmissions, and receptions, of a node at a time", "no limit",
     IS_COUNT(rwa_network_options, ports, 1, RWA_CHANNELS_MAX)},
    {0}};
const option fiber_options[] = {
    {"fibers", 0, "F", "fibres of each link and direction", "1", IS_COUNT(rwa_network_options, fibers, 1, RWA_CHANNELS_MAX)},
    {"rate", 0, "RATE", "bit/s of one wavelength, as 40G", "40G, or the device's", IS_RATE(rwa_network_options, rate_bps),
     .field = "rate_bps"},
    {0}};
/* A number now, a name once the network is known. */
static int read_root(void *to, const option *opt, const char *value)
{
    collective_choice *chosen = (collective_choice *)(void *)((char *)to - offsetof(collective_choice, root));
    uint64_t number = 0;
    (void)opt;
    chosen->root_name = value;
    chosen->root = parse_count(&number, value, 0, RWA_NODES_MAX - 1) ? (uint32_t)number : RWA_NO_NODE;
    return 0;
}

const option collective_options[] = {
    {"collective", 0, "NAME", "all-gather, all-reduce, reduce-scatter, broadcast, ...", "all-gather",
     IS(collective_choice, kind, read_collective)},
    {"root", 0, "NODE", "of broadcast, scatter, gather and reduce: a number or a name", "0", IS(collective_choice, root, read_root)},
    {"message", 0, "SIZE", "bytes per node, or per vector in reductions, as 4MiB or 25kB", "4MiB",
     IS_SIZE(collective_choice, message), .field = "message message_bytes"},
    {0}};
const option target_options[] = {
    {"network", 0, "SPEC|FILE", "as ring:16, torus:8x8, star:64, net.graphml, nsfnet14-21", "required, unless a file has it",
     IS_TEXT(target, network.spec)},
    {"tuning", 0, "D", "star, ron, ocs: steps that one retuning takes", "0", IS_COUNT(target, network.opts.tuning, 0, UINT32_MAX / 2)},
    {"blocks", 0, "M", "cut the message into M blocks", "the usual number, or the scheme's",
     IS_NUMBER(target, collective.blocks, 1, UINT32_MAX)},
    {"members", 0, "LIST", "only these nodes take part, as 0-63,128 or by name; lightpaths may pass the others", NULL,
     IS_TEXT(target, members)},
    {"reserve", 0, "LIST", "channels that must stay unused, fiber * wavelengths + wavelength, as 0-7,12", NULL, IS_TEXT(target, reserved)},
    {"fail", 0, "LIST", "failed links, with commas: 5-6 or Berlin-Hamburg both ways, '5>6' one way; or numbers, on ring and line "
     "17 both ways, cw:17 or ccw:17 one way, elsewhere directed links", NULL, IS_TEXT(target, failed)},
    {0}};
const option device_options[] = {
    {"device", 0, "NAME|FILE", "device profile: checks power, sets wavelengths, rate, reconfiguration", NULL, IS_TEXT(device_choice, name)},
    {0}};
const option power_options[] = {
    {"power-model", 0, "MODEL",
     "rings: every micro-ring on a route counts; paper: one loss for each interface", "rings",
     IS_CHOICE(device_choice, model, power_models)},
    {0}};
const option cost_model_options[] = {
    {"cost", 0, "MODEL", "time of steps: paper, each is set up; circuit, only what changes; overlap, set up while others send", "paper",
     IS_CHOICE(rwa_cost_options, model, cost_models)},
    {0}};
const option rate_options[] = {
    {"rate", 0, "RATE", "bit/s of one wavelength, as 40G", "40G, or the device's", IS_RATE(rwa_network_options, rate_bps),
     .field = "rate_bps"},
    {0}};
const option cost_options[] = {
    {"alpha", 0, "TIME", "start-up of a step, models circuit and overlap", "0us, or the device's",
     IS_TIME(rwa_cost_options, alpha_s), .field = "alpha_s"},
    {"reconfig", 0, "TIME", "one reconfiguration", "25us, or the device's", IS_TIME(rwa_cost_options, reconfig_s), .field = "reconfig_s"},
    {"packet", 0, "SIZE", "a block travels in whole packets of so many bytes", "128", IS_SIZE(rwa_cost_options, packet_bytes),
     .field = "packet_bytes"},
    {"flit", 0, "SIZE", "bytes that O/E/O conversion takes in a cycle", "32", IS_SIZE(rwa_cost_options, flit_bytes), .field = "flit_bytes"},
    {"clock", 0, "FREQ", "of O/E/O conversion", "1GHz", IS_POSITIVE(rwa_cost_options, clock_hz, clock_units, "a frequency, such as 1GHz"),
     .field = "clock_hz"},
    {0}};

rwa_status network_open(rwa_network **net, const char *spec, const rwa_network_options *opts, rwa_error *err)
{
    char question[SUGGEST_TEXT];
    rwa_status status = rwa_network_open(net, spec, opts, err);
    if (status == RWA_BADARG)
        suggest_add(err, suggest_network(spec, question));
    return status;
}

/* ---- lists of numbers and links ---- */

static int refuse_link(const rwa_network *net, const char *name)
{
    char question[SUGGEST_TEXT];
    int arcs = rwa_network_topology(net) == RWA_RING || rwa_network_topology(net) == RWA_LINE;
    return fail(EXIT_BAD_INPUT, "--fail %s: no such link, expected two neighbours as A-B or A>B, or 0 to %" PRIu32 "%s%s", name,
                (arcs ? rwa_network_pairs(net) : rwa_network_links(net)) - 1, arcs ? ", or cw: or ccw: before it" : "",
                suggest_link(net, name, question));
}

int read_links(uint32_t **links, size_t *count, const rwa_network *net, const char *list)
{
    size_t most = 2;
    char name[64];
    for (const char *p = list; *p != '\0'; p++)
        most += *p == ',' ? 2 : 0;
    *count = 0;
    *links = malloc(most * sizeof **links);
    if (*links == NULL)
        return fail_memory();
    for (const char *p = list; p != NULL;) {
        const char *rest = p;
        size_t found = next_item(name, &p) ? rwa_network_find_links(*links + *count, net, name) : 0;
        *count += found;
        assert(*count <= most);
        if (found == 0)
            return refuse_link(net, p != rest ? name : rest);
    }
    return 0;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* "7" or "0-63", below `below`. */
static int parse_span(uint64_t *first, uint64_t *last, const char *item, uint64_t below)
{
    const char *end;
    if (!parse_digits(first, item, &end))
        return 0;
    *last = *first;
    if (*end == '-' && !parse_digits(last, end + 1, &end))
        return 0;
    return *end == '\0' && *first <= *last && *last < below;
}

/* The same, or the name of a node of the network (NULL: no names). */
static int parse_item(uint64_t *first, uint64_t *last, const char *item, uint64_t below, const rwa_network *net)
{
    if (parse_span(first, last, item, below))
        return 1;
    uint32_t node = net != NULL ? rwa_network_find_node(net, item) : RWA_NO_NODE;
    *first = *last = node;
    return node != RWA_NO_NODE && node < below;
}

/* "0-63,128" as ascending numbers without repetition, names too with a network; 0, or the exit code after one line. */
static int read_numbers(uint32_t **list, size_t *count, const char *name, const char *text, uint32_t below, const rwa_network *net)
{
    uint64_t first = 0, last = 0, all = 0;
    size_t kept = 0;
    char item[64] = "", question[SUGGEST_TEXT] = "";
    for (const char *p = text; p != NULL; all += last - first + 1)
        if (!next_item(item, &p) || !parse_item(&first, &last, item, below, net) || all > RWA_NODES_MAX)
            return fail(EXIT_BAD_INPUT, "--%s %s: expected numbers%s and ranges up to %" PRIu32 ", such as 0-3,7%s", name, text,
                        net != NULL ? ", names" : "", below - 1, net != NULL ? suggest_node(net, item, question) : "");
    *count = 0;
    *list = malloc(all * sizeof **list);
    if (*list == NULL)
        return fail_memory();
    for (const char *p = text; p != NULL && next_item(item, &p);)
        for (parse_item(&first, &last, item, below, net); first <= last; first++)
            (*list)[(*count)++] = (uint32_t)first;
    assert(*count == all);
    qsort(*list, *count, sizeof **list, by_number);
    for (size_t i = 0; i < *count; i++)
        if (kept == 0 || (*list)[kept - 1] != (*list)[i])
            (*list)[kept++] = (*list)[i];
    *count = kept;
    return 0;
}

/* ---- the device ---- */

int device_open(device_choice *d, const common *c)
{
    char question[SUGGEST_TEXT];
    rwa_error err = {0};
    assert(d->device == NULL);
    if (d->name == NULL)
        return refuse_given(c, NAMES("power-model"), "the power check needs a device, expected --device too");
    rwa_status status = rwa_device_open(&d->device, d->name, &err);
    if (status == RWA_BADARG)
        suggest_add(&err, suggest_from(rwa_device_builtin, d->name, question));
    return fail_status(status, &err, 0);
}

int device_apply(device_choice *d, rwa_network_options *net, rwa_cost_options *cost, const common *c)
{
    int code = device_open(d, c);
    if (code != 0 || d->device == NULL)
        return code;
    uint32_t grid = rwa_device_wavelengths(d->device);
    if (!option_given(c, "wavelengths"))
        net->wavelengths = grid;
    if (!option_given(c, "rate"))
        net->rate_bps = rwa_device_rate_bps(d->device);
    if (!option_given(c, "reconfig"))
        cost->reconfig_s = rwa_device_reconfig_s(d->device);
    if (!option_given(c, "alpha"))
        cost->alpha_s = rwa_device_alpha_s(d->device);
    return net->wavelengths <= grid ? 0
           : fail(EXIT_BAD_INPUT, "--wavelengths %" PRIu32 ": device %s has a grid of %" PRIu32 ", expected no more", net->wavelengths,
                  rwa_device_name(d->device), grid);
}

/* ---- options without effect ---- */

int refuse_root(const collective_choice *chosen, rwa_collective_kind kind)
{
    if (chosen->root == 0 || rwa_collective_has_root(kind))
        return 0;
    return fail(EXIT_BAD_INPUT, "--root: %s has no root, expected broadcast, scatter, gather or reduce", rwa_collective_name(kind));
}

int refuse_alpha(const rwa_cost_options *cost, const common *c)
{
    return cost->model != RWA_COST_PAPER ? 0
           : refuse_given(c, NAMES("alpha"), "the paper model has no start-up, expected --cost circuit or overlap too");
}

/* A file may give each link its own fibres, and a specification of switches gives their number. */
int take_slots(network_choice *chosen, uint32_t slots, const common *c)
{
    if (slots == 0)
        return 0;
    if (option_given(c, "wavelengths"))
        return fail(EXIT_BAD_INPUT, "--slots %" PRIu32 " --wavelengths: a fibre has slots or fixed channels, expected one of the two",
                    slots);
    chosen->opts.slot_hz = RWA_SLOT_HZ;
    chosen->opts.wavelengths = slots;
    return 0;
}

int refuse_fibers(const network_choice *chosen, const rwa_network *net, const common *c)
{
    uint32_t links = rwa_network_topology(net) == RWA_GRAPH ? rwa_network_links(net) : 0, i = 0;
    if (!option_given(c, "fibers"))
        return 0;
    if (rwa_network_topology(net) == RWA_OCS)
        return fail(EXIT_BAD_INPUT, "--fibers: %s gives the number of switches, expected no --fibers", chosen->spec);
    while (i < links && rwa_network_link(net, i).fibers != chosen->opts.fibers)
        i++;
    return links == 0 || i < links ? 0
           : fail(EXIT_BAD_INPUT, "--fibers: %s gives the fibres of each link, expected no --fibers", chosen->spec);
}

int network_is_tuned(const rwa_network *net)
{
    rwa_topology kind = rwa_network_topology(net);
    return kind == RWA_STAR || kind == RWA_RON || kind == RWA_OCS;
}

/* ---- the target ---- */

void network_init(void *opts)
{
    rwa_network_options_init((rwa_network_options *)opts);
}

void collective_init(void *chosen)
{
    *(collective_choice *)chosen = (collective_choice){.kind = RWA_ALL_GATHER, .message = 4u << 20};
}

void cost_init(void *opts)
{
    rwa_cost_options_init((rwa_cost_options *)opts);
}

int apply_faults(rwa_network **net, const char *reserved, const char *failed)
{
    rwa_network *faulty = NULL;
    rwa_error err = {0};
    rwa_faults faults = {0};
    uint32_t *channels = NULL, *links = NULL;
    int code = 0;
    if (reserved != NULL)
        code = read_numbers(&channels, &faults.channel_count, "reserve", reserved, rwa_network_channels(*net), NULL);
    if (code == 0 && failed != NULL)
        code = read_links(&links, &faults.link_count, *net, failed);
    faults.channels = channels;
    faults.links = links;
    if (code == 0 && (channels != NULL || links != NULL))
        code = fail_status(rwa_network_with_faults(&faulty, *net, &faults, &err), &err, 0);
    if (faulty != NULL) {
        rwa_network_free(*net);
        *net = faulty;
    }
    free(channels);
    free(links);
    return code;
}

/* The members: *count of them; the root becomes its index among them, by default the first. */
static int apply_members(target *t, uint32_t *count, const common *c)
{
    size_t members = 0, place = 0;
    if (t->members == NULL)
        return 0;
    int code = read_numbers(&t->member_list, &members, "members", t->members, rwa_network_nodes(t->net), t->net);
    if (code != 0)
        return code;
    if (members < 2)
        return fail(EXIT_BAD_INPUT, "--members %s: expected at least two different nodes", t->members);
    while (option_given(c, "root") && place < members && t->member_list[place] != t->collective.root)
        place++;
    if (place == members)
        return fail(EXIT_BAD_INPUT, "--root %s: expected one of the members", t->collective.root_name);
    t->collective.root = (uint32_t)place;
    *count = (uint32_t)members;
    return 0;
}

/* A star without a limit on wavelengths gets one for every transmission. */
static rwa_status widen_star(target *t, const common *c, rwa_error *err)
{
    rwa_network_options wide = t->network.opts;
    uint64_t nodes = rwa_network_nodes(t->net), each = wide.ports > 0 && wide.ports < nodes ? wide.ports : nodes - 1;
    uint64_t wanted = nodes * each < RWA_CHANNELS_MAX / wide.fibers ? nodes * each : RWA_CHANNELS_MAX / wide.fibers;
    if (rwa_network_topology(t->net) != RWA_STAR || option_given(c, "wavelengths") || t->device.name != NULL || wanted <= wide.wavelengths)
        return RWA_OK;
    wide.wavelengths = (uint32_t)wanted;
    rwa_network_free(t->net);
    return rwa_network_open(&t->net, t->network.spec, &wide, err);
}

/* The network as specified, before any failure. */
static int open_network(target *t, const common *c)
{
    rwa_error err = {0};
    rwa_status status = network_open(&t->net, t->network.spec, &t->network.opts, &err);
    if (status == RWA_OK && t->network.opts.tuning > 0 && !network_is_tuned(t->net))
        return fail(EXIT_BAD_INPUT, "--tuning: a %s has nothing to tune, expected a star, ron or ocs",
                    rwa_topology_name(rwa_network_topology(t->net)));
    if (status == RWA_OK)
        status = widen_star(t, c, &err);
    return status == RWA_OK ? refuse_fibers(&t->network, t->net, c) : fail_status(status, &err, 0);
}

int target_open(target *t, rwa_cost_options *cost, const common *c)
{
    rwa_error err = {0};
    if (t->network.spec == NULL)
        return fail(EXIT_BAD_INPUT, "no network given, expected for example: rwa %s --network ring:16", c->command->name);
    int code = device_apply(&t->device, &t->network.opts, cost, c);
    THEN(refuse_root(&t->collective, t->collective.kind));
    THEN(open_network(t, c));
    uint32_t nodes = code == 0 ? rwa_network_nodes(t->net) : 0;
    THEN(find_root(&t->collective, t->net));
    THEN(apply_faults(&t->net, t->reserved, t->failed));
    THEN(apply_members(t, &nodes, c));
    if (code != 0)
        return code;
    const collective_choice *chosen = &t->collective;
    return fail_status(rwa_collective_init(&t->coll, chosen->kind, nodes, chosen->root, chosen->message, chosen->blocks, &err), &err, 0);
}

void target_close(target *t)
{
    rwa_network_free(t->net);
    rwa_device_free(t->device.device);
    free(t->member_list);
}

int read_node(uint32_t *node, const rwa_network *net, const char *flag, const char *name)
{
    uint64_t number = 0;
    uint32_t nodes = rwa_network_nodes(net);
    char question[SUGGEST_TEXT];
    *node = parse_count(&number, name, 0, nodes - 1) ? (uint32_t)number : rwa_network_find_node(net, name);
    return *node != RWA_NO_NODE ? 0
           : fail(EXIT_BAD_INPUT, "--%s %s: no such node, expected a name or a number up to %" PRIu32 "%s", flag, name, nodes - 1,
                  suggest_node(net, name, question));
}

int find_root(collective_choice *chosen, const rwa_network *net)
{
    if (chosen->root != RWA_NO_NODE)
        return 0;
    return net != NULL ? read_node(&chosen->root, net, "root", chosen->root_name)
           : fail(EXIT_BAD_INPUT, "--root %s: a name needs --network, expected a number", chosen->root_name);
}

int read_nodes(uint32_t **nodes, size_t *count, const rwa_network *net, const char *flag, const char *list)
{
    char name[256], question[SUGGEST_TEXT];
    *count = 0;
    *nodes = NULL;
    if (list == NULL)
        return 0;
    *nodes = calloc(strlen(list) + 1, sizeof **nodes);
    if (*nodes == NULL)
        return fail_memory();
    for (const char *p = list; ; p++) {
        int quoted = *p == '"';
        size_t length = quoted ? strcspn(++p, "\"") : strcspn(p, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), p);
        uint32_t node = rwa_network_find_node(net, name);
        if (node == RWA_NO_NODE)
            return fail(EXIT_BAD_INPUT, "--%s: no node \"%s\", expected names or numbers of nodes with commas%s", flag, name,
                        suggest_node(net, name, question));
        (*nodes)[(*count)++] = node;
        p += length;
        if (quoted && *p == '"')
            p++;
        if (*p == '\0')
            return 0;
    }
}
