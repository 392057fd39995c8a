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

static void print_setting(const rwa_lightpath &path, std::uint32_t node)
{
    bool sends = path.src == node;
    std::cout << "step " << path.step << (sends ? " send" : " receive") << " block " << path.block
              << (sends ? " to " : " from ") << (sends ? path.dst : path.src) << (path.direction == RWA_CW ? " cw" : " ccw")
              << " wavelength " << path.wavelength << '\n';
}

static void print_node(const rwa_schedule *sched, std::uint32_t node)
{
    for (std::uint64_t i = 0; i < rwa_schedule_records(sched); i++) {
        rwa_lightpath record, path;
        rwa_schedule_get(&record, sched, i);
        for (std::uint32_t turn = 0; turn < record.orbit; turn++) {
            rwa_lightpath_of_orbit(&path, &record, turn, rwa_schedule_network(sched), rwa_schedule_collective(sched));
            if (path.src == node || path.dst == node)
                print_setting(path, node);
        }
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
    print_node(sched, number(3));
} catch (const std::exception &reason) {
    std::cerr << "settings: " << reason.what() << '\n';
    return 2;
}
