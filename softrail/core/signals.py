"""What reaches a process other than by somebody's words: from outside, and from a process it called."""

import json
from hashlib import sha256
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from softrail.core.errors import BadRequest

LONGEST_KEY = 200
LARGEST_DATA = 64 * 1024  #: bytes of JSON


class Signal(BaseModel):
    """Something happened outside: `Signal("payment", key="pay_7", data={"amount": 20})`.

    `key` is whoever sends it's own name for what happened: the same key with the same data is the same signal.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    key: str
    data: dict[str, Any] = Field(default_factory=dict)

    def __init__(self, name: str, key: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(name=name, key=key, data=data or {})

    def checked(self) -> Self:
        """It, with data of its own as JSON holds it. Raises BadRequest for what cannot be kept."""
        for field, words, most in (("name", self.name, 64), ("key", self.key, LONGEST_KEY)):
            if not words.strip() or len(words) > most or not words.isprintable():
                raise BadRequest(
                    f"The {field} of a signal is one to {most} printable characters.", field=field
                )
        try:
            text = json.dumps(self.data, ensure_ascii=False, allow_nan=False)
            size = len(text.encode())
        except (TypeError, ValueError, RecursionError) as error:
            raise BadRequest(
                f"The data of signal {self.name!r} is not JSON: {error}", field="data"
            ) from error
        if size > LARGEST_DATA:
            raise BadRequest(
                f"The data of signal {self.name!r} has {size} bytes; at most {LARGEST_DATA} are kept. "
                "Keep it where it is and send its key.",
                field="data",
            )
        return type(self)(self.name, self.key, json.loads(text))


class Result(BaseModel):
    """What came of a process that was called, or assigned to somebody: its `Done(value=…)`, or that it was left."""

    model_config = ConfigDict(frozen=True)

    process: str
    value: Any = None  #: as JSON holds it
    #: How it was left before it was done: "escape", "close", "decline", …, and of another person's part "timeout",
    #: "nobody", "gone"; "" when it is done.
    left: str = ""


class SignalRequest(BaseModel):
    """A signal as it is stored and run: what a turn of origin "signal" carries in place of a message."""

    model_config = ConfigDict(frozen=True)

    instance_id: str
    signal: Signal

    @property
    def turn_id(self) -> str:
        """One for each instance, name and key: that is what makes it happen once."""
        return f"signal:{self.instance_id}:{self.signal.name}:{self.signal.key}"

    @property
    def hash(self) -> str:
        """Covers everything of it."""
        sent = [self.instance_id, self.signal.name, self.signal.key, self.signal.data]
        return sha256(to_json(sent)).hexdigest()

    @property
    def origin(self) -> Literal["signal"]:
        """Something happened outside."""
        return "signal"

    @property
    def project_id(self) -> None:
        """It is about an instance, whatever project that is about."""
        return None
