"""`python -m training.items`: the items model from the joint model as it is shipped, and its card.

Half an hour on two cores. Every seventh message of the scenes and every seventh question of the lists that stand alone,
and of those that are changed, is kept back: they make its figures.
"""

import random
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import torch

import softrail.reader.learned
from softrail.language import language
from softrail.reader.changes.of_lists import outcome
from softrail.reader.items import items, marked
from softrail.reader.learned.items import FILE
from softrail.reader.learned.spans import trimmed
from training import scenes
from training.figures import Counts, Row
from training.items import learn, sources
from training.items.changes import Changed, changes
from training.items.export import export
from training.items.lists import lists
from training.items.model import ItemsModel
from training.items.sources import Told
from training.joint.model import body_of
from training.reading import share

MODEL = Path(softrail.reader.learned.__file__).parent / "model"
READER = "reader-minilm-l6-w8.onnx"
JOINT = "joint-minilm-l6-w8.onnx"  #: which has learned what a list is that was told, and what is called wrong
COURSE = learn.Course(passes=8)
_KEPT = 7  #: of so many questions that stand alone one is kept back
_ALONE = 2  #: how often a list that stands alone is there in a pass
_CHANGED = 2  #: how often one that is changed is
_LEFT = 2_000  #: so many that are left as they are are in each, another part of them every time


def main() -> None:
    """Trains, writes."""
    torch.set_num_threads(2)  # on more or less, the same lists give another file
    every = (*scenes.scenes(), *scenes.further(), *scenes.whole(), *scenes.forms())
    kept = {*sorted({one.asks for one in lists()})[3::_KEPT]}
    learned = [one for one in lists() if one.asks not in kept]
    back = {*sorted({one.asks for one in changes()})[3::_KEPT]}
    heard = {said.plain for scene in every for at, said in enumerate(scene.said) if scenes.is_held(at)}
    altered = [one for one in changes() if one.asks not in back and one.message not in heard]
    passes = [
        [
            *sources.of_scenes(1, seed=at, of=every),
            *sources.of_lists(_ALONE, seed=100 + at, of=learned),
            *sources.of_changes(_CHANGED, seed=200 + at, of=altered),
            *_some(list(sources.of_others(1, seed=300 + at, of=every)), at),
            *sources.of_unanswered(1, seed=400 + at, of=every),
        ]
        for at in range(COURSE.passes)
    ]
    model = ItemsModel()
    model.load_state_dict(body_of(MODEL / JOINT), strict=False)
    learn.train(model, passes, COURSE)
    export(model, MODEL / FILE, MODEL / READER)
    parts = {
        "no list is told, and none marked": list(sources.of_unanswered(1, seed=98, of=every, held=True)),
        "lists in forms": list(sources.held(seed=99, of=every)),
        "lists that stand alone": [sources.as_told(one) for one in lists() if one.asks in kept],
    }
    rows = "\n".join(
        f"| {name}: {what} | {n} | {share(right, n)} |"
        for name, told in parts.items()
        for what, right, n in _figures(model, told)
    )
    edits = "\n".join(
        f"| {what} | {n} | {share(right, n)} |"
        for what, right, n in _edits(model, [one for one in changes() if one.asks in back])
    )
    card = (Path(__file__).parent / "card.md").read_text(encoding="utf-8")
    card = card.replace(
        "@FIGURES@", f"| every item where it stands | n | % (95 % interval) |\n|---|---|---|\n{rows}"
    )
    card = card.replace(
        "@EDITS@", f"| the list as it is then, every item | n | % (95 % interval) |\n|---|---|---|\n{edits}"
    )
    known = {"TOLD": len(lists()), "ASKED": len({one.asks for one in lists()}), "CHANGES": len(changes())}
    for name, number in known.items():
        card = card.replace(f"@{name}@", f"{number:,}")
    card = card.replace("@SHA@", sha256((MODEL / FILE).read_bytes()).hexdigest())
    (MODEL / "ITEMS.md").write_text(card, encoding="utf-8")


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


def _some(every: list[Told], seed: int) -> list[Told]:
    return random.Random(seed).sample(every, min(_LEFT, len(every)))


if __name__ == "__main__":
    main()
