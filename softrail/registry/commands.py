"""Slash commands: they work at any time, before the owner, and leave its process as it is."""

from collections.abc import Awaitable, Callable

from softrail.core.decisions import Decision
from softrail.language import Slash, nearest
from softrail.registry.draft import Draft
from softrail.registry.offers import Offers
from softrail.registry.parts import Parts

EXPLAINING = ("step_off", "question", "owner", "classify", "route")
Command = Callable[[Draft, str], Awaitable[None]]


class Commands:
    """The table of commands; a plugin adds its own with `add`."""

    def __init__(self, parts: Parts, offers: Offers) -> None:
        self._parts = parts
        self._offers = offers
        self._say = parts.sentences.say
        self._table: dict[str, Command] = {
            "help": self._help,
            "status": self._status,
            "why": self._why,
            "reset": self._plain("reset"),
            "redo": self._plain("nothing_to_redo"),
            "proof": self._mode("proof"),
            "explore": self._mode("exploratory"),
            "exit": self._exit,
            "quit": self._exit,
        }

    def add(self, name: str, command: Command) -> None:
        """Register `/name`, or replace it."""
        self._table[name] = command

    @property
    def names(self) -> list[str]:
        """All registered commands, without the slash."""
        return sorted(self._table)

    async def handle(self, draft: Draft, said: Slash) -> bool:
        """Run a command. An unknown one names the nearest and changes nothing."""
        command = self._table.get(said.name)
        if command is None:
            close = nearest(said.name, self.names)
            draft.say(self._say("unknown_command", name=said.name, nearest=close))
        else:
            await command(draft, said.argument)
        pending = draft.pending
        if pending is not None:
            # An offer binds only to the turn after it: showing it again keeps it open.
            draft.ask(pending.model_copy(update={"seq": draft.turn.seq}))
            draft.shown = pending.instance_id if pending.instance_id in draft.instances else None
            if said.name not in ("exit", "quit"):
                draft.say(self._say("offer_again", question=pending.question.prompt))
        return True

    def _plain(self, sentence: str) -> Command:
        async def command(draft: Draft, argument: str) -> None:
            draft.say(self._say(sentence))

        return command

    def _mode(self, mode: str) -> Command:
        async def command(draft: Draft, argument: str) -> None:
            draft.remember(mode=mode)
            draft.say(self._say("mode", mode=mode))

        return command

    async def _help(self, draft: Draft, argument: str) -> None:
        asks = [d.starts_on[0] for d in self._parts.registry.definitions() if d.starts_on]
        can = self._say("help_can", names=", ".join(f"“{a}”" for a in asks)) if asks else ""
        holder = draft.holder
        inside = self._say("help_holding", process=self._parts.title(holder.process)) if holder else ""
        commands = " ".join(f"/{name}" for name in self.names)
        draft.say(self._say("help", can=can, holding=inside, commands=commands))

    async def _status(self, draft: Draft, argument: str) -> None:
        holder = draft.holder
        if holder is None:
            draft.say(self._say("status_idle"))
        else:
            step = holder.step.replace("_", " ")
            draft.say(self._say("status_holding", process=self._parts.title(holder.process), step=step))
        paused = await self._offers.paused(draft)
        if paused:
            names = ", ".join(self._parts.title(i.process) for i in paused)
            draft.say(self._say("status_paused", names=names))

    async def _why(self, draft: Draft, argument: str) -> None:
        store, person = self._parts.store, draft.turn.person
        items = await store.items(
            person.id, session_id=draft.session.id, after=max(0, draft.turn.seq - 5), limit=5
        )
        asked = [item for item in items if item.role == "operator"]
        body = await store.decision(person.id, draft.session.id, asked[-1].turn_id) if asked else None
        if body is None:
            draft.say(self._say("why_none"))
            return
        decision = Decision.model_validate_json(body)
        why = decision.why or " ".join(g.why for g in decision.gates if g.why and g.gate in EXPLAINING)
        draft.say(self._say("why", owner=decision.owner, why=why))

    async def _exit(self, draft: Draft, argument: str) -> None:
        draft.remember(ended=True)
        draft.say(self._say("goodbye"))
