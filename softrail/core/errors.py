"""
Everything that Softrail raises on purpose.

SoftrailError
├── DefinitionError        the plugin author can fix it; raised at registration
├── ConversationError      this request or session
│   ├── NotFound           no such thing, or not yours: the two are not told apart
│   ├── Forbidden          you may see it, but not change it
│   ├── TurnReused         the same turn id was used with another body
│   ├── UnknownIntent      an intent_hint that no one registered
│   ├── UnknownProcess     no process of that name is registered
│   ├── UnknownSignal      a signal that its process does not take
│   ├── UnknownAction      no action of that name is registered
│   ├── WrongArguments     an action cannot be called with these arguments
│   ├── ModelKeysOff       this server keeps no model keys of people
│   ├── TokensOff          this server signs no tokens
│   ├── TooManySandboxes   there are as many sandboxes as there may be
│   └── BadRequest         a field is not usable
├── ServiceError           try again later
│   ├── SessionBusy        the turn waited as long as it may for its place
│   ├── NewerState         a newer version wrote what is kept of the session, and this one cannot read it
│   ├── StoreUnavailable   the database is away, locked or full
│   ├── ModelUnavailable   the language model gave no usable answer
│   │   └── ModelUnreachable   its provider is away, overloaded or too slow
│   ├── NotReady           the worker has not begun yet: a service that it needs could not be started
│   └── Stopping           the server is shutting down
├── ServiceNotStarted      a service of the application could not begin; the worker does not, either
└── StepFailed             plugin code raised, hung or returned nonsense; never reaches a person
"""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from softrail.core.ports import ModelAnswer


#: Why a language model gave no usable answer: nobody was heard, it took too long, it gave nothing that can be used,
#: the request or its key is not accepted, or the person's budget is spent.
Trouble = Literal["away", "slow", "declined", "closed", "budget"]


class SoftrailError(Exception):
    """The parent of every error of ours; `code` is stable, `details` are facts for programs."""

    code: ClassVar[str] = "error"
    final: ClassVar[bool] = False  #: a deliverer that raises it is not asked again: its words are the outcome

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class DefinitionError(SoftrailError):
    """A process, intent or prompt is not usable as it is written."""

    code = "definition_error"


class ConversationError(SoftrailError):
    """This request or this session cannot be served as asked."""

    code = "conversation_error"


class NotFound(ConversationError):
    """There is no such thing, or it is not yours; the two answers are identical."""

    code = "not_found"

    def __init__(self, message: str = "There is no such thing here.", **details: Any) -> None:
        super().__init__(message, **details)


class Forbidden(ConversationError):
    """You may see this, but not change it: only for what the person is allowed to know of."""

    code = "forbidden"

    def __init__(self, message: str = "You may read this, but not change it.", **details: Any) -> None:
        super().__init__(message, **details)


class TurnReused(ConversationError):
    """This turn id was used before with another body."""

    code = "turn_reused"


class UnknownIntent(ConversationError):
    """The intent_hint names no registered intent."""

    code = "unknown_intent"


class UnknownProcess(ConversationError):
    """No process of that name is registered."""

    code = "unknown_process"


class UnknownSignal(ConversationError):
    """The process of that instance takes no signal of that name; the message lists those it takes."""

    code = "unknown_signal"


class UnknownAction(ConversationError):
    """No action of that name is registered."""

    code = "unknown_action"


class WrongArguments(ConversationError):
    """An action cannot be called with these arguments; `details["fields"]` says which `path` and why."""

    code = "wrong_arguments"


class ModelKeysOff(ConversationError):
    """This server keeps no model keys of people; the message says what its operator would have to do."""

    code = "model_keys_off"


class TokensOff(ConversationError):
    """This server signs no tokens for pages; the message says what its operator would have to do."""

    code = "tokens_off"


class TooManySandboxes(ConversationError):
    """There are as many sandboxes as there may be at once: end one of them first."""

    code = "too_many_sandboxes"


class BadRequest(ConversationError):
    """A field of the request is not usable; the message says which and why."""

    code = "bad_request"


class ServiceError(SoftrailError):
    """The same request may work later; `retry_after` is in seconds."""

    code = "service_error"
    retry_after: float = 1.0


class SessionBusy(ServiceError):
    """The turn waited as long as it may for its place. It stays accepted: ask again with its id."""

    code = "session_busy"


class TooManyTurns(ServiceError):
    """As many turns wait in the session as may; this one was not taken, and its id is free."""

    code = "too_many_turns"


class NewerState(ServiceError):
    """A newer version wrote what is kept of the session, and this one cannot read it; nothing of it was changed."""

    code = "newer_state"
    retry_after = 5.0

    def __init__(
        self,
        message: str = "What is kept here was written by a newer version of this server. It stays as it is; "
        "send the turn again with the same turn_id once that version is back.",
        **details: Any,
    ) -> None:
        super().__init__(message, **details)


class StoreUnavailable(ServiceError):
    """The store could not be reached in time."""

    code = "store_unavailable"
    retry_after = 2.0


class ModelUnavailable(ServiceError):
    """The language model did not give a usable answer; `trouble` is why, which a person is told in words."""

    code = "model_unavailable"
    trouble: Trouble = "away"
    spent: "ModelAnswer | None" = None  #: an answer that could not be used, but is paid for all the same


class ModelUnreachable(ModelUnavailable):
    """The provider of the model is away, overloaded or too slow: asking again at once would not help."""


class NotReady(ServiceError):
    """The worker is there and has not begun: a service that it needs could not be started yet."""

    code = "not_ready"
    retry_after = 5.0


class Stopping(ServiceError):
    """The server is shutting down and accepts no new turn."""

    code = "stopping"
    retry_after = 5.0


class ServiceNotStarted(SoftrailError):
    """A service that begins with the worker could not be started; the message names it and says why."""

    code = "service_not_started"


class StepFailed(SoftrailError):
    """Plugin code raised, hung past its limit, or returned something that is no outcome.

    `kind` is `raised`, `hung`, `not_an_outcome` or `unreadable` (its state cannot be read or migrated).
    """

    code = "step_failed"

    def __init__(self, message: str, *, kind: str = "raised", **details: Any) -> None:
        super().__init__(message, **details)
        self.kind = kind
