// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hang/call_mismatch.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_match.h"

namespace rankscope {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 53;

std::string sizes_text(const std::vector<std::vector<std::int64_t>>& sizes) {
    constexpr std::size_t kShown = 4;
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(sizes.size(), kShown); ++i)
        text += fmt::format("{}[{}]", i == 0 ? "" : ", ", fmt::join(sizes[i], ", "));
    return text + (sizes.size() > kShown ? fmt::format(" and {} more]", sizes.size() - kShown) : "]");
}

std::string types_text(const std::vector<std::string>& types) {
    std::set<std::string> different(types.begin(), types.end());
    return fmt::format("{}", fmt::join(different, ", "));
}

/// Of all tensors together; -1: more than anybody has, or not known.
std::int64_t element_count(const std::vector<std::vector<std::int64_t>>& tensors) {
    std::int64_t elements = 0;
    for (const auto& sizes : tensors) {
        std::int64_t product = 1;
        for (const std::int64_t size : sizes)
            product = product < 0 || size < 0 || (size > 0 && product > kMostElements / size) ? -1 : product * size;
        elements = product < 0 || elements < 0 || product > kMostElements - elements ? -1 : elements + product;
    }
    return elements;
}

bool is_all_to_all(std::string_view lower) { return contains(lower, "all_to_all") || contains(lower, "alltoall"); }

/// What members of one call must have in common, as text.
struct CommonParts {
    std::string kind;
    std::string sizes;
    std::string types;
};

CommonParts common_parts(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    const std::string& kind = dump.kinds[call.kind];
    const FlightRecorderTensors& tensors = dump.tensors[call.tensors];
    CommonParts parts;
    if (call.is_message()) {
        // What is sent is what is received, in whatever shape.
        const bool sends = kind == "send";
        parts.kind = "message";
        parts.sizes = std::to_string(element_count(sends ? tensors.inputs : tensors.outputs));
        parts.types = types_text(sends ? tensors.input_types : tensors.output_types);
        return parts;
    }
    parts.kind = kind;
    const std::string lower = lower_case(kind);
    const bool uneven = is_all_to_all(lower) || lower.ends_with("_v") || contains(lower, "_v_") ||
                        contains(lower, "barrier") || lower == "split" || lower == "new_window" ||
                        contains(lower, "coalesced");
    const bool from_one = contains(lower, "scatter") && !contains(lower, "reduce_scatter");
    const bool to_one =
        lower == "gather" || (contains(lower, "reduce") && !contains(lower, "all") && !contains(lower, "scatter"));
    if (uneven)
        return parts;
    parts.sizes = (from_one ? std::string() : sizes_text(tensors.inputs)) + " -> " +
                  (to_one ? std::string() : sizes_text(tensors.outputs));
    // Tensors without elements have a type that nobody looks at.
    const auto has_any = [](const std::vector<std::vector<std::int64_t>>& all) {
        return std::ranges::any_of(all, [](const auto& sizes) { return std::ranges::find(sizes, 0) == sizes.end(); });
    };
    if (!from_one && lower != "broadcast" && has_any(tensors.inputs))
        parts.types = types_text(tensors.input_types);
    else if (!to_one && has_any(tensors.outputs))
        parts.types = types_text(tensors.output_types);
    return parts;
}

Message called_text(const FlightRecorderDump& dump, const FlightRecorderCall& call) {
    const FlightRecorderTensors& tensors = dump.tensors[call.tensors];
    const bool receives = dump.kinds[call.kind] == "recv";
    const std::string sizes = sizes_text(receives ? tensors.outputs : tensors.inputs);
    Message text = !receives && !call.is_message() && tensors.outputs != tensors.inputs && !tensors.outputs.empty()
                       ? "%1 %2 to %3"_text(dump.kinds[call.kind], sizes, sizes_text(tensors.outputs))
                       : Message(dump.kinds[call.kind] + ' ' + sizes);
    const std::string types = types_text(receives ? tensors.output_types : tensors.input_types);
    return types.empty() ? text : text += ' ' + types;
}

/// Whether all members called the very same, as they mostly do.
bool all_alike(const HangWaits& waits, std::uint32_t c) {
    const HangPart* first = nullptr;
    for (const HangPart& part : waits.calls[c].parts) {
        if (!part.has_call)
            continue;
        if (first == nullptr) {
            first = &part;
            continue;
        }
        const FlightRecorderDump &a = waits.dump(first->rank), &b = waits.dump(part.rank);
        if (waits.kind_of(*first) != waits.kind_of(part) ||
            a.tensors[waits.entry(*first).tensors] != b.tensors[waits.entry(part).tensors])
            return false;
    }
    return true;
}

/// Of all-to-alls sizes may differ, yet what all members send together is what all receive.
std::optional<HangMismatch> unequal_totals_in(const HangWaits& waits, std::uint32_t c) {
    std::int64_t sent = 0, received = 0;
    std::map<std::string, HangVariant> variants;
    for (const HangPart& part : waits.calls[c].parts) {
        if (!part.has_call)
            return std::nullopt;
        const FlightRecorderDump& dump = waits.dump(part.rank);
        const FlightRecorderTensors& tensors = dump.tensors[waits.entry(part).tensors];
        const std::int64_t in = element_count(tensors.inputs), out = element_count(tensors.outputs);
        if (!is_all_to_all(lower_case(waits.kind_of(part))) || tensors.inputs.empty() || tensors.outputs.empty() ||
            in < 0 || out < 0 || in > kMostElements - sent || out > kMostElements - received)
            return std::nullopt;
        sent += in;
        received += out;
        Message called = called_text(dump, waits.entry(part));
        HangVariant& variant = variants[english(called)];
        variant.called = std::move(called);
        variant.ranks.push_back(part.rank);
    }
    if (sent == received || !waits.groups[waits.calls[c].group].members_told)
        return std::nullopt;
    HangMismatch mismatch{waits.call_of(c), std::string(kUnequalTotals), {}};
    for (auto& [text, variant] : variants)
        mismatch.variants.push_back(std::move(variant));
    return mismatch;
}

} // namespace

std::optional<HangMismatch> mismatch_in(const HangWaits& waits, std::uint32_t c) {
    if (auto totals = unequal_totals_in(waits, c))
        return totals;
    if (all_alike(waits, c))
        return std::nullopt;
    std::vector<std::pair<CommonParts, const HangPart*>> made;
    for (const HangPart& part : waits.calls[c].parts)
        if (part.has_call)
            made.emplace_back(common_parts(waits.dump(part.rank), waits.entry(part)), &part);
    for (const auto& [what, field] : {std::pair("kind", &CommonParts::kind), std::pair("sizes", &CommonParts::sizes),
                                      std::pair("types", &CommonParts::types)}) {
        std::map<std::string, HangVariant> variants;
        for (const auto& [parts, part] : made) {
            // Kinds without sizes in common, and tensors without elements, say nothing.
            if ((parts.*field).empty() || (field == &CommonParts::sizes && parts.sizes == "-1"))
                continue;
            HangVariant& variant = variants[parts.*field];
            Message called = called_text(waits.dump(part->rank), waits.entry(*part));
            if (variant.ranks.empty())
                variant.called = std::move(called);
            else if (variant.called != called)
                variant.called = "%1 with sizes that differ by rank"_text(waits.kind_of(*part));
            variant.ranks.push_back(part->rank);
        }
        if (variants.size() < 2)
            continue;
        HangMismatch mismatch{waits.call_of(c), what, {}};
        for (auto& [text, variant] : variants)
            mismatch.variants.push_back(std::move(variant));
        std::ranges::stable_sort(mismatch.variants, std::ranges::greater(),
                                 [](const HangVariant& variant) { return variant.ranks.size(); });
        return mismatch;
    }
    return std::nullopt;
}

} // namespace rankscope
