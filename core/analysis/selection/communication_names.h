// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that move data between GPUs, by name: one table, each row with where the name comes from and an example.
#pragma once
#include <span>
#include <string_view>

namespace rankscope {

struct CommunicationName {
    std::string_view pattern; ///< regular expression (RE2), found anywhere in the name, upper or lower case
    std::string_view source;  ///< the library, and where it launches them
    std::string_view example; ///< as a trace has it
};

std::span<const CommunicationName> communication_names();

/// Whether one of the rows matches. One pass over the name, however many rows there are.
bool names_communication(std::string_view kernel_name);

} // namespace rankscope
