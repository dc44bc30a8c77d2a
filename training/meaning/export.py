"""Writes the sentence encoder as ONNX.

A text's vector is made of the directions of the last two layers' tokens, the marks at either end left out; that of the
last but one layer counts `BEFORE`.
"""

from pathlib import Path

import numpy as np
from onnx import TensorProto, helper

import softrail.classifier
from training.export import Graph, begin, layer, texts, write
from training.model import LAYERS, WIDTH, ReaderModel

FILE = Path(softrail.classifier.__file__).parent / "minilm" / "minilm-l6-v2-w8.onnx"
BEFORE = 0.7


def export(model: ReaderModel, path: Path) -> None:
    """Writes the file; of the model only the embeddings and the layers are taken."""
    graph = Graph()
    x = begin(graph, model, pair=False)
    for name, value in (("inner.first", 1), ("inner.last", -1), ("inner.axis", 1)):
        graph.keep(name, np.array([value], dtype=np.int64))
    graph.keep("before", np.array(BEFORE, dtype=np.float32))
    layers = [x]
    for at in range(LAYERS):
        layers.append(layer(graph, layers[-1], model.layers[at], f"layer{at + 1}"))
    last, before = (_direction(graph, x) for x in (layers[-1], layers[-2]))
    graph.add("Mul", [before, "before"], "weighted")
    graph.add("Concat", [last, "weighted"], "both", axis=-1)
    graph.add("LpNormalization", ["both"], "vector", axis=-1, p=2)
    outputs = [helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, 2 * WIDTH])]
    write(graph, "encoder", path, texts("input_ids"), outputs, graph.weights)


def _direction(graph: Graph, x: str) -> str:
    """The mean of the tokens' directions, of length one."""
    graph.add("Slice", [x, "inner.first", "inner.last", "inner.axis"], f"{x}.inner")
    graph.add("LpNormalization", [f"{x}.inner"], f"{x}.directions", axis=-1, p=2)
    graph.add("ReduceMean", [f"{x}.directions"], f"{x}.mean", axes=[1], keepdims=0)
    return graph.add("LpNormalization", [f"{x}.mean"], f"{x}.unit", axis=-1, p=2)
