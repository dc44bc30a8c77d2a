"""`/upload`, and files that are saved where the person is."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from softrail.cli.files import Files, named
from softrail.core.errors import BadRequest, NotFound
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


def files(c: Talk, folder: Path, limit: int = 1_000) -> Files:
    return Files(c.companion, c.talk.person, folder, limit=limit)


async def test_a_file_is_given_with_a_title_and_comes_back_under_its_name(c: Talk, tmp_path: Path) -> None:
    project = await c.project()
    (tmp_path / "soil samples.csv").write_text("south;6.1", encoding="utf-8")
    mine = files(c, tmp_path)

    said = await mine.give(project, f' "{tmp_path / "soil samples.csv"}" Soil of the south')
    ready = await c.say("get me the soil file", "request_download", project_id=project)
    saved = await mine.take(ready.reply)

    assert said == "“Soil of the south” is in the project."
    (kept,) = await c.companion.artifacts.list(c.me, project)
    assert (kept.title, kept.type, kept.made_by.kind) == ("Soil of the south", "csv", "person")
    assert saved == [tmp_path / "soil samples-2.csv"]  # the first is there still
    assert saved[0].read_text(encoding="utf-8") == "south;6.1"


async def test_without_a_title_it_is_called_like_its_file(c: Talk, tmp_path: Path) -> None:
    project = await c.project()
    (tmp_path / "plan").write_bytes(b"x")

    await files(c, tmp_path).give(project, str(tmp_path / "plan"))

    (kept,) = await c.companion.artifacts.list(c.me, project)
    assert (kept.title, kept.type) == ("plan", "file")


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("", "Write: /upload FILE"),
        ('"half', "cannot be read: No closing quotation"),
        ("nothing.csv", "nothing.csv cannot be read"),
        (".", "cannot be read"),
        ("large.bin", "too large: a file may have 10 bytes"),
    ],
    ids=["nothing", "quotes", "missing", "a folder", "too large"],
)
async def test_what_cannot_be_given_is_said(
    c: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large.bin").write_bytes(b"x" * 11)
    project = await c.project()

    with pytest.raises(BadRequest, match=reason):
        await files(c, tmp_path, limit=10).give(project, argument)
    assert await c.companion.artifacts.list(c.me, project) == []


async def test_without_a_project_it_is_asked_which(c: Talk, tmp_path: Path) -> None:
    (tmp_path / "plan").write_bytes(b"x")

    with pytest.raises(BadRequest, match=r"No file is asked for just now\. Say which project"):
        await files(c, tmp_path).give(None, str(tmp_path / "plan"))


async def test_a_project_of_others_takes_no_file(c: Talk, tmp_path: Path) -> None:
    project = await c.project()
    (tmp_path / "plan").write_bytes(b"x")
    await c.talk.become("stranger@example.org")

    with pytest.raises(NotFound):
        await files(c, tmp_path).give(project, str(tmp_path / "plan"))


async def test_a_folder_that_is_gone_is_said(c: Talk, tmp_path: Path) -> None:
    project = await c.project()
    await c.file(project, "Soil report")
    ready = await c.say("get me the soil report", "request_download", project_id=project)

    with pytest.raises(BadRequest, match="cannot be written"):
        await files(c, tmp_path / "gone").take(ready.reply)


async def test_a_reply_without_a_file_saves_nothing(c: Talk, tmp_path: Path) -> None:
    project = await c.project()
    said = await c.say("remember that sheep need shade", project_id=project)

    assert await files(c, tmp_path).take(said.reply) == []


def test_a_name_with_spaces_may_stand_as_it_is_where_there_is_such_a_file(tmp_path: Path) -> None:
    (tmp_path / "our orders.csv").write_text("x", encoding="utf-8")

    assert named(f" {tmp_path}/our orders.csv ") == (tmp_path / "our orders.csv", "our orders")
    assert named(f"{tmp_path}/our others.csv") == (tmp_path / "our", "others.csv")


@pytest.mark.parametrize("name", ["x" * 5000, "~nobody-of-this-name/x"], ids=["too long", "nobody's"])
def test_what_names_no_file_breaks_nothing(name: str) -> None:
    assert named(name)[0] == Path(name)


def test_what_can_be_no_name_of_a_file_is_refused() -> None:
    with pytest.raises(BadRequest, match="no name of a file"):
        named("a\0b")
