// SPDX-License-Identifier: GPL-3.0-or-later
// The scoreboard of the findings: random runs of the simulator in tests/support/simulator, faulty and healthy, are read
// and analysed as `rankscope --batch RUN --json` does, and what it says is held against what is true.
//   rankscope_bench_findings [--cases N] [--healthy M] [--seed S] [--kind WORD] [--only HABIT] [--without HABIT]
//                            [--list] [--write DIR] [--json] [--foreign DIR]
// Defaults: 500 faulty and 500 healthy runs from seed 1.
// --kind: only faults, or healthy programs, whose name contains WORD.
// --only, --without: only runs that have, or have not, a habit of the last table ("host runs ahead").
// --list: a line for each run, and what was said of those that are wrong.
// --write: the traces stay in DIR/NAME, the truth in DIR/NAME.truth.json.
// --foreign: runs of another simulator; ../shared/traces/faults where it is there.
//
// A fault is told when the first finding marked as a fault has its cause and its ranks (an inherent cost: when any
// finding has) and a cost within 5 % of the true cost, relative to that cost. True is the difference of the mean step
// time over all recorded steps, with the fault and without; of a fault in some steps the mean over those is right as
// well. The column "0.5 % step" also counts costs that are off by less than that of a step. Faults cost 2 % of a step
// or more. Of faults in some steps ("partly") "onset" counts those whose finding says in which step they started.
// Blame: of each call most of whose waiting the fault causes (60 %, found by executing the job without it) the origin
// that is told must be a rank with the fault; of slow connections a rank that uses it. "depth": how many calls the
// delay went through. A healthy run is accused when a finding marked as a fault costs 1 % of a step or more.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/input/load/load_run.h"
#include "core/report/json_report.h"
#include "core/run/run_analysis.h"
#include "tests/support/simulator/cases.h"
#include "tests/support/simulator/chains.h"
#include "tests/support/simulator/judge.h"
#include "tests/support/simulator_transfers.h"

using namespace rankscope;
using namespace rankscope::machine;

namespace {

struct Arguments {
    int cases = 500;
    int healthy = 500;
    std::uint64_t seed = 1;
    bool list = false;
    bool json = false;
    std::string kind;
    std::string only;
    std::string without;
    std::string write;
    std::string foreign = "../shared/traces/faults";
};

Arguments read_arguments(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::string value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--list")
            arguments.list = true;
        else if (word == "--json")
            arguments.json = true;
        else if (value.empty()) {
            fmt::print(stderr, "{} is unknown or needs a value; the first lines of tests/bench/findings.cpp tell\n",
                       word);
            std::exit(2);
        } else {
            ++i;
            if (word == "--cases")
                arguments.cases = std::stoi(value);
            else if (word == "--healthy")
                arguments.healthy = std::stoi(value);
            else if (word == "--seed")
                arguments.seed = std::stoull(value);
            else if (word == "--kind")
                arguments.kind = value;
            else if (word == "--only")
                arguments.only = value;
            else if (word == "--without")
                arguments.without = value;
            else if (word == "--write")
                arguments.write = value;
            else if (word == "--foreign")
                arguments.foreign = value;
            else {
                fmt::print(stderr, "unknown option {}\n", word);
                std::exit(2);
            }
        }
    }
    return arguments;
}

struct SaidOfRun {
    Said said;
    std::shared_ptr<const RunAnalysis> analysis;
};

/// What `rankscope --batch folder --json` says, with the one metric that names a rank.
SaidOfRun said_of(const std::filesystem::path& folder) {
    const auto run = load_run(folder);
    if (!run) {
        fmt::print(stderr, "{}: {}\n", folder.string(), english(run.error().message));
        std::exit(1);
    }
    AnalysedRun analysed;
    analysed.notices = (*run)->notices;
    const auto analysis = std::make_shared<const RunAnalysis>(*run, Selection());
    analysed.analysis = analysis;
    const std::vector<std::string> ids{"straggler_lag"};
    analysed.metrics = compute_metrics(*analysed.analysis, ids);
    std::vector<AnalysedRun> runs{analysed};
    relate_runs(runs);
    return {read_said(metrics_json(runs, {})), analysis};
}

/// What starts the waits that a fault causes; empty: not judged.
std::vector<WaitCause> right_causes(FaultKind kind) {
    switch (kind) {
    case FaultKind::slow_gpu:
    case FaultKind::slow_kernel: return {WaitCause::computation};
    case FaultKind::slow_link:
    case FaultKind::slow_card:
    case FaultKind::slow_group: return {WaitCause::transfer};
    case FaultKind::stall_before_load: return {WaitCause::host};
    case FaultKind::stall_in_load: return {WaitCause::data_loading};
    case FaultKind::garbage_collection: return {WaitCause::garbage_collection};
    case FaultKind::synchronisation: return {WaitCause::host, WaitCause::synchronisation, WaitCause::launch};
    case FaultKind::slow_host: return {WaitCause::host, WaitCause::launch};
    case FaultKind::allocation: return {WaitCause::allocation, WaitCause::synchronisation};
    case FaultKind::uneven_experts: return {WaitCause::computation, WaitCause::transfer};
    default: return {}; // of all ranks
    }
}

/// Chains of waits that a fault causes, and what is said of where they started.
struct ChainRow {
    int chains = 0;
    int not_joined = 0; ///< the call is not in the graph: nothing is said
    int rank = 0;       ///< of the others: the origin is a rank with the fault
    int cause = 0;      ///< and the cause is right
    double added = 0;   ///< ns
    double right = 0;   ///< of it, in chains with the right rank
    int others = 0;     ///< waits of which the fault causes hardly anything
    int accused = 0;    ///< of these: said to be its

    void add(const ChainRow& other) {
        chains += other.chains;
        not_joined += other.not_joined;
        rank += other.rank;
        cause += other.cause;
        added += other.added;
        right += other.right;
        others += other.others;
        accused += other.accused;
    }
};

/// key: depth; of the rows by fault 0.
void judge_chains(const Case& made, const RunAnalysis& analysis, bool list, std::map<int, ChainRow>& by_depth,
                  ChainRow& of_kind) {
    const FaultTruth& fault = made.truth.faults.front();
    const std::vector<WaitCause> causes = right_causes(fault.kind);
    if (causes.empty() || fault.ranks.empty())
        return;
    const Run& run = analysis.run();
    const Waiting& waiting = analysis.waiting();
    const JoinedTransfers joined = joined_transfers(analysis);
    const bool of_connection = causes.front() == WaitCause::transfer;
    const std::vector<int>& right = of_connection && !fault.concerned.empty() ? fault.concerned : fault.ranks;
    const auto rank_of = [&](const WaitOrigin& origin) {
        return origin.rank == kNoNode ? -1 : run.ranks[origin.rank]->rank;
    };
    const auto is_right = [&](int rank) { return std::ranges::find(right, rank) != right.end(); };
    const auto is_cause = [&](WaitCause cause) { return std::ranges::find(causes, cause) != causes.end(); };
    const FaultWaits waits = fault_waits(made.job, fault, made.simulated);
    for (const WaitChain& wait : waits.of_others)
        if (const auto at = joined_transfer(made, joined, wait)) {
            const WaitOrigin& origin = waiting.origins[*at];
            ++of_kind.others;
            of_kind.accused += is_right(rank_of(origin)) && is_cause(origin.cause);
        }
    for (const WaitChain& chain : waits.of_fault) {
        const auto at = joined_transfer(made, joined, chain);
        for (ChainRow* row : {&by_depth[std::min(chain.depth, 4)], &of_kind}) {
            ++row->chains;
            if (!at) {
                ++row->not_joined;
                continue;
            }
            row->added += chain.added;
            const WaitOrigin& origin = waiting.origins[*at];
            const int rank = rank_of(origin);
            const bool found = is_right(rank);
            const bool why = found && is_cause(origin.cause);
            row->rank += found;
            row->cause += why;
            row->right += found ? chain.added : 0;
            if (list && row == &of_kind && !why) {
                const auto start = recorded_start(made.simulated, made.recording, chain.transfer, chain.last);
                std::vector<int> through;
                for (const std::uint32_t each : waiting.victims(analysis.step_graph(), *at))
                    through.push_back(run.ranks[each]->rank);
                fmt::print("      chain {} of {} at {:.3f} ms: rank {} last, waited {:.3f} ms, {:.3f} of it for {}; "
                           "said: rank {} {}, through [{}]\n",
                           chain.depth, made.name, static_cast<double>(start + kBaseTime - run.span.begin) / 1e6,
                           chain.last, chain.waited / 1e6, chain.added / 1e6, fmt::join(fault.ranks, " "), rank,
                           wait_cause_word(origin.cause), fmt::join(through, " "));
            }
        }
    }
}

void print_chains(const std::string& name, const ChainRow& row) {
    const int judged = row.chains - row.not_joined;
    fmt::print("{:<22}{:>8}{:>12}{:>12}{:>9.1f}{:>12}{:>12.1f}\n", name, row.chains, row.not_joined, row.rank,
               judged > 0 ? 100.0 * row.rank / judged : 0, row.cause, row.added > 0 ? 100 * row.right / row.added : 0);
}

/// Waits by where they started: those that the fault mostly causes.
void print_all_chains(const std::map<int, ChainRow>& by_depth, const std::map<std::string, ChainRow>& by_kind) {
    fmt::print("\n{:<22}{:>8}{:>12}{:>12}{:>9}{:>12}{:>12}\n", "waits for a fault", "calls", "not joined", "right rank",
               "%", "and cause", "% of time");
    ChainRow sum;
    for (const auto& [kind, row] : by_kind) {
        if (row.chains > 0)
            print_chains(kind, row);
        sum.add(row);
    }
    print_chains("all", sum);
    for (const auto& [depth, row] : by_depth)
        print_chains(fmt::format("{}{} calls deep", depth, depth == 4 ? " or more" : ""), row);
    fmt::print("waits that are there without the fault: {}; said to be its: {}\n", sum.others, sum.accused);
}

struct Row {
    int runs = 0;
    int found = 0;
    int first = 0;
    int headline = 0;
    int within[3] = {0, 0, 0}; ///< first, with a cost within 5, 10, 20 %
    int near = 0;              ///< within 5 % of the cost, or 0.5 % of the step
    int partly = 0;            ///< faults in some steps
    int onset = 0;             ///< of these, told since when
    int late = 0;
    int accused = 0; ///< somebody else as well
    int not_judged = 0;
};

struct Missed {
    std::string name;
    double share = 0; ///< of a step, by which what is said is wrong
};

/// By how much the cost is wrong, or how much somebody is accused of.
double missed_share(const Truth& truth, const Verdict& verdict) {
    double share = 0;
    if (!truth.faults.empty())
        share = truth.faults.front().share * (verdict.first ? std::min(verdict.error, 1.0) : 1);
    for (const SaidFinding* accusation : verdict.accusations)
        share = std::max(share, accusation->share);
    return share;
}

class Scoreboard {
public:
    explicit Scoreboard(bool list) : list_(list) {}

    void add(const std::string& name, const std::string& kind, const Truth& truth, const Said& said,
             const std::string& description, const std::vector<std::string>& habits) {
        const Verdict verdict = judge(truth, said);
        const bool faulty = !truth.faults.empty();
        Row& row = (faulty ? faulty_ : healthy_)[kind];
        ++row.runs;
        row.found += verdict.found;
        row.first += verdict.first;
        row.headline += verdict.headline;
        for (int i = 0; i < 3; ++i)
            row.within[i] += verdict.first && verdict.error <= kWithin[i];
        row.near +=
            verdict.first && (verdict.error <= kWithin[0] || verdict.error * truth.faults.front().share <= kNearShare);
        if (faulty && truth.faults.front().steps < static_cast<int>(truth.steps.size())) {
            ++row.partly;
            row.onset += verdict.onset;
        }
        row.late += verdict.wrong_late_rank;
        row.accused += !verdict.accusations.empty();
        row.not_judged += faulty && !verdict.found && !said.links_judged;
        const bool right = faulty ? verdict.first && verdict.error <= kWithin[0] : verdict.accusations.empty();
        for (const std::string& habit : habits) {
            auto& [runs, rights] = (faulty ? faulty_habits_ : healthy_habits_)[habit];
            ++runs;
            rights += right;
        }
        if (!right || verdict.wrong_late_rank)
            missed_.push_back({name, missed_share(truth, verdict)});
        if (!list_)
            return;
        fmt::print("{} {}{}\n", right ? "right" : "WRONG", description,
                   verdict.wrong_late_rank ? fmt::format(", WRONG late rank {}", *said.late_rank) : "");
        if (right && !verdict.wrong_late_rank)
            return;
        if (verdict.found)
            fmt::print("      found{}, cost {:.3f} ms, {:.1f} % off\n", verdict.first ? " first" : ", not first",
                       verdict.finding->cost / 1e6, 100 * verdict.error);
        for (std::size_t i = 0; i < std::min<std::size_t>(said.findings.size(), 5); ++i) {
            const SaidFinding& each = said.findings[i];
            fmt::print("      {} {}{}{} of [{}] {:.3f} ms ({:.1f} %)\n", each.fault ? "fault   " : "inherent",
                       each.code, each.cause.empty() ? "" : ": ", each.cause, fmt::join(each.ranks, " "),
                       each.cost / 1e6, 100 * each.share);
        }
    }

    void print() const {
        fmt::print("\n{:<22}{:>6}{:>7}{:>7}{:>10}{:>7}{:>7}{:>7}{:>12}{:>8}{:>7}{:>12}{:>13}{:>12}\n", "fault", "runs",
                   "found", "first", "headline", "5 %", "10 %", "20 %", "0.5 % step", "partly", "onset", "wrong late",
                   "also others", "not judged");
        Row sum;
        for (const auto& [kind, row] : faulty_) {
            print_row(kind, row);
            add_to(sum, row);
        }
        print_row("all", sum);
        fmt::print("\n{:<22}{:>6}{:>10}{:>12}\n", "healthy", "runs", "accused", "wrong late");
        Row well;
        for (const auto& [kind, row] : healthy_) {
            fmt::print("{:<22}{:>6}{:>10}{:>12}\n", kind, row.runs, row.accused, row.late);
            add_to(well, row);
        }
        fmt::print("{:<22}{:>6}{:>10}{:>12}\n", "all", well.runs, well.accused, well.late);
        fmt::print("\n{:<30}{:>12}{:>8}{:>12}{:>16}\n", "right where", "of faulty", "right", "of healthy",
                   "not accused");
        std::map<std::string, std::pair<int, int>> habits = faulty_habits_;
        habits.insert(healthy_habits_.begin(), healthy_habits_.end());
        const auto of = [](const auto& counts, const std::string& habit) {
            const auto found = counts.find(habit);
            return found == counts.end() ? std::pair{0, 0} : found->second;
        };
        for (const auto& [habit, unused] : habits)
            fmt::print("{:<30}{:>12}{:>8}{:>12}{:>16}\n", habit, of(faulty_habits_, habit).first,
                       of(faulty_habits_, habit).second, of(healthy_habits_, habit).first,
                       of(healthy_habits_, habit).second);
        fmt::print("\nwrong, the worst first: {}\n", fmt::join(missed_names(), " "));
        fmt::print("{} of {} faults named first with the right rank and a cost within 5 %; {} of {} healthy runs "
                   "accused; {} wrong late ranks\n",
                   sum.within[0], sum.runs, well.accused, well.runs, sum.late + well.late);
    }

    [[nodiscard]] nlohmann::ordered_json json() const {
        nlohmann::ordered_json out;
        for (const auto& [kind, row] : faulty_)
            out["faulty"][kind] = {{"runs", row.runs},
                                   {"found", row.found},
                                   {"first", row.first},
                                   {"headline", row.headline},
                                   {"within_5", row.within[0]},
                                   {"within_10", row.within[1]},
                                   {"within_20", row.within[2]},
                                   {"within_5_or_half_a_percent_of_step", row.near},
                                   {"in_some_steps", row.partly},
                                   {"onset_told", row.onset},
                                   {"wrong_late_rank", row.late},
                                   {"accused", row.accused},
                                   {"not_judged", row.not_judged}};
        for (const auto& [kind, row] : healthy_)
            out["healthy"][kind] = {{"runs", row.runs}, {"accused", row.accused}, {"wrong_late_rank", row.late}};
        out["wrong"] = missed_names();
        return out;
    }

private:
    static constexpr double kWithin[3] = {0.05, 0.10, 0.20};
    static constexpr double kNearShare = 0.005;

    [[nodiscard]] std::vector<std::string> missed_names() const {
        std::vector<Missed> sorted = missed_;
        std::ranges::stable_sort(sorted, std::greater<>(), &Missed::share);
        std::vector<std::string> names;
        for (const Missed& each : sorted)
            names.push_back(each.name);
        return names;
    }
    static void add_to(Row& sum, const Row& row) {
        sum.runs += row.runs;
        sum.found += row.found;
        sum.first += row.first;
        sum.headline += row.headline;
        for (int i = 0; i < 3; ++i)
            sum.within[i] += row.within[i];
        sum.near += row.near;
        sum.partly += row.partly;
        sum.onset += row.onset;
        sum.late += row.late;
        sum.accused += row.accused;
        sum.not_judged += row.not_judged;
    }
    static void print_row(const std::string& kind, const Row& row) {
        fmt::print("{:<22}{:>6}{:>7}{:>7}{:>10}{:>7}{:>7}{:>7}{:>12}{:>8}{:>7}{:>12}{:>13}{:>12}\n", kind, row.runs,
                   row.found, row.first, row.headline, row.within[0], row.within[1], row.within[2], row.near,
                   row.partly, row.onset, row.late, row.accused, row.not_judged);
    }

    bool list_;
    std::map<std::string, Row> faulty_;
    std::map<std::string, Row> healthy_;
    std::map<std::string, std::pair<int, int>> faulty_habits_; ///< runs, and those that are right
    std::map<std::string, std::pair<int, int>> healthy_habits_;
    std::vector<Missed> missed_;
};

std::string kind_of(const Case& made) {
    if (!made.truth.faults.empty()) {
        const FaultTruth& fault = made.truth.faults.front();
        std::string word(fault_word(fault.kind));
        return fault.kind == FaultKind::slow_gpu && fault.ranks.size() > 1 ? "slow_gpu of two" : word;
    }
    return made.habits().front();
}

class Folder {
public:
    explicit Folder(const std::string& keep) : kept_(!keep.empty()) {
        if (kept_) {
            path_ = keep;
            return;
        }
        std::string name = (std::filesystem::temp_directory_path() / "rankscope-findings-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            std::exit(4);
        path_ = name;
    }
    ~Folder() {
        if (!kept_)
            std::filesystem::remove_all(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    bool kept_;
    std::filesystem::path path_;
};

std::string whole_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void judge_foreign(const std::string& folder, Scoreboard& board) {
    std::vector<std::filesystem::path> truths;
    if (std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().string().ends_with(".truth.json"))
                truths.push_back(entry.path());
    std::ranges::sort(truths);
    for (const auto& path : truths) {
        const std::string name = path.filename().string().substr(0, path.filename().string().find(".truth.json"));
        try {
            board.add(name, "foreign", read_foreign_truth(whole_text(path)), said_of(path.parent_path() / name).said,
                      name, {});
        } catch (const std::runtime_error& error) {
            fmt::print(stderr, "{} is left out: {}\n", name, error.what());
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    const Arguments arguments = read_arguments(argc, argv);
    Scoreboard board(arguments.list);
    std::map<int, ChainRow> chains_by_depth;
    std::map<std::string, ChainRow> chains_by_kind;
    for (int i = 0; i < arguments.cases + arguments.healthy; ++i) {
        const bool healthy = i >= arguments.cases;
        const Case made =
            make_case(arguments.seed + static_cast<std::uint64_t>(healthy ? i - arguments.cases : i), healthy);
        if (!made.error.empty()) {
            fmt::print(stderr, "{}: {}\n", made.description(), made.error);
            return 1;
        }
        const std::vector<std::string> habits = made.habits();
        const auto has = [&](const std::string& habit) { return std::ranges::find(habits, habit) != habits.end(); };
        if (kind_of(made).find(arguments.kind) == std::string::npos ||
            (!arguments.only.empty() && !has(arguments.only)) || has(arguments.without))
            continue;
        const Folder folder(arguments.write.empty() ? "" : arguments.write + "/" + made.name);
        std::filesystem::create_directories(folder.path());
        write_traces(made.job, made.simulated.program, made.simulated.execution, made.recording, folder.path());
        if (!arguments.write.empty())
            std::ofstream(folder.path().string() + ".truth.json") << truth_json(made.name, made.job, made.truth);
        const SaidOfRun told = said_of(folder.path());
        board.add(made.name, kind_of(made), made.truth, told.said, made.description(), habits);
        if (!healthy) {
            ChainRow row;
            judge_chains(made, *told.analysis, arguments.list, chains_by_depth, row);
            chains_by_kind[kind_of(made)].add(row);
        }
        std::fflush(stdout);
    }
    if (arguments.kind.empty() && arguments.only.empty() && arguments.without.empty())
        judge_foreign(arguments.foreign, board);
    if (arguments.json)
        fmt::print("{}\n", board.json().dump(1));
    else {
        board.print();
        print_all_chains(chains_by_depth, chains_by_kind);
    }
    return 0;
}
