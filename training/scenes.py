"""Scenes: forms with whole messages written by hand.

A file in `scenes/` holds forms; the README there tells how one is written. `python -m training.scenes FILE` reads one
and says what is wrong with it, by line.
"""

import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from softrail.reader.learned.marks import ACTS
from softrail.reader.learned.questions import KINDS, query

FOLDER = Path(__file__).parent / "scenes"
_FIELD = re.compile(r"^(?P<name>\w+): (?P<kind>\w+)(?: \((?P<options>[^()]*)\))?$")
_OPEN = re.compile(r"^(?P<name>\w+)(?: \((?P<present>.*)\))?$")
MARK = re.compile(r"\{(?:(?P<field>[a-z_]\w*):)?(?P<words>[^{}=]*?)(?:=(?P<option>[^{}=]*))?\}")
_BRACKET = re.compile(r"[\[\]]")
_ITEMS = re.compile(r"(?:[^\[\]]*\[[^\[\]]+\])*[^\[\]]*")
CLOSED = ("bool", "confirm")


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
    listed: str  #: the same words, with every item of a list in square brackets
    there: tuple[str, ...]
    shy: tuple[str, ...]
    wrong: tuple[str, ...] = ()  #: the fields whose answer is taken back, with nothing in its place
    line: int = 0

    @property
    def plain(self) -> str:
        """The message as it was said."""
        return MARK.sub(lambda part: part["words"], self.words)

    def parts(self) -> list[re.Match[str]]:
        """The marked values."""
        return list(MARK.finditer(self.words))


@dataclass
class Scene:
    """A form: its questions and what was said to them."""

    name: str
    fields: dict[str, Asked] = field(default_factory=dict)
    said: list[Said] = field(default_factory=list)

    def of(self, said: Said, part: re.Match[str]) -> Asked:
        """The field that a marked value is of."""
        return self.fields[part["field"]] if part["field"] else said.open

    def part(self, part: str) -> list[Said]:
        """What was said and is learned from, "train", what is kept back, "held", or "all" of it."""
        return [said for at, said in enumerate(self.said) if part == "all" or is_held(at) == (part == "held")]

    def told(self, said: Said) -> dict[str, bool]:
        """The yes or no that a message gives questions that are not open, by field."""
        return {
            asked.name: part["option"] == "yes"
            for part in said.parts()
            if (asked := self.of(said, part)).kind == "bool"
        }

    @property
    def tells_consent(self) -> bool:
        """Whether a yes or no beside an answer is marked here: where one is not, there is none."""
        return any(self.told(said) for said in self.said)


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
    wrong = tuple(act[1:] for act in there.split() if act.startswith("-"))
    said = Said(
        open=scene.fields[where["name"]],
        present={k.strip(): v.strip() for k, v in present.items()},
        words=_BRACKET.sub("", parts[1]),
        listed=parts[1],
        there=tuple(act for act in there.split() if not act.startswith("-")),
        shy=tuple(shy.split()),
        wrong=wrong,
        line=number,
    )
    unknown = [a for a in (*said.there, *said.shy) if a not in ACTS]
    if unknown or not said.there:
        raise Unreadable(f"acts {unknown} are not known; known: {' '.join(ACTS)}")
    for name in said.present:
        if name not in scene.fields:
            raise Unreadable(f"no field {name!r} in brackets")
    if [name for name in wrong if name not in said.present] or (wrong and "correct" not in said.there):
        raise Unreadable("what is taken back stands in brackets before, and is a correct")
    for part in said.parts():
        asked = scene.of(said, part)
        if asked.kind == "bool" and asked is not said.open and part["option"] in ("yes", "no"):
            continue
        if part["option"] is not None and part["option"] not in asked.options:
            raise Unreadable(f"{part['option']!r} is no option of {asked.name}")
        if asked.kind == "choice" and part["option"] is None and part["words"].lower() not in asked.options:
            raise Unreadable(f"{part['words']!r} is no option of {asked.name}: write {{words=option}}")
        if asked.kind in CLOSED:
            raise Unreadable(
                "the open yes or no has no value: say affirm or negate; of another write {words=yes} or {words=no}"
            )
    if re.search(r"[{}]", MARK.sub("", said.words)):
        raise Unreadable("a bracket is open")
    for part in MARK.finditer(said.listed):
        if "[" in part["words"] and scene.of(said, part).kind != "list":
            raise Unreadable("only a list has items")
        if not _ITEMS.fullmatch(part["words"]):
            raise Unreadable("every item stands in square brackets of its own")
    if _BRACKET.search(MARK.sub("", said.listed)):
        raise Unreadable("items stand within the mark of their list")
    gives = [p for p in said.parts() if p["field"] in (None, said.open.name)]
    if "inform" in said.there and said.open.kind not in CLOSED and not gives:
        raise Unreadable("it informs, but no value of the open field is marked")
    others = [p for p in said.parts() if p["field"] not in (None, said.open.name)]
    if others and not {"inform_other", "correct"} & {*said.there}:
        raise Unreadable("a value of another field is marked: inform_other or correct")
    return said


@cache
def scenes() -> tuple[Scene, ...]:
    """All that the model in the package has learned from."""
    return _of(FOLDER)


@cache
def further() -> tuple[Scene, ...]:
    """Those that were written since; `python -m training --further` learns from them, too."""
    return _of(FOLDER / "next")


@cache
def whole() -> tuple[Scene, ...]:
    """Those from which the joint reading alone has learned: every value of every message is marked in them."""
    return _of(FOLDER / "whole")


@cache
def forms() -> tuple[Scene, ...]:
    """Those that were written last, marked as the whole ones: the last stages of the joint reading and of the choosing model learn from them."""
    return _of(FOLDER / "forms")


@cache
def dense() -> tuple[Scene, ...]:
    """Those in which people tell all of it at once, above all with the message that begins a form; marked as the whole ones."""
    return _of(FOLDER / "dense")


def _of(folder: Path) -> tuple[Scene, ...]:
    return tuple(scene for path in sorted(folder.glob("*.txt")) for scene in read(path))


def is_held(at: int) -> bool:
    """Whether the message at that place of a scene is kept back: every seventh."""
    return at % 7 == 3


def checked(told: Callable[[Path], Iterable[str]]) -> None:
    """Print what is told of each file of the command line; the first line that cannot be read ends it."""
    for name in sys.argv[1:]:
        try:
            for line in told(Path(name)):
                print(line)
        except Unreadable as err:
            print(err)
            raise SystemExit(1) from None


def _told(path: Path) -> Iterator[str]:
    for scene in read(path):
        yield f"{scene.name}: {len(scene.fields)} fields, {len(scene.said)} messages"


if __name__ == "__main__":
    checked(_told)
