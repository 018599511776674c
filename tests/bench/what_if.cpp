// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of --what-if held against the machine of tests/support/simulator, run with the change for real.
//   rankscope_bench_what_if [--cases N] [--seed S] [--kind WORD] [--ahead] [--list]
// Default: 12 runs of each kind of change from seed 1, whose hosts wait for the GPU in each step; --ahead: runs whose
// hosts do not; --kind: only kinds whose name contains WORD.
// The error is that of the predicted ratio of the step's time with the change to that without, per cent.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/statistics.h"
#include "core/input/load/load_run.h"
#include "core/run/run_analysis.h"
#include "tests/support/simulator/cases.h"

using namespace rankscope;
using namespace rankscope::machine;

namespace {

using ChangeProgram = std::function<void(const Job&, Program&)>;

/// A change: what the job must be like for it, what it is called, and what it does.
struct Kind {
    std::string name;
    std::function<bool(Job&)> prepare = {};      ///< false: this job is not one for it
    std::function<std::string(const Job&)> text; ///< of --what-if
    std::function<void(Job&)> job = {};          ///< one of these does it
    ChangeProgram program = {};
};

bool computes(const Program& program, const Instruction& each) {
    return each.kind == Instruction::Kind::launch && each.transfer < 0 &&
           program.kernels[static_cast<std::size_t>(each.kernel)].work == GpuWork::compute;
}

void for_computation(Program& program, const std::function<void(int rank, Instruction&)>& visit) {
    for (std::size_t r = 0; r < program.ranks.size(); ++r)
        for (Instruction& each : program.ranks[r])
            if (computes(program, each))
                visit(static_cast<int>(r), each);
}

ChangeProgram transfers_times(double factor, std::optional<Dimension> dimension = {}) {
    return [=](const Job&, Program& program) {
        for (Transfer& transfer : program.transfers)
            if (!dimension || program.groups[static_cast<std::size_t>(transfer.group)].dimension == *dimension)
                transfer.alone *= factor;
    };
}

ChangeProgram hosts_times(double factor) {
    return [=](const Job&, Program& program) {
        for (auto& rank : program.ranks)
            for (Instruction& each : rank) {
                each.gap *= factor;
                each.host *= factor;
            }
    };
}

/// A rank's computation in a step becomes the mean over ranks and steps; of one stage only, that of the mean stage.
void even_ranks(const Job&, Program& program) {
    std::map<std::pair<int, int>, double> work;
    for_computation(program, [&](int rank, Instruction& each) { work[{rank, each.step}] += each.duration; });
    double mean = 0;
    for (const auto& [place, time] : work)
        mean += time / static_cast<double>(work.size());
    for_computation(program, [&](int rank, Instruction& each) { each.duration *= mean / work[{rank, each.step}]; });
}

void even_stage(const Job& job, Program& program, int stage) {
    std::vector<double> work(static_cast<std::size_t>(job.pp));
    for_computation(program, [&](int rank, Instruction& each) {
        work[static_cast<std::size_t>(job.pipeline_rank(rank))] += each.duration;
    });
    double mean = 0;
    for (const double time : work)
        mean += time / job.pp;
    for_computation(program, [&](int rank, Instruction& each) {
        const int own = job.pipeline_rank(rank);
        if (stage < 0 || own == stage)
            each.duration *= mean / work[static_cast<std::size_t>(own)];
    });
}

/// The stream that computes waits for no other stream.
void free_computation(Program& program) {
    for (auto& rank : program.ranks) {
        std::map<int, int> stream_of; // by event
        for (const Instruction& each : rank)
            if (each.kind == Instruction::Kind::record)
                stream_of[each.event] = each.stream;
        for (Instruction& each : rank)
            if (each.kind == Instruction::Kind::wait && each.stream == 0 && stream_of[each.event] != 0)
                each.kind = Instruction::Kind::work;
    }
}

bool plain_pipeline(Job& job) {
    job.chunks = 1;
    job.schedule = PipelineSchedule::one_forward_one_backward;
    job.microbatches = 2 * job.pp;
    return job.pp > 1;
}

std::function<std::string(const Job&)> always(std::string text) {
    return [text = std::move(text)](const Job&) { return text; };
}

void use_schedule(Job& job, PipelineSchedule schedule) { job.schedule = schedule; }

std::vector<Kind> all_kinds() {
    std::vector<Kind> kinds;
    const auto slow_rank = [](Job& job) {
        job.faults = {{FaultKind::slow_gpu, {job.world() / 2}, 1.3}};
        return job.world() / job.pp > 1;
    };
    const auto heal = [](Job& job) { job.faults.clear(); };
    kinds.push_back({"straggler=median", slow_rank, always("straggler=median"), heal});
    kinds.push_back({"rank.N=peers", slow_rank,
                     [](const Job& job) { return fmt::format("rank.{}=peers", job.world() / 2); }, heal});
    const auto heavy_head = [](Job& job) {
        job.head *= 2.5;
        return plain_pipeline(job);
    };
    kinds.push_back({"stages=even",
                     heavy_head,
                     always("stages=even"),
                     {},
                     [](const Job& job, Program& program) { even_stage(job, program, -1); }});
    kinds.push_back({"stage.N=mean",
                     heavy_head,
                     [](const Job& job) { return fmt::format("stage.{}=mean", job.pp - 1); },
                     {},
                     [](const Job& job, Program& program) { even_stage(job, program, job.pp - 1); }});
    kinds.push_back({"operation.compute=ideal", slow_rank, always("operation.compute=ideal"), {}, even_ranks});
    const auto slow_network = [](Job& job) {
        job.near_gb_s /= 4;
        job.far_gb_s /= 2;
        return true;
    };
    const auto slow_group = [=](Job& job) {
        slow_network(job); // otherwise computation hides most of it
        const Dimension dimension = job.tp > 1 ? Dimension::tensor : Dimension::data;
        const std::vector<int> group = group_of(job, dimension, 0);
        if (group.size() < 2 || group.size() == static_cast<std::size_t>(job.world()))
            return false;
        job.faults = {{FaultKind::slow_group, group, 6}};
        job.faults.front().dimension = dimension;
        return true;
    };
    const auto name_of_slow_group = [](const Job& job) {
        for (const Group& group : groups_of(job))
            if (group.dimension == job.faults.front().dimension && group.ranks == job.faults.front().ranks)
                return fmt::format("link.{}=peers", group.name);
        return std::string();
    };
    kinds.push_back({"link.GROUP=peers", slow_group, name_of_slow_group, heal});
    kinds.push_back({"comm=0", slow_network, always("comm=0"), {}, transfers_times(0)});
    kinds.push_back({"comm=2x", slow_network, always("comm=2x"), {}, transfers_times(0.5)});
    kinds.push_back({"comm.tp=2x",
                     [=](Job& job) { return slow_network(job) && job.tp > 1; },
                     always("comm.tp=2x"),
                     {},
                     transfers_times(0.5, Dimension::tensor)});
    kinds.push_back({"overlap=perfect", slow_network, always("overlap=perfect"), {}, [](const Job&, Program& program) {
                         free_computation(program);
                     }});
    const auto slow_hosts = [](Job& job) {
        job.operator_time *= 30;
        job.python_gap *= 30;
        return true;
    };
    kinds.push_back({"host=2x", slow_hosts, always("host=2x"), {}, hosts_times(0.5)});
    kinds.push_back({"host=0", slow_hosts, always("host=0"), {}, hosts_times(0)});
    const ChangeProgram faster_gemms = [](const Job&, Program& program) {
        for_computation(program, [&](int, Instruction& each) {
            if (program.kernels[static_cast<std::size_t>(each.kernel)].name.find("gemm") != std::string::npos)
                each.duration /= 2;
        });
    };
    kinds.push_back({"kernel:gemm=2x", {}, always("kernel:gemm=2x"), {}, faster_gemms});
    kinds.push_back({"schedule=gpipe", plain_pipeline, always("schedule=gpipe"),
                     [](Job& job) { use_schedule(job, PipelineSchedule::gpipe); }});
    kinds.push_back({"schedule=1f1b",
                     [](Job& job) {
                         const bool fits = plain_pipeline(job);
                         job.schedule = PipelineSchedule::gpipe;
                         return fits;
                     },
                     always("schedule=1f1b"),
                     [](Job& job) { use_schedule(job, PipelineSchedule::one_forward_one_backward); }});
    kinds.push_back({"schedule=interleaved:2",
                     [](Job& job) {
                         job.layers = 4;
                         return plain_pipeline(job);
                     },
                     always("schedule=interleaved:2"),
                     [](Job& job) {
                         job.layers = 2;
                         job.chunks = 2;
                         job.schedule = PipelineSchedule::interleaved;
                     }});
    kinds.push_back({"schedule=zero_bubble", plain_pipeline, always("schedule=zero_bubble"),
                     [](Job& job) { use_schedule(job, PipelineSchedule::zero_bubble); }});
    kinds.push_back({"microbatches=n", plain_pipeline,
                     [](const Job& job) { return fmt::format("microbatches={}", 2 * job.microbatches); },
                     [](Job& job) { job.microbatches *= 2; }});
    kinds.push_back({"microbatches=n, interleaved",
                     [](Job& job) {
                         const bool fits = plain_pipeline(job);
                         job.chunks = 2;
                         job.schedule = PipelineSchedule::interleaved;
                         return fits;
                     },
                     [](const Job& job) { return fmt::format("microbatches={}", 2 * job.microbatches); },
                     [](Job& job) { job.microbatches *= 2; }});
    return kinds;
}

struct Outcome {
    double real = 0;      ///< step with the change, by that without
    double predicted = 0; ///< likewise
    [[nodiscard]] double error() const { return 100 * (predicted / real - 1); }
};

SimulatedJob simulate_changed(const Job& job, const ChangeProgram& change) {
    SimulatedJob made;
    made.program = program_of(job);
    if (change)
        change(job, made.program);
    made.execution = execute(made.program, job.traits);
    return made;
}

std::optional<Outcome> try_change(const Kind& kind, Job job, const std::string& name, bool list) {
    const SimulatedJob now = simulate(job);
    Job changed = job;
    if (kind.job)
        kind.job(changed);
    const SimulatedJob then = simulate_changed(changed, kind.program);
    if (!now.execution.error.empty() || !then.execution.error.empty()) {
        fmt::print(stderr, "{}: {}{}\n", name, now.execution.error, then.execution.error);
        return std::nullopt;
    }
    std::string folder = (std::filesystem::temp_directory_path() / "rankscope-what-if-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
        std::exit(4);
    Recording recording;
    recording.annotate_passes = true;
    write_traces(job, now.program, now.execution, recording, folder);
    const auto run = load_run(folder);
    std::filesystem::remove_all(folder);
    const auto change = parse_change(kind.text(job));
    if (!run || !change) {
        fmt::print(stderr, "{}: {}\n", name, run ? english(change.error().message) : english(run.error().message));
        std::exit(1);
    }
    const Change changes[] = {*change};
    const Prediction prediction = RunAnalysis(*run, {}).predict(changes).front();
    if (!prediction.unavailable.empty()) {
        fmt::print("{}: {} is not predicted: {}\n", name, kind.name, english(prediction.unavailable));
        return std::nullopt;
    }
    const Outcome outcome{mean_recorded_step(changed, then.execution) / mean_recorded_step(job, now.execution),
                          prediction.predicted / prediction.measured};
    if (list)
        fmt::print("{} {}: {:.3f} ms, x {:.4f}, predicted x {:.4f}: {:+.2f} %{}{}\n", name, kind.text(job),
                   mean_recorded_step(job, now.execution) / 1e6, outcome.real, outcome.predicted, outcome.error(),
                   prediction.notes.empty() ? "" : "; ", fmt::join(english(prediction.notes), "; "));
    return outcome;
}

} // namespace

int main(int argc, char** argv) {
    int cases = 12;
    std::uint64_t seed = 1;
    std::string only;
    bool list = false;
    bool ahead = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--list")
            list = true;
        else if (word == "--ahead")
            ahead = true;
        else if (i + 1 < argc && word == "--cases")
            cases = std::stoi(argv[++i]);
        else if (i + 1 < argc && word == "--seed")
            seed = std::stoull(argv[++i]);
        else if (i + 1 < argc && word == "--kind")
            only = argv[++i];
        else {
            fmt::print(stderr, "{} is unknown or needs a value; the first lines of tests/bench/what_if.cpp tell\n",
                       word);
            return 2;
        }
    }
    fmt::print("{:<30}{:>6}{:>16}{:>16}{:>16}\n", "change", "runs", "median change %", "median error %",
               "worst error %");
    for (const Kind& kind : all_kinds()) {
        if (kind.name.find(only) == std::string::npos)
            continue;
        std::vector<double> changes;
        std::vector<double> errors;
        for (std::uint64_t n = 0; n < 40U * static_cast<unsigned>(cases) && std::ssize(errors) < cases; ++n) {
            Job job = make_case(seed + n, true).job;
            if (ahead != (job.step_end == StepEnd::runs_ahead && !(job.global_norm && job.norm_item)))
                continue;
            if (kind.prepare && !kind.prepare(job))
                continue;
            const auto outcome = try_change(kind, job, fmt::format("h{}", seed + n), list);
            if (!outcome)
                continue;
            changes.push_back(100 * (outcome->real - 1));
            errors.push_back(std::abs(outcome->error()));
        }
        if (errors.empty())
            continue;
        const double worst = *std::ranges::max_element(errors);
        fmt::print("{:<30}{:>6}{:>16.1f}{:>16.2f}{:>16.2f}\n", kind.name, errors.size(), middle_median(changes),
                   middle_median(errors), worst);
        std::fflush(stdout);
    }
    return 0;
}
