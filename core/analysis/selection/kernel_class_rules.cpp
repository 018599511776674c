// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own kernel classes, asked before the built-in patterns.
#include "core/analysis/selection/kernel_class_rules.h"

#include <cctype>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <re2/re2.h>

namespace rankscope {
namespace {

struct Compiled {
    std::vector<KernelClassRule> rules;
    std::vector<std::unique_ptr<const re2::RE2>> expressions; ///< as many as rules
};

std::mutex rules_mutex;
std::shared_ptr<const Compiled> in_force; ///< nullptr: none; a classification keeps the one it began with

std::shared_ptr<const Compiled> current() {
    const std::lock_guard lock(rules_mutex);
    return in_force;
}

} // namespace

Result<void> check_rule(const KernelClassRule& rule) {
    const re2::RE2 expression(rule.pattern, re2::RE2::Quiet);
    if (!rule.pattern.empty() && expression.ok())
        return {};
    return tl::unexpected<Error>(
        Error{Error::Code::usage, fmt::format("kernel class pattern \"{}\": {}", rule.pattern,
                                              rule.pattern.empty() ? "it is empty" : expression.error())});
}

Result<void> set_kernel_class_rules(std::vector<KernelClassRule> rules) {
    auto compiled = std::make_shared<Compiled>();
    for (const KernelClassRule& rule : rules) {
        if (auto checked = check_rule(rule); !checked)
            return checked;
        compiled->expressions.push_back(std::make_unique<const re2::RE2>(rule.pattern));
    }
    compiled->rules = std::move(rules);
    const std::lock_guard lock(rules_mutex);
    in_force = compiled->rules.empty() ? nullptr : std::move(compiled);
    return {};
}

std::vector<KernelClassRule> kernel_class_rules() {
    const auto rules = current();
    return rules ? rules->rules : std::vector<KernelClassRule>();
}

std::optional<KernelClass> class_by_own_rule(std::string_view kernel_name) {
    const auto rules = current();
    if (!rules)
        return {};
    for (std::size_t i = 0; i < rules->rules.size(); ++i)
        if (re2::RE2::PartialMatch(re2::StringPiece(kernel_name.data(), kernel_name.size()), *rules->expressions[i]))
            return rules->rules[i].kernel_class;
    return {};
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
