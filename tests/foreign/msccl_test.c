/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * MSCCL programs run by a model of the runtimes: thread blocks in order, a queue of one message for each pair and
 * channel, dependencies on other thread blocks.  In every order of turns all of them end, and every node has every
 * chunk.
 */
#include "tests/support/folder.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"


enum { GPUS = GPUS_MOST, CHUNKS = 1024, BLOCKS = 256, STEPS = 256, CHANNELS = 32, PEERS = 32, COUNT = 72 };

struct step {
    char type[5], source_buffer, target_buffer;
    int from, to, count, depid, deps, awaited;
};

struct block {
    int send, receive, channel, steps, at;
    struct step step[STEPS];
};


struct message {
    bool full;
    char buffer;
    int offset, count;
    chunk chunks[COUNT];
};

struct machine {
    int gpus, chunks, inplace, channels, blocks[GPUS];
    long long most_bytes;
    struct block block[GPUS][BLOCKS];
    chunk in[GPUS][CHUNKS], out[GPUS][CHUNKS];
    struct message queue[GPUS][GPUS][CHANNELS];
};

static struct machine m;
static int fused;   /* receives that are passed on, as one step */

static void load_step(struct block *tb, const char *line)
{
    struct step s;
    int at;
    static const char *const form =
        " <step s=\"%d\" type=\"%4[a-z]\" srcbuf=\"%c\" srcoff=\"%d\" dstbuf=\"%c\" dstoff=\"%d\" "
        "cnt=\"%d\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"";
    CU_ASSERT_EQUAL_FATAL(sscanf(line, form, &at, s.type, &s.source_buffer, &s.from, &s.target_buffer, &s.to, &s.count,
                                 &s.depid, &s.deps, &s.awaited),
                          10);
    CU_ASSERT_FATAL(at == tb->steps && at < STEPS && s.count < COUNT);
    tb->step[tb->steps++] = s;
    fused += strcmp(s.type, "rcs") == 0 || strcmp(s.type, "rrcs") == 0;
}

/** Clear what the last program used; the whole machine has 200 MB. */
static void clear(void)
{
    for (int g = 0; g < m.gpus; g++) {
        memset(m.in[g], 0, (size_t)m.chunks * sizeof m.in[g][0]);
        memset(m.out[g], 0, (size_t)m.chunks * sizeof m.out[g][0]);
        for (int to = 0; to < m.gpus; to++)
            for (int c = 0; c < m.channels; c++)
                m.queue[g][to][c].full = false;
        m.blocks[g] = 0;
    }
}

static void load(void)
{
    char *text = text_of(in_dir("p.xml"));
    int gpu = -1;
    clear();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int id, send, receive, channel;
        const char *bytes = strstr(line, "maxBytes=\"");
        if (strstr(line, "<algo")) {
            m.inplace = strstr(line, "inplace=\"1\" outofplace") != NULL;
            CU_ASSERT_EQUAL_FATAL(sscanf(strstr(line, "nchannels="),
                                         "nchannels=\"%d\" nchunksperloop=\"%d\" ngpus=\"%d\"", &m.channels, &m.chunks,
                                         &m.gpus),
                                  3);
            CU_ASSERT(m.gpus <= GPUS && m.chunks <= CHUNKS && m.channels <= CHANNELS);
            m.most_bytes = atoll(bytes + strlen("maxBytes=\""));
        } else if (sscanf(line, " <gpu id=\"%d\"", &id) == 1) {
            gpu = id;
        } else if (sscanf(line, " <tb id=\"%d\" send=\"%d\" recv=\"%d\" chan=\"%d\"", &id, &send, &receive, &channel) ==
                   4) {
            CU_ASSERT_FATAL(id == m.blocks[gpu] && id < BLOCKS && channel < m.channels);
            m.block[gpu][m.blocks[gpu]++] = (struct block){.send = send, .receive = receive, .channel = channel};
        } else if (strstr(line, "<step")) {
            load_step(&m.block[gpu][m.blocks[gpu] - 1], line);
        }
    }
    free(text);
}

/* A pair and channel has one sender and one receiver; at most 32 of each on a channel of a node; awaited steps say so;
 * further dependencies stand in nops before an instruction that has one itself. */
static void expect_what_runtimes_demand(void)
{
    CU_ASSERT(m.most_bytes > 0);
    for (int g = 0; g < m.gpus; g++) {
        int senders[CHANNELS] = {0}, receivers[CHANNELS] = {0};
        bool sends[GPUS][CHANNELS] = {{false}}, receives[GPUS][CHANNELS] = {{false}};
        for (int b = 0; b < m.blocks[g]; b++) {
            const struct block *tb = &m.block[g][b];
            CU_ASSERT(tb->send != g && tb->receive != g);
            if (tb->send >= 0) {
                CU_ASSERT(!sends[tb->send][tb->channel] && ++senders[tb->channel] <= PEERS);
                sends[tb->send][tb->channel] = true;
            }
            if (tb->receive >= 0) {
                CU_ASSERT(!receives[tb->receive][tb->channel] && ++receivers[tb->channel] <= PEERS);
                receives[tb->receive][tb->channel] = true;
            }
            for (int k = 0; k < tb->steps; k++) {
                const struct step *s = &tb->step[k];
                bool waits = strcmp(s->type, "nop") == 0;
                CU_ASSERT(!waits || (k + 1 < tb->steps && tb->step[k + 1].depid >= 0));
                CU_ASSERT(waits || s->count > 0);
                if (s->depid >= 0)
                    CU_ASSERT(s->depid != b && s->deps < m.block[g][s->depid].steps &&
                              m.block[g][s->depid].step[s->deps].awaited);
            }
        }
    }
}

static chunk *place(int gpu, char buffer, int offset)
{
    return buffer == 'i' && !m.inplace ? &m.in[gpu][offset] : &m.out[gpu][offset];
}

static int blocks_of(int gpu)
{
    return m.blocks[gpu];
}

/** Run a step of a thread block if it can run now. */
static bool run(int gpu, int block)
{
    struct block *tb = &m.block[gpu][block];
    if (tb->at == tb->steps)
        return false;
    const struct step *s = &tb->step[tb->at];
    bool receives = s->type[0] == 'r', adds = strncmp(s->type, "rr", 2) == 0,
         sends = s->type[strlen(s->type) - 1] == 's';
    struct message *in = receives ? &m.queue[tb->receive][gpu][tb->channel] : NULL;
    struct message *out = sends ? &m.queue[gpu][tb->send][tb->channel] : NULL;
    if ((s->depid >= 0 && m.block[gpu][s->depid].at <= s->deps) || (in && !in->full) || (out && out->full))
        return false;
    if (strcmp(s->type, "cpy") == 0)
        memcpy(place(gpu, s->target_buffer, s->to), place(gpu, s->source_buffer, s->from),
               (size_t)s->count * sizeof(chunk));
    for (int k = 0; in && k < s->count; k++)
        for (int i = 0; i < m.gpus; i++)
            (*place(gpu, s->target_buffer, s->to + k))[i] =
                (unsigned char)(in->chunks[k][i] + (adds ? (*place(gpu, s->target_buffer, s->to + k))[i] : 0));
    if (in) { /* a receive names what its sender named */
        CU_ASSERT(in->buffer == s->source_buffer && in->offset == s->from && in->count == s->count);
        in->full = false;
    }
    if (out) {
        out->buffer = receives ? s->target_buffer : s->source_buffer;
        out->offset = receives ? s->to : s->from;
        out->count = s->count;
        memcpy(out->chunks, place(gpu, out->buffer, out->offset), (size_t)s->count * sizeof(chunk));
        out->full = true;
    }
    tb->at++;
    return true;
}


static bool carries_out_the_collective(void)
{
    bool right = true;
    for (int g = 0; g < m.gpus; g++) {
        for (int b = 0; b < m.blocks[g]; b++)
            right = right && m.block[g][b].at == m.block[g][b].steps;
        right = right && is_complete(m.out[g], m.gpus, m.chunks, m.inplace);
    }
    return right;
}

static void start(void)
{
    for (int g = 0; g < m.gpus; g++)
        for (int c = 0, own = 0; c < m.chunks; c++)
            if (has_at_first(g, c, m.gpus, m.chunks, m.inplace))
                (m.inplace ? m.out[g][c] : m.in[g][own++])[g] = 1;
}

/** Whether there was a plan and a program of it. */
static bool try(struct request r)
{
    if (!program_make(&(struct program){"msccl", in_dir("p.xml"), {"no runtime", "no runtime"}, CHUNKS}, r))
        return false;
    for (int order = 0; order < 3; order++) {
        load();
        if (order == 0)
            expect_what_runtimes_demand();
        start();
        run_in_order(order, m.gpus, blocks_of, run);
        CU_ASSERT(carries_out_the_collective());
        if (!carries_out_the_collective())
            printf("%s, order %d\n", r.line, order);
    }
    return true;
}

/* Every scheme that fits, on all kinds of networks. */
static void programs_of_every_scheme_end_and_are_right(void)
{
    static const char *const specs[] = {"ring:16",  "ring:13",     "ring:36", "line:9",  "torus:4x4",
                                        "mesh:3x4", "hypercube:4", "star:8",  "ocs:8x2", "circulant:12:1,3"};
    int tried = 0;
    for (size_t n = 0; n < COUNT(specs); n++)
        for (int w = 1; w <= 4; w += 3) {
            char network[32];
            snprintf(network, sizeof network, "%s w=%d", specs[n], w);
            tried += programs_of_every_scheme(network, try);
        }
    CU_ASSERT(tried > 60 && fused > 1000);
    printf("%d programs ", tried);
}

/* Several blocks of a node: messages of several chunks, and reductions in which they are cut differently. */
static void programs_of_several_blocks_are_right(void)
{
    static const struct { const char *spec; unsigned nodes; } networks[] = {{"ring:12", 12}, {"torus:3x4", 12},
                                                                            {"ring:36", 36}};
    static const char *const kinds[] = {"all-gather", "all-reduce"};
    int tried = 0;
    for (size_t i = 0; i < 2 * COUNT(networks); i++) {
        const char *spec = networks[i / 2].spec, *kind = kinds[i % 2];
        tried += try(request_of("%s w=2 bytes=65536 %s by compose", spec, kind));
        for (unsigned times = 2; times <= 4; times += 2) {
            tried += try(request_of("%s w=2 bytes=65536 blocks=%u %s", spec, times * networks[i / 2].nodes, kind));
            tried += try(request_of("%s w=2 bytes=65536 load=%u %s by wavefront", spec, times, kind));
        }
    }
    CU_ASSERT(tried >= 10);
    printf("%d programs ", tried);
}

/* A pair that exchanges more chunks than 32 channels of 256 steps carry: stripes of one chunk. */
static void what_no_runtime_takes_is_refused_by_name(void)
{
    enum { BLOCKS_MANY = 20000 };
    rwa_schedule *sched = empty_on("ring:2 w=1 bytes=1048576 blocks=%d", BLOCKS_MANY);
    rwa_error err = {0};
    for (uint32_t s = 1; s <= BLOCKS_MANY / 2; s++)
        for (uint32_t v = 0; v < 2; v++) {
            rwa_lightpath lp = {.step = s, .src = v, .dst = 1 - v, .orbit = 1, .direction = v ? RWA_CCW : RWA_CW,
                                .block = v * BLOCKS_MANY / 2 + (s * 7919 % (BLOCKS_MANY / 2))};
            OK(rwa_schedule_add(sched, &lp, NULL));
        }
    CU_ASSERT_EQUAL(rwa_schedule_export(sched, "msccl", in_dir("p.xml"), NULL, &err), RWA_BADARG);
    expect_part(err.text, "more than 256 steps to node 1");
}

TESTS_IN_FOLDER("msccl", programs_of_every_scheme_end_and_are_right, programs_of_several_blocks_are_right,
                what_no_runtime_takes_is_refused_by_name)
