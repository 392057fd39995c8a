/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random networks of a seed: Waxman, geometric, Barabási-Albert, regular.  All of them are connected.  Integers only,
 * so that a specification names the same network on every machine.
 */
#include "network/network.h"

enum { SIDE = 1 << 20, MOST_RANDOM_NODES = 1 << 14 };

/* Waxman: the length over which the probability of a link falls by a factor of e, 0.15 of the diagonal of the
 * square. */
enum { WAXMAN_REACH = 222429 };

uint64_t seeded_nodes(const uint32_t *shape, size_t count)
{
    (void)count;
    return shape[0] > MOST_RANDOM_NODES ? 0 : shape[0];
}

/* Return the number of nodes of a Barabási-Albert network, or 0 if it cannot exist.  shape[] holds the number of nodes,
 * the number of links that each new node brings, and the seed. */
uint64_t barabasi_albert_nodes(const uint32_t *shape, size_t count)
{
    return shape[1] < 1 || shape[1] >= shape[0] ? 0 : seeded_nodes(shape, count);
}

/* Return the number of nodes of a regular network, or 0 if it cannot exist.  shape[] holds the number of nodes, the
 * degree, and the seed.  The degree must be at least 3: below, a random network is hardly ever connected. */
uint64_t regular_nodes(const uint32_t *shape, size_t count)
{
    bool exists = shape[1] >= 3 && shape[1] < shape[0] && (uint64_t)shape[0] * shape[1] % 2 == 0;
    return exists ? seeded_nodes(shape, count) : 0;
}

/* Return the number of fibre pairs of a random network of shape[0] nodes with a mean degree of 4.  If so many pairs are
 * not possible, each two nodes are linked. */
uint64_t seeded_pairs(const uint32_t *shape, size_t count)
{
    (void)count;
    uint64_t nodes = shape[0], all = nodes * (nodes - 1) / 2;
    return 2 * nodes < all ? 2 * nodes : all;
}

/* ---- points of a square ---- */

struct points {
    uint32_t *x, *y;
    uint32_t count;
};

static void scatter(struct points *p, struct arena *arena, uint32_t count, uint64_t *random)
{
    arena_arrays(arena, count, p->x, p->y);
    p->count = count;
    for (uint32_t v = 0; v < count && !arena->failed; v++) {
        p->x[v] = (uint32_t)base_random_below(random, SIDE);
        p->y[v] = (uint32_t)base_random_below(random, SIDE);
    }
}

static uint64_t square_distance(const struct points *p, uint32_t a, uint32_t b)
{
    int64_t dx = (int64_t)p->x[a] - p->x[b], dy = (int64_t)p->y[a] - p->y[b];
    return (uint64_t)(dx * dx + dy * dy);
}

/* ---- Waxman ---- */

/* Return true with probability exp(-num / den), where num <= den, by integers alone.  *random is the state of the
 * generator.  (Forsythe: Von Neumann's comparison method for random sampling, Mathematics of Computation 26, 1972.) */
static bool survives_part(uint64_t num, uint64_t den, uint64_t *random)
{
    uint64_t k = 1;
    while (base_random_below(random, den * k) < num)
        k++;
    return k % 2 == 1;
}

static bool survives(uint64_t distance, uint64_t reach, uint64_t *random)
{
    for (; distance > reach; distance -= reach)
        if (!survives_part(1, 1, random))
            return false;
    return survives_part(distance, reach, random);
}

static bool is_drawn(const struct pen *pen, uint32_t a, uint32_t b)
{
    for (uint64_t i = 0; i < pen->count; i++)
        if (pen->pairs[i].from == a && pen->pairs[i].to == b)
            return true;
    return false;
}

/* Draw a Waxman network of shape[0] nodes with seed shape[1] and a mean degree of 4.  First each node is linked to an
 * earlier one, then random pairs of nodes are linked.  The probability of a link falls with its length.  (Waxman:
 * Routing of multipoint connections, IEEE Journal on Selected Areas in Communications 6, 1988.) */
void draw_waxman(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint32_t nodes = shape[0];
    uint64_t random = shape[1], pairs = seeded_pairs(shape, count);
    struct points p;
    scatter(&p, &pen->arena, nodes, &random);
    while (pen->count < pairs && !pen->arena.failed) {
        uint32_t v = pen->count + 1 < nodes ? (uint32_t)pen->count + 1 : (uint32_t)base_random_below(&random, nodes);
        uint32_t to = (uint32_t)base_random_below(&random, pen->count + 1 < nodes ? v : nodes);
        uint32_t low = v < to ? v : to, high = v < to ? to : v;
        if (v != to && survives((uint64_t)sqrt((double)square_distance(&p, v, to)), WAXMAN_REACH, &random) &&
            !is_drawn(pen, low, high))
            pen_draw(pen, low, high);
    }
}

/* ---- geometric ---- */

struct near_pair {
    uint64_t square;
    uint32_t a, b;
};

COMPARATOR(by_square, struct near_pair, UP(square) UP(a) UP(b))

/* Find a shortest spanning tree of the points (Prim's algorithm).  parent[v] becomes v's neighbour towards point 0;
 * reach[] and inside[] are working memory. */
static void span(uint32_t *parent, uint64_t *reach, bool *inside, const struct points *p)
{
    uint32_t last = 0;
    for (uint32_t v = 0; v < p->count; v++)
        reach[v] = UINT64_MAX;
    for (uint32_t done = 1; done < p->count; done++) {
        uint32_t next = UINT32_MAX;
        inside[last] = true;
        for (uint32_t v = 0; v < p->count; v++) {
            if (inside[v])
                continue;
            if (square_distance(p, v, last) < reach[v]) {
                reach[v] = square_distance(p, v, last);
                parent[v] = last;
            }
            next = next == UINT32_MAX || reach[v] < reach[next] ? v : next;
        }
        last = next;
    }
}

/* Return the number of pairs of points whose distance is at most `root`, without the links of the tree parent[].  Store
 * the first `capacity` of these pairs in list[], which may be NULL if capacity is 0. */
static uint64_t list_near(struct near_pair *list, uint64_t capacity, const struct points *p, const uint32_t *parent,
                          uint64_t root)
{
    uint64_t count = 0;
    for (uint32_t a = 0; a < p->count; a++)
        for (uint32_t b = a + 1; b < p->count; b++) {
            uint64_t square = square_distance(p, a, b);
            bool of_tree = (a > 0 && parent[a] == b) || parent[b] == a;
            if (square > root * root || of_tree)
                continue;
            if (count < capacity)
                list[count] = (struct near_pair){square, a, b};
            count++;
        }
    return count;
}

/* Tell whether no other point lies in the circle that has the pair as its diameter.  (Gabriel, Sokal: A new statistical
 * approach to geographic variation analysis, Systematic Zoology 18, 1969.) */
static bool is_gabriel(const struct points *p, const struct near_pair *pair)
{
    for (uint32_t v = 0; v < p->count; v++)
        if (square_distance(p, v, pair->a) + square_distance(p, v, pair->b) < pair->square && v != pair->a &&
            v != pair->b)
            return false;
    return true;
}

/* Return the pairs of points whose distance is at most a limit, nearest first, without the links of the tree parent[];
 * *count is their number.  The limit is the least whole number that gives at least `wanted` pairs.  The list belongs to
 * the arena; NULL: out of memory. */
static struct near_pair *nearest_pairs(uint64_t *count, const struct points *p, const uint32_t *parent, uint64_t wanted,
                                       struct arena *arena)
{
    uint64_t low = 0, high = 2 * SIDE;
    struct near_pair *list;
    while (low + 1 < high) { /* the smallest distance within which so many lie */
        uint64_t middle = (low + high) / 2;
        if (list_near(NULL, 0, p, parent, middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    *count = list_near(NULL, 0, p, parent, high);
    if (!arena_new(arena, list, (size_t)*count))
        return NULL;
    list_near(list, *count, p, parent, high);
    qsort(list, (size_t)*count, sizeof *list, by_square);
    return list;
}

/* Draw a network of shape[0] nodes that resembles fibres between towns; the nodes are random points.  Its links are a
 * shortest spanning tree, then near pairs without another point between them (is_gabriel()), then the nearest of the
 * other pairs. The nearest pairs alone would form clusters joined by single links. */
void draw_geometric(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint32_t nodes = shape[0], *parent;
    uint64_t random = shape[1], pairs = seeded_pairs(shape, count), found = 0, *reach;
    uint64_t others = (uint64_t)nodes * (nodes - 1) / 2 - (nodes - 1);
    bool *inside;
    struct points p;
    scatter(&p, &pen->arena, nodes, &random);
    arena_arrays(&pen->arena, nodes, parent, reach, inside);
    if (pen->arena.failed)
        return;
    span(parent, reach, inside, &p);
    for (uint32_t v = 1; v < nodes; v++)
        pen_draw(pen, parent[v] < v ? parent[v] : v, parent[v] < v ? v : parent[v]);
    struct near_pair *list = nearest_pairs(&found, &p, parent, 4 * pairs < others ? 4 * pairs : others, &pen->arena);
    for (int round = 0; round < 2 && list; round++)
        for (uint64_t i = 0; i < found && pen->count < pairs; i++)
            if (is_gabriel(&p, &list[i]) == (round == 0))
                pen_draw(pen, list[i].a, list[i].b);
}

/* ---- Barabási-Albert ---- */

uint64_t barabasi_albert_pairs(const uint32_t *shape, size_t count)
{
    (void)count;
    uint64_t nodes = shape[0], each = shape[1];
    return each * (each + 1) / 2 + (nodes - each - 1) * each;
}

/* Return a pointer to the entry that equals `node` in a list of `count` nodes, or NULL if there is none. */
static uint32_t *find(uint32_t *list, uint32_t count, uint32_t node)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == node)
            return &list[i];
    return NULL;
}

/* Draw a Barabási-Albert network; shape[] as in barabasi_albert_nodes().  Each new node joins earlier nodes with
 * probability proportional to their degrees.  (Barabási, Albert: Emergence of scaling in random networks, Science 286,
 * 1999.) */
void draw_barabasi_albert(struct pen *pen, const uint32_t *shape, size_t count)
{
    uint32_t nodes = shape[0], each = shape[1], *end, *chosen;
    uint64_t random = shape[2];
    size_t ends = 0;
    arena_new(&pen->arena, end, (size_t)(2 * barabasi_albert_pairs(shape, count)));
    arena_new(&pen->arena, chosen, each);
    for (uint32_t v = 1; v < nodes && !pen->arena.failed; v++) {
        uint32_t joined = v <= each ? v : each;
        for (uint32_t k = 0; k < joined;) {
            uint32_t to = v <= each ? k : end[base_random_below(&random, ends)];
            if (!find(chosen, k, to))
                chosen[k++] = to;
        }
        for (uint32_t k = 0; k < joined; k++) {
            pen_draw(pen, chosen[k], v);
            end[ends++] = chosen[k];
            end[ends++] = v;
        }
    }
}

/* ---- regular ---- */

uint64_t regular_pairs(const uint32_t *shape, size_t count)
{
    (void)count;
    return (uint64_t)shape[0] * shape[1] / 2;
}

struct regular {
    uint32_t nodes, degree;
    uint32_t *at;           /* neighbours of node v: at[v * degree] … */
};

static uint32_t *neighbours(const struct regular *r, uint32_t v)
{
    return &r->at[(size_t)v * r->degree];
}

/* Store in r the links of a circulant with the shifts 1, 2, … and, if the degree is odd, half the number of nodes. */
static void write_circulant(struct regular *r)
{
    for (uint32_t v = 0; v < r->nodes; v++)
        for (uint32_t k = 0; k < r->degree; k++) {
            uint32_t shift = k + 1 == r->degree && r->degree % 2 == 1 ? r->nodes / 2 : k / 2 + 1;
            neighbours(r, v)[k] = (k % 2 == 0 ? v + shift : v + r->nodes - shift) % r->nodes;
        }
}

/* Replace in r two random links a-b and c-d by a-d and c-b, unless that makes a loop or parallel links. */
static void swap_ends(struct regular *r, uint64_t *random)
{
    uint32_t a = (uint32_t)base_random_below(random, r->nodes), c = (uint32_t)base_random_below(random, r->nodes);
    uint32_t *to_b = neighbours(r, a) + base_random_below(random, r->degree);
    uint32_t *to_d = neighbours(r, c) + base_random_below(random, r->degree);
    uint32_t b = *to_b, d = *to_d;
    if (a == c || b == d || a == d || b == c || find(neighbours(r, a), r->degree, d) ||
        find(neighbours(r, c), r->degree, b))
        return;
    uint32_t *from_b = find(neighbours(r, b), r->degree, a), *from_d = find(neighbours(r, d), r->degree, c);
    assert(from_b && from_d); /* links lead both ways */
    *from_b = c;
    *from_d = a;
    *to_b = d;
    *to_d = b;
}

/* Draw a random regular network; shape[] as in regular_nodes().  Start from a circulant and try to swap the ends of two
 * random links, 10 times as often as there are directed links.  Repeat the swaps until the network is connected. */
void draw_regular(struct pen *pen, const uint32_t *shape, size_t count)
{
    struct regular r = {.nodes = shape[0], .degree = shape[1]};
    uint64_t random = shape[2];
    uint32_t parts = 0;
    (void)count;
    if (!arena_new(&pen->arena, r.at, (size_t)r.nodes * r.degree))
        return;
    write_circulant(&r);
    do {
        for (uint64_t i = 0; i < 10 * (uint64_t)r.nodes * r.degree; i++)
            swap_ends(&r, &random);
        pen->count = 0;
        for (uint32_t v = 0; v < r.nodes; v++)
            for (uint32_t k = 0; k < r.degree; k++)
                if (neighbours(&r, v)[k] > v)
                    pen_draw(pen, v, neighbours(&r, v)[k]);
        if (graph_count_parts(&parts, NULL, r.nodes, pen->pairs, (size_t)pen->count, NULL) != RWA_OK)
            pen->count = 0;
    } while (parts > 1 && pen->count > 0);
}
