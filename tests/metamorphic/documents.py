# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program says of a run, and how two such documents differ."""
import json
import re
import subprocess
import tempfile
from pathlib import Path

from traces import Run

NOT_COMPARED = {"path", "name", "run", "file", "version", "accounting", "config", "role"}
NUMBER = re.compile(r"(?<![A-Za-z_#\d.])\d+(?:[.,]\d+)*")


class Program:
    def __init__(self, path: str) -> None:
        self.path = path

    def document(self, run: Run, *options: str) -> dict:
        with tempfile.TemporaryDirectory(prefix="rankscope_metamorphic_") as folder:
            run.write(Path(folder) / "run")
            command = [self.path, "--batch", folder + "/run", "--json", "--no-cache", "--quiet", "--jobs", "1", *options]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        return json.loads(done.stdout)


def run_of(document: dict) -> dict:
    return document["runs"][0]


def findings(document: dict) -> list[dict]:
    return document["findings"]


def sentences(document: dict) -> list[str]:
    """All that is said in words."""
    run = run_of(document)
    texts = [run.get("summary", "")] + run.get("judged", {}).get("not_judged", [])
    texts += [finding["title"] for finding in findings(document)] + [notice["message"] for notice in run["notices"]]
    texts += strings(run.get("facts", {}))
    return [text for text in texts if text]


def strings(value) -> list[str]:
    if isinstance(value, str):
        return [value] if " " in value else []
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in values for text in strings(each)]


def step_us(document: dict) -> float:
    """Of the step that sentences name, as the shares of findings tell."""
    for finding in findings(document):
        if finding["share_of_step"] > 0:
            return finding["cost_us_per_step"] / finding["share_of_step"]
    return 1000 * run_of(document)["metrics"]["iter_time"].get("value", 0)


def leaves(value, path: tuple = ()):
    """Pairs of a path and what stands there. A list of ranks' rows goes by the numbers of ranks."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NOT_COMPARED and not key.startswith("compat_"):  # what other tools make of the order in the file
                yield from leaves(inner, path + (key,))
    elif isinstance(value, list) and value and all(isinstance(row, dict) and isinstance(row.get("rank"), int) for row in value) and \
            len({row["rank"] for row in value}) == len(value):
        for row in value:
            yield from leaves({key: inner for key, inner in row.items() if key != "rank"}, path + (f"rank {row['rank']}",))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, path + (i,))
    else:
        yield path, value


def compared_part(document: dict) -> dict:
    return {"job": run_of(document), "findings": findings(document)}


def words_and_numbers(text: str) -> tuple[str, list[float]]:
    return NUMBER.sub("#", text), [float(number.replace(",", "")) for number in NUMBER.findall(text)]


def is_near(a, b, share: float, absolute: float) -> bool:
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a == b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= absolute + share * max(abs(a), abs(b))
    if isinstance(a, str) and isinstance(b, str) and share > 0:
        (words_a, numbers_a), (words_b, numbers_b) = words_and_numbers(a), words_and_numbers(b)
        # What a sentence says is rounded to three or four digits, shares to whole per cents.
        return words_a == words_b and all(abs(x - y) <= max(1, .01 * max(x, y)) if x == int(x) and x <= 100 else
                                          abs(x - y) <= (share + .006) * max(x, y) for x, y in zip(numbers_a, numbers_b))
    return a == b


def differences(before: dict, after: dict, share: float = 1e-6, absolute: float = .002, may_differ=lambda path: False) -> list[str]:
    """Of two documents, or parts of them. share, absolute: what numbers may differ by."""
    old, new = dict(leaves(before)), dict(leaves(after))
    found = []
    for path in list(old) + [path for path in new if path not in old]:
        if may_differ(path):
            continue
        a, b = old.get(path, "nothing"), new.get(path, "nothing")
        if not is_near(a, b, share, absolute):
            found.append(f"{'.'.join(map(str, path))}: {a!r} became {b!r}")
    return found
