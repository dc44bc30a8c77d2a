from pathlib import Path

import pytest

from softrail.classifier.catalogue import read_catalogue
from softrail.classifier.review import MOST_WAITING, ReviewQueue
from softrail.core.errors import BadRequest, NotFound

INTENTS = """\
# What people want.
primary_intents:
  greet:
    description: A greeting.
    examples:
      - hello there  # the usual one
      - good day
  ask:
    description: A question.
    examples: [who are you]
"""


@pytest.fixture
def queue(tmp_path: Path) -> ReviewQueue:
    return ReviewQueue(tmp_path / "review" / "queue.jsonl")


@pytest.fixture
def intents(tmp_path: Path) -> Path:
    path = tmp_path / "intents.yaml"
    path.write_text(INTENTS)
    return path


def test_what_was_learned_waits_until_a_person_decides(queue: ReviewQueue, intents: Path) -> None:
    one = queue.propose("salutations, all", "greet", why="the model was sure")
    two = queue.propose("oi", "greet", why="chosen in a clarification")

    assert one is not None
    assert two is not None
    assert [(p.id, p.text) for p in queue.waiting()] == [(1, "salutations, all"), (2, "oi")]
    assert intents.read_text() == INTENTS


def test_a_message_that_waits_already_or_says_nothing_is_not_taken(queue: ReviewQueue) -> None:
    queue.propose("Salutations!", "greet", why="")

    assert queue.propose("salutations", "ask", why="") is None
    assert queue.propose("👍", "greet", why="") is None
    assert queue.propose("word " * 100, "greet", why="") is None
    assert len(queue.waiting()) == 1


def test_accepting_adds_the_example_and_changes_nothing_else(queue: ReviewQueue, intents: Path) -> None:
    for text in ('say "hi": all', "- oi", "no"):
        queue.propose(text, "greet", why="")

    queue.accept([1, 2], intents)

    assert [p.text for p in queue.waiting()] == ["no"]
    examples = read_catalogue(intents).intents[0].examples
    assert list(examples) == ["hello there", "good day", 'say "hi": all', "- oi"]
    kept = [line for line in intents.read_text().splitlines() if "hi" not in line and "oi" not in line]
    assert kept == INTENTS.splitlines()


def test_rejecting_only_takes_it_off_the_queue(queue: ReviewQueue, intents: Path) -> None:
    queue.propose("oi", "greet", why="")

    assert [p.text for p in queue.reject([1])] == ["oi"]
    assert queue.waiting() == []
    assert intents.read_text() == INTENTS


@pytest.mark.parametrize("intent", ["unknown", "ask"], ids=["no such intent", "examples not one a line"])
def test_a_file_that_cannot_take_it_stays_as_it_is(queue: ReviewQueue, intents: Path, intent: str) -> None:
    queue.propose("fine", "greet", why="")
    queue.propose("odd", intent, why="")

    with pytest.raises(BadRequest):
        queue.accept([1, 2], intents)
    assert intents.read_text() == INTENTS
    assert len(queue.waiting()) == 2


def test_a_number_that_is_not_waiting_is_refused(queue: ReviewQueue, intents: Path) -> None:
    with pytest.raises(NotFound):
        queue.accept([7], intents)
    with pytest.raises(NotFound):
        queue.reject([7])


def test_the_queue_has_an_end(queue: ReviewQueue, tmp_path: Path) -> None:
    (tmp_path / "review").mkdir()
    rows = "".join(
        f'{{"id": {i}, "text": "t{i}", "intent": "greet", "why": ""}}\n' for i in range(MOST_WAITING)
    )
    (tmp_path / "review" / "queue.jsonl").write_text(rows)

    assert queue.propose("one more", "greet", why="") is None


@pytest.mark.parametrize(
    "line",
    [b"torn {", b'{"id": 1}', b'{"id": "x", "text": 1, "intent": "a", "why": "b"}', b"[]", b"\xff\xfe"],
)
def test_a_line_that_is_no_proposal_is_named_and_nothing_is_overwritten(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "queue.jsonl"
    ReviewQueue(path).propose("oi", "greet", why="the model was sure")
    before = path.read_bytes() + line
    path.write_bytes(before)

    with pytest.raises(BadRequest, match=r"queue\.jsonl:2: "):
        ReviewQueue(path).propose("salutations", "greet", why="the model was sure")
    assert path.read_bytes() == before
