import subprocess
import sys
from types import ModuleType

import pytest

import softrail
import softrail.plugin


@pytest.mark.parametrize(
    ("door", "most"),
    [
        # One import surface for flows: what a step returns, is given and asks a model with is here, and not in `core`.
        (softrail, 50),
        # What the bundled companion needs besides: it is a plugin like any other, and imports nothing else.
        (softrail.plugin, 102),
    ],
    ids=["softrail", "softrail.plugin"],
)
def test_the_public_names_are_few_sorted_and_all_there(door: ModuleType, most: int) -> None:
    assert door.__all__ == sorted(door.__all__, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert len(door.__all__) < most
    for name in door.__all__:
        assert getattr(door, name) is not None


def test_no_name_has_two_doors() -> None:
    assert set(softrail.__all__) & set(softrail.plugin.__all__) == set()


def test_a_name_that_does_not_exist_is_refused_in_the_usual_way() -> None:
    assert not hasattr(softrail, "Wizard")


def test_importing_softrail_loads_nothing_heavy() -> None:
    heavy = {
        "fastapi",
        "sqlalchemy",
        "anthropic",
        "pydantic_ai",
        "openai",
        "onnxruntime",
        "numpy",
        "transitions",
        "pydantic",
    }
    code = f"import sys, softrail, softrail.plugin; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
