/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme/compose/term.h"

#include <ctype.h>

static const struct {
    const char *name;
    unsigned subterms;
} phases[] = {
    [PHASE_DIRECT] = {"direct", 0},   [PHASE_STEPS] = {"steps", 0},         [PHASE_ROOTS] = {"roots", 0},
    [PHASE_LEADERS] = {"leaders", 1}, [PHASE_POSITIONS] = {"positions", 2}, [PHASE_TREE] = {"tree", 0},
    [PHASE_RELAYS] = {"relays", 0},   [PHASE_SUMS] = {"sums", 1},
};

/** Before a composition. */
#define ROTATED "rotated:"

/** Copy the nodes of another composition behind those there are; *root: where its part 0 is now. */
static bool append_nodes(struct composition *out, uint8_t *root, const struct composition *from)
{
    uint8_t base = out->nodes;
    if (base + from->nodes > TERM_NODES)
        return false;
    for (uint8_t i = 0; i < from->nodes; i++) {
        struct term *node = &out->node[base + i];
        *node = from->node[i];
        node->sub[0] = (uint8_t)(node->sub[0] + base);
        node->sub[1] = (uint8_t)(node->sub[1] + base);
    }
    out->nodes = (uint8_t)(base + from->nodes);
    *root = (uint8_t)(from->part[0] + base);
    return true;
}

bool term_join(struct composition *out, const struct term *head, const struct composition *first, const struct composition *second)
{
    *out = (struct composition){.node = {*head}, .nodes = 1, .parts = 1};
    return (!first || append_nodes(out, &out->node[0].sub[0], first)) && (!second || append_nodes(out, &out->node[0].sub[1], second));
}

bool composition_add(struct composition *out, const struct composition *part)
{
    assert(out->parts < 2);
    return append_nodes(out, &out->part[out->parts++], part);
}

/* ---- text ---- */

static size_t print_node(char *text, size_t used, const struct composition *c, uint8_t node)
{
    const struct term *t = &c->node[node];
    bool arguments = t->numbers > 0 || phases[t->phase].subterms > 0;
    const char *before = "(";
#define PUT(...) (used += used < TERM_TEXT ? (size_t)snprintf(text + used, TERM_TEXT - used, __VA_ARGS__) : 0)
    PUT("%s", phases[t->phase].name);
    for (uint8_t i = 0; i < t->numbers; i++, before = ",")
        PUT("%s%u", before, t->number[i]);
    for (unsigned s = 0; s < phases[t->phase].subterms; s++, before = ",") {
        PUT("%s", before);
        used = print_node(text, used, c, t->sub[s]);
    }
    if (arguments)
        PUT(")");
#undef PUT
    return used;
}

void composition_print(char text[TERM_TEXT], const struct composition *c)
{
    size_t used = (size_t)snprintf(text, TERM_TEXT, "%s", c->rotated ? ROTATED : "");
    used = print_node(text, used, c, c->part[0]);
    if (c->parts > 1 && used + 1 < TERM_TEXT) {
        text[used++] = '+';
        print_node(text, used, c, c->part[1]);
    }
}

struct reader {
    const char *at;
    struct composition *out;
};

static bool read_name(struct reader *r, enum phase *phase)
{
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        size_t length = strlen(phases[i].name);
        if (strncmp(r->at, phases[i].name, length) == 0 && !isalpha((unsigned char)r->at[length])) {
            *phase = (enum phase)i;
            r->at += length;
            return true;
        }
    }
    return false;
}

static bool read_number(struct reader *r, struct term *t)
{
    char *end;
    unsigned long value = strtoul(r->at, &end, 10);
    if (t->numbers == TERM_NUMBERS || value == 0 || value > UINT32_MAX)
        return false;
    t->number[t->numbers++] = (uint32_t)value;
    r->at = end;
    return true;
}

static bool read_node(struct reader *r, uint8_t *out);

/** Reads the arguments between the brackets. */
static bool read_arguments(struct reader *r, struct term *t, unsigned *subterms)
{
    do {
        r->at++;
        bool number = isdigit((unsigned char)*r->at);
        if (number ? !read_number(r, t) : *subterms == 2 || !read_node(r, &t->sub[(*subterms)++]))
            return false;
    } while (*r->at == ',');
    return *r->at++ == ')';
}

static bool read_node(struct reader *r, uint8_t *out)
{
    struct term t = {0};
    unsigned subterms = 0;
    uint8_t place = r->out->nodes;
    if (place == TERM_NODES || !read_name(r, &t.phase))
        return false;
    r->out->nodes++;
    if (*r->at == '(' && !read_arguments(r, &t, &subterms))
        return false;
    r->out->node[place] = t;
    *out = place;
    return subterms == phases[t.phase].subterms;
}

rwa_status composition_parse(struct composition *out, const char *text, rwa_error *err)
{
    struct reader r = {.at = text, .out = out};
    *out = (struct composition){0};
    out->rotated = strncmp(text, ROTATED, strlen(ROTATED)) == 0;
    r.at += out->rotated ? strlen(ROTATED) : 0;
    bool read = read_node(&r, &out->part[0]);
    out->parts = 1;
    if (read && *r.at == '+') {
        r.at++;
        read = read_node(&r, &out->part[1]);
        out->parts = 2;
    }
    if (read && *r.at == '\0')
        return RWA_OK;
    return base_fail(err, RWA_BADARG, "term \"%.100s\": expected direct, steps(t), roots(g,t), leaders(g,T), positions(g,T,U), "
                     "tree(f,…), relays(h), sums(T), or two of them joined by +", text);
}
