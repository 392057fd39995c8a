/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Options that only some schemes read.  It is an error to give an option that the scheme asked for does not read.
 * "auto" plans only with schemes that read all given options which shape a plan, such as radices; each other given
 * option (taps, a solver) must be read by at least one of these schemes.  The descriptor of a scheme lists the
 * options that it reads; limits, seeds and times are read by all.
 */
#include "rwa/compare.h"

#include "plan/plan.h"

/** X(bit of the schemes that read it, whether it shapes a plan, field, whether it is given in *o) */
#define OPTION_TABLE(X)                                                               \
    X(READS_RADIX, true, "radix", o->radix_count > 0)                                 \
    X(READS_STAGES, true, "stages", o->stages > 0)                                    \
    X(READS_GROUP, true, "group", o->group > 0)                                       \
    X(READS_LAST_EXCHANGE, true, "last_exchange", o->last_exchange != RWA_LAST_AUTO)  \
    X(READS_SPLIT_STEPS, true, "split_steps", o->split_steps != RWA_SPLIT_BEST)       \
    X(READS_MAX_DROPS, false, "max_drops", o->max_drops > 1)                          \
    X(READS_SOLVER, false, "solver", o->solver && strcmp(o->solver, "auto") != 0)     \
    X(READS_SOLVER, false, "order", o->order != RWA_ORDER_LONGEST)

struct unread_option {
    unsigned read;
    const char *name;
};

/** Find the first given option that is not in `read` (bits of options), and set *unread to it.  Return false if there
 * is none.
 * @param shaping  only consider options that shape a plan */
static bool find_unread(struct unread_option *unread, const rwa_plan_options *o, unsigned read, bool shaping)
{
#define X(bit, shapes, text, given)                                        \
    if ((given) && ((shapes) || !shaping) && !(read & (bit))) {            \
        *unread = (struct unread_option){bit, text};                              \
        return true;                                                       \
    }
    OPTION_TABLE(X)
#undef X
    return false;
}

bool options_shape(const rwa_plan_options *o)
{
    struct unread_option first;
    return find_unread(&first, o, 0, true);
}

/** Return the options that the scheme reads on a network with these capabilities, whatever the collective. */
static unsigned reads_on(const struct scheme *scheme, unsigned capabilities)
{
    if (!(scheme->needs & capabilities))
        return 0;
    return scheme->reads | (scheme_has(scheme, TAPS) ? READS_MAX_DROPS : 0) |
           (scheme->solver_needs & capabilities ? READS_SOLVER : 0);
}

/** Return the options that the scheme reads for a task.  A reduce or reduce-scatter has no taps, so no scheme reads
 * max_drops for it. */
static unsigned reads_for(const struct scheme *scheme, const struct plan_task *t)
{
    unsigned all = reads_on(scheme, capabilities_left(t->net, t->opts));
    bool one_way = t->coll->kind == RWA_REDUCE_SCATTER || t->coll->kind == RWA_ROOTED_REDUCE;
    return one_way ? all & ~(unsigned)READS_MAX_DROPS : all;
}

bool scheme_reads_shape(const struct scheme *scheme, const struct plan_task *task)
{
    struct unread_option unread;
    return !find_unread(&unread, task->opts, reads_for(scheme, task), true);
}

enum { NAMES_TEXT = 200 };

static void add_name(char names[NAMES_TEXT], const char *between, const char *name)
{
    size_t used = strlen(names);
    if (used + strlen(name) + strlen(between) < NAMES_TEXT)
        snprintf(names + used, NAMES_TEXT - used, "%s%s", used > 0 ? between : "", name);
}

/** A selection of the schemes that fit the task, by what they read. */
struct readers {
    const char *name;           /* only the scheme of this name; NULL: all */
    bool candidates;            /* only schemes that "auto" may choose */
    unsigned bit;               /* of the option whose readers are named */
    bool some;                  /* some scheme was selected */
    char names[NAMES_TEXT];     /* "a, b" */
};

/** Return the bits of all options that at least one of the selected schemes reads.  In r->names, list the schemes that
 * read the option r->bit. */
static unsigned find_readers(struct readers *r, const struct plan_task *t)
{
    unsigned all = 0;
    for (size_t i = 0; i < scheme_count; i++) {
        const struct scheme *s = schemes[i];
        if ((r->name && !scheme_is_named(s, r->name)) || !scheme_fits(s, t->net, t->coll, t->opts) ||
            (r->candidates && !scheme_reads_shape(s, t)))
            continue;
        r->some = true;
        all |= reads_for(s, t);
        if (reads_for(s, t) & r->bit)
            add_name(r->names, ", ", s->name);
    }
    return all;
}

/** Return RWA_BADARG for an option.  The message has the option's name, `reader` ("not read by scheme …"), and the
 * schemes that read the option for this task, or, if there are none, for other tasks. */
static rwa_status refuse_option(const struct unread_option *s, const char *reader, const struct plan_task *t,
                                rwa_error *err)
{
    struct readers here = {.bit = s->read};
    char elsewhere[NAMES_TEXT] = "";
    if (find_readers(&here, t) & s->read)
        return base_refuse(err, "%s: %s, but by %s", s->name, reader, here.names);
    for (size_t i = 0; i < scheme_count; i++)
        if (reads_on(schemes[i], ~0u) & s->read)
            add_name(elsewhere, ", ", schemes[i]->name);
    return base_refuse(err, "%s: read by no scheme for %s on a %s, elsewhere by %s", s->name,
                       rwa_collective_name(t->coll->kind), rwa_topology_name(rwa_network_topology(t->net)), elsewhere);
}

/** Return RWA_BADARG: no scheme reads the option `help` together with all given options that shape a plan. */
static rwa_status refuse_together(const struct unread_option *help, const rwa_plan_options *o, rwa_error *err)
{
    char names[NAMES_TEXT] = "";
#define X(bit, shapes, text, given)                                        \
    if ((given) && ((shapes) || strcmp(text, help->name) == 0))            \
        add_name(names, " and ", text);
    OPTION_TABLE(X)
#undef X
    return base_refuse(err, "%s: no scheme here reads them together, expected fewer of them", names);
}

rwa_status options_refuse_unread(const struct plan_task *task, rwa_error *err)
{
    char reader[100];
    bool open = scheme_is_open(task->opts);
    struct readers all = {.name = open ? NULL : task->opts->scheme}, candidates = {.candidates = true};
    struct unread_option unread;
    unsigned read = find_readers(&all, task);
    if (!all.some || !find_unread(&unread, task->opts, 0, false))
        return RWA_OK;
    snprintf(reader, sizeof reader, "not read by scheme %.64s", open ? "auto" : task->opts->scheme);
    if (find_unread(&unread, task->opts, read, false))
        return refuse_option(&unread, reader, task, err);
    if (!open)
        return RWA_OK;
    read = find_readers(&candidates, task);
    bool refused = find_unread(&unread, task->opts, candidates.some ? read : 0, !candidates.some);
    return refused ? refuse_together(&unread, task->opts, err) : RWA_OK;
}

rwa_status rwa_compare_validate(const char *const *names, size_t count, const rwa_network *net,
                                const rwa_collective *coll, const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN(err, !count || names, net, coll);
    rwa_plan_options o;
    struct plan_task task = {.net = net, .coll = coll, .opts = &o};
    struct readers readers = {.some = false};
    struct unread_option unread;
    unsigned read = 0;
    MUST(base_options(rwa_plan_options, &o, opts, err));
    for (size_t i = 0; i < count; i++) {
        o.scheme = names[i];
        task.net = network_to_plan(net, coll, &o);
        readers.name = scheme_is_open(&o) ? NULL : names[i];
        read |= find_readers(&readers, &task);
    }
    task.net = net;
    bool refused = readers.some && find_unread(&unread, &o, read, false);
    return refused ? refuse_option(&unread, "read by none of the schemes compared", &task, err) : RWA_OK;
}

rwa_status options_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err)
{
    struct unread_option unread;
    if (find_unread(&unread, o, but, false))
        return base_refuse(err, "%s: not read by %s, expected without it", unread.name, what);
    return RWA_OK;
}
