"""Writes the joint model as ONNX beside the reader's file, of which it takes the embeddings and the lower layers."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from softrail.reader.learned.marks import ACTS
from training.export import MICROSOFT, Graph, begin, layer, texts, write
from training.joint.model import POINTED, SHARED, JointModel
from training.model import LAYERS

_LEAST = 10_000  #: bytes of a weight that is not written twice


def export(model: JointModel, path: Path, reader: Path) -> None:
    """Writes the file; `reader` is the file of the reader beside it, whose bytes stay where they are."""
    graph = Graph()
    x = begin(graph, model)
    for at in range(LAYERS):
        x = layer(graph, x, model.layers[at], f"layer{at + 1}")
    _heads(graph, x, model)
    inputs = [
        *texts("input_ids", "token_type_ids"),
        helper.make_tensor_value_info("fields", TensorProto.INT64, ["fields"]),
    ]
    outputs = [
        helper.make_tensor_value_info("marks", TensorProto.FLOAT, ["fields", 4]),
        helper.make_tensor_value_info("starts", TensorProto.FLOAT, ["fields", "tokens"]),
        helper.make_tensor_value_info("ends", TensorProto.FLOAT, ["fields", "tokens"]),
        helper.make_tensor_value_info("acts", TensorProto.FLOAT, [1, len(ACTS)]),
    ]
    write(graph, "joint", path, inputs, outputs, shared(graph, reader))


def shared(graph: Graph, reader: Path) -> list[onnx.TensorProto]:
    """The weights, of which those that are the reader's stand in its file."""
    bytes_of = reader.read_bytes()
    theirs = {w.name: w for w in onnx.load(str(reader)).graph.initializer}
    lower = ("words.", "places.", *(f"layer{at + 1}." for at in range(SHARED)))
    kept = []
    for weight in graph.weights:
        own = theirs.get(weight.name)
        if own is None or not weight.name.startswith(lower) or len(own.raw_data) < _LEAST:
            kept.append(own if own is not None and weight.name.startswith(lower) else weight)
            continue
        at = bytes_of.find(own.raw_data)
        assert at >= 0
        assert bytes_of.find(own.raw_data, at + 1) < 0
        told = onnx.TensorProto()
        told.name, told.data_type = own.name, own.data_type
        told.dims.extend(own.dims)
        told.data_location = TensorProto.EXTERNAL
        for key, value in (
            ("location", reader.name),
            ("offset", str(at)),
            ("length", str(len(own.raw_data))),
        ):
            told.external_data.add(key=key, value=value)
        kept.append(told)
    return kept


def _heads(graph: Graph, x: str, model: JointModel) -> None:
    graph.keep("row", np.array([0], dtype=np.int64))
    graph.add("Squeeze", [x, "row"], "tokens")
    graph.add("Gather", ["tokens", "fields"], "each", axis=0)
    bent = graph.add("Gelu", [graph.plain("each", model.bend, "bend")], "each.bent", MICROSOFT)
    graph.add("Identity", [graph.plain(bent, model.marks, "marked")], "marks")
    seeks = graph.plain("each", model.seeks, "seeks")
    found = graph.plain("tokens", model.found, "found")
    graph.keep("pointed", np.array(POINTED**-0.5, dtype=np.float32))
    graph.add("Mul", [seeks, "pointed"], "seeks.scaled")
    seek, look = graph.split("seeks.scaled", 2, "seek"), graph.split(found, 2, "look")
    for at, name in enumerate(("starts", "ends")):
        graph.add("Transpose", [look[at]], f"{name}.turned", perm=[1, 0])
        graph.add("MatMul", [seek[at], f"{name}.turned"], name)
    graph.keep("last", np.array([2], dtype=np.int64))
    graph.add("Cast", ["token_type_ids"], "said.flat", to=TensorProto.FLOAT)
    graph.add("Unsqueeze", ["said.flat", "last"], "said.mask")
    graph.add("Mul", [x, "said.mask"], "said.tokens")
    graph.add("ReduceSum", ["said.tokens", "axis"], "said.sum", keepdims=0)
    graph.add("ReduceSum", ["said.flat", "axis"], "said.count", keepdims=1)
    graph.add("Div", ["said.sum", "said.count"], "said.mean")
    graph.add("Gather", [x, "first"], "whole", axis=1)
    graph.add("Concat", ["whole", "said.mean"], "both", axis=-1)
    graph.add("Identity", [graph.plain("both", model.does, "does")], "acts")
