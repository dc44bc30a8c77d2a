"""Whether a message speaks of a closed question that nobody asks: by its words, or by a clause that says so alone.

Of a question for a yes or a no, or for one of a few, some answer is always the likeliest; the small model is as sure of
"yes" to "Have you asked the neighbours?" by "this morning, the guy chucked it over the fence" as by what tells it. The words
of the question, of its name and of its options tell the two apart; so does what a single clause is worth without the others.
"""

from typing import Final

from softrail.core.reading import Field, Value
from softrail.language import Language
from softrail.reader.both_options import both_meant, called_in
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import names_of, spaced
from softrail.reader.learned import Marker
from softrail.reader.options import option_called

_YES_BY_ALL: Final = 0.8  #: how likely a yes or no must be by all of the message, where no word of it is said
_YES_BY_A_CLAUSE: Final = 0.55  #: and by one clause
_BY_ALL: Final = 0.6  #: the same of an option
_BY_A_CLAUSE: Final = 0.35
_BY_A_PART: Final = (
    0.3  #: and by either, where a part of what it is called is said: "the driver" is no "rude driver"
)
YES_NO: Final = ("yes", "no")


def is_spoken_of(message: str, field: Field, text: str, marker: Marker, language: Language) -> bool:
    """The message says something of that answer, and so may give it though something else is asked."""
    option = next((one for one in field.options if one.means == text), None)
    both = both_meant(message, field.question, field.options, marker, language, beside=True)
    if option in both:
        return False  # which of them it is, its own question asks
    if option is not None and called_in(message, option):
        return True
    if likeness(message, [field], language)[field.name]:
        return True
    whole = _likely(message, field, text, marker)
    parts = [_likely(message[start:end], field, text, marker) for start, end in clauses(message)]
    best = max(parts, default=0.0)
    if option is not None and option_called(message, field.options, language) is option:
        return max(whole, best) >= _BY_A_PART
    if option is not None:
        return whole >= _BY_ALL and best >= _BY_A_CLAUSE
    return whole >= _YES_BY_ALL and best >= _YES_BY_A_CLAUSE


def said_by_name(field: Field, message: str, language: Language) -> Value | None:
    """A yes or a no behind the name of a question that has none yet, as a clause of its own: "habitable yes"."""
    if field.wanted != "bool" or field.given:
        return None
    for start, end in clauses(message):
        name, _, said = spaced(message[start:end]).rpartition(" ")
        if (consent := language.consent(said)) in ("yes", "no") and name in names_of(field):
            return Value(field=field.name, text=consent, confidence=1.0)
    return None


def _likely(message: str, field: Field, text: str, marker: Marker) -> float:
    """How likely that is the answer, by the model that is shown all of them."""
    texts = [option.means for option in field.options] or [*YES_NO]
    if text not in texts:
        return 0.0
    labels = [option.label for option in field.options] or [*YES_NO]
    return marker.choose(message, field.question, labels, beside=True).options[texts.index(text)]
