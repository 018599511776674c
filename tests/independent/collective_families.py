# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of the families of collective_jobs.py."""
import math
from random import Random
from typing import Iterator

from collective_jobs import RankProgram
from collective_machine import Work

MODEL_WIDTH = 2048


class ShardedProgram(RankProgram):
    """FSDP, or HSDP where there are several groups of shards: parameters are gathered, gradients scattered."""

    def step_work(self) -> None:
        self.act("open", "FSDP::root_pre_forward")
        self.act("busy", duration=12)
        self.act("close")
        forward = list(range(self.job.layers))
        scattered: list[Work] = []
        for microbatch in range(self.job.accumulation):
            for _ in self.gathered_layers(forward, wait_for_all=microbatch > 0):
                self.layer_forward()
            self.kernels(("gemm", self.job.gemm_us * 2, 1), ("memory", 60, 2, "aten::_log_softmax"))
            self.thread = 3
            is_last = microbatch == self.job.accumulation - 1
            for layer in self.gathered_layers(forward[::-1]):
                self.layer_backward()
                if is_last or self.job.scatters_each_microbatch:
                    scattered.append(self.scatter(layer, is_last))
            self.thread = 0
        self.next_waits += scattered
        self.update_weights()

    def gathered_layers(self, order: list[int], wait_for_all: bool = False) -> Iterator[int]:
        """Yields each layer when its parameters are on their way. The first gathers run ahead of the kernels."""
        gathered, ends, ahead = {}, [], self.job.prefetch
        for place, layer in enumerate(order):
            if place == 0:
                for index, next_layer in enumerate(order[:ahead + 1]):
                    gathered[next_layer] = self.gather(next_layer, None if wait_for_all or index == 0 else [])
            elif place + ahead < len(order):
                gathered[order[place + ahead]] = self.gather(order[place + ahead], [ends[-1]] if self.job.limits_gathers else [])
            self.next_waits.append(gathered[layer])
            yield layer
            ends.append(self.last)

    def gather(self, layer: int, waits: list[Work] | None) -> Work:
        self.act("open", f"FSDP::all_gather (layers.{layer})")
        work = self.collective("gather", self.job.descriptions[0], self.group, self.job.elements, "gather", waits)
        self.act("close")
        return work

    def scatter(self, layer: int, is_last: bool) -> Work:
        self.act("open", f"FSDP::post_backward_reduce (layers.{layer})")
        work = self.collective("scatter", self.job.descriptions[0], self.group, self.job.elements, self.job.scatter_stream)
        if len(self.replicas) > 1 and is_last:
            elements = self.job.elements // len(self.group)
            work = self.collective("reduce", self.job.descriptions[1], self.replicas, elements, "replica", [work])
        self.act("close")
        return work


class ReplicatedProgram(RankProgram):
    """DDP: gradients of each bucket are reduced in the last backward pass of an accumulation."""

    def step_work(self) -> None:
        job = self.job
        reduces = self.step % job.accumulation == job.accumulation - 1
        self.act("open", "DistributedDataParallel.forward")
        for _ in range(job.layers):
            self.layer_forward()
        self.kernel("memory", 50, 2, "aten::nll_loss")
        self.act("close")
        self.thread, reductions = 2, []
        for layer in reversed(range(job.layers)):
            self.layer_backward()
            if reduces and layer % job.bucket_layers == 0:
                reductions.append(self.collective("reduce", job.descriptions[0], self.world, job.elements * job.bucket_layers, "reduce",
                                                  dtype="Float"))
        self.thread = 0
        if reduces:
            self.next_waits += reductions
            self.update_weights(parts=3)


class TensorProgram(RankProgram):
    """Tensor and sequence parallelism: activations are gathered before each block and scattered behind it."""

    def step_work(self) -> None:
        job, reductions = self.job, []
        for microbatch in range(job.accumulation):
            for _ in range(job.layers):
                self.tensor_forward()
            self.kernel("memory", 50, 2, "aten::nll_loss")
            self.thread = 2
            for _ in range(job.layers):
                self.tensor_backward()
                if microbatch == job.accumulation - 1 and len(self.replicas) > 1:
                    kind = "scatter" if job.shards_optimizer else "reduce"
                    reductions.append(self.collective(kind, job.descriptions[1], self.replicas, job.elements, "dp"))
            self.thread = 0
        self.next_waits += reductions
        self.update_weights()
        if job.shards_optimizer and len(self.replicas) > 1:
            elements = job.elements * job.layers
            self.next_waits.append(self.collective("gather", job.descriptions[1], self.replicas, elements, "dp"))
            self.kernel("memory", 8)

    def tensor_forward(self) -> None:
        gemm = self.job.gemm_us
        self.kernel("memory", 22, 1)
        self.exchange_activations("gather")
        self.kernels(("gemm", gemm), ("attention", self.job.attention_us), ("gemm", gemm * .6))
        self.exchange_activations("scatter")
        self.kernel("memory", 26, 1)
        self.exchange_activations("gather")
        self.kernels(("gemm", gemm * 1.4, 1), ("memory", 35), ("gemm", gemm * 1.2))
        self.exchange_activations("scatter")

    def tensor_backward(self) -> None:
        gemm = self.job.gemm_us
        self.backward = "_LinearWithGradAccumulationAndAsyncCommunicationBackward"
        self.exchange_activations("gather")
        self.kernels(("gemm", gemm * 1.2), ("gemm", gemm * 1.2, 2), ("memory", 40), ("gemm", gemm * 1.4))
        self.exchange_activations("scatter", beside=("gemm", gemm * 1.4, 2))
        self.kernel("memory", 30, 1)
        self.exchange_activations("gather")
        self.kernels(("gemm", gemm * .6), ("gemm", gemm * .6, 2), ("attention_backward", self.job.attention_us * 2.4), ("gemm", gemm))
        self.exchange_activations("scatter", beside=("gemm", gemm, 2))
        self.kernel("memory", 28, 1)
        self.backward = ""

    def exchange_activations(self, kind: str, beside: tuple = ()) -> None:
        """The kernel beside it runs at the same time; the one after that waits."""
        exchange = self.collective(kind, self.job.descriptions[0], self.group, self.job.activations, "tp")
        if beside:
            self.kernel(*beside)
        self.next_waits.append(exchange)


class ExpertProgram(RankProgram):
    """Mixture of experts: tokens go to their experts and back. An expert's work depends on its number of tokens."""

    def step_work(self) -> None:
        job, reductions = self.job, []
        tokens = [self.draw_tokens(layer) for layer in range(job.layers)]
        for counts in tokens:
            self.expert_forward(counts)
        self.kernel("memory", 50, 2, "aten::nll_loss")
        self.thread = 2
        for counts in reversed(tokens):
            self.expert_backward(counts)
            reductions.append(self.collective("reduce", job.descriptions[1], self.world, job.elements, "reduce"))
            if len(self.replicas) > 1:
                reductions.append(self.collective("reduce", job.descriptions[2], self.replicas, job.elements * 2, "edp"))
        self.thread = 0
        self.next_waits += reductions
        self.update_weights()

    def draw_tokens(self, layer: int) -> list[list[int]]:
        """The number of tokens from each member of the group to each. All members draw the same."""
        job, shared = self.job, Random(repr((self.job.seed, "tokens", self.step, layer, self.group[0])))
        popularity = [math.exp(shared.gauss(0, job.token_spread)) for _ in self.group]
        for fault in job.faults:
            if fault.kind == "expert" and fault.is_active(self.step):
                popularity = [share * (fault.factor if rank in fault.ranks else 1) for rank, share in zip(self.group, popularity)]
        counts = []
        for _ in self.group:
            shares = [share * math.exp(shared.gauss(0, .03)) for share in popularity]
            counts.append([int(job.tokens * share / sum(shares)) for share in shares])
        return counts

    def exchange_tokens(self, counts: list[list[int]], back: bool) -> None:
        """Takes as long as the busiest member sends or receives."""
        own = self.group.index(self.rank)
        sent, received = [count * MODEL_WIDTH for count in counts[own]], [row[own] * MODEL_WIDTH for row in counts]
        if back:
            sent, received = received, sent
        busiest = max(max(map(sum, counts)), max(map(sum, zip(*counts)))) * MODEL_WIDTH
        self.next_waits.append(self.collective("exchange", self.job.descriptions[0], self.group, busiest, "ep", sent=sum(sent),
                                               received=sum(received), splits=(str(sent), str(received))))

    def run_experts(self, counts: list[list[int]], first: float, second: float) -> None:
        share = sum(row[self.group.index(self.rank)] for row in counts) / self.job.tokens
        self.exchange_tokens(counts, back=False)
        operator = "moe::grouped_gemm"
        self.kernels(("gemm", first * share, 1, operator), ("memory", 30 * share), ("gemm", second * share, 1, operator))
        self.exchange_tokens(counts, back=True)

    def expert_forward(self, counts: list[list[int]]) -> None:
        gemm = self.job.gemm_us
        self.kernels(("memory", 22, 1), ("gemm", gemm), ("attention", self.job.attention_us), ("gemm", gemm * .6),
                     ("memory", 20, 2, "aten::topk"))
        if self.job.reads_token_counts:
            self.read_value()
        self.run_experts(counts, gemm * 2.2, gemm * 1.8)
        self.kernel("memory", 25)

    def expert_backward(self, counts: list[list[int]]) -> None:
        gemm = self.job.gemm_us
        self.backward = "AllToAllBackward"
        self.kernel("memory", 25)
        self.run_experts(counts, gemm * 3.6, gemm * 4.4)
        self.kernels(("gemm", gemm * 1.2), ("attention_backward", self.job.attention_us * 2.4), ("gemm", gemm * 2, 2))
        self.backward = ""


class ContextProgram(RankProgram):
    """Context parallelism: keys and values go round a ring of ranks while attention works on the part at hand."""

    def step_work(self) -> None:
        job, gemm, reductions = self.job, self.job.gemm_us, []
        for microbatch in range(job.accumulation):
            for _ in range(job.layers):
                self.kernels(("memory", 22, 1), ("gemm", gemm))
                self.ring_attention("attention", job.attention_us * 4)
                self.kernels(("gemm", gemm * .6), ("memory", 26), ("gemm", gemm * 1.4, 1), ("memory", 35), ("gemm", gemm * 1.2))
            self.kernel("memory", 50, 2, "aten::nll_loss")
            self.thread = 2
            for _ in range(job.layers):
                self.context_backward()
                if microbatch == job.accumulation - 1:
                    reductions.append(self.collective("reduce", job.descriptions[1], self.world, job.elements, "reduce"))
            self.thread = 0
        self.next_waits += reductions
        self.update_weights()

    def context_backward(self) -> None:
        gemm = self.job.gemm_us
        self.backward = "MmBackward0"
        for share, after in ((1.2, 40), (1.4, 0), (.6, 0)):
            self.kernels(("gemm", gemm * share), ("gemm", gemm * share, 2), *([("memory", after)] if after else []))
        self.ring_attention("attention_backward", self.job.attention_us * 9)
        self.kernels(("gemm", gemm), ("gemm", gemm, 2), ("memory", 28, 1))
        self.backward = ""

    def ring_attention(self, kind: str, duration: float) -> None:
        own, members = self.group.index(self.rank), len(self.group)
        following, previous = self.group[(own + 1) % members], self.group[own - 1]
        ready = [self.last]
        for turn in range(members):
            messages: dict[str, Work] = {}
            if turn < members - 1:
                for name in ("send", "receive") if own % 2 == 0 else ("receive", "send"):
                    ends = [self.rank, following] if name == "send" else [previous, self.rank]
                    messages[name] = self.message(name, ends, kind, ready)
            self.kernel(kind, duration / members)
            if messages:
                ready = [messages["receive"]]
                self.next_waits += ready
        self.kernel("memory", 12, 1)


PROGRAMS = {"fsdp": ShardedProgram, "hsdp": ShardedProgram, "ddp": ReplicatedProgram, "tpsp": TensorProgram, "moe": ExpertProgram,
            "cp": ContextProgram}
