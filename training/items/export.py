"""Writes the items model as ONNX beside the reader's file, of which it takes the embeddings and the lower layers."""

from pathlib import Path

from onnx import TensorProto, helper

from training.export import Graph, begin, layer, texts, write
from training.items.model import ItemsModel
from training.joint.export import shared
from training.model import LAYERS


def export(model: ItemsModel, path: Path, reader: Path) -> None:
    """Writes the file."""
    graph = Graph()
    x = begin(graph, model)
    for at in range(LAYERS):
        x = layer(graph, x, model.layers[at], f"layer{at + 1}")
    graph.add("Identity", [graph.plain(x, model.items, "of.items")], "items")
    outputs = [helper.make_tensor_value_info("items", TensorProto.FLOAT, [1, "tokens", 3])]
    write(graph, "items", path, texts("input_ids", "token_type_ids"), outputs, shared(graph, reader))
