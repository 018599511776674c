#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command once for each setting of environment variables and leaves one run folder per setting, to be compared.
# Usage: sweep.sh FOLDER NAME[,NAME...] "VALUE[,VALUE...] ..." COMMAND [ARGUMENT...]
#   sweep.sh runs NCCL_ALGO "Ring Tree" torchrun --nproc-per-node 8 train.py
#   sweep.sh runs RCCL_WARP_SPEED_CU_COUNT,RCCL_THREADS_PER_BLOCK "56,256 37,384 32,512" torchrun --nproc-per-node 8 train.py
# The first setting is the baseline. The command finds its folder in $RANKSCOPE_TRACE_DIR; rankscope_profiler() uses it.
set -euo pipefail
if [ $# -lt 4 ]; then
    echo 'usage: sweep.sh FOLDER NAME[,NAME...] "VALUE[,VALUE...] ..." COMMAND [ARGUMENT...]' >&2
    exit 2
fi
folder=$1
IFS=, read -r -a names <<<"$2"
IFS=' ' read -r -a settings <<<"$3"
shift 3
for name in "${names[@]}"; do
    if [[ ! $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]]; then
        echo "sweep.sh: $name is not the name of a variable" >&2
        exit 2
    fi
done
here=$(cd "$(dirname "$0")" && pwd)

# All settings are checked before the first one runs for hours.
for setting in "${settings[@]}"; do
    IFS=, read -r -a values <<<"$setting"
    if [ ${#values[@]} -ne ${#names[@]} ]; then
        echo "sweep.sh: $setting has ${#values[@]} values for ${#names[@]} names" >&2
        exit 2
    fi
done

runs=()
failed=0
for setting in "${settings[@]}"; do
    IFS=, read -r -a values <<<"$setting"
    label=
    assignments=()
    for i in "${!names[@]}"; do
        assignments+=("${names[i]}=${values[i]}")
        label+=${label:+_}${names[i]}=${values[i]//\//-}
    done
    run=$folder/$label
    mkdir -p "$run"
    echo "sweep.sh: ${assignments[*]}" >&2
    env "${assignments[@]}" "$here/workload_card.sh" >"$run/workload_card.yaml"
    if env "${assignments[@]}" RANKSCOPE_TRACE_DIR="$(realpath "$run")" "$@"; then
        runs+=("$run")
    else
        echo "sweep.sh: the command failed with ${assignments[*]}; going on" >&2
        failed=1
    fi
done
[ ${#runs[@]} -eq 0 ] || printf 'rankscope%s\n' "$(printf ' %q' "${runs[@]}")"
exit $failed
