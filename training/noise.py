"""The noise of typing: case, missing marks, slips. Marks around a value stay where they are."""

import random
import re

OPEN, CLOSE = "\x01", "\x02"
_SHORT = (
    ("you", "u"),
    ("are", "r"),
    ("please", "pls"),
    ("to", "2"),
    ("and", "&"),
    ("because", "cuz"),
    ("want to", "wanna"),
    ("going to", "gonna"),
    ("don't know", "dunno"),
    ("though", "tho"),
    ("probably", "prob"),
    ("I don't", "i dont"),
    ("the", "teh"),
)


def noisy(rng: random.Random, text: str, clean: float = 0.45) -> str:
    """The text as somebody may have typed it."""
    if rng.random() < clean:
        text = _capital(text)
        bare = text.rstrip(CLOSE)
        if bare and bare[-1].isalnum() and rng.random() < 0.55:
            text += "."
        return text
    turn = rng.random()
    if turn < 0.5:
        text = text.lower()
    elif turn < 0.53:
        text = text.upper()
    elif turn < 0.65:
        text = _capital(text)
    if rng.random() < 0.3:
        text = text.replace("'", "") if rng.random() < 0.6 else text.replace("'", "’")
    if rng.random() < 0.25:
        text = re.sub(r"[,;](?=\s)", "", text)
    if rng.random() < 0.2:
        text = text.rstrip(".!?") if not text.endswith(CLOSE) else text
    elif rng.random() < 0.18:
        text += rng.choice(
            (".", "!", "..", "...", " ", "!!", " .", "?")
            if not text.rstrip().endswith("?")
            else ("?", " ", "??")
        )
    if rng.random() < 0.13:
        text = _slip(rng, text)
    if rng.random() < 0.06:
        old, new = rng.choice(_SHORT)
        text = re.sub(rf"\b{re.escape(old)}\b", new, text, count=1)
    return text


def _capital(text: str) -> str:
    at = next((at for at, c in enumerate(text) if c.isalpha()), None)
    return text if at is None else text[:at] + text[at].upper() + text[at + 1 :]


def _slip(rng: random.Random, text: str) -> str:
    """One letter left out, doubled, or swapped with the next."""
    places = [at for at in range(1, len(text) - 1) if text[at].isalpha() and text[at + 1].isalpha()]
    if not places:
        return text
    at, turn = rng.choice(places), rng.random()
    if turn < 0.35:
        return text[:at] + text[at + 1 :]
    if turn < 0.6:
        return text[:at] + text[at] + text[at:]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
