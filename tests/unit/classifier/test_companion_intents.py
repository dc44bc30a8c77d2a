"""The bundled encoder and the bundled exemplars on the messages they have to know."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from softrail.bootstrap import build, plugin_tables
from softrail.classifier import Cascade, default_cache
from softrail.classifier.cache import Cache, text_key
from softrail.classifier.catalogue import check_catalogues
from softrail.classifier.encoder import MiniLM
from softrail.classifier.evaluate import Labelled, evaluate, read_labelled
from softrail.classifier.linear import Rows
from softrail.classifier.near import Asked
from softrail.classifier.text import form
from softrail.companion.catalogue import NAMES, bundled_files, listed, said
from softrail.core.intents import GENERAL, GREETING, IntentDefinition
from softrail.registry.registry import Registry
from softrail.settings import Settings
from softrail.store import MemoryStore
from tests.unit.classifier.vectors import FILE, texts

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data" / "classifier"
CATALOGUES = bundled_files()
ALL = [d for catalogue in CATALOGUES for d in catalogue.intents]
LISTED = listed()


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="module")
def cascade(encoder: MiniLM) -> Cascade:
    return Cascade(encoder=encoder, cache=default_cache())


@pytest.fixture(scope="module")
def registry() -> Registry:
    """What a server knows as it comes; its sets of intents are fitted once for all tests that have them."""
    return build(Settings(model="plain"), store=MemoryStore(plugins=plugin_tables(discover=False))).registry


@pytest.fixture(scope="module")
def companion(registry: Registry) -> list[IntentDefinition]:
    return registry.candidates()


@pytest.fixture(scope="module")
def beside_a_plan(registry: Registry) -> list[IntentDefinition]:
    return registry.candidates([registry.get("planning")])


def test_the_bundled_exemplars_have_no_fault_and_hold_no_test_message() -> None:
    own = [m.text for m in read_labelled(DATA / "own_messages.jsonl") if m.label != GREETING]
    others = (
        "open_world.jsonl",
        "acting_messages.jsonl",
        "development.jsonl",
        "voices.jsonl",
        "voices_second.jsonl",
    )
    further = [m.text for name in others for m in read_labelled(DATA / name)]
    asked = [*(m.text for m in LISTED), *own, *further]

    # Only where: a message of our own that is shown is one that somebody tunes on.
    assert [fault.line for fault in check_catalogues(CATALOGUES, asked=asked)] == []
    assert sum(len(d.examples) for d in ALL) > 1000


def test_no_stranger_among_the_exemplars_is_one_that_judges_them() -> None:
    lists = ("near_strangers.jsonl", "beside.jsonl", "voices.jsonl", "voices_second.jsonl")
    near = Asked(
        m.text for name in lists for m in read_labelled(DATA / name)
    )  # near to wishes they are meant to be
    strangers = [text for d in ALL if d.name.startswith(GENERAL) for text in d.examples]
    assert not any(list(near.near(text)) for text in strangers)
    assert len(strangers) > 800


def test_what_many_people_said_is_each_of_one_intent_that_is_registered(registry: Registry) -> None:
    known = {d.name: d for d in registry.intents()}
    labels: dict[str, str] = {}
    for name, examples in said().items():
        assert name in known, name
        for text in examples:
            assert labels.setdefault(form(text), name) == name, text
    for d in known.values():
        for text in d.examples:
            assert labels.get(form(text), d.name) == d.name, text
    assert len(labels) == sum(map(len, said().values())) > 5_000


def test_the_listed_messages_are_those_the_bundled_intents_have_to_know() -> None:
    assert len(LISTED) == 18
    assert {m.label for m in LISTED} == set(NAMES)


async def test_the_listed_messages_have_their_intent_on_top_and_most_at_its_bar(
    cascade: Cascade, companion: list[IntentDefinition]
) -> None:
    _, answered = await evaluate(cascade, companion, LISTED)

    wrong = [(a.said.text, a.top) for a in answered if not a.right]
    assert len(wrong) <= 1, wrong
    assert sum(a.right and a.alone for a in answered) >= 0.7 * len(answered)


async def test_the_listed_messages_hold_beside_the_intents_of_plans(
    cascade: Cascade, beside_a_plan: list[IntentDefinition]
) -> None:
    _, answered = await evaluate(cascade, beside_a_plan, LISTED)

    assert sum(not a.right for a in answered) <= 1
    assert sum(a.right and a.alone for a in answered) >= 0.7 * len(answered)


@pytest.mark.parametrize(
    ("hashed", "count"),
    [
        ("own_messages", 400),
        ("open_world", 301),
        ("development", 191),
        ("near_strangers", 60),
        ("beside", 173),
        ("beside_second", 100),
        ("voices", 150),
        ("further_voices", 150),
        ("voices_second", 80),
        ("voices_third", 120),
        ("voices_fourth", 120),
        ("everyday", 240),
        ("fifty_people", 300),
        ("from_descriptions", 200),
    ],
)
def test_our_own_messages_are_the_ones_that_were_frozen(hashed: str, count: int) -> None:
    frozen, name = (DATA / f"{hashed}.sha256").read_text().split()

    assert sha256((DATA / name).read_bytes()).hexdigest() == frozen
    assert len(read_labelled(DATA / name)) == count


@pytest.mark.parametrize(
    ("message", "name", "target"),
    [
        ("analyze sales. wait, I got that wrong. analyze revenue instead", "plan_new", "revenue"),
        ("be creative, do not worry about low confidence. plan the launch", "plan_new", "launch"),
    ],
)
async def test_corrections_and_asides_leave_one_plan(
    cascade: Cascade, message: str, name: str, target: str
) -> None:
    intent = await cascade.classify(message, ALL)

    assert (intent.name, intent.also, intent.target) == (name, (), target)


async def test_two_wishes_in_one_message_are_both_heard(
    cascade: Cascade, companion: list[IntentDefinition]
) -> None:
    intent = await cascade.classify(
        "Remember that our budget is ten thousand. Then draft the specification.", companion
    )

    assert [intent.name, *(i.name for i in intent.also)] == ["add_knowledge", "request_draft"]


async def test_with_no_artifact_a_report_cannot_be_shown_so_its_progress_is_asked(
    cascade: Cascade, companion: list[IntentDefinition]
) -> None:
    context = {"instead": {"request_download": "ask_about_progress"}}

    assert (await cascade.classify("show me the report", companion)).candidates[
        0
    ].intent == "request_download"
    intent = await cascade.classify("show me the report", companion, context=context)
    assert intent.candidates[0].intent == "ask_about_progress"
    exemplar = await cascade.classify("export the report", companion, context=context)
    assert exemplar.candidates[0].intent == "ask_about_progress"


async def test_strangers_are_known_for_what_they_are(
    cascade: Cascade, companion: list[IntentDefinition]
) -> None:
    strangers = [
        "the mitochondria is the powerhouse of the cell",
        "play some jazz",
        "book me a flight to Lima",
    ]
    _, answered = await evaluate(cascade, companion, [Labelled(text, "oos") for text in strangers])

    for one in answered:
        primary = one.intent.name.partition(".")[0]
        assert one.intent.tier != "exemplars" or primary == "general_conversation", one


def test_the_encoder_is_the_file_its_notice_names() -> None:
    folder = ROOT / "softrail" / "classifier" / "minilm"
    notice = (folder / "README.md").read_text()

    for name in ("minilm-l6-v2-w8.onnx", "tokenizer.json"):
        assert sha256((folder / name).read_bytes()).hexdigest() in notice
    assert "Apache License" in (folder / "LICENSE").read_text()
    assert (folder / "minilm-l6-v2-w8.onnx").stat().st_size <= 25_000_000


def test_a_vector_does_not_depend_on_the_batch(encoder: MiniLM) -> None:
    texts = [
        "hi",
        "a much longer sentence that pads all the others in its batch by a good deal",
        "",
        "x" * 5000,
    ]
    together = encoder.encode(texts)

    for i, text in enumerate(texts):
        assert together[i] == pytest.approx(encoder.encode([text])[0], abs=1e-5)
        assert float((together[i] ** 2).sum()) == pytest.approx(1.0, abs=1e-5)


def test_importing_the_room_loads_neither_numpy_nor_an_encoder_nor_a_vendors_sdk() -> None:
    heavy = {"numpy", "onnxruntime", "tokenizers", "anthropic", "sentence_transformers", "torch"}
    code = (
        "import sys, softrail, softrail.classifier, softrail.models.claude, softrail.classifier.review\n"
        "softrail.classifier.Cascade()\n"
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert json.loads(done.stdout.replace("'", '"')) == []


def test_the_vectors_that_come_with_the_encoder_are_those_of_the_exemplars_there_are(encoder: MiniLM) -> None:
    said = texts()
    with np.load(FILE) as stored:
        kept = {key.tobytes(): row / np.linalg.norm(row) for key, row in zip(*_stored(stored), strict=True)}

    # If not: python -m tests.unit.classifier.vectors
    assert set(kept) == {text_key(text) for text in said}
    some = said[::60]
    alike = [float(kept[text_key(t)] @ row) for t, row in zip(some, encoder.encode(some), strict=True)]
    assert min(alike) > 0.999


def test_a_bundled_exemplar_is_not_read_again_when_a_head_is_fitted(tmp_path: Path, encoder: MiniLM) -> None:
    read: list[str] = []

    class Counting(MiniLM):
        def encode(self, texts: Sequence[str]) -> Rows:
            read.extend(texts)
            return encoder.encode(texts)

    rows = (
        Cache(tmp_path).remembering(Counting()).encode(["list all my projects", "make new groups", "yodel"])
    )

    assert read == ["yodel"]
    assert rows == pytest.approx(
        encoder.encode(["list all my projects", "make new groups", "yodel"]), abs=0.01
    )


def _stored(stored: Mapping[str, Any]) -> tuple[Any, Any]:
    return stored["keys"], stored["rows"].astype(np.float32)
