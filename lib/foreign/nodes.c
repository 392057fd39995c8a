/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Per node and step: which ring adds, drops or passes which wavelength, or only the rings that change. */
#include "rwa/settings.h"

#include "foreign/foreign.h"
#include "network/network.h"

/** A setting of a ring: the rings of a node are one for each direction and channel. */
struct ring {
    rwa_direction direction;
    uint32_t fiber, wavelength, order;  /* order: drop, add, pass */
    const rwa_setting *of;
};

struct rings {
    struct export_request *r;
    struct sink *sink;
    struct ring *list;      /* of the node at hand */
    size_t capacity;
    uint32_t step, node;
    uint32_t written;       /* settings of this node */
    bool counts;            /* they are only counted */
};

/** of NULL: the ring is idle now. */
static void put_row(struct rings *s, const struct ring *ring, const char *action, const rwa_setting *of)
{
    sink_put(s->sink, "%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%s", s->step, s->node, export_direction(ring->direction),
             ring->fiber, ring->wavelength, action);
    if (of && of->held)
        sink_put(s->sink, ",%" PRIu32 ",%" PRIu32 ",\n", of->src, of->dst);
    else if (of)
        sink_put(s->sink, ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 "\n", of->src, of->dst, of->block);
    else
        sink_put(s->sink, ",,,\n");
}

static void put_json(struct rings *s, const struct ring *ring, const char *action, const rwa_setting *of)
{
    sink_put(s->sink, "%s{\"dir\":\"%s\",\"fiber\":%" PRIu32 ",\"wavelength\":%" PRIu32 ",\"set\":\"%s\"", s->written == 0 ? "" : ",",
             export_direction(ring->direction), ring->fiber, ring->wavelength, action);
    if (of)
        sink_put(s->sink, ",\"src\":%" PRIu32 ",\"dst\":%" PRIu32, of->src, of->dst);
    if (of && of->held)
        sink_put(s->sink, ",\"block\":null,\"hold\":true");
    else if (of)
        sink_put(s->sink, ",\"block\":%" PRIu64, of->block);
    sink_put(s->sink, "}");
}

static void put_setting(struct rings *s, const struct ring *ring, const rwa_setting *of)
{
    static const char *const actions[] = {"drop", "add", "pass"};
    if (!s->counts)
        (s->r->o.csv ? put_row : put_json)(s, ring, of ? actions[ring->order] : "idle", of);
    s->written++;
}

/** The settings of one ring: all of them where changes are asked for and its use is another one, or else all that are up. */
static void put_ring(struct rings *s, const struct ring *list, size_t count)
{
    unsigned before = 0, now = 0;
    for (size_t i = 0; i < count; i++) {
        before |= list[i].of->change != RWA_CHANGE_SET ? list[i].of->use : 0;
        now |= list[i].of->change != RWA_CHANGE_CLEAR ? list[i].of->use : 0;
    }
    if (s->r->o.changes && now == before)
        return;
    for (size_t i = 0; i < count; i++)
        if (list[i].of->change != RWA_CHANGE_CLEAR)
            put_setting(s, &list[i], list[i].of);
    if (s->r->o.changes && now == 0)
        put_setting(s, list, NULL);
}

COMPARATOR(by_ring, struct ring, UP(direction) UP(fiber) UP(wavelength) UP(order))

/** Rings of a clockwise direction come first. */
static rwa_status list_rings(size_t *count, struct rings *s, const rwa_settings *settings)
{
    const rwa_setting *of = NULL;
    *count = rwa_settings_of_node(&of, settings, s->node);
    MUST(base_grow((void **)&s->list, &s->capacity, *count, sizeof *s->list, s->r->err));
    for (size_t i = 0; i < *count; i++) {
        uint32_t link = of[i].out_link != RWA_NO_LINK ? of[i].out_link : of[i].in_link;
        s->list[i] = (struct ring){link < network_links_each_way(s->r->net) ? RWA_CW : RWA_CCW, of[i].fiber, of[i].wavelength,
                                   of[i].use == RWA_USE_DROP ? 0 : of[i].use == RWA_USE_ADD ? 1 : 2, &of[i]};
    }
    base_sort(s->list, *count, by_ring);
    return RWA_OK;
}

static rwa_status put_rings(struct rings *s, const rwa_settings *settings, uint32_t node)
{
    size_t count = 0;
    s->node = node;
    s->written = 0;
    MUST(list_rings(&count, s, settings));
    for (size_t from = 0, to; from < count; from = to) {
        const struct ring *ring = &s->list[from];
        for (to = from; to < count && s->list[to].direction == ring->direction && s->list[to].fiber == ring->fiber &&
                        s->list[to].wavelength == ring->wavelength; to++)
            ;
        put_ring(s, ring, to - from);
    }
    return s->sink->status;
}

static rwa_status put_node(struct rings *s, const rwa_settings *settings, uint32_t node)
{
    if (!s->r->o.csv)
        sink_put(s->sink, "{\"step\":%" PRIu32 ",\"node\":%" PRIu32 ",\"%s\":[", s->step, node, s->r->o.changes ? "changes" : "rings");
    MUST(put_rings(s, settings, node));
    sink_put(s->sink, s->r->o.csv ? "" : "]}\n");
    return s->sink->status;
}

struct ranked {
    uint32_t written, node;
};

COMPARATOR(by_written, struct ranked, UP(written) UP(node))

/** Changes of all nodes: those with the fewest first, so that a controller that serves one after the other keeps them waiting least. */
static rwa_status put_step(struct rings *s)
{
    uint32_t only = s->r->o.node == RWA_EXPORT_ALL ? RWA_NO_NODE : (uint32_t)s->r->o.node;
    uint32_t nodes = only == RWA_NO_NODE ? rwa_network_nodes(s->r->net) : 1;
    rwa_settings *settings = NULL;
    struct ranked *ranked = base_array(nodes, sizeof *ranked, s->r->err);
    rwa_status st = ranked ? export_go_on(s->r, s->step) : RWA_NOMEM;
    TRY(st);
    TRY(rwa_settings_create(&settings, s->r->sched, s->step, only, s->r->hold, s->r->err));
    s->counts = true;
    for (uint32_t i = 0; i < nodes; i++) {
        ranked[i].node = only == RWA_NO_NODE ? i : only;
        TRY(put_rings(s, settings, ranked[i].node));
        ranked[i].written = s->r->o.changes ? s->written : 0;
    }
    s->counts = false;
    qsort(ranked, nodes, sizeof *ranked, by_written);
    for (uint32_t i = 0; i < nodes; i++)
        TRY(put_node(s, settings, ranked[i].node));
done:
    rwa_settings_free(settings);
    free(ranked);
    return st;
}

static rwa_status put_nodes(struct output *out, struct export_request *r)
{
    struct rings s = {.r = r, .sink = &out->sink};
    rwa_status st = RWA_OK;
    MUST(export_needs_arcs(r, "nodes"));
    MUST(export_hold(r));
    if (r->o.csv)
        sink_put(s.sink, "step,node,dir,fiber,wavelength,set,src,dst,block\n");
    for (s.step = r->from; s.step <= r->to; s.step++)
        TRY(put_step(&s));
done:
    free(s.list);
    return st;
}

const struct export_format export_nodes = {"nodes", "per node and step, what each ring adds, drops or passes (JSON Lines or CSV)",
                                           put_nodes, NULL};
