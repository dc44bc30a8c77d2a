"""Draws a chart that our own code has described, as SVG and as PNG."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import vl_convert

from softrail.plans.child.faults import Refused, one_line

SCALE: Final = 2.0  #: points of a PNG for each of the SVG


def draw(folder: Path, job: Mapping[str, Any]) -> Mapping[str, Any]:
    """Write the picture into the folder; the names of its files. Nothing is fetched for it. Raises Refused."""
    specification = json.dumps(job["specification"])
    try:
        svg = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
        png = vl_convert.vegalite_to_png(specification, scale=SCALE, allowed_base_urls=[])
    except ValueError as error:
        raise Refused("failed", f"The chart cannot be drawn. {one_line(error)}") from error
    (folder / "chart.svg").write_text(svg, encoding="utf-8")
    (folder / "chart.png").write_bytes(png)
    return {"svg": "chart.svg", "png": "chart.png"}
