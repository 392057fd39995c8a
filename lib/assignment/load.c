/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Loads a whole assignment file into memory. */
#include "assignment/reader.h"

#include "demand/demand_list.h"

/** The records as they were read.  The lists of each are consecutive: links, fibres, wavelengths. */
struct pile {
    struct assignment_record *list;
    size_t count;
    uint32_t *numbers;
    size_t number_count;
    struct arena texts;
    rwa_remedy *remedies;
    size_t remedy_count;
};

static rwa_status keep_numbers(struct pile *p, const uint32_t *list, size_t count, rwa_error *err)
{
    return base_append_all(p->numbers, p->number_count, err, list, count);
}

static rwa_status keep_links(struct pile *p, const struct assignment_reader *r, rwa_error *err)
{
    for (size_t k = 0; k < r->record.hops; k++) {
        uint32_t link = assignment_hop(r, k);
        if (link == RWA_NONE)
            return base_fail(err, RWA_FORMAT, "%s:%" PRIu64 ": no link leads from node %u to node %u", r->lines.path,
                             r->lines.number, r->path.list[k], r->path.list[k + 1]);
        MUST(keep_numbers(p, &link, 1, err));
    }
    return RWA_OK;
}

static rwa_status keep(struct pile *p, const struct assignment_reader *r, rwa_error *err)
{
    struct assignment_record one = r->record;
    one.at = p->number_count;
    one.modulation = arena_copy_text(&p->texts, one.modulation);
    one.tag = arena_copy_text(&p->texts, one.tag);
    one.why = arena_copy_text(&p->texts, one.why);
    MUST(arena_status(&p->texts));
    MUST(keep_links(p, r, err));
    MUST(keep_numbers(p, r->hop_fibers.list, one.has_fibers ? one.hops : 0, err));
    MUST(keep_numbers(p, r->hop_wavelengths.list, one.has_wavelengths ? one.hops : 0, err));
    if (one.hops == 0)
        MUST(base_append_all(p->remedies, p->remedy_count, err, r->remedies, r->remedy_count));
    return base_append(p->list, p->count, err, one);
}

COMPARATOR(compare_kept, struct assignment_record, UP(demand) UP(role) UP(line))

COMPARATOR(compare_remedies, rwa_remedy, UP(demand) UP(kind) UP(where))

/** Make in *out the demands of the lines in p, which are sorted by demand.  A demand is as wide as its narrowest line,
 *  and has the rate of its first line.  RWA_FORMAT: a demand that the header counts has no line; RWA_NOMEM. */
static rwa_status find_demands(rwa_demands **out, const struct pile *p, const struct assignment_reader *r,
                               rwa_error *err)
{
    rwa_demand *list = NULL;
    uint32_t *widths = NULL;
    double *rates = NULL;
    size_t found = 0;
    rwa_status st = base_fits_memory((double)r->demands * sizeof *list, "this assignment", err);
    TRY(st);
    TRY(base_new(list, (size_t)r->demands, err));
    TRY(base_new(widths, (size_t)r->demands, err));
    TRY(base_new(rates, (size_t)r->demands, err));
    for (size_t i = 0; i < p->count; i++) {
        const struct assignment_record *k = &p->list[i];
        if (i > 0 && k->demand == p->list[i - 1].demand) {
            widths[found - 1] = k->width < widths[found - 1] ? k->width : widths[found - 1];
            continue;
        }
        if (k->demand != found || found == r->demands)
            break;
        widths[found] = k->width;
        rates[found] = k->rate_bps;
        list[found++] = (rwa_demand){k->src, k->dst, 1, k->via};
    }
    if (found < r->demands || (p->count > 0 && p->list[p->count - 1].demand >= r->demands))
        TRY(base_fail(err, RWA_FORMAT, "%s: expected a line for each of the header's %" PRIu64 " demands, and no other",
                      r->lines.path, r->demands));
    st = demands_make(out, rwa_network_nodes(r->net), list, found, widths, rates, err);
    st = base_blame(st, r->lines.path, 0, err);
done:
    free_all(rates, widths, list);
    return st;
}

static rwa_status add_kept(rwa_assignment *result, const struct pile *p, const struct assignment_record *k,
                           const char *path, rwa_error *err)
{
    const uint32_t *numbers = k->hops ? p->numbers + k->at : NULL;
    rwa_route route = {.demand = (size_t)k->demand,
                       .role = k->role,
                       .hops = k->hops,
                       .links = numbers,
                       .fibers = k->has_fibers ? numbers + k->hops : NULL,
                       .wavelengths = k->has_wavelengths ? numbers + (1 + k->has_fibers) * (size_t)k->hops : NULL,
                       .fiber = k->fiber,
                       .wavelength = k->wavelength,
                       .down = k->down,
                       .why = k->why};
    rwa_status st = rwa_assignment_add_wide(result, &route, k->width, k->guard, err);
    if (st == RWA_OK && k->modulation && k->hops > 0)
        st = rwa_assignment_set_modulation(result, result->count - 1, k->modulation, err);
    if (st == RWA_OK)
        result->routes[result->count - 1].lost = k->lost & 3u;
    if (st == RWA_OK && k->tag && k->hops > 0)
        st = assignment_tag(result, route.demand, k->tag, err);
    return base_blame(st, path, k->line, err);
}

/** Store in the result the numbers that lightpaths have in a state, from the lines in p; nothing if the file has
 *  none. */
static rwa_status add_ids(rwa_assignment *result, const struct pile *p, const struct assignment_reader *r,
                          rwa_error *err)
{
    uint64_t *ids = NULL;
    if (r->next_lightpath == 0)
        return RWA_OK;
    MUST(base_new(ids, (size_t)r->demands, err));
    for (size_t i = 0; i < p->count; i++)
        if (p->list[i].lightpath > 0)
            ids[p->list[i].demand] = p->list[i].lightpath;
    rwa_status st = assignment_number(result, ids, r->next_lightpath, err);
    free(ids);
    return st;
}

/** Store in the result the bound that the file claims, with its witness.  A clique names its routes by their numbers in
 *  the file, so leave out a bound with this witness if the order of the routes in memory is another. */
static rwa_status keep_claim(rwa_assignment *result, const struct pile *p, const struct assignment_reader *r,
                             rwa_error *err)
{
    for (size_t i = 1; i < p->count && r->claim.kind == RWA_WITNESS_CLIQUE; i++)
        if (p->list[i].line < p->list[i - 1].line)
            return RWA_OK;
    MUST(assignment_certify(result, &r->claim, err));
    return assignment_odd_sets(result, r->odd_sets, r->odd_set_count, err);
}

static rwa_status build(rwa_assignment **out, struct pile *p, const struct assignment_reader *r, rwa_error *err)
{
    rwa_demands *demands = NULL;
    rwa_status st = RWA_OK;
    base_sort(p->list, p->count, compare_kept);
    TRY(find_demands(&demands, p, r, err));
    TRY(rwa_assignment_create(out, r->net, demands, r->model, err));
    (*out)->protection = r->protection;
    TRY(assignment_keep(*out, failures, failure_count, r->failures, r->failure_count, err));
    TRY(assignment_keep(*out, converters, converter_count, r->converters.list, r->converters.count, err));
    for (size_t i = 0; i < p->count; i++)
        TRY(add_kept(*out, p, &p->list[i], r->lines.path, err));
    TRY(add_ids(*out, p, r, err));
    base_sort(p->remedies, p->remedy_count, compare_remedies);
    TRY(assignment_keep(*out, remedies, remedy_count, p->remedies, p->remedy_count, err));
    TRY(keep_claim(*out, p, r, err));
    (*out)->summary.wavelengths = r->wavelengths;
    assignment_check(*out);
done:
    rwa_demands_free(demands);
    return st;
}

rwa_status rwa_assignment_read(rwa_assignment **out, const char *path, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    struct assignment_reader r = {0};
    struct pile pile = {.texts.err = err};
    rwa_assignment *result = NULL;
    int got = 0;
    rwa_status st = RWA_OK;
    TRY(assignment_open(&r, path, err));
    TRY(assignment_next(&r, &got, err));
    while (got) {
        TRY(keep(&pile, &r, err));
        TRY(assignment_next(&r, &got, err));
    }
    TRY(build(&result, &pile, &r, err));
    *out = result;
    result = NULL;
done:
    rwa_assignment_free(result);
    arena_free(&pile.texts);
    free_all(pile.list, pile.numbers, pile.remedies);
    assignment_close(&r);
    return st;
}
