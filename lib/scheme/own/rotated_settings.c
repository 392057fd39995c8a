/* SPDX-License-Identifier: GPL-3.0-or-later */
/** In how many of its steps a tree, inwards and outwards, needs a lightpath that is not there from the step before. */
#include "scheme/own/rotated.h"

enum { MOST = 1 << 26 };

/** A step as it is carried out: from the roots outwards, or time-reversed. */
struct pass {
    const struct rotated_tree *tree;
    const struct rotation *at;
    uint32_t step;
    bool inwards;
};

static struct pass pass_of(const struct rotated_tree *tree, const struct rotation *at, uint32_t number)
{
    uint32_t levels = tree->levels, outwards = rotated_steps(tree) - levels;
    bool inwards = number < levels;
    return (struct pass){tree, at, inwards ? levels - number : number < outwards ? levels + 1 : number - outwards + 1, inwards};
}

/** A hop of one block between real nodes. */
struct rotated_lightpath {
    uint32_t src, dst, channel;
    bool onward;
};

static struct rotated_lightpath lightpath_of(const struct pass *p, const struct rotated_hop *hop, uint32_t block)
{
    uint32_t from = rotated_node(p->at, block, hop->d.from), to = rotated_node(p->at, block, hop->to);
    return (struct rotated_lightpath){p->inwards ? to : from, p->inwards ? from : to, rotated_channel(hop, block),
                          (hop->d.way == RWA_CW) != p->inwards};
}

/** Whether one block makes the hop from a place, and it is that lightpath. */
static bool is_lightpath(const struct pass *p, const struct rotated_hop *hop, uint32_t place, const struct rotated_lightpath *l)
{
    uint32_t begin = p->inwards ? hop->to : hop->d.from, turn = (place + p->at->places - begin) % p->at->places;
    uint32_t block = turn / p->at->spacing;
    if (turn % p->at->spacing != 0 || rotated_is_received(p->tree, p->at, hop, block))
        return false;
    struct rotated_lightpath other = lightpath_of(p, hop, block);
    return other.src == l->src && other.dst == l->dst && other.channel == l->channel && other.onward == l->onward;
}

static bool is_up(const struct pass *before, const struct rotated_lightpath *l)
{
    const struct rotated_tree *t = before->tree;
    uint32_t place = (uint32_t)ceil_div((uint64_t)l->src * before->at->places, before->at->nodes);
    for (; place < before->at->places && rotated_node(before->at, 0, place) == l->src; place++)
        for (size_t i = t->first[2 * (before->step - 1)]; i < t->first[2 * before->step]; i++)
            if (is_lightpath(before, &t->hop[i], place, l))
                return true;
    return false;
}

/** *effort: comparisons, of which there may be MOST. */
static bool is_new(const struct pass *now, const struct pass *before, uint64_t *effort)
{
    const struct rotated_tree *t = now->tree;
    size_t others = t->first[2 * before->step] - t->first[2 * (before->step - 1)];
    for (size_t i = t->first[2 * (now->step - 1)]; i < t->first[2 * now->step]; i++)
        for (uint32_t block = 0; block < now->at->blocks && *effort < MOST; block++) {
            *effort += others;
            struct rotated_lightpath l = lightpath_of(now, &t->hop[i], block);
            if (!rotated_is_received(t, now->at, &t->hop[i], block) && !is_up(before, &l))
                return true;
        }
    return false;
}

uint32_t rotated_settings(const struct rotated_tree *tree, const struct rotation *at)
{
    uint32_t settings = 1;
    uint64_t effort = 0;
    for (uint32_t number = 1; number < rotated_steps(tree); number++) {
        struct pass before = pass_of(tree, at, number - 1), now = pass_of(tree, at, number);
        settings += is_new(&now, &before, &effort);
    }
    return effort < MOST ? settings : 0;
}
