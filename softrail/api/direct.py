"""Routes that call their endpoint themselves where it takes nothing that FastAPI would have to prepare."""

from collections.abc import Awaitable, Callable
from inspect import Parameter, signature
from typing import get_args

from fastapi import Request, Response
from fastapi.params import Depends

from softrail.api.asking import Asked
from softrail.api.failures import SoftrailRoute

Handler = Callable[[Request], Awaitable[Response]]


class DirectRoute(SoftrailRoute):
    """A route whose endpoint is called with the request and who asks, where it takes these two and gives a response.

    FastAPI describes it all the same. At each request it would look for parameters, dependencies and a body that are not
    there, which is a hundred calls and as long as all else at the door. Who asks is found out by FastAPI where a team's
    own dependency says it.
    """

    def handler(self) -> Handler:
        """Of a request, what the endpoint answers."""
        endpoint, wanted = self.endpoint, signature(self.endpoint)
        asks = {name: asked for name, one in wanted.parameters.items() if (asked := _asked(one)) is not None}
        others = [name for name, one in wanted.parameters.items() if one.annotation is Request]
        if wanted.return_annotation is not Response or len(asks) != 1 or len(others) != 1:
            return super().handler()
        if len(wanted.parameters) != 2:
            return super().handler()
        [(person, asked)], [request] = asks.items(), others

        async def called(given: Request) -> Response:
            answer: Response = await endpoint(**{request: given, person: await asked(given)})
            return answer

        return called


def _asked(one: Parameter) -> Asked | None:
    """Who says who asks, where the parameter is that person, and it is one of our own."""
    found = [given.dependency for given in get_args(one.annotation) if isinstance(given, Depends)]
    return found[0] if len(found) == 1 and isinstance(found[0], Asked) else None
