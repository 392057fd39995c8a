/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The tuning communication patterns.  In a tree everyone listens on a wavelength of its own, in an exchange everyone
 * sends on one of its own, so that a star of P channels carries both; only personalised exchanges need P k.
 *
 * Nodes that are missing to the next power of k + 1 are not simulated.  Trees cut ranges of nodes into parts that differ by
 * at most one.  Exchanges of blocks go round: stage e brings node v what nodes v + j (k+1)^e hold, j = 1 … k (Bruck et al.,
 * IEEE TPDS 8(11), 1997), and the last stage only what is missing, in equal shares: ceil((P-1)/k) steps, the lower bound.
 */
#include "scheme/published/star.h"

uint64_t star_power(const struct star *s, uint32_t e)
{
    uint64_t power = 1;
    while (e-- > 0 && power < UINT64_C(1) << 38)
        power *= (uint64_t)s->ports + 1;
    return power;
}

/** The node of a class or place, counted from the root. */
static uint32_t star_node(const struct star *s, uint32_t place)
{
    return (uint32_t)(((uint64_t)place + s->root) % s->nodes);
}

/** How many blocks a class has, and the first of them. */
static uint64_t class_size(const struct star *s, uint32_t class)
{
    if (s->kind == RWA_BROADCAST)
        return s->blocks / s->classes + (class < s->blocks % s->classes);
    return s->blocks / s->nodes;
}

static uint64_t class_first(const struct star *s, uint32_t class)
{
    uint64_t extra = s->blocks % s->classes;
    if (s->kind == RWA_BROADCAST)
        return class * (s->blocks / s->classes) + (class < extra ? class : extra);
    return star_node(s, class) * (s->blocks / s->nodes);
}

/** Send the blocks of the classes from … to - 1 (modulo the classes): parts of a broadcast's message, or what nodes own. */
static void star_blocks(struct airs *a, const struct star *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        uint32_t class = i % s->classes;
        for (uint64_t b = 0; b < class_size(s, class); b++)
            airs_block(a, class_first(s, class) + b);
    }
}

/** A range of classes handed on: its first node and the parent talk. */
static void hand(struct airs *a, const struct star *s, uint32_t parent, uint32_t first, uint32_t end, uint32_t port, bool upwards)
{
    uint32_t child = star_node(s, first);
    airs_begin(a, upwards ? child : star_node(s, parent), child);
    star_blocks(a, s, first, end);
    airs_listen(a, upwards ? star_node(s, parent) : child, UINT32_MAX, port);
}

/** The parts of a range; in the level asked for they are sent, above it cut further. */
static void cut(struct airs *a, const struct star *s, uint32_t first, uint32_t size, uint32_t level, bool upwards)
{
    uint32_t parts = s->ports + 1;
    for (uint32_t c = 0; c < parts && size > 1; c++) {
        uint32_t from = first + part_start(size, parts, c), to = first + part_start(size, parts, c + 1);
        if (level > 0 && to > from)
            cut(a, s, from, to - from, level - 1, upwards);
        else if (c > 0 && to > from)
            hand(a, s, first, from, to, c - 1, upwards);
    }
}

void star_tree(struct airs *a, const struct star *s, uint32_t level, bool upwards)
{
    cut(a, s, 0, s->classes, level, upwards);
}

/** Class c with digit e rotated by j. */
static uint32_t rotated_class(const struct star *s, uint32_t c, uint32_t unit, uint32_t j)
{
    uint32_t base = s->ports + 1, digit = c / unit % base;
    return c - digit * unit + (digit + j) % base * unit;
}

/**
 * Cliques: nodes place = class + r classes, in groups r of all classes.  In the last group classes may be missing; nodes
 * that need them listen to the first group.
 */
static void clique_exchange(struct airs *a, const struct star *s, uint32_t unit)
{
    uint32_t last = (s->nodes - 1) / s->classes;
    for (uint32_t place = 0; place < s->nodes; place++) {
        uint32_t class = place % s->classes, group = place / s->classes;
        airs_begin(a, star_node(s, place), star_node(s, place));
        star_blocks(a, s, class / unit * unit, class / unit * unit + unit);
        for (uint32_t j = 1; j <= s->ports; j++) {
            uint32_t to = rotated_class(s, class, unit, j), away = to + last * s->classes;
            if (group * s->classes + to < s->nodes)
                airs_listen(a, star_node(s, group * s->classes + to), UINT32_MAX, j - 1);
            if (group == 0 && last > 0 && class + last * s->classes >= s->nodes && away < s->nodes)
                airs_listen(a, star_node(s, away), UINT32_MAX, j - 1);
        }
    }
}

static uint32_t blocks_of(const struct star *s, uint32_t from, uint32_t count)
{
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < count; i++)
        blocks += class_size(s, (from + i) % s->classes);
    return (uint32_t)blocks;
}

/** Round: node v holds the classes v … v + unit - 1 and sends them to v - unit, v - 2 unit …; in the last stage a share. */
static void round_exchange(struct airs *a, const struct star *s, uint32_t unit)
{
    uint32_t n = s->nodes, missing = n - unit;
    uint32_t share = missing >= (uint64_t)unit * s->ports ? unit : (uint32_t)ceil_div(missing, s->ports);
    for (uint32_t v = 0; v < n; v++) {
        airs_begin(a, star_node(s, v), star_node(s, v));
        star_blocks(a, s, v, v + share);
        for (uint32_t j = 0; j < s->ports && j * share < missing; j++) {
            uint32_t left = missing - j * share, heard = left < share ? left : share;
            airs_listen(a, star_node(s, (v + n - unit - j * share) % n), blocks_of(s, v, heard), j);
        }
    }
}

void star_exchange(struct airs *a, const struct star *s, uint32_t level)
{
    uint32_t unit = (uint32_t)star_power(s, level);
    if (s->classes < s->nodes || s->whole)
        clique_exchange(a, s, unit);
    else
        round_exchange(a, s, unit);
}

void star_copy(struct airs *a, const struct star *s, uint32_t level)
{
    uint64_t informed = star_power(s, level) * s->classes; /* places that have their class's part */
    for (uint64_t place = 0; place < informed && place < s->nodes; place++) {
        uint32_t class = (uint32_t)(place % s->classes);
        uint64_t group = star_power(s, level) + place / s->classes * s->ports;
        for (uint32_t j = 0; j < s->ports; j++) {
            uint64_t to = class + (group + j) * s->classes;
            if (to >= s->nodes)
                break;
            uint32_t node = star_node(s, (uint32_t)to);
            airs_begin(a, star_node(s, (uint32_t)place), node);
            star_blocks(a, s, class, class + 1);
            airs_listen(a, node, UINT32_MAX, j);
        }
    }
}

/** Cliques: v holds blocks whose source agrees with it from digit e on, and whose destination does below. */
static void personal_clique(struct airs *a, const struct star *s, uint32_t v, uint32_t to, uint32_t unit)
{
    uint32_t step = unit * (s->ports + 1), digit = to / unit % (s->ports + 1);
    for (uint32_t x = 0; x < unit; x++)
        for (uint32_t dst = v % unit + digit * unit; dst < s->nodes; dst += step)
            airs_block(a, (uint64_t)(v - v % unit + x) * s->nodes + dst);
}

/** Round: a block that has z places to go moves j units when digit e of z is j. */
static void personal_round(struct airs *a, const struct star *s, uint32_t v, uint32_t j, uint32_t unit)
{
    uint32_t n = s->nodes;
    uint64_t step = (uint64_t)unit * (s->ports + 1);
    for (uint64_t high = (uint64_t)j * unit; high < n; high += step)
        for (uint64_t z = high; z < high + unit && z < n; z++) {
            uint32_t src = (uint32_t)((v + n - z % unit) % n);
            airs_block(a, (uint64_t)src * n + (src + z) % n);
        }
}

void star_personalised(struct airs *a, const struct star *s, uint32_t level)
{
    uint32_t unit = (uint32_t)star_power(s, level);
    for (uint32_t v = 0; v < s->nodes; v++)
        for (uint32_t j = 1; j <= s->ports && (uint64_t)j * unit < s->nodes; j++) {
            uint32_t to = s->whole ? rotated_class(s, v, unit, j) : (uint32_t)((v + (uint64_t)j * unit) % s->nodes);
            airs_begin(a, v, v * s->ports + j - 1);
            if (s->whole)
                personal_clique(a, s, v, to, unit);
            else
                personal_round(a, s, v, j, unit);
            airs_listen(a, to, UINT32_MAX, j - 1);
        }
}
