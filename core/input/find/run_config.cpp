// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/input/find/run_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "core/base/text_match.h"
#include "core/input/find/benchmark_times.h"
#include "core/input/find/bounded_config.h"
#include "core/input/find/config_files.h"
#include "core/input/find/find_runs.h"
#include "core/input/find/nccl_ras.h"
#include "core/input/find/python_json.h"
#include "core/input/find/toml_parser.h"
#include "core/trace/run_settings.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// Far more than any configuration holds. What one file may be made of: core/input/find/bounded_config.h.
constexpr std::size_t kMostKeys = 10'000;
/// With the names of the tables around it, which all keys of a table repeat. Longer ones are left out.
constexpr std::size_t kLongestKey = 1000;
constexpr std::uint64_t kLargestRecords = 16u << 20;
constexpr std::uint64_t kLargestScanned = 256u << 20; ///< of results of which only a few numbers are taken
/// Of all files beside one run.
constexpr std::uint64_t kMostBytes = 256u << 20;
constexpr std::size_t kMostLoads = 4'000'000;
/// A list of loads takes so many times what a load does.
constexpr std::size_t kListCost = 8;

/// Words that people write where they have no value.
bool is_placeholder(const std::string& value) {
    static constexpr std::array kWords{"", "n/a", "na", "tbd", "todo", "none", "null", "~", "unknown", "-"};
    return std::ranges::find(kWords, lower_case(value)) != kWords.end();
}

void set(RunConfig& config, const std::string& key, const std::string& value) {
    if (key.size() <= kLongestKey && !is_placeholder(value) && config.size() < kMostKeys)
        config[key] = value;
}

std::string joined(const std::string& prefix, const std::string& key) {
    return prefix.empty() ? key : prefix + "." + key;
}

std::string list_text(const YAML::Node& list) {
    std::string text;
    for (const YAML::Node& item : list) {
        if (!item.IsScalar())
            return fmt::format("{} entries", list.size());
        text += (text.empty() ? "" : ", ") + item.Scalar();
    }
    return "[" + text + "]";
}

void flatten(const YAML::Node& node, const std::string& prefix, int depth, RunConfig& config) {
    if (depth > ConfigBounds().depth || config.size() >= kMostKeys || prefix.size() > kLongestKey)
        return;
    if (node.IsMap()) {
        for (const auto& member : node)
            if (member.first.IsScalar())
                flatten(member.second, joined(prefix, member.first.Scalar()), depth + 1, config);
    } else if (node.IsSequence()) {
        set(config, prefix, list_text(node));
    } else if (node.IsScalar()) {
        set(config, prefix, node.Scalar());
    }
}

/// Cards put Model-executor at the top or in workload, and the architecture's keys in model_arch or in model itself.
std::string canonical_key(const std::string& key) {
    constexpr std::string_view kExecutor = "workload.Model-executor.";
    if (key.starts_with(kExecutor))
        return key.substr(std::string_view("workload.").size());
    constexpr std::string_view kModel = "workload.model.";
    static constexpr std::array kArchitecture{"num_params", "num_params_active", "num_params_embedding",
                                              "num_layers", "num_heads",         "head_dim"};
    if (key.starts_with(kModel) && std::ranges::find(kArchitecture, key.substr(kModel.size())) != kArchitecture.end())
        return std::string(kModel) + "model_arch." + key.substr(kModel.size());
    return key;
}

/// As lists of cards are written: "[1, 2]". toml++ prints arrays, too, but counts the digits of an infinite number.
std::string value_text(const toml::node& node) {
    if (const toml::array* list = node.as_array()) {
        std::vector<std::string> items;
        for (const toml::node& item : *list)
            items.push_back(value_text(item));
        return fmt::format("[{}]", fmt::join(items, ", "));
    }
    if (const toml::table* table = node.as_table()) {
        std::vector<std::string> items;
        for (const auto& [key, value] : *table)
            items.push_back(fmt::format("{} = {}", key.str(), value_text(value)));
        return fmt::format("{{{}}}", fmt::join(items, ", "));
    }
    if (const auto* number = node.as_floating_point())
        return fmt::format("{}", number->get());
    std::ostringstream out;
    node.visit([&](const auto& value) {
        if constexpr (toml::is_value<decltype(value)>)
            out << std::boolalpha << value.get();
    });
    return out.str();
}

/// toml_excess() bounds the depth.
void flatten(const toml::node& node, const std::string& prefix, RunConfig& config) {
    if (prefix.size() > kLongestKey)
        return;
    if (const toml::table* table = node.as_table()) {
        for (const auto& [key, value] : *table)
            flatten(value, joined(prefix, std::string(key.str())), config);
        return;
    }
    set(config, prefix, value_text(node));
}

/// The files beside one run, which share what may be read of them.
class ConfigFiles {
public:
    explicit ConfigFiles(Run& run) : run_(run) {}

    std::optional<std::string> text(const fs::path& path, std::uint64_t limit = ConfigBounds().bytes) {
        if (left_ == 0)
            return {};
        auto text = read_bounded_file(path, limit);
        if (!text) {
            const bool too_large = english(text.error().message).starts_with("larger");
            note(path, too_large ? NoticeCode("config_too_large") : NoticeCode("unreadable_config"),
                 text.error().message);
            return {};
        }
        left_ -= std::min<std::uint64_t>(left_, text->size());
        if (left_ == 0)
            note({}, "config_too_large",
                 "the configuration beside the traces is larger than %1: the rest of it is not read"_text(
                     bound_text(kMostBytes)));
        return std::move(*text);
    }
    void note(const fs::path& path, NoticeCode code, Message message) {
        add_notice(run_.notices, {code, std::move(message), path.string(), 1});
    }

private:
    Run& run_;
    std::uint64_t left_ = kMostBytes;
};

bool is_yaml(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

bool is_gate_log(const fs::path& path) {
    return path.extension() == ".json" && path.filename().string().starts_with("gate_logs_");
}

} // namespace

bool is_serving_results(const fs::path& path) {
    using namespace std::string_view_literals;
    const std::string name = lower_case(path.filename().string());
    if (name.ends_with(".latency.json"))
        return false;
    static constexpr std::array kWords{"bench"sv, "serving"sv, "request"sv, "sglang"sv, "vllm"sv};
    return name == "bench_results.json" || (name.ends_with(".jsonl") && contains_any(name, kWords)) ||
           (name.ends_with(".json") && (contains(name, "qps-") || path.parent_path().filename() == "results_json")) ||
           (name.ends_with(".log") && contains(name, "request"));
}

namespace {

/// Text that `ncclras` printed. Whether it is one its content tells.
bool is_ras_name(const fs::path& path) {
    const std::string name = lower_case(path.filename().string());
    if (!name.ends_with(".txt") && !name.ends_with(".log"))
        return false;
    constexpr std::string_view kWord = "ras";
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    for (std::size_t at = name.find(kWord); at != std::string::npos; at = name.find(kWord, at + 1)) {
        const std::string_view before = std::string_view(name).substr(0, at);
        if (!is_letter(name[at + kWord.size()]) &&
            (before.empty() || !is_letter(before.back()) || before.ends_with("nccl") || before.ends_with("rccl")))
            return true;
    }
    return false;
}

bool is_config_name(const fs::path& path) {
    const std::string name = path.filename().string();
    return is_yaml(path) || is_serving_results(path) || name == "train_config.toml" || name == "bench_results.jsonl" ||
           name == "gpu_count.txt" || name.ends_with(".latency.json") || is_gate_log(path) || is_ras_name(path);
}

void merge(RunConfig& into, const RunConfig& from) { into.insert(from.begin(), from.end()); }

/// Values of one kind over the lines that have them.
struct MeanOfLines {
    double sum = 0;
    int lines = 0;
    void add(const nlohmann::json& line, const char* key) {
        if (const auto value = measured_time(line, key)) {
            sum += *value;
            ++lines;
        }
    }
    [[nodiscard]] double mean() const { return sum / lines; }
};

/// How hard a line of results drove the server: lines of different loads have no mean.
using Load = std::map<std::string, std::string>;

Load load_of(const nlohmann::json& line) {
    Load load;
    for (const char* key : {"request_rate", "max_concurrency", "concurrency", "num_concurrency", "num_prompts",
                            "batch_size", "input_len", "output_len", "random_input_len", "random_output_len"})
        if (const auto at = line.find(key); at != line.end() && at->is_primitive() && !at->is_null())
            if (key != std::string_view("concurrency") || !at->is_number_float()) // SGLang measures that one
                load[key] = at->dump();
    return load;
}

/// What the first says otherwise than the second: "request_rate 1"; empty where they are one load. A key that only one
/// of them has tells nothing.
std::string difference(const Load& a, const Load& b) {
    std::string words;
    for (const auto& [key, value] : a)
        if (const auto other = b.find(key); other != b.end() && other->second != value)
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", key, value);
    return words;
}

/// The first of the keys that holds a number.
std::optional<double> number_at(const nlohmann::json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (const auto at = object.find(key); at != object.end() && at->is_number())
            return at->get<double>();
    return {};
}

std::optional<double> time_at(const nlohmann::json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (const auto time = measured_time(object, key))
            return time;
    return {};
}

constexpr double kMsPerSecond = 1000;
constexpr double kMostTokens = 1e15; ///< more are no count

/// Seconds of a list, in milliseconds; what is no time is left out.
std::vector<double> gaps_ms(const nlohmann::json& list) {
    std::vector<double> gaps;
    if (list.is_array())
        for (const nlohmann::json& gap : list)
            if (gap.is_number() && gap.get<double>() >= 0)
                gaps.push_back(gap.get<double>() * kMsPerSecond);
    return gaps;
}

/// What an error is told by: a text, an object, a code; not null, false, 0 or what is empty.
bool is_error(const nlohmann::json& error) {
    return error.is_string()    ? !is_placeholder(error.get<std::string>())
           : error.is_boolean() ? error.get<bool>()
           : error.is_number()  ? error.get<double>() != 0
                                : !error.empty();
}

/// "error", "aborted", "timeout"; of HTTP, 500.
bool is_status_of_failure(const nlohmann::json& status) {
    constexpr double kLeastHttpError = 400;
    if (status.is_number())
        return status.get<double>() >= kLeastHttpError;
    if (!status.is_string())
        return false;
    using namespace std::string_view_literals;
    static constexpr std::array kWords{"error"sv, "fail"sv, "abort"sv, "cancel"sv, "timeout"sv, "timed"sv};
    return contains_any(lower_case(status.get<std::string>()), kWords);
}

/// The request failed or was aborted. Its times say nothing of the engine, even if they are recorded.
bool has_failed(const nlohmann::json& request) {
    const auto told = [&](const char* key, const auto& test) {
        const auto at = request.find(key);
        return at != request.end() && test(*at);
    };
    const auto is = [&](const char* key, bool value) {
        return told(key, [&](const nlohmann::json& at) { return at.is_boolean() && at.get<bool>() == value; });
    };
    // SGLang: {"type": "abort", "message": ...}; others the word alone.
    const auto ended_early = [](const nlohmann::json& reason) {
        return is_status_of_failure(reason.is_object() ? reason.value("type", nlohmann::json()) : reason);
    };
    return is("success", false) || is("failed", true) || told("error", is_error) ||
           told("status", is_status_of_failure) || told("finish_reason", ended_early);
}

/// A request on a line of its own: of a log, whose times are seconds.
std::optional<ServedRequest> request_of(const nlohmann::json& line) {
    const nlohmann::json& of = line.contains("meta_info") && line["meta_info"].is_object() ? line["meta_info"] : line;
    const auto ttft = time_at(of, {"ttft", "time_to_first_token"});
    const auto ttft_ms = time_at(of, {"ttft_ms"});
    const auto latency = time_at(of, {"e2e_latency", "latency", "e2e"});
    const auto latency_ms = time_at(of, {"latency_ms", "e2e_latency_ms"});
    const auto output = number_at(of, {"completion_tokens", "output_tokens", "output_len", "generated_tokens"});
    const auto prompt = number_at(of, {"prompt_tokens", "prompt_len", "input_len", "input_tokens"});
    if (!(ttft || ttft_ms || latency || latency_ms) || !output || *output <= 0 || *output > kMostTokens ||
        has_failed(line) || has_failed(of))
        return {};
    ServedRequest request;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    request.ttft_ms = ttft_ms ? *ttft_ms : ttft ? *ttft * kMsPerSecond : nan;
    request.latency_ms = latency_ms ? *latency_ms : latency ? *latency * kMsPerSecond : nan;
    if (request.latency_ms < request.ttft_ms) // its last token is not before its first
        return {};
    request.output_tokens = static_cast<std::int64_t>(*output);
    request.prompt_tokens = prompt && *prompt >= 0 && *prompt <= kMostTokens ? static_cast<std::int64_t>(*prompt) : -1;
    for (const char* key : {"itl", "itls", "inter_token_latencies"})
        if (of.contains(key))
            request.token_gaps_ms = gaps_ms(of[key]);
    return request;
}

/// Requests that a benchmark lists side by side: "ttfts" and "itls" in seconds, "input_lens", "output_lens".
void add_listed_requests(const nlohmann::json& line, std::vector<ServedRequest>& requests) {
    if (!line.contains("ttfts") || !line["ttfts"].is_array())
        return;
    const nlohmann::json& ttfts = line["ttfts"];
    const auto item = [&](const char* key, std::size_t i) -> const nlohmann::json* {
        return line.contains(key) && line[key].is_array() && i < line[key].size() ? &line[key][i] : nullptr;
    };
    for (std::size_t i = 0; i < ttfts.size(); ++i) {
        // Failed requests have a time of 0, and no tokens.
        const auto length = [&](const char* key) {
            const nlohmann::json* value = item(key, i);
            return value != nullptr && value->is_number() ? value->get<std::int64_t>() : std::int64_t{-1};
        };
        ServedRequest request;
        request.ttft_ms = ttfts[i].is_number() ? ttfts[i].get<double>() * kMsPerSecond : 0;
        request.prompt_tokens = length("input_lens");
        request.output_tokens = length("output_lens");
        const nlohmann::json* error = item("errors", i);
        if (request.ttft_ms <= 0 || request.output_tokens == 0 || (error != nullptr && is_error(*error)))
            continue;
        request.latency_ms = std::numeric_limits<double>::quiet_NaN();
        if (const nlohmann::json* gaps = item("itls", i)) {
            request.token_gaps_ms = gaps_ms(*gaps);
            request.latency_ms = request.ttft_ms;
            for (const double gap : request.token_gaps_ms)
                request.latency_ms += gap;
        }
        requests.push_back(std::move(request));
    }
}

/// Takes what stands in an object beside its lists and tables. Nothing else of a large file is kept.
class ScalarMembers : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit ScalarMembers(std::function<void(const nlohmann::json&)> take) : take_(std::move(take)) {}
    bool null() override { return true; }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return put(value); }
    bool string(string_t& value) override { return value.size() > kLongestText || put(value); }
    bool binary(binary_t& /*value*/) override { return true; }
    bool key(string_t& name) override {
        if (is_member())
            key_ = name.substr(0, kLongestText);
        return true;
    }
    bool start_object(std::size_t /*size*/) override { return open(true); }
    bool start_array(std::size_t /*size*/) override { return open(false); }
    bool end_object() override {
        if (is_member())
            take_(std::exchange(record_, nlohmann::json::object()));
        open_.pop_back();
        return true;
    }
    bool end_array() override {
        open_.pop_back();
        return true;
    }
    bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                     const nlohmann::json::exception& /*why*/) override {
        return false;
    }

private:
    static constexpr std::size_t kLongestText = 256;
    static constexpr std::size_t kMostMembers = 1000;
    static constexpr std::size_t kDeepest = 32;

    /// Of an object that stands alone, or in a list of them.
    [[nodiscard]] bool is_member() const {
        return !open_.empty() && open_.back() && (open_.size() == 1 || (open_.size() == 2 && !open_.front()));
    }
    bool open(bool object) {
        open_.push_back(object);
        return open_.size() <= kDeepest;
    }
    template <typename T>
    bool put(const T& value) {
        if (is_member() && record_.size() < kMostMembers)
            record_[key_] = value;
        return true;
    }

    std::function<void(const nlohmann::json&)> take_;
    nlohmann::json record_ = nlohmann::json::object();
    std::string key_;
    std::vector<bool> open_; ///< an object, else a list
};

/// Objects one after the other, or one list of them.
void take_scalars(const fs::path& path, const std::function<void(const nlohmann::json&)>& take) {
    std::ifstream source(path, std::ios::binary);
    PythonJson text(source);
    std::istream file(&text);
    ScalarMembers members(take);
    while (file && (file >> std::ws).peek() != std::ifstream::traits_type::eof())
        if (!nlohmann::json::sax_parse(file, &members, nlohmann::json::input_format_t::json, false))
            return;
}

void note_no_acceptance_length(const fs::path& path, const std::string& key, const std::string& value,
                               ConfigFiles& files) {
    files.note(path, "broken_config", "%1 is no mean acceptance length (1 to 64 tokens): %2"_text(key, value));
}

/// Tokens that a request receives from a step that verifies its drafts, its bonus token among them.
class AcceptanceLengths {
public:
    /// vLLM: 1 + accepted tokens / drafts. SGLang: accepted tokens, the bonus token among them, over verified drafts.
    void add(const nlohmann::json& result, const fs::path& path, ConfigFiles& files) {
        for (const char* key : {"spec_decode_acceptance_length", "accept_length"})
            if (const auto value = measured_time(result, key); value && is_acceptance_length(*value))
                of_results_[key].add(result, key);
            else if (value)
                note_no_acceptance_length(path, key, fmt::format("{}", *value), files);
    }
    /// SGLang: a request's tokens, of which the first one is its prompt's, and how often its drafts were verified.
    void add_request(const nlohmann::json& line, const ServedRequest& request) {
        const nlohmann::json& of =
            line.contains("meta_info") && line["meta_info"].is_object() ? line["meta_info"] : line;
        if (const auto checks = number_at(of, {"spec_verify_ct"}); checks && *checks > 0 && *checks <= kMostTokens) {
            verified_tokens_ += static_cast<double>(request.output_tokens - 1);
            checks_ += *checks;
        }
    }
    void set(RunConfig& config) const {
        for (const auto& [key, lines] : of_results_)
            config["benchmark." + key] = fmt::format("{}", lines.mean());
        if (checks_ > 0 && is_acceptance_length(verified_tokens_ / checks_))
            config["requests.acceptance_length"] = fmt::format("{}", verified_tokens_ / checks_);
    }

private:
    std::map<std::string, MeanOfLines> of_results_;
    double verified_tokens_ = 0, checks_ = 0; ///< of the logged requests
};

struct MeanRates {
    MeanOfLines output_tokens, requests;
    void add(const nlohmann::json& line) {
        output_tokens.add(line, "output_throughput");
        requests.add(line, "request_throughput");
    }
    void set(RunConfig& config, const std::string& prefix) const {
        if (output_tokens.lines > 0)
            config[prefix + ".output_throughput"] = fmt::format("{}", output_tokens.mean());
        if (requests.lines > 0)
            config[prefix + ".request_throughput"] = fmt::format("{}", requests.mean());
    }
};

/// What several files tell of requests.
struct ServedRequests {
    MeanOfLines ttft, tpot, itl;
    BenchmarkTimes times;
    AcceptanceLengths acceptance;
    MeanRates rates, ccl_bench_rates;
    std::vector<Load> loads;           ///< of the lines with results, each once
    std::string results_file;          ///< the last with numbers of a whole benchmark
    std::vector<ServedRequest> listed; ///< by a benchmark
    std::vector<ServedRequest> logged; ///< by the engine: the same ones, seen from the other side
    std::string listed_file;
    std::string logged_file;

    [[nodiscard]] int numbers() const {
        return ttft.lines + tpot.lines + itl.lines + rates.output_tokens.lines + rates.requests.lines;
    }
};

void read_serving_results(const fs::path& path, ServedRequests& served, ConfigFiles& files) {
    std::error_code unknown;
    const auto bytes = fs::is_regular_file(path, unknown) ? fs::file_size(path, unknown) : 0;
    const bool whole = bytes <= kLargestRecords || bytes > kLargestScanned;
    const auto text = whole ? files.text(path, kLargestRecords) : std::string();
    if (!text)
        return;
    ConfigBounds bounds;
    bounds.bytes = kLargestRecords;
    bounds.nodes = 2'000'000; // a number a token
    const int numbers_before = served.numbers();
    const std::size_t listed_before = served.listed.size();
    const std::size_t logged_before = served.logged.size();
    const bool of_ccl_bench =
        path.filename() == "bench_results.jsonl" || path.parent_path().filename() == "results_json";
    Message broken;
    const auto take_object = [&](const nlohmann::json& record) {
        const int numbers = served.numbers();
        const std::size_t requests = served.listed.size();
        served.ttft.add(record, "median_ttft_ms");
        served.tpot.add(record, "median_tpot_ms");
        served.itl.add(record, "median_itl_ms");
        served.times.add(record);
        served.acceptance.add(record, path, files);
        served.rates.add(record);
        if (of_ccl_bench)
            served.ccl_bench_rates.add(record);
        add_listed_requests(record, served.listed);
        const Load load = load_of(record);
        if ((numbers < served.numbers() || requests < served.listed.size()) &&
            std::ranges::find(served.loads, load) == served.loads.end())
            served.loads.push_back(load);
        if (const auto request = request_of(record)) {
            served.logged.push_back(*request);
            served.acceptance.add_request(record, *request);
        }
    };
    const auto take = [&](std::string_view part) {
        const auto record = parse_bounded_json(part, bounds);
        if (!record)
            broken = record.error().message;
        if (!record || !(record->is_object() || record->is_array()))
            return false;
        if (record->is_object())
            take_object(*record);
        else
            for (const nlohmann::json& item : *record)
                if (item.is_object())
                    take_object(item);
        return true;
    };
    if (!whole) {
        files.note(
            path, "config_too_large",
            "larger than %1: its requests are not read, only the medians, means and percentiles of the whole benchmark"_text(
                bound_text(kLargestRecords)));
        take_scalars(path, take_object);
    } else if (!take(*text)) {
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);)
            if (line.find('{') != std::string::npos)
                take(std::string_view(line).substr(line.find('{')));
    }
    if (!broken.empty())
        files.note(path, "config_too_large", "%1: not read"_text(broken));
    const bool told = served.numbers() > numbers_before;
    const bool lists = served.listed.size() > listed_before;
    const bool logs = served.logged.size() > logged_before;
    if (!told && !lists && !logs && path.filename() == "bench_results.jsonl")
        files.note(path, "broken_config",
                   "no median_ttft_ms, median_tpot_ms, median_itl_ms or output_throughput in it"_text);
    if (told)
        served.results_file = path.string();
    if (lists)
        served.listed_file = path.string();
    if (logs)
        served.logged_file = path.string();
}

/// Of one load, in one file or several. Those of different loads have no common latency.
void set_serving_results(ServedRequests& served, Run& run, ConfigFiles& files) {
    served.ccl_bench_rates.set(run.config, "benchmark.ccl_bench");
    for (std::size_t a = 0; a < served.loads.size(); ++a)
        for (std::size_t b = a + 1; b < served.loads.size(); ++b) {
            const std::string one = difference(served.loads[a], served.loads[b]);
            if (one.empty())
                continue;
            const std::string& file = served.results_file.empty() ? served.listed_file : served.results_file;
            files.note(file, "broken_config",
                       "the results of benchmarks beside the traces are of %1 loads (%2; %3 ...), which have no "
                       "common latency: not read; keep those of one"_text(
                           served.loads.size(), one, difference(served.loads[b], served.loads[a])));
            served.listed.clear();
            served.ttft = served.tpot = served.itl = {};
            return;
        }
    const auto set = [](std::optional<double>& value, const MeanOfLines& lines) {
        if (lines.lines > 0)
            value = lines.mean();
    };
    set(run.serving.ttft_ms, served.ttft);
    set(run.serving.tpot_ms, served.tpot);
    set(run.serving.itl_ms, served.itl);
    served.times.set(run.config);
    served.acceptance.set(run.config);
    served.rates.set(run.config, "benchmark");
    if (served.numbers() > 0)
        run.serving.file = served.results_file;
}

/// Without settings that cannot be meant.
RunConfig checked(RunConfig card, const fs::path& path, ConfigFiles& files) {
    const auto length = card.find(kAcceptanceLengthOfCard);
    if (length == card.end())
        return card;
    if (const auto value = find_number(card, {kAcceptanceLengthOfCard}); value && is_acceptance_length(value->value))
        return card;
    note_no_acceptance_length(path, kAcceptanceLengthOfCard, length->second, files);
    card.erase(length);
    return card;
}

/// What CCL-Bench's gpu_step_score is of: "16", and G0, T0 and w.
void read_step_score(const fs::path& path, Run& run, ConfigFiles& files) {
    if (const auto text = files.text(path)) {
        try {
            if (const Result<YAML::Node> values = load_bounded_yaml(*text))
                flatten(*values, path.stem().string(), 0, run.config);
        } catch (const YAML::Exception& broken) {
            files.note(path, "broken_config", "%1: not read"_text(broken.msg));
        }
    }
}

void read_latency(const fs::path& path, Run& run, ConfigFiles& files) {
    const auto text = files.text(path);
    if (!text)
        return;
    const auto json = parse_bounded_json(*text);
    if (!json) {
        files.note(path, "config_too_large", "%1: not read"_text(json.error().message));
    } else if (const auto latency = json->is_object() ? measured_time(*json, "avg_latency") : std::nullopt) {
        run.serving.average_latency_s = latency;
        run.serving.file = path.string();
    } else {
        files.note(path, "broken_config", "no avg_latency in it"_text);
    }
}

/// Takes the loads out of a gating log as it goes by: the log has more numbers than a tree of it should hold.
class LoadsReader : public nlohmann::json_sax<nlohmann::json> {
public:
    /// most: of loads that may be taken.
    explicit LoadsReader(std::size_t most) : most_(most) {}
    [[nodiscard]] bool full() const { return taken_ > most_; }
    [[nodiscard]] bool too_deep() const { return depth_ > ConfigBounds().depth; }
    [[nodiscard]] std::size_t taken() const { return taken_; }
    /// Of the whole steps; empty where the text is no JSON.
    std::vector<std::vector<double>> steps;

    bool number_integer(number_integer_t value) override { return load(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return load(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return load(value); }
    bool null() override { return no_load(); }
    bool boolean(bool /*value*/) override { return no_load(); }
    bool string(string_t& /*value*/) override { return no_load(); }
    bool binary(binary_t& /*value*/) override { return no_load(); }
    bool key(string_t& name) override {
        if (depth_ == 1)
            in_loads_ = name == "expert_loads";
        return true;
    }
    bool start_object(std::size_t /*size*/) override {
        if (depth_ <= 1)
            in_loads_ = false; // its own lists are no steps
        no_load();
        return deeper();
    }
    bool end_object() override {
        --depth_;
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        if (depth_ == 0)
            in_loads_ = false; // a list is no log
        no_load();
        if (in_loads_ && depth_ == 2) {
            step_ = whole_ = true;
            steps.emplace_back();
            taken_ += kListCost;
        }
        return deeper() && !full();
    }
    bool end_array() override {
        if (--depth_ == 2 && step_) {
            if (!whole_)
                steps.pop_back();
            step_ = false;
        }
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) override {
        steps.clear();
        return false;
    }

private:
    bool load(double value) {
        if (step_ && depth_ == 3) {
            whole_ = whole_ && value >= 0;
            steps.back().push_back(value);
            ++taken_;
        }
        return !full();
    }
    bool no_load() {
        if (step_)
            whole_ = false;
        return true;
    }
    bool deeper() { return ++depth_ <= ConfigBounds().depth; }

    std::size_t most_;
    std::size_t taken_ = 0;
    int depth_ = 0;
    bool in_loads_ = false; ///< in the list of the name
    bool step_ = false;     ///< in one of its lists
    bool whole_ = false;    ///< which holds nothing but loads so far
};

void read_gate_log(const fs::path& path, Run& run, std::size_t& loads_taken, ConfigFiles& files) {
    const auto text = files.text(path, kLargestRecords);
    if (!text)
        return;
    LoadsReader reader(kMostLoads - loads_taken);
    nlohmann::json::sax_parse(*text, &reader);
    if (reader.full() || reader.too_deep()) {
        files.note(path, "config_too_large",
                   reader.full() ? "more than %1 loads in the gating logs of a run: not read"_text(kMostLoads)
                                 : "deeper than %1 levels: not read"_text(ConfigBounds().depth));
    } else if (reader.steps.empty()) {
        files.note(path, "broken_config", "no expert_loads in it"_text);
    } else {
        loads_taken += reader.taken();
        run.expert_loads.push_back({path.string(), std::move(reader.steps)});
    }
}

} // namespace

std::vector<std::filesystem::path> config_files(const std::filesystem::path& path) {
    return files_beside(path, is_config_name);
}

std::string beginning_of_file(const fs::path& path, std::size_t most) {
    std::ifstream file(path, std::ios::binary);
    std::error_code error;
    const auto size = fs::file_size(path, error);
    std::string text(error ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size, most)), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return text;
}

std::vector<std::filesystem::path> files_beside(const std::filesystem::path& path, bool (*wanted)(const fs::path&)) {
    std::error_code error;
    const bool one_file = !fs::is_directory(path, error);
    fs::path folder = one_file ? path.parent_path() : path;
    if (folder.empty())
        folder = ".";
    std::vector<fs::path> files;
    constexpr int kMostFiles = 1'000'000;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    for (int seen = 0; !error && at != fs::recursive_directory_iterator() && seen < kMostFiles;
         at.increment(error), ++seen) {
        if (at.depth() >= 2)
            at.disable_recursion_pending();
        std::error_code unreadable;
        // Beside one file, a folder is another run, unless its name says that it sorts files of this one.
        if (one_file && at->is_directory(unreadable) && !sorts_one_run(at->path().filename().string()))
            at.disable_recursion_pending();
        if (at->is_regular_file(unreadable) && wanted(at->path()))
            files.push_back(at->path());
    }
    std::ranges::sort(files);
    fs::path above = fs::absolute(folder, error).lexically_normal();
    if (!above.has_filename())
        above = above.parent_path();
    while (sorts_one_run(above.filename().string()) && above.has_relative_path()) {
        above = above.parent_path();
        for (const auto& entry : fs::directory_iterator(above, fs::directory_options::skip_permission_denied, error))
            if (entry.is_regular_file(error) && wanted(entry.path()))
                files.push_back(entry.path());
    }
    return files;
}

RunConfig parse_workload_card(const std::string& text, const std::string& file, Notices& notices) {
    RunConfig flat;
    const auto read = [&](const std::string& part) {
        const Result<YAML::Node> card = load_bounded_yaml(part);
        if (!card)
            add_notice(notices, {"config_too_large", "%1: not read"_text(card.error().message), file, 1});
        else if (card->IsMap() && (*card)["workload"])
            flatten(*card, {}, 0, flat);
    };
    try {
        read(text);
    } catch (const YAML::Exception& broken) {
        add_notice(notices,
                   {"broken_config",
                    "not valid YAML (%1); what stands before line %2 was read"_text(broken.msg, broken.mark.line + 1),
                    file, 1});
        // The lines before the broken one are usually a document of their own.
        std::istringstream lines(text);
        std::string before;
        std::string line;
        for (int i = 0; i < broken.mark.line && std::getline(lines, line); ++i)
            before += line + '\n';
        try {
            read(before);
        } catch (const YAML::Exception&) {
            flat.clear();
        }
    }
    RunConfig config;
    for (const auto& [key, value] : flat)
        config[canonical_key(key)] = value;
    return config;
}

RunConfig parse_train_config(const std::string& text, const std::string& file, Notices& notices) {
    RunConfig config;
    if (const Message excess = toml_excess(text); !excess.empty()) {
        add_notice(notices, {"config_too_large", "%1: not read"_text(excess), file, 1});
        return config;
    }
    try {
        flatten(toml::parse(text), "train_config", config);
    } catch (const toml::parse_error& broken) {
        add_notice(notices,
                   {"broken_config",
                    "not valid TOML: %1 (line %2)"_text(std::string(broken.description()), broken.source().begin.line),
                    file, 1});
    }
    return config;
}

void read_run_config(const std::filesystem::path& path, Run& run) {
    bool card_found = false;
    std::size_t loads_taken = 0;
    ConfigFiles files(run);
    ServedRequests served;
    for (const fs::path& file : config_files(path)) {
        const std::string name = file.filename().string();
        if (name == "gpu_count.txt" || name == "gpu_step_score_config.yaml") {
            read_step_score(file, run, files);
        } else if (is_yaml(file)) {
            // Any YAML may lie about; only one that speaks of a workload concerns us, broken or too large or not.
            const auto text = files.text(file, kLargestRecords);
            if (!text || text->find("workload") == std::string::npos)
                continue;
            const RunConfig card = parse_workload_card(*text, file.string(), run.notices);
            if (card.empty())
                continue;
            if (card_found)
                add_notice(run.notices,
                           {"second_workload_card", "another workload card was read before; this one is not used"_text,
                            file.string(), 1});
            else
                merge(run.config, checked(card, file, files));
            card_found = true;
        } else if (name == "train_config.toml") {
            if (const auto text = files.text(file))
                merge(run.config, parse_train_config(*text, file.string(), run.notices));
        } else if (is_serving_results(file)) {
            read_serving_results(file, served, files);
        } else if (name.ends_with(".latency.json")) {
            read_latency(file, run, files);
        } else if (is_ras_name(file)) {
            constexpr std::uint64_t kMostOfStatus = 256 << 10;
            std::error_code error;
            if (fs::file_size(file, error) > kMostOfStatus || error)
                continue; // some other log
            if (const auto text = files.text(file))
                merge(run.config, parse_nccl_ras(*text));
        } else if (is_gate_log(file)) {
            read_gate_log(file, run, loads_taken, files);
        }
    }
    set_serving_results(served, run, files);
    const bool listed = !served.listed.empty();
    if (!listed && served.logged.empty())
        return; // those of digests stay
    run.serving.requests = std::move(listed ? served.listed : served.logged);
    run.serving.requests_file = std::move(listed ? served.listed_file : served.logged_file);
}

} // namespace rankscope
