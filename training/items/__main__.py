"""`python -m training.items`: the items model from the joint model as it is shipped, and its card.

Half an hour on two cores. Every seventh message of the scenes and every seventh question of the lists that stand alone,
of those that are changed, and of those for a number, is kept back: they make its figures.
"""

import random
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import torch

import softrail.reader.learned
from softrail.language import language
from softrail.reader.changes.outcome import outcome
from softrail.reader.counted import surely_begun
from softrail.reader.items import items, marked, surely_marked
from softrail.reader.learned.items import FILE
from softrail.reader.learned.spans import trimmed
from training import scenes
from training.figures import Counts, Row
from training.items import learn, sources
from training.items.changes import Changed, changes
from training.items.counts import Counted, counts
from training.items.export import export
from training.items.lists import Listed, lists
from training.items.model import ItemsModel
from training.items.sources import Told
from training.joint.model import body_of
from training.reading import share

MODEL = Path(softrail.reader.learned.__file__).parent / "model"
READER = "reader-minilm-l6-w8.onnx"
JOINT = "joint-minilm-l6-w8.onnx"  #: which has learned what a list is that was told, and what is called wrong
COURSE = learn.Course(passes=7)
_KEPT = 7  #: of so many questions that stand alone one is kept back
_ALONE = 2  #: how often a list that stands alone is there in a pass
_CHANGED = 2  #: how often one that is changed is
_COUNTED = 2  #: how often an answer to a question for a number is
_LEFT = 2_000  #: so many that are left as they are are in each, another part of them every time
_UNANSWERED = 3_000  #: so many that tell nothing of what is asked for
_TEXTS = 5_000  #: so many answers to questions for a text
_Asked = TypeVar("_Asked", Listed, Changed, Counted)


def main() -> None:
    """Trains, writes."""
    torch.set_num_threads(2)  # on more or less, the same lists give another file
    every = (*scenes.scenes(), *scenes.further(), *scenes.whole(), *scenes.forms())
    told, told_kept = _parted(lists())
    altered, altered_kept = _parted(changes())
    numbers, numbers_kept = _parted(counts())
    heard = {said.plain for scene in every for at, said in enumerate(scene.said) if scenes.is_held(at)}
    altered = [one for one in altered if one.message not in heard]
    passes = [
        [
            *sources.of_scenes(1, seed=at, of=every),
            *sources.of_lists(_ALONE, seed=100 + at, of=told),
            *sources.of_changes(_CHANGED, seed=200 + at, of=altered),
            *sources.of_counts(_COUNTED, seed=500 + at, of=numbers),
            *_some(list(sources.of_others(1, seed=300 + at, of=every)), _LEFT, at),
            *_some(list(sources.of_unanswered(1, seed=400 + at, of=every)), _UNANSWERED, at),
            *_some(list(sources.of_texts(1, seed=600 + at, of=every)), _TEXTS, at),
        ]
        for at in range(COURSE.passes)
    ]
    model = ItemsModel()
    model.load_state_dict(body_of(MODEL / JOINT), strict=False)
    learn.train(model, passes, COURSE)
    export(model, MODEL / FILE, MODEL / READER)
    parts = {
        "nothing of the kind is told, and nothing marked": list(
            sources.of_unanswered(1, seed=98, of=every, held=True)
        ),
        "lists in forms": list(sources.held(seed=99, of=every)),
        "lists that stand alone": [sources.as_told(one) for one in told_kept],
    }
    lists_told = [
        (f"{name}: {what}", right, n)
        for name, some in parts.items()
        for what, right, n in _figures(model, some)
    ]
    tables = {
        "FIGURES": ("every item where it stands", lists_told),
        "EDITS": ("the list as it is then, every item", _edits(model, altered_kept)),
        "TEXTS": ("answers of words", _texts(model, list(sources.of_texts(1, seed=97, of=every, held=True)))),
        "NUMBERS": ("as many parts as there are", _numbers(model, numbers_kept)),
    }
    card = (Path(__file__).parent / "card.md").read_text(encoding="utf-8")
    for name, (title, rows) in tables.items():
        lines = "\n".join(f"| {what} | {n} | {share(right, n)} |" for what, right, n in rows)
        card = card.replace(f"@{name}@", f"| {title} | n | % (95 % interval) |\n|---|---|---|\n{lines}")
    known = {
        "TOLD": len(lists()),
        "ASKED": len({one.asks for one in lists()}),
        "CHANGES": len(changes()),
        "COUNTS": len(counts()),
    }
    for name, number in known.items():
        card = card.replace(f"@{name}@", f"{number:,}")
    card = card.replace("@SHA@", sha256((MODEL / FILE).read_bytes()).hexdigest())
    (MODEL / "ITEMS.md").write_text(card, encoding="utf-8")


def _parted(every: Sequence[_Asked]) -> tuple[list[_Asked], list[_Asked]]:
    """What is learned from, and what is kept back: all that is said to every seventh question."""
    kept = {*sorted({one.asks for one in every})[3::_KEPT]}
    return [one for one in every if one.asks not in kept], [one for one in every if one.asks in kept]


def _figures(model: ItemsModel, lists: Sequence[Told]) -> Iterator[Row]:
    """How many lists are cut into their items, of those of several, and of those of one that might be more."""
    counts = Counts()
    for told, read in zip(lists, learn.read(model, lists), strict=True):
        meant = [trimmed(told.message, *span) for span in told.items]
        if not meant:
            counts.add("messages", not [*marked(told.message, read.pieces)])
            continue
        found = items(told.message, (meant[0][0], meant[-1][1]), read.pieces, language("en"))
        if len(meant) > 1:
            counts.add("several items", [*found] == meant)
        elif re.search(r"[,;&]|\band\b", told.message[slice(*meant[0])]):
            counts.add("one item with a comma or an “and” in it", [*found] == meant)
        else:
            counts.add("one item", [*found] == meant)
    return iter(counts.rows())


def _edits(model: ItemsModel, every: Sequence[Changed]) -> Iterator[Row]:
    """How many changed lists are read with every item as it is then."""
    counts = Counts()
    told = [sources.changed(one) for one in every]
    for one, read in zip(every, learn.read(model, told), strict=True):
        goes = len(one.there) + len(one.new) - len(one.after)
        kind = (
            "something goes, something comes"
            if goes and one.new
            else "something goes"
            if goes
            else "something comes"
            if one.new
            else "it stays as it is"
        )
        counts.add(kind, outcome(one.message, one.there, read).items == one.after)
    return iter(counts.rows())


def _texts(model: ItemsModel, every: Sequence[Told]) -> Iterator[Row]:
    """Of how many texts it is sure of every word, and how many of those are the words that a clerk would write."""
    counts = Counts()
    for one, read in zip(every, learn.read(model, every), strict=True):
        found = surely_marked(one.message, read.pieces)
        counts.add("it is sure of every word", found is not None)
        if found is not None:
            counts.add(
                "of those, letter by letter", [*found] == [trimmed(one.message, *s) for s in one.items]
            )
    return iter(counts.rows())


def _numbers(model: ItemsModel, every: Sequence[Counted]) -> Iterator[Row]:
    """How many answers are cut into their parts, where it is sure of that; and of those parts, whether each counts for one."""
    counts = Counts()
    told = [sources.as_counted(one) for one in every]
    for one, read in zip(told, learn.read(model, told), strict=True):
        sure = surely_begun(read.pieces)
        counts.add("it is sure of where each begins", sure)
        if sure:
            found = [*marked(one.message, read.pieces)]
            counts.add("of those, as many as there are", len(found) == len(one.items))
            if len(found) == len(one.items):
                for part, meant in zip(found, one.ones, strict=True):
                    right = (part.one >= 0.5) == meant
                    counts.add("of their parts, rightly taken for one or for another number", right)
    return iter(counts.rows())


def _some(every: list[Told], most: int, seed: int) -> list[Told]:
    return random.Random(seed).sample(every, min(most, len(every)))


if __name__ == "__main__":
    main()
