/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find the other lightpath of each violation in which a channel is already taken.  The bits of used channels do not
 *  tell whose they are, so the records are checked a second time, and each lightpath is compared with these
 *  violations. */
#include "check/checker.h"

#define ANOTHER "another"

void report_meeting(struct checker *chk, const rwa_lightpath *lp, uint32_t link)
{
    size_t named = chk->report->named;
    if (!report_is_full(chk->report, RWA_VIOLATION_CHANNEL))
        chk->meetings[chk->meeting_count++] = (struct meeting){named, chk->record, link, chk->first_record, *lp, false};
    report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, link, "meets " ANOTHER " on %s, fiber %u, wavelength %u",
                     LINK_TEXT(chk, lp, link), lp->fiber, lp->wavelength);
}

static void name_other(struct checker *chk, struct meeting *m, const rwa_lightpath *other)
{
    rwa_violation *v = &chk->named->first[m->named];
    char text[sizeof v->text], of_line[32] = "";
    const char *at = strstr(v->text, ANOTHER);
    assert(at);
    if (chk->line > 0)
        snprintf(of_line, sizeof of_line, " of line %" PRIu64, chk->line);
    memcpy(text, v->text, sizeof text);
    size_t before = (size_t)(at - v->text);
    snprintf(v->text + before, sizeof v->text - before, "lightpath %u to %u%s%s", other->src, other->dst, of_line,
             text + before + strlen(ANOTHER));
    m->complete = true;
}

/** Tell whether a lightpath passes a link.  On listed links its route is in chk->route_links. */
static bool takes_link(const struct checker *chk, const rwa_lightpath *lp, uint32_t hops, uint64_t link)
{
    uint32_t from = lp->direction == RWA_CW ? lp->src : lp->dst;
    if (network_has_arcs(chk->net))
        return (link + chk->nodes - from) % chk->nodes < hops;
    for (uint32_t h = 0; h < hops; h++)
        if (chk->route_links[h] == link)
            return true;
    return false;
}

void meet_others(struct checker *chk, const rwa_lightpath *lp, uint32_t hops)
{
    bool arcs = network_has_arcs(chk->net), complete = true;
    for (struct meeting *m = chk->meetings; m < chk->meetings + chk->meeting_count; m++) {
        bool itself = m->record == chk->record && m->lp.src == lp->src && m->lp.dst == lp->dst;
        bool same = m->lp.fiber == lp->fiber && m->lp.wavelength == lp->wavelength &&
                    (!arcs || m->lp.direction == lp->direction);
        bool before = m->first == chk->first_record && chk->record <= m->record;
        if (!m->complete && before && same && !itself && takes_link(chk, lp, hops, m->link))
            name_other(chk, m, lp);
        complete = complete && m->complete;
    }
    chk->asymmetric = complete;     /* ends the pass */
}
