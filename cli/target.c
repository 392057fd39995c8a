/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command is about: the network with what of it must not be used, who takes part, and the collective. */
#include "options.h"
#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "17,cw:3" as directed links; 0, or the exit code after one line. */
int links_read(uint32_t **links, size_t *count, const rwa_network *net, const char *list)
{
    size_t length = strlen(list), most = 2;
    for (const char *p = list; *p != '\0'; p++)
        most += *p == ',' ? 2 : 0;
    char *text = malloc(length + 1);
    *links = malloc(most * sizeof **links);
    *count = 0;
    if (text == NULL || *links == NULL) {
        free(text);
        return fail(EXIT_MACHINE, "out of memory");
    }
    memcpy(text, list, length + 1);
    int code = 0;
    for (char *name = text, *next; name != NULL && code == 0; name = next) {
        next = strchr(name, ',');
        if (next != NULL)
            *next++ = '\0';
        size_t found = rwa_network_name_links(net, name, *links + *count);
        *count += found;
        if (found == 0)
            code = fail(EXIT_BAD_INPUT, "--fail %s: no such link, expected 0 to %" PRIu32 "%s", name, rwa_network_links(net) - 1,
                        rwa_network_get_kind(net) == RWA_RING || rwa_network_get_kind(net) == RWA_LINE ? ", or cw: or ccw: before it" : "");
    }
    free(text);
    return code;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The next "7" or "0-63" of a list, which *text then is past; 0: it is neither, or a number is not below `below`. */
static int next_range(uint64_t *first, uint64_t *last, const char **text, uint64_t below)
{
    const char *end;
    if (!read_digits(first, *text, &end))
        return 0;
    *last = *first;
    if (*end == '-' && !read_digits(last, end + 1, &end))
        return 0;
    if (*last < *first || *last >= below || (*end != ',' && *end != '\0'))
        return 0;
    *text = *end == ',' ? end + 1 : end;
    return *end != ',' || **text != '\0';
}

/* "0-63,128" as ascending numbers, none twice; 0, or the exit code after one line. */
static int read_numbers(uint32_t **list, size_t *count, const char *name, const char *text, uint32_t below)
{
    uint64_t first, last, all = 0;
    size_t kept = 0;
    for (const char *p = text; all == 0 || *p != '\0'; all += last - first + 1)
        if (!next_range(&first, &last, &p, below) || all > RWA_NODES_MAX)
            return fail(EXIT_BAD_INPUT, "--%s %s: expected numbers and ranges up to %" PRIu32 ", such as 0-3,7", name, text, below - 1);
    *list = malloc(all * sizeof **list);
    if (*list == NULL)
        return fail(EXIT_MACHINE, "out of memory");
    *count = 0;
    for (const char *p = text; *p != '\0' && next_range(&first, &last, &p, below);)
        for (; first <= last; first++)
            (*list)[(*count)++] = (uint32_t)first;
    qsort(*list, *count, sizeof **list, by_number);
    for (size_t i = 0; i < *count; i++)
        if (kept == 0 || (*list)[kept - 1] != (*list)[i])
            (*list)[kept++] = (*list)[i];
    *count = kept;
    return 0;
}

/* Replace the network by one that has failed links and reserved channels. */
static int apply_faults(rwa_network **net, const options *o)
{
    rwa_network *less = NULL;
    rwa_error err = {0};
    rwa_faults faults = {0};
    uint32_t *channels = NULL, *links = NULL;
    int code = 0;
    if (o->reserved != NULL)
        code = read_numbers(&channels, &faults.channel_count, "reserve", o->reserved, rwa_network_channels(*net));
    if (code == 0 && o->failed != NULL)
        code = links_read(&links, &faults.link_count, *net, o->failed);
    faults.channels = channels;
    faults.links = links;
    rwa_status status = code == 0 ? rwa_network_with_faults(&less, *net, &faults, &err) : RWA_OK;
    if (status != RWA_OK)
        code = fail_status(status, &err, 0);
    if (less != NULL) {
        rwa_network_free(*net);
        *net = less;
    }
    free(channels);
    free(links);
    return code;
}

/* Who takes part: *count of them.  The root becomes its place among them; without one it is the first. */
static int apply_members(uint32_t *count, options *o, const rwa_network *net)
{
    size_t members = 0, place = 0;
    int rooted = option_given(o, "root");
    if (o->members == NULL)
        return 0;
    int code = read_numbers(&o->member_list, &members, "members", o->members, rwa_network_nodes(net));
    if (code != 0)
        return code;
    if (members < 2)
        return fail(EXIT_BAD_INPUT, "--members %s: expected at least two nodes", o->members);
    while (rooted && place < members && o->member_list[place] != o->root)
        place++;
    if (place == members)
        return fail(EXIT_BAD_INPUT, "--root %" PRIu32 ": expected one of the members", o->root);
    o->root = (uint32_t)place;
    o->plan.members = o->member_list;
    *count = (uint32_t)members;
    return 0;
}

/* On a star whose wavelengths nobody limits every transmission has one of its own. */
static rwa_status widen_star(rwa_network **net, const options *o, rwa_error *err)
{
    rwa_network_options wide = o->net;
    uint64_t nodes = rwa_network_nodes(*net), each = o->net.ports > 0 && o->net.ports < nodes ? o->net.ports : nodes - 1;
    uint64_t wanted = nodes * each < RWA_CHANNELS_MAX / o->net.fibers ? nodes * each : RWA_CHANNELS_MAX / o->net.fibers;
    if (rwa_network_get_kind(*net) != RWA_STAR || option_given(o, "wavelengths") || o->device != NULL || wanted <= o->net.wavelengths)
        return RWA_OK;
    wide.wavelengths = (uint32_t)wanted;
    rwa_network_free(*net);
    return rwa_network_open(net, o->network, &wide, err);
}

static int is_tuned(const rwa_network *net)
{
    rwa_network_kind kind = rwa_network_get_kind(net);
    return kind == RWA_STAR || kind == RWA_RON || kind == RWA_OCS;
}

/* The network as it was specified, before anything failed. */
static int open_network(rwa_network **net, const options *o)
{
    rwa_error err = {0};
    rwa_status status = rwa_network_open(net, o->network, &o->net, &err);
    if (status == RWA_OK && o->net.tuning > 0 && !is_tuned(*net))
        return fail(EXIT_BAD_INPUT, "--tuning: nothing is tuned on a %s, expected a star, ron or ocs",
                    rwa_network_kind_name(rwa_network_get_kind(*net)));
    if (status == RWA_OK)
        status = widen_star(net, o, &err);
    return status == RWA_OK ? refuse_fibers(o, *net) : fail_status(status, &err, 0);
}

int target_build(rwa_network **net, rwa_collective *coll, options *o)
{
    rwa_error err = {0};
    uint32_t nodes = 0;
    *net = NULL;
    int code = refuse_root(o, o->collective);
    if (code == 0)
        code = open_network(net, o);
    if (code == 0) {
        nodes = rwa_network_nodes(*net);
        if (o->failed != NULL || o->reserved != NULL)
            code = apply_faults(net, o);
    }
    if (code == 0)
        code = apply_members(&nodes, o, *net);
    if (code != 0)
        return code;
    rwa_status status = rwa_collective_init(coll, o->collective, nodes, o->root, o->message, o->blocks, &err);
    return status == RWA_OK ? 0 : fail_status(status, &err, 0);
}

void target_free(rwa_network *net, options *o)
{
    rwa_network_free(net);
    free(o->member_list);
    o->member_list = NULL;
}
