"""The words of a message did not give the value that was asked for."""


class Unread(ValueError):
    """`sentence` names the one that says why; `values` fill its places."""

    def __init__(self, sentence: str, **values: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.values = values
