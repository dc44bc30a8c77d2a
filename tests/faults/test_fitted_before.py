"""No server that a test starts has anything to fit: the kills would end it in the middle, again and again."""

import asyncio
from pathlib import Path

import pytest

from softrail.bootstrap import build
from softrail.classifier import heads
from softrail.classifier.head import Head
from softrail.settings import Settings
from tests.faults.kit import file_url
from tests.fitted import fit_what_is_bundled


async def test_what_a_server_fits_after_its_start_was_fitted_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asyncio.to_thread(fit_what_is_bundled)
    fitted = list[int]()

    def fit(exemplars: list[object], *given: object, **named: object) -> Head:
        fitted.append(len(exemplars))
        raise AssertionError("it was to be there")

    monkeypatch.setattr(heads, "fit", fit)
    dispatcher = build(Settings(database_url=file_url(tmp_path)))
    await dispatcher.warm()
    await dispatcher.store.close()

    assert len(dispatcher.registry.candidates()) > 50
    assert fitted == []
