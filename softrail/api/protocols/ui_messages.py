"""The UI message stream of the AI SDK: the events of a turn as its parts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from softrail.api.protocols.telling import COMMITTED, FAILED, PROGRESS, Told, effect_id, is_same, reply_id

HEADERS: Final = {"x-vercel-ai-ui-message-stream": "v1"}
DONE: Final = "[DONE]"
_NAMED: Final = {"process.transition": "process-transition", "intent.classified": "intent-classified"}

Part = dict[str, Any]


class Answer:
    """One message of the assistant's: what was told of it so far, and what each further event adds."""

    def __init__(self, message_id: str | None) -> None:
        self._id = message_id
        self._turn = ""
        self._attempt = 1
        self._open = ""
        self._shown = ""
        self._effects = 0
        self.failed = False

    def begin(self, missed: Sequence[Mapping[str, Any]]) -> list[Part]:
        """The beginning, with the items of the session that the client lacks."""
        start: Part = {"type": "start"} if self._id is None else {"type": "start", "messageId": self._id}
        more = [{"type": "data-missed", "data": {"items": list(missed)}}] if missed else []
        return [start, {"type": "start-step"}, *more]

    def of(self, told: Told, turn_id: str) -> list[Part]:
        """The parts of one event of a turn."""
        if turn_id != self._turn:
            self._turn, self._attempt, self._shown, self._effects = turn_id, 1, "", 0
        data = told.data
        match told.name:
            case "turn.accepted":
                return [{"type": "data-turn", "id": turn_id, "data": data}]
            case "text.delta":
                return self._text(data["text"])
            case "turn.superseded":
                return self._superseded()
            case "side_effect":
                self._effects += 1
                done = {"type": "data-effect", "id": effect_id(turn_id, self._effects), "data": data}
                return [*self._end(), done]
            case name if name == PROGRESS:
                return [{"type": "data-plan", "id": f"{data['run_id']}/plan", "data": data}]
            case name if name == COMMITTED:
                return self._committed(data)
            case name if name == FAILED:
                self.failed = True
                return [*self._end(), {"type": "error", "errorText": data["message"]}]
            case name:
                part = _NAMED.get(name, name.replace(".", "-"))
                return [{"type": f"data-{part}", "data": data, "transient": True}]

    def finish(self, state: Mapping[str, Any]) -> list[Part]:
        """The end: the state, and which turn it was. After an error there is none."""
        if self.failed:
            return []
        last = state["last"] or {}
        metadata = {name: last.get(name) for name in ("turn_id", "seq", "decision_id")}
        return [
            {"type": "data-session", "id": "session", "data": dict(state)},
            {"type": "finish-step"},
            {"type": "finish", "messageMetadata": metadata},
        ]

    def _text(self, piece: str) -> list[Part]:
        self._shown += piece
        began: list[Part] = []
        if not self._open:
            self._open = reply_id(self._turn, self._attempt)
            began = [{"type": "text-start", "id": self._open}]
        return [*began, {"type": "text-delta", "id": self._open, "delta": piece}]

    def _end(self) -> list[Part]:
        if not self._open:
            return []
        ended, self._open = {"type": "text-end", "id": self._open}, ""
        return [ended]

    def _superseded(self) -> list[Part]:
        shown, self._shown = self._shown, ""
        if not shown:
            return []
        void = reply_id(self._turn, self._attempt)
        self._attempt += 1
        return [*self._end(), {"type": "data-superseded", "data": {"id": void}}]

    def _committed(self, reply: Mapping[str, Any]) -> list[Part]:
        words, parts = reply["companion_message"], list[Part]()
        if self._shown and not is_same(self._shown, words):
            parts = self._superseded()
        if words and not self._shown:
            parts = [*parts, *self._text(words)]
        return [*parts, *self._end()]
