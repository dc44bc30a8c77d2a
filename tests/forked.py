"""Processes that begin where everything is imported: real ones, forked from a process that does nothing else.

A server takes more than a second of processor time to import what it needs, and a test that kills six of them is not
about that. How a server or a command starts as people start it is tested where that is the question.

    python -m tests.forked FD KIND      waits on that socket for what to begin; it ends with whoever holds the other end

It has imported what servers need, or what processes for data do: those have no module of ours, and no variable.
"""

import atexit
import contextlib
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from types import ModuleType
from typing import Final, Literal, NamedTuple, NoReturn

ROOT: Final = Path(__file__).resolve().parents[1]
COMMAND_LINE: Final = "softrail"  #: what to begin, where it is the command line and no module
DATA: Final = (
    ROOT / "softrail" / "plans" / "child" / "__main__.py"
)  #: the same, where it is a process for data
SOFTRAIL: Final = (sys.executable, "-c", "from softrail.cli import app; app()")
_LONGEST = 1 << 20  #: bytes of what is asked for
_GONE = 30.0  #: seconds in which a thread that has ended is gone
_UNKNOWN = 10_000  #: a status that no process has: whoever knew it is gone
_ASKING = threading.Lock()  #: one at a time: the answer is to what was asked last


class Forked:
    """A process that was begun by the one that has everything; it is asked and ended like a `subprocess.Popen`."""

    def __init__(self, pid: int, ends: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.ends = ends  #: where its status is written once it has ended

    def __del__(self) -> None:
        if self.ends >= 0:
            os.close(self.ends)

    def poll(self) -> int | None:
        """Its status if it has ended."""
        return self._heard(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Its status, as soon as it has ended.

        Raises:
            subprocess.TimeoutExpired: It did not end in that many seconds.
        """
        status = self._heard(timeout)
        if status is None:
            raise subprocess.TimeoutExpired([str(self.pid)], timeout or 0.0)
        return status

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _heard(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            with selectors.DefaultSelector() as waiting:
                waiting.register(self.ends, selectors.EVENT_READ)
                if waiting.select(timeout):
                    self.returncode = int(os.read(self.ends, 64) or _UNKNOWN)
                    os.close(self.ends)
                    self.ends = -1
        return self.returncode


Process = Forked | subprocess.Popen[bytes]


def begun(
    module: str,
    *words: str,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    stdin: int | None = None,
    stdout: int = 1,
    stderr: int = 2,
    alone: bool = False,
    as_people_do: bool = False,
) -> Process:
    """Run a module as `python -m` does, or the command line, in a process of its own; `alone`: in a group of its own.

    It reads nothing, and writes where this process does, unless it is told otherwise. The first one takes seconds.
    With `as_people_do`, and where a fork is not to be trusted, it imports everything itself.
    """
    if as_people_do or sys.platform != "linux":
        return subprocess.Popen(
            [*(SOFTRAIL if module == COMMAND_LINE else (sys.executable, "-m", module)), *words],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=alone,
        )
    asked = {
        "module": module,
        "words": words,
        "cwd": str(cwd),
        "env": dict(os.environ if env is None else env),
        "alone": alone,
    }
    with open(os.devnull, "rb") as nothing:
        return _forked("servers", asked, nothing.fileno() if stdin is None else stdin, stdout, stderr)


class Ran(NamedTuple):
    """What came of a command."""

    status: int
    stdout: str
    stderr: str


def ran(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    said: str = "",
    limit: float = 300.0,
) -> Ran:
    """Run `softrail` or pytest to its end, as `begun` begins it, and type that in the terminal."""
    if tuple(command[:3]) == SOFTRAIL:
        return finished(COMMAND_LINE, *command[3:], cwd=cwd, env=env, said=said, limit=limit)
    words = command[command.index("pytest") + 1 :]  # all is imported, so its asserts stay plain
    return finished("pytest", "--assert=plain", *words, cwd=cwd, env=env, said=said, limit=limit)


def finished(
    module: str,
    *words: str,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    said: str = "",
    limit: float | None = None,
) -> Ran:
    """Run a module to its end, as `begun` begins it, and give it that to read."""
    with TemporaryFile("w+") as typed, TemporaryFile("w+") as printed, TemporaryFile("w+") as wrong:
        typed.write(said)
        typed.seek(0)
        process = begun(
            module,
            *words,
            cwd=cwd,
            env=env,
            stdin=typed.fileno(),
            stdout=printed.fileno(),
            stderr=wrong.fileno(),
        )
        try:
            status = process.wait(limit)
        finally:
            process.kill()
        for written in (printed, wrong):
            written.seek(0)
        return Ran(status, printed.read(), wrong.read())


def begun_for_data(*words: str, folder: str, environment: Mapping[str, str], talks: int) -> Forked:
    """A process for data, in a group of its own, that reads and says everything on that one socket; on Linux alone."""
    asked = {"module": str(DATA), "words": words, "cwd": folder, "env": dict(environment), "alone": True}
    with open(os.devnull, "r+b") as nothing:
        return _forked("data", asked, talks, talks, nothing.fileno())


def _forked(kind: "_Kind", asked: Mapping[str, object], *streams: int) -> Forked:
    ends, told = os.pipe()
    try:
        with _ASKING:
            there = _mother(kind)
            socket.send_fds(there, [json.dumps(asked).encode()], [*streams, told])
            return Forked(int(there.recv(64)), ends)
    finally:
        os.close(told)


_Kind = Literal["servers", "data"]


@cache
def _mother(kind: _Kind) -> socket.socket:
    """The end of the socket at which it is asked; it is begun when the first process of its kind is wanted."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        number = str(theirs.fileno())
        alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SOFTRAIL_")}
        path = os.pathsep.join(map(str, (ROOT, *sys.path)))
        mother = subprocess.Popen(
            [
                sys.executable,
                *(("-I", "-B", __file__) if kind == "data" else ("-m", "tests.forked")),
                number,
                kind,
            ],
            cwd=ROOT,
            env=alone if kind == "data" else {**kept, **alone, "PYTHONPATH": path},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def ended() -> None:
        ours.close()
        mother.wait()

    atexit.register(ended)
    return ours


# -- in the process that has everything


class _Mother:
    """Begins what it is asked for, and tells of each when it ends. It has one thread and no other work."""

    def __init__(self, asked: socket.socket) -> None:
        self._asked = asked
        self._children: dict[int, int] = {}  #: where the status of each is to be written

    def serve(self) -> None:
        """Until nobody holds the other end any more; whoever is left then is ended."""
        with selectors.DefaultSelector() as waiting:
            woken, wakes = os.pipe()
            for end in (woken, wakes):
                os.set_blocking(end, False)
            signal.set_wakeup_fd(wakes)
            signal.signal(signal.SIGCHLD, lambda number, frame: None)
            waiting.register(woken, selectors.EVENT_READ)
            waiting.register(self._asked, selectors.EVENT_READ)
            while True:
                for key, _ in waiting.select():
                    if key.fd == woken:
                        os.read(woken, 4096)
                        self._bury()
                    elif not self._begin():
                        for pid in self._children:
                            os.kill(pid, signal.SIGKILL)
                        return

    def _bury(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            told = self._children.pop(pid)
            with contextlib.suppress(BrokenPipeError):  # nobody wants to know
                os.write(told, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(told)

    def _begin(self) -> bool:
        asked, numbers, _, _ = socket.recv_fds(self._asked, _LONGEST, 4)
        if not asked:
            return False
        *streams, told = numbers
        pid = os.fork()
        if pid == 0:
            os.close(told)
            for other in self._children.values():
                os.close(other)
            self._asked.close()
            _become(streams, **json.loads(asked))
        for stream in streams:
            os.close(stream)
        self._children[pid] = told
        self._asked.send(str(pid).encode())
        return True


def _become(
    streams: Sequence[int], module: str, words: Sequence[str], cwd: str, env: dict[str, str], alone: bool
) -> NoReturn:
    """Be what was asked for, and end with its status."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if alone:
        os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    if module != str(DATA):
        first = (cwd, *filter(None, env.get("PYTHONPATH", "").split(os.pathsep)))
        sys.path[:] = dict.fromkeys((*first, *sys.path[1:]))
    sys.argv = [module, *words]
    status = _ended(_main_of(module))
    for written in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            written.flush()
    os._exit(status)


def _main_of(module: str) -> Callable[[], object]:
    if module == COMMAND_LINE:
        from softrail.cli import app

        return app
    if module == str(DATA):
        return lambda: runpy.run_path(module, run_name="__main__")
    return lambda: runpy.run_module(module, run_name="__main__", alter_sys=True)


def _ended(main: Callable[[], object]) -> int:
    """The status that the interpreter would end with."""
    try:
        main()
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _is_one_thread() -> bool:
    """The kernel knows of no other thread: one that has ended for Python goes a moment later, or more on a busy machine."""
    return len(list(Path("/proc/self/task").iterdir())) == 1


def _import_for_data() -> None:
    """What reads files and asks DuckDB, under the names that it has in such a process."""
    for name, folder in (("softrail", ROOT / "softrail"), ("softrail.plans", ROOT / "softrail" / "plans")):
        outer = ModuleType(name)
        outer.__path__ = [str(folder)]
        sys.modules[name] = outer
    for name in ("serving", "asking", "drawing", "pages", "reading.delimited", "reading.workbooks"):
        with contextlib.suppress(ImportError):  # not every machine has all of them
            import_module(f"softrail.plans.child.{name}")


def _import_for_servers() -> None:
    """What servers and workers import, and what they load or compute: small models, heads, forms of words and of requests."""
    for name in ("uvicorn", "uvloop", "alembic.command", "softrail.cli", "softrail.api.serving"):
        with contextlib.suppress(ImportError):  # not every machine has all of them
            import_module(name)
    from softrail.api import create_app
    from softrail.bootstrap import build, plugin_tables
    from softrail.language import language
    from softrail.settings import Settings
    from softrail.store import MemoryStore
    from tests.fitted import fit_what_is_bundled

    language().ready()
    fit_what_is_bundled()
    chosen = Settings(database_url="sqlite://", model="plain")
    create_app(build(chosen, store=MemoryStore(plugins=plugin_tables(discover=False))), chosen)


if __name__ == "__main__":
    end = socket.socket(fileno=int(sys.argv[1]))
    {"servers": _import_for_servers, "data": _import_for_data}[sys.argv[2]]()
    gc.collect()
    for thread in threading.enumerate():  # those that have nothing to do any more
        if thread is not threading.current_thread():
            thread.join()
    gc.freeze()  # what is looked through is copied
    until = time.monotonic() + _GONE
    while not _is_one_thread() and time.monotonic() < until:
        time.sleep(0.005)
    assert _is_one_thread(), "a thread would be missing in each of them"
    _Mother(end).serve()
    os._exit(0)  # what libraries say at their end is nobody's
