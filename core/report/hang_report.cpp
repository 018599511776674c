// SPDX-License-Identifier: GPL-3.0-or-later
// A job that hangs, for readers and for programs.
#include "core/report/hang_report.h"

#include <algorithm>
#include <array>
#include <ctime>

#include <fmt/format.h>

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

std::string capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string frames_text(const std::vector<FlightRecorderFrame>& frames) {
    std::string text;
    for (std::size_t i = 0; i < std::min(frames.size(), kShownFrames); ++i)
        text += fmt::format("{}{} ({}:{})", i == 0 ? "" : ", ", frames[i].name, frames[i].file, frames[i].line);
    return frames.size() > kShownFrames ? fmt::format("{} and {} more", text, frames.size() - kShownFrames) : text;
}

/// When it last finished something, as far as that is known.
std::string last_sign(const Hang& hang, const HangRank& rank) {
    std::string text;
    if (rank.last_completed) {
        text += fmt::format(" It last finished {}", hang_call_text(*rank.last_completed));
        if (rank.last_completed_at != 0)
            text += fmt::format(", {} before the last call of any rank",
                                seconds_text(std::max<TimeNs>(0, hang.last_time - rank.last_completed_at)));
        text += '.';
    }
    if (rank.last_called && rank.last_called_at != 0)
        text += fmt::format(" Its last call was {}, at {}.", hang_call_text(*rank.last_called),
                            utc_text(rank.last_called_at));
    if (!rank.frames.empty())
        text += fmt::format(" It made it in {}.", frames_text(rank.frames));
    return text;
}

std::string stuck_sentence(const Hang& hang) {
    std::string text = fmt::format("The job stands still in {}", hang_call_text(*hang.first_stuck));
    if (hang.since != 0)
        text += fmt::format(", which was first called at {}", utc_text(hang.since));
    text += ". ";
    const bool one = hang.waiting.size() == 1;
    text += capital(fmt::format("{} {} in it", rank_list_text(hang.waiting), one ? "waits" : "wait"));
    switch (hang.problem) {
    case HangProblem::missing: text += fmt::format("; {} did not come.", rank_list_text(hang.absent)); break;
    case HangProblem::no_dump:
        text += fmt::format("; whether {} came is not known.", rank_list_text(hang.absent));
        break;
    case HangProblem::mismatch: text += "; they did not call the same there."; break;
    case HangProblem::stuck_inside: text += "; every member called it."; break;
    case HangProblem::deadlock: text += "; it is part of a circle of calls that wait for each other."; break;
    }
    return text;
}

std::string what_to_do(const Hang& hang) {
    const bool gpu = hang.problem == HangProblem::stuck_inside;
    switch (hang.problem) {
    case HangProblem::missing:
        return "What to do: look at what the process of that rank did at that time, in its log and in a stack of its "
               "threads (py-spy dump). A host that is stuck in its own code, in loading of data, or in an exception "
               "that was caught looks like this.";
    case HangProblem::no_dump:
        return "What to do: look into the log of that rank and of its machine for a crash, for a process that was "
               "killed (out of memory), or for a machine that went away.";
    case HangProblem::mismatch:
        return "What to do: find where the ranks take different branches before this call. A condition that depends on "
               "data, or a shape that differs between ranks, looks like this.";
    case HangProblem::deadlock:
        return "What to do: make all ranks call the groups in the same order, or make one of the calls wait for the "
               "other on every rank.";
    case HangProblem::stuck_inside: break;
    }
    return gpu && !hang.with(HangVerdict::culprit).empty()
               ? "What to do: look at the GPU of that rank (nvidia-smi, Xid messages in dmesg) and at its links."
               : "What to do: look at the GPUs (nvidia-smi, Xid messages in dmesg) and the network of these ranks. "
                 "With "
                 "TORCH_NCCL_ENABLE_TIMING=1 the next dump tells which GPU did not reach the call.";
}

void tell_ranks(const Hang& hang, HangVerdict verdict, std::string_view is, std::vector<std::string>& sentences) {
    const auto ranks = hang.with(verdict);
    for (const HangRank* rank : std::span(ranks).first(std::min(ranks.size(), kWorstRanks)))
        sentences.push_back(fmt::format("Rank {} {}. {}{}", rank->rank, is, rank->why, last_sign(hang, *rank)));
    if (ranks.size() > kWorstRanks) {
        const auto more = numbers_of({ranks.begin() + kWorstRanks, ranks.end()});
        sentences.push_back(fmt::format("The same goes for {}.", rank_list_text(more)));
    }
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
        json["why"] = rank.why;
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

std::vector<std::string> hang_sentences(const Hang& hang) {
    std::vector<std::string> sentences{hang_headline(hang)};
    if (!hang.first_stuck) // then the first note is the headline
        return sentences;
    if (!hang.no_dump.empty())
        sentences.push_back(
            fmt::format("{} left no dump: crashed, killed, or out of reach.", capital(rank_list_text(hang.no_dump))));
    sentences.push_back(stuck_sentence(hang));
    tell_ranks(hang, HangVerdict::culprit, "is at fault", sentences);
    tell_ranks(hang, HangVerdict::possible, "may be at fault", sentences);
    if (!hang.deadlock.empty()) {
        std::string circle = "A deadlock:";
        for (std::size_t i = 0; i < std::min(hang.deadlock.size(), kWorstRanks); ++i)
            circle += fmt::format("{} rank {} waits for rank {} in {}", i == 0 ? "" : ";", hang.deadlock[i].waiter,
                                  hang.deadlock[i].awaited, hang_call_text(hang.deadlock[i].call));
        sentences.push_back(circle + '.');
    }
    for (const HangMismatch& mismatch :
         std::span(hang.mismatches).first(std::min<std::size_t>(4, hang.mismatches.size()))) {
        std::string text = fmt::format("Different {} in {}:", mismatch.what, hang_call_text(mismatch.call));
        for (std::size_t v = 0; v < std::min<std::size_t>(4, mismatch.variants.size()); ++v)
            text += fmt::format("{} {} called {}", v == 0 ? "" : ",", rank_list_text(mismatch.variants[v].ranks),
                                mismatch.variants[v].called);
        sentences.push_back(text + '.');
    }
    std::vector<const HangRank*> only_wait = hang.with(HangVerdict::victim);
    std::vector<const HangRank*> unproved;
    for (const HangRank* rank : only_wait)
        if (!rank->why.empty())
            unproved.push_back(rank);
    std::erase_if(only_wait, [](const HangRank* rank) { return !rank->why.empty(); });
    if (const auto ranks = numbers_of(only_wait); !ranks.empty())
        sentences.push_back(fmt::format("{} only {} for others.", capital(rank_list_text(ranks)),
                                        ranks.size() == 1 ? "waits" : "wait"));
    if (const auto ranks = numbers_of(unproved); !ranks.empty())
        sentences.push_back(
            fmt::format("{} {} for a rank of which no dump was read. If it came, one of them may be at fault.",
                        capital(rank_list_text(ranks)), ranks.size() == 1 ? "waits" : "wait"));
    sentences.push_back(what_to_do(hang));
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
            variants.push_back({{"ranks", variant.ranks}, {"called", variant.called}});
        json["mismatches"].push_back(
            {{"call", call_json(mismatch.call)}, {"what", mismatch.what}, {"variants", std::move(variants)}});
    }
    json["sentences"] = hang_sentences(hang);
    return json;
}

std::string hang_section(const Hang& hang) {
    const std::vector<std::string> sentences = hang_sentences(hang);
    std::string html = fmt::format("<p class=\"lead\">{}</p>\n<ul>", escaped_markup(sentences.front()));
    for (const std::string& sentence : std::span(sentences).subspan(1))
        html += fmt::format("<li>{}</li>\n", escaped_markup(sentence));
    html += "</ul>\n";
    constexpr std::size_t kRows = 256;
    HtmlTable table({"rank", "verdict", "last finished", "waits in", "waits for", "since", "#open calls"});
    for (const HangRank& rank : std::span(hang.ranks).first(std::min(kRows, hang.ranks.size())))
        table.cell(std::to_string(rank.rank))
            .cell(hang_verdict_word(rank.verdict), rank.verdict == HangVerdict::culprit ? "worse" : "")
            .cell(rank.last_completed ? hang_call_text(*rank.last_completed) : "-")
            .cell(rank.waits.empty() ? "-" : hang_call_text(rank.waits.front().call))
            .cell(rank.waits.empty() || rank.waits.front().ranks.empty() ? "-"
                                                                         : rank_list_text(rank.waits.front().ranks))
            .cell(rank.waits.empty() ? "-" : utc_text(rank.waits.front().since))
            .cell(std::to_string(rank.open_calls))
            .end_row();
    html += "<h3>Ranks</h3>\n" + table.html(hang.ranks.size() - std::min(kRows, hang.ranks.size()));
    if (hang.mismatches.empty())
        return html;
    HtmlTable mismatches({"call", "differs in", "called", "by"});
    for (const HangMismatch& mismatch : hang.mismatches)
        for (const HangVariant& variant : mismatch.variants)
            mismatches.cell(hang_call_text(mismatch.call))
                .cell(mismatch.what)
                .cell(variant.called)
                .cell(rank_list_text(variant.ranks))
                .end_row();
    return html + "<h3>Not the same on all ranks</h3>\n" + mismatches.html();
}

} // namespace rankscope
