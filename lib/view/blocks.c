/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Writes the blocks of a lightpath in words and for a page. */
#include "schedule/schedule.h"
#include "view/view.h"

#include "base/memory.h"

/** The most ranges that are named in words; further ones are left out. */
enum { RANGES_NAMED = 4 };

/** Return the blocks that a lightpath carries in ascending order; the caller frees the list.  If memory runs out,
 *  return NULL and note the failure in t. */
static uint64_t *list_blocks(size_t *count, struct text *t, const struct walk *w)
{
    *count = w->lists.block_count > 0 ? w->lists.block_count : 1;
    uint64_t *list = base_array(*count, sizeof *list, t->err);
    size_t at = 0;
    if (!list) {
        t->status = RWA_NOMEM;
        return NULL;
    }
    for (struct carried c = {0}; walk_next_block(&c, w);)
        list[at++] = c.block;
    assert(at == *count);
    qsort(list, *count, sizeof *list, order_uint64);
    return list;
}

/** Return the end of the range of consecutive numbers that begins at list[from]: the index after its last number. */
static size_t range_end(const uint64_t *list, size_t count, size_t from)
{
    size_t end = from + 1;
    while (end < count && list[end] == list[end - 1] + 1)
        end++;
    return end;
}

void view_name_blocks(struct text *t, const struct walk *w)
{
    size_t count = 0, ranges = 0;
    uint64_t *list = list_blocks(&count, t, w);
    if (!list)
        return;
    text_add(t, "block%s ", plural(count));
    for (size_t i = 0, end; i < count && ranges < RANGES_NAMED; i = end, ranges++) {
        end = range_end(list, count, i);
        text_add(t, "%s%" PRIu64, i > 0 ? ", " : "", list[i]);
        if (end - i > 1)
            text_add(t, "-%" PRIu64, list[end - 1]);
        if (ranges + 1 == RANGES_NAMED && end < count)
            text_add(t, " and %zu more", count - end);
    }
    free(list);
}

void view_add_blocks(struct text *t, const struct walk *w)
{
    size_t count = 0;
    uint64_t *list = list_blocks(&count, t, w);
    text_add(t, "[");
    for (size_t i = 0, end; list && i < count; i = end) {
        end = range_end(list, count, i);
        text_add(t, "[%" PRIu64 ",%" PRIu64 "],", list[i], list[end - 1]);
    }
    text_add(t, "]");
    free(list);
}
