// SPDX-License-Identifier: GPL-3.0-or-later
// Rings for collectives, direct connections for messages and all-to-all.
#include "tests/support/simulator/network.h"

#include <algorithm>
#include <map>

#include "tests/support/simulator/draw.h"

namespace rankscope::machine {
namespace {

class Network {
public:
    Network(const Job& job, const Program& program) : job_(job), program_(program) {}

    /// Nanoseconds, without noise. Bytes a nanosecond are gigabytes a second.
    [[nodiscard]] double time_of(const Transfer& transfer) const {
        const auto members = transfer.members.size();
        double latency = 0;
        double slowest = 1e9;
        for (std::size_t i = 0; i < members; ++i) {
            const int to = transfer.members[(i + 1) % members];
            latency = std::max(latency, far(transfer.members[i], to) ? job_.far_latency : job_.near_latency);
            slowest = std::min(slowest, speed(transfer, transfer.members[i], to));
        }
        const auto n = static_cast<double>(members);
        const double size =
            static_cast<double>(std::max(std::ranges::max(transfer.elements), std::ranges::max(transfer.received))) *
            transfer.element_bytes;
        switch (transfer.kind) {
        case TransferKind::all_reduce: return latency + 1500 * n + 2 * (n - 1) / n * size / slowest;
        case TransferKind::all_gather:
        case TransferKind::reduce_scatter: return latency + 1500 * n + (n - 1) / n * size / slowest;
        case TransferKind::all_to_all: return latency + 1500 * n + busiest(transfer);
        case TransferKind::message: break;
        }
        return latency + size / slowest;
    }

    /// Ports: what a rank sends into, and gets from, its node and the network. A transfer that is held up at one of
    /// them leaves the rest of the others to other transfers.
    void set_links(Transfer& transfer) const {
        std::map<int, double> gigabytes_a_second; // by link
        const auto add = [&](int from, int to, double speed) {
            const int base = far(from, to) ? 2 : 0;
            gigabytes_a_second[4 * from + base] += speed;
            gigabytes_a_second[4 * to + base + 1] += speed;
        };
        const auto members = transfer.members.size();
        const double time = time_of(transfer);
        double slowest = 1e9;
        for (std::size_t i = 0; i < members; ++i)
            slowest = std::min(slowest, speed(transfer, transfer.members[i], transfer.members[(i + 1) % members]));
        if (transfer.kind == TransferKind::message) {
            add(transfer.members[0], transfer.members[1], slowest);
        } else if (transfer.kind == TransferKind::all_to_all) {
            for (std::size_t i = 0; i < members; ++i)
                for (std::size_t j = 0; j < members; ++j)
                    if (i != j)
                        add(transfer.members[i], transfer.members[j],
                            row_bytes(transfer) * transfer.splits[i][j] / time);
        } else {
            for (std::size_t i = 0; i < members; ++i)
                add(transfer.members[i], transfer.members[(i + 1) % members], slowest);
        }
        for (const auto& [link, speed] : gigabytes_a_second) {
            transfer.links.push_back(link);
            transfer.uses.push_back(std::min(1.0, speed / carried(transfer, link)));
        }
    }

private:
    [[nodiscard]] bool far(int a, int b) const { return job_.node(a) != job_.node(b); }

    [[nodiscard]] double speed(const Transfer& transfer, int a, int b) const {
        double factor = 1;
        for (const Fault& fault : job_.faults)
            if (fault.strikes(transfer.step, job_.steps_before) && slows(fault, transfer, a, b))
                factor = std::max(factor, fault.factor);
        return (far(a, b) ? job_.far_gb_s : job_.near_gb_s) / factor;
    }

    [[nodiscard]] double row_bytes(const Transfer& transfer) const {
        return static_cast<double>(job_.hidden) * transfer.element_bytes;
    }

    /// What a port carries: a slow card is slow for all, a slow connection or group only for itself.
    [[nodiscard]] double carried(const Transfer& transfer, int link) const {
        const bool is_far = link % 4 >= 2;
        double factor = 1;
        for (const Fault& fault : job_.faults)
            if (is_far && fault.kind == FaultKind::slow_card && fault.hits(link / 4) &&
                fault.strikes(transfer.step, job_.steps_before))
                factor = std::max(factor, fault.factor);
        return (is_far ? job_.far_gb_s : job_.near_gb_s) / factor;
    }

    [[nodiscard]] bool slows(const Fault& fault, const Transfer& transfer, int a, int b) const {
        const Group& group = program_.groups[static_cast<std::size_t>(transfer.group)];
        switch (fault.kind) {
        case FaultKind::slow_link: return fault.hits(a) && fault.hits(b);
        case FaultKind::slow_card: return far(a, b) && (fault.hits(a) || fault.hits(b));
        case FaultKind::slow_group: return group.dimension == fault.dimension && group.ranks == fault.ranks;
        case FaultKind::slow_dimension: return group.dimension == fault.dimension;
        default: return false;
        }
    }

    /// The member that sends or gets most, over connections in the node and beyond it separately.
    [[nodiscard]] double busiest(const Transfer& transfer) const {
        double most = 0;
        const auto n = transfer.members.size();
        for (std::size_t i = 0; i < n; ++i) {
            double out[2] = {0, 0};
            double in[2] = {0, 0};
            for (std::size_t j = 0; j < n; ++j) {
                if (i == j)
                    continue;
                const int a = transfer.members[i];
                const int b = transfer.members[j];
                const double row = row_bytes(transfer);
                out[far(a, b)] += row * transfer.splits[i][j] / speed(transfer, a, b);
                in[far(a, b)] += row * transfer.splits[j][i] / speed(transfer, b, a);
            }
            most = std::max({most, out[0], out[1], in[0], in[1]});
        }
        return most;
    }

    const Job& job_;
    const Program& program_;
};

} // namespace

void time_transfers(const Job& job, Program& program) {
    const Network network(job, program);
    program.link_count = 4 * job.world();
    for (Transfer& transfer : program.transfers) {
        Draw draw{job.seed, 3, transfer.key};
        transfer.alone = network.time_of(transfer) * draw.lognormal(job.transfer_noise);
        network.set_links(transfer);
        for (std::size_t i = 0; i < transfer.members.size(); ++i)
            transfer.tails.push_back(job.transfer_noise > 0 ? draw.between(0.0, 2500.0) : 0);
    }
}

} // namespace rankscope::machine
