"""The summary at the end: agreed to, or changed until it is right."""

from typing import Any

from softrail.core.reading import SETTLED
from softrail.core.reading import Reading as Said
from softrail.language import Edit, Language, enumerated, normal, without_part
from softrail.processes.definition import FieldDefinition
from softrail.processes.gathering import Gathering
from softrail.processes.keeping import joined
from softrail.processes.moves import Complete, Move, Waiting
from softrail.processes.telling import labels_of
from softrail.processes.unread import Unread

#: Words of a message that is a value of that kind and nothing else.
_BARE = {"number": 1, "date": 3, "options": 3}


class Review:
    """What a message means while everything is shown and a yes is waited for."""

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._kept = gathering.kept
        self._fields = gathering.definition.fields

    async def confirm(self, waiting: Waiting) -> Move:
        """What the message means while the summary is shown; `waiting` shows it again."""
        message, words, said = (
            self._gathering.turn.message,
            self._gathering.reading.language,
            self._gathering.said,
        )
        if said.exactly("affirm"):
            return Complete()
        if not_theirs := self._gathering.not_theirs():
            return Waiting(step=waiting.step, question=waiting.question, before=not_theirs)
        if (replaced := self._gathering.replaced()) is not None:
            wrong = self._kept.take_file(replaced)
            if wrong is not None:
                return self._gathering.ask(replaced, self._kept.reason(wrong))
            return self._gathering.close(self._kept.told_of("changed", replaced))
        if said.exactly("undo"):
            return self._gathering.take_back()
        if said.exactly("start_over"):
            return self._gathering.start_over()
        if said.exactly("back"):
            stop = self._gathering.way_back.own_before(waiting.step)
            return self._gathering.put(stop) if stop is not None else self._gathering.last()
        if said.exactly("inform", target="labelled") or said.exactly("correct", "inform", target=SETTLED):
            return await self._changed(said, waiting)
        edit = words.edit(message, self._gathering.names(lambda _: True))
        if edit is not None and (asked := self._whose_options(edit)) is not None:
            return await self._edit(edit.op, asked, edit.text, waiting)
        if edit is not None and not self._tells_more(edit):
            return await self._edit(edit.op, edit.field, edit.text, waiting)
        named = [f for f in self._fields.values() if normal(message) in {normal(n) for n in f.names}]
        if named:
            return self._gathering.to(named[0])
        if said.exactly("negate"):
            return self._which_to_change(waiting)
        if (chosen := self._chosen_otherwise(message)) is not None:
            return await self._edit("change", chosen, message, waiting)
        if said.values:
            return await self._changed(said, waiting)
        if said.exactly("none"):
            return Complete()
        count = len(message.split())
        fits = [
            f
            for f in self._fields.values()
            if count <= _BARE.get(f.reader.kind, 0) and self._fits(f, message)
        ]
        if len(fits) == 1:  # a bare value that only one answer can have
            return await self._edit("change", fits[0].name, message, waiting)
        if (agreed := said.of("affirm", "negate", "correct")) is not None:
            if agreed.act == "affirm":
                return Complete()
            meant = self._gathering.named_in(message)
            if len(meant) == 1:
                return self._gathering.to(meant[0])
            return self._which_to_change(waiting)
        return self._again(waiting, "say_yes")

    def _tells_more(self, edit: Edit) -> bool:
        """The reading says to what, or that other answers change as well: "remove the lift and make it 2 rooms"."""
        values = self._gathering.said.values
        told = {name for name, value in values.items() if value.text and name in self._fields}
        if edit.op == "add" and edit.field is None:
            return bool(told)  # "add the letter box to the damage" calls no answer, and says which it is for
        return self._gathering.says_what() and (edit.op == "change" or len(told) > 1)

    def _whose_options(self, edit: Edit) -> str | None:
        """The one answer of several options that an edit adds to or takes from, where it calls none by its name."""
        if edit.field is not None or edit.op == "change":
            return None
        found: list[str] = []
        for asked in self._fields.values():
            chosen = self._kept.options_called(asked, edit.text) if asked.reader.chooses_several else []
            there = self._gathering.state.answers.get(asked.name) or []
            if chosen and (edit.op == "add" or all(one in there for one in chosen)):
                found.append(asked.name)
        return found[0] if len(found) == 1 else None

    def _chosen_otherwise(self, message: str) -> str | None:
        """The one answer of several options that the message gives anew, by what it leaves out or by all of them: "any day but Monday"."""
        found: list[str] = []
        for asked in self._fields.values():
            chosen = self._kept.options_in(asked, message) if asked.reader.chooses_several else None
            if chosen and any(normal(one) not in normal(message) for one in labels_of(asked, chosen)):
                found.append(asked.name)
        return found[0] if len(found) == 1 else None

    def _which_to_change(self, waiting: Waiting) -> Waiting:
        label = next(iter(self._fields.values())).label
        return self._again(waiting, "what_to_change", label=label)

    def _fits(self, asked: FieldDefinition, words: str) -> bool:
        try:
            asked.reader.read(words, self._gathering.reading)
        except Unread:
            return False
        return not asked.reader.own

    async def _changed(self, said: Said, waiting: Waiting) -> Move:
        """Carry out every change that was read; the first that cannot be used is asked for when the others are kept."""
        told: list[str] = []
        anew: list[FieldDefinition] = []
        unread: tuple[FieldDefinition, str] | None = None
        for name, value in said.values.items():
            asked = self._fields.get(name)
            if asked is None:
                continue
            words = value.text or self._kept.by_how_much(asked)
            if self._gathering.is_none(value) and self._gathering.nothing_of(asked):
                told.append(self._kept.told_of("changed", asked))
                continue
            if not words:
                anew.append(asked)
                continue
            after = self._kept.before(name)
            wrong = await self._kept.capture(asked, words, after=after)
            if wrong is not None and after:
                told.append(self._kept.left_as_it_was(asked, self._kept.reason(wrong)))
            elif wrong is not None:
                unread = unread or (asked, self._kept.reason(wrong))
            else:
                told.append(self._kept.told_of("changed" if after is None else "added", asked))
        if unread is not None:
            return self._gathering.to(unread[0], joined(*told, unread[1]))
        if anew:
            return self._gathering.anew(anew, joined(*told))
        return self._gathering.close(joined(*told)) if told else self._again(waiting, "say_yes")

    def _again(self, waiting: Waiting, sentence: str, **values: str) -> Waiting:
        """The same question, without showing everything once more."""
        return Waiting(
            step=waiting.step,
            question=waiting.question,
            before=self._gathering.wording.say(sentence, **values),
        )

    async def _edit(self, op: str, name: str | None, words: str, waiting: Waiting) -> Move:
        lists = [f for f in self._fields.values() if f.reader.kind == "list"]
        asked = self._fields[name] if name is not None else None
        if asked is None:
            asked = self._holder_of(words, lists) if op == "remove" else None
            asked = asked or (lists[0] if len(lists) == 1 and op != "change" else None)
        if asked is None and op == "remove" and self._gathering.reads_it():
            return await self._changed(self._gathering.said, waiting)  # "drop the budget line, I want …"
        if asked is None:
            if op != "add":
                return self._again(waiting, "not_found")
            return self._again(
                waiting, "which_field", labels=", ".join(f.label for f in lists or self._fields.values())
            )
        if op != "remove" and not words.strip():
            return self._gathering.to(asked)
        if op == "remove":
            return await self._remove(asked, words, waiting)
        kept = (
            self._gathering.state.answers.get(asked.name)
            if op == "add" and asked.reader.kind == "list"
            else None
        )
        wrong = await self._kept.capture(asked, self._by_item(asked, words), after=kept)
        if wrong is not None and kept:
            return self._gathering.close(self._kept.left_as_it_was(asked, self._kept.reason(wrong)))
        if wrong is not None:
            return self._gathering.ask(asked, self._kept.reason(wrong))
        return self._gathering.close(self._kept.told_of("added" if op == "add" else "changed", asked))

    def _by_item(self, asked: FieldDefinition, words: str) -> str:
        """The words with each item of a list on a line of its own, where the reader has told them apart."""
        told = self._gathering.said.values.get(asked.name)
        if told is None or "\n" not in told.text:
            return words
        return told.text if {*normal(told.text).split()} <= {*normal(words).split()} else words

    async def _remove(self, asked: FieldDefinition, words: str, waiting: Waiting) -> Move:
        value = self._gathering.state.answers.get(asked.name)
        if not isinstance(value, list) or not words.strip():
            if not asked.skippable:
                return self._gathering.to(asked, self._gathering.wording.say("cannot_skip"))
            self._kept.keep(asked, skipped=True)
            return self._gathering.close(self._kept.told_of("removed", asked))
        if asked.reader.chooses_several:
            return self._without_options(asked, value, words, waiting)
        at = place_of_item(value, words)
        if at is None and not words.isdecimal() and self._gathering.reads_it():
            return await self._changed(
                self._gathering.said, waiting
            )  # "drop the blocker", "the ham, I ate it"
        if at is None:
            return self._again(waiting, "not_found")
        rest = value[:at] + value[at + 1 :]
        language = self._gathering.reading.language
        if left := _without(str(value[at]), words, language):
            rest.insert(at, left)
        elif _is_small_part(words, str(value[at])) and len(enumerated(str(value[at]), language)) > 1:
            # What else it holds is not lost for a word in it.
            told = {"item": str(value[at]), "n": str(at + 1), "label": asked.label}
            return self._again(waiting, "holds_more", **told)
        return self._left(asked, rest, words, waiting)

    def _without_options(
        self, asked: FieldDefinition, value: list[Any], words: str, waiting: Waiting
    ) -> Move:
        """Without the options that the words call, by their place in the list as well."""
        labels = labels_of(asked, value)
        by_its_place = words.isdecimal() and words not in labels
        out = self._kept.options_in(asked, words) if not by_its_place else None
        at = place_of_item(labels, words) if out is None else None
        rest = [one for n, one in enumerate(value) if n != at and one not in (out or ())]
        if len(rest) == len(value):
            return self._again(waiting, "not_found")
        return self._left(asked, rest, words, waiting)

    def _left(self, asked: FieldDefinition, rest: list[Any], words: str, waiting: Waiting) -> Move:
        """Keep what is left of a list, or say why it cannot be."""
        wrong = self._kept.wrong(asked, rest)
        if wrong is not None:
            self._kept.refuse(asked.name, wrong.sentence, self._kept.reason(wrong), words)
            return self._again(waiting, wrong.sentence, **wrong.values)
        self._kept.keep(asked, rest, said=words)
        return self._gathering.close(self._kept.told_of("removed", asked))

    def _holder_of(self, words: str, lists: list[FieldDefinition]) -> FieldDefinition | None:
        found = [
            f
            for f in lists
            if not normal(words).isdecimal() and place_of_item(self._items_of(f), words) is not None
        ]
        return found[0] if len(found) == 1 else None

    def _items_of(self, asked: FieldDefinition) -> list[Any]:
        """The items of a list, as the person knows them."""
        items = self._gathering.state.answers.get(asked.name) or []
        return labels_of(asked, items) if asked.reader.chooses_several else items


def _is_small_part(words: str, item: str) -> bool:
    """The words call an item by less than half of its own."""
    said = normal(words)
    return said in normal(item) and not said.isdecimal() and 2 * len(said.split()) < len(item.split())


def _without(item: str, words: str, language: Language) -> str:
    """The item without the one of several things it names that the words mean; "" where that is not clear."""
    parts = enumerated(item, language)
    by_its_place = normal(words).isdecimal() or normal(words) == "last"
    at = place_of_item(parts, words) if len(parts) > 1 and not by_its_place else None
    if at is None or _is_small_part(words, parts[at]):
        return ""
    return without_part(item, at, language)


def place_of_item(values: list[Any], words: str) -> int | None:
    """Where in a list the item is that the words mean: by number, "last", or a part of its text."""
    said = normal(words)
    if said.isdecimal() and len(said) < 6:
        return int(said) - 1 if 0 < int(said) <= len(values) else None
    if said == "last" and values:
        return len(values) - 1
    texts = [normal(str(v)) for v in values]
    found = [i for i, t in enumerate(texts) if t == said] or [i for i, t in enumerate(texts) if said in t]
    return found[0] if len(found) == 1 and said else None
