/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plans made of other plans, by the names that their schedules have: "part of all-reduce by ring-both". */
#include "plan/plan.h"

/** A copy of a name, cut in place. */
struct name {
    char text[2 * TERM_TEXT + RWA_ERROR_TEXT];
};

static bool take(struct name *name, const char *scheme)
{
    bool fits = scheme && strlen(scheme) < sizeof name->text;
    if (fits)
        memcpy(name->text, scheme, strlen(scheme) + 1);
    return fits;
}

/** End the text where the separator begins; what follows it, or NULL. */
static char *cut(char *text, const char *separator)
{
    char *at = strstr(text, separator);
    if (at)
        *at = '\0';
    return at ? at + strlen(separator) : NULL;
}

/** "KIND by SCHEME": the scheme, or NULL. */
static const char *read_plan(int *kind, char *text)
{
    const char *scheme = cut(text, " by ");
    *kind = scheme ? rwa_collective_find(text) : 0;
    return *kind > 0 ? scheme : NULL;
}

/** The scheme of a part, or NULL. */
static const char *read_part(int *outer, struct name *name)
{
    static const char begin[] = "part of ";
    size_t length = sizeof begin - 1;
    return strncmp(name->text, begin, length) == 0 ? read_plan(outer, name->text + length) : NULL;
}

static bool read_sequence(struct sequence_names *out, struct name *name)
{
    char *first = cut(name->text, " after ");
    int kind = 0, last_kind = 0;
    out->first_scheme = first ? read_plan(&kind, first) : NULL;
    out->last_scheme = first ? read_plan(&last_kind, name->text) : NULL;
    out->first = (rwa_collective_kind)kind;
    out->last = (rwa_collective_kind)last_kind;
    return out->first_scheme && out->last_scheme;
}

bool is_composite_name(const char *scheme)
{
    struct name part, sequence;
    struct sequence_names names;
    int outer;
    return take(&part, scheme) && take(&sequence, scheme) && (read_part(&outer, &part) || read_sequence(&names, &sequence));
}

rwa_status plan_named(rwa_plan **out, const struct plan_task *task, rwa_error *err)
{
    struct name part, sequence;
    struct sequence_names names;
    int outer = 0;
    rwa_plan *plan = NULL;
    rwa_status st = RWA_OK;
    bool fits = take(&part, task->opts->scheme) && take(&sequence, task->opts->scheme);
    const char *scheme = fits ? read_part(&outer, &part) : NULL;
    TRY(options_refuse_but(0, "plans made of other plans", task->opts, err));
    if (scheme)
        TRY(plan_named_part(&plan, task, (rwa_collective_kind)outer, scheme, err));
    else if (fits && read_sequence(&names, &sequence))
        TRY(plan_named_sequence(&plan, task, &names, err));
    if (!plan)
        TRY(base_fail(err, RWA_BADARG, "scheme \"%.100s\" plans nothing here, expected auto", task->opts->scheme));
    if (plan->schedule)
        TRY(plan_check(plan, task->net, task->opts, err));
    *out = plan;
    plan = NULL;
done:
    rwa_plan_free(plan);
    return st;
}
