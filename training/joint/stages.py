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
    begun, every = _begun_and_every(first=201)
    return _both_in_one(begun, every, composed_=6, parts=16, first=201, seed=12)


def thirteenth() -> list[Form]:
    """The same once more, with some of all scenes."""
    rng, (begun, every) = random.Random(18), _begun_and_every(first=301)
    some = rng.sample(begun, 5_000), rng.sample(every, 32_000)
    return _both_in_one(*some, composed_=4, parts=14, first=301, seed=13)


def _begun_and_every(*, first: int) -> tuple[list[Form], list[Form]]:
    """The messages with which a form could begin, and all messages."""
    begun = of_beginnings(1, seed=first + 2, of=_whole(), part="train")
    every = sources.of_scenes(1, seed=first + 5, of=(*_whole(), *earlier()), part="train")
    return list(begun), list(every)


def _both_in_one(
    begun: list[Form], every: list[Form], *, composed_: int, parts: int, first: int, seed: int
) -> list[Form]:
    """What is told all at once, those, and messages put together, so many for each form; `first` is the first of the seeds."""
    forms = list(sources.of_scenes(4, seed=first, of=scenes.dense(), part="train"))
    forms += of_beginnings(5, seed=first + 1, of=scenes.dense(), part="train")
    forms += begun
    forms += composed(composed_, seed=first + 3, of=(*scenes.dense(), *scenes.forms()), part="train")
    forms += of_parts(parts, seed=first + 4, of=(*scenes.dense(), *_whole()), part="train")
    forms += every
    forms += [form for _ in range(2) for form in sources.of_tape(list(tape()))]
    return [*forms, *rest(1, seed=seed, first=first + 9)]


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
    """The scenes that were written before the whole ones."""
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


def _course(seed: int, rate: float, heads: float, last: float = 0.0) -> learn.Course:
    return learn.Course(size=32, rate=rate, heads=heads, seed=seed, last=last)


STAGES: Final = (
    Stage("first", first, _course(1, 1.2e-4, 8e-4, last=0.3)),
    Stage("second", second, _course(2, 1.1e-4, 5e-4)),
    Stage("third", third, _course(3, 9e-5, 4e-4)),
    Stage("fourth", fourth, _course(4, 9e-5, 4e-4)),
    Stage("fifth", fifth, _course(5, 8e-5, 3e-4), begins=MIDDLE),
    Stage("sixth", sixth, _course(6, 8e-5, 3e-4), begins=FORMS),
    Stage("seventh", seventh, _course(7, 8e-5, 3e-4), begins=MORE),
    Stage("eighth", eighth, _course(8, 1.2e-4, 5e-4), begins=SEVEN),
    Stage("ninth", ninth, _course(9, 1e-4, 5e-4), begins=EIGHT),
    Stage("tenth", tenth, _course(10, 1.2e-4, 5e-4), begins=NINE),
    Stage("eleventh", eleventh, _course(11, 1.2e-4, 5e-4), begins=TEN),
    Stage("twelfth", twelfth, _course(12, 1.2e-4, 5e-4), begins=BOTH),
    Stage("thirteenth", thirteenth, _course(13, 1.2e-4, 5e-4)),
)
