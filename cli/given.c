/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was said on the command line, and what of it means nothing there: that is refused, never ignored. */
#include "options.h"

#include <string.h>

void option_note(options *o, const char *name)
{
    if (!option_given(o, name) && o->given_count < GIVEN_MAX)
        o->given[o->given_count++] = name;
}

int option_given(const options *o, const char *name)
{
    for (size_t i = 0; i < o->given_count; i++)
        if (strcmp(o->given[i], name) == 0)
            return 1;
    return 0;
}

static int is_among(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

int refuse_given(const options *o, const char *const *names, const char *why)
{
    for (size_t i = 0; i < o->given_count; i++)
        if (is_among(o->given[i], names))
            return fail(EXIT_BAD_INPUT, "--%s: %s", o->given[i], why);
    return 0;
}

int refuse_others(const options *o, const char *const *names, const char *why)
{
    for (size_t i = 0; i < o->given_count; i++)
        if (!is_among(o->given[i], names) && strcmp(o->given[i], "quiet") != 0 && strcmp(o->given[i], "verbose") != 0)
            return fail(EXIT_BAD_INPUT, "--%s: %s", o->given[i], why);
    return 0;
}

int refuse_power_model(const options *o)
{
    return o->device == NULL ? refuse_given(o, NAMES("power-model"), "no power is checked without --device, expected that too") : 0;
}

int refuse_alpha(const options *o)
{
    return o->plan.cost.model == RWA_COST_PAPER
           ? refuse_given(o, NAMES("alpha"), "the paper model has no start-up, expected --cost circuit too") : 0;
}

int refuse_root(const options *o, rwa_collective_kind kind)
{
    if (o->root == 0 || kind == RWA_BROADCAST || kind == RWA_SCATTER || kind == RWA_GATHER)
        return 0;
    return fail(EXIT_BAD_INPUT, "--root: %s has none, expected it with broadcast, scatter or gather", rwa_collective_name(kind));
}

/* A file may say how many fibres each link has, and a specification of switches says how many there are. */
int refuse_fibers(const options *o, const rwa_network *net)
{
    uint32_t links = rwa_network_get_kind(net) == RWA_GRAPH ? rwa_network_links(net) : 0, i = 0;
    if (!option_given(o, "fibers"))
        return 0;
    if (rwa_network_get_kind(net) == RWA_OCS)
        return fail(EXIT_BAD_INPUT, "--fibers: %s says how many switches there are, expected without it", o->network);
    while (i < links && rwa_network_link(net, i).fibers != o->net.fibers)
        i++;
    return links == 0 || i < links ? 0
           : fail(EXIT_BAD_INPUT, "--fibers: %s says how many fibres each link has, expected without it", o->network);
}
