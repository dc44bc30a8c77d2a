"""The reader: exact words, then the small model, then a language model; each only where those before are unsure."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from softrail.core.ports import Model, Prompts
from softrail.core.reading import APART, BY_NAME, Act, Bars, Command, Layer, Place, Reading, Value
from softrail.language import Language, choose, items, language, normal
from softrail.reader.agreement import with_a_bare_consent, with_its_reserve, with_what_is_asked_for
from softrail.reader.approvals import with_a_plain_yes, without_approval
from softrail.reader.asking import read_by
from softrail.reader.behind import (
    with_an_answer_of_its_own,
    with_none_before_a_question,
    with_what_is_behind,
)
from softrail.reader.beside_words import with_what_is_of_it
from softrail.reader.by_clause import told_apart
from softrail.reader.called import with_the_one_it_calls
from softrail.reader.changes.added import with_what_is_added
from softrail.reader.changes.among import with_rearranged
from softrail.reader.changes.as_it_was import with_what_was
from softrail.reader.changes.at_odds import settled_odds
from softrail.reader.changes.behind_a_no import asked_behind_a_no, without_denied
from softrail.reader.changes.by_how_much import by_how_much
from softrail.reader.changes.deeds import with_deeds
from softrail.reader.changes.instead import instead
from softrail.reader.changes.numbers import other_number
from softrail.reader.changes.of_lists import with_changed_lists
from softrail.reader.changes.parts import tells_something
from softrail.reader.changes.put_right import with_what_is_right
from softrail.reader.changes.taken_back import mistaken, with_called_wrong, with_stated, with_unsaid
from softrail.reader.changes.which_day import with_the_day_it_can_be
from softrail.reader.closed import with_what_is_meant
from softrail.reader.counted import with_what_it_comes_to
from softrail.reader.each_clause import with_each_clause
from softrail.reader.exact import exact, settled
from softrail.reader.fields import WORD, is_named
from softrail.reader.items import with_items
from softrail.reader.items_again import with_items_put_right
from softrail.reader.just_before import put_right_now
from softrail.reader.last_word import with_its_words, with_the_last_word
from softrail.reader.lasting import lasting, until_it_is_over
from softrail.reader.learned import Marker
from softrail.reader.long import as_all_of, beginning
from softrail.reader.marking import marked
from softrail.reader.meant_for import with_each_for_its_own, with_sensible_offers
from softrail.reader.moments import with_other_half
from softrail.reader.named import without_bare_names
from softrail.reader.ranges import Parted, parted, without
from softrail.reader.repairs import with_repairs
from softrail.reader.spans import spanned
from softrail.reader.told_elsewhere import with_what_is_for_others

log = logging.getLogger(__name__)

#: The languages that the small model was trained to read.
LEARNED: Final = frozenset({"en"})
_T = TypeVar("_T")
_Read = Callable[[Reading, Place, Marker, Language], Reading]
_ANSWERS: Final = ("inform", "affirm", "negate", "correct", "none", "open")
_ENDED: Final = re.compile(r"[.;!]\s*$")
_NOTHING: Final[tuple[Command, ...]] = ()
_INSTEAD: Final = ("hold", "ask", "repeat", "request", "human", "social", "pause", "leave")


class LayeredReader:
    """Reads a message in its place, layer by layer; a layer that fails or hangs is passed over."""

    def __init__(
        self,
        marker: Callable[[], Marker | None] = lambda: None,
        *,
        model: Model | None = None,
        prompts: Prompts | None = None,
        furthest: Layer = "model",
        bars: Bars | None = None,
        limit: float = 2.0,
    ) -> None:
        self._marker = marker
        self._model = model
        self._prompts = prompts
        self._furthest = furthest
        self.bars = bars or Bars()
        self._limit = limit
        # One thread of its own: the event loop goes on, and a burst of readings takes one core, not all.
        self._thread = _thread()
        self._turnstile = asyncio.Lock()
        self._loaded = False

    async def read(self, message: str, place: Place, *, locale: str) -> Reading:
        """One reading; never raises for any text."""
        words = language(locale)
        reading = exact(message, place, words)
        layers = (place.reads, self._furthest)
        if place.question is None or settled(reading, place) or not message.strip():
            reading = with_other_half(reading, place, self.bars)
            listed = place.wanted == "list" or any(c.target in BY_NAME for c in reading.commands)
            if "exact" in layers or not listed or not any(c.values for c in reading.commands):
                return reading
            return await self._of_lists(with_items, reading, place, words)
        if "exact" in layers:
            return reading
        if words.code in LEARNED:
            reading = await self._learned(reading, place, words)
            reading = with_its_reserve(reading, place, self.bars, words)
            reading = with_what_is_asked_for(reading, place, self.bars)
            reading = with_a_bare_consent(reading, place, self.bars)
        if "learned" in layers or place.offer or not (self._unsure(reading) or self._lacks(reading, place)):
            return reading
        return await self._asked(reading, place, words)

    async def warm(self) -> None:
        """Have the small model loaded, which takes longer than a reading may."""
        marker = self._marker()
        if marker is not None and self._furthest != "exact":
            async with self._turnstile:
                await self._load(marker)

    async def _load(self, marker: Marker) -> None:
        """Load what is loaded once; the limit of a reading does not count for it."""
        if not self._loaded:
            await asyncio.get_running_loop().run_in_executor(self._thread, marker.mark, "", [""])
            self._loaded = True

    async def _learned(self, reading: Reading, place: Place, words: Language) -> Reading:
        marker = self._marker()
        if marker is None:
            return reading
        head = reading.evolve(message=beginning(reading.message))
        read = await self._by(marker, partial(self._by_both, head, place, marker, words))
        if read is not None:
            return as_all_of(read, reading.message, place)
        return reading.evolve(commands=(*reading.commands, Command(act="unclear", layer="learned")))

    async def _by(self, marker: Marker, read: Callable[[], Reading]) -> Reading | None:
        """What the thread reads with the marker; None where it cannot."""
        try:
            if not self._loaded:
                async with self._turnstile:
                    await self._load(marker)
            return await self._in_thread(read)
        except TimeoutError:
            log.error(
                "The learned layer hung for %s s on a message; it is asked what was meant.", self._limit
            )
        except Exception:
            log.exception("The learned layer could not read a message; it is asked what was meant.")
        return None

    async def _in_thread(self, read: Callable[[], _T]) -> _T:
        """What the thread reads, after all that was given to it before. Raises TimeoutError where it hangs at this.

        Those that wait stand in the thread's own line: it goes from one to the next without the event loop, which is busy
        where there are many.
        """
        began: list[float] = []

        def reading() -> _T:
            began.append(time.monotonic())
            return read()

        while True:
            thread = self._thread
            job = asyncio.wrap_future(thread.submit(reading))
            try:
                await self._ended(job, began, thread)
            finally:
                job.cancel()  # nobody wants it any more, where it is not done
            if not job.cancelled():
                return job.result()

    async def _ended(
        self, job: "asyncio.Future[_T]", began: Sequence[float], thread: ThreadPoolExecutor
    ) -> None:
        """Wait for a reading; the limit counts the reading itself, not the wait behind others."""
        left = self._limit
        while not job.done():
            await asyncio.wait({job}, timeout=left)
            left = self._limit - (time.monotonic() - began[0] if began else 0.0)
            if left <= 0 and not job.done():
                self._leave(thread)
                raise TimeoutError

    def _leave(self, thread: ThreadPoolExecutor) -> None:
        """The hung thread is left behind: another one reads on, with what waited for it."""
        thread.shutdown(wait=False, cancel_futures=True)
        self._thread = _thread()

    def _by_both(self, reading: Reading, place: Place, marker: Marker, words: Language) -> Reading:
        """The message as it is read for values, and then beside what closed questions offer."""
        last = with_the_last_word(reading.message, place, words)
        if last != reading.message:
            read = self._by_both(reading.evolve(message=last), place, marker, words)
            return with_its_words(read, place, last).evolve(message=reading.message)
        read = self._whole(reading, place, marker, words)
        read = without_denied(with_what_is_meant(read, place, marker, self.bars, words), place, words)
        read = with_each_for_its_own(read, place, words)
        read = with_what_it_comes_to(read, place, marker, self.bars, words)
        read = without_bare_names(read, place, words)
        read = with_called_wrong(read, place, self.bars, words)
        read = with_stated(read, place, self.bars, words)
        read = with_unsaid(read, place, self.bars, words)
        read = with_the_one_it_calls(read, place, marker, self.bars, words)
        read = with_what_is_behind(read, place, partial(self._alone, place, marker, words), self.bars, words)
        read = with_none_before_a_question(read, place, words)
        own = partial(self._exactly, place=place, words=words)
        read = with_an_answer_of_its_own(read, place, own, self.bars, words)
        read = self._by_item(read, place, marker, words)
        read = with_items_put_right(
            read, place, partial(self._items, place, marker, words), marker, self.bars, words
        )
        read = with_what_is_right(read, place, marker, self.bars, words)
        read = with_what_is_added(read, place, words)
        read = with_repairs(read, place, self.bars, words)
        read = with_a_plain_yes(without_approval(read, place, self.bars, words), place)
        read = with_deeds(read, place, self.bars, words)
        read = with_rearranged(read, place, self.bars, words)
        read = with_what_is_for_others(read, place, marker, self.bars, words)
        read = with_what_is_of_it(read, place, marker, self.bars, words)
        read = with_the_day_it_can_be(read, place, words)
        read = with_sensible_offers(read, place, self.bars, words)
        alone = partial(self._clause, place, marker, words)
        return with_each_clause(read, place, alone, marker, self.bars, words)

    def _clause(self, place: Place, marker: Marker, words: Language, message: str) -> Reading:
        """Those words as the whole message they would be; a yes with more behind it agrees to nothing that is shown."""
        said, rest = words.consent_and_more(message)
        if place.wanted == "confirm" and said == "yes" and tells_something(rest, words):
            message = rest
        read = exact(message, place, words)
        return read if settled(read, place) else self._by_both(read, place, marker, words)

    def _whole(self, reading: Reading, place: Place, marker: Marker, words: Language) -> Reading:
        """The message read, after the values that stand in pairs and the clauses of other answers are taken out of it."""
        if (both := self._agreed_besides(reading, place, marker, words)) is not None:
            return both
        message, told, left = reading.message, _NOTHING, place
        while (change := self._change(message, left, marker, words)) is not None:
            message, told, left = change.message, (*told, *change.told), without(left, change.fields)
        changes = bool(told)
        for part in (lasting, until_it_is_over, spanned):
            if (one := part(message, left, words)) is not None:
                message, told, left = one.message, (*told, *one.told), without(left, one.fields)
        while (two := parted(message, left, marker, words)) is not None and two.message != message:
            message, told, left = two.message, (*told, *two.told), without(left, two.fields)
        if (two := told_apart(message, left, words)) is not None:
            message, told, left = two.message, (*told, *two.told), without(left, two.fields)
        read = reading.evolve(message=message)
        if changes and message and (said := self._exactly(message, left, words)):
            read = read.evolve(commands=(*read.commands, *said))
        elif changes and message and words.consent(message) == "no" and _goes_on(message, reading.message):
            message = ""  # "no, not Porto, Faro": it is the change that is denied so
        elif WORD.search(message) or words.consent(message) in ("yes", "no"):  # "k" is no answer of words
            read = self._marked(read, left, marker, words)
        if changes:
            called = {field.name for field in left.fields() if is_named(field, message)}
            waits = read.likely("hold") >= self.bars.other  # "hold on, I said 32 but it's 23"
            kept = tuple(
                c
                for c in read.commands
                if self._counts_beside_a_change(c, told, called) and not (waits and c.act == "inform")
            )
            read = read.evolve(commands=kept, maybe=())
        read = read.evolve(message=reading.message, commands=(*read.commands, *told))
        return with_what_was(read, place, words)

    def _change(self, message: str, place: Place, marker: Marker, words: Language) -> Parted | None:
        if (found := put_right_now(message, place, words)) is not None:
            return found
        for change in (instead, other_number, by_how_much):
            if (found := change(message, place, marker, self.bars, words)) is not None:
                return found
        return None

    def _agreed_besides(
        self, reading: Reading, place: Place, marker: Marker, words: Language
    ) -> Reading | None:
        """A yes or no with a change behind it: "yes please. And it's 30 copies"; None where it is not surely both."""
        if place.wanted != "bool" or place.own or place.offer or place.asks_back:
            return None
        said, rest = words.consent_and_more(reading.message)
        head = reading.message[: len(reading.message.rstrip()) - len(rest)]
        if said not in ("yes", "no") or (said == "no" and not _ENDED.search(head)):
            return None  # "no, it's 30" denies the other answer
        read = self._whole(Reading(message=rest), place, marker, words)
        changed = [replace(c, target=APART) for c in read.commands if c.act == "correct" and c.values]
        sure = all(self.bars.is_sure(value) for command in changed for value in command.values)
        if not changed or not sure or read.likely("affirm", "negate") >= self.bars.doubt:
            return None
        act: Act = "affirm" if said == "yes" else "negate"
        return reading.evolve(commands=(*reading.commands, Command(act=act, layer="learned"), *changed))

    def _alone(self, place: Place, marker: Marker, words: Language, message: str) -> Reading:
        """Those words as they would be read if they were all that is said."""
        return self._marked(Reading(message=message), place, marker, words)

    def _items(self, place: Place, marker: Marker, words: Language, message: str) -> Sequence[str]:
        """The items of a list of which those words would be all; none where they are hardly one."""
        read = with_items(self._alone(place, marker, words, message.strip(" ,;.")), place, marker, words)
        given = read.of("inform", target="")
        if given is None or not given.values or given.confidence < self.bars.inform:
            return ()
        return items(given.values[0].text, words)

    def _exactly(self, rest: str, place: Place, words: Language) -> Sequence[Command]:
        """The answer that the rest of a message is in certain words: "10:30", with "and Sunday instead of Saturday"."""
        options = place.question.options if place.question is not None and place.wanted == "choice" else ()
        if (option := choose(rest, options, language=words, alone=True)) is not None:
            value = Value(field=place.field or "", text=option.means)
            return [Command(act="inform", values=(value,))]
        found = exact(rest, place, words).commands
        return [replace(c, target="") for c in found if c.act == "inform" and c.target == "whole"]

    def _counts_beside_a_change(
        self, command: Command, told: Sequence[Command], called: Collection[str]
    ) -> bool:
        """Who says what is wrong, and what is right, hardly wants to leave with the rest, or to take back more.

        An answer that the rest has `called` by its name may be changed, too: "and make the budget 45".
        """
        if command.layer == "exact":
            return True
        bar = self.bars.leave if command.act in ("pause", "leave") else self.bars.other
        if command.act == "correct":
            new = {normal(word) for c in told for value in c.values for word in WORD.findall(value.text)}
            words = {normal(word) for value in command.values for word in WORD.findall(value.text)}
            named = bool(command.values) and all(value.field in called for value in command.values)
            return bool(words - new) and command.confidence >= (
                self.bars.changed if named else self.bars.sure
            )
        return command.confidence >= bar

    def _marked(self, reading: Reading, place: Place, marker: Marker, words: Language) -> Reading:
        if (read := mistaken(reading, place, words)) is not None:
            return read
        read = marked(reading, place, marker, self.bars, words)
        read = asked_behind_a_no(settled_odds(read, place, self.bars, words), place, words)
        return with_other_half(read, place, self.bars)

    async def _asked(self, reading: Reading, place: Place, words: Language) -> Reading:
        model = self._model
        if model is None or self._prompts is None or model.name == "plain":
            return reading
        found = await read_by(model, reading.message, place, prompts=self._prompts, language=words)
        if not found:
            return reading
        exactly = tuple(c for c in reading.commands if c.layer == "exact")
        told = reading.evolve(commands=(*exactly, *found))
        told = await self._of_lists(self._by_item, told, place, words)
        return told.evolve(commands=(*told.commands, *self._besides(reading, found, place)))

    async def _of_lists(self, read: _Read, reading: Reading, place: Place, words: Language) -> Reading:
        """The reading with its lists item by item, whoever read them."""
        marker = self._marker()
        if marker is None or words.code not in LEARNED:
            return reading
        return await self._by(marker, partial(read, reading, place, marker, words)) or reading

    def _by_item(self, reading: Reading, place: Place, marker: Marker, words: Language) -> Reading:
        """The lists that are told as their items, and what becomes of those that were told before."""
        read = with_items(reading, place, marker, words)
        return with_changed_lists(read, place, marker, self.bars, words)

    def _besides(self, reading: Reading, found: Sequence[Command], place: Place) -> Sequence[Command]:
        """Values of the small model for fields that the language model says nothing of, where fields are wanted."""
        told = {value.field for command in found for value in command.values}
        return [
            replace(command, act="inform", values=kept)
            for command in reading.commands
            if place.wants and command.layer == "learned" and command.confidence >= self.bars.inform
            if (kept := tuple(v for v in command.values if v.field and v.field not in told))
        ]

    def _lacks(self, reading: Reading, place: Place) -> bool:
        """A field that needs a value has none that is likely, and the message does not clearly do something else."""
        if not place.wants or reading.likely(*_INSTEAD) >= self.bars.sure > reading.likely(*_ANSWERS):
            return False
        sure = {v.field for c in reading.commands if c.confidence >= self.bars.inform for v in c.values}
        return not sure.issuperset(place.wants)

    def _unsure(self, reading: Reading) -> bool:
        """Nothing is clear, or an answer and something else are."""
        answers, instead = reading.likely(*_ANSWERS), reading.likely(*_INSTEAD)
        return max(answers, instead) < self.bars.sure or min(answers, instead) >= self.bars.doubt


def _goes_on(head: str, message: str) -> bool:
    """What is said behind it belongs to it: no sentence ends there, and nothing is added."""
    return re.match(rf"\s*{re.escape(head)}\s*(?:,|\s(?!and\b|but\b|also\b|oh\b))", message) is not None


def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="softrail-reader")
