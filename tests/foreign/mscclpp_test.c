/* SPDX-License-Identifier: GPL-3.0-or-later */
/** MSCCL++ execution plans carried out by a model of the executor: thread blocks, one-sided writes, signals counted by
 *  pair, barriers. */
#include "tests/support/folder.h"
#include "tests/support/plans.h"
#include "tests/support/programs.h"

#include <jansson.h>

static int read_back;

enum { GPUS = 24, CHUNKS = 512, WORKERS = 24, OPERATIONS_MOST = 64, CHANNELS_MOST = 16 };


static struct machine {
    json_t *root;
    int gpus, chunks, reduction;
    size_t at[GPUS][WORKERS];
    int waiting[GPUS];                  /* thread blocks at the barrier */
    bool stands[GPUS][WORKERS];
    int signals[GPUS][GPUS];            /* from, to: not yet waited for */
    chunk memory[GPUS][2][CHUNKS];      /* input or output; scratch */
} m;

static int number(const json_t *object, const char *name)
{
    CU_ASSERT_FATAL(json_is_integer(json_object_get(object, name)));
    return (int)json_integer_value(json_object_get(object, name));
}

static json_t *list(const json_t *object, const char *name)
{
    return json_object_get(object, name);
}

static json_t *gpu_at(int g)
{
    return json_array_get(list(m.root, "gpus"), (size_t)g);
}

static json_t *worker_at(int g, int k)
{
    return json_array_get(list(gpu_at(g), "threadblocks"), (size_t)k);
}

/** The peer of a channel of a thread block. */
static int peer_of(int g, int k, const json_t *channel)
{
    const json_t *ids = list(json_array_get(list(worker_at(g, k), "channels"), 0), "channel_ids");
    const json_t *id = json_array_get(ids, (size_t)json_integer_value(channel));
    const json_t *peers = list(json_array_get(list(gpu_at(g), "channels"), 0), "connected_to");
    CU_ASSERT_FATAL(json_is_integer(id));
    return (int)json_integer_value(json_array_get(peers, (size_t)json_integer_value(id)));
}

static chunk *place(int g, int k, const json_t *buffer)
{
    const char *type = json_string_value(list(buffer, "type"));
    int index = number(buffer, "index"), size = number(buffer, "size"), owner = g;
    if (list(buffer, "buffer_id")) {
        const json_t *refs = list(json_array_get(list(worker_at(g, k), "remote_buffer_refs"), 0), "remote_buffer_ids");
        const json_t *id = json_array_get(refs, (size_t)number(buffer, "buffer_id"));
        CU_ASSERT_FATAL(json_is_integer(id));
        const json_t *remote = json_array_get(list(gpu_at(g), "remote_buffers"), (size_t)json_integer_value(id));
        owner = number(remote, "rank");
        type = json_string_value(list(remote, "type"));
    }
    int scratch = type[0] == 's';
    CU_ASSERT_FATAL(index >= 0 && size > 0 &&
                    index + size <= (scratch ? number(gpu_at(owner), "scratch_chunks") : m.chunks));
    return &m.memory[owner][scratch][index];
}

/** Every channel of the operation gives or takes a signal; false: one has to come first. */
static bool exchange(int g, int k, const json_t *op, bool waits)
{
    const json_t *channel;
    size_t i;
    CU_ASSERT(json_array_size(list(op, "channel_ids")) <= 8);
    json_array_foreach(list(op, "channel_ids"), i, channel)
        if (waits && m.signals[peer_of(g, k, channel)][g] == 0)
            return false;
    json_array_foreach(list(op, "channel_ids"), i, channel) {
        if (waits)
            m.signals[peer_of(g, k, channel)][g]--;
        else
            m.signals[g][peer_of(g, k, channel)]++;
    }
    return true;
}

static void move_chunks(int g, int k, const json_t *op, bool adds)
{
    const json_t *from = json_array_get(list(op, "src_buff"), adds ? 1 : 0),
                 *to = json_array_get(list(op, "dst_buff"), 0);
    chunk *source = place(g, k, from), *target = place(g, k, to);
    int size = number(from, "size");
    CU_ASSERT_EQUAL(size, number(to, "size"));
    for (int c = 0; c < size; c++)
        for (int i = 0; i < m.gpus; i++)
            target[c][i] = (unsigned char)(source[c][i] + (adds ? target[c][i] : 0));
}

static int workers_of(int g)
{
    return (int)json_array_size(list(gpu_at(g), "threadblocks"));
}

/** At a barrier a thread block stands until all have come. */
static bool meet(int g, int k, const json_t *op)
{
    int all = workers_of(g);
    CU_ASSERT_EQUAL(number(op, "num_threadblocks"), all);
    if (!m.stands[g][k]) {
        m.stands[g][k] = true;
        m.waiting[g]++;
    }
    if (m.waiting[g] < all)
        return false;
    for (int i = 0; i < all; i++) {
        m.stands[g][i] = false;
        m.at[g][i]++;
    }
    m.waiting[g] = 0;
    return true;
}

static bool run(int g, int k)
{
    const json_t *op = json_array_get(list(worker_at(g, k), "ops"), m.at[g][k]);
    const char *name = json_string_value(list(op, "name"));
    if (!op)
        return false;
    if (strcmp(name, "barrier") == 0)
        return meet(g, k, op);
    if (strcmp(name, "signal") == 0 || strcmp(name, "wait") == 0) {
        if (!exchange(g, k, op, name[0] == 'w'))
            return false;
    } else if (strcmp(name, "put") == 0 || strcmp(name, "copy") == 0 || strcmp(name, "re") == 0) {
        move_chunks(g, k, op, name[0] == 'r');
    } else {
        CU_ASSERT_STRING_EQUAL(name, "nop");
    }
    m.at[g][k]++;
    return true;
}

static void start(void)
{
    json_error_t why;
    memset(&m, 0, sizeof m);
    m.root = json_load_file(in_dir("p.json"), 0, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m.root);
    m.gpus = (int)json_array_size(list(m.root, "gpus"));
    m.chunks = number(gpu_at(0), "output_chunks");
    m.reduction = strcmp(json_string_value(list(m.root, "collective")), "allreduce") == 0;
    CU_ASSERT_FATAL(m.gpus <= GPUS && m.chunks <= CHUNKS);
    for (int g = 0; g < m.gpus; g++) {
        const json_t *worker;
        size_t k;
        CU_ASSERT(workers_of(g) <= WORKERS && number(gpu_at(g), "scratch_chunks") <= CHUNKS);
        json_array_foreach(list(gpu_at(g), "threadblocks"), k, worker) {
            CU_ASSERT(json_array_size(list(worker, "ops")) <= OPERATIONS_MOST);
            CU_ASSERT(json_array_size(list(json_array_get(list(worker, "channels"), 0), "channel_ids")) <=
                      CHANNELS_MOST);
        }
        for (int c = 0; c < m.chunks; c++)
            m.memory[g][0][c][g] = has_at_first(g, c, m.gpus, m.chunks, m.reduction);
    }
}

static bool ends_right(void)
{
    bool right = true;
    for (int g = 0; g < m.gpus; g++) {
        for (int k = 0; k < workers_of(g); k++)
            right = right && m.at[g][k] == json_array_size(list(worker_at(g, k), "ops"));
        right = right && is_complete(m.memory[g][0], m.gpus, m.chunks, m.reduction);
    }
    return right;
}

/** Read by librwa it is a right schedule again; with so many wavelengths no step has to be cut. */
static void come_back(struct request r)
{
    rwa_schedule *sched = NULL;
    rwa_import found;
    rwa_error err = {0};
    r.network.wavelengths = 256;
    const rwa_network *wide = request_network(r);
    if (is_one_hop(&r))
        return; /* no routes to choose: not imported */
    OK(rwa_schedule_import(&sched, &found, in_dir("p.json"), wide, NULL, &err));
    if (!sched)
        printf("%s\n", err.text);
    if (sched) {
        CU_ASSERT_STRING_EQUAL(found.format, "mscclpp");
        CU_ASSERT_EQUAL(rwa_schedule_collective(sched)->kind, r.kind);
        expect_right(keep_schedule(sched));
        read_back++;
    }
}

static bool try(struct request r)
{
    const struct program p = {
        "mscclpp", in_dir("p.json"), {"at most 64 (and 16 channels)", "as many of each node"}, CHUNKS};
    if (!program_make(&p, r))
        return false;
    come_back(r);
    for (int order = 0; order < 4; order++) {
        start();
        run_in_order(order, m.gpus, workers_of, run);
        CU_ASSERT(ends_right());
        json_decref(m.root);
    }
    return true;
}

static void plans_of_every_scheme_end_and_are_right(void)
{
    static const char *const networks[] = {"ring:8 w=4",      "ring:20 w=4", "line:6 w=4",  "torus:4x4 w=4",
                                           "hypercube:4 w=4", "star:12 w=4", "ocs:8x2 w=4", "circulant:12:1,3 w=4"};
    int tried = 0;
    for (size_t n = 0; n < COUNT(networks); n++)
        tried += programs_of_every_scheme(networks[n], try);
    CU_ASSERT(tried > 40);
    CU_ASSERT(read_back > 30);
    printf("%d plans, %d read back ", tried, read_back);
}

TESTS_IN_FOLDER("mscclpp", plans_of_every_scheme_end_and_are_right)
