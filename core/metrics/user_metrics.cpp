// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/user_metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <muParser.h>
#include <re2/re2.h>
#include <yaml-cpp/yaml.h>

#include "core/input/find/bounded_config.h"
#include "core/metrics/user_evaluation.h"

namespace rankscope {
namespace {

// Each value is a walk over the events of a run, and each level a frame on the stack.
constexpr std::size_t kMostMetrics = 1000;
constexpr std::size_t kMostValues = 64; ///< of one metric
constexpr std::size_t kMostLevels = 64; ///< of metrics built on one another

/// What is wrong and where; thrown only inside this file, as yaml-cpp and muParser throw, too.
struct Problem {
    YAML::Mark mark;
    std::string message;
};

[[noreturn]] void fail(const YAML::Node& at, std::string message) { throw Problem{at.Mark(), std::move(message)}; }

std::string text_of(const YAML::Node& node, const char* what) {
    if (!node.IsScalar())
        fail(node, fmt::format("{} must be a single value", what));
    return node.Scalar();
}

void allow_keys(const YAML::Node& map, std::initializer_list<std::string_view> known) {
    if (!map.IsMap())
        fail(map, "expected keys and values here");
    std::set<std::string> seen;
    for (const auto& entry : map) {
        const std::string key = text_of(entry.first, "a key");
        if (std::ranges::find(known, key) == known.end())
            fail(entry.first, fmt::format("unknown key \"{}\" (known: {})", key, fmt::join(known, ", ")));
        if (!seen.insert(key).second)
            fail(entry.first, fmt::format("\"{}\" is given twice", key));
    }
}

/// 3, "4-6", [1, 2] or "1,4-6" as inclusive ranges.
std::vector<std::pair<std::int64_t, std::int64_t>> ranges_of(const YAML::Node& node) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    if (node.IsSequence()) {
        for (const YAML::Node& item : node) {
            const auto more = ranges_of(item);
            ranges.insert(ranges.end(), more.begin(), more.end());
        }
        return ranges;
    }
    std::string_view rest = node.Scalar();
    while (!rest.empty()) {
        const std::string_view item = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(item.size() + 1, rest.size()));
        std::int64_t first = 0;
        std::int64_t last = 0;
        const char* end = item.data() + item.size();
        auto parsed = std::from_chars(item.data(), end, first);
        last = first;
        if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '-')
            parsed = std::from_chars(parsed.ptr + 1, end, last);
        if (parsed.ec != std::errc{} || parsed.ptr != end || last < first)
            fail(node, fmt::format("\"{}\" is not a number or a range such as 4-6", item));
        ranges.emplace_back(first, last);
    }
    return ranges;
}

std::vector<KernelClass> classes_of(const YAML::Node& node) {
    std::vector<KernelClass> classes;
    const auto add = [&](const YAML::Node& item) {
        const std::string word = text_of(item, "class");
        for (std::size_t i = 0; i < kKernelClassCount; ++i)
            if (word == kernel_class_word(static_cast<KernelClass>(i))) {
                classes.push_back(static_cast<KernelClass>(i));
                return;
            }
        fail(item, fmt::format("unknown class \"{}\" (known: compute, communication, memcpy, memset)", word));
    };
    if (node.IsSequence())
        for (const YAML::Node& item : node)
            add(item);
    else
        add(node);
    return classes;
}

EventKind kind_of(const YAML::Node& node) {
    static const std::map<std::string, EventKind> kinds{{"kernel", EventKind::kernel},
                                                        {"memcpy", EventKind::memcpy},
                                                        {"memset", EventKind::memset},
                                                        {"cpu_op", EventKind::cpu_op},
                                                        {"annotation", EventKind::annotation},
                                                        {"runtime", EventKind::runtime},
                                                        {"driver", EventKind::driver},
                                                        {"python", EventKind::python},
                                                        {"gpu_annotation", EventKind::gpu_annotation},
                                                        {"overhead", EventKind::overhead},
                                                        {"gpu_sync", EventKind::gpu_sync}};
    const auto known = kinds.find(text_of(node, "kind"));
    if (known == kinds.end())
        fail(node,
             fmt::format(
                 "unknown kind \"{}\" (known: kernel, memcpy, memset, cpu_op, annotation, runtime, driver, python ...)",
                 node.Scalar()));
    return known->second;
}

EventSet set_of(const YAML::Node& node) {
    EventSet set;
    if (node.IsNull())
        return set;
    allow_keys(node, {"class", "kind", "name", "group", "rank", "step"});
    if (const YAML::Node classes = node["class"])
        set.classes = classes_of(classes);
    if (const YAML::Node kind = node["kind"])
        set.kind = kind_of(kind);
    if (const YAML::Node name = node["name"]) {
        RE2::Options quiet;
        quiet.set_log_errors(false);
        auto pattern = std::make_shared<const RE2>(text_of(name, "name"), quiet);
        if (!pattern->ok())
            fail(name, fmt::format("\"{}\" is not a regular expression: {}", name.Scalar(), pattern->error()));
        set.name = std::move(pattern);
    }
    if (const YAML::Node group = node["group"])
        set.group = text_of(group, "group");
    if (const YAML::Node rank = node["rank"])
        set.ranks = ranges_of(rank);
    if (const YAML::Node step = node["step"])
        set.steps = ranges_of(step);
    return set;
}

SetValue set_value_of(const YAML::Node& node) {
    static const std::map<std::string, Aggregate> aggregates{{"count", Aggregate::count},
                                                             {"sum", Aggregate::sum},
                                                             {"merged", Aggregate::merged},
                                                             {"bytes", Aggregate::bytes}};
    if (!node.IsMap() || node.size() != 1)
        fail(node, "a value is one of count, sum, merged or bytes, with the events it is over");
    const auto entry = *node.begin();
    const auto known = aggregates.find(text_of(entry.first, "a value"));
    if (known == aggregates.end())
        fail(entry.first, fmt::format("unknown value \"{}\" (known: count, sum, merged, bytes)", entry.first.Scalar()));
    return {known->second, set_of(entry.second)};
}

/// Names that the expression uses; fails where it is not one.
std::set<std::string> names_in(const std::string& expression, const YAML::Node& at) {
    try {
        mu::Parser parser;
        parser.DefineNameChars(std::string(kNameCharacters).c_str());
        parser.SetExpr(expression);
        std::set<std::string> names;
        for (const auto& [name, unused] : parser.GetUsedVar())
            names.insert(name);
        return names;
    } catch (const mu::ParserError& error) {
        fail(at, fmt::format("expression: {}", error.GetMsg()));
    }
}

/// muParser assigns to variables and returns the last of several values; a metric changes nothing and is one value.
void check_form(const UserMetric& definition, const YAML::Node& at) {
    const std::string& text = definition.expression;
    for (std::size_t i = text.find('='); i != std::string::npos; i = text.find('=', i + 1))
        if (i + 1 < text.size() && text[i + 1] == '=')
            ++i;
        else if (i == 0 || std::string_view("<>!").find(text[i - 1]) == std::string_view::npos)
            fail(at, "expression: \"=\" assigns a value, which an expression cannot do; \"==\" compares");
    std::map<std::string, double> ones;
    for (const std::string& name : definition.names)
        ones[name] = 1;
    int results = 0;
    try {
        parser_for(definition, ones)->Eval(results);
    } catch (const mu::ParserError& error) {
        fail(at, fmt::format("expression: {}", error.GetMsg()));
    }
    if (results > 1)
        fail(at, fmt::format("expression: it has {} values, separated by commas; a metric has one", results));
}

/// Fails at a name that is not known; a metric that is defined later is not, so none can be built on itself. Returns
/// the levels of metrics that the definition makes.
std::size_t levels_of(const UserMetric& definition, const MetricList& own, const YAML::Node& at) {
    std::size_t below = 0;
    for (const std::string& name : definition.names) {
        const std::string id = name.substr(0, name.find('.'));
        if (definition.values.contains(name) || name == "ranks" || name == "world_size")
            continue;
        if (const MetricPointer metric = find_listed_metric(id, own)) {
            below = std::max(below, metric->levels);
            continue;
        }
        fail(at, fmt::format("\"{}\" is neither among the values nor a metric (nearest: {})", name,
                             fmt::join(nearest_metric_ids(id, own), ", ")));
    }
    if (below == kMostLevels)
        fail(at, fmt::format("metrics may be built on one another over at most {} levels", kMostLevels));
    return below + 1;
}

Better better_of(const YAML::Node& node) {
    const std::string word = text_of(node, "better");
    for (const Better better : {Better::lower, Better::higher, Better::none})
        if (word == better_word(better))
            return better;
    fail(node, fmt::format("better is lower, higher or none, not \"{}\"", word));
}

Metric metric_of(const YAML::Node& node, const MetricList& own) {
    allow_keys(node, {"id", "title", "unit", "better", "topic", "definition", "expression", "values"});
    for (const char* key : {"id", "expression"})
        if (!node[key])
            fail(node, fmt::format("a metric needs \"{}\"", key));
    auto definition = std::make_shared<UserMetric>();
    definition->id = text_of(node["id"], "id");
    const bool plain = std::ranges::all_of(
        definition->id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
    if (definition->id.empty() || !plain || (definition->id[0] >= '0' && definition->id[0] <= '9'))
        fail(node["id"], "an id is made of a-z, 0-9 and _ and does not start with a digit");
    if (find_listed_metric(definition->id, own))
        fail(node["id"], fmt::format("there is a metric \"{}\" already", definition->id));
    definition->expression = text_of(node["expression"], "expression");
    if (const YAML::Node values = node["values"]) {
        if (!values.IsMap())
            fail(values, "values are names, each with what it counts");
        if (values.size() > kMostValues)
            fail(values, fmt::format("a metric has at most {} values", kMostValues));
        for (const auto& entry : values)
            definition->values[text_of(entry.first, "a value's name")] = set_value_of(entry.second);
    }
    definition->names = names_in(definition->expression, node["expression"]);
    check_form(*definition, node["expression"]);

    const auto or_else = [&](const char* key, std::string fallback) {
        return node[key] ? text_of(node[key], key) : std::move(fallback);
    };
    Metric metric;
    metric.id = definition->id;
    metric.levels = levels_of(*definition, own, node["expression"]);
    metric.title = or_else("title", definition->id);
    metric.unit = or_else("unit", "");
    metric.better = node["better"] ? better_of(node["better"]) : Better::none;
    metric.topic = or_else("topic", "My metrics");
    metric.definition = or_else("definition", definition->expression);
    metric.stands_for_itself = true;
    metric.compute = [definition](const RunAnalysis& analysis) { return evaluate(*definition, analysis); };
    if (sums_the_recording(*definition, own))
        metric.by_iteration = [definition](const RunAnalysis& analysis) {
            return values_by_iteration(*definition, analysis);
        };
    return metric;
}

} // namespace

Result<MetricList> parse_user_metrics(const std::string& text, const std::string& file, MetricList own) {
    const auto error_at = [&](const YAML::Mark& mark, const std::string& message) {
        std::string line = message;
        std::ranges::replace(line, '\n', ' ');
        return tl::unexpected(
            Error{Error::Code::usage, fmt::format("{}:{}: {}", file, std::max(mark.line, 0) + 1, line)});
    };
    try {
        const Result<YAML::Node> loaded = load_bounded_yaml(text);
        if (!loaded)
            return error_at(YAML::Mark::null_mark(), english(loaded.error().message));
        const YAML::Node& root = *loaded;
        allow_keys(root, {"metrics"});
        if (!root["metrics"].IsSequence())
            fail(root, "\"metrics\" is a list");
        if (own.size() + root["metrics"].size() > kMostMetrics)
            fail(root["metrics"], fmt::format("there are at most {} metrics of your own", kMostMetrics));
        for (const YAML::Node& node : root["metrics"])
            own.push_back(std::make_shared<const Metric>(metric_of(node, own)));
        return own;
    } catch (const Problem& problem) {
        return error_at(problem.mark, problem.message);
    } catch (const YAML::Exception& error) {
        return error_at(error.mark, "not valid YAML: " + error.msg);
    }
}

Result<MetricList> read_user_metrics(const std::filesystem::path& file, MetricList own) {
    const auto text = read_bounded_file(file);
    if (!text)
        return tl::unexpected(Error{
            Error::Code::usage, fmt::format("the metrics file {}: {}", file.string(), english(text.error().message))});
    return parse_user_metrics(*text, file.string(), std::move(own));
}

} // namespace rankscope
