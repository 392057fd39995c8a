/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Terms as text: print and parse them. */
#include "scheme/compose/term.h"

#include <ctype.h>

static const char *const phases[PHASES] = {
    [PHASE_DIRECT] = "direct",   [PHASE_STEPS] = "steps", [PHASE_ROOTS] = "roots",
    [PHASE_LEADERS] = "leaders", [PHASE_TREE] = "tree",   [PHASE_POSITIONS] = "positions",
    [PHASE_RELAYS] = "relays",   [PHASE_SUMS] = "sums",   [PHASE_WINDOWS] = "windows",
    [PHASE_COPIES] = "copies",   [PHASE_TREES] = "trees", [PHASE_DIGITS] = "digits",
    [PHASE_CIRCLES] = "circles",
};

/** Prefix of a composition whose dimensions are rotated. */
#define ROTATED "rotated:"

/** Append copies of the nodes of another composition.  Returns false if there are too many. */
static bool append_nodes(struct composition *out, const struct composition *from)
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
    return true;
}

bool term_join(struct composition *out, const struct term *head, const struct composition *const *sub, uint8_t subs)
{
    *out = (struct composition){.node = {*head}, .nodes = 1};
    for (uint8_t s = 0; s < subs; s++) {
        out->node[0].sub[out->node[0].subs++] = out->nodes;
        if (!append_nodes(out, sub[s]))
            return false;
    }
    return true;
}

/* ---- text ---- */

static size_t print_node(char *text, size_t used, const struct composition *c, uint8_t node)
{
    const struct term *t = &c->node[node];
    const char *before = "(";
#define PUT(...) (used += used < TERM_TEXT ? (size_t)snprintf(text + used, TERM_TEXT - used, __VA_ARGS__) : 0)
    PUT("%s", phases[t->phase]);
    for (uint8_t i = 0; i < t->numbers; i++, before = ",")
        PUT("%s%u", before, t->number[i]);
    for (uint8_t s = 0; s < t->subs; s++, before = ",") {
        PUT("%s", before);
        used = print_node(text, used, c, t->sub[s]);
    }
    if (*before == ',')
        PUT(")");
#undef PUT
    return used;
}

void composition_print(char text[TERM_TEXT], const struct composition *c)
{
    print_node(text, (size_t)snprintf(text, TERM_TEXT, "%s", c->rotated ? ROTATED : ""), c, 0);
}

struct reader {
    const char *at;
    struct composition *out;
};

static bool read_name(struct reader *r, enum phase *phase)
{
    for (size_t i = 0; i < PHASES; i++) {
        size_t length = strlen(phases[i]);
        if (strncmp(r->at, phases[i], length) == 0 && !isalpha((unsigned char)r->at[length])) {
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

static bool read_node(struct reader *r);

/** Read the next node as a further subterm of `t`.  Returns false if the text is wrong. */
static bool read_sub(struct reader *r, struct term *t)
{
    if (t->subs == 2)
        return false;
    t->sub[t->subs++] = r->out->nodes;
    return read_node(r);
}

/** Read the numbers and subterms between the brackets.  Returns false if the text is wrong. */
static bool read_arguments(struct reader *r, struct term *t)
{
    do {
        r->at++;
        if (!(isdigit((unsigned char)*r->at) ? read_number : read_sub)(r, t))
            return false;
    } while (*r->at == ',');
    return *r->at++ == ')';
}

static bool read_node(struct reader *r)
{
    uint8_t place = r->out->nodes;
    struct term t = {0};
    if (place == TERM_NODES || !read_name(r, &t.phase))
        return false;
    r->out->nodes++;
    bool read = *r->at != '(' || read_arguments(r, &t);
    r->out->node[place] = t;
    return read;
}

rwa_status composition_parse(struct composition *out, const char *text, rwa_error *err)
{
    struct reader r = {.at = text, .out = out};
    *out = (struct composition){.rotated = strncmp(text, ROTATED, strlen(ROTATED)) == 0};
    r.at += out->rotated ? strlen(ROTATED) : 0;
    bool read = read_node(&r);
    if (read && *r.at == '+') { /* A+B, as terms were written before, is A(…,B) */
        r.at++;
        read = read_sub(&r, &out->node[0]);
    }
    if (read && *r.at == '\0')
        return RWA_OK;
    return base_refuse(err,
                       "term \"%.100s\": expected a name of docs/reference/schemes.md or docs/reference/one-hop.md, as "
                       "direct, with numbers and terms in brackets, as leaders(9,direct) or windows(3,4)", text);
}

const char *term_asked(const struct plan_request *request)
{
    const char *name = request->opts->scheme, *colon = name ? strchr(name, ':') : NULL;
    return colon ? colon + 1 : NULL;
}

rwa_status composition_refuse(const struct plan_request *request, const char *text, rwa_error *err)
{
    return base_refuse(err, "term \"%.100s\" does not carry out %s on %u nodes of this network", text,
                       rwa_collective_name(request->coll->kind), request->coll->nodes);
}
