"""The way in: one line of JSON comes in, and one goes out. Begun with a kind of job, it first loads what that needs."""

import sys
from pathlib import Path
from types import ModuleType


def _begin() -> None:
    """Make this package known by its name without running the packages that it lies in: they load the whole house."""
    here = Path(__file__).resolve().parent
    for name, folder in (("softrail", here.parents[1]), ("softrail.plans", here.parent)):
        outer = ModuleType(name)
        outer.__path__ = [str(folder)]
        sys.modules[name] = outer
    from softrail.plans.child.serving import serve

    serve(*sys.argv[1:])


if __name__ == "__main__":
    _begin()
