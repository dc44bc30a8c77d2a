"""The exact layer: words that leave no doubt, at no cost. What they do not decide is left to the others."""

import re
from collections.abc import Iterator, Sequence

from softrail.core.questions import Option
from softrail.core.reading import APPROVED, ASKED, TOLD, Command, Place, Reading, Value
from softrail.language import Language, change_options, choose, choose_several, normal, slash
from softrail.language.text import spoken
from softrail.processes.spoken import is_amount_alone
from softrail.reader.by_name import changed_by_name
from softrail.reader.fields import OF_WORDS, TYPED, asked_with, is_of_another_deed
from softrail.reader.last_word import with_the_last_word

#: Commands that say nothing about the answer: beside them the other layers are still asked.
_HINTS = frozenset({"ask"})

#: Words that a value of that type may have and still be nothing else.
_ALONE = {"number": 1, "date": 3, "time": 2}
_CHOICE = 3  #: words of a choice that is nothing else, beside those that stand around any choice
_AROUND = 8  #: all of them
#: Between two answers of which the next begins with a few words and a colon.
_LABELS = re.compile(r"\n|(?<=[^\s.;,])[.;,]\s+(?=[^\W\d_][^:.;,\n]{0,40}:)")
_AGREEING = 5  #: words before the last clause, which ends it: "that looks lovely, create it"
_INNER = re.compile(r"[,;:.!]+(?=\s)")  #: signs between words, which people leave out
#: One word of figures: an amount, a number, a time, a date. It answers, or it means nothing.
_FIGURES = re.compile(r"[€$£]?\d[\d.,:/-]*[%€$£]?")
#: From one time to another: it may be more than one answer.
_SPAN = re.compile(r"\d[:.h]\d\d\s*[-–—]\s*\d")


def exact(message: str, place: Place, language: Language) -> Reading:
    """Everything the words of a message say for certain; readings that exclude each other stand side by side."""
    return Reading(message=message, commands=tuple(_commands(message, place, language)))


def settled(reading: Reading, place: Place) -> bool:
    """Exact words decide: no other layer has to be asked. A bare "sure" decides where yes is an answer."""
    hints = _HINTS if place.yes_no or place.offer or place.wanted == "own" else _HINTS | {"affirm"}
    return any(c.act not in hints for c in reading.commands)


def _commands(message: str, place: Place, language: Language) -> Iterator[Command]:
    command, said = slash(message), normal(message)
    if command is not None:
        yield Command(act="slash", target=command.name, rest=command.argument)
    yield from _chosen(message, said, place, language)
    yield from _of_the_framework(message, place, language)
    yield from _stepping_off(message, place, language)
    yield from _consent(message, place, language)
    if place.question is not None and not place.offer:
        yield from _answers(message, said, place, language)


def _chosen(message: str, said: str, place: Place, language: Language) -> Iterator[Command]:
    """A button, or its words: of the doubt that was asked last, or of the question itself."""
    if place.doubt is not None:
        bare = language.without_courtesy(message)
        chosen = choose(bare, place.doubt.options, language=language)
        if chosen is not None and not _only_agrees(message, place.doubt.options, language):
            yield _option(chosen, "doubt")
    if place.before is not None:
        bare = normal(language.without_courtesy(message))
        yield from (_option(o, "before") for o in place.before.options if normal(o.label) == bare)
    options = place.question.options if place.question is not None and not place.offer else ()
    if any(said in {normal(o.label), *(normal(w) for w in o.words)} for o in options):
        yield Command(act="inform", target="option")
    elif _takes_several(place) and place.wanted == "list" and options:
        if _are_options(message, options, place, language):
            yield Command(act="inform", target="choice", values=(_value(place, message),))
        elif (some := _some_that_were_put(place, language)) and _agrees(message, language):
            yield Command(act="inform", target="settled", values=(_value(place, some),))
    elif len(options) == 1 and place.wanted in (*TYPED, *OF_WORDS) and _agrees(message, language):
        yield Command(act="inform", target="choice", values=(_value(place, options[0].means),))
    elif (
        options
        and place.wanted not in OF_WORDS  # that would choose a text which has some of the same words
        and not (place.wanted == "bool" and _names_a_place(message, language))
        and _is_choice_alone(message, language)
        and (chosen := _chosen_at_last(message, place, language)) is not None
    ):
        yield Command(act="inform", target="choice", values=(_value(place, chosen.means),))


def _are_options(message: str, options: Sequence[Option], place: Place, language: Language) -> bool:
    """Several options are chosen, or those that were given before are changed."""
    if choose_several(message, options, language=language, asks=asked_with(place)) is not None:
        return True
    field = place.open_field()
    items = field.items if field is not None and field.given and field.present else ()
    there = [option for option in options if option.label in items]
    return change_options(message, options, there, language=language) is not None


def _some_that_were_put(place: Place, language: Language) -> str:
    """The options that were read of the message before, which is asked about; "" where none are."""
    question = place.question
    put = question.suggestions if question is not None and question.several else ()
    options = question.options if question is not None else ()
    return next((one for one in put if choose_several(one, options, language=language) is not None), "")


def _chosen_at_last(message: str, place: Place, language: Language) -> Option | None:
    """The option that it names, where it puts none right: "unfurnished, sorry furnished" is read for what is meant."""
    options = place.question.options if place.question is not None else ()
    last = with_the_last_word(message, place, language)
    if last != message:
        return None  # it is read as all that was said
    return choose(message, options, language=language, alone=place.asks_back)


def _agrees(message: str, language: Language) -> bool:
    """A yes to the one value that was put, with nothing behind it that is one: "yes, roughly" to "Is it exactly 70?"."""
    if language.consent(message) == "yes":
        return True
    said, rest = language.consent_and_more(message)
    return said == "yes" and len(rest.split()) <= _CHOICE and not _FIGURES.search(rest)


def _names_a_place(message: str, language: Language) -> bool:
    """A place stands among other words: "yeah, the second" to "Did you mean the second one?" is not the second of yes and no."""
    words = spoken(message).words
    return len(words) > 1 and any(language.ordinal(word.key, 2) is not None for word in words)


def _only_agrees(message: str, options: Sequence[Option], language: Language) -> bool:
    """A yes or a no chooses nothing where none of the options is one: "Piano: yes instead of no" is a change."""
    exact = normal(message) in {normal(option.label) for option in options}
    meant = ("yes", "no")
    asked = any(language.consent(option.label) in meant for option in options)
    return language.consent(message) in meant and not asked and not exact


def _is_choice_alone(message: str, language: Language) -> bool:
    """Few words, or few beside those of "I would like the second one, please"."""
    words = spoken(message).words
    own = [word for word in words if not language.is_choosing_word(word.key)]
    return len(message.split()) <= _CHOICE or (len(words) <= _AROUND and len(own) <= _CHOICE)


def _option(chosen: Option, target: str) -> Command:
    return Command(act="inform", target=target, values=(Value(field=target, text=chosen.means),))


def _of_the_framework(message: str, place: Place, language: Language) -> Iterator[Command]:
    if language.is_undo(message):
        yield Command(act="undo")
    if place.question is None and (on := _resumes_beside_talk(message, language)) is not None:
        yield on
    elif language.is_resume(message):
        yield Command(act="resume")
    elif place.all_names and language.is_resume(message, names=place.all_names):
        for name, names in place.processes.items():
            if language.is_resume(message, names=names):
                yield Command(act="resume", target=name)
    if language.is_start_over(message, names=place.names):
        yield Command(act="start_over", target="" if language.is_start_over(message) else "named")
    started = place.starts(message)
    if started is not None:
        yield Command(act="start", target=started)
    elif place.told(message):
        yield Command(act="request", target=TOLD)
    if language.is_to_remember(message):
        yield Command(act="request", target="remember")
    answers = place.question is not None and not place.offer and language.is_part_of_day(message)
    if language.is_greeting(message) and not answers:
        yield Command(act="social", target="greeting")


def _resumes_beside_talk(message: str, language: Language) -> Command | None:
    """It goes on with what was paused, in a clause of its own beside a few words: "haha joking. continue"."""
    first, *others = [one for one in _INNER.split(message.strip()) if one.strip()] or [""]
    if language.stays(first):
        return Command(act="resume", rest=message.strip()[len(first) :].lstrip(" ,;:.!"))
    if len(others) != 1 or len(first.split()) > _CHOICE or not language.is_resume(others[0]):
        return None
    return Command(act="resume", rest=first)


def _stepping_off(message: str, place: Place, language: Language) -> Iterator[Command]:
    question = place.question
    off = language.step_off(
        message,
        names=place.names,
        options=[o.label for o in question.options] if question is not None and not place.offer else (),
        yes_no=place.yes_no,
    )
    asked = off is not None and off.layer != "refusal" and _is_asked(message, place, language)
    if asked and any(language.consent(word.key) == "yes" for word in spoken(message).words[:1]):
        off = None  # "yes, cancel it" to "Shall I cancel the subscription?" leaves nothing
    if off is not None and off.layer == "exit" and _takes_several(place) and language.is_enough(message):
        yield Command(act="none", target="done")
    elif off is not None and (place.question is not None or place.names):
        act = "pause" if off.layer == "escape" else "leave"
        target = ASKED if asked else off.layer  # a yes or the end: whoever claims it asks which
        yield Command(act=act, target=target, rest=off.remainder)  # type: ignore[arg-type] # two acts
    for key, names in place.others.items():
        named = language.step_off(message, names=names, yes_no=True)
        if named is None or language.step_off(message, names=(), yes_no=True):
            continue  # only by its name: "stop it" is for what is in front
        act = "pause" if named.layer == "escape" else "leave"
        yield Command(act=act, target=f"other:{key}", rest=named.remainder)  # type: ignore[arg-type] # two acts


def _is_asked(message: str, place: Place, language: Language) -> bool:
    """The question asks whether that is to be done: they share a word that tells something."""
    if place.wanted != "bool" or place.offer or place.question is None:
        return False
    asked = {word.key for word in spoken(place.question.asks).words}
    return any(
        word.key in asked and not language.is_choosing_word(word.key) for word in spoken(message).words
    )


def _takes_several(place: Place) -> bool:
    return place.wanted == "list" or (place.question is not None and place.question.several)


def _consent(message: str, place: Place, language: Language) -> Iterator[Command]:
    consent = language.consent(message)
    if consent == "yes" and not is_of_another_deed(message, place, language):
        told = place.wanted in ("text", "list") and language.approves(message)
        yield Command(act="affirm", target=APPROVED if told else "")
    elif consent == "no" or (place.wanted == "choice" and not place.offer and language.is_no_option(message)):
        yield Command(act="negate")
    if language.is_never(message):
        yield Command(act="negate", target="never")
    if place.yes_no and language.is_later(message):
        yield Command(act="negate", target="later")
    if consent == "question":
        yield Command(act="ask", target="echo")
    elif consent not in ("yes", "no") and language.is_question(message):  # "do it" begins as questions do
        yield Command(act="ask")


def _answers(message: str, said: str, place: Place, language: Language) -> Iterator[Command]:
    """What only a question of a process can be answered with."""
    yield from _as_it_was(message, place, language)
    yield from changed_by_name(message, place, language)
    for value in _labelled(message, place, language):
        yield Command(act="inform", target="labelled", values=(value,))
    if language.is_skip_all(message):
        yield Command(act="open", target="all")
    if language.is_skip(message) or said in place.skip_words:
        yield Command(act="open")
    if language.is_back(message) and not language.is_greeting(message):
        yield Command(act="back")
    closed = place.wanted == "bool" and place.required  # "that's all" is a no to "Anything else?"
    led = place.wanted in ("text", "list") and language.done_with(message) == ""  # "I think that's it"
    if ((language.is_done_word(message) or led) and not closed) or _ends(message, said, place, language):
        yield Command(act="none", target="done")
    if place.wanted == "own" and _FIGURES.fullmatch(message.strip()):
        yield Command(act="inform", target="whole")
    alone = len(message.split()) <= _ALONE.get(place.wanted, 0) or (
        place.wanted == "number" and is_amount_alone(message, language.code)
    )
    field = place.open_field() if alone else None
    denies = field is not None and any(language.negates(word.key) for word in spoken(message).words)
    denies = denies or (
        field is not None and bool(language.puts_right(message))
    )  # it may be of the answer before
    told = field is not None and (field.reads(message) or (field.begun and field.may_read(message)))
    if told and not denies and _SPAN.search(message) is None:
        yield Command(act="inform", target="whole", values=(_value(place, message),))


def _ends(message: str, said: str, place: Place, language: Language) -> bool:
    """The message is a done-word of the process's own."""
    own = {_INNER.sub("", words) for words in place.done_words}
    if not own:
        return False
    if not own.isdisjoint(_INNER.sub("", one) for one in (said, language.unpadded(message))):
        return True
    before, comma, last = said.rpartition(", ")  # "yes that's it, create it"
    agrees = len(before.split()) <= _AGREEING and not any(map(language.negates, before.split()))
    return bool(comma) and agrees and language.unpadded(last) in own


def _as_it_was(message: str, place: Place, language: Language) -> Iterator[Command]:
    """An answer that is asked for once more is approved as it was: "looks ok", "keep it"."""
    if not place.of_a_form or place.takes_anything or place.wanted not in ("text", "list"):
        return
    approves = language.approves(message)
    field = place.open_field() if approves or language.keeps_it(message) else None
    if field is not None and field.given and field.present:
        items = field.items if field.wanted == "list" else [field.present]
        yield Command(
            act="inform", target="settled", values=(Value(field=field.name, text="\n".join(items)),)
        )


def _value(place: Place, text: str) -> Value:
    return Value(field=place.field or "", text=text)


def _takes_back(value: str, language: Language) -> bool:
    """A clause of it says that it is not this, and nothing else: "Juniper, not that"; "no. 5" and "no fish" say more."""
    clauses: list[list[str]] = [[]]
    for word in spoken(value).words:
        clauses[-1].append(word.key)
        if word.closes:
            clauses.append([])
    return any(_only_denies(clause, language) for clause in clauses)


def _only_denies(words: Sequence[str], language: Language) -> bool:
    """Words that turn round what was spoken of just now, and name nothing themselves."""
    own = [word for word in words if not language.negates(word)]
    pointing = [word for word in own if language.points(word)]
    return (
        len(own) < len(words) and bool(pointing) and all(map(language.is_choosing_word, {*own} - {*pointing}))
    )


def _ended(value: str) -> str:
    """The words, without the full stop behind them; that of "e.g." is theirs."""
    words = value.strip()
    return words[:-1] if words.endswith(".") and "." not in words[:-1].rpartition(" ")[2] else words


def _labelled(message: str, place: Place, language: Language) -> list[Value]:
    """Answers that name what they answer, one a line or sentence: "Audience: farmers". None where a line does not.

    Nor is one that takes itself back: "name: Juniper, not that"; those beside it are answers all the same.
    """
    if ":" not in message:
        return []
    known = {normal(name): field.name for field in place.fields() for name in field.names}
    message = _behind_approval(message, place, language)
    written = [line for line in _LABELS.split(message) if line.strip()]
    if not all(normal(line.partition(":")[0]) in known for line in written):
        written = [
            line for line in message.splitlines() if line.strip()
        ]  # a colon that stands behind anything else
    lines = [line.partition(":") for line in written]
    if not lines or not all(colon and value.strip() for _, colon, value in lines):
        return []
    if place.takes_anything:
        return []
    found = [(known.get(normal(label)), value) for label, _, value in lines]
    if not all(field for field, _ in found):
        return []
    lists = {field.name for field in place.fields() if field.wanted == "list"}
    if any(f in lists and _denies_an_item(text, language) for f, text in found):
        return []
    return [Value(field=f, text=_ended(text)) for f, text in found if f and not _takes_back(text, language)]


def _behind_approval(message: str, place: Place, language: Language) -> str:
    """What stands behind a yes to a summary, or half a one: "almost. blockers: legal", "yes but today: gym"."""
    return (language.behind_approval(message) if place.wanted == "confirm" else "") or message


def _denies_an_item(value: str, language: Language) -> bool:
    """A part of a list says what is none of it: "rollback, not search"."""
    _, *rest = re.split(r"[,;\n]", value)
    return any(words and language.negates(words[0]) for words in (part.split() for part in rest))
