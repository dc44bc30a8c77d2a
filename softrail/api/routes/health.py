"""Liveness, readiness and figures; nothing here needs a key and nothing here tells a secret."""

from fastapi import APIRouter, Response

from softrail.api.failures import SoftrailRoute, documented
from softrail.api.metrics import TurnMetrics
from softrail.api.schemas import Health, Ready
from softrail.turns.dispatcher import Dispatcher


def health(dispatcher: Dispatcher, metrics: TurnMetrics | None = None) -> APIRouter:
    """The routes a machine asks."""
    router = APIRouter(route_class=SoftrailRoute, tags=["Health"])

    @router.get("/healthz", summary="Whether the process answers")
    async def healthz() -> Health:
        return Health()

    @router.get("/readyz", summary="Whether turns can be taken", responses=documented(503))
    async def readyz() -> Ready:
        """The store was reached, it takes what is written, this version can run on its tables, and all services have begun."""
        await dispatcher.check()
        # A store whose tables do not fit refuses everything, this look too.
        model = dispatcher.parts.model
        standing = getattr(model, "standing", None)  # turns are taken without a model, too: it is only told
        return Ready(status="ready", store="ok", migrations="ok", model=model.name, model_standing=standing)

    if metrics is not None:
        figures = metrics

        @router.get("/metrics", summary="Figures for Prometheus", response_class=Response)
        async def get_metrics() -> Response:
            return Response(figures.text(), media_type=figures.media_type)

    return router
