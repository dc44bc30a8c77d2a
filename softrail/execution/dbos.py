"""The one door to DBOS: one workflow for each wake, and the engines of this process that are handed them.

Every method of `Door` blocks; none is called on an event loop. What DBOS is told, and stores, is the kind and the id of a run.
A process has one DBOS, so its engines share it.
"""

import asyncio
import logging
import threading
from collections.abc import Collection, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit

from dbos import DBOS, DBOSClient, EnqueueOptions, WorkflowSerializationFormat
from dbos import error as errors

from softrail.core.errors import DefinitionError
from softrail.execution.wakes import OpenWake, Wake

log = logging.getLogger(__name__)

NAME: Final = "softrail"  #: of the application, as DBOS calls it
WORKFLOW: Final = "softrail.drive"
#: The form of a wake, which DBOS takes for the version of the application: a worker is handed those of its own form
#: alone. It is not the version of Softrail, so that the wakes of one release are there for the next.
FORM: Final = "1"
WAITING: Final = ("ENQUEUED", "DELAYED")
BEGUN: Final = "PENDING"
OVER: Final = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
#: Connections of a worker beside those of the store: for workflows, of which one listens, and for wakes.
CONNECTIONS: Final = 4
CONNECT_WITHIN: Final = 10  #: seconds


class Engine(Protocol):
    """What is handed wakes."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Where it lives."""
        ...

    def fits(self, kind: str, run_id: str) -> int:
        """How well a run belongs there; less than 0: not at all."""
        ...

    async def take(self, wake: Wake) -> None:
        """See to it; over when nothing is left to do for it there."""
        ...


def queue_of(kind: str) -> str:
    """The queue of a kind of work; a worker listens to those of its own kinds."""
    return f"{NAME}-{kind}"


#: Parameters of an address that the other driver would take for a fault.
_OF_ASYNCPG: Final = frozenset(
    {"prepared_statement_cache_size", "prepared_statement_name_func", "command_timeout"}
)


def psycopg_url(url: str) -> str:
    """The same address for the driver that DBOS brings along, which calls some things otherwise."""
    scheme, where, path, query, _ = urlsplit(url)
    asked = {
        ("sslmode" if name == "ssl" else name): value
        for name, value in parse_qsl(query)
        if name not in _OF_ASYNCPG
    }
    asked.setdefault("connect_timeout", str(CONNECT_WITHIN))
    # By hand: of an address by a socket `urlunsplit` leaves the slashes out.
    return f"{scheme.partition('+')[0]}://{where}{path}?{urlencode(asked)}"


@dataclass
class _Process:
    """What DBOS is in this process, for all its engines."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    engines: list[Engine] = field(default_factory=list)
    bound: tuple[str, str, Collection[str]] | None = None
    registered: bool = False

    def best(self, kind: str, run_id: str) -> Engine | None:
        """The engine where a run belongs."""
        fits = [(one.fits(kind, run_id), one) for one in list(self.engines)]
        best = max(fits, key=lambda one: one[0], default=None)
        return best[1] if best is not None and best[0] >= 0 else None


_here: Final = _Process()


async def _drive(kind: str, run_id: str, woken: bool, failures: int) -> None:
    """The workflow. It never raises: DBOS would store what the error says."""
    engine = _here.best(kind, run_id)
    if engine is None:
        log.warning("Nobody here drives %r any more; run %s is found by whoever does.", kind, run_id)
        return
    taken: Coroutine[Any, Any, None] = engine.take(
        Wake(kind=kind, run_id=run_id, woken=woken, failures=failures)
    )
    try:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(taken, engine.loop))
    except Exception as error:
        taken.close()
        log.error("Run %s of %r was not taken up.", run_id, kind, exc_info=error)


class Door:
    """DBOS as one engine sees it.

    Args:
        url: The PostgreSQL database.
        schema: Where the tables of DBOS are, beside ours.
        kinds: Of the works that are driven here.
        at_once: Wakes of a kind that a worker is handed at the same time.
        every: Seconds between two looks of a worker for wakes.
    """

    def __init__(self, url: str, schema: str, kinds: Collection[str], *, at_once: int, every: float) -> None:
        self._url = psycopg_url(url)
        self._schema = schema
        self._kinds = sorted(kinds)
        self._at_once = at_once
        self._every = every
        self._client: DBOSClient | None = None
        self._closed = False

    def open(self, engine: Engine, name: str) -> None:
        """Begin to hand wakes to the engine; the first one in a process starts DBOS, as the executor `name`.

        Raises:
            DefinitionError: There is another DBOS in this process.
        """
        bound = (self._url, self._schema, self._kinds)
        with _here.lock:
            if self._closed:
                raise RuntimeError("It was closed while it was opened.")
            if _here.bound is None:
                self._launch(name)
                _here.bound = bound
            elif _here.bound != bound:
                raise DefinitionError(
                    "One process can have one DBOS: two applications in it with engine='dbos' have to be over the same "
                    "database, with the same kinds of work."
                )
            if engine not in _here.engines:
                _here.engines.append(engine)
        if self._client is None:
            # Not DBOS itself, whose calls wait for a database that is away, without an end.
            self._client = DBOSClient(
                system_database_url=self._url,
                dbos_system_schema=self._schema,
                system_database_pool_size=1,
                application_name=NAME,
                retry_connection_errors=False,
                lazy=True,
            )

    def _launch(self, name: str) -> None:
        if _somebody_elses():
            raise DefinitionError(
                "There is a DBOS in this process already, and one process can have one: run Softrail in processes of its "
                "own, or with SOFTRAIL_ENGINE=embedded."
            )
        quiet = logging.getLogger("dbos")
        if not quiet.handlers:
            quiet.addHandler(
                logging.NullHandler()
            )  # or it writes to the console, past the log that was asked for
        if not _here.registered:
            DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(_drive)
            _here.registered = True
        queues = [queue_of(kind) for kind in self._kinds]
        try:
            DBOS(
                config={
                    "name": NAME,
                    "system_database_url": self._url,
                    "dbos_system_schema": self._schema,
                    "sys_db_pool_size": CONNECTIONS,
                    "application_version": FORM,
                    "executor_id": name,
                    "log_level": "WARNING",  # below it tells of itself
                }
            )
            DBOS.listen_queues(queues)
            DBOS.launch()
            for queue in queues:
                DBOS.register_queue(
                    queue,
                    worker_concurrency=self._at_once,
                    polling_interval_sec=self._every,
                    on_conflict="always_update",
                )
        except BaseException:
            DBOS.destroy()
            raise

    def close(self, engine: Engine) -> None:
        """Hand nothing to the engine any more; the last one in a process ends DBOS with its threads."""
        with _here.lock:
            self._closed = True
            if _here.engines == [engine]:
                # While the engine is still there, and puts back what it is handed. In that second the threads that hand
                # out wakes end; without it DBOS closes the loop under their feet, and drops what they hold.
                DBOS.destroy(workflow_completion_timeout_sec=1)
                _here.bound = None
            if engine in _here.engines:
                _here.engines.remove(engine)
        if self._client is not None:
            self._client.destroy()
            self._client = None

    # -- wakes

    def put(self, wake: Wake, unique: str, *, delay: float | None = None, once: bool = False) -> None:
        """Have a run seen to by a worker that has a place for it.

        Args:
            wake: Which run, and what is known of it.
            unique: Told apart by this from other wakes of the run.
            delay: Not before so many seconds.
            once: Not if another one that was put like this waits already.
        """
        options: EnqueueOptions = {
            "workflow_name": WORKFLOW,
            "queue_name": queue_of(wake.kind),
            "workflow_id": f"{_prefix(wake.kind, wake.run_id)}{unique}",
            "app_version": FORM,
            "serialization_type": WorkflowSerializationFormat.PORTABLE,  # readable for whoever looks, and no pickle
        }
        if delay is not None:
            options["delay_seconds"] = delay
        if once:
            options["deduplication_id"] = _prefix(wake.kind, wake.run_id)
        try:
            self._opened().enqueue(options, wake.kind, wake.run_id, wake.woken, wake.failures)
        except errors.DBOSQueueDeduplicatedError:
            if not once:
                raise

    def open_wakes(self, kind: str, run_ids: Sequence[str] | None = None) -> Sequence[OpenWake]:
        """The wakes of a kind, or of these runs of it, that are not over."""
        prefixes = None if run_ids is None else [_prefix(kind, one) for one in run_ids]
        found = self._opened().list_workflows(
            status=[*WAITING, BEGUN],
            queue_name=queue_of(kind),
            app_version=FORM,
            workflow_id_prefix=prefixes,
            load_input=False,
            load_output=False,
        )
        wakes: list[OpenWake] = []
        for one in found:
            run_id = one.workflow_id.removeprefix(f"{kind}:").rpartition(":")[0]
            wakes.append(
                OpenWake(
                    id=one.workflow_id,
                    run_id=run_id,
                    begun=one.status == BEGUN,
                    delayed=one.status == "DELAYED",
                )
            )
        return wakes

    def resume(self, kind: str, wakes: Collection[OpenWake]) -> None:
        """Have wakes that a dead worker was handed handed to a living one."""
        if wakes:
            self._opened().resume_workflows([one.id for one in wakes], queue_name=queue_of(kind))

    def forget(self, before: datetime, limit: int) -> int:
        """Delete wakes that were over by then, so many at most; how many."""
        over = self._opened().list_workflows(
            status=list(OVER),
            queue_name=[queue_of(kind) for kind in self._kinds],
            completed_before=before.isoformat(),
            limit=limit,
            load_input=False,
            load_output=False,
        )
        if over:
            self._opened().delete_workflows([one.workflow_id for one in over])
        return len(over)

    def _opened(self) -> DBOSClient:
        if self._client is None:
            raise RuntimeError("DBOS is closed.")
        return self._client


def _prefix(kind: str, run_id: str) -> str:
    return f"{kind}:{run_id}:"


def _somebody_elses() -> bool:
    """Whether the process has a DBOS that is not ours."""
    try:
        DBOS.list_queues()
    except errors.DBOSException as error:
        return "No DBOS was created" not in str(error)
    return True
