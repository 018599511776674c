// SPDX-License-Identifier: GPL-3.0-or-later
// Which class a kernel has: by the user's own rules, then by the built-in patterns.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/selection/kernel_class.h"
#include "core/base/notice.h"

namespace rankscope {

struct KernelClassRule {
    std::string pattern; ///< regular expression (RE2), found anywhere in a kernel's name
    KernelClass kernel_class = KernelClass::compute;

    bool operator==(const KernelClassRule&) const = default;
};

/// Error (usage): the pattern is empty or no regular expression.
Result<void> check_rule(const KernelClassRule& rule);

/// A value. Copies share the compiled patterns.
class KernelClassRules {
public:
    KernelClassRules() = default; ///< the built-in patterns alone
    /// The first of the user's rules that matches decides. Error (usage): a pattern that is no regular expression.
    static Result<KernelClassRules> of(std::vector<KernelClassRule> own);
    [[nodiscard]] std::span<const KernelClassRule> own() const;

    /// Class by kind and name alone (metrics.md, "Kernel classes", rules 2-5). Collective arguments, where a trace has
    /// them, decide before that.
    [[nodiscard]] KernelClass class_of(EventKind kind, std::string_view name) const;
    /// Class of every GPU event of the rank: entry i belongs to event i, i < gpu_count.
    [[nodiscard]] std::vector<KernelClass> classes_of(const RankTrace& rank) const;

    friend bool operator==(const KernelClassRules& a, const KernelClassRules& b);

private:
    struct Compiled;
    std::shared_ptr<const Compiled> own_; ///< nullptr: none
};

/// A pattern for the kernels that are one function: the name up to its template arguments or parameters, as whole words
/// from the start.
std::string pattern_of_function(std::string_view kernel_name);

} // namespace rankscope
