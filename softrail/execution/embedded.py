"""The engine that needs nothing but the database: it drives runs on the workers that are there."""

from collections.abc import Sequence

from softrail.execution.drives import Drives


class Embedded(Drives):
    """Drives runs here: those that are woken, those that a worker left behind, and all that `Work.left` finds."""

    def _woken(self, kind: str, run_id: str) -> None:
        if self._host is not None:
            self._begin(kind, run_id, self._host, woken=True)

    async def _abandoned(self, runs: Sequence[tuple[str, str]]) -> None:
        self._take_up(runs)

    async def _left(self, kind: str, runs: Sequence[str]) -> None:
        self._take_up([(kind, run_id) for run_id in runs])

    def _take_up(self, runs: Sequence[tuple[str, str]]) -> None:
        for kind, run_id in runs:
            if self._host is not None and not self._stopping and (kind, run_id) not in self._runs:
                self._begin(kind, run_id, self._host, woken=False)
