// SPDX-License-Identifier: GPL-3.0-or-later
// Workload cards (YAML) and train_config.toml.
#include <string>

#include "core/input/find/run_config.h"

using namespace rankscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    Notices notices;
    (void)parse_workload_card(text, "workload_card.yaml", notices);
    (void)parse_train_config(text, "train_config.toml", notices);
    return 0;
}
