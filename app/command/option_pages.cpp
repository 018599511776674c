// SPDX-License-Identifier: GPL-3.0-or-later
// The man page and the shells' completions, made of the options table and the metric catalogue.
#include "app/command/option_pages.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command/options.h"
#include "core/analysis/findings/finding_kinds.h"
#include "core/base/notice_kinds.h"
#include "core/metrics/catalogue.h"
#include "core/version.h"

namespace rankscope {
namespace {

constexpr std::string_view kMade = "# Made from the program's table of options by rankscope_pages.\n";

/// What a shell can offer for an option's value.
struct Offer {
    enum class Kind { nothing, anything, files, folders, words, list };
    Kind kind = Kind::nothing; ///< list: words separated by commas
    std::vector<std::string> words;
};

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> metric_ids() {
    std::vector<std::string> ids;
    for (const MetricPointer& metric : metric_catalogue())
        ids.push_back(metric->id);
    return ids;
}

/// The value's spelling in --help says what it is: capitals are a name for it, small letters the words themselves.
Offer offer_for(const OptionHelp& option) {
    using enum Offer::Kind;
    if (option.value.empty())
        return {};
    if (option.name == "--metric")
        return {words, metric_ids()};
    if (option.name == "--metrics") {
        auto ids = metric_ids();
        ids.insert(ids.begin(), "all");
        return {list, std::move(ids)};
    }
    if (option.value == "DIR")
        return {folders, {}};
    if (option.value == "FILE")
        return {files, {}};
    const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '|' || c == ','; };
    if (!std::ranges::all_of(option.value, is_word))
        return {anything, {}};
    if (option.value.find('|') != std::string_view::npos)
        return {words, split(option.value, '|')};
    return {list, split(option.value, ',')};
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

/// Text for troff: no escape, no request at a line's start, hyphens that can be searched and copied.
std::string troff(std::string_view text) {
    std::string safe = replaced(replaced(std::string(text), "\\", "\\e"), "-", "\\-");
    return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

/// Inside single quotes of bash and zsh.
std::string in_quotes(std::string_view text) { return "'" + replaced(std::string(text), "'", "'\\''") + "'"; }

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// What completes the value: a command in bash, an action of _arguments in zsh, options of `complete` in fish.
std::string bash_action(const Offer& offer) {
    switch (offer.kind) {
    case Offer::Kind::files: return "_rankscope_paths -f";
    case Offer::Kind::folders: return "_rankscope_paths -d";
    case Offer::Kind::words: return "_rankscope_words " + in_quotes(joined(offer.words));
    case Offer::Kind::list: return "_rankscope_list " + in_quotes(joined(offer.words));
    case Offer::Kind::nothing:
    case Offer::Kind::anything: break;
    }
    return ":";
}

std::string zsh_action(const Offer& offer) {
    switch (offer.kind) {
    case Offer::Kind::files: return "_files";
    case Offer::Kind::folders: return "_files -/";
    case Offer::Kind::words: return "(" + joined(offer.words) + ")";
    case Offer::Kind::list: return "_sequence compadd - " + joined(offer.words);
    case Offer::Kind::nothing:
    case Offer::Kind::anything: break;
    }
    return " ";
}

std::string fish_action(const Offer& offer) {
    switch (offer.kind) {
    case Offer::Kind::nothing: return "";
    case Offer::Kind::files: return "-r -F ";
    case Offer::Kind::folders: return "-x -a '(__fish_complete_directories)' ";
    case Offer::Kind::words: return "-x -a " + in_quotes(joined(offer.words)) + " ";
    case Offer::Kind::list: return "-x -a " + in_quotes("(__fish_append , " + joined(offer.words) + ")") + " ";
    case Offer::Kind::anything: break;
    }
    return "-x ";
}

constexpr std::string_view kBash = R"(# shellcheck shell=bash
_rankscope_paths() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

_rankscope_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# Of a list only the word behind the last comma is completed.
_rankscope_list() {
    local before=
    [[ $cur == *,* ]] && before=${cur%,*},
    compopt -o nospace 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

_rankscope() {
    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} names=@NAMES@
    # bash cuts --option=value at the sign.
    if [[ $cur == "=" ]]; then
        cur=
    elif [[ $option == "=" ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]}
    fi
    COMPREPLY=()
    case ${COMP_WORDS[1]} in
@COMMANDS@    esac
    case $option in
@CASES@    *)
        if [[ $cur == -* ]]; then
            _rankscope_words "$names"
        else
            local words=()
            ((COMP_CWORD > 1)) || mapfile -t words < <(compgen -W @WORDS@ -- "$cur")
            _rankscope_paths -f
            COMPREPLY=("${words[@]}" "${COMPREPLY[@]}")
        fi ;;
    esac
}
complete -F _rankscope rankscope
)";

} // namespace

namespace {

std::string troff_options(std::string_view command, const auto& wanted) {
    std::string text;
    for (const OptionHelp& option : option_help(command)) // a long choice of words may break behind each
        if (wanted(option))
            text += fmt::format(".TP\n.B {}{}{}\n", troff(option.name),
                                option.value.empty()
                                    ? ""
                                    : fmt::format(" \\fI{}\\fR", replaced(troff(option.value), "|", "|\\:")),
                                option.repeatable && !option.value.empty() ? " \\fR(repeatable)" : "") +
                    troff(option.help) + "\n";
    return text;
}

/// Each command, and the options whose names it alone has.
std::string troff_commands() {
    std::set<std::string_view> known;
    for (const OptionHelp& option : option_help())
        known.insert(option.name);
    std::string text;
    for (const CommandHelp& command : command_help()) {
        text += fmt::format(".TP\n.B rankscope {} \\fI{}\\fR\n{}\n", troff(command.word), troff(command.takes),
                            troff(command.summary));
        const std::string own =
            troff_options(command.word, [&](const OptionHelp& option) { return !known.contains(option.name); });
        text += own.empty() ? own : ".RS\n" + own + ".RE\n";
    }
    return text;
}

/// Of all commands, each name once.
std::vector<OptionHelp> all_options() {
    std::vector<OptionHelp> all = option_help();
    for (const CommandHelp& command : command_help())
        for (const OptionHelp& option : option_help(command.word))
            if (std::ranges::find(all, option.name, &OptionHelp::name) == all.end())
                all.push_back(option);
    return all;
}

std::vector<std::string> names_of(const std::vector<OptionHelp>& options) {
    std::vector<std::string> names;
    for (const OptionHelp& option : options)
        names.emplace_back(option.name);
    return names;
}

} // namespace

std::string man_page(std::string page) {
    page = replaced(std::move(page), "@COMMANDS@\n", troff_commands());
    const std::string options = troff_options({}, [](const OptionHelp&) { return true; });
    std::string metrics;
    for (const MetricPointer& metric : metric_catalogue())
        metrics += fmt::format(".TP\n.B {}\n{}{}\n", troff(metric->id), troff(metric->title),
                               metric->unit.empty() ? std::string() : " (" + troff(metric->unit) + ")");
    page = replaced(std::move(page), "@VERSION@", troff(kVersion));
    return replaced(replaced(std::move(page), "@OPTIONS@\n", options), "@METRICS@\n", metrics);
}

std::string metrics_page() {
    std::string text =
        "# Metrics\n\n"
        "What each number means. The same text is in `rankscope --list-metrics`, in tooltips and in the reports. A "
        "metric that a trace cannot\n"
        "tell says so and why; it is never 0 instead. How the numbers compare with older tools: "
        "[accuracy.md](accuracy.md). Your own:\n"
        "[user-metrics.md](user-metrics.md).\n\n"
        "This page is made by `rankscope_pages metrics docs/metrics.md`, and a test says when it has fallen behind.\n";
    std::string topic;
    for (const MetricPointer& metric : metric_catalogue()) {
        if (metric->topic != topic)
            text += fmt::format("\n## {}\n", topic = metric->topic);
        const std::string_view better = metric->better == Better::lower    ? "lower is better"
                                        : metric->better == Better::higher ? "higher is better"
                                                                           : "";
        text +=
            fmt::format("\n**{}** (`{}`{}{}{}{})\n{}\n", metric->title, metric->id, metric->unit.empty() ? "" : ", ",
                        metric->unit, better.empty() ? "" : ", ", better, metric->definition);
    }
    return text;
}

std::string notices_page() {
    struct Section {
        NoticeSeverity severity;
        std::string_view title;
    };
    constexpr std::array kSections{Section{NoticeSeverity::lost, "Something recorded is not shown"},
                                   Section{NoticeSeverity::changed, "Something is shown otherwise than recorded"},
                                   Section{NoticeSeverity::limited, "Some numbers cannot be given"},
                                   Section{NoticeSeverity::told, "Nothing is wrong"}};
    std::string text =
        "# Notices\n\n"
        "What Rankscope says about the data. A notice has a code, a sentence, the file, and how often it was "
        "met. The window shows them in the\nbar below the run, `--batch` on stderr (`--verbose`: all of "
        "them), `--json` in `runs[].notices`.\n\n"
        "This page is made by `rankscope_pages notices docs/notices.md`, and a test says when it has fallen "
        "behind.\n";
    for (const Section& section : kSections) {
        text += fmt::format("\n## {}\n\n| code | what it means | what to do |\n| --- | --- | --- |\n", section.title);
        for (const NoticeKind& kind : kNoticeKinds)
            if (kind.severity == section.severity)
                text += fmt::format("| `{}` | {} | {} |\n", kind.code, kind.meaning, kind.what_to_do);
    }
    return text;
}

std::string finding_kinds_page() {
    constexpr std::array<std::string_view, 5> kNatures{"fault", "fault from 1 % of a step on, else inherent",
                                                       "fault or inherent", "inherent", "makes numbers doubtful"};
    std::string text =
        "# Kinds of findings\n\n"
        "What each finding means, and what to do. A *fault* is one of a rank, a link or the host; an *inherent* cost "
        "is one of the\nprogram. [findings.md](findings.md#the-kinds-of-findings) says when each is found and what it "
        "is charged.\n\n"
        "This page is made by `rankscope_pages findings docs/finding-kinds.md`, and a test says when it has fallen "
        "behind.\n\n"
        "| code | cause | kind | what it means | what to do |\n| --- | --- | --- | --- | --- |\n";
    for (const FindingKind& kind : kFindingKinds)
        text +=
            fmt::format("| `{}` | {} | {} | {} | {} |\n", code_word(kind.code),
                        kind.cause == FindingCause::none ? std::string() : fmt::format("`{}`", cause_word(kind.cause)),
                        kNatures[static_cast<std::size_t>(kind.nature)], kind.meaning, kind.what_to_do);
    text += "\n## Facts\n\n"
            "What `evidence` of a finding may name, beside its events. Names end in their unit.\n\n"
            "| fact | what it is |\n| --- | --- |\n";
    for (const FactKind& fact : kFactKinds)
        text += fmt::format("| `{}` | {} |\n", fact.word, fact.meaning);
    return text;
}

std::string bash_completion() {
    std::string cases;
    for (const OptionHelp& option : all_options())
        if (const Offer offer = offer_for(option); offer.kind != Offer::Kind::nothing)
            cases += fmt::format("    {}) {} ;;\n", option.name, bash_action(offer));
    std::string of_commands;
    std::vector<std::string> words;
    for (const CommandHelp& command : command_help()) {
        words.emplace_back(command.word);
        of_commands +=
            fmt::format("    {}) names={} ;;\n", command.word, in_quotes(joined(names_of(option_help(command.word)))));
    }
    std::string text = replaced(std::string(kBash), "@CASES@", cases);
    text = replaced(replaced(std::move(text), "@COMMANDS@", of_commands), "@WORDS@", in_quotes(joined(words)));
    return "# bash completion for rankscope\n" + std::string(kMade) +
           replaced(std::move(text), "@NAMES@", in_quotes(joined(names_of(option_help()))));
}

std::string zsh_completion() {
    const auto escaped = [](std::string text) {
        for (const std::string_view special : {"\\", "[", "]", ":"})
            text = replaced(std::move(text), special, "\\" + std::string(special));
        return text;
    };
    std::string text = "#compdef rankscope\n" + std::string(kMade) + "_rankscope_first() {\n    local -a words=(\n";
    for (const CommandHelp& command : command_help())
        text += fmt::format("        {}\n",
                            in_quotes(fmt::format("{}:{}", command.word, escaped(std::string(command.summary)))));
    text += "    )\n    _describe command words\n    _files\n}\n_arguments -S \\\n";
    for (const OptionHelp& option : all_options()) {
        const Offer offer = offer_for(option);
        const bool takes = offer.kind != Offer::Kind::nothing;
        const std::string spec =
            fmt::format("{}{}{}[{}]{}", option.repeatable ? "*" : "", option.name, takes ? "=" : "",
                        escaped(std::string(option.help)), takes ? ":value:" + zsh_action(offer) : "");
        text += "    " + in_quotes(spec) + " \\\n";
    }
    return text + "    '1:command, trace or folder:_rankscope_first' \\\n    '*:trace or folder:_files'\n";
}

std::string fish_completion() {
    std::string text = "# fish completion for rankscope\n" + std::string(kMade);
    for (const CommandHelp& command : command_help())
        text += fmt::format("complete -c rankscope -n __fish_is_first_arg -a {} -d {}\n", command.word,
                            in_quotes(command.summary));
    for (const OptionHelp& option : all_options())
        text += fmt::format("complete -c rankscope -l {} {}-d {}\n", option.name.substr(2),
                            fish_action(offer_for(option)), in_quotes(option.help));
    return text;
}

} // namespace rankscope
