// SPDX-License-Identifier: GPL-3.0-or-later
// What bounds any reader of Kineto files: simdjson On-Demand alone, walking the fields of all events on one thread.
#pragma once
#include <cstdint>
#include <filesystem>

#include <simdjson.h>

namespace rankscope {

/// Sums of everything walked, so that nothing is optimised away.
struct Walked {
    std::uint64_t events = 0;
    std::uint64_t checksum = 0;
};

/// name, ph, cat, pid, tid, ts, dur of each event and correlation, External id, stream, device of its arguments, as raw
/// tokens: the least that any reader must touch. Text that simdjson refuses (it takes up to 4 GB) throws.
inline Walked walk_with_simdjson(const std::filesystem::path& file) {
    namespace od = simdjson::ondemand;
    const auto scalar_sum = [](od::value value) {
        const std::string_view token = value.raw_json_token();
        return static_cast<unsigned char>(token[0]) + token.size();
    };
    Walked walked;
    const simdjson::padded_string text = simdjson::padded_string::load(file.string());
    od::parser parser;
    od::document document = parser.iterate(text);
    for (od::object event : document["traceEvents"].get_array()) {
        ++walked.events;
        for (auto field : event) {
            const std::string_view key = field.unescaped_key();
            if (key == "ts" || key == "dur") {
                od::value number = field.value();
                walked.checksum += static_cast<std::uint64_t>(number.get_double().value());
            } else if (key == "name" || key == "cat" || key == "ph") {
                od::value name = field.value();
                walked.checksum += name.get_string().value().size();
            } else if (key == "pid" || key == "tid") {
                walked.checksum += scalar_sum(field.value());
            } else if (key == "args") {
                od::object args;
                if (field.value().get_object().get(args) != simdjson::SUCCESS)
                    continue;
                for (auto arg : args) {
                    const std::string_view arg_key = arg.unescaped_key();
                    if (arg_key == "correlation" || arg_key == "External id" || arg_key == "stream" ||
                        arg_key == "device")
                        walked.checksum += scalar_sum(arg.value());
                }
            }
        }
    }
    return walked;
}

} // namespace rankscope
