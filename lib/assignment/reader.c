/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads the header of an assignment file, then record by record.  The first failure in a line is kept and reported. */
#include "assignment/reader.h"

#include "base/source.h"
#include "network/listing.h"

#include <sys/stat.h>

/* A header may list millions of links, and a record thousands of nodes. */
enum { HEADER_MAX = 1 << 28, RECORD_MAX = 1 << 24, PEEK = 4096 };

/** Unless `good` holds, store a failure in r->status and r->err: `what` was expected as the value of member `name`.
 *  Only the first failure is stored. */
static void need(struct assignment_reader *r, bool good, const char *name, const char *what)
{
    if (!good && r->status == RWA_OK)
        r->status = base_fail(r->err, RWA_FORMAT, "%s:%" PRIu64 ": \"%s\": expected %s", r->lines.path,
                              r->lines.number, name, what);
}

/** Store status `st` in r->status if it is the first failure.  Return whether there has been no failure so far. */
static bool keep(struct assignment_reader *r, rwa_status st)
{
    r->status = r->status != RWA_OK ? r->status : st;
    return r->status == RWA_OK;
}

/** Set *number to a JSON value that is a whole number of at least 0, UINT32_MAX if it is above 32 bits.  Return false
 *  if the value is anything else. */
static bool number_of(const json_t *value, uint32_t *number)
{
    json_int_t n = json_integer_value(value);
    *number = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    return json_is_integer(value) && n >= 0;
}

static void take_number(struct assignment_reader *r, const json_t *object, const char *name, uint32_t *number)
{
    need(r, number_of(json_object_get(object, name), number), name, "a number that is not negative");
}

/** Set *number to member `name` of the object, a whole number of at least 0, or to `absent` if the object does not have
 *  it. */
static void take_optional(struct assignment_reader *r, const json_t *object, const char *name, uint32_t absent,
                          uint32_t *number)
{
    *number = absent;
    if (json_object_get(object, name))
        take_number(r, object, name, number);
}

/** Return whether member `name` of the object is true; false without the member.  A value other than true and false is
 *  a failure (need()). */
static bool take_flag(struct assignment_reader *r, const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    need(r, !value || json_is_boolean(value), name, "true or false");
    return json_is_true(value);
}

/** Return member `name` of the object, which must be a list; another value is a failure (need()).  NULL, an empty list
 *  to jansson, if there is none. */
static const json_t *list_of(struct assignment_reader *r, const json_t *object, const char *name)
{
    const json_t *list = json_object_get(object, name);
    need(r, !list || json_is_array(list), name, "an array");
    return json_is_array(list) ? list : NULL;
}

static const char whole_numbers[] = "an array of numbers that are not negative";

/** Set *out to the list of numbers that member `name` of the object is; empty without the member. */
static void take_list(struct assignment_reader *r, const json_t *object, const char *name,
                      struct assignment_numbers *out)
{
    const json_t *list = list_of(r, object, name);
    size_t count = json_array_size(list);
    out->count = 0;
    if (!keep(r, base_reserve(out->list, count + 1, r->err)))
        return;
    for (; out->count < count; out->count++)
        need(r, number_of(json_array_get(list, out->count), &out->list[out->count]), name,
             whole_numbers);
}

/* ---- the header ---- */

/** Set *rate to the member "rate_bps" of the network or of a lightpath; *rate is unchanged without the member. */
static void take_rate(struct assignment_reader *r, const json_t *object, double *rate)
{
    const json_t *value = json_object_get(object, "rate_bps");
    need(r, !value || json_number_value(value) > 0, "rate_bps", "a number above 0");
    *rate = value ? json_number_value(value) : *rate;
}

/** Return a copy of a list of numbers in the header, in the memory of the reader; *count is how many.  NULL: out of
 *  memory.  If an entry is no number, the failure names the member, `name`, and what is expected there, `what`. */
static uint32_t *numbers_of(struct assignment_reader *r, const json_t *list, const char *name, const char *what,
                            size_t *count)
{
    uint32_t *numbers;
    *count = json_array_size(list);
    arena_new(&r->memory, numbers, *count);
    for (size_t k = 0; k < *count && numbers; k++)
        need(r, number_of(json_array_get(list, k), &numbers[k]), name, what);
    return numbers;
}

static void take_groups(struct assignment_reader *r, const json_t *net, rwa_network_options *opts)
{
    const json_t *list = list_of(r, net, "risk_groups");
    rwa_risk_group *groups;
    opts->risk_group_count = json_array_size(list);
    arena_new(&r->memory, groups, opts->risk_group_count);
    opts->risk_groups = groups;
    for (size_t g = 0; g < opts->risk_group_count && groups; g++)
        groups[g].links = numbers_of(r, json_array_get(list, g), "risk_groups", "numbers of links", &groups[g].count);
}

/** Store in r->failures what has failed in the network: pairs such as ["node", 3], of links, nodes and risk groups. */
static void take_failures(struct assignment_reader *r, const json_t *net)
{
    const json_t *list = list_of(r, net, "failures");
    arena_new(&r->memory, r->failures, json_array_size(list));
    for (size_t i = 0; i < json_array_size(list) && r->failures; i++) {
        const json_t *one = json_array_get(list, i);
        const char *name = json_string_value(json_array_get(one, 0));
        struct assignment_failure *f = &r->failures[r->failure_count++];
        while (assignment_failures_of[f->kind] && (!name || strcmp(name, assignment_failures_of[f->kind]) != 0))
            f->kind++;
        uint64_t counts[] = {rwa_network_links(r->net), rwa_network_nodes(r->net), rwa_network_risk_groups(r->net), 0},
                 each = f->kind == RWA_FAILURE_LINK && r->model == RWA_UNDIRECTED ? 2 : 1, number = 0;
        need(r, json_whole(json_array_get(one, 1), UINT32_MAX, &number) && number * each < counts[f->kind], "failures",
             "pairs of \"link\", \"node\" or \"risk-group\" and its number");
        f->number = (uint32_t)(number * each);
    }
}

/** Replace r->net by a copy in which the `count` links listed in failed[] have failed.  In the undirected model
 *  failed[] has numbers of fibre pairs, of which both links fail. */
static rwa_status fail_links(struct assignment_reader *r, const uint32_t *failed, size_t count)
{
    uint32_t each = r->model == RWA_UNDIRECTED ? 2 : 1, *links;
    rwa_faults faults = {.link_count = count * each};
    rwa_network *sound = r->net;
    if (count == 0)
        return RWA_OK;
    MUST(arena_arrays(&r->memory, faults.link_count, links));
    for (size_t i = 0; i < faults.link_count; i++)
        links[i] = failed[i / each] * each + (uint32_t)(i % each);
    faults.links = links;
    rwa_status st = rwa_network_with_faults(&r->net, sound, &faults, r->err);
    rwa_network_free(sound);
    return st;
}

/** Set *slot_hz to the width of a slot of a flexible grid, the member "slot_ghz"; to 0 without the member. */
static void take_slot_width(struct assignment_reader *r, const json_t *net, double *slot_hz)
{
    const json_t *width = json_object_get(net, "slot_ghz");
    need(r, !width || (json_number_value(width) > 0 && json_number_value(width) < 1e6), "slot_ghz",
         "the width of a slot in GHz");
    *slot_hz = 1e9 * json_number_value(width);
}

static void take_network(struct assignment_reader *r, const json_t *net)
{
    struct listing listed = {0};
    rwa_network_options opts;
    uint32_t nodes = 0;
    size_t count;
    rwa_network_options_init(&opts);
    opts.wavelengths = r->wavelengths > 0 ? r->wavelengths : 1;
    opts.both_ways = r->model == RWA_UNDIRECTED;
    need(r, json_is_object(net), "network", "an object");
    take_number(r, net, "nodes", &nodes);
    take_optional(r, net, "fibers", opts.fibers, &opts.fibers);
    take_slot_width(r, net, &opts.slot_hz);
    take_rate(r, net, &opts.rate_bps);
    take_groups(r, net, &opts);
    const uint32_t *failed = numbers_of(r, list_of(r, net, "failed"), "failed", whole_numbers, &count);
    if (r->status == RWA_OK)
        keep(r, base_blame(listing_take(&listed, &opts, net, nodes, false, r->err), r->lines.path, 1, r->err));
    for (size_t i = 0; i < count && failed; i++)
        need(r, failed[i] < listed.count, "failed", "numbers of links");
    if (keep(r, arena_status(&r->memory)))
        keep(r, base_blame(rwa_network_create_graph(&r->net, nodes, listed.links, listed.count, &opts, r->err),
                           r->lines.path, 1, r->err));
    if (r->status == RWA_OK)
        take_failures(r, net);
    if (r->status == RWA_OK)
        keep(r, fail_links(r, failed, count));
    listing_release(&listed);
}

/** Store in r->claim the witness "clique": the numbers of the routes that form the clique. */
static void take_clique(struct assignment_reader *r, const json_t *bound)
{
    uint64_t *clique;
    const uint32_t *list = numbers_of(r, list_of(r, bound, "clique"), "clique", whole_numbers, &r->claim.route_count);
    arena_new(&r->memory, clique, r->claim.route_count);
    for (size_t i = 0; i < r->claim.route_count && list && clique; i++)
        clique[i] = list[i];
    r->claim.kind = RWA_WITNESS_CLIQUE;
    r->claim.routes = clique;
}

/** Store in r->odd_sets the sets of nodes of a bound by odd cuts: "odd_sets", [[weight, node, node, …], …]. */
static void take_odd_sets(struct assignment_reader *r, const json_t *bound)
{
    static const char what[] = "lists of a weight, at least 1, and nodes of the network";
    const json_t *sets = json_object_get(bound, "odd_sets");
    need(r, r->model == RWA_UNDIRECTED, "odd_sets", "the undirected model");
    arena_new(&r->memory, r->odd_sets, json_array_size(sets));
    for (size_t i = 0; i < json_array_size(sets) && r->odd_sets; i++) {
        size_t count;
        const uint32_t *word = numbers_of(r, json_array_get(sets, i), "odd_sets", what, &count);
        need(r, count >= 2 && word && word[0] > 0, "odd_sets", what);
        for (size_t k = 1; k < count && word; k++)
            need(r, word[k] < rwa_network_nodes(r->net), "odd_sets", what);
        if (r->status == RWA_OK)
            r->odd_sets[r->odd_set_count++] = (rwa_odd_set){word[0], word + 1, count - 1};
    }
}

/** Store in r->claim.lengths the lengths of member `name` that a bound gives to the `links` links, or fibre pairs in
 *  the undirected model. */
static void take_lengths(struct assignment_reader *r, const json_t *bound, const char *name, uint32_t links)
{
    r->claim.lengths = numbers_of(r, list_of(r, bound, name), name, whole_numbers, &r->claim.length_count);
    need(r, r->claim.length_count == links, name, "one number for each link, or pair of links");
}

/** Store in r->claim the bound that the file claims, {"name": …, "value": …}, and its witness: "clique", "odd_sets"
 *  with "odd_lengths", "lengths" or "link". */
static void take_claim(struct assignment_reader *r, const json_t *bound)
{
    const char *name = json_text(bound, "name");
    uint32_t each = r->model == RWA_UNDIRECTED ? 2 : 1, links = rwa_network_links(r->net) / each;
    bool plain = name && *name && strlen(name) < sizeof r->claim_name &&
                 name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")] == '\0';
    if (!bound || json_is_null(bound))
        return;
    need(r, json_whole(json_object_get(bound, "value"), INT64_MAX, &r->claim.value), "bound",
         "an object with a \"value\"");
    snprintf(r->claim_name, sizeof r->claim_name, "%s", plain ? name : "claimed");
    r->claim.name = r->claim_name;
    r->claim.fixed_routes = json_is_true(json_object_get(bound, "fixed_routes"));
    r->claim.most_served = json_is_true(json_object_get(bound, "most_served"));
    take_optional(r, bound, "wavelengths", 0, &r->claim.wavelengths);
    if (json_object_get(bound, "clique")) {
        take_clique(r, bound);
    } else if (json_object_get(bound, "odd_sets")) {
        r->claim.kind = RWA_WITNESS_ODD_CUTS;
        take_lengths(r, bound, "odd_lengths", links);
        take_odd_sets(r, bound);
    } else if (json_array_size(list_of(r, bound, "lengths")) > 0) {
        r->claim.kind = RWA_WITNESS_LENGTHS;
        take_lengths(r, bound, "lengths", links);
    } else if (json_object_get(bound, "link")) {
        r->claim.kind = RWA_WITNESS_LINK;
        take_number(r, bound, "link", &r->claim.link);
        need(r, r->claim.link < links, "link", "a link of the network");
    }
}

static void take_header(struct assignment_reader *r, const json_t *root)
{
    const char *format = json_text(root, "format");
    const char *model = json_text(root, "model");
    const json_t *next = json_object_get(root, "next_lightpath");
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    need(r, format && strcmp(format, "rwa-assignment") == 0, "format", "\"rwa-assignment\"");
    need(r, version == 1 || version == 2, "version", "1 or 2");
    r->wide = version == 2;
    r->model = model && strcmp(model, "undirected") == 0 ? RWA_UNDIRECTED : RWA_DIRECTED;
    need(r, model && strcmp(model, rwa_model_name(r->model)) == 0, "model", "\"directed\" or \"undirected\"");
    need(r, json_whole(json_object_get(root, "demands"), RWA_DEMANDS_MAX, &r->demands), "demands",
         "a number that is not negative");
    r->protection = take_flag(r, root, "protection");
    need(r, !next || (json_whole(next, LIGHTPATH_MOST, &r->next_lightpath) && r->next_lightpath > 0), "next_lightpath",
         "a number from 1 to 2^53");
    take_number(r, root, "wavelengths", &r->wavelengths);
    take_network(r, json_object_get(root, "network"));
    if (r->status != RWA_OK)
        return;
    take_claim(r, json_object_get(root, "bound"));
    take_list(r, root, "converters", &r->converters);
    for (size_t i = 0; i < r->converters.count; i++)
        need(r, r->converters.list[i] < rwa_network_nodes(r->net), "converters", "nodes of the network");
    keep(r, arena_status(&r->memory));
}

/** Parse a line of the file as JSON into *root, which the caller releases.  RWA_FORMAT; for a last line without newline
 *  that cannot be parsed the message is that the line was cut short. */
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
    r->status = RWA_OK;
    r->memory.err = err;
    take_header(r, root);
    st = r->status;
done:
    json_decref(root);
    return st;
}

/* ---- records ---- */

static rwa_role take_role(struct assignment_reader *r, const json_t *root, const char *name)
{
    const json_t *value = json_object_get(root, name);
    const char *text = json_string_value(value);
    size_t role = RWA_WORKING;
    while (value && assignment_roles[role] && (!text || strcmp(text, assignment_roles[role]) != 0))
        role++;
    need(r, assignment_roles[role], name, "\"working\", \"backup\" or \"shared-backup\"");
    return (rwa_role)role;
}

/** Store in r->record the members "width" and "guard" of a lightpath, in slots.  They are 1 and 0 if they are absent,
 *  or the file has version 1. */
static void take_extent(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    const json_t *wide = r->wide ? root : NULL;
    take_optional(r, wide, "width", 1, &record->width);
    take_optional(r, wide, "guard", 0, &record->guard);
    need(r, record->width >= 1 && record->width <= RWA_CHANNELS_MAX, "width", "a number of slots of at least 1");
    need(r, record->guard <= RWA_CHANNELS_MAX - record->width, "guard", "a number of slots");
}

/** Return the limit below which the number in a remedy of this kind must lie.  It is the number of nodes, links or
 *  fibre pairs to choose from, or 2^32 for a number of wavelengths or hops.  0: there is no such kind. */
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

/** Store in r->remedies the remedies of a lightpath without a route: pairs of a change and a number, such as
 *  ["wavelength", 9]. */
static void take_remedies(struct assignment_reader *r, const json_t *root)
{
    const json_t *list = json_object_get(root, "remedies");
    size_t count = json_array_size(list);
    r->remedy_count = 0;
    if (!keep(r, base_reserve(r->remedies, count, r->err)))
        return;
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(list, i);
        const char *name = json_string_value(json_array_get(one, 0));
        uint64_t where;
        rwa_remedy_kind kind = RWA_REMEDY_NONE;
        while (rwa_remedy_name(kind) && (!name || strcmp(name, rwa_remedy_name(kind)) != 0))
            kind++;
        need(r, json_whole(json_array_get(one, 1), INT64_MAX, &where) && where < remedy_range(r, kind), "remedies",
             "pairs of a change and a number");
        r->remedies[r->remedy_count++] =
            (rwa_remedy){.demand = (size_t)r->record.demand, .kind = kind, .where = (uint32_t)where};
    }
}

/** Set *out to member `name` of the record, a list with one number for each link of the path.  Return whether the
 *  record has this list. */
static bool take_per_link(struct assignment_reader *r, const json_t *root, const char *name,
                          struct assignment_numbers *out)
{
    take_list(r, root, name, out);
    need(r, out->count == 0 || out->count + 1 == r->path.count, name, "one number for each link of the path");
    return out->count > 0;
}

/** Store in r->record the member "lightpath", the number of a working route in a state.  Either all working routes of a
 *  file have a number, or none has. */
static void take_lightpath(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    const json_t *value = json_object_get(root, "lightpath");
    bool numbered = record->role == RWA_WORKING && record->routed && r->next_lightpath > 0;
    need(r, numbered || !value, "lightpath",
         "no number but on lines of working routes, where the header has \"next_lightpath\"");
    need(r, !numbered || (json_whole(value, r->next_lightpath - 1, &record->lightpath) &&
                          record->lightpath > r->last_lightpath), "lightpath",
         "a number above that of the line before, and below \"next_lightpath\"");
    need(r, !numbered || r->last_lightpath == 0 || record->demand > r->last_demand, "demand",
         "one above that of the line before, as lightpaths have numbers");
    r->last_lightpath = numbered ? record->lightpath : r->last_lightpath;
    r->last_demand = numbered ? record->demand : r->last_demand;
}

static void take_route(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    need(r, json_array_size(json_object_get(root, "path")) > 0, "path", "an array of nodes, or null");
    take_list(r, root, "path", &r->path);
    record->hops = (uint32_t)r->path.count - 1;
    take_per_link(r, root, "links", &r->links);
    record->has_fibers = take_per_link(r, root, "fibers", &r->hop_fibers);
    record->has_wavelengths = take_per_link(r, root, "wavelengths", &r->hop_wavelengths);
    take_number(r, root, "fiber", &record->fiber);
    take_number(r, root, "wavelength", &record->wavelength);
}

static void take_record(struct assignment_reader *r, const json_t *root)
{
    struct assignment_record *record = &r->record;
    const json_t *modulation = json_object_get(root, "modulation"), *tag;
    *record = (struct assignment_record){.line = r->lines.number,
                                         .routed = !json_is_null(json_object_get(root, "path"))};
    need(r, json_whole(json_object_get(root, "demand"), INT64_MAX, &record->demand), "demand",
         "a number that is not negative");
    take_number(r, root, "src", &record->src);
    take_number(r, root, "dst", &record->dst);
    take_optional(r, root, "via", RWA_NONE, &record->via);
    take_extent(r, root);
    take_rate(r, root, &record->rate_bps);
    record->role = take_role(r, root, "role");
    record->lost = take_role(r, root, "lost");
    record->why = json_text(root, "why");
    take_remedies(r, root);
    record->modulation = json_string_value(modulation);
    need(r, !modulation || (record->modulation && *record->modulation), "modulation",
         "the name of a modulation format");
    tag = record->role == RWA_WORKING ? json_object_get(root, "tag") : NULL;
    record->tag = json_string_value(tag);
    need(r, !tag || (record->tag && assignment_is_tag(record->tag)), "tag",
         "1 to 255 bytes without control characters");
    record->down = take_flag(r, root, "down");
    take_lightpath(r, root);
    if (record->routed)
        take_route(r, root);
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
    if (!json_is_object(r->root))
        return base_fail(err, RWA_FORMAT, "%s:%" PRIu64 ": expected an object", line.file, line.number);
    r->status = RWA_OK;
    take_record(r, r->root);
    return r->status;
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
    arena_free(&r->memory);
    free_all(r->converters.list, r->path.list, r->links.list, r->hop_fibers.list,
             r->hop_wavelengths.list, r->remedies);
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
