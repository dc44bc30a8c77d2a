"""One folder of versioned texts, read once."""

import hashlib
import re
import tomllib
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from softrail.core.faults import Fault
from softrail.core.ports import PromptText

_FILE: Final = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(\.v(?P<version>[1-9][0-9]{0,5}))?\.txt")
_AREA: Final = re.compile(r"[a-z][a-z0-9_]*")
LIVE: Final = "live.toml"
PUBLISHED: Final = "published.toml"

Folder = Traversable | Path


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """The texts of one folder: `AREA/NAME.vN.txt`, and which version is live.

    Without an entry in `live.toml` the highest version is. A file without `.vN` is version 1.
    """

    texts: dict[str, dict[int, PromptText]] = field(default_factory=dict)
    paths: dict[tuple[str, int], str] = field(default_factory=dict)
    live: dict[str, int] = field(default_factory=dict)
    published: dict[str, str] = field(default_factory=dict)  #: "area/name.vN" to its sha256
    faults: tuple[Fault, ...] = ()

    def get(self, name: str) -> PromptText | None:
        """The live version of that text, if there is one."""
        versions = self.texts.get(name)
        if not versions:
            return None
        return versions.get(self.live.get(name, 0)) or versions[max(versions)]


def read(texts: Folder, settings: Folder) -> Shelf:
    """The texts below `texts`, with `live.toml` and `published.toml` from the folder `settings`.

    Never raises for what people wrote there; whatever cannot be used is in `faults`.
    """
    faults: list[Fault] = []
    found: dict[str, dict[int, PromptText]] = {}
    paths: dict[tuple[str, int], str] = {}
    for area, file in _files(texts, faults):
        match = _FILE.fullmatch(file.name)
        if match is None:
            faults.append(Fault(str(file), 0, "A text is named like greeting.v2.txt, in small letters."))
            continue
        name, version = f"{area}/{match['name']}", int(match["version"] or 1)
        try:
            raw = file.read_bytes()
            text = raw.decode("utf-8").replace("\r\n", "\n").rstrip("\n")
        except (OSError, UnicodeDecodeError) as error:
            faults.append(Fault(str(file), 0, f"The text cannot be read: {error}."))
            continue
        if version in found.setdefault(name, {}):
            faults.append(Fault(str(file), 0, f"Version {version} of {name!r} is there twice."))
            continue
        digest = hashlib.sha256(raw).hexdigest()
        found[name][version] = PromptText(name=name, version=version, text=text, sha256=digest)
        paths[name, version] = str(file)
    live = _table(settings / LIVE, faults)
    published = _table(settings / PUBLISHED, faults)
    return Shelf(
        texts=found,
        paths=paths,
        live=_live(live, str(settings / LIVE), faults),
        published={name: value for name, value in published.items() if isinstance(value, str)},
        faults=tuple(faults),
    )


def _files(texts: Folder, faults: list[Fault]) -> list[tuple[str, Folder]]:
    found: list[tuple[str, Folder]] = []
    for area in sorted(texts.iterdir(), key=lambda entry: entry.name):
        if not area.is_dir() or area.name.startswith((".", "_")):
            continue
        if not _AREA.fullmatch(area.name):
            faults.append(Fault(str(area), 0, "A folder of texts is named in small letters."))
            continue
        try:
            files = sorted(area.iterdir(), key=lambda entry: entry.name)
        except OSError as error:
            faults.append(Fault(str(area), 0, f"The folder cannot be read: {error}."))
            continue
        for file in files:
            if file.name.endswith(".txt") and file.is_file():
                found.append((area.name, file))
    return found


def _table(file: Folder, faults: list[Fault]) -> dict[str, Any]:
    """A TOML file of areas, flattened to `area/name`."""
    if not file.is_file():
        return {}
    try:
        areas = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        faults.append(Fault(str(file), _line_in(str(error)), f"It cannot be read: {error}."))
        return {}
    return {
        f"{area}/{name}": value
        for area, names in areas.items()
        if isinstance(names, dict)
        for name, value in names.items()
    }


def _line_in(message: str) -> int:
    found = re.search(r"line (\d+)", message)
    return int(found[1]) if found else 0


def _live(table: dict[str, Any], path: str, faults: list[Fault]) -> dict[str, int]:
    live: dict[str, int] = {}
    for name, entry in table.items():
        version = entry.get("version") if isinstance(entry, dict) else None
        if isinstance(version, int) and not isinstance(version, bool):
            live[name] = version
        else:
            faults.append(Fault(path, 0, f"{name} needs an entry like {{ version = 2 }}."))
    return live
