// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/flight_recorder_dumps.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "core/input/flight_recorder/dump.h"

namespace rankscope {
namespace {

using Ordered = nlohmann::ordered_json;

void put_number(std::string& out, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i)
        out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void put_value(std::string& out, const Ordered& value) {
    switch (value.type()) {
    case Ordered::value_t::null: out += 'N'; break;
    case Ordered::value_t::boolean: out += value.get<bool>() ? '\x88' : '\x89'; break;
    case Ordered::value_t::number_integer:
    case Ordered::value_t::number_unsigned:
        if (const auto number = value.get<std::int64_t>(); number >= 0 && number < 256) {
            out += 'K';
            put_number(out, static_cast<std::uint64_t>(number), 1);
        } else {
            out += "\x8a\x08";
            put_number(out, static_cast<std::uint64_t>(number), 8);
        }
        break;
    case Ordered::value_t::string: {
        const auto& text = value.get_ref<const std::string&>();
        out += 'X';
        put_number(out, text.size(), 4);
        out += text;
        break;
    }
    case Ordered::value_t::array:
        out += "](";
        for (const Ordered& item : value)
            put_value(out, item);
        out += 'e';
        break;
    case Ordered::value_t::object:
        out += "}(";
        for (const auto& [key, item] : value.items()) {
            put_value(out, key);
            put_value(out, item);
        }
        out += 'u';
        break;
    default: throw std::logic_error("no plain value");
    }
}

Ordered moment(double ms) {
    return ms < 0 ? Ordered(nullptr) : Ordered(DumpedJob::kBegin + static_cast<std::int64_t>(ms * 1e6));
}

} // namespace

std::string pickled(const nlohmann::ordered_json& value) {
    std::string out = "\x80\x02";
    put_value(out, value);
    return out + '.';
}

DumpedJob::DumpedJob(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {
    std::vector<int> all(ranks_.size());
    std::iota(all.begin(), all.end(), 0);
    group("0", "default_pg", all);
}

DumpedJob& DumpedJob::group(const std::string& name, const std::string& description, std::vector<int> members) {
    groups_.push_back({name, description, std::move(members)});
    return *this;
}

DumpedJob& DumpedJob::call(int rank, DumpCall call) {
    ranks_[static_cast<std::size_t>(rank)].calls.push_back(std::move(call));
    return *this;
}

DumpedJob& DumpedJob::calls(const std::vector<int>& ranks, const DumpCall& made) {
    for (const int rank : ranks)
        call(rank, made);
    return *this;
}

DumpedJob& DumpedJob::crash(int rank) {
    ranks_[static_cast<std::size_t>(rank)].crashed = true;
    return *this;
}

DumpedJob& DumpedJob::without_status() {
    status_ = false;
    return *this;
}

DumpedJob& DumpedJob::keep_last(int rank, std::size_t calls) {
    Rank& of = ranks_[static_cast<std::size_t>(rank)];
    of.dropped = of.calls.size() - std::min(calls, of.calls.size());
    return *this;
}

DumpedJob& DumpedJob::only_active() {
    only_active_ = true;
    return *this;
}

const DumpedJob::Group& DumpedJob::group_named(const std::string& name) const {
    return *std::ranges::find(groups_, name, &Group::name);
}

nlohmann::ordered_json DumpedJob::dump(int rank) const {
    const Rank& of = ranks_[static_cast<std::size_t>(rank)];
    Ordered configs = Ordered::object(), statuses = Ordered::object(), entries = Ordered::array();
    int uid = 0;
    std::map<std::string, std::string> uids;
    for (const Group& group : groups_) {
        if (std::ranges::find(group.members, rank) == group.members.end())
            continue;
        configs[group.name] = {{"name", group.name},
                               {"desc", group.description},
                               {"ranks", fmt::format("[{}]", fmt::join(group.members, ", "))}};
        uids[group.name] = std::to_string(uid++);
        std::int64_t enqueued = -1, started = -1, completed = -1;
        for (const DumpCall& call : of.calls)
            if (call.group == group.name) {
                enqueued = call.seq;
                started = call.started_ms >= 0 ? call.seq : started;
                completed = call.state == "completed" ? call.seq : completed;
            }
        statuses[uids[group.name]] = {{"last_enqueued_collective", enqueued},
                                      {"last_started_collective", started},
                                      {"last_completed_collective", completed}};
    }
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> counters; // collectives and messages
    for (std::size_t i = 0; i < of.calls.size(); ++i) {
        const DumpCall& call = of.calls[i];
        const bool message = call.peer >= 0 || call.of_messages;
        auto& [collective, p2p] = counters[call.group];
        (message ? p2p : collective) = call.seq;
        if (i < of.dropped || (only_active_ && call.state == "completed"))
            continue;
        const Group& group = group_named(call.group);
        std::string name = "nccl:" + call.kind;
        if (call.peer >= 0)
            name += fmt::format(" {}{}{}", std::ranges::find(group.members, rank) - group.members.begin(),
                                call.kind == "send" ? "->" : "<-", call.peer);
        Ordered frames = Ordered::array();
        for (const std::string& frame : call.frames)
            frames.push_back({{"name", frame}, {"filename", "train.py"}, {"line", 17}});
        entries.push_back({{"record_id", i},
                           {"pg_id", std::stoi(uids[call.group])},
                           {"process_group", {group.name, group.description}},
                           {"collective_seq_id", collective},
                           {"p2p_seq_id", p2p},
                           {"op_id", collective + p2p},
                           {"profiling_name", name},
                           {"time_created_ns", moment(call.created_ms)},
                           {"input_sizes", call.inputs},
                           {"input_dtypes", {call.type}},
                           {"output_sizes", call.outputs},
                           {"output_dtypes", {call.type}},
                           {"state", call.state},
                           {"time_discovered_started_ns", moment(call.started_ms)},
                           {"time_discovered_completed_ns", moment(call.completed_ms)},
                           {"retired", call.state == "completed"},
                           {"timeout_ms", call.timeout_ms},
                           {"is_p2p", message},
                           {"frames", frames}});
    }
    Ordered whole = {{"version", "2.9"}, {"nccl_version", "2.27.3"}, {"pg_config", configs}};
    if (status_)
        whole["pg_status"] = statuses;
    whole["entries"] = entries;
    return whole;
}

Hang DumpedJob::hang() const {
    std::vector<FlightRecorderDump> dumps;
    std::vector<RankDump> given;
    dumps.reserve(ranks_.size());
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        if (ranks_[rank].crashed)
            continue;
        auto read = read_flight_recorder(pickled(dump(static_cast<int>(rank))));
        if (!read)
            throw std::runtime_error(english(read.error().message));
        dumps.push_back(std::move(read->dump));
        given.push_back({static_cast<int>(rank), &dumps.back()});
    }
    return find_hang(given);
}

void DumpedJob::write(const std::filesystem::path& folder, const std::string& prefix, bool json) const {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        if (ranks_[rank].crashed)
            continue;
        std::ofstream file(folder / (prefix + std::to_string(rank)), std::ios::binary);
        Ordered content = dump(static_cast<int>(rank));
        if (json) // PyTorch writes these numbers as texts there
            for (auto& [uid, status] : content["pg_status"].items())
                for (auto& [key, value] : status.items())
                    value = value.dump();
        file << (json ? content.dump() : pickled(content));
    }
}

} // namespace rankscope
