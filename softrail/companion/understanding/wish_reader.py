"""Reads wishes for notes and projects from the parts of a message, going through them once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from softrail.companion.understanding.naming import is_written, name_alone, to_be_called
from softrail.companion.understanding.phrases import vocabulary, without_courtesy
from softrail.companion.understanding.wish_values import Deed, Which, Wish, joined
from softrail.companion.understanding.wish_words import Part, few

_MOST: Final = 50  #: numbers of one range
_DESCRIBING: Final = 3  #: words before "note" that say which one
_VERBS: Final = ("saved", "withdrawn", "spare", "edited", "archived", "restored", "renamed", "chosen")
_POINTING: Final = ("the", "my", "our", "your", "this", "that", "these", "those", "both", "both of")
#: Kinds of words that may be the name of a thing as well: "the skip note", "the book one".
_NOUNS_TOO: Final = (*_VERBS, "except", "split", "arranged", "another")
_NOTES: Final = ("note", "one", "notes", "ones")
NUMBERED: Final = (
    "note",
    "notes",
    "number",
    "numbers",
    "no.",
    "#",
)  #: what a number of a note stands behind
_WITHOUT_OBJECT: Final = (" go", " stay", " keeping")  #: verbs that nothing stands behind
_OF_NOTES: Final = ("saved", "withdrawn")
_WRITTEN: Final = ("edited", "renamed")  #: verbs that new words belong to
_REST: Final = ("the rest", "the others", "all the others", "all others")
_BEFORE_A_NOUN: Final = ("the", "my", "our", "your")
_EACH: Final = ("every single", "each and every", "every last")  #: whether it waits or not
_ANY: Final = ("everything", "anything", "whatever", "whatever there is", "anything there is", "all")
_SAYING: Final = (
    "with",
    "about",
    "on",
    "regarding",
    "concerning",
    "of",
)  #: what says which note, behind "that" or "those"
_AND: Final = re.compile(r"\s+and\s+(?=the\b|my\b|our\b)", re.IGNORECASE)
_TOPICS: Final = re.compile(r"\s+and\s+(?:also\s+)?(?:about|on|of|for)\s+", re.IGNORECASE)
_ORDER: Final = ("first", "second", "third", "fourth", "firstly", "secondly", "thirdly", "lastly")
_PASSIVE: Final = (" called", " named")  #: verbs that the name follows, and that what is named stands before


class WishReader:
    """Goes through the parts of a message once."""

    def __init__(self, parts: Sequence[Part], said: str) -> None:
        self._parts = parts
        self._said = said
        self.unknown = False
        self.mended = False
        self.mended_first = False
        self.described = False
        self.quoted: set[int] = set()  #: the parts that are the words of a note, or of a name
        self._polite = any(part.kind == "ask" for part in parts)
        self._done: list[Wish] = []
        self._now: Wish | None = None
        self._fronted: Wish | None = None  #: what stands before the verb that is gone through
        self._but = False  #: what is named belongs to the exceptions
        self._negated = False
        self._mending = False
        self._mended: Wish | None = None  #: the clause that one with another verb mends
        self._calls = False  #: its verb is followed by what is named, and that by the name: "call it Muse"
        self._split = False  #: its verb takes back only with a particle, which is not there yet: "take it"

    def clauses(self) -> list[Wish]:
        """The clauses; a mended one stands in the place of what it mends."""
        at = 0
        while at < len(self._parts):
            at = self._take(at)
        self._close()
        self.unknown = self.unknown or self._negated or self._mending
        return self._done

    def _take(self, at: int) -> int:
        part = self._parts[at]
        kind = part.kind
        if (described := self._described(at)) is not None:
            return described
        if kind == "renamed" and part.word == "name" and at and self._parts[at - 1].word in _BEFORE_A_NOUN:
            self.unknown = True  # "give it the name Muse": which word is the name is not said
        elif kind in _VERBS:
            self._verb(part)
            if kind == "renamed" and part.word.endswith(_PASSIVE):
                return self._passive(at)
        elif kind in ("split", "split back"):
            self._verb(replace(part, kind="withdrawn" if kind == "split" else "restored"))
            self._split = True
        elif kind == "number" or self._said_as_word(at):
            return self._numbers(at)
        elif kind == "it" and self._but and at + 1 < len(self._parts) and self._parts[at + 1].word in _SAYING:
            pass  # "only not this with the lamp", "all except those about the rent"
        elif kind == "it" and self._but and self._now is not None and self._verb_follows(at + 1):
            spared = self._now.which.but
            self._close()
            self._name(spared or Which(it=True), part.end)  # "all except the vet, that one can go"
        elif kind in ("all", "both", "last", "it", "waiting", "kept"):
            if (
                part.word in _REST
                and self._now is not None
                and self._now.which.named
                and self._verb_follows(at + 1)
            ):
                self._close()  # "keep 4, the rest can go"
            self.unknown = self.unknown or (
                self._calls and kind != "it"
            )  # no name is for several: "name all …" lists
            return self._called(self._selected(at))
        elif kind == "name":
            self._name(Which(projects=(part.word,), of="project"), part.end)
            return self._called(at + 1)
        elif kind == "here":
            self._name(Which(here=True, of="project"), part.end)
            return self._called(at + 1)
        elif kind in ("note", "project"):
            if kind == "note" and self._now is None and self._fronted_by_content(at):
                self._now = Wish(which=Which(of="note"), span=(part.start, part.end))
            self._noun(kind)
        elif self._now is not None and self._tells_which(at):
            return self._content(at + 1)
        elif kind in ("to", "to say") and self._now is not None and self._now.state in _WRITTEN:
            return self._new_words(at + 1)
        elif kind == "to" and self._mending:
            pass  # "go to Harbor Walk, or rather, to Blue Kite"
        elif kind == "not":
            self._close()
            self._negated = True
        elif kind == "except":
            self._excepted(at)
        elif kind == "mend":
            self._mend()
        elif kind == "end":
            self._close()
        elif kind == "none":
            self._none(at)
        elif kind == "only":
            self.described = True  # what becomes of the others is not said
        elif (
            part.word in _ORDER
            and (self._now is None or self._now.which.named)
            and self._verb_follows(at + 1)
        ):
            pass  # "first save note 3, second …"
        elif kind == "unknown" and self._but and self._now is not None and self._of_many(self._now.which):
            return self._spared_by_content(at)
        elif kind == "?":
            self.unknown = self.unknown or not self._polite
        elif kind == "particle":
            of = "restored" if part.word == "back" and self._split else "withdrawn"
            state = self._now.state if self._now is not None else None
            self.unknown = self.unknown or state not in ("withdrawn", of)
            if self._split and self._now is not None:
                self._now = replace(self._now, verb=f"{self._now.verb} {part.word}")
            self._split = False
        elif kind not in ("and", "filler", "ask"):
            self.unknown = True
            if self._now is not None and self._now.which.named:
                self._close()  # what is named after it may belong to something else
        return at + 1

    def _verb(self, part: Part) -> None:
        if self._now is not None and self._but and part.kind in ("spare", "saved"):
            if part.kind == "spare":
                return  # "but spare 5": what follows are the exceptions
        elif self._now is not None and not self._now.which.named and self._fronted is None:
            self.unknown = True  # two verbs in a row
        fronted = self._now if self._fronts(part) else None
        if fronted is None:
            self._close()
        self._fronted = fronted
        state: Deed | None = None if part.kind == "spare" else part.kind  # type: ignore[assignment] # one of them
        if self._mending and self._done:
            self._mended = self._done.pop()
        self._mending = False
        self._calls = part.word in ("call", "name")
        self._now = Wish(
            state=state,
            negated=self._negated or part.kind == "spare",
            span=(part.start, part.end),
            verb=part.word,
        )
        self._negated = False
        if fronted is not None and part.word.endswith(_WITHOUT_OBJECT):
            self._close()  # "3 can go, 4 can stay"
        if part.word.endswith(" there"):
            self._name(Which(it=True, of="project"), part.end)  # "go there"

    def _passive(self, at: int) -> int:
        """After "should be called" comes the name of what stands before it."""
        fronted, self._fronted = self._fronted, None
        if fronted is None or self._now is None:
            self.unknown = True
            return at + 1
        self._now = replace(self._now, which=fronted.which, span=(fronted.span[0], self._now.span[1]))
        return self._new_words(at + 1)

    def _fronted_by_content(self, at: int) -> bool:
        """The note that a verb behind it is for is named by what it says: "the note of the fridge can go"."""
        says = self._kind(at + 1) == "about" or (
            at + 1 < len(self._parts) and self._parts[at + 1].word in ("of", "for")
        )
        return says and any(self._kind(n) in _OF_NOTES for n in range(at + 2, len(self._parts)))

    @staticmethod
    def _of_many(which: Which) -> bool:
        return which.all or which.waiting or which.kept or which.of == "project"

    def _spared_by_content(self, at: int) -> int:
        """The words that say what is spared: "all except the vet's rolls", "all projects but the bakery"."""
        after = at
        while after < len(self._parts) and after - at < _DESCRIBING and self._kind(after) == "unknown":
            after += 1
        topic = self._said[self._parts[at].start : self._parts[after - 1].end]
        self.described = True
        self.quoted.update(range(at, after))
        self._name(Which(about=(topic.rstrip(" .,;"),)), self._parts[after - 1].end)
        return after

    def _fronts(self, verb: Part) -> bool:
        """What is spoken of stands before its verb: "the window one can go", "note 5 you can save"."""
        now = self._now
        plain = (
            now is not None and now.state is None and not now.negated and not self._but and now.which.named
        )
        fits = verb.kind in _OF_NOTES or verb.word.endswith(_PASSIVE)
        return plain and not self._negated and fits

    def _noun(self, kind: str) -> None:
        """It is said what is spoken of: notes, or projects."""
        if self._now is not None and not self._but and not self._now.which.of:
            of: Literal["note", "project"] = "project" if kind == "project" else "note"
            self._now = replace(self._now, which=replace(self._now.which, of=of))

    def _called(self, at: int) -> int:
        """After what "call" speaks of comes the name."""
        if (
            self._calls
            and self._kind(at) in ("project", "note")
            and self._parts[at].word in ("one", "project")
        ):
            at += 1  # "call this one Muse"
        return self._new_words(at) if self._calls and self._now is not None else at

    def _new_words(self, at: int) -> int:
        """The words up to the end of the clause are what a project is to be called, or a note is to say."""
        text, after = self._words(at)
        if self._now is None or not self._now.which.named or self._now.text or not text:
            self.unknown = True
            return after
        if self._calls and (said := to_be_called(text)) != text:
            text, self.described = said, True  # "the name of Recap should be Digest"
        if self._calls and self._now.which.it and not is_written(text):
            self.unknown = True  # "call it done" gives no name
        self._calls = False
        if self._now.state == "renamed" and (said := name_alone(text)) != text:
            text, self.described = said, True  # "to Red Kite, no, Green Kite", "Harbour Walk, with a u"
        text = without_courtesy(text)
        span = (self._now.span[0], self._parts[after - 1].end)
        self._now = replace(self._now, text=text, span=span)
        return after

    def _content(self, at: int) -> int:
        """The words up to the end of the clause, or to those of a change, are what a note is about."""
        writes = self._now is not None and self._now.state in _WRITTEN
        topic, after = self._words(at, until=("to", "to say") if writes else ())
        if self._now is not None and self._now.state is None and not self._now.negated:
            verb = next((n for n in range(at + 1, after) if self._verb_follows(n)), after)
            topic = self._said[self._parts[at].start : self._parts[verb - 1].end] if verb > at else ""
            after = verb  # "the note of the bread i want to save"
        bare = next((n for n, word in enumerate(topic.split()) if n and word in _telling()), None)
        if bare is not None:
            topic, self.described = (
                " ".join(topic.split()[:bare]),
                True,
            )  # "the note about the flour is right"
        said_of = [
            one for said in _TOPICS.split(topic) for one in (_AND.split(said) if self._but else [said])
        ]
        topics = tuple(one for said in said_of if (one := without_courtesy(said).strip(" ,")))
        if topics:
            several = self._now is not None and self._now.which.all
            self.described = self.described or several
            if self._now is not None and self._now.which.it and self._parts[at - 3].word in _POINTING:
                which = replace(self._now.which, it=False)
                self._now = replace(self._now, which=which)  # "this note of the fridge"
            self._name(Which(about=topics, of="note"), self._parts[after - 1].end)
        self.unknown = self.unknown or not topic
        return after

    def _described(self, at: int) -> int | None:
        """Past a note that is meant by words which may only describe it: "the boiler note", "that mirror one"; else None.

        Of several, the last may say "note" for all: "the boiler and the roof notes".
        """
        begins = at
        while self._kind(begins) in ("it", "filler", "both") and self._parts[begins].word in _POINTING:
            begins += 1
        pointed = begins > at or (at > 0 and self._points(at - 1))
        if not pointed or not (self._kind(begins) == "unknown" or self._is_noun(begins)):
            return None
        end = begins + 1 if self._is_noun(begins) else self._noun_after(begins)
        if not end or (self._now is None and not self._verb_follows(end, far=True)):
            return None
        if (
            self._now is not None
            and self._now.state is not None
            and self._now.which.named
            and self._verb_follows(end)
        ):
            self._close()  # "keep 3 and 5, the window one can go"
        if self._now is not None and self._now.which.named and not (self._but or self._lists(at - 1)):
            return None
        first, last = self._parts[begins], self._parts[end - 1]
        self.described = True
        self._name(Which(about=(self._said[first.start : last.end],), of="note"), last.end)
        return end + (self._kind(end) == "note")

    def _is_noun(self, at: int) -> bool:
        """A word that wishes are made of stands where only a noun can: "the skip note", "my drop one"."""
        word, behind = self._parts[at] if at < len(self._parts) else None, self._kind(at + 1)
        if word is None or at == 0 or word.slipped or word.kind not in _NOUNS_TOO:
            return False
        before = self._parts[at - 1]
        plain = before.word in _POINTING and before.kind in ("filler", "it") and " " not in word.word
        return plain and behind == "note" and self._parts[at + 1].word in _NOTES

    def _verb_follows(self, at: int, *, far: bool = False) -> bool:
        """Nothing but little words stand between here and what is to be done with it, or what is named beside it (`far`)."""
        between = ("note", "filler", "ask", *(("and", "unknown", "number", "few") if far else ()))
        while self._kind(at) in between:
            at += 1
        return self._kind(at) in _OF_NOTES

    def _points(self, at: int) -> bool:
        """A word that says that something known follows: "the", "my", "except the"."""
        part = self._parts[at]
        return part.word in _POINTING or (part.kind == "except" and part.word.endswith(" the"))

    def _lists(self, at: int) -> bool:
        """Before this part comes a word that joins it to what was named before."""
        while at > 0 and self._kind(at) in ("filler", "both", "it"):
            at -= 1
        return at >= 0 and self._kind(at) in ("and", "except")

    def _noun_after(self, at: int) -> int:
        """Where the words that say which note end: before "note" or "one", or where others follow that do; else 0."""
        after = at
        while self._kind(after) == "unknown" and after - at < _DESCRIBING:
            after += 1
        if not self._parts[after - 1].word.isalpha():
            return 0
        if self._kind(after) == "note":
            alone = self._kind(after + 1) not in ("number", "about")
            return after if alone and self._parts[after].word in _NOTES else 0
        following = after
        while self._kind(following) in ("and", "filler"):
            following += 1
        joins = any(self._kind(n) == "and" for n in range(after, following))
        return after if joins and self._kind(following) == "unknown" and self._noun_after(following) else 0

    def _said_as_word(self, at: int) -> bool:
        """A number that is said as a word and names a note: "notes one and two", "save five and six", not "two notes"."""
        listed = self._listed(at)
        if listed and (at == 0 or self._kind(at) == "note"):
            self.described = True  # "one and two can go": it may be a row of other things
            return True
        if self._kind(at) == "note":
            return self._parts[at].word == "one" and at > 0 and self._parts[at - 1].word in NUMBERED
        if self._kind(at) != "few" or self._kind(at + 1) in ("note", "last", "waiting", "unknown", "few"):
            return False
        if at == 0 or self._kind(at - 1) not in (
            "note",
            *_VERBS,
            "and",
            "to",
            "except",
            "filler",
            "not",
            "mend",
        ):
            return False
        if not any(self._kind(n) in ("number", "few") for n in range(len(self._parts)) if n != at):
            self.described = self.described or self._parts[at - 1].word not in NUMBERED
        return True

    def _listed(self, at: int) -> bool:
        """A number that is said as a word stands in a row with another: "one and two", not "that one and two"."""
        if not self._counted(at) or (at > 0 and self._kind(at - 1) not in (*_VERBS, "and", "ask", "filler")):
            return False
        if at > 0 and self._parts[at - 1].word in _POINTING:
            return False
        before, after = at - 1, at + 1
        while self._kind(after) == "and":
            after += 1
        while before >= 0 and self._kind(before) == "and":
            before -= 1
        return (after > at + 1 and self._counted(after)) or (0 <= before < at - 1 and self._counted(before))

    def _counted(self, at: int) -> bool:
        """A number in figures, or as a word that nothing stands behind which it would count."""
        if self._kind(at) == "number":
            return True
        number = self._kind(at) == "few" or (self._kind(at) == "note" and self._parts[at].word == "one")
        behind = self._parts[at + 1].word if at + 1 < len(self._parts) else ""
        kinds = ("note", "about", "last", "waiting", "unknown", "few")
        return number and self._kind(at + 1) not in kinds and not behind.startswith("of")

    def _tells_which(self, at: int) -> bool:
        """What follows says which note: "about the fence", "the note of the fence"."""
        if at > 0 and self._parts[at].word in _SAYING and self._but and self._kind(at - 1) in ("note", "it"):
            return True  # "only not this with the lamp"
        deed = self._now is not None and self._now.state is not None
        if deed and at > 0 and self._kind(at) == "about" and self._parts[at - 1].word in _ANY:
            return True  # "everything about the vet"
        if at == 0 or self._kind(at - 1) != "note":
            return False
        loosely = self._parts[at].word in ("of", "for") and self._kind(at + 1) in ("unknown", "filler")
        return self._kind(at) == "about" or (loosely and self._parts[at - 1].word in _NOTES)

    def _none(self, at: int) -> None:
        """It denies what it says: "delete none of them"."""
        if self._now is None or self._now.state is None or self._now.which.named:
            self.unknown = True
            return
        which = replace(self._now.which, all=True)
        self._now = replace(
            self._now, which=which, negated=True, span=(self._now.span[0], self._parts[at].end)
        )

    def _words(self, at: int, until: Sequence[str] = ()) -> tuple[str, int]:
        """The words from here to the end of the clause, as they were said, and where the next begins."""
        after = at
        while after < len(self._parts) and not self._ends(after) and self._kind(after) not in until:
            after += 1
            if self._parts[after - 1].word.endswith(".") and self._stops(after - 1):
                break
        self.quoted.update(range(at, after))
        text = self._said[self._parts[at].start : self._parts[after - 1].end] if at < after else ""
        return text.rstrip(" .,;"), after

    def _stops(self, at: int) -> bool:
        """After this part comes a blank or nothing: "90.5" does not end at its point."""
        return self._said[self._parts[at].end : self._parts[at].end + 1].strip() == ""

    def _ends(self, at: int) -> bool:
        """A sentence ends here, or a clause with a verb of its own begins."""
        kind = self._kind(at)
        if kind in ("end", "?"):
            return self._stops(at)
        if kind not in ("and", "mend", "not", "except"):
            return False
        following = at + 1
        while self._kind(following) in ("and", "filler", "mend", "not", "ask"):
            following += 1
        another = self._kind(following) == "note" and self._kind(following + 1) == "about"
        if following < len(self._parts) and self._parts[following].slipped:
            return self._kind(following + 1) in ("number", "note", "name")  # else it is a word of the text
        return another or self._kind(following) in (*_VERBS, "split", "another")

    def _number(self, at: int) -> int:
        word = self._parts[at].word
        return int(word) if word.isdecimal() else few().get(word, 1)

    def _numbers(self, at: int) -> int:
        first, after = self._number(at), at + 1
        if self._enumerates(at):
            self._close()
            return after + 1
        if self._counts(at):
            self.unknown = True  # "2 notes" are any two
            return after
        found = [first]
        if self._kind(after) == "to" and not (self._now is not None and self._now.state in _WRITTEN):
            next_ = after + 1
            while self._kind(next_) in ("note", "filler"):
                next_ += 1
            if self._kind(next_) not in ("number", "few"):
                self.unknown = True
                return after + 1
            last = self._number(next_)
            self.unknown = self.unknown or not first <= last < first + _MOST
            found, after = list(range(first, min(last, first + _MOST) + 1)), next_ + 1
        self._name(Which(numbers=tuple(found)), self._parts[after - 1].end)
        return after

    def _enumerates(self, at: int) -> bool:
        """The number says which wish of several comes now: "1. save note 3"."""
        stands_alone = at == 0 or self._kind(at - 1) == "number"
        return stands_alone and self._kind(at + 1) == "end" and self._kind(at + 2) in (*_VERBS, "split")

    def _counts(self, at: int) -> bool:
        """The number says how many, not which: notes follow it, and none are named before it."""
        of = at + 1 < len(self._parts) and self._parts[at + 1].word.startswith("of")
        if not of and self._kind(at + 1) not in ("note", "last", "waiting"):
            return False
        while at > 0 and self._kind(at - 1) in ("number", "and", "to", "filler"):
            at -= 1
        return at == 0 or self._kind(at - 1) != "note"

    def _selected(self, at: int) -> int:
        part, after = self._parts[at], at + 1
        if part.kind == "last":
            count = 1
            if self._kind(after) in ("number", "few"):
                word = self._parts[after].word
                count, after = int(word) if word.isdecimal() else few()[word], after + 1
            elif after < len(self._parts) and self._parts[after].word == "notes":
                self.unknown = True  # how many?
            which = Which(last=count)
        elif part.kind == "all":
            each = part.word in _EACH
            which = Which(
                all=True, kept=each, waiting=each, but=self._before() if part.word in _REST else None
            )
            if which.but is not None and any(wish.negated and wish.state == "saved" for wish in self._done):
                self.unknown = True  # "don't keep 4, the rest can go": 4 can hardly be what stays
        elif part.kind == "both":
            which = Which(both=True)
        elif part.kind == "waiting":
            which = Which(waiting=True)
        elif part.kind == "kept":
            which = Which(kept=True)
        else:
            which = Which(it=True)
        self._name(which, part.end)
        return after

    def _before(self) -> Which | None:
        """All that was named before: "keep 4, the rest can go"."""
        found: Which | None = None
        for wish in self._done:
            found = joined(found, wish.which) if found is not None else wish.which
        return replace(found, but=None) if found is not None else None

    def _name(self, which: Which, end: int) -> None:
        if self._negated and self._now is None:
            self.unknown = self.unknown or not (self._done or self.mended_first)  # "not 4", of nothing
            self._now, self._negated = Wish(negated=True, span=(end, end)), False
            self._mending = False
        if self._mending and self._now is None and self._done:
            if (
                self._done[-1].state is not None or not self._done[-1].negated
            ):  # "sorry, not 6, I meant 5" keeps both
                self._now = replace(self._done.pop(), which=Which(), text="")
            self._mending = False
        wish = self._now or Wish()
        was = wish.which
        if self._but:
            but = joined(was.but or Which(), which)
            wish = replace(wish, which=replace(was, but=but), span=(wish.span[0], end))
        else:
            wish = replace(wish, which=joined(was, which), span=(wish.span[0], end))
        self._now = wish

    def _excepted(self, at: int) -> None:
        if self._parts[at].word == "but" and self._now is None and not self._done:
            return  # "but keep note 4" joins on to what was said before
        self._with_fronted()
        if self._parts[at].word == "all but" and self._now is not None and not self._now.which.named:
            self._name(Which(all=True), self._parts[at].end)
        if self._now is None or not self._now.which.named:
            self.unknown = True
            return
        followed = next((p for p in self._parts[at + 1 :] if p.kind not in ("filler", "note", "ask")), None)
        if (
            self._parts[at].word == "but"
            and followed is not None
            and followed.kind in ("saved", "withdrawn", "not")
        ):
            return  # "but keep note 8" is another wish
        which = self._now.which
        if not (which.all or which.both or which.waiting or which.kept or which.projects or which.numbers):
            self.unknown = True
        self._but = True

    def _mend(self) -> None:
        self._close()
        if not self._done:
            self.mended_first = True
        self._mending = self.mended = bool(self._done)

    def _with_fronted(self) -> None:
        """What stands before the verb is what it is said of; "note 5, save 4" says nothing of note 5."""
        fronted, self._fronted = self._fronted, None
        if fronted is None or self._now is None:
            return
        now = self._now.which
        if now.named and not now.it:
            self._done += [fronted]
            self.unknown = True
            return
        which = replace(fronted.which, but=now.but or fronted.which.but)
        self._now = replace(self._now, which=which, span=(fronted.span[0], self._now.span[1]))

    def _close(self) -> None:
        self._with_fronted()
        if self._now is not None:
            if self._split or not self._now.which.named:
                self.unknown = True
            self._done += _mended(self._mended, self._now)
            self._mended = None
        self._now, self._but, self._split = None, False, False

    def _kind(self, at: int) -> str:
        return self._parts[at].kind if at < len(self._parts) else ""


def _telling() -> Sequence[str]:
    """Words that begin what is told of something."""
    return list(vocabulary()["tell"]["words"])


def _mended(before: Wish | None, now: Wish) -> Sequence[Wish]:
    """What is left of a clause after one with another verb: "withdraw 4 and 5, no, keep 5" withdraws 4."""
    if before is not None and now.which.it:
        return [replace(now, which=before.which)]
    if before is None or not set(now.which.numbers) < set(before.which.numbers):
        return [now]
    spares = now.state == "saved"
    return [before, replace(now, state=None, negated=True) if spares else now]
