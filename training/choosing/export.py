"""Writes the choosing model as ONNX that multiplies bytes, made for one question and one message at a time."""

from pathlib import Path

import numpy as np
from onnx import TensorProto, helper

from softrail.reader.learned.choosing import NOTHING
from training.choosing.learn import LENGTH, ChoosingModel
from training.export import MICROSOFT, Graph, begin, layer, texts, write
from training.joint.export import shared
from training.model import LAYERS


def export(model: ChoosingModel, path: Path, reader: Path) -> None:
    """Writes the file; of the reader's, beside it, it takes the embeddings and the lower layers."""
    graph = Graph()
    x = begin(graph, model)
    for at in range(LAYERS):
        x = layer(graph, x, model.layers[at], f"layer{at + 1}")
    _heads(graph, x, model)
    inputs = [
        *texts("input_ids", "token_type_ids"),
        helper.make_tensor_value_info("where", TensorProto.FLOAT, ["parts", "tokens"]),
    ]
    outputs = [
        helper.make_tensor_value_info("nothing", TensorProto.FLOAT, [1, len(NOTHING)]),
        helper.make_tensor_value_info("meant", TensorProto.FLOAT, ["options", 1]),
    ]
    write(graph, "choosing", path, inputs, outputs, shared(graph, reader))


def _heads(graph: Graph, x: str, model: ChoosingModel) -> None:
    for name, array in (
        ("row", np.array([0])),
        ("second", np.array([1])),
        ("end", np.array([np.iinfo(np.int64).max])),
    ):
        graph.keep(name, array.astype(np.int64))
    graph.keep("wide", np.array(LENGTH, dtype=np.float32))
    graph.keep("wide.squared", np.array(LENGTH**2, dtype=np.float32))
    graph.keep("alike", model.alike.detach().numpy().astype(np.float32))
    graph.add("Squeeze", [x, "row"], "tokens")
    graph.add("LpNormalization", ["tokens"], "tokens.turned", axis=-1, p=2)
    graph.add("MatMul", ["where", "tokens.turned"], "parts.sum")
    graph.add("LpNormalization", ["parts.sum"], "parts", axis=-1, p=2)
    graph.add("Slice", ["parts", "row", "second", "row"], "message")
    graph.add("Slice", ["parts", "second", "end", "row"], "options")
    graph.add("Mul", ["options", "message"], "options.message")
    graph.add("ReduceSum", ["options.message", "second"], "cosine", keepdims=1)
    graph.add("Shape", ["options"], "options.shape")
    graph.add("Expand", ["message", "options.shape"], "message.each")
    graph.add("Sub", ["options", "message"], "apart")
    graph.add("Abs", ["apart"], "apart.size")
    for name in ("options", "message.each", "apart.size"):
        graph.add("Mul", [name, "wide"], f"{name}.long")
    graph.add("Mul", ["options.message", "wide.squared"], "options.message.long")
    graph.add(
        "Concat",
        ["options.long", "message.each.long", "apart.size.long", "options.message.long"],
        "beside.both",
        axis=-1,
    )
    bent = graph.add("Gelu", [graph.plain("beside.both", model.beside, "beside")], "beside.bent", MICROSOFT)
    more = graph.plain(bent, model.meant, "more")
    graph.add("Mul", ["cosine", "alike"], "cosine.loud")
    graph.add("Add", ["cosine.loud", more], "meant")
    graph.add("Gather", [x, "first"], "whole", axis=1)
    graph.add("Mul", ["message", "wide"], "message.long")
    graph.add("Concat", ["whole", "message.long"], "whole.both", axis=-1)
    graph.add("Identity", [graph.plain("whole.both", model.nothing, "untold")], "nothing")
