// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline played through, pass by pass.
#include "tests/support/operation_jobs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace rankscope {
namespace {

struct MadeOperation {
    int dp = 0;
    int stage = 0;
    std::string_view type;
    double start = 0;
    double end = 0;
    int step = 0;
    int chunk = -1;
    int microbatch = -1;
    int sequence = 0;
};

struct MadePass {
    bool forward = true;
    int chunk = 0;
    int microbatch = 0;
};

/// Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", section 2.2.
std::vector<MadePass> order_of_passes(const OperationJob& job, int stage) {
    const int all = job.microbatches * job.chunks;
    const auto pass = [&](bool forward, int k) {
        const int chunk = k / job.pp % job.chunks;
        return job.chunks == 1 ? MadePass{forward, 0, k}
                               : MadePass{forward, forward ? chunk : job.chunks - 1 - chunk,
                                          k / (job.pp * job.chunks) * job.pp + k % job.pp};
    };
    const int ahead = job.chunks == 1 ? job.pp - stage - 1 : (job.pp - stage - 1) * 2 + (job.chunks - 1) * job.pp;
    const int warmup = std::min(all, ahead);
    std::vector<MadePass> order;
    for (int k = 0; k < warmup; ++k)
        order.push_back(pass(true, k));
    for (int k = warmup; k < all; ++k) {
        order.push_back(pass(true, k));
        order.push_back(pass(false, k - warmup));
    }
    for (int k = all - warmup; k < all; ++k)
        order.push_back(pass(false, k));
    return order;
}

/// One pipeline in one step, up to the last backward pass.
class MadePipeline {
public:
    MadePipeline(const OperationJob& job, int dp, int step, double begin, std::vector<MadeOperation>& operations)
        : job_(job), dp_(dp), step_(step), begin_(begin), operations_(operations) {}

    /// When each stage is through.
    std::vector<double> play() {
        std::vector<std::vector<MadePass>> orders;
        for (int s = 0; s < job_.pp; ++s)
            orders.push_back(order_of_passes(job_, s));
        std::vector<std::size_t> next(orders.size());
        free_.assign(orders.size(), begin_);
        for (bool moved = true; moved;) {
            moved = false;
            for (int s = 0; s < job_.pp; ++s)
                while (next[at(s)] < orders[at(s)].size() && run(s, orders[at(s)][next[at(s)]])) {
                    ++next[at(s)];
                    moved = true;
                }
        }
        return free_;
    }

private:
    using Key = std::tuple<bool, int, int>; ///< forward, place in the model, microbatch
    static std::size_t at(int stage) { return static_cast<std::size_t>(stage); }

    bool run(int stage, const MadePass& pass) {
        const int place = pass.chunk * job_.pp + stage;
        const int from = pass.forward ? place - 1 : place + 1;
        const int to = pass.forward ? place + 1 : place - 1;
        const int last = job_.chunks * job_.pp - 1;
        double ready = free_[at(stage)];
        const std::string_view recv = pass.forward ? "forward-recv" : "backward-recv";
        if (from >= 0 && from <= last) {
            const auto sent = sent_.find({pass.forward, place, pass.microbatch});
            if (sent == sent_.end())
                return false;
            const double end = std::max(sent->second, free_[at(stage)]) + job_.message_us;
            // The sender's operation lasts until the message is there.
            operations_[send_of_.at({pass.forward, place, pass.microbatch})].end = end;
            add(stage, recv, free_[at(stage)], end); // it waits from when its stage has nothing else to do
            ready = std::max(ready, end);
        } else if (job_.empty_messages && job_.chunks > 1) {
            add(stage, recv, ready, ready + 1);
        }
        const double factor = job_.factor ? job_.factor(pass.forward, dp_, stage, step_, pass.microbatch) : 1.0;
        const double start = ready + job_.launch_us;
        const double end = start + (pass.forward ? job_.forward_us : job_.backward_us) * factor;
        add(stage, pass.forward ? "forward-compute" : "backward-compute", start, end, pass.chunk, pass.microbatch);
        free_[at(stage)] = end;
        const std::string_view send = pass.forward ? "forward-send" : "backward-send";
        if (to >= 0 && to <= last) {
            sent_[{pass.forward, to, pass.microbatch}] = end;
            send_of_[{pass.forward, to, pass.microbatch}] = operations_.size();
            add(stage, send, end, end + job_.message_us);
        } else if (job_.empty_messages && job_.chunks > 1) {
            add(stage, send, end, end + 1);
        }
        return true;
    }

    void add(int stage, std::string_view type, double start, double end, int chunk = -1, int microbatch = -1) {
        operations_.push_back({dp_, stage, type, start, end, step_, chunk, microbatch, sequence_[{stage, type}]++});
    }

    const OperationJob& job_;
    int dp_;
    int step_;
    double begin_;
    std::vector<MadeOperation>& operations_;
    std::vector<double> free_;
    std::map<Key, double> sent_; ///< to a place of the model
    std::map<Key, std::size_t> send_of_;
    std::map<std::pair<int, std::string_view>, int> sequence_;
};

/// What follows the last backward pass; when the step ends. through: when each stage of each pipeline is through.
double end_step(const OperationJob& job, int step, const std::vector<std::vector<double>>& through,
                std::vector<MadeOperation>& operations) {
    const auto add = [&](int dp, int stage, std::string_view type, double from, double to, int chunk = -1,
                         int sequence = 0) {
        operations.push_back({dp, stage, type, from, to, step, chunk, -1, sequence});
    };
    const auto pipelines = static_cast<std::size_t>(job.dp);
    double all = 0; // when the last rank comes to the clipping
    std::vector<std::vector<double>> clip(pipelines, std::vector<double>(static_cast<std::size_t>(job.pp)));
    for (int s = 0; s < job.pp; ++s) {
        const auto stage = static_cast<std::size_t>(s);
        std::vector<double> now;
        for (int dp = 0; dp < job.dp; ++dp) {
            const std::vector<double>& own = through[static_cast<std::size_t>(dp)];
            now.push_back(own[stage] + 1);
            add(dp, s, "gc", own[stage], own[stage]);
            add(dp, s, "layernorm-grads-all-reduce", own[stage], now.back());
            if (s == 0 || s == job.pp - 1) {
                const double end = std::max(own.front(), own.back()) + 10;
                add(dp, s, "embedding-grads-all-reduce", now.back(), end);
                now.back() = end;
            }
        }
        const auto together = [&](std::string_view type, double time, int chunk, int sequence) {
            const double end = *std::ranges::max_element(now) + time;
            for (int dp = 0; dp < job.dp; ++dp)
                add(dp, s, type, now[static_cast<std::size_t>(dp)], end, chunk, sequence);
            std::ranges::fill(now, end);
        };
        for (int chunk = 0; chunk < job.chunks; ++chunk)
            together("grads-reduce-scatter", 50, job.chunks - 1 - chunk, chunk);
        if (job.overlapped)
            together("separate-grads-all-reduce", 5, -1, 0);
        for (std::size_t dp = 0; dp < pipelines; ++dp) {
            clip[dp][stage] = now[dp];
            all = std::max(all, now[dp]);
        }
    }
    for (int dp = 0; dp < job.dp; ++dp)
        for (int s = 0; s < job.pp; ++s) {
            add(dp, s, "optimizer-clip-main-grad", clip[static_cast<std::size_t>(dp)][static_cast<std::size_t>(s)],
                all + 5);
            add(dp, s, "optimizer", all + 5, all + 45);
        }
    return all + 45;
}

std::vector<MadeOperation> operations_of(const OperationJob& job) {
    std::vector<MadeOperation> operations;
    double begin = 100;
    for (int step = job.first_step; step < job.first_step + job.steps; ++step) {
        std::vector<std::vector<double>> through;
        for (int dp = 0; dp < job.dp; ++dp) {
            for (int s = 0; s < job.pp; ++s)
                for (int chunk = 0; chunk < job.chunks; ++chunk)
                    operations.push_back(
                        {dp, s, "params-all-gather", begin + 5 * chunk, begin + 5 * chunk + 5, step, chunk, -1, chunk});
            through.push_back(MadePipeline(job, dp, step, begin + 5 * job.chunks, operations).play());
        }
        begin = end_step(job, step, through, operations) + 500;
    }
    return operations;
}

std::string_view lane_of(std::string_view type) {
    if (type.ends_with("-send") || type.ends_with("-recv"))
        return "pp-comm";
    return type.ends_with("compute") || type == "gc" || type == "optimizer" ? "compute" : "dp-comm";
}

} // namespace

std::string operation_timeline(const OperationJob& job) {
    const std::map<std::string_view, int> lanes{
        {"compute", 0}, {"pp-comm", 1}, {"tp-comm", 2}, {"dp-comm", 3}, {"misc", 4}};
    const auto thread = [&](int dp, int stage, int lane) {
        return (stage * job.dp + dp) * static_cast<int>(lanes.size()) + lane;
    };
    std::string text = "[";
    for (const MadeOperation& operation : operations_of(job))
        text += fmt::format(
            R"({}{{"name":"{}","cat":"{}","pid":{},"tid":{},"ts":{:.6f},"dur":{:.6f},"ph":"X","args":{{"step":{},"model_chunk":{},"mb_id":{},"seq_id":{}}}}})",
            text.size() > 1 ? "," : "", operation.type, operation.type, operation.dp,
            thread(operation.dp, operation.stage, lanes.at(lane_of(operation.type))), operation.start,
            operation.end - operation.start, operation.step, operation.chunk, operation.microbatch, operation.sequence);
    for (int dp = 0; dp < job.dp; ++dp) {
        for (int s = 0; s < job.pp; ++s)
            for (const auto& [lane, number] : lanes)
                text += fmt::format(
                    R"(,{{"name":"thread_name","pid":{},"tid":{},"ph":"M","args":{{"name":"PP rank {}, TP rank 0, {}"}}}})",
                    dp, thread(dp, s, number), s, lane);
        text += fmt::format(R"(,{{"name":"process_name","pid":{},"ph":"M","args":{{"name":"DP rank [{}]"}}}})", dp, dp);
    }
    return text + "]";
}

std::string operation_table(const OperationJob& job) {
    std::string text = "dp_rank,stage,step,optype,start_ts,duration,seq_id,mc,mb_id\n";
    for (const MadeOperation& operation : operations_of(job))
        text += fmt::format("{},{},{},{},{:.12f},{:.12f},{},{},{}\n", operation.dp, operation.stage, operation.step,
                            operation.type, operation.start / 1e6, (operation.end - operation.start) / 1e6,
                            operation.sequence, operation.chunk < 0 ? "" : std::to_string(operation.chunk),
                            operation.microbatch < 0 ? "" : std::to_string(operation.microbatch));
    return text;
}

} // namespace rankscope
