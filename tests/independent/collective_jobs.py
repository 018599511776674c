# SPDX-License-Identifier: GPL-3.0-or-later
"""Training jobs without a pipeline, and what the programs of their ranks are made of. collective_families.py has the programs.

A family is a way to share the work: fsdp, hsdp, ddp, tpsp (tensor and sequence parallel), moe (experts) or cp (rings of contexts).
A Fault has a kind: slow, gemm, memory (kernels of one resource), throttle, other names (of slower matrix kernels), power cap, host, data,
checkpoint, async checkpoint, nvlink, node card (network cards of a node) or expert (that gets more tokens).
"""
import math
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from collective_machine import Action, Call, Program, Work, node_of
from generator import DATA_LOADING, SYNCHRONIZE, Fault

BANDWIDTH_IN_NODE, BANDWIDTH_OF_CARD = 230e3, 43e3  # bytes per µs; every GPU has a network card
STREAMS = ("compute", "gather", "scatter", "replica", "reduce", "tp", "dp", "ep", "edp", "send", "receive", "copy", "side")
STREAM_NUMBERS = {False: (7, 20, 24, 28, 32, 36, 40, 44, 48, 52, 53, 13, 60), True: (0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)}
# Names of kernels; a kernel of several variants has a name for each.
COMMON_KERNELS = {
    "memory": ["void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
               "at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul> >(int)",
               "triton_red_fused__fused_rms_norm__to_copy_mul_1",
               "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16>(c10::BFloat16*)"],
    "optimizer": ["void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)"
                  "::FusedOptimizerTensorListMetadata<3>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float, 3, "
                  "(at::native::ADAM_MODE)1, false> >()"]}
ATTENTION = "void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttn{0}Sm90<flash::CollectiveMainloop{0}Sm90<2>>>>()"
KERNELS = {
    False: COMMON_KERNELS | {
        "gemm": ["nvjet_tst_256x128_64x4_2x1_v_bz_coopA_TNT", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x256x64_"
                 "warpgroupsize2x1x1_execute_segment_k_off_kernel__5x_cublas", "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NNT"],
        "attention": [ATTENTION.format("Fwd")], "attention_backward": [ATTENTION.format("Bwd")]},
    True: COMMON_KERNELS | {
        "gemm": ["Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x256x64_MI16x16x1",
                 "Cijk_Ailk_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64_MI16x16x1", "Cijk_Ailk_Bjlk_BBS_BH_MT128x256x64_MI16x16x1"],
        "attention": ["_ZN5aiter24fmha_fwd_hd128_bf16_causalE"], "attention_backward": ["_ZN5aiter24fmha_bwd_hd128_bf16_causal_a32E"]}}
# Other tiles of matrix kernels, as an autotuner may choose them.
OTHER_TILES = {"256x128": "192x192", "128x256": "192x128", "256x256": "224x192", "256x192": "160x256"}
OPERATORS = {"gemm": "aten::mm", "memory": "aten::mul", "attention": "flash_attn::_flash_attn_forward",
             "attention_backward": "FlashAttnFuncBackward", "optimizer": "aten::_fused_adamw_"}
RESOURCES = {"attention_backward": "attention", "optimizer": "memory"}  # what a kernel is bound by, if not its own kind
# Of each collective: the name in the trace, the annotation, the operator and the NCCL kernel.
COLLECTIVES = {
    "gather": ("_allgather_base", "_all_gather_base", "_allgather_base_", "AllGather_RING_LL"),
    "scatter": ("_reduce_scatter_base", "_reduce_scatter_base", "_reduce_scatter_base_", "ReduceScatter_Sum_bf16_RING_LL"),
    "reduce": ("allreduce", "all_reduce", "allreduce_", "AllReduce_Sum_bf16_RING_LL"),
    "exchange": ("all_to_allv", "all_to_all", "alltoall_base_", "SendRecv"),
    "send": ("send", "send", "send", "SendRecv"), "receive": ("recv", "recv", "recv_", "SendRecv")}


@dataclass
class CollectiveJob:
    family: str
    seed: int
    world: int
    amd: bool
    gpu: str
    any_collective_kernel: str  # the one name of all RCCL kernels
    steps: int
    first_step: int
    warm_up: int  # steps before the recording
    layers: int
    gemm_us: float
    attention_us: float
    optimizer_us: float
    jitter: float  # of kernels
    transfer_jitter: float
    gpu_spread: float  # of the speeds of GPUs
    slow_down: float  # of kernels beside communication
    host_us: float  # before each launch
    hiccups: float  # share of launches before which the host pauses
    load_us: float
    copy_us: float  # of a batch to the GPU
    copy_stream: str
    clock_skew_us: float
    clock_drift_ppm: float
    start_skew_us: float
    end_of_step: str  # how the host waits: item (reads the loss), device, some (reads some losses) or none
    clips_norm: bool
    names_peers: bool
    records_groups: bool
    records_host_names: bool
    distinct_names: bool  # kernels of other shapes have other names
    group_size: int = 0  # of the groups of shards, tensors, experts or contexts
    elements: int = 0  # of a layer's parameters or gradients
    descriptions: tuple[str, ...] = ()  # of groups, the family's own first
    card: dict[str, int] = field(default_factory=dict)  # sizes of dimensions; without them there is no workload card
    accumulation: int = 1  # microbatches; of ddp, steps
    prefetch: int = 1
    limits_gathers: bool = False
    scatter_stream: str = "scatter"
    scatters_each_microbatch: bool = True
    bucket_layers: int = 1
    shards_optimizer: bool = False
    activations: int = 0  # elements
    tokens: int = 0
    token_spread: float = 0.0
    reads_token_counts: bool = False
    message_elements: int = 0
    host_runs_ahead: bool = True  # so the step is that of the GPU
    faults: list[Fault] = field(default_factory=list)


class RankProgram:
    """Writes the program of one rank. A family overrides step_work()."""

    def __init__(self, job: CollectiveJob, rank: int):
        self.job, self.rank = job, rank
        self.random = Random(repr((job.seed, rank)))
        self.gpu_factor = 1 + self.random.gauss(0, job.gpu_spread)
        self.streams = dict(zip(STREAMS, STREAM_NUMBERS[job.amd]))
        self.program: Program = []
        self.step = 0
        self.faults: list[Fault] = []  # of this step
        self.calls: Counter = Counter()
        self.last: Work | None = None  # on the compute stream
        self.next_waits: list[Work] = []  # the next kernel or copy waits for these
        self.thread, self.backward = 0, ""
        self.world = list(range(job.world))
        first = rank - rank % (job.group_size or job.world)
        self.group = self.world[first:first + (job.group_size or job.world)]
        self.replicas = self.world[rank % len(self.group)::len(self.group)]  # the same member of all groups

    def step_work(self) -> None:
        raise NotImplementedError

    def build(self) -> Program:
        job = self.job
        self.act("busy", duration=Random(repr((job.seed, "start", self.rank))).uniform(0, 40))
        for self.step in range(-job.warm_up, job.steps):
            self.faults = [fault for fault in job.faults if self.rank in fault.ranks and fault.is_active(self.step)]
            if self.step == 0:
                if job.warm_up:
                    self.act("wait", SYNCHRONIZE)
                self.act("busy", duration=Random(repr((job.seed, "profiler", self.rank))).uniform(0, job.start_skew_us))
                self.act("recording")
                self.act("busy", duration=30)
            if self.step >= 0:
                self.act("step", f"ProfilerStep#{job.first_step + self.step}")
            self.load_data()
            self.step_work()
            self.end_step()
            if self.step >= 0:
                self.act("step end")
                self.act("busy", duration=15)
        self.act("wait", SYNCHRONIZE)
        return self.program

    def act(self, kind: str, name: str = "", duration: float = 0.0, category: str = "user_annotation",
            targets: list[Work] | None = None) -> None:
        self.program.append(Action(kind, name, duration, category, self.thread, targets))

    def rank_factor(self, *kinds: str) -> float:
        return math.prod(fault.factor for fault in self.faults if fault.kind in kinds)

    def throttling(self) -> float:
        """A throttled GPU becomes slower step by step, and reaches the factor in the last one."""
        share = max(0, self.step) / max(1, self.job.steps - 1)
        return math.prod(1 + (fault.factor - 1) * share for fault in self.faults if fault.kind == "throttle")

    def launch(self, kind: str, name: str, operator: str, stream: str, duration: float, waits: list[Work], **more: object) -> Work:
        noise, lot, hiccup = max(.5, self.random.lognormvariate(0, .25)), self.random.random(), self.random.uniform(60, 250)
        host_factor = self.rank_factor("host")
        work = Work(kind=kind, name=name, operator=operator, stream=self.streams[stream], duration=duration, waits=waits,
                    thread=self.thread, backward=self.backward,
                    before_launch=(self.job.host_us * noise + 1.5) * host_factor + (hiccup if lot < self.job.hiccups else 0),
                    launch_cost=4.5 * max(.7, self.random.gauss(1, .1)) * host_factor, **more)
        self.program.append(work)
        if stream == "compute":
            self.last = work
        return work

    def kernel(self, kind: str, duration: float, variant: int = 0, operator: str = "") -> None:
        names = KERNELS[self.job.amd][kind]
        name, resource = names[variant % len(names)], RESOURCES.get(kind, kind)
        factor = self.rank_factor("slow", "power cap", resource) * self.throttling()
        if kind == "gemm" and any(fault.kind == "other names" for fault in self.faults):
            factor *= self.rank_factor("other names")
            name = next((name.replace(tile, other) for tile, other in OTHER_TILES.items() if tile in name), name)
        if self.job.distinct_names:
            name = f"{name[:60]}_s{int(duration)}"
        noise = math.exp(self.random.gauss(0, self.job.jitter))
        lot, outlier = self.random.random(), self.random.uniform(.02, .15)
        noise *= 1 + outlier if lot < .004 else 1
        waits, self.next_waits = self.next_waits, []
        self.launch(resource, name, operator or OPERATORS[kind], "compute", duration * noise * self.gpu_factor * factor, waits)

    def kernels(self, *kernels: tuple) -> None:
        """Each: kind, duration, variant and operator, of which the last two may be missing."""
        for kernel in kernels:
            self.kernel(*kernel)

    def copy(self, duration: float, size: int, stream: str = "compute", to_host: bool = False, memory: str = "Pinned") -> Work:
        ends = ("Device" if to_host else memory, memory if to_host else "Device")
        if self.job.amd:
            ends = ("Device", "Host") if to_host else ("Host", "Device")
        name = f"Memcpy {'DtoH' if to_host else 'HtoD'} ({ends[0]} -> {ends[1]})"
        duration *= math.exp(self.random.gauss(0, .02))
        waits, self.next_waits = self.next_waits, []
        return self.launch("copy", name, "aten::copy_", stream, duration, waits, size=size)

    def link_factor(self, members: list[int]) -> float:
        nodes = {node_of(rank) for rank in members}
        kind = "nvlink" if len(nodes) == 1 else "node card"
        return math.prod(fault.factor for fault in self.job.faults
                         if fault.kind == kind and set(fault.ranks) & set(members) and fault.is_active(self.step))

    def communicate(self, kind: str, stream: str, duration: float, waits: list[Work] | None, key: tuple, **described: object) -> Work:
        name, annotation, operator, kernel = COLLECTIVES[kind]
        self.calls[key] += 1
        call = Call(name=name, annotation=annotation, key=(*key, self.calls[key]), **described)
        if call.dtype == "Float":
            kernel = kernel.replace("bf16", "f32")
        # All members draw the same transfer, whatever else they draw.
        shared = Random(repr((self.job.seed, call.key)))
        duration *= math.exp(shared.gauss(0, self.job.transfer_jitter))
        lot, outlier = shared.random(), shared.uniform(.05, .4)
        duration *= (1 + outlier if lot < .01 else 1) * self.link_factor(call.members)
        if waits is None:
            waits = [self.last] if self.last else []
        kernel = self.job.any_collective_kernel if self.job.amd else f"ncclDevKernel_{kernel}"
        return self.launch("communication", f"{kernel}(ncclDevKernelArgsStorage<4096ul>)", f"c10d::{operator}", stream, duration, waits,
                           call=call, end_skew=abs(Random(repr((self.job.seed, call.key, self.rank))).gauss(0, .8)))

    def collective(self, kind: str, description: str, group: list[int], elements: int, stream: str, waits: list[Work] | None = None,
                   dtype: str = "BFloat16", **exchanged: object) -> Work:
        """Waits for the last kernel unless told otherwise. elements: of the whole message. exchanged: fields of the call."""
        members = len(group)
        of_nodes = Counter(node_of(rank) for rank in group)
        bandwidth, latency = BANDWIDTH_IN_NODE, 9
        if len(of_nodes) > 1:
            bandwidth, latency = min(BANDWIDTH_IN_NODE, BANDWIDTH_OF_CARD * min(of_nodes.values())), 26
        size = elements * (4 if dtype == "Float" else 2) * (members - 1) / members * (2 if kind == "reduce" else 1)
        counts = {"sent": elements // members if kind == "gather" else elements,
                  "received": elements // members if kind == "scatter" else elements, **exchanged}
        return self.communicate(kind, stream, latency + .6 * members + size / bandwidth, waits, (description, tuple(group), kind),
                                members=group, group=group, description=description, dtype=dtype, **counts)

    def message(self, kind: str, ends: list[int], tag: str, waits: list[Work]) -> Work:
        elements, crosses = self.job.message_elements, node_of(ends[0]) != node_of(ends[1])
        latency, bandwidth = (30, BANDWIDTH_OF_CARD) if crosses else (12, BANDWIDTH_IN_NODE)
        return self.communicate(kind, kind, latency + elements * 2 / bandwidth, waits, (*ends, tag), members=ends, group=self.group,
                                description=self.job.descriptions[0], sent=elements, received=elements, is_message=True)

    def read_value(self) -> None:
        """A number of the GPU, as aten::item does."""
        self.act("open", "aten::item", category="cpu_op")
        self.act("wait", "cudaStreamSynchronize", targets=[self.copy(1.6, 4, to_host=True, memory="Pageable")])
        self.act("close")

    def load_data(self) -> None:
        duration = self.job.load_us * max(.4, self.random.lognormvariate(0, .2))
        duration += 1000 * sum(fault.milliseconds for fault in self.faults if fault.kind == "data")
        self.act("busy", DATA_LOADING, duration)
        if self.job.copy_us:
            copy = self.copy(self.job.copy_us, int(self.job.copy_us * 24e3), self.job.copy_stream)
            self.next_waits.append(copy)

    def layer_forward(self) -> None:
        gemm = self.job.gemm_us
        self.kernels(("memory", 22, 1), ("gemm", gemm), ("attention", self.job.attention_us), ("gemm", gemm * .6), ("memory", 26),
                     ("gemm", gemm * 1.4, 1), ("memory", 35, 0, "aten::silu"), ("gemm", gemm * 1.2))

    def layer_backward(self) -> None:
        gemm = self.job.gemm_us
        self.backward = "MmBackward0"
        for share in (1.2, 1.4, .6):
            self.kernels(("gemm", gemm * share), ("gemm", gemm * share, 2), ("memory", 30))
        self.backward = "FlashAttnFuncBackward"
        self.kernel("attention_backward", self.job.attention_us * 2.4)
        self.backward = "MmBackward0"
        self.kernels(("gemm", gemm), ("gemm", gemm, 2), ("memory", 28, 1))
        self.backward = ""

    def update_weights(self, parts: int = 2) -> None:
        if self.job.clips_norm:
            self.kernel("memory", 25, 1, "aten::_foreach_norm")
            self.next_waits.append(self.collective("reduce", "default_pg", self.world, 1, "reduce", dtype="Float"))
            self.kernel("memory", 18, 0, "aten::_foreach_mul_")
        self.act("open", "Optimizer.step#AdamW.step" if self.job.family in ("fsdp", "hsdp", "ddp") else "")
        for _ in range(parts):
            self.kernel("optimizer", self.job.optimizer_us / parts)
        self.act("close")

    def end_step(self) -> None:
        for fault in self.faults:
            if "checkpoint" in fault.kind:
                self.save_checkpoint(fault)
        ending = self.job.end_of_step
        if ending == "device":
            self.act("wait", SYNCHRONIZE)
        elif ending == "item" or (ending == "some" and self.step % 3 == 1):
            self.read_value()

    def save_checkpoint(self, fault: Fault) -> None:
        """Copies the weights to the host. A blocking one waits for each copy and then writes the file."""
        self.act("wait", SYNCHRONIZE)
        for _ in range(4):
            if fault.kind == "async checkpoint":
                self.copy(250, 6000000, "side", to_host=True)
            else:
                self.act("wait", "cudaStreamSynchronize", targets=[self.copy(250, 6000000, to_host=True, memory="Pageable")])
        self.act("busy", duration=fault.milliseconds * 1000)
