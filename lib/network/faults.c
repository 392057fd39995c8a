/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Faults of a network: channels reserved on every link, and directed links that have failed. */
#include "network/network.h"

/** The space for the first node's name in find_between(); a longer name finds nothing. */
enum { NAME_MAX_BYTES = 256 };

/** A failed link, and the first step in which it is failed. */
struct failure {
    uint32_t link, from;
};

COMPARATOR(compare_failures, struct failure, UP(link) UP(from))

/** Store the failed links of `given` in f, ascending and without duplicates, and their steps.  from[i] is the first
 *  step in which given->links[i] is failed; NULL: given->links_from for all.  If a link is given twice, the earlier
 *  step holds.  list[] is working memory of given->link_count entries. */
static void take_failures(struct faults *f, struct failure *list, const rwa_faults *given, const uint32_t *from)
{
    for (size_t i = 0; i < given->link_count; i++)
        list[i] = (struct failure){given->links[i], from ? from[i] : given->links_from};
    base_sort(list, given->link_count, compare_failures);
    f->links_from = from && given->link_count > 0 ? 0 : given->links_from;
    for (size_t i = 0; i < given->link_count; i++) {
        if (f->link_count > 0 && f->links[f->link_count - 1] == list[i].link)
            continue;
        f->links[f->link_count] = list[i].link;
        f->from[f->link_count++] = list[i].from;
        RAISE(f->links_from, list[i].from);
    }
}

static rwa_status check_faults(const rwa_network *net, const rwa_faults *f, rwa_error *err)
{
    uint32_t links = rwa_network_links(net), channels = network_most_fibers(net) * net->wavelengths;
    if (f->link_count > 0 && network_is_one_hop(net))
        return base_refuse(err, "failed links: a network of kind %s has none, expected one of fibres",
                           rwa_topology_name(net->kind));
    for (size_t i = 0; i < f->channel_count; i++)
        if (f->channels[i] >= channels)
            return base_refuse(err, "reserved channel %u: expected below %u", f->channels[i], channels);
    for (size_t i = 0; i < f->link_count; i++)
        if (f->links[i] >= links)
            return base_refuse(err, "failed link %u: expected a directed link below %u", f->links[i], links);
    return RWA_OK;
}

/** Return the number that link number l of `net` has in the canonical network of `net`. */
static uint32_t canonical_link(const rwa_network *net, uint32_t l)
{
    rwa_link link = net->links[l];
    return rwa_network_find_link(net->form.canonical, network_canonical_place(net, link.from),
                                 network_canonical_place(net, link.to));
}

rwa_status faults_set(struct rwa_network *net, const rwa_faults *given, const uint32_t *from, rwa_error *err)
{
    struct faults before = net->faults, f = {.memory.err = err};
    struct failure *list;
    rwa_status st = RWA_OK;
    TRY(check_faults(net, given, err));
    TRY(arena_arrays(&f.memory, given->link_count, list, f.links, f.from));
    take_failures(&f, list, given, from);
    arena_copy(&f.memory, f.channels, given->channels, given->channel_count);
    TRY(arena_status(&f.memory));
    f.channel_count = base_sort_unique(f.channels, given->channel_count, sizeof *f.channels, order_uint32);
    f.memory.err = NULL;        /* the caller's, which may not outlive the network */
    net->faults = f;
    if (net->form.canonical)
        st = faults_translate(net->form.canonical, net, canonical_link, err);
    if (st == RWA_OK)
        f = before;
    else
        net->faults = before;
done:
    arena_free(&f.memory);
    return st;
}

rwa_status faults_translate(struct rwa_network *to, const struct rwa_network *from,
                            uint32_t (*number)(const struct rwa_network *from, uint32_t link), rwa_error *err)
{
    rwa_faults faults = network_faults(from);
    uint32_t *links;
    if (!from->faults.links)
        return RWA_OK;
    MUST(base_new(links, faults.link_count, err));
    for (size_t i = 0; i < faults.link_count; i++)
        links[i] = number ? number(from, faults.links[i]) : faults.links[i];
    faults.links = links;
    rwa_status st = faults_set(to, &faults, from->faults.from, err);
    free(links);
    return st;
}

rwa_status network_with_failures(rwa_network **out, const rwa_network *net, const rwa_faults *faults,
                                 const uint32_t *from, rwa_error *err)
{
    *out = network_copy(net, err);
    rwa_status st = *out ? faults_set(*out, faults, from, err) : RWA_NOMEM;
    if (st == RWA_OK)
        network_check(*out);
    return network_keep(out, st);
}

rwa_status network_with_more_failures(rwa_network **out, const rwa_network *net, const uint32_t *links, size_t count,
                                      uint32_t step, rwa_error *err)
{
    uint32_t *both = NULL, *from = NULL;
    rwa_faults faults = network_faults(net);
    size_t all = faults.link_count + count;
    rwa_status st = RWA_OK;
    *out = NULL;
    TRY(base_new(both, all, err));
    TRY(base_new(from, all, err));
    for (size_t i = 0; i < all; i++) {
        both[i] = i < count ? links[i] : faults.links[i - count];
        from[i] = i < count ? step : (uint32_t)network_failed_from(net, both[i]);
    }
    faults.links = both;
    faults.link_count = all;
    TRY(network_with_failures(out, net, &faults, from, err));
done:
    free_all(both, from);
    return st;
}

rwa_status rwa_network_with_faults(rwa_network **out, const rwa_network *net, const rwa_faults *faults, rwa_error *err)
{
    BEGIN_NEW(out, err, net, faults);
    return network_with_failures(out, net, faults, NULL, err);
}

void rwa_network_faults(rwa_faults *out, const rwa_network *net)
{
    const struct faults *f = &net->faults;
    *out = (rwa_faults){f->channels, f->channel_count, f->links, f->link_count, f->links_from};
}

uint32_t network_open_channels(const struct rwa_network *net, uint32_t fibers)
{
    const struct faults *f = &net->faults;
    uint32_t channels = fibers * net->wavelengths, open = channels;
    for (size_t i = 0; i < f->channel_count && f->channels[i] < channels; i++)
        open--;
    return open;
}

int rwa_network_is_reserved_everywhere(const rwa_network *net, uint32_t channel)
{
    const struct faults *f = &net->faults;
    return f->channel_count > 0 &&
           bsearch(&channel, f->channels, f->channel_count, sizeof channel, order_uint32) != NULL;
}

int rwa_network_is_failed(const rwa_network *net, uint32_t link)
{
    return network_failed_from(net, link) != UINT64_MAX;
}

uint64_t network_failed_from(const rwa_network *net, uint32_t link)
{
    const struct faults *f = &net->faults;
    const uint32_t *at = f->link_count > 0 ? bsearch(&link, f->links, f->link_count, sizeof link, order_uint32) : NULL;
    return at ? f->from[at - f->links] : UINT64_MAX;
}

bool network_fails_in_steps(const rwa_network *net)
{
    const struct faults *f = &net->faults;
    for (size_t i = 1; i < f->link_count; i++)
        if (f->from[i] != f->from[0])
            return true;
    return false;
}

/** Store in links[] the links that `name` means, and return their number, 0 to 2: "A-B" means both directions, "A>B"
 *  one.  A and B are names or numbers of nodes.  Names may contain "-" and ">", so `name` is split at the first of
 *  these characters that has linked nodes on its two sides. */
static size_t find_between(uint32_t links[2], const rwa_network *net, const char *name)
{
    char first[NAME_MAX_BYTES];
    size_t length = strlen(name), found = 0;
    for (size_t i = 1; i + 1 < length && i < sizeof first && found == 0; i++) {
        if (name[i] != '-' && name[i] != '>')
            continue;
        memcpy(first, name, i);
        first[i] = '\0';
        uint32_t from = rwa_network_find_node(net, first), to = rwa_network_find_node(net, name + i + 1);
        links[0] = rwa_network_find_link(net, from, to);
        found = links[0] != RWA_NONE;
        if (found == 0 || name[i] == '>')
            continue;
        links[1] = rwa_network_find_link(net, to, from);
        found += links[1] != RWA_NONE;
    }
    return found;
}

size_t rwa_network_find_links(uint32_t links[2], const rwa_network *net, const char *name)
{
    uint32_t count = network_links_each_way(net);
    bool cw = strncmp(name, "cw:", 3) == 0, ccw = strncmp(name, "ccw:", 4) == 0;
    uint64_t number = 0;
    const char *end = read_digits(&number, name + (cw ? 3 : ccw ? 4 : 0), UINT32_MAX);
    if (((cw || ccw) && !network_has_arcs(net)) || !end || *end || number >= count)
        return find_between(links, net, name);
    links[0] = (uint32_t)number;
    if (!network_has_arcs(net) || cw)
        return 1;
    links[1] = links[0] + count;
    if (ccw)
        links[0] = links[1];
    return ccw ? 1 : 2;
}
