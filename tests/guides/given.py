"""Names that a page's Python takes as given, where it tells of contracts and not of a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from tests.models.shared import batch, small

import jumok
from jumok.attention import Additive, Attention


def attentions() -> dict[str, Any]:
    sizes = {"query_size": 4, "key_size": 6, "hidden_size": 5}
    keys, values, mask = torch.randn(2, 3, 6), torch.randn(2, 3, 7), torch.ones(2, 3, dtype=torch.bool)
    some = batch()
    model = small("bahdanau")
    given = {"keys": keys, "values": values, "mask": mask, "queries": torch.randn(2, 5, 4), "query": torch.randn(2, 4)}
    decoding = {"decoder": model.decoder, "encoded": model.encoder(some.source, some.source_lengths)}
    return {
        "jumok": jumok,
        "Attention": Attention,
        "Additive": Additive,
        "tokens": some.target[:, :1],
        **sizes,
        **given,
        **decoding,
    }


def searches() -> dict[str, Any]:
    lengths = torch.tensor([3, 2])
    return {
        "model": small("bahdanau").eval(),
        "words": torch.tensor([[5, 6, 7], [8, 9, 0]]),
        "lengths": lengths,
        "limits": torch.tensor([4, 4]),
    }


def bert() -> dict[str, Any]:
    """A model of Hugging Face Transformers in a folder, which is to them what a name on the Hub is."""
    from transformers import BertConfig, BertModel

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat", "##s"]
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=len(words), **sizes)).save_pretrained("bert")
    Path("bert/vocab.txt").write_text("\n".join(words), "utf-8")
    return {"name": "bert"}


GIVEN: dict[str, Callable[[], dict[str, Any]]] = {
    "docs/architecture.md": attentions,
    "docs/reference/decoding.md": searches,
    "docs/pictures.md": bert,
}
