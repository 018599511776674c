// SPDX-License-Identifier: GPL-3.0-or-later
// rankscope-batch: the program without its window, and without Qt. The window's settings (kernel classes, peaks) are
// not read.
#include <algorithm>
#include <string>
#include <vector>

#include "app/command/headless.h"
#include "app/command/process.h"
#include "app/command/user_metric_files.h"

int main(int argc, char** argv) {
    using namespace rankscope;
    prepare_process();
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const auto metrics = load_user_metrics(arguments);
    if (!metrics)
        return fail(metrics.error());
    const auto options = parse_options_of_batch(arguments, *metrics);
    return options ? run_without_window(*options) : fail(options.error());
}
