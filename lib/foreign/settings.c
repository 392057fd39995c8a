/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The settings of nodes on every network, step by step: what a node adds, drops and passes, or only what a controller must push. */
#include "rwa/settings.h"

#include "foreign/foreign.h"

struct setting_lines {
    struct export_request *r;
    struct sink *sink;
};

/** "name":the node at the other end of a link, or null. */
static void put_neighbor(struct setting_lines *s, const char *name, uint32_t link, bool from)
{
    rwa_link ends = link != RWA_NO_LINK ? rwa_network_link(s->r->net, link) : (rwa_link){0};
    if (link == RWA_NO_LINK)
        sink_put(s->sink, ",\"%s\":null", name);
    else
        sink_put(s->sink, ",\"%s\":%" PRIu32, name, from ? ends.from : ends.to);
}

static const char *use_word(const rwa_setting *one)
{
    return one->use & RWA_USE_ADD ? "add" : !(one->use & RWA_USE_PASS) ? "drop" : one->use & RWA_USE_DROP ? "tap" : "pass";
}

static void put_one(struct setting_lines *s, const rwa_setting *one, bool first)
{
    static const char *const changes[] = {"", "clear", "set", "keep"};
    assert(one->change <= RWA_CHANGE_KEEP);
    sink_put(s->sink, "%s{\"change\":\"%s\",\"use\":\"%s\"", first ? "" : ",", changes[one->change], use_word(one));
    put_neighbor(s, "from", one->in_link, true);
    put_neighbor(s, "to", one->out_link, false);
    sink_put(s->sink, ",\"fiber\":%" PRIu32 ",\"wavelength\":%" PRIu32 ",\"src\":%" PRIu32 ",\"dst\":%" PRIu32, one->fiber,
             one->wavelength, one->src, one->dst);
    if (one->held)
        sink_put(s->sink, ",\"block\":null,\"hold\":true}");
    else
        sink_put(s->sink, ",\"block\":%" PRIu64 "}", one->block);
}

/** A line; nothing for a node that has nothing to say. */
static void put_settings_of(struct setting_lines *s, const rwa_settings *settings, uint32_t step, uint32_t node)
{
    const rwa_setting *list = NULL;
    size_t count = rwa_settings_of_node(&list, settings, node), written = 0;
    for (size_t i = 0; i < count; i++) {
        bool wanted = s->r->o.changes ? list[i].change != RWA_CHANGE_KEEP : list[i].change != RWA_CHANGE_CLEAR;
        if (wanted && written == 0)
            sink_put(s->sink, "{\"step\":%" PRIu32 ",\"node\":%" PRIu32 ",\"settings\":[", step, node);
        if (wanted)
            put_one(s, &list[i], written++ == 0);
    }
    sink_put(s->sink, written > 0 ? "]}\n" : "");
}

static rwa_status put_settings(struct setting_lines *s, uint32_t step)
{
    uint32_t node = s->r->o.node == RWA_EXPORT_ALL ? RWA_NO_NODE : (uint32_t)s->r->o.node;
    rwa_settings *settings = NULL;
    const uint32_t *order = NULL;
    rwa_status st = RWA_OK;
    TRY(export_go_on(s->r, step));
    TRY(rwa_settings_create(&settings, s->r->sched, step, node, s->r->hold, s->r->err));
    size_t count = rwa_settings_nodes(&order, settings);
    for (size_t i = 0; i < count; i++)
        put_settings_of(s, settings, step, s->r->o.changes || count == 1 ? order[i] : (uint32_t)i);
    st = s->sink->status;
done:
    rwa_settings_free(settings);
    return st;
}

/** With changes of all steps the last ones clear everything. */
static rwa_status put_all_settings(struct output *out, struct export_request *r)
{
    struct setting_lines s = {.r = r, .sink = &out->sink};
    uint32_t last = r->to + (r->o.changes && r->o.step == 0);
    MUST(export_hold(r));
    for (uint32_t step = r->from; step <= last; step++)
        MUST(put_settings(&s, step));
    return RWA_OK;
}

const struct export_format export_settings = {
    "settings", "on every network, per node and step, what is added, dropped and passed, or what changes (JSON Lines)",
    put_all_settings, NULL};
