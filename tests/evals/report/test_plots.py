"""Plots as SVG inside a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from inforce.evals.report.plots import Series, bars, heat_map
from inforce.scoring.estimate import Estimate

SERIES = [Series("react", [Estimate(0.5, 0.25, 0.75, 8), None]), Series("$x_1$ <b>", [0.25, 1.0])]

DRAWN: dict[str, Callable[[], str]] = {
    "bars": lambda: bars(["盗窃 & 诈骗", "2-hop"], SERIES, axis="success"),
    "horizontal bars": lambda: bars(["react\n1.2 s", "法律"], SERIES, is_horizontal=True),
    "heat map": lambda: heat_map(["react", "$x_1$ <b>"], ["2019", "法律"], [[0.1, None], [1, 0.9]]),
}


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [
        "".join(one.itertext()).strip() for one in root.iter("{http://www.w3.org/2000/svg}text")
    ]


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN.keys())
def test_the_same_values_give_the_same_bytes(draw: Callable[[], str]) -> None:
    assert draw() == draw()


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN.keys())
def test_a_plot_runs_nothing_and_loads_nothing(draw: Callable[[], str]) -> None:
    svg = draw()
    names = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
    assert not names & {"script", "image", "style", "foreignObject", "a", "metadata"}
    addresses = re.findall(r'(?:href|src)="([^"]*)"|url\(([^)]*)\)', svg)
    assert all("".join(one).startswith("#") for one in addresses)


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN.keys())
def test_labels_stay_text_and_are_no_formula(draw: Callable[[], str]) -> None:
    assert "$x_1$ <b>" in texts(draw())


def test_chinese_labels_stay_for_the_readers_fonts() -> None:
    assert "盗窃 & 诈骗" in texts(DRAWN["bars"]())


def test_a_heat_map_writes_what_was_measured_and_leaves_the_rest_empty() -> None:
    shown = texts(heat_map(["a"], ["2019", "2020", "2021"], [[0.126, None, 0.0]]))
    assert [one for one in shown if re.fullmatch(r"\d\.\d\d", one)] == ["0.13", "0.00"]


def bars_drawn(svg: str) -> int:
    return svg.count("fill: #2f5d9e")


def test_what_was_not_measured_has_no_bar() -> None:
    drawn = [bars_drawn(bars(["a", "b"], [Series("s", values)])) for values in ([1, 1], [1, None])]
    assert drawn == [2, 1]
