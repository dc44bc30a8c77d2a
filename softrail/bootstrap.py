"""The one place that picks concrete parts and puts them together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final

from softrail.classifier import Bars, Cascade, default_cache
from softrail.classifier.additions import with_additions
from softrail.classifier.encoder import encoder
from softrail.classifier.review import ReviewQueue
from softrail.companion.budget import Spending
from softrail.companion.catalogue import ADD
from softrail.companion.organise import Thinking
from softrail.companion.plugin import TABLES, Companion, companion
from softrail.companion.speech import ENTRY_POINTS, speech
from softrail.companion.wall import wall_with
from softrail.core.decisions import Decision
from softrail.core.effects import OutboxItem
from softrail.core.errors import DefinitionError
from softrail.core.ids import Ids, TimeOrderedIds
from softrail.core.intents import IntentDefinition
from softrail.core.ports import (
    Classifier,
    Deliverer,
    EffectHandler,
    Handler,
    Model,
    Projects,
    Prompts,
    Reader,
    Records,
    Responder,
    Store,
)
from softrail.core.reading import Bars as ReadingBars
from softrail.dialogue.context import Parts
from softrail.dialogue.metered_model import ModelDoor
from softrail.dialogue.perform import HANDOVER
from softrail.dialogue.sentences import Sentences
from softrail.models import Models, open_models
from softrail.models.own_keys import OwnKeys
from softrail.models.plain import is_plain
from softrail.processes import Conductor, Process
from softrail.prompts import BroughtTexts, Library, PlainResponder
from softrail.reader import LayeredReader
from softrail.reader.learned import learned
from softrail.registry.discovery import discover as discover_plugins
from softrail.registry.registry import Registry
from softrail.settings import Settings, load_settings
from softrail.store import PluginTables, SqlStore, open_store
from softrail.store.projects import RecordProjects
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.timing import Timing

if TYPE_CHECKING:
    from softrail.models.vault import Vault

#: Where installed distributions announce a `PluginTables`.
TABLES_GROUP: Final = "softrail.tables"


def plugin_tables(*more: PluginTables, discover: bool = True) -> tuple[PluginTables, ...]:
    """The tables of all plugins: the companion's, those given, those that installed distributions announce.

    Raises:
        DefinitionError: What is announced cannot be used. Unlike other plugins it is not passed over: what
            people have told it would seem to be gone.
    """
    found = {one.name: one for one in (TABLES, *more)}
    for entry in sorted(entry_points(group=TABLES_GROUP), key=lambda e: e.name) if discover else ():
        try:
            one = entry.load()
        except Exception as error:
            raise DefinitionError(f"Entry point {entry.name!r} = {entry.value!r}: {error}") from error
        if not isinstance(one, PluginTables):
            raise DefinitionError(f"Entry point {entry.name!r} = {entry.value!r} is not a PluginTables.")
        found.setdefault(one.name, one)
    return tuple(found.values())


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
    services: Mapping[type, object] | None = None,
    effect_handlers: Mapping[str, EffectHandler] | None = None,
    deliverers: Mapping[str, Deliverer] | None = None,
    tables: Iterable[PluginTables] = (),
    discover: bool = True,
    on_turn: Iterable[Callable[[Decision], None]] = (),
    on_delivery: Iterable[Callable[[OutboxItem], None]] = (),
) -> Dispatcher:
    """Put the rooms together; anything passed in replaces the usual part.

    Args:
        settings: Limits, database, model; omitted: read from the environment and `softrail.toml`.
        store: Keeps everything; omitted: the database of the settings, with the companion's tables.
        model: A language model; omitted: the one the settings name.
        reader: Reads what is said in guided processes; omitted: the bundled one, as far as the settings say.
        classifier: Reads free turns; omitted: the bundled one.
        responder: Puts free turns into words; omitted: the bundled one.
        projects: The projects a process may read and create; omitted: the companion's, or
            records in a `store` that was opened without its tables.
        prompts: Finds texts by name; omitted: the bundled texts and the settings' folder.
        ids: Makes identifiers; a test passes a seeded one.
        processes: Guided processes, registered before any that are found installed.
        intents: Intents that name what acts on them, or each with the function that does.
        services: What plugins' constructors and steps are given, by type.
        effect_handlers: Apply effects inside the commit, by their kind.
        deliverers: Deliver `after_commit` effects, by their kind.
        tables: Tables that plugins bring along, for the store that is opened here.
        discover: Also register what installed distributions announce by entry point.
        on_turn: Called with every turn's decision record after its commit.
        on_delivery: Called with every `after_commit` effect that was delivered or set aside; its `status` says which.

    Raises:
        DefinitionError: A process or intent passed in cannot work as it is written.
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
            plugins=plugin_tables(*tables, discover=discover),
        )
    models = Models(system=model) if model is not None else _models(settings)
    spending = (
        Spending(store=store, tokens_per_day=settings.tokens_per_day) if isinstance(store, SqlStore) else None
    )
    if spending is not None:
        models = _counted(models, spending)
    door = ModelDoor(models.system, seconds=settings.model_timeout)
    prompts = prompts if prompts is not None else Library(overrides=settings.prompts_dir)
    keys = OwnKeys(
        store,
        _vault(settings),
        system=models.system,
        own=models.own,
        warm=models.warm,
        close=models.close,
    )
    assistant = _companion(store, settings, Thinking(model=door, prompts=prompts, keys=keys))
    if projects is None:
        projects = RecordProjects(store) if assistant is None else assistant.projects
    hears = (
        classifier
        if classifier is not None
        else Cascade(
            encoder=settings.encoder,
            prompts=prompts,
            cache=settings.cache_dir or default_cache(),
            bars=_bars(settings),
            strangers=settings.strangers,
            review=ReviewQueue(settings.review_file) if settings.review_file else None,
        )
    )
    reads = reader
    if reads is None:
        reads = LayeredReader(learned, model=door, prompts=prompts, furthest=settings.reader)
    given: dict[type, object] = {
        Classifier: hears,
        Model: door,
        Projects: projects,
        Prompts: prompts,
        Records: store,
        Settings: settings,
        **({Spending: spending} if spending is not None else {}),
        **(assistant.services if assistant is not None else {}),
        **(services or {}),
    }
    registry = Registry(services=given)
    for process in processes:
        registry.register(process)
    left_out = () if assistant is not None else ENTRY_POINTS
    faults = discover_plugins(registry, but=left_out) if discover else []
    for one in intents:
        registry.register_intent(*(one if isinstance(one, tuple) else (one,)))
    for intent in with_additions(registry.intents(), settings.intents_files):
        route = registry.route(intent.name)
        registry.register_intent(intent, route.handler if route else None, replace=True)
    texts = BroughtTexts(prompts, registry.intents())
    speaks = responder if responder is not None else PlainResponder(texts)
    if assistant is not None and isinstance(store, SqlStore) and registry.route(ADD) is not None:
        talk = speech(
            assistant,
            store,
            texts,
            classifier=hears,
            plain=speaks,
            wall=wall_with(settings.prompts_dir),
            companion_name=settings.companion_name,
        )
        hears, speaks = talk.classifier, talk.responder if responder is None else responder
    parts = Parts(
        registry=registry,
        store=store,
        conductor=Conductor(
            prompts=prompts,
            services=given,
            limit=timedelta(seconds=settings.step_limit),
            reader=reads,
            model=door,
        ),
        prompts=prompts,
        sentences=Sentences(prompts),
        reader=reads,
        bars=ReadingBars(),
        classifier=hears,
        responder=speaks,
        model=door,
        model_keys=keys,
        projects=projects,
        ids=ids if ids is not None else TimeOrderedIds(),
        limit=timedelta(seconds=settings.step_limit),
        people_at=settings.human,
        hands_over=HANDOVER in (deliverers or {}),
        retention=timedelta(days=settings.suspended_days),
    )
    return Dispatcher(
        parts,
        timing=Timing(accept_after=settings.accept_after, wait_limit=settings.wait_limit),
        beat_interval=settings.beat_interval,
        dead_after=settings.dead_after,
        sweep_interval=settings.sweep_interval,
        delivery_limit=settings.delivery_limit,
        observers=on_turn,
        heard=on_delivery,
        deliverers={**(assistant.deliverers if assistant is not None else {}), **(deliverers or {})},
        faults=faults,
    )


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


def _companion(store: Store, settings: Settings, thinking: Thinking) -> Companion | None:
    """The companion over this store; None when the store was opened without its tables."""
    if not isinstance(store, SqlStore) or TABLES not in store.plugins:
        return None
    meaning = encoder()
    return companion(
        store,
        artifacts_dir=settings.artifacts_dir,
        encode=None if meaning is None else meaning.encode,
        thinking=thinking,
    )
