// SPDX-License-Identifier: GPL-3.0-or-later
// Machines, from names of files and hosts, from settings, and from the numbers of GPUs.
#include "core/analysis/collectives/machines.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/base/text_match.h"
#include "core/trace/digest_facts.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

using NamesByRank = std::map<int, std::string>; ///< rank -> what its machine is called; without ranks that tell nothing

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

const std::filesystem::path& trace_file(const RankTrace& rank) {
    return rank.digest ? rank.digest->source.path : rank.file;
}

/// Takes the last dot and what follows it off the name, where that is a number. Returns the number, else "".
std::string_view take_number_at_end(std::string_view& name, char before) {
    const std::size_t at = name.rfind(before);
    if (at == std::string_view::npos || at + 1 == name.size() || !std::ranges::all_of(name.substr(at + 1), is_digit))
        return {};
    const std::string_view number = name.substr(at + 1);
    name = name.substr(0, at);
    return number;
}

/// PyTorch's own name of a trace is HOST_PROCESS.TIME.pt.trace.json. It is that, and no name that a user chose, where
/// the process is that of the rank's threads.
std::string host_of_file_name(const RankTrace& rank) {
    const std::string file = trace_file(rank).filename().string();
    std::string_view name = std::string_view(file).substr(0, file.find(".pt.trace.json"));
    constexpr std::size_t kDigitsOfTime = 10;
    if (name.size() == file.size() || take_number_at_end(name, '.').size() < kDigitsOfTime)
        return {};
    const std::string_view process = take_number_at_end(name, '_');
    const bool is_own = std::ranges::any_of(
        rank.lanes, [&](const Lane& lane) { return lane.kind == LaneKind::cpu_thread && lane.process == process; });
    return is_own ? std::string(name) : std::string();
}

/// "node0_rank3.json" -> "node0", "gpu-host-12" -> "host12". The last one in the name.
std::string numbered_machine(std::string_view name) {
    std::string found;
    std::size_t last = 0;
    for (const std::string_view word : {"node", "host", "machine"}) {
        for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
            std::size_t digits = at + word.size();
            if (digits < name.size() && (name[digits] == '-' || name[digits] == '_'))
                ++digits;
            std::size_t end = digits;
            while (end < name.size() && is_digit(name[end]))
                ++end;
            if (end == digits || (at > 0 && is_letter(name[at - 1])) || at < last)
                continue;
            last = at;
            found = std::string(word) + std::string(name.substr(digits, end - digits));
        }
    }
    return found;
}

std::string number_in_file_name(const RankTrace& rank) {
    const std::string file = trace_file(rank).filename().string();
    std::string_view name = std::string_view(file).substr(0, file.find(".pt.trace.json"));
    if (name.size() < file.size()) { // a process and a time at the end number no machines
        take_number_at_end(name, '.');
        take_number_at_end(name, '_');
    }
    return numbered_machine(name);
}

std::string number_in_folder(const RankTrace& rank) {
    std::string found;
    for (const auto& part : trace_file(rank).parent_path())
        if (std::string number = numbered_machine(part.string()); !number.empty())
            found = std::move(number);
    return found;
}

std::string host_in_file(const RankTrace& rank) {
    for (const char* key : {"nsys.host", "xplane.host"})
        if (const auto found = rank.header.find(key); found != rank.header.end() && !found->second.empty())
            return found->second;
    return {};
}

template <typename NameOf>
NamesByRank names_of(const Run& run, NameOf name_of) {
    NamesByRank names;
    for (const auto& rank : run.ranks)
        if (std::string name = name_of(*rank); !name.empty())
            names[rank->rank] = std::move(name);
    return names.size() == run.ranks.size() ? names : NamesByRank{};
}

std::size_t distinct(const NamesByRank& names) {
    std::set<std::string> all;
    for (const auto& [rank, name] : names)
        all.insert(name);
    return all.size();
}

/// A number that all share may be how many machines there are; a folder may be that of all.
NamesByRank several(NamesByRank names) { return distinct(names) > 1 ? std::move(names) : NamesByRank{}; }

/// Containers with a GPU each have a host name each, whatever machine they run on.
NamesByRank shared(NamesByRank names) { return distinct(names) < names.size() ? std::move(names) : NamesByRank{}; }

/// All of one report of Nsight Systems, which is of one machine.
NamesByRank of_one_report(const Run& run) {
    NamesByRank names = names_of(run, [](const RankTrace& rank) {
        return rank.source == TraceSource::nsys ? trace_file(rank).string() : std::string();
    });
    return distinct(names) == 1 ? shared(std::move(names)) : NamesByRank{};
}

/// How many ranks in a row share a machine: each has a GPU of its own there, and the next block has the same numbers.
/// 0: the numbers do not tell. Where ranks are not traced, a machine has the GPUs that are listed.
std::int64_t block_by_devices(const Run& run) {
    std::int64_t gpus = 0;
    std::size_t listed = 0;
    for (const auto& rank : run.ranks) {
        gpus = std::max(gpus, rank->device() + 1);
        listed = std::max(listed, rank->devices.size());
    }
    if (run.untraced_ranks() > 0) {
        if (std::cmp_less(listed, gpus))
            return 0;
        gpus = static_cast<std::int64_t>(listed);
    }
    std::set<std::pair<std::int64_t, std::int64_t>> taken; // block, device
    std::set<std::int64_t> devices;
    for (const auto& rank : run.ranks) {
        if (rank->device() < 0 || !taken.emplace(rank->rank / std::max<std::int64_t>(1, gpus), rank->device()).second)
            return 0;
        devices.insert(rank->device());
    }
    return devices.size() > 1 ? gpus : 0;
}

} // namespace

std::shared_ptr<const Run> with_gpus_per_machine(std::shared_ptr<const Run> run, int gpus) {
    if (gpus <= 0)
        return run;
    auto told = std::make_shared<Run>(*run);
    told->config[kGpusPerMachine] = std::to_string(gpus);
    return told;
}

Machines::Machines(const Run& run, int gpus_per_machine) {
    const auto use = [&](const NamesByRank& names) {
        std::map<std::string, std::int64_t> numbers;
        for (const auto& [rank, name] : names)
            named_[rank] = numbers.emplace(name, static_cast<std::int64_t>(numbers.size())).first->second;
        return !names.empty();
    };
    const auto use_block = [&](double gpus) {
        if (gpus >= 1 && gpus <= kMostGpusPerMachine)
            block_ = static_cast<std::int64_t>(gpus);
        return block_ > 0;
    };
    const auto use_number = [&](const char* key) {
        const auto gpus = find_number(run.config, {key});
        return gpus && use_block(gpus->value);
    };
    const bool told =
        use(shared(names_of(run, host_of_file_name))) || use(several(names_of(run, number_in_file_name))) ||
        use(several(names_of(run, number_in_folder))) || use_number("workload.hardware.xpu_spec.count_per_node") ||
        use(shared(names_of(run, host_in_file))) || use(of_one_report(run)) || use_number(kGpusPerMachine) ||
        use_block(gpus_per_machine) || use_number("nccl_ras.gpus_per_node");
    if (!told)
        block_ = block_by_devices(run);
}

std::optional<std::int64_t> Machines::of(int rank) const {
    if (block_ > 0)
        return rank / block_;
    const auto known = named_.find(rank);
    return known == named_.end() ? std::nullopt : std::optional(known->second);
}

std::set<std::int64_t> Machines::of(std::span<const int> ranks) const {
    std::set<std::int64_t> machines;
    for (const int rank : ranks) {
        const auto machine = of(rank);
        if (!machine)
            return {};
        machines.insert(*machine);
    }
    return machines;
}

Way Machines::way(std::span<const int> ranks) const {
    const std::size_t count = of(ranks).size();
    return count == 0 ? Way::unknown : count == 1 ? Way::inside : Way::between;
}

} // namespace rankscope
