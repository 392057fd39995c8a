// SPDX-License-Identifier: GPL-3.0-or-later
// Print the blocks that one node of a ring sends and receives, step by step, from a plan that the program checks again.
// Usage: settings NODES WAVELENGTHS NODE
#include <rwa.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>

// The library's objects, freed when they go out of sight.
template <auto Free> struct Freed {
    template <class T> void operator()(T *object) const { Free(object); }
};
using Network = std::unique_ptr<rwa_network, Freed<rwa_network_free>>;
using Check = std::unique_ptr<rwa_check, Freed<rwa_check_free>>;
using Schedule = std::unique_ptr<rwa_schedule, Freed<rwa_schedule_free>>;
using Plan = std::unique_ptr<rwa_plan, Freed<rwa_plan_free>>;

static void must(rwa_status status, const rwa_error &err)
{
    if (status != RWA_OK)
        throw std::runtime_error(err.text);
}

static Network make_ring(std::uint32_t nodes, std::uint32_t wavelengths)
{
    rwa_error err{};
    rwa_network *net = nullptr;
    rwa_network_options opts;
    rwa_network_options_init(&opts);
    opts.wavelengths = wavelengths;
    must(rwa_network_create(&net, RWA_RING, nodes, &opts, &err), err);
    return Network(net);
}

static Plan plan_all_gather(const rwa_network *net)
{
    rwa_error err{};
    rwa_plan *plan = nullptr;
    rwa_collective gather;
    must(rwa_collective_init(&gather, RWA_ALL_GATHER, rwa_network_nodes(net), 0, 1 << 20, 0, &err), err);
    must(rwa_plan_make(&plan, net, &gather, nullptr, &err), err);
    return Plan(plan);
}

static void check_again(const rwa_schedule *sched)
{
    rwa_error err{};
    rwa_check *check = nullptr;
    must(rwa_check_schedule(&check, sched, nullptr, &err), err);
    Check owner(check);
    const rwa_check_report &verdict = *rwa_check_summary(check);
    if (!verdict.ok)
        throw std::runtime_error(verdict.first[0].text);
    std::cout << verdict.steps << " steps, " << rwa_schedule_collective(sched)->blocks << " blocks, checked\n";
}

// A copy with every orbit written out, so that each record is one lightpath.
static Schedule expand(const rwa_schedule *sched)
{
    rwa_error err{};
    rwa_schedule *expanded = nullptr;
    must(rwa_schedule_expand(&expanded, sched, &err), err);
    return Schedule(expanded);
}

static void print_setting(const rwa_lightpath &path, std::uint32_t node, std::uint32_t block)
{
    bool sends = path.src == node;
    std::cout << "step " << path.step << (sends ? " send" : " receive") << " block " << block
              << (sends ? " to " : " from ") << (sends ? path.dst : path.src)
              << (path.direction == RWA_CW ? " cw" : " ccw") << " wavelength " << path.wavelength << '\n';
}

// All blocks of lightpath i: as many as stand in its runs.
static void print_lightpath(const rwa_schedule *sched, std::uint64_t i, const rwa_lightpath &path, std::uint32_t node)
{
    rwa_lists lists;
    rwa_run one;
    std::uint32_t count;
    rwa_schedule_lists(&lists, sched, i);
    const rwa_run *runs;
    count = rwa_lists_runs(&runs, &one, &path, &lists);
    for (const rwa_run *run = runs; run < runs + count; run++)
        for (std::uint32_t k = 0; k < run->count; k++)
            print_setting(path, node, run->first + k * run->stride);
}

static void print_node(const rwa_schedule *sched, std::uint32_t node)
{
    for (std::uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath path;
        rwa_schedule_get(&path, sched, i);
        if (path.src == node || path.dst == node)
            print_lightpath(sched, i, path, node);
    }
}

int main(int argc, char **argv)
try {
    if (argc != 4)
        throw std::runtime_error("usage: settings NODES WAVELENGTHS NODE");
    auto number = [&](int i) { return static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10)); };
    Network net = make_ring(number(1), number(2));
    Plan plan = plan_all_gather(net.get());
    const rwa_schedule *sched = rwa_plan_schedule(plan.get());
    if (sched == nullptr)
        throw std::runtime_error(rwa_plan_summary(plan.get())->why);
    check_again(sched);
    print_node(expand(sched).get(), number(3));
} catch (const std::exception &reason) {
    std::cerr << "settings: " << reason.what() << '\n';
    return 2;
}
