"""The one door to DBOS: one workflow for each wake, and the engines of this process that are handed them.

Every method of `Door` blocks; none is called on an event loop. What DBOS is told, and stores, is the kind and the id of a run.
A process has one DBOS, so its engines share it: one that we launch and end, or one that the host of Softrail launched, which stays
the host's.
"""

import asyncio
import logging
import threading
from collections.abc import Collection, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit

from dbos import DBOS, DBOSClient, EnqueueOptions, WorkflowSerializationFormat, _dbos
from dbos import error as errors

from softrail.core.errors import DefinitionError
from softrail.execution.wakes import NotLaunched, OpenWake, Wake

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
    hosts: bool = False  #: whether it is the host's, who launched it and ends it

    def register(self) -> None:
        """Make the workflow known, where it is not: a host may have ended its DBOS together with all that this knew."""
        if not _knows_ours():
            DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(_drive)

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
        self._client: DBOSClient | type[DBOS] | None = None
        self._version = FORM
        self._closed = False

    def open(self, engine: Engine, name: str) -> None:
        """Begin to hand wakes to the engine; the first one in a process starts DBOS, as the executor `name`, or joins the host's.

        Raises:
            DefinitionError: The DBOS of this process cannot be shared; the message says why, and what to do.
            NotLaunched: The host has made its DBOS, and not launched it yet.
        """
        bound = (self._url, self._schema, self._kinds)
        with _here.lock:
            if self._closed:
                raise RuntimeError("It was closed while it was opened.")
            if _here.bound is None:
                _here.hosts = _has_one()
                if _here.hosts:
                    self._join()
                else:
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
            self._client = self._made_client()

    def _made_client(self) -> DBOSClient | type[DBOS]:
        """What is asked about wakes; of a host that is its DBOS itself, as only that knows how it was set up."""
        if _here.hosts:
            self._version = DBOS.application_version
            return DBOS
        # Not DBOS itself, whose calls wait for a database that is away, without an end.
        return DBOSClient(
            system_database_url=self._url,
            dbos_system_schema=self._schema,
            system_database_pool_size=1,
            application_name=NAME,
            retry_connection_errors=False,
            lazy=True,
        )

    def _join(self) -> None:
        """Have the DBOS of the host hand out wakes, beside what it does for the host."""
        queues = [queue_of(kind) for kind in self._kinds]
        heard = _heard_alone()
        if heard is not None and (unheard := [queue for queue in queues if queue not in heard]):
            raise DefinitionError(
                f"The DBOS of this process listens to some queues alone, and not to {', '.join(unheard)}: name them too in "
                "DBOS.listen_queues, or run Softrail with SOFTRAIL_ENGINE=embedded."
            )
        # After its launch: the version of the host, by default a hash of its workflows, is not changed by ours.
        _here.register()
        try:
            self._register(queues)
        except errors.DBOSException as error:
            if "already registered by application" not in str(error):
                raise
            raise DefinitionError(
                f"Another application has the queues of Softrail ({', '.join(queues)}) in the DBOS of this process: give each "
                "application its own dbos_system_schema, or run Softrail with SOFTRAIL_ENGINE=embedded."
            ) from error

    def _launch(self, name: str) -> None:
        quiet = logging.getLogger("dbos")
        if not quiet.handlers:
            quiet.addHandler(
                logging.NullHandler()
            )  # or it writes to the console, past the log that was asked for
        _here.register()
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
            self._register(queues)
        except BaseException:
            DBOS.destroy()
            raise

    def _register(self, queues: Collection[str]) -> None:
        for queue in queues:
            DBOS.register_queue(
                queue,
                worker_concurrency=self._at_once,
                polling_interval_sec=self._every,
                on_conflict="always_update",
            )

    def close(self, engine: Engine) -> None:
        """Hand nothing to the engine any more; the last one in a process ends a DBOS of ours with its threads."""
        with _here.lock:
            self._closed = True
            if _here.engines == [engine]:
                # While the engine is still there, and puts back what it is handed. In that second the threads that hand
                # out wakes end; without it DBOS closes the loop under their feet, and drops what they hold.
                if not _here.hosts:
                    DBOS.destroy(workflow_completion_timeout_sec=1)
                _here.bound = None
            if engine in _here.engines:
                _here.engines.remove(engine)
        if isinstance(self._client, DBOSClient):
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
            "app_version": self._version,
            "serialization_type": WorkflowSerializationFormat.PORTABLE,  # readable for whoever looks, and no pickle
        }
        if delay is not None:
            options["delay_seconds"] = delay
        if once:
            # Of this version: a wake that was put down under another one may be handed to nobody any more.
            options["deduplication_id"] = f"{_prefix(wake.kind, wake.run_id)}{self._version}"
        client = self._opened()
        enqueue = client.enqueue if isinstance(client, DBOSClient) else client.enqueue_workflow_with_options
        try:
            enqueue(options, wake.kind, wake.run_id, wake.woken, wake.failures)
        except errors.DBOSQueueDeduplicatedError:
            if not once:
                raise

    def open_wakes(self, kind: str, run_ids: Sequence[str] | None = None) -> Sequence[OpenWake]:
        """The wakes of a kind, or of these runs of it, that are not over."""
        prefixes = None if run_ids is None else [_prefix(kind, one) for one in run_ids]
        found = self._opened().list_workflows(
            status=[*WAITING, BEGUN],
            queue_name=queue_of(kind),
            app_version=self._version,
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
        """Delete wakes that were over by then, so many at most, and older ones of other versions; how many."""
        client, queues = self._opened(), [queue_of(kind) for kind in self._kinds]
        over = client.list_workflows(
            status=list(OVER),
            queue_name=queues,
            completed_before=before.isoformat(),
            limit=limit,
            load_input=False,
            load_output=False,
        )
        waiting = client.list_workflows(
            status=[*WAITING, BEGUN],
            queue_name=queues,
            end_time=before.isoformat(),
            limit=limit,
            load_input=False,
            load_output=False,
        )
        # A host was deployed anew since: their runs were put down again under its version.
        gone = [*over, *(one for one in waiting if one.app_version != self._version)]
        if gone:
            client.delete_workflows([one.workflow_id for one in gone])
        return len(gone)

    def _opened(self) -> DBOSClient | type[DBOS]:
        if self._client is None:
            raise RuntimeError("DBOS is closed.")
        return self._client


def _prefix(kind: str, run_id: str) -> str:
    return f"{kind}:{run_id}:"


def _has_one() -> bool:
    """Whether the process has a DBOS already: its host's.

    Raises:
        NotLaunched: It was made, and not launched yet.
    """
    try:
        DBOS.list_queues()
    except errors.DBOSException as error:
        if "before DBOS was launched" in str(error):
            raise NotLaunched from error
        if "No DBOS was created" in str(error):
            return False
        raise
    return True


def _knows_ours() -> bool:
    """Whether the DBOS of the process, or the one that comes next, has our workflow. It has no other way to tell."""
    known = _dbos._get_or_create_dbos_registry().workflow_info_map
    return WORKFLOW in known


def _heard_alone() -> Collection[str] | None:
    """The queues that the DBOS of the process was told to listen to; None: to all. It has no other way to tell."""
    heard: Collection[str] | None = getattr(_dbos._dbos_global_instance, "_listening_queues", None)
    return heard
