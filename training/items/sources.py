"""Lists that were told, with where each of their items stands: those of the scenes, and those that stand alone."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from softrail.reader.learned.questions import query
from training.items.lists import Listed
from training.joint.forms import unmarked
from training.noise import CLOSE, OPEN, noisy
from training.scenes import MARK, Asked, Scene, is_held

_COMPOSED = 0.4  #: how often a list is made of the items of other answers
_LEAST = 4  #: items from which one is made
_BRACKETS = re.compile(r"[\[\]]")
_ITEM = re.compile(r"\[([^\[\]]+)\]")
#: What stands between the items of a list, and before the last one.
_JOINED = (
    (", ", " and "),
    (", ", " and "),
    (", ", " and "),
    (", ", ", "),
    (", ", ", and "),
    (" and ", " and "),
    (", ", " plus "),
    ("; ", "; "),
    (", then ", " and then "),
    (", ", " & "),
    (", ", " as well as "),
    (", also ", " and also "),
    (". ", ". also "),
    (" ", " and "),
    (" - ", " - "),
    (", ", ", oh and "),
)


@dataclass(frozen=True, kw_only=True)
class Told:
    """A message to a question for a list, and where each item stands in it."""

    query: str
    message: str
    items: Sequence[tuple[int, int]]


def of_scenes(times: int, *, seed: int, of: Sequence[Scene]) -> Iterator[Told]:
    """Every list that is learned from, as if it was asked for, so many times: as it was told, or of other items."""
    rng = random.Random(seed)
    for scene in of:
        pools = _items(scene)
        for asked, before, items, after in _lists(scene, held=False):
            for _ in range(times):
                anew = len(pools[asked.name]) >= _LEAST and rng.random() < _COMPOSED
                told = _joined(rng, pools[asked.name]) if anew else items
                yield _told(asked.question(rng), before + told + after, noise=rng)


def held(*, seed: int, of: Sequence[Scene]) -> Iterator[Told]:
    """Every list that is kept back, as it was told."""
    rng = random.Random(seed)
    for scene in of:
        for asked, before, items, after in _lists(scene, held=True):
            yield _told(asked.question(rng), before + items + after)


def of_lists(times: int, *, seed: int, of: Sequence[Listed]) -> Iterator[Told]:
    """Answers that stand alone, each so many times with other noise."""
    rng = random.Random(seed)
    for one in of:
        yield from (_told(query("list", one.asks), one.words, noise=rng) for _ in range(times))


def _lists(scene: Scene, *, held: bool) -> Iterator[tuple[Asked, str, str, str]]:
    """Of each list the field, what stands before it, its items in brackets, and what stands behind it."""
    for at, said in enumerate(scene.said):
        if is_held(at) != held:
            continue
        for one in MARK.finditer(said.listed):
            asked = scene.of(said, one)
            if asked.kind == "list" and one["words"]:
                words = one["words"] if "[" in one["words"] else f"[{one['words']}]"
                yield asked, _bare(said.listed[: one.start()]), words, _bare(said.listed[one.end() :])


def _items(scene: Scene) -> Mapping[str, Sequence[str]]:
    """The items of each list of a scene in what is learned from."""
    found: dict[str, dict[str, None]] = {}
    for asked, _, items, _ in _lists(scene, held=False):
        found.setdefault(asked.name, {}).update(dict.fromkeys(_ITEM.findall(items)))
    return {name: [*items] for name, items in found.items()}


def _joined(rng: random.Random, pool: Sequence[str]) -> str:
    """Some items, joined as people join them."""
    items = [f"[{item}]" for item in rng.sample(pool, min(len(pool), rng.choice((2, 2, 2, 3, 3, 4, 5))))]
    between, last = rng.choice(_JOINED)
    return between.join(items[:-1]) + last + items[-1]


def as_told(one: Listed) -> Told:
    """An answer that stands alone, without noise."""
    return _told(query("list", one.asks), one.words)


def _told(asked: str, words: str, noise: random.Random | None = None) -> Told:
    marked = words.replace("[", OPEN).replace("]", CLOSE)
    message, items = unmarked(noisy(noise, marked, 0.6) if noise is not None else marked)
    return Told(query=asked, message=message, items=items)


def _bare(words: str) -> str:
    """Without marks and brackets."""
    return _BRACKETS.sub("", MARK.sub(lambda one: one["words"], words))
