"""“Can I have that as a chart?”, “export it”: beside a finished result a picture or a file of just that is wished for; nowhere else is it looked for.

The words are a closed list (`forms/english.toml`). Among examples of intents such wishes took questions that documents answer: whoever asks what a graph *shows*
has a word more than these.
"""

import re
from collections.abc import Collection
from typing import Final

from softrail.plans.forms.form import Drawn
from softrail.plans.forms.lexicon import lexicon

_LONGEST: Final = 14  #: words


def wants_a_picture(message: str) -> bool:
    """It has a word for a picture, and no other but small ones: what it is of is what was shown."""
    return _wishes_for(message, lexicon().pictures)


def wants_a_file(message: str) -> bool:
    """“Export it”, “can I get that as a CSV file?”: it has a word for a file that is taken along, and no other but small ones."""
    return _wishes_for(message, lexicon().files, beside=lexicon().pictures)


def _wishes_for(message: str, things: Collection[str], beside: Collection[str] = ()) -> bool:
    """A short message with a word for such a thing, and none that is neither that nor small."""
    words, small = _words(message), lexicon().beside_pictures
    few = len(words) <= _LONGEST and any(one in things for one in words)
    return few and all(one in things or one in beside or one in small for one in words)


def drawn_as(message: str) -> Drawn:
    """How it is to be drawn; "" where that is not said."""
    known = {**lexicon().beside_pictures, **lexicon().pictures}
    return next((drawn for one in _words(message) if (drawn := known.get(one, ""))), "")


def _words(message: str) -> list[str]:
    return re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+", message.casefold().replace("’", "'"))
