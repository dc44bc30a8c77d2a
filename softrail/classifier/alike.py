"""How alike two texts are in meaning, for whoever asks which of a few things was meant."""

from collections.abc import Sequence

from softrail.classifier.encoder import MINILM, Encoder, encoder


class Alike:
    """Compares by a sentence encoder, which keeps what it has read lately: options are asked about again and again."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def alike(self, said: str, others: Sequence[str]) -> Sequence[float]:
        """From -1 to 1, for each of the others. It computes for milliseconds; call it off the event loop."""
        said_row, *rows = self._encoder.encode([said, *others])
        return [float(said_row @ row) for row in rows]


def alike(setting: str = MINILM) -> Alike | None:
    """What compares by the encoder of a setting; None where there is none."""
    known = encoder(setting)
    return Alike(known) if known is not None else None
