"""The one place that picks concrete parts and puts them together."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec

from softrail.classifier import Bars, Cascade, default_cache
from softrail.classifier.additions import with_additions, with_voices
from softrail.classifier.review import ReviewQueue
from softrail.core.attachments import Attachments
from softrail.core.decisions import Decision
from softrail.core.effects import OutboxItem
from softrail.core.execution import Engine, Work
from softrail.core.ids import Ids, TimeOrderedIds
from softrail.core.intents import IntentDefinition
from softrail.core.ports import (
    Classifier,
    Deliverer,
    EffectHandler,
    Handler,
    Model,
    ModelKeys,
    Projects,
    Prompts,
    Reader,
    Records,
    Responder,
    Store,
    Tables,
    Wall,
)
from softrail.core.reading import Bars as ReadingBars
from softrail.dialogue.context import Parts
from softrail.dialogue.handing_over import HANDOVER
from softrail.dialogue.metered_model import ModelDoor
from softrail.dialogue.sentences import Sentences
from softrail.execution import Dbos, Embedded
from softrail.models import Models, open_models
from softrail.models.own_keys import OwnKeys
from softrail.models.plain import is_plain
from softrail.processes import Conductor, Process
from softrail.prompts import BroughtTexts, Library, PlainResponder
from softrail.reader import LayeredReader
from softrail.reader.learned import learned
from softrail.registry.actions import Actions
from softrail.registry.discovery import discover as discover_plugins
from softrail.registry.discovery import discover_actions, found
from softrail.registry.registry import Registry
from softrail.settings import Settings, load_settings
from softrail.spending import Spending
from softrail.store import PluginTables, SqlStore, open_store
from softrail.store.files import SqlAttachments
from softrail.store.projects import RecordProjects
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.services import checks_in, services_in
from softrail.turns.timing import Timing
from softrail.wiring import (
    ReadTables,
    ServiceSet,
    add_services,
    add_settings,
    at_home,
    deliverers_of,
    reply_form,
    tables_of,
    works_of,
)

if TYPE_CHECKING:
    from softrail.models.vault import Vault

P = ParamSpec("P")

log = logging.getLogger(__name__)

#: Services for plugins' own parts; a process has no business with them.
HIDDEN: Final = (Store, SqlStore, Responder, ModelKeys, Wall)


def plugin_tables(
    *more: PluginTables, discover: bool = True, bundled: Collection[str] | None = None
) -> tuple[PluginTables, ...]:
    """The tables of all plugins: of the bundled ones (of all, or those named), of installed ones, and those given.

    Raises:
        DefinitionError: What is announced cannot be used.
    """
    brought = {one.name: one for one in (*more, *tables_of(found(bundled, installed=discover)))}
    return tuple(brought.values())


def _remembered(make: Callable[P, Dispatcher]) -> Callable[P, Dispatcher]:
    """What it makes knows how to be made again: a test plays the application on a store in memory."""

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> Dispatcher:
        first = {name: tuple(v) if isinstance(v, Iterator) else v for name, v in kwargs.items()}
        given: dict[str, Any] = {**({"settings": args[0]} if args else {}), **first}

        def again(**other: Any) -> Dispatcher:
            return made(**{**given, **other})  # type: ignore[call-arg] # what is given is build's own

        dispatcher = make(*args, **first)  # type: ignore[arg-type]
        dispatcher.again = again
        return dispatcher

    return made


@_remembered
def build(
    settings: Settings | None = None,
    *,
    store: Store | None = None,
    model: Model | None = None,
    reader: Reader | None = None,
    classifier: Classifier | None = None,
    responder: Responder | None = None,
    projects: Projects | None = None,
    prompts: Prompts | None = None,
    ids: Ids | None = None,
    processes: Iterable[type[Process]] = (),
    intents: Iterable[IntentDefinition | tuple[IntentDefinition, Handler]] = (),
    actions: Iterable[Callable[..., object]] = (),
    services: Mapping[type, object] | None = None,
    effect_handlers: Mapping[str, EffectHandler] | None = None,
    deliverers: Mapping[str, Deliverer] | None = None,
    works: Mapping[str, Work] | None = None,
    engine: Engine | None = None,
    tables: Iterable[PluginTables] = (),
    discover: bool = True,
    on_turn: Iterable[Callable[[Decision], None]] = (),
    on_delivery: Iterable[Callable[[OutboxItem], None]] = (),
) -> Dispatcher:
    """Put the rooms together; anything passed in replaces the usual part.

    Args:
        settings: Limits, database, model; omitted: read from the environment and `softrail.toml`.
        store: Keeps everything; omitted: the database of the settings, with the tables of all plugins.
        model: A language model; omitted: the one the settings name.
        reader: Reads what is said in guided processes; omitted: the bundled one, as far as the settings say.
        classifier: Reads free turns; omitted: the bundled one.
        responder: Puts free turns into words; omitted: the bundled one.
        projects: The projects a process may read and create; omitted: a plugin's (the companion has some), or
            records.
        prompts: Finds texts by name; omitted: the bundled texts and the settings' folder.
        ids: Makes identifiers; a test passes a seeded one.
        processes: Guided processes, registered before any that are found installed.
        intents: Intents that name what acts on them, or each with the function that does.
        actions: Functions marked with `@action`, registered before any that are found installed.
        services: What plugins' constructors, steps and actions are given, by type. Those with
            `async start(host)` and `async stop(grace)` begin and end with the dispatcher.
        effect_handlers: Apply effects inside the commit, by their kind.
        deliverers: Deliver `after_commit` effects, by their kind.
        works: Long work that is driven while the conversation goes on, by its kind.
        engine: Drives it; omitted: the one that the settings name. A store that is no PostgreSQL, such as one in memory
            for a test, is always driven by these workers themselves.
        tables: Tables that plugins bring along, for the store that is opened here.
        discover: Also use the bundled parts of the settings, and what installed distributions announce by entry point.
        on_turn: Called with every turn's decision record after its commit.
        on_delivery: Called with every `after_commit` effect that was delivered or set aside; its `status` says which.

    Raises:
        DefinitionError: A process, intent or action passed in cannot work as it is written.
        SettingsError: A setting has a value that cannot be used.
    """
    settings = settings if settings is not None else load_settings()
    if store is None:
        store = open_store(
            settings.database_url,
            durability=settings.durability,
            busy_timeout=settings.busy_timeout,
            pool_size=settings.pool_size,
            effect_handlers=effect_handlers or {},
            plugins=plugin_tables(*tables, discover=discover, bundled=settings.bundled),
        )
    announced, faults = at_home(found(settings.bundled) if discover else (), store)
    models = Models(system=model) if model is not None else _models(settings)
    spending = (
        Spending(store=store, tokens_per_day=settings.tokens_per_day) if isinstance(store, SqlStore) else None
    )
    if spending is not None:
        models = _counted(models, spending)
    door = ModelDoor(models.system, seconds=settings.model_timeout)
    texts = BroughtTexts(prompts if prompts is not None else Library(overrides=settings.prompts_dir))
    keys = OwnKeys(
        store,
        _vault(settings),
        system=models.system,
        own=models.own,
        warm=models.warm,
        close=models.close,
    )
    base: dict[type, object] = {
        Classifier: classifier if classifier is not None else _cascade(settings, texts),
        Model: door,
        ModelKeys: keys,
        Projects: RecordProjects(store),
        Prompts: texts,
        Records: store,
        Responder: PlainResponder(texts),
        Settings: settings,
        Store: store,
    }
    if isinstance(store, SqlStore):
        base |= {SqlStore: store, Tables: ReadTables(store), Attachments: SqlAttachments(store)}
    if spending is not None:
        base[Spending] = spending
    given: dict[type, object] = dict(services or {})
    if projects is not None:
        given[Projects] = projects
    gathered = ServiceSet(base, given)
    faults += add_settings(gathered, announced)
    faults += add_services(gathered, announced)
    delivers, more = deliverers_of(gathered, announced, deliverers or {})
    faults += more
    form, more = reply_form(announced)
    faults += more
    visible = gathered.all_but(HIDDEN)
    known_actions = visible[Actions] = Actions(services=visible)
    gathered.add({Actions: known_actions})
    driven, more = works_of(gathered, announced, works or {})
    faults += more
    for fault in faults:
        log.error(fault)
    for one_action in actions:
        known_actions.register(one_action)
    registry = Registry(services=visible)
    for process in processes:
        registry.register(process)
    faults += discover_plugins(registry, announced)
    faults += discover_actions(known_actions, announced)
    for one in intents:
        registry.register_intent(*(one if isinstance(one, tuple) else (one,)))
    _change(registry, with_voices(registry.intents(), registry.voices))
    _change(registry, with_additions(registry.intents(), settings.intents_files))
    texts.bring(registry.intents())
    files = gathered.find_service(Attachments)
    reads = reader
    if reads is None:
        reads = LayeredReader(
            learned,
            model=door,
            prompts=texts,
            furthest=settings.reader,
            limit=settings.reading_limit,
        )
    parts = Parts(
        registry=registry,
        store=store,
        conductor=Conductor(
            prompts=texts,
            services=visible,
            limit=timedelta(seconds=settings.step_limit),
            reader=reads,
            model=door,
            attachments=files,
        ),
        prompts=texts,
        sentences=Sentences(texts),
        reader=reads,
        bars=reads.bars if isinstance(reads, LayeredReader) else ReadingBars(),
        classifier=gathered.service(Classifier),
        responder=responder if responder is not None else gathered.service(Responder),
        wall=gathered.find_service(Wall),
        model=door,
        model_keys=keys,
        projects=gathered.service(Projects),
        attachments=files,
        ids=ids if ids is not None else TimeOrderedIds(),
        limit=timedelta(seconds=settings.step_limit),
        hold_limit=settings.hold_limit,
        people_at=settings.human,
        hands_over=HANDOVER in (deliverers or {}),
        retention=timedelta(days=settings.suspended_days),
        reply=form,
    )
    dispatcher = Dispatcher(
        parts,
        timing=Timing(
            accept_after=settings.accept_after,
            wait_limit=settings.wait_limit,
            waiting_limit=settings.waiting_limit,
        ),
        beat_interval=settings.beat_interval,
        dead_after=settings.dead_after,
        sweep_interval=settings.sweep_interval,
        delivery_limit=settings.delivery_limit,
        observers=on_turn,
        heard=on_delivery,
        deliverers=delivers,
        faults=faults,
        services=services_in(gathered.all_but(base)),
        checks=checks_in(gathered.all_but(base)),
        engine=engine if engine is not None else _engine(settings, store),
        works=driven,
        keepers=[keeper for keeper in (_review(settings),) if keeper is not None],
    )
    dispatcher.announced = tuple(announced)
    return dispatcher


def _change(registry: Registry, intents: Sequence[IntentDefinition]) -> None:
    """Registered intents as they are from now on; what acts on them stays."""
    for intent in intents:
        route = registry.route(intent.name)
        registry.register_intent(intent, route.handler if route else None, replace=True)


def _engine(settings: Settings, store: Store) -> Engine:
    """What has long work driven, as the settings have it."""
    limits: dict[str, Any] = {
        "at_once": settings.runs_at_once,
        "look_every": settings.beat_interval,
        "poll_every": settings.sweep_interval,
    }
    if settings.engine == "dbos" and isinstance(store, SqlStore) and store.url.startswith("postgresql"):
        return Dbos(store, store.url, **limits)
    return Embedded(store, **limits)


def _cascade(settings: Settings, prompts: Prompts) -> Cascade:
    """The bundled classifier, as the settings have it."""
    return Cascade(
        encoder=settings.encoder,
        prompts=prompts,
        cache=settings.cache_dir or default_cache(),
        bars=_bars(settings),
        strangers=settings.strangers,
        review=_review(settings),
    )


def _review(settings: Settings) -> ReviewQueue | None:
    """What collects messages for a person to look at, where the settings name a file for it."""
    return ReviewQueue(settings.review_file) if settings.review_file else None


def _bars(settings: Settings) -> Bars:
    """The confidences that decide, as the settings have them."""
    return Bars(
        bar=settings.bar,
        sub=settings.bar_sub,
        floor=settings.bar_floor,
        close=settings.bar_close,
        model=settings.bar_model,
    )


def _models(settings: Settings) -> Models:
    """The models that the settings name."""
    return open_models(
        settings.model,
        timeout=settings.model_timeout,
        claude=settings.claude_model,
        openai=settings.openai_model,
        base_url=settings.openai_url,
        prices=settings.prices_file,
    )


def _vault(settings: Settings) -> "Vault | None":
    """What seals people's model keys; None when there is no secret to do it with."""
    if not settings.secrets:
        return None
    from softrail.models.vault import Vault  # most servers never need it

    return Vault(settings.secrets)


def _counted(models: Models, spending: Spending) -> Models:
    """The same models, with what they use counted to the account that pays."""
    own, room = models.own, models.room_to_think
    if not is_plain(models.system):
        models = replace(models, system=spending.counted(models.system, room=room))
    if own is None:
        return models
    return replace(models, own=lambda key: spending.counted(own(key), account="person", room=room))
