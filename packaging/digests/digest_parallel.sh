#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Digests the traces of a run with GNU parallel: on this machine, or on those of a file with one host a line.
# Usage: digest_parallel.sh TRACES DIGESTS [HOSTS]      (with HOSTS: both folders are reachable there by the same path)
set -euo pipefail
if [ $# -lt 2 ]; then
    echo "usage: digest_parallel.sh TRACES DIGESTS [HOSTS]" >&2
    exit 2
fi
traces=$(realpath "$1")
digests=$(realpath -m "$2")
program=$(command -v rankscope-batch || command -v rankscope)
hosts=()
[ $# -lt 3 ] || hosts=(--sshloginfile "$3")
find "$traces" -type f \( -name '*.json' -o -name '*.json.gz' -o -name '*.json.zst' -o -name '*.sqlite' \) -print0 |
    parallel --null --halt never --jobs 25% "${hosts[@]}" "$(basename "$program")" --batch {} --digest "$digests" --jobs 4 --no-cache
