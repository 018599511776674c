// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/gpu_error.h"

namespace rankscope {
namespace {

/// Empty: not known.
Message xid_meaning(int xid) {
    switch (xid) {
    case 13: return "an exception inside a kernel, as an illegal access or instruction"_text();
    case 31: return "an access to memory that is not mapped"_text();
    case 43: return "the driver stopped the work of a program after its error"_text();
    case 45: return "the driver removed the work of a program, after another error or its end"_text();
    case 48: return "an ECC error that cannot be corrected"_text();
    case 61: return "a warning of the GPU's own controller"_text();
    case 62: return "the GPU's own controller halted"_text();
    case 63: return "a faulty page or row of memory was noted for replacement"_text();
    case 64: return "a faulty page or row of memory could not be noted for replacement"_text();
    case 74: return "an error of an NVLink"_text();
    case 79: return "the GPU has fallen off the bus"_text();
    case 92: return "many corrected ECC errors"_text();
    case 94: return "an ECC error that was contained in one program"_text();
    case 95: return "an ECC error that was not contained in one program"_text();
    case 119: return "the GPU's system processor (GSP) did not answer in time"_text();
    default: return {};
    }
}

} // namespace

std::string_view gpu_error_kind_word(GpuErrorKind kind) {
    switch (kind) {
    case GpuErrorKind::xid: return "xid";
    case GpuErrorKind::pcie_corrected: return "pcie_corrected";
    case GpuErrorKind::pcie_not_fatal: return "pcie_not_fatal";
    case GpuErrorKind::pcie_fatal: return "pcie_fatal";
    }
    return {};
}

Message gpu_error_words(GpuErrorKind kind, int xid) {
    switch (kind) {
    case GpuErrorKind::pcie_corrected: return "a corrected error of the PCIe link"_text();
    case GpuErrorKind::pcie_not_fatal: return "an uncorrected error of the PCIe link, not fatal"_text();
    case GpuErrorKind::pcie_fatal: return "a fatal error of the PCIe link"_text();
    case GpuErrorKind::xid: break;
    }
    const Message meaning = xid_meaning(xid);
    return meaning.empty() ? "Xid %1"_text(xid) : "Xid %1 (%2)"_text(xid, meaning);
}

} // namespace rankscope
