"""What happened outside, told to one run of a process."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from softrail.api.border import known_id, read_json
from softrail.api.parts import Parts
from softrail.api.schemas import SignalBody, requests
from softrail.core.people import Person
from softrail.core.signals import Signal

InstanceId = Annotated[str, Path(description="The `process.instance_id` of a reply of yours.")]


def instances(parts: Parts) -> APIRouter:
    """The routes of instances."""
    router = parts.router("Signals", 404, 413, 422)

    @router.post(
        "/instances/{instance_id}/signals",
        summary="Tell a process what happened",
        response_model=parts.reply,
        openapi_extra=requests(SignalBody),
    )
    async def post_signal(
        request: Request, instance_id: InstanceId, person: Annotated[Person, parts.person]
    ) -> Response:
        """One signal, once for each name and key: sent again, the answer is the same, byte for byte.

        It runs in the order of its session, as an item of the companion's own, whose reply this is;
        `companion_message` is empty where nothing is said.
        """
        body = await read_json(request, SignalBody, parts.body_limit)
        signal = Signal(body.name, body.key, body.data)
        reply = await parts.dispatcher.signal(known_id(instance_id), signal, person=person)
        return Response(reply, media_type="application/json")

    return router
