#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulates small training jobs, healthy or with faults, and writes their Kineto traces beside the true cost of every fault.

It shares no code with Rankscope or with tests/support/simulator. Every rank has a program of host actions and launches;
executing the programs of all ranks together gives the times. The true cost of a fault is the step time with it less the step time
without it, with the same draws. scoreboard.py uses this file. To write one run of a kind by hand:

    tests/independent/generator.py KIND FOLDER [SEED [INDEX]]
"""
import json
import os
import random
import sys
from collections import defaultdict, deque
from dataclasses import dataclass, field, replace
from typing import Callable

FIRST_STEP = 4  # the number of the first recorded step: profilers skip a few
FIRST_TIME_US = 1700000000000.0
GRADIENT_BUCKETS = 3
# Times of work in µs, for one layer and microbatch.
GEMM, ATTENTION, ELEMENTWISE, EXPERT, OPTIMIZER = 400, 250, 40, 600, 300
TENSOR_REDUCE, GRADIENT_REDUCE, EXPERT_EXCHANGE, NORM_REDUCE, MESSAGE = 60, 800, 150, 200, 80
COMPUTE_STREAM, TENSOR_STREAM, EXPERT_STREAM, DATA_STREAM, SCATTER_STREAM, WORLD_STREAM = 7, 16, 18, 20, 22, 32
# Messages of activations (forward) and of gradients (backward) have streams of their own.
MESSAGE_STREAMS = {("recv", "F"): 24, ("recv", "B"): 25, ("send", "F"): 28, ("send", "B"): 29}
ELEMENTS = {"tp": 1048576, "pp": 1048576, "dp": 16777216, "ep": 2097152, "world": 1}
SHARD_ELEMENTS = 4194304
SYNCHRONIZE = "cudaDeviceSynchronize"
DATA_LOADING = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
# Name and category of the event of a garbage collection, by how it is recorded.
GARBAGE_COLLECTION = {"no": ("", ""), "annotation": ("gc.collect", "user_annotation"),
                      "python": ("<built-in method collect of module object>", "python_function")}
GPU = {"name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85029158912, "computeMajor": 9, "computeMinor": 0, "numSms": 132}
NCCL_KERNELS = {"allreduce": "AllReduce_Sum_bf16_RING_LL", "_allgather_base": "AllGather_RING_LL",
                "_reduce_scatter_base": "ReduceScatter_Sum_bf16_RING_LL",
                "all_to_allv": "SendRecv", "send": "SendRecv", "recv": "SendRecv"}
MATRIX_KERNELS = ("gemm", "weight_gemm", "head", "expert")
# Kernel names of two generations of libraries.
KERNELS = {
    "A": {
        "gemm": "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_cublas",
        "weight_gemm": "sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize256x128x64_cublas",
        "attention": "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4> >"
                     "(pytorch_flash::Flash_fwd_params)",
        "attention_backward": "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<>(pytorch_flash::Flash_bwd_params)",
        "elementwise": "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16> >",
        "head": "sm90_xmma_gemm_lmhead_bf16",
        "optimizer": "void at::native::multi_tensor_apply_kernel<adam>",
        "expert": "sm90_xmma_gemm_grouped_experts_bf16",
    },
    "B": {
        "gemm": "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT",
        "weight_gemm": "nvjet_hsh_128x256_64x4_2x1_v_bz_TNT",
        "attention": "void cutlass::device_kernel<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<2> > >",
        "attention_backward": "void cutlass::device_kernel<flash::FlashAttnBwdSm90<flash::CollectiveMainloopBwdSm90<2> > >",
        "elementwise": "triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_3",
        "head": "nvjet_hsh_192x192_64x4_1x2_h_bz_TNT",
        "optimizer": "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)"
                     "::TensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float> >",
        "expert": "void grouped_gemm_bf16_tma<128, 256>",
    },
}


@dataclass
class Fault:
    """kind: slow (all kernels), gemm (matrix kernels), host (launching), link, card, data (loading) or gc (garbage collection)."""
    kind: str
    ranks: list[int]  # of a link: one rank, whose groups are slow, or the two ends
    factor: float = 1.0
    milliseconds: float = 0.0
    dimension: str = ""  # of a link or a card
    recorded: str = "no"  # the event of the stall in the trace: no, annotation or python
    at_kernel: int = 0  # a garbage collection precedes this kernel of the step
    first_step: int = 0
    every: int = 1
    only_steps: list[int] | None = None

    def is_active(self, step: int) -> bool:
        return step >= self.first_step and step % self.every == 0 and (self.only_steps is None or step in self.only_steps)

    def is_partial(self) -> bool:
        """Whether a first step or named steps limit it. Every so many steps is a pattern, not a range."""
        return self.first_step > 0 or self.only_steps is not None


@dataclass
class Job:
    pp: int
    dp: int
    tp: int
    seed: int
    steps: int
    annotate: bool  # passes have annotations
    style: str  # key of KERNELS
    load_us: float
    reads_loss: bool  # the host waits for a stream at the end of the step
    jitter: float
    order: str  # dimensions, outermost first
    microbatches: int
    layers: int
    norm: str  # the collective of all ranks: none, or before or after the optimizer
    schedule: str = "1f1b"
    chunks: int = 1  # of the model on each stage, in an interleaved schedule
    head: float = 0.0  # of the last stage, in layers
    eager_messages: bool = False  # a send does not wait for its receive
    late_receive_us: float = 0.0
    sharded: bool = False  # FSDP: gather parameters, scatter gradients
    gather_us: float = 500
    experts: bool = False
    expert_spread: float = 0.2
    overlapped_reduce: bool = False  # gradients are reduced during the last backward pass
    clock_drift_ppm: float = 0.0
    clock_skew_ms: float = 0.0
    host_runs_ahead: bool = False  # no wait at the end of a step
    checkpoint_every: int = 0
    checkpoint_ms: float = 0.0
    length_spread: float = 0.0  # of the microbatches' sequences
    lengths_differ_by_replica: bool = False
    host_us: float = 0.0  # of a launch, beyond what every launch takes
    names_peers: bool = True  # messages say their source and destination
    has_card: bool = True
    faults: list[Fault] = field(default_factory=list)


class Mesh:
    def __init__(self, job: Job):
        sizes = {"pp": job.pp, "dp": job.dp, "tp": job.tp}
        self.world = job.pp * job.dp * job.tp
        self.places: list[dict[str, int]] = []
        for rank in range(self.world):
            place: dict[str, int] = {}
            for dimension in reversed(job.order.split(",")):
                place[dimension] = rank % sizes[dimension]
                rank //= sizes[dimension]
            self.places.append(place)

    def group(self, rank: int, dimension: str) -> list[int]:
        place = self.places[rank]
        return [other for other in range(self.world)
                if all(self.places[other][name] == place[name] for name in place if name != dimension)]


# What a rank does, in order: host actions and launches of work. Times are in µs; Machine sets starts and ends.
@dataclass(eq=False, slots=True)
class HostAction:
    """kind: step, step end, pass, pass end, loading, wait (for all launched work) or stall (an event only if it has a name)."""
    kind: str
    name: str = ""
    duration: float = 0.0
    category: str = "user_annotation"
    start: float = 0.0
    end: float = 0.0


@dataclass(eq=False, slots=True, kw_only=True)
class Work:
    """GPU work and its launch."""
    name: str
    stream: int
    host_time: float
    waits: list["Work"]  # work of other streams that has to end first
    host_start: float = 0.0
    host_end: float = 0.0
    launch_start: float = 0.0
    launch_end: float = 0.0
    start: float | None = None
    end: float | None = None


@dataclass(eq=False, slots=True, kw_only=True)
class Kernel(Work):
    operator: str
    duration: float
    backward: bool


@dataclass(eq=False, slots=True, kw_only=True)
class Communication(Work):
    """A member's kernel of a collective, or of a message (send or recv). It spins from its start until all members have started."""
    call: tuple  # equal on all members
    group: list[int]
    members: list[int]  # of a message: source and destination
    description: str
    elements: int
    transfer: float
    delay: float = 0.0


Program = list[HostAction | Work]
Passes = list[tuple[str, int, int]]  # F, B, or I and W (gradients of activations and of weights); microbatch; chunk


def zero_bubble(job: Job, stage: int) -> Passes:
    """1F1B whose backward passes are split: gradients of weights fill the gaps."""
    passes: Passes = []
    weights = 0
    for kind, microbatch, chunk in one_forward_one_backward(job, stage):
        passes.append(("I" if kind == "B" else "F", microbatch, chunk))
        in_cool_down = microbatch + min(job.pp - 1 - stage, job.microbatches) >= job.microbatches
        if kind == "B" and (in_cool_down or microbatch + 1 - weights > stage):
            passes.append(("W", weights, 0))
            weights += 1
    return passes + [("W", microbatch, 0) for microbatch in range(weights, job.microbatches)]


def one_forward_one_backward(job: Job, stage: int) -> Passes:
    forward, backward = ([(kind, microbatch, 0) for microbatch in range(job.microbatches)] for kind in "FB")
    return in_turn(forward, backward, min(job.pp - 1 - stage, job.microbatches))


def interleaved(job: Job, stage: int) -> Passes:
    total, round_length = job.microbatches * job.chunks, job.pp * job.chunks
    places = [(i // round_length * job.pp + i % job.pp, i % round_length // job.pp) for i in range(total)]
    forward = [("F", microbatch, chunk) for microbatch, chunk in places]
    backward = [("B", microbatch, job.chunks - 1 - chunk) for microbatch, chunk in places]
    return in_turn(forward, backward, min((job.pp - stage - 1) * 2 + (job.chunks - 1) * job.pp, total))


def in_turn(forward: Passes, backward: Passes, warm_up: int) -> Passes:
    """warm_up forward passes, then one forward and one backward in turn."""
    passes = forward[:warm_up]
    for index, after in enumerate(backward):
        passes += [*forward[warm_up + index:warm_up + index + 1], after]
    return passes


def schedule(job: Job, stage: int) -> Passes:
    if job.schedule == "gpipe" and job.pp > 1:
        return [(kind, microbatch, 0) for kind in "FB" for microbatch in range(job.microbatches)]
    if job.schedule == "interleaved":
        return interleaved(job, stage)
    return zero_bubble(job, stage) if job.schedule == "zero_bubble" else one_forward_one_backward(job, stage)


class ProgramBuilder:
    """Writes the program of one rank."""

    def __init__(self, job: Job, mesh: Mesh, rank: int):
        self.job, self.rank = job, rank
        self.place = mesh.places[rank]
        self.stage, self.last_stage = self.place["pp"], job.pp * job.chunks - 1
        self.groups = {dimension: mesh.group(rank, dimension) for dimension in ("pp", "dp", "tp")}
        self.groups["world"] = list(range(mesh.world))
        self.random = random.Random(job.seed * 7919 + rank * 104729 + 13)
        # Ranks of one replica work on the same sequences, so they draw the same lengths.
        self.length_random = random.Random(job.seed * 31 + (self.place["dp"] if job.lengths_differ_by_replica else 0))
        self.program: Program = []
        self.step = 0
        self.faults: list[Fault] = []  # active in this step
        self.lengths: list[float] = []
        self.kernels_in_step = 0
        self.last_kernel: Kernel | None = None
        self.next_waits: list[Work] = []  # the next kernel waits for these
        self.reductions: list[Work] = []  # the optimizer waits for these

    def build(self) -> Program:
        for step in range(self.job.steps):
            self.build_step(step)
        self.host_action("wait", SYNCHRONIZE)
        return self.program

    def build_step(self, step: int) -> None:
        job = self.job
        self.step, self.kernels_in_step, self.reductions = step, 0, []
        self.faults = [fault for fault in job.faults if fault.is_active(step)]
        self.lengths = [1 + job.length_spread * self.length_random.uniform(-1, 1) for _ in range(job.microbatches)]
        self.host_action("step", f"ProfilerStep#{FIRST_STEP + step}")
        self.load_data()
        for kind, microbatch, chunk in schedule(job, self.stage):
            self.host_action("pass", {"F": "Forward", "B": "Backward"}.get(kind, kind) + f" {microbatch}")
            if kind == "F":
                self.forward(microbatch, chunk)
            elif kind == "W":
                for _ in range(job.layers):
                    self.kernel("weight_gemm", (GEMM + ATTENTION) * self.lengths[microbatch], "aten::mm", backward=True)
            else:
                self.backward(kind, microbatch, chunk)
            self.host_action("pass end")
        self.update_weights()
        if job.checkpoint_every and step % job.checkpoint_every == job.checkpoint_every - 1:
            self.host_action("wait", SYNCHRONIZE)
            self.host_action("stall", duration=job.checkpoint_ms * 1000 * self.random.uniform(.98, 1.02))
        if not job.host_runs_ahead:
            if job.reads_loss:
                self.host_action("wait", "cudaStreamSynchronize")
            self.host_action("wait", SYNCHRONIZE)
        self.host_action("step end")

    def load_data(self) -> None:
        duration = self.job.load_us
        for fault in self.faults:
            if fault.kind == "data" and self.rank in fault.ranks:
                if fault.recorded == "no":
                    self.host_action("stall", duration=fault.milliseconds * 1000)
                else:
                    duration += fault.milliseconds * 1000
        self.host_action("loading", DATA_LOADING, duration)

    def update_weights(self) -> None:
        if self.job.dp > 1 and not self.job.sharded and not self.job.overlapped_reduce:
            for bucket in range(GRADIENT_BUCKETS):
                self.reduce_gradients(("bucket", bucket))
        if self.job.norm == "before":
            self.reductions.append(self.reduce_norm(self.reductions + [self.last_kernel]))
        self.kernel("optimizer", OPTIMIZER, "aten::_foreach_addcdiv_", waits=self.reductions)
        if self.job.norm == "after":
            self.reduce_norm([self.last_kernel])

    def forward(self, microbatch: int, chunk: int) -> None:
        job, length, virtual_stage = self.job, self.lengths[microbatch], chunk * self.job.pp + self.stage
        if virtual_stage > 0:
            receive = self.message("recv", -1, ("F", microbatch, virtual_stage))
            if (microbatch + self.place["tp"]) % 2 == 0:
                receive.delay = job.late_receive_us
        for layer in range(job.layers):
            place = ("F", microbatch, chunk, layer)
            self.gather_parameters(place)
            self.kernel("gemm", GEMM * length, "aten::mm")
            self.kernel("attention", ATTENTION * length, "aten::_scaled_dot_product_flash_attention")
            self.run_experts(place)
            self.reduce_activations(place)
            if not job.sharded:
                self.kernel("elementwise", ELEMENTWISE, "aten::add_")
        if virtual_stage == self.last_stage:
            self.run_head(1, length)
        else:
            self.message("send", 1, ("F", microbatch, virtual_stage + 1))

    def backward(self, kind: str, microbatch: int, chunk: int) -> None:
        job, length, virtual_stage = self.job, self.lengths[microbatch], chunk * self.job.pp + self.stage
        # Gradients of activations and of weights are twice the work of the forward pass.
        work = 2 if kind == "B" else 1
        if virtual_stage == self.last_stage:
            self.run_head(work, length, backward=True)
        else:
            self.message("recv", 1, ("B", microbatch, virtual_stage))
        for layer in range(job.layers):
            place = (kind, microbatch, chunk, layer)
            self.gather_parameters(place)
            self.kernel("gemm", work * GEMM * length, "aten::mm", backward=True)
            operator = "aten::_scaled_dot_product_flash_attention_backward"
            self.kernel("attention_backward", work * ATTENTION * length, operator, backward=True)
            self.run_experts(place)
            self.reduce_activations(place)
            if job.sharded:
                self.reductions.append(self.collective("dp", "_reduce_scatter_base", job.gather_us, ("scatter", *place), SCATTER_STREAM,
                                                       elements=SHARD_ELEMENTS))
            else:
                self.kernel("elementwise", work * ELEMENTWISE, "aten::add_", backward=True)
            if job.overlapped_reduce and microbatch == job.microbatches - 1:
                self.reduce_gradients(("overlapped", chunk, layer))
        if virtual_stage > 0:
            self.message("send", -1, ("B", microbatch, virtual_stage - 1))

    def run_head(self, work: int, length: float, backward: bool = False) -> None:
        if self.job.head:
            self.kernel("head", work * self.job.head * (GEMM + ATTENTION + ELEMENTWISE) * length, "aten::mm", backward)

    def run_experts(self, place: tuple) -> None:
        if self.job.experts:
            _, microbatch, _, layer = place
            # The backward pass has the tokens of the forward pass, so it draws the same number.
            draw = random.Random(repr((self.job.seed, self.step, microbatch, layer, self.rank)))
            self.exchange_tokens(("to experts", *place))
            self.kernel("expert", EXPERT * (1 + self.job.expert_spread * draw.uniform(-1, 1)), "aten::_grouped_mm")
            self.exchange_tokens(("back", *place))

    def exchange_tokens(self, place: tuple) -> None:
        self.next_waits.append(self.collective("dp", "all_to_allv", EXPERT_EXCHANGE, place, EXPERT_STREAM, described="ep"))

    def gather_parameters(self, place: tuple) -> None:
        if self.job.sharded:
            self.next_waits.append(self.collective("dp", "_allgather_base", self.job.gather_us, ("gather", *place), DATA_STREAM, [],
                                                   elements=SHARD_ELEMENTS))

    def reduce_activations(self, place: tuple) -> None:
        if self.job.tp > 1:
            self.next_waits.append(self.collective("tp", "allreduce", TENSOR_REDUCE, ("activations", *place), TENSOR_STREAM))

    def reduce_gradients(self, place: tuple) -> None:
        self.reductions.append(self.collective("dp", "allreduce", GRADIENT_REDUCE, place, DATA_STREAM))

    def reduce_norm(self, waits: list[Work]) -> Communication:
        return self.collective("world", "allreduce", NORM_REDUCE, ("norm",), WORLD_STREAM, waits)

    def rank_factor(self, kind: str) -> float:
        factor = 1.0
        for fault in self.faults:
            if fault.kind == kind and self.rank in fault.ranks:
                factor *= fault.factor
        return factor

    def link_factor(self, dimension: str, members: list[int]) -> float:
        factor = 1.0
        for fault in self.faults:
            if fault.kind in ("link", "card") and fault.dimension == dimension and set(fault.ranks) <= set(members):
                factor *= fault.factor
        return factor

    def launch_time(self) -> float:
        return (self.random.uniform(8, 10) + self.job.host_us) * self.rank_factor("host")

    def host_action(self, kind: str, name: str = "", duration: float = 0.0, category: str = "user_annotation") -> None:
        self.program.append(HostAction(kind, name, duration, category))

    def kernel(self, key: str, duration: float, operator: str, backward: bool = False, waits: list[Work] | None = None) -> None:
        duration *= max(.5, 1 + self.random.gauss(0, self.job.jitter))
        duration *= self.rank_factor("slow")
        if key in MATRIX_KERNELS:
            duration *= self.rank_factor("gemm")
        self.kernels_in_step += 1
        for fault in self.faults:
            if fault.kind == "gc" and self.rank in fault.ranks and fault.at_kernel == self.kernels_in_step:
                name, category = GARBAGE_COLLECTION[fault.recorded]
                self.host_action("stall", name, fault.milliseconds * 1000, category)
        self.last_kernel = Kernel(name=KERNELS[self.job.style][key], stream=COMPUTE_STREAM, host_time=self.launch_time(),
                                  waits=(waits or []) + self.next_waits, operator=operator, duration=duration, backward=backward)
        self.next_waits = []
        self.program.append(self.last_kernel)

    def collective(self, dimension: str, name: str, base: float, place: tuple, stream: int, waits: list[Work] | None = None,
                   described: str = "", elements: int = 0) -> Communication:
        """Waits for the last kernel unless told otherwise."""
        group, described = self.groups[dimension], described or dimension
        call = (self.step, dimension, tuple(group), place)
        # All members draw the same transfer, whatever else they draw.
        scatter = abs(random.Random(repr((self.job.seed, call))).gauss(0, self.job.jitter))
        collective = Communication(
            name=name, stream=stream, host_time=self.launch_time(), waits=[self.last_kernel] if waits is None else list(waits), call=call,
            group=group, members=group, description=f"mesh_{described}", elements=elements or ELEMENTS[described],
            transfer=base * (1 + scatter) * self.link_factor(dimension, group))
        self.program.append(collective)
        return collective

    def message(self, name: str, direction: int, content: tuple) -> Communication:
        """To or from the next stage (direction 1) or the one before (-1). content: pass, microbatch, virtual stage that receives."""
        peer = self.groups["pp"][(self.stage + direction) % self.job.pp]
        ends = [self.rank, peer] if name == "send" else [peer, self.rank]
        call = (self.step, *ends, content)
        scatter = random.Random(repr((self.job.seed, call))).gauss(0, self.job.jitter)
        message = Communication(
            name=name, stream=MESSAGE_STREAMS[name, content[0]], host_time=self.launch_time(),
            waits=[self.last_kernel] if name == "send" else [], call=call, group=self.groups["pp"], members=ends, description="mesh_pp",
            elements=ELEMENTS["pp"], transfer=MESSAGE * (1 + scatter) * self.link_factor("pp", ends))
        self.program.append(message)
        if name == "recv":
            self.next_waits.append(message)
        return message


class Machine:
    """Executes the programs of all ranks. Streams are queues. The order in which ranks are visited does not change the times."""

    def __init__(self, job: Job, programs: list[Program]):
        self.job, self.programs = job, programs
        world = len(programs)
        self.next_action = [0] * world
        self.host = [0.0] * world
        self.queues: list[dict[int, deque[Work]]] = [defaultdict(deque) for _ in range(world)]
        self.stream_end: list[dict[int, float]] = [defaultdict(float) for _ in range(world)]
        self.unfinished = [0] * world
        self.last_end = [0.0] * world
        self.open: dict[tuple[int, str], HostAction] = {}  # step and pass that each rank is in
        self.started: dict[tuple, dict[int, Communication]] = defaultdict(dict)  # members of each call, by rank

    def execute(self) -> None:
        moved = True
        while moved:
            moved = False
            for rank in range(len(self.programs)):
                while self.run_host(rank) | self.run_streams(rank):
                    moved = True
        if any(done < len(program) for done, program in zip(self.next_action, self.programs)):
            raise RuntimeError(f"deadlock: {self.job}")

    def run_host(self, rank: int) -> bool:
        program, before = self.programs[rank], self.next_action[rank]
        while self.next_action[rank] < len(program):
            action = program[self.next_action[rank]]
            if isinstance(action, Work):
                self.launch(rank, action)
            elif action.kind == "wait" and self.unfinished[rank]:
                break
            else:
                self.act(rank, action)
            self.next_action[rank] += 1
        return self.next_action[rank] > before

    def launch(self, rank: int, work: Work) -> None:
        work.host_start = self.host[rank]
        work.host_end = work.host_start + work.host_time
        work.launch_start = work.host_start + 1.5
        work.launch_end = min(work.host_end - .5, work.launch_start + 4)
        self.host[rank] = work.host_end + 1.5
        self.queues[rank][work.stream].append(work)
        self.unfinished[rank] += 1

    def act(self, rank: int, action: HostAction) -> None:
        now = self.host[rank]
        if action.kind in ("step", "pass"):
            action.start = now
            self.open[rank, action.kind] = action
        elif action.kind == "pass end":
            self.open[rank, "pass"].end = now - 1
        elif action.kind == "step end":
            now += 3
            self.open[rank, "step"].end = now
            now += 10
        elif action.kind == "loading":
            action.start = now + 3
            action.end = action.start + action.duration
            now = action.end + 1.5
        elif action.kind == "stall":
            action.start = now + .5
            now += action.duration
            action.end = now - .5
        else:
            action.start = now + 2
            action.end = action.start + 5
            if self.last_end[rank] > action.start:
                action.end = max(action.end, self.last_end[rank] + 5)
            now = action.end + 1
        self.host[rank] = now

    def run_streams(self, rank: int) -> bool:
        moved = False
        for queue in list(self.queues[rank].values()):
            while queue and self.run_work(rank, queue[0]):
                moved = True
        return moved

    def run_work(self, rank: int, work: Work) -> bool:
        """Whether the work ended. Communication may start without ending."""
        if work.start is None:
            work.start = self.start_of(rank, work)
            if work.start is None:
                return False
            if isinstance(work, Communication):
                self.started[work.call][rank] = work
        work.end = work.start + work.duration if isinstance(work, Kernel) else self.end_of(work)
        if work.end is None:
            return False
        self.queues[rank][work.stream].popleft()
        self.stream_end[rank][work.stream] = work.end
        self.unfinished[rank] -= 1
        self.last_end[rank] = max(self.last_end[rank], work.end)
        return True

    def start_of(self, rank: int, work: Work) -> float | None:
        start = max(work.launch_end + 3, self.stream_end[rank][work.stream] + 1)
        for other in work.waits:
            if other.end is None:
                return None
            start = max(start, other.end + 2)
        return start + work.delay if isinstance(work, Communication) else start

    def end_of(self, work: Communication) -> float | None:
        started = self.started[work.call]
        if self.job.eager_messages and work.name == "send":
            return work.start + work.transfer
        if len(started) < len(work.members):
            return None
        if self.job.eager_messages and work.name == "recv":
            return max(work.start + 5, started[work.members[0]].start + work.transfer + 6)
        return max(member.start for member in started.values()) + work.transfer


def run_job(job: Job) -> Machine:
    mesh = Mesh(job)
    machine = Machine(job, [ProgramBuilder(job, mesh, rank).build() for rank in range(mesh.world)])
    machine.execute()
    return machine


def steps_of(program: Program) -> list[HostAction]:
    return [action for action in program if isinstance(action, HostAction) and action.kind == "step"]


def step_time(machine: Machine) -> float:
    """Mean over ranks and steps. Where hosts run ahead, steps on the host say nothing: from one optimizer kernel to the next."""
    if not machine.job.host_runs_ahead:
        times = [[step.end - step.start for step in steps_of(program)] for program in machine.programs]
        return sum(sum(of_rank) for of_rank in times) / sum(len(of_rank) for of_rank in times)
    total, name = 0.0, KERNELS[machine.job.style]["optimizer"]
    for program in machine.programs:
        ends = [action.end for action in program if isinstance(action, Kernel) and action.name == name]
        total += (ends[-1] - ends[0]) / (len(ends) - 1)
    return total / len(machine.programs)


class EventWriter:
    """Makes Kineto events of one rank after the other, by the clock of each."""

    def __init__(self, folder: str, offsets: list[float], drifts: list[float]):
        self.folder, self.offsets, self.drifts = folder, offsets, drifts
        self.rank = self.process = self.device = self.correlation = 0
        self.events: list[dict] = []

    def time(self, time: float) -> float:
        return round(FIRST_TIME_US + self.offsets[self.rank] + time * (1 + self.drifts[self.rank]), 3)

    def event(self, category: str, name: str, process: int, thread: int, start: float, end: float, arguments: dict) -> None:
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread, "ts": self.time(start),
                            "dur": round(self.time(end) - self.time(start), 3), "args": arguments})

    def flow(self, phase: str, process: int, thread: int, time: float, **more: str) -> None:
        self.events.append({"ph": phase, "id": self.correlation, "pid": process, "tid": thread, "ts": self.time(time), "cat": "ac2g",
                            "name": "ac2g", **more})


class TraceWriter(EventWriter):
    """Writes one file for each rank, with the fields that PyTorch 2.5 records."""

    def __init__(self, machine: Machine, folder: str):
        self.machine, self.job = machine, machine.job
        self.world = len(machine.programs)
        draw = random.Random(self.job.seed)
        super().__init__(folder, offsets=[draw.uniform(-1, 1) * self.job.clock_skew_ms * 1000 for _ in range(self.world)],
                         drifts=[draw.uniform(-1, 1) * self.job.clock_drift_ppm * 1e-6 for _ in range(self.world)])
        self.group_names: dict[tuple, str] = {}

    def write(self) -> None:
        for rank in range(self.world):
            self.write_rank(rank)
        if self.job.has_card:
            self.write_card()

    def write_rank(self, rank: int) -> None:
        self.rank, self.process, self.device, self.correlation, self.events = rank, 4000 + rank, rank % 8, 1000, []
        for process, label in ((self.process, "CPU"), (self.device, f"GPU {self.device}")):
            for name, arguments in (("process_name", {"name": "python"}), ("process_labels", {"labels": label})):
                self.events.append({"ph": "M", "name": name, "pid": process, "tid": 0, "ts": FIRST_TIME_US, "args": arguments})
        for step in steps_of(self.machine.programs[rank]):
            self.host_event(step.category, step.name, step.start, step.end, {"External id": 0})
        for action in self.machine.programs[rank]:
            if isinstance(action, Work):
                self.write_work(action)
            else:
                self.write_host_action(action)
        document = {
            "schemaVersion": 1,
            "deviceProperties": [{"id": device, **GPU} for device in range(min(self.world, 8))],
            "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": self.world, "nccl_version": "2.21.5", "pg_count": 3},
            "traceEvents": self.events}
        with open(os.path.join(self.folder, f"rank{rank}_trace.json"), "w", encoding="utf-8") as file:
            file.write(json.dumps(document))

    def host_event(self, category: str, name: str, start: float, end: float, arguments: dict | None = None) -> None:
        self.event(category, name, self.process, self.process, start, end, arguments or {"External id": 1})

    def runtime_call(self, name: str, start: float, end: float) -> None:
        self.correlation += 1
        self.host_event("cuda_runtime", name, start, end, {"correlation": self.correlation, "External id": 1})

    def write_host_action(self, action: HostAction) -> None:
        if action.kind == "wait":
            self.runtime_call(action.name, action.start, action.end)
        elif action.name and (action.kind in ("loading", "stall") or action.kind == "pass" and self.job.annotate):
            self.host_event(action.category, action.name, action.start, action.end)

    def write_work(self, work: Work) -> None:
        start, end = work.host_start, work.host_end
        arguments = {"device": self.device, "stream": work.stream, "correlation": self.correlation + 1, "External id": 1,
                     "grid": [132, 1, 1], "block": [256, 1, 1], "blocks per SM": 1.0}
        if isinstance(work, Kernel):
            name, operator = work.name, work.operator
            if work.backward:
                self.host_event("cpu_op", "autograd::engine::evaluate_function: MmBackward0", start, end)
                start, end = start + .5, end - .2
        else:
            name = f"ncclDevKernel_{NCCL_KERNELS[work.name]}(ncclDevKernelArgsStorage<4096ul>)"
            operator = "c10d::" + ("alltoall_" if work.name == "all_to_allv" else work.name)
            arguments.update(self.communication_arguments(work))
        self.host_event("cpu_op", operator, start, end)
        self.runtime_call("cudaLaunchKernel" if self.job.style == "A" else "cudaLaunchKernelExC", work.launch_start, work.launch_end)
        self.flow("s", self.process, self.process, work.launch_start)
        self.event("kernel", name, self.device, work.stream, work.start, work.end, arguments)
        self.flow("f", self.device, work.stream, work.start, bp="e")

    def communication_arguments(self, work: Communication) -> dict:
        received = work.elements
        if work.name == "_allgather_base":
            received *= len(work.group)
        elif work.name == "_reduce_scatter_base":
            received //= len(work.group)
        group_name = self.group_names.setdefault((work.description, tuple(work.group)), str(10 + len(self.group_names)))
        arguments = {
            "Collective name": work.name, "In msg nelems": work.elements, "Out msg nelems": received, "Group size": len(work.group),
            "dtype": "BFloat16", "In split size": "[]", "Out split size": "[]", "Process Group Name": group_name,
            "Process Group Description": work.description, "Process Group Ranks": str(work.group)}
        if work.name in ("send", "recv") and self.job.names_peers:
            arguments.update({"Src Rank": work.members[0], "Dst Rank": work.members[1]})
        return arguments

    def write_card(self) -> None:
        job = self.job
        replicas, shards = (1, job.dp) if job.sharded else (job.dp, 1)
        with open(os.path.join(self.folder, "workload_card.yaml"), "w", encoding="utf-8") as file:
            file.write(
                "workload:\n  model:\n    phase: training\n  data:\n    batch_size: 16\n    seq_len: 4096\n"
                f"  hardware:\n    xpu_spec: {{type: GPU, model: nvidia_h100, total_count: {self.world}}}\n"
                f"Model-executor:\n  model_plan_parallelization: {{dp_replicate: {replicas}, dp_shard: {shards}, tp: {job.tp}, "
                f"pp: {job.pp}, pp_mb: {job.microbatches}, ep: 1, cp: 1}}\n")


@dataclass
class Truth:
    step_us: float
    costs_us: list[float]  # of each fault: the step less the step without it
    total_cost_us: float  # of all faults together


def write_run(job: Job, folder: str, run: Callable = run_job, measure: Callable = step_time, writer: Callable = TraceWriter) -> Truth:
    """Writes the traces of the job into the existing folder, and says what its faults cost."""
    finished = run(job)
    step = measure(finished)
    costs = [step - measure(run(replace(job, faults=[other for other in job.faults if other is not fault]))) for fault in job.faults]
    writer(finished, folder).write()
    return Truth(step, costs, step - measure(run(replace(job, faults=[]))) if len(costs) > 1 else sum(costs))


if __name__ == "__main__":
    import kinds

    kind, target = sys.argv[1:3]
    seed, index = [*map(int, sys.argv[3:]), *(1, 0)[len(sys.argv) - 3:]]
    os.makedirs(target, exist_ok=True)
    described = kinds.make(kind, seed, index)
    print(described, write_run(described, target), sep="\n")
