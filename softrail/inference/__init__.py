"""Runs the small models that come with the package: ONNX files, one thread, no network.

They multiply bytes without a sign by bytes with one. Processors with instructions for that (VNNI, AMX, the dot products of
ARM) sum the products in 32 bits; the others sum pairs of them in 16 first, which is fast and wrong where they do not fit. Which
of both this processor does is tried once; where it is wrong, the weights are taken as bytes without a sign: slower, and the
same products. So a model gives the same numbers everywhere, and is two to three times faster where it can be.
onnxruntime and numpy are imported when the first model is loaded.
"""

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Any, Final

_UNSIGNED: Final = "session.x64quantprecision"  #: weights as bytes without a sign, on x86
#: 2 x 64 bytes without a sign, by 64 x 16 with one: 127 in even columns, -127 in odd ones. Written by `training/export.py`.
_PRODUCTS: Final = "products.onnx"
_LARGEST: Final = 255 * 127 * 64  #: what 255 everywhere must come to in an even column


def session(folder: Traversable, name: str) -> Any:
    """A model that computes on the thread that asks it."""
    return _open(folder, name, {} if multiplies_exactly() else {_UNSIGNED: "1"})


@cache
def multiplies_exactly() -> bool:
    """Whether bytes without a sign by bytes with one give all of their sum on this processor."""
    import numpy as np

    rows = np.full((2, 64), 255, dtype=np.uint8)
    [sums] = _open(files("softrail.inference"), _PRODUCTS, {}).run(["sums"], {"rows": rows})
    return bool((sums[:, ::2] == _LARGEST).all() and (sums[:, 1::2] == -_LARGEST).all())


def _open(folder: Traversable, name: str, entries: Mapping[str, str]) -> Any:
    # Elsewhere than on Windows, too, it would keep a number of this machine in a file, and send what is used from a thread.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    onnxruntime: Any = import_module("onnxruntime")  # it ships no types

    options = onnxruntime.SessionOptions()
    # One thread: more gain nothing at the median for one short message and cost the tail, and other turns need the cores.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    for key, value in entries.items():
        options.add_session_config_entry(key, value)
    with as_file(folder) as models:  # beside each other: one may take layers from the other's file
        return onnxruntime.InferenceSession(str(models / name), options, providers=["CPUExecutionProvider"])
