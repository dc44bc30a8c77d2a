"""Scenes: forms with whole messages written by hand, and the pairs made of them.

A file in `scenes/` holds forms; the README there tells how one is written. `python -m training.scenes FILE` reads one
and says what is wrong with it, by line.
"""

import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from softrail.reader.learned.marks import ACTS
from softrail.reader.learned.questions import KINDS, query
from training.messages import mark, pair, plain
from training.pairs import Pair, acts

FOLDER = Path(__file__).parent / "scenes"
_FIELD = re.compile(r"^(?P<name>\w+): (?P<kind>\w+)(?: \((?P<options>[^()]*)\))?$")
_OPEN = re.compile(r"^(?P<name>\w+)(?: \((?P<present>.*)\))?$")
_MARK = re.compile(r"\{(?:(?P<field>[a-z_]\w*):)?(?P<words>[^{}=]*?)(?:=(?P<option>[^{}=]*))?\}")
_CLOSED = ("bool", "confirm")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question of a scene."""

    name: str
    kind: str
    asks: Sequence[str]
    about: Sequence[str]
    options: tuple[str, ...] = ()

    def question(self, rng: random.Random) -> str:
        """The query while it is open."""
        if self.kind == "confirm" and rng.random() < 0.5:
            return query("confirm", "Is that right?")  # as every summary is put at run time
        return query(self.kind, rng.choice(self.asks), options=self.options)

    def other(self, rng: random.Random, present: str | None) -> str:
        """The query while another is open."""
        about = rng.choice(self.asks if rng.random() < 0.4 or not self.about else self.about)
        return query(self.kind, about, options=self.options, present=present)


@dataclass(frozen=True, kw_only=True)
class Said:
    """One message: the words with their marks, and what is there."""

    open: Asked
    present: Mapping[str, str]
    words: str
    there: tuple[str, ...]
    shy: tuple[str, ...]
    asked: str | None = None  #: the question in this message's own case
    line: int = 0

    @property
    def plain(self) -> str:
        """The message as it was said."""
        return _MARK.sub(lambda part: part["words"], self.words)

    def parts(self) -> list[re.Match[str]]:
        """The marked values."""
        return list(_MARK.finditer(self.words))


@dataclass
class Scene:
    """A form: its questions and what was said to them."""

    name: str
    fields: dict[str, Asked] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)


class Unreadable(Exception):
    """A line of a scene cannot be read."""


def read(path: Path) -> list[Scene]:
    """The scenes of a file; `Unreadable` names the line."""
    found: list[Scene] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            if text.startswith("[") and text.endswith("]"):
                found.append(Scene(text[1:-1]))
            else:
                _line(found[-1], [part.strip() for part in text.split(" | ")], number)
        except (Unreadable, IndexError, KeyError) as err:
            raise Unreadable(f"{path.name}:{number}: {err}\n  {line}") from None
    return found


def _line(scene: Scene, parts: list[str], number: int) -> None:
    match = _FIELD.match(parts[0])
    if match:
        name, kind = match["name"], match["kind"]
        if kind not in KINDS or len(parts) not in (2, 3):
            raise Unreadable(f"a field is `name: kind | question / question | what it is`; kinds: {KINDS}")
        about = parts[2].split(" / ") if len(parts) == 3 else []
        options = tuple(o.strip() for o in (match["options"] or "").split(",") if o.strip())
        if (kind == "choice") != bool(options):
            raise Unreadable("options belong to a choice, and a choice has options")
        scene.fields[name] = Asked(
            name=name, kind=kind, asks=parts[1].split(" / "), about=about, options=options
        )
        return
    if len(parts) != 3:
        raise Unreadable("a message is `field | message | acts`")
    scene.said.append(_said(scene, parts, number))


def _said(scene: Scene, parts: list[str], number: int) -> Said:
    where = _OPEN.match(parts[0])
    if where is None or where["name"] not in scene.fields:
        raise Unreadable(f"no field {parts[0]!r}")
    present = dict(one.split("=", 1) for one in (where["present"] or "").split("; ") if one)
    there, _, shy = parts[2].partition("?")
    said = Said(
        open=scene.fields[where["name"]],
        present={k.strip(): v.strip() for k, v in present.items()},
        words=parts[1],
        there=tuple(there.split()),
        shy=tuple(shy.split()),
        line=number,
    )
    unknown = [a for a in (*said.there, *said.shy) if a not in ACTS]
    if unknown or not said.there:
        raise Unreadable(f"acts {unknown} are not known; known: {' '.join(ACTS)}")
    for name in said.present:
        if name not in scene.fields:
            raise Unreadable(f"no field {name!r} in brackets")
    for part in said.parts():
        asked = scene.fields[part["field"]] if part["field"] else said.open
        if part["option"] is not None and part["option"] not in asked.options:
            raise Unreadable(f"{part['option']!r} is no option of {asked.name}")
        if asked.kind == "choice" and part["option"] is None and part["words"].lower() not in asked.options:
            raise Unreadable(f"{part['words']!r} is no option of {asked.name}: write {{words=option}}")
        if asked.kind in _CLOSED:
            raise Unreadable("a yes or no has no value: say affirm or negate")
    if re.search(r"[{}]", _MARK.sub("", said.words)):
        raise Unreadable("a bracket is open")
    gives = [p for p in said.parts() if p["field"] in (None, said.open.name)]
    if "inform" in said.there and said.open.kind not in _CLOSED and not gives:
        raise Unreadable("it informs, but no value of the open field is marked")
    others = [p for p in said.parts() if p["field"] not in (None, said.open.name)]
    if others and not {"inform_other", "correct"} & {*said.there}:
        raise Unreadable("a value of another field is marked: inform_other or correct")
    return said


@cache
def scenes() -> tuple[Scene, ...]:
    """All of them."""
    return tuple(scene for path in sorted(FOLDER.glob("*.txt")) for scene in read(path))


def pairs(times: int, *, seed: int, part: str = "all") -> Iterator[Pair]:
    """Every message so many times, each time with other noise, other values and other absent fields.

    Args:
        times: How often each is said.
        seed: Of the noise.
        part: "all", those to "train" on, or those "held" back: every seventh message.
    """
    rng = random.Random(seed)
    for scene in scenes():
        values = _values(scene)
        for at, said in enumerate(scene.said):
            held = at % 7 == 3
            if part == "all" or held == (part == "held"):
                for time in range(times):
                    yield from _pairs(rng, scene, said, values, swap=time % 2 == 1)


def _values(scene: Scene) -> dict[str, list[str]]:
    """What was given for each field in any message: one may stand in another's place."""
    found: dict[str, list[str]] = {}
    for said in scene.said:
        for part in said.parts():
            asked = scene.fields[part["field"]] if part["field"] else said.open
            if asked.kind != "choice":
                found.setdefault(asked.name, []).append(part["words"])
    return found


def _pairs(
    rng: random.Random, scene: Scene, said: Said, values: Mapping[str, list[str]], *, swap: bool
) -> Iterator[Pair]:
    told = _swapped(rng, scene, said, values) if swap else said
    known = acts(*told.there, unknown=told.shy)
    seed = rng.random()
    here = _shown(told, told.open.name)
    closed = told.open.kind in _CLOSED
    value = int(bool({"affirm", "negate"} & {*told.there})) if closed else int(here != plain(here))
    if "correct" in told.there and told.open.name in told.present:
        value = int(here != plain(here))
    yield _pair(seed, told.open.question(rng), here, known, value, told, scene)
    given = {part["field"] or told.open.name for part in told.parts()}
    for name in given - {told.open.name}:
        asked = scene.fields[name]
        yield _pair(seed, asked.other(rng, told.present.get(name)), _shown(told, name), {}, 1, told, scene)
    rest = [
        f for n, f in scene.fields.items() if n not in given and n != told.open.name and f.kind != "confirm"
    ]
    for asked in rng.sample(rest, min(2, len(rest))):
        if asked.kind == "bool":
            continue
        now = told.present.get(asked.name)
        yield _pair(seed, asked.other(rng, now), plain(_shown(told, asked.name)), {}, 0, told, scene)
    yield from _options(rng, scene, told, seed)


def _options(rng: random.Random, scene: Scene, told: Said, seed: float) -> Iterator[Pair]:
    """Which option is meant, each asked for on its own."""
    text = plain(_shown(told, told.open.name))
    for part in told.parts():
        asked = scene.fields[part["field"]] if part["field"] else told.open
        if asked.kind != "choice":
            continue
        meant = part["option"] or part["words"].lower()
        others = [o for o in asked.options if o != meant]
        for option in (meant, *rng.sample(others, min(2, len(others)))):
            about = query("option", rng.choice(asked.asks), options=(option,))
            yield _pair(seed, about, text, {}, int(option == meant), told, scene)
    if told.open.kind == "choice" and not told.parts() and rng.random() < 0.6:
        about = query("option", rng.choice(told.open.asks), options=(rng.choice(told.open.options),))
        yield _pair(seed, about, text, {}, 0, told, scene)


def _pair(
    seed: float, asked: str, text: str, known: Mapping[str, int], value: int, told: Said, scene: Scene
) -> Pair:
    made = pair(
        random.Random(seed),  # the same noise for every query of one message
        asked,
        text,
        known,
        value,
        label="+".join(sorted(told.there)),
        form=scene.name,
        clean=0.6,
    )
    return replace(made, source="scene")


def _shown(said: Said, name: str) -> str:
    """The message with the value of one field marked."""

    def show(part: re.Match[str]) -> str:
        return mark(part["words"]) if (part["field"] or said.open.name) == name else part["words"]

    return _first_only(_MARK.sub(show, said.words))


def _first_only(text: str) -> str:
    """Only one place is learned: the last value of a field that is named twice ("8, no, 9") counts."""
    marked = re.findall("\x01[^\x02]*\x02", text)
    for early in marked[:-1]:
        text = text.replace(early, plain(early), 1)
    return text


def _swapped(rng: random.Random, scene: Scene, said: Said, values: Mapping[str, list[str]]) -> Said:
    """The same message with values that others gave."""

    def other(part: re.Match[str]) -> str:
        asked = scene.fields[part["field"]] if part["field"] else said.open
        known = values.get(asked.name, [])
        if asked.kind == "choice" or len(known) < 4 or len(part["words"]) > 40:
            return part[0]
        new = rng.choice([v for v in known if len(v) <= 60] or [part["words"]])
        return f"{{{part['field']}:{new}}}" if part["field"] else f"{{{new}}}"

    return replace(said, words=_MARK.sub(other, said.words))


def main() -> None:
    """Read files and tell what is in them."""
    for name in sys.argv[1:]:
        try:
            for scene in read(Path(name)):
                print(f"{scene.name}: {len(scene.fields)} fields, {len(scene.said)} messages")
        except Unreadable as err:
            print(err)
            raise SystemExit(1) from None


if __name__ == "__main__":
    main()
