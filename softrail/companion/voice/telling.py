"""What the companion tells about itself and this place, and what it declines. Nothing here changes anything.

Each kind of talk has replies of its own, `replies/KIND.v1.txt` and, for variety, `replies/KIND_2.v1.txt` and so on; which
one is said follows from the place of the turn in its session.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from softrail import Intent, IntentDefinition, Prompts, RouteResult, Turn
from softrail.companion.catalogue import (
    LEFT_OFF,
    MANAGE_MEMBERS,
    NOTES,
    OTHER_LANGUAGE,
    PRIVACY,
    PROCESS_LENGTH,
    PROCESS_USE,
    is_courtesy,
    is_free,
    kind_of,
    telling,
)
from softrail.companion.understanding.wishes import takes_away
from softrail.companion.voice.persona import Voice
from softrail.plugin import HELP, HUMAN, Holder, Intents

#: What they are called where a person chooses between readings, and what to say for them.
_KNOWN: Final[Mapping[str, tuple[str, str]]] = {
    HELP: ("See what is possible here", ""),
    "privacy": ("Know who can see what you tell", "who is able to read my notes"),
    "export_my_data": ("Get a copy of your data", "give me a copy of all my data"),
    "delete_my_data": ("Have your data deleted", "close my account"),
    "settings": ("Change settings", "where are the settings"),
    HUMAN: ("Talk to a person", "I want to talk to a human"),
    PROCESS_LENGTH: ("Know how much is still to be asked", ""),
    PROCESS_USE: ("Know what the questions are for", ""),
}
_KIND: Final = 0.40  #: the share of its talk that names a kind: a courtesy of the wrong kind does no harm
#: Of what declines, and of questions about the world: whoever tells or asks something of a project is not told that it cannot be had.
_DECLINES: Final = 0.60
_OFFERS: Final = "remember that"  #: in a text that offers to keep what was said as a note

OTHER: Final = IntentDefinition(
    name=OTHER_LANGUAGE, description="They write in a language that is not read here.", by_words=True
)


def varied(prompts: Prompts, name: str, turn: Turn) -> str:
    """The name of the text to say this time, of those there are under that name."""
    names = [name]
    while prompts.get(more := f"{name}_{len(names) + 1}") is not None:
        names.append(more)
    return names[turn.seq // 2 % len(names)]


def _names_somebody(message: str) -> bool:
    """A word inside it is written as names are."""
    return any(word[:1].isupper() for word in message.split()[1:])


def to_note(message: str) -> str:
    """What to say to have it kept as a note."""
    return f"{NOTES}{' '.join(message.split())}"


def card(voice: Voice, known: Sequence[tuple[str, str]], *, later: Collection[str] = ()) -> str:
    """What there is to say here, a line for each wish, but for those of `later`: they need a project first."""
    lines = [
        voice.text("replies/help_line", wish=wish[:1].upper() + wish[1:], say=say)
        for wish, say in known
        if wish not in later
    ]
    return voice.text("replies/help_newcomer" if later else "replies/help", lines="\n".join(lines))


class Telling:
    """Says what is true of this place in the same words, whether or not a language model is there."""

    def __init__(self, prompts: Prompts, *, companion_name: str) -> None:
        self._prompts = prompts
        self._name = companion_name

    async def tell(self, turn: Turn, intent: Intent) -> RouteResult:
        """The sentence for what was asked or wished."""
        if intent.name in (PROCESS_LENGTH, PROCESS_USE):
            return RouteResult(text=self._of_process(turn.holder, intent.name))
        kind = kind_of(intent.name) or intent.name
        if kind == MANAGE_MEMBERS and takes_away(turn.message) and not _names_somebody(turn.message):
            kind = "withdraw_what"  # "remove the ladder from the project": it may be nobody
        name = varied(self._prompts, f"replies/{kind}", turn)
        found = self._prompts.get(name)
        values = {"name": turn.person.companion_name or self._name}
        named = found is not None and "{name}" in found.text
        offers = found is not None and _OFFERS in found.text  # what is offered is what a yes takes up
        text = self._prompts.render(name, **(values if named else {}))
        if intent.name == PRIVACY and turn.holder is not None and turn.holder.becomes:
            text = f"{turn.holder.becomes} {text}"
        return RouteResult(
            text=text,
            suggested_actions=[to_note(turn.message)] if offers else [],
        )

    def _of_process(self, holder: Holder | None, asked: str) -> str:
        """What is known of the process under way; what its author does not say is said to be unknown."""
        if holder is None:
            return self._prompts.render("replies/process_none")
        if asked == PROCESS_USE:
            unknown = {"process": holder.title}
            return holder.becomes or self._prompts.render("replies/process_use_unknown", **unknown)
        if holder.progress is None:
            return self._prompts.render("replies/process_length_unknown", process=holder.title)
        left, of = holder.progress.of - holder.progress.done, holder.progress.of
        if left > 1:
            return self._prompts.render("replies/process_length_left", left=str(left), of=str(of))
        return self._prompts.render(f"replies/process_length_{'last' if left == 1 else 'none'}")

    async def language(self, turn: Turn, intent: Intent) -> RouteResult:
        """That this language is not read here, in it."""
        code = str(intent.parameters.get("language"))
        return RouteResult(text=self._prompts.render(f"replies/other_language_{code}"))


def register(intents: Intents, prompts: Prompts, *, companion_name: str) -> None:
    """Register what tells and declines: wishes that are about this place, and the kinds of talk."""
    says = Telling(prompts, companion_name=companion_name)
    for known in telling():
        if known.name == LEFT_OFF:
            continue  # where nothing was left, it is told how things stand: whoever tells that acts on it
        label, say = _KNOWN.get(known.name, ("", ""))
        free = known.name in (HELP, HUMAN) or is_free(known.name) or is_courtesy(known.name)
        intents.register_intent(_called(known, label, say), None if free else says.tell)
    intents.register_intent(OTHER, says.language)


def _called(known: IntentDefinition, label: str, say: str) -> IntentDefinition:
    kind = kind_of(known.name)
    declines = kind and not is_courtesy(known.name)
    bar = _DECLINES if declines else _KIND if kind else known.bar
    return replace(known, label=label, say=say, bar=bar, surely=known.name == HUMAN)
