"""What the companion reads out of people's words: an idea, a name, a note's number, a topic, a time."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from functools import cache
from importlib.resources import files
from typing import Any, Final

from softrail.companion.note_phrases import NotePhrases
from softrail.companion.since import Since
from softrail.language import normal

_READ: Final = 2_000  #: characters of a message that are looked at
_LONGEST_IDEA: Final = 400
_QUESTION_WORDS: Final = frozenset(["what", "who"])  #: of a part they say nothing by themselves
_MOST_BEFORE: Final = 6  #: words like "yes" and "but" before what is told
_CLAUSE_END: Final = re.compile(r"[.!;,\n]+\s*")
#: Lists of what whole messages say while a project is described.
_WHOLE: Final = (
    *("nothing", "decides_later", "takes_proposal", "told_already", "holds_back", "asks_ready"),
    *("wants_change", "shows_draft", "wishes"),
)
#: Lists of how a part of a project is told.
_TOLD: Final = (
    *("name_ends", "before_told", "stated", "told_parts", "for_whom", "for_whom_bare", "constraint", "must"),
    *(
        "replaces",
        "wish_starts",
        "drops",
        "negated",
        "complains",
        "changes",
        "success",
        "work",
        "sentences",
        "adds",
    ),
)


class Phrases:
    """The patterns of one language, compiled."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._fields: Mapping[str, Mapping[str, Any]] = data["seed"]["fields"]
        labels = _alternatives(self._fields)

        def compiled(area: str, name: str) -> Sequence[re.Pattern[str]]:
            patterns = [pattern.replace("{label}", labels) for pattern in data[area][name]]
            return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)

        self._openings = compiled("seed", "openings")
        self._carriers = compiled("seed", "carriers")
        self._names = compiled("seed", "names")
        self._named_first = compiled("seed", "named_first")
        self._finalize = compiled("seed", "finalize")
        self._begins = compiled("seed", "begins")
        self._approved = compiled("seed", "approved")
        self._unsure = compiled("seed", "unsure")
        self._means = {name: compiled("seed", name) for name in _WHOLE}
        self._takes_back = compiled("seed", "takes_back")
        self._told = {name: compiled("seed", name) for name in _TOLD}
        self._before_verbs = frozenset(data["seed"]["before_verbs"])
        self._ends = frozenset(data["seed"]["ends"])
        self._plain = frozenset(data["seed"]["plain_words"])
        self._number = compiled("note", "number")
        self._all = compiled("note", "all")
        self._withdraw = compiled("note", "withdraw")
        self._topic = compiled("about", "topic")
        self._no_topic = compiled("about", "no_topic")
        self._newest = compiled("file", "newest")
        self.little_words = frozenset(data["file"]["little_words"])  #: they tell no file from another
        self._thanks = compiled("talk", "thanks")
        self._since = Since(data["since"])
        self.notes = NotePhrases(data)

    # -- the seed conversation

    def field(self, key: str) -> Mapping[str, Any]:
        """What a part of a new project is called: `label`, `missing`, `names`, and of these the `common` words."""
        return self._fields[key]

    def idea(self, message: str) -> str:
        """What a message that begins a project says the project is; "" when it says nothing of it."""
        found = _first(self._openings, message)
        if found is None:
            return ""
        idea = found["idea"].strip(" .!?,;:\n")
        for carrier in self._carriers:
            idea = carrier.sub("", idea, count=1).strip()
        words = [word for word in _words(idea) if word not in self._plain]
        return idea[:_LONGEST_IDEA] if words else ""

    def opens(self, message: str) -> bool:
        """The message says that something is to be begun or made."""
        return _first(self._openings, message) is not None

    def begins(self, message: str) -> bool:
        """The whole message asks to begin a project, and says nothing of it."""
        return _whole(self._begins, message)

    def tells(self, message: str) -> bool:
        """The message says what a project is, and does not merely ask for one."""
        telling = [word for word in _words(message) if word not in self._plain]
        return len(telling) > 1 and not self.opens(message) and _first(self._carriers, message) is None

    def name(self, message: str) -> str | None:
        """The name a message gives in so many words: "let's call it Blue Harbor"."""
        found = _first(self._names, message)
        if found is None:
            return None
        name = found["name"]
        for end in self._told["name_ends"]:
            name = end.sub("", name, count=1)
        return name.strip(" .!,;“”\"'") or None

    def proposed_name(self, what: str) -> str:
        """A name for a project: the one that stands before what it is, or words that say it, of one expression if it has two."""
        first = _first(self._named_first, what)
        if first is not None and not self._plain.intersection(_words(first["name"])):
            return first["name"]
        runs: list[list[str]] = [[]]
        before = ""
        for word in re.findall(r"[^\W_][\w'’-]*", what[:_LONGEST_IDEA]):
            if word.lower() in self._ends and any(runs):
                break
            if word.lower() in self._plain:
                runs.append([])
            elif before not in self._before_verbs:
                runs[-1].append(word)
            before = word.lower()
        whole = next((run for run in runs if len(run) > 1), None)
        telling = whole if whole is not None else [word for run in runs for word in run]
        return " ".join(word if word[0].isupper() else word.capitalize() for word in telling[:3])

    def finalizes(self, message: str) -> bool:
        """The message asks to create what was described, and says nothing else but that it is good.

        One that says that something is not so never does.
        """
        if self.negates(message):
            return False
        if _whole(self._finalize, message):
            return True
        *before, last = [part for part in _CLAUSE_END.split(message[:_READ]) if part.strip()] or [""]
        approved = all(_first(self._approved, part) for part in before)
        return bool(before) and approved and _whole(self._finalize, last)

    def unsure(self, message: str) -> bool:
        """The whole message says that the person does not know, or not yet."""
        return _whole(self._unsure, message)

    def aside(self, message: str) -> str:
        """What is to be noted beside what was asked; "" when the message asks for no such thing."""
        return self.notes.aside(message)

    def takes_back(self, message: str) -> bool:
        """The message takes back what was said just before it: "I meant three"."""
        return _first(self._takes_back, message) is not None

    def says_much(self, message: str) -> bool:
        """There are several words in the message that say something."""
        return sum(word not in self._plain for word in _words(message)) > 1

    def negates(self, message: str) -> bool:
        """The message says that something is not so, or not to be done."""
        return _first(self._told["negated"], message) is not None

    def means(self, what: str, message: str) -> bool:
        """The whole message says this one of the things that `_WHOLE` lists."""
        return _whole(self._means[what], message)

    def told_after(self, message: str) -> str:
        """The message without what may stand before something told: "yes but the audience is kids"."""
        rest = message.strip()
        for _ in range(_MOST_BEFORE):
            found = _first(self._told["before_told"], rest)
            if found is None:
                break
            rest = rest[found.end() :]
        return rest

    def told_parts(self, message: str) -> list[str]:
        """The things that a message tells one after another, each in its own words."""
        parts = [message]
        for between in self._told["told_parts"]:
            parts = [piece for part in parts for piece in between.split(part)]
        return [part.strip() for part in parts if part.strip()]

    def stated(self, message: str) -> tuple[str, str] | None:
        """What an answer says that it answers, and the answer: "the audience is farmers"."""
        found = _first(self._told["stated"], message)
        return (found["label"], found["value"].strip(" .")) if found else None

    def told(self, what: str, message: str) -> str:
        """What a message tells in one of the ways that `_TOLD` lists; "" when it does not."""
        found = _first(self._told[what], message)
        return found["value"].strip(" .,;!") if found else ""

    def replacing(self, value: str, old: str) -> str:
        """New words without the old ones that they take the place of: "kids, not tourists"; "" for none of them."""
        found = _first(self._told["replaces"], value)
        if found is None or not old or not f"{normal(old)} ".startswith(f"{normal(found['old'])} "):
            return ""
        return found["value"].strip()

    def drops(self, message: str) -> str:
        """What a message wants dropped, in its own words; "" when nothing."""
        found = _first(self._told["drops"], " ".join(message[:_READ].split()))
        return found["label"].strip() if found else ""

    def changes(self, message: str) -> bool:
        """The message says in so many words that something is to be changed."""
        return _first(self._told["changes"], message) is not None

    def complains(self, message: str) -> bool:
        """The message says of something it names that it is not right."""
        return _first(self._told["complains"], message) is not None

    def approves(self, message: str) -> bool:
        """The message says that it is good."""
        return _first(self._approved, message) is not None

    # -- notes

    def note_numbers(self, message: str) -> tuple[int, ...]:
        """The numbers of the notes a message names, in order."""
        found = [int(m["number"]) for pattern in self._number for m in pattern.finditer(message[:_READ])]
        return tuple(dict.fromkeys(found))

    def means_all(self, message: str) -> bool:
        """All of them are meant."""
        return _first(self._all, message) is not None

    def withdraws(self, message: str) -> bool:
        """A note is to be taken back, not saved."""
        return _first(self._withdraw, message) is not None

    def topic(self, message: str) -> str:
        """What a question about notes is about; "" when it is about all of them."""
        found = _first(self._topic, message)
        topic = found["topic"].strip(" ?.!,;:") if found else ""
        return "" if topic and _first(self._no_topic, topic) else topic

    # -- files, and courtesy

    def newest(self, message: str) -> bool:
        """The newest file is meant."""
        return _first(self._newest, message) is not None

    def thanks(self, message: str) -> bool:
        """The whole message is a thank-you."""
        return _whole(self._thanks, message)

    # -- time

    def since(self, message: str, *, at: datetime, zone: tzinfo) -> datetime | None:
        """The moment from which on a question asks; None when it names no time."""
        return self._since.read(message, at=at, zone=zone)


@cache
def phrases() -> Phrases:
    """The bundled patterns. There are English ones so far."""
    data = (files("softrail.companion") / "words" / "en.toml").read_text(encoding="utf-8")
    return Phrases(tomllib.loads(data))


def _first(patterns: Sequence[re.Pattern[str]], message: str) -> re.Match[str] | None:
    said = message[:_READ].strip()
    return next((found for pattern in patterns if (found := pattern.search(said))), None)


def _whole(patterns: Sequence[re.Pattern[str]], message: str) -> bool:
    said = normal(message[:_READ])
    return any(pattern.fullmatch(said) for pattern in patterns)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _alternatives(fields: Mapping[str, Mapping[str, Any]]) -> str:
    """A pattern of all that the parts of a new project are called, the longest first."""
    names = {key for key in fields if key not in _QUESTION_WORDS}
    names.update(name for field in fields.values() for name in (field["label"], *field["names"]))
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
