/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find the lightpath that holds a channel which another one needs.  The bits of used channels do not tell, so the
 *  records are read again. */
#include "check/checker.h"
#include "network/translations.h"

#define ANOTHER "another"

void report_meeting(struct checker *chk, const rwa_lightpath *lp, uint32_t link)
{
    size_t named = chk->report->named;
    if (named < RWA_VIOLATIONS_NAMED)
        chk->meetings[chk->meeting_count++] = (struct meeting){named, chk->record, link, chk->first_record, *lp, false};
    report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, link, "meets " ANOTHER " on %s, fiber %u, wavelength %u",
                     LINK_TEXT(chk, lp, link), lp->fiber, lp->wavelength);
}

/** The state of the second pass over the records. */
struct second_pass {
    rwa_check_report *report;   /* the report that names violations */
    size_t left;                /* meetings whose other lightpath has not been found yet */
};

static void name_other(struct second_pass *pass, struct meeting *m, const rwa_lightpath *other, uint64_t line)
{
    rwa_violation *v = &pass->report->first[m->named];
    char text[sizeof v->text], of_line[32] = "";
    const char *at = strstr(v->text, ANOTHER);
    assert(at);
    if (line > 0)
        snprintf(of_line, sizeof of_line, " of line %" PRIu64, line);
    memcpy(text, v->text, sizeof text);
    size_t before = (size_t)(at - v->text);
    snprintf(v->text + before, sizeof v->text - before, "lightpath %u to %u%s%s", other->src, other->dst, of_line,
             text + before + strlen(ANOTHER));
    m->complete = true;
    pass->left--;
}

/** Tell whether a lightpath passes a link.  On listed links, `hops` is the number of entries in chk->route_links, the
 *  links of its route. */
static bool takes_link(const struct checker *chk, const rwa_lightpath *lp, uint32_t hops, uint64_t link)
{
    uint32_t from = lp->direction == RWA_CW ? lp->src : lp->dst;
    if (network_has_arcs(chk->net))
        return (link + chk->nodes - from) % chk->nodes < arc_hops(chk, lp);
    for (uint32_t h = 0; h < hops; h++)
        if (chk->route_links[h] == link)
            return true;
    return false;
}

/** Tell whether the current record may be the other lightpath of a violation: it belongs to the same step, is not
 *  later, and the other lightpath is not named yet. */
static bool is_open(const struct checker *chk, const struct meeting *m)
{
    return !m->complete && m->first <= chk->record && chk->record <= m->record;
}

static bool has_meeting(const struct checker *chk)
{
    for (const struct meeting *m = chk->meetings; m < chk->meetings + chk->meeting_count; m++)
        if (is_open(chk, m))
            return true;
    return false;
}

/** Name a lightpath of the current record in all violations in which it is the other lightpath. */
static void meet_others(struct checker *chk, struct second_pass *pass, const rwa_lightpath *lp, uint32_t hops)
{
    bool arcs = network_has_arcs(chk->net);
    for (struct meeting *m = chk->meetings; m < chk->meetings + chk->meeting_count; m++) {
        bool itself = m->record == chk->record && m->lp.src == lp->src && m->lp.dst == lp->dst;
        bool same = m->lp.fiber == lp->fiber && m->lp.wavelength == lp->wavelength &&
                    (!arcs || m->lp.direction == lp->direction);
        if (is_open(chk, m) && same && !itself && takes_link(chk, lp, hops, m->link))
            name_other(pass, m, lp, chk->line);
    }
}

static rwa_status read_again(struct checker *chk, struct second_pass *pass, const rwa_lightpath *record,
                             const rwa_lists *lists)
{
    rwa_lightpath lp = *record;
    rwa_lists moved = *lists;
    bool arcs = network_has_arcs(chk->net);
    chk->step = record->step;
    if (!has_meeting(chk) || !in_range(chk, record, lists) || !orbit_allowed(chk, record))
        return RWA_OK;
    if (!arcs && chk->channel_model->route(chk, record, lists) == 0)
        return RWA_OK;  /* a path that cannot be translated */
    for (uint32_t i = 0; i < record->orbit && pass->left > 0; i++) {
        if (record->orbit > 1 && arcs)
            lp = lightpath_plus(&chk->group, chk->coll, record, i, chk->wavelengths);
        else if (record->orbit > 1)
            MUST(orbit_lightpath(&lp, &moved, chk, record, lists, i));
        MUST(spend(chk, 1));
        meet_others(chk, pass, &lp, arcs ? 0 : chk->channel_model->route(chk, &lp, &moved));
    }
    return RWA_OK;
}

static rwa_status read_all_again(struct checker *chk, struct second_pass *pass, struct records *from)
{
    rwa_lightpath record;
    rwa_lists lists;
    int got = 1;
    for (chk->record = 0; pass->left > 0; chk->record++) {
        MUST(records_next(&record, &lists, &got, chk, from));
        if (!got)
            return RWA_OK;
        MUST(read_again(chk, pass, &record, &lists));
    }
    return RWA_OK;
}

void name_others(struct checker *chk, const struct records *from)
{
    rwa_check_report scratch = {.named = RWA_VIOLATIONS_NAMED}, *report = chk->report;
    rwa_error ignored = {0}, *err = chk->err;
    struct records again = {.sched = from->sched, .path = from->path};
    struct second_pass pass = {report, chk->meeting_count};
    if (pass.left == 0 || !records_can_reopen(from))
        return;
    chk->report = &scratch;     /* violations were reported in the first pass */
    chk->err = &ignored;
    chk->spent = chk->polled = chk->unasked = 0;
    if (records_open(&again, &chk->limits, chk->err) == RWA_OK)
        (void)read_all_again(chk, &pass, &again);
    rwa_reader_free(again.reader);
    chk->report = report;
    chk->err = err;
}
