#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts recordings of record.py to some of their steps and compresses them: trim.py RUN OUT FIRST LAST (steps from 0, both kept)."""
import json, subprocess, sys
from pathlib import Path


def trim(trace, first, last):
    events = trace["traceEvents"]
    steps = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep#"))
    begin, end = steps[first][0], steps[last][1] + 200  # us
    kept = []
    for e in events:
        if e.get("ph") == "M":
            kept.append(e)
        elif e.get("cat") == "Trace":  # the window of the recording
            kept.append(e | {"ts": begin, "dur": end - begin} if "dur" in e else e | {"ts": min(max(e["ts"], begin), end)})
        elif begin <= e["ts"] and e["ts"] + e.get("dur", 0) <= end:
            kept.append(e)
    return trace | {"traceEvents": kept}


if __name__ == "__main__":
    run, out, first, last = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    out.mkdir(parents=True, exist_ok=True)
    for file in sorted(run.glob("rank*.json")):
        text = json.dumps(trim(json.loads(file.read_text()), first, last), separators=(",", ":"))
        subprocess.run(["zstd", "-19", "-q", "-f", "-o", out / f"{file.stem}.json.zst"], input=text.encode(), check=True)
