#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Real runs with known faults, on a machine with one GPU, PyTorch and nothing else: record.sh OUT [SECONDS], or record.sh OUT smoke.
# Starts no new launch after SECONDS (default 330). Leaves at most eight files in OUT, each under 16 MiB: small.tar.xz (times, logs, snapshots, hang, JAX) and the traces in bins, one .tar.xz a case.
# CUDA's Multi-Process Service, where it can be started, gives each process a fixed share of the multiprocessors, as if each had a small GPU of its own. Without it the processes take turns.
set -u
here=$(cd "$(dirname "$0")" && pwd); out=$1; limit=${2:-330}; work=$(mktemp -d); mkdir -p "$out" "$work/small"
nvidia-smi --query-gpu=timestamp,index,uuid,name,pstate,clocks.sm,clocks.mem,clocks_throttle_reasons.active,power.draw,power.limit,temperature.gpu,utilization.gpu,memory.used,pcie.link.gen.current,pcie.link.width.current --format=csv -lms 100 >"$work/small/smi.csv" 2>&1 & smi=$!
nvidia-smi dmon -s pucvmet -d 1 -o DT >"$work/small/dmon.txt" 2>&1 & dmon=$!
control=$(command -v nvidia-cuda-mps-control || find /usr/local/nvidia /usr/bin /usr/local/cuda* /opt -name nvidia-cuda-mps-control 2>/dev/null | head -n 1)
mps=none
if [[ -n $control ]]; then
    export CUDA_MPS_PIPE_DIRECTORY=$work/mps CUDA_MPS_LOG_DIRECTORY=$work/mps; PATH=$PATH:$(dirname "$control"); mkdir -p "$work/mps"
    if "$control" -d && CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=25 timeout 40 python3 -c 'import torch; print("multiprocessors of one process:", torch.cuda.get_device_properties(0).multi_processor_count); torch.ones(9).cuda().sum().item()'; then
        export CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=22; mps=on
    else echo quit | "$control"; cat "$work"/mps/*.log | tail -n 20; unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY; fi
fi
echo "Multi-Process Service: ${control:-not installed}, $mps, $SECONDS s"
backend=nccl; port=29511
launch() { # NAME CASES SECONDS [PASSES]
    (( SECONDS < limit )) || { echo "no time left for $1"; return 1; }
    port=$((port + 1)); local start=$SECONDS
    timeout -k 5 "$3" python3 "$here/record.py" "$work/$1" "$2" --backend $backend --port $port --passes "${4:-2}" >"$work/small/$1.log" 2>&1; local rc=$?
    echo "== $1: rc $rc, $((SECONDS - start)) s"; if (( rc )); then grep -v Warning "$work/small/$1.log" | tail -n 25 | cut -c 1-300; else grep -E 'timed|recorded' "$work/small/$1.log"; fi; return $rc
}
if [[ $limit == smoke ]]; then
    limit=100; launch smoke healthy,host_sleep 60 1 || { backend=gloo; launch smoke_gloo healthy,host_sleep 60 1; }
    grep -hE 'NCCL version|Channel|via' "$work"/smoke*/nccl.txt 2>/dev/null | head -n 12
else
    robust() { launch "$@" || { sleep 6; rm -rf "${work:?}/$1"; launch "$@"; }; }
    robust host healthy,host_sleep,sync,loader_stall,pause 75 3
    robust data healthy,gc,more_tokens,unfused,big_copy,big_bucket 60 1 # in a second pass their allocations hung the shared GPU, twice
    robust stages pipeline,slow_stage 60 3
    [[ $mps == on ]] && robust slow slow_gpu 45 3
    robust channel one_channel 45 3
    robust memory snapshot,template 50
    launch hung hang 45
    (( SECONDS < limit )) && timeout 60 python3 "$here/jax_trace.py" "$work/small/jax" >"$work/small/jax.log" 2>&1; echo "jax: $?"
fi
kill $smi $dmon
[[ $mps == on ]] && echo quit | "$control"
python3 - "$work" "$out" "$mps" <<'P'
import concurrent.futures, glob, json, lzma, os, shutil, sys, tarfile, io
work, out, mps = sys.argv[1:4]
for f in glob.glob(f"{work}/*/truth.*.json") + glob.glob(f"{work}/*/nccl.txt"):
    launch = f.split("/")[-2]; shutil.copy(f, f"{work}/small/{launch}.{os.path.basename(f)}")
for d in glob.glob(f"{work}/*/hang"): shutil.copytree(d, f"{work}/small/hang", dirs_exist_ok=True); shutil.rmtree(d)
open(f"{work}/small/mps.txt", "w").write(mps + "\n")
def pack(args):
    name, folder = args
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as t: t.add(folder, name)
    return name, lzma.compress(data.getvalue(), preset=6), len(data.getvalue())
todo = [("small", f"{work}/small")] + [(f"{d.split('/')[-3]}.{d.split('/')[-2]}", d.rstrip("/")) for d in sorted(glob.glob(f"{work}/*/*/")) if not d.startswith(f"{work}/small") and not d.startswith(f"{work}/mps")]
with concurrent.futures.ProcessPoolExecutor(14) as pool: packed = list(pool.map(pack, todo))
bins = [[] for _ in range(7)]; room = [15 << 20] * 7
for name, data, raw in sorted(packed, key=lambda p: -len(p[1])):
    if name == "small": open(f"{out}/small.tar.xz", "wb").write(data); print("small", raw, len(data)); continue
    fits = [b for b in range(7) if room[b] > len(data) + 2048]
    print(name, raw, len(data), "" if fits else "LEFT OUT")
    if fits: b = max(fits, key=lambda b: room[b]); bins[b].append((name, data)); room[b] -= len(data) + 2048
for b, content in enumerate(bins):
    if content:
        with tarfile.open(f"{out}/bin{b}.tar", "w") as t:
            for name, data in content: i = tarfile.TarInfo(f"{name}.tar.xz"); i.size = len(data); t.addfile(i, io.BytesIO(data))
P
ls -l "$out"; echo "$SECONDS s"
rm -rf "$work"
