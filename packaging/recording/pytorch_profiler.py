# SPDX-License-Identifier: GPL-3.0-or-later
"""A torch.profiler that leaves what Rankscope reads: one file per rank, with collective arguments, shapes and memory.

    from pytorch_profiler import rankscope_profiler

    with rankscope_profiler("my_run") as prof:
        for batch in loader:
            train_step(batch)
            prof.step()

Afterwards: rankscope my_run. Without a folder's name $RANKSCOPE_TRACE_DIR says where; sweep.sh and slurm_job.sbatch set it.
RANKSCOPE_KINETO=0 records nothing, for a run under nsys (both need CUPTI). RANKSCOPE_EXECUTION_TRACE=1 adds torch_et_<rank>.json.
"""
import os


class _NoProfiler:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def step(self):
        pass


def rankscope_profiler(folder=None, wait=5, warmup=2, active=3):
    """Skips `wait` steps, warms up, then records `active` steps."""
    if os.environ.get("RANKSCOPE_KINETO", "1") == "0":
        return _NoProfiler()
    from torch.profiler import ProfilerActivity, profile, schedule

    folder = folder or os.environ.get("RANKSCOPE_TRACE_DIR", "my_run")
    rank = int(os.environ.get("RANK", os.environ.get("SLURM_PROCID", "0")))
    os.makedirs(folder, exist_ok=True)
    extra = {}
    if os.environ.get("RANKSCOPE_EXECUTION_TRACE", "0") == "1":
        from torch.profiler import ExecutionTraceObserver

        observer = ExecutionTraceObserver()
        observer.register_callback(f"{folder}/torch_et_{rank}.json")
        extra["execution_trace_observer"] = observer
    return profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],  # CUDA stands for ROCm as well
        schedule=schedule(wait=wait, warmup=warmup, active=active, repeat=1),
        record_shapes=True,  # shapes, and the collectives' sizes and groups
        profile_memory=True,
        on_trace_ready=lambda prof: prof.export_chrome_trace(f"{folder}/rank{rank}_trace.json.gz"),
        **extra,
    )
