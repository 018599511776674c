# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that fail today, and why. An entry whose check passes is itself a failure, so that the list only shrinks."""

IN_MICROSECONDS = "by a limit in microseconds some kernels are not compared beside communication; 2 % of one cost"
EXPECTED_FAILURES: dict[tuple[str, str], str] = {
    ("50 us before each launch", "trace_diff"): "one kernel waits for nothing that is recorded, and keeps its distance; 16 of 27 ms are told",
    ("20 us before each launch", "dlrm"): "1.80 of 2.27 ms: a part is told as the late start of another rank",
    ("50 us before each launch", "h200"): "0.57 of 0.41 ms: some of it is what this rank's host takes longer in the unchanged run",
    ("products x 1.3 in the second step", "h200"): "1.84 of 2.08 ms: the smaller of two estimates counts",
    ("all times doubled", "h200"): IN_MICROSECONDS,
    ("all times doubled", "trace_diff"): IN_MICROSECONDS,
    ("all times doubled", "dlrm"): "the cost of calls that wait for the GPU grows by a third only",
    ("all files written twice", "trace_diff"): "nodes of captured graphs, which are no events, count twice in the name of a graph",
    ("marks of steps dropped", "rccl"): "exposed communication costs four times as much of the steps that repetitions show",
    ("marks of steps dropped", "dlrm"): "without the late start, small differences of other ranks' hosts are told",
    ("recorded twice", "rccl"): "the host's pause between the two counts as what its steps need, so that communication costs less",
    ("recorded twice", "dlrm"): "the late start of the only step is told as the host's when it comes again",
}
