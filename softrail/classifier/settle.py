"""Carries out corrections that the words alone make sure: "the deadline is May 3. I mean May 4" is May 4."""

import re
from collections.abc import Sequence

from softrail.classifier.extract import unframed
from softrail.classifier.split import Cue, Segment, cued, split
from softrail.classifier.words import cues

MOST_WORDS = 5  #: of a value; what is longer says more than one thing
_EDGES = " \t\n,.;:!?-–—…\"'“”‘’()"
_WORD = re.compile(r"[^\W_]+(?:['’.,:/\-][^\W_]+)*")
_NUMBER = re.compile(r"\d[\d.,:/\-]*(?:st|nd|rd|th|k|m|am|pm)?", re.IGNORECASE)


def corrected(text: str) -> str:
    """The text with its sure corrections carried out; as it is when there are none."""
    done = settled(split(text))
    if not any(segment.settled for segment in done):
        return text
    return " ".join(segment.said for segment in done).removesuffix(".")


def settled(segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """The segments, those that were corrected in place of the correction and of what it takes back.

    Only what is sure is settled: one value for another of its form, a name for a name, a sentence for a sentence with
    the same beginning. Every other correction stays, with all its words.
    """
    done: list[Segment] = []
    waiting: Cue = ""  #: a cue that stands alone, "I got that wrong.": what it announces comes next
    for segment in segments:
        cue, rest = (segment.cue, cued(segment.said)[1]) if segment.cue else (waiting, segment.text)
        at = max((i for i, before in enumerate(done) if not before.aside), default=None)
        open_to = cue and at is not None and not done[at].corrects
        asks = not segment.aside or bool(segment.cue and rest)
        text = _settled(done[at].text, rest, cue) if open_to and asks and at is not None else None
        if text is not None and at is not None:
            done[at:] = [Segment(text, settled=True), *(s for s in done[at + 1 :] if not s.cue)]
            waiting = ""
            continue
        if not segment.aside:
            waiting = ""
        elif segment.cue:
            waiting = "slip" if "slip" in (segment.cue, waiting) else segment.cue
        done.append(segment)
    return tuple(done)


def _settled(old: str, new: str, cue: Cue) -> str | None:
    """What holds when `new` takes back all or part of `old`; None when that is not sure."""
    if cue != "touch" and (text := _said_again(old, new, sure=cue == "slip")) is not None:
        return text
    renamed = cues().renamings.match(new)
    value = (new[renamed.end() :] if renamed else new).strip(_EDGES)
    value = value.removesuffix(" instead").strip(_EDGES)
    if not 0 < len(_WORD.findall(value)) <= MOST_WORDS or cues().copulas.search(value):
        return None
    return _exchanged(old, value) or _named(old, value, sure=cue == "slip")


def _said_again(old: str, new: str, *, sure: bool) -> str | None:
    """`new` when it begins as `old` did: up to the same "is", or with the same verb and an "instead".

    Where no slip was named, both have to end alike as well: "wait, the team is in Lyon" may be one more fact.
    """
    told, again = unframed(old), unframed(new)
    one, two = _parted(told), _parted(again)
    if one and two:
        alike = one[0].casefold() == two[0].casefold() and (sure or _instead(again) or _same(one[1], two[1]))
    else:
        first, second = (_WORD.match(text) for text in (told, again))
        verb = first.group().casefold() if first and second else ""
        alike = bool(second and verb == second.group().casefold()) and not cues().hollow.fullmatch(verb)
        alike = alike and _instead(again)
    if not alike:
        return None
    carried = old[: len(old) - len(told)] if again == new and old.endswith(told) else ""
    return carried + new


def _same(one: str, two: str) -> bool:
    """Both values have a number or a date in them, or both are names."""
    before, after = _WORD.findall(one), _WORD.findall(two)
    counted = [any(_form(word) in ("9", "date") for word in words) for words in (before, after)]
    return all(counted) or (not any(counted) and all(word[0].isupper() for word in [*before, *after]))


def _instead(text: str) -> bool:
    return text.strip(_EDGES).casefold().endswith(" instead")


def _parted(text: str) -> tuple[str, str] | None:
    """The sentence before and after its one "is"; None when it has none, or several, or says two things."""
    found = list(cues().copulas.finditer(text))
    if len(found) != 1:
        return None
    subject, value = text[: found[0].start()].strip(), text[found[0].end() :].strip(_EDGES)
    several = re.search(r"[,;]|\b(?:and|or|but)\b", f"{subject} {value}", re.IGNORECASE)
    return (f"{subject} {found[0].group()}", value) if subject and value and not several else None


def _exchanged(old: str, value: str) -> str | None:
    """`old` with the one number or date that has the form of `value` exchanged for it."""
    wanted = [_form(word) for word in _WORD.findall(value)]
    if not {"9", "date"} & set(wanted):
        return None
    found = list(_WORD.finditer(old))
    forms = [_form(match.group()) for match in found]
    places = [i for i in range(len(found)) if forms[i : i + len(wanted)] == wanted]
    # One number among others of the same form could be any of them.
    if len(places) != 1 or (wanted == ["9"] and forms.count("9") != 1):
        return None
    first, last = found[places[0]], found[places[0] + len(wanted) - 1]
    return f"{old[: first.start()]}{value}{old[last.end() :]}"


def _form(word: str) -> str:
    if cues().calendar.fullmatch(word):
        return "date"
    return "9" if _NUMBER.fullmatch(word) else word.casefold()


def _named(old: str, value: str, *, sure: bool) -> str | None:
    """`old` with what stands after its "is" exchanged: a name for a name, or any short value after a slip was named."""
    told = unframed(old)
    parted = _parted(told)
    if parted is None or not old.endswith(told):
        return None
    before, after = _WORD.findall(parted[1]), _WORD.findall(value)
    both = [*before, *after]
    if any(_form(word) in ("9", "date") or cues().hollow.fullmatch(word) for word in both):
        return None
    names = all(word[0].isupper() for word in both)
    if not names and not (sure and len(before) <= 2 and len(after) <= 2):
        return None
    end = told[len(told.rstrip(_EDGES)) :]
    return f"{old[: len(old) - len(told)]}{parted[0]} {value}{end}"
