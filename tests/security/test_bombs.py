"""Plans as text that are made to take much: each is refused, with its place, before it takes anything."""

import pytest

from softrail import Actions
from softrail.plans.reading import PlanInvalid, read_plan

ALIASES = "a0: &a0 [x, x]\n" + "".join(
    f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]\n" for at in range(1, 10)
)
BOMBS = {
    "aliases of aliases": (ALIASES, "line 2, column 10"),
    "fifty megabytes": ("a: " + "x" * 50_000_000, ""),
    "a type by its name": ("problem: !!python/object/apply:os.system ['true']", "line 1, column 10"),
    "lists in lists": ("[" * 6000, "line 1, column 13"),
    "mappings in mappings": ("{a: " * 2900, "line 1, column 49"),
    "closed ones": ("{" * 5900 + "}" * 5900, "line 1, column 13"),
    "dashes": ("- " * 5900, "line 1, column 25"),
    "keys of keys": ("? " * 5900, "line 1, column 25"),
    "blocks in blocks": ("".join(" " * at + "a:\n" for at in range(140)), "line 13, column 13"),
    "itself": ("&a [*a]", "line 1, column 5"),
    "a name twice": ("problem: a\nproblem: b", "line 2, column 1"),
    "a key that is a list": ("? [a, b]\n: c", "line 1, column 3"),
    "a number without end": ("problem: " + "9" * 11_000, ""),
    "a day that is none": ("problem: 2001-99-99", ""),
    "nothing": ("#" * 11_900, ""),
    "NUL": ("problem: \0", ""),
}


@pytest.mark.parametrize(("text", "where"), [pytest.param(*one, id=name) for name, one in BOMBS.items()])
def test_a_plan_that_is_a_bomb_is_refused_with_its_place(text: str, where: str) -> None:
    with pytest.raises(PlanInvalid) as refused:
        read_plan(text, Actions({}))

    (fault,) = refused.value.details["fields"]
    assert fault["field"] == where
    assert len(fault["reason"]) < 200
