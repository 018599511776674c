# SPDX-License-Identifier: GPL-3.0-or-later
"""What a notebook shows of a run: the bar of a step with the findings, and the timeline."""
from __future__ import annotations

from html import escape
from typing import Iterable, Tuple

import pandas as pd

from .values import Finding

_COLOURS = {
    "computation_us": "#2e7d32", "exposed_communication_us": "#c62828", "waiting_us": "#ef6c00", "bubble_us": "#6a1b9a",
    "copies_us": "#1565c0", "launching_us": "#00838f", "host_us": "#8d6e63", "unrecorded_us": "#9e9e9e",
}


class Timeline:
    """The interactive timeline of report.html, as one page that loads nothing: `html`. A notebook shows it."""

    def __init__(self, html: str, height: int) -> None:
        self.html = html
        self._height = height

    def _repr_html_(self) -> str:
        page = escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:{int(self._height)}px;border:0" title="timeline"></iframe>'


def step_bar(parts: "pd.Series") -> str:
    """A bar of the parts of a step in proportion, and their names with percent."""
    total = float(parts.sum())
    if total <= 0:
        return ""
    bar, names = "", []
    for part, us in parts.items():
        percent = 100 * us / total
        if percent < 0.5:
            continue
        colour = _COLOURS.get(str(part), "#9e9e9e")
        word = escape(str(part)[: -len("_us")].replace("_", " "))
        bar += f'<div style="width:{percent:.2f}%;background:{colour}" title="{word}"></div>'
        names.append(f'<span style="color:{colour}">■</span> {word} {percent:.0f} %')
    return f'<div style="display:flex;height:1.2em">{bar}</div><p>{" ".join(names)}</p>'


def _cost(finding: Finding) -> str:
    bound = f"{finding.cost_bound.replace('_', ' ')} " if finding.cost_bound else ""
    return f"{bound}{finding.cost_us / 1000:.2f} ms"


def summary(title: str, headline: str, parts: "pd.Series", findings: Iterable[Finding]) -> str:
    """All of a run that fits a cell. Names from the trace are escaped."""
    rows: Iterable[Tuple[str, Finding]] = ((_cost(f), f) for f in findings if not f.hidden)
    listed = "".join(f"<tr><td>{cost}</td><td>{f.kind}</td><td style='text-align:left'>{escape(f.title)}</td></tr>" for cost, f in rows)
    table = f"<table><tr><th>cost</th><th>kind</th><th>finding</th></tr>{listed}</table>" if listed else ""
    return f"<h4>{escape(title)}</h4><p>{escape(headline)}</p>{step_bar(parts)}{table}"
