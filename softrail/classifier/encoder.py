"""Turns texts into vectors: the embedded MiniLM by default, any sentence-transformers model by setting.

numpy, onnxruntime, tokenizers and sentence-transformers are imported when an encoder is first used, never on import.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from hashlib import file_digest, sha256
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from softrail import inference
from softrail.classifier.text import READ, whole
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
_KEPT = 64  #: texts whose rows are known still
_BATCH = 2  #: of other models; larger ones gain little on one thread and cost memory at their peak
_PROBE = "What is new with the project since last week?"
_HASHED = 32  #: numbers of a vector


class Encoder(Protocol):
    """Makes unit vectors whose dot product is how alike two texts are in meaning."""

    @property
    def id(self) -> str:
        """Names the model and its version; vectors are cached under it."""
        ...

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """One row of length 1 for each text; a text's row does not depend on the others."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2 as an ONNX file inside this package: 768 dimensions, one thread, no network.

    The vector is made of the directions of the last two layers' tokens, the marks at either end left out: on the
    validation parts of three public sets that tells intents apart better than the plain mean of the last layer.
    """

    id = "all-MiniLM-L6-v2-intents-w8.6a71da01"

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._row = lru_cache(_KEPT)(self._read)  # a clause is read by itself, and as a part of the message

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """One row of length 1 for each text, read by itself: together they take no less time, and more memory."""
        import numpy as np

        rows = np.zeros((len(texts), _WIDTH), dtype=np.float32)
        for row, text in enumerate(texts):
            rows[row] = self._row(whole(text[:READ]))
        return rows

    def _read(self, text: str) -> "Vectors":
        import numpy as np

        tokenizer, session = self._load()
        ids = tokenizer.encode(text).ids
        if len(ids) == _MARKS:
            ids = [ids[0], _UNKNOWN, ids[1]]  # nothing that has a token: as a word never seen
        found: Vectors = session.run(["vector"], {"input_ids": np.array([ids], dtype=np.int64)})[0][0]
        return found

    def knows(self, word: str) -> bool:
        """It is a word of its own there, and not put together from pieces."""
        tokenizer, _ = self._load()
        return len(tokenizer.encode(whole(word)).ids) == _MARKS + 1

    def _load(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load_minilm()
            return self._loaded


def _load_minilm() -> tuple[Any, Any]:
    tokenizers: Any = import_module("tokenizers")  # it ships no types

    folder = files("softrail.classifier") / "minilm"
    session = inference.session(folder, "minilm-l6-v2-w8.onnx")
    tokenizer = tokenizers.Tokenizer.from_str((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_TOKENS)
    return tokenizer, session


class SentenceTransformer:
    """Any model that the package sentence-transformers can load, by name or by folder.

    Its `id` changes with the numbers it gives, so asking for it loads the model.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._loaded: tuple[Any, str] | None = None

    @property
    def id(self) -> str:
        """Its name, how many numbers it gives, and a hash of its files or, loaded by name, of what it answers."""
        return self._ready()[1]

    def encode(self, texts: Sequence[str]) -> "Vectors":
        """One row of length 1 for each text. Raises DefinitionError when the model cannot be loaded."""
        return _rows(self._ready()[0], texts)

    def _ready(self) -> tuple[Any, str]:
        with self._lock:
            if self._loaded is None:
                model = self._load()
                self._loaded = model, self._identity(model)
            return self._loaded

    def _load(self) -> Any:
        make: Callable[..., Any] = import_module("sentence_transformers").SentenceTransformer
        try:
            return make(self._name, device="cpu")
        except Exception as error:  # whatever the package, torch or a download raises
            raise self._unusable(f"cannot be loaded ({_said(error)})") from error

    def _identity(self, model: Any) -> str:
        import numpy as np

        try:
            rows = _rows(model, [_PROBE])
        except Exception as error:
            raise self._unusable(f"encodes no text ({_said(error)})") from error
        if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
            raise self._unusable("gives no vector of finite numbers for a text")
        width, folder = rows.shape[1], Path(self._name)
        content = _hash_of(folder) if folder.is_dir() else _hash_of_answer(rows[0])
        return f"sentence-transformers:{self._name}-w{width}.{content}"

    def _unusable(self, why: str) -> DefinitionError:
        return DefinitionError(
            f"The encoder {self._name!r} {why}. Name a model that is there, or leave the encoder setting at "
            f"{MINILM!r}.",
            encoder=self._name,
        )


def _rows(model: Any, texts: Sequence[str]) -> "Vectors":
    import numpy as np

    rows = model.encode(
        [whole(text[:READ]) for text in texts],
        batch_size=_BATCH,
        normalize_embeddings=True,
        convert_to_numpy=True,
        show_progress_bar=False,
    )
    return np.asarray(rows, dtype=np.float32)


def _said(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), "").rstrip(".") or type(error).__name__


def _hash_of(folder: Path) -> str:
    """A hash of the files in a folder, hidden ones left out."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            with path.open("rb") as file:
                content = file_digest(file, "sha256").digest()
            digest.update(name.as_posix().encode("utf-8", "surrogateescape") + b"\0" + content)
    return digest.hexdigest()[:16]


def _hash_of_answer(row: Any) -> str:
    """A hash of a vector, coarse enough to be the same on every processor."""
    coarse = (row[:_HASHED] * len(row) ** 0.5).round(1) + 0.0
    return sha256(coarse.astype("<f4").tobytes()).hexdigest()[:16]


def encoder(setting: str = MINILM) -> Encoder | None:
    """The encoder that a setting names; None when it says "none" or onnxruntime is not installed.

    Raises DefinitionError when it names a folder that is not there, or a model and sentence-transformers is not
    installed.
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
        return SentenceTransformer(_place(setting))
    installed = all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))
    return _shared_minilm() if installed else None


def _place(setting: str) -> str:
    """The model's name, or the path of its folder, which must be there."""
    path = Path(setting).expanduser()
    if path.is_dir():
        return str(path)
    meant = path.is_absolute() or setting[0] in ".~" or len(path.parts) > 2 or Path(path.parts[0]).is_dir()
    if meant or path.exists():
        raise DefinitionError(
            f"The encoder setting names the folder {setting!r}, which does not exist. Name the folder of a "
            f"sentence-transformers model, or leave the setting at {MINILM!r}.",
            encoder=setting,
        )
    return setting


@cache
def _shared_minilm() -> MiniLM:
    """One for the whole program: it has no state but 50 MB of weights, loaded when first used."""
    return MiniLM()
