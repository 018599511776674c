// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/large_hang.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rankscope {
namespace {

constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;

class Pickle {
public:
    Pickle() { out_ = "\x80\x02"; }
    /// The second time it is recalled.
    void text(std::string_view words) {
        const auto known = memo_.find(words);
        if (known != memo_.end()) {
            out_ += known->second < 256 ? 'h' : 'j';
            put(static_cast<std::uint64_t>(known->second), known->second < 256 ? 1 : 4);
            return;
        }
        out_ += 'X';
        put(words.size(), 4);
        out_ += words;
        const int number = static_cast<int>(memo_.size());
        out_ += number < 256 ? 'q' : 'r';
        put(static_cast<std::uint64_t>(number), number < 256 ? 1 : 4);
        memo_.emplace(words, number);
    }
    void number(std::int64_t value) {
        if (value >= 0 && value < 256) {
            out_ += 'K';
            put(static_cast<std::uint64_t>(value), 1);
        } else if (value >= 0 && value < 65536) {
            out_ += 'M';
            put(static_cast<std::uint64_t>(value), 2);
        } else {
            out_ += "\x8a\x08";
            put(static_cast<std::uint64_t>(value), 8);
        }
    }
    void code(std::string_view codes) { out_ += codes; }
    std::string take() { return std::move(out_); }

private:
    void put(std::uint64_t value, int width) {
        for (int i = 0; i < width; ++i)
            out_ += static_cast<char>(value >> (8 * i) & 0xFF);
    }
    std::string out_;
    std::map<std::string, int, std::less<>> memo_;
};

struct Group {
    std::string name;
    std::string description;
    std::vector<int> members;
    std::int64_t called = 0;
};

} // namespace

std::string large_dump(const LargeHang& job, int rank) {
    const int t = rank % job.tensor, d = rank / job.tensor % job.data, p = rank / (job.tensor * job.data);
    const auto rank_at = [&](int i, int k, int l) { return i + job.tensor * (k + job.data * l); };
    std::array<Group, 4> groups{Group{"0", "default_pg", {}},
                                Group{fmt::format("{}", 1 + rank / job.tensor), "TENSOR", {}},
                                Group{fmt::format("{}", 1000 + t + job.tensor * p), "DATA", {}},
                                Group{fmt::format("{}", 3000 + t + job.tensor * d), "PIPELINE", {}}};
    for (int i = 0; i < job.ranks(); ++i)
        groups[0].members.push_back(i);
    for (int i = 0; i < job.tensor; ++i)
        groups[1].members.push_back(rank_at(i, d, p));
    for (int i = 0; i < job.data; ++i)
        groups[2].members.push_back(rank_at(t, i, p));
    for (int i = 0; i < job.pipeline; ++i)
        groups[3].members.push_back(rank_at(t, d, i));

    Pickle out;
    out.code("}(");
    out.text("version");
    out.text("2.9");
    out.text("pg_config");
    out.code("}(");
    for (const Group& group : groups) {
        out.text(group.name);
        out.code("}(");
        out.text("name");
        out.text(group.name);
        out.text("desc");
        out.text(group.description);
        out.text("ranks");
        out.text(fmt::format("[{}]", fmt::join(group.members, ", ")));
        out.code("u");
    }
    out.code("u");
    out.text("entries");
    out.code("](");
    // Two calls of the tensor group, one of the data and one of the pipeline group, in turn; then one of the tensor
    // group, which is open where a member stopped, and one of all, which is open everywhere.
    constexpr std::array<int, 4> kTurn{1, 1, 2, 3};
    constexpr std::array<std::string_view, 4> kKinds{"nccl:all_reduce", "nccl:all_reduce", "nccl:_reduce_scatter_base",
                                                     "nccl:_all_gather_base"};
    constexpr int kOpen = 2;
    const int made = job.calls - (job.stopped.contains(rank) ? kOpen : 0);
    const bool held_up =
        std::ranges::any_of(groups[1].members, [&](int member) { return job.stopped.contains(member); });
    for (int i = 0; i < made; ++i) {
        const int last = i - (job.calls - kOpen);
        const std::size_t g = last < 0 ? static_cast<std::size_t>(kTurn[static_cast<std::size_t>(i) % kTurn.size()])
                                       : static_cast<std::size_t>(1 - last);
        const bool open = last == 1 || (last == 0 && held_up);
        Group& group = groups[g];
        const std::int64_t at = kBegin + std::int64_t{i} * 1'000'000 + rank;
        out.code("}(");
        out.text("record_id");
        out.number(i);
        out.text("pg_id");
        out.number(static_cast<std::int64_t>(g));
        out.text("process_group");
        out.text(group.name);
        out.text(group.description);
        out.code("\x86");
        out.text("collective_seq_id");
        out.number(++group.called);
        out.text("p2p_seq_id");
        out.number(0);
        out.text("op_id");
        out.number(group.called);
        out.text("profiling_name");
        out.text(kKinds[g]);
        out.text("time_created_ns");
        out.number(at);
        for (const std::string_view key : {"input_sizes", "output_sizes"}) {
            out.text(key);
            out.code("](](");
            out.number(4096);
            out.number(1);
            out.number(5120);
            out.code("ee");
        }
        for (const std::string_view key : {"input_dtypes", "output_dtypes"}) {
            out.text(key);
            out.code("](");
            out.text("BFloat16");
            out.code("e");
        }
        out.text("state");
        out.text(open ? "scheduled" : "completed");
        out.text("time_discovered_started_ns");
        out.code("N");
        out.text("time_discovered_completed_ns");
        if (open)
            out.code("N");
        else
            out.number(at + 500'000);
        out.text("retired");
        out.code(open ? "\x89" : "\x88");
        out.text("timeout_ms");
        out.number(600'000);
        out.text("is_p2p");
        out.code("\x89u");
    }
    out.code("eu.");
    return out.take();
}

void write_large_hang(const LargeHang& job, const std::filesystem::path& folder) {
    for (int rank = 0; rank < job.ranks(); ++rank)
        std::ofstream(folder / fmt::format("nccl_trace_rank_{}", rank), std::ios::binary) << large_dump(job, rank);
}

} // namespace rankscope
