"""Writes the trained model as ONNX that multiplies bytes, made for one query and one message at a time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training.model import HEADS, LAYERS, ReaderModel

MICROSOFT = "com.microsoft"
EPSILON = 1e-12
MIDDLE = 128  #: the byte that stands for nothing in what is multiplied
LARGEST = 127  #: the most that one stands for on either side
LOW = 20  #: the byte that stands for nothing in what comes from a Gelu
GELU = 0.17  #: which is never further below nothing than that


class Embedded(Protocol):
    """A model with the embeddings of BERT."""

    words: torch.nn.Embedding
    places: torch.nn.Embedding
    types: torch.nn.Embedding
    norm: torch.nn.LayerNorm


class Graph:
    """Collects nodes and weights."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def keep(self, name: str, array: NDArray[np.generic]) -> str:
        """A weight by name."""
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, inputs: list[str], output: str, domain: str = "", **settings: object) -> str:
        """A node with one output, whose name is returned."""
        self.nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **settings))
        return output

    def linear(self, x: str, name: str, *parts: torch.nn.Linear, bent: bool = False) -> str:
        """Matrices side by side in bytes, one scale for each output, and their bias; multiplied with bytes, too.

        Bytes without a sign by bytes with one, as processors multiply them fastest; `softrail.inference` sees to it that
        the products are the same on every one. `bent` is said of what comes from a Gelu.
        """
        weight = np.concatenate([part.weight.detach().numpy().T for part in parts], axis=1)
        nothing = "low" if bent else "middle"
        rows = self.rounded(x, nothing)
        scale = np.maximum(np.abs(weight).max(axis=0), 1e-8) / LARGEST
        rounded = np.clip(np.round(weight / scale), -LARGEST, LARGEST)
        self.keep(f"{name}.bytes", rounded.astype(np.int8))
        self.keep(f"{name}.scale", scale.astype(np.float32))
        self.keep(f"{name}.bias", np.concatenate([part.bias.detach().numpy() for part in parts]))
        # No name for their nothing, which is 0: where onnxruntime takes them without a sign, it makes one for each.
        self.add("MatMulInteger", [rows, f"{name}.bytes", nothing], f"{name}.whole")
        self.add("Cast", [f"{name}.whole"], f"{name}.float", to=TensorProto.FLOAT)
        # Not the two scales with each other first: onnxruntime takes that for the scale of a whole matrix.
        self.add("Mul", [f"{name}.float", f"{name}.scale"], f"{name}.scaled")
        self.add("Mul", [f"{name}.scaled", f"{x}.scale"], f"{name}.product")
        return self.add("Add", [f"{name}.product", f"{name}.bias"], f"{name}.sum")

    def rounded(self, x: str, nothing: str) -> str:
        """What a matrix is multiplied with, in bytes, one scale for each token; what a Gelu gives is hardly below 0."""
        size = x if nothing == "low" else self.add("Abs", [x], f"{x}.size")
        self.add("ReduceMax", [size], f"{x}.most", axes=[-1], keepdims=1)
        self.add("Div", [f"{x}.most", f"{nothing}.above"], f"{x}.step")
        self.add("Max", [f"{x}.step", f"{nothing}.least"], f"{x}.scale")
        self.add("Reshape", [f"{x}.scale", "flat"], f"{x}.scales")
        return self.add("QuantizeLinear", [x, f"{x}.scales", f"{nothing}.all"], f"{x}.bytes", axis=1)

    def split(self, x: str, count: int, name: str) -> list[str]:
        """What stands side by side, one by one."""
        parts = [f"{name}.part{at}" for at in range(count)]
        self.nodes.append(helper.make_node("Split", [x], parts, axis=-1))
        return parts

    def plain(self, x: str, part: torch.nn.Linear, name: str) -> str:
        """A small matrix as it is, and its bias."""
        self.keep(f"{name}.weight", part.weight.detach().numpy().T.copy())
        self.keep(f"{name}.bias", part.bias.detach().numpy())
        self.add("MatMul", [x, f"{name}.weight"], f"{name}.product")
        return self.add("Add", [f"{name}.product", f"{name}.bias"], f"{name}.sum")

    def norm(self, x: str, skip: str, part: torch.nn.LayerNorm, name: str) -> str:
        """The norm of a sum."""
        gain, shift = (
            self.keep(f"{name}.gain", part.weight.detach().numpy()),
            self.keep(f"{name}.shift", part.bias.detach().numpy()),
        )
        return self.add("SkipLayerNormalization", [x, skip, gain, shift], name, MICROSOFT, epsilon=EPSILON)

    def rows(self, part: torch.nn.Embedding, at: str, name: str) -> str:
        """Rows of a table in bytes, unfolded after they are looked up."""
        table = part.weight.detach().numpy()
        scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-8) / 127
        self.keep(f"{name}.int8", np.clip(np.round(table / scale), -127, 127).astype(np.int8))
        self.keep(f"{name}.scale", scale.astype(np.float32))
        self.add("Gather", [f"{name}.int8", at], f"{name}.found")
        self.add("Cast", [f"{name}.found"], f"{name}.float", to=TensorProto.FLOAT)
        self.add("Gather", [f"{name}.scale", at], f"{name}.scales")
        return self.add("Mul", [f"{name}.float", f"{name}.scales"], name)


def export(model: ReaderModel, path: Path) -> None:
    """Writes the file."""
    graph = Graph()
    x = begin(graph, model)
    for at in range(LAYERS):
        x = layer(graph, x, model.layers[at], f"layer{at + 1}")
    _heads(graph, x, model)
    outputs = [
        helper.make_tensor_value_info("points", TensorProto.FLOAT, [1, "tokens", 2]),
        helper.make_tensor_value_info("marks", TensorProto.FLOAT, [1, model.marks.out_features]),
    ]
    write(graph, "reader", path, texts("input_ids", "token_type_ids"), outputs, graph.weights)


def texts(*names: str) -> list[onnx.ValueInfoProto]:
    """Inputs that are numbers of tokens."""
    return [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "tokens"]) for name in names]


def write(
    graph: Graph,
    name: str,
    path: Path,
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    weights: Sequence[onnx.TensorProto],
) -> None:
    """Writes the nodes as a model of that name."""
    made = helper.make_graph(graph.nodes, name, inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    path.write_bytes(helper.make_model(made, opset_imports=opsets, ir_version=8).SerializeToString())


def export_products(path: Path) -> None:
    """Writes the products by which `softrail.inference` tries a processor."""
    graph = Graph()
    graph.keep("weights", np.tile(np.array([LARGEST, -LARGEST], dtype=np.int8), (64, 8)))
    graph.add("MatMulInteger", ["rows", "weights"], "sums")
    made = helper.make_graph(
        graph.nodes,
        "products",
        [helper.make_tensor_value_info("rows", TensorProto.UINT8, ["rows", 64])],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, ["rows", 16])],
        graph.weights,
    )
    path.write_bytes(
        helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    )


def begin(graph: Graph, model: Embedded, *, pair: bool = True) -> str:
    """The embeddings of tokens, places and types, and what all nodes need; returns their sum.

    Without `pair` there is one text, whose type is always the same.
    """
    for name, array in (
        ("zero", np.array(0)),
        ("one", np.array(1)),
        ("axis", np.array([1])),
        ("first", np.array(0)),
    ):
        graph.keep(name, array.astype(np.int64))
    for name, array in (
        ("middle", np.array(MIDDLE, dtype=np.uint8)),
        ("middle.above", np.array(LARGEST, dtype=np.float32)),
        ("middle.least", np.array(1e-8, dtype=np.float32)),
        ("low", np.array(LOW, dtype=np.uint8)),
        ("low.above", np.array(255 - LOW, dtype=np.float32)),
        ("low.least", np.array(GELU / LOW, dtype=np.float32)),
        ("flat", np.array([-1])),
    ):
        graph.keep(name, array)
    graph.add("Shape", ["input_ids"], "shape")
    graph.add("Gather", ["shape", "one"], "length")
    graph.add("Reshape", ["length", "flat"], "length.flat")
    graph.add("Range", ["zero", "length", "one"], "positions")
    for nothing in ("middle", "low"):
        graph.add("Expand", [nothing, "length.flat"], f"{nothing}.all")
    types = model.types.weight.detach().numpy()
    if pair:
        graph.keep("types.table", types)
        graph.add("Gather", ["types.table", "token_type_ids"], "types")
    else:
        graph.keep("types", types[0].copy())
    words, places = (
        graph.rows(model.words, "input_ids", "words"),
        graph.rows(model.places, "positions", "places"),
    )
    graph.add("Add", [places, "types"], "settings")
    graph.add("Add", [words, "settings"], "said")
    graph.keep("norm.gain", model.norm.weight.detach().numpy())
    graph.keep("norm.shift", model.norm.bias.detach().numpy())
    return graph.add(
        "LayerNormalization", ["said", "norm.gain", "norm.shift"], "layer0", axis=-1, epsilon=EPSILON
    )


def layer(graph: Graph, x: str, part: torch.nn.Module, name: str) -> str:
    all_three = graph.linear(x, f"{name}.all", part.query, part.key, part.value)
    asked, keys, values = graph.split(all_three, 3, name)
    seen = graph.add(
        "MultiHeadAttention", [asked, keys, values], f"{name}.attended", MICROSOFT, num_heads=HEADS
    )
    middle = graph.norm(graph.linear(seen, f"{name}.out", part.out), x, part.norm1, f"{name}.middle")
    bent = graph.add("Gelu", [graph.linear(middle, f"{name}.wide", part.wide)], f"{name}.bent", MICROSOFT)
    return graph.norm(graph.linear(bent, f"{name}.narrow", part.narrow, bent=True), middle, part.norm2, name)


def _heads(graph: Graph, x: str, model: ReaderModel) -> None:
    graph.add("Identity", [graph.plain(x, model.points, "pointed")], "points")
    graph.add("Cast", ["token_type_ids"], "said.flat", to=TensorProto.FLOAT)
    graph.keep("last", np.array([2], dtype=np.int64))
    graph.add("Unsqueeze", ["said.flat", "last"], "said.mask")
    graph.add("Mul", [x, "said.mask"], "said.tokens")
    graph.add("ReduceSum", ["said.tokens", "axis"], "said.sum", keepdims=0)
    graph.add("ReduceSum", ["said.flat", "axis"], "said.count", keepdims=1)
    graph.add("Div", ["said.sum", "said.count"], "said.mean")
    graph.add("Gather", [x, "first"], "whole", axis=1)
    graph.add("Concat", ["whole", "said.mean"], "both", axis=-1)
    bent = graph.add("Gelu", [graph.plain("both", model.bend, "bend")], "bent", MICROSOFT)
    graph.add("Identity", [graph.plain(bent, model.marks, "marked")], "marks")
