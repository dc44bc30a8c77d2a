"""The model: MiniLM over query and message, a start and an end for each word, and the acts of the whole."""

from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor, nn

from softrail.reader.learned.marks import ACTS

WIDTH, HEADS, INNER, LAYERS = 384, 12, 1536, 6
OUTPUTS = len(ACTS) + 1  #: the acts, and whether there is a value


class Layer(nn.Module):
    """One layer of BERT, norm after."""

    def __init__(self, drop: float) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.wide = nn.Linear(WIDTH, INNER)
        self.narrow = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(drop)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        n, t, _ = x.shape
        q, k, v = (f(x).view(n, t, HEADS, -1).transpose(1, 2) for f in (self.query, self.key, self.value))
        # The fused attention is slower than its parts on a CPU when sentences are short.
        seen = torch.softmax(q @ k.transpose(2, 3) * (WIDTH // HEADS) ** -0.5 + mask, dim=-1) @ v
        x = self.norm1(x + self.out(seen.transpose(1, 2).reshape(n, t, WIDTH)))
        return self.norm2(x + self.drop(self.narrow(F.gelu(self.wide(x)))))


class Body(nn.Module):
    """The embeddings and layers of MiniLM; what is read off its tokens is a model's own."""

    def __init__(self, drop: float) -> None:
        super().__init__()
        self.words = nn.Embedding(30522, WIDTH)
        self.places = nn.Embedding(512, WIDTH)
        self.types = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(drop) for _ in range(LAYERS))

    def tokens(self, ids: Tensor, types: Tensor, mask: Tensor, frozen: int) -> Tensor:
        """A vector for each token, seen beside the others; nothing is learned by the embeddings and so many lower layers.

        `types` is 1 for the message's tokens; `mask` is 1 where there is a token at all.
        """
        bias = ((1.0 - mask.float()) * -1e4)[:, None, None, :]
        with torch.no_grad():
            x = self.words(ids) + self.places(torch.arange(ids.shape[1]))[None] + self.types(types)
            x = self.norm(x)
            for layer in self.layers[:frozen]:
                x = layer(x, bias)
        for layer in self.layers[frozen:]:
            x = layer(x, bias)
        return x


class ReaderModel(Body):
    """Gives logits: start and end of every token, and one number for each act and for the value."""

    def __init__(self, drop: float = 0.1) -> None:
        super().__init__(drop)
        self.points = nn.Linear(WIDTH, 2)
        self.bend = nn.Linear(2 * WIDTH, WIDTH)
        self.marks = nn.Linear(WIDTH, OUTPUTS)
        self.drop = nn.Dropout(drop)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor, frozen: int = 0) -> tuple[Tensor, Tensor]:
        """Arguments as of `tokens`."""
        x = self.tokens(ids, types, mask, frozen)
        said = types.float()[:, :, None]
        mean = (x * said).sum(1) / said.sum(1).clamp(min=1.0)
        both = torch.cat([x[:, 0], mean.to(x.dtype)], dim=-1)
        return self.points(x), self.marks(self.drop(F.gelu(self.bend(self.drop(both)))))

    def begin(self, weights: Path) -> None:
        """Takes over the weights of all-MiniLM-L6-v2."""
        old = load_file(weights)
        names = {
            "attention.self.query": "query",
            "attention.self.key": "key",
            "attention.self.value": "value",
            "attention.output.dense": "out",
            "attention.output.LayerNorm": "norm1",
            "intermediate.dense": "wide",
            "output.dense": "narrow",
            "output.LayerNorm": "norm2",
        }
        new = {
            "words.weight": old["embeddings.word_embeddings.weight"],
            "places.weight": old["embeddings.position_embeddings.weight"],
            "types.weight": old["embeddings.token_type_embeddings.weight"],
            "norm.weight": old["embeddings.LayerNorm.weight"],
            "norm.bias": old["embeddings.LayerNorm.bias"],
        }
        for at in range(LAYERS):
            for theirs, ours in names.items():
                for part in ("weight", "bias"):
                    new[f"layers.{at}.{ours}.{part}"] = old[f"encoder.layer.{at}.{theirs}.{part}"]
        missing = self.load_state_dict(new, strict=False)
        assert not missing.unexpected_keys
        assert all(k.split(".")[0] in {"points", "bend", "marks"} for k in missing.missing_keys)
