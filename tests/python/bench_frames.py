# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a million kernels take as a DataFrame, and how much memory: bench_frames.py [KERNELS]. No test."""
import pathlib
import resource
import sys
import tempfile
import time

import rankscope as rs


def write_run(folder, count):
    folder.mkdir()
    with open(folder / "rank0.json", "w", encoding="utf-8") as file:
        file.write('{"traceEvents":[')
        for i in range(count):
            comma = "," if i else ""
            file.write(f'{comma}{{"ph":"X","cat":"kernel","name":"void gemm_kernel_{i % 500}<float, 128, 64>(int, float*)",'
                       f'"pid":0,"tid":{7 + i % 4},"ts":{10 * i},"dur":{1 + i % 30},"args":{{"correlation":{i + 1}}}}}')
        file.write("]}")
    return folder


def timed(what, work):
    begin = time.perf_counter()
    result = work()
    print(f"{what}: {time.perf_counter() - begin:.2f} s")
    return result


def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = write_run(pathlib.Path(folder) / "run", count)
        run = timed("open", lambda: rs.open(path, cache=False, progress=False))
        before = peak_mb()
        kernels = timed(f"run.kernels, {count} rows", lambda: run.kernels)
        grown = peak_mb() - before
        size = kernels.memory_usage(deep=False).sum() / 2**20
        print(f"columns: {size:.0f} MB; peak above the run's memory: {grown:.0f} MB, {grown / size:.1f} x")
        timed("four columns by sql()", lambda: run.sql("select rank, name, start_ns, dur_ns from kernel"))
        timed("events() of a stream", lambda: run.events(rank=0, lane="stream 7"))


if __name__ == "__main__":
    main()
