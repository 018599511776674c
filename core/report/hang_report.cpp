// SPDX-License-Identifier: GPL-3.0-or-later
// A job that hangs, for readers and for programs.
#include "core/report/hang_report.h"

#include <algorithm>
#include <array>
#include <ctime>

#include <fmt/format.h>

#include "core/base/words.h"
#include "core/metrics/numbers.h"
#include "core/report/html_table.h"
#include "core/report/markup.h"

namespace rankscope {
namespace {

constexpr std::size_t kWorstRanks = 16; ///< told one by one
constexpr std::size_t kShownFrames = 6;

std::vector<int> numbers_of(const std::vector<const HangRank*>& ranks) {
    std::vector<int> numbers;
    for (const HangRank* rank : ranks)
        numbers.push_back(rank->rank);
    std::ranges::sort(numbers);
    return numbers;
}

std::string seconds_text(TimeNs time) {
    return time >= 10'000'000'000  ? fmt::format("{:.0f} s", static_cast<double>(time) / 1e9)
           : time >= 1'000'000'000 ? fmt::format("{:.1f} s", static_cast<double>(time) / 1e9)
                                   : fmt::format("{:.1f} ms", static_cast<double>(time) / 1e6);
}

Message frames_text(const std::vector<FlightRecorderFrame>& frames) {
    std::vector<Message> shown;
    for (const FlightRecorderFrame& frame : std::span(frames).first(std::min(frames.size(), kShownFrames)))
        shown.emplace_back(fmt::format("{} ({}:{})", frame.name, frame.file, frame.line));
    return frames.size() > kShownFrames ? "%1 and %2 more"_text(enumerated(shown), frames.size() - kShownFrames)
                                        : enumerated(shown);
}

/// When it last finished something, as far as that is known.
Message last_sign(const Hang& hang, const HangRank& rank) {
    Message text;
    if (rank.last_completed) {
        const Message call = hang_call_text(*rank.last_completed);
        text += rank.last_completed_at == 0
                    ? " It last finished %1."_text(call)
                    : " It last finished %1, which was noticed %2 before the last entry of all dumps."_text(
                          call, seconds_text(std::max<TimeNs>(0, hang.last_time - rank.last_completed_at)));
    }
    if (rank.last_called && rank.last_called_at != 0)
        text += " Its last call was %1, at %2."_text(hang_call_text(*rank.last_called), utc_text(rank.last_called_at));
    if (!rank.frames.empty())
        text += " It made it in %1."_text(frames_text(rank.frames));
    return text;
}

/// "; ranks 3 and 9 did not come, whether rank 1 came is not known. Rank 3 waits in another call instead."
Message absent_words(const Hang& hang) {
    std::vector<int> away, elsewhere, unknown; // the last: without a dump that can be read
    for (const int rank : hang.absent) {
        (std::ranges::binary_search(hang.perhaps_absent, rank) ? unknown : away).push_back(rank);
        const HangRank* of = hang.rank(rank);
        if (of != nullptr && of->verdict == HangVerdict::victim && !of->waits.empty())
            elsewhere.push_back(rank);
    }
    Message text =
        unknown.empty() || away.empty()
            ? "; %1 did not come."_text(rank_list_text(hang.absent))
            : "; %1 did not come, whether %2 came is not known."_text(rank_list_text(away), rank_list_text(unknown));
    if (!elsewhere.empty())
        text += plural(elsewhere.size(), " Rank %1 waits in another call instead."_one,
                       " Ranks %1 wait in other calls instead."_many)(rank_runs(elsewhere));
    return text;
}

Message stuck_sentence(const Hang& hang) {
    const Message call = hang_call_text(*hang.first_stuck);
    Message text = hang.since == 0
                       ? "The job stands still in %1. "_text(call)
                       : "The job stands still in %1, which was first called at %2. "_text(call, utc_text(hang.since));
    text += hang.waiting.empty() ? "No rank waits in it"_text()
                                 : plural(hang.waiting.size(), "Rank %1 waits in it"_one,
                                          "Ranks %1 wait in it"_many)(rank_runs(hang.waiting));
    switch (hang.problem) {
    case HangProblem::missing: return text += absent_words(hang);
    case HangProblem::no_dump: return text += "; whether %1 came is not known."_text(rank_list_text(hang.absent));
    case HangProblem::mismatch: return text += "; they did not call the same there."_text();
    case HangProblem::stuck_inside: return text += "; every member called it."_text();
    case HangProblem::deadlock: return text += "; it is part of a circle of calls that wait for each other."_text();
    }
    return text;
}

Message deadlock_sentence(const Hang& hang) {
    std::vector<Message> waits;
    for (const HangLink& link : std::span(hang.deadlock).first(std::min(hang.deadlock.size(), kWorstRanks)))
        waits.push_back("rank %1 waits for rank %2 in %3"_text(link.waiter, link.awaited, hang_call_text(link.call)));
    return "A deadlock: %1."_text(enumerated(waits, "; "));
}

/// Whether a rank is at fault that called something else than most others.
bool convicts_by_mismatch(const Hang& hang) {
    return std::ranges::any_of(
        hang.mismatches,
        [&](const HangMismatch& mismatch) {
            return std::ranges::any_of(
                std::span(mismatch.variants).subspan(1),
                [&](const HangVariant& variant) {
                    return std::ranges::any_of(
                        variant.ranks,
                        [&](int rank) {
                            const HangRank* of = hang.rank(rank);
                            return of != nullptr && of->verdict == HangVerdict::culprit;
                        });
                });
        });
}

Message advice_for(HangProblem problem, bool has_culprit) {
    switch (problem) {
    case HangProblem::missing:
        return "What to do: look at what the process of that rank did at that time, in its log and in a stack of its "
               "threads (py-spy dump). A host that is stuck in its own code, in loading of data, or in an exception "
               "that was caught looks like this."_text;
    case HangProblem::no_dump:
        return "What to do: look into the log of that rank and of its machine for a crash, for a process that was "
               "killed (out of memory), or for a machine that went away."_text;
    case HangProblem::mismatch:
        return "What to do: find where the ranks take different branches before this call. A condition that depends on "
               "data, or a shape that differs between ranks, looks like this."_text;
    case HangProblem::deadlock:
        return "What to do: make all ranks call the groups in the same order, or make one of the calls wait for the "
               "other on every rank."_text;
    case HangProblem::stuck_inside: break;
    }
    return has_culprit
               ? "What to do: look at the GPU of that rank (nvidia-smi, Xid messages in dmesg) and at its links."_text
               : "What to do: look at the GPUs (nvidia-smi, Xid messages in dmesg) and the network of these ranks. "
                 "With TORCH_NCCL_ENABLE_TIMING=1 the next dump tells which GPU did not reach the call."_text;
}

/// About the call that is told first; also about a mismatch that convicts a rank.
void tell_what_to_do(const Hang& hang, std::vector<Message>& sentences) {
    sentences.push_back(advice_for(hang.problem, !hang.with(HangVerdict::culprit).empty()));
    if (hang.problem != HangProblem::mismatch && convicts_by_mismatch(hang))
        sentences.push_back(advice_for(HangProblem::mismatch, true));
}

void tell_ranks(const Hang& hang, HangVerdict verdict, Text<3> is, std::vector<Message>& sentences) {
    const auto ranks = hang.with(verdict);
    for (const HangRank* rank : std::span(ranks).first(std::min(ranks.size(), kWorstRanks)))
        sentences.push_back(is(rank->rank, rank->why, last_sign(hang, *rank)));
    if (ranks.size() > kWorstRanks)
        sentences.push_back(
            "The same goes for %1."_text(rank_list_text(numbers_of({ranks.begin() + kWorstRanks, ranks.end()}))));
}

Json call_json(const HangCall& call) {
    Json json = {{"group", call.group},
                 {"description", call.description},
                 {"kind", call.kind.empty() ? Json(nullptr) : Json(call.kind)},
                 {"seq", call.seq}};
    if (call.source >= 0) {
        json["from"] = call.source;
        json["to"] = call.destination;
    }
    return json;
}

Json time_json(TimeNs time) { return time == 0 ? Json(nullptr) : Json(time); }

std::vector<int> awaited_by(const HangRank& rank) {
    return rank.waits.empty() ? std::vector<int>() : rank.waits.front().ranks;
}

Json rank_of_hang_json(const HangRank& rank) {
    Json json = {{"rank", rank.rank}, {"waits_for", awaited_by(rank)}};
    json["waits_in"] = rank.waits.empty() ? Json(nullptr) : call_json(rank.waits.front().call);
    if (!rank.waits.empty())
        json["waits_in"]["since_ns"] = time_json(rank.waits.front().since);
    json["open_calls"] = rank.open_calls;
    json["last_completed"] = rank.last_completed ? call_json(*rank.last_completed) : Json(nullptr);
    if (rank.last_completed)
        json["last_completed"]["time_ns"] = time_json(rank.last_completed_at);
    if (!rank.why.empty())
        json["why"] = english(rank.why);
    if (!rank.frames.empty())
        for (const FlightRecorderFrame& frame : rank.frames)
            json["frames"].push_back({{"name", frame.name}, {"file", frame.file}, {"line", frame.line}});
    return json;
}

} // namespace

std::string utc_text(TimeNs time) {
    if (time == 0)
        return {};
    const TimeNs second = 1'000'000'000;
    const TimeNs whole = time >= 0 ? time / second : (time - second + 1) / second;
    const auto seconds = static_cast<std::time_t>(whole);
    std::tm parts{};
    if (::gmtime_r(&seconds, &parts) == nullptr)
        return fmt::format("{} ns", time);
    std::array<char, 64> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
    return fmt::format("{}.{:03} UTC", std::string_view(text.data(), length), (time - whole * second) / 1'000'000);
}

std::vector<Message> hang_summary(const Hang& hang) {
    if (!hang.first_stuck)
        return {};
    std::vector<Message> sentences{stuck_sentence(hang)};
    if (!hang.deadlock.empty())
        sentences.push_back(deadlock_sentence(hang));
    tell_what_to_do(hang, sentences);
    return sentences;
}

std::vector<Message> hang_sentences(const Hang& hang) {
    std::vector<Message> sentences{hang_headline(hang)};
    if (!hang.first_stuck) // then the first note is the headline
        return sentences;
    if (!hang.no_dump.empty())
        sentences.push_back(
            plural(hang.no_dump.size(), "Rank %1 left no dump: crashed, killed, or out of reach."_one,
                   "Ranks %1 left no dump: crashed, killed, or out of reach."_many)(rank_runs(hang.no_dump)));
    sentences.push_back(stuck_sentence(hang));
    tell_ranks(hang, HangVerdict::culprit, "Rank %1 is at fault. %2%3"_text, sentences);
    tell_ranks(hang, HangVerdict::possible, "Rank %1 may be at fault. %2%3"_text, sentences);
    if (!hang.deadlock.empty())
        sentences.push_back(deadlock_sentence(hang));
    for (const HangMismatch& mismatch :
         std::span(hang.mismatches).first(std::min<std::size_t>(4, hang.mismatches.size()))) {
        std::vector<Message> called;
        for (const HangVariant& variant :
             std::span(mismatch.variants).first(std::min<std::size_t>(4, mismatch.variants.size())))
            called.push_back("%1 called %2"_text(rank_list_text(variant.ranks), variant.called));
        sentences.push_back("Different %1 in %2: %3."_text(Message::word(mismatch.what), hang_call_text(mismatch.call),
                                                           enumerated(called)));
    }
    std::vector<const HangRank*> only_wait = hang.with(HangVerdict::victim);
    std::vector<const HangRank*> unproved;
    for (const HangRank* rank : only_wait)
        if (!rank->why.empty())
            unproved.push_back(rank);
    std::erase_if(only_wait, [](const HangRank* rank) { return !rank->why.empty(); });
    if (const auto ranks = numbers_of(only_wait); !ranks.empty())
        sentences.push_back(plural(ranks.size(), "Rank %1 only waits for others."_one,
                                   "Ranks %1 only wait for others."_many)(rank_runs(ranks)));
    if (const auto ranks = numbers_of(unproved); !ranks.empty())
        sentences.push_back(plural(ranks.size(),
                                   "Rank %1 waits for a rank whose dump is missing. If it came, one of them may be "
                                   "at fault."_one,
                                   "Ranks %1 wait for a rank whose dump is missing. If it came, one of them may be "
                                   "at fault."_many)(rank_runs(ranks)));
    tell_what_to_do(hang, sentences);
    sentences.insert(sentences.end(), hang.notes.begin(), hang.notes.end());
    return sentences;
}

Json hang_json(const Hang& hang) {
    Json json = Json::object();
    json["outcome"] = hang.first_stuck ? "stuck" : hang.notes.empty() ? "none open" : "not known";
    json["first_stuck"] = nullptr;
    if (hang.first_stuck) {
        Json& stuck = json["first_stuck"] = call_json(*hang.first_stuck);
        stuck["ranks"] = hang.waiting;
        stuck["absent"] = hang.absent;
        stuck["problem"] = hang_problem_word(hang.problem);
        stuck["since_ns"] = time_json(hang.since);
    }
    for (const auto& [name, verdict] :
         {std::pair("culprits", HangVerdict::culprit), std::pair("possible", HangVerdict::possible),
          std::pair("victims", HangVerdict::victim)}) {
        json[name] = Json::array();
        for (const HangRank* rank : hang.with(verdict))
            json[name].push_back(rank_of_hang_json(*rank));
    }
    json["no_dump"] = hang.no_dump;
    json["deadlock"] = Json::array();
    json["deadlock_calls"] = Json::array();
    for (const HangLink& link : hang.deadlock) {
        if (std::ranges::find(json["deadlock"], Json(link.waiter)) == json["deadlock"].end())
            json["deadlock"].push_back(link.waiter);
        json["deadlock_calls"].push_back(
            {{"rank", link.waiter}, {"waits_for", link.awaited}, {"waits_in", call_json(link.call)}});
    }
    json["mismatches"] = Json::array();
    for (const HangMismatch& mismatch : hang.mismatches) {
        Json variants = Json::array();
        for (const HangVariant& variant : mismatch.variants)
            variants.push_back({{"ranks", variant.ranks}, {"called", english(variant.called)}});
        json["mismatches"].push_back(
            {{"call", call_json(mismatch.call)}, {"what", mismatch.what}, {"variants", std::move(variants)}});
    }
    json["sentences"] = english(hang_sentences(hang));
    return json;
}

std::string hang_section(const Hang& hang) {
    const std::vector<std::string> sentences = english(hang_sentences(hang));
    std::string html = fmt::format("<p class=\"lead\">{}</p>\n<ul>", escaped_markup(sentences.front()));
    for (const std::string& sentence : std::span(sentences).subspan(1))
        html += fmt::format("<li>{}</li>\n", escaped_markup(sentence));
    html += "</ul>\n";
    constexpr std::size_t kRows = 256;
    HtmlTable table({"rank", "verdict", "last finished", "waits in", "waits for", "since", "#open calls"});
    for (const HangRank& rank : std::span(hang.ranks).first(std::min(kRows, hang.ranks.size())))
        table.cell(std::to_string(rank.rank))
            .cell(hang_verdict_word(rank.verdict), rank.verdict == HangVerdict::culprit ? "worse" : "")
            .cell(rank.last_completed ? english(hang_call_text(*rank.last_completed)) : "-")
            .cell(rank.waits.empty() ? "-" : english(hang_call_text(rank.waits.front().call)))
            .cell(rank.waits.empty() || rank.waits.front().ranks.empty()
                      ? "-"
                      : english(rank_list_text(rank.waits.front().ranks)))
            .cell(rank.waits.empty() ? "-" : utc_text(rank.waits.front().since))
            .cell(std::to_string(rank.open_calls))
            .end_row();
    html += "<h3>Ranks</h3>\n" + table.html(hang.ranks.size() - std::min(kRows, hang.ranks.size()));
    if (hang.mismatches.empty())
        return html;
    HtmlTable mismatches({"call", "differs in", "called", "by"});
    for (const HangMismatch& mismatch : hang.mismatches)
        for (const HangVariant& variant : mismatch.variants)
            mismatches.cell(english(hang_call_text(mismatch.call)))
                .cell(mismatch.what)
                .cell(english(variant.called))
                .cell(english(rank_list_text(variant.ranks)))
                .end_row();
    return html + "<h3>Not the same on all ranks</h3>\n" + mismatches.html();
}

} // namespace rankscope
