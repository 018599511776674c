// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation: one queue of moments, in order of time and, at one time, of their creation.
#include "tests/support/simulator/machine.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <queue>

#include <fmt/format.h>

namespace rankscope::machine {
namespace {

struct Moment {
    enum class What : std::uint8_t { host, stream, compute_end, transfer_end, member_end };
    double time = 0;
    std::uint64_t order = 0;
    What what = What::host;
    int rank = 0; ///< or the transfer
    int stream = 0;
    std::uint32_t version = 0;

    bool operator>(const Moment& other) const {
        return time > other.time || (time == other.time && order > other.order);
    }
};

struct QueuedWork {
    int instruction = 0;
    double available = 0; ///< not before the launch has reached the GPU
};

struct StreamState {
    std::deque<QueuedWork> queue;
    int running = -1;
    double free_from = -std::numeric_limits<double>::infinity(); ///< last kernel's end and the gap
    double remaining = 0;                                        ///< of a running compute kernel, alone
    double updated = 0;
    std::uint32_t version = 0; ///< of its planned end
};

struct EventState {
    double done = -1;
    std::vector<int> waiting; ///< streams
};

struct RankState {
    std::size_t next = 0; ///< instruction
    std::vector<StreamState> streams;
    std::vector<EventState> events;
    int communicating = 0;   ///< resident communication kernels
    int host_waits_for = -2; ///< stream whose end or room the host waits for; -1 all; -2 it does not wait
    bool host_wants_room = false;
};

struct TransferState {
    int arrived = 0;
    std::vector<bool> here;
    std::vector<int> streams; ///< on which each member's kernel runs
    bool moving = false;
    bool moved = false;
    double remaining = 0;
    double updated = 0;
    double speed = 1;
    std::uint32_t version = 0;
};

class Simulation {
public:
    Simulation(const Program& program, const Traits& traits) : p_(program), t_(traits) {
        ranks_.resize(p_.ranks.size());
        out_.ranks.resize(p_.ranks.size());
        for (std::size_t r = 0; r < p_.ranks.size(); ++r) {
            ranks_[r].streams.resize(p_.streams.size());
            ranks_[r].events.resize(static_cast<std::size_t>(p_.events[r]));
            out_.ranks[r].resize(p_.ranks[r].size());
        }
        transfers_.resize(p_.transfers.size());
        for (std::size_t i = 0; i < transfers_.size(); ++i) {
            transfers_[i].here.resize(p_.transfers[i].members.size());
            transfers_[i].streams.resize(p_.transfers[i].members.size());
        }
        users_.resize(static_cast<std::size_t>(p_.link_count));
    }

    Execution run() {
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            plan(0, Moment::What::host, static_cast<int>(r));
        while (!moments_.empty()) {
            const Moment moment = moments_.top();
            moments_.pop();
            now_ = moment.time;
            switch (moment.what) {
            case Moment::What::host: run_host(moment.rank); break;
            case Moment::What::stream: advance(moment.rank, moment.stream); break;
            case Moment::What::compute_end: end_compute(moment); break;
            case Moment::What::transfer_end: end_transfer(moment); break;
            case Moment::What::member_end: end_kernel(moment.rank, moment.stream); break;
            }
        }
        check_all_ended();
        const auto steps = static_cast<std::size_t>(p_.steps);
        out_.step_ends.assign(steps, 0);
        out_.rank_step_ends.assign(ranks_.size(), std::vector<double>(steps, 0));
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            for (std::size_t i = 0; i < p_.ranks[r].size(); ++i) {
                const auto step = static_cast<std::size_t>(p_.ranks[r][i].step);
                double& end = out_.rank_step_ends[r][step];
                end = std::max(end, out_.ranks[r][i].gpu_end);
                out_.step_ends[step] = std::max(out_.step_ends[step], end);
            }
        return std::move(out_);
    }

private:
    void plan(double time, Moment::What what, int rank, int stream = 0, std::uint32_t version = 0) {
        moments_.push({time, order_++, what, rank, stream, version});
    }
    RankState& rank(int r) { return ranks_[static_cast<std::size_t>(r)]; }
    StreamState& stream(int r, int s) { return rank(r).streams[static_cast<std::size_t>(s)]; }
    const Instruction& instruction(int r, int i) const {
        return p_.ranks[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)];
    }
    Timing& timing(int r, int i) { return out_.ranks[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)]; }

    // -- host
    void run_host(int r);
    void launch(int r, int i);
    [[nodiscard]] bool idle(int r, int s) const;
    void wake_host(int r);

    // -- streams
    void advance(int r, int s);
    bool start(int r, int s);
    void end_compute(const Moment& moment);
    void end_kernel(int r, int s);
    void change_residents(int r, int by);
    void plan_compute_end(int r, int s);
    [[nodiscard]] double compute_speed(int r) const {
        return ranks_[static_cast<std::size_t>(r)].communicating > 0 ? 1 / (1 + t_.sm_share) : 1;
    }

    // -- transfers
    void arrive(int r, int s, const Instruction& instruction);
    void begin_transfer(int index);
    void end_transfer(const Moment& moment);
    void share_links(const std::vector<int>& links);
    [[nodiscard]] double part_of_link(int link, double use) const;
    [[nodiscard]] static double use_of(const Transfer& transfer, int link);
    void check_all_ended();

    const Program& p_;
    const Traits& t_;
    Execution out_;
    std::vector<RankState> ranks_;
    std::vector<TransferState> transfers_;
    std::vector<std::vector<int>> users_; ///< of each link: moving transfers
    std::priority_queue<Moment, std::vector<Moment>, std::greater<>> moments_;
    std::uint64_t order_ = 0;
    double now_ = 0;
};

void Simulation::run_host(int r) {
    RankState& state = rank(r);
    while (state.next < p_.ranks[static_cast<std::size_t>(r)].size()) {
        const int i = static_cast<int>(state.next);
        const Instruction& todo = instruction(r, i);
        Timing& at = timing(r, i);
        switch (todo.kind) {
        case Instruction::Kind::begin:
        case Instruction::Kind::end:
            at.host_begin = at.host_end = now_;
            ++state.next;
            continue;
        case Instruction::Kind::work:
            at.host_begin = at.call_begin = now_ + todo.gap;
            at.host_end = at.call_end = at.host_begin + todo.host;
            break;
        case Instruction::Kind::record:
        case Instruction::Kind::wait:
            at.host_begin = at.call_begin = now_ + todo.gap;
            at.host_end = at.call_end = at.host_begin + todo.host;
            stream(r, todo.stream).queue.push_back({i, at.host_end});
            plan(at.host_end, Moment::What::stream, r, todo.stream);
            break;
        case Instruction::Kind::launch:
            if (state.host_waits_for == -2)
                at.host_begin = now_ + todo.gap;
            if (static_cast<int>(stream(r, todo.stream).queue.size()) >= t_.queue_depth) {
                at.call_begin = at.host_begin + 0.4 * todo.host;
                state.host_waits_for = todo.stream;
                state.host_wants_room = true;
                return;
            }
            launch(r, i);
            break;
        case Instruction::Kind::synchronise:
            if (state.host_waits_for == -2)
                at.host_begin = at.call_begin = now_ + todo.gap;
            if (!idle(r, todo.stream)) {
                state.host_waits_for = todo.stream;
                state.host_wants_room = false;
                return;
            }
            at.call_end = at.host_end = std::max(at.host_begin, now_) +
                                        (state.host_waits_for == -2 ? todo.host : t_.host_wake) +
                                        (state.host_waits_for == -2 ? 0 : todo.host);
            break;
        }
        state.host_waits_for = -2;
        ++state.next;
        plan(at.host_end, Moment::What::host, r);
        return;
    }
}

void Simulation::launch(int r, int i) {
    const Instruction& todo = instruction(r, i);
    Timing& at = timing(r, i);
    const bool waited = rank(r).host_waits_for != -2;
    if (waited) {
        at.call_end = std::max(now_, at.call_begin) + 0.4 * todo.host;
    } else {
        at.call_begin = at.host_begin + 0.4 * todo.host;
        at.call_end = at.call_begin + 0.4 * todo.host;
    }
    at.host_end = at.call_end + 0.2 * todo.host;
    const double available = (waited ? std::max(now_, at.call_begin) : at.call_begin) + t_.launch_latency;
    stream(r, todo.stream).queue.push_back({i, available});
    plan(available, Moment::What::stream, r, todo.stream);
}

bool Simulation::idle(int r, int s) const {
    const auto& streams = ranks_[static_cast<std::size_t>(r)].streams;
    for (int k = 0; k < static_cast<int>(streams.size()); ++k) {
        const StreamState& state = streams[static_cast<std::size_t>(k)];
        if ((s < 0 || s == k) && (state.running >= 0 || !state.queue.empty()))
            return false;
    }
    return true;
}

void Simulation::wake_host(int r) {
    const RankState& state = rank(r);
    if (state.host_waits_for == -2)
        return;
    const bool go_on = state.host_wants_room
                           ? static_cast<int>(stream(r, state.host_waits_for).queue.size()) < t_.queue_depth
                           : idle(r, state.host_waits_for);
    if (go_on)
        run_host(r);
}

/// Does what the stream's next entries allow now.
void Simulation::advance(int r, int s) {
    StreamState& state = stream(r, s);
    while (state.running < 0 && !state.queue.empty()) {
        const QueuedWork& head = state.queue.front();
        if (head.available > now_)
            return; // a moment is planned for then
        const Instruction& todo = instruction(r, head.instruction);
        if (todo.kind == Instruction::Kind::record) {
            EventState& event = rank(r).events[static_cast<std::size_t>(todo.event)];
            event.done = now_;
            for (const int waiting : event.waiting)
                plan(now_ + t_.event_latency, Moment::What::stream, r, waiting);
        } else if (todo.kind == Instruction::Kind::wait) {
            EventState& event = rank(r).events[static_cast<std::size_t>(todo.event)];
            if (event.done < 0) {
                event.waiting.push_back(s);
                return;
            }
            if (event.done + t_.event_latency > now_ && !event.waiting.empty() &&
                std::ranges::find(event.waiting, s) != event.waiting.end())
                return; // its moment is planned
        } else if (!start(r, s)) {
            return;
        } else {
            state.queue.pop_front();
            wake_host(r);
            return;
        }
        state.queue.pop_front();
    }
    wake_host(r);
}

/// The kernel at the head of the queue; false: it is too early.
bool Simulation::start(int r, int s) {
    StreamState& state = stream(r, s);
    if (state.free_from > now_) {
        plan(state.free_from, Moment::What::stream, r, s);
        return false;
    }
    const int i = state.queue.front().instruction;
    const Instruction& todo = instruction(r, i);
    state.running = i;
    timing(r, i).gpu_begin = now_;
    if (todo.transfer >= 0) {
        change_residents(r, 1);
        arrive(r, s, todo);
    } else {
        state.remaining = todo.duration;
        state.updated = now_;
        plan_compute_end(r, s);
    }
    return true;
}

void Simulation::plan_compute_end(int r, int s) {
    StreamState& state = stream(r, s);
    const bool computes =
        p_.kernels[static_cast<std::size_t>(instruction(r, state.running).kernel)].work == GpuWork::compute;
    plan(now_ + state.remaining / (computes ? compute_speed(r) : 1), Moment::What::compute_end, r, s, ++state.version);
}

void Simulation::change_residents(int r, int by) {
    RankState& state = rank(r);
    const double before = compute_speed(r);
    state.communicating += by;
    if (compute_speed(r) == before)
        return;
    for (int s = 0; s < static_cast<int>(state.streams.size()); ++s) {
        StreamState& other = stream(r, s);
        if (other.running < 0 || instruction(r, other.running).transfer >= 0 ||
            p_.kernels[static_cast<std::size_t>(instruction(r, other.running).kernel)].work != GpuWork::compute)
            continue;
        other.remaining -= (now_ - other.updated) * before;
        other.updated = now_;
        plan_compute_end(r, s);
    }
}

void Simulation::end_compute(const Moment& moment) {
    if (stream(moment.rank, moment.stream).version == moment.version)
        end_kernel(moment.rank, moment.stream);
}

void Simulation::end_kernel(int r, int s) {
    StreamState& state = stream(r, s);
    const int i = state.running;
    timing(r, i).gpu_end = now_;
    state.running = -1;
    state.free_from = now_ + t_.kernel_gap;
    if (instruction(r, i).transfer >= 0)
        change_residents(r, -1);
    advance(r, s);
}

void Simulation::arrive(int r, int s, const Instruction& todo) {
    TransferState& state = transfers_[static_cast<std::size_t>(todo.transfer)];
    const Transfer& transfer = p_.transfers[static_cast<std::size_t>(todo.transfer)];
    const auto member = static_cast<std::size_t>(todo.member);
    state.here[member] = true;
    state.streams[member] = s;
    ++state.arrived;
    if (transfer.eager && state.moved) { // the receiver comes after its message
        plan(now_ + t_.late_copy, Moment::What::member_end, r, s);
        return;
    }
    if (transfer.eager ? todo.member == 0 : state.arrived == static_cast<int>(transfer.members.size()))
        begin_transfer(todo.transfer);
}

void Simulation::begin_transfer(int index) {
    TransferState& state = transfers_[static_cast<std::size_t>(index)];
    const Transfer& transfer = p_.transfers[static_cast<std::size_t>(index)];
    state.moving = true;
    state.remaining = transfer.alone;
    state.updated = now_;
    if (!t_.shared_links || transfer.links.empty()) {
        plan(now_ + transfer.alone, Moment::What::transfer_end, index, 0, ++state.version);
        return;
    }
    for (const int link : transfer.links)
        users_[static_cast<std::size_t>(link)].push_back(index);
    share_links(transfer.links);
}

/// Gives every transfer over these links its present speed: a link is divided evenly among those that use it, and what
/// one of them cannot use goes to the others.
void Simulation::share_links(const std::vector<int>& links) {
    std::vector<int> concerned;
    for (const int link : links)
        concerned.insert(concerned.end(), users_[static_cast<std::size_t>(link)].begin(),
                         users_[static_cast<std::size_t>(link)].end());
    std::ranges::sort(concerned);
    concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());
    for (const int index : concerned) {
        TransferState& state = transfers_[static_cast<std::size_t>(index)];
        const Transfer& transfer = p_.transfers[static_cast<std::size_t>(index)];
        double speed = 1;
        for (const int link : transfer.links)
            speed = std::min(speed, part_of_link(link, use_of(transfer, link)));
        state.remaining -= (now_ - state.updated) * state.speed;
        state.updated = now_;
        state.speed = speed;
        plan(now_ + std::max(0.0, state.remaining) / state.speed, Moment::What::transfer_end, index, 0,
             ++state.version);
    }
}

/// All of the link where the program does not say.
double Simulation::use_of(const Transfer& transfer, int link) {
    const auto place = static_cast<std::size_t>(std::ranges::find(transfer.links, link) - transfer.links.begin());
    return place < transfer.uses.size() ? transfer.uses[place] : 1;
}

/// Of a transfer that would use that share of the link, how much of that it gets.
double Simulation::part_of_link(int link, double use) const {
    std::vector<double> uses;
    for (const int index : users_[static_cast<std::size_t>(link)])
        uses.push_back(use_of(p_.transfers[static_cast<std::size_t>(index)], link));
    std::ranges::sort(uses);
    double left = 1;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const double even = left / static_cast<double>(uses.size() - i);
        if (uses[i] >= even)
            return std::min(1.0, even / use);
        left -= uses[i];
    }
    return 1;
}

void Simulation::end_transfer(const Moment& moment) {
    TransferState& state = transfers_[static_cast<std::size_t>(moment.rank)];
    const Transfer& transfer = p_.transfers[static_cast<std::size_t>(moment.rank)];
    if (state.version != moment.version || state.moved)
        return;
    state.moved = true;
    if (t_.shared_links && !transfer.links.empty()) {
        for (const int link : transfer.links)
            std::erase(users_[static_cast<std::size_t>(link)], moment.rank);
        share_links(transfer.links);
    }
    for (std::size_t m = 0; m < transfer.members.size(); ++m)
        if (state.here[m])
            plan(now_ + (transfer.tails.empty() ? 0 : transfer.tails[m]), Moment::What::member_end, transfer.members[m],
                 state.streams[m]);
}

void Simulation::check_all_ended() {
    for (int r = 0; r < static_cast<int>(ranks_.size()); ++r) {
        const RankState& state = rank(r);
        if (state.next == p_.ranks[static_cast<std::size_t>(r)].size() && idle(r, -1))
            continue;
        std::string stuck;
        for (const StreamState& each : state.streams)
            if (each.running >= 0)
                stuck += fmt::format(" {} of step {} microbatch {} stage {}",
                                     p_.kernels[static_cast<std::size_t>(instruction(r, each.running).kernel)].name,
                                     instruction(r, each.running).step, instruction(r, each.running).microbatch,
                                     instruction(r, each.running).stage);
        out_.error += fmt::format("rank {} is stuck at instruction {} of {}, running:{}\n", r, state.next,
                                  p_.ranks[static_cast<std::size_t>(r)].size(), stuck);
    }
}

} // namespace

double Execution::mean_step(int first, int last) const {
    double sum = 0;
    for (const std::vector<double>& ends : rank_step_ends)
        sum += ends[static_cast<std::size_t>(last)] - ends[static_cast<std::size_t>(first) - 1];
    return sum / static_cast<double>(rank_step_ends.size()) / (last - first + 1);
}

Execution execute(const Program& program, const Traits& traits) { return Simulation(program, traits).run(); }

} // namespace rankscope::machine
