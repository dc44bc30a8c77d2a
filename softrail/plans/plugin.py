"""Planning as a plugin: its tables, services, deliverers and long work, each for one entry point."""

from collections.abc import Mapping
from typing import Final

from softrail import Actions, Attachments, Model, Prompts
from softrail.companion.memory.service import Artifacts
from softrail.plans.aside import Aside
from softrail.plans.data.asking import Data
from softrail.plans.data.children import Children
from softrail.plans.data.databases import Catalogue
from softrail.plans.data.files import Files
from softrail.plans.data.sources import Sources, TableCopies
from softrail.plans.documents import portable
from softrail.plans.documents.asking import Documents
from softrail.plans.documents.meaning import DocumentsClassifier
from softrail.plans.documents.portable import Portable
from softrail.plans.effects import COPY, HANDLERS, SAMPLE, WAKE, erase_person, erase_session
from softrail.plans.hearing import PlanningClassifier
from softrail.plans.readings import Readings
from softrail.plans.sample import NAME, sample
from softrail.plans.settings import PlanSettings
from softrail.plans.tables import HEAD, metadata
from softrail.plans.thinking.checking import Checker
from softrail.plans.thinking.phrasing import Phrasing
from softrail.plans.thinking.wishes import KIND as WISH
from softrail.plans.thinking.wishes import Planner
from softrail.plans.work import KIND, Plans, PlanWork
from softrail.plugin import (
    Classifier,
    Deliverer,
    ModelKeys,
    OutboxItem,
    PluginTables,
    Services,
    SqlStore,
    Work,
)

TABLES: Final = PluginTables(
    name="plans",
    metadata=metadata,
    migrations="softrail.plans:migrations",
    head=HEAD,
    handlers=HANDLERS,
    erase_person=erase_person,
    erase_session=erase_session,
)


def services(given: Services) -> Mapping[type, object]:
    """What turns and whoever drives have in common; the entry point of `softrail.services`."""
    chosen, store = given.service(PlanSettings), given.service(SqlStore)
    children = Children(
        megabytes=chosen.step_megabytes,
        seconds=chosen.step_limit * 0.95,  # its process ends before the step does, and says why
        rows=chosen.step_rows,
        at_once=chosen.data_at_once,
        ahead=chosen.data_ahead,
    )
    named = Catalogue(chosen.databases)
    kept = Sources(store, children, most=chosen.sources, megabytes=chosen.source_megabytes, catalogue=named)
    files = Files(store, given.find_service(Artifacts))
    data = Data(store, kept, children, files)
    texts = _documents(given.service(Attachments), chosen)
    aside = Aside()
    readings = Readings(aside)
    heard = PlanningClassifier(given.service(Classifier), store, kept, readings)
    return {
        Classifier: DocumentsClassifier(heard, texts),
        Aside: aside,
        Readings: readings,
        Plans: Plans(store),
        Children: children,
        Catalogue: named,
        Sources: kept,
        Files: files,
        Data: data,
        Documents: texts,
    }


def _documents(files: Attachments, chosen: PlanSettings) -> Documents:
    """What reads them has less of everything than a step: a question waits for it."""
    least = min(portable.MEGABYTES, chosen.step_megabytes)
    children = Children(megabytes=least, seconds=portable.SECONDS, at_once=portable.AT_ONCE)
    return Documents(files, Portable(files, children))


def deliverers(given: Services) -> Mapping[str, Deliverer]:
    """Has runs driven that turns have begun or stopped, and data read that was asked for; the entry point of `softrail.deliverers`."""
    sources = given.service(Sources)

    async def attach_sample(item: OutboxItem) -> None:
        await sources.attach(item.session_id, item.person_id, NAME, sample())

    chosen = given.service(PlanSettings)
    longest = max((one.seconds for one in chosen.databases.values()), default=0.0) + chosen.step_limit
    copies = TableCopies(sources, limit=longest)
    return {WAKE: given.service(Plans).wake, SAMPLE: attach_sample, COPY: copies}


def works(given: Services) -> Mapping[str, Work]:
    """Carries out runs; the entry point of `softrail.works`."""
    chosen = given.service(PlanSettings)
    plans, actions, files = given.service(Plans), given.service(Actions), given.service(Files)
    checker = Checker(actions, given.service(Sources), given.service(Children))
    model, keys, prompts = given.service(Model), given.service(ModelKeys), given.service(Prompts)
    phrasing = Phrasing(plans.store, model, keys, prompts)
    work = PlanWork(plans, actions, files, phrasing, at_once=chosen.steps_at_once, limit=chosen.step_limit)
    return {KIND: work, WISH: Planner(plans, actions, checker, model, keys, prompts)}
