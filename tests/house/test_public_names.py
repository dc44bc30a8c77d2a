import subprocess
import sys

import softrail


def test_the_public_names_are_few_sorted_and_all_there() -> None:
    assert softrail.__all__ == sorted(softrail.__all__)
    assert len(softrail.__all__) < 34
    for name in softrail.__all__:
        assert getattr(softrail, name) is not None


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
    code = f"import sys, softrail; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
