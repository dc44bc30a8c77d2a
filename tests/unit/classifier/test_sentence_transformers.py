"""Any sentence-transformers model by setting: a small one, made here, is loaded and used like the bundled one."""

from pathlib import Path

import pytest

from softrail.classifier import Cascade
from softrail.classifier.encoder import SentenceTransformer, encoder
from tests.unit.classifier.fakes import SIX

real = pytest.importorskip(
    "sentence_transformers", reason="the package sentence-transformers is not installed"
)

WORDS = sorted({word for d in SIX for text in d.examples for word in text.casefold().split()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one small layer with random weights, in the layout of sentence-transformers."""
    modules = pytest.importorskip("sentence_transformers.sentence_transformer.modules")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    pytest.importorskip("torch").manual_seed(7)
    home = tmp_path_factory.mktemp("model")
    vocabulary = {word: i for i, word in enumerate(["[PAD]", "[UNK]", *WORDS])}
    split = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    split.pre_tokenizer = Whitespace()
    size = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=48,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    transformers.BertModel(size).save_pretrained(home / "bert")
    tokens = transformers.PreTrainedTokenizerFast(
        tokenizer_object=split, pad_token="[PAD]", unk_token="[UNK]"
    )
    tokens.save_pretrained(home / "bert")
    words = modules.Transformer(str(home / "bert"), max_seq_length=48)
    real.SentenceTransformer(
        modules=[words, modules.Pooling(words.get_embedding_dimension())], device="cpu"
    ).save(str(home / "st"))
    return home / "st"


def test_a_model_in_a_folder_gives_unit_vectors(folder: Path) -> None:
    chosen = encoder(str(folder))
    assert isinstance(chosen, SentenceTransformer)

    rows = chosen.encode(["call a taxi", "play some jazz", "call a taxi"])

    assert rows.shape == (3, 48)
    assert (rows**2).sum(axis=1) == pytest.approx([1.0, 1.0, 1.0], abs=1e-5)
    assert rows[0] == pytest.approx(rows[2], abs=1e-5)
    assert float(rows[0] @ rows[1]) < 0.999


async def test_the_cascade_works_with_it_as_with_its_own(folder: Path) -> None:
    cascade = Cascade(encoder=str(folder))

    assert (await cascade.classify("I need a taxi to the station", SIX)).candidates[0].intent == "call_taxi"
