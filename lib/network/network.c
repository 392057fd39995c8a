/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Networks: made by kind and shape, by specification or from lists of links; copied; asked for nodes and links. */
#include "network/network.h"

#include "base/limits.h"
#include "base/text.h"
#include "network/translations.h"

#define SPECIFICATIONS                                                                                                 \
    "ring:16, line:16, torus:8x8, mesh:4x4, hypercube:4, tree:2x3, fat-tree:4, circulant:8:1,2, dragonfly:4:9:2, "     \
    "waxman:200:7, geometric:200:7, barabasi-albert:200:2:7, regular:200:4:7, star:64, ron:41 or ocs:64x8"

OPTIONS(rwa_network_options, .fibers = 1, .wavelengths = 64, .rate_bps = 40e9)

static rwa_status check_options(const rwa_network_options *o, rwa_error *err)
{
    if (o->fibers < 1 || o->fibers > RWA_CHANNELS_MAX)
        return base_refuse(err, "fibers: %u, expected 1 to %u", o->fibers, RWA_CHANNELS_MAX);
    if (o->wavelengths < 1 || o->wavelengths > RWA_CHANNELS_MAX)
        return base_refuse(err, "wavelengths: %u, expected 1 to %u", o->wavelengths, RWA_CHANNELS_MAX);
    if ((uint64_t)o->fibers * o->wavelengths > RWA_CHANNELS_MAX)
        return base_refuse(err, "%u fibers of %u wavelengths: expected at most %u channels", o->fibers, o->wavelengths,
                           RWA_CHANNELS_MAX);
    if (!(o->rate_bps > 0) || !isfinite(o->rate_bps))
        return base_refuse(err, "rate: expected a positive number of bit/s");
    if (!(o->slot_hz >= 0) || !isfinite(o->slot_hz))
        return base_refuse(err, "slot_hz: expected the width of a slot in Hz, or 0 for fixed channels");
    return RWA_OK;
}

/** Return a network of this kind with `nodes` nodes and the options `o`, which has no links yet; NULL if memory runs
 *  out. */
static rwa_network *network_begin(rwa_topology kind, uint32_t nodes, const rwa_network_options *o, rwa_error *err)
{
    rwa_network *net = base_array(1, sizeof *net, err);
    if (net)
        *net = (rwa_network){.kind = kind,
                             .capabilities = topology_of(kind)->capabilities,
                             .nodes = nodes,
                             .fibers = o->fibers,
                             .wavelengths = o->wavelengths,
                             .rate_bps = o->rate_bps,
                             .slot_hz = o->slot_hz,
                             .ports = o->ports,
                             .tuning = o->tuning,
                             .arena = {.err = err}};
    return net;
}

rwa_status network_keep(struct rwa_network **net, rwa_status st)
{
    if (st != RWA_OK) {
        rwa_network_free(*net);
        *net = NULL;
    }
    return st;
}

/** Complete a new network and store it in *out if st, the status of storing its links, is RWA_OK.  Otherwise free the
 *  network and return st. */
static rwa_status network_finish(rwa_network **out, rwa_network *net, rwa_status st, rwa_error *err)
{
    if (st == RWA_OK)
        st = shape_find(net, err);
    MUST(network_keep(&net, st));
    net->arena.err = NULL; /* the caller's, which may not outlive the network */
    network_check(net);
    *out = net;
    return RWA_OK;
}

/** Store the shape in `net` and, unless pairs is 0, the list of links: the `pairs` fibre pairs that kind and shape
 *  determine.  Call it with 0 for a kind without a list of links, such as a ring. */
static rwa_status take_shape(rwa_network *net, const uint32_t *shape, size_t count, uint64_t pairs, rwa_error *err)
{
    memcpy(net->shape, shape, count * sizeof *shape);
    net->shape_count = count;
    if (pairs == 0)
        return RWA_OK;
    if (!arena_new(&net->arena, net->links, 2 * (size_t)pairs))
        return RWA_NOMEM;
    rwa_link *half = net->links + pairs;
    if (shape_pairs(half, net->kind, shape, count) != pairs)
        return base_fail(err, RWA_NOMEM, "out of memory for a random network");
    return graph_take_links(net, half, (size_t)pairs, true, err);
}

rwa_status rwa_network_create_shape(rwa_network **out, rwa_topology kind, const uint32_t *shape, size_t count,
                                    const rwa_network_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, !count || shape);
    rwa_network_options o;
    uint32_t nodes = 0;
    rwa_limits limits;
    MUST(base_options(rwa_network_options, &o, opts, err));
    MUST(limits_take(&limits, o.limits, err));
    MUST(shape_nodes(&nodes, kind, shape, count, err));
    MUST(limits_refuse_nodes(&limits, nodes, err));
    uint64_t pairs = shape_pairs(NULL, kind, shape, count);
    MUST(graph_refuse_links(pairs, true, err));
    MUST(limits_fit(&limits, (double)pairs * (2 * sizeof(rwa_link) + 4 * sizeof(uint32_t)), "this network", err));
    if (o.reserved_count > 0 || o.risk_group_count > 0)
        return base_refuse(err, "reserved channels and risk groups: expected a graph of listed links");
    if (kind == RWA_OCS)
        o.fibers = shape[1];
    MUST(check_options(&o, err));
    rwa_network *net = network_begin(kind, nodes, &o, err);
    return net ? network_finish(out, net, take_shape(net, shape, count, pairs, err), err) : RWA_NOMEM;
}

rwa_status rwa_network_create(rwa_network **out, rwa_topology kind, uint32_t nodes, const rwa_network_options *opts,
                              rwa_error *err)
{
    BEGIN(err, out);
    *out = NULL;
    rwa_network_options o;
    MUST(base_options(rwa_network_options, &o, opts, err));
    if (!topology_of(kind) || topology_of(kind)->capabilities & NETWORK_LISTED)
        return base_refuse(err, "network kind %d from its nodes: expected ring, line, star, ron or ocs", (int)kind);
    uint32_t shape[] = {nodes, o.fibers};
    return rwa_network_create_shape(out, kind, shape, kind == RWA_OCS ? 2 : 1, opts, err);
}

static rwa_status take_listed(rwa_network *net, const rwa_link *links, size_t link_count, const rwa_network_options *o,
                              rwa_error *err)
{
    MUST(graph_take_links(net, links, link_count, o->both_ways != 0, err));
    MUST(graph_take_names(net, o->node_names));
    MUST(graph_take_positions(net, o->positions, err));
    MUST(graph_take_reserved(net, o->reserved, o->reserved_count, err));
    return graph_take_groups(net, o->risk_groups, o->risk_group_count, err);
}

rwa_status rwa_network_create_graph(rwa_network **out, uint32_t nodes, const rwa_link *links, size_t link_count,
                                    const rwa_network_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, !link_count || links);
    rwa_network_options o;
    rwa_limits limits;
    MUST(base_options(rwa_network_options, &o, opts, err));
    MUST(check_options(&o, err));
    MUST(limits_take(&limits, o.limits, err));
    MUST(limits_refuse_nodes(&limits, nodes, err));
    if (nodes < 2 || nodes > RWA_NODES_MAX)
        return base_refuse(err, "a network of %u nodes: expected 2 to %u", nodes, RWA_NODES_MAX);
    rwa_network *net = network_begin(RWA_GRAPH, nodes, &o, err);
    return net ? network_finish(out, net, take_listed(net, links, link_count, &o, err), err) : RWA_NOMEM;
}

const char *read_digits(uint64_t *number, const char *text, uint64_t most)
{
    const char *p = text;
    assert(most <= UINT32_MAX);
    for (*number = 0; *p >= '0' && *p <= '9' && *number <= most; p++)
        *number = *number * 10 + (uint64_t)(*p - '0');
    return p != text && *number <= most ? p : NULL;
}

/** Read the numbers of a specification, such as 8x8, into shape[].  `separators` are the characters between them, in
 *  order; the last one repeats.  Return how many numbers there are; 0 if the text is anything else. */
static size_t read_shape(uint32_t *shape, const char *text, const char *separators)
{
    const char *separator = separators, *at = text;
    uint64_t number = 0;
    for (size_t count = 0; count < RWA_SHAPE_MAX; separator += separator[1] != '\0') {
        at = read_digits(&number, at, UINT32_MAX);
        if (!at)
            return 0;
        shape[count++] = (uint32_t)number;
        if (*at == '\0')
            return count;
        if (*at++ != *separator)
            return 0;
    }
    return 0;
}

rwa_status rwa_network_parse(rwa_network **out, const char *spec, const rwa_network_options *opts, rwa_error *err)
{
    BEGIN_NEW(out, err, spec);
    uint32_t shape[RWA_SHAPE_MAX] = {0};
    rwa_error why = {0};
    for (size_t i = 0; topology_at(i); i++) {
        const struct topology *t = topology_at(i);
        size_t length = strlen(t->name);
        if (strncmp(spec, t->name, length) != 0 || spec[length] != ':' || !t->nodes)
            continue;
        size_t count = read_shape(shape, spec + length + 1, t->separators);
        rwa_status st = rwa_network_create_shape(out, t->kind, shape, count, opts, &why);
        return st == RWA_OK ? st : base_fail(err, st, "network \"%.64s\": %s", spec, why.text);
    }
    return base_refuse(err, "network \"%.64s\": unknown kind, expected " SPECIFICATIONS "%s", spec,
                       strchr(spec, ':') ? "" : "; rwa_network_open() reads names and files, too");
}

struct rwa_network *network_copy(const struct rwa_network *net, rwa_error *err)
{
    struct rwa_network *copy = base_array(1, sizeof *copy, err);
    if (!copy)
        return NULL;
    *copy = *net;
    copy->arena = (struct arena){.err = err};
    copy->faults = (struct faults){0};
    copy->form = (struct network_shape){.cyclic = net->form.cyclic};
    rwa_status st = graph_copy(copy, net);
    if (st == RWA_OK)
        st = shape_copy(copy, net, err);
    if (st == RWA_OK)
        st = faults_translate(copy, net, NULL, err);
    copy->arena.err = NULL;
    network_keep(&copy, st);
    return copy;
}

struct rwa_network *network_with_fewer(const struct rwa_network *net, uint32_t wavelengths, uint32_t ports,
                                       rwa_error *err)
{
    assert(wavelengths >= 1 && wavelengths <= net->wavelengths);
    assert(wavelengths == net->wavelengths || (net->faults.channel_count == 0 && net->reserved_count == 0));
    struct rwa_network *copy = network_copy(net, err);
    for (struct rwa_network *n = copy; n; n = n->form.canonical) {
        n->wavelengths = wavelengths;
        n->ports = ports;
    }
    return copy;
}

rwa_status network_with_channels(struct rwa_network **out, const struct rwa_network *net, uint32_t channels,
                                 rwa_error *err)
{
    const rwa_faults none = {0};
    assert(channels >= 1 && network_is_uniform(net));
    MUST(rwa_network_with_faults(out, net, &none, err));
    for (struct rwa_network *n = *out; n; n = n->form.canonical) {
        n->wavelengths = channels;
        n->fibers = 1;
        for (uint32_t l = 0; l < n->link_count; l++)
            n->links[l].fibers = 1;
    }
    return RWA_OK;
}

rwa_status network_reserve_on_all(struct rwa_network **out, const struct rwa_network *net, rwa_error *err)
{
    rwa_faults faults = network_faults(net);
    size_t everywhere = faults.channel_count;
    uint32_t *channels = base_array(everywhere + net->reserved_count, sizeof *channels, err);
    struct rwa_network *copy = *out = channels ? network_copy(net, err) : NULL;
    rwa_status st = copy ? RWA_OK : RWA_NOMEM;
    TRY(st);
    for (size_t i = 0; i < everywhere; i++)
        channels[i] = faults.channels[i];
    for (size_t i = 0; i < net->reserved_count; i++)
        if (net->reserved[i].wavelength < net->wavelengths)
            channels[faults.channel_count++] = net->reserved[i].fiber * net->wavelengths + net->reserved[i].wavelength;
    faults.channels = channels;
    copy->reserved_count = 0;
    TRY(shape_find(copy, err)); /* before its faults: these are then also those of its canonical network */
    st = faults_set(copy, &faults, net->faults.from, err);
done:
    free(channels);
    return network_keep(out, st);
}

uint32_t network_most_fibers(const struct rwa_network *net)
{
    uint32_t most = net->fibers;
    for (uint32_t i = 0; i < net->link_count; i++)
        RAISE(most, net->links[i].fibers);
    return most;
}

bool network_has_parallel_links(const struct rwa_network *net)
{
    for (uint32_t l = 0; l < rwa_network_links(net); l++) {
        rwa_link link = rwa_network_link(net, l);
        if (rwa_network_find_link(net, link.from, link.to) != l)
            return true;
    }
    return false;
}

rwa_network_options network_options_like(const struct rwa_network *net)
{
    return (rwa_network_options){.struct_size = sizeof(rwa_network_options), .fibers = net->fibers, .ports = net->ports,
                                 .wavelengths = net->wavelengths, .rate_bps = net->rate_bps,
                                 .slot_hz = net->slot_hz, .tuning = net->tuning};
}

/** Return the number that directed link `link` of the ring or line `arcs` has in the network that network_list_links()
 *  makes of it. */
static uint32_t listed_link(const struct rwa_network *arcs, uint32_t link)
{
    uint32_t count = rwa_network_pairs(arcs);
    return link < count ? 2 * link : 2 * (link - count) + 1;
}

rwa_status network_list_links(struct rwa_network **out, const struct rwa_network *net, rwa_error *err)
{
    rwa_network_options opts = network_options_like(net);
    rwa_link *links = NULL;
    *out = NULL;
    if (network_is_one_hop(net))
        return base_refuse(err, "a network of kind %s has no links to route over, expected one of fibres",
                           rwa_topology_name(net->kind));
    if (!network_has_arcs(net)) {
        *out = network_copy(net, err);
        return *out ? RWA_OK : RWA_NOMEM;
    }
    uint32_t count = rwa_network_pairs(net);
    MUST(base_new(links, count, err));
    for (uint32_t i = 0; i < count; i++)
        links[i] = rwa_network_link(net, i);
    opts.both_ways = 1;
    opts.ports = opts.tuning = 0;
    rwa_status st = rwa_network_create_graph(out, net->nodes, links, count, &opts, err);
    if (st == RWA_OK)
        st = faults_translate(*out, net, listed_link, err);
    free(links);
    return network_keep(out, st);
}

rwa_status network_working(struct rwa_network **out, const struct rwa_network *net, const uint32_t *nodes,
                           uint32_t count, rwa_error *err)
{
    uint32_t *number = NULL;
    rwa_link *links = NULL;
    rwa_network_options o = network_options_like(net);
    size_t link_count = 0;
    uint32_t parts = 0;
    rwa_status st = RWA_OK;
    *out = NULL;
    o.both_ways = 1;
    o.tuning = 0;
    TRY(base_new(links, net->link_count, err));
    TRY(base_new(number, net->nodes, err));
    assert(net->paired && net->reserved_count == 0 && net->faults.channel_count == 0);
    memset(number, 0xff, net->nodes * sizeof *number);
    for (uint32_t i = 0; i < count; i++)
        number[base_mapped(nodes, i)] = i;
    for (uint32_t l = 0; l < net->link_count; l += 2) {
        rwa_link link = net->links[l];
        if (rwa_network_is_failed(net, l) || rwa_network_is_failed(net, l + 1))
            continue;
        link.from = number[link.from];
        link.to = number[link.to];
        if (link.from == RWA_NONE || link.to == RWA_NONE)
            goto done;
        links[link_count++] = link;
    }
    TRY(graph_count_parts(&parts, NULL, count, links, link_count, err));
    if (parts == 1 && link_count > 0)
        st = rwa_network_create_graph(out, count, links, link_count, &o, err);
done:
    free_all(links, number);
    return st;
}

void rwa_network_free(rwa_network *net)
{
    if (!net)
        return;
    rwa_network_free(net->form.canonical);
    arena_free(&net->faults.memory);
    arena_free(&net->arena);
    free(net);
}

GETTER(rwa_topology, rwa_network_topology, rwa_network, kind)

size_t rwa_network_shape(const uint32_t **shape, const rwa_network *net)
{
    *shape = net->shape;
    return net->shape_count;
}

GETTER(uint32_t, rwa_network_nodes, rwa_network, nodes)

uint32_t network_links_each_way(const rwa_network *net)
{
    if (network_has_arcs(net))
        return network_is_cycle(net) ? net->nodes : net->nodes - 1;
    if (network_is_one_hop(net))
        return net->nodes <= 1u << 16 ? net->nodes * (net->nodes - 1) : 0;
    return net->link_count;
}

GETTER(uint32_t, rwa_network_fibers, rwa_network, fibers)
GETTER(uint32_t, rwa_network_wavelengths, rwa_network, wavelengths)

uint32_t rwa_network_channels(const rwa_network *net)
{
    return net->fibers * net->wavelengths;
}

GETTER(double, rwa_network_rate_bps, rwa_network, rate_bps)
GETTER(double, rwa_network_slot_hz, rwa_network, slot_hz)
GETTER(uint32_t, rwa_network_ports, rwa_network, ports)
GETTER(uint32_t, rwa_network_tuning, rwa_network, tuning)

uint32_t rwa_network_links(const rwa_network *net)
{
    return network_links_each_way(net) * (network_has_arcs(net) ? 2 : 1);
}

rwa_link rwa_network_link(const rwa_network *net, uint32_t i)
{
    if (net->links)
        return net->links[i];
    if (network_is_one_hop(net)) {
        assert(net->nodes > 1);
        uint32_t from = i / (net->nodes - 1), rank = i % (net->nodes - 1);
        return (rwa_link){from, rank + (rank >= from), 0, net->fibers};
    }
    uint32_t count = rwa_network_pairs(net);
    assert(count > 0);
    uint32_t low = i < count ? i : i - count, high = low + 1 == net->nodes ? 0 : low + 1;
    return i < count ? (rwa_link){low, high, 0, net->fibers} : (rwa_link){high, low, 0, net->fibers};
}

/** Return the link of a ring or line from one node to another, or RWA_NONE.  On a ring of two nodes both a clockwise
 *  and a counter-clockwise link lead there; return the clockwise one. */
static uint32_t find_arc_link(const rwa_network *net, uint32_t from, uint32_t to)
{
    if (rwa_network_hops(net, from, to, RWA_CW) == 1)
        return from;
    return rwa_network_hops(net, from, to, RWA_CCW) == 1 ? rwa_network_pairs(net) + to : RWA_NONE;
}

uint32_t rwa_network_find_link(const rwa_network *net, uint32_t from, uint32_t to)
{
    if (from >= net->nodes || to >= net->nodes || from == to)
        return RWA_NONE;
    if (network_has_arcs(net))
        return find_arc_link(net, from, to);
    if (network_is_one_hop(net))
        return net->nodes <= 1u << 16 ? from * (net->nodes - 1) + to - (to > from) : RWA_NONE;
    return graph_find_link(net, from, to);
}

int rwa_network_is_paired(const rwa_network *net)
{
    return net->paired || network_has_arcs(net);
}

uint32_t rwa_network_pairs(const rwa_network *net)
{
    return rwa_network_is_paired(net) ? rwa_network_links(net) / 2 : 0;
}

uint32_t rwa_network_pair(const rwa_network *net, uint32_t link)
{
    if (!network_has_arcs(net))
        return link / 2;
    uint32_t pairs = rwa_network_pairs(net);
    assert(link < 2 * pairs);
    return link < pairs ? link : link - pairs;
}

int rwa_network_position(rwa_position *out, const rwa_network *net, uint32_t node)
{
    *out = net->positions && node < net->nodes ? net->positions[node] : (rwa_position){NAN, NAN};
    return !isnan(out->x);
}

uint32_t network_known_positions(const rwa_network *net)
{
    uint32_t known = 0;
    rwa_position at;
    for (uint32_t v = 0; v < net->nodes; v++)
        known += rwa_network_position(&at, net, v) != 0;
    return known;
}

const char *rwa_network_node_name(const rwa_network *net, uint32_t node)
{
    return net->names && node < net->nodes ? net->names[node] : NULL;
}

void network_name_node(char *to, size_t size, const rwa_network *net, uint32_t node)
{
    const char *name = rwa_network_node_name(net, node);
    assert(size > 10 && node < net->nodes);
    if (!name) {
        snprintf(to, size, "%u", node);
        return;
    }
    size_t length = strlen(name);
    for (length = length < size ? length : size - 1; length > 0 && (name[length] & 0xC0) == 0x80;)
        length--;
    memcpy(to, name, length);
    to[length] = '\0';
    rwa_text_make_visible(to);
}

const char *network_node_text(char text[NODE_TEXT], const rwa_network *net, uint32_t node)
{
    char name[NODE_TEXT - 13];  /* ten digits and " ()" */
    int used = snprintf(text, NODE_TEXT, "%u", node);
    network_name_node(name, sizeof name, net, node);
    if (strcmp(name, text) != 0)
        snprintf(text + used, (size_t)(NODE_TEXT - used), " (%s)", name);
    return text;
}

/** Tell whether a word is the part of a name before its " (", such as Seattle for "Seattle (WA)". */
static bool is_short_for(const char *word, const char *name)
{
    size_t length = strlen(word);
    return length > 0 && strncmp(word, name, length) == 0 && strncmp(name + length, " (", 2) == 0;
}

uint32_t rwa_network_find_node(const rwa_network *net, const char *name)
{
    uint32_t found = RWA_NONE, count = 0, meant = RWA_NONE, short_count = 0;
    bool numbers_are_names = false;
    for (uint32_t v = 0; net->names && v < net->nodes; v++) {
        if (!net->names[v])
            continue;
        numbers_are_names = numbers_are_names || base_is_digits(net->names[v]);
        if (strcmp(net->names[v], name) == 0) {
            found = v;
            count++;
        } else if (is_short_for(name, net->names[v])) {
            meant = v;
            short_count++;
        }
    }
    if (count == 0 && short_count == 1)
        return meant;
    if (count == 0 && !numbers_are_names && base_is_digits(name) && strlen(name) < 9)
        found = (uint32_t)strtoul(name, NULL, 10);
    return count > 1 || found >= net->nodes ? RWA_NONE : found;
}

uint32_t rwa_network_hops(const rwa_network *net, uint32_t src, uint32_t dst, rwa_direction dir)
{
    return network_hops(net, src, dst, dir);
}
