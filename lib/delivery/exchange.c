/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "delivery/exchange.h"

void exchange_free(struct exchange *e)
{
    free_all(e->src, e->dst, e->blocks, e->first, e->run);
    *e = (struct exchange){0};
}

void exchange_clear(struct exchange *e)
{
    e->count = e->runs = 0;
}

rwa_status exchange_add(struct exchange *e, uint32_t src, uint32_t dst, uint64_t blocks, rwa_error *err)
{
    assert(src != dst && blocks > 0);
    MUST(base_reserve(e->src, e->count + 1, err));
    MUST(base_reserve(e->dst, e->count + 1, err));
    MUST(base_reserve(e->blocks, e->count + 1, err));
    MUST(base_reserve(e->first, e->count + 2, err));
    e->src[e->count] = src;
    e->dst[e->count] = dst;
    e->blocks[e->count] = blocks;
    e->first[e->count] = e->first[e->count + 1] = e->runs;
    e->count++;
    return RWA_OK;
}

bool run_extend(rwa_run *run, const rwa_run *next)
{
    uint32_t stride = run->count > 1 ? run->stride : next->count > 1 ? next->stride : next->first - run->first;
    bool rises = next->first > run->first && next->first == run->first + (uint64_t)run->count * stride;
    if (!rises || (next->count > 1 && next->stride != stride))
        return false;
    run->stride = stride;
    run->count += next->count;
    return true;
}

uint32_t run_append(rwa_run *run, uint32_t runs, rwa_run next)
{
    if (runs == 0 || !run_extend(&run[runs - 1], &next))
        run[runs++] = next;
    return runs;
}

rwa_status exchange_run(struct exchange *e, rwa_run run, rwa_error *err)
{
    assert(e->count > 0 && run.count > 0);
    if (e->runs > e->first[e->count - 1] && run_extend(&e->run[e->runs - 1], &run))
        return RWA_OK;
    MUST(base_append(e->run, e->runs, err, run));
    e->first[e->count] = e->runs;
    return RWA_OK;
}

/** Return the run of the blocks of `run` that follow its first `from` blocks, at most `most` of them.  from <
 * run->count, most > 0. */
static rwa_run run_part(const rwa_run *run, uint32_t from, uint64_t most)
{
    rwa_run part = {run->first + from * run->stride, run->count - from, run->stride};
    assert(from < run->count && most > 0);
    part.count = part.count < most ? part.count : (uint32_t)most;
    part.stride = part.count > 1 ? part.stride : 1;
    return part;
}

uint32_t exchange_slice(rwa_run *out, const struct exchange *e, size_t i, uint64_t from, uint64_t count)
{
    uint32_t runs = 0;
    for (size_t r = e->first[i]; r < e->first[i + 1] && count > 0; r++) {
        if (from >= e->run[r].count) {
            from -= e->run[r].count;
            continue;
        }
        out[runs] = run_part(&e->run[r], (uint32_t)from, count);
        from = 0;
        count -= out[runs++].count;
    }
    assert(count == 0);
    return runs;
}

#ifndef NDEBUG
void exchange_check(const struct exchange *e)
{
    for (size_t i = 0; i < e->count; i++) {
        uint64_t sum = 0;
        for (size_t r = e->first[i]; r < e->first[i + 1]; r++)
            sum += e->run[r].count;
        assert(e->src[i] != e->dst[i] && (sum == e->blocks[i] || e->first[i] == e->first[i + 1]));
    }
}
#endif
