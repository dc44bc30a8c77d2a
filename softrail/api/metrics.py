"""Figures about turns, for Prometheus."""

import os
from typing import Final

from softrail.core.clock import now
from softrail.core.decisions import Decision
from softrail.core.effects import OutboxItem
from softrail.core.errors import SoftrailError

#: A folder in which the workers of a server count together; prometheus-client looks for it when it is imported.
SHARED_FIGURES: Final = "PROMETHEUS_MULTIPROC_DIR"


class MetricsMissing(SoftrailError):
    """`/metrics` was switched on without the package that makes it."""

    code = "metrics_missing"


class TurnMetrics:
    """Counts turns, how long they took, who owned them and how they ended, and what became of deliveries.

    Hand `observe` to `build(on_turn=)` and `hear` to `build(on_delivery=)`.
    """

    def __init__(self) -> None:
        try:
            from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram
        except ImportError:
            raise MetricsMissing(
                "SOFTRAIL_METRICS is on, but prometheus-client is not installed: pip install prometheus-client."
            ) from None
        self.media_type = CONTENT_TYPE_LATEST
        self._registry = CollectorRegistry()
        self._turns = Counter(
            "softrail_turns", "Turns committed.", ["owner", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "softrail_turn_seconds", "From acceptance to commit.", ["owner"], registry=self._registry
        )
        self._calls = Counter(
            "softrail_model_calls", "Language model calls.", ["ok"], registry=self._registry
        )
        self._caught = Counter(
            "softrail_words_caught", "Words kept from people by the vocabulary wall.", registry=self._registry
        )
        self._moves = Counter(
            "softrail_transitions", "Moves of processes.", ["process", "trigger"], registry=self._registry
        )
        self._held = Counter(
            "softrail_loop_held_seconds",
            "Seconds that code of plugins held the event loop, each time longer than it may.",
            ["by"],
            registry=self._registry,
        )
        self._deliveries = Counter(
            "softrail_deliveries",
            "Effects delivered, and those set aside as failed.",
            ["kind", "outcome"],
            registry=self._registry,
        )

    def observe(self, decision: Decision) -> None:
        """Count one turn; labels are names of ours, never anything a person typed."""
        self._turns.labels(decision.owner, decision.status).inc()
        self._seconds.labels(decision.owner).observe(max(0.0, (now() - decision.at).total_seconds()))
        for call in decision.model_calls:
            self._calls.labels(str(call.ok).lower()).inc()
        self._caught.inc(len(decision.caught))
        for move in decision.transitions:
            self._moves.labels(move.process, move.trigger).inc()

        for held in decision.held:
            self._held.labels(held.what).inc(held.milliseconds / 1000)

    def hear(self, item: OutboxItem) -> None:
        """Count one delivery that has come to an end."""
        self._deliveries.labels(item.kind, item.status).inc()

    def text(self) -> bytes:
        """Everything counted so far, in Prometheus' own format: by all workers of this server, whichever is asked."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        if SHARED_FIGURES not in os.environ:
            return bytes(generate_latest(self._registry))
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no annotations
        return bytes(generate_latest(registry))
