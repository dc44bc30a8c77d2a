from pathlib import Path

import pytest
from pydantic import SecretStr

from softrail.classifier import Bars
from softrail.classifier.cascade import STRANGERS
from softrail.settings import Settings, SettingsError, load_settings, settings_table


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_arguments_win_over_the_environment_that_over_env_file_that_over_toml(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "softrail.toml").write_text("port = 1\nworkers = 1\ngrace = 1\nwait_limit = 1\n")
    (folder / ".env").write_text("SOFTRAIL_PORT=2\nSOFTRAIL_WORKERS=2\nSOFTRAIL_GRACE=2\nOTHER=x\n")
    monkeypatch.setenv("SOFTRAIL_PORT", "3")
    monkeypatch.setenv("SOFTRAIL_WORKERS", "3")

    found = load_settings(port=4)

    assert (found.port, found.workers, found.grace, found.wait_limit) == (4, 3, 2, 1)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PORT", "abc", "SOFTRAIL_PORT is not usable"),
        ("DATABASE_URL", "mysql://root:hunter2@db/x", "sqlite:// or postgresql://"),
        ("MODEL", "gpt", "'plain', 'claude' or 'openai'"),
        ("OPENAI_URL", "localhost:1/hunter2", "it must begin with http:// or https://"),
        ("TIMEZONE", "../etc/passwd", "IANA"),
        ("DEAD_AFTER", "0.6", "SOFTRAIL_BEAT_INTERVAL"),
        ("ENGINE", "dbos", "SOFTRAIL_ENGINE=dbos needs PostgreSQL"),
        ("PROMPTS_DIR", "/no/such/folder", "no such folder"),
        ("PRICES_FILE", "/no/such/file", "no such file"),
        ("INTENTS_FILES", "/no/such/file.yaml", "no file /no/such/file.yaml"),
        ("BAR", "1.1", "SOFTRAIL_BAR is not usable: input should be less than or equal to 1"),
        ("BAR_SUB", "-0.1", "SOFTRAIL_BAR_SUB is not usable"),
        ("BAR_CLOSE", "nan", "SOFTRAIL_BAR_CLOSE is not usable"),
        ("BAR_MODEL", "inf", "SOFTRAIL_BAR_MODEL is not usable"),
        ("BAR_FLOOR", "0.9", "SOFTRAIL_BAR_FLOOR must not be above SOFTRAIL_BAR"),
        ("STRANGERS", "0", "SOFTRAIL_STRANGERS is not usable"),
        ("STRANGERS", "1", "SOFTRAIL_STRANGERS is not usable"),
        ("SECRET_KEY", "hunter2", "32 or more characters"),
        ("SECRET_KEY", "x" * 40 + ",hunter2", "32 or more characters"),
    ],
)
def test_a_wrong_value_is_one_clear_line_without_the_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(f"SOFTRAIL_{name}", value)

    with pytest.raises(SettingsError) as caught:
        load_settings()

    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert "hunter2" not in caught.value.message


def test_a_misspelt_name_in_the_file_is_told_with_the_nearest(folder: Path) -> None:
    (folder / "softrail.toml").write_text('databse_url = "sqlite:///x.db"\n')

    with pytest.raises(SettingsError, match="Did you mean 'database_url'"):
        load_settings()


def test_a_file_that_is_no_toml_is_one_line(folder: Path) -> None:
    (folder / "softrail.toml").write_text("port = = 1\n")

    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings()


def test_the_password_of_the_database_is_in_no_repr() -> None:
    assert "hunter2" not in repr(Settings(database_url="postgresql://u:hunter2@db/x"))


def test_every_setting_is_described() -> None:
    rows = settings_table()

    assert {row.key for row in rows} == set(Settings.model_fields)
    assert all(row.description.endswith(".") for row in rows)


def test_secrets_are_listed_newest_first_and_never_shown() -> None:
    settings = Settings(secret_key=SecretStr("canary-" + "n" * 40 + " , canary-" + "o" * 40))

    assert settings.secrets == ("canary-" + "n" * 40, "canary-" + "o" * 40)
    assert Settings().secrets == ()
    for shown in (repr(settings), str(settings), settings.model_dump_json()):
        assert "canary" not in shown


def test_files_of_intents_are_listed_with_commas_or_as_a_list(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one.yaml", "two.yaml"):
        (folder / name).write_text("primary_intents: {}\n")
    both = (Path("one.yaml"), Path("two.yaml"))
    assert load_settings().intents_files == ()

    (folder / "softrail.toml").write_text('intents_files = ["one.yaml", "two.yaml"]\n')
    assert load_settings().intents_files == both

    monkeypatch.setenv("SOFTRAIL_INTENTS_FILES", " one.yaml, two.yaml,")
    assert load_settings().intents_files == both


def test_the_bars_are_those_of_the_classifier_where_nothing_is_set() -> None:
    found = Settings()

    assert (
        Bars(
            bar=found.bar,
            sub=found.bar_sub,
            floor=found.bar_floor,
            close=found.bar_close,
            model=found.bar_model,
        )
        == Bars()
    )
    assert found.strangers == STRANGERS
