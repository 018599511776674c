#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Digests a share of the traces of a run: every N-th, as one of N processes that MPI, Slurm or Kubernetes started.
# Usage: mpirun -n 64 digest_share.sh TRACES DIGESTS      (srun, or an indexed Job with SHARES set, do as well: digest_job.yaml)
set -euo pipefail
if [ $# -ne 2 ]; then
    echo "usage: mpirun -n N digest_share.sh TRACES DIGESTS" >&2
    exit 2
fi
index=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${JOB_COMPLETION_INDEX:-${SLURM_PROCID:-}}}}
shares=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SHARES:-${SLURM_NTASKS:-}}}}
if [ -z "$index" ] || [ -z "$shares" ]; then
    echo "digest_share.sh: which share this is, neither MPI, Slurm nor Kubernetes says (JOB_COMPLETION_INDEX and SHARES)" >&2
    exit 2
fi
program=$(command -v rankscope-batch || command -v rankscope)
mapfile -d '' -t traces < <(find "$1" -type f \( -name '*.json' -o -name '*.json.gz' -o -name '*.json.zst' -o -name '*.sqlite' \) -print0 | sort -zV)
status=0
for ((i = index; i < ${#traces[@]}; i += shares)); do
    "$program" --batch "${traces[$i]}" --digest "$2" --no-cache || status=$?
done
exit "$status"
