# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of two ranks that one can check by hand.

In each of two steps of 1000 µs, which start at 0 and 1000, a rank computes and then takes part in an all-reduce that
ends at 600 on both. Rank 0 computes from 100 to 300, rank 1 from 100 to 500: rank 0 waits 200 µs for it in each step.
"""
import json

STEPS = 2
COMPUTE_US = {0: 200, 1: 400}


def _event(name, category, pid, tid, start, duration, **args):
    return {"ph": "X", "name": name, "cat": category, "pid": pid, "tid": tid, "ts": start, "dur": duration, "args": args}


def _rank(rank, slowdown, start_us, steps):
    events = []
    for step in range(steps):
        begin = start_us + 1000 * step
        compute = int(COMPUTE_US[rank] * slowdown)
        ids = [100 * step + 1, 100 * step + 2]
        all_reduce = {"Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 2, "dtype": "Float",
                      "Process Group Name": "0", "Process Group Description": "default_pg", "Process Group Ranks": "[0, 1]"}
        events += [
            _event(f"ProfilerStep#{step}", "user_annotation", 1, 1, begin, 1000),
            _event("aten::mm", "cpu_op", 1, 1, begin + 10, 50),
            _event("cudaLaunchKernel", "cuda_runtime", 1, 1, begin + 20, 10, correlation=ids[0]),
            _event("cudaLaunchKernel", "cuda_runtime", 1, 1, begin + 80, 10, correlation=ids[1]),
            _event("gemm", "kernel", rank, 7, begin + 100, compute, correlation=ids[0], device=rank, stream=7),
            _event("ncclDevKernel_AllReduce", "kernel", rank, 20, begin + 100 + compute, 500 - compute, correlation=ids[1],
                   device=rank, stream=20, **all_reduce),
        ]
    return {"distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 2}, "traceEvents": events}


def write(folder, slowdown=1.0, start_us=5_000_000, steps=STEPS):
    """slowdown: of computation. start_us: of the first step."""
    folder.mkdir(parents=True)
    for rank in COMPUTE_US:
        (folder / f"rank{rank}.pt.trace.json").write_text(json.dumps(_rank(rank, slowdown, start_us, steps)))
    return folder
