// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection/kernel_class_rules.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include <re2/re2.h>

namespace rankscope {

struct KernelClassRules::Compiled {
    std::vector<KernelClassRule> rules;
    std::vector<std::unique_ptr<const re2::RE2>> expressions; ///< as many as rules
};

Result<void> check_rule(const KernelClassRule& rule) {
    const re2::RE2 expression(rule.pattern, re2::RE2::Quiet);
    if (!rule.pattern.empty() && expression.ok())
        return {};
    return tl::unexpected<Error>(
        Error{Error::Code::usage,
              "kernel class pattern \"%1\": %2"_text(
                  rule.pattern, rule.pattern.empty() ? "it is empty"_text() : Message(expression.error()))});
}

Result<KernelClassRules> KernelClassRules::of(std::vector<KernelClassRule> own) {
    auto compiled = std::make_shared<Compiled>();
    for (const KernelClassRule& rule : own) {
        if (auto checked = check_rule(rule); !checked)
            return tl::unexpected(checked.error());
        compiled->expressions.push_back(std::make_unique<const re2::RE2>(rule.pattern));
    }
    compiled->rules = std::move(own);
    KernelClassRules rules;
    if (!compiled->rules.empty())
        rules.own_ = std::move(compiled);
    return rules;
}

std::span<const KernelClassRule> KernelClassRules::own() const {
    return own_ ? std::span<const KernelClassRule>(own_->rules) : std::span<const KernelClassRule>();
}

bool operator==(const KernelClassRules& a, const KernelClassRules& b) { return std::ranges::equal(a.own(), b.own()); }

KernelClass KernelClassRules::class_of(EventKind kind, std::string_view name) const {
    if (own_ && kind != EventKind::memcpy && kind != EventKind::memset)
        for (std::size_t i = 0; i < own_->rules.size(); ++i)
            if (re2::RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *own_->expressions[i]))
                return own_->rules[i].kernel_class;
    return built_in_class(kind, name);
}

std::vector<KernelClass> KernelClassRules::classes_of(const RankTrace& rank) const {
    const EventTable& events = rank.events;
    std::vector<std::optional<KernelClass>> by_name(rank.names->size());
    std::vector<KernelClass> classes(events.gpu_count);
    for (EventIndex i = 0; i < events.gpu_count; ++i) {
        if (events.kind[i] != EventKind::kernel) {
            classes[i] = class_of(events.kind[i], {});
            continue;
        }
        std::optional<KernelClass>& known = by_name[events.name[i]];
        if (!known)
            known = class_of(EventKind::kernel, rank.event_name(i));
        classes[i] = *known;
    }
    for (const CollectiveEntry& call : rank.collectives)
        if (call.event < events.gpu_count)
            classes[call.event] = KernelClass::communication;
    return classes;
}

std::string pattern_of_function(std::string_view name) {
    std::size_t end = std::min(name.find('<'), name.find('('));
    if (end == 0 || end == std::string_view::npos)
        end = name.size();
    while (end > 0 && name[end - 1] == ' ')
        --end;
    const std::string quoted = re2::RE2::QuoteMeta(re2::StringPiece(name.data(), end));
    const bool word = end > 0 && (std::isalnum(static_cast<unsigned char>(name[end - 1])) != 0 || name[end - 1] == '_');
    return "^" + quoted + (word ? "\\b" : "");
}

} // namespace rankscope
