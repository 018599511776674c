// SPDX-License-Identifier: GPL-3.0-or-later
// Writes Flight Recorder dumps of made-up jobs, as PyTorch would: a pickle of protocol 2, or JSON.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/analysis/hang/hang.h"
#include "core/trace/flight_recorder.h"

namespace rankscope {

/// The value as a pickle of protocol 2. Whole numbers, texts, truth values, null, arrays and objects.
std::string pickled(const nlohmann::ordered_json& value);

/// One call as it is to stand in a dump. Times in ms since the job started; below 0: not recorded.
struct DumpCall {
    std::string kind;
    std::string group;
    std::int64_t seq = 0;
    std::string state = "completed";
    double created_ms = 0;
    double started_ms = -1;
    double completed_ms = -1;
    std::vector<std::vector<std::int64_t>> inputs{{1024}};
    std::vector<std::vector<std::int64_t>> outputs{{1024}};
    std::string type = "BFloat16";
    int peer = -1; ///< of send and recv: rank within the group
    std::int64_t timeout_ms = 600'000;
    std::vector<std::string> frames = {}; ///< names of functions, innermost first
    bool of_messages = false;             ///< of "coalesced": it ends a batch of messages
};

/// A job and what each of its ranks called.
class DumpedJob {
public:
    static constexpr TimeNs kBegin = 1'700'000'000'000'000'000;

    explicit DumpedJob(int ranks);
    /// Names ascend in the order in which groups are added; all ranks make "0", the group of all.
    DumpedJob& group(const std::string& name, const std::string& description, std::vector<int> members);
    DumpedJob& call(int rank, DumpCall call);
    /// The same call of all these ranks.
    DumpedJob& calls(const std::vector<int>& ranks, const DumpCall& call);
    /// The rank leaves no dump.
    DumpedJob& crash(int rank);
    DumpedJob& without_status();
    /// Keeps the last so many calls of a rank, as a small buffer would.
    DumpedJob& keep_last(int rank, std::size_t calls);
    /// Keeps the calls that are not finished, as dumps of active calls do.
    DumpedJob& only_active();

    [[nodiscard]] nlohmann::ordered_json dump(int rank) const;
    /// Through the reader of dumps.
    [[nodiscard]] Hang hang() const;
    /// prefix + rank for every rank that left a dump.
    void write(const std::filesystem::path& folder, const std::string& prefix = "nccl_trace_rank_",
               bool json = false) const;

private:
    struct Group {
        std::string name, description;
        std::vector<int> members;
    };
    struct Rank {
        std::vector<DumpCall> calls;
        std::size_t dropped = 0;
        bool crashed = false;
    };
    [[nodiscard]] const Group& group_named(const std::string& name) const;
    std::vector<Group> groups_;
    std::vector<Rank> ranks_;
    bool status_ = true;
    bool only_active_ = false;
};

} // namespace rankscope
