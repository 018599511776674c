// SPDX-License-Identifier: GPL-3.0-or-later
// Findings for readers of the reports.
#include "core/report/findings_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/findings/finding_brief.h"
#include "core/base/text.h"
#include "core/base/words.h"
#include "core/metrics/numbers.h"
#include "core/report/html_table.h"
#include "core/report/markup.h"
#include "core/views/all_facts.h"

namespace rankscope {
namespace {

using enum NumberStyle;

std::string rank_list(const Finding& finding) {
    return finding.ranks.empty() ? "all" : fmt::format("{}", fmt::join(finding.ranks, " "));
}
std::string kind_of(const Finding& finding) { return finding.inherent ? "inherent" : "fault"; }

std::string name_of(const Run& run, const FindingEvent& event) {
    return event.event == kNoEvent ? std::string("(a stretch of time)")
                                   : std::string(run.ranks[event.rank]->event_name(event.event));
}

std::string fact_text(const FindingFact& fact) {
    return fact.text.empty() ? fmt::format("{} {:.6g}", fact.word(), fact.number)
                             : fmt::format("{} {}", fact.word(), shortened(terminal_safe(fact.text), 80));
}

/// One finding a row; the sentences below it have the numbers of its first column.
std::string findings_table(const AnalysedRun& run) {
    const Findings& findings = run.analysis->findings();
    HtmlTable table({"#no.", findings.of_steps ? "#cost a step" : "#cost",
                     findings.of_steps ? "#% of the mean step" : "#%", "who", "what", "when", "nature", "#confidence"});
    for (std::size_t i = 0; i < findings.list.size(); ++i) {
        const Finding& f = findings.list[i];
        const auto words = [](const Message& message) { return shortened(terminal_safe(english(message)), 110); };
        table.cell(std::to_string(i + 1))
            .cell(f.cost <= 0 ? ""
                              : (f.at_most    ? "≤ "
                                 : f.at_least ? "≥ "
                                              : "") +
                                    time_words(f.cost_of_affected) +
                                    (f.is_of_some_steps() ? fmt::format(" × {}", f.iterations.size()) : ""))
            .cell(f.cost <= 0 ? "" : fmt::format("{:.1f}", 100 * f.share))
            .cell(words(who_words(run.run(), f)))
            .cell(words(what_words(f)))
            .cell(words(f.when).substr(f.when.empty() ? 0 : 1))
            .cell(f.hidden ? "hidden" : kind_of(f), f.inherent || f.hidden ? "" : "worse")
            .cell(fmt::format("{:.0f} %", 100 * f.confidence))
            .end_row();
    }
    return table.empty() ? "" : table.html();
}

} // namespace

Sheet findings_sheet(std::span<const AnalysedRun> runs) {
    Sheet sheet{"Findings",
                {{"finding", whole},
                 {"kind"},
                 {"code"},
                 {"cause"},
                 {"ranks"},
                 {"group"},
                 {"cost_us_per_step", three_decimals},
                 {"share %", two_decimals},
                 {"confidence %", whole},
                 {"what"},
                 {"source"}},
                {},
                false,
                "Cost: what a step would be shorter without it, by replay. In order of the cost in a step that has it, "
                "whether a fault or what the program is made of."};
    for (const AnalysedRun& run : runs) {
        double number = 0;
        for (const Finding& f : run.analysis->findings().list)
            sheet.rows.push_back({++number, kind_of(f), std::string(code_word(f.code)),
                                  std::string(cause_word(f.cause)), rank_list(f), f.group, f.cost / 1000, 100 * f.share,
                                  100 * f.confidence, english(f.title), run.label});
    }
    return sheet;
}

Sheet evidence_sheet(std::span<const AnalysedRun> runs) {
    Sheet sheet{"Findings_Evidence",
                {{"finding", whole},
                 {"code"},
                 {"rank", whole},
                 {"event"},
                 {"start_us", three_decimals},
                 {"duration_us", three_decimals},
                 {"fact"},
                 {"value", plain},
                 {"source"}},
                {},
                false,
                "Events, with start_us since the run's first event, and numbers."};
    for (const AnalysedRun& run : runs) {
        double number = 0;
        for (const Finding& f : run.analysis->findings().list) {
            ++number;
            for (const FindingEvent& event : f.events)
                sheet.rows.push_back({number,
                                      std::string(code_word(f.code)),
                                      static_cast<double>(run.run().ranks[event.rank]->rank),
                                      name_of(run.run(), event),
                                      as_us(run.analysis->since_start(event.rank, event.range.begin)),
                                      as_us(event.range.length()),
                                      {},
                                      {},
                                      run.label});
            for (const FindingFact& fact : f.facts)
                sheet.rows.push_back({number,
                                      std::string(code_word(f.code)),
                                      {},
                                      {},
                                      {},
                                      {},
                                      fact.word(),
                                      fact.text.empty() ? Cell(fact.number) : Cell(fact.text),
                                      run.label});
        }
    }
    return sheet;
}

std::string findings_section(const AnalysedRun& run) {
    const Findings& findings = run.analysis->findings();
    std::string html = fmt::format("<h3>Findings</h3>\n<p class=\"lead\">{}</p>\n",
                                   escaped_markup(terminal_safe(english(findings.headline))));
    html += "<ul>\n";
    for (const std::string& fact : english(all_fact_sentences(*run.analysis)))
        html += fmt::format("<li>{}</li>\n", escaped_markup(terminal_safe(fact)));
    html += "</ul>\n";
    html += findings_table(run);
    std::size_t number = 0;
    for (const Finding& finding : findings.list) {
        html += fmt::format(
            "<p><b>{}.</b> {} <span class=\"badge\">{}</span> <span class=\"dim\">confidence {:.0f} %</span></p>\n",
            ++number, escaped_markup(terminal_safe(english(finding.title))), kind_of(finding),
            100 * finding.confidence);
        HtmlTable table({"evidence", "#rank", "#at", "#lasts"});
        for (const FindingEvent& event : finding.events)
            table.cell(shortened(terminal_safe(name_of(run.run(), event)), 110))
                .cell(std::to_string(run.run().ranks[event.rank]->rank))
                .cell(fmt::format("{:.3f} ms", as_ms(run.analysis->since_start(event.rank, event.range.begin))))
                .cell(fmt::format("{:.3f} ms", as_ms(event.range.length())))
                .end_row();
        std::vector<std::string> facts;
        for (const FindingFact& fact : finding.facts)
            facts.push_back(fact_text(fact));
        html += (table.empty() ? "" : table.html()) +
                (facts.empty() ? ""
                               : fmt::format("<p class=\"dim\">{}</p>\n",
                                             escaped_markup(fmt::format("{}", fmt::join(facts, ", ")))));
    }
    return html;
}

} // namespace rankscope
