import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
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


def test_what_threads_and_processes_propose_at_the_same_time_is_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "queue.jsonl"
    code = (
        "import sys; from pathlib import Path; from softrail.classifier.review import ReviewQueue\n"
        "for i in range(50): ReviewQueue(Path(sys.argv[1])).propose(f'{sys.argv[2]} {i}', 'greet', why='')"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("one", "two")]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: ReviewQueue(path).propose(f"three {i}", "greet", why=""), range(100)))

    assert [other.wait() for other in others] == [0, 0]
    waiting = ReviewQueue(path).waiting()
    assert len(waiting) == 200
    assert {p.id for p in waiting} == set(range(1, 201))
    assert [one.name for one in tmp_path.iterdir()] == ["queue.jsonl"]


@pytest.mark.parametrize("beside", [True, False], ids=["in one folder", "in two folders"])
def test_what_is_accepted_while_more_is_proposed_is_all_kept(tmp_path: Path, beside: bool) -> None:
    queue = ReviewQueue(tmp_path / "queue.jsonl")
    intents = tmp_path / ("intents.yaml" if beside else "other/intents.yaml")
    intents.parent.mkdir(exist_ok=True)
    intents.write_text(INTENTS)
    for i in range(20):
        queue.propose(f"said {i}", "greet", why="")
    with ThreadPoolExecutor(8) as pool:
        accepted = pool.map(lambda i: queue.accept([i], intents), range(1, 21))
        proposed = pool.map(lambda i: queue.propose(f"late {i}", "greet", why=""), range(20))
        list(accepted), list(proposed)

    said = read_catalogue(intents).intents[0].examples
    assert sorted(said) == sorted(["hello there", "good day", *(f"said {i}" for i in range(20))])
    assert sorted(p.text for p in queue.waiting()) == sorted(f"late {i}" for i in range(20))


def test_the_file_keeps_its_mode_its_line_ends_and_the_link_to_it(queue: ReviewQueue, tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    real.write_bytes(INTENTS.replace("\n", "\r\n").encode())
    real.chmod(0o644)
    link.symlink_to(real)
    queue.propose("oi", "greet", why="")

    queue.accept([1], link)

    wanted = INTENTS.replace("good day\n", 'good day\n      - "oi"\n').replace("\n", "\r\n")
    assert real.read_bytes() == wanted.encode()
    assert real.stat().st_mode & 0o777 == 0o644
    assert link.is_symlink()


def test_a_last_line_without_an_end_gets_one_before_the_example(queue: ReviewQueue, tmp_path: Path) -> None:
    path = tmp_path / "more.yaml"
    path.write_bytes(b"primary_intents:\n  greet:\n    examples:\n      - hello")
    queue.propose("oi", "greet", why="")

    queue.accept([1], path)

    assert path.read_bytes().endswith(b'      - hello\n      - "oi"\n')


def test_a_file_that_cannot_be_read_is_refused_in_words(queue: ReviewQueue, tmp_path: Path) -> None:
    queue.propose("oi", "greet", why="")
    (tmp_path / "latin.yaml").write_bytes(b"primary_intents: \xff")

    for path in (tmp_path / "none.yaml", tmp_path / "no" / "such.yaml", tmp_path, tmp_path / "latin.yaml"):
        with pytest.raises(BadRequest, match="cannot be read"):
            queue.accept([1], path)
    assert len(queue.waiting()) == 1
