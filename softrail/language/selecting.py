"""Which of several things shown a message means instead: "but not number 4", "only the oak", "and 5 too"."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from softrail.core.intents import Shown
from softrail.language.text import normal

Op = Literal["only", "out", "too", "instead"]

_LONGEST: Final = 120
_WORD: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_STOPS: Final = re.compile(r"(?<!\d)[,;]|[,;](?!\d)")


def selected(lists: Mapping[str, Sequence[str]], message: str, things: Sequence[Shown]) -> list[str] | None:
    """The keys that are meant instead of those shown; None where the message changes nothing, or not clearly."""
    if len(message) > _LONGEST or "?" in message or not lists.get("pick_out"):
        return None
    picker = _Picker(lists, things)
    said = picker.heard(_STOPS.sub(" , ", normal(message)).strip(" .!,"))
    before = list(picker.keys)
    for op, names in picker.wished(said):
        if not picker.apply(op, names):
            return None
    return picker.keys if picker.keys != before else None


class _Picker:
    """Goes through one message; `keys` are what is meant so far."""

    def __init__(self, lists: Mapping[str, Sequence[str]], things: Sequence[Shown]) -> None:
        self._lists = lists
        self._things = things
        self.keys = [thing.key for thing in things if thing.there]
        self.applied = False
        self._agreed = False  #: it begins with a yes, and with nothing besides

    def heard(self, message: str) -> str:
        """The message without a yes before it, of which it is known then that it was there; what it says is to be done is said."""
        said, leads = self.bare(message), set[str]()
        while (without := self._without(message, "pick_lead", head=True)) != message and message != said:
            leads.add(message.removesuffix(without).strip())
            message = without.strip(" ,")
        yes, sighs = (set(self._lists.get(name, ())) for name in ("pick_yes", "pick_sigh"))
        self._agreed = bool(leads & yes) and leads <= yes | sighs
        return self._without(said, "pick_deed", head=True) if self._agreed else said

    def bare(self, said: str) -> str:
        """Without a yes, a no or a sigh before it, and without what is only polite; "but keep" leaves something out."""
        while self._without(said, "pick_spare", head=True) == said:
            if (without := self._without(said, "pick_lead", head=True)) == said:
                break
            said = without.strip(" ,")
        while (without := self._without(said, "pick_tail", head=False)) != said:
            said = without.strip(" ,.!")
        return said

    def wished(self, said: str) -> Sequence[tuple[Op, str]]:
        """What is wished, in the order said, each with the words for what it is wished of."""
        if " , " not in said and (pair := self._pair(said)):
            return pair
        found: list[tuple[Op, str]] = []
        for clause in said.split(" , "):
            wished = self._wished(self.bare(clause.strip()))
            if wished is None:  # "not the oak, the elm", "only 3, 4"
                before = found[-1][0] if found else "instead"
                wished = ("instead" if before == "out" else before, clause)
            found.append(wished)
        found.sort(key=lambda one: one[0] != "out")  # "the elm, not the oak"
        if len(found) == 1 and found[0][0] == "instead" and not self._says_instead(said):
            return [("only", found[0][1])] if self._agreed else []  # "yes to 4"
        return found

    def apply(self, op: Op, names: str) -> bool:
        """Do it; False: it is not clear what is meant."""
        meant = [self._meant(name, among=op) for name in self._listed(names)]
        keys = [key for one in meant if one is not None for key in one]
        if not meant or any(one is None for one in meant):
            return False
        before = list(self.keys)
        if op in ("only", "instead"):
            left = keys if op == "only" or not self.applied else [*self.keys, *keys]
        elif op == "out":
            left = [key for key in self.keys if key not in keys]
        else:
            left = [*self.keys, *keys]
        self.keys = [thing.key for thing in self._things if thing.key in left]
        self.applied = True
        return self.keys != before

    def _pair(self, said: str) -> Sequence[tuple[Op, str]]:
        """One instead of another, without a stop between them: "the oak not the elm", "not 4 but 5"."""
        for word in self._lists["pick_not"]:
            before, found, after = said.partition(f" {word} ")
            if found and before and after and self._wished(before) is None:
                return [("out", after), ("instead", before)]
        for word in self._lists["pick_but"]:
            before, found, after = said.partition(f" {word} ")
            wished = self._wished(before) if found else None
            if wished is not None and wished[0] == "out":
                return [wished, ("instead", after)]
        return []

    def _says_instead(self, said: str) -> bool:
        return self._without(said, "pick_instead", head=False) != said

    def _wished(self, clause: str) -> tuple[Op, str] | None:
        ops: Sequence[tuple[Op, str]] = (
            ("only", "pick_only"),
            ("out", "pick_out"),
            ("out", "pick_spare"),
            ("too", "pick_too"),
        )
        for op, name in ops:
            if (behind := self._without(clause, f"{name}_after", head=False)) != clause:
                before = self._without(behind, name, head=True)
                return op, self._without(before, "pick_leave", head=True) if op == "out" else before
            if (before := self._without(clause, name, head=True)) != clause:
                return op, before
        if (before := self._without(clause, "pick_instead", head=False)) != clause:
            return "instead", before
        return None

    def _listed(self, names: str) -> Sequence[str]:
        joins = "|".join(map(re.escape, self._lists["pick_joins"]))
        return [one.strip() for one in re.split(rf"\s*(?:,|\b(?:{joins})\b)\s*", names) if one.strip()]

    def _meant(self, name: str, *, among: Op) -> Sequence[str] | None:
        """The thing that is called so, or says so; None where it is none or may be several."""
        if normal(name) in self._lists.get("pick_next", ()):
            return self._next()
        words = [word for word in _words(name) if word not in self._lists["pick_little"]]
        if not words:
            return None
        there = self.keys
        first = [t for t in self._things if (t.key in there) is (among != "too")]
        others = [t for t in self._things if t not in first]
        for things in (first, others) if among in ("only", "instead") else (first,):
            found = [t.key for t in things if _called(t, words)] or [t.key for t in things if _says(t, words)]
            if found:
                return found if len(found) == 1 else None
        return None

    def _next(self) -> Sequence[str] | None:
        """What stands behind the last one shown."""
        at = max((n for n, thing in enumerate(self._things) if thing.key in self.keys), default=-1) + 1
        return [self._things[at].key] if 0 < at < len(self._things) else None

    def _without(self, said: str, name: str, *, head: bool) -> str:
        """Without the longest of these phrases at its head, or its end; the same where it has none."""
        for phrase in sorted(self._lists.get(name, ()), key=len, reverse=True):
            if head and said.startswith(f"{phrase} "):
                return said[len(phrase) + 1 :]
            if not head and said.endswith(f" {phrase}"):
                return said[: -len(phrase) - 1]
        return said


def _words(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(normal(text).replace("’", "'"))]


def _called(thing: Shown, words: Sequence[str]) -> bool:
    return any(_words(name) == list(words) for name in thing.names)


def _says(thing: Shown, words: Sequence[str]) -> bool:
    """Each word is one of what it says, or of one of its names, in the singular or the plural."""
    there = {form for word in _words(" ".join([thing.text, *thing.names])) for form in _forms(word)}
    return all(not there.isdisjoint(_forms(word)) for word in words)


def _forms(word: str) -> tuple[str, str]:
    return word, word.removesuffix("s")
