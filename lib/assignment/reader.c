/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "assignment/assignment.h"
#include "assignment/reader.h"

#include "base/source.h"
#include "network/listing.h"

#include <sys/stat.h>

/* A header may list millions of links, and a record thousands of nodes. */
enum { HEADER_MAX = 1 << 28, RECORD_MAX = 1 << 24, PEEK = 4096 };

static rwa_status expected(const struct assignment_reader *r, const char *name, const char *what)
{
    return base_fail(r->err, RWA_FORMAT, "%s:%" PRIu64 ": \"%s\": expected %s", r->lines.path,
                     r->lines.number, name, what);
}

/** Read a whole number of at least 0; return false if the value is none.  A number above 32 bits becomes UINT32_MAX. */
static bool number_of(const json_t *value, uint32_t *number)
{
    json_int_t n = json_integer_value(value);
    *number = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    return json_is_integer(value) && n >= 0;
}

static rwa_status take_number(const struct assignment_reader *r, const json_t *object, const char *name,
                              uint32_t *number)
{
    return number_of(json_object_get(object, name), number) ? RWA_OK
                                                            : expected(r, name, "a number that is not negative");
}

/** Read a list of numbers; a list that is absent is empty. */
static rwa_status take_list(const struct assignment_reader *r, const json_t *object, const char *name,
                            struct assignment_numbers *out)
{
    const json_t *list = json_object_get(object, name);
    size_t count = json_array_size(list);
    out->count = 0;
    if (list && !json_is_array(list))
        return expected(r, name, "an array of numbers");
    MUST(base_reserve(out->list, count + 1, out->capacity, r->err));
    for (size_t i = 0; i < count; i++)
        if (!number_of(json_array_get(list, i), &out->list[i]))
            return expected(r, name, "an array of numbers that are not negative");
    out->count = count;
    return RWA_OK;
}

/* ---- the header ---- */

/** The lists of a header from which its network is built. */
struct parts {
    struct listing listed;
    struct assignment_numbers failed;
    struct assignment_numbers members;        /* of all risk groups, one after the other */
    rwa_risk_group *groups;
    size_t group_count;
};

/** Read the rate of the network, or of a lightpath; *rate is unchanged if there is none. */
static rwa_status take_rate(const struct assignment_reader *r, const json_t *object, double *rate)
{
    const json_t *value = json_object_get(object, "rate_bps");
    if (value && !(json_number_value(value) > 0))
        return expected(r, "rate_bps", "a number above 0");
    *rate = value ? json_number_value(value) : *rate;
    return RWA_OK;
}

static rwa_status take_groups(const struct assignment_reader *r, const json_t *net, struct parts *p)
{
    const json_t *list = json_object_get(net, "risk_groups");
    size_t total = 0, at = 0;
    if (list && !json_is_array(list))
        return expected(r, "risk_groups", "an array of arrays of links");
    p->group_count = json_array_size(list);
    for (size_t g = 0; g < p->group_count; g++)
        total += json_array_size(json_array_get(list, g));
    MUST(base_new(p->groups, p->group_count, r->err));
    MUST(base_new(p->members.list, total, r->err));
    for (size_t g = 0; g < p->group_count; g++) {
        const json_t *group = json_array_get(list, g);
        p->groups[g] = (rwa_risk_group){p->members.list + at, json_array_size(group)};
        for (size_t k = 0; k < json_array_size(group); k++)
            if (!number_of(json_array_get(group, k), &p->members.list[at++]))
                return expected(r, "risk_groups", "numbers of links");
    }
    return RWA_OK;
}

/** Read the links that failed; undirected, each is a fibre pair. */
static rwa_status take_failed(const struct assignment_reader *r, const json_t *net, struct parts *p)
{
    struct assignment_numbers *f = &p->failed;
    MUST(take_list(r, net, "failed", f));
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i] >= p->listed.count)
            MUST(expected(r, "failed", "numbers of links"));
    if (r->model == RWA_DIRECTED)
        return RWA_OK;
    MUST(base_reserve(f->list, 2 * f->count + 1, f->capacity, r->err));
    for (size_t i = f->count; i-- > 0;) {
        f->list[2 * i + 1] = 2 * f->list[i] + 1;
        f->list[2 * i] = 2 * f->list[i];
    }
    f->count *= 2;
    return RWA_OK;
}

/** Read the failures, ["node", 3], of which links have failed. */
static rwa_status take_failures(struct assignment_reader *r, const json_t *net)
{
    const json_t *list = json_object_get(net, "failures");
    if (list && !json_is_array(list))
        return expected(r, "failures", "an array");
    MUST(base_new(r->failures, json_array_size(list), r->err));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *name = json_string_value(json_array_get(one, 0));
        struct assignment_failure *f = &r->failures[r->failure_count++];
        while (assignment_failures_of[f->kind] && (!name || strcmp(name, assignment_failures_of[f->kind]) != 0))
            f->kind++;
        uint64_t counts[] = {rwa_network_links(r->net), rwa_network_nodes(r->net), rwa_network_risk_groups(r->net), 0},
                 each = f->kind == RWA_FAILURE_LINK && r->model == RWA_UNDIRECTED ? 2 : 1, number = 0;
        if (!json_whole(json_array_get(one, 1), UINT32_MAX, &number) || number * each >= counts[f->kind])
            return expected(r, "failures", "pairs of \"link\", \"node\" or \"risk-group\" and its number");
        f->number = (uint32_t)(number * each);
    }
    return RWA_OK;
}

/** Create the network again, with its failed links. */
static rwa_status fail_links(struct assignment_reader *r, const struct parts *p)
{
    rwa_faults faults = {.links = p->failed.list, .link_count = p->failed.count};
    rwa_network *sound = r->net;
    if (faults.link_count == 0)
        return RWA_OK;
    rwa_status st = rwa_network_with_faults(&r->net, sound, &faults, r->err);
    rwa_network_free(sound);
    return st;
}

/** Read "slot_ghz" of a flexible grid. */
static rwa_status take_slot_width(const struct assignment_reader *r, const json_t *net, double *slot_hz)
{
    const json_t *width = json_object_get(net, "slot_ghz");
    if (width && !(json_is_number(width) && json_number_value(width) > 0 && json_number_value(width) < 1e6))
        return expected(r, "slot_ghz", "the width of a slot in GHz");
    *slot_hz = 1e9 * json_number_value(width);
    return RWA_OK;
}

static rwa_status take_network(struct assignment_reader *r, const json_t *net)
{
    struct parts p = {0};
    rwa_network_options opts;
    uint32_t nodes = 0;
    rwa_status st = RWA_OK;
    rwa_network_options_init(&opts);
    opts.wavelengths = r->wavelengths > 0 ? r->wavelengths : 1;
    if (!json_is_object(net))
        return expected(r, "network", "an object");
    TRY(take_number(r, net, "nodes", &nodes));
    if (json_object_get(net, "fibers"))
        TRY(take_number(r, net, "fibers", &opts.fibers));
    TRY(take_slot_width(r, net, &opts.slot_hz));
    TRY(base_blame(listing_take(&p.listed, &opts, net, nodes, false, r->err), r->lines.path, 1, r->err));
    TRY(take_rate(r, net, &opts.rate_bps));
    TRY(take_groups(r, net, &p));
    TRY(take_failed(r, net, &p));
    opts.both_ways = r->model == RWA_UNDIRECTED;
    opts.risk_groups = p.groups;
    opts.risk_group_count = p.group_count;
    st = rwa_network_create_graph(&r->net, nodes, p.listed.links, p.listed.count, &opts, r->err);
    TRY(base_blame(st, r->lines.path, 1, r->err));
    TRY(take_failures(r, net));
    TRY(fail_links(r, &p));
done:
    listing_release(&p.listed);
    free_all(p.failed.list, p.members.list, p.groups);
    return st;
}

/** Read the numbers of a clique's routes, as 64 bits. */
static rwa_status take_clique(struct assignment_reader *r, const json_t *bound)
{
    struct assignment_numbers list = {0};
    rwa_status st = RWA_OK;
    TRY(take_list(r, bound, "clique", &list));
    TRY(base_new(r->clique, list.count, r->err));
    for (size_t i = 0; i < list.count; i++)
        r->clique[i] = list.list[i];
    r->claim.kind = RWA_WITNESS_CLIQUE;
    r->claim.routes = r->clique;
    r->claim.route_count = list.count;
done:
    free(list.list);
    return st;
}

/** Read [weight, node, node, …]; the nodes are appended to the reader's. */
static rwa_status take_odd_set(struct assignment_reader *r, const json_t *list, rwa_odd_set *set)
{
    struct assignment_numbers *all = &r->odd_nodes;
    size_t count = json_array_size(list);
    MUST(base_reserve(all->list, all->count + count, all->capacity, r->err));
    for (size_t k = 0; k < count; k++) {
        uint32_t *to = k == 0 ? &set->weight : &all->list[all->count + k - 1];
        if (!number_of(json_array_get(list, k), to) || (k > 0 && *to >= rwa_network_nodes(r->net)))
            return expected(r, "odd_sets", "lists of a weight and nodes of the network");
    }
    if (count < 2 || set->weight == 0)
        return expected(r, "odd_sets", "lists of a weight, at least 1, and nodes");
    set->count = count - 1;
    all->count += count - 1;
    return RWA_OK;
}

/** Read "odd_lengths", one for each link, and "odd_sets", [[weight, node, …], …]. */
static rwa_status take_odd_cuts(struct assignment_reader *r, const json_t *bound, uint32_t links)
{
    const json_t *sets = json_object_get(bound, "odd_sets");
    size_t nodes = 0;
    MUST(take_list(r, bound, "odd_lengths", &r->lengths));
    if (r->lengths.count != links || r->model != RWA_UNDIRECTED)
        return expected(r, "odd_lengths", "one number for each pair of links");
    r->claim.kind = RWA_WITNESS_ODD_CUTS;
    r->claim.lengths = r->lengths.list;
    r->claim.length_count = r->lengths.count;
    r->odd_set_count = json_array_size(sets);
    MUST(base_new(r->odd_sets, r->odd_set_count, r->err));
    for (size_t i = 0; i < r->odd_set_count; i++)
        MUST(take_odd_set(r, json_array_get(sets, i), &r->odd_sets[i]));
    for (size_t i = 0; i < r->odd_set_count; nodes += r->odd_sets[i++].count)
        r->odd_sets[i].nodes = r->odd_nodes.list + nodes;
    return RWA_OK;
}

/** Read {"name": …, "value": …} and the witness of the bound: "lengths", one for each link, also with "odd_sets", a
 *  "link", a "clique" or a "theorem". */
static rwa_status take_claim(struct assignment_reader *r, const json_t *bound)
{
    const json_t *value = json_object_get(bound, "value");
    uint32_t each = r->model == RWA_UNDIRECTED ? 2 : 1, links = rwa_network_links(r->net) / each;
    if (!bound || json_is_null(bound))
        return RWA_OK;
    if (!json_whole(value, INT64_MAX, &r->claim.value))
        return expected(r, "bound", "an object with a \"value\"");
    const char *name = json_string_value(json_object_get(bound, "name"));
    bool plain = name && *name && strlen(name) < sizeof r->claim_name &&
                 name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")] == '\0';
    snprintf(r->claim_name, sizeof r->claim_name, "%s", plain ? name : "claimed");
    r->claim.name = r->claim_name;
    r->claim.fixed_routes = json_is_true(json_object_get(bound, "fixed_routes"));
    r->claim.most_served = json_is_true(json_object_get(bound, "most_served"));
    if (json_object_get(bound, "wavelengths"))
        MUST(take_number(r, bound, "wavelengths", &r->claim.wavelengths));
    if (json_object_get(bound, "theorem"))
        r->claim.kind = RWA_WITNESS_FORMULA;
    if (json_object_get(bound, "clique"))
        return take_clique(r, bound);
    if (json_object_get(bound, "odd_sets"))
        return take_odd_cuts(r, bound, links);
    MUST(take_list(r, bound, "lengths", &r->lengths));
    if (r->lengths.count > 0) {
        r->claim.kind = RWA_WITNESS_LENGTHS;
        r->claim.lengths = r->lengths.list;
        r->claim.length_count = r->lengths.count;
        return r->lengths.count == links ? RWA_OK : expected(r, "lengths", "one number for each link");
    }
    if (json_object_get(bound, "link")) {
        r->claim.kind = RWA_WITNESS_LINK;
        MUST(take_number(r, bound, "link", &r->claim.link));
        if (r->claim.link >= links)
            MUST(expected(r, "link", "a link of the network"));
    }
    return RWA_OK;
}

/** Read "next_lightpath": the numbers of a state's lightpaths are below it. */
static rwa_status take_next_lightpath(struct assignment_reader *r, const json_t *root)
{
    const json_t *next = json_object_get(root, "next_lightpath");
    if (next && (!json_whole(next, LIGHTPATH_MOST, &r->next_lightpath) || r->next_lightpath == 0))
        return expected(r, "next_lightpath", "a number from 1 to 2^53");
    return RWA_OK;
}

static rwa_status take_header(struct assignment_reader *r, const json_t *root)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *model = json_string_value(json_object_get(root, "model"));
    const json_t *protection = json_object_get(root, "protection");
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    if (!format || strcmp(format, "rwa-assignment") != 0)
        return expected(r, "format", "\"rwa-assignment\"");
    if (version != 1 && version != 2)
        return expected(r, "version", "1 or 2");
    r->wide = version == 2;
    r->model = model && strcmp(model, "undirected") == 0 ? RWA_UNDIRECTED : RWA_DIRECTED;
    if (!model || strcmp(model, rwa_model_name(r->model)) != 0)
        return expected(r, "model", "\"directed\" or \"undirected\"");
    if (!json_whole(json_object_get(root, "demands"), RWA_DEMANDS_MAX, &r->demands))
        return expected(r, "demands", "a number that is not negative");
    if (protection && !json_is_boolean(protection))
        return expected(r, "protection", "true or false");
    r->protection = json_is_true(protection);
    MUST(take_next_lightpath(r, root));
    MUST(take_number(r, root, "wavelengths", &r->wavelengths));
    MUST(take_network(r, json_object_get(root, "network")));
    MUST(take_claim(r, json_object_get(root, "bound")));
    MUST(take_list(r, root, "converters", &r->converters));
    for (size_t i = 0; i < r->converters.count; i++)
        if (r->converters.list[i] >= rwa_network_nodes(r->net))
            MUST(expected(r, "converters", "nodes of the network"));
    return RWA_OK;
}

/** Parse one line as JSON; a last line without its newline was cut short. */
static rwa_status open_line(json_t **root, const struct line *line, rwa_error *err)
{
    rwa_error why = {0};
    rwa_status st = json_open(root, line->text, line->length, "", &why);
    const char *text = strchr(why.text, ' ');
    if (st == RWA_FORMAT)
        return base_fail(err, st, "%s:%" PRIu64 ":%s", line->file, line->number,
                         line->open ? " the last line is cut short, expected a JSON object and a newline" : text);
    if (st != RWA_OK)
        return base_fail(err, st, "out of memory for %s", line->file);
    return RWA_OK;
}

rwa_status assignment_open(struct assignment_reader *r, const char *path, rwa_error *err)
{
    struct line line;
    json_t *root = NULL;
    int got = 0;
    rwa_status st = RWA_OK;
    r->err = err;
    TRY(lines_open(&r->lines, path, err));
    TRY(lines_next(&r->lines, HEADER_MAX, &line, &got, err));
    if (!got)
        TRY(base_fail(err, RWA_FORMAT, "%s:1: empty, expected the header of an assignment", path));
    TRY(open_line(&root, &line, err));
    TRY(take_header(r, root));
done:
    json_decref(root);
    return st;
}

/* ---- records ---- */

static rwa_status take_role(const struct assignment_reader *r, const json_t *root, const char *name, rwa_role *role)
{
    const json_t *value = json_object_get(root, name);
    const char *text = json_string_value(value);
    *role = text && strcmp(text, "backup") == 0          ? RWA_BACKUP
            : text && strcmp(text, "shared-backup") == 0 ? RWA_SHARED_BACKUP
                                                         : RWA_WORKING;
    if (value && (!text || (*role == RWA_WORKING && strcmp(text, "working") != 0)))
        return expected(r, name, "\"working\", \"backup\" or \"shared-backup\"");
    return RWA_OK;
}

/** Read "width" and "guard" of version 2. */
static rwa_status take_extent(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    record->width = 1;
    record->guard = 0;
    if (r->wide && json_object_get(root, "width"))
        MUST(take_number(r, root, "width", &record->width));
    if (r->wide && json_object_get(root, "guard"))
        MUST(take_number(r, root, "guard", &record->guard));
    if (record->width < 1 || record->width > RWA_CHANNELS_MAX)
        return expected(r, "width", "a number of slots of at least 1");
    if (record->guard > RWA_CHANNELS_MAX - record->width)
        return expected(r, "guard", "a number of slots");
    return RWA_OK;
}

/** Return the range of a remedy's place, which is below it: the number of links, nodes or other items that the change
 *  chooses from. */
static uint64_t remedy_range(const struct assignment_reader *r, rwa_remedy_kind kind)
{
    switch (kind) {
    case RWA_REMEDY_WAVELENGTHS:
    case RWA_REMEDY_HOPS: return UINT64_C(1) << 32;
    case RWA_REMEDY_FIBER: return r->model == RWA_UNDIRECTED ? rwa_network_pairs(r->net) : rwa_network_links(r->net);
    case RWA_REMEDY_CONVERTER:
    case RWA_REMEDY_NODE: return rwa_network_nodes(r->net);
    default: return 0;
    }
}

/** Read a remedy: ["wavelength", 9], a change and its place. */
static rwa_status take_remedy(const struct assignment_reader *r, rwa_remedy *out, const json_t *value)
{
    const char *name = json_string_value(json_array_get(value, 0));
    uint64_t where;
    rwa_remedy_kind kind = RWA_REMEDY_NONE;
    while (rwa_remedy_name(kind) && (!name || strcmp(name, rwa_remedy_name(kind)) != 0))
        kind++;
    if (!json_whole(json_array_get(value, 1), INT64_MAX, &where) || where >= remedy_range(r, kind))
        return expected(r, "remedies", "pairs of a change and a number");
    *out = (rwa_remedy){.demand = (size_t)r->record.demand, .kind = kind, .where = (uint32_t)where};
    return RWA_OK;
}

/** Read the remedies of a lightpath without a route. */
static rwa_status take_remedies(struct assignment_reader *r, const json_t *root)
{
    const json_t *list = json_object_get(root, "remedies");
    r->remedy_count = 0;
    MUST(base_reserve(r->remedies, json_array_size(list), r->remedy_capacity, r->err));
    for (size_t i = 0; i < json_array_size(list); i++)
        MUST(take_remedy(r, &r->remedies[r->remedy_count++], json_array_get(list, i)));
    return RWA_OK;
}

static rwa_status take_modulation(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    const json_t *value = json_object_get(root, "modulation");
    record->modulation = json_string_value(value);
    if (value && (!record->modulation || !*record->modulation))
        return expected(r, "modulation", "the name of a modulation format");
    return RWA_OK;
}

static rwa_status take_tag(struct assignment_reader *r, const json_t *root)
{
    const json_t *value = r->record.role == RWA_WORKING ? json_object_get(root, "tag") : NULL;
    r->record.tag = json_string_value(value);
    if (value && (!r->record.tag || !assignment_is_tag(r->record.tag)))
        return expected(r, "tag", "1 to 255 bytes without control characters");
    return RWA_OK;
}

/** Read a list with one number for each link; it may be absent. */
static rwa_status take_per_link(const struct assignment_reader *r, const json_t *root, const char *name,
                                struct assignment_numbers *out)
{
    rwa_status st = take_list(r, root, name, out);
    if (st == RWA_OK && out->count > 0 && out->count + 1 != r->path.count)
        st = expected(r, name, "one number for each link of the path");
    return st;
}

/** Read "lightpath", the number of a working route in a state: all lightpaths of a file have one, or none has. */
static rwa_status take_lightpath(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    const json_t *value = json_object_get(root, "lightpath");
    uint64_t number;
    char what[160];
    record->lightpath = 0;
    if (record->role != RWA_WORKING || !record->routed)
        return value ? expected(r, "lightpath", "no number but on lines of working routes") : RWA_OK;
    if (r->next_lightpath == 0)
        return value ? expected(r, "lightpath", "no number where the header has no \"next_lightpath\"") : RWA_OK;
    if (!json_whole(value, r->next_lightpath - 1, &number) || number <= r->last_lightpath) {
        snprintf(what, sizeof what,
                 "a number above %" PRIu64 ", that of the line before, and below \"next_lightpath\", %" PRIu64,
                 r->last_lightpath, r->next_lightpath);
        return expected(r, "lightpath", what);
    }
    if (r->last_lightpath > 0 && record->demand <= r->last_demand)
        return expected(r, "demand", "one above that of the line before, as lightpaths have numbers");
    record->lightpath = r->last_lightpath = number;
    r->last_demand = record->demand;
    return RWA_OK;
}

static rwa_status take_record(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    const json_t *path = json_object_get(root, "path"), *down = json_object_get(root, "down");
    if (!json_is_object(root))
        return base_fail(r->err, RWA_FORMAT, "%s:%" PRIu64 ": expected an object", r->lines.path,
                         r->lines.number);
    if (!json_whole(json_object_get(root, "demand"), INT64_MAX, &record->demand))
        return expected(r, "demand", "a number that is not negative");
    MUST(take_number(r, root, "src", &record->src));
    MUST(take_number(r, root, "dst", &record->dst));
    record->via = RWA_NONE;
    if (json_object_get(root, "via"))
        MUST(take_number(r, root, "via", &record->via));
    MUST(take_extent(r, root));
    record->rate_bps = 0;
    MUST(take_rate(r, root, &record->rate_bps));
    MUST(take_role(r, root, "role", &record->role));
    MUST(take_role(r, root, "lost", &record->lost));
    record->why = json_string_value(json_object_get(root, "why"));
    MUST(take_remedies(r, root));
    MUST(take_modulation(r, root));
    MUST(take_tag(r, root));
    record->down = json_is_true(down);
    if (down && !json_is_boolean(down))
        MUST(expected(r, "down", "true or false"));
    record->line = r->lines.number;
    record->routed = !json_is_null(path);
    record->hops = 0;
    record->has_fibers = record->has_wavelengths = false;
    MUST(take_lightpath(r, root));
    if (!record->routed)
        return RWA_OK;
    if (!path || json_array_size(path) == 0)
        MUST(expected(r, "path", "an array of nodes, or null"));
    MUST(take_list(r, root, "path", &r->path));
    record->hops = (uint32_t)r->path.count - 1;
    MUST(take_per_link(r, root, "links", &r->links));
    MUST(take_per_link(r, root, "fibers", &r->hop_fibers));
    MUST(take_per_link(r, root, "wavelengths", &r->hop_wavelengths));
    record->has_fibers = r->hop_fibers.count > 0;
    record->has_wavelengths = r->hop_wavelengths.count > 0;
    MUST(take_number(r, root, "fiber", &record->fiber));
    return take_number(r, root, "wavelength", &record->wavelength);
}

rwa_status assignment_next(struct assignment_reader *r, int *got, rwa_error *err)
{
    struct line line;
    r->err = err;
    MUST(lines_next(&r->lines, RECORD_MAX, &line, got, err));
    if (!*got)
        return RWA_OK;
    json_decref(r->root);
    r->root = NULL;
    MUST(open_line(&r->root, &line, err));
    return take_record(r, r->root);
}

uint32_t assignment_hop(const struct assignment_reader *r, size_t k)
{
    uint32_t from = r->path.list[k], to = r->path.list[k + 1];
    if (r->links.count == 0)
        return rwa_network_find_link(r->net, from, to);
    uint32_t named = r->links.list[k], each = r->model == RWA_UNDIRECTED ? 2 : 1;
    if (named >= rwa_network_links(r->net) / each)
        return RWA_NONE;
    for (uint32_t way = 0; way < each; way++) {
        rwa_link link = rwa_network_link(r->net, named * each + way);
        if (link.from == from && link.to == to)
            return named * each + way;
    }
    return RWA_NONE;
}

void assignment_close(struct assignment_reader *r)
{
    lines_close(&r->lines);
    json_decref(r->root);
    rwa_network_free(r->net);
    free_all(r->failures, r->converters.list, r->lengths.list, r->clique, r->odd_sets, r->odd_nodes.list,
             r->path.list, r->links.list, r->hop_fibers.list, r->hop_wavelengths.list, r->remedies);
}

rwa_status assignment_is_file(bool *is, const char *path, rwa_error *err)
{
    char start[PEEK + 1];
    struct source *source = NULL;
    struct stat info;
    rwa_error why = {0};
    size_t have = 0, got = 1;
    rwa_status st = RWA_OK;
    *is = false;
    /* A pipe cannot be read twice. */
    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return RWA_OK;
    TRY(source_open(&source, path, &why));
    while (have < PEEK && got > 0) {
        TRY(source_read(source, start + have, PEEK - have, &got, 1, &why));
        have += got;
    }
done:
    source_free(source);
    start[have] = '\0';
    start[strcspn(start, "\n")] = '\0';
    *is = strstr(start, "\"rwa-assignment\"") != NULL;
    return st == RWA_NOMEM ? base_fail(err, st, "%s", why.text) : RWA_OK; /* the reader reports all other errors more
                                                                             precisely */
}

int rwa_assignment_is_file(const char *path)
{
    bool is = false;
    return assignment_is_file(&is, path, NULL) == RWA_OK && is;
}
