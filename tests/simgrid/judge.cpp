// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a schedule, simulated by SimGrid: every channel of every directed link is a link of its own, a lightpath is a
// communication over the channels of its route, and a step ends when all of its lightpaths have been received and converted.
// Two lightpaths on one channel share its bandwidth, so a clash takes longer and is seen.
//
// Usage: judge TABLE.csv BITS-PER-SECOND MODEL ALPHA RECONFIG        (seconds; models paper, circuit, overlap)
// TABLE is what rwa export --to csv writes; O/E/O conversion as by default: a cycle of 1 GHz for each flit of 32 bytes.
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

struct Lightpath {
    int step;
    double bytes;
    std::string circuit;                // what is set up: ends, route, fibre, wavelength
    std::vector<std::string> channels;
    sg4::Host *from, *to;
};

static std::vector<std::string> split(const std::string &line, char mark)
{
    std::vector<std::string> fields;
    std::stringstream in(line);
    for (std::string field; std::getline(in, field, mark);)
        fields.push_back(field);
    return fields;
}

static double number_in(const std::string &header, const std::string &name)
{
    size_t at = header.find("\"" + name + "\":");
    if (at == std::string::npos) {
        std::cerr << "no " << name << " in the header\n";
        exit(2);
    }
    return std::stod(header.substr(at + name.size() + 3));
}

// The channels of a lightpath; ring and line: hops links from src on, in its direction.
static std::vector<std::string> channels_of(const std::vector<std::string> &f, const std::map<std::string, int> &column, int nodes)
{
    std::string suffix = "/" + f[column.at("fiber")] + "/" + f[column.at("wavelength")];
    std::vector<std::string> channels;
    if (column.count("path")) {
        std::vector<std::string> path = split(f[column.at("path")], ' ');
        for (size_t k = 0; k + 1 < path.size(); k++)
            channels.push_back(path[k] + ">" + path[k + 1] + suffix);
        return channels;
    }
    bool back = f[column.at("dir")] == "ccw";
    int at = std::stoi(f[column.at("src")]);
    for (int k = 0; k < std::stoi(f[column.at("hops")]); k++) {
        int next = back ? (at + nodes - 1) % nodes : (at + 1) % nodes;
        channels.push_back(std::to_string(at) + (back ? "<" : ">") + std::to_string(next) + suffix);
        at = next;
    }
    return channels;
}

static std::vector<Lightpath> read_table(const char *path)
{
    std::ifstream file(path);
    std::string header, line;
    std::getline(file, header);
    std::getline(file, line);
    std::map<std::string, int> column;
    for (const std::string &name : split(line, ','))
        column.emplace(name, static_cast<int>(column.size()));
    double block_bytes = number_in(header, "block_bytes");
    int nodes = static_cast<int>(number_in(header, "nodes"));
    std::vector<Lightpath> all;
    while (std::getline(file, line)) {
        std::vector<std::string> f = split(line, ',');
        Lightpath lp;
        lp.step = std::stoi(f[column.at("step")]);
        lp.bytes = block_bytes * static_cast<double>(split(f[column.at("block")], ' ').size());
        lp.channels = channels_of(f, column, nodes);
        lp.circuit = f[column.at("src")] + " " + f[column.at("dst")];
        for (const std::string &channel : lp.channels)
            lp.circuit += " " + channel;
        all.push_back(lp);
    }
    return all;
}

static double conversion(double bytes)
{
    double packets = std::ceil(bytes / 128);
    return packets * 4 / 1e9;
}

// A step from its lightpaths' start to the last one's end.
static void carry_out(const std::vector<const Lightpath *> &step)
{
    sg4::BarrierPtr barrier = sg4::Barrier::create(step.size() + 1);
    for (const Lightpath *lp : step)
        sg4::Actor::create("lightpath", lp->from, [lp, barrier]() {
            sg4::Comm::sendto(lp->from, lp->to, static_cast<uint64_t>(lp->bytes));
            sg4::this_actor::sleep_for(conversion(lp->bytes));
            barrier->wait();
        });
    barrier->wait();
}

static void control(const std::vector<Lightpath> &all, const std::string &model, double alpha, double reconfig)
{
    std::set<std::string> up;
    std::map<std::string, double> last_use;
    for (size_t i = 0, next; i < all.size(); i = next) {
        std::vector<const Lightpath *> step;
        std::set<std::string> now;
        bool fresh = false;
        double ready = 0;
        for (next = i; next < all.size() && all[next].step == all[i].step; next++) {
            step.push_back(&all[next]);
            now.insert(all[next].circuit);
            if (up.count(all[next].circuit))
                continue;
            fresh = true;
            for (const std::string &channel : all[next].channels)
                ready = std::max(ready, last_use[channel] + reconfig);
        }
        if (model == "paper")
            sg4::this_actor::sleep_for(reconfig);
        else if (model == "circuit")
            sg4::this_actor::sleep_for(alpha + (fresh ? reconfig : 0));
        else
            sg4::this_actor::sleep_until(std::max(sg4::Engine::get_clock() + alpha, ready));
        carry_out(step);
        for (const Lightpath *lp : step)
            for (const std::string &channel : lp->channels)
                last_use[channel] = sg4::Engine::get_clock();
        up = now;
    }
}

int main(int argc, char **argv)
{
    sg4::Engine engine(&argc, argv);
    for (const char *setting : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0", "network/loopback-bw:1",
                                "network/latency-factor:1", "network/bandwidth-factor:1", "network/weight-S:0"})
        sg4::Engine::set_config(setting);
    if (argc != 6)
        return 2;
    std::vector<Lightpath> all = read_table(argv[1]);
    double bandwidth = std::stod(argv[2]) / 8;
    sg4::NetZone *zone = sg4::create_full_zone("optics");
    std::map<std::string, const sg4::Link *> links;
    for (size_t i = 0; i < all.size(); i++) {
        Lightpath &lp = all[i];
        std::vector<sg4::LinkInRoute> route;
        lp.from = zone->create_host("from" + std::to_string(i), 1e9);
        lp.to = zone->create_host("to" + std::to_string(i), 1e9);
        for (const std::string &channel : lp.channels) {
            if (!links.count(channel))
                links[channel] = zone->create_link(channel, bandwidth)->set_latency(0)->seal();
            route.emplace_back(links[channel]);
        }
        zone->add_route(lp.from->get_netpoint(), lp.to->get_netpoint(), nullptr, nullptr, route, false);
    }
    sg4::Host *controller = zone->create_host("controller", 1e9);
    zone->seal();
    std::string model = argv[3];
    double alpha = std::stod(argv[4]), reconfig = std::stod(argv[5]);
    sg4::Actor::create("controller", controller, [&]() { control(all, model, alpha, reconfig); });
    engine.run();
    std::printf("%.12g\n", sg4::Engine::get_clock());
}
