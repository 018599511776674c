// SPDX-License-Identifier: GPL-3.0-or-later
// Questions worth asking, as docs/sql.md explains them and the window offers them.
#pragma once
#include <string_view>
#include <vector>

namespace rankscope {

struct QueryExample {
    std::string_view question;
    std::string_view sql;
    bool two_runs = false; ///< compares run 1 with run 0
};
const std::vector<QueryExample>& query_examples();

} // namespace rankscope
