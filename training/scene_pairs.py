"""The pairs made of scenes: whole messages, their clauses, the options they choose, and the answers that they deny."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from softrail.reader.clauses import clauses
from softrail.reader.learned.questions import query
from training.messages import mark, pair, plain
from training.pairs import Pair, acts
from training.scenes import CLOSED, MARK, Asked, Said, Scene, is_held

_CLAUSES = 0.6  #: how often the clauses of a message are said on their own, too
_UNTOLD = 0.5  #: how often a clause is also put to a question that it does not answer
_AGREED = 0.35  #: how often a value in a message is asked about as such: it is not denied
_UNDENIED = 0.3  #: how often an answer given before is asked about where nothing is changed
_MOMENTS = ("date", "time")
_SAID = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|noon|midnight"
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?: of \w+)?(?: ?[ap]\.?m\b)?"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)(?:-\w+)?(?: hundred)?)\b",
    re.IGNORECASE,
)  #: what is read as a number, a day or a time
_DENIES = re.compile(
    r"\b(?:not|never|no|nor|but|except|without|\w+n'?t|cannot|than|minus|instead of)\b(?:\W+\w+){0,2}\W*$",
    re.IGNORECASE,
)  #: words before a value that is named and not meant
_FEW = ("number", "date", "time", "choice")  #: what few words can answer: of a text any may


def pairs(
    times: int, *, seed: int, part: str = "all", of: Sequence[Scene], parts: bool = False
) -> Iterator[Pair]:
    """Every message so many times, each time with other noise, other values and other absent fields.

    Args:
        times: How often each is said.
        seed: Of the noise.
        part: "all", those to "train" on, or those "held" back: every seventh message.
        of: The scenes.
        parts: Whether to make pairs of their clauses, hints and denials, too.
    """
    rng = random.Random(seed)
    for scene in of:
        values = values_of(scene)
        for at, said in enumerate(scene.said):
            held = is_held(at)
            if part == "all" or held == (part == "held"):
                for time in range(times):
                    yield from _pairs(rng, scene, said, values, swap=time % 2 == 1, parts=parts)


def left_anywhere(times: int, *, seed: int, of: Sequence[Scene]) -> Iterator[Pair]:
    """Every wish to leave, to pause or for a person, so many times, each in the place of a question of another form.

    Whoever wants to go says the same whatever is asked, a name included.
    """
    rng = random.Random(seed)
    asked = [(scene, one) for scene in of for one in scene.fields.values() if one.kind in ("text", "list")]
    for scene in of:
        for said in scene.said:
            acts_of = set(said.there) & {"leave", "pause", "human"}
            if not acts_of or {"inform", "correct", "affirm", "negate", "inform_other"} & set(said.there):
                continue
            for _ in range(times):
                other, question = rng.choice(asked)
                known = {**dict.fromkeys(acts_of, 1), "inform": 0, "inform_other": 0}
                yield _pair(rng.random(), question.question(rng), said.plain, known, 0, said, other)


def values_of(scene: Scene) -> dict[str, list[str]]:
    """What was given for each field in any message: one may stand in another's place."""
    found: dict[str, list[str]] = {}
    for said in scene.said:
        for part in said.parts():
            asked = scene.of(said, part)
            if asked.kind != "choice":
                found.setdefault(asked.name, []).append(part["words"])
    return found


def _pairs(
    rng: random.Random, scene: Scene, said: Said, values: Mapping[str, list[str]], *, swap: bool, parts: bool
) -> Iterator[Pair]:
    told = swapped(rng, scene, said, values) if swap else said
    known = acts(*told.there, unknown=told.shy)
    seed = rng.random()
    here = _shown(told, told.open.name)
    closed = told.open.kind in CLOSED
    value = int(bool({"affirm", "negate"} & {*told.there})) if closed else int(here != plain(here))
    if "correct" in told.there and told.open.name in told.present:
        value = int(here != plain(here))
    yield _pair(seed, told.open.question(rng), here, known, value, told, scene)
    given = {part["field"] or told.open.name for part in told.parts()}
    for name in sorted(given - {told.open.name}):
        asked = scene.fields[name]
        if asked.kind == "bool":
            continue
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
    if not parts:
        return
    yield from _consents(rng, scene, told, plain(here), seed)
    yield from _denials(rng, scene, told, plain(here), seed)
    yield from _agreements(rng, scene, told, plain(here), seed)
    yield from _unmeant(scene, told, seed)
    if rng.random() < _CLAUSES:
        yield from _clauses(rng, scene, told, seed)


def _options(rng: random.Random, scene: Scene, told: Said, seed: float) -> Iterator[Pair]:
    """Which option is meant, each asked for on its own."""
    text = plain(_shown(told, told.open.name))
    for part in told.parts():
        asked = scene.of(told, part)
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
    seed: float, asked: str, text: str, known: Mapping[str, int], value: int | None, told: Said, scene: Scene
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

    return _first_only(MARK.sub(show, said.words))


def _first_only(text: str) -> str:
    """Only one place is learned: the last value of a field that is named twice ("8, no, 9") counts."""
    marked = re.findall("\x01[^\x02]*\x02", text)
    for early in marked[:-1]:
        text = text.replace(early, plain(early), 1)
    return text


def swapped(rng: random.Random, scene: Scene, said: Said, values: Mapping[str, list[str]]) -> Said:
    """The same message with values that others gave."""

    def other(part: re.Match[str]) -> str:
        asked = scene.of(said, part)
        known = values.get(asked.name, [])
        if asked.kind == "choice" or len(known) < 4 or len(part["words"]) > 40:
            return part[0]
        new = rng.choice([v for v in known if len(v) <= 60] or [part["words"]])
        return f"{{{part['field']}:{new}}}" if part["field"] else f"{{{new}}}"

    return replace(said, words=MARK.sub(other, said.words))


def _consents(rng: random.Random, scene: Scene, told: Said, text: str, seed: float) -> Iterator[Pair]:
    """The yes or no that is told beside an answer, and of the other questions for one that none is."""
    if not scene.tells_consent:
        return
    said = scene.told(told)
    for asked in scene.fields.values():
        if asked.kind != "bool" or asked is told.open or asked.name in told.present:
            continue
        if (yes := said.get(asked.name)) is None and rng.random() > _UNTOLD:
            continue
        known = {"affirm": int(yes is True), "negate": int(yes is False)}
        yield _pair(
            seed, query("bool", rng.choice(asked.asks)), text, known, int(yes is not None), told, scene
        )


def _denials(rng: random.Random, scene: Scene, told: Said, text: str, seed: float) -> Iterator[Pair]:
    """Whether the message denies each answer given before, asked as the reader asks it."""
    changed = {scene.of(told, part).name for part in told.parts()} & {*told.present}
    wrong = changed | {*told.wrong}
    if "correct" in told.there and not wrong:
        return  # which one it denies is not told
    for name, present in told.present.items():
        if scene.fields[name].kind in ("bool", "list") or scene.fields[name] is told.open:
            continue
        if not wrong and rng.random() > _UNDENIED:
            continue
        asked = query("bool", f"Is {present} right?")
        yield _pair(seed, asked, text, {"negate": int(name in wrong)}, None, told, scene)


def _agreements(rng: random.Random, scene: Scene, told: Said, text: str, seed: float) -> Iterator[Pair]:
    """The values that the message gives, asked about as the reader asks: it denies none of them."""
    values = {scene.of(told, part).name: part for part in told.parts()}  # of two in one place the last
    for name, part in values.items():
        if scene.fields[name].kind in CLOSED or rng.random() > _AGREED:
            continue
        words = part["option"] or part["words"]
        asked = query("bool", f"Is it {words}?" if rng.random() < 0.6 else f"Is {words} right?")
        yield _pair(seed, asked, text, {"negate": 0}, None, told, scene)


def _unmeant(scene: Scene, told: Said, seed: float) -> Iterator[Pair]:
    """A number, a day or an option that is named behind a word of denial and is nowhere given, asked about as such."""
    text, spans = _placed(scene, told)
    if not any(asked.kind in _FEW for asked in (told.open, *(asked for asked, *_ in spans))):
        return
    named = list(_SAID.finditer(text))
    for option in told.open.options:
        named += re.finditer(rf"\b{re.escape(option)}\b", text, re.IGNORECASE)
    for found in named:
        given = any(found.start() < end and start < found.end() for _, start, end, _ in spans)
        if not given and _DENIES.search(text[: found.start()]):
            for asked in (
                f"Is it {found[0]}?",
                f"Is it {found[0]}?",
                f"Is {found[0]} right?",
            ):  # there are few
                yield _pair(seed, query("bool", asked), text, {"negate": 1}, None, told, scene)


def _clauses(rng: random.Random, scene: Scene, told: Said, seed: float) -> Iterator[Pair]:
    """Each clause in which values stand, as an answer to their questions and to others."""
    for clause, inside in whole_clauses(scene, told, least=2):
        if inside:
            yield from _clause(rng, scene, told, clause, inside, seed)


#: A value in a text: what it is of, where it starts and ends, and its mark.
Placed = tuple[Asked, int, int, re.Match[str]]


def whole_clauses(scene: Scene, told: Said, *, least: int = 1) -> Iterator[tuple[str, list[Placed]]]:
    """The clauses that cut no value in two, each with the values in it; none of a message of fewer than `least`."""
    text, spans = _placed(scene, told)
    parts = list(clauses(text))
    for start, end in parts if len(parts) >= least else ():
        inside = [(asked, a - start, b - start, m) for asked, a, b, m in spans if start <= a and b <= end]
        if not any(a < end and start < b for _, a, b, _ in spans if not (start <= a and b <= end)):
            yield text[start:end], inside


def _clause(
    rng: random.Random,
    scene: Scene,
    told: Said,
    clause: str,
    inside: list[Placed],
    seed: float,
) -> Iterator[Pair]:
    given = {asked.name for asked, *_ in inside}
    moments = all(asked.kind in _MOMENTS for asked, *_ in inside)  # "when?" may be asked for in words, too
    if told.open.name not in given and told.open.kind not in (
        *CLOSED,
        *(("text", "list") if moments else ()),
    ):
        known = {"inform": 0} if given & {*told.present} else {"inform": 0, "inform_other": 1}
        yield _pair(seed, told.open.question(rng), clause, known, 0, told, scene)
    for asked, a, b, part in inside:
        if asked.kind == "bool":
            known = {"affirm": int(part["option"] == "yes"), "negate": int(part["option"] == "no")}
            yield _pair(seed, query("bool", rng.choice(asked.asks)), clause, known, 1, told, scene)
            continue
        shown = _first_only(f"{clause[:a]}{mark(clause[a:b])}{clause[b:]}")
        known = {"inform": 1} if asked is not told.open or "inform" in told.there else {}
        yield _pair(seed, asked.question(rng), shown, known, 1, told, scene)
        if asked is not told.open:
            yield _pair(seed, asked.other(rng, told.present.get(asked.name)), shown, {}, 1, told, scene)
    untold = [f for n, f in scene.fields.items() if n not in given and f.kind in _FEW]
    if untold and rng.random() < _UNTOLD:
        yield _pair(seed, rng.choice(untold).question(rng), clause, {"inform": 0}, 0, told, scene)


def _placed(scene: Scene, told: Said) -> tuple[str, list[Placed]]:
    """The message as it was said, and where the values stand in it."""
    text, last, spans = "", 0, []
    for part in told.parts():
        text += told.words[last : part.start()]
        spans.append((scene.of(told, part), len(text), len(text) + len(part["words"]), part))
        text, last = text + part["words"], part.end()
    return text + told.words[last:], spans
