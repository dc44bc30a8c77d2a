"""`python -m tests.clients.written_types` writes `client.d.ts`: the types of the JavaScript client, from the OpenAPI document."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from softrail import Settings, build
from softrail.api import create_app
from softrail.core.turns import Reply
from softrail.store import MemoryStore

WRITTEN: Final = Path(__file__).parents[2] / "softrail" / "api" / "pages" / "client.d.ts"
#: What the client gives or takes; everything that these need is written with them.
ROOTS: Final = ("TurnBody", "Reply", "SessionDetail", "Page_SessionView_", "Page_TurnItem_", "Cancelled")
SENT: Final = "TurnBody"  #: all others are answers, where a field with a default is there all the same
LEFT_OUT: Final = {name for name, field in Reply.model_fields.items() if field.exclude_if is not None}
STREAM: Final = "/converse/stream"
_PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}

CLIENT: Final = """
/** What happens while a turn is answered. */
export type TurnEvent =
{events};

/** What happens in a session, whoever says it. */
export interface SessionEvent {
  name: "item" | "process.transition" | "process.progress" | "text.said" | (string & {});
  data: any;
  id: string;
}

/** The server answered, and said no. */
export declare class Refusal extends Error {
  status: number;
  code: string;
  /** Seconds that the server asks to be left alone. */
  after: number;
  /** Of the first field that is not usable, `value.1` say; empty where it is none. */
  path: string;
  /** Why, in words for people where it is a `value` that does not fit. */
  reason: string;
  /** Whether the same request may be taken later. */
  get passes(): boolean;
}

/** No whole answer came. Said again with `turnId`, the turn is said once. */
export declare class NoAnswer extends Error {
  turnId: string;
}

export interface ClientOptions {
  /** Where the server is; omitted: where this file came from. */
  url?: string | URL;
  /** An access key: on a server, never in a page. */
  key?: string;
  /** In place of a key: gives a token, and another one when that has expired. */
  token?: (() => Promise<string> | string) | null;
  /** How often a request is sent before it is given up; 8. */
  tries?: number;
  /** Milliseconds before the second try; each further one waits twice as long. */
  wait?: number;
  /** Milliseconds without a word from the server after which a try is given up; 45,000. */
  timeout?: number;
}

/** Conversations of one person, as the one whose key it has or whom a token speaks for. */
export declare class Client {
  constructor(options?: ClientOptions);
  /** Say it, once; the reply. */
  say(said: string | TurnBody, options?: { signal?: AbortSignal }): Promise<Reply>;
  /** The same, as it happens; the last event is `turn.committed`, with the whole reply. */
  stream(said: string | TurnBody, options?: { signal?: AbortSignal }): AsyncGenerator<TurnEvent, void, void>;
  /** What happens in a session from item `after` on; it goes on until you leave it. */
  follow(session: string, options?: { after?: number; signal?: AbortSignal }): AsyncGenerator<SessionEvent, void, void>;
  sessions(options?: { before?: string; limit?: number }): Promise<Page_SessionView_>;
  session(session: string): Promise<SessionDetail>;
  turns(session: string, options?: { after?: number; before?: number | string; limit?: number }): Promise<Page_TurnItem_>;
  cancel(session: string): Promise<Cancelled>;
  erase(session: string): Promise<null>;
}

/** A new id, for a turn. */
export declare function newId(): string;
"""


def document() -> dict[str, Any]:
    """The interface of the core, without what plugins add."""
    settings = Settings(database_url="sqlite://")
    told: dict[str, Any] = create_app(
        build(settings, store=MemoryStore(), discover=False), settings
    ).openapi()
    return told


def types(told: dict[str, Any]) -> str:
    """All of `client.d.ts`."""
    schemas = told["components"]["schemas"]
    stream = told["paths"][STREAM]["post"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
    events = [_named(one) for one in stream["oneOf"]]
    needed: dict[str, None] = {}
    for name in (*ROOTS, *(_named(schemas[event]["properties"]["data"]) for event in events)):
        _need(name, schemas, needed)
    lines = [_event(schemas[event]) for event in events if event != "ErrorEvent"]
    head = "// Written by `python -m tests.clients.written_types` from the OpenAPI document. Do not change it by hand.\n"
    body = "".join(_interface(name, schemas[name]) for name in sorted(needed))
    return head + body + CLIENT.replace("{events}", "\n".join(lines))


def _need(name: str, schemas: dict[str, Any], needed: dict[str, None]) -> None:
    if name not in needed:
        needed[name] = None
        for other in re.findall(r"#/components/schemas/([\w]+)", str(schemas[name])):
            _need(other, schemas, needed)


def _named(schema: dict[str, Any]) -> str:
    return str(schema.get("$ref") or schema["allOf"][0]["$ref"]).rpartition("/")[2]


def _event(schema: dict[str, Any]) -> str:
    told = schema["properties"]
    return f'  | {{ name: "{told["event"]["const"]}"; data: {_named(told["data"])}; id: string }}'


def _interface(name: str, schema: dict[str, Any]) -> str:
    if schema.get("type") != "object":
        return f"{_words(schema, '')}export type {name} = {_type(schema)};\n\n"
    told = schema.get("properties", {})
    missing = told.keys() - schema.get("required", ()) if name == SENT else told.keys() & LEFT_OUT
    fields = "".join(_field(one, told[one], one not in missing) for one in told)
    more = "  [more: string]: unknown;\n" if schema.get("additionalProperties") is True else ""
    return f"{_words(schema, '')}export interface {name} {{\n{fields}{more}}}\n\n"


def _field(name: str, schema: dict[str, Any], needed: bool) -> str:
    return f"{_words(schema, '  ')}  {name}{'' if needed else '?'}: {_type(schema)};\n"


def _words(schema: dict[str, Any], indent: str) -> str:
    said = " ".join(str(schema.get("description", "")).split()).replace("*/", "* /")
    return f"{indent}/** {said} */\n" if said else ""


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _named(schema)
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{one}"' for one in schema["enum"])
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(dict.fromkeys(_ways(schema.get("anyOf") or schema["oneOf"])))
    if schema.get("type") == "array":
        return f"Array<{_type(schema.get('items', {}))}>"
    if schema.get("type") == "object":
        value = schema.get("additionalProperties")
        return f"Record<string, {_type(value) if isinstance(value, dict) else 'any'}>"
    return _PLAIN.get(str(schema.get("type")), "any")


def _ways(schemas: list[dict[str, Any]]) -> Iterator[str]:
    for schema in schemas:
        yield _type(schema)


if __name__ == "__main__":
    WRITTEN.write_text(types(document()), encoding="utf-8")
