// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of GPUs that the kernel of their machine logged: Xids of NVIDIA's driver, and errors of the PCIe link (AER).
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/base/time.h"

namespace rankscope {

enum class GpuErrorKind : std::uint8_t { xid, pcie_corrected, pcie_not_fatal, pcie_fatal };

/// Of a GPU whose ranks are known, at a time that is known.
struct GpuError {
    std::vector<int> ranks; ///< that ran on it, ascending
    GpuErrorKind kind = GpuErrorKind::xid;
    int xid = 0;     ///< of kind xid
    TimeNs time = 0; ///< on the clock of these ranks

    friend bool operator==(const GpuError&, const GpuError&) = default;
};

/// "xid", "pcie_corrected", "pcie_not_fatal", "pcie_fatal": in files.
std::string_view gpu_error_kind_word(GpuErrorKind kind);
/// "Xid 79 (the GPU has fallen off the bus)", "a corrected error of the PCIe link". Meanings: NVIDIA's Xid catalog; a
/// number that is not well documented has none.
Message gpu_error_words(GpuErrorKind kind, int xid);

} // namespace rankscope
