"""What the seed conversation says and asks next, whatever was understood."""

from collections.abc import Sequence

from softrail import Ask, Goto, Option
from softrail.companion.phrases import phrases
from softrail.companion.seed import BY_KEY, Field, Seed, listed
from softrail.companion.seed_telling import Told
from softrail.core.outcomes import Outcome
from softrail.core.ports import Prompts

#: Each is the default text of the asset `seed_conversation/NAME`.
SENTENCES = {
    "what": "What is the work about? A sentence or two is enough.",
    "name": "What shall we call it?",
    "name_proposed": "What shall we call it? I would call it “{name}”.",
    "who": "Who will use it, or read it?",
    "success": "How will you know that it is a success?",
    "voice": "Which voice should it have: plain, formal, playful? “Skip” leaves it open.",
    "constraints": "Are there constraints to keep: money, time, rules, technology? “Skip” if there are none.",
    "notes": "What else should I note? “Skip” if that is all.",
    "begun": "So it is about this: {what}.",
    "begun_named": "So it is called {name}.",
    "noted": "Noted.",
    "noted_as": "Noted: {told}.",
    "later": "All right, we come back to {told}.",
    "no_hurry": "There is no hurry: nothing is created before you say so.",
    "not_found": "I can't find it in what you have told me; please say it once more.",
    "dropped": "I've dropped {told}.",
    "again": "Let me ask that again.",
    "changed": "I've changed this: {label}.",
    "nothing_before": "That was the first question.",
    "not_ready": "Before I can create it, I still need {missing}.",
    "cannot_skip": "I need this one to create the project.",
    "unsure": "A rough answer is enough; you can change it until the project is created, and “stop” pauses this.",
    "review": "Here is the project as I understand it:\n\n{draft}",
    "review_question": "Shall I create it?",
    "review_again": "Say “yes” to create it, or tell me what to change, for example “change the audience to …”.",
    "what_to_change": "What shall I change? For example: “change the audience to …”.",
    "declined": "All right. Say “create a project” whenever you want to describe one.",
    "created": "{name} is created. Its specification is in the project, and I kept {count} notes from what you told me. "
    "Say “remember that …” whenever there is more.",
    "kept": "For {name} I have noted {told}.",
    "kept_name": "I have noted the name {name}.",
    "kept_unnamed": "I have noted {told}.",
    "yes": "Yes, create it",
    "change": "Change something",
    "skip": "Skip",
    "tell_me": "What have I told you about {name}?",
}


class Asking:
    """The questions, the draft with its question, and the words before them; keeps nothing itself."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def taken(self, told: Told, data: Seed, field: Field) -> Outcome:
        """Keep what was told, and go on; a change of something else leaves what was asked open."""
        changes = set(told.keys) <= data.told.keys() and field.key not in told.keys
        before = self.keep(data, told, field.key)
        return self.ask(field, data, before) if changes else self.next(before, data)

    def keep(self, data: Seed, told: Told, asked: str = "") -> str:
        """Keep what was told, and say what was understood; `asked` is the part that was asked for."""
        keys, known = list(told.keys), data.told.keys() & set(told.keys)
        for key, value in told.answers.items():
            data.keep(key, phrases().replacing(value, data.told.get(key, "")) or value)
            if not BY_KEY[key].required and phrases().means("nothing", value):
                data.drop(key)
        for key, value in told.further.items():
            data.add(key, [value])
        if keys == ["name"] and (asked or not known):
            return self.say("begun_named", name=data.told["name"])  # what was no name is noticed at once
        if keys == [asked]:
            return self.say("noted")
        return self.changed(keys) if known == set(keys) else self.noted(keys)

    def noted(self, keys: Sequence[str]) -> str:
        """What was understood, by part."""
        return self.say("noted_as", told=", ".join(BY_KEY[key].missing for key in keys))

    def changed(self, keys: Sequence[str]) -> str:
        """What was understood in place of something told before."""
        return self.say("changed", label=", ".join(BY_KEY[key].label.lower() for key in keys))

    # -- going on

    def next(self, before: str, data: Seed) -> Outcome:
        """Ask for the first part that is open, or show the draft."""
        if data.open:
            return self.ask(data.open[0], data, before)
        data.shown = False
        return Goto("reviewing", say=before, data=data)

    def ask(self, field: Field, data: Seed, before: str = "", *, propose: bool = True) -> Outcome:
        """Ask for a part, with a proposal where there is one."""
        data.asked, data.shown, data.proposed = field.key, False, ""
        options: list[str | Option] = []
        question = self.say(field.key)
        if field.key == "name" and propose:
            data.proposed = phrases().proposed_name(data.told.get("what", ""))
            if data.proposed:
                question = self.say("name_proposed", name=data.proposed)
                options = [Option(label=data.proposed, value=data.proposed)]
        elif not field.required:
            options = [self.say("skip")]
        return Ask(question, say=before, step="describing", options=options, data=data)

    def skip(self, field: Field, data: Seed) -> Outcome:
        """An optional part is left out; without a required one there is no project."""
        if field.required:
            return self.ask(field, data, self.say("cannot_skip"))
        if field.key not in data.told:
            data.drop(field.key)
        return self.next("", data)

    def later(self, field: Field, data: Seed) -> Outcome:
        """A required one is told later, when there is another to ask now."""
        if field.key not in data.postponed:
            data.postponed.append(field.key)
        if data.open and data.open[0].key != field.key:
            return self.ask(data.open[0], data, self.say("later", told=field.missing))
        return self.ask(field, data, self.say("unsure"))

    def proposed(self, field: Field, data: Seed) -> Outcome:
        """The choice is left to us: the proposed name is taken, and what is optional left out."""
        name = data.proposed or phrases().proposed_name(data.told.get("what", ""))
        if field.key == "name" and name:
            return self.taken(Told({"name": name}), data, field)
        return self.ask(field, data, self.say("unsure")) if field.required else self.skip(field, data)

    def dropped(self, key: str, data: Seed, field: Field | None = None) -> Outcome:
        """What is dropped is kept no more; a required one is asked again. `field` is what was asked."""
        if BY_KEY[key].required:
            return self.ask(BY_KEY[key], data, self.say("cannot_skip"))
        before = self.say("dropped", told=BY_KEY[key].missing) if data.told.get(key) else ""
        data.drop(key)
        if field is None:
            return self.review(data, before)
        return self.next(before, data) if field.key == key else self.ask(field, data, before)

    def back(self, data: Seed, before: str = "") -> Outcome:
        """Ask for the part before the one that was asked."""
        keys = list(BY_KEY)
        at = keys.index(data.asked)
        if at == 0:
            return self.ask(BY_KEY[data.asked], data, self.say("nothing_before"))
        return self.ask(BY_KEY[keys[at - 1]], data, before)

    def enough(self, data: Seed) -> Outcome:
        """The person has said all they want to: what is optional is left out."""
        if data.missing:
            return self.too_early(data)
        data.left_out += [field.key for field in data.open]
        return self.next("", data)

    def too_early(self, data: Seed) -> Outcome:
        """Say what is missing, and ask for it."""
        missing = listed([field.missing for field in data.missing])
        return self.ask(data.missing[0], data, self.say("not_ready", missing=missing))

    def review(self, data: Seed, before: str = "") -> Outcome:
        """Show the whole draft, and ask whether to create it."""
        data.shown = True
        shown = self.say("review", draft=data.specification)
        return Ask(
            self.say("review_question"),
            say=f"{before}\n\n{shown}" if before else shown,
            step="reviewing",
            options=self.choices(),
            kind="confirm",
            tail=True,
            data=data,
        )

    def so_far(self, field: Field, data: Seed) -> Outcome:
        """Show what there is of the draft in the middle of it, and ask on."""
        shown = self.say("review", draft=data.specification) if data.told else ""
        return self.ask(field, data, shown)

    def ready(self, data: Seed) -> Outcome:
        """Whether there is enough: what is missing, or the draft with the question whether to create it."""
        return self.too_early(data) if data.missing else self.review(data)

    def again(self, sentence: str, before: str = "") -> Outcome:
        """Another question under the draft that is shown."""
        tail = sentence == "review_again"
        return Ask(
            self.say(sentence),
            say=before,
            options=self.choices(),
            kind="confirm" if tail else "ask",
            tail=tail,
        )

    def choices(self) -> list[str | Option]:
        """What may be chosen under the draft."""
        yes = Option(label=self.say("yes"), value="create")
        return [yes, Option(label=self.say("change"), value="change")]

    def say(self, sentence: str, /, **values: str) -> str:
        """A sentence of this conversation, as it is live."""
        return self._prompts.render(f"seed_conversation/{sentence}", SENTENCES[sentence], **values)
