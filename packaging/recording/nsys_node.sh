#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Records all ranks of one machine with Nsight Systems, as one report.
# Usage: nsys_node.sh FOLDER COMMAND [ARGUMENT...]
#   nsys_node.sh my_run torchrun --nproc-per-node 8 train.py
# Afterwards: rankscope my_run. With NSYS_RANGE=cudaProfilerApi only what lies between cudaProfilerStart and cudaProfilerStop is recorded.
set -euo pipefail
if [ $# -lt 2 ]; then
    echo "usage: nsys_node.sh FOLDER COMMAND [ARGUMENT...]" >&2
    exit 2
fi
folder=$1
shift
if ! command -v nsys >/dev/null; then
    echo "nsys_node.sh: no nsys on PATH; it comes with Nsight Systems" >&2
    exit 1
fi
mkdir -p "$folder"

# Nodes of graphs, or compute and communication cannot be told apart. The export is what Rankscope reads without nsys.
options=("--trace=cuda,nvtx" --cuda-graph-trace=node --sample=none --cpuctxsw=none --force-overwrite=true --export=sqlite)
if [ -n "${NSYS_RANGE:-}" ]; then
    options+=("--capture-range=$NSYS_RANGE" --capture-range-end=stop)
fi
# nsys and torch.profiler both need CUPTI: only one of them records.
export RANKSCOPE_KINETO=0
exec nsys profile "${options[@]}" --output="$folder/nsys_${NSYS_NAME:-0}" "$@"
