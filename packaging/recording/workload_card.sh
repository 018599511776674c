#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints a workload card filled from the environment. What is not known is left out: Rankscope then says which metric needs it.
# Usage: workload_card.sh > my_run/workload_card.yaml
# Read: DESCRIPTION PHASE MODEL_FAMILY PRECISION NUM_PARAMS NUM_LAYERS NUM_HEADS HEAD_DIM BATCH_SIZE SEQ_LEN FRAMEWORK
#       DP_REPLICATE DP_SHARD TP PP CP EP MICROBATCHES, the number of ranks as torchrun or Slurm give it, and every NCCL_, RCCL_ variable.
set -euo pipefail

quoted() { printf "'%s'" "$(printf %s "$1" | tr '\n' ' ' | sed "s/'/''/g")"; }

field() { # INDENTATION KEY VARIABLE
    [ -z "${!3:-}" ] || printf '%*s%s: %s\n' "$1" '' "$2" "$(quoted "${!3}")"
}
number() { # INDENTATION KEY VALUE
    [[ ! ${3:-} =~ ^[0-9]+$ ]] || printf '%*s%s: %s\n' "$1" '' "$2" "$3"
}

gpu=
if command -v nvidia-smi >/dev/null; then
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 || true)
elif command -v rocm-smi >/dev/null; then
    gpu=$(rocm-smi --showproductname 2>/dev/null | sed -n 's/.*Card [Ss]eries:[[:space:]]*//p' | head -n 1 || true)
fi
GPU_MODEL=${GPU_MODEL:-$gpu}
PHASE=${PHASE:-training}
FRAMEWORK=${FRAMEWORK:-torch}

echo "version: 1"
field 0 description DESCRIPTION
echo "workload:"
echo "  model:"
field 4 phase PHASE
field 4 model_family MODEL_FAMILY
field 4 precision PRECISION
echo "    model_arch:"
for pair in num_params:NUM_PARAMS num_layers:NUM_LAYERS num_heads:NUM_HEADS head_dim:HEAD_DIM; do
    name=${pair#*:}
    number 6 "${pair%%:*}" "${!name:-}"
done
echo "  data:"
number 4 batch_size "${BATCH_SIZE:-}"
number 4 seq_len "${SEQ_LEN:-}"
echo "  hardware:"
echo "    xpu_spec:"
echo "      type: GPU"
field 6 model GPU_MODEL
number 6 total_count "${WORLD_SIZE:-${SLURM_NTASKS:-}}"
number 6 count_per_node "${LOCAL_WORLD_SIZE:-${SLURM_NTASKS_PER_NODE:-}}"
echo "Model-executor:"
echo "  framework:"
field 4 name FRAMEWORK
echo "  model_plan_parallelization:"
for pair in dp_replicate:DP_REPLICATE dp_shard:DP_SHARD tp:TP pp:PP cp:CP ep:EP pp_mb:MICROBATCHES; do
    name=${pair#*:}
    number 4 "${pair%%:*}" "${!name:-}"
done
echo "  communication_library:"
echo "    env:"
while IFS= read -r variable; do
    field 6 "$variable" "$variable"
done < <(compgen -e | grep -E '^(NCCL|RCCL)_[A-Za-z0-9_]+$' | LC_ALL=C sort)
