// SPDX-License-Identifier: GPL-3.0-or-later
// Draws programs and faults.
#include "tests/support/simulator/cases.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/simulator/draw.h"

namespace rankscope::machine {
namespace {

enum class Shape { ddp, tensor, fsdp, experts, gpipe, one_f_one_b, interleaved, zero_bubble };

Job random_job(Draw& draw) {
    Job job;
    job.seed = draw.next();
    const auto shape = draw.of({Shape::ddp, Shape::tensor, Shape::fsdp, Shape::experts, Shape::gpipe,
                                Shape::one_f_one_b, Shape::one_f_one_b, Shape::interleaved, Shape::zero_bubble});
    job.layers = draw.between(2, 3);
    switch (shape) {
    case Shape::ddp:
        job.dp = draw.of({4, 8, 8, 12});
        job.microbatches = draw.between(1, 3);
        job.layers = draw.between(4, 8);
        break;
    case Shape::tensor:
        job.tp = draw.of({2, 4});
        job.dp = draw.of({2, 3, 4});
        job.microbatches = draw.between(2, 4);
        break;
    case Shape::fsdp:
        job.dp = draw.of({4, 8, 8});
        job.data = DataParallel::fsdp;
        job.microbatches = draw.between(1, 2);
        job.layers = draw.between(5, 10);
        break;
    case Shape::experts:
        job.dp = draw.of({4, 8});
        job.experts = true;
        job.microbatches = draw.between(1, 3);
        job.layers = draw.between(2, 4);
        break;
    default:
        job.pp = draw.of({2, 4, 4});
        job.dp = draw.of({1, 2, 2});
        job.tp = draw.of({1, 1, 2});
        if (job.world() < 4)
            job.dp = 2;
        job.schedule = shape == Shape::gpipe         ? PipelineSchedule::gpipe
                       : shape == Shape::one_f_one_b ? PipelineSchedule::one_forward_one_backward
                       : shape == Shape::interleaved ? PipelineSchedule::interleaved
                                                     : PipelineSchedule::zero_bubble;
        job.chunks = shape == Shape::interleaved ? 2 : 1;
        job.layers = job.chunks > 1 ? draw.between(1, 2) : draw.between(2, 3);
        job.microbatches = job.pp * draw.between(1, 2) + (shape == Shape::one_f_one_b ? draw.between(0, 2) : 0);
        job.pipeline_inside_data = draw.chance(0.4);
        job.eager_messages = draw.chance(0.3);
        job.receives_wait = draw.chance(0.6);
    }
    job.gpus_per_node = job.world() > 8 ? 4 : draw.of({4, 8, 8});
    job.overlap_tensor = job.tp > 1 && draw.chance(0.5);
    job.global_norm = draw.chance(0.6);
    job.norm_item = draw.chance(0.4);
    job.step_end = draw.of({StepEnd::item, StepEnd::item, StepEnd::device, StepEnd::runs_ahead});
    job.steps = draw.between(8, 12);
    job.first_number = draw.of({3, 4, 10, 100});

    job.gemm = draw.between(180e3, 420e3);
    job.attention = job.gemm * draw.between(0.4, 0.9);
    job.element_wise = draw.between(15e3, 40e3);
    job.embedding = draw.between(30e3, 90e3);
    const double layer = 2.6 * job.gemm + job.attention + job.element_wise;
    job.head = layer * draw.between(0.2, 0.9);
    job.update = draw.between(200e3, 900e3);
    job.hidden = draw.of({2048, 4096});
    job.gradients = static_cast<std::int64_t>(draw.between(4e6, 16e6)) / 64 * 64;
    job.far_gb_s = draw.between(35.0, 48.0);
    job.near_gb_s = draw.between(150.0, 300.0);

    job.operator_time = draw.between(6e3, 12e3);
    job.python_gap = draw.between(2e3, 6e3);
    job.load = draw.between(20e3, 80e3);
    job.step_python = draw.between(30e3, 100e3);

    job.kernel_noise = draw.between(0.005, 0.025);
    job.transfer_noise = draw.between(0.01, 0.04);
    job.host_noise = draw.between(0.1, 0.3);
    job.rank_noise = draw.between(0.0, 0.002);
    job.traits.sm_share = draw.chance(0.5) ? draw.between(0.01, 0.06) : 0;
    job.traits.shared_links = draw.chance(0.3);
    return job;
}

Recording random_recording(Draw& draw, const Job& job, bool healthy) {
    Recording recording;
    recording.words = draw.of({GroupWords::mesh, GroupWords::mesh, GroupWords::megatron, GroupWords::none});
    recording.sequence_numbers = draw.chance(0.6);
    recording.annotate_passes = job.pp > 1 && draw.chance(0.3);
    recording.card = draw.chance(0.5);
    if (draw.chance(0.5)) {
        const double drift = draw.of({0.0, 10.0, 100.0});
        for (int rank = 0; rank < job.world(); ++rank) {
            recording.clock_offsets.push_back(draw.between(-2e6, 2e6));
            recording.clock_drifts.push_back(draw.between(-drift, drift));
        }
    }
    if (healthy && draw.chance(0.15))
        for (int rank = 0; rank < job.world(); ++rank)
            if (rank > 0 && draw.chance(0.4))
                recording.untraced.insert(rank);
    return recording;
}

/// A group of that dimension, drawn; empty where there is none.
std::vector<int> random_group(Draw& draw, const Job& job, Dimension dimension) {
    return group_of(job, dimension, draw.between(0, job.world() - 1));
}

int size_of(const Job& job, Dimension dimension) {
    switch (dimension) {
    case Dimension::pipeline: return job.pp;
    case Dimension::data: return job.dp;
    case Dimension::tensor: return job.tp;
    case Dimension::expert: return job.experts ? job.dp : 1;
    case Dimension::world: break;
    }
    return job.world();
}

struct DrawnKind {
    FaultKind kind = FaultKind::slow_gpu;
    bool pair = false; ///< two ranks have it
};

constexpr DrawnKind kDrawn[] = {
    {FaultKind::slow_gpu},           {FaultKind::slow_gpu},        {FaultKind::slow_gpu, true},
    {FaultKind::slow_kernel},        {FaultKind::slow_link},       {FaultKind::slow_link},
    {FaultKind::slow_card},          {FaultKind::slow_group},      {FaultKind::slow_dimension},
    {FaultKind::stall_before_load},  {FaultKind::stall_in_load},   {FaultKind::late_data},
    {FaultKind::garbage_collection}, {FaultKind::synchronisation}, {FaultKind::slow_host},
    {FaultKind::host_bound},         {FaultKind::allocation},      {FaultKind::uneven_stages},
    {FaultKind::uneven_experts}};

bool is_of_connections(FaultKind kind) {
    return kind == FaultKind::slow_link || kind == FaultKind::slow_card || kind == FaultKind::slow_group ||
           kind == FaultKind::slow_dimension;
}

bool crosses_nodes(const Job& job, const std::vector<int>& ranks) {
    return std::ranges::any_of(
        ranks, [&](int rank) { return job.node(rank) != job.node(ranks.front()); });
}

/// A connection that is slow in all steps can be told where other groups make the same calls, or where all its calls
/// leave the machine and the network is known to carry what its cards do: else nobody knows what is usual, and the
/// fault is one of some steps.
void make_tellable(Draw& draw, Dimension dimension, Job& job, Fault& fault) {
    if (fault.first > 0 || fault.every > 1)
        return;
    const bool card = fault.kind == FaultKind::slow_card;
    const int groups = card ? job.pp * job.tp : job.world() / size_of(job, dimension);
    const bool others =
        fault.kind != FaultKind::slow_dimension && (groups > 1 || (dimension == Dimension::pipeline && job.pp > 2));
    if (others)
        return;
    bool leaves = true;
    for (int rank = 0; rank < job.world(); ++rank)
        leaves = leaves && crosses_nodes(job, group_of(job, card ? Dimension::data : dimension, rank));
    if (leaves && !job.experts) {
        job.far_gb_s = draw.between(48.0, 50.0);
        fault.factor = std::max(fault.factor, 2.5);
    } else {
        fault.first = draw.between(3, job.steps - 3);
    }
}

/// False: this job cannot have it.
bool draw_fault(Draw& draw, const DrawnKind& drawn, Job& job, Fault& fault) {
    fault.kind = drawn.kind;
    const int rank = draw.between(0, job.world() - 1);
    fault.ranks = {rank};
    const auto dimension = draw.of({Dimension::pipeline, Dimension::data, Dimension::tensor, Dimension::expert});
    const int size = size_of(job, dimension);
    switch (fault.kind) {
    case FaultKind::slow_gpu:
        fault.factor = draw.between(1.08, 1.6);
        if (drawn.pair) {
            const int other = draw.between(0, job.world() - 2);
            fault.ranks.push_back(other >= rank ? other + 1 : other);
            std::ranges::sort(fault.ranks);
        }
        break;
    case FaultKind::slow_kernel:
        fault.factor = draw.between(1.3, 2.5);
        {
            const std::vector<std::string> names = layer_kernels();
            fault.kernel = names[static_cast<std::size_t>(draw.between(0, static_cast<int>(names.size()) - 1))];
        }
        break;
    case FaultKind::slow_link: {
        if (size < 2)
            return false;
        const std::vector<int> group = random_group(draw, job, dimension);
        const auto place = static_cast<std::size_t>(draw.between(0, size - 1));
        fault.ranks = {group[place], group[(place + 1) % group.size()]};
        std::ranges::sort(fault.ranks);
        fault.factor = draw.between(1.8, 8.0);
        break;
    }
    case FaultKind::slow_card:
        if (job.world() <= job.gpus_per_node)
            return false;
        fault.factor = draw.between(1.8, 8.0);
        break;
    case FaultKind::slow_group:
        if (size < 2 || job.world() / size < 2)
            return false;
        fault.dimension = dimension;
        fault.ranks = random_group(draw, job, dimension);
        fault.factor = draw.between(1.8, 6.0);
        break;
    case FaultKind::slow_dimension:
        if (size < 2)
            return false;
        fault.dimension = dimension;
        fault.ranks.clear();
        fault.factor = draw.between(2.5, 6.0);
        break;
    case FaultKind::stall_before_load:
    case FaultKind::stall_in_load:
    case FaultKind::garbage_collection: fault.time = draw.between(1e6, 12e6); break;
    case FaultKind::late_data:
        fault.ranks.clear();
        fault.time = draw.between(1e6, 8e6);
        break;
    case FaultKind::synchronisation: // costs where the host is hardly fast enough
        job.operator_time *= draw.between(1.5, 3.0);
        job.python_gap *= draw.between(1.5, 3.0);
        break;
    case FaultKind::slow_host: fault.factor = draw.between(6.0, 25.0); break;
    case FaultKind::host_bound:
        fault.ranks.clear();
        fault.factor = draw.between(8.0, 25.0);
        break;
    case FaultKind::allocation: fault.time = draw.between(0.3e6, 2e6); break;
    case FaultKind::uneven_stages:
        if (job.pp < 2)
            return false;
        fault.ranks.clear();
        job.head *= draw.between(2.0, 3.0);
        return true;
    case FaultKind::uneven_experts:
        if (!job.experts)
            return false;
        fault.factor = draw.between(1.3, 3.0);
        break;
    }
    const bool constant = fault.kind == FaultKind::slow_kernel || fault.kind == FaultKind::host_bound ||
                          fault.kind == FaultKind::slow_dimension;
    if (!constant && draw.chance(0.3)) {
        fault.first = draw.between(2, job.steps - 3);
        if (draw.chance(0.4))
            fault.last = std::min(job.steps - 1, fault.first + draw.between(2, 4));
    } else if (!constant && draw.chance(0.15)) {
        fault.every = draw.between(2, 3);
    }
    if (is_of_connections(fault.kind))
        make_tellable(draw, dimension, job, fault);
    return true;
}

} // namespace

std::string Case::description() const {
    std::string text = fmt::format(
        "{} {}pp {}{} dp {} tp {} {} mb {} layers {} steps {}{}{}{}{}{}", name, job.experts ? "experts " : "", job.pp,
        job.pipeline_inside_data ? " inside" : "", job.dp, job.tp,
        job.pp > 1                       ? schedule_word(job.schedule)
        : job.data == DataParallel::fsdp ? "fsdp"
                                         : "ddp",
        job.microbatches, job.layers, job.steps, job.global_norm ? " norm" : "", job.eager_messages ? " eager" : "",
        job.step_end == StepEnd::runs_ahead ? " runs ahead" : "", recording.untraced.empty() ? "" : " some not traced",
        job.world() > job.gpus_per_node ? " nodes" : "");
    for (const FaultTruth& fault : truth.faults)
        text += fmt::format(", {} of {} in {} steps from {}: {:.3f} ms of {:.3f} ({:.1f} %)", fault_word(fault.kind),
                            fault.ranks.empty() ? "all" : fmt::format("{}", fmt::join(fault.ranks, " ")), fault.steps,
                            fault.first_step, fault.cost / 1e6, truth.step / 1e6, 100 * fault.share);
    return text;
}

std::vector<std::string> Case::habits() const {
    std::vector<std::string> words;
    const auto add = [&](bool has, std::string word) {
        if (has)
            words.push_back(std::move(word));
    };
    add(true, job.pp > 1                       ? std::string(schedule_word(job.schedule))
              : job.experts                    ? "experts"
              : job.data == DataParallel::fsdp ? "fsdp"
              : job.tp > 1                     ? "tensor"
                                               : "ddp");
    add(job.pp > 1 && job.pipeline_inside_data, "pipeline inside data");
    add(job.pp > 1 && job.eager_messages, "eager messages");
    add(job.microbatch_noise > 0, "unequal microbatches");
    add(job.pp > 1 && job.receives_wait, "late receives");
    add(job.world() > job.gpus_per_node, "several nodes");
    add(job.global_norm, "global norm");
    add(job.overlap_tensor, "overlapped tensor sums");
    add(job.step_end == StepEnd::runs_ahead && !(job.global_norm && job.norm_item), "host runs ahead");
    add(job.traits.sm_share > 0, "slower beside communication");
    add(job.traits.shared_links, "shared links");
    add(!recording.card, "no workload card");
    add(recording.words != GroupWords::mesh, "groups without mesh words");
    add(!recording.clock_offsets.empty(), "clocks differ");
    add(!recording.clock_drifts.empty() && std::ranges::max(recording.clock_drifts) > 20, "clocks drift");
    add(!recording.untraced.empty(), "ranks not traced");
    for (const FaultTruth& fault : truth.faults)
        add(fault.steps < job.steps, "fault in some steps");
    return words;
}

Case make_case(std::uint64_t seed, bool healthy, Microbatches microbatches) {
    Case made;
    made.name = fmt::format("{}{}", healthy ? "h" : "f", seed);
    const DrawnKind drawn = kDrawn[Draw{seed, 3}.between(0, static_cast<int>(std::size(kDrawn)) - 1)];
    constexpr std::uint64_t kMostDraws = 400;
    for (std::uint64_t attempt = 0; attempt < kMostDraws; ++attempt) {
        Draw draw{seed, healthy ? 1U : 2U, attempt};
        made.job = random_job(draw);
        Draw unequal{seed, 9};
        if (made.job.pp > 1 && unequal.chance(0.25) && microbatches == Microbatches::drawn)
            made.job.microbatch_noise = unequal.between(0.05, 0.25);
        Fault fault;
        if (!healthy) {
            if (!draw_fault(draw, drawn, made.job, fault))
                continue;
            made.job.faults = {fault};
        }
        made.recording = random_recording(draw, made.job, healthy);
        made.simulated = simulate(made.job);
        made.error = made.simulated.execution.error;
        if (!made.error.empty())
            return made;
        made.truth = truth_of(made.job, made.simulated.execution);
        if (healthy || made.truth.faults.front().share >= kLeastShare)
            return made;
    }
    made.error = fmt::format("no {} that costs enough in {} draws", fault_word(drawn.kind), kMostDraws);
    return made;
}

} // namespace rankscope::machine
