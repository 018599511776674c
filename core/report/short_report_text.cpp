// SPDX-License-Identifier: GPL-3.0-or-later
// The short report as lines of a terminal, and as Markdown.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/words.h"
#include "core/report/short_report.h"
#include "core/report/text_table.h"

namespace rankscope {
namespace {

constexpr std::string_view kBold = "1";
constexpr std::string_view kGreen = "32";
constexpr std::string_view kRed = "1;31";
constexpr std::string_view kDim = "2";

/// How a part of a step is drawn: its letter, and the colour of a terminal.
struct PartStyle {
    StepShare part;
    char letter;
    std::string_view colour;
};
constexpr std::array<PartStyle, kStepShareCount> kParts = {{{StepShare::computation, 'C', "32"},
                                                            {StepShare::exposed_communication, 'X', "33"},
                                                            {StepShare::waiting, 'W', "31"},
                                                            {StepShare::bubble, 'B', "35"},
                                                            {StepShare::copies, 'M', "34"},
                                                            {StepShare::launching, 'L', "36"},
                                                            {StepShare::host, 'H', "90"},
                                                            {StepShare::unrecorded, '.', "90"}}};

std::string painted(std::string_view text, std::string_view colour, bool on) {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
}

/// Lines of at most so many columns; the second and later ones are indented. Words that are longer stand alone.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns, std::string_view first,
                                 std::string_view later) {
    std::vector<std::string> lines;
    std::string line(first);
    std::size_t width = text_width(first);
    bool empty = true;
    while (!text.empty()) {
        std::size_t end = std::min(text.find(' '), text.size());
        if (text.substr(end).starts_with(" %")) // stays with its number
            end = std::min(text.find(' ', end + 1), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t needs = text_width(word) + (empty ? 0 : 1);
        if (!empty && width + needs > columns) {
            lines.push_back(std::move(line));
            line = later;
            width = text_width(later);
            empty = true;
        }
        line += (empty ? "" : " ") + std::string(word);
        width += text_width(word) + (empty ? 0 : 1);
        empty = false;
    }
    if (!empty)
        lines.push_back(std::move(line));
    return lines;
}

/// Where "Cost: ..." or "Cost once ..." begins; npos: nowhere.
std::size_t place_of_cost(std::string_view text) {
    const std::size_t plain = text.rfind(" Cost: ");
    return plain == std::string_view::npos ? text.rfind(" Cost once ") : plain;
}

/// Without the sentences before the one that tells of what costs: a cost is never told of another sentence.
std::string_view from_costly_sentence(std::string_view text) {
    const std::size_t cost = place_of_cost(text);
    const std::size_t before = cost == std::string_view::npos || cost < 2 ? cost : text.rfind(". ", cost - 2);
    return before == std::string_view::npos || cost < 2 ? text : text.substr(before + 2);
}

/// Where the last sentence begins that is behind the one that tells a cost; npos: there is none.
std::size_t last_sentence_behind_cost(std::string_view text) {
    const std::size_t cost = place_of_cost(text);
    const std::size_t last = text.rfind(". ");
    return cost == std::string_view::npos || last == std::string_view::npos || last < cost ? std::string_view::npos
                                                                                           : last + 2;
}

/// As wrapped(), and at most so many lines: "…" stands for what is left out, first behind what a finding costs, then
/// before it.
std::vector<std::string> wrapped_into(std::string_view text, std::size_t count, std::size_t columns,
                                      std::string_view first, std::string_view later) {
    std::vector<std::string> lines = wrapped(text, columns, first, later);
    if (lines.size() <= count)
        return lines;
    for (std::size_t last = last_sentence_behind_cost(text); last != std::string_view::npos;
         last = last_sentence_behind_cost(text)) {
        text = text.substr(0, last - 1);
        if (auto whole = wrapped(fmt::format("{} …", text), columns, first, later); whole.size() <= count)
            return whole;
    }
    text = from_costly_sentence(text);
    lines = wrapped(text, columns, first, later);
    // Names of a trace may be of any length: only what can fit is tried, a word less each time.
    const std::size_t most_bytes = 4 * columns * count;
    const std::size_t cost = place_of_cost(text);
    const bool is_kept = cost != std::string_view::npos && text.size() - cost <= most_bytes;
    const std::string_view kept = is_kept ? text.substr(cost) : std::string_view{};
    for (std::size_t end = std::min(text.size() - kept.size(), most_bytes); lines.size() > count;) {
        end = end == 0 ? std::string_view::npos : text.rfind(' ', end - 1);
        if (end == std::string_view::npos || end == 0) {
            lines.resize(count);
            if (count > 0)
                lines.back() = shortened(lines.back() + " …", columns);
            break;
        }
        lines = wrapped(fmt::format("{} …{}", text.substr(0, end), kept), columns, first, later);
    }
    return lines;
}

/// One letter for each column of the bar: as many as the part's share, so that all of them together fill it.
std::string bar_of(const StepFill& fill, std::size_t columns) {
    std::string bar;
    double until = 0;
    for (const PartStyle& style : kParts) {
        until += std::max(0.0, fill.share(style.part));
        if (!fill.shown(style.part))
            continue; // not in the legend either
        const auto end = static_cast<std::size_t>(std::lround(std::min(1.0, until) * static_cast<double>(columns)));
        bar.append(end > bar.size() ? end - bar.size() : 0, style.letter);
    }
    return bar;
}

std::string painted_bar(const std::string& bar, bool colour) {
    std::string text;
    for (std::size_t i = 0; i < bar.size();) {
        const std::size_t end = std::min(bar.find_first_not_of(bar[i], i), bar.size());
        const auto style = std::ranges::find(kParts, bar[i], &PartStyle::letter);
        text += painted(std::string_view(bar).substr(i, end - i), style->colour, colour);
        i = end;
    }
    return text;
}

/// "A step takes 15.77 ms", of what it is.
std::string step_title(const StepSummary& step) {
    const std::string time = time_words(step.fill.step_ns);
    if (step.behind_queued_work)
        return fmt::format("From the end of earlier work to its last GPU work a rank takes {}", time);
    return step.unit == StepAccount::Unit::window
               ? fmt::format("From its first to its last GPU work a rank takes {}", time)
               : fmt::format("A step takes {}", time);
}

/// "7 %".
std::string share_text(const StepFill& fill, StepShare part) { return fmt::format("{:.0f} %", 100 * fill.share(part)); }

/// "C computation 7 %, W waiting for other ranks 36 %".
std::string legend_of(const StepSummary& step) {
    std::string legend;
    for (const PartStyle& style : kParts)
        if (step.fill.shown(style.part))
            legend += fmt::format("{}{} {} {}", legend.empty() ? "" : ", ", style.letter, step.word(style.part),
                                  share_text(step.fill, style.part));
    return legend;
}

/// A text of lines; knows what is left of them.
class Page {
public:
    explicit Page(const TextLayout& layout) : layout_(layout) {}

    [[nodiscard]] std::size_t left() const { return layout_.lines > used_ ? layout_.lines - used_ : 0; }
    void line(std::string_view text, std::string_view colour = {}) {
        text_ += painted(text, colour, layout_.colour && !colour.empty()) + '\n';
        ++used_;
    }
    void gap() {
        if (!text_.empty())
            line("");
    }
    void paragraph(std::string_view text, std::size_t most, std::string_view first = "", std::string_view later = "",
                   std::string_view colour = {}) {
        for (const std::string& each : wrapped_into(text, most, layout_.columns, first, later))
            line(each, colour);
    }
    /// The items that fit into so many lines, and how many do not; numbers: of each, none for dashes. Each is whole if
    /// all of them fit whole.
    void list(const std::vector<std::string>& items, std::size_t lines, std::size_t lines_each,
              std::span<const std::size_t> numbers = {}) {
        const std::size_t end = used_ + std::min(lines, left());
        std::size_t lines_of_all = 0;
        for (const std::string& item : items)
            lines_of_all += wrapped(item, layout_.columns, "    ", "    ").size();
        if (used_ + lines_of_all <= end)
            lines_each = lines;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::string mark = numbers.empty() ? std::string("  - ") : fmt::format("{:>2}. ", numbers[i]);
            const std::size_t needs = std::min(lines_each, wrapped(items[i], layout_.columns, mark, "    ").size());
            if (used_ + needs + (i + 1 < items.size() ? 1 : 0) > end) {
                line(fmt::format("    and {} more (--full)", items.size() - i), kDim);
                return;
            }
            paragraph(items[i], lines_each, mark, "    ");
        }
    }
    void table(const TextTable& table) {
        const std::string text = table.text();
        text_ += text;
        used_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
    }
    void bar(const StepSummary& step) {
        line(step_title(step));
        text_ += painted_bar(bar_of(step.fill, layout_.columns), layout_.colour) + '\n';
        ++used_;
        paragraph(legend_of(step), 2);
    }
    [[nodiscard]] const TextLayout& layout() const { return layout_; }
    std::string text() && { return std::move(text_); }

private:
    TextLayout layout_;
    std::string text_;
    std::size_t used_ = 0;
};

void gates_on(Page& page, const std::vector<ShortReport::Check>& gates) {
    constexpr std::size_t kMost = 6;
    for (std::size_t i = 0; i < gates.size(); ++i) {
        if (i + 1 == kMost && gates.size() > kMost && !page.layout().all_gates) {
            page.line(fmt::format("and {} more gates (--full)", gates.size() - i), kDim);
            break;
        }
        page.paragraph(gates[i].text, page.layout().all_gates ? gates[i].text.size() : 2,
                       gates[i].passed ? "passed  " : "FAILED  ", "        ", gates[i].passed ? kGreen : kRed);
    }
}

void side_by_side_on(Page& page, const std::vector<std::vector<std::string>>& rows) {
    constexpr std::size_t kMost = 14;
    TextTable table({"run", "step", "against the first", "against the best", ""});
    table.align_left(4);
    for (const auto& row : std::span(rows).first(std::min(kMost, rows.size())))
        table.add_row(row);
    page.table(table);
    if (rows.size() > kMost)
        page.line(fmt::format("  and {} more runs (--full)", rows.size() - kMost), kDim);
}

void comparison_on(Page& page, const ShortReport::Comparison& comparison, std::size_t most_rows) {
    page.gap();
    page.line(comparison.title, kBold);
    constexpr std::size_t kMost = 6;
    for (std::size_t i = 0; i < comparison.sentences.size() && i < kMost; ++i)
        page.paragraph(comparison.sentences[i], i == 0 ? 4 : 2, "", "", i == 0 ? kBold : "");
    if (comparison.sentences.size() > kMost)
        page.line(fmt::format("and {} more {} (--full)", comparison.sentences.size() - kMost,
                              comparison.sentences.size() == kMost + 1 ? "sentence" : "sentences"),
                  kDim);
    if (most_rows > 0 && !comparison.rows.empty()) {
        page.gap();
        TextTable table({"metric", "baseline", "test", "change", ""});
        table.align_left(4);
        for (const auto& row : std::span(comparison.rows).first(std::min(most_rows, comparison.rows.size())))
            table.add_row(row);
        page.table(table);
        if (comparison.rows.size() > most_rows)
            page.line(fmt::format("  and {} more that changed (--full)", comparison.rows.size() - most_rows), kDim);
    }
    if (!comparison.settings.empty() && most_rows > 0) {
        page.gap();
        page.list(comparison.settings, 4, 1);
    }
}

/// Of one run all that fits; beside a comparison its headline.
/// The costliest one is mostly the headline, and then no number 1 is listed.
std::string_view findings_title(const ShortReport::OneRun& run) {
    return run.findings.front().number == 1 ? "Findings, by cost" : "Other findings, by cost";
}

void run_on(Page& page, const ShortReport::OneRun& run, bool alone) {
    page.gap();
    page.paragraph(run.title, 2, "", "", kBold);
    if (!alone) {
        page.paragraph(run.headline, 2);
        page.list(run.predictions, 2 * run.predictions.size(), 2); // they were asked for
        return;
    }
    page.line(shortened(run.path, page.layout().columns), kDim);
    page.gap();
    page.paragraph(run.headline, 6, "", "", kBold);
    for (const std::string& sentence : run.hang)
        page.paragraph(sentence, std::min<std::size_t>(6, page.left()));
    if (run.step) {
        page.gap();
        page.bar(*run.step);
    }
    if (!run.facts.empty()) {
        page.gap();
        page.list(run.facts, 6, 3);
    }
    if (!run.predictions.empty()) {
        page.gap();
        page.line("What if");
        page.list(run.predictions, 2 * run.predictions.size(), 2);
    }
    if (!run.values.empty()) {
        constexpr std::size_t kMost = 8;
        page.gap();
        TextTable table({"metric", "value"});
        for (const auto& row : std::span(run.values).first(std::min(kMost, run.values.size())))
            table.add_row(row);
        page.table(table);
        if (run.values.size() > kMost)
            page.line(fmt::format("  and {} more (--full)", run.values.size() - kMost), kDim);
    }
    constexpr std::size_t kForTheRest = 5;
    if (!run.findings.empty() && page.left() > kForTheRest + 3) {
        page.gap();
        page.line(findings_title(run));
        std::vector<std::string> texts;
        std::vector<std::size_t> numbers;
        for (const auto& [number, text] : run.findings) {
            texts.push_back(text);
            numbers.push_back(number);
        }
        page.list(texts, page.left() - kForTheRest, 3, numbers);
    }
    if (!run.unmeasured.empty()) {
        page.gap();
        page.paragraph("Not measured: " + run.unmeasured, 2, "", "", kDim);
    }
}

// Markdown.

/// Nothing of a name is markup, a link, HTML or a mention.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '@': out += "@\u200b"; break; // mentions nobody
        case '\n':
        case '\r': out += ' '; break;
        default:
            if (std::string_view("\\`*_[]#|~").find(c) != std::string_view::npos)
                out += '\\';
            out += c;
        }
    }
    return out;
}

std::string markdown_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
    std::string text = "|";
    for (const std::string& name : header)
        text += fmt::format(" {} |", name.empty() ? " " : name);
    text += "\n|";
    for (std::size_t i = 0; i < header.size(); ++i)
        text += " --- |";
    text += '\n';
    for (const auto& row : rows) {
        text += '|';
        for (const std::string& cell : row)
            text += fmt::format(" {} |", escaped(cell));
        text += '\n';
    }
    return text + '\n';
}

std::string markdown_run(const ShortReport::OneRun& run) {
    std::string text = fmt::format("### {}\n\n**{}**\n\n", escaped(run.title), escaped(run.headline));
    for (const std::string& sentence : run.hang)
        text += escaped(sentence) + "\n\n";
    if (run.step) {
        std::vector<std::vector<std::string>> rows;
        for (const PartStyle& style : kParts)
            if (run.step->fill.shown(style.part))
                rows.push_back({std::string(run.step->word(style.part)), time_words(run.step->fill[style.part]),
                                share_text(run.step->fill, style.part)});
        text += fmt::format("{}:\n\n", step_title(*run.step)) + markdown_table({"", "time", "share"}, rows);
    }
    if (!run.values.empty())
        text += markdown_table({"metric", "value"}, run.values);
    for (const std::string& prediction : run.predictions)
        text += fmt::format("- {}\n", escaped(prediction));
    for (const std::string& fact : run.facts)
        text += fmt::format("- {}\n", escaped(fact));
    text += run.facts.empty() && run.predictions.empty() ? "" : "\n";
    if (!run.findings.empty()) {
        text += fmt::format("<details><summary>{}</summary>\n\n", findings_title(run));
        for (const ShortReport::NumberedFinding& finding : run.findings)
            text += fmt::format("{}. {}\n", finding.number, escaped(finding.text));
        text += "\n</details>\n\n";
    }
    if (!run.unmeasured.empty())
        text +=
            fmt::format("<details><summary>Not measured</summary>\n\n{}\n\n</details>\n\n", escaped(run.unmeasured));
    return text;
}

} // namespace

std::string as_text(const ShortReport& report, const TextLayout& layout) {
    Page page(layout);
    gates_on(page, report.gates);
    if (!report.side_by_side.empty()) {
        page.gap();
        side_by_side_on(page, report.side_by_side);
    }
    // Of two runs all that changed; of more, one sentence each as long as there is room.
    const bool two = report.comparisons.size() == 1;
    for (const ShortReport::Comparison& comparison : report.comparisons) {
        if (!two && page.left() < 6)
            break;
        if (two)
            comparison_on(page, comparison, 8);
        else
            comparison_on(page, {comparison.title, {comparison.sentences.front()}, {}, {}}, 0);
    }
    const bool alone = report.runs.size() == 1;
    for (const ShortReport::OneRun& run : report.runs)
        if (alone || (two && page.left() > 6))
            run_on(page, run, alone);
    std::size_t notices = 0;
    for (const ShortReport::OneRun& run : report.runs)
        notices += run.notices;
    if (report.runs.empty())
        return std::move(page).text();
    page.gap();
    page.line(notices > 0 ? fmt::format("{} notice{} (--verbose). All metrics, ranks and kernels: --full", notices,
                                        notices == 1 ? "" : "s")
                          : std::string("All metrics, ranks and kernels: --full"),
              kDim);
    return std::move(page).text();
}

std::string as_markdown(const ShortReport& report) {
    std::string text;
    if (!report.gates.empty()) {
        std::vector<std::vector<std::string>> rows;
        for (const ShortReport::Check& gate : report.gates)
            rows.push_back({gate.passed ? "passed" : "FAILED", gate.text});
        text += "## Gates\n\n" + markdown_table({"", "gate"}, rows);
    }
    if (!report.side_by_side.empty())
        text += "## All runs\n\n" +
                markdown_table({"run", "step", "against the first", "against the best", ""}, report.side_by_side);
    for (const ShortReport::Comparison& comparison : report.comparisons) {
        text += fmt::format("## {}\n\n", escaped(comparison.title));
        for (std::size_t i = 0; i < comparison.sentences.size(); ++i)
            text += i == 0 ? fmt::format("**{}**\n\n", escaped(comparison.sentences[i]))
                           : fmt::format("- {}\n", escaped(comparison.sentences[i]));
        text += comparison.sentences.size() > 1 ? "\n" : "";
        text += markdown_table({"metric", "baseline", "test", "change", ""}, comparison.rows);
        for (const std::string& setting : comparison.settings)
            text += fmt::format("- {}\n", escaped(setting));
        text += comparison.settings.empty() ? "" : "\n";
    }
    for (const ShortReport::OneRun& run : report.runs)
        text += markdown_run(run);
    return text;
}

} // namespace rankscope
