"""Draws a chart that our own code has described, as SVG and as PNG."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import vl_convert

from softrail.plans.child.faults import Refused, one_line

SCALE: Final = 2.0  #: points of a PNG for each of the SVG


#: As simple as a chart can be: whoever has drawn it has loaded all that drawing needs.
_SIMPLEST: Final = json.dumps(
    {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": "-",
        "data": {"values": [{"x": "a", "y": 1}]},
        "mark": "bar",
        "encoding": {"x": {"field": "x", "type": "nominal"}, "y": {"field": "y", "type": "quantitative"}},
    }
)


def make_ready() -> None:
    """Load the engine and the letters, which takes longer than a chart."""
    vl_convert.svg_to_png(vl_convert.vegalite_to_svg(_SIMPLEST, allowed_base_urls=[]), scale=SCALE)


def draw(folder: Path, job: Mapping[str, Any]) -> Mapping[str, Any]:
    """Write the picture into the folder; the names of its files. Nothing is fetched for it. Raises Refused."""
    specification = json.dumps(job["specification"])
    try:
        svg = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
        png = vl_convert.svg_to_png(svg, scale=SCALE)  # the same to the byte, without computing it once more
    except ValueError as error:
        raise Refused("failed", f"The chart cannot be drawn. {one_line(error)}") from error
    (folder / "chart.svg").write_text(svg, encoding="utf-8")
    (folder / "chart.png").write_bytes(png)
    return {"svg": "chart.svg", "png": "chart.png"}
