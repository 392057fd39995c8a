/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads networks in JSON: librwa's own form, and nodes and links as most tools write them, also in GraphML and GML. */
#include "network/files/formats.h"

#include "base/number.h"

/** Return the member under the first of several usual names whose value is not null; NULL if there is none. */
#define FIND(object, ...) find_member((object), (const char *const[]){__VA_ARGS__, NULL})

static const json_t *find_member(const json_t *object, const char *const *names)
{
    for (; *names; names++) {
        const json_t *value = json_object_get(object, *names);
        if (value && !json_is_null(value))
            return value;
    }
    return NULL;
}

/** Return an id as text: the string itself, borrowed, or a whole number in decimal, which is written to buffer[] of
 *  `size` bytes.  NULL: the value is anything else. */
static const char *id_text(const json_t *value, char *buffer, size_t size)
{
    if (json_is_string(value))
        return json_string_value(value);
    if (!json_is_integer(value))
        return NULL;
    snprintf(buffer, size, "%lld", (long long)json_integer_value(value));
    return buffer;
}

/** Return the number that a JSON value is, or that its text is; NaN for anything else. */
static double number_of(const json_t *value)
{
    const char *text = json_string_value(value);
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    return !text || number_is(text, &number) ? number : NAN;
}

/** Set the position of the node added last to that of a JSON node, if the latter has both coordinates. */
static rwa_status take_position(struct network_draft *d, const json_t *node)
{
    const json_t *x = FIND(node, "Longitude", "longitude", "lon", "x"),
                 *y = FIND(node, "Latitude", "latitude", "lat", "y");
    if (!x || !y)
        return RWA_OK;
    if (isnan(number_of(x)) || isnan(number_of(y)))
        return draft_fail(d, "expected the position of a node as two numbers");
    return draft_position(d, number_of(x), number_of(y));
}

static rwa_status take_node(struct network_draft *d, const json_t *node)
{
    char buffer[32], shown[32], number[16];
    const json_t *id = json_is_object(node) ? FIND(node, "id", "name") : node;
    const char *text = id_text(id, buffer, sizeof buffer);
    snprintf(number, sizeof number, "%u", d->nodes);
    if (json_is_null(node)) /* a node without a name among others that have one */
        text = number;
    if (!text || !*text)
        return draft_fail(d, "expected a name, or an object with an \"id\" or \"name\"");
    const char *label = json_is_object(node) ? id_text(FIND(node, "label", "name"), shown, sizeof shown) : NULL;
    rwa_status st = draft_add_node(d, text, label);
    return st == RWA_OK && json_is_object(node) ? take_position(d, node) : st;
}

static rwa_status take_nodes(struct network_draft *d, const json_t *nodes)
{
    const json_t *node;
    uint64_t count = 0;
    size_t i;
    snprintf(d->item, sizeof d->item, "nodes");
    if (json_is_integer(nodes))
        return draft_count_nodes(d, json_whole(nodes, UINT64_MAX, &count) ? count : 0);
    if (!json_is_array(nodes))
        return draft_fail(d, "expected a number of nodes or an array of them");
    json_array_foreach(nodes, i, node) {
        snprintf(d->item, sizeof d->item, "nodes[%zu]", i);
        MUST(take_node(d, node));
    }
    return RWA_OK;
}

/** Set *node to the number of the node at an end of a link.  `value` is the id of the node or, if it is a whole number
 *  and no id, its number. */
static rwa_status take_end(struct network_draft *d, const json_t *value, uint32_t *node)
{
    char buffer[32];
    const char *text = id_text(value, buffer, sizeof buffer);
    if (!text)
        return draft_fail(d, "expected the ends as ids or numbers of nodes");
    if (names_find(&d->ids, text) == NAMES_NONE && json_u32(value, node) && *node < d->nodes)
        return RWA_OK;
    return draft_find_node(d, text, node);
}

static rwa_status take_length(struct network_draft *d, const json_t *value, double *km)
{
    *km = value && !json_is_null(value) ? number_of(value) : 0;
    return isnan(*km) ? draft_fail(d, "expected the length as a number of km") : RWA_OK;
}

static rwa_status take_count(struct network_draft *d, const json_t *value, const char *what, uint64_t least,
                             uint64_t absent, uint64_t *count)
{
    *count = absent;
    if (!value)
        return RWA_OK;
    double number = number_of(value);
    if (!(number >= (double)least && number <= UINT32_MAX) || number != floor(number))
        return draft_fail(d, "expected %s as a whole number of at least %" PRIu64, what, least);
    *count = (uint64_t)number;
    return RWA_OK;
}

/** Reserve wavelengths of the link added last.  `value` lists them: "0,3,8-15", [0, 3, "8-15"], or a list of {"fiber":
 *  1, "wavelengths": …}.  Where it names no fibre they are reserved on `fiber`; DRAFT_ALL_FIBERS: on all. */
static rwa_status take_reserved(struct network_draft *d, const json_t *value, uint32_t fiber)
{
    char buffer[32];
    const char *text = id_text(value, buffer, sizeof buffer);
    if (text)
        return draft_reserve(d, fiber, text);
    if (json_is_object(value)) {
        uint64_t chosen = 0;
        MUST(take_count(d, json_object_get(value, "fiber"), "\"fiber\"", 0, DRAFT_ALL_FIBERS, &chosen));
        return take_reserved(d, json_object_get(value, "wavelengths"), (uint32_t)chosen);
    }
    if (!json_is_array(value))
        return draft_fail(d, "expected reserved wavelengths as a list such as [0, 3, \"8-15\"]");
    const json_t *one;
    size_t i;
    json_array_foreach(value, i, one)
        MUST(json_is_array(one) ? draft_fail(d, "expected reserved wavelengths as one list")
                                : take_reserved(d, one, fiber));
    return RWA_OK;
}

enum { GROUP_NAME = 32 };

/** A link of a risk group. */
struct member {
    char name[GROUP_NAME];
    uint64_t link;
};

struct members {
    struct member *list;
    size_t count;
};

/** Append to all->list a pair of risk group and link for each group in `names`, a text in which commas, semicolons or
 *  blanks separate the groups.  The link is the one added last. */
static rwa_status join_groups(struct network_draft *d, struct members *all, const char *names)
{
    static const char between[] = ",; \t\r\n";
    for (names += strspn(names, between); *names; names += strspn(names, between)) {
        struct member one = {.link = d->link_count - 1};
        size_t length = strcspn(names, between);
        if (length >= GROUP_NAME)
            return draft_fail(d, "risk group \"%.*s...\": expected names of at most %d bytes", GROUP_NAME, names,
                              GROUP_NAME - 1);
        memcpy(one.name, names, length);
        MUST(base_append(all->list, all->count, d->err, one));
        names += length;
    }
    return RWA_OK;
}

/** Compare links by risk group, then by number; for qsort().  Shorter group names come first, so that numeric names
 *  ascend by value. */
COMPARATOR(by_group, struct member,
           ASCENDING(strlen(x->name), strlen(y->name)); ASCENDING(strcmp(x->name, y->name), 0); UP(link))

/** Add to the draft the risk groups that the links have named (join_groups()), each with its links. */
static rwa_status take_members(struct network_draft *d, struct members *all)
{
    all->count = base_sort_unique(all->list, all->count, sizeof *all->list, by_group);
    for (size_t i = 0; i < all->count; i++) {
        if (i == 0 || strcmp(all->list[i].name, all->list[i - 1].name) != 0)
            MUST(draft_begin_group(d));
        MUST(draft_group_link(d, all->list[i].link));
    }
    return RWA_OK;
}

/** Add a link to the draft: [from, to], [from, to, km], or an object with the same and further members.  The risk
 *  groups that an object names are appended to `all` (join_groups()). */
static rwa_status take_link(struct network_draft *d, const json_t *link, struct members *all)
{
    char buffer[32];
    bool row = json_is_array(link);
    const json_t *names = FIND(link, "risk_groups", "risk_group", "srlg", "SRLG", "srlgs");
    const char *groups = id_text(names, buffer, sizeof buffer);
    const json_t *capacity = FIND(link, "capacity", "slots"), *reserved = FIND(link, "reserved");
    const json_t *first = row ? json_array_get(link, 0) : FIND(link, "from", "source", "src"),
                 *second = row ? json_array_get(link, 1) : FIND(link, "to", "target", "dst"),
                 *length = row ? json_array_get(link, 2)
                               : FIND(link, "km", "length_km", "length", "distance", "dist", "weight");
    uint32_t from = 0, to = 0;
    uint64_t fibers = 0;
    double km = 0;
    if (row && (!second || json_array_size(link) > 3))
        return draft_fail(d, "expected [from, to] or [from, to, km]");
    if (!row && !json_is_object(link))
        return draft_fail(d, "expected a link as an array or an object");
    if (!first || !second)
        return draft_fail(d, "expected \"from\" and \"to\"");
    MUST(take_end(d, first, &from));
    MUST(take_end(d, second, &to));
    MUST(take_length(d, length, &km));
    MUST(take_count(d, FIND(link, "fibers"), "\"fibers\"", 1, 0, &fibers));
    if (number_of(capacity) < 0)
        MUST(draft_fail(d, "expected a capacity that is not negative"));
    MUST(draft_add_link(d, from, to, km, fibers));
    if (reserved)
        MUST(take_reserved(d, reserved, DRAFT_ALL_FIBERS));
    return groups ? join_groups(d, all, groups) : RWA_OK;
}

static rwa_status take_links(struct network_draft *d, const json_t *links)
{
    const json_t *link;
    struct members all = {0};
    rwa_status st = RWA_OK;
    size_t i;
    snprintf(d->item, sizeof d->item, "links");
    if (!json_is_array(links))
        return draft_fail(d, "expected an array of links");
    json_array_foreach(links, i, link) {
        snprintf(d->item, sizeof d->item, "links[%zu]", i);
        TRY(take_link(d, link, &all));
    }
    st = take_members(d, &all);
done:
    free(all.list);
    return st;
}

/** Add risk groups to the draft from an array of arrays of link numbers. */
static rwa_status take_groups(struct network_draft *d, const json_t *groups)
{
    const json_t *links, *value;
    uint64_t link = 0;
    size_t g, k;
    json_array_foreach(groups, g, links) {
        snprintf(d->item, sizeof d->item, "risk_groups[%zu]", g);
        if (!json_is_array(links))
            return draft_fail(d, "expected an array of numbers of links");
        MUST(draft_begin_group(d));
        json_array_foreach(links, k, value) {
            MUST(take_count(d, value, "a link", 0, 0, &link));
            MUST(draft_group_link(d, link));
        }
    }
    return RWA_OK;
}

/** Set d->directed to the member "directed", false without one.  A format error if the file has a "format" other than
 *  librwa's own form in version 1. */
static rwa_status check_header(struct network_draft *d, const json_t *root)
{
    const json_t *format = json_object_get(root, "format"), *directed = json_object_get(root, "directed");
    const char *name = json_string_value(format);
    if (format && (!name || strcmp(name, "rwa-network") != 0))
        return draft_fail(d, "format \"%.64s\", expected \"rwa-network\"", name ? name : "");
    if (format && json_integer_value(json_object_get(root, "version")) != 1)
        return draft_fail(d, "expected \"version\": 1");
    if (directed && !json_is_boolean(directed))
        return draft_fail(d, "expected \"directed\" to be true or false");
    d->directed = json_is_true(directed);
    return RWA_OK;
}

/** Set d->slots to the member "slots", the number of slots on each fibre of a flexible grid; unchanged if `slots`
 *  is NULL. */
static rwa_status take_slots(struct network_draft *d, const json_t *slots)
{
    if (slots && (!json_u32(slots, &d->slots) || d->slots < 1 || d->slots > RWA_CHANNELS_MAX))
        return draft_fail(d, "expected \"slots\" as a whole number from 1 to %u", RWA_CHANNELS_MAX);
    return RWA_OK;
}

rwa_status format_document(struct network_draft *d, const json_t *root)
{
    const json_t *groups = json_object_get(root, "risk_groups"), *links = FIND(root, "links", "edges");
    if (!json_is_object(root))
        return draft_fail(d, "expected an object");
    if (json_object_get(root, "elements") && json_object_get(root, "connections"))
        return format_gnpy(d, root);
    MUST(check_header(d, root));
    MUST(take_slots(d, json_object_get(root, "slots")));
    if (!json_object_get(root, "nodes") || !links)
        MUST(draft_fail(d, "expected \"nodes\" and \"links\" (or GNPy's \"elements\" and \"connections\")"));
    MUST(take_nodes(d, json_object_get(root, "nodes")));
    MUST(take_links(d, links));
    if (groups && !json_is_array(groups))
        MUST(draft_fail(d, "expected \"risk_groups\" to be an array"));
    return take_groups(d, groups);
}

rwa_status format_json(struct network_draft *d, const char *text, size_t length)
{
    json_t *root = NULL;
    rwa_status st = json_open(&root, text, length, d->file, d->err);
    if (st == RWA_OK)
        st = format_document(d, root);
    json_decref(root);
    return st;
}
