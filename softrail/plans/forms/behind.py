"""What of a message says how a plan is to change: the words behind a yes, a no, or “I meant”."""

import re
from typing import Final, NamedTuple

from softrail.plans.forms.leading import NO
from softrail.plugin import language

ASIDE: Final = re.compile(
    rf"^(?:(?:{NO}|wait|hold on|hang on|one moment|oh|nah|nope|yes|yeah|fine|actually|ok|okay|right|hm+|sorry|so|now|then|well|please|and|but|what about|how about|(?:do )?(?:the )?same"
    r"|(?:break|split|group|cut|slice) (?:it|that|this|these|them)(?: down| up)?)\b[,.!:]?\s+)+",
    re.IGNORECASE,
)


class Behind(NamedTuple):
    """The words of a change."""

    words: str
    surely: bool  #: what stands before them says that something is to change: “sure, but …”, “I meant …”


def behind(message: str) -> Behind:
    """“Sure, but leave out online” as “leave out online”, “hm I meant units” as “units”."""
    said = language()
    agreed, rest = said.consent_and_more(message.strip())
    reserved = agreed == "yes" and (said.has_a_reserve(rest) or said.excludes(rest.partition(" ")[0]))
    bare = ASIDE.sub("", rest if agreed == "yes" and rest else message.strip())
    first, meant = said.repaired(bare) if said.misspoke(bare) else (bare, "")
    words = meant if meant and not first else bare
    return Behind(words, (reserved or words is meant) and not said.is_question(words))
