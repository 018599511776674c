# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the Kineto traces of jobs of collective_jobs.py beside the true costs of their faults."""
import gzip
import json
import os
from random import Random

import generator
from collective_families import PROGRAMS
from collective_jobs import CollectiveJob
from collective_machine import GPUS_PER_NODE, Action, Call, Machine, Rank, Work, node_of, step_time

HIP_CALLS = {"cudaDeviceSynchronize": "hipDeviceSynchronize", "cudaStreamSynchronize": "hipStreamSynchronize"}
# The calls that launch each kind of work; all others launch with the last one.
LAUNCH_CALLS = {
    False: {"copy": "cudaMemcpyAsync", "gemm": "cudaLaunchKernelExC", "communication": "cudaLaunchKernelExC", "": "cudaLaunchKernel"},
    True: {"copy": "hipMemcpyAsync", "gemm": "hipExtModuleLaunchKernel", "communication": "hipExtLaunchKernel", "": "hipLaunchKernel"},
}
DEVICE = {"totalGlobalMem": 85029158912, "computeMajor": 9, "computeMinor": 0, "maxThreadsPerBlock": 1024, "warpSize": 32,
          "maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "sharedMemPerBlock": 49152, "numSms": 132}
GRID = {"registers per thread": 128, "shared memory": 49152, "blocks per SM": 1.0, "warps per SM": 8.0, "grid": [132, 1, 1],
        "block": [256, 1, 1], "est. achieved occupancy %": 12}
NAMED_RANKS = 30  # PyTorch shortens longer lists of ranks


class Run(Machine):
    def __init__(self, job: CollectiveJob):
        super().__init__([PROGRAMS[job.family](job, rank).build() for rank in range(job.world)], job.slow_down)
        self.job = job
        self.execute()


class CollectiveTraceWriter(generator.EventWriter):
    """Writes one compressed file for each rank, as PyTorch does on NVIDIA or AMD GPUs. All GPUs of a node have one clock."""

    def __init__(self, run: Run, folder: str):
        job = run.job
        draw = Random(repr((job.seed, "clocks")))
        clocks = [(draw.uniform(-1, 1) * job.clock_skew_us, draw.uniform(-1, 1) * job.clock_drift_ppm * 1e-6)
                  for _ in range(node_of(job.world - 1) + 1)]
        nodes = [node_of(rank) for rank in range(job.world)]
        super().__init__(folder, [clocks[node][0] for node in nodes], [clocks[node][1] for node in nodes])
        self.job, self.ranks = job, run.ranks
        self.external = 0
        self.group_names: dict[tuple, str] = {}
        for rank in self.ranks:
            for work in rank.work:
                if work.call:
                    self.group_names.setdefault((work.call.description, tuple(work.call.group)), str(len(self.group_names)))

    def write(self) -> None:
        for rank in self.ranks:
            self.write_rank(rank)
        if self.job.card:
            self.write_card()

    def write_rank(self, rank: Rank) -> None:
        self.rank, self.process, self.device = rank.number, 31000 + rank.number * 7, rank.number % GPUS_PER_NODE
        self.correlation, self.external, self.events = 5000 + rank.number * 10, 1, []
        for action in rank.actions:
            if action.end > rank.recording_start and action.name:
                self.write_action(action)
        for work in rank.work:
            if work.host_start >= rank.recording_start:
                self.write_work(work)
        self.events.sort(key=lambda event: event["ts"])
        for process, label in ((self.process, "CPU"), (self.device, f"GPU {self.device}")):
            for name, arguments in (("process_name", {"name": "python3"}), ("process_labels", {"labels": label})):
                self.events.append({"name": name, "ph": "M", "ts": self.events[0]["ts"], "pid": process, "tid": 0, "args": arguments})
        with gzip.open(os.path.join(self.folder, f"rank{rank.number}.pt.trace.json.gz"), "wt", compresslevel=1) as file:
            file.write(json.dumps(self.document(rank.number)))

    def document(self, rank: int) -> dict:
        distributed = {"backend": "nccl", "rank": rank, "world_size": self.job.world, "pg_count": len(self.group_names),
                       "nccl_version": "2.21.5"}
        if self.job.records_groups:
            distributed["pg_config"] = [
                {"pg_name": name, "pg_desc": description, "backend_config": "cuda:nccl", "pg_size": len(ranks), "ranks": list(ranks)}
                for (description, ranks), name in self.group_names.items() if rank in ranks]
        document = {
            "schemaVersion": 1, "deviceProperties": [{"id": device, "name": self.job.gpu, **DEVICE} for device in range(GPUS_PER_NODE)],
            "distributedInfo": distributed, "displayTimeUnit": "ms", "baseTimeNanoseconds": 1711964646000000000,
            "traceName": f"/tmp/rank{rank}.json", "traceEvents": self.events}
        return {**document, "hostname": f"node{node_of(rank)}"} if self.job.records_host_names else document

    def host_event(self, category: str, name: str, thread: int, start: float, end: float, arguments: dict | None = None) -> None:
        self.external += 1
        numbers = {"External id": self.external, "Record function id": 0, "Ev Idx": self.external}
        self.event(category, name, self.process, self.process + thread, start, end, {**numbers, **(arguments or {})})

    def runtime_call(self, name: str, thread: int, start: float, end: float) -> None:
        self.correlation += 1
        arguments = {"External id": self.external, "cbid": 211, "correlation": self.correlation}
        self.event("cuda_runtime", name, self.process, self.process + thread, start, end, arguments)

    def write_action(self, action: Action) -> None:
        if action.kind == "wait":
            name = HIP_CALLS[action.name] if self.job.amd else action.name
            self.runtime_call(name, action.thread, action.start, action.end)
        else:
            self.host_event(action.category, action.name, action.thread, action.start, action.end)

    def write_work(self, work: Work) -> None:
        start, end, thread = work.host_start, work.host_end, work.thread
        arguments = self.call_arguments(work.call) if work.call else {}
        if work.backward:
            self.host_event("cpu_op", f"autograd::engine::evaluate_function: {work.backward}", thread, start, end)
        self.host_event("cpu_op", work.operator, thread, start + .2, end - .2)
        operator = self.external
        if work.call:
            self.host_event("user_annotation", f"nccl:{work.call.annotation}", thread, start + .4, end - .4)
            self.host_event("cpu_op", "record_param_comms", thread, start + .6, end - .6, arguments)
        launches = LAUNCH_CALLS[self.job.amd]
        self.runtime_call(launches.get(work.kind, launches[""]), thread, work.launch_start, work.launch_end)
        self.flow("s", self.process, self.process + thread, work.launch_start)
        category = "gpu_memcpy" if work.kind == "copy" else "kernel"
        self.event(category, work.name, self.device, work.stream, work.start, work.end, self.gpu_arguments(work, operator) | arguments)
        self.flow("f", self.device, work.stream, work.start, bp="e")

    def gpu_arguments(self, work: Work, operator: int) -> dict:
        arguments: dict = {"device": self.device, "stream": work.stream, "correlation": self.correlation}
        if work.kind == "copy":
            arguments["bytes"] = work.size
        if self.job.amd:
            return {**arguments, "kind": "HtoD" if work.kind == "copy" else "Dispatch Kernel"}
        arguments.update({"External id": operator, "context": 1})
        if work.kind == "copy":
            return {**arguments, "memory bandwidth (GB/s)": work.size / max(1e-3, work.end - work.start) / 1e3}
        return {**arguments, "queued": 0, **GRID}

    def call_arguments(self, call: Call) -> dict:
        ranks = ", ".join(map(str, call.group))
        if len(call.group) > NAMED_RANKS:
            ranks = ", ".join(map(str, call.group[:NAMED_RANKS - 1])) + f", ..., {call.group[-1]}"
        arguments = {
            "Collective name": call.name, "In msg nelems": call.sent, "Out msg nelems": call.received, "Group size": len(call.group),
            "dtype": call.dtype, "In split size": call.splits[0], "Out split size": call.splits[1],
            "Process Group Name": self.group_names[call.description, tuple(call.group)],
            "Process Group Description": call.description, "Process Group Ranks": f"[{ranks}]"}
        if call.is_message and self.job.names_peers:
            arguments.update({"Src Rank": call.members[0], "Dst Rank": call.members[1]})
        return arguments

    def write_card(self) -> None:
        sizes = {"dp_replicate": 1, "dp_shard": 1, "tp": 1, "pp": 1, "pp_mb": 1, "ep": 1, "cp": 1} | self.job.card
        plan = ", ".join(f"{name}: {size}" for name, size in sizes.items())
        with open(os.path.join(self.folder, "workload_card.yaml"), "w", encoding="utf-8") as file:
            file.write(f"workload:\n  model:\n    phase: training\n  hardware:\n    xpu_spec: {{type: GPU, model: {self.job.gpu}, "
                       f"total_count: {self.job.world}}}\nModel-executor:\n  model_plan_parallelization: {{{plan}}}\n")


def write_run(job: CollectiveJob, folder: str) -> generator.Truth:
    """Writes the traces of the job into the existing folder, and says what its faults cost."""
    return generator.write_run(job, folder, Run, step_time, CollectiveTraceWriter)
