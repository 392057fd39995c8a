/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Finds the earlier operations that a send or receive must wait for, from the last accesses to its blocks. */
#include "foreign/program/accesses.h"

/** The accesses to a block at a node. */
struct block_access {
    uint32_t written;       /* the operation that wrote it last; ACCESS_NONE: none, the node has it from the start */
    uint32_t last_read;     /* the latest read since then: its index in `reads` */
};

struct block_read {
    uint32_t by, before;
};

struct accesses {
    const struct messages *p;
    struct block_access *cells;             /* [node][block] */
    struct block_read *reads;
    size_t read_count;
    struct awaits awaits;
    access_writer write;
    void *data;
    rwa_error *err;
};

static rwa_status await(struct accesses *a, uint32_t operation)
{
    return operation == ACCESS_NONE
               ? RWA_OK
               : base_append(a->awaits.list, a->awaits.count, a->err, operation);
}

/** Set a->awaits to the operations that an access to the `count` blocks from c on must wait for.  These are the last
 *  write of each block and, if the access `writes`, also all reads of the block since that write. */
static rwa_status find_awaits(struct accesses *a, const struct block_access *c, uint32_t count, bool writes)
{
    a->awaits.count = 0;
    for (; count > 0; c++, count--) {
        MUST(await(a, c->written));
        for (uint32_t read = c->last_read; writes && read != ACCESS_NONE; read = a->reads[read].before)
            MUST(await(a, a->reads[read].by));
    }
    a->awaits.count = base_sort_unique(a->awaits.list, a->awaits.count, sizeof *a->awaits.list, order_uint32);
    return RWA_OK;
}

static rwa_status access_blocks(struct accesses *a, uint32_t number, bool receives)
{
    const struct message *m = &a->p->list[number];
    struct block_access *cells = &a->cells[(receives ? m->dst : m->src) * a->p->blocks + m->first];
    uint32_t operation = ACCESS_NONE;
    assert(m->first + m->count <= a->p->blocks);
    MUST(find_awaits(a, cells, m->count, receives));
    MUST(a->write(a->data, number, receives, &a->awaits, &operation));
    for (uint32_t k = 0; k < m->count; k++)
        if (receives) {
            cells[k] = (struct block_access){operation, ACCESS_NONE};
        } else if (a->p->reduction) { /* otherwise a write does not change the value */
            MUST(base_append(a->reads, a->read_count, a->err,
                             (struct block_read){operation, cells[k].last_read}));
            cells[k].last_read = (uint32_t)a->read_count - 1;
        }
    return RWA_OK;
}

rwa_status accesses_walk(const struct messages *p, access_writer write, void *data)
{
    struct accesses a = {.p = p, .write = write, .data = data, .err = p->r->err};
    size_t cells = (size_t)(p->nodes * p->blocks);
    rwa_status st = RWA_OK;
    TRY(base_fits_memory((double)cells * sizeof *a.cells, "this program", a.err));
    TRY(arena_arrays(&p->r->memory, cells, a.cells));
    for (size_t i = 0; i < cells; i++)
        a.cells[i] = (struct block_access){ACCESS_NONE, ACCESS_NONE};
    for (uint32_t from = 0, to; from < p->count; from = to) {
        for (to = from; to < p->count && p->list[to].group == p->list[from].group; to++)
            TRY(access_blocks(&a, to, false));
        for (uint32_t i = from; i < to; i++)
            TRY(access_blocks(&a, i, true));
    }
done:
    free_all(a.reads, a.awaits.list);
    return st;
}
