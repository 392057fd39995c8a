/* SPDX-License-Identifier: GPL-3.0-or-later */
/** AFL++'s custom mutator for schedules: AFL_CUSTOM_MUTATOR_LIBRARY=schedule_mutator.so.  Records of another input join
 *  at times. */
#include "tests/support/schedule_mutator.h"

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, uint8_t *input, size_t size, uint8_t **out, uint8_t *other, size_t other_size,
                       size_t most);
void afl_custom_deinit(void *data);

struct mutator {
    uint64_t seed;
    size_t room;
    uint8_t *text;
};

void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl;
    struct mutator *m = calloc(1, sizeof *m);
    if (m)
        m->seed = seed;
    return m;
}

void afl_custom_deinit(void *data)
{
    struct mutator *m = data;
    free(m->text);
    free(m);
}

static bool make_room(struct mutator *m, size_t room)
{
    uint8_t *text = room > m->room ? realloc(m->text, room) : m->text;
    if (!text)
        return false;
    m->text = text;
    m->room = room > m->room ? room : m->room;
    return true;
}

/** The header of the input over the records of another file. */
static size_t join(struct mutator *m, size_t size, const uint8_t *other, size_t other_size, size_t most)
{
    struct draft_file f = {(char *)m->text, size, most, &m->seed};
    const uint8_t *body = memchr(other, '\n', other_size);
    size_t more = body ? other_size - (size_t)(body + 1 - other) : 0, head = draft_header(&f).to;
    if (more > 0 && head + more <= most) {
        memcpy(m->text + head, body + 1, more);
        size = head + more;
    }
    return size;
}

size_t afl_custom_fuzz(void *data, uint8_t *input, size_t size, uint8_t **out, uint8_t *other, size_t other_size,
                       size_t most)
{
    struct mutator *m = data;
    *out = input;
    if (size > most || !make_room(m, most))
        return size;
    memcpy(m->text, input, size);
    if (other && base_random_below(&m->seed, 16) == 0)
        size = join(m, size, other, other_size, most);
    *out = m->text;
    return mutate_schedule((char *)m->text, size, most, &m->seed);
}
