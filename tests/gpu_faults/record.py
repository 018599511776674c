#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a small job of four processes on one GPU, healthy and with known faults. Times each run without a profiler, then records each.

    record.py OUT CASE[,CASE...] [--backend nccl|gloo] [--passes 2] [--port 29511]

OUT/truth.<rank>.json   per case and pass: ms of each timed step, by CUDA events and by the host's clock; ms of each recorded step by the host's clock
OUT/<case>/rank<r>.json torch.profiler's trace; with case `snapshot` also memory.<r>.pickle, with case `hang` flight.<r>.pickle and stack.<r>.txt

The fault is on rank 2 (FAULTY), except where the case says that it is on all ranks.
"""
import argparse, faulthandler, gc, json, os, pickle, sys, threading, time
from datetime import timedelta
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule

FAULTY, WORLD = 2, 4
WIDTH, TOKENS, LAYERS, REPEATS, MICROBATCHES = 1024, 16384, 8, 6, 8
CYCLE = 7  # a fault that is in some steps is in the same ones of each cycle
CASES = {
    "healthy": "no fault",
    "more_tokens": "rank 2 gets 5/4 of the tokens",
    "unfused": "rank 2 computes GELU by single operators",
    "host_sleep": "the host of rank 2 is busy for 2 ms before each of 8 layers",
    "sync": "rank 2 calls torch.cuda.synchronize() after each layer",
    "loader_stall": "the data loader of rank 2 takes 30 ms longer in steps 3, 4 and 6 of 7",
    "pause": "the host of rank 2 sleeps for 50 ms in step 4 of 7",
    "gc": "rank 2 runs Python's garbage collection in each step",
    "big_copy": "rank 2 copies 128 MB from pageable memory in each step",
    "big_bucket": "all ranks: one bucket of gradients instead of several",
    "pipeline": "no fault; a pipeline of four stages, GPipe",
    "slow_stage": "the pipeline's stage 2 has twice the layers",
    "snapshot": "no fault; memory snapshots of ranks 0 and 1",
    "template": "no fault; recorded by packaging/recording/pytorch_profiler.py",
    "slow_gpu": "rank 2 has fewer multiprocessors (set by the caller, for a whole launch)",
    "one_channel": "all ranks: NCCL uses one channel (set by the caller, for a whole launch)",
    "hang": "rank 2 does not come to step 5",
}


class Block(nn.Module):
    def __init__(self, unfused=False):
        super().__init__()
        self.inner, self.unfused = nn.Linear(WIDTH, WIDTH, bias=False), unfused

    def forward(self, x):
        for _ in range(REPEATS):
            x = self.inner(x)
            x = 0.5 * x * (1 + torch.erf(x * 0.70710678)) if self.unfused else torch.nn.functional.gelu(x)
        return x


class Inputs(torch.utils.data.Dataset):
    def __init__(self, slow, tokens):
        self.slow, self.tokens = slow, tokens

    def __len__(self):
        return 100000

    def __getitem__(self, n):
        if self.slow and n % CYCLE in (3, 4, 6):
            time.sleep(0.03)
        return torch.ones(self.tokens, 1)


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def data_parallel(rank, case):
    """Returns step(n) of a data-parallel job."""
    faulty = rank == FAULTY
    tokens = TOKENS * 5 // 4 if case == "more_tokens" and faulty else TOKENS

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.ModuleList(Block(case == "unfused" and faulty) for _ in range(LAYERS))

        def forward(self, x):
            for block in self.blocks:
                if case == "host_sleep" and faulty:
                    spin(0.002)
                x = block(x)
                if case == "sync" and faulty:
                    torch.cuda.synchronize()
            return x.float().square().mean()

    model = nn.parallel.DistributedDataParallel(Model().cuda().bfloat16(), device_ids=[0], bucket_cap_mb=200 if case == "big_bucket" else 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, foreach=True)
    loader = iter(torch.utils.data.DataLoader(Inputs(case == "loader_stall" and faulty, tokens), batch_size=None, num_workers=0))
    junk = [[i] for i in range(20000)] if case == "gc" and faulty else None
    big = torch.zeros(32 << 20) if case == "big_copy" and faulty else None

    def step(n):
        x = next(loader).cuda(non_blocking=True).bfloat16().expand(-1, WIDTH).contiguous()
        if case == "pause" and faulty and n % CYCLE == 4:
            time.sleep(0.05)
        if junk is not None:
            gc.collect()
        if big is not None:
            big.cuda()
        optimizer.zero_grad(set_to_none=True)
        loss = model(x)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def pipeline(rank, case):
    """Returns step(n) of a pipeline of WORLD stages, all forward passes first (GPipe)."""
    layers = LAYERS // 2 * (2 if case == "slow_stage" and rank == FAULTY else 1)
    stage = nn.Sequential(*(Block() for _ in range(layers))).cuda().bfloat16()
    optimizer = torch.optim.AdamW(stage.parameters(), lr=1e-6, foreach=True)
    shape = (TOKENS // MICROBATCHES, WIDTH)

    def step(n):
        optimizer.zero_grad(set_to_none=True)
        kept = []
        for m in range(MICROBATCHES):
            x = torch.ones(shape, device="cuda", dtype=torch.bfloat16)
            if rank > 0:
                dist.recv(x, rank - 1)
            x.requires_grad_(True)
            with record_function(f"Forward {m}"):
                y = stage(x)
            kept.append((x, y))
            if rank < WORLD - 1:
                dist.send(y.detach(), rank + 1)
        for m, (x, y) in enumerate(kept):
            grad = torch.ones_like(y)
            if rank < WORLD - 1:
                dist.recv(grad, rank + 1)
            with record_function(f"Backward {m}"):
                y.backward(grad)
            if rank > 0:
                dist.send(x.grad, rank - 1)
        optimizer.step()
        return x.grad.sum().item()

    return step


def make_step(rank, case):
    gc.collect()
    torch.manual_seed(1)
    step = (pipeline if case in ("pipeline", "slow_stage") else data_parallel)(rank, case)
    for n in range(CYCLE):
        step(n)
    torch.cuda.synchronize()
    gc.collect()
    dist.barrier()
    return step


def timed(rank, case, steps):
    """ms of each step, without a profiler. The first interval is dropped, so that whole cycles are timed."""
    step, marks, host = make_step(rank, case), [], []
    for n in range(CYCLE, CYCLE + steps + 2):
        mark = torch.cuda.Event(enable_timing=True)
        mark.record()
        marks.append(mark)
        host.append(time.perf_counter())
        step(n)
    torch.cuda.synchronize()
    return {"gpu_ms": [round(x.elapsed_time(y), 4) for x, y in zip(marks, marks[1:])][1:],
            "host_ms": [round(1e3 * (y - x), 4) for x, y in zip(host, host[1:])][1:]}


def recorded(rank, case, out, steps):
    """Records `steps` steps and returns their ms by the host's clock, with the profiler running."""
    folder = f"{out}/{case}"
    os.makedirs(folder, exist_ok=True)
    step, host = make_step(rank, case), []
    if case == "snapshot" and rank < 2:
        torch.cuda.memory._record_memory_history(max_entries=20000)
    if case == "template":
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../packaging/recording"))
        os.environ["RANKSCOPE_EXECUTION_TRACE"] = "1"
        from pytorch_profiler import rankscope_profiler
        recorder, steps = rankscope_profiler(folder, wait=1, warmup=1, active=3), 4
    else:
        recorder = profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], schedule=schedule(wait=0, warmup=1, active=steps, repeat=1), record_shapes=True, with_flops=True,
                           with_stack=case == "gc", profile_memory=case == "snapshot", on_trace_ready=lambda p: p.export_chrome_trace(f"{folder}/rank{rank}.json"))
    with recorder as p:
        for n in range(CYCLE, CYCLE + steps + 1):
            host.append(time.perf_counter())
            step(n)
            host[-1] = 1e3 * (time.perf_counter() - host[-1])
            p.step()
    torch.cuda.synchronize()
    if case == "snapshot" and rank < 2:
        torch.cuda.memory._dump_snapshot(f"{folder}/memory.{rank}.pickle")
        torch.cuda.memory._record_memory_history(enabled=None)
    return [round(ms, 4) for ms in host[1:]]


def hang(rank, out):
    """Rank 2 never enters step 5. After a while every rank writes its flight recorder and its stacks."""
    folder = f"{out}/hang"
    os.makedirs(folder, exist_ok=True)
    step = make_step(rank, "healthy")

    def report():
        time.sleep(10)
        with open(f"{folder}/stack.{rank}.txt", "w") as f:
            faulthandler.dump_traceback(f, all_threads=True)
        with open(f"{folder}/flight.{rank}.pickle", "wb") as f:
            f.write(torch._C._distributed_c10d._dump_nccl_trace())
        os._exit(0)

    threading.Thread(target=report, daemon=True).start()
    for n in range(5):
        step(n)
    if rank == FAULTY:
        time.sleep(60)
    step(5)


def worker(rank, a):
    os.environ.update(RANK=str(rank), LOCAL_RANK="0", WORLD_SIZE=str(WORLD), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(a.port), NCCL_HOSTID=f"host{rank}", NCCL_SOCKET_IFNAME="lo",
                      GLOO_SOCKET_IFNAME="lo", NCCL_IB_DISABLE="1", NCCL_P2P_DISABLE="1", NCCL_SHM_DISABLE="1", TORCH_NCCL_TRACE_BUFFER_SIZE="2000", TORCH_FR_BUFFER_SIZE="2000")
    cases = a.cases.split(",")
    if "slow_gpu" in cases:
        os.environ["CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"] = "15" if rank == FAULTY else "22"
    if "one_channel" in cases:
        os.environ["NCCL_MAX_NCHANNELS"] = "1"
    if rank == 0 and cases[0] == "healthy":
        os.environ.update(NCCL_DEBUG="INFO", NCCL_DEBUG_FILE=f"{a.out}/nccl.txt")
    torch.cuda.set_device(0)
    torch.set_num_threads(2)
    dist.init_process_group(a.backend, rank=rank, world_size=WORLD, timeout=timedelta(seconds=20), device_id=torch.device("cuda", 0))
    if "snapshot" not in cases:
        # A cudaMalloc of one process waits for the kernels of all processes of the Multi-Process Service, also for a collective that waits for this process: none later.
        torch.empty(10 << 30, dtype=torch.uint8, device="cuda")
    if cases == ["hang"]:
        hang(rank, a.out)
    truth = {"rank": rank, "backend": a.backend, "torch": torch.__version__, "nccl": ".".join(map(str, torch.cuda.nccl.version())), "gpu": torch.cuda.get_device_name(),
             "multiprocessors": torch.cuda.get_device_properties(0).multi_processor_count, "mps_percent": os.environ.get("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"), "timed": {}, "recorded_ms": {}}

    def write():
        with open(f"{a.out}/truth.{rank}.json", "w") as f:
            json.dump(truth, f)

    def say(text):
        if rank == FAULTY:
            print(f"{time.perf_counter() - begin:6.1f} s  {text}", flush=True)

    begin = time.perf_counter()
    for number in range(a.passes):
        for case in [c for c in (cases if number % 2 == 0 else cases[::-1]) if c not in ("snapshot", "template")]:
            result = timed(rank, case, 3 * CYCLE)
            truth["timed"].setdefault(case, []).append(result)
            say(f"timed {case}: {sum(result['gpu_ms']) / len(result['gpu_ms']):.3f} ms by events, {sum(result['host_ms']) / len(result['host_ms']):.3f} ms by the host")
            write()
    for case in cases:
        truth["recorded_ms"][case] = recorded(rank, case, a.out, CYCLE if case != "gc" else 3)
        say(f"recorded {case}: {sum(truth['recorded_ms'][case]) / len(truth['recorded_ms'][case]):.3f} ms")
        write()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("cases")
    parser.add_argument("--backend", default="nccl", choices=["nccl", "gloo"])
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--port", type=int, default=29511)
    arguments = parser.parse_args()
    unknown = set(arguments.cases.split(",")) - set(CASES)
    if unknown:
        parser.error(f"unknown case: {', '.join(sorted(unknown))}")
    os.makedirs(arguments.out, exist_ok=True)
    mp.spawn(worker, args=(arguments,), nprocs=WORLD, join=True)
