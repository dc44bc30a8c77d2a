import pytest

from softrail.core.errors import DefinitionError, ModelUnavailable
from softrail.core.ports import Message, ModelAnswer, ModelRequest
from softrail.models import PlainModel, ScriptedModel, open_models
from softrail.models.scripted import ScriptExhaustedError


def asked(purpose: str = "respond") -> ModelRequest:
    return ModelRequest(purpose=purpose, system="s", messages=[Message(role="user", content="two words")])


async def test_no_model_is_never_asked_in_silence() -> None:
    with pytest.raises(ModelUnavailable):
        await PlainModel().answer(asked())
    with pytest.raises(ModelUnavailable):
        [piece async for piece in PlainModel().stream(asked())]


async def test_a_script_is_followed_in_order_and_keeps_what_it_was_asked() -> None:
    model = ScriptedModel(["one", ModelUnavailable("busy"), ModelAnswer(text="three", model="m")])

    assert (await model.answer(asked())).text == "one"
    with pytest.raises(ModelUnavailable, match="busy"):
        await model.answer(asked())
    assert (await model.answer(asked())).model == "m"
    assert model.left == 0
    assert len(model.requests) == 3


async def test_purposes_may_have_lines_of_their_own() -> None:
    model = ScriptedModel({"classify": ["greeting"], "respond": ["Hello."]})

    assert (await model.answer(asked("respond"))).text == "Hello."
    assert (await model.answer(asked("classify"))).text == "greeting"
    with pytest.raises(ScriptExhaustedError, match="'classify'"):
        await model.answer(asked("classify"))


async def test_a_stream_ends_with_the_whole_answer() -> None:
    pieces = [piece async for piece in ScriptedModel(["a b  c"]).stream(asked())]

    assert "".join(p for p in pieces if isinstance(p, str)) == "a b  c"
    assert isinstance(pieces[-1], ModelAnswer)
    assert pieces[-1].text == "a b  c"


@pytest.mark.parametrize(
    ("name", "words"), [("claude", "ANTHROPIC_API_KEY"), ("gpt", "There are: auto, plain, claude")]
)
def test_a_model_that_cannot_be_used_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)

    with pytest.raises(DefinitionError, match=words):
        open_models(name, timeout=1)


def test_the_model_of_the_default_setting_is_none_at_all() -> None:
    assert open_models("plain", timeout=1).system.name == "plain"


def test_auto_is_claude_exactly_when_there_is_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    assert open_models("auto", timeout=1).system.name == "plain"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
    assert open_models("auto", timeout=1).system.name.startswith("claude")
