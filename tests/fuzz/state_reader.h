/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A state, by operations that the bytes of an input say. */
#ifndef FUZZ_STATE_READER_H
#define FUZZ_STATE_READER_H

/* ---- a state, by operations ---- */

struct fuzz_operation {
    unsigned char what, a, b, c;
};

/** Between two of nine nodes; on a flexible grid with a width, a guard, a routing, a policy, a protection and a
 *  rate. */
static inline void fuzz_request(rwa_request *request, const struct fuzz_operation *op, int wide)
{
    rwa_request_init(request, op->a % 9, op->b % 9);
    if (!wide)
        return;
    request->width = op->c / 8 % 12;
    request->guard = op->c / 96;
    request->routing = (rwa_routing)(op->a / 9 % 3);
    request->policy = (rwa_policy)(op->b / 9 % 7);
    request->protection = (rwa_protection)(op->what / 8 % 3);
    request->rate_bps = op->what / 24;
}

static inline void fuzz_operate(rwa_state *state, const struct fuzz_operation *op, int wide)
{
    rwa_request request;
    rwa_placed placed;
    rwa_obstacle obstacle;
    rwa_defragmentation moved;
    uint64_t id = rwa_state_next(state, RWA_NO_LIGHTPATH);
    for (unsigned i = 0; i < op->c % 8 && id != RWA_NO_LIGHTPATH; i++)
        id = rwa_state_next(state, id);
    fuzz_request(&request, op, wide);
    if (wide && op->what == 255)
        rwa_state_defragment(&moved, state, op->a, NULL);
    switch (op->what % 8) {
    case 0:
    case 1:
        rwa_state_add(&placed, state, &request, NULL);
        break;
    case 2:
        rwa_state_release(state, id, NULL);
        break;
    case 3:
        rwa_state_move(&placed, state, id, &request, NULL);
        break;
    case 4:
        rwa_state_fail_link(state, op->a % 25, NULL);
        break;
    case 5:
        rwa_state_repair_link(state, op->a % 25, NULL);
        break;
    case 6:
        rwa_state_undo(state, op->a % 4, NULL);
        break;
    default:
        rwa_state_try(&placed, state, &request, NULL);
        rwa_state_explain(&obstacle, state, &request, NULL);
        break;
    }
}

/** The lightpaths come up in another state as they are, failed links too. */
static inline void fuzz_state_again(const rwa_state *state, const rwa_assignment *result)
{
    rwa_state *again = NULL;
    FUZZ_EXPECT(rwa_state_create(&again, rwa_state_network(state), NULL, NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_state_import(again, result, NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_state_count(again) == rwa_state_count(state));
    rwa_state_free(again);
}

/** Its lightpaths never clash, and undoing all of it leaves nothing. */
static inline rwa_status fuzz_state_of(const char *path, uint32_t wavelengths, int wide, rwa_error *err)
{
    struct fuzz_operation op;
    rwa_network *net = NULL;
    rwa_network_options opts;
    rwa_state *state = NULL;
    rwa_assignment *result = NULL;
    rwa_check_report check;
    FILE *file = fopen(path, "rb");
    FUZZ_EXPECT(file);
    rwa_network_options_init(&opts);
    opts.wavelengths = wavelengths;
    opts.slot_hz = wide ? RWA_SLOT_HZ : 0;
    FUZZ_EXPECT(rwa_network_parse(&net, "mesh:3x3", &opts, NULL) == RWA_OK);
    FUZZ_EXPECT(rwa_state_create(&state, net, NULL, NULL) == RWA_OK);
    while (fread(&op, sizeof op, 1, file) == 1)
        fuzz_operate(state, &op, wide);
    fclose(file);
    rwa_status st = RWA_OK;
    if (rwa_state_count(state) > 0 && (st = rwa_state_export(&result, state, err)) == RWA_OK) {
        FUZZ_EXPECT(report_assignment(&check, result, NULL, NULL) == RWA_OK);
        FUZZ_EXPECT(check.ok);
        fuzz_state_again(state, result);
    }
    if (rwa_state_rollback(state, 0, NULL) == RWA_OK) {
        FUZZ_EXPECT(rwa_state_count(state) == 0);
        for (uint32_t l = 0; l < rwa_network_links(net); l++)
            FUZZ_EXPECT(rwa_state_free_channels(state, l) == wavelengths && !rwa_state_is_failed(state, l));
    }
    rwa_assignment_free(result);
    rwa_state_free(state);
    rwa_network_free(net);
    return st;
}

static inline rwa_status fuzz_state(const char *path, rwa_error *err)
{
    return fuzz_state_of(path, 2, 0, err);
}

static inline rwa_status fuzz_state_wide(const char *path, rwa_error *err)
{
    return fuzz_state_of(path, 70, 1, err);
}

#endif
