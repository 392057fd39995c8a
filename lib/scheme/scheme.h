/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The interface of the schemes.  A scheme receives a request, and pushes the stages of its plan into a sink.  A scheme
 * is one file, and one line in schemes.inc. */
#pragma once

#include "base/arithmetic.h"
#include "base/base.h"
#include "delivery/schedule_sink.h"
#include "network/network.h"
#include "rwa/plan.h"

/** Parameters of a scheme that the planner chooses: radices (terminated by a 0), a group size (0: none), a term ("":
 * none). */
enum { RADIX_LEVELS = 32, TERM_TEXT = 200 };
struct parameters {
    uint32_t radix[RADIX_LEVELS];
    uint32_t group;
    char term[TERM_TEXT];
};

/** The work of estimate() that plan() continues.  A scheme defines its own struct, with this one as the first
 * member. */
struct draft {
    void (*release)(struct draft *draft);
};

/** The request to a scheme.  All pointers are borrowed. */
struct plan_request {
    const struct scheme *scheme;        /* the scheme itself: schemes that share functions differ in its `variant` */
    const rwa_network *net;
    const rwa_collective *coll;         /* estimate(): the caller's; then with as many blocks as the estimate says */
    bool sums; /* a reduction, planned as such or as a time-reversed plan: its check takes more memory */
    uint32_t passes;                    /* 2: an all-reduce that runs the plan backwards, then forwards; else 1 */
    const rwa_plan_options *opts;       /* the caller's, complete */
    rwa_cost_prices price;              /* of a step that sets new lightpaths, and of a byte on a lightpath */
    double below_s;                     /* estimate(): ignore plans that take this long or longer; 0: no limit */
    double lightpaths_most;             /* ignore plans of more lightpaths; 0: no limit */
    const struct parameters *parameters;    /* plan() and formula(): one set of the estimate's; elsewhere NULL */
    struct draft *draft;                /* plan(): the estimate's, or NULL */
    char *why;                          /* RWA_ERROR_TEXT bytes for scheme_refuse() */
};

/** Write into request->why, printf-like, why this request cannot be planned, and what would help; the outcome becomes
 * "infeasible".  Returns RWA_OK, so that plan() can end with it. */
rwa_status scheme_refuse(const struct plan_request *request, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Approximate number of bytes of a record of a schedule, with its share of the arrays that grow with the records. */
enum { RECORD_BYTES = 48 };

/** Largest number of (node, block) pairs for which schemes search for plans, where each part of a block counts as a
 * block. The checker keeps a bit for each pair, or 16 bytes if blocks are sums. */
enum { HELD_MOST = 1 << 28, SUMS_HELD_MOST = 1 << 24 };

/** Return the next number of parts, or ratio of lengths, to try: about a quarter more.  A plan in p parts takes about a
 * + b p + c / p seconds with constants a, b and c.  So the best number tried takes at most (1.25^0.5 + 0.8^0.5) / 2 =
 * 1.0063 times as long as the best of all. */
static inline uint32_t larger_number(uint32_t number)
{
    return number + 1 + number / 4;
}

/** A time in seconds longer than that of any plan. */
#define NO_PLAN_S 1e299

/** Return the smallest number of steps that take request->below_s seconds or longer even if each sends only one block
 * on a lightpath and tunes as little as possible; 0: there is no limit. */
uint32_t scheme_steps_below(const struct plan_request *request);

/** What a scheme knows of its plan before it is made.  It is zeroed before the call of estimate(); 0 means unknown. */
enum { PARAMETER_SETS = 3 };
struct estimate {
    uint64_t blocks;            /* into which the message is cut; 0: the collective's usual number */
    uint64_t steps; /* of every schedule of the scheme for this request (tests/scheme checks it); 0: unknown */
    uint64_t least_steps;       /* if `steps` is 0: lower bound on the steps of the scheme's schedules; 0: unknown */
    uint64_t load;              /* blocks on a lightpath, at most; 0: as the caller says */
    double time_s;              /* of the schedule under opts->cost; 0: it follows from the steps, or is unknown */
    double least_s;             /* lower bound on the time of the scheme's schedules under opts->cost; 0: unknown */
    double records; /* approximate records of the schedule; 0: one for each lightpath.  If it is given, the planner
                       accepts larger schedules */
    bool periodic;              /* each record is an orbit of all nodes, on channels that repeat round the cycle */
    struct parameters set[PARAMETER_SETS]; /* worth building, best first; the planner keeps the one with fewest steps */
    size_t sets;                /* 0: the scheme has none */
    struct draft *draft;        /* NULL: none; else the planner releases it */
};

/** Bits for options that only some schemes read.  The planner refuses an option that no scheme reads. */
enum {
    READS_RADIX = 1,
    READS_STAGES = 2,
    READS_GROUP = 4,
    READS_LAST_EXCHANGE = 8,
    READS_SPLIT_STEPS = 16,
    READS_MAX_DROPS = 32,
    READS_SOLVER = 64
};

enum {
    /* every node gets each block once, so the time-reversed all-gather is a reduce-scatter (an all-reduce, if the
       all-gather follows it), and the reversed scatter a gather; the reversed broadcast is a reduce, although a
       broadcast may bring blocks twice */
    REVERSIBLE = 1,
    STRIPES = 2,        /* with fewer channels it needs few more steps: "auto" also tries blocks in stripes */
    TAPS = 8,           /* it lets up to opts->max_drops nodes receive a lightpath, where that saves steps */
    SHORTENS = 16,      /* it keeps to opts->max_hops, at the cost of more steps */
    MENDS = 32,         /* it avoids failed links and, on networks that list their links, reserved channels */
    ONLY_FAILED = 64,   /* it is only for networks with failed links */
    LAST_RESORT = 128,  /* it is only for networks with failed links, few ports or few hops */
    ANY_BLOCKS = 256,   /* it takes any number of blocks: the planner also tries others than the usual */
    TAKES_TERM = 512,   /* it can be asked for by a term, as NAME:TERM */
    SEARCHES = 1024,    /* its estimate is a search, which request->below_s shortens: "auto" asks for it last */
    /* on large listed networks a plan takes seconds, with one block on each lightpath: "auto" builds it last, and only
       if the lower bound on steps allows it to be the quickest */
    SLOW = 2048,
    /* it never retunes and uses all channels: stripes and subsets of the wavelengths gain nothing */
    KEEPS_LIGHTPATHS = 4096,
    /* on listed links it plans among opts->members and passes through other nodes, as schemes with MENDS do */
    TAKES_MEMBERS = 32768,
};

/** The bits of all collectives, for a scheme that carries out any of them. */
enum {
#define X(id, value, name) | 1 << (value)
    ALL_COLLECTIVES = 0 RWA_COLLECTIVE_MAP(X)
#undef X
};

/** A scheme.  NULL functions: it accepts every option, estimates nothing, has no formula. */
struct scheme {
    const char *name, *summary, *source;
    const char *former_names;   /* NULL, or names that it also answers to, with blanks between */
    unsigned collectives;       /* bits 1u << RWA_ALL_GATHER … */
    unsigned needs;             /* bits NETWORK_…: the network must have one of them */
    unsigned reads;             /* bits READS_…; READS_MAX_DROPS and READS_SOLVER follow from what comes next */
    unsigned solver_needs;      /* capabilities asked of opts->solver, which assigns its wavelengths; 0: uses none */
    unsigned traits;            /* bits REVERSIBLE … KEEPS_LIGHTPATHS */
    unsigned variant;           /* which of the schemes that share functions; their file says what it means */
    /** RWA_BADARG for options that make no sense; estimate() and plan() rely on it. */
    rwa_status (*validate)(const struct plan_request *request, rwa_error *err);
    /** RWA_OK, also when nothing is known; RWA_NOMEM; RWA_CANCELLED. */
    rwa_status (*estimate)(struct estimate *out, const struct plan_request *request, rwa_error *err);
    /** Push all stages.  RWA_OK, also after scheme_refuse(); RWA_NOMEM; RWA_CANCELLED; what the sink returns. */
    rwa_status (*plan)(struct schedule_sink *sink, const struct plan_request *request);
    /** The paper's formula for the request; `out` is zeroed before, and no source means no formula. */
    void (*formula)(rwa_formula *out, const struct plan_request *request);
};

/** The table of all schemes. */
extern const struct scheme *const schemes[];
extern const size_t scheme_count;

static inline bool scheme_has(const struct scheme *scheme, unsigned trait)
{
    return (scheme->traits & trait) != 0;
}

/** Tell whether `name` names the scheme: it is the scheme's name, a former name, or the name with a term. */
bool scheme_is_named(const struct scheme *scheme, const char *name);

/** Set only the number of blocks: 1 for an all-reduce, since the scheme moves the whole message as one block.  Can be
 * used as estimate(). */
rwa_status estimate_whole_message(struct estimate *out, const struct plan_request *request, rwa_error *err);

/** Check that groups have at least 2 nodes; can be used as validate(). */
rwa_status validate_group(const struct plan_request *request, rwa_error *err);

/** Return how often the collective runs a scheme's all-gather: 2 for an all-reduce, the first time reversed in time;
 * else 1. */
static inline uint64_t scheme_passes(const struct plan_request *request)
{
    return request->coll->kind == RWA_ALL_REDUCE ? 2 : 1;
}

/** Return the time, in seconds, that a plan must beat; INFINITY: no limit. */
static inline double scheme_time_limit(const struct plan_request *request)
{
    return request->below_s > 0 ? request->below_s : INFINITY;
}

/** Return the estimate of a scheme that has no plan quicker than request->below_s: NO_PLAN_S as its lower bound on the
 * time rules the scheme out.  If the request has no such limit, the estimate is empty. */
static inline struct estimate scheme_no_estimate(const struct plan_request *request)
{
    return (struct estimate){.least_s = request->below_s > 0 ? NO_PLAN_S : 0};
}

/** Return the seconds that a further step takes with `bytes` bytes on its fullest lightpath, without the time of
 * tuning. */
static inline double scheme_step_time(const struct plan_request *request, const rwa_cost_prices *price, uint64_t bytes)
{
    const rwa_cost_options *cost = &request->opts->cost;
    return price->step_s - cost->reconfig_s + rwa_cost_steps(1, bytes, rwa_network_rate_bps(request->net), cost);
}

/** Return the bytes of a block if the message is cut into `blocks` blocks; INFINITY: too many blocks. */
double scheme_block_bytes(const struct plan_request *request, uint64_t blocks);

/** For a scheme that chooses paths as lists of nodes, and the number of blocks itself: return, in words, what of the
 * request it does not support; NULL: it supports all.  Not supported are parallel links, which such a path does not
 * distinguish, and stripes. */
const char *scheme_limit_of_paths(const struct plan_request *request);

/** For a scheme whose circuits need equal links: return, in words, what of the request it does not support; NULL: it
 * supports all.  Not supported are links that are not alike, reserved channels, failed links, and what
 * scheme_limit_of_paths() returns. */
const char *scheme_limit_of_circuits(const struct plan_request *request);

/** Return the number of wavelengths of an all-to-all exchange between `places` nodes of a ring (`cycle`) or line,
 * with one lightpath for each pair (docs/reference/bounds.md, "One stage"). */
static inline uint64_t exchange_wavelengths(uint64_t places, bool cycle)
{
    return cycle ? ceil_div(places * places / 4, 2) : places * places / 4;
}
