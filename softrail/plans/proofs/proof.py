"""The form of a proof file: one way to write it, so that no byte of it can be another one."""

import json
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from softrail.plans.plan import Plan
from softrail.plans.showing import FactType
from softrail.plans.values import Fact
from softrail.plugin import BadRequest

KIND: Final = "softrail-proof"
LARGEST: Final = 64 * 1024 * 1024  #: bytes of such a file


class ProofUnreadable(BadRequest):
    """A file that is no proof, or not as it was written."""

    code = "proof_unreadable"


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ProofTable(_Frozen):
    """A table of a source: as people know it, and as its queries do."""

    title: str
    name: str
    rows: int


class ProofSource(_Frozen):
    """A file that was read, as it was then."""

    name: str
    sha256: str
    bytes: int
    tables: tuple[ProofTable, ...]


class ProofFact(_Frozen):
    """A fact with what it rests on."""

    name: str
    value: Any
    unit: str
    type: FactType
    shown: str
    inputs: tuple[str, ...] = ()
    evidence: dict[str, Any] | None = None
    turn_id: str | None = None  #: the turn in which the person said so
    made_at: datetime

    def fact(self) -> Fact:
        """The same as a fact of a plan."""
        return Fact(
            id=self.name,
            name=self.name,
            value=self.value,
            unit=self.unit,
            type=self.type,
            source="proof",
            made_at=self.made_at,
            root="proof",
            inputs={name: name for name in self.inputs},
            turn_id=self.turn_id,
            evidence=self.evidence,
        )


class Proof(_Frozen):
    """A plan with its queries, the files that they were asked of, and every value that came of it."""

    kind: Literal["softrail-proof"] = KIND
    version: Literal[1] = 1
    ended_at: datetime
    plan: Plan
    sources: tuple[ProofSource, ...] = ()
    facts: tuple[ProofFact, ...]
    conclusions: tuple[str, ...]

    def named(self) -> dict[str, Fact]:
        """Its facts, by name."""
        return {one.name: one.fact() for one in self.facts}


def written(proof: Proof) -> bytes:
    """The proof as a file; its last line is the sha256 of all before it."""
    return _file(proof.model_dump(mode="json"))


def read_proof(content: bytes) -> Proof:
    """The proof in a file.

    Raises:
        ProofUnreadable: It is none, or a byte of it is not as it was written.
    """
    try:
        told = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ProofUnreadable(f"This is no proof file: it cannot be read as JSON ({error}).") from error
    if not isinstance(told, dict) or told.get("kind") != KIND:
        raise ProofUnreadable("This is no proof file. One begins with its kind, “softrail-proof”.")
    body = {name: value for name, value in told.items() if name != "sha256"}
    if _file(body) != content:
        raise ProofUnreadable(
            "The file is not as it was written: its last line is the sha256 of all before it, and they do not agree."
        )
    try:
        return Proof.model_validate(body)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
        raise ProofUnreadable(
            f"This proof cannot be read here: {where} is not as this version writes it."
        ) from error


def _file(body: dict[str, Any]) -> bytes:
    told = json.dumps(body, ensure_ascii=False, indent=1)
    digest = sha256(told.encode("utf-8", "replace")).hexdigest()
    signed = json.dumps({**body, "sha256": digest}, ensure_ascii=False, indent=1)
    return f"{signed}\n".encode("utf-8", "replace")
