"""The model stage: one call, an answer bound to the intents there are, and nothing believed that is not valid."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from softrail.classifier.answer_schema import answer_schema
from softrail.classifier.text import READ
from softrail.core.errors import ModelUnavailable
from softrail.core.intents import GENERAL, Candidate, IntentDefinition
from softrail.core.parameters import validated
from softrail.core.ports import Message, Model, ModelAnswer, ModelRequest, Prompts
from softrail.core.repair import READING_SECONDS, asked_for

ASSET = "classifier/classify_intent"
MOST_TURNS = 6  #: three exchanges say what a message may lean on
_ANSWER = 20_000  #: characters of an answer that are looked at; a real one has some hundred
_TURN = 240
_EXAMPLES = 3  #: local readings that go along

Confidence = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class _Other(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    intent: str
    confidence: Confidence


class _Said(_Other):
    parameters: dict[str, Any] | None = None
    alternative: _Other | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model made of a message."""

    intent: str
    confidence: float
    parameters: Mapping[str, Any]
    alternative: tuple[str, float] | None


@dataclass(frozen=True, slots=True)
class Asked:
    """The outcome of the call: an answer, or why there is none; and the prompt that was used."""

    answer: Answer | None
    why: str
    prompt: str


async def ask(
    model: Model,
    message: str,
    definitions: Sequence[IntentDefinition],
    *,
    prompts: Prompts | None,
    context: Mapping[str, Any],
    candidates: Sequence[Candidate] = (),
) -> Asked:
    """One call, and one more where its answer cannot be used. Whatever comes back, this does not raise for it."""
    models = {GENERAL: None, **{d.name: d.parameters for d in definitions}}
    names = list(dict.fromkeys([*(d.name for d in definitions), GENERAL]))
    system, ref = _system(definitions, prompts)
    request = ModelRequest(
        purpose="classify",
        system=system,
        messages=[Message(role="user", content=_document(message, context, candidates))],
        stable=len(system),
        max_tokens=600,
        answer_schema=answer_schema(names, definitions),
        seconds=READING_SECONDS,
    )
    try:
        found = await asked_for(model, request, lambda answer: _believed(answer, models))
    except ModelUnavailable as error:
        return Asked(None, f"the model did not answer: {error.message}", ref)
    return (
        Asked(None, f"the model's answer is not usable: {found}", ref)
        if isinstance(found, str)
        else Asked(found, "", ref)
    )


def _believed(given: ModelAnswer, models: Mapping[str, type[BaseModel] | None]) -> Answer | str:
    """What the answer says, or what is wrong with it."""
    text = given.text
    if not given.complete:
        return "it was cut off"
    if len(text) > _ANSWER:
        return "it is far too long"
    try:
        said = _Said.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "answer"
        return f"{where}: {first['msg']}"
    if said.intent not in models:
        return "it names an intent that does not exist"
    other = said.alternative
    rival = (
        (other.intent, other.confidence)
        if other is not None and other.intent in models and other.intent != said.intent
        else None
    )
    parameters = _fitting(models[said.intent], said.parameters or {})
    return Answer(said.intent, said.confidence, parameters, rival)


def _fitting(model: type[BaseModel] | None, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the intent has a field for and its field takes; null in it stands for what the message does not say."""
    found = {}
    for name, value in given.items():
        if value is None or not _storable(value) or (isinstance(value, str) and not value.strip()):
            continue
        for told in (value, _without_nulls(value)):
            if name in validated(model, {name: told})[0]:
                found[name] = told
                break
    return found


def _storable(value: Any) -> bool:
    """A decision record can hold it: no number that JSON has no word for."""
    if isinstance(value, dict | list):
        return all(map(_storable, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or math.isfinite(value)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def _document(message: str, context: Mapping[str, Any], candidates: Sequence[Candidate]) -> str:
    """Everything people said, as JSON: it cannot be taken for anything else. What was read locally comes as examples."""
    turns = [
        {"role": str(t.get("role", "")), "said": str(t.get("content", ""))[:_TURN]}
        for t in list(context.get("turns") or ())[-MOST_TURNS:]
        if isinstance(t, Mapping)
    ]
    state = context.get("state") or None
    near = [{"intent": c.intent, "said": c.example} for c in candidates[:_EXAMPLES] if c.example]
    document = {"state": state, "turns": turns, **({"examples": near} if near else {})}
    return json.dumps({**document, "message": message[:READ]}, ensure_ascii=False)


def _system(definitions: Sequence[IntentDefinition], prompts: Prompts | None) -> tuple[str, str]:
    listed = "\n".join(
        f"- {d.name}: {d.description or 'no description'}"
        + (f' Example: "{d.examples[0]}"' if d.examples else "")
        for d in definitions
    )
    own = default_prompt()
    if prompts is None:
        return own.replace("{intents}", listed), _default_ref()
    found = prompts.get(ASSET)
    return prompts.render(ASSET, own, intents=listed), found.ref if found is not None else _default_ref()


@cache
def default_prompt() -> str:
    """The text of `classifier/classify_intent` where no asset of that name is there."""
    return (files("softrail.classifier") / "classify_intent.txt").read_text(encoding="utf-8")


def _default_ref() -> str:
    return f"{ASSET}@default sha256:{sha256(default_prompt().encode()).hexdigest()[:8]}"
