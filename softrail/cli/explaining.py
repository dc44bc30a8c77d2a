"""`softrail why TURN_ID`: a decision record in words a support person understands."""

from decimal import Decimal
from typing import Annotated, Any

import typer

from softrail.cli.answers import answers, heard, said_at_once, took
from softrail.cli.ground import FINDINGS, AsJson, command, opened, print_json, run, stop
from softrail.cli.outbox import told, undelivered_of
from softrail.cli.terminal import tell
from softrail.core.commits import TurnRow
from softrail.core.decisions import Decision, ModelCall
from softrail.core.people import clean_email
from softrail.core.turns import Request

GATES = {
    "accept": "written down",
    "hold": "the session was",
    "clock": "time limits",
    "step_off": "stepping off",
    "question": "the open question",
    "owner": "the process under way",
    "classify": "understood as",
    "route": "led to",
    "respond": "words",
    "commit": "saved",
}
TIERS = {
    "hint": "the client named it",
    "exemplars": "it is like the examples",
    "model": "the language model read it",
    "floor": "it was the nearest of several",
    "default": "nothing was near enough",
    "answer": "the person chose it",
    "pattern": "a process knows the words",
    "slash": "a slash word of a process",
}


@command
def why(
    turn_id: Annotated[str, typer.Argument(help="The id of a turn.")],
    person: Annotated[str | None, typer.Option(help="E-mail, if several people used that id.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain why a turn was answered the way it was."""
    found = run(_found(turn_id, person))
    if not found:
        stop(f"No turn {turn_id!r} is stored{' of ' + person if person else ''}.", FINDINGS)
    if len(found) > 1:
        stop(f"{len(found)} people used the turn id {turn_id!r}. Say whose: --person EMAIL", FINDINGS)
    row, record, waits = found[0]
    if record is None:
        stop(f"Turn {turn_id!r} is stored but not answered yet (it is {row.status}).", FINDINGS)
    if as_json:
        print_json({**record.as_values(), "not_delivered": waits})
        return
    for line in [*explain(row, record), *told(waits)]:
        tell(line)


async def _found(
    turn_id: str, email: str | None
) -> list[tuple[TurnRow, Decision | None, list[dict[str, Any]]]]:
    async with opened() as store:
        found = []
        for row in await store.turn_anywhere(turn_id):
            if email is not None:
                owner = await store.person(row.person_id)
                if owner is None or owner.email != clean_email(email):
                    continue
            record = await store.decision(row.person_id, row.session_id, row.turn_id)
            decision = None if record is None else Decision.from_json(record)
            found.append((row, decision, await undelivered_of(store, row)))
        return found


def explain(row: TurnRow, record: Decision) -> list[str]:
    """The record, line by line."""
    lines = [
        f"Turn {record.turn_id}, number {record.seq} of session {record.session_id}, {record.at:%Y-%m-%d %H:%M:%S} UTC"
    ]
    if row.request is not None:
        said = _short(Request.model_validate_json(row.request).message)
        lines.append(
            f"The person said:  {'(not shown: an answer that nobody is to see)' if record.hides else said}"
        )
    because = f" ({record.why})" if record.why else ""
    lines.append(f"It was answered by:  {record.owner}{because}")
    if record.status != "committed":
        lines.append(f"It ended as:  {record.status}")
    if record.trouble:
        lines.append(f"Trouble:  {record.trouble}")
    if record.caught:
        lines.append("Words kept from the person:  " + ", ".join(record.caught))
    lines += said_at_once(row, record)
    lines += _path(record) + heard(record) + answers(record) + _reading(record)
    if record.transitions:
        lines.append("Moves:")
        for move in record.transitions:
            reason = f": {move.reason}" if move.reason else ""
            lines.append(f"  {move.process}  {move.source or 'new'} → {move.dest}  ({move.trigger}{reason})")
    if record.effects:
        lines.append("Done: " + "; ".join(record.effects))
    lines += took(record)
    calls = record.model_calls
    lines.append(f"Language model calls:  {len(calls)}")
    lines += [f"  {call.purpose} by {call.model}: {_spent(call)}" for call in calls]
    if calls:
        lines.append(f"What they cost:  {_money(record.cost_usd)}")
    if record.prompts:
        lines.append("Texts used:  " + ", ".join(record.prompts))
    if record.process:
        lines.append(f"Afterwards:  {record.process}")
    if record.focus is not None:
        spoken = record.focus.model_dump(exclude_none=True)
        lines.append("Spoken of last:  " + ", ".join(f"{what} {which}" for what, which in spoken.items()))
    if record.runs > 1:
        lines.append(
            f"It was computed {record.runs} times, because the session changed meanwhile; it was saved once."
        )
    return lines


def _spent(call: ModelCall) -> str:
    """What a call used and cost; of one that failed, why."""
    told = [] if call.ok else [f"failed. {call.error}".rstrip(" .")]
    if call.ok or call.input_tokens:
        cached = [
            f"{count} {how}"
            for count, how in (
                (call.cached_tokens, "from the cache"),
                (call.cache_write_tokens, "into it"),
            )
            if count
        ]
        of_these = f" ({', '.join(cached)})" if cached else ""
        told.append(f"{call.input_tokens} tokens in{of_these}, {call.output_tokens} out")
        told.append(_money(call.cost_usd))
    if call.milliseconds is not None:
        told.append(f"{call.milliseconds:.0f} ms")
    if call.paid_by == "person":
        told.append("with the person's own key")
    return ", ".join(told)


def _money(cost: Decimal | None) -> str:
    return "cost not known" if cost is None else f"{cost:f} US dollars"


def _path(record: Decision) -> list[str]:
    lines = ["What was looked at, in order:"]
    for gate in record.gates:
        found = gate.outcome.replace("_", " ")
        lines.append(f"  {GATES.get(gate.gate, gate.gate):22} {found}{'. ' + gate.why if gate.why else ''}")
    return lines


def _reading(record: Decision) -> list[str]:
    if record.intent is None:
        return ["It was not classified: it belonged to what was under way."]
    sure = f" at {record.confidence:.2f}" if record.confidence is not None else ""
    how = f", because {TIERS.get(record.tier, record.tier)}" if record.tier else ""
    lines = [f"It was read as:  {record.intent}{sure}{how}"]
    for candidate in record.candidates:
        if candidate.intent != record.intent:
            lines.append(f"  also thinkable: {candidate.intent} at {candidate.confidence:.2f}")
    return lines


def _short(message: str) -> str:
    flat = " ".join(message.split())
    return flat if len(flat) <= 200 else flat[:199] + "…"
