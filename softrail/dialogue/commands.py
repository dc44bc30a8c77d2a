"""Slash commands: they work at any time, before the owner. Words of leaving pause its process, others leave it be."""

from collections.abc import Awaitable, Callable

from softrail.core.decisions import Decision
from softrail.core.instances import Trigger
from softrail.core.sessions import Undo
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.instances import Acting
from softrail.dialogue.offers import Offers
from softrail.dialogue.own_intents import OwnIntents
from softrail.dialogue.place import lives_on
from softrail.language import nearest
from softrail.language.slashes import ALSO_LEAVING, HOW_TO_LEAVE, LEAVING

EXPLAINING = ("step_off", "question", "owner", "classify", "route")
Command = Callable[[Draft, str], Awaitable[None]]


class Commands:
    """The table of commands; a plugin adds its own with `add`."""

    def __init__(self, parts: Parts, offers: Offers, own: OwnIntents) -> None:
        self._parts = parts
        self._offers = offers
        self._own = own
        self._acting = Acting(parts)
        self._say = parts.sentences.say
        self._table: dict[str, Command] = {
            "help": self._help,
            "status": self._status,
            "why": self._why,
            "exit": self._stop,
            "quit": self._stop,
        }
        self._silent: dict[str, Command] = {
            **dict.fromkeys(LEAVING, self._stop),
            HOW_TO_LEAVE: self._how_to_leave,
        }

    def add(self, name: str, command: Command) -> None:
        """Register `/name`, or replace it."""
        self._table[name] = command

    @property
    def names(self) -> list[str]:
        """All registered commands, without the slash."""
        return sorted(self._table)

    async def run(self, draft: Draft, name: str, argument: str) -> None:
        """Run a command. An unknown one names the nearest and changes nothing."""
        command, asked = self._table.get(name) or self._silent.get(name), draft.pending
        if command is not None:
            await command(draft, argument)
        elif not await self._own.by_slash(draft, name, argument):
            if name in ALSO_LEAVING:
                command = self._stop
                await command(draft, argument)
            else:
                close = nearest(name, [*self.names, *self._own.slashes(draft)])
                draft.say(self._say("unknown_command", name=name, nearest=close))
        pending = draft.pending
        if pending is not None and (command is not None or pending == asked):
            if command is None:
                draft.ask_again = None  # here is where it is named again
            draft.shown = pending.instance_id if pending.instance_id in draft.instances else None
            if name not in LEAVING and command != self._stop:
                draft.say(self._say("offer_again", question=pending.question.prompt))

    async def _help(self, draft: Draft, argument: str) -> None:
        asks = [d.starts_on[0] for d in self._parts.registry.definitions() if d.starts_on]
        can = self._say("help_can", names=", ".join(f"“{a}”" for a in asks)) if asks else ""
        holder = draft.holder
        inside = self._say("help_holding", process=self._parts.title(holder.process)) if holder else ""
        commands = " ".join(f"/{name}" for name in sorted({*self.names, *self._own.slashes(draft)}))
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
        decision = Decision.from_json(body)
        why = decision.why or " ".join(g.why for g in decision.gates if g.why and g.gate in EXPLAINING)
        draft.say(self._say("why", owner=decision.owner, why=why))

    async def _stop(self, draft: Draft, argument: str) -> None:
        """Leave what holds the session; where nothing does, end what goes on in the background and says it can be."""
        quiet = lives_on(draft, self._parts.registry) if draft.holder is None else None
        if quiet is None or not await self._acting.tell_of_leaving(draft, quiet, "escape"):
            await self._leave(draft, argument)

    async def _leave(self, draft: Draft, argument: str) -> None:
        """Pause what holds the session, as an escape word does; where nothing does, say goodbye."""
        holder = draft.holder
        if holder is None:
            draft.remember(ended=True)
            draft.say(self._say("goodbye"))
            return
        if await self._acting.tell_of_leaving(draft, holder, "escape"):
            return
        holder = draft.instances[holder.id]
        kept, title = self._parts.kept(holder), self._parts.title(holder.process)
        await self._acting.suspend(draft, holder, Trigger.ESCAPE, "a word of leaving")
        said = "closed" if self._offers.passing(holder) else "paused_kept" if kept else "paused"
        draft.remember(undo=Undo(instance_id=holder.id, seq=draft.turn.seq))
        draft.say(self._say(said, process=title, **({"kept": kept} if said == "paused_kept" else {})))

    async def _how_to_leave(self, draft: Draft, argument: str) -> None:
        holder = draft.holder
        if holder is None:
            draft.say(self._say("how_to_leave_nothing"))
        else:
            draft.say(self._say("how_to_leave", process=self._parts.title(holder.process)))
