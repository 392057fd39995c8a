/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "assign/why.h"

#include "base/text.h"

/* ---- demands without a route ---- */

/* A search for a link or risk group that every route of a demand needs. */
struct need {
    const struct job *job;
    const rwa_demand *demand;
    struct path_tree tree;
    bool *shut;             /* of each arc */
};

static bool is_reached(struct need *n)
{
    const struct routing_graph *r = &n->job->graph;
    return path_tree_between(&n->tree, r, r->length, n->demand->src, n->demand->dst, NULL, NULL, n->shut);
}

static bool is_in_group(const struct risks *risks, uint32_t link, size_t group)
{
    for (size_t i = risks->of.first[link]; i < risks->of.first[link + 1]; i++)
        if (risks->of.number[i] == group)
            return true;
    return false;
}

static void shut(struct need *n, uint32_t link, size_t group, bool shut)
{
    const struct routing_graph *r = &n->job->graph;
    for (uint32_t a = 0; a < r->arcs; a++)
        if (r->link[a] == link || is_in_group(&n->job->risks, r->link[a], group))
            n->shut[a] = shut;
}

/* Whether every route of the demand uses this link or a link of this risk group.  RWA_NONE: no link is asked about;
 * SIZE_MAX: no group is. */
static bool is_needed(struct need *n, uint32_t link, size_t group)
{
    shut(n, link, group, true);
    bool reached = is_reached(n);
    shut(n, link, group, false);
    return !reached;
}

/* Return an arc of a link that every route of the demand uses; RWA_NONE: there is no such link, or no route.  It tries
 * the links of the shortest route, since others cannot be on every route. */
static uint32_t needed_arc(struct need *n)
{
    const struct routing_graph *r = &n->job->graph;
    bool *on_way = n->shut + r->arcs;
    if (!is_reached(n))
        return RWA_NONE;
    for (uint32_t v = n->demand->dst; v != n->demand->src; v = r->from[n->tree.arc[v]])
        on_way[n->tree.arc[v]] = true;
    for (uint32_t a = 0; a < r->arcs; a++)
        if (on_way[a] && is_needed(n, r->link[a], SIZE_MAX))
            return a;
    return RWA_NONE;
}

static size_t needed_group(struct need *n)
{
    for (size_t g = 0; g < n->job->risks.groups; g++)
        if (is_needed(n, RWA_NONE, g))
            return g;
    return SIZE_MAX;
}

static void describe_needed(char *text, size_t size, struct need *n)
{
    const struct routing_graph *r = &n->job->graph;
    uint32_t arc = needed_arc(n);
    size_t group = arc == RWA_NONE ? needed_group(n) : SIZE_MAX;
    char from[NODE_TEXT], to[NODE_TEXT];
    if (arc != RWA_NONE)
        snprintf(text, size, "no backup: every route takes the link from node %s to node %s",
                 network_node_text(from, n->job->net, r->from[arc]), network_node_text(to, n->job->net, r->to[arc]));
    else if (group != SIZE_MAX)
        snprintf(text, size, "no backup: every route meets risk group %zu", group);
    else
        snprintf(text, size, "no backup: any two routes%s share a link or a risk group",
                 n->job->opts->max_hops > 0 ? " that are short enough" : "");
}

rwa_status why_unroutable(char *text, size_t size, const struct job *job, uint32_t demand)
{
    assert(demand < job->count);
    rwa_status st = RWA_OK;
    struct need n = {.job = job, .demand = &job->list[demand]};
    TRY(path_tree_create(&n.tree, &job->graph, job->err));
    TRY(base_new(n.shut, 2 * (size_t)job->graph.arcs, job->err));
    char channel[48] = "";
    if (job->opts->transmission && rwa_network_slot_hz(job->net) == 0)
        snprintf(channel, sizeof channel, " in a channel of %g GHz",
                 rwa_transmission_channel_slots(job->opts->transmission) * RWA_SLOT_HZ / 1e9);
    if (job->opts->transmission && is_reached(&n))
        snprintf(text, size, "no modulation format carries %g Gbit/s over %s%s; the one of fewest hops has %.1f km",
                 job_rate_bps(job, demand) / 1e9, job->opts->protection ? "two disjoint routes" : "a route", channel,
                 (double)(n.tree.dist[n.demand->dst] & (GRAPH_HOP - 1)) / 1e3);
    else if (job->opts->protection && is_reached(&n))
        describe_needed(text, size, &n);
    else
        snprintf(text, size, "no route leads there");
done:
    free(n.shut);
    path_tree_free(&n.tree);
    return st;
}

/* ---- all demands ---- */

static rwa_status describe_unroutable(struct text *t, const rwa_assignment_report *sum, const struct job *job)
{
    const rwa_demand *d = &job->list[job->unroutable[0]];
    uint64_t missing = sum->lightpaths - sum->routed;
    char why[192], src[NODE_TEXT], dst[NODE_TEXT];
    rwa_status st = why_unroutable(why, sizeof why, job, job->unroutable[0]);
    if (st == RWA_OK)
        text_add(t, "%llu lightpath%s without a wavelength or route; from node %s to node %s: %s (%zu demand%s in all)",
                 (unsigned long long)missing, plural(missing), network_node_text(src, job->net, d->src),
                 network_node_text(dst, job->net, d->dst), why, job->unroutable_count,
                 plural(job->unroutable_count));
    return st;
}

/** Return text such as "; 3 wavelengths more suffice", or "" if `extra` is 0: not known. */
static const char *enough_text(char *buffer, size_t size, uint32_t extra)
{
    if (extra == 0)
        return "";
    snprintf(buffer, size, "; %u wavelength%s more suffice%s", extra, plural(extra), extra == 1 ? "s" : "");
    return buffer;
}

static void describe_short(struct text *t, const rwa_assignment_report *sum, const struct job *job)
{
    uint32_t given = job->opts->wavelengths;
    unsigned long long missing = sum->lightpaths - sum->routed;
    const char *unit = job_is_wide(job) || rwa_network_slot_hz(job->net) > 0 ? "slot" : "wavelength";
    char buffer[40];
    if (job->opts->objective != RWA_FEWEST_WAVELENGTHS)
        text_add(t, "%llu lightpath%s left out on %u %s%s: more of these, or more routes to try, would help", missing,
                 missing == 1 ? " is" : "s are", given, unit, plural(given));
    else if (job->bound.value > given && !job->bound.fixed_routes)
        text_add(t, "%u %s%s serve %llu of %llu lightpaths%s; all need at least %llu (%s)%s", given, unit,
                 plural(given), (unsigned long long)sum->routed, (unsigned long long)sum->lightpaths,
                 job->fewest_left_out ? ", and no more" : ", or perhaps more",
                 (unsigned long long)job->bound.value, job->bound.name, enough_text(buffer, sizeof buffer, job->extra));
    else
        text_add(
            t, "found no way to serve all on %u %s%s, and no proof that there is none%s, or leave out %llu lightpath%s",
            given, unit, plural(given), enough_text(buffer, sizeof buffer, job->extra), missing,
            plural(missing));
}

static void describe_change(struct text *t, const struct job *job, const rwa_remedy *remedy)
{
    uint32_t arc = 0;
    char from[NODE_TEXT], to[NODE_TEXT];
    switch (remedy->kind) {
    case RWA_REMEDY_WAVELENGTHS:
        text_add(t, "%u wavelengths", remedy->where);
        break;
    case RWA_REMEDY_FIBER:
        while (job->graph.link[arc] != remedy->where)
            arc++;
        text_add(t, "one more fibre from node %s to node %s", network_node_text(from, job->net, job->graph.from[arc]),
                 network_node_text(to, job->net, job->graph.to[arc]));
        break;
    case RWA_REMEDY_CONVERTER:
        text_add(t, "a converter at node %s", network_node_text(to, job->net, remedy->where));
        break;
    case RWA_REMEDY_HOPS:
        text_add(t, "routes of %u hops", remedy->where);
        break;
    case RWA_REMEDY_NODE:
        text_add(t, "leave to pass node %s", network_node_text(to, job->net, remedy->where));
        break;
    default:
        assert(false);
    }
}

/* Append to `t` the changes that would each serve the first demand for which r->remedies has any.  Name only the first
 * change of each kind (a fibre, a converter, more hops, ...). */
static void describe_remedies(struct text *t, const rwa_assignment *r, const struct job *job)
{
    bool named = false;
    for (size_t i = 0; i < r->remedy_count && r->remedies[i].demand == r->remedies[0].demand; i++) {
        bool known = job->extra > 0 && r->remedies[i].kind == RWA_REMEDY_WAVELENGTHS;
        if (known || (i > 0 && r->remedies[i].kind == r->remedies[i - 1].kind))
            continue;
        if (!named)
            text_add(t, "; demand %zu alone could be added with ", r->remedies[0].demand);
        else
            text_add(t, ", or ");
        describe_change(t, job, &r->remedies[i]);
        named = true;
    }
}

rwa_status why_not_all(rwa_assignment *r, const struct job *job)
{
    rwa_status st = RWA_OK;
    struct text t = {.err = job->err};
    char *whole = NULL;
    if (job->unroutable_count > 0)
        st = describe_unroutable(&t, &r->summary, job);
    else
        describe_short(&t, &r->summary, job);
    describe_remedies(&t, r, job);
    rwa_status finished = text_finish(&t, &whole);
    if (st == RWA_OK && finished == RWA_OK)
        snprintf(r->summary.why, sizeof r->summary.why, "%s", whole);
    free(whole);
    return st != RWA_OK ? st : finished;
}
