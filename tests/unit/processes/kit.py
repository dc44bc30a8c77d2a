"""What the tests of processes share: prompts without files, and a talk with one process."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from softrail.core.instances import Instance, State
from softrail.core.people import Person
from softrail.core.ports import Model, PromptText, Reader
from softrail.core.reading import Place
from softrail.core.turns import Turn
from softrail.language import language
from softrail.processes import Conductor, Definition, Played, Process, define
from softrail.reader.changes.of_lists import with_changed_lists
from softrail.reader.exact import exact, settled
from softrail.reader.learned import Marker
from softrail.reader.marking import marked
from tests.readers import hearing

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ANN = Person(id="p1", email="ann@example.com")


class Texts:
    """Prompts that know the texts they were given; every other sentence is its default."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._texts = dict(texts or {})

    def get(self, name: str) -> PromptText | None:
        text = self._texts.get(name)
        return PromptText(name=name, version=1, text=text, sha256="0" * 64) if text is not None else None

    def render(self, name: str, default: str | None = None, /, **values: str) -> str:
        text = self._texts.get(name, default)
        assert text is not None, name
        wanted = set(re.findall(r"\{(\w+)\}", text))
        assert wanted == values.keys(), f"{name} wants {wanted}, was given {set(values)}"
        return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], text)


class Talk:
    """One person with one process: what the registry would do with what the conductor returns."""

    def __init__(
        self,
        process: type[Process],
        *,
        services: Mapping[type, object] | None = None,
        prompts: Texts | None = None,
        limit: timedelta = timedelta(seconds=5),
        person: Person = ANN,
        marker: Marker | None = None,
        reader: Reader | None = None,
        model: Model | None = None,
    ) -> None:
        self.marker = marker
        self.conductor = Conductor(
            prompts=prompts or Texts(), services=services, limit=limit, reader=reader, model=model
        )
        self.definition: Definition = define(process, services=services)
        self.person = person
        self.at = MONDAY
        self.seq = 1
        self.instance = Instance(
            id="i1", person_id=person.id, session_id="s1", process=self.definition.name, version=1
        )

    def turn(self, message: str, **more: Any) -> Turn:
        self.seq += 2
        return Turn(
            id=f"t{self.seq}",
            session_id="s1",
            seq=self.seq,
            person=self.person,
            message=message,
            at=self.at,
            **more,
        )

    def keep(self, played: Played) -> Played:
        if played.release is not None:
            self.instance = self.instance.evolve(data=played.data)
            return played
        self.instance = self.instance.evolve(
            step=played.step,
            data=played.data,
            question=played.question,
            state=State.ACTIVE,
            handled_at=self.at,
        )
        return played

    async def start(self, message: str = "let's go", prefill: Mapping[str, Any] | None = None) -> Played:
        return self.keep(await self.conductor.start(self.definition, self.turn(message), prefill=prefill))

    async def say(self, message: str, **more: Any) -> Played:
        turn = self.turn(message, **more)
        place = self.conductor.placed(
            self.definition, self.instance, turn, Place(question=self.instance.question)
        )
        words = language(self.person.locale)
        reading = exact(message, place, words)
        if self.marker is not None and not settled(reading, place):
            reading = marked(reading, hearing(place, self.marker))
            reading = with_changed_lists(reading, hearing(place, self.marker))
        turn = replace(turn, reading=reading)
        return self.keep(await self.conductor.answer(self.definition, self.instance, turn))

    async def resume(self, *, after: timedelta = timedelta()) -> Played:
        self.at += after
        return self.keep(await self.conductor.resume(self.definition, self.instance, self.turn("resume")))
