"""Turns texts into vectors: the embedded MiniLM by default, any sentence-transformers model by setting.

numpy, onnxruntime, tokenizers and sentence-transformers are imported when an encoder is first used, never on import.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import as_file, files
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from softrail.classifier.text import READ
from softrail.core.errors import DefinitionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

MINILM = "minilm"
NO_ENCODER = "none"
_WIDTH = 768
_TOKENS = 256  #: what MiniLM was trained to read
_MARKS, _UNKNOWN = 2, 100  #: tokens around every text; the token of what has none
_BATCH = 2  #: of other models; larger ones gain little on one thread and cost memory at their peak


class Encoder(Protocol):
    """Makes unit vectors whose dot product is how alike two texts are in meaning."""

    id: str  #: names the model and its version; vectors are cached under it

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """One row of length 1 for each text; a text's row does not depend on the others."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2 as an ONNX file inside this package: 768 dimensions, one thread, no network.

    The vector is made of the directions of the last two layers' tokens, the marks at either end left out: on the
    validation parts of three public sets that tells intents apart better than the plain mean of the last layer.
    """

    id = "all-MiniLM-L6-v2-w8.718fc85f"

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: tuple[Any, Any] | None = None

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """One row of length 1 for each text, read by itself: together they take no less time, and more memory."""
        import numpy as np

        tokenizer, session = self._load()
        rows = np.zeros((len(texts), _WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            ids = tokenizer.encode(text[:READ]).ids
            if len(ids) == _MARKS:
                ids = [ids[0], _UNKNOWN, ids[1]]  # nothing that has a token: as a word never seen
            rows[row] = session.run(["vector"], {"input_ids": np.array([ids], dtype=np.int64)})[0][0]
        return rows

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load_minilm()
            return self._loaded


def _load_minilm() -> tuple[Any, Any]:
    onnxruntime: Any = import_module("onnxruntime")  # it ships no types
    tokenizers: Any = import_module("tokenizers")

    options = onnxruntime.SessionOptions()
    # One thread: more gain nothing at the median for one short message and cost the tail, and other turns need the cores.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Weights stay the bytes that they are on disk; what they are multiplied with is rounded to bytes in blocks of 32.
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "4")
    options.add_session_config_entry("session.qdq_matmulnbits_block_size", "32")
    folder = files("softrail.classifier") / "minilm"
    with as_file(folder / "minilm-l6-v2-w8.onnx") as model:
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    tokenizer = tokenizers.Tokenizer.from_str((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_TOKENS)
    return tokenizer, session


class SentenceTransformer:
    """Any model that the package sentence-transformers can load, by name or by folder."""

    def __init__(self, name: str) -> None:
        self.id = f"sentence-transformers:{name}"
        self._name = name
        self._lock = Lock()
        self._model: Any = None

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """One row of length 1 for each text."""
        import numpy as np

        with self._lock:
            if self._model is None:
                self._model = self._load()
        rows = self._model.encode(
            [text[:READ] for text in texts],
            batch_size=_BATCH,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(rows, dtype=np.float32)

    def _load(self) -> Any:
        make: Callable[..., Any] = import_module("sentence_transformers").SentenceTransformer
        return make(self._name, device="cpu")


def encoder(setting: str = MINILM) -> Encoder | None:
    """The encoder that a setting names; None when it says "none" or onnxruntime is not installed.

    Raises DefinitionError when it names a model and sentence-transformers is not installed.
    """
    if setting == NO_ENCODER:
        return None
    if setting != MINILM:
        if find_spec("sentence_transformers") is None:
            raise DefinitionError(
                f"The encoder {setting!r} needs the package sentence-transformers, which is not installed. Install "
                f"it, or leave the encoder setting at {MINILM!r}.",
                encoder=setting,
            )
        return SentenceTransformer(setting)
    installed = all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))
    return _shared_minilm() if installed else None


@cache
def _shared_minilm() -> MiniLM:
    """One for the whole program: it has no state but 50 MB of weights, loaded when first used."""
    return MiniLM()
