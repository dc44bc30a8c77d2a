"""Every setting, with its default and what it means; one class, one table, one clear line when a value is wrong.

Values come from, first wins: arguments, the environment (`SOFTRAIL_…`), `.env`, `softrail.toml`.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_args, get_origin
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings import (
    SettingsError as SettingsSourceError,
)

from softrail.core.errors import DefinitionError, SoftrailError
from softrail.core.files import UPLOAD_LIMIT
from softrail.core.hosts import clean_host

PREFIX = "SOFTRAIL_"
TOML_FILE = "softrail.toml"
ENV_FILE = ".env"
Access = Literal["auto", "keys", "local"]
SCHEMES = ("sqlite", "postgresql")
SHORTEST_SECRET = 32
BUNDLED = ("companion", "onboarding", "plans", "standup")
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?")
_SECTION = re.compile(r"[a-z][a-z0-9_]{0,40}")


class SettingsError(SoftrailError):
    """A setting has a value that cannot be used; the message is one line that names it."""

    code = "settings_error"


class Settings(BaseSettings):
    """What an operator may choose. Frozen: a running application never changes its mind."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        toml_file=TOML_FILE,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    app: str = Field(
        default="",
        max_length=300,
        description="Your application, as `MODULE:NAME`: a dispatcher, or a function that makes one. Every command runs it; "
        "omitted: what is installed.",
    )
    bundled: Annotated[tuple[str, ...], NoDecode] = Field(
        default=BUNDLED,
        description="Which of the bundled parts are there, with commas between them; none with an empty value.",
    )
    database_url: str = Field(
        default="sqlite:///softrail.db",
        repr=False,  # it may hold a password
        description="Where everything is kept: `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/NAME`.",
    )
    durability: Literal["full", "normal"] = Field(
        default="full",
        description="SQLite only. `full` survives a power cut; `normal` is faster and may lose the last moments "
        "before one, never more.",
    )
    busy_timeout: float = Field(
        default=5.0, gt=0, description="Seconds to wait for a locked database before answering 503."
    )
    pool_size: int = Field(
        default=5, ge=1, le=500, description="Database connections kept open by one worker."
    )
    model: Literal["auto", "plain", "claude", "openai"] = Field(
        default="auto",
        description="Which language model is asked. `plain` needs no key and no network; `auto` is `claude` when "
        "`ANTHROPIC_API_KEY` is there, else `plain`; `openai` is any server of that kind, a local one too.",
    )
    model_timeout: float = Field(
        default=30.0,
        gt=0,
        description="Seconds a language model may take in one turn, all its calls together.",
    )
    tokens_per_day: int = Field(
        default=0,
        ge=0,
        description="Tokens of a language model a person may use in a day (UTC) on the system's account; 0 sets no "
        "limit. Turns paid with a person's own key do not count.",
    )
    claude_model: str = Field(
        default="claude-sonnet-5-5", min_length=1, description="Which Claude is asked, as Anthropic names it."
    )
    openai_model: str = Field(
        default="", description="With `openai`: what the server calls the model. There is no usual one."
    )
    openai_url: str = Field(
        default="",
        description="With `openai`: where the server is, such as `http://localhost:11434/v1`; omitted: "
        "`OPENAI_BASE_URL`, else OpenAI's own.",
    )
    prices_file: Path | None = Field(
        default=None,
        description="A TOML file with what models cost, in the form of the bundled one and in its place.",
    )
    secret_key: SecretStr = Field(
        default=SecretStr(""),
        description="32 or more random characters that seal people's own model keys in the database, and sign tokens for "
        "pages; without it there are neither. Several with commas between them: the first seals, all of them open.",
    )
    reader: Literal["exact", "learned", "model"] = Field(
        default="model",
        description="How far answers in guided processes are read: by exact words alone, by the small model that is "
        "bundled, or also by the language model where that is unsure and there is one.",
    )
    reading_limit: float = Field(
        default=2.0,
        gt=0,
        description="Seconds that the small model may read one message; after that it is asked what was meant.",
    )
    human: str = Field(
        default="",
        max_length=300,
        description="Where a person can be reached, as it is told to whoever asks for one: an address, a number, hours.",
    )
    step_limit: float = Field(
        default=10.0, gt=0, description="Seconds a step of a process may run before the person is told."
    )
    hold_limit: float = Field(
        default=0.25,
        gt=0,
        description="Seconds that code of a plugin may hold the event loop in one go before it is told in the log and counted.",
    )
    accept_after: float = Field(
        default=0.05,
        ge=0,
        description="Seconds a turn may run before it is written down as accepted; with 0 it is before it runs.",
    )
    wait_limit: float = Field(
        default=60.0, gt=0, description="Seconds a turn waits for its place in its session before 503."
    )
    waiting_limit: int = Field(
        default=100,
        ge=1,
        description="Turns that may wait in one session; further ones are refused with 429.",
    )
    beat_interval: float = Field(
        default=0.5, gt=0, description="Seconds between two signs of life of a worker."
    )
    dead_after: float = Field(
        default=2.0, gt=0, description="Seconds without a sign of life after which a worker counts as dead."
    )
    sweep_interval: float = Field(
        default=60.0, gt=0, description="Seconds between two sweeps for processes whose time is over."
    )
    delivery_limit: float = Field(
        default=60.0,
        gt=0,
        description="Seconds a delivery of an `after_commit` effect may take before the try has failed.",
    )
    runs_at_once: int = Field(
        default=4, ge=1, le=100, description="Runs of long work that one worker drives at the same time."
    )
    engine: Literal["embedded", "dbos"] = Field(
        default="embedded",
        description="What has runs of long work driven: the workers themselves, over any database, or DBOS, for a fleet of "
        "machines over one PostgreSQL (`pip install 'softrail[dbos]'`).",
    )
    suspended_days: int = Field(
        default=30, ge=1, description="Days a paused process can be resumed before it expires."
    )
    grace: float = Field(
        default=30.0, ge=0, description="Seconds that running turns get to finish when the server stops."
    )
    prompts_dir: Path | None = Field(
        default=None, description="A folder whose text files replace bundled texts of the same name."
    )
    upload_limit: int = Field(
        default=UPLOAD_LIMIT, ge=1024, description="Bytes a file may have before it is refused with 413."
    )
    encoder: str = Field(
        default="minilm",
        min_length=1,
        description="What the classifier compares meanings with: `minilm` (bundled), `none` (words only), or the name "
        "of a sentence-transformers model such as `BAAI/bge-large-en-v1.5`.",
    )
    intents_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        default=(),
        description="YAML files, with commas between them, with more examples and other bars for intents that are "
        "there, in the form of the bundled one.",
    )
    bar: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="Confidence, 0 to 1, at which an intent is taken without asking anyone; an intent may have its own.",
    )
    bar_sub: float = Field(
        default=0.65,
        ge=0,
        le=1,
        description="Share, 0 to 1, of an intent's confidence that a sub-intent of it must have to be named.",
    )
    bar_floor: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="Confidence, 0 to 1, at which an intent is taken when there is no language model to ask.",
    )
    bar_close: float = Field(
        default=0.1,
        ge=0,
        le=1,
        description="Two readings whose confidences differ by at most this, 0 to 1, are asked about.",
    )
    bar_model: float = Field(
        default=0.7,
        ge=0,
        le=1,
        description="Confidence, 0 to 1, below which what a language model reads is taken for talk.",
    )
    strangers: float = Field(
        default=0.1,
        ge=0.01,
        le=0.99,
        description="The share of messages, 0.01 to 0.99, that are expected to mean none of the intents.",
    )
    review_file: Path | None = Field(
        default=None,
        description="A file that collects messages only the language model was sure of, for `softrail review`; "
        "omitted: none are collected.",
    )
    cache_dir: Path | None = Field(
        default=None,
        description="Where what can be computed again is kept, such as fitted classifiers; omitted: the user's own "
        "cache folder.",
    )
    locale: str = Field(
        default="en",
        pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
        description="Language of people who have not said otherwise, for example `en` or `en-GB`.",
    )
    timezone: str = Field(
        default="UTC", description="Time zone of people who have not said otherwise, an IANA name."
    )
    local_person: str = Field(
        default="me@localhost",
        min_length=3,
        max_length=254,
        description="E-mail of the one person of local mode (no access key made yet).",
    )
    access: Access = Field(
        default="auto",
        description="Who may ask: `keys`, whoever has an access key; `local`, this machine alone and without one; `auto`, "
        "`local` until the first access key is made and `keys` from then on, whatever becomes of it.",
    )
    host: str = Field(
        default="127.0.0.1", min_length=1, description="Address that `softrail serve` listens on."
    )
    hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Names that the server answers by, with commas between them: `example.org`, `*.example.org`, `10.0.0.0/8`; "
        "this machine's own always do. Omitted: every address and every name with a dot in it, once access keys are needed.",
    )
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Origins of pages elsewhere that may use this server, with commas between them: "
        "`https://app.example.org`. Pages of its own host always may.",
    )
    port: int = Field(default=8000, ge=0, le=65535, description="Port that `softrail serve` listens on.")
    workers: int = Field(default=1, ge=1, le=256, description="Processes that `softrail serve` starts.")
    worker_age: float = Field(
        default=0,
        ge=0,
        description="With several workers: seconds after which each is replaced by a new one; 0 sets no limit.",
    )
    worker_memory: int = Field(
        default=0,
        ge=0,
        description="With several workers: megabytes above which one is replaced by a new one; 0 sets no limit.",
    )
    header_timeout: float = Field(
        default=10.0,
        gt=0,
        description="Seconds in which a request's headers have to be there, once it begins.",
    )
    body_timeout: float = Field(
        default=20.0,
        gt=0,
        description="Seconds in which a request's body has to be there, and one more for every 1,000 bytes of it.",
    )
    reader_timeout: float = Field(
        default=60.0,
        gt=0,
        description="Seconds after which a client that takes nothing of an answer is left.",
    )
    connection_limit: int = Field(
        default=4000,
        ge=0,
        description="Connections that a worker keeps open, at most as many as the system allows; more get 503.",
    )
    stream_limit: int = Field(
        default=1000,
        ge=1,
        description="Streams and downloads that a person may have open at once, per worker; more get 429.",
    )
    body_limit: int = Field(
        default=1_048_576, ge=1024, description="Bytes a request body may have before it is refused with 413."
    )
    rate_limit: int = Field(
        default=0,
        ge=0,
        description="Requests a person may make in a minute, over all workers; 0 sets no limit, and saves counting them.",
    )
    web: Literal["all", "chat", "none"] = Field(
        default="all",
        description="Which pages are served: `chat` the chat page at `/`, `all` also the inspector at `/inspect`, `none` none of them.",
    )
    docs: bool = Field(
        default=True, description="Serve `/docs` and `/openapi.json`; switch it off in production."
    )
    metrics: bool = Field(
        default=True, description="Serve `/metrics` for Prometheus; switch it off where anyone may ask."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="The least important log lines that are written."
    )
    log_json: bool = Field(default=True, description="Write each log line as one JSON object.")
    log_words: bool = Field(
        default=False,
        description="Write what errors of plugins and libraries say into the log, not only what and where they are: for "
        "development, as it may be what a person said.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments win over the environment, that over `.env`, that over the file."""
        return (
            init_settings,
            *_written(settings_cls, env_settings, dotenv_settings),
            _TomlFile(settings_cls),
        )

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        scheme = value.partition("://")[0].partition("+")[0]
        if "://" not in value or scheme not in SCHEMES:
            raise ValueError("it must begin with sqlite:// or postgresql://")
        return value

    @field_validator("openai_url")
    @classmethod
    def _web_address(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("it must begin with http:// or https://")
        return value

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("it must be an IANA name such as Europe/Berlin") from None
        return value

    @field_validator("secret_key")
    @classmethod
    def _long_secrets(cls, value: SecretStr) -> SecretStr:
        if any(len(secret) < SHORTEST_SECRET for secret in _listed(value)):
            raise ValueError(f"each secret in it must have {SHORTEST_SECRET} or more characters")
        return value

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secrets that seal model keys, the present one first."""
        return _listed(self.secret_key)

    @field_validator("bundled")
    @classmethod
    def _known_parts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for name in value:
            if name not in BUNDLED:
                raise ValueError(f"{name!r} is none of the bundled parts ({', '.join(BUNDLED)})")
        return value

    @field_validator("hosts")
    @classmethod
    def _known_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(clean_host(one) for one in value)

    @field_validator("allowed_origins")
    @classmethod
    def _plain_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for one in value:
            if _ORIGIN.fullmatch(one) is None:
                raise ValueError(
                    f"{one!r} is no origin: it has a scheme, a name and no path, as https://example.org"
                )
        return value

    @field_validator("intents_files", "bundled", "hosts", "allowed_origins", mode="before")
    @classmethod
    def _with_commas(cls, value: Any) -> Any:
        return [one.strip() for one in value.split(",") if one.strip()] if isinstance(value, str) else value

    @field_validator("intents_files")
    @classmethod
    def _existing_files(cls, value: tuple[Path, ...]) -> tuple[Path, ...]:
        for path in value:
            if not path.is_file():
                raise ValueError(f"there is no file {path}")
        return value

    @field_validator("prices_file")
    @classmethod
    def _existing_file(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_file():
            raise ValueError("there is no such file")
        return value

    @field_validator("prompts_dir")
    @classmethod
    def _existing_folder(cls, value: Path | None) -> Path | None:
        return readable_folder(value)

    @model_validator(mode="after")
    def _bars_in_order(self) -> "Settings":
        if self.bar_floor > self.bar:
            raise ValueError(f"{PREFIX}BAR_FLOOR must not be above {PREFIX}BAR")
        return self

    @model_validator(mode="after")
    def _database_of_the_engine(self) -> "Settings":
        if self.engine == "dbos" and not self.database_url.startswith("postgresql"):
            raise ValueError(
                f"{PREFIX}ENGINE=dbos needs PostgreSQL: let {PREFIX}DATABASE_URL begin with postgresql://, or leave the "
                "engine out"
            )
        return self

    @model_validator(mode="after")
    def _signs_of_life(self) -> "Settings":
        if self.dead_after < 2 * self.beat_interval:
            raise ValueError(
                f"{PREFIX}DEAD_AFTER must be at least twice {PREFIX}BEAT_INTERVAL, "
                "or living workers are taken for dead"
            )
        return self


def _written(
    kind: type[BaseSettings], environment: PydanticBaseSettingsSource, file: PydanticBaseSettingsSource
) -> Iterator[PydanticBaseSettingsSource]:
    """Those of the two where something may be written: looking for every setting in vain takes milliseconds."""
    elsewhere = any(field.validation_alias is not None for field in kind.model_fields.values())
    if elsewhere or any(name.upper().startswith(PREFIX) for name in os.environ):
        yield environment
    if getattr(file, "env_file", None) != ENV_FILE or Path(ENV_FILE).exists():
        yield file


def readable_folder(value: Path | None) -> Path | None:
    """The folder, when it is there and can be read; raises ValueError, as a validator does."""
    try:
        if value is not None and not value.is_dir():
            raise ValueError("there is no such folder")
        if value is not None:
            next(value.iterdir(), None)
    except OSError as error:
        raise ValueError(f"the folder cannot be read ({error.strerror})") from None
    return value


def _listed(value: SecretStr) -> tuple[str, ...]:
    return tuple(one.strip() for one in value.get_secret_value().split(",") if one.strip())


class _TomlFile(TomlConfigSettingsSource):
    """`softrail.toml` of the working folder; a name in it that is no setting is an error, not a silent miss."""

    def __call__(self) -> dict[str, Any]:
        found = super().__call__()
        own = {
            n: v for n, v in found.items() if not isinstance(v, dict) or n in self.settings_cls.model_fields
        }
        _check_names(own, self.settings_cls, TOML_FILE)  # a table belongs to a plugin
        return own


class PluginSettings(BaseSettings):
    """The settings of a plugin, from where the application's come: derive from it and name the `section`.

    A field `name` of the section `shop` is `SOFTRAIL_SHOP_NAME` in the environment and in `.env`, and `name` in
    the table `[shop]` of `softrail.toml`. Announced under the entry-point group `softrail.settings`, an instance
    is a service like any other.
    """

    section: ClassVar[str] = ""
    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        toml_file=TOML_FILE,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Complain at once about names that would clash.

        Raises:
            DefinitionError: The section has no usable name, or one of its settings is the application's own.
        """
        super().__pydantic_init_subclass__(**kwargs)
        if _SECTION.fullmatch(cls.section) is None:
            raise DefinitionError(
                f"{cls.__qualname__} needs a section of small letters, digits and _, not {cls.section!r}."
            )
        for name in cls.model_fields:
            if f"{cls.section}_{name}" in Settings.model_fields or cls.section in Settings.model_fields:
                raise DefinitionError(
                    f"The setting {name!r} of the section {cls.section!r} is one of the application's own. "
                    "Choose another section."
                )
        cls.model_config = {**cls.model_config, "env_prefix": f"{PREFIX}{cls.section.upper()}_"}

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """As for the application's own."""
        return (init_settings, *_written(settings_cls, env_settings, dotenv_settings), _Section(settings_cls))

    @classmethod
    def loaded(cls) -> Self:
        """What is in force. Raises SettingsError with one clear line."""
        try:
            return cls()
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            raise SettingsError(_line(first["loc"], first["msg"], {}, f"{cls.section}_")) from None
        except (SettingsSourceError, ValueError, OSError) as error:
            raise SettingsError(f"The settings cannot be read: {' '.join(str(error).split())}") from None


class _Section(TomlConfigSettingsSource):
    """One table of `softrail.toml`; a name in it that is no setting is an error, too."""

    def __call__(self) -> dict[str, Any]:
        assert issubclass(self.settings_cls, PluginSettings)  # noqa: S101 - it is its source
        section = self.settings_cls.section
        own = super().__call__().get(section, {})
        _check_names(own, self.settings_cls, f"{TOML_FILE} [{section}]")
        return dict(own)


def _check_names(given: dict[str, Any], kind: type[BaseSettings], where: str) -> None:
    for name in given:
        if name not in kind.model_fields:
            near = difflib.get_close_matches(name, kind.model_fields, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise SettingsError(f"{where}: there is no setting named {name!r}.{hint}")


def sections() -> list[str]:
    """The tables of `softrail.toml`; each belongs to a plugin."""
    try:
        written = tomllib.loads(Path(TOML_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (ValueError, OSError) as error:
        raise SettingsError(f"The settings cannot be read: {' '.join(str(error).split())}") from None
    return [name for name, value in written.items() if isinstance(value, dict)]


def load_settings(**values: Any) -> Settings:
    """The settings in force; `values` that are not None win. Raises SettingsError with one clear line."""
    given = {name: value for name, value in values.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise SettingsError(_line(first["loc"], first["msg"], given)) from None
    except (SettingsSourceError, ValueError, OSError) as error:  # a file that cannot be read
        raise SettingsError(f"The settings cannot be read: {' '.join(str(error).split())}") from None


def _line(where: tuple[int | str, ...], what: str, given: dict[str, Any], of: str = "") -> str:
    reason = what.removeprefix("Value error, ").rstrip(".")
    if not where:
        return f"{reason}."
    name = str(where[0]).lower()
    source = f"The argument {name}" if name in given else f"{PREFIX}{of.upper()}{name.upper()}"
    return f"{source} is not usable: {reason[:1].lower()}{reason[1:]}."


class SettingRow(NamedTuple):
    """One row of the table of settings."""

    name: str  #: as an environment variable
    key: str  #: in `softrail.toml`
    type: str
    default: str
    description: str


def settings_table(of: type[BaseSettings] = Settings) -> list[SettingRow]:
    """Every setting in its order, for the documentation."""
    rows = []
    prefix = of.model_config.get("env_prefix", "")
    for key, field in of.model_fields.items():
        kind = field.annotation
        if get_origin(kind) is Literal:
            shown = " | ".join(get_args(kind))
        elif get_origin(kind) is tuple:
            shown = f"list of {get_args(kind)[0].__name__}"
        elif get_origin(kind) is dict:
            shown = f"table of {get_args(kind)[1].__name__}"
        elif isinstance(kind, type):
            shown = kind.__name__
        else:
            shown = str(kind).replace("pathlib.", "")
        standard = ",".join(field.default) if isinstance(field.default, tuple) else field.default
        default = "" if standard is None else str(standard)
        rows.append(SettingRow(f"{prefix}{key.upper()}", key, shown, default, field.description or ""))
    return rows
