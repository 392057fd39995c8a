/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A controller of single lightpaths: it sets them up one by one until one is blocked, asks why and does what would
 * help; then a link fails and it restores what is hit; in the end it takes all of that back and writes down what is up.
 * Usage: lightpaths NETWORK WAVELENGTHS LINK FILE, as in: lightpaths nsfnet14-21 8 17 occupancy.jsonl */
#include <rwa.h>
#include <stdio.h>
#include <stdlib.h>

static int demand(rwa_status st, const rwa_error *err)
{
    if (st != RWA_OK)
        fprintf(stderr, "lightpaths: %s\n", err->text);
    return st == RWA_OK;
}

static rwa_status open_state(rwa_state **state, const char *network, const char *wavelengths, rwa_error *err)
{
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_network_options_init(&opts);
    opts.wavelengths = (uint32_t)strtoul(wavelengths, NULL, 10);
    rwa_status st = rwa_network_open(&net, network, &opts, err);
    if (st == RWA_OK)
        st = rwa_state_create(state, net, NULL, err);   /* it keeps a copy of the network */
    rwa_network_free(net);
    return st;
}

/* From every node to the next but i, i = 1, 2, ..., until one is blocked; that request is left in *blocked. */
static rwa_status fill(rwa_state *state, rwa_request *blocked, rwa_error *err)
{
    uint32_t nodes = rwa_network_nodes(rwa_state_network(state));
    rwa_placed placed = {.hops = 1};
    rwa_status st = RWA_OK;
    for (uint32_t n = 0; placed.hops > 0 && st == RWA_OK; n++) {
        rwa_request_init(blocked, n % nodes, (n % nodes + 1 + n / nodes % (nodes - 1)) % nodes);
        st = rwa_state_add(&placed, state, blocked, err);
    }
    return st;
}

/* Another route for the request itself, or another wavelength for the lightpath in its way. */
static rwa_status help(rwa_state *state, rwa_request request, const rwa_obstacle *why, rwa_error *err)
{
    rwa_placed placed;
    rwa_status st = RWA_OK;
    if (why->remedy == RWA_REMEDY_ROUTE) {
        request.links = why->links;
        request.hops = why->hops;
        request.fiber = why->fiber;
        request.wavelength = why->wavelength;
    } else if (why->remedy == RWA_REMEDY_MOVE) {
        rwa_request move;
        rwa_state_get(&placed, state, why->id);
        rwa_request_init(&move, placed.src, placed.dst);
        move.links = placed.links;
        move.hops = placed.hops;
        move.fiber = why->fiber;
        move.wavelength = why->wavelength;
        st = rwa_state_move(&placed, state, why->id, &move, err);
    }
    if (st == RWA_OK)
        st = rwa_state_add(&placed, state, &request, err);
    if (st == RWA_OK)
        printf(placed.hops > 0 ? "done: %u hops on wavelength %u\n" : "still blocked\n", (unsigned)placed.hops,
               (unsigned)placed.wavelength);
    return st;
}

/* New routes for the lightpaths across failed links; they keep their ids. */
static rwa_status restore(rwa_state *state, rwa_error *err)
{
    rwa_restoration found;
    rwa_status st = rwa_state_restore(&found, state, RWA_RESTORE_MOST_TRAFFIC, NULL, err);
    printf("%u lightpaths hit, %u of them restored by %u moves\n", (unsigned)found.down, (unsigned)found.restored,
           (unsigned)found.moves);
    return st;
}

int main(int argc, char **argv)
{
    rwa_state *state = NULL;
    rwa_request request;
    rwa_obstacle why;
    rwa_error err = {0};
    if (argc != 5)
        return fputs("usage: lightpaths NETWORK WAVELENGTHS LINK FILE\n", stderr), 2;
    int ok = demand(open_state(&state, argv[1], argv[2], &err), &err) && demand(fill(state, &request, &err), &err);
    uint64_t mark = ok ? rwa_state_mark(state) : 0;
    if (ok && demand(rwa_state_explain(&why, state, &request, &err), &err)) {
        printf("%u lightpaths up\nblocked: %s\n", (unsigned)rwa_state_count(state), why.text);
        ok = demand(help(state, request, &why, &err), &err) &&
             demand(rwa_state_fail(state, RWA_FAILURE_LINK, (uint32_t)strtoul(argv[3], NULL, 10), &err), &err) &&
             demand(restore(state, &err), &err) && demand(rwa_state_rollback(state, mark, &err), &err) &&
             demand(rwa_state_write(state, argv[4], &err), &err);
    }
    if (ok)
        printf("all of that undone: %u lightpaths up\n", (unsigned)rwa_state_count(state));
    rwa_state_free(state);
    return ok ? 0 : 2;
}
