"""A code that has the form which is wanted is the answer, whatever stands around it: "my number is ab-123-456 I think"."""

from dataclasses import replace
from typing import Final

from softrail.reader.heard import says_no
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marks

_LEAST: Final = 4  #: letters and figures of a code that is known as one wherever it stands
_SURE: Final = 0.95  #: nothing else that is said has such a form


def in_its_form(message: str, hearing: Hearing, marks: Marks) -> Marks:
    """The marks, with the code for the value, where the open question wants one and the message has one, and neither asks nor denies."""
    place, language = hearing.place, hearing.language
    field = place.open_field() if place.wanted == "text" else None
    words = field.formed(message) if field is not None and field.formed is not None else None
    if words is None or says_no(message, language) or language.is_question(message):
        return marks
    if sum(map(str.isalnum, words)) < _LEAST and words.strip() != message.strip():
        return marks  # "till Dec 8" is no PIN
    at, likely = message.index(words), max(marks.acts.get("inform", 0.0), hearing.bars.sure_of_words)
    acts = {**marks.acts, "inform": likely}
    return replace(marks, acts=acts, start=at, end=at + len(words), value=_SURE, span=_SURE)
