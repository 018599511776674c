// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own kernel classes, asked before the built-in patterns.
#pragma once
#include <optional>
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

/// In force for every classification that begins from now on, of all runs; the first rule that matches decides. Kernels
/// that carry collective arguments stay communication. Error (usage): a pattern that is no regular expression; then the
/// rules stay as they were.
Result<void> set_kernel_class_rules(std::vector<KernelClassRule> rules);
std::vector<KernelClassRule> kernel_class_rules();

/// The class the user's rules give to a kernel of this name; nothing: they say nothing.
std::optional<KernelClass> class_by_own_rule(std::string_view kernel_name);

/// A pattern for the kernels that are one function: the name up to its template arguments or parameters, as whole words
/// from the start.
std::string pattern_of_function(std::string_view kernel_name);

} // namespace rankscope
