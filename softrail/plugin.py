"""The second public door: what a plugin needs besides `softrail` to bring tables, services, deliverers and routes.

The bundled companion and the built-in processes import nothing else of ours. Names are loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from softrail.api.border import bad_cursor as bad_cursor
    from softrail.api.border import known_id as known_id
    from softrail.api.border import read_json as read_json
    from softrail.api.downloads import Download as Download
    from softrail.api.exporting import object_pieces as object_pieces
    from softrail.api.parts import Parts as Parts
    from softrail.api.routes.sessions import Limit as Limit
    from softrail.api.routes.sessions import item_view as item_view
    from softrail.api.schemas import NOT_NULL as NOT_NULL
    from softrail.api.schemas import Page as Page
    from softrail.api.schemas import TurnItem as TurnItem
    from softrail.api.schemas import requests as requests
    from softrail.api.uploads import INERT as INERT
    from softrail.api.uploads import uploaded as uploaded
    from softrail.bootstrap import plugin_tables as plugin_tables
    from softrail.classifier import load_catalogue as load_catalogue
    from softrail.classifier.catalogue import Catalogue as Catalogue
    from softrail.classifier.catalogue import read_catalogue as read_catalogue
    from softrail.classifier.encoder import encoder as encoder
    from softrail.classifier.evaluate import Labelled as Labelled
    from softrail.classifier.evaluate import read_labelled as read_labelled
    from softrail.classifier.settle import corrected as corrected
    from softrail.core.border import is_id as is_id
    from softrail.core.border import unusable as unusable
    from softrail.core.clock import now as now
    from softrail.core.decisions import Decision as Decision
    from softrail.core.effects import OutboxItem as OutboxItem
    from softrail.core.errors import BadRequest as BadRequest
    from softrail.core.errors import ConversationError as ConversationError
    from softrail.core.errors import DefinitionError as DefinitionError
    from softrail.core.errors import Forbidden as Forbidden
    from softrail.core.errors import ModelUnavailable as ModelUnavailable
    from softrail.core.errors import NotFound as NotFound
    from softrail.core.errors import ServiceError as ServiceError
    from softrail.core.errors import StoreUnavailable as StoreUnavailable
    from softrail.core.execution import Claim as Claim
    from softrail.core.execution import Host as Host
    from softrail.core.execution import Work as Work
    from softrail.core.files import disposition as disposition
    from softrail.core.files import media_type as media_type
    from softrail.core.files import safe_name as safe_name
    from softrail.core.focus import Focus as Focus
    from softrail.core.forms import form as form
    from softrail.core.ids import Ids as Ids
    from softrail.core.ids import TimeOrderedIds as TimeOrderedIds
    from softrail.core.intents import GENERAL as GENERAL
    from softrail.core.intents import GREETING as GREETING
    from softrail.core.intents import HELP as HELP
    from softrail.core.intents import HUMAN as HUMAN
    from softrail.core.intents import Candidate as Candidate
    from softrail.core.intents import Reading as IntentReading
    from softrail.core.intents import wishes_in as wishes_in
    from softrail.core.looking import Looks as Looks
    from softrail.core.looking import Tool as Tool
    from softrail.core.markdown import inert as inert
    from softrail.core.outcomes import Drafted as Drafted
    from softrail.core.people import clean_email as clean_email
    from softrail.core.ports import Classifier as Classifier
    from softrail.core.ports import Deliverer as Deliverer
    from softrail.core.ports import EffectHandler as EffectHandler
    from softrail.core.ports import EffectTransaction as EffectTransaction
    from softrail.core.ports import Handler as Handler
    from softrail.core.ports import Intents as Intents
    from softrail.core.ports import ModelAnswer as ModelAnswer
    from softrail.core.ports import ModelKeys as ModelKeys
    from softrail.core.ports import Responder as Responder
    from softrail.core.ports import Services as Services
    from softrail.core.ports import Store as Store
    from softrail.core.ports import Tables as Tables
    from softrail.core.ports import Wall as Wall
    from softrail.core.ports import Warms as Warms
    from softrail.core.ports import Words as Words
    from softrail.core.reading import Command as Command
    from softrail.core.reading import Value as Value
    from softrail.core.turns import Holder as Holder
    from softrail.dialogue.metered_model import turn_passing as turn_passing
    from softrail.language import items as items
    from softrail.language import language as language
    from softrail.language import normal as normal
    from softrail.models.plain import PlainModel as PlainModel
    from softrail.models.plain import is_plain as is_plain
    from softrail.prompts import Texts as Texts
    from softrail.settings import PluginSettings as PluginSettings
    from softrail.settings import SettingsError as SettingsError
    from softrail.settings import readable_folder as readable_folder
    from softrail.store import MemoryStore as MemoryStore
    from softrail.store import PluginTables as PluginTables
    from softrail.store import SqlStore as SqlStore
    from softrail.store import Statement as Statement
    from softrail.store import claim_stands as claim_stands
    from softrail.store import open_store as open_store
    from softrail.store import outbox as outbox
    from softrail.store.attention import open_questions as open_questions
    from softrail.store.attention import put_aside as put_aside
    from softrail.store.people import ensure_person as ensure_person
    from softrail.store.rows import moment as moment
    from softrail.store.rows import moment_or_none as moment_or_none
    from softrail.store.rows import stamp as stamp
    from softrail.store.tables import CONVENTION as CONVENTION
    from softrail.store.tables import effects as effects_table
    from softrail.store.tables import persons as persons_table
    from softrail.store.tables import turns as turns_table
    from softrail.store.thread import Exchange as Exchange
    from softrail.store.thread import last_exchanges as last_exchanges

#: The module of each, and its name there.
_HOMES: Final = {
    "BadRequest": ("core.errors", "BadRequest"),
    "CONVENTION": ("store.tables", "CONVENTION"),
    "Candidate": ("core.intents", "Candidate"),
    "Catalogue": ("classifier.catalogue", "Catalogue"),
    "Claim": ("core.execution", "Claim"),
    "Classifier": ("core.ports", "Classifier"),
    "Command": ("core.reading", "Command"),
    "ConversationError": ("core.errors", "ConversationError"),
    "Decision": ("core.decisions", "Decision"),
    "DefinitionError": ("core.errors", "DefinitionError"),
    "Deliverer": ("core.ports", "Deliverer"),
    "Download": ("api.downloads", "Download"),
    "Drafted": ("core.outcomes", "Drafted"),
    "EffectHandler": ("core.ports", "EffectHandler"),
    "EffectTransaction": ("core.ports", "EffectTransaction"),
    "Exchange": ("store.thread", "Exchange"),
    "Focus": ("core.focus", "Focus"),
    "Forbidden": ("core.errors", "Forbidden"),
    "GENERAL": ("core.intents", "GENERAL"),
    "GREETING": ("core.intents", "GREETING"),
    "HELP": ("core.intents", "HELP"),
    "HUMAN": ("core.intents", "HUMAN"),
    "Handler": ("core.ports", "Handler"),
    "Holder": ("core.turns", "Holder"),
    "Host": ("core.execution", "Host"),
    "INERT": ("api.uploads", "INERT"),
    "Ids": ("core.ids", "Ids"),
    "IntentReading": ("core.intents", "Reading"),
    "Intents": ("core.ports", "Intents"),
    "Labelled": ("classifier.evaluate", "Labelled"),
    "Limit": ("api.routes.sessions", "Limit"),
    "Looks": ("core.looking", "Looks"),
    "MemoryStore": ("store", "MemoryStore"),
    "ModelAnswer": ("core.ports", "ModelAnswer"),
    "ModelKeys": ("core.ports", "ModelKeys"),
    "ModelUnavailable": ("core.errors", "ModelUnavailable"),
    "NOT_NULL": ("api.schemas", "NOT_NULL"),
    "NotFound": ("core.errors", "NotFound"),
    "OutboxItem": ("core.effects", "OutboxItem"),
    "Page": ("api.schemas", "Page"),
    "Parts": ("api.parts", "Parts"),
    "PlainModel": ("models.plain", "PlainModel"),
    "PluginSettings": ("settings", "PluginSettings"),
    "PluginTables": ("store", "PluginTables"),
    "Responder": ("core.ports", "Responder"),
    "ServiceError": ("core.errors", "ServiceError"),
    "Services": ("core.ports", "Services"),
    "SettingsError": ("settings", "SettingsError"),
    "SqlStore": ("store", "SqlStore"),
    "Statement": ("store", "Statement"),
    "Store": ("core.ports", "Store"),
    "StoreUnavailable": ("core.errors", "StoreUnavailable"),
    "Tables": ("core.ports", "Tables"),
    "Texts": ("prompts", "Texts"),
    "TimeOrderedIds": ("core.ids", "TimeOrderedIds"),
    "Tool": ("core.looking", "Tool"),
    "TurnItem": ("api.schemas", "TurnItem"),
    "Value": ("core.reading", "Value"),
    "Wall": ("core.ports", "Wall"),
    "Words": ("core.ports", "Words"),
    "Warms": ("core.ports", "Warms"),
    "Work": ("core.execution", "Work"),
    "bad_cursor": ("api.border", "bad_cursor"),
    "claim_stands": ("store", "claim_stands"),
    "clean_email": ("core.people", "clean_email"),
    "corrected": ("classifier.settle", "corrected"),
    "disposition": ("core.files", "disposition"),
    "effects_table": ("store.tables", "effects"),
    "encoder": ("classifier.encoder", "encoder"),
    "ensure_person": ("store.people", "ensure_person"),
    "form": ("core.forms", "form"),
    "inert": ("core.markdown", "inert"),
    "is_id": ("core.border", "is_id"),
    "is_plain": ("models.plain", "is_plain"),
    "item_view": ("api.routes.sessions", "item_view"),
    "items": ("language", "items"),
    "known_id": ("api.border", "known_id"),
    "language": ("language", "language"),
    "last_exchanges": ("store.thread", "last_exchanges"),
    "load_catalogue": ("classifier", "load_catalogue"),
    "media_type": ("core.files", "media_type"),
    "moment": ("store.rows", "moment"),
    "moment_or_none": ("store.rows", "moment_or_none"),
    "normal": ("language", "normal"),
    "now": ("core.clock", "now"),
    "object_pieces": ("api.exporting", "object_pieces"),
    "open_questions": ("store.attention", "open_questions"),
    "open_store": ("store", "open_store"),
    "outbox": ("store", "outbox"),
    "persons_table": ("store.tables", "persons"),
    "plugin_tables": ("bootstrap", "plugin_tables"),
    "put_aside": ("store.attention", "put_aside"),
    "read_catalogue": ("classifier.catalogue", "read_catalogue"),
    "read_json": ("api.border", "read_json"),
    "read_labelled": ("classifier.evaluate", "read_labelled"),
    "readable_folder": ("settings", "readable_folder"),
    "requests": ("api.schemas", "requests"),
    "safe_name": ("core.files", "safe_name"),
    "stamp": ("store.rows", "stamp"),
    "turn_passing": ("dialogue.metered_model", "turn_passing"),
    "turns_table": ("store.tables", "turns"),
    "unusable": ("core.border", "unusable"),
    "uploaded": ("api.uploads", "uploaded"),
    "wishes_in": ("core.intents", "wishes_in"),
}

__all__ = [
    "CONVENTION",
    "GENERAL",
    "GREETING",
    "HELP",
    "HUMAN",
    "INERT",
    "NOT_NULL",
    "BadRequest",
    "Candidate",
    "Catalogue",
    "Claim",
    "Classifier",
    "Command",
    "ConversationError",
    "Decision",
    "DefinitionError",
    "Deliverer",
    "Download",
    "Drafted",
    "EffectHandler",
    "EffectTransaction",
    "Exchange",
    "Focus",
    "Forbidden",
    "Handler",
    "Holder",
    "Host",
    "Ids",
    "IntentReading",
    "Intents",
    "Labelled",
    "Limit",
    "MemoryStore",
    "ModelAnswer",
    "ModelKeys",
    "ModelUnavailable",
    "NotFound",
    "OutboxItem",
    "Page",
    "Parts",
    "PlainModel",
    "PluginSettings",
    "PluginTables",
    "Responder",
    "ServiceError",
    "Services",
    "SettingsError",
    "SqlStore",
    "Statement",
    "Store",
    "StoreUnavailable",
    "Tables",
    "Texts",
    "TimeOrderedIds",
    "TurnItem",
    "Value",
    "Wall",
    "Warms",
    "Words",
    "Work",
    "bad_cursor",
    "claim_stands",
    "clean_email",
    "corrected",
    "disposition",
    "effects_table",
    "encoder",
    "ensure_person",
    "inert",
    "is_id",
    "is_plain",
    "item_view",
    "items",
    "known_id",
    "language",
    "last_exchanges",
    "load_catalogue",
    "media_type",
    "moment",
    "moment_or_none",
    "normal",
    "now",
    "object_pieces",
    "open_questions",
    "open_store",
    "outbox",
    "persons_table",
    "plugin_tables",
    "put_aside",
    "read_catalogue",
    "read_json",
    "read_labelled",
    "readable_folder",
    "requests",
    "safe_name",
    "stamp",
    "turn_passing",
    "turns_table",
    "unusable",
    "uploaded",
    "wishes_in",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'softrail.plugin' has no attribute {name!r}")
    value = getattr(import_module(f"softrail.{home[0]}"), home[1])
    globals()[name] = value
    return value
