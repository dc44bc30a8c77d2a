"""Which fact a message names, and which value it gives: bound to what is there, never guessed."""

import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Final

from softrail.plans.plan import Plan, PlanStep
from softrail.plans.values import Fact, Mode
from softrail.plugin import normal

_NUMBER: Final = re.compile(
    r"(?<![\w.,])([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s?(k|m|bn)?(?![\w.,]*\d)\b", re.IGNORECASE
)
_STEP: Final = re.compile(r" step (\d{1,2})(?= )")
_ORDINALS: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_TIMES: Final[Mapping[str, Decimal]] = {
    "k": Decimal(10**3),
    "m": Decimal(10**6),
    "bn": Decimal(10**9),
}
#: What is said around the name of a value that is asked for. “How did you get …” asks for more, and “… is 14” tells one.
_AROUND: Final = (
    r"(?:(?:tell|give|show|remind)(?: me| us)?|i (?:need|want)|how (?:much|high|big|low|large)|what|what's|whats|which|once more|come to"
    r"|the|a|values?|figure|number|amount|of|for|please|again|now|then|so|and|ok|okay|is|was|are|were|be|does|did|do|you|we|have|get|got)"
)
_VALUE: Final = re.compile(rf"(?:{_AROUND}(?: |$))*")
_ASKS: Final = re.compile(r"\?|\b(?:what|how|which|and|tell|give|show|remind|need|want)\b", re.IGNORECASE)
_WHOLE: Final = ("total", "sum", "grand total", "overall")  #: what a number of all rows is called
_MOST: Final = 10  #: words of a question for values
#: Words by which a first task is one to be proved; everything else is explored.
_PROOF: Final = frozenset(
    {
        "verify",
        "verified",
        "validate",
        "validated",
        "prove",
        "proved",
        "proven",
        "proof",
        "proofs",
        "audit",
        "audited",
        "auditing",
        "auditable",
        "evidence",
        "compliance",
    }
)
_EXPLORE: Final = frozenset(
    {"show", "chart", "explore", "exploratory", "exploring", "list", "compare", "build"}
)


def named_facts(message: str, facts: Collection[Fact], plan: Plan | None) -> Sequence[Fact]:
    """The facts that a message names, by their names or by the titles of their steps; the longest names first."""
    return _named(message, facts, plan)[0]


def asks_for_values(message: str, facts: Collection[Fact], plan: Plan | None) -> bool:
    """It names facts, and its other words ask for no more than what they are: “and the price?”, “q4_revenue was what”."""
    found, left = _named(message, facts, plan)
    return (
        bool(found) and _VALUE.fullmatch(" ".join(left.replace(",", " ").split()).strip("?.! ")) is not None
    )


def may_ask_for_values(message: str) -> bool:
    """Short enough for that, and with a word of asking: only then are facts looked up for it."""
    return len(message.split()) <= _MOST and _ASKS.search(message) is not None


def _named(message: str, facts: Collection[Fact], plan: Plan | None) -> tuple[Sequence[Fact], str]:
    """The facts that a message names, and what is left of it."""
    steps = {step.makes: step for step in plan.steps} if plan is not None else {}
    left, found = f" {normal(message)} ", list[Fact]()
    names = [(normal(name), fact) for fact in facts for name in _names(fact, steps)]
    for name, fact in sorted(names, key=lambda pair: -len(pair[0])):
        if name and f" {name} " in left:
            left = left.replace(f" {name} ", " ")
            if fact not in found:
                found.append(fact)
    return found, left


def named_steps(message: str, plan: Plan) -> Sequence[PlanStep]:
    """The steps that a message names by their numbers (“step 2”, “the second step”), ids or titles."""
    said, ordered = f" {normal(message)} ", list(plan.in_order())
    numbers = {int(n) for n in _STEP.findall(said)}
    numbers |= {n for n, word in enumerate(_ORDINALS, start=1) if f" {word} step " in said}
    if " last step " in said:
        numbers.add(len(ordered))
    return [
        step
        for n, step in enumerate(ordered, start=1)
        if n in numbers or f" step {step.id.replace('_', ' ')} " in said or _titled(step, said)
    ]


def _titled(step: PlanStep, said: str) -> bool:
    title = normal(step.title)
    return bool(title) and f" {title} " in said


def _names(fact: Fact, steps: Mapping[str, object]) -> list[str]:
    step = steps.get(fact.name)
    title = str(getattr(step, "title", ""))
    whole = _WHOLE if ", in all" in title else ()
    return [fact.name, fact.name.replace("_", " "), *([title] if title else []), *whole]


def numbers_in(message: str, *, besides: str) -> Sequence[Decimal]:
    """The numbers in a message that are no part of the name `besides`, each once."""
    spoken = re.escape(besides).replace("_", r"[_\s]")
    left = re.sub(rf"(?<!\w){spoken}(?!\w)", " ", message, flags=re.IGNORECASE)
    found = []
    for digits, times in _NUMBER.findall(left):
        number = Decimal(digits.replace(",", ""))
        if times:
            number = (number * _TIMES[times.lower()]).normalize()
        found.append(number)
    return list(dict.fromkeys(found))


def mode_in(words: str) -> Mode | None:
    """The mode that whole words ask for; None: none, or both."""
    said = set(normal(words).split())
    if "make sure" in normal(words) or "verify you have" in normal(words):
        said -= {"verify"}
    proof, explore = bool(said & _PROOF), bool(said & _EXPLORE)
    if proof == explore:
        return None
    return "proof" if proof else "exploratory"
