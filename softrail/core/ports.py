"""The promises rooms make to each other; every implementation passes the suite in `softrail.testing.contracts`."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol, TypeVar, runtime_checkable

from softrail.core.commits import (
    Acceptance,
    AcceptResult,
    AccessKey,
    Archived,
    CommitResult,
    Due,
    Glimpse,
    Item,
    Loaded,
    Occupied,
    Overview,
    Signs,
    Taken,
    TurnCommit,
    TurnRow,
)
from softrail.core.effects import Effect, OutboxItem, StoredRecord
from softrail.core.execution import Claims
from softrail.core.instances import Instance, Transition
from softrail.core.intents import Clarify, Continue, Intent, IntentDefinition, RouteResult
from softrail.core.keys import Account, KeyStanding
from softrail.core.people import Person
from softrail.core.reading import Place, Reading
from softrail.core.sessions import Session, Snapshot
from softrail.core.tools import ModelTool, ToolCall, ToolResult
from softrail.core.turns import Turn

T = TypeVar("T")
Handler = Callable[[Turn, Intent], Awaitable[RouteResult | Clarify | Continue]]


class Records(Protocol):
    """What a process may read of the records kept for a person."""

    async def get(self, person_id: str, kind: str, key: str) -> StoredRecord | None:
        """The record of that key."""
        ...

    async def list(self, person_id: str, kind: str) -> Sequence[StoredRecord]:
        """All records of that kind, oldest first."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """A project, as a process may know it."""

    id: str
    name: str
    description: str = ""
    repository: str | None = None
    main: bool = False


class Projects(Protocol):
    """The projects of a person."""

    async def count(self, person_id: str) -> int:
        """How many there are."""
        ...

    async def list(self, person_id: str) -> Sequence[Project]:
        """All of them, oldest first."""
        ...

    async def get(self, person_id: str, project_id: str) -> Project | None:
        """One of this person's projects; None when it is not theirs or does not exist."""
        ...

    def create(self, project: Project) -> "Effect | Any":
        """The effect that creates it when the turn commits; `project.id` is given by the caller."""
        ...


class EffectTransaction(Protocol):
    """The narrow transaction an effect handler runs in: the turn's own commit, nothing else of the store.

    The handler is plain (not async) code and must be quick: it runs between other turns' writes.
    """

    person_id: str
    session_id: str
    seq: int
    at: datetime
    turn_id: str | None  #: None: no turn caused it

    def execute(self, statement: Any, parameters: Any = None) -> Any:
        """Run an SQLAlchemy Core statement on the plugin's own tables."""
        ...


class EffectHandler(Protocol):
    """Applies effects of one kind inside the commit. Returns their `ref`; raising refuses the turn."""

    def __call__(self, tx: EffectTransaction, effect: Effect) -> str | None:
        """Apply it; the return value becomes the side effect's `ref` where that is None."""
        ...


class Deliverer(Protocol):
    """Delivers `after_commit` effects of one kind, at least once; `item.key` is the same at every try.

    One that needs more time than the setting `delivery_limit` gives has an attribute `limit`, in seconds. One that
    changes nothing but what lies in the store has an attribute `inside`, which is true: made by a plugin with
    the store that it is given, it works in sandboxes, too.
    """

    async def __call__(self, item: OutboxItem) -> None:
        """Deliver it; raising means: try again later, or not at all where the error is one of ours that is `final`."""
        ...


class Workers(Protocol):
    """The rows by which workers show that they live, and see who does not; and what one writes whose event loop stands still."""

    async def beat(self, worker: str, beat: int) -> bool:
        """Write this worker's beat (0 registers it). False: it was declared dead and must register anew."""
        ...

    async def pulse(self, worker: str, beat: int) -> Signs:
        """Write the beat of a registered worker and look at all others: what `beat`, `workers` and `leases` do, at once.

        Between its steps a thread waits for whoever computes: the fewer there are, the sooner the beat is written.
        """
        ...

    async def workers(self) -> Mapping[str, int]:
        """Every registered worker and its last beat."""
        ...

    async def remove_worker(self, worker: str, beat: int | None = None, *, leaves: bool = False) -> bool:
        """Declare a worker dead, if its beat is still `beat`; its leases and claims are free from then on.

        One that `leaves` of its own accord was not ended by a turn: what it had begun does not count as started.
        """
        ...

    async def leases(self, worker: str) -> Mapping[str, int]:
        """Sessions whose lease that worker has, with their fences."""
        ...

    async def accept(self, acceptance: Acceptance) -> AcceptResult:
        """Write a turn down and number it; take the lease when it may and nothing is in the way."""
        ...


class Outbox(Protocol):
    """The `after_commit` effects that are on their way, each in the hands of one worker at a time.

    What changes an item changes it only while it is as it was read: False means that it is in other hands, or gone.
    """

    async def outbox(
        self, at: datetime, limit: int, *, kinds: Collection[str] | None = None, worker: str | None = None
    ) -> Sequence[OutboxItem]:
        """Effects whose next try is due and that no registered worker has in hand, the longest due first.

        With `kinds` only those, at most `limit` of each. What `worker` has in hand itself is among them.
        """
        ...

    async def unreported(
        self, at: datetime, limit: int, *, worker: str | None = None
    ) -> Sequence[OutboxItem]:
        """Likewise the effects whose instance is still to be told what became of them."""
        ...

    async def kinds_due(self, at: datetime) -> Mapping[str, int]:
        """How many effects are due, by kind."""
        ...

    async def undelivered(self, limit: int) -> Sequence[OutboxItem]:
        """What is set aside, then what waits."""
        ...

    async def undelivered_of(self, session_id: str, seq: int) -> Sequence[OutboxItem]:
        """What of one turn is set aside or waits."""
        ...

    async def claim(self, items: Sequence[OutboxItem], worker: str) -> Sequence[OutboxItem]:
        """Those of the items that this worker has in hand from now on, as long as it is registered.

        Their try counts from then on, whatever becomes of the worker.
        """
        ...

    async def put_back(self, item: OutboxItem) -> bool:
        """Let go of it as if it had not been claimed."""
        ...

    async def delivered(self, item: OutboxItem, *, report: bool = False) -> bool:
        """It is not tried again. With `report` its instance is to be told, by whoever has it in hand."""
        ...

    async def postpone(self, item: OutboxItem, until: datetime, *, error: str = "") -> bool:
        """A try has failed; the next one is at `until`."""
        ...

    async def set_aside(self, item: OutboxItem, error: str, *, report: bool = False) -> bool:
        """The last try has failed. With `report` its instance is to be told, by whoever has it in hand."""
        ...

    async def reported(self, item: OutboxItem, *, again: datetime | None = None) -> bool:
        """Its instance was told; with `again`: that failed, and is due then."""
        ...

    async def try_again(self, key: str, *, at: datetime) -> bool:
        """Try what was set aside again from `at` on, as often as at first. False: nothing of that key is."""
        ...


class News(Protocol):
    """What workers tell each other of sessions that have moved; a store may have one as its attribute `news`.

    Nothing depends on it but how soon somebody hears: what is lost is found by looking.
    """

    async def tell(self, session_ids: Iterable[str]) -> None:
        """Tell every worker that listens."""
        ...

    def listening(
        self, heard: Callable[[list[str]], None]
    ) -> AbstractAsyncContextManager[Callable[[], bool]]:
        """Within the block `heard` is called with ids that were told; what it gives says whether that is still so."""
        ...


class Store(Records, Workers, Outbox, Claims, Protocol):
    """Keeps sessions, turns, instances, transitions, effects; the only thing that is ever true."""

    async def start(self) -> None:
        """Connect and check that the schema is the one this code knows (SQLite: migrate)."""
        ...

    async def close(self) -> None:
        """Give everything back."""
        ...

    async def check(self) -> None:
        """One cheap round trip that would notice if nothing could be written; raises StoreUnavailable."""
        ...

    # -- people and keys
    async def ensure_person(self, email: str, *, id: str, at: datetime) -> Person: ...
    async def person(self, person_id: str) -> Person | None: ...
    async def person_by_email(self, email: str) -> Person | None:
        """The person of that address; none is made."""
        ...

    async def update_person(self, person: Person) -> None: ...
    async def delete_person(self, person_id: str) -> None: ...
    async def add_key(self, key: AccessKey) -> None: ...
    async def keys(self) -> Sequence[AccessKey]: ...
    async def keyed(self) -> bool:
        """Whether an access key was ever made: a fact of its own, which outlives every key and person."""
        ...

    async def key_by_hash(self, hash: str) -> AccessKey | None: ...
    async def keys_in_use(self, hashes: Collection[str]) -> Collection[str]:
        """Those of the hashes whose key is there and not revoked."""
        ...

    async def revoke_key(self, key_id: str, *, at: datetime) -> bool: ...
    async def model_key(self, person_id: str) -> str | None:
        """The person's own model key as it was given: sealed by the caller."""
        ...

    async def set_model_key(self, person_id: str, sealed: str | None, *, was: str | None = None) -> bool:
        """Keep it, or erase it with None; with `was` only if it is still that. Raises NotFound."""
        ...

    async def model_keys(self) -> Mapping[str, str]:
        """Every sealed model key by the id of its person, for sealing them anew."""
        ...

    # -- the path of a turn
    async def load(self, person: Person, session_id: str | None, turn_id: str | None = None) -> Loaded:
        """The snapshot of the person's session and, when `turn_id` was used before, that turn."""
        ...

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        """Commit turns together, each wholly or not at all, whether or not the caller waits for it; results in order."""
        ...

    async def take(self, session_id: str, worker: str, *, force: bool = False) -> Taken | Occupied | None:
        """Take the lease when nobody has it or its worker is gone; `force` takes it from anyone.

        The fence rises by one, and the oldest waiting turn is begun: its `starts` tells how often, counting only
        processes that are gone, and this one. None: no such session.
        """
        ...

    async def glimpses(self, session_ids: Sequence[str]) -> Mapping[str, Glimpse]:
        """How far each of these sessions is, and whether it is held; without those that are not there. Only reads."""
        ...

    async def release(self, session_id: str, fence: int) -> None:
        """Give the lease back, if it is still ours."""
        ...

    async def reopen(self, person_id: str, turn_id: str) -> bool:
        """Accept a turn again that was given up (status `failed`), under its number. False: it was not."""
        ...

    # -- workers
    def beside(self) -> AbstractAsyncContextManager[Workers]:
        """The rows of workers for the event loop of another thread, whatever turns wait for meanwhile."""
        ...

    async def stranded(self, limit: int) -> Sequence[str]:
        """Sessions with accepted turns whose lease no live worker has."""
        ...

    # -- time
    async def due(self, at: datetime, limit: int) -> Sequence[Due]:
        """Instances whose due time lies strictly before `at`, the longest overdue first."""
        ...

    # -- reading
    async def records(self, person_id: str) -> Sequence[StoredRecord]:
        """Every record kept for the person, of all kinds, oldest first."""
        ...

    async def suspended(self, person_id: str) -> Sequence[Instance]:
        """The person's suspended instances, the last moved first."""
        ...

    async def elsewhere(self, person_id: str, session_id: str) -> Sequence[Instance]:
        """The person's active instances that hold another session."""
        ...

    async def past(self, person_id: str, process: str) -> Sequence[Instance]:
        """The person's instances of a process, the last moved first; at most the newest 100."""
        ...

    async def asked_of(self, person_id: str) -> Sequence[Instance]:
        """The person's unfinished instances that another person's process asked for, the first made first."""
        ...

    async def instances(self, session_id: str) -> Sequence[Instance]: ...
    async def instance(self, instance_id: str) -> Instance | None: ...
    async def instances_of(self, process: str) -> Sequence[Instance]:
        """All instances of a process that have not ended, for a dry run of its migration."""
        ...

    async def transitions(self, instance_ids: Sequence[str]) -> Sequence[Transition]: ...
    async def turn(self, person_id: str, turn_id: str) -> TurnRow | None: ...
    async def turn_anywhere(self, turn_id: str) -> Sequence[TurnRow]:
        """Turns of that id of anyone, for the command line on the server itself."""
        ...

    async def session(self, person_id: str, session_id: str) -> Session | None: ...
    async def sessions(self, person_id: str, *, before: str | None, limit: int) -> Sequence[Session]:
        """The person's sessions, newest first; `before` is the id of the last one seen."""
        ...

    async def overviews(self, person_id: str, session_ids: Sequence[str]) -> Sequence[Overview]:
        """Those of these sessions that are the person's, as they stand in a list, in this order."""
        ...

    async def open_session(self, session: Session) -> None: ...
    async def call_session(self, person_id: str, session_id: str, title: str | None) -> bool:
        """Keep what the person calls a session; None: nothing in particular. Whether it is theirs."""
        ...

    async def items(
        self,
        person_id: str,
        *,
        session_id: str | None = None,
        project_id: str | None = None,
        after: int = 0,
        before: int | None = None,
        limit: int = 50,
    ) -> Sequence[Item]:
        """Committed items of a session in order of `seq`, beginning after `after`; `before`: the last ones before it."""
        ...

    async def decision(self, person_id: str, session_id: str, turn_id: str) -> str | None: ...
    async def decisions(
        self, person_id: str, session_id: str, *, after: int = 0, limit: int = 50
    ) -> Sequence[tuple[int, str]]:
        """The `seq` of turns after that one with their decision records, in order."""
        ...

    async def archivable(self, before: datetime, *, after: str = "", limit: int = 200) -> Sequence[str]:
        """Sessions, by id after that one, whose oldest turn was answered before then."""
        ...

    async def archive(self, session_id: str, before: datetime) -> Archived:
        """Pack a session's oldest turns, as far as they were answered before then; nothing left: none packed.

        They are read, exported and erased as before; only their ids are free for new turns.
        """
        ...

    async def forgettable(self, before: datetime, *, limit: int = 200) -> Sequence[str]:
        """Sessions of which something is archived that was answered before then."""
        ...

    async def forget(self, session_id: str, before: datetime) -> int:
        """Erase what is archived of a session and was answered before then; 0: nothing."""
        ...

    async def delete_session(self, person_id: str, session_id: str) -> bool:
        """Erase a session with its turns, decisions and instances."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message to a language model."""

    role: str  #: "user" or "assistant"
    content: str
    calls: Sequence[ToolCall] = ()  #: of the assistant: what it wanted to look up
    results: Sequence[ToolResult] = ()  #: of the user: what was found for those calls


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelRequest:
    """What a language model is asked; `purpose` names it in the decision record."""

    purpose: str
    system: str
    messages: Sequence[Message]
    max_tokens: int = 1024
    answer_schema: Mapping[str, Any] | None = None
    stable: int = 0  #: the first so many characters of `system` are the same for everybody
    settled: Sequence[int] = ()  #: the first so many `messages` are likely to be sent again; twice at most
    tools: Sequence[ModelTool] = ()  #: what it may look up first; a model that knows none answers without
    seconds: float | None = None  #: what the turn has left, where that is less than the model's own limit
    retries: int | None = None  #: likewise, how often the model may try again


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelAnswer:
    """What it said, and what that cost in tokens and in money."""

    text: str
    model: str
    input_tokens: int = 0  #: all that went in, those of the cache too
    output_tokens: int = 0
    cached_tokens: int = 0  #: of the input, read from the provider's cache
    cache_write_tokens: int = 0  #: of the input, written to it
    cost_usd: Decimal | None = None  #: None: no price of this model is known
    paid_by: Account = "system"
    retries: int = 0  #: tries before the one that gave it
    complete: bool = True
    calls: Sequence[ToolCall] = ()  #: what it wants to look up first; there may be no text then


class Model(Protocol):
    """A language model. Raises ModelUnavailable, never anything of its vendor's."""

    @property
    def name(self) -> str:
        """What it is called in a decision record; "plain" stands for having none."""
        ...

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The whole answer."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """Pieces of text as they come, then the ModelAnswer."""
        ...


class ModelKeys(Protocol):
    """People's own keys to a language model, and whose account pays for a turn."""

    async def model_of(self, person: Person) -> Model | None:
        """The model on the person's own account; None: the system's is asked."""
        ...

    async def standing(self, person: Person) -> KeyStanding:
        """What becomes of the person's key."""
        ...

    async def keep(self, person_id: str, key: str) -> None:
        """Keep the key, sealed; it replaces the one before. Raises ModelKeysOff where none can be kept."""
        ...

    async def drop(self, person_id: str) -> None:
        """Erase the key, if there is one."""
        ...

    async def warm(self) -> None:
        """Load what the first call would wait for."""
        ...

    async def aclose(self) -> None:
        """Give connections back."""
        ...


class Tables(Protocol):
    """Reads a plugin's own tables, outside of any turn's commit; what is to be written is an effect."""

    async def read(self, fn: Callable[[Any], T]) -> T:
        """Run `fn` with an SQLAlchemy connection; it only reads, and may run twice."""
        ...


class Services(Protocol):
    """The services there are so far: what an entry point of the group `softrail.services` is called with."""

    def service(self, wanted: type[T]) -> T:
        """The service of that type; raises DefinitionError when there is none."""
        ...

    def find_service(self, wanted: type[T]) -> T | None:
        """The service of that type, or None."""
        ...


class Intents(Services, Protocol):
    """Where a plugin registers its intents: what an entry point of the group `softrail.intents` is called with."""

    def register_intent(self, intent: IntentDefinition, handler: "Handler | None" = None) -> None:
        """Make an intent known and say who acts on it; raises DefinitionError when it is claimed already."""
        ...

    def add_voices(self, intent: str, said: Sequence[str]) -> None:
        """Add to what people say for an intent, whoever registers it and when; the classifier learns from it."""
        ...


class Reader(Protocol):
    """Reads what a message does in its place."""

    async def read(self, message: str, place: Place, *, locale: str) -> Reading:
        """One reading; never raises for any text."""
        ...


class Keeper(Protocol):
    """Keeps words of people somewhere outside the store."""

    async def forget(self, person_id: str, session_id: str | None = None) -> None:
        """Erase what that person said, or said in that session. Raises StoreUnavailable, and nothing is erased."""
        ...


class Classifier(Protocol):
    """Reads what a person wants; called only when no process owns the turn."""

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: "Mapping[str, Any] | None" = None,
    ) -> Intent:
        """The intent among `candidates`; never raises for any text."""
        ...


@runtime_checkable
class Warms(Protocol):
    """What a classifier may promise besides: it has something to load, and can do so before the first message."""

    async def warm(self, candidates: Sequence[IntentDefinition]) -> None:
        """Load now what the first message that may be one of these would wait for."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """Words for a person, and where they came from."""

    text: str
    prompts: Sequence[str] = ()  #: "asset@version sha256:…"
    suggested_actions: Sequence[str] = ()
    fallback: bool = False
    caught: Sequence[str] = ()  #: words that were kept from the person, for the record
    asks: Clarify | None = None  #: what the person is asked after these words, before anything of it is done


class Responder(Protocol):
    """Puts the result of a free turn into words."""

    async def respond(
        self,
        turn: Turn,
        intent: Intent,
        data: Mapping[str, Any],
        *,
        model: Model,
        show: Callable[[str], None] | None = None,
    ) -> Words:
        """The words for what was found or done; `show` is told pieces of them as they come, if it is there."""
        ...

    async def polish(self, text: str, *, turn: Turn, model: Model) -> Words:
        """`text` said better by a model; as it is when there is none or it fails."""
        ...


class Cleaned(Protocol):
    """A text fit to be read."""

    @property
    def text(self) -> str:
        """The words."""
        ...

    @property
    def caught(self) -> Sequence[str]:
        """What was taken out of them, for the record."""
        ...


class Wall(Protocol):
    """Keeps words from people that are not for them, in what is said while a turn is computed."""

    def clean(self, text: str, *, quoting: Iterable[str] = ()) -> Cleaned:
        """The text without them; those that one of the `quoting` texts has may stand."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptText:
    """One version of a prompt asset."""

    name: str
    version: int
    text: str
    sha256: str

    @property
    def ref(self) -> str:
        """As it stands in a decision record."""
        return f"{self.name}@{self.version} sha256:{self.sha256[:8]}"


class Prompts(Protocol):
    """Finds texts by name."""

    def get(self, name: str) -> PromptText | None:
        """The live version of an asset; None when there is no such asset."""
        ...

    def render(self, name: str, default: str | None = None, /, **values: str) -> str:
        """Its text with every `{name}` filled once; `default` stands in where there is no asset."""
        ...


__all__ = [
    "Classifier",
    "Deliverer",
    "EffectHandler",
    "EffectTransaction",
    "Handler",
    "Intents",
    "Message",
    "Model",
    "ModelAnswer",
    "ModelKeys",
    "ModelRequest",
    "Outbox",
    "Project",
    "Projects",
    "PromptText",
    "Prompts",
    "Records",
    "Responder",
    "Services",
    "Snapshot",
    "Store",
    "Tables",
    "Wall",
    "Words",
    "Workers",
]
