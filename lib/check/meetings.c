/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Find the other lightpath of each violation in which a channel is already taken.  The bits of used channels do not
 *  tell whose they are, so the records are checked a second time: the first lightpath of the step that takes the
 *  channel of a violation is the other one. */
#include "check/checker.h"

#define ANOTHER "another"

void report_meeting(struct checker *chk, const rwa_lightpath *lp, uint32_t link, uint64_t bit)
{
    if (!report_is_full(chk->report, RWA_VIOLATION_CHANNEL))
        chk->meetings[chk->meeting_count++] = (struct meeting){chk->report->named, bit, chk->first_record};
    report_lightpath(chk, RWA_VIOLATION_CHANNEL, lp, link, "meets " ANOTHER " on %s, fibre %u, wavelength %u",
                     LINK_TEXT(chk, lp, link), lp->fiber, lp->wavelength);
}

static void name_other(const struct checker *chk, rwa_violation *v, const rwa_lightpath *other)
{
    char *at = strstr(v->text, ANOTHER), rest[sizeof v->text], of_line[32] = "";
    assert(at);
    strcpy(rest, at + strlen(ANOTHER));
    if (chk->line > 0)
        snprintf(of_line, sizeof of_line, " of line %" PRIu64, chk->line);
    snprintf(at, sizeof v->text - (size_t)(at - v->text), "lightpath %u to %u%s%s", other->src, other->dst, of_line,
             rest);
}

void meet_others(struct checker *chk, const rwa_lightpath *lp, uint64_t from, uint32_t count)
{
    for (size_t i = chk->meeting_count; i-- > 0;) {
        const struct meeting *m = &chk->meetings[i];
        if (m->first != chk->first_record || m->bit < from || m->bit - from >= count)
            continue;
        name_other(chk, &chk->named->first[m->named], lp);
        chk->meetings[i] = chk->meetings[--chk->meeting_count];
    }
    chk->asymmetric = chk->meeting_count == 0;      /* ends the pass */
}
