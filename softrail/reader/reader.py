"""The reader: exact words, then the small model, then a language model; each only where those before are unsure."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from softrail.core.ports import Model, Prompts
from softrail.core.reading import BY_NAME, Bars, Command, Layer, Place, Reading
from softrail.language import Language, language
from softrail.reader.agreement import with_a_bare_consent, with_its_reserve, with_what_is_asked_for
from softrail.reader.asking import read_by
from softrail.reader.at_once import told_at_once
from softrail.reader.exact import exact, settled
from softrail.reader.hearing import Hearing
from softrail.reader.items import with_items
from softrail.reader.learned import Marker
from softrail.reader.long import as_all_of, beginning
from softrail.reader.moments import with_other_half
from softrail.reader.passes import by_item, read_through

log = logging.getLogger(__name__)

#: The languages that the small model was trained to read.
LEARNED: Final = frozenset({"en"})
_T = TypeVar("_T")
_Read = Callable[[Reading, Hearing], Reading]
_ANSWERS: Final = ("inform", "affirm", "negate", "correct", "none", "open")
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
        if place.begins and place.field is None:
            return await self._at_once(reading, place, words)
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
        read = await self._by(marker, partial(read_through, head, self._hearing(place, marker, words)))
        if read is not None:
            return as_all_of(read, reading.message, place)
        return reading.evolve(commands=(*reading.commands, Command(act="unclear", layer="learned")))

    async def _at_once(self, reading: Reading, place: Place, words: Language) -> Reading:
        """What the message tells of all fields, none of which has been asked for."""
        marker = self._marker()
        if marker is None or words.code not in LEARNED:
            return reading
        head = Reading(message=beginning(reading.message))
        read = await self._by(marker, partial(told_at_once, head, self._hearing(place, marker, words)))
        return as_all_of(read, reading.message, place) if read is not None else reading

    def _hearing(self, place: Place, marker: Marker, words: Language) -> Hearing:
        return Hearing(place=place, marker=marker, bars=self.bars, language=words)

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

    async def _asked(self, reading: Reading, place: Place, words: Language) -> Reading:
        model = self._model
        if model is None or self._prompts is None or model.name == "plain":
            return reading
        found = await read_by(model, reading.message, place, prompts=self._prompts, language=words)
        if not found:
            return reading
        exactly = tuple(c for c in reading.commands if c.layer == "exact")
        told = reading.evolve(commands=(*exactly, *found))
        told = await self._of_lists(by_item, told, place, words)
        return told.evolve(commands=(*told.commands, *self._besides(reading, found, place)))

    async def _of_lists(self, read: _Read, reading: Reading, place: Place, words: Language) -> Reading:
        """The reading with its lists item by item, whoever read them."""
        marker = self._marker()
        if marker is None or words.code not in LEARNED:
            return reading
        return await self._by(marker, partial(read, reading, self._hearing(place, marker, words))) or reading

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


def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="softrail-reader")
