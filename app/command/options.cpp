// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the command line with CLI11. option_table.cpp says which options there are, and command_table.cpp which
// commands.
#include "app/command/options.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command/option_table.h"
#include "core/base/edit_distance.h"
#include "core/remote/remote_path.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> usage_error(std::string message) {
    return tl::unexpected<Error>(Error{Error::Code::usage, std::move(message)});
}

/// What was given on the command line.
struct Given {
    const CommandRule* word = nullptr; ///< the command that was named; nothing: options say what to do
    std::vector<const OptionRule*> options;

    [[nodiscard]] bool has(std::string_view name) const {
        return std::ranges::find(
                   options, name, [](const OptionRule* rule) { return rule->name; }) != options.end();
    }
};

/// In a command: its own options. An option that asks for a command is then one of that command, or none.
bool belongs_to(const OptionRule& rule, const CommandRule& command) {
    return is_among(command.command, rule.with) && (!rule.asks_for || rule.asks_for == Command::help ||
                                                    (rule.asks_for == command.command && !rule.value.empty()));
}

std::string_view name_in(const OptionRule& rule, const CommandRule* command) {
    return command != nullptr && !rule.name_in_command.empty() ? rule.name_in_command : rule.name;
}

class HelpFormatter : public CLI::Formatter {
public:
    explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) { column_width(31); }
    std::string make_usage(const CLI::App*, std::string) const override { return usage_ + '\n'; }
    std::string make_group(std::string group, bool is_positional, std::vector<const CLI::Option*> of) const override {
        return CLI::Formatter::make_group(std::move(group), is_positional, std::move(of)).substr(1); // a blank line
    }

private:
    std::string usage_;
};

/// apply: of a value, or "true" for an option without one. Throws CLI::ParseError.
using Apply = std::function<void(const OptionRule&, std::string_view name, const std::string&)>;

/// The options of a command, or without one all of them.
std::unique_ptr<CLI::App> application(const CommandRule* command, const Apply& apply) {
    auto app =
        std::make_unique<CLI::App>(command != nullptr ? fmt::format("rankscope {}: {}", command->word, command->summary)
                                                      : "rankscope: where the time of a multi-rank GPU job goes");
    app->set_help_flag();
    app->allow_extras(); // paths, and options that are not known
    for (const OptionRule& rule : option_rules()) {
        if (command != nullptr && !belongs_to(rule, *command))
            continue;
        const std::string name(name_in(rule, command));
        CLI::Option* const option = app->add_option(
            name,
            [&rule, name, apply](const CLI::results_t& values) {
                for (const std::string& value : values)
                    if (rule.value.empty() ? value != "true" : value.empty())
                        throw CLI::ValidationError(
                            rule.value.empty() ? fmt::format("{} takes no value", name)
                                               : fmt::format("{} needs a value: {} {}", name, name, rule.value));
                if (values.size() > 1 && !rule.value.empty())
                    throw CLI::ValidationError(fmt::format("{} given twice", name));
                apply(rule, name, values.front());
                return true;
            },
            std::string(rule.help));
        if (rule.value.empty())
            option->expected(0);
        else
            option->expected(0, 1); // not 1: CLI11 would take another option for the value
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->type_name(std::string(rule.value))
            ->group(std::string(rule.group));
        if (rule.repeatable)
            option->trigger_on_parse(); // in the order in which they are given
    }
    return app;
}

/// ", did you mean X?" where something that is known is near.
std::string suggestion(std::string_view name, const std::vector<std::string_view>& known) {
    const auto distance = [&](std::string_view other) { return edit_distance(name, other); };
    const auto nearest = std::ranges::min_element(known, {}, distance);
    return nearest != known.end() && distance(*nearest) <= std::min<std::size_t>(2, name.size() / 3)
               ? fmt::format("; did you mean {}?", *nearest)
               : std::string();
}

std::string unknown_option(const std::string& argument, const CommandRule* command) {
    const std::string name = argument.substr(0, argument.find('='));
    std::vector<std::string_view> known;
    for (const OptionRule& rule : option_rules())
        if (command == nullptr || belongs_to(rule, *command))
            known.push_back(name_in(rule, command));
        else if (rule.name == name)
            return fmt::format("{0} takes no {1}; see rankscope help {0}", command->word, name);
    const std::string meant = suggestion(name, known);
    if (!meant.empty())
        return fmt::format("unknown option {}{}", name, meant);
    return fmt::format("unknown option {}; see rankscope {}", name,
                       command != nullptr ? fmt::format("help {}", command->word) : "--help");
}

std::vector<std::string_view> command_words() {
    std::vector<std::string_view> words;
    for (const CommandRule& rule : command_rules())
        if (!rule.word.empty())
            words.push_back(rule.word);
    return words;
}

/// Nothing here is called so, and a command nearly is.
Problem misspelt_command(const std::string& word) {
    std::error_code error;
    const std::string meant = suggestion(word, command_words());
    const bool is_word = std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
    if (!is_word || meant.empty() || fs::exists(word, error))
        return {};
    return fmt::format("unknown command {}, and no file or folder is called so{}", word, meant);
}

/// What is wrong with the number of runs.
Problem check_number_of_runs(const Options& options, const CommandRule& command, const Given& given,
                             std::string_view asked_by) {
    if (options.demo)
        return options.paths.empty() ? Problem() : "--demo takes no PATH";
    const std::size_t count = options.paths.size();
    if (count > command.most_runs)
        return command.most_runs == 0 ? fmt::format("{} takes no PATH", asked_by)
                                      : fmt::format("{}more runs", command.refuses);
    if (count >= command.least_runs)
        return {};
    std::string text = fmt::format("{} needs {}: rankscope {} {}", asked_by,
                                   command.least_runs == 1 ? "a run" : "two runs or more", command.word, command.takes);
    std::error_code error;
    if (given.word != nullptr && count == 0 && fs::exists(std::string(command.word), error))
        text += fmt::format("; what is called {} here is opened by rankscope ./{}", command.word, command.word);
    return text;
}

/// Why an option makes no sense with what is asked for.
std::string refusal(const OptionRule& rule, const CommandRule& command, std::string_view asked_by) {
    if (!rule.asks_for)
        for (const OptionRule& other : option_rules())
            if (other.asks_for && rule.with == commands(*other.asks_for))
                return fmt::format("{} needs {}", rule.name, other.name);
    if (!command.refuses.empty())
        return fmt::format("{}{}", command.refuses, rule.name);
    if (command.command == Command::window)
        return fmt::format("{} needs --batch", rule.name);
    return fmt::format("{} does not go with {}", asked_by, rule.name);
}

/// What no single option can see.
Problem check_together(const Options& options, Command command, const Given& given) {
    if (given.has("--quiet") && given.has("--verbose"))
        return "--quiet and --verbose exclude each other";
    if (options.json && options.full)
        return "--json and --full exclude each other: the document has everything";
    if (command == Command::digest && given.word == nullptr && !given.has("--batch"))
        return "--digest needs --batch";
    if (command == Command::query && options.queries.empty())
        return "query needs --sql QUERY or --sql-file FILE";
    if (command == Command::export_trace && !options.export_trace)
        return "export needs --output FILE";
    if (command == Command::digest && !options.digest)
        return "digest needs --output DIR";
    if (command == Command::gate && options.gates.empty() && !options.junit)
        return "gate needs --gate EXPR, or --junit FILE for dumps of the Flight Recorder";
    const bool from_history =
        std::ranges::any_of(options.gates, [](const Gate& gate) { return gate.of_history.has_value(); });
    if (from_history != options.history.has_value())
        return from_history ? "a gate against (history) needs --history DIR"
                            : "--history needs a gate such as iter_time<p95(history)+2%";
    if (options.modes.size() > 1 && options.modes.size() != options.paths.size())
        return "--profile-mode takes one word for all runs, or one for each";
    if (given.has("--html-timeline") && (!options.output || !options.write_html))
        return "--html-timeline needs --batch RUN --output DIR with the format html";
    if (options.study_reports && (!options.output || !options.write_html))
        return "--reports needs --output DIR with the format html";
    if (options.write_sqlite && options.study)
        return "--study writes no sqlite: its formats are csv, json, xlsx and html";
    if (given.has("--format") && !options.output && (!options.only_markdown() || options.study || options.json))
        return "--format needs --output DIR; md alone may go to stdout";
    for (const Gate& gate : options.gates)
        if (gate.against_baseline && options.paths.size() < 2 && !options.demo)
            return fmt::format("--gate {}: a percentage is held against a baseline: give BASELINE and TEST",
                               gate.expression);
    return {};
}

/// Which command, and whether all that was given makes sense with it.
Problem finish(Options& options, const Given& given) {
    const OptionRule* asking = nullptr; // the option that chooses the command
    for (const OptionRule* rule : given.options)
        if (rule->asks_for && (asking == nullptr || *rule->asks_for < *asking->asks_for))
            asking = rule;
    const CommandRule& command = given.word != nullptr && (asking == nullptr || asking->asks_for != Command::help)
                                     ? *given.word
                                     : rule_of(asking != nullptr ? *asking->asks_for : Command::window);
    options.action = command.action;
    options.study = command.command == Command::study;
    options.only_gates = command.command == Command::gate;
    if (command.command == Command::help || command.command == Command::version) {
        options.help_of = given.word != nullptr ? given.word->word : std::string_view();
        return {};
    }
    const std::string asked_by = given.word != nullptr ? std::string(given.word->word)
                                 : asking != nullptr   ? std::string(asking->name)
                                                       : std::string();
    for (const OptionRule* rule : given.options)
        if (!is_among(command.command, rule->with))
            return refusal(*rule, command, asked_by);
    if (given.has("--trace") != given.has("--metric"))
        return "--trace DIR and --metric NAME belong together";
    if (const Problem problem = check_number_of_runs(options, command, given, asked_by))
        return problem;
    return check_together(options, command.command, given);
}

/// rankscope help [COMMAND]
Result<Options> help_on(std::span<const std::string> words) {
    Options options;
    options.action = Options::Action::help;
    if (words.size() > 1)
        return usage_error("rankscope help takes one command");
    if (words.empty())
        return options;
    const CommandRule* const command = find_command(words.front());
    if (command == nullptr)
        return usage_error(
            fmt::format("unknown command {}; there are {}", words.front(), fmt::join(command_words(), ", ")));
    options.help_of = command->word;
    return options;
}

} // namespace

Result<Options> parse_options(std::span<const std::string> arguments, MetricList metrics) {
    Options options;
    options.rules.metrics = std::move(metrics);
    Given given;
    given.word = arguments.empty() ? nullptr : find_command(arguments.front());
    if (given.word != nullptr)
        arguments = arguments.subspan(1);
    if (given.word != nullptr && given.word->command == Command::help)
        return help_on(arguments);
    const auto app =
        application(given.word, [&](const OptionRule& rule, std::string_view name, const std::string& value) {
            given.options.push_back(&rule);
            const Problem problem = rule.apply ? rule.apply(options, value) : Problem();
            if (problem)
                throw CLI::ValidationError(
                    problem->starts_with("--") ? *problem : fmt::format("{} {}: {}", name, value, *problem));
        });
    const auto end_of_options = std::ranges::find(arguments, "--");
    std::vector<std::string> words(arguments.begin(), end_of_options);
    for (std::string& word : words) {
        if (word == "-h")
            word = "--help";
        if (word.starts_with("--") && word.find('=') == word.size() - 1) // CLI11 would take the next word
            return usage_error(fmt::format("{} needs a value", word));
    }
    try {
        std::ranges::reverse(words);
        app->parse(words);
    } catch (const CLI::ParseError& error) {
        return usage_error(error.what());
    }
    for (const std::string& word : app->remaining()) {
        if (word.starts_with('-') && word != "-")
            return usage_error(unknown_option(word, given.word));
        options.paths.emplace_back(word);
    }
    if (end_of_options != arguments.end())
        options.paths.insert(options.paths.end(), end_of_options + 1, arguments.end());
    if (std::ranges::find(options.paths, fs::path()) != options.paths.end())
        return usage_error("an empty PATH");
    for (const auto& path : options.paths)
        if (is_remote(path))
            if (const auto remote = parse_remote_path(path.string()); !remote)
                return tl::unexpected<Error>(remote.error());
    if (given.word == nullptr && !arguments.empty())
        if (const Problem problem = misspelt_command(arguments.front()))
            return usage_error(*problem);
    if (const Problem problem = finish(options, given))
        return usage_error(*problem);
    return options;
}

Result<Options> parse_options_of_batch(const std::vector<std::string>& arguments, const MetricList& metrics) {
    auto options = parse_options(arguments, metrics);
    const bool has_command = !arguments.empty() && find_command(arguments.front()) != nullptr;
    if (arguments.empty() || has_command || (options && options->action != Options::Action::window))
        return options;
    std::vector<std::string> batch = arguments;
    batch.insert(batch.begin(), "--batch");
    auto of_run = parse_options(batch, metrics);
    return of_run ? of_run : options;
}

std::vector<OptionHelp> option_help(std::string_view command) {
    const CommandRule* const of = find_command(command);
    std::vector<OptionHelp> options;
    for (const OptionRule& rule : option_rules())
        if (of == nullptr || belongs_to(rule, *of))
            options.push_back({name_in(rule, of), rule.value, rule.help, rule.repeatable});
    return options;
}

std::vector<CommandHelp> command_help() {
    std::vector<CommandHelp> all;
    for (const CommandRule& rule : command_rules())
        if (!rule.word.empty())
            all.push_back({rule.word, rule.takes, rule.summary, rule.examples});
    return all;
}

std::string help_text(std::string_view command) {
    const CommandRule* const of = find_command(command);
    const auto app = application(of, {});
    std::string usage;
    if (of != nullptr) {
        usage = fmt::format("\n  rankscope {} [OPTION...]{}{}\n", of->word, of->takes.empty() ? "" : " ", of->takes);
        std::string examples(of->examples);
        for (std::size_t at = 0; (at = examples.find('\n', at)) != std::string::npos; at += 3)
            examples.insert(at + 1, "  ");
        app->footer("Examples:\n  " + examples);
    } else {
        usage = "\n  rankscope [PATH...]              window: one path opens the run, two a baseline and a test\n"
                "  rankscope COMMAND [OPTION...] RUN...\n"
                "\nA PATH or RUN is a folder of traces or one trace file; on another machine, "
                "ssh://[user@]host[:port]/path.\n\nCommands (rankscope help COMMAND says more; ./report is a folder "
                "of that name):\n";
        for (const CommandHelp& each : command_help())
            usage += fmt::format("  {:<29}{}\n", fmt::format("{} {}", each.word, each.takes), each.summary);
        app->footer("Exit code: 0 fine, 1 a gate failed, 2 usage, 3 input unreadable or nothing in it to analyse,\n"
                    "4 output could not be written, 130 interrupted.");
    }
    app->formatter(std::make_shared<HelpFormatter>(usage));
    return app->help();
}

} // namespace rankscope
