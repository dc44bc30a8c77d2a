"""The pages that people see, and their files: shipped as they are written, served under a name that changes with them.

They are sent without our comments, line for line: an eighth of the bytes, and an error still names the line of the file.
"""

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from typing import Any, Final, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from softrail.api.failures import SoftrailRoute
from softrail.api.inspecting import Inspecting

Web = Literal["all", "chat", "none"]

#: What a page of ours may do: run, draw and ask for what comes from here, and turn no text into code.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types lit-html"
)
FOR_EVER: Final = "public, max-age=31536000, immutable"
INSPECTOR: Final = "inspect/"  #: where its files are
VENDOR: Final = "vendor/"  #: where those of others are
#: What other pages name: the element and the client, by addresses that stay.
ENTRIES: Final = ("chat.js", "client.js")
TYPES: Final = "client.d.ts"
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".ts": "text/plain; charset=utf-8",
}
_IMPORT: Final = re.compile(r'^(?:import|export)\b[^"]*"(\.[^"]+)";', re.MULTILINE)
#: Comments that have their lines to themselves. Those of other people's files, with their licences, stay.
_COMMENT: Final = re.compile(r"^[ \t]*(?://.*|/\*\*(?:.|\n)*?\*/[ \t]*)$", re.MULTILINE)
_SCRIPT: Final = re.compile(r'<script type="module" src="ui/HASH/([^"]+)">')


class Asset:
    """What is served, as it stands and as it is sent to whoever takes it smaller."""

    def __init__(self, content: bytes, kind: str) -> None:
        self.content = content
        self.packed = gzip.compress(content, mtime=0)
        self.kind = kind

    def answer(self, request: Request, headers: Mapping[str, str]) -> Response:
        """It, packed where the client takes that."""
        # A page of ours asks without an origin, one of another host with it: what the browser kept for one is not for all.
        given = {**headers, "Vary": "Accept-Encoding, Origin"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, media_type=self.kind, headers={**given, "Content-Encoding": "gzip"})
        return Response(self.content, media_type=self.kind, headers=given)


class Pages:
    """All files of the pages. `hash` is the name of this very set of them."""

    def __init__(self) -> None:
        folder = files("softrail.api").joinpath("pages")
        self.assets: dict[str, Asset] = {}
        for path, file in sorted(_walk(folder)):
            kind = _KINDS.get(path[path.rfind(".") :])
            if kind is not None:
                content = file.read_bytes()
                ours = path.endswith(".js") and not path.startswith(VENDOR)
                self.assets[path] = Asset(without_comments(content) if ours else content, kind)
        whole = sha256()
        for path, asset in self.assets.items():
            whole.update(f"{path}\0{len(asset.content)}\0".encode() + asset.content)
        self.hash = whole.hexdigest()[:16]
        self._folder = folder

    def page(self, name: str, up: str = "") -> Asset:
        """A page that names its files as they are called now, and all of them at once; `up` leads to the first page."""
        text = self._folder.joinpath(name).read_text(encoding="utf-8")
        found = [path for script in _SCRIPT.findall(text) for path in self._needs(script)]
        links = (f'<link rel="modulepreload" href="ui/HASH/{path}">' for path in dict.fromkeys(found))
        whole = text.replace("PRELOAD", "\n".join(links)).replace("ui/HASH", f"{up}ui/{self.hash}")
        return Asset(whole.encode(), "text/html; charset=utf-8")

    def _needs(self, path: str) -> Iterator[str]:
        """A module and what it imports: the browser need not read one to know of the next."""
        yield path
        for other in _IMPORT.findall(self.assets[path].content.decode()):
            yield from self._needs(normpath(join(dirname(path), other)))


def without_comments(module: bytes) -> bytes:
    """The module with an empty line for each line of a comment."""
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), module.decode()).encode()


@cache
def pages() -> Pages:
    """The files are read, and packed, once."""
    return Pages()


@cache
def _page(name: str, up: str = "") -> Asset:
    return pages().page(name, up)


def _walk(folder: Traversable, within: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{within}{entry.name}/")
        else:
            yield f"{within}{entry.name}", entry


def web(which: Web, *, docs: bool) -> APIRouter:
    """The routes of the pages; what is switched off is answered as an unknown path is."""
    router = APIRouter(include_in_schema=False)
    if which != "none":
        _add_page(router, "/", _page("chat.html"))
    if docs:
        _add_page(router, "/docs", _page("docs.html"))
    if which != "none" or docs:
        router.routes.extend(page_files(inspector=which == "all").routes)
    return router


def add_inspector_pages(router: APIRouter, who: Inspecting) -> None:
    """The page of the inspector, where it has been settled that whoever asks may look."""
    _add_page(router, "/inspect", _page("inspect.html"), dependencies=[who.person])
    _add_page(router, "/inspect/{session_id}", _page("inspect.html", up="../"), dependencies=[who.person])


def page_files(*, inspector: bool = True) -> APIRouter:
    """The route of the files that pages name."""
    router = APIRouter(route_class=SoftrailRoute, include_in_schema=False)
    known = pages()

    for name in ENTRIES:
        _add_entry(router, name, Asset(f'export * from "./{known.hash}/{name}";\n'.encode(), _KINDS[".js"]))
    _add_entry(router, TYPES, known.assets[TYPES])

    @router.get("/ui/{version}/{path:path}")
    async def asset(version: str, path: str, request: Request) -> Response:
        """A file; by an earlier name the present one is given, and kept by nobody."""
        found = known.assets.get(path)
        if found is None or (path.startswith(INSPECTOR) and not inspector):
            raise HTTPException(404)
        kept = FOR_EVER if version == known.hash else "no-store"
        return found.answer(request, {"Cache-Control": kept})

    return router


def _add_entry(router: APIRouter, name: str, content: Asset) -> None:
    @router.get(f"/ui/{name}", include_in_schema=False)
    async def entry(request: Request) -> Response:
        return content.answer(request, {"Cache-Control": "no-cache"})


def _add_page(router: APIRouter, path: str, content: Asset, *, dependencies: Sequence[Any] = ()) -> None:
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}

    @router.get(path, dependencies=list(dependencies), include_in_schema=False)
    async def page(request: Request) -> Response:
        return content.answer(request, headers)
