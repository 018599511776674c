// SPDX-License-Identifier: GPL-3.0-or-later
// What coreText() is asked for.
#include "widgets/core_texts.h"

#include <algorithm>
#include <string_view>

#include "core/analysis/findings/finding_kinds.h"
#include "core/analysis/hang/hang.h"
#include "core/analysis/operators/roofline.h"
#include "core/analysis/pipeline/recorded_schedule.h"
#include "core/analysis/selection/kernel_class.h"
#include "core/analysis/serving/served_steps.h"
#include "core/analysis/serving/serving_words.h"
#include "core/base/notice_kinds.h"
#include "core/compare/operator_diff.h"
#include "core/input/format/trace_format.h"
#include "core/metrics/catalogue.h"
#include "core/query/query_examples.h"
#include "core/trace/accounting.h"
#include "core/trace/engine_steps.h"
#include "core/trace/event_table.h"
#include "core/views/glossary.h"
#include "core/views/step_summary.h"

namespace rankscope {

std::vector<std::string> coreTexts() {
    std::vector<std::string> texts;
    const auto add = [&](std::string_view text) {
        if (!text.empty() && std::ranges::find(texts, text) == texts.end())
            texts.emplace_back(text);
    };
    const auto words = [&]<typename Enum>(std::string_view (*word)(Enum), Enum last) {
        for (int i = 0; i <= static_cast<int>(last); ++i)
            add(word(static_cast<Enum>(i)));
    };
    for (const GlossaryTerm& term : kGlossary) {
        add(term.term);
        add(term.meaning);
    }
    words(event_kind_label, EventKind::captured_scope);
    words(kernel_class_word, KernelClass::memory_set);
    words(step_work_word, StepWork::copies); // with the kinds of computation
    words(bound_word, Bound::memory);
    words(engine_phase_word, EnginePhase::unknown);
    words(schedule_name, ScheduleKind::dualpipev);
    words(step_part_word, StepPart::gaps);
    words(step_part_words, StepPart::gaps);
    words(step_share_word, StepShare::unrecorded);
    words(host_activity_word, HostActivityKind::profiler);
    add("no operation"); // StepSummary::word()
    add("not computed"); // MetricChangeModel
    for (std::size_t i = 0; i < kNotShownCount; ++i) {
        std::string word(not_shown_word(static_cast<NotShown>(i)));
        std::ranges::replace(word, '_', ' ');
        add(word);
    }
    for (const TraceFormat& format : trace_formats())
        add(format.title);
    words(hang_verdict_word, HangVerdict::unconcerned);
    for (const std::string_view what : {"kind", "sizes", "types", "totals"}) // HangMismatch::what
        add(what);
    words(operator_status_word, OperatorStatus::unchanged);
    for (const MetricPointer& metric : metric_catalogue()) {
        add(metric->topic);
        add(metric->title);
        add(metric->definition);
        add(metric->unit);
    }
    for (const QueryExample& example : query_examples())
        if (!example.two_runs)
            add(example.question);
    for (const FindingKind& kind : kFindingKinds) {
        add(kind.meaning);
        add(kind.what_to_do);
    }
    for (const NoticeKind& kind : kNoticeKinds) {
        add(kind.meaning);
        add(kind.what_to_do);
    }
    return texts;
}

} // namespace rankscope
