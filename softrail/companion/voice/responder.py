"""The words of a free turn in the companion's voice: from a language model, or from texts alone."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final

from softrail import Clarify, Intent, Model, Prompts, RouteResult, Turn
from softrail.companion import catalogue
from softrail.companion.catalogue import starting_phrase
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wishes import names_notes, numbers_named, speaks_of_notes, takes_away
from softrail.companion.voice import plain_words, telling
from softrail.companion.voice.claims import unproved
from softrail.companion.voice.newcomer import NEEDS_ONE, begin_with_it
from softrail.companion.voice.outlet import Outlet
from softrail.companion.voice.persona import Voice
from softrail.companion.voice.requests import Requests
from softrail.plugin import (
    GENERAL,
    GREETING,
    HELP,
    ModelAnswer,
    ModelUnavailable,
    PlainModel,
    Responder,
    Words,
    language,
    wishes_in,
)

NO_MODEL: Final = "plain"
_MOST_PHRASES: Final = 5
_FEWEST: Final = 2  #: words of what may be a note
_LONGEST: Final = 300  #: characters of it

Show = Callable[[str], None]


class CompanionResponder:
    """Answers as the companion. Implements the `Responder` promise.

    `plain` says what no text of ours is for: greetings, and intents of other plugins when there is no model.
    """

    def __init__(
        self,
        prompts: Prompts,
        requests: Requests,
        plain: Responder,
        *,
        companion_name: str,
    ) -> None:
        self._prompts = prompts
        self._requests = requests
        self._plain = plain
        self._name = companion_name

    async def respond(
        self,
        turn: Turn,
        intent: Intent,
        data: Mapping[str, Any],
        *,
        model: Model,
        show: Show | None = None,
    ) -> Words:
        """The words for what was found or done; `show` is told them as they come."""
        if model.name == NO_MODEL:
            return await self._without_model(turn, intent, data, model)
        voice, outlet = Voice(self._prompts), Outlet()
        asked = await self._requests.make(voice, turn, intent, data)
        try:
            complete = await self._hear(asked.pieces(model, streamed=show is not None), outlet, show)
        except ModelUnavailable as error:
            if not outlet.text:
                return await self._fallback(turn, intent, data, error)
            complete = False
        _let(outlet.end(), show)
        if not outlet.text and asked.proposal.question is None:
            return await self._fallback(turn, intent, data, None)
        text = outlet.text
        done = _texts(data.get("done"))
        marks = [] if complete else [voice.text("companion/cut_off")]
        if not complete and (plainly := await self._in_short(turn, intent, data)):
            marks.append(plainly)  # half an answer hides nothing that was found
        if unproved(text, done):
            marks.append(
                voice.text("companion/only_done", done="; ".join(done))
                if done
                else voice.text("companion/nothing_done")
            )
        for mark in marks:
            _let(f"\n\n{mark}", show)
            text += f"\n\n{mark}"
        return Words(text=text, prompts=voice.refs, asks=asked.proposal.question)

    async def polish(self, text: str, *, turn: Turn, model: Model) -> Words:
        """`text` said better by a model; as it is when there is none or it fails."""
        return await self._plain.polish(text, turn=turn, model=model)

    # -- with a model

    async def _hear(
        self, pieces: AsyncGenerator[str | ModelAnswer], outlet: Outlet, show: Show | None
    ) -> bool:
        """Let the answer out; whether it came to its end."""
        complete = False
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, ModelAnswer):
                    complete = piece.complete
                else:
                    _let(outlet.take(piece), show)
        return complete

    async def _fallback(
        self, turn: Turn, intent: Intent, data: Mapping[str, Any], error: ModelUnavailable | None
    ) -> Words:
        """What is said without a model, and why there is no more."""
        voice = Voice(self._prompts)
        parts: list[str] = []
        suggested: Sequence[str] = ()
        complete = True
        for wish, found, message in wishes_in(turn.message, intent, data):
            heard = replace(turn, message=message)
            talk = catalogue.is_free(wish.name) and not _needs_a_word(message)
            complete = complete and not talk and _complete(wish.name)
            if talk:
                parts += (
                    [voice.text("responder/done", done="; ".join(d))]
                    if (d := _texts(found.get("done")))
                    else []
                )
                continue
            words = await self._without_model(heard, wish, found, PlainModel())
            parts.append(words.text)
            suggested = suggested or words.suggested_actions
        if not complete:
            parts.append(voice.trouble(error, answered=bool(parts)))
        if not complete and len(parts) == 1:
            new = await self._requests.none_yet(turn)
            known = _texts(data.get("can"))[:_MOST_PHRASES]
            suggested = suggested or ([starting_phrase(), *known] if new else known)
            can = ", ".join(f"“{phrase}”" for phrase in suggested)
            hints = voice.text("responder/can", phrases=can) if can else ""
            parts.append(voice.text("replies/meanwhile", can=hints).rstrip())
        return Words(
            text="\n\n".join(parts), prompts=voice.refs, suggested_actions=tuple(suggested), fallback=True
        )

    async def _in_short(self, turn: Turn, intent: Intent, data: Mapping[str, Any]) -> str:
        """What was found and done, in the words there are without a model; "" for mere talk."""
        told = [
            (await self._without_model(replace(turn, message=message), wish, found, PlainModel())).text
            for wish, found, message in wishes_in(turn.message, intent, data)
            if not catalogue.is_free(wish.name) and not _complete(wish.name)
        ]
        return "\n\n".join(told)

    # -- without

    async def _without_model(
        self, turn: Turn, intent: Intent, data: Mapping[str, Any], model: Model
    ) -> Words:
        voice = Voice(self._prompts)
        can = _texts(data.get("can"))[:_MOST_PHRASES]
        text = plain_words.reply(voice, intent.name, data)
        kind = catalogue.kind_of(intent.name)
        if text is None and not kind and intent.name == GENERAL and (reply := _courtesy(turn.message)):
            return Words(text=voice.text(f"replies/{reply}"), prompts=voice.refs)
        new = (intent.name == HELP or catalogue.is_talk(intent.name)) and await self._requests.none_yet(turn)
        if intent.name == HELP:
            text = telling.card(voice, data.get("card") or (), later=NEEDS_ONE if new else ())
        elif kind:
            text = voice.text(telling.varied(self._prompts, f"replies/{kind}", turn))
        if new and catalogue.is_talk(intent.name) and (own := _texts(data.get("own"))[:_MOST_PHRASES]):
            return self._in_an_application(voice, text, own, None if kind else data.get("nearest"))
        if new and catalogue.is_talk(intent.name):
            near = None if kind else data.get("nearest")
            plainly = RouteResult(
                text=text or voice.text(telling.varied(self._prompts, "replies/newcomer", turn)),
                suggested_actions=[starting_phrase()],
            )
            return Words(text="", prompts=voice.refs, asks=begin_with_it(self._prompts, near or plainly))
        talk = text is None and intent.name == GENERAL
        asks = phrases().asks(turn.message)
        # What is told comes first: "no 3 people sit there" speaks of no note.
        if talk and not asks and (offered := await self._to_keep(voice, turn, intent, data)):
            return offered
        if talk:
            text = _of_notes(voice, turn.message)
        if talk and asks and text is None and (offered := await self._to_keep(voice, turn, intent, data)):
            return offered
        if text is None and intent.name == GENERAL:
            asks_who = phrases().notes.asks_who(turn.message)
            if not asks_who and not data.get("done") and (nearest := data.get("nearest")) is not None:
                return Words(text="", asks=nearest, suggested_actions=can)
            quoted = ", ".join(f"“{phrase}”" for phrase in can)
            hints = voice.text("responder/can", phrases=quoted) if can else ""
            if asks_who:
                name = turn.person.companion_name or self._name
                text = voice.text("replies/introduction", name=name, can=hints).rstrip()
            else:
                chosen = telling.varied(self._prompts, "replies/general_conversation", turn)
                text = voice.fitting(chosen, {"can": hints}).rstrip()
            if done := _texts(data.get("done")):
                text = f"{voice.text('responder/done', done='; '.join(done))} {text}"
            return Words(text=text, prompts=voice.refs, suggested_actions=can)
        if text is None:
            return await self._plain.respond(turn, intent, data, model=model)
        return Words(text=text, prompts=voice.refs)

    def _in_an_application(
        self, voice: Voice, text: str | None, own: Sequence[str], near: Clarify | None
    ) -> Words:
        """What somebody hears who has no project, and came for the processes of an application's own."""
        if near is not None:
            return Words(text="", asks=near, suggested_actions=own)
        quoted = ", ".join(f"“{phrase}”" for phrase in own)
        hints = {"can": voice.text("responder/can", phrases=quoted)}
        said = text or voice.fitting("replies/newcomer_here", hints)
        return Words(text=said, prompts=voice.refs, suggested_actions=own)

    async def _to_keep(
        self, voice: Voice, turn: Turn, intent: Intent, data: Mapping[str, Any]
    ) -> Words | None:
        """The offer to keep as a note what nobody knew what to do with; None where it is no note, or has no place."""
        beside = language(turn.person.locale).told_beside(turn.message)
        told = intent.parameters.get("offers") or (beside.text if beside is not None else turn.message)
        said = " ".join(str(told).split())
        alone = data.get("may_ask", True) and not data.get("done")
        fits = alone and len(said.split()) >= _FEWEST and len(said) <= _LONGEST
        if not fits or phrases().notes.asks_who(said) or speaks_of_notes(said):
            return None
        project = await self._requests.may_note_in(turn)
        if project is None:
            return None
        name = "replies/keep_question" if phrases().asks(said) else "replies/keep_that"
        text = voice.text(telling.varied(self._prompts, name, turn), project=project.name, text=said)
        return Words(text=text, prompts=voice.refs, suggested_actions=(telling.to_note(said),))


def _complete(intent: str) -> bool:
    """What there is to say without a model is all there is to say."""
    return intent in (GENERAL, GREETING, HELP) or catalogue.is_courtesy(intent)


def _needs_a_word(message: str) -> bool:
    """It can be answered well without a model: who this is, thanks, and the like."""
    return bool(_courtesy(message)) or phrases().notes.asks_who(message)


def _courtesy(message: str) -> str:
    """The reply to a message that only needs a word: thanks, a wave of the hand, what is done elsewhere."""
    if phrases().thanks(message):
        return "thanks"
    if phrases().notes.lets_go(message):
        return "let_go"
    if phrases().notes.manages_members(message):
        return "manage_members"
    return "withdraw_what" if takes_away(message) else ""


def _of_notes(voice: Voice, message: str) -> str | None:
    """What can be done with notes, where the message speaks of them and of nothing that is done here."""
    if numbers := phrases().note_numbers(message) or numbers_named(message):
        return voice.text("replies/note_what", number=str(numbers[0]))
    return voice.text("replies/notes_what") if names_notes(message) else None


def _let(piece: str, show: Show | None) -> None:
    if piece and show is not None:
        show(piece)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(v) for v in value) if isinstance(value, Sequence) else ()
