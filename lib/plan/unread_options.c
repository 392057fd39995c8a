/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Options that only some schemes read.  A given option that the scheme asked for does not read is an error.  "auto" plans with the
 * schemes that read all given options which shape a plan, such as radices; one of these must read each other given option (taps, a
 * solver).  The descriptor of a scheme lists the options it reads; limits, seeds and times hold for all.
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
    X(READS_SOLVER, false, "order", o->solving.order != RWA_ORDER_LONGEST)

static const struct option {
    unsigned read;
    bool shapes;
    const char *name;
} options[] = {
#define X(read, shapes, name, given) {read, shapes, name},
    OPTION_TABLE(X)
#undef X
};
enum { OPTIONS = sizeof options / sizeof *options };

static bool is_given(const struct option *s, const rwa_plan_options *o)
{
#define X(read, shapes, name, given) given,
    const bool all[] = {OPTION_TABLE(X)};
#undef X
    assert(s >= options && s < options + OPTIONS);
    return all[s - options];
}

/** The options that the scheme reads with these capabilities of the network, for one collective or another. */
static unsigned reads_on(const struct scheme *scheme, unsigned capabilities)
{
    unsigned all = scheme->reads;
    if (!(scheme->needs & capabilities))
        return 0;
    if (scheme_has(scheme, TAPS))
        all |= READS_MAX_DROPS;
    if (scheme->solver_needs & capabilities)
        all |= READS_SOLVER;
    return all;
}

/** The options that the scheme reads for a task; blocks that are added up have no taps. */
static unsigned reads_for(const struct scheme *scheme, const struct plan_task *t)
{
    unsigned all = reads_on(scheme, capabilities_left(t->net, t->opts));
    bool one_way = t->coll->kind == RWA_REDUCE_SCATTER || t->coll->kind == RWA_ROOTED_REDUCE;
    return one_way ? all & ~(unsigned)READS_MAX_DROPS : all;
}

/** The bits of what is given, all of it or only what shapes a plan. */
static unsigned given_options(const rwa_plan_options *o, bool shaping)
{
    unsigned all = 0;
    for (const struct option *s = options; s < options + OPTIONS; s++)
        if (is_given(s, o) && (s->shapes || !shaping))
            all |= s->read;
    return all;
}

bool options_shape(const rwa_plan_options *o)
{
    return given_options(o, true) != 0;
}

bool scheme_reads_shape(const struct scheme *scheme, const struct plan_task *task)
{
    return (given_options(task->opts, true) & ~reads_for(scheme, task)) == 0;
}

static void add_name(char *text, size_t size, const char *between, const char *name)
{
    size_t used = strlen(text);
    assert(used < size);
    if (used + strlen(name) + strlen(between) < size)
        snprintf(text + used, size - used, "%s%s", used > 0 ? between : "", name);
}

/** "a, b": the schemes that read it for the task, or (NULL) anywhere. */
static void list_readers(char *text, size_t size, unsigned bit, const struct plan_task *t)
{
    text[0] = '\0';
    for (size_t i = 0; i < scheme_count; i++)
        if (t ? scheme_fits(schemes[i], t->net, t->coll, t->opts) && (reads_for(schemes[i], t) & bit)
              : (reads_on(schemes[i], ~0u) & bit) != 0)
            add_name(text, size, ", ", schemes[i]->name);
}

/** The options that the fitting schemes read, all of them or the one of the name; *some: there is one. */
static unsigned read_by(const char *name, bool *some, const struct plan_task *t)
{
    unsigned all = 0;
    bool open = !name || strcmp(name, "auto") == 0;
    for (size_t i = 0; i < scheme_count; i++)
        if ((open || scheme_is_named(schemes[i], name)) && scheme_fits(schemes[i], t->net, t->coll, t->opts)) {
            all |= reads_for(schemes[i], t);
            *some = true;
        }
    return all;
}

/** "a, b": the networks on which some scheme reads it. */
static void list_networks(char *text, size_t size, unsigned bit)
{
    static const struct {
        unsigned capability;
        const char *name;
    } shapes[] = {{NETWORK_CYCLE, "ring"}, {NETWORK_PATH, "line"}, {NETWORK_TORUS, "torus"}, {NETWORK_MESH, "mesh"},
                  {NETWORK_LISTED, "graph"}, {NETWORK_STAR, "star"}, {NETWORK_PORTS, "ron"}, {NETWORK_SWITCHES, "ocs"}};
    text[0] = '\0';
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        unsigned all = 0;
        for (size_t i = 0; i < scheme_count; i++)
            all |= reads_on(schemes[i], shapes[k].capability);
        if (all & bit)
            add_name(text, size, ", ", shapes[k].name);
    }
}

/** "a, b": the other collectives for which a scheme here (of the name, or any) reads it. */
static void list_collectives(char *text, size_t size, unsigned bit, const char *name, const struct plan_task *t)
{
    text[0] = '\0';
    for (int kind = RWA_ALL_GATHER; rwa_collective_name((rwa_collective_kind)kind); kind++) {
        rwa_collective other = *t->coll;
        struct plan_task task = {.net = t->net, .coll = &other, .opts = t->opts};
        bool some = false;
        other.kind = (rwa_collective_kind)kind;
        if (read_by(name, &some, &task) & bit)
            add_name(text, size, ", ", rwa_collective_name(other.kind));
    }
}

/** Say that `reader` does not read an option, and which schemes do: others here, here for other collectives, or elsewhere. */
static rwa_status refuse_option(const struct option *s, const char *reader, const struct plan_task *t, rwa_error *err)
{
    char readers[200], kinds[200];
    const char *here = rwa_topology_name(rwa_network_topology(t->net)), *what = rwa_collective_name(t->coll->kind);
    const char *asked = scheme_is_open(t->opts) ? NULL : t->opts->scheme;
    list_readers(readers, sizeof readers, s->read, t);
    if (readers[0] != '\0')
        return base_fail(err, RWA_BADARG, "%s: %s, but by %s", s->name, reader, readers);
    list_collectives(kinds, sizeof kinds, s->read, asked, t);
    if (asked && kinds[0] != '\0')
        return base_fail(err, RWA_BADARG, "%s: on a %s read by scheme %.64s only for %s, not for %s", s->name, here, asked, kinds, what);
    list_collectives(kinds, sizeof kinds, s->read, NULL, t);
    if (kinds[0] != '\0')
        return base_fail(err, RWA_BADARG, "%s: on a %s read by no scheme for %s, only for %s", s->name, here, what, kinds);
    list_networks(kinds, sizeof kinds, s->read);
    list_readers(readers, sizeof readers, s->read, NULL);
    return base_fail(err, RWA_BADARG, "%s: read by no scheme on a %s, elsewhere by %s (on a %s)", s->name, here, readers, kinds);
}

/** Whether "auto" may plan with the scheme; several blocks on a lightpath it leaves to those that merge, where there are any. */
static bool is_candidate(const struct scheme *scheme, const struct plan_task *t)
{
    bool merging = t->opts->lightpath_blocks > 1 && merging_scheme(t->net, t->coll);
    return scheme_fits(scheme, t->net, t->coll, t->opts) && scheme_reads_shape(scheme, t) && (scheme_has(scheme, MERGES) || !merging);
}

/** Each option is read by some scheme, but no scheme reads all that shape a plan, or none of these reads `help` (NULL: no option). */
static rwa_status refuse_together(const struct option *help, const rwa_plan_options *o, rwa_error *err)
{
    char names[200] = "";
    if (o->lightpath_blocks > 1)
        add_name(names, sizeof names, "", "lightpath_blocks");
    for (const struct option *s = options; s < options + OPTIONS; s++)
        if (s == help || (s->shapes && is_given(s, o)))
            add_name(names, sizeof names, " and ", s->name);
    return base_fail(err, RWA_BADARG, "%s: no scheme here reads them together, expected fewer of them", names);
}

/** `reader`: by whom it is not read, in words. */
static rwa_status refuse_unread(unsigned read, const char *reader, const struct plan_task *t, rwa_error *err)
{
    for (const struct option *s = options; s < options + OPTIONS; s++)
        if (is_given(s, t->opts) && !(read & s->read))
            return refuse_option(s, reader, t, err);
    return RWA_OK;
}

/** Each given option is read by some scheme; together by those that "auto" may plan with, what only helps by one of them. */
static rwa_status refuse_apart(const struct plan_task *t, rwa_error *err)
{
    unsigned read = 0;
    bool some = false;
    for (size_t i = 0; i < scheme_count; i++)
        if (is_candidate(schemes[i], t)) {
            read |= reads_for(schemes[i], t);
            some = true;
        }
    if (!some)
        return refuse_together(NULL, t->opts, err);
    for (const struct option *s = options; s < options + OPTIONS; s++)
        if (is_given(s, t->opts) && !(read & s->read))
            return refuse_together(s, t->opts, err);
    return RWA_OK;
}

rwa_status options_refuse_unread(const struct plan_task *task, rwa_error *err)
{
    char reader[100];
    bool open = scheme_is_open(task->opts), some = false;
    unsigned read = read_by(task->opts->scheme, &some, task);
    if (given_options(task->opts, false) == 0 || !some)
        return RWA_OK;
    snprintf(reader, sizeof reader, "not read by scheme %.64s", open ? "auto" : task->opts->scheme);
    MUST(refuse_unread(read, reader, task, err));
    return open ? refuse_apart(task, err) : RWA_OK;
}

rwa_status rwa_compare_validate(const char *const *names, size_t count, const rwa_network *net, const rwa_collective *coll,
                              const rwa_plan_options *opts, rwa_error *err)
{
    BEGIN(err, !count || names, net, coll);
    rwa_plan_options o;
    const struct plan_task task = {.net = net, .coll = coll, .opts = &o};
    unsigned read = 0;
    bool some = false;
    rwa_plan_options_init(&o);
    MUST(base_take_options(&o, sizeof o, opts, "plan options", err));
    for (size_t i = 0; i < count; i++) {
        o.scheme = names[i];
        read |= read_by(names[i], &some, &(struct plan_task){.net = network_to_plan(net, coll, &o), .coll = coll, .opts = &o});
    }
    return some ? refuse_unread(read, "read by none of the schemes compared", &task, err) : RWA_OK;
}

rwa_status options_refuse_but(unsigned but, const char *what, const rwa_plan_options *o, rwa_error *err)
{
    for (const struct option *s = options; s < options + OPTIONS; s++)
        if (is_given(s, o) && !(but & s->read))
            return base_fail(err, RWA_BADARG, "%s: not read by %s, expected without it", s->name, what);
    return RWA_OK;
}
