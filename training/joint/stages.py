"""The stages of the joint model: what each learns, how, and what it begins with."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from training import scenes, templates
from training.joint import learn, sources
from training.joint.beginnings import composed, of_beginnings
from training.joint.beside import of_parts
from training.joint.forms import Form
from training.tape import tape

FIRST = learn.Course(size=32, rate=1.2e-4, heads=8e-4, seed=1, last=0.3)
SECOND = learn.Course(size=32, rate=1.1e-4, heads=5e-4, seed=2, last=0.0)
THIRD = learn.Course(size=32, rate=9e-5, heads=4e-4, seed=3, last=0.0)
FOURTH = learn.Course(size=32, rate=9e-5, heads=4e-4, seed=4, last=0.0)
FIFTH = learn.Course(size=32, rate=8e-5, heads=3e-4, seed=5, last=0.0)
SIXTH = learn.Course(size=32, rate=8e-5, heads=3e-4, seed=6, last=0.0)
SEVENTH = learn.Course(size=32, rate=8e-5, heads=3e-4, seed=7, last=0.0)
EIGHTH = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=8, last=0.0)
NINTH = learn.Course(size=32, rate=1e-4, heads=5e-4, seed=9, last=0.0)
TENTH = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=10, last=0.0)
ELEVENTH = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=11, last=0.0)
TWELFTH = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=12, last=0.0)
THIRTEENTH = learn.Course(size=32, rate=1.2e-4, heads=5e-4, seed=13, last=0.0)


def first() -> list[Form]:
    """Public dialogues, callers, templates, and the scenes without those that are kept back."""
    rng = random.Random(1)
    forms = list(sources.of_dialogues(seed=2))
    forms += rng.sample(list(sources.of_callers(seed=3)), 4_000)
    forms += sources.of_pairs(list(templates.templates(9_000, seed=4)))
    forms += sources.of_scenes(2, seed=5, of=earlier(), part="train")
    return forms


def second() -> list[Form]:
    """All scenes several times, the tape, and some of the rest again."""
    rng = random.Random(2)
    forms = list(sources.of_scenes(3, seed=6, of=earlier(), part="train"))
    forms += sources.of_scenes(5, seed=7, of=scenes.whole(), part="train")
    forms += sources.of_tape(list(tape()))
    forms += rng.sample(list(sources.of_dialogues(seed=8)), 5_000)
    forms += rng.sample(list(sources.of_callers(seed=9)), 1_000)
    forms += sources.of_pairs(list(templates.templates(2_000, seed=10)))
    forms += sources.of_pairs(list(templates.bare(1_500, seed=11)))
    return forms


def third() -> list[Form]:
    """The scenes again, with other noise and other values, and a little of the rest."""
    rng = random.Random(3)
    forms = list(sources.of_scenes(3, seed=16, of=earlier(), part="train"))
    forms += sources.of_scenes(6, seed=17, of=scenes.whole(), part="train")
    forms += rng.sample(list(sources.of_dialogues(seed=18)), 3_000)
    forms += rng.sample(list(sources.of_callers(seed=19)), 600)
    forms += sources.of_pairs(list(templates.bare(1_500, seed=21)))
    return forms


def fourth() -> list[Form]:
    """What was written last, often; which option is meant, which it has not learned; and some of the rest again."""
    rng = random.Random(4)
    forms = list(sources.of_scenes(4, seed=26, of=scenes.whole(), part="train"))
    forms += sources.of_scenes(1, seed=27, of=earlier(), part="train")
    forms += sources.of_options(3, seed=28, of=(*scenes.whole(), *earlier()), part="train")
    forms += rng.sample(list(sources.of_dialogues(seed=29)), 2_000)
    forms += rng.sample(list(sources.of_callers(seed=30)), 300)
    forms += sources.of_pairs(list(templates.bare(1_000, seed=31)))
    return forms


def fifth() -> list[Form]:
    """Whole messages of forms, twice, and some of everything else again."""
    return _with_forms(seed=5, first=41)


def sixth() -> list[Form]:
    """The same once more, with other noise and other values."""
    return _with_forms(seed=6, first=61)


def seventh() -> list[Form]:
    """The same with ten hands more, who wrote above all how people change their mind, and say what a text is."""
    return _with_forms(seed=7, first=81)


def eighth() -> list[Form]:
    """The forms many times, with six hands more: what is told beside an answer takes long to learn. And some of the rest."""
    return _many_times(5, seed=8, first=101)


def ninth() -> list[Form]:
    """The same once more with three hands: what is called wrong without being told anew, half answers, and what is easily mixed up."""
    return _many_times(4, seed=9, first=121)


def tenth() -> list[Form]:
    """What people tell all at once, above all with the message that begins a form; all forms once more, and some of the rest."""
    forms = [*_at_once(6, seed=141), *of_beginnings(1, seed=143, of=_whole(), part="train")]
    forms += composed(9, seed=144, of=(*scenes.dense(), *scenes.forms()), part="train")
    forms += sources.of_scenes(1, seed=145, of=_whole(), part="train")
    return [*forms, *rest(1, seed=10, first=146)]


def eleventh() -> list[Form]:
    """The same once more, with some of the forms."""
    rng = random.Random(11)
    forms = list(_at_once(6, seed=161))
    forms += rng.sample(list(of_beginnings(1, seed=163, of=_whole(), part="train")), 5_000)
    forms += composed(5, seed=164, of=(*scenes.dense(), *scenes.forms()), part="train")
    forms += rng.sample(list(sources.of_scenes(1, seed=165, of=_whole(), part="train")), 20_000)
    return [*forms, *rest(1, seed=11, first=166)]


def twelfth() -> list[Form]:
    """Both in one: what is told all at once, what stands beside an answer wherever it was said, all scenes, and the tape twice more."""
    forms = list(sources.of_scenes(4, seed=201, of=scenes.dense(), part="train"))
    forms += of_beginnings(5, seed=202, of=scenes.dense(), part="train")
    forms += of_beginnings(1, seed=203, of=_whole(), part="train")
    forms += composed(6, seed=204, of=(*scenes.dense(), *scenes.forms()), part="train")
    forms += of_parts(16, seed=205, of=(*scenes.dense(), *_whole()), part="train")
    forms += sources.of_scenes(1, seed=206, of=(*_whole(), *earlier()), part="train")
    forms += [form for _ in range(2) for form in sources.of_tape(list(tape()))]
    return [*forms, *rest(1, seed=12, first=210)]


def thirteenth() -> list[Form]:
    """The same once more, with some of all scenes."""
    rng = random.Random(18)
    forms = list(sources.of_scenes(4, seed=301, of=scenes.dense(), part="train"))
    forms += of_beginnings(5, seed=302, of=scenes.dense(), part="train")
    forms += rng.sample(list(of_beginnings(1, seed=303, of=_whole(), part="train")), 5_000)
    forms += composed(4, seed=304, of=(*scenes.dense(), *scenes.forms()), part="train")
    forms += of_parts(14, seed=305, of=(*scenes.dense(), *_whole()), part="train")
    forms += rng.sample(
        list(sources.of_scenes(1, seed=306, of=(*_whole(), *earlier()), part="train")), 32_000
    )
    forms += [form for _ in range(2) for form in sources.of_tape(list(tape()))]
    return [*forms, *rest(1, seed=13, first=310)]


def _at_once(times: int, *, seed: int) -> Iterator[Form]:
    """What was written as told all at once, as it was said and as if a form began with it."""
    yield from sources.of_scenes(times, seed=seed, of=scenes.dense(), part="train")
    yield from of_beginnings(times, seed=seed + 1, of=scenes.dense(), part="train")


def _whole() -> tuple[scenes.Scene, ...]:
    return (*scenes.forms(), *scenes.whole())


def _many_times(times: int, *, seed: int, first: int) -> list[Form]:
    """The forms so many times, and some of the rest; `first` is the first of the seeds of its five sources."""
    forms = list(sources.of_scenes(times, seed=first, of=scenes.forms(), part="train"))
    forms += sources.of_scenes(1, seed=first + 1, of=(*earlier(), *scenes.whole()), part="train")
    return [*forms, *rest(2, seed=seed, first=first + 2)]


def _with_forms(*, seed: int, first: int) -> list[Form]:
    """`first` is the first of the seeds of its five sources."""
    forms = list(sources.of_scenes(1, seed=first, of=(*earlier(), *scenes.whole()), part="train"))
    forms += sources.of_scenes(2, seed=first + 1, of=scenes.forms(), part="train")
    return [*forms, *rest(1, seed=seed, first=first + 2)]


def rest(parts: int, *, seed: int, first: int) -> list[Form]:
    """So many thousands of what is bare, twice as many of dialogues, a few callers, and the tape."""
    rng = random.Random(seed)
    forms = list(sources.of_tape(list(tape())))
    forms += rng.sample(list(sources.of_dialogues(seed=first)), 2_000 * parts)
    forms += rng.sample(list(sources.of_callers(seed=first + 1)), 300 * parts)
    forms += sources.of_pairs(list(templates.bare(1_000 * parts, seed=first + 2)))
    return forms


def earlier() -> tuple[scenes.Scene, ...]:
    return (*scenes.scenes(), *scenes.further())


def blend(old: Mapping[str, float], new: str | Mapping[str, float], share: float) -> dict[str, float]:
    """The shares of the stages of one, and so much of the other."""
    newer = {new: 1.0} if isinstance(new, str) else new
    return {
        name: (1 - share) * old.get(name, 0.0) + share * newer.get(name, 0.0)
        for name in dict.fromkeys([*old, *newer])
    }


#: The middle of two stages: surer of the tape than the last one, and stores less on a guess.
MIDDLE: Final = {"third": 0.5, "fourth": 0.5}
#: With what it came to with the forms.
FORMS: Final = blend(MIDDLE, "fifth", 0.5)
#: With some of what it came to with more of them, which alone stores more on a guess.
MORE: Final = blend(FORMS, "sixth", 0.3)
#: With what ten hands more made of it.
SEVEN: Final = blend(MORE, "seventh", 0.5)
#: With most of what the forms many times made of it.
EIGHT: Final = blend(SEVEN, "eighth", 0.7)
NINE: Final = blend(EIGHT, "ninth", 0.7)
#: What first messages made of it, and once more.
TEN: Final = blend(NINE, "tenth", 0.7)
ELEVEN: Final = blend(TEN, "eleventh", 0.7)
#: Between what is surer of one answer at a time and what is of all at once.
BOTH: Final = blend(NINE, ELEVEN, 0.4)
#: With most of what both together made of it: what the last stage begins with.
TWELVE: Final = blend(BOTH, "twelfth", 0.7)
#: The name under which that is kept.
BEFORE: Final = "before"
#: What is shipped.
SHIPPED: Final = {BEFORE: 0.3, "thirteenth": 0.7}


class Stage(NamedTuple):
    """What is learned, how, and what it begins with: the weights of stages, by their shares; those of the one before, if empty."""

    name: str
    forms: Callable[[], list[Form]]
    how: learn.Course
    begins: Mapping[str, float] = {}


STAGES: Final = (
    Stage("first", first, FIRST),
    Stage("second", second, SECOND),
    Stage("third", third, THIRD),
    Stage("fourth", fourth, FOURTH),
    Stage("fifth", fifth, FIFTH, begins=MIDDLE),
    Stage("sixth", sixth, SIXTH, begins=FORMS),
    Stage("seventh", seventh, SEVENTH, begins=MORE),
    Stage("eighth", eighth, EIGHTH, begins=SEVEN),
    Stage("ninth", ninth, NINTH, begins=EIGHT),
    Stage("tenth", tenth, TENTH, begins=NINE),
    Stage("eleventh", eleventh, ELEVENTH, begins=TEN),
    Stage("twelfth", twelfth, TWELFTH, begins=BOTH),
    Stage("thirteenth", thirteenth, THIRTEENTH),
)
