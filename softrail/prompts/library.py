"""Every text of the application, found by name; an operator's folder may replace any of them."""

import difflib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from softrail.core.errors import DefinitionError
from softrail.core.faults import Fault
from softrail.core.ports import PromptText
from softrail.prompts.shelf import LIVE, PUBLISHED, Folder, Shelf, read
from softrail.prompts.template import Template, template


class Library:
    """Texts by name, the operator's before the bundled ones. Implements the `Prompts` promise.

    Read once, when made: a turn never sees two versions of one text.
    """

    def __init__(self, *, overrides: Path | None = None, bundled: Folder | None = None) -> None:
        home = bundled if bundled is not None else files("softrail.prompts")
        self._home = home
        self._bundled = read(home / "texts", home) if bundled is not None else _installed()
        self._folder = overrides if overrides is not None else home
        self._overrides = read(overrides, overrides) if overrides is not None else Shelf()
        self._live: dict[str, tuple[PromptText, Template]] = {}
        for shelf in (self._bundled, self._overrides):
            for name in shelf.texts:
                text = shelf.get(name)
                if text is not None:
                    self._live[name] = (text, template(text.text))

    def get(self, name: str) -> PromptText | None:
        """The live version of an asset; None when there is no such asset."""
        found = self._live.get(name)
        return found[0] if found else None

    def names(self) -> list[str]:
        """Every asset there is."""
        return sorted(self._live)

    def render(self, name: str, default: str | None = None, /, **values: str) -> str:
        """The asset's text with every `{name}` filled once; `default` stands in where there is no asset.

        Raises DefinitionError, naming the asset and its version, for a missing and for an unused value.
        """
        found = self._live.get(name)
        if found is not None:
            text, ready = found
            return ready.fill(f"{name!r} v{text.version}", values)
        if default is None:
            near = difflib.get_close_matches(name, self._live, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise DefinitionError(
                f"There is no prompt {name!r} and no default text for it.{hint}", prompt=name
            )
        return template(default).fill(f"{name!r} (default text)", values)

    def check(self, defaults: Mapping[str, str] | None = None) -> list[Fault]:
        """What is wrong with the texts: file, line, reason.

        `defaults` are the sentences that code uses where there is no file; a file that replaces one must have
        the same places, or the turn that needs it would fail.
        """
        faults = [*self._bundled.faults, *self._overrides.faults]
        faults += _unlisted(self._bundled, self._home)
        if self._folder is not self._home and (self._folder / PUBLISHED).is_file():
            faults += _changed(self._overrides, self._folder)
        for shelf, home in ((self._bundled, self._home), (self._overrides, self._folder)):
            faults += _missing_versions(shelf, home)
        for name, default in (defaults or {}).items():
            if name in self._overrides.texts:
                faults += self._other_places(name, Template(default).places)
        for name in self._overrides.texts:
            bundled = self._bundled.get(name)
            if bundled is not None:
                faults += self._other_places(name, Template(bundled.text).places)
        return sorted(set(faults))

    def _other_places(self, name: str, wanted: frozenset[str]) -> list[Fault]:
        text = self._overrides.get(name)
        if text is None:
            return []
        path = self._overrides.paths[name, text.version]
        faults = []
        for place in sorted(Template(text.text).places ^ wanted):
            line = next((n for n, row in enumerate(text.text.split("\n"), 1) if f"{{{place}}}" in row), 0)
            why = "is not filled here" if line else "is missing"
            faults.append(Fault(path, line, f"The place {{{place}}} {why}."))
        return faults


@cache
def _installed() -> Shelf:
    """The texts of the package, which do not change while it runs."""
    home = files("softrail.prompts")
    return read(home / "texts", home)


def _missing_versions(shelf: Shelf, home: Folder) -> list[Fault]:
    faults = []
    for name, version in shelf.live.items():
        if version not in shelf.texts.get(name, {}):
            known = ", ".join(str(v) for v in sorted(shelf.texts.get(name, {}))) or "none"
            why = f"{name} v{version} is live, but there is no such file. Versions: {known}."
            faults.append(Fault(str(home / LIVE), 0, why))
    return faults


def _unlisted(shelf: Shelf, home: Folder) -> list[Fault]:
    """Every bundled text has a live version, and is listed with its hash."""
    without = [name for name in shelf.texts if name not in shelf.live]
    faults = [Fault(str(home / LIVE), 0, f"{name} has no live version.") for name in without]
    return faults + _changed(shelf, home)


def _changed(shelf: Shelf, home: Folder) -> list[Fault]:
    """A published text never changes: each is listed with its hash."""
    faults = []
    for name, versions in shelf.texts.items():
        for version, text in versions.items():
            listed = shelf.published.get(f"{name}.v{version}")
            path = shelf.paths[name, version]
            if listed is None:
                faults.append(Fault(path, 0, f"It is not in {PUBLISHED}: add its sha256 {text.sha256}."))
            elif listed != text.sha256:
                faults.append(
                    Fault(path, 0, f"A published text has changed. Put it back and write v{version + 1}.")
                )
    listed_files = {f"{name}.v{version}" for name, version in shelf.paths}
    for entry in sorted(shelf.published.keys() - listed_files):
        faults.append(Fault(str(home / PUBLISHED), 0, f"{entry} was published, but its file is gone."))
    return faults
