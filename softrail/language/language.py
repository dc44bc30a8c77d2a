"""One language: what whole messages, heads of messages and corrections mean in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from softrail.core.intents import Shown
from softrail.language import edits, repairs, step_off
from softrail.language.edits import Edit, Rearranged
from softrail.language.patterns import (
    LONGEST_WORDS,
    Patterns,
    are_of,
    forms,
    said_wholly,
)
from softrail.language.recognition import recognition
from softrail.language.repairs import Span
from softrail.language.selecting import selected
from softrail.language.slips import slips
from softrail.language.step_off import StepOff
from softrail.language.text import READ_AT_MOST, Spoken, brief, normal, spoken, squeezed, word_key
from softrail.language.words import ENGLISH, files, load

Consent = Literal["yes", "no", "question", "other"]

#: Between a yes or no and what is said behind it.
_BEHIND: Final = re.compile(r"\s*[,.;:!–—]+\s+")
_SENTENCES: Final = re.compile(r"[^.!?\n]+[.!?]?")
_MOST_SIGNS: Final = 40
_TAIL: Final = 12  # words a done-word with its politeness may have
_POLITE: Final = 4  # words politeness may have
_FEW: Final = 6  # words of what is only added
_LEAD: Final = 6  # words before a deed, or before those for being done
_TOLD: Final = 2  # words of something told, at least
_BEHIND_IT: Final = 6  # words behind it that say what it is, at most
_TRAILING: Final = " \t\r\n.,;:!-–—…"


class Beside(NamedTuple):
    """What is told beside what is spoken of."""

    text: str
    surely: bool  #: False: it may be more of the same


class Language:
    """What people's words mean in one language. Immutable, and shared by every thread."""

    __slots__ = ("_patterns", "code")

    def __init__(self, code: str, lists: Mapping[str, Sequence[str]]) -> None:
        self.code: Final = code
        self._patterns: Final = Patterns(lists)

    def ready(self) -> None:
        """Do now what the first message would wait for."""
        self._patterns.ready()

    # -- stepping off

    def is_escape(self, message: str) -> bool:
        """The whole message is an escape word; needs to know nothing of who holds the session.

        "later" and its like are not: they are "no" while a yes/no question is open.
        """
        return step_off.is_escape(self._patterns, message)

    def gives_up(self, message: str, names: Sequence[str]) -> bool:
        """It would end what is called so, or "it", where nothing is asked: "cancel it then", "let the table go"."""
        said = f" {spoken(message).text} "
        for name in sorted(map(normal, names), key=len, reverse=True):
            said = re.sub(rf"(?: (?:the|my|our|that|this))? {re.escape(name)} ", " it ", said)
        return self.is_escape(message) or self._says("giving_up", said.strip())

    def step_off(
        self, message: str, *, names: Sequence[str], options: Sequence[str] = (), yes_no: bool = False
    ) -> StepOff | None:
        """How the message leaves the process called `names` in words that are certain; None when it does not.

        A label of `options` is always an answer. With `yes_no` an open yes/no question takes "later" as its "no".
        """
        if options:
            chosen = brief(message, READ_AT_MOST)
            if chosen and chosen in map(normal, options):
                return None
        return step_off.leave(self._patterns, message, names, yes_no=yes_no)

    # -- consent

    def consent(self, message: str) -> Consent:
        """Yes, no, a question, or something else: one reading for every offer and confirmation."""
        if spoken(message).asks:
            return "question"
        yes, no = self._says("yes", message), self._says("no", message)
        if yes != no:
            return "yes" if yes else "no"
        return "question" if not yes and self.is_question(message) else "other"

    def names_deed(self, message: str) -> bool:
        """It says what is to be done: "save it" is a yes where that was asked, and none where something else was."""
        return self._within("deeds", message)

    def consent_and_more(self, message: str) -> tuple[Consent, str]:
        """A yes or no at the head of a message, and what is said behind it: "no, show my notes"."""
        head, *rest = _BEHIND.split(message.strip(), maxsplit=1)
        if rest and (said := self.consent(head)) in ("yes", "no"):
            return said, rest[0].strip()
        words = message.split()
        for size in range(
            min(_POLITE, len(words) - 1), 0, -1
        ):  # "no idea" is no no; "yes please do" is a yes
            if self.consent(" ".join(words[:size])) == "yes":
                return "yes", " ".join(words[size:])
        return "other", ""

    def approves(self, message: str) -> bool:
        """It is a yes that does not say that there is anything: "looks good", "perfect, go"."""
        there_is = self._patterns.words("there_is")
        return self.consent(message) == "yes" and there_is.fullmatch(spoken(message).text) is None

    def keeps_it(self, message: str) -> bool:
        """What is there stays: "keep it", "as it was"."""
        return self._patterns.words("keeping").fullmatch(spoken(message).text) is not None

    def behind_approval(self, message: str) -> str:
        """What is said behind a yes or nearly one, without the word that keeps something back: "looks good, but …", "almost. …"; else ""."""
        head, *behind = _BEHIND.split(message.strip(), maxsplit=1)
        agreed, rest = self.consent_and_more(message)
        if agreed != "yes":
            nearly = self._patterns.words("nearly").fullmatch(spoken(head).text)
            rest = behind[0].strip() if nearly is not None and behind else ""
        first, _, after = rest.partition(" ")
        return after if self._is("besides", normal(first)) else rest

    def behind_its_yes(self, message: str, done_words: Sequence[str] = ()) -> str:
        """What stands behind clauses that agree, or say one of those words: "ok create it and what can I do next"; "" where nothing does."""
        said = spoken(message)
        count = len(said.words)
        begins = [at for at in range(1, count) if said.words[at - 1].closes or self.adds(said.words[at].key)]
        for begin, end in pairwise([0, *begins, count]):
            joined = begin + 1 < end and self.adds(said.words[begin].key)
            clause = said.since(begin + joined, end)
            if not self._agrees(clause, done_words):
                agreed, rest = self.consent_and_more(message) if not begin else ("other", "")
                return said.since(begin) if begin else rest if agreed == "yes" else ""
        return ""

    def _agrees(self, clause: str, done_words: Sequence[str]) -> bool:
        said, rest = self.consent_and_more(clause)
        words = (self.unpadded(clause), self.unpadded(rest) if said == "yes" else "")
        return self.consent(clause) == "yes" or any(one in done_words for one in words if one)

    def before_its_yes(self, message: str) -> str:
        """What somebody else does, or is so, before a yes at the end: "he's away, so yes"; "" where nothing is said before it."""
        said = spoken(message)
        count = len(said.words)
        ends = (at for at in range(max(1, count - _POLITE), count) if self.consent(said.since(at)) == "yes")
        if (at := next(ends, 0)) == 0 or self._is("of_oneself", said.words[0].key):
            return ""
        return said.since(0, at).rstrip(_TRAILING)

    def speaks_of_oneself(self, word: str) -> bool:
        """Who speaks is meant: "I'm"."""
        return self._is("of_oneself", word_key(word))

    def points(self, message: str) -> bool:
        """It speaks of what was spoken of just now: "keep it"."""
        return self._within("pointing", message)

    def gives_a_reason(self, message: str) -> bool:
        """It begins as a reason does: "because …"."""
        return self._patterns.words("reasons").match(spoken(message).text) is not None

    def has_a_condition(self, message: str) -> bool:
        """Something is said with which a yes is no whole one: "yes, but only tomorrow"."""
        return self._within("conditions", message)

    def binds(self, words: str) -> bool:
        """Behind an answer they say what it depends on, or what is not wanted with it: "but only plates"."""
        said = spoken(words).text
        courteous = self._patterns.words("courteous_if").fullmatch(said) is not None
        return not courteous and self._patterns.words("binding").fullmatch(said) is not None

    def to_pass_on(self, words: str) -> str:
        """What somebody is to be told, of words that begin so: "we come late" of "and tell him we come late"."""
        said = spoken(words)
        keys = _keys(said)
        if size := self._size("passing_on", keys):
            return said.since(size)
        begins = self._size("passing_on_to", keys) > 0
        return said.since(self._size("passing_on_lead", keys)) if begins else ""

    def has_a_proviso(self, message: str) -> bool:
        """A condition is set for a yes, or it is left open: "yes, once he has paid", "looks good I think"."""
        return self._within("provisos", message)

    def has_a_reserve(self, message: str) -> bool:
        """A yes is said with a reserve: "sure, but what does it cost?" wants an answer first."""
        return self._within("reserves", message)

    def names_another_deed(self, message: str, label: str) -> bool:
        """It says what is to be done, and the option does not: "Yes" alone does not tell what was asked."""
        return self.names_deed(message) and not self.names_deed(label)

    def is_never(self, message: str) -> bool:
        """No, and for good: what was offered is not to be offered again."""
        return "never" in said_wholly(self._patterns, message)

    # -- whole messages

    def other(self, message: str) -> str:
        """The code of another language that the message is surely written in; "" where it is none that is known."""
        return recognition().other(message)

    def is_greeting(self, message: str) -> bool:
        """The whole message is greeting words: "hi, how is FarmGuard going?" is not."""
        return self._says("greeting", message)

    def is_part_of_day(self, message: str) -> bool:
        """The whole message is one: a greeting, or when something is to be."""
        return self._patterns.words("parts_of_day").fullmatch(spoken(message).text) is not None

    def is_resume(self, message: str, *, names: Sequence[str] = ()) -> bool:
        """The person wants to go on with what was paused; `names` are its names."""
        return self._moves("resume", message, names)

    def stays(self, message: str) -> bool:
        """The person takes back a wish to leave: "no, don't pause"."""
        return self._moves("stays", message)

    def is_undo(self, message: str) -> bool:
        """The person takes back what was just done."""
        return self._moves("undo", message)

    def is_start_over(self, message: str, *, names: Sequence[str] = ()) -> bool:
        """The person wants to begin again; `names` are those of what is in front."""
        return self._moves("start_over", message, names)

    def is_later(self, message: str, *, names: Sequence[str] = ()) -> bool:
        """Not now: an escape, or "no" to an open yes/no question; `names` are those of what is meant."""
        return self._moves("later", message, names, asking=True)

    def is_no_option(self, message: str) -> bool:
        """None of the options that are shown, and nothing else."""
        return self._says("no_option", message)

    def is_skip(self, message: str) -> bool:
        """This answer is left out: "skip", "nah, skip that"."""
        if self._moves("skip", message):
            return True
        said = spoken(message)
        no = len(said.words) > 1 and self.consent(said.words[0].key) == "no"
        return no and self._moves("skip", said.since(1))

    def is_skip_all(self, message: str) -> bool:
        """This answer and all further ones of its kind are left out."""
        return self._moves("skip_all", message)

    def is_back(self, message: str) -> bool:
        """The person wants the question before."""
        return self._moves("back", message)

    def is_none(self, message: str) -> bool:
        """There is none of what is asked for."""
        return self._moves("none", message)

    def is_done_word(self, message: str) -> bool:
        """There is nothing more to add."""
        return self._moves("done", message)

    def is_enough(self, message: str) -> bool:
        """No more of it: an exit, or nothing more to add where several things may be told."""
        return self._moves("enough", message)

    def is_to_remember(self, message: str) -> bool:
        """The message says that something is to be remembered, and what."""
        head, colon, rest = message.partition(":")
        if colon and rest.strip() and self._patterns.words("noting").fullmatch(f"{normal(head)} "):
            return True
        return self._patterns.words("remember").match(spoken(message).text) is not None

    def told_beside(self, message: str) -> Beside | None:
        """What is told beside what is spoken of, in words that say so: "btw the venue fell through"; None where nothing is."""
        said = spoken(message)
        keys, count = _keys(said), len(said.words)
        first = self._size("beside", keys)
        if not first and (announced := self._size("announcing", keys)):
            first = announced if said.words[announced - 1].closes else 0
        adds = 0 if first else self._size("adding", keys)
        last, first = count, first or adds
        if not first:
            behind, ends = self._patterns.words("beside_behind"), range(max(1, count - _BEHIND_IT), count)
            last = next((at for at in ends if behind.fullmatch("".join(keys[at:]))), count)
            alone = last <= _TOLD or any(word.closes for word in said.words[: last - 1])
            last = count if alone else last  # "school classes, by the way"
        told = said.since(first, last) if _TOLD <= last - first < count else ""
        if not told or self.is_question(told):
            return None
        return Beside(text=told.strip(_TRAILING), surely=not adds)

    def waits(self, message: str) -> bool:
        """Whoever says it is away for a while: "brb", "back in 10", "hang on five minutes"; "wait, 5 minutes" may be an answer."""
        if "," in message:
            return False
        words = re.sub(r"\b\d+\b", "five", spoken(message).text)
        return self._patterns.words("waiting").fullmatch(words) is not None

    def asks_so_far(self, message: str) -> bool:
        """It asks for what was told up to now, in the middle of something."""
        return self._patterns.words("so_far").fullmatch("".join(_keys(spoken(message)))) is not None

    def asks_again(self, message: str) -> bool:
        """It asks for the question once more: "what was the question again?"."""
        return self._patterns.words("asked_again").fullmatch("".join(_keys(spoken(message)))) is not None

    def meaning_asked(self, message: str, fields: Mapping[str, Sequence[str]]) -> str | None:
        """The field of which a message asks what it is: "what's a blocker?"."""
        return edits.meaning_asked(self._patterns, message, fields)

    def slips(self, one: str, other: str, most: int) -> int:
        """How many slips of the fingers are between two words; `most` + 1 for more."""
        return slips(one, other, most)

    def is_question(self, message: str) -> bool:
        """The message ends with a question mark, or begins as questions do."""
        said = spoken(message)
        return said.asks or self._patterns.question_starts.match(said.text) is not None

    def is_a_tag(self, question: str) -> bool:
        """It ends in words that want no answer, and asks nothing before them: "on Monday, did you get that?"."""
        keys, tags = _keys(spoken(question)), self._patterns.words("tags")
        at = next((at for at in range(len(keys)) if tags.fullmatch("".join(keys[at:]))), None)
        return at is not None and self._patterns.question_starts.match("".join(keys[:at])) is None

    def asks_whether(self, question: str) -> bool:
        """A sentence of it asks whether there is any, so that a no says that there is none: "Any blockers?"."""
        asked = [said for said in _SENTENCES.findall(question) if said.endswith("?")]
        return any(self._patterns.words("whether_starts").match(f"{spoken(one).text} ") for one in asked)

    def unpadded(self, message: str) -> str:
        """The normal form of a short message without politeness around it; "" for a long one."""
        words = brief(message, LONGEST_WORDS).split()
        while len(bare := self._bare(words)) < len(words):
            words = normal(" ".join(bare)).split()
        return " ".join(words)

    def asks_besides(self, rest: str) -> bool:
        """What is said behind a yes is a question: "what does it cost"; "do it like that" is none."""
        head = " ".join(rest.split()[:2])
        return self.is_question(rest) and (rest.rstrip().endswith("?") or self.consent(head) != "yes")

    # -- inside a message

    def done_with(self, message: str) -> str | None:
        """What the person said before a done-word that ends the message; None when none ends it.

        "fixed login. that's all" is "fixed login". A message that is nothing but a done-word gives "".
        """
        if self.is_done_word(message):
            return ""
        said = spoken(message)
        if not said.whole:
            return None
        count = len(said.words)
        for at in range(max(1, count - _TAIL), count):
            begins = self._led(said, at)
            if self._ends(said, at, begins):
                joined = begins > 1 and self._patterns.joint.fullmatch(_line([said.words[begins - 1].key]))
                return said.since(0, begins - 1 if joined else begins).rstrip(_TRAILING) if begins else ""
        return None

    def correction(self, message: str, fields: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
        """The field a message corrects and its new words: "actually, today is …".

        `fields` maps each field to further names people use for it; its own name counts too.
        """
        found = edits.correction(self._patterns, message, fields)
        return found and (found[0], self.without_courtesy(found[1]))

    def repaired(self, words: str) -> tuple[str, str]:
        """What was said first and what was meant instead: "Marek" and "Ilse" of "Marek, no wait, Ilse"; "" where nothing is put right.

        Words that only begin to put something right, "no wait", have nothing before them and nothing behind.
        """
        return repairs.repaired(self._patterns, words)

    def puts_right(self, message: str, *, anywhere: bool = False) -> Sequence[Span]:
        """Where words stand that put right what was said before, "no sorry", "better", if the rest does.

        At the head of a clause; `anywhere`: within one, too, for many write no signs.
        """
        return repairs.puts_right(self._patterns, message, anywhere=anywhere)

    def denies_what_was_said(self, words: str) -> bool:
        """Such words deny it: "no sorry" does, "oh wait" may only ask for time."""
        return repairs.denies(self._patterns, words)

    def names_any(self, message: str, fields: Mapping[str, Sequence[str]]) -> bool:
        """It calls one of the fields by a name."""
        return edits.names_any(self._patterns, message, fields)

    def called_wrong(self, message: str, fields: Mapping[str, Sequence[str]]) -> Sequence[str]:
        """The fields that all of the message calls wrong: "people is off", "the day and the time aren't right"."""
        return edits.called_wrong(self._patterns, message, fields)

    def edit(self, message: str, fields: Mapping[str, Sequence[str]]) -> Edit | None:
        """The edit a message asks for: "add blocker …", "remove 2", "change yesterday to …".

        None where it asks for another one as well: "remove the jam, add butter". It may stand behind a yes: "looks good, but change …". For steps that show what was collected: while an answer is
        wanted, "add tests" may be the answer.
        """
        found = edits.edit(self._patterns, message, fields)
        if found is None:
            rest = self.behind_approval(message)
            found = edits.edit(self._patterns, rest, fields) if rest else None
            found = found if found is not None and found.field is not None else None  # "yes, add it" is a yes
        if found is None or self._is("wrong", normal(found.text)):
            return None  # "the guest was wrong" does not say what is right
        if found.field is None and edits.is_one_of_more(
            self._patterns, message, found.text, fields, self.adds
        ):
            return None
        return replace(found, text=self.without_courtesy(found.text))

    def rearranged(self, message: str, fields: Mapping[str, Sequence[str]]) -> Iterator[Rearranged]:
        """All ways in which a message may put otherwise what was told: "move the report to today", "swap yesterday and today"."""
        for one in edits.rearranged(self._patterns, self.without_courtesy(message), fields):
            yield replace(one, text=self.without_courtesy(one.text), new=self.without_courtesy(one.new))

    def behind_a_deed(self, message: str) -> str | None:
        """What a message wants changed that begins so, and says no more: "today" of "please reorder today"; None where it begins otherwise."""
        said = spoken(message)
        keys = _keys(said)
        for lead in range(min(_LEAD, len(keys))):
            if lead and not self._is("before_edit", normal(" ".join(keys[:lead]))):
                continue
            if size := self._size("reworking", keys[lead:]):
                return said.since(lead + size)
        return None

    def parts_from(self, word: str) -> bool:
        """What something is part of stands behind it: "of", "from"."""
        return self._is("parting", word)

    def is_everything(self, words: str) -> bool:
        """It is all that there is: "move everything to today"."""
        return self._is("everything", normal(words))

    def is_any(self, words: str) -> bool:
        """Each of a few is meant, whichever it is: "any day"."""
        return self._is("any", normal(words))

    def is_the_rest(self, words: str) -> bool:
        """All that was not named: "the rest", "everything else"."""
        return self._is("the_rest", normal(words))

    def takes_up(self, word: str) -> bool:
        """It stands before what somebody would do: "can", "help", "happy"."""
        return self._is("taking_up", word)

    def is_working_day(self, word: str) -> bool:
        """It stands for any day that is none of a weekend: "weekday"."""
        return self._is("working_day", normal(word))

    def is_weekend(self, label: str) -> bool:
        """It calls a day of a weekend: "Saturday", "Sunday morning"."""
        return any(self._is("weekend", word.key) for word in spoken(label).words)

    def without_courtesy(self, text: str) -> str:
        """New words without the "please" that a comma sets apart at their end."""
        words, comma, last = text.rpartition(",")
        return words if comma and words and self._is("politeness", normal(last)) else text

    # -- single words, for choosing

    def is_choosing_word(self, word: str) -> bool:
        """The word stands around a choice and names no option."""
        return self._is("choosing", word)

    def denies(self, word: str) -> bool:
        """The word says that what follows is not meant: "not", "instead of"; no answer by itself, as "no" is."""
        return self._is("denials", word)

    def follows(self, word: str) -> bool:
        """What follows from what was said stands behind it, or comes to it: "so", "then", "but"."""
        return self._is("joints", normal(word))

    def limits(self, word: str) -> bool:
        """What stands behind it is all that is meant: "only", "just"."""
        return self._is("limiting", normal(word))

    def adds(self, word: str) -> bool:
        """Another item of a list stands behind it: "and", "plus"."""
        return self._is("joining", normal(word))

    def joins(self, word: str) -> bool:
        """Two things stand on both sides of it, or one of which either may be meant: "and", "plus", "or"."""
        return self.adds(word) or self._is("alternatives", normal(word))

    def wants_both(self, message: str) -> bool:
        """It says that two of a few are meant: "both, the hat and the scarf", "I want both"; not of "both of us"."""
        words = spoken(message).words
        return any(self._is("both", w.key) and (w.closes or w is words[-1]) for w in words)

    def links(self, word: str) -> bool:
        """What is called stands before it, and what that is behind it: "is", "should be"."""
        return self._is("linking", normal(word))

    def changes(self, word: str) -> bool:
        """A change of what was given begins with it: "change", "set"."""
        return self._is("changing", normal(word))

    def turns_into(self, word: str) -> bool:
        """Behind it stands what something becomes: "to", "into"."""
        return self._is("turning_into", normal(word))

    def determines(self, word: str) -> bool:
        """It stands before a name: "the", "my"."""
        return self._is("determiner", normal(word))

    def only_asks(self, word: str) -> bool:
        """It stands in questions of any kind: "should", "many"."""
        return self._is("asking", word)

    def says_not(self, clause: str) -> bool:
        """It has a word that makes a no of it: "nobody was there", "it hasn't been opened"."""
        return any(self._is("nots", word.key) for word in spoken(clause).words)

    def tells_besides(self, message: str) -> bool:
        """Behind a word for none it goes on with what there is: "no blockers except the VPN"."""
        said = [word.key for word in spoken(message).words]
        none = next((at for at, word in enumerate(said) if self._is("nots", word)), len(said))
        return any(self._is("besides", word) for word in said[none + 1 : -1])

    def without_too(self, message: str) -> str:
        """Few words that end in one for adding, without it: "librarians too"; "" where they do not."""
        said = spoken(self.without_courtesy(message))
        keys, count = _keys(said), len(said.words)
        for behind in (1, 2):
            ends = "".join(keys[-behind:])
            if behind < count <= _FEW and said.is_one_clause and self._patterns.words("too").fullmatch(ends):
                return said.since(0, count - behind)
        return ""

    def without_and(self, message: str) -> str:
        """Few words that begin with one that joins, without it: "and Bob"; "" where they do not."""
        said = spoken(message)
        begins = 1 < len(said.words) <= _FEW and said.is_one_clause and self.adds(said.words[0].key)
        return said.since(1) if begins else ""

    def misspoke(self, message: str) -> bool:
        """It begins with words for having said something else than was meant, "no, I mean …", or ends in the one sign for that."""
        if message.count("*") == 1 and message.rstrip().endswith("*"):
            return True
        return self._patterns.words("misspoke").match(f"{spoken(message).text} ") is not None

    def is_mistaken(self, message: str) -> bool:
        """All that it says is that something is wrong, and not what: "wait, I made a mistake"."""
        return self._patterns.words("mistaken").fullmatch(spoken(message).text) is not None

    def calls_wrong(self, message: str) -> bool:
        """It says that something is wrong, in so many words: "no wait, that was wrong"."""
        keys = _keys(spoken(message))
        return self.is_mistaken(message) or any(self._size("wrong", keys[at:]) for at in range(len(keys)))

    def hedges(self, message: str) -> bool:
        """All of it is half a yes at most: "possibly", "sort of", "done-ish"."""
        said = spoken(message)
        whole = self._patterns.words("hedges").fullmatch(said.text) is not None
        return whole or (len(said.words) == 1 and message.strip(" .,!?").endswith("-ish"))

    def mends(self, message: str) -> bool:
        """It denies what was said just now, or says that one misspoke, and goes on: "no, it was Omar"."""
        return self.consent_and_more(message)[0] == "no" or self.misspoke(message) or self.says_not(message)

    def takes_back(self, message: str) -> bool:
        """It has words for what is no longer to stand: "scrap the colour", "leave the cheese out"."""
        return self._within("taking_back", message)

    def was_not_said(self, message: str) -> bool:
        """It says of something that it was not told: "I never said anything about a dog"."""
        return self._within("unsaid", message)

    def without_taking_back(self, message: str) -> str:
        """What is no longer to stand, without the words that say so: of "take the meetings out", "the meetings"."""
        text = f"{spoken(message).text} "
        found = self._patterns.words("taking_back").search(text)
        said = found.group().split() if found is not None else []
        return (
            " ".join(word for word in text.split() if word not in (*said[:1], *said[-1:]))
            if said
            else message
        )

    def tells_more(self, message: str) -> bool:
        """It begins as what is told besides does: "oh and …", "also …"."""
        keys = _keys(spoken(message))
        return bool(self._size("adding", keys)) or (bool(keys) and self.is_more(keys[0].strip()))

    def is_no_name(self, word: str) -> bool:
        """It stands for something, or announces it, and nothing is called so: "There", "This"."""
        return self._is("no_name", normal(word))

    def gives_a_name(self, word: str) -> bool:
        """A name stands behind it: "called"."""
        return self._is("naming", normal(word))

    def asks_for_a_name(self, question: str) -> bool:
        """It is answered by a name: "Who is it for?", "What is it called?"."""
        words = normal(question).split()
        return any(self._is(name, word) for word in words for name in ("who", "naming", "names"))

    def asks_of_you(self, question: str) -> bool:
        """What is asked for is of whoever answers: "What's your name?"."""
        return any(self._is("of_you", word.key) for word in spoken(question).words)

    def is_no_name_yet(self, words: str, question: str) -> bool:
        """A name is asked for, and they hardly are one: "something with bees"; "Something Wild" is."""
        asks = [word.key for word in spoken(question).words]
        if not self.asks_for_a_name(question) and not any(self._is("calling", word) for word in asks):
            return False
        written = [word for word in words.split()[1:] if word[:1].isupper()]
        return not written and self._patterns.words("vague").match(spoken(words).text) is not None

    def is_a_name(self, words: str) -> bool:
        """What is called so is a name: "project name", "title"."""
        return self._is("names", normal(words).rpartition(" ")[2])

    def ends(self, word: str) -> bool:
        """It stands at the end of what is said and is no part of it: "please", "then", "I think"."""
        return self._is("ending", normal(word).strip(".,!?;:")) or self.is_more(normal(word))

    def is_more(self, word: str) -> bool:
        """It says that something comes to what there is: "also", "too"."""
        return self._is("more", word)

    def opens(self, words: str) -> bool:
        """They stand before what is said, and are no part of it: "no wait", "and"."""
        key = normal(words).strip(".,!?;:")
        return any(self._is(name, key) for name in ("openers", "oops")) or self.adds(key)

    def stops(self, words: str) -> bool:
        """They stop what was said just now: "hold on", "no wait"."""
        return self._is("oops", words)

    def takes_it_back(self, words: str) -> bool:
        """They begin with a word for what is no longer to stand: "scratch Choir News", "not Rover"."""
        first = normal(words).partition(" ")[0]
        return self._is("taking_back", first) or self.negates(first)

    def is_another(self, word: str) -> bool:
        """It speaks of one more than was spoken of: "the other", "another one"."""
        return self._is("further", word)

    def calls(self, word: str) -> bool:
        """A thing and then its name stand behind it: "call"."""
        return self._is("calling", normal(word))

    def is_indifferent(self, label: str) -> bool:
        """An option that whoever does not mind, or does not know, means: "no preference", "either"."""
        keys, known = _keys(spoken(label)), self._patterns.words("indifferent")
        return any(known.match("".join(keys[at:])) for at in range(len(keys)))

    def excludes(self, word: str) -> bool:
        """What stands behind it is left out: "any day but Monday"."""
        return self._is("excluding", word) or self._is("besides", word)

    def leaves_out(self, message: str, name: str) -> bool:
        """The message has the name of an option only behind words that leave it out: "anywhere but the bar"."""
        behind = [*self._behind("excluding", message, name)]
        return bool(behind) and all(behind)

    def denies_it(self, message: str, name: str) -> bool:
        """The message has those words first behind one that says that they are not meant: "as long as it's not a Lyft"."""
        return next(self._behind("denials", message, name), False)

    def _behind(self, signs: str, message: str, name: str) -> Iterator[bool]:
        """Each time that the message has the name, whether it is behind one of those words, with words of choosing between them."""
        said = spoken(message)
        named = said.named({squeezed(normal(name)): name})

        def is_behind(at: int) -> bool:
            while at > 0 and not said.words[at - 1].closes:
                at -= 1
                word = said.words[at].key
                if self._is(signs, word) or not self.is_choosing_word(word):
                    return self._is(signs, word)
            return False

        return (is_behind(place.start) for place in named)

    def speaks_ill(self, words: str) -> bool:
        """They speak ill of something: "… would be the worst choice" chooses nothing."""
        return self._within("ill", words)

    def is_plural(self, word: str, name: str) -> bool:
        """The word is the plural of that name, or the name itself: "fridays"."""
        return squeezed(word) in {squeezed(name) + ending for ending in ("", *self._patterns.plural_endings)}

    def negates(self, word: str) -> bool:
        """The word turns a choice round."""
        return self._is("negations", word)

    def goes_on(self, word: str) -> bool:
        """The word wants another one behind it, as "at" does in "we meet at"; with a sign behind it none does."""
        return any(not w.closes and self._is("unfinished", w.key) for w in spoken(word).words[-1:])

    def moves(self, word: str) -> int:
        """It says in which direction something is from what it was: "later" is 1, "fewer" -1, any other word 0."""
        return self._is("moves_on", word) - self._is("moves_back", word)

    def names_kind(self, word: str, wanted: str) -> bool:
        """The word stands for any answer of that kind: "day" for a date, "amount" for a number."""
        return self._is(f"kind_{wanted}", word)

    def range_word(self, word: str) -> str:
        """The part that a word plays in "from A to B": "range_from", "range_to", "range_and", or none, ""."""
        key, words = f"{word_key(word)} ", self._patterns.range_words
        return next((n for n, one in words.items() if n.startswith("range") and one.fullmatch(key)), "")

    def is_an_end(self, word: str) -> bool:
        """It leads to when something is over: "till", "finish"."""
        return self._is("is_over", word)

    def asks_for(self, question: str) -> frozenset[str]:
        """Whether a question or a name is for the first of two values or the second: "beginnings", "endings", both."""
        words = [f"{word_key(word)} " for word in normal(question).split()]
        asked = self._patterns.range_words.items()
        return frozenset(
            name for name, one in asked if not name.startswith("range") and any(map(one.fullmatch, words))
        )

    def belong_together(self, first: str, second: str) -> bool:
        """One question asks for the first day of something, the other for the last."""
        return "day_begins" in self.asks_for(first) and "day_ends" in self.asks_for(second)

    def selected(self, message: str, things: Sequence[Shown]) -> list[str] | None:
        """The keys of what is meant instead of what was shown: "but not number 4", "only the oak"; None: it says no such thing."""
        return selected(self._patterns.lists, message, things)

    def figure(self, word: str) -> str:
        """The figure of a number up to ten that is said as a word; any other word as it is: of "two", "2"."""
        counted = (
            n for n, one in enumerate(self._patterns.each("cardinals"), 1) if one.fullmatch(f"{word} ")
        )
        return str(next(counted, word))

    def ordinal(self, word: str, count: int) -> int | None:
        """The place, from 0, that a word names among `count`: "second" is 1, "last" the last, "middle" the second of three."""
        for place, pattern in enumerate(self._patterns.each("ordinals")):
            if pattern.fullmatch(f"{word} "):
                return place
        if count % 2 and self._is("middle", word):
            return count // 2
        return count - 1 if self._is("last", word) else None

    def _size(self, name: str, keys: Sequence[str]) -> int:
        """How many words at the head are of that list."""
        found = self._patterns.words(name).match("".join(keys))
        return found[0].count(" ") if found is not None else 0

    def _is(self, name: str, word: str) -> bool:
        return self._patterns.words(name).fullmatch(f"{word} ") is not None

    def _within(self, name: str, message: str) -> bool:
        return self._patterns.words(name).search(f"{spoken(message).text} ") is not None

    def _bare(self, words: Sequence[str]) -> Sequence[str]:
        # Without the politeness at one end: "thank you" is two words.
        polite, keys = self._patterns.polite, [f"{word_key(word)} " for word in words]
        most = range(min(_POLITE, len(words)), 0, -1)
        for count in most:
            if polite.fullmatch("".join(keys[:count])):
                return words[count:]
        for count in most:
            if polite.fullmatch("".join(keys[-count:])):
                return words[:-count]
        return words

    def _led(self, said: Spoken, at: int) -> int:
        """Where the words begin that only lead to what stands there: "I think" before "that's all"."""
        keys = _keys(said)
        led = (
            begin
            for begin in range(max(0, at - _LEAD), at)
            if self._patterns.words("done_lead").fullmatch("".join(keys[begin:at]))
        )
        return next(led, at)

    def _ends(self, said: Spoken, at: int, begins: int) -> bool:
        # "the login is done" is an answer: most done-words need a stop before them.
        tail = _line([word.key for word in said.words[at:]])
        if (begins == 0 or said.words[begins - 1].closes) and self._patterns.done_end.fullmatch(tail):
            return True
        return self._patterns.done_tail.fullmatch(tail) is not None

    def _moves(self, name: str, message: str, names: Sequence[str] = (), *, asking: bool = False) -> bool:
        if not asking and spoken(message).asks:
            return False
        if not names or not step_off.keys(names):
            return name in said_wholly(self._patterns, message)
        return are_of(self._patterns, name, step_off.named_forms(message, tuple(names)))

    def _says(self, name: str, message: str) -> bool:
        # In words; a message without any may show it.
        if name in said_wholly(self._patterns, message):
            return True
        return not forms(message) and self._shows(name, message)

    def _shows(self, name: str, message: str) -> bool:
        # Emoji alone: a sign of that list first, none of another list after it.
        shown = message.strip()
        if not shown or len(shown) > _MOST_SIGNS or normal(shown):
            return False
        signs = self._patterns.signs
        others = frozenset[str]().union(*(other for title, other in signs.items() if title != name))
        return shown[0] in signs[name] and others.isdisjoint(shown)


def _keys(said: Spoken) -> list[str]:
    # As the lists of words are matched: each with the space behind it.
    return [f"{word.key} " for word in said.words]


def _line(words: Sequence[str]) -> str:
    return "".join(f"{word_key(word)} " for word in words)


@lru_cache(maxsize=256)  # asked for several times in a turn
def language(locale: str = ENGLISH) -> Language:
    """The language of a locale such as "en" or "de-AT"; English where there is no file for it."""
    return _language(_code(locale))


def _code(locale: str) -> str:
    known = _known()
    wanted = normal(locale[:35]).replace("_", "-")
    while wanted and wanted not in known:
        wanted = wanted.rpartition("-")[0]
    return wanted or ENGLISH


@cache
def _known() -> frozenset[str]:
    """The languages there are files for, read once."""
    return frozenset(files())


@cache
def _language(code: str) -> Language:
    return Language(code, load(code))
