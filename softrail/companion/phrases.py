"""What the companion reads out of people's words: an idea, a name, a note's number, a topic, a time."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import cache
from importlib.resources import files
from typing import Any, Final

from softrail.language import normal

_READ: Final = 2_000  #: characters of a message that are looked at
_LONGEST_IDEA: Final = 400
_MOST_DAYS: Final = 3660


class Phrases:
    """The patterns of one language, compiled."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        def compiled(area: str, name: str) -> Sequence[re.Pattern[str]]:
            return tuple(re.compile(pattern, re.IGNORECASE) for pattern in data[area][name])

        self._openings = compiled("seed", "openings")
        self._carriers = compiled("seed", "carriers")
        self._names = compiled("seed", "names")
        self._finalize = compiled("seed", "finalize")
        self._plain = frozenset(data["seed"]["plain_words"])
        self._number = compiled("note", "number")
        self._all = compiled("note", "all")
        self._withdraw = compiled("note", "withdraw")
        self._topic = compiled("about", "topic")
        self._no_topic = compiled("about", "no_topic")
        spans = ("hours", "days", "weeks", "months", "today", "yesterday", "this_week", "this_month")
        self._since = {name: compiled("since", name) for name in spans}
        self._amounts: Mapping[str, int] = data["since"]["numbers"]

    # -- the seed conversation

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

    def tells(self, message: str) -> bool:
        """The message says what a project is, and does not merely ask for one."""
        telling = [word for word in _words(message) if word not in self._plain]
        return len(telling) > 1 and not self.opens(message) and _first(self._carriers, message) is None

    def name(self, message: str) -> str | None:
        """The name a message gives in so many words: "let's call it Blue Harbor"."""
        found = _first(self._names, message)
        return found["name"].strip(" .!,;“”\"'") or None if found else None

    def proposed_name(self, what: str) -> str:
        """A name for a project, made of the words that say what it is."""
        telling = [
            word
            for word in re.findall(r"[^\W_][\w'’-]*", what[:_LONGEST_IDEA])
            if word.lower() not in self._plain
        ]
        return " ".join(word if word[0].isupper() else word.capitalize() for word in telling[:3])

    def finalizes(self, message: str) -> bool:
        """The whole message asks to create what was described."""
        said = normal(message[:_READ])
        return any(pattern.fullmatch(said) for pattern in self._finalize)

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

    # -- time

    def since(self, message: str, *, at: datetime, zone: tzinfo) -> datetime | None:
        """The moment from which on a question asks; None when it names no time."""
        local = at.astimezone(zone)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        whole = {
            "today": midnight,
            "yesterday": midnight - timedelta(days=1),
            "this_week": midnight - timedelta(days=local.weekday()),
            "this_month": midnight.replace(day=1),
        }
        for name, start in whole.items():
            if _first(self._since[name], message):
                return start
        for name, days in (("hours", 1 / 24), ("days", 1.0), ("weeks", 7.0), ("months", 30.0)):
            found = _first(self._since[name], message)
            if found is not None:
                return at - timedelta(days=min(days * self._amount(found), _MOST_DAYS))
        return None

    def _amount(self, found: re.Match[str]) -> int:
        said = (found.groupdict().get("n") or "1").lower()
        return int(said) if said.isdecimal() and len(said) < 6 else self._amounts.get(said, 1)


@cache
def phrases() -> Phrases:
    """The bundled patterns. There are English ones so far."""
    data = (files("softrail.companion") / "words" / "en.toml").read_text(encoding="utf-8")
    return Phrases(tomllib.loads(data))


def _first(patterns: Sequence[re.Pattern[str]], message: str) -> re.Match[str] | None:
    said = message[:_READ].strip()
    return next((found for pattern in patterns if (found := pattern.search(said))), None)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())
