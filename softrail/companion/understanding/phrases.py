"""What the companion reads out of people's words: an idea, a name, a note's number, a topic, a time."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, tzinfo
from functools import cache
from importlib.resources import files
from itertools import dropwhile, pairwise
from typing import Any, Final

from softrail.companion.understanding.note_phrases import NotePhrases
from softrail.companion.understanding.since import Since
from softrail.plugin import language, normal

_SHORT: Final = 100  #: characters of a greeting with a name
_READ: Final = 2_000  #: characters of a message that are looked at
_LONGEST_IDEA: Final = 400
#: Behind one of these comes what is not told of what stands before it.
_CLAUSE: Final = re.compile(
    r"[,;:.!?\n]\s|\b(?:and|that|which|who|whose|where|when|because|if|so|to)\b", re.IGNORECASE
)
_NAMES: Final = re.compile(
    r"(?<!\w)[^\W\d_a-z][\w'’-]*(?:\s+(?:of\s+|the\s+|and\s+|&\s+)?[^\W\d_a-z][\w'’-]*)*"
)
_APART: Final = (": ", " - ", " – ", " — ", ", ")  #: a name that ends a message stands behind one of these
_LONGEST_NAME: Final = 5  #: words
_NO_NAMES: Final = frozenset(
    ["i", "i'm", "i’m", "i'd", "i’d", "i'll", "it", "ok"]
)  #: written large for other reasons


_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{1,200}[\"”“»]")


class Phrases:
    """The patterns of one language, compiled."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        def compiled(area: str, name: str) -> Sequence[re.Pattern[str]]:
            return tuple(re.compile(pattern, re.IGNORECASE) for pattern in data[area][name])

        self._openings = compiled("seed", "openings")
        self._carriers = compiled("seed", "carriers")
        self._named = compiled("seed", "named")
        self._begins_named = compiled("seed", "begins_named")
        self._behind_name = compiled("seed", "behind_name")
        self._about = re.compile(data["seed"]["about"], re.IGNORECASE)
        self._negated = compiled("seed", "negated")
        self._plain = frozenset(data["seed"]["plain_words"])
        self._number = compiled("note", "number")
        self._topic = compiled("about", "topic")
        self._no_topic = compiled("about", "no_topic")
        self._finds = compiled("about", "finds")
        self._recalls = compiled("about", "recalls")
        self._lead = compiled("about", "lead")
        self._gone_to = compiled("about", "gone_to")
        self._ordinal = compiled("about", "ordinal")
        self._ordinals: Mapping[str, int] = data["about"]["ordinals"]
        self._asking = frozenset(data["about"]["asking_words"])
        self._states = frozenset(data["about"]["asking_states"])
        self._told_last = compiled("about", "told_last")
        self._kind_asked = compiled("about", "kind_asked")
        self._shown = compiled("about", "shown")
        self._of_any = compiled("about", "of_any")
        self._curses = compiled("about", "curses")
        self._asking_how = frozenset(data["about"]["asking_how"])
        self._newest = compiled("file", "newest")
        self._files_at_all = compiled("file", "at_all")
        self.little_words = frozenset(data["file"]["little_words"])  #: they tell no file from another
        self._thanks = compiled("talk", "thanks")
        self._passes_on = compiled("talk", "passes_on")
        self._telling = frozenset(data["tell"]["words"])
        self._introduces = compiled("talk", "introduces")
        self._since = Since(data["since"])
        self.begins_one = tuple(data["seed"]["begins_one"])  #: said to the offer of a project
        self._amends = compiled("amend", "cues")
        self._amends_it = compiled("amend", "of_it")
        self._right = compiled("amend", "right")
        self._changed = compiled("amend", "changed")
        self._numbered_text = compiled("amend", "numbered")
        self._numbered_value = compiled("amend", "numbered_value")
        self._retracts = compiled("retract", "begins")
        self._retracts_alone = compiled("retract", "alone")
        self._supposing = tuple(f"{word} " for word in data["suppose"]["words"])
        self._why = frozenset(data["why"]["words"])
        self._judged = frozenset(data["judged"]["words"])
        self._asked = frozenset(data["asked"]["words"])
        self._pronouns = frozenset(data["asked"]["pronouns"])
        self._wanted: Mapping[str, Sequence[str]] = data["wanted"]
        self.notes = NotePhrases(data)

    # -- the seed conversation

    def idea(self, message: str) -> str:
        """What a project is, without the words that begin one and that only carry it; "" when nothing is left."""
        found = _first(self._openings, message)
        idea = (found["idea"] if found is not None else message)[:_READ].strip(" .!?,;:\n")
        for carrier in self._carriers:
            idea = carrier.sub("", idea, count=1).strip(" :,.")
        telling = any(word not in self._plain for word in re.findall(r"[^\W_]+", idea.lower()))
        return idea[:_LONGEST_IDEA] if telling else ""

    def idea_alone(self, idea: str, others: Sequence[str]) -> str:
        """The first clauses of an idea, up to one that tells another part of it, or asks for help with it."""
        ends = [*(found.start() for found in _CLAUSE.finditer(idea)), len(idea)]
        for begin, end in pairwise(ends):
            clause = idea[begin:end].strip(" ,.;:")
            told = any(
                begin < idea.find(text) + len(text) and idea.find(text) < end
                for text in others
                if text in idea
            )
            if told or language().is_question(clause):
                return idea[:begin].strip()
        return idea

    def opens(self, message: str) -> bool:
        """The message says that something is to be begun or made."""
        return _first(self._openings, message) is not None

    def named(self, message: str) -> tuple[str, str]:
        """What stands before a name, and the name: "a tool called Blue Harbor"; without one, the message and ""."""
        found = _first(self._named, message)
        if found is None:
            return message, ""
        return found.string[: found.start()], found.string[found.start("name") : _name_ends(found)].strip(
            " “”\"'"
        )

    def written_name(self, message: str) -> str:
        """A name at the end, written as names are and set apart: "start a project: Roof Garden"; "" where there is none."""
        said = without_courtesy(message[:_READ].strip(" .!\n"))
        before, mark, name = max((said.rpartition(mark) for mark in _APART), key=lambda one: len(one[0]))
        name = name.strip(" \"'“”„«»")
        whole = (
            bool(before.strip()) and _NAMES.fullmatch(name) is not None and len(name.split()) <= _LONGEST_NAME
        )
        return name if whole and (mark != ", " or len(name.split()) > 1) else ""  # "begin a project, Anna"

    def begins_named(self, message: str) -> bool:
        """A new project is to be begun, and it says what it is called."""
        found = _first(self._begins_named, message)
        return found is not None and not self._tells(found["name"])

    def _tells(self, words: str) -> bool:
        """Something is told of what these words begin with: "Muse was archived", not "Muse, it is about …"."""
        said = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", _CLAUSE.split(words, maxsplit=1)[0])
        return not self._telling.isdisjoint(word.replace("’", "'") for word in said)

    def behind_name(self, message: str) -> str:
        """What is said of what is begun behind its name: "called Bee House about bees on roofs"; "" when nothing is."""
        found = _first(self._named, message)
        after = found.string[_name_ends(found) :].lstrip("\"'“”„«»") if found is not None else ""
        if not any(pattern.search(after) for pattern in self._behind_name):
            return ""
        return self._about.sub("", after, count=1)

    def negates(self, message: str) -> bool:
        """The message says that something is not so, or not to be done."""
        return _first(self._negated, message) is not None

    # -- notes

    def aside(self, message: str) -> str:
        """What is to be noted beside what was asked; "" when the message asks for no such thing."""
        return self.notes.aside(message)

    def note_numbers(self, message: str) -> tuple[int, ...]:
        """The numbers of the notes a message names, in order."""
        found = [int(m["number"]) for pattern in self._number for m in pattern.finditer(message[:_READ])]
        return tuple(dict.fromkeys(found))

    def topic(self, message: str) -> str:
        """What a question about notes is about; "" when it is about all of them."""
        found = _first(self._topic, message)
        topic = found["topic"].strip(" ?.!,;:") if found else ""
        return "" if topic and _first(self._no_topic, topic) else topic

    def looked_for(self, message: str) -> str:
        """The words that notes are looked for by: "find vet"; "" where it looks for nothing."""
        found = _first(self._finds, message)
        return found["query"].strip(" .!?\"'“”") if found is not None else ""

    def recalls(self, message: str) -> bool:
        """It calls to mind what was told: "what was it that I said about the landlord"."""
        return _first(self._recalls, message) is not None

    def without_lead(self, message: str) -> str:
        """What is said without what may stand before it: "just curious, how many notes are there"."""
        found = _first(self._lead, message)
        return message if found is None else message.strip()[found.end() :]

    def gone_to(self, message: str) -> str:
        """What is gone on with, behind words for going there: "let's hop over to the stall"; "" where it asks, or tells."""
        found = None if message.rstrip().endswith("?") else _first(self._gone_to, message)
        return found["name"] if found is not None else ""

    def asks_for_the_last(self, message: str) -> bool:
        """It asks for what was told last: "what was the last thing I told you?"."""
        return self.asks(message) and _first(self._told_last, message) is not None

    def one_of_those(self, message: str) -> int:
        """Which of those listed last is chosen, counted from 1; -1 is the last, 0 none."""
        found = _first(self._ordinal, message)
        which = found["which"].lower() if found is not None else "0"
        return int(which) if which.isdecimal() else self._ordinals[which]

    def asks(self, message: str) -> bool:
        """It is a question, or has the words of one: "who repairs the clocks" is only looked up, never acted on."""
        if language().is_question(message):
            return True
        said = list(
            dropwhile(language().adds, normal(message[:_READ]).split(" "))
        )  # "and who repaired the oven"
        return bool(said) and (said[0] in self._asking or language().is_question(" ".join(said)))

    def asks_what(self, message: str) -> bool:
        """It begins with a word of a question: "who our landlord is" wants nothing done."""
        return normal(message[:_READ]).partition(" ")[0] in self._asking

    def asks_state(self, message: str) -> bool:
        """It asks how something stands, with its mark or without: it wants nothing done."""
        first = normal(message[:_READ]).partition(" ")[0]
        return first in self._states or self.notes.asks(message)

    def to_be_shown(self, message: str) -> str:
        """What is asked to be shown or told: "show me the note about the fridge"; "" where nothing is."""
        found = _first(self._shown, message)
        return found["what"].strip(" .!?") if found is not None else ""

    def asked_of(self, message: str) -> str:
        """A question without the kind of thing that it wants to know: "what time does the bus leave" asks of a bus."""
        for curse in self._curses:
            message = curse.sub(" ", message)
        found = _first(self._kind_asked, message)
        return message if found is None else message[: found.start()] + " " + message[found.end() :]

    def asks_of_any(self, message: str) -> bool:
        """It speaks of projects as such: "what even is a project here"."""
        return _first(self._of_any, message) is not None

    def asks_how(self, message: str) -> bool:
        """It asks how or why something was done: "let me see how you grouped them" wants nothing done."""
        return not self._asking_how.isdisjoint(normal(message[:_READ]).split())

    # -- what puts right, and takes back

    def amends(self, message: str) -> bool:
        """It says that something is to be otherwise."""
        return _first(self._amends, message) is not None

    def amends_it(self, message: str) -> str:
        """What is said to be right, of what was just shown, told or done: "no, it's July"; "" when nothing is."""
        found = _first(self._amends_it, message)
        return found["said"].strip() if found is not None else ""

    def to_put_right(self, message: str) -> tuple[str, bool]:
        """A fact without the wish to have it put right, and whether there was one: "at nine, please correct"."""
        found = _first(self._right, message)
        return (found["fact"].strip(" ,.;"), True) if found is not None else (message, False)

    def changed(self, before: str) -> str:
        """What is to be changed, of what stands before its new value: "change the skip to"; "" where nothing is."""
        found = _first(self._changed, before)
        return found["what"].strip(" ,") if found is not None else ""

    def numbered_text(self, message: str) -> tuple[int, str] | None:
        """The number of a note and what it is to say: "note 7: the roof is tight"."""
        return _numbered(self._numbered_text, message)

    def numbered_value(self, message: str) -> tuple[int, str] | None:
        """The number of a note and what something in it is: "3 should be 2,130"."""
        return _numbered(self._numbered_value, message)

    def retracted(self, message: str) -> tuple[str, str] | None:
        """What stands before words that take it back, and what behind them: "open Muse. ah no, leave it"."""
        said = message[:_READ].strip()
        found = [m for pattern in self._retracts for m in pattern.finditer(said) if m.start()]
        if not found:
            return None
        last = max(found, key=lambda one: one.end())
        first = min(found, key=lambda one: one.start())
        return said[: first.start()], said[last.end() :].strip()

    def only_retracts(self, words: str) -> bool:
        """It says no more than that nothing is to be done: "leave it as it is", "later"."""
        return not words.strip(" .!?,") or _whole(self._retracts_alone, words)

    def supposes(self, message: str) -> bool:
        """It begins as a condition does, and tells nothing."""
        return f"{normal(message[:_READ])} ".startswith(self._supposing)

    def says_why(self, message: str) -> bool:
        """It begins as what says why something is taken back: "that was a mistake", "I was too quick"."""
        return normal(message[:_READ]).partition(" ")[0].strip(",.!") in self._why

    def judges(self, message: str) -> bool:
        """It calls something right, as one does with what was told before."""
        return not self._judged.isdisjoint(normal(message[:_READ]).split())

    def new_name(self, message: str, old: str) -> str:
        """The one name beside that of the project, written as names are: "give Recap another name: Weekly Review"; else ""."""
        rest = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", " ; ", message[:_READ], flags=re.IGNORECASE)
        longer = [
            run
            for run in _NAMES.findall(message[:_READ][:1].lower() + message[1:_READ])
            if f" {normal(old)} " in f" {normal(run)} " and normal(run) != normal(old)
        ]
        if len(longer) == 1 and not re.search(
            rf"(?<!\w){re.escape(old)}(?!\w)", message.replace(longer[0], "")
        ):
            return without_courtesy(longer[0])  # "give it the name Kitchen Garden", of Garden
        quoted = re.findall(r"[\"“„«]([^\"”“»]{1,80})[\"”“»]", rest)
        runs = _NAMES.findall(rest[:1].lower() + rest[1:])
        found = quoted or [run for run in runs if normal(run) not in _NO_NAMES]
        return without_courtesy(found[0]) if len(found) == 1 else ""

    def asks_of_it(self, message: str) -> bool:
        """A question in words that only point: "and when was that?", "what's in it"."""
        said = [word.strip("?!.,") for word in normal(message[:_READ]).replace("'s", " is").split()]
        points = not self._pronouns.isdisjoint(said)
        asks = language().is_question(message) or not self._asking.isdisjoint(said)
        return points and asks and self._asked.issuperset(said)

    def points(self, message: str) -> bool:
        """It begins with a word that stands for what was told before: "she does come every Monday"."""
        return re.split(r"['’ ]", normal(message[:_READ]), maxsplit=1)[0] in self._pronouns

    def asks_of_them(self, message: str) -> bool:
        """It begins as a question, and has a word that stands for somebody or something told before: "what was his name?"."""
        said = normal(message[:_READ]).split()
        return bool(said) and said[0] in self._asking and not self._pronouns.isdisjoint(said)

    def wanted(self, message: str) -> str:
        """What should have become of a note: "I wanted it withdrawn"; "" where it is not said."""
        said = normal(message[:_READ]).split()
        if not {"wanted", "meant", "want"} & set(said):
            return ""
        return next((state for state, words in self._wanted.items() if said[-1].strip(".!") in words), "")

    # -- files, and courtesy

    def files_at_all(self, message: str) -> bool:
        """It asks for files, whichever there are."""
        return _first(self._files_at_all, message) is not None

    def newest(self, message: str) -> bool:
        """The newest file is meant."""
        return _first(self._newest, message) is not None

    def thanks(self, message: str) -> bool:
        """The whole message is a thank-you."""
        return _whole(self._thanks, message)

    def passes_on(self, message: str) -> bool:
        """Somebody else is to be called, written to or told something."""
        found = _first(self._passes_on, message)
        return found is not None and not self._tells(found.groupdict().get("whom") or "")

    def introduces(self, message: str) -> bool:
        """It greets and says a name, and nothing else: "good day, I am Tomasz"."""
        said = message.strip()
        if len(said) > _SHORT:
            return False
        greets = any(language().is_greeting(said[: found.start()]) for found in re.finditer(r"[,.!]\s", said))
        return greets and any(pattern.fullmatch(normal(said)) for pattern in self._introduces)

    # -- time

    def period(self, message: str, *, at: datetime, zone: tzinfo) -> tuple[date, date] | None:
        """The first and the last day that a question asks about; None when it names none."""
        return self._since.period(message, at=at, zone=zone)

    def since(self, message: str, *, at: datetime, zone: tzinfo) -> datetime | None:
        """The moment from which on a question asks; None when it names no time."""
        return self._since.read(message, at=at, zone=zone)


@cache
def phrases() -> Phrases:
    """The bundled patterns. There are English ones so far."""
    return Phrases(vocabulary())


def without_courtesy(text: str) -> str:
    """A text without the courtesy that ends what was said: "at four, if you would"."""
    return next((text[: found.start()] for pattern in _courtesy() if (found := pattern.search(text))), text)


@cache
def _courtesy() -> Sequence[re.Pattern[str]]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in vocabulary()["talk"]["courtesy"])


@cache
def vocabulary() -> Mapping[str, Any]:
    """The words and patterns of the bundled language, as the file has them."""
    return tomllib.loads((files("softrail.companion") / "words" / "en.toml").read_text(encoding="utf-8"))


def _name_ends(found: re.Match[str]) -> int:
    """Where the name ends that was found: in quotes with them, whatever stands behind."""
    start, end = found.span("name")
    quoted = _QUOTED.match(found.string, start - 1) if start else None
    return quoted.end() - 1 if quoted is not None else end


def _first(patterns: Sequence[re.Pattern[str]], message: str) -> re.Match[str] | None:
    said = message[:_READ].strip()
    return next((found for pattern in patterns if (found := pattern.search(said))), None)


def _numbered(patterns: Sequence[re.Pattern[str]], message: str) -> tuple[int, str] | None:
    found = _first(patterns, message)
    return (int(found["number"]), found["text"].strip(" .")) if found is not None else None


def _whole(patterns: Sequence[re.Pattern[str]], message: str) -> bool:
    said = normal(message[:_READ])
    return any(pattern.fullmatch(said) for pattern in patterns)
