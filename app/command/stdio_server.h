// SPDX-License-Identifier: GPL-3.0-or-later
// --serve-stdio: answers messages of the Model Context Protocol, so that other programs and assistants can ask about
// runs. It knows nothing of streams (app/command/stdio_session.h), so that tests can talk to it.
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/command/demo_runs.h"
#include "app/command/options.h"
#include "core/compare/analysed_run.h"
#include "core/query/query.h"

namespace rankscope {

/// For one thread at a time; only a ping may be answered beside another answer. Protocol:
/// https://modelcontextprotocol.io/specification, JSON-RPC 2.0.
class StdioServer {
public:
    explicit StdioServer(Options options);

    /// The answer to a message that is JSON. Nothing: it wants none, or its work was stopped. An array is a batch.
    std::optional<Json> answer(const Json& message, const std::stop_token& stop = {});
    /// The same for text, which need not be JSON: as one line, without its end.
    std::optional<std::string> answer_line(std::string_view message);

    static Json not_json(); ///< the error that answers a line that is not JSON
    static Json too_long(); ///< ... or a line that is longer than is read

private:
    struct Tool;
    static const std::vector<Tool>& tools();
    std::optional<Json> answer_one(const Json& request, const std::stop_token& stop);
    std::optional<Json> call(const Json& id, const Json& parameters, const std::stop_token& stop);
    Json open(const Json& arguments, const std::stop_token& stop);
    Json summary(const Json& arguments, const std::stop_token& stop);
    Json findings(const Json& arguments, const std::stop_token& stop);
    Json compare(const Json& arguments, const std::stop_token& stop);
    Json sql(const Json& arguments, const std::stop_token& stop);
    Json metric(const Json& arguments, const std::stop_token& stop);
    Json explain(const Json& arguments, const std::stop_token& stop);
    Json explain_step(const Json& arguments, const std::string& step);
    Json why(const Json& arguments, const std::stop_token& stop);
    Json around(const Json& arguments, const std::stop_token& stop);
    Json what_if(const Json& arguments, const std::stop_token& stop);
    Json study(const Json& arguments, const std::stop_token& stop);
    Json list_runs(const Json& arguments, const std::stop_token& stop);
    Json close(const Json& arguments, const std::stop_token& stop);

    QueryDatabase& database(); ///< over all open runs
    /// A query's answer: columns, rows as lists, whether there are more_rows.
    Json table(const std::string& query, std::size_t most_rows, const std::stop_token& stop);
    /// The same of a query of ours, the first dozen rows.
    Json rows(const std::string& query, const std::stop_token& stop);
    Json open_one(const Options& options, const std::filesystem::path& path, const std::stop_token& stop);
    Json open_demo(Options options, const std::stop_token& stop);
    std::size_t run_of(const Json& arguments, const char* name = "run", std::size_t otherwise = 0) const;
    Json named(std::size_t run) const;
    const AnalysedRun& measured(std::size_t run, const std::stop_token& stop);

    Options options_;
    std::optional<DemoRuns> demo_;
    std::vector<AnalysedRun> runs_;
    std::vector<bool> measured_;            ///< by run: its metrics are all there
    std::optional<QueryDatabase> database_; ///< over all open runs; made anew after one was opened
};

/// As one line that cannot steer a terminal.
std::string text_of_message(const Json& message);
/// The message's id as text where it is a valid one; nothing: it has none.
std::optional<std::string> message_id(const Json& message, const char* key = "id");

} // namespace rankscope
