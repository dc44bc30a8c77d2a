"""What a person told of their projects, and where a message may mean more than one thing."""

import re
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import normalize

from pydantic import BaseModel, computed_field

from softrail import Turn
from softrail.plugin import language, normal

LONGEST = 60  #: characters of a name
SURE = 0.8  #: how likely a reading must be that changes what was told before
CALLED = 0.97  #: and that a project is called otherwise: the words may tell another one as well
#: Said where it is asked whether a name is several.
JUST_ONE = ("just the one", "just one", "only one", "one")
BOTH = ("both", "both of them", "two", "two projects", "yes two projects", "they are two")
BOTH_ARE = 2
UNLIKE_A_NAME = 0.5  #: a no as likely as that in a message makes a name in it doubtful
MOST_WORDS = 4  #: of a name that is told without a word around it

#: Words written as names are; what is said of one stands behind a sign, or behind such a word.
_WRITTEN = re.compile(r"\b(?!I\b)[A-ZÀ-ÖØ-Þ][\w'’-]+(?:\s+[A-ZÀ-ÖØ-Þ0-9][\w'’-]*)*")
_SAID_OF = re.compile(r"\s*,\s|\s+(?:which|that|is)\b|\s*[:–—]\s|\s+-\s")
_HEADED = re.compile(r"(\s+[-–—]\s+|,\s+(?=about\b))", re.IGNORECASE)
_BEFORE_IT = re.compile(
    r"\s*(?:(?:also|and|then|so|well|ok|okay|there['’]?s|there is|it['’]?s)\b,?\s*){0,3}", re.IGNORECASE
)
#: What counts the items of a list, from its first: "1. Atlas 2. Borealis", "a) Atlas b) Borealis".
_COUNTED = re.compile(r"(?:(?<=\s)|\A)\(?(?:(\d{1,2})[.):]|([a-z])\))\s*(?=[^\W\d_])", re.IGNORECASE)
_JOINED = re.compile(r"[\s,;]+(?:and|&)?\s*\Z", re.IGNORECASE)  #: what stands before the next of them
_MOST_BETWEEN = 4  #: words between what a project is and what it is called
_BEFORE_A_LIST = 4  #: words that may stand before it: "we have three: 1. …"
_CLAUSE = re.compile(r"[.,;!?]+\s+|\n")
MOST_BEFORE = 3  #: words before a name in a clause that names it alone: "then there is Mower"
#: What stands between the parts of a list.
_BETWEEN = re.compile(r"\s*[,;&]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


class Noted(BaseModel):
    """A project as it was told."""

    id: str
    name: str
    description: str
    repository: str | None = None


class Doubt(BaseModel):
    """A message that may mean several things; it is asked which."""

    message: str
    names: list[str] = []  #: what may be names in it
    project: str | None = None  #: id of the project that it may be about


class Data(BaseModel):
    """What was told so far."""

    projects: list[Noted] = []
    main: str | None = None  #: id of the main project; None: no preference
    main_asked: int = 0
    repository_of: str | None = None  #: id of the project whose repository is asked for
    told_how: bool = False  #: the last answer was no repository, and how one is written was said
    untitled: str = ""  #: what was told of a project whose name is not known yet
    pressed: bool = False  #: a name for that was asked for once more
    doubt: Doubt | None = None
    reviewed: bool = False  #: everything was shown

    @computed_field  # type: ignore[prop-decorator] # as pydantic has it
    @property
    def project_names(self) -> list[str]:
        """What the projects are called, which people change wherever they are told of them."""
        return [project.name for project in self.projects]


def doubted(names: Sequence[str], said: Turn, data: Data) -> Doubt | None:
    """What a message may mean besides, where that is as likely: nothing is kept of it unasked."""
    reading = said.reading
    if reading is None:
        return None
    named = named_in(said.message, data)
    new = new_names(names, named)
    last = data.projects[-1] if data.projects else None
    doubt = Doubt(message=said.message, names=new)
    if named is not None and not new and normal(said.message) != normal(named.name):
        no = reading.likely("negate", "none") >= SURE and not said.does("inform", "correct")
        return None if no else doubt.model_copy(update={"project": named.id})
    words = language(said.person.locale)
    answers = said.does("correct") or (not new and said.does("none", "affirm", "open"))
    stops = puts_right(said.message, said.person.locale) and not (answers or _exact(said))
    if last is not None and stops:
        return doubt.model_copy(update={"project": last.id})
    if names and (more := also_written(names, said.message, said.person.locale)):
        return doubt.model_copy(update={"names": [*(n for n in new if not n.islower()), *more]})
    if changes_a_name(names, said, data) and last is not None:
        hint = reading.values.get("name")
        called = named is not None or reading.likely("correct") >= CALLED
        if new and hint is not None and hint.confidence >= SURE and called:
            return None
        told = bare(hint.text, said.person.locale) if hint is not None else ""
        hinted = new or ([told] if told and not words.takes_it_back(told) else [])
        return doubt.model_copy(update={"project": (named or last).id, "names": hinted})
    if new and reading.likely("negate", "none", "open") >= UNLIKE_A_NAME:
        return doubt.model_copy(update={"project": last.id if last is not None else None})
    if len(new) == 1 and len(parts(new[0])) > 1:
        return doubt
    torn = (said.does("negate", "none", "open") and said.does("inform", "affirm")) or (
        said.does("affirm") and said.does("inform", "none")
    )
    if names or last is None or _exact(said):
        return None
    if torn:
        return doubt
    if tells_what_for(said) and _points(said):
        return doubt.model_copy(update={"project": last.id})  # "its a dashboard": of the one told last
    answers = said.does("negate", "none", "open", "affirm")
    # It was asked whether there is another one: what has no name and hardly answers that may be told of the last one.
    answer = reading.of("inform", target="")
    beside = reading.learned and not answers and (answer is None or answer.confidence < SURE)
    return doubt.model_copy(update={"project": last.id}) if beside else None


def _points(said: Turn) -> bool:
    """It begins with a word for what was spoken of just now: "it's a …"."""
    first = normal(said.message).partition(" ")[0].replace("’", "'")
    return any(language(said.person.locale).points(word) for word in (first, first.rstrip("s").rstrip("'")))


def tells_what_for(said: Turn) -> bool:
    """It says what a project is about, and nothing that it could be called."""
    about = said.reading.values.get("about") if said.reading is not None else None
    return about is not None and about.confidence >= SURE and not said.all_of("name")


def told_names(said: Turn, asked: str) -> list[str]:
    """The names in a message; what only says yes, in the words of the question, is none: "yes another: …"."""
    words = language(said.person.locale)
    heard = {*normal(asked).split()}
    found = [
        without_what_it_is(name)
        for name in (bare(one, said.person.locale) for one in said.all_of("name"))
        if not words.takes_it_back(name)
        if any(word not in heard and words.consent(word) == "other" for word in normal(name).split())
    ]
    titled = {one for one, other in pairwise(found) if _is_titled(said, one, other)}
    told = [name for name in found if name not in titled and not _is_said_of(name, found, said)]
    return [
        part
        for name in told
        for part in (parts(name) if _counts(said.message, name, said.person.locale) else [name])
    ]


def _counts(message: str, name: str, locale: str) -> bool:
    """It says how many names are in it: "I have three: Rover, Choir News and Old Mill"."""
    count = len(parts(name))
    before = normal(message.partition(name)[0]).replace(":", " ").split()
    return count > 1 and any(language(locale).figure(word) == str(count) for word in before)


def _is_said_of(name: str, names: Sequence[str], said: Turn) -> bool:
    """It says what another one is, which is written as names are: "Rover, thats a lawn robot"."""
    before = normal(said.message.partition(name)[0]).replace("’", "'").split()
    if not name.islower() or not before or not any(_WRITTEN.fullmatch(one) for one in names):
        return False
    words, last = language(said.person.locale), before[-1]
    if words.links(last) or words.points(last.rstrip("s").rstrip("'")):
        return True
    *others, clause = _CLAUSE.split(said.message.partition(name)[0])
    adds = adds_one(clause, said.person.locale) or any(map(words.adds, normal(clause).split()))
    return (
        not adds
        and len(clause.split()) > MOST_BEFORE
        and any(_is_called(part, names, said.person.locale) for part in others)
    )


def _is_called(clause: str, names: Sequence[str], locale: str) -> bool:
    """It ends in one of the names, behind a word that gives one: "it's called Greenway"."""
    return any(
        clause.endswith(name)
        and language(locale).gives_a_name((clause.removesuffix(name).split() or [""])[-1])
        for name in names
    )


def headed(message: str, locale: str) -> str:
    """What stands before a sign, and is said more of behind it: "Bakery site - online orders"; "" where nothing does."""
    head, _, rest = (*_HEADED.split(message.strip(), maxsplit=1), "", "")[:3]
    name = bare(head.strip(), locale)
    short = 0 < len(name.split()) < MOST_WORDS and language(locale).consent(name) == "other"
    return name if rest.strip() and short else ""


def bare(name: str, locale: str) -> str:
    """A name without what people say around one: "plus a cookbook", "yes Mower too"; what is written as a name stays whole."""
    words, said = language(locale), name.split()
    while said:
        rest = " ".join(said[1:])
        if not (said[0].islower() or rest.islower() or not rest) or not words.opens(said[0]):
            break
        said = said[1:]
    left = " ".join(said)
    return words.without_too(left) if said and said[-1].islower() and words.without_too(left) else left


def adds_one(message: str, locale: str) -> bool:
    """It speaks of one more than was told: "and the other one is called Wedding", "Mower too"."""
    words, keys = language(locale), normal(message).split()
    return any(words.is_another(key) or words.is_more(key) for key in keys) or bool(
        words.without_too(message)
    )


def puts_right(message: str, locale: str) -> bool:
    """It begins with words that stop what was said just now: "hold on, wrong, Mower"; what is one more is told anew."""
    keys = normal(message).replace(",", " ").split()
    stops = any(language(locale).stops(" ".join(keys[:size])) for size in (1, 2))
    return stops and not adds_one(message, locale)


def also_written(names: Sequence[str], message: str, locale: str) -> list[str]:
    """What is written as names are in clauses of its own, beside those that were read: "Rover. oh and Mower as well"."""
    words, found = language(locale), list[str]()
    for part in _CLAUSE.split(message):
        clause = words.without_too(part.strip()) or part.strip()
        last = [one for one in _WRITTEN.finditer(clause) if one.end() == len(clause)]
        alone = len(last) == 1 and len(clause[: last[0].start()].split()) <= MOST_BEFORE
        there = [part for name in names for part in (name, *parts(name))]
        if alone and not any(mentions(name, last[0][0]) or mentions(last[0][0], name) for name in there):
            found.append(last[0][0])
    return [name for name in found if words.consent(name) == "other" and not words.opens(name)]


def _is_titled(said: Turn, one: str, other: str) -> bool:
    """The first says what the second is called: "this flower shop called Petal", "my farm. It's called Greenacre"."""
    between, found, _ = said.message.partition(one)[2].partition(other)
    heard, words = normal(between).split(), language(said.person.locale)
    if not found or not 0 < len(heard) <= _MOST_BETWEEN or any(words.adds(word) for word in heard):
        return False  # "Thrush, and the other is called Wren"
    return words.gives_a_name(heard[-1])


def counted_names(message: str) -> list[str]:
    """The names that a message counts, in one line or in several, without what is said of each; none where it does not."""
    marks: list[re.Match[str]] = []
    for mark in _COUNTED.finditer(message):
        at = int(mark[1]) if mark[1] else ord(mark[2].lower()) - ord("a") + 1
        same_kind = not marks or bool(mark[1]) == bool(marks[0][1])
        if at == len(marks) + 1 and same_kind:
            marks.append(mark)
    if len(marks) < 2 or len(message[: marks[0].start()].split()) > _BEFORE_A_LIST:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(message)]
    said = [message[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    named = [_SAID_OF.split(_JOINED.sub("", one), maxsplit=1)[0].strip(" \t\n,;&.") for one in said]
    return named if all(named) and all(len(name.split()) <= MOST_WORDS for name in named) else []


def written_names(message: str, data: Data) -> tuple[list[str], bool]:
    """What is written as names are, and whether it is one that all else is said of: "also Moth, it tracks insects"."""
    names: list[str] = []
    leads = False
    for found in _WRITTEN.finditer(message):
        before, behind = message[: found.start()], message[found.end() :]
        heads = not before.strip() or before.rstrip()[-1] in ".!?\n"
        said_of = _SAID_OF.match(behind) is not None
        if heads and (not said_of or language().is_no_name(found[0])):
            continue  # any sentence begins so
        leads = leads or (said_of and _BEFORE_IT.fullmatch(before) is not None)
        names.append(found[0])
    words = language()
    names = [n for n in dict.fromkeys(names) if words.consent(n) == "other" and not words.is_no_name(n)]
    known = [name for name in names if not any(same_name(name, p.name) for p in data.projects)]
    return known, leads and len(known) == 1


def without_what_it_is(name: str) -> str:
    """A name without what is said around it: "Lumen, lamp rental", "knits what, and there's Lumen"; "Lumen, Moth" stays."""
    first, comma, rest = name.partition(",")
    if comma and _WRITTEN.fullmatch(first) and not _WRITTEN.search(rest):
        return first
    before, comma, last = name.rpartition(",")
    written = [found[0] for found in _WRITTEN.finditer(last)]
    alone = comma and len(written) == 1 and last.endswith(written[0]) and not _WRITTEN.search(before)
    return written[0] if alone else name


def short_and_unread(said: Turn) -> bool:
    """It is as short as a name, and nothing in it is read: not a name, nor a yes or a no."""
    says = said.does("affirm", "negate", "none", "open", "correct") or said.all_of("name")
    return len(said.message.split()) <= MOST_WORDS and not says


def named_in(message: str, data: Data) -> Noted | None:
    """The first project whose name stands in the message."""
    return next((p for p in data.projects if mentions(message, p.name)), None)


def changes_a_name(names: Sequence[str], said: Turn, data: Data) -> bool:
    """It may call a project otherwise: it names neither one that had no name yet, nor one more."""
    one_more = bool(names) and adds_one(said.message, said.person.locale)
    return said.does("correct") and not one_more and not names_untitled(names, said, data)


def names_untitled(names: Sequence[str], said: Turn, data: Data) -> bool:
    """It answers what the project is called that was told without a name, although it sounds like a change of another."""
    return bool(data.untitled and names) and named_in(said.message, data) is None


def new_names(names: Sequence[str], named: Noted | None) -> list[str]:
    """Those of the names that are not that project's."""
    return [name for name in names if named is None or not mentions(name, named.name)]


def mentions(words: str, name: str) -> bool:
    """The name stands in the words, as words of its own."""
    return f" {normal(name)} " in f" {normal(words)} "


def same_name(one: str, other: str) -> bool:
    """They differ in case and blanks at most: a sign may be all that tells C++ from C#."""
    return _plain(one) == _plain(other)


def _plain(name: str) -> str:
    return " ".join(normalize("NFKC", name).casefold().split())


def by_name_alone(said: Turn, label: str, name: str) -> bool:
    """A button was chosen by the name of its project alone: "I like Kestrel" says nothing of "Without Kestrel"."""
    if said.reading is not None and said.reading.exactly("inform", target="settled") is not None:
        return False  # it was asked whether that button was meant
    heard, of_name = (set(normal(words).split()) for words in (said.message, name))
    wanted = set(normal(label).split()) - of_name
    names_it = any(word in of_name or (len(word) > 2 and word in normal(name)) for word in heard)
    return names_it and not wanted <= heard


def parts(name: str) -> list[str]:
    """What may be several names in one: "Kestrel and Owl"."""
    return [part.strip() for part in _BETWEEN.split(name) if part.strip()]


def _exact(said: Turn) -> bool:
    """An exact word says no, none or yes: there is nothing to doubt."""
    return said.reading is not None and said.reading.exactly("negate", "none", "affirm", "open") is not None


def shortened(message: str) -> str:
    """The first line of a message as a name."""
    line = next((line.strip() for line in message.splitlines() if line.strip()), message.strip())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def listed(names: Sequence[str]) -> str:
    """The names as a sentence has them: "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
