"""The one place that picks concrete parts and puts them together."""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

from softrail.classifier import PlainClassifier
from softrail.core.decisions import Decision
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
    Records,
    Responder,
    Store,
)
from softrail.models import open_model
from softrail.processes import Conductor, Process
from softrail.prompts import Library, PlainResponder
from softrail.registry.discovery import discover as discover_plugins
from softrail.registry.dispatcher import Dispatcher
from softrail.registry.lanes import Pace
from softrail.registry.model_door import ModelDoor
from softrail.registry.parts import Parts
from softrail.registry.registry import Registry
from softrail.registry.sentences import Sentences
from softrail.settings import Settings, load_settings
from softrail.store import open_store
from softrail.store.projects import RecordProjects


def build(
    settings: Settings | None = None,
    *,
    store: Store | None = None,
    model: Model | None = None,
    classifier: Classifier | None = None,
    responder: Responder | None = None,
    projects: Projects | None = None,
    prompts: Prompts | None = None,
    ids: Ids | None = None,
    processes: Iterable[type[Process]] = (),
    intents: Iterable[tuple[IntentDefinition, Handler]] = (),
    services: Mapping[type, object] | None = None,
    effect_handlers: Mapping[str, EffectHandler] | None = None,
    deliverers: Mapping[str, Deliverer] | None = None,
    discover: bool = True,
    on_turn: Iterable[Callable[[Decision], None]] = (),
) -> Dispatcher:
    """Put the rooms together; anything passed in replaces the usual part.

    Args:
        settings: Limits, database, model; omitted: read from the environment and `softrail.toml`.
        store: Keeps everything; omitted: the database of the settings.
        model: A language model; omitted: the one the settings name.
        classifier: Reads free turns; omitted: the bundled one.
        responder: Puts free turns into words; omitted: the bundled one.
        projects: The projects a process may read and create; omitted: kept as records in the store.
        prompts: Finds texts by name; omitted: the bundled texts and the settings' folder.
        ids: Makes identifiers; a test passes a seeded one.
        processes: Guided processes, registered before any that are found installed.
        intents: Intents, each with the function that acts on it.
        services: What plugins' constructors and steps are given, by type.
        effect_handlers: Apply effects inside the commit, by their kind.
        deliverers: Deliver `after_commit` effects, by their kind.
        discover: Also register what installed distributions announce by entry point.
        on_turn: Called with every turn's decision record after its commit.

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
        )
    model = model if model is not None else open_model(settings.model, timeout=settings.model_timeout)
    prompts = prompts if prompts is not None else Library(overrides=settings.prompts_dir)
    projects = projects if projects is not None else RecordProjects(store)
    given: dict[type, object] = {
        Model: ModelDoor(model),
        Projects: projects,
        Prompts: prompts,
        Records: store,
        Settings: settings,
        **(services or {}),
    }
    registry = Registry(services=given)
    for process in processes:
        registry.register(process)
    faults = discover_plugins(registry) if discover else []
    for intent, handler in intents:
        registry.register_intent(intent, handler)
    parts = Parts(
        registry=registry,
        store=store,
        conductor=Conductor(prompts=prompts, services=given, limit=timedelta(seconds=settings.step_limit)),
        prompts=prompts,
        sentences=Sentences(prompts),
        classifier=classifier if classifier is not None else PlainClassifier(),
        responder=responder if responder is not None else PlainResponder(prompts),
        model=model,
        projects=projects,
        ids=ids if ids is not None else TimeOrderedIds(),
        limit=timedelta(seconds=settings.step_limit),
        retention=timedelta(days=settings.suspended_days),
    )
    return Dispatcher(
        parts,
        pace=Pace(accept_after=settings.accept_after, wait_limit=settings.wait_limit),
        beat_interval=settings.beat_interval,
        dead_after=settings.dead_after,
        sweep_interval=settings.sweep_interval,
        observers=on_turn,
        deliverers=deliverers,
        faults=faults,
    )
