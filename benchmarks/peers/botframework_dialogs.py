"""Bot Framework: a waterfall of prompts, as its samples have it.

Text, number, confirm and choice prompts with their own recognisers; `cancel`, `quit`, `help` and `?` interrupt, as in
the dialog of the core sample. The profile is kept when the last prompt confirms it.
"""

from typing import Any

from botbuilder.core import ConversationState, MemoryStorage, MessageFactory, TurnContext
from botbuilder.core.adapters import TestAdapter
from botbuilder.dialogs import (
    ComponentDialog,
    DialogContext,
    DialogSet,
    DialogTurnResult,
    DialogTurnStatus,
    WaterfallDialog,
    WaterfallStepContext,
)
from botbuilder.dialogs.choices import Choice
from botbuilder.dialogs.prompts import (
    ChoicePrompt,
    ConfirmPrompt,
    NumberPrompt,
    PromptOptions,
    PromptValidatorContext,
    TextPrompt,
)

from benchmarks.peers.stage import AGAIN, RETRY, answers_before, main, seen, summary_of
from benchmarks.reading.judge import Seen
from benchmarks.reading.lines import CONFIRM, Line, Slot

DONE, CANCELLED, HELP = "Done.", "Cancelling...", "Show help..."


async def whole(prompt: PromptValidatorContext) -> bool:
    """Whether a number prompt found a whole number."""
    return prompt.recognized.succeeded and prompt.recognized.value == int(prompt.recognized.value)


async def digits(prompt: PromptValidatorContext) -> bool:
    """Whether a text has digits only."""
    text = prompt.recognized.value if prompt.recognized.succeeded else ""
    return text.replace(" ", "").replace("-", "").isdigit()


class Form(ComponentDialog):
    """The questions of a flow."""

    def __init__(self, line: Line) -> None:
        super().__init__("form")
        self._line = line
        self.asked: str | None = None
        self.kept: dict[str, Any] = {}
        for prompt in (
            TextPrompt("text"),
            TextPrompt("digits", digits),
            NumberPrompt("int", whole),
            ConfirmPrompt("bool"),
            ChoicePrompt("choice"),
        ):
            self.add_dialog(prompt)
        steps = [self._step(at) for at in range(len(line.slots))]
        self.add_dialog(WaterfallDialog("questions", [*steps, self._summary, self._end]))
        self.initial_dialog_id = "questions"

    async def on_continue_dialog(self, inner_dc: DialogContext) -> DialogTurnResult:
        return await self._interrupted(inner_dc) or await super().on_continue_dialog(inner_dc)

    async def _interrupted(self, inner: DialogContext) -> DialogTurnResult | None:
        text = inner.context.activity.text.lower()
        if text in ("help", "?"):
            await inner.context.send_activity(MessageFactory.text(HELP))
            return DialogTurnResult(DialogTurnStatus.Waiting)
        if text in ("cancel", "quit"):
            await inner.context.send_activity(MessageFactory.text(CANCELLED))
            return await inner.cancel_all_dialogs()
        return None

    def _step(self, at: int) -> Any:
        slot = self._line.slots[at]

        async def ask(step: WaterfallStepContext) -> DialogTurnResult:
            if at:
                self._keep(step, self._line.slots[at - 1])
            self.asked = slot.name
            return await step.prompt(_prompt(slot), _options(slot))

        return ask

    def _keep(self, step: WaterfallStepContext, slot: Slot) -> None:
        result = step.result
        if slot.kind == "choice":
            result = result.value
        elif slot.kind == "int":
            result = int(result)
        step.values[slot.name] = result
        self.kept = {k: v for k, v in step.values.items() if k != "instanceId"}

    async def _summary(self, step: WaterfallStepContext) -> DialogTurnResult:
        self._keep(step, self._line.slots[-1])
        self.asked = CONFIRM
        text = MessageFactory.text(summary_of(self._line))
        return await step.prompt("bool", PromptOptions(prompt=text, retry_prompt=MessageFactory.text(AGAIN)))

    async def _end(self, step: WaterfallStepContext) -> DialogTurnResult:
        await step.context.send_activity(MessageFactory.text(DONE if step.result else CANCELLED))
        return await step.end_dialog()


def _prompt(slot: Slot) -> str:
    return slot.kind if slot.kind in ("int", "digits", "bool", "choice") else "text"


def _options(slot: Slot) -> PromptOptions:
    retry = f"{RETRY.get(slot.kind, '')} {slot.question}".strip()
    return PromptOptions(
        prompt=MessageFactory.text(slot.question),
        retry_prompt=MessageFactory.text(retry),
        choices=[Choice(o) for o in slot.options],
    )


async def say(line: Line, message: str) -> Seen:
    """Say it in the place of the line."""
    state = ConversationState(MemoryStorage())
    dialogs = DialogSet(state.create_property("dialogs"))
    form = Form(line)
    dialogs.add(form)
    status = DialogTurnStatus.Empty

    async def on_turn(turn: TurnContext) -> None:
        nonlocal status
        context = await dialogs.create_context(turn)
        result = await context.continue_dialog()
        if result.status is DialogTurnStatus.Empty and turn.activity.text == "begin":
            result = await context.begin_dialog("form")
        status = result.status
        await state.save_changes(turn)

    adapter = TestAdapter(on_turn)

    async def tell(text: str) -> list[str]:
        adapter.activity_buffer.clear()
        await adapter.receive_activity(text)
        return [activity.text or "" for activity in adapter.activity_buffer]

    await tell("begin")
    for _, words in answers_before(line):
        sent = await tell(words)
    assert form.asked == line.open, (line.id, form.asked, sent)
    before = dict(form.kept)
    sent = await tell(message)
    words = "\n".join(sent)
    if status is not DialogTurnStatus.Waiting:
        return seen(line, before, dict(form.kept), "completed" if DONE in sent else "left", None, words)
    return seen(line, before, dict(form.kept), "active", form.asked, words)


if __name__ == "__main__":
    main(say)
