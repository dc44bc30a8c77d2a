"""The HTTP outside: routes, identity, errors as people see them, streams.

The only room that knows FastAPI; the routes of a plugin, the companion's too, are the plugin's own. It turns requests into calls of the dispatcher and reads of the store, and adds
nothing to what they answer. It must not know how a turn is decided, which database is underneath, or any plugin.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from softrail.api.app import create_app
    from softrail.api.router import create_router

__all__ = ["create_app", "create_router"]


def __getattr__(name: str) -> object:
    """FastAPI is loaded when it is first needed: the command line imports this package too."""
    if name == "create_app":
        from softrail.api.app import create_app

        return create_app
    if name == "create_router":
        from softrail.api.router import create_router

        return create_router
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
