"""A disk that remembers what SQLite asked of it and in which order, and what may be left of it after its power is gone.

What was written since a file was last synced may be there or not, each write for itself, or a part of one. What is left
is taken from the record: nothing is cut off, and any moment can be looked at.
"""

import ctypes
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from ctypes.util import find_library
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple

SECTOR: Final = 512  #: bytes that are written together
OK: Final = 0

# Names are passed on where they are: SQLite keeps the address of the one that it opens.
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class _Methods(Structure):
    """What can be asked of a file that is open: `sqlite3_io_methods`."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", _Write),
        ("truncate", _Truncate),
        ("sync", _Sync),
        ("others", c_void_p * 13),
    )


class _Vfs(Structure):
    """A way to files: `sqlite3_vfs`."""

    _fields_ = (
        ("version", c_int),
        ("size_of_file", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("app_data", c_void_p),
        ("open", _Open),
        ("delete", _Delete),
        ("others", c_void_p * 14),
    )


class Act(NamedTuple):
    """Something that was asked of a file, or, without a file, something that somebody was told."""

    kind: Literal["write", "truncate", "sync", "delete", "told"]
    file: str = ""
    at: int = (
        0  #: where it was written, the new length, or how much of the record was there when the sync began
    )
    what: Any = b""


class Disk:
    """The record of everything that happens to the files of a folder while it is `recording`."""

    def __init__(self, folder: Path) -> None:
        self.acts: list[Act] = []
        self._prefix = f"{folder}/"
        self._kept: list[_Recording] = []  #: files may be open for longer than it is recorded
        self._before = {str(path): path.read_bytes() for path in folder.iterdir()}

    def told(self, what: object) -> None:
        """Somebody was told that something is so: from now on it has to be."""
        self.acts.append(Act("told", what=what))

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Within the block whatever is opened is recorded."""
        library = _library()
        usual = library.sqlite3_vfs_find(None)
        ours = _Recording(usual.contents, self)
        self._kept.append(ours)
        library.sqlite3_vfs_register(byref(ours.vfs), 1)
        try:
            yield
        finally:
            library.sqlite3_vfs_register(usual, 1)
            library.sqlite3_vfs_unregister(byref(ours.vfs))

    def note(self, act: Act) -> None:
        """It was done."""
        if act.file.startswith(self._prefix) and not act.file.endswith("-shm"):
            self.acts.append(act)

    def left(self, moments: Sequence[int], rng: Random) -> Iterator["Left"]:
        """What is left when the power goes before each of those acts, in their order."""
        files = {name: _File(bytearray(content)) for name, content in self._before.items()}
        told, at = list[Any](), 0
        for moment in moments:
            for n, act in enumerate(self.acts[at:moment], at):
                if act.kind == "told":
                    told.append(act.what)
                else:
                    files.setdefault(act.file, _File(None)).do(n, act)
            at = moment
            for chance in (0.0, rng.random()):  # first nothing that was not synced
                found = {Path(name).name: file.left(chance, rng) for name, file in files.items()}
                yield Left(moment, {name: it for name, it in found.items() if it is not None}, tuple(told))


@dataclass(frozen=True)
class Left:
    """Files as they are found afterwards, and what somebody had been told by then."""

    moment: int
    files: Mapping[str, bytes]
    told: Sequence[Any]

    def put(self, folder: Path) -> None:
        """Lay them there, and nothing else."""
        for path in folder.iterdir():
            path.unlink()
        for name, content in self.files.items():
            (folder / name).write_bytes(content)


@dataclass
class _File:
    """What is safe of a file, None where there is none, and what was asked since it was synced."""

    safe: bytearray | None
    asked: list[tuple[int, Act]] = field(default_factory=list)

    def do(self, n: int, act: Act) -> None:
        """The n-th act of the record."""
        if act.kind != "sync":
            self.asked.append((n, act))
            return
        while self.asked and self.asked[0][0] < act.at:
            self.safe = _done(self.safe, self.asked.pop(0)[1])
        self.safe = bytearray() if self.safe is None else self.safe

    def left(self, chance: float, rng: Random) -> bytes | None:
        """Each of what was asked since has happened by that chance, a write sector by sector."""
        found = None if self.safe is None else bytearray(self.safe)
        for _, act in self.asked:
            for part in _parts(act):
                if rng.random() < chance:
                    found = _done(found, part)
        return None if found is None else bytes(found)


def _parts(act: Act) -> Iterator[Act]:
    if act.kind != "write":
        yield act
        return
    for start in range(0, len(act.what), SECTOR):
        yield act._replace(at=act.at + start, what=act.what[start : start + SECTOR])


def _done(content: bytearray | None, act: Act) -> bytearray | None:
    if act.kind == "delete":
        return None
    content = bytearray() if content is None else content
    if act.kind == "truncate":
        del content[act.at :]
        return content
    if len(content) < act.at:
        content.extend(bytes(act.at - len(content)))
    content[act.at : act.at + len(act.what)] = act.what
    return content


class _Recording:
    """SQLite's usual way to files, that tells of what is written, cut, synced and removed once that is done."""

    def __init__(self, usual: _Vfs, disk: Disk) -> None:
        self.vfs = _Vfs.from_buffer_copy(usual)
        self.vfs.name = b"recording"
        self._usual = usual
        self._disk = disk
        self._open: dict[int, str] = {}  #: the name of each open file by where it is in memory
        self._methods: dict[int, tuple[_Methods, _Methods]] = {}  #: theirs and ours
        self.vfs.open = _Open(self._opened)
        self.vfs.delete = _Delete(self._deleted)

    def _opened(self, vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        code = int(self._usual.open(vfs, name, file, flags, out))
        if code == OK and name is not None:
            self._open[file] = ctypes.string_at(name).decode()
            place = c_void_p.from_address(file)
            assert place.value is not None
            place.value = ctypes.addressof(self._over(place.value))
        return code

    def _over(self, address: int) -> _Methods:
        if address not in self._methods:
            theirs = _Methods.from_address(address)
            ours = _Methods.from_buffer_copy(theirs)
            self._methods[address] = theirs, ours
            ours.write = _Write(lambda *asked: self._written(theirs, *asked))
            ours.truncate = _Truncate(lambda *asked: self._cut(theirs, *asked))
            ours.sync = _Sync(lambda *asked: self._synced(theirs, *asked))
        return self._methods[address][1]

    def _written(self, theirs: _Methods, file: int, data: int, size: int, at: int) -> int:
        code = int(theirs.write(file, data, size, at))
        if code == OK:
            self._disk.note(Act("write", self._open[file], at, ctypes.string_at(data, size)))
        return code

    def _cut(self, theirs: _Methods, file: int, size: int) -> int:
        code = int(theirs.truncate(file, size))
        if code == OK:
            self._disk.note(Act("truncate", self._open[file], size))
        return code

    def _synced(self, theirs: _Methods, file: int, flags: int) -> int:
        begun = len(self._disk.acts)
        code = int(theirs.sync(file, flags))
        if code == OK:
            self._disk.note(Act("sync", self._open[file], begun))
        return code

    def _deleted(self, vfs: int, name: int, sync: int) -> int:
        gone = ctypes.string_at(name).decode()
        code = int(self._usual.delete(vfs, name, sync))
        if code == OK:
            self._disk.note(Act("delete", gone))
        return code


def unreachable() -> str:
    """Why the SQLite that Python uses cannot be reached from here; nothing when it can."""
    name = find_library("sqlite3")
    library = ctypes.CDLL(name) if name else None
    if library is None or not hasattr(library, "sqlite3_vfs_register"):
        return "Python has an SQLite inside of it."
    library.sqlite3_libversion.restype = c_char_p
    here = library.sqlite3_libversion().decode()
    return "" if here == sqlite3.sqlite_version else f"Python has an SQLite of its own, not {here}."


def _library() -> Any:
    """The SQLite that Python uses. Raises OSError where it cannot be reached."""
    if why := unreachable():
        raise OSError(why)
    library = ctypes.CDLL(find_library("sqlite3"))
    library.sqlite3_vfs_find.restype = POINTER(_Vfs)
    library.sqlite3_vfs_find.argtypes = (c_char_p,)
    library.sqlite3_vfs_register.argtypes = (c_void_p, c_int)
    library.sqlite3_vfs_unregister.argtypes = (c_void_p,)
    return library
