// SPDX-License-Identifier: GPL-3.0-or-later
// The generated runs behind --demo.
#include "app/command/demo_runs.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/demo/run_simulator.h"

namespace rankscope {

Result<DemoRuns> DemoRuns::create(const std::stop_token& stop) {
    std::error_code error;
    const auto parent = std::filesystem::temp_directory_path(error);
    std::string folder = (parent / "rankscope-demo-XXXXXX").string();
    if (error || ::mkdtemp(folder.data()) == nullptr)
        return tl::unexpected<Error>(
            Error{Error::Code::output, "cannot create the demo's folder %1: %2"_text(
                                           folder, error ? error.message() : std::string(std::strerror(errno)))});
    DemoRuns runs(folder); // owns the folder from here on, whatever comes
    if (const auto written = write_demo_runs(folder, stop); !written)
        return tl::unexpected<Error>(written.error());
    return runs;
}

DemoRuns::DemoRuns(DemoRuns&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}

DemoRuns::~DemoRuns() {
    std::error_code ignored; // a temporary folder that cannot be removed is left to the system
    if (!folder_.empty())
        std::filesystem::remove_all(folder_, ignored);
}

std::vector<std::filesystem::path> DemoRuns::paths() const { return {folder_ / "baseline", folder_ / "straggler"}; }

} // namespace rankscope
