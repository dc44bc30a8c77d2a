"""A language model that follows a script, for tests."""

from collections.abc import AsyncIterator, Iterable, Mapping

from softrail.core.ports import ModelAnswer, ModelRequest

Line = str | ModelAnswer | BaseException


class ScriptExhaustedError(AssertionError):
    """The code under test asked a model more often than the script foresaw."""


class ScriptedModel:
    """Gives its lines in order: a text, a whole answer, or an exception to raise. Keeps what it was asked.

    With a mapping each purpose ("classify", "respond", …) has lines of its own. A model that is asked once more
    than it has lines raises `ScriptExhaustedError`, which is no ModelUnavailable: a test never passes on a fallback
    it did not ask for.
    """

    def __init__(
        self, lines: Iterable[Line] | Mapping[str, Iterable[Line]] = (), *, name: str = "scripted"
    ) -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._by_purpose: dict[str, list[Line]] | None = None
        self._lines: list[Line] = []
        if isinstance(lines, Mapping):
            self._by_purpose = {purpose: list(own) for purpose, own in lines.items()}
        else:
            self._lines = list(lines)

    @property
    def left(self) -> int:
        """How many lines were not used."""
        if self._by_purpose is not None:
            return sum(len(own) for own in self._by_purpose.values())
        return len(self._lines)

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """The next line."""
        return self._next(request)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """The next line word by word, then the whole answer."""
        answer = self._next(request)
        for n, word in enumerate(answer.text.split(" ")):
            yield f" {word}" if n else word
        yield answer

    def _next(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        lines = self._lines if self._by_purpose is None else self._by_purpose.get(request.purpose, [])
        if not lines:
            raise ScriptExhaustedError(
                f"The scripted model was asked for {request.purpose!r} (request {len(self.requests)}), "
                "but its script has no line left for it."
            )
        line = lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, ModelAnswer):
            return line
        return ModelAnswer(
            text=line,
            model=self.name,
            input_tokens=sum(len(m.content.split()) for m in request.messages),
            output_tokens=len(line.split()),
        )
