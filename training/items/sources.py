"""Lists that were told, with where each of their items stands: those of the scenes, and those that stand alone."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from softrail.reader.learned.questions import query
from training.items.changes import Changed
from training.items.counts import PART, Counted
from training.items.lists import Listed
from training.joint.forms import unmarked
from training.noise import CLOSE, OPEN, noisy
from training.scenes import MARK, Asked, Scene, is_held

_COMPOSED = 0.4  #: how often a list is made of the items of other answers
_LEAST = 4  #: items from which one is made
_VARIED = 0.5  #: how often a list that is changed, or that stands alone, has other items
_EXCHANGED = 0.5  #: how often an item of it is another one then
_SHORT = 3  #: words of an item that stands for another one
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
    """A message to a question for a list, or beside one that there is, and where each item stands in it that comes."""

    query: str
    message: str
    items: Sequence[tuple[int, int]]
    there: Sequence[str] = ()  #: the items of a list that was told before
    goes: Sequence[bool] = ()  #: of each, whether it is no longer wanted
    question: str = ""  #: what is asked instead
    ones: Sequence[bool] = ()  #: of each item that is counted, whether it counts for one


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
    """Answers that stand alone, each so many times with other noise, and often with items of other answers."""
    rng = random.Random(seed)
    pool = _pool(item for one in of for item in _ITEM.findall(one.words))
    for one in of:
        for _ in range(times):
            words = _exchanged(rng, one.words, pool) if rng.random() < _VARIED else one.words
            yield _told(query("list", one.asks), words, noise=rng)


def of_changes(times: int, *, seed: int, of: Sequence[Changed]) -> Iterator[Told]:
    """Lists that a message changes, or leaves as they are, each so many times with other noise, and often other items."""
    rng = random.Random(seed)
    pool = _pool(item for one in of for item in one.there)
    for one in of:
        for _ in range(times):
            varied = _varied(rng, one, pool) if rng.random() < _VARIED else one
            yield changed(varied, noise=rng)


def of_counts(times: int, *, seed: int, of: Sequence[Counted]) -> Iterator[Told]:
    """Answers to questions for a number, each so many times with other noise: the parts that are counted are its items."""
    rng = random.Random(seed)
    for one in of:
        for _ in range(times):
            yield as_counted(one, noise=rng)


def as_counted(one: Counted, noise: random.Random | None = None) -> Told:
    """An answer to a question for a number."""
    words = PART.sub(lambda part: f"[{part['words']}]", one.words)
    return replace(_told(query("number", one.asks), words, noise=noise), ones=one.ones)


def of_texts(times: int, *, seed: int, of: Sequence[Scene], held: bool = False) -> Iterator[Told]:
    """Answers to questions for a text, each so many times with other noise: what a clerk would write down is their one item."""
    rng = random.Random(seed)
    for scene in of:
        for at, said in enumerate(scene.said):
            here = [one for one in MARK.finditer(said.words) if scene.of(said, one) is said.open]
            if said.open.kind != "text" or len(here) != 1 or not here[0]["words"] or is_held(at) != held:
                continue
            [one] = here
            before, after = (_bare(part) for part in (said.words[: one.start()], said.words[one.end() :]))
            for _ in range(times):
                yield _told(
                    said.open.question(rng), f"{before}[{one['words']}]{after}", noise=None if held else rng
                )


def of_unanswered(times: int, *, seed: int, of: Sequence[Scene], held: bool = False) -> Iterator[Told]:
    """What is said to a question for a list, a number or a text, and tells none: a question back, another answer, "I'll see"."""
    rng = random.Random(seed)
    for scene in of:
        for at, said in enumerate(scene.said):
            told = any(scene.of(said, part).name == said.open.name and part["words"] for part in said.parts())
            if said.open.kind in ("list", "number", "text") and not told and is_held(at) == held:
                for _ in range(times):
                    message = said.plain if held else noisy(rng, said.plain, 0.6)
                    yield Told(query=said.open.question(rng), message=message, items=())


def of_others(times: int, *, seed: int, of: Sequence[Scene]) -> Iterator[Told]:
    """What leaves a list as it is: it tells or changes other answers of the form, or does something else."""
    rng = random.Random(seed)
    for scene in of:
        for at, said in enumerate(scene.said):
            told = {scene.of(said, part).name for part in said.parts()} | {*said.wrong}
            given = told & said.present.keys()
            for name, present in said.present.items():
                asked = scene.fields[name]
                hidden = "correct" in said.there and not given
                if asked.kind != "list" or asked is said.open or name in told or hidden or is_held(at):
                    continue
                there = [item.strip() for item in present.split(",")]
                for _ in range(times):
                    question = rng.choice(said.open.asks)
                    message = noisy(rng, said.plain, 0.6)
                    yield Told(
                        query=asked.question(rng), message=message, items=(), there=there,
                        goes=[False] * len(there), question=question,
                    )  # fmt: skip


def _pool(items: Iterable[str]) -> list[str]:
    """Those that may stand for another one."""
    return sorted({item for item in items if _is_short(item)})


def _is_short(item: str) -> bool:
    return len(item.split()) <= _SHORT


def _exchanged(rng: random.Random, words: str, pool: Sequence[str]) -> str:
    """The words with other short items in the place of some: what is said around them tells where they stand."""

    def other(item: re.Match[str]) -> str:
        return f"[{rng.choice(pool)}]" if _is_short(item[1]) and rng.random() < _EXCHANGED else item[0]

    return _ITEM.sub(other, words)


def _varied(rng: random.Random, one: Changed, pool: Sequence[str]) -> Changed:
    """The same with other items, where the message says them letter by letter or not at all, and with more that stay."""
    there, after, message = [*one.there], [*one.after], one.message
    for item in dict.fromkeys((*there, *after)):  # in an order that a seed gives again
        other, places = rng.choice(pool), _places(item, message)
        if other in (*there, *after) or _places(other, message) or rng.random() < 0.5:
            continue
        if len(places) == 1:
            start, end = places[0]
            message = message[:start] + other + message[end:]
        elif places or _shares_a_word(item, message):
            continue
        there = [other if one == item else one for one in there]
        after = [other if one == item else one for one in after]
    unspoken = [item for item in after if item in there and not _shares_a_word(item, message)]
    more = rng.choice(pool)
    if unspoken and more not in (*there, *after) and not _shares_a_word(more, message):
        at = rng.choice([there.index(item) for item in unspoken])
        after.insert(after.index(there[at]), more)
        there.insert(at, more)
    return Changed(one.asks, tuple(there), one.question, message, tuple(after))


def _places(item: str, message: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(rf"(?<!\w){re.escape(item)}(?!\w)", message)]


def _shares_a_word(item: str, message: str) -> bool:
    said = {word.rstrip("s") for word in re.findall(r"\w+", message.lower())}
    return any(word.rstrip("s") in said for word in re.findall(r"\w+", item.lower()))


def changed(one: Changed, noise: random.Random | None = None) -> Told:
    """A list, and what a message makes of it."""
    words = one.message
    for item in one.new:
        words = re.sub(
            rf"(?<!\w){re.escape(item)}(?!\w)|{re.escape(item)}", f"{OPEN}{item}{CLOSE}", words, count=1
        )
    message, items = unmarked(noisy(noise, words, 0.6) if noise is not None else words)
    return Told(
        query=query("list", one.asks),
        message=message,
        items=items,
        there=one.there,
        goes=[item not in one.after for item in one.there],
        question=one.question,
    )


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
