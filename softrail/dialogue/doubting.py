"""The question that is put in doubt: what a message may have meant, on buttons, and what comes of the one chosen."""

from collections.abc import Mapping, Sequence

from softrail.core.instances import Instance
from softrail.core.questions import Change, Doubted, Option, Question
from softrail.core.reading import SETTLED, Command, Reading, Value
from softrail.dialogue.claims import Doubt, Way
from softrail.dialogue.context import Parts
from softrail.processes import Given, said_in_words

#: What is asked where a message may be only that.
_ASKS: Mapping[Sequence[Way], str] = {
    ("pause", "neither"): "needed",
    ("yes", "no"): "consent",
    ("yes", "no", "pause"): "consent",
    ("none", "neither"): "none",
    ("none", "pause", "neither"): "left_out",
    ("no", "pause"): "refused",
    ("yes", "pause"): "escape",
    ("note", "neither"): "note",
}
_OR_PAUSE: Sequence[str] = ("doubt", "consent")  #: what is asked otherwise where it may be a wish to leave
#: Said to a question of what is to change: nothing is. By themselves such words may leave a process.
LEFT_AS_IT_IS: Sequence[str] = (
    *("leave it", "leave it as it is", "leave it like that", "leave it be", "let it be"),
    *("keep it", "keep it as it is", "as it is", "as it was", "no change", "nothing changes", "it stays"),
    *("forget it", "drop it", "never mind", "nevermind"),
)
_LEFT: Sequence[str] = (*LEFT_AS_IT_IS, *(f"no {words}" for words in LEFT_AS_IT_IS))
BESIDE_IT = ("as well", "also", "too", "yes as well", "add it", "add that", "both")
IN_ITS_PLACE = ("instead", "replace it", "in its place", "yes instead")
SHOWN = 60  #: characters of a message that is asked about


def doubted_question(claim: Doubt, parts: Parts, message: str) -> tuple[Question, Doubted]:
    """What is asked, and what is kept of the message until the person says what it meant."""
    if claim.changes:
        return _what_changes(claim, parts, message)
    if claim.answers:
        return _which_option(claim, parts, message)
    instance, fitted = claim.instance, parts.sentences.fitted
    title, label = parts.title(instance.process), parts.asks_for(instance)
    meant = claim.ways == ("answer", "neither") and claim.text != message.strip()
    said = {"said": _short(_option(instance, claim.text)), "label": label, "process": title}
    asks = "meant" if meant else _ASKS.get(tuple(claim.ways), "doubt")
    options = tuple(
        Option(
            label=fitted(f"{asks}_{way}", **said),
            value=way,
            words=_LEFT if way == "neither" and "pause" not in claim.ways else (),
        )
        for way in claim.ways
    )
    asked = asks
    if asks in _OR_PAUSE:
        asked += "_or_pause" if "pause" in claim.ways else "_or_note" if "note" in claim.ways else ""
    prompt = fitted(asked, **said)
    question = Question(kind="clarify", prompt=prompt, options=options)
    return question, Doubted(message=message, text=claim.text)


def _which_option(claim: Doubt, parts: Parts, message: str) -> tuple[Question, Doubted]:
    """Which option is meant: all of them, the nearest first."""
    known = claim.instance.question.options if claim.instance.question is not None else ()
    by_value = {option.means: option for option in known}
    ranked = [by_value[value] for value in claim.answers]
    likely, following, *others = [option.label for option in ranked]
    asks = "nearest" if claim.text else "nearest_two" if others else "either"
    others = [following, *others] if claim.text else others
    told = {"likely": likely, "following": following, "others": ", ".join(others)}
    # Counted from 1, as people count them: whoever types "1" means the first.
    options = tuple(option.model_copy(update={"value": str(at)}) for at, option in enumerate(ranked, 1))
    question = Question(kind="clarify", prompt=parts.sentences.fitted(asks, **told), options=options)
    return question, Doubted(message=message, text=claim.text, answers=tuple(claim.answers))


def _what_changes(claim: Doubt, parts: Parts, message: str) -> tuple[Question, Doubted]:
    """Which answer is to change, and to what: one button for each way to read it."""
    say, given = parts.sentences.say, parts.given(claim.instance)
    anew = all(len(way) == 1 and not way[0].text for way in claim.changes)
    ways = [", ".join(_told(v, given, parts, anew=anew) for v in way) for way in claim.changes]
    buttons = [way[:1].upper() + way[1:] for way in ways]
    options = [
        Option(label=label, value=str(at), words=_in_short(claim.changes, at - 1))
        for at, label in enumerate(buttons, 1)
    ]
    options += [Option(label=say("doubt_note"), value="note")] if "note" in claim.ways else []
    options.append(Option(label=say("change_neither"), value="neither", words=_LEFT))
    values = [(v, given[v.field].value) for way in claim.changes for v in way if v.field in given]
    instead = bool(claim.text) and any(there and not value.adds for value, there in values)
    changes = instead or all(there for _, there in values)
    asks = "change" if changes else "where"
    told = ways if changes else buttons
    which = "where_beside" if claim.text and not instead else asks if len(told) == 1 else f"{asks}_which"
    if which == "where_which" and len({value.field for way in claim.changes for value in way}) == 1:
        which = "where_either"
    which = "told_which" if "note" in claim.ways else which
    prompt = parts.sentences.fitted(which, said=_short(claim.text), what=told[0], changes="; ".join(told))
    kept = tuple(
        tuple(Change(field=v.field, text=v.text, adds=v.adds, none=v.none) for v in way)
        for way in claim.changes
    )
    question = Question(kind="clarify", prompt=prompt, options=tuple(options))
    return question, Doubted(message=message, changes=kept)


def _in_short(changes: Sequence[Sequence[Value]], at: int) -> tuple[str, ...]:
    """What is enough to say for that button: "as well", where it is the one that adds."""
    adds = [any(value.adds or _extends(value) for value in way) for way in changes]
    alone = adds.count(adds[at]) == 1
    return BESIDE_IT if adds[at] and alone else IN_ITS_PLACE if alone and any(adds) else ()


def _extends(value: Value) -> bool:
    """Its words end with those that would take the place of all of them."""
    return any(other.field == value.field and value.text.endswith(other.text) for other in value.rivals)


def _told(value: Value, given: Mapping[str, Given], parts: Parts, *, anew: bool) -> str:
    """What becomes of an answer; `anew`: all that is asked is which of them is to be another."""
    there = given.get(value.field)
    if there is None or not there.shown:
        return there.label if there is not None else value.field
    if not value.text:  # it is wrong, and is asked for again
        if not there.value:
            return there.label
        if value.none:
            return parts.sentences.fitted("change_without", label=there.label, old=_short(there.value))
        asks, kept = ("change_first" if anew else "change_anew"), _short(there.value)
        return parts.sentences.fitted(asks, label=there.label, new=kept, old=kept)
    told = "change_adds" if value.adds else "change_to" if there.value else "change_first"
    old, new = there.value.split("; "), said_in_words(there.labels.get(value.text, value.text)).splitlines()
    if not value.adds and {*old} & {*new} and {*old} != {*new}:  # of a list only what is another is told
        old, new = [one for one in old if one not in new], [one for one in new if one not in old]
        told = "change_to" if new and old else "change_adds" if new else "change_without"
    elif len(old) == len(new) == 1 and (more := _behind(old[0], new[0])):
        told, new = "change_adds", [more]
    said = {"new": _short("; ".join(new)), "old": _short("; ".join(old))}
    return parts.sentences.fitted(told, label=there.label, **said)


def _behind(old: str, new: str) -> str:
    """What comes behind the old words, where the new ones begin with them; "" where they do not."""
    return new.removeprefix(old).lstrip(" ,") if old and new.startswith((f"{old}, ", f"{old} ")) else ""


def settled_change(message: str, changes: Sequence[Change]) -> Reading:
    """What the person has agreed to change, with nothing to weigh."""
    commands = [
        Command(
            act="inform" if one.adds else "correct",
            target=SETTLED,
            values=(Value(field=one.field, text=one.text, none=one.none),),
        )
        for one in changes
    ]
    return Reading(message=message, commands=tuple(commands))


def _option(instance: Instance, value: str) -> str:
    """What a person calls the option of that value; the words themselves where the question has none such."""
    options = instance.question.options if instance.question is not None else ()
    return next((o.label for o in options if o.means == value), value)


def _short(said: str) -> str:
    """What was said, short enough for a button."""
    line = " ".join(said.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1].rstrip()}…"
