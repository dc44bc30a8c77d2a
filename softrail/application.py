"""Finds the application that the settings name, for everything that runs one: the server, the commands, the tests."""

import difflib
import inspect
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from softrail.bootstrap import build
from softrail.core.errors import SoftrailError
from softrail.settings import Settings, SettingsError, load_settings
from softrail.turns.dispatcher import Dispatcher


def application(settings: Settings | None = None) -> Dispatcher:
    """The dispatcher that `app` names, not started; without one, what `build` makes of these settings.

    Raises:
        SettingsError: What `app` names cannot be found, imported or used; the message says which.
    """
    settings = settings if settings is not None else load_settings()
    return named(settings.app) if settings.app else build(settings)


def settings_of(dispatcher: Dispatcher) -> Settings:
    """The settings the dispatcher was built with; those in force where it was built without."""
    return dispatcher.registry.find_service(Settings) or load_settings()


def named(where: str) -> Dispatcher:
    """The dispatcher at `MODULE:NAME`, or the one that the function there makes; the working folder is looked in first.

    Raises:
        SettingsError: There is none; the message says what is wrong.
    """
    module_name, _, name = (part.strip() for part in where.partition(":"))
    if not (module_name and name) or not all(
        part.isidentifier() for part in where.replace(":", ".").split(".")
    ):
        raise _unusable(where, "write MODULE:NAME, for example shop.app:dispatcher")
    found = _attribute(where, _module(where, module_name), name)
    if isinstance(found, Dispatcher):
        return found
    if inspect.iscoroutinefunction(found):
        raise _unusable(
            where, "it is an async function. Write a plain one: nothing is awaited to build a dispatcher"
        )
    if not callable(found) or _is_asgi(found):
        raise _unusable(
            where,
            f"it is {_kind(found)}, and not a Dispatcher (what softrail.build gives) or a function that makes one",
        )
    return _made(where, found)


def _module(where: str, name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # an installed command has its own folder there, not ours
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise _unusable(
                where, f"there is no module {error.name!r}, neither in {here} nor among what is installed"
            ) from error
        raise _failed(where, f"importing {name} failed", error) from error
    except Exception as error:
        raise _failed(where, f"importing {name} failed", error) from error


def _attribute(where: str, module: ModuleType, name: str) -> Any:
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, [n for n in dir(found) if not n.startswith("_")], n=1)
            hint = f". Did you mean {near[0]!r}?" if near else ""
            raise _unusable(where, f"{module.__name__} has no {name!r}{hint}")
        found = getattr(found, part)
    return found


def _made(where: str, make: Callable[[], Any]) -> Dispatcher:
    try:
        inspect.signature(make).bind()
    except TypeError as error:
        raise _unusable(where, f"it is called without arguments, and that fails: {error}") from error
    except ValueError:
        pass  # it does not tell what it takes
    try:
        made = make()
    except Exception as error:
        raise _failed(where, "calling it failed", error) from error
    if inspect.iscoroutine(made):
        made.close()
        raise _unusable(
            where, "it gives a coroutine. Write a plain function: nothing is awaited to build a dispatcher"
        )
    if not isinstance(made, Dispatcher):
        raise _unusable(where, f"it gave {_kind(made)}, and not a Dispatcher (what softrail.build gives)")
    return made


def _is_asgi(found: object) -> bool:
    """A web application: an instance that is called with a request, and makes no dispatcher."""
    return not inspect.isroutine(found) and not isinstance(found, type) and hasattr(found, "router")


def _kind(found: object) -> str:
    kind = type(found)
    return (
        f"a {kind.__qualname__}"
        if kind.__module__ == "builtins"
        else f"a {kind.__module__}.{kind.__qualname__}"
    )


def _failed(where: str, what: str, error: Exception) -> SettingsError:
    """In one line: the kind of error, its words and where it was raised; of an error of ours its words."""
    if isinstance(error, SoftrailError):
        return _unusable(where, f"{what}: {error.message.rstrip('.')}")
    told = " ".join(str(error).split())
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "importlib" not in f.filename]
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return _unusable(where, f"{what}: {type(error).__name__}{': ' + told if told else ''}{place}")


def _unusable(where: str, why: str) -> SettingsError:
    return SettingsError(
        f"The application {where!r} (setting `app`) is not usable: {why}{'' if why.endswith('?') else '.'}"
    )
