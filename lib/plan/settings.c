/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Options that only some schemes read: none is ignored.  A scheme that was asked for by name must read whatever is given.
 * "auto" plans with those that read what shapes a plan, as radices do; of what only helps where it can (taps, a solver) one of
 * these that reads it is enough.  What a scheme reads stands in its descriptor; limits, seeds and times hold for all.
 */
#include "rwa/compare.h"

#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

static bool has_radix(const rwa_plan_options *o)
{
    return o->radix_count > 0;
}

static bool has_stages(const rwa_plan_options *o)
{
    return o->stages > 0;
}

static bool has_group(const rwa_plan_options *o)
{
    return o->group > 0;
}

static bool has_last_exchange(const rwa_plan_options *o)
{
    return o->last_exchange != RWA_LAST_AUTO;
}

static bool has_split_steps(const rwa_plan_options *o)
{
    return o->split_steps != RWA_SPLIT_BEST;
}

static bool has_drops(const rwa_plan_options *o)
{
    return o->max_drops > 1;
}

static bool has_solver(const rwa_plan_options *o)
{
    return o->solver && strcmp(o->solver, "auto") != 0;
}

static bool has_order(const rwa_plan_options *o)
{
    return o->solving.order != RWA_ORDER_LONGEST;
}

static const struct setting {
    unsigned read;          /* the bit of those who read it */
    bool shapes;
    const char *name;       /* on the command line */
    bool (*given)(const rwa_plan_options *o);
} settings[] = {
    {READS_RADIX, true, "--radix", has_radix},
    {READS_STAGES, true, "--stages", has_stages},
    {READS_GROUP, true, "--group", has_group},
    {READS_LAST_EXCHANGE, true, "--last-exchange", has_last_exchange},
    {READS_SPLIT_STEPS, true, "--split-steps", has_split_steps},
    {READS_TAPS, false, "--max-drops", has_drops},
    {READS_SOLVER, false, "--solver", has_solver},
    {READS_SOLVER, false, "--order", has_order},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/** What the scheme reads in this setting; of what adds up blocks nothing is tapped. */
static unsigned reads(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    unsigned all = scheme->reads;
    if (scheme->taps && coll->kind != RWA_REDUCE_SCATTER)
        all |= READS_TAPS;
    if (scheme->solved & kinds_left(net, o))
        all |= READS_SOLVER;
    return all;
}

/** What it reads on some of these kinds of network, for one collective or another. */
static unsigned reads_on(const struct scheme *scheme, unsigned kinds)
{
    if (!(scheme->networks & kinds))
        return 0;
    return scheme->reads | (scheme->taps ? READS_TAPS : 0) | (scheme->solved & kinds ? READS_SOLVER : 0);
}

/** The bits of what is given, all of it or only what shapes a plan. */
static unsigned given(const rwa_plan_options *o, bool shaping)
{
    unsigned all = 0;
    for (const struct setting *s = settings; s < settings + SETTINGS; s++)
        if (s->given(o) && (s->shapes || !shaping))
            all |= s->read;
    return all;
}

bool settings_suit(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    return (given(o, true) & ~reads(scheme, net, coll, o)) == 0;
}

static void add_name(char *text, size_t size, const char *between, const char *name)
{
    size_t used = strlen(text);
    if (used + strlen(name) + strlen(between) < size)
        snprintf(text + used, size - used, "%s%s", used > 0 ? between : "", name);
}

/** "a, b": who reads it here, or (with net NULL) anywhere. */
static void list_readers(char *text, size_t size, unsigned bit, const rwa_network *net, const rwa_collective *coll,
                         const rwa_plan_options *o)
{
    text[0] = '\0';
    for (size_t i = 0; i < scheme_count; i++)
        if (net ? scheme_fits(schemes[i], net, coll, o) && (reads(schemes[i], net, coll, o) & bit)
                : (reads_on(schemes[i], ~0u) & bit) != 0)
            add_name(text, size, ", ", schemes[i]->name);
}

/** What the schemes that fit read, all of them or the one of the name; *some: there is one. */
static unsigned read_by(const char *name, bool *some, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    unsigned all = 0;
    bool open = !name || strcmp(name, "auto") == 0;
    for (size_t i = 0; i < scheme_count; i++)
        if ((open || scheme_is_named(schemes[i], name)) && scheme_fits(schemes[i], net, coll, o)) {
            all |= reads(schemes[i], net, coll, o);
            *some = true;
        }
    return all;
}

/** "a, b": the networks on which somebody reads it. */
static void list_networks(char *text, size_t size, unsigned bit)
{
    text[0] = '\0';
    for (int kind = RWA_RING; rwa_topology_name((rwa_topology)kind); kind++)
        for (size_t i = 0; i < scheme_count; i++)
            if ((reads_on(schemes[i], 1u << kind) & bit) != 0) {
                add_name(text, size, ", ", rwa_topology_name((rwa_topology)kind));
                break;
            }
}

/** "a, b": for what else somebody here (of the name, or whoever) reads it. */
static void list_collectives(char *text, size_t size, unsigned bit, const char *name, const rwa_network *net,
                             const rwa_collective *coll, const rwa_plan_options *o)
{
    text[0] = '\0';
    for (int kind = RWA_ALL_GATHER; rwa_collective_name((rwa_collective_kind)kind); kind++) {
        rwa_collective other = *coll;
        bool some = false;
        other.kind = (rwa_collective_kind)kind;
        if (read_by(name, &some, net, &other, o) & bit)
            add_name(text, size, ", ", rwa_collective_name(other.kind));
    }
}

/** Say that `who` does not read a setting, and who does: of others here, for other collectives here, or elsewhere. */
static rwa_status refuse(const struct setting *s, const char *who, const rwa_network *net, const rwa_collective *coll,
                         const rwa_plan_options *o, rwa_error *err)
{
    char readers[200], kinds[200];
    const char *here = rwa_topology_name(rwa_network_topology(net)), *what = rwa_collective_name(coll->kind);
    const char *asked = scheme_is_open(o) ? NULL : o->scheme;
    list_readers(readers, sizeof readers, s->read, net, coll, o);
    if (readers[0] != '\0')
        return base_fail(err, RWA_BADARG, "%s: %s, but by %s", s->name, who, readers);
    list_collectives(kinds, sizeof kinds, s->read, asked, net, coll, o);
    if (asked && kinds[0] != '\0')
        return base_fail(err, RWA_BADARG, "%s: on a %s read by scheme %.64s only for %s, not for %s", s->name, here, asked, kinds,
                         what);
    list_collectives(kinds, sizeof kinds, s->read, NULL, net, coll, o);
    if (kinds[0] != '\0')
        return base_fail(err, RWA_BADARG, "%s: on a %s read by no scheme for %s, only for %s", s->name, here, what, kinds);
    list_networks(kinds, sizeof kinds, s->read);
    list_readers(readers, sizeof readers, s->read, NULL, coll, o);
    return base_fail(err, RWA_BADARG, "%s: read by no scheme on a %s, elsewhere by %s (on a %s)", s->name, here, readers, kinds);
}

/** Whether "auto" may plan with the scheme; several blocks on a lightpath it leaves to those that merge, where there are any. */
static bool is_candidate(const struct scheme *scheme, const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o)
{
    bool merging = o->slots > 1 && merging_scheme(net, coll);
    return scheme_fits(scheme, net, coll, o) && settings_suit(scheme, net, coll, o) && (scheme->merges || !merging);
}

/** Each of them is read by somebody, but what shapes a plan together by none, or by none who reads what is to help (NULL:
 *  nothing). */
static rwa_status refuse_together(const struct setting *help, const rwa_plan_options *o, rwa_error *err)
{
    char names[200] = "";
    if (o->slots > 1)
        add_name(names, sizeof names, "", "--load-factor");
    for (const struct setting *s = settings; s < settings + SETTINGS; s++)
        if (s == help || (s->shapes && s->given(o)))
            add_name(names, sizeof names, " and ", s->name);
    return base_fail(err, RWA_BADARG, "%s: no scheme here reads them together, expected fewer of them", names);
}

/** `who`: by whom it is not read, in words. */
static rwa_status refuse_unread(unsigned read, const char *who, const rwa_network *net, const rwa_collective *coll,
                                const rwa_plan_options *o, rwa_error *err)
{
    for (const struct setting *s = settings; s < settings + SETTINGS; s++)
        if (s->given(o) && !(read & s->read))
            return refuse(s, who, net, coll, o, err);
    return RWA_OK;
}

/** What is given is read by somebody each; together by those that "auto" may plan with, what only helps by one of them. */
static rwa_status refuse_apart(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o, rwa_error *err)
{
    unsigned read = 0;
    bool some = false;
    for (size_t i = 0; i < scheme_count; i++)
        if (is_candidate(schemes[i], net, coll, o)) {
            read |= reads(schemes[i], net, coll, o);
            some = true;
        }
    if (!some)
        return refuse_together(NULL, o, err);
    for (const struct setting *s = settings; s < settings + SETTINGS; s++)
        if (s->given(o) && !(read & s->read))
            return refuse_together(s, o, err);
    return RWA_OK;
}

rwa_status settings_refuse(const rwa_network *net, const rwa_collective *coll, const rwa_plan_options *o, rwa_error *err)
{
    char who[100];
    bool open = scheme_is_open(o), some = false;
    unsigned read = read_by(o->scheme, &some, net, coll, o);
    rwa_status st = RWA_OK;
    if (given(o, false) == 0 || !some)
        return RWA_OK;
    snprintf(who, sizeof who, "not read by scheme %.64s", open ? "auto" : o->scheme);
    TRY(refuse_unread(read, who, net, coll, o, err));
    if (open)
        st = refuse_apart(net, coll, o, err);
done:
    return st;
}

rwa_status rwa_compare_validate(const char *const *names, size_t count, const rwa_network *net, const rwa_collective *coll,
                              const rwa_plan_options *opts, rwa_error *err)
{
    base_begin(err);
    rwa_plan_options o;
    unsigned read = 0;
    bool some = false;
    rwa_status st = RWA_OK;
    rwa_plan_options_init(&o);
    TRY(base_take_options(&o, sizeof o, opts, "plan options", err));
    for (size_t i = 0; i < count; i++) {
        o.scheme = names[i];
        read |= read_by(names[i], &some, network_to_plan(net, coll, &o), coll, &o);
    }
    if (some)
        st = refuse_unread(read, "read by none of the schemes compared", net, coll, &o, err);
done:
    return st;
}

rwa_status settings_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err)
{
    for (const struct setting *s = settings; s < settings + SETTINGS; s++)
        if (s->given(o) && !(but & s->read))
            return base_fail(err, RWA_BADARG, "%s: not read by %s, expected without it", s->name, what);
    return RWA_OK;
}
