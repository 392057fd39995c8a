/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of an all-gather by every scheme that can, for growing rings, as CSV.  Usage: sweep WAVELENGTHS LARGEST-RING */
#include <inttypes.h>
#include <rwa.h>
#include <stdio.h>
#include <stdlib.h>

static void print_row(uint32_t nodes, const rwa_comparison *row)
{
    if (row->outcome == RWA_INFEASIBLE)
        return;     /* row->why says why there is no such schedule */
    printf("%" PRIu32 ",%s,%" PRIu32 ",%" PRIu64 ",%" PRIu32 "\n", nodes, row->scheme, row->steps, row->bound.value,
           row->longest_hops);
}

static rwa_status compare_on_ring(uint32_t nodes, uint32_t wavelengths, rwa_error *err)
{
    rwa_network_options opts;
    rwa_network *net = NULL;
    rwa_collective gather;
    rwa_network_options_init(&opts);
    opts.wavelengths = wavelengths;
    rwa_status st = rwa_network_create(&net, RWA_RING, nodes, &opts, err);
    if (st == RWA_OK)
        st = rwa_collective_init(&gather, RWA_ALL_GATHER, nodes, 0, 1 << 20, 0, err);
    for (size_t i = 0; st == RWA_OK && rwa_scheme_name(i) != NULL; i++) {
        rwa_comparison row;
        if (!rwa_scheme_fits(i, net, RWA_ALL_GATHER))
            continue;
        st = rwa_compare_scheme(&row, rwa_scheme_name(i), net, &gather, NULL, err);
        if (st == RWA_OK)
            print_row(nodes, &row);
    }
    rwa_network_free(net);
    return st;
}

int main(int argc, char **argv)
{
    rwa_error err = {0};
    rwa_status st = RWA_OK;
    if (argc != 3)
        return fputs("usage: sweep WAVELENGTHS LARGEST-RING\n", stderr), 2;
    uint32_t wavelengths = (uint32_t)strtoul(argv[1], NULL, 10), largest = (uint32_t)strtoul(argv[2], NULL, 10);
    puts("nodes,scheme,steps,lower bound,longest lightpath");
    for (uint32_t nodes = 8; st == RWA_OK && nodes <= largest; nodes *= 2)
        st = compare_on_ring(nodes, wavelengths, &err);
    if (st != RWA_OK)
        fprintf(stderr, "sweep: %s\n", err.text);
    return st == RWA_OK ? 0 : 2;
}
