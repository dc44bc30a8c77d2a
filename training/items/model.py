"""The items model: the reader's lower layers as they are, upper layers of its own, and three numbers for each token."""

from torch import Tensor, nn

from training.model import WIDTH, Body

SHARED = 2  #: lower layers that are the reader's, with its embeddings


class ItemsModel(Body):
    """Gives the log odds that an item begins with each token, that it is of one, and, at the mark of an item, that that one goes."""

    def __init__(self, drop: float = 0.1) -> None:
        super().__init__(drop)
        self.items = nn.Linear(WIDTH, 3)
        self.drop = nn.Dropout(drop)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Arguments as of `tokens`; rows x tokens x 3."""
        return self.items(self.drop(self.tokens(ids, types, mask, SHARED)))
