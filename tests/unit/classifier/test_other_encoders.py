"""The code that loads sentence-transformers models, against a stand-in for that package: no torch is needed."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from softrail.classifier import Cascade
from softrail.classifier.encoder import Encoder, MiniLM, encoder
from softrail.core.errors import DefinitionError
from tests.unit.classifier.fakes import SIX

STAND_IN = """
import json
import re
from hashlib import sha256
from pathlib import Path

import numpy as np

KNOWN = {"maker/small": {"width": 24, "salt": "small"}}


class SentenceTransformer:
    def __init__(self, name, *, device):
        assert device == "cpu"
        if (Path(name) / "model.json").is_file():
            self._model = json.loads((Path(name) / "model.json").read_text())
        elif name in KNOWN:
            self._model = KNOWN[name]
        else:
            raise OSError(f"{name} is not a local folder and no model of the hub.\\nSecond line.")

    def encode(self, texts, *, batch_size, normalize_embeddings, convert_to_numpy, show_progress_bar):
        assert normalize_embeddings and convert_to_numpy and not show_progress_bar and batch_size
        rows = np.stack([self._row(text) for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def _row(self, text):
        text.encode("utf-8")
        words = re.findall(r"[a-z]+", text.lower())
        return sum(map(self._direction, words), start=np.full(self._model["width"], self._model.get("rest", 0.01)))

    def _direction(self, word):
        seed = int.from_bytes(sha256((self._model["salt"] + word).encode()).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self._model["width"])
"""


@pytest.fixture(autouse=True)
def package(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For the test, `sentence_transformers` is the stand-in."""
    home = tmp_path_factory.mktemp("packages")
    (home / "sentence_transformers.py").write_text(STAND_IN)
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    monkeypatch.syspath_prepend(home)
    yield
    sys.modules.pop("sentence_transformers", None)


def made(folder: Path, *, width: int = 24, salt: str = "one", rest: float = 0.01) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "model.json").write_text(json.dumps({"width": width, "salt": salt, "rest": rest}))
    return str(folder)


def loaded(setting: str) -> Encoder:
    found = encoder(setting)
    assert found is not None
    return found


def test_a_folder_and_a_name_give_unit_vectors(tmp_path: Path) -> None:
    for setting in (made(tmp_path / "model"), "maker/small"):
        rows = loaded(setting).encode(["call a taxi", "the roof \ud800 leaks", "call a taxi"])

        assert rows.shape == (3, 24)
        assert rows.dtype == np.float32
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
        assert rows[0] == pytest.approx(rows[2])


def test_the_id_is_that_of_the_content_of_a_folder(tmp_path: Path) -> None:
    first = loaded(made(tmp_path / "model")).id

    assert loaded(made(tmp_path / "model")).id == first
    assert "-w24." in first
    (tmp_path / "model" / ".hidden").write_text("not of the model")
    assert loaded(str(tmp_path / "model")).id == first

    (tmp_path / "model" / "tokens.txt").write_text("another word list")
    second = loaded(str(tmp_path / "model")).id
    wider = loaded(made(tmp_path / "model", width=30)).id
    trained = loaded(made(tmp_path / "model", salt="two")).id
    assert len({first, second, wider, trained}) == 4


def test_the_id_of_a_name_is_that_of_what_the_model_answers() -> None:
    first = loaded("maker/small").id

    assert loaded("maker/small").id == first
    package = sys.modules["sentence_transformers"]
    package.KNOWN["maker/small"]["salt"] = "trained anew"
    assert loaded("maker/small").id != first


async def test_a_folder_whose_model_changed_is_not_read_with_the_vectors_of_the_old_one(
    tmp_path: Path,
) -> None:
    said, cache = "I need a taxi to the station", tmp_path / "cache"
    for width, salt in ((24, "one"), (24, "two"), (48, "two")):
        setting = made(tmp_path / "model", width=width, salt=salt)

        kept = await Cascade(encoder=setting, cache=cache).classify(said, SIX)
        again = await Cascade(encoder=setting, cache=cache).classify(said, SIX)
        fresh = await Cascade(encoder=setting).classify(said, SIX)

        assert kept.candidates[0].intent == "call_taxi"
        assert kept.confidence == again.confidence == pytest.approx(fresh.confidence, abs=1e-6)


@pytest.mark.parametrize(
    "setting", ["/no/such/folder", "./models/none", "~/no/such/model", "models/e5/none", "models/none"]
)
def test_a_folder_that_is_not_there_is_refused_when_it_is_chosen(
    setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()

    with pytest.raises(DefinitionError, match=f"names the folder '{setting}', which does not exist"):
        Cascade(encoder=setting)


@pytest.mark.parametrize(
    ("rest", "why"), [(None, "cannot be loaded"), ("x", "encodes no text"), ("NaN", "no vector of finite")]
)
def test_a_model_that_cannot_be_used_is_told_in_one_sentence(
    rest: str | None, why: str, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    if rest is not None:
        value = rest if rest == "NaN" else json.dumps(rest)
        (folder / "model.json").write_text(f'{{"width": 4, "salt": "s", "rest": {value}}}')
    chosen = loaded(str(folder))

    for use in (lambda: chosen.id, lambda: chosen.encode(["word"])):
        with pytest.raises(DefinitionError, match=why) as caught:
            use()
        assert "\n" not in caught.value.message


def test_a_name_nobody_knows_is_told_when_it_is_loaded() -> None:
    with pytest.raises(
        DefinitionError, match=r"'maker/none' cannot be loaded \(maker/none is not a local folder"
    ):
        loaded("maker/none").encode(["word"])


def test_minilm_is_the_encoder_that_needs_no_package() -> None:
    assert isinstance(encoder(), MiniLM)
