#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Started once for each rank: records the ranks asked for with Nsight Systems, one report each, and just runs the others.
# Usage: nsys_rank.sh FOLDER RANKS COMMAND [ARGUMENT...]     RANKS: all, or numbers such as 0,8,16
#   srun --ntasks-per-node 8 nsys_rank.sh my_run 0 python train.py        rank 0 of many
#   srun --ntasks-per-node 8 nsys_rank.sh my_run all python train.py      every rank
# Afterwards: rankscope my_run
set -euo pipefail
if [ $# -lt 3 ]; then
    echo "usage: nsys_rank.sh FOLDER RANKS COMMAND [ARGUMENT...]" >&2
    exit 2
fi
folder=$1
ranks=$2
shift 2
rank=${RANK:-${SLURM_PROCID:-${OMPI_COMM_WORLD_RANK:-}}}
if [ -z "$rank" ]; then
    echo "nsys_rank.sh: neither RANK nor SLURM_PROCID says which rank this is; start it with srun, mpirun or torchrun --no-python" >&2
    exit 1
fi
case ",$ranks," in
,all, | *",$rank,"*)
    NSYS_NAME=$rank exec "$(dirname "$0")/nsys_node.sh" "$folder" "$@"
    ;;
*)
    RANKSCOPE_KINETO=0 exec "$@"
    ;;
esac
