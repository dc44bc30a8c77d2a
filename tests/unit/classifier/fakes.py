"""An encoder whose vectors anybody can foresee: texts are alike as far as they share words."""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from softrail.classifier.linear import Rows
from softrail.classifier.text import words
from softrail.core.intents import IntentDefinition


class BagOfWords:
    """Each word is a fixed direction; a text is their sum. Counts what it was asked to encode."""

    id = "bag-of-words"

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> Rows:
        self.encoded += texts
        rows = np.stack([sum((_direction(w) for w in words(t)), start=np.full(64, 1e-3)) for t in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _direction(word: str) -> Rows:
    seed = int.from_bytes(sha256(word.encode()).digest()[:8])
    return np.asarray(np.random.default_rng(seed).standard_normal(64), dtype=np.float32)


ORDERS = IntentDefinition(
    name="order_pizza",
    description="They want a pizza.",
    examples=(
        "order a pizza",
        "I want a pizza with cheese",
        "bring me a large pizza",
        "pizza for two people",
        "get pizza delivered",
        "one pizza with mushrooms",
    ),
)
WEATHER = IntentDefinition(
    name="weather",
    description="They ask about the weather.",
    examples=(
        "how is the weather",
        "will it rain tomorrow",
        "weather forecast for Sunday",
        "is it going to rain today",
        "tell me the weather in Oslo",
        "rain or sun this weekend",
    ),
)
TAXI = IntentDefinition(
    name="call_taxi",
    description="They want a taxi.",
    examples=(
        "call a taxi",
        "I need a taxi to the airport",
        "taxi to the station",
        "send a taxi at nine",
        "book a taxi for me",
        "get a taxi now",
    ),
)
CHAT = IntentDefinition(
    name="general_conversation",
    description="Talk.",
    examples=(
        "nice",
        "haha",
        "that is funny",
        "what do you think",
        "interesting idea",
        "how are you feeling",
    ),
)
MUSIC = IntentDefinition(
    name="play_music",
    description="They want music.",
    examples=(
        "play some jazz",
        "put on music",
        "play the album again",
        "music please",
        "play a song",
        "louder music",
    ),
)
LIGHTS = IntentDefinition(
    name="lights",
    description="They want lights on or off.",
    examples=(
        "lights on",
        "turn the lights off",
        "dim the lamp",
        "switch the lamp on",
        "lamp off",
        "more light",
    ),
)
SIX = (ORDERS, WEATHER, TAXI, CHAT, MUSIC, LIGHTS)
