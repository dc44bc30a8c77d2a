"""What every pass over a message is given: the place that the message is said in, and what it is read with."""

from dataclasses import dataclass, replace

from softrail.core.reading import Bars, Place
from softrail.language import Language
from softrail.reader.learned import Marker


@dataclass(frozen=True, kw_only=True, slots=True)
class Hearing:
    """A place, the small models, how sure they must be, and the language that is spoken."""

    place: Place
    marker: Marker
    bars: Bars
    language: Language

    def at(self, place: Place) -> "Hearing":
        """The same in another place."""
        return replace(self, place=place)
