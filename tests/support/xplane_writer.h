// SPDX-License-Identifier: GPL-3.0-or-later
// XSpaces in as many lines as they have events, for tests.
#pragma once
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/wire_writer.h"

namespace rankscope {

/// A statistic: a number, a real number, or a text that is written as a reference, as the profiler does.
struct XStatValue {
    std::string name;
    std::variant<std::int64_t, double, std::string> value;
};

class XPlaneWriter {
public:
    explicit XPlaneWriter(std::string name) : name_(std::move(name)) {}

    /// Events that follow are of this line. Times in ns.
    XPlaneWriter& line(std::int64_t id, const std::string& name, std::int64_t timestamp_ns) {
        lines_.emplace_back();
        lines_.back().number(1, id).bytes(2, name).number(3, timestamp_ns);
        return *this;
    }
    /// From start to end, ps behind the line's time.
    XPlaneWriter& event_ps(const std::string& name, std::int64_t start, std::int64_t end,
                           const std::vector<XStatValue>& stats = {}) {
        WireWriter event;
        event.number(1, kind(name)).number(2, start).number(3, end - start);
        for (const XStatValue& stat : stats)
            event.message(4, written(stat));
        lines_.back().message(4, event);
        return *this;
    }
    /// The same in ns.
    XPlaneWriter& event(const std::string& name, std::int64_t start, std::int64_t end,
                        const std::vector<XStatValue>& stats = {}) {
        return event_ps(name, start * 1000, end * 1000, stats);
    }
    /// An event that is a sum of several.
    XPlaneWriter& sum(const std::string& name, std::int64_t occurrences) {
        lines_.back().message(4, WireWriter().number(1, kind(name)).number(5, occurrences).number(3, 1));
        return *this;
    }
    /// What all events of that name have: another name to show, statistics.
    XPlaneWriter& describe(const std::string& name, const std::string& display_name,
                           const std::vector<XStatValue>& stats = {}) {
        Kind& of = kinds_[kind(name)];
        of.display_name = display_name;
        of.stats = stats;
        return *this;
    }
    XPlaneWriter& stat(const XStatValue& value) {
        stats_.push_back(written(value));
        return *this;
    }
    /// Metadata plane: a program by its number and name.
    XPlaneWriter& program(std::int64_t id, const std::string& name, const std::string& hlo_proto) {
        programs_.push_back({id, name, hlo_proto});
        return *this;
    }

    [[nodiscard]] std::string text() {
        std::vector<std::string> kinds;
        for (const auto& [id, of] : kinds_) {
            WireWriter kind;
            kind.number(1, id).bytes(2, of.name);
            if (!of.display_name.empty())
                kind.bytes(4, of.display_name);
            for (const XStatValue& stat : of.stats)
                kind.message(5, written(stat));
            kinds.push_back(WireWriter().number(1, id).message(2, kind).text());
        }
        for (const Program& of : programs_) {
            WireWriter stat;
            stat.number(1, stat_id("Hlo Proto")).bytes(6, of.hlo);
            kinds.push_back(WireWriter()
                                .number(1, of.id)
                                .message(2, WireWriter().number(1, of.id).bytes(2, of.name).message(5, stat))
                                .text());
        }
        WireWriter plane;
        plane.bytes(2, name_);
        for (const WireWriter& line : lines_)
            plane.message(3, line);
        for (const std::string& kind : kinds)
            plane.bytes(4, kind);
        for (const auto& [name, id] : stat_ids_)
            plane.message(5, WireWriter().number(1, id).message(2, WireWriter().number(1, id).bytes(2, name)));
        for (const WireWriter& stat : stats_)
            plane.message(6, stat);
        return plane.text();
    }

private:
    struct Kind {
        std::string name;
        std::string display_name;
        std::vector<XStatValue> stats;
    };
    struct Program {
        std::int64_t id;
        std::string name;
        std::string hlo;
    };
    std::int64_t kind(const std::string& name) {
        const auto [known, added] = kind_ids_.try_emplace(name, static_cast<std::int64_t>(kind_ids_.size()) + 1);
        if (added)
            kinds_[known->second].name = name;
        return known->second;
    }
    std::int64_t stat_id(const std::string& name) {
        return stat_ids_.try_emplace(name, static_cast<std::int64_t>(stat_ids_.size()) + 1).first->second;
    }
    WireWriter written(const XStatValue& stat) {
        WireWriter result;
        result.number(1, stat_id(stat.name));
        if (const auto* number = std::get_if<std::int64_t>(&stat.value))
            result.number(4, *number);
        else if (const auto* real = std::get_if<double>(&stat.value))
            result.real(2, *real);
        else
            result.number(7, stat_id(std::get<std::string>(stat.value)));
        return result;
    }

    std::string name_;
    std::vector<WireWriter> lines_;
    std::vector<WireWriter> stats_;
    std::map<std::string, std::int64_t> kind_ids_;
    std::map<std::int64_t, Kind> kinds_;
    std::map<std::string, std::int64_t> stat_ids_;
    std::vector<Program> programs_;
};

/// The planes of one host.
inline std::string xspace(std::vector<XPlaneWriter> planes, const std::string& hostname = {}) {
    WireWriter space;
    for (XPlaneWriter& plane : planes)
        space.bytes(1, plane.text());
    if (!hostname.empty())
        space.bytes(4, hostname);
    return space.text();
}

} // namespace rankscope
