#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Logs clock, power, temperature, limits and utilization of this machine's GPUs while a command runs. Once a machine.
# Usage: gpu_log.sh FOLDER COMMAND [ARGUMENT...]
#   gpu_log.sh my_run torchrun --nproc-per-node 8 train.py
# Writes FOLDER/gpu_log.HOST.csv, and with nvidia-smi FOLDER/gpu_dmon.HOST.txt (PCIe, throttling); at the end
# FOLDER/gpu_kernel.HOST.txt (errors of GPUs in the kernel's log), where the user may read that log. Put the traces into
# FOLDER as well: Rankscope finds the logs beside them. GPU_LOG_MS: milliseconds between samples (default 100).
set -euo pipefail
if [ $# -lt 2 ]; then
    echo "usage: gpu_log.sh FOLDER COMMAND [ARGUMENT...]" >&2
    exit 2
fi
folder=$1
shift
every=${GPU_LOG_MS:-100}
if [[ ! $every =~ ^[0-9]+$ ]] || [ "$every" -lt 10 ]; then
    echo "gpu_log.sh: GPU_LOG_MS is a number of milliseconds, at least 10" >&2
    exit 2
fi
host=$(uname -n)
log=$folder/gpu_log.$host.csv
mkdir -p "$folder"

# Times of these programs have no zone: Rankscope reads it here.
mark() { echo "# rankscope host=$host utc_offset=$(date +%z) $*"; }

rocm_smi_loop() {
    while :; do
        mark "time=$(date +%s.%N)"
        rocm-smi --showuse --showpower --showtemp --showclocks --csv 2>/dev/null || true
        sleep 1
    done
}

# Errors of GPUs (Xid) and of PCIe devices (AER). No file without any.
kernel_log() {
    local lines
    lines=$({ dmesg --time-format iso || journalctl -k -o short-iso --since "$started"; } 2>/dev/null |
        grep -E 'NVRM: Xid|PCIe Bus Error|AER: .* received') || return 0
    { mark; echo "$lines"; } >"$folder/gpu_kernel.$host.txt"
}
started=$(date '+%F %T')

loggers=()
if command -v nvidia-smi >/dev/null; then
    fields=timestamp,index,uuid,pci.bus_id,name,pstate,clocks.sm,clocks.max.sm,clocks.mem,clocks_throttle_reasons.active,power.draw,power.limit
    fields+=,temperature.gpu,temperature.memory,utilization.gpu,utilization.memory,memory.used
    fields+=,pcie.link.gen.current,pcie.link.width.current,ecc.errors.corrected.volatile.total,ecc.errors.uncorrected.volatile.total
    mark >"$log"
    nvidia-smi --query-gpu="$fields" --format=csv -lms "$every" >>"$log" 2>&1 &
    loggers+=($!)
    mark >"$folder/gpu_dmon.$host.txt"
    nvidia-smi dmon -s pucvmet -d 1 -o DT >>"$folder/gpu_dmon.$host.txt" 2>&1 &
    loggers+=($!)
elif command -v amd-smi >/dev/null; then
    mark >"$log"
    amd-smi metric -p -c -t -u -w 1 --csv >>"$log" 2>&1 &
    loggers+=($!)
elif command -v rocm-smi >/dev/null; then
    rocm_smi_loop >"$log" 2>&1 &
    loggers+=($!)
else
    echo "gpu_log.sh: no nvidia-smi, amd-smi or rocm-smi on PATH: the command runs without a log" >&2
    exec "$@"
fi

trap 'kill "${loggers[@]}" 2>/dev/null || true; kernel_log' EXIT
"$@"
