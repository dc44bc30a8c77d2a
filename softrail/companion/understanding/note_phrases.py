"""What people say of notes: what is to be noted, kept, shown or taken back, and what is no wish at all."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from softrail.companion.memory.stems import terms
from softrail.plugin import language, normal

_END: Final = 300  #: characters in which it stands that what is told before is to be noted
_READ: Final = 2_000  #: characters of a message that are looked at, where it is a short wish
_TOLD: Final = "what was told"  #: stands for it
_MANY: Final = 40  #: words that are told apart
_ANY_LENGTH: Final = re.IGNORECASE | re.DOTALL
_AROUND: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "`": "`"}
_ADDRESS: Final = re.compile(r"(?<!\S)[^\s@,]{1,64}@[^\s@,]{1,255}(?!\S)")
_SHORT: Final = (
    "several",
    "spares",
    "forgets_all",
    "lets_go",
    "shows",
    "shows_it",
    "shows_them",
    "spoken_of",
    "likewise",
    "forgets_person",
)


class NotePhrases:
    """The patterns of one language, compiled."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        def compiled(area: str, name: str, flags: re.RegexFlag) -> Sequence[re.Pattern[str]]:
            return tuple(re.compile(pattern, flags) for pattern in data[area][name])

        self._asides = compiled("seed", "asides", _ANY_LENGTH)
        self._weaker = compiled("seed", "weaker_asides", _ANY_LENGTH)
        self._behind = compiled("seed", "asides_behind", _ANY_LENGTH)
        self._elsewhere = compiled("seed", "asides_elsewhere", _ANY_LENGTH)
        self._rewrites = compiled("note", "rewrites", _ANY_LENGTH)
        self._counts = compiled("note", "counts", re.IGNORECASE)
        self._counted = frozenset(terms(data["note"]["counted"], _MANY))
        self._doers = frozenset(data["seed"]["doers"])
        self._short = {name: compiled("note", name, re.IGNORECASE) for name in _SHORT}
        self._polite = compiled("talk", "polite", re.IGNORECASE)
        self._who = compiled("talk", "who", re.IGNORECASE)
        self._members = compiled("talk", "members", re.IGNORECASE)
        self._addressed = [
            (re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE))
            for before, after in data["talk"]["addressed"]
        ]

    def aside(self, message: str) -> str:
        """What is to be noted, however long it is and whatever it holds; "" when the message asks for no such thing."""
        said = _bare(message)
        if self.notes_it(said):
            return ""
        found = _begins(self._asides, said)
        if found is None and not said.endswith("?"):
            found = _begins(self._weaker, said)
            if found is None and (told := self._told_before(said)):
                return told.rstrip("? ") if self._is_polite(said) else told
        if found is None:
            return ""
        note = next(value for value in found.groupdict().values() if value).strip()
        return note.rstrip("? ") if self._is_polite(said) else note

    def notes_it(self, message: str) -> bool:
        """What was told before is to be noted, and it tells nothing itself: "yes, note it", "ok, write that down"."""
        said = _bare(message)
        told = self._told_before(said) or self._told_before(f"{_TOLD}: {said}")
        return told == _TOLD or (bool(told) and language().consent(told.strip(" ,.;!")) == "yes")

    def _told_before(self, said: str) -> str:
        """What is told before the words that want it noted, which end what is said; "" where none do."""
        end = said[-_END:].lstrip()
        found = _begins(self._behind, end)
        return (said[: len(said) - len(end)] + found["note"]).strip() if found is not None else ""

    def goes_on(self, message: str) -> bool:
        """What is to be noted may go on behind an "and": "remember to sweep and …", "note that we sweep and …"."""
        said = _bare(message)
        to_do = _begins(self._weaker, said)
        if to_do is not None and to_do["doing"]:
            return True
        return normal(self.aside(message)).partition(" ")[0] in self._doers

    def elsewhere(self, message: str) -> tuple[str, str] | None:
        """The project that something is to be noted in, and what: "remember for Gamma: …"."""
        found = _begins(self._elsewhere, _bare(message))
        return (found["project"].strip(), found["note"].strip()) if found else None

    def rewrites(self, message: str) -> tuple[int, str] | None:
        """The number of a note and the text it is to have: "change note 1 to …"."""
        found = _begins(self._rewrites, message.strip())
        return (int(found["number"]), found["text"].strip()) if found else None

    def speaks_of_notes(self, message: str) -> bool:
        """The message speaks of notes, by a number or by a word that stands for one."""
        return any(pattern.search(message[:_READ]) for pattern in self._short["spoken_of"])

    def several(self, message: str) -> bool:
        """More than one note is meant."""
        return any(pattern.search(message[:_READ]) for pattern in self._short["several"])

    def spares(self, message: str) -> bool:
        """No note is to be taken back: "don't delete it"."""
        return any(pattern.search(message[:_READ]) for pattern in self._short["spares"])

    def forgets_all(self, message: str) -> bool:
        """The whole message asks to forget everything that was told."""
        return self._whole("forgets_all", message)

    def forgets_person(self, message: str) -> bool:
        """The whole message asks to forget who is speaking: "wipe everything you know about me"."""
        return self._whole("forgets_person", message)

    def lets_go(self, message: str) -> bool:
        """The whole message says that what was just spoken of does not matter: "forget it"."""
        return self._whole("lets_go", message)

    def is_polite(self, message: str) -> bool:
        """It asks for something as a question: "could you save it?"."""
        return self._is_polite(message.strip())

    def shows_it(self, message: str) -> bool:
        """What was just spoken of is to be shown: "show it", "read that one again"."""
        return self._whole("shows_it", message)

    def shows_them(self, message: str) -> bool:
        """Those that were just spoken of are to be shown: "which ones", "list them"."""
        return self._whole("shows_them", message)

    def shows(self, message: str) -> bool:
        """The whole message asks for notes by number."""
        return self._whole("shows", message)

    def likewise(self, message: str) -> bool:
        """It joins on to what was said before: "and 5", "5 too"."""
        return any(pattern.search(message[:_READ].strip()) for pattern in self._short["likewise"])

    def other_than_likewise(self, message: str) -> str:
        """What the same is wished for: "the vet one", of "same for the vet one, please"."""
        said = message[:_READ].strip(" .!?")
        for pattern in self._short["likewise"]:
            said = pattern.sub("", said).strip(" ,.!")
        words = said.removesuffix("please").strip(" ,").split()
        return " ".join(
            words[1:] if words[:1] and words[0].lower() in ("the", "my", "that", "this") else words
        )

    def counts(self, message: str) -> bool:
        """The whole message asks how many notes there are, of all of them."""
        found = _begins(self._counts, message[:_READ].strip())
        return found is not None and self._counted.issuperset(terms(found["rest"], _MANY))

    def asks(self, message: str) -> bool:
        """The message is a question, and no wish in the form of one: "could you save it?" is a wish."""
        return language().is_question(message) and not self._is_polite(message.strip())

    def asks_who(self, message: str) -> bool:
        """The whole message asks who is speaking."""
        said = normal(message[:_READ])
        return any(pattern.fullmatch(said) for pattern in self._who)

    def manages_members(self, message: str) -> bool:
        """Someone is to be let into a project, or out of it, which words do not do."""
        said = " ".join(message[:_READ].split())
        if _begins(self._members, said) is not None:
            return True
        address = _ADDRESS.search(said) if "@" in said else None
        if address is None:
            return False
        before, after = said[: address.start()].rstrip(), said[address.end() :]
        return any(
            begins.match(before) and goes_on.search(after) is not None for begins, goes_on in self._addressed
        )

    def _whole(self, name: str, message: str) -> bool:
        said = normal(message[:_READ])
        return any(pattern.fullmatch(said) for pattern in self._short[name])

    def _is_polite(self, said: str) -> bool:
        return _begins(self._polite, said[:_READ]) is not None


def _begins(patterns: Sequence[re.Pattern[str]], said: str) -> re.Match[str] | None:
    return next((found for pattern in patterns if (found := pattern.match(said))), None)


def _bare(message: str) -> str:
    """The message without marks around all of it, or at its head."""
    said = message.strip()
    while len(said) > 1 and _AROUND.get(said[0]) == said[-1]:
        said = said[1:-1].strip()
    return said.lstrip("*_>#- ")
