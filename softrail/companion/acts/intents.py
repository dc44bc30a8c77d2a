"""Makes the companion's intents known: each with its description, examples, parameters and what acts on it."""

from dataclasses import replace

from softrail import Prompts, Records, Settings
from softrail.companion import catalogue
from softrail.companion.acts import organising
from softrail.companion.acts.acting import Acting
from softrail.companion.acts.changing import Changing
from softrail.companion.acts.handlers import Handlers
from softrail.companion.acts.saving import Saving
from softrail.companion.acts.standups import Standups
from softrail.companion.memory.service import Artifacts, CompanionProjects, Dashboard, Groups, Jobs, Notes
from softrail.companion.settings import CompanionSettings
from softrail.companion.voice import telling
from softrail.plugin import GENERAL, GREETING, Handler, Intents


def register(intents: Intents) -> None:
    """Register the eleven intents, the one that saves notes and those about groups; the entry point of the group `softrail.intents`."""
    handlers = Handlers(
        intents.service(CompanionProjects),
        intents.service(Notes),
        intents.service(Artifacts),
        intents.service(Dashboard),
        intents.service(Prompts),
        companion_name=intents.service(CompanionSettings).name,
    )
    acts: dict[str, Handler] = {
        catalogue.FINALIZE: handlers.finalize_project,
        catalogue.ADD: handlers.add_knowledge,
        catalogue.PROGRESS: handlers.ask_about_progress,
        catalogue.PAST: handlers.ask_about_past_input,
        catalogue.DOWNLOAD: handlers.request_download,
        **dict.fromkeys(catalogue.NOT_YET, handlers.not_yet),
    }
    for name in catalogue.NAMES:
        known = replace(
            catalogue.bundled()[name],
            parameters=catalogue.PARAMETERS.get(name),
            label=catalogue.LABELS[name],
            say=catalogue.SAYINGS.get(name, ""),
            process=catalogue.SEED if name == catalogue.CREATE else None,
            keeps="knowledge_text" if name == catalogue.ADD else "",
            surely=name == catalogue.FINALIZE,
        )
        # Talk has no handler: it returns nothing and changes nothing.
        intents.register_intent(known, None if name in (GENERAL, catalogue.CREATE) else acts[name])
    intents.register_intent(catalogue.bundled()[GREETING])
    left_off = replace(catalogue.bundled()[catalogue.LEFT_OFF], label=catalogue.LABELS[catalogue.LEFT_OFF])
    intents.register_intent(left_off, handlers.ask_about_progress)
    name_here = intents.service(CompanionSettings).name
    telling.register(intents, intents.service(Prompts), companion_name=name_here)
    saving = Saving(
        intents.service(CompanionProjects),
        intents.service(Notes),
        intents.service(Prompts),
        handlers.project,
        handlers.choose,
    )
    intents.register_intent(catalogue.SAVING, saving.save)
    intents.register_intent(catalogue.UNDOING, saving.undo)
    _register_acting(intents, handlers)
    groups = organising.Organising(
        handlers.project,
        intents.service(Notes),
        intents.service(Groups),
        intents.service(Jobs),
        intents.service(Prompts),
    )
    intents.register_intent(catalogue.ORGANISE, groups.organise)
    intents.register_intent(catalogue.SHOW, groups.show)
    for name, said in catalogue.said().items():
        intents.add_voices(name, said)


def _register_acting(intents: Intents, handlers: Handlers) -> None:
    """Those about projects as a whole, and about notes by what they say."""
    projects, notes = intents.service(CompanionProjects), intents.service(Notes)
    prompts = intents.service(Prompts)
    acting = Acting(
        projects,
        notes,
        intents.service(Groups),
        intents.service(Artifacts),
        prompts,
        handlers.project,
    )
    changing = Changing(projects, notes, prompts, handlers.project)
    acts: dict[str, Handler] = {
        catalogue.LIST: acting.list_projects,
        catalogue.CHOOSE: acting.choose,
        catalogue.DESCRIBE: acting.describe,
        catalogue.SEARCH: acting.search,
        catalogue.MEMBERS: acting.members,
        catalogue.UPLOAD: acting.upload,
        catalogue.SUMMARISE: acting.summarise,
        catalogue.STANDUPS: Standups(intents.service(Records), prompts).told,
        **dict.fromkeys((catalogue.RENAME, catalogue.ARCHIVE, catalogue.EDIT), changing.change),
    }
    here = intents.find_service(Settings)
    if here is not None and catalogue.STANDUP not in here.bundled:
        del acts[catalogue.STANDUPS]  # nobody has had one here
    for name, handler in acts.items():
        say = catalogue.SAYINGS.get(name, "")
        known = replace(catalogue.bundled()[name], label=catalogue.LABELS[name], say=say)
        intents.register_intent(known, handler)
