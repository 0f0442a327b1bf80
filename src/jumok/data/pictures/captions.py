"""The captions of a corpus as token ids, each with the number of its picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumok.data.pictures.corpus import PictureCorpus
from jumok.data.shards import Numbers, Side, TextSide
from jumok.data.tokenization import BpeDropout, Tokenizer


@dataclass(frozen=True)
class CaptionTokens:
    """Captions that are not too long, in the order of the pictures.

    side: the token ids. pictures: the number of the picture that each caption is of. too_long: how many were left out.
    """

    side: Side
    pictures: Numbers
    too_long: int

    def __len__(self) -> int:
        return len(self.pictures)


def tokenize_captions(
    corpus: PictureCorpus, tokenizer: Tokenizer, max_length: int | None = None, dropout: float = 0.0
) -> CaptionTokens:
    """The captions as token ids; those with more than `max_length` tokens (without END) are left out.

    dropout: of BPE, by which captions are cut anew in every epoch.
    """
    texts = [caption for entry in corpus for caption in entry.captions]
    owners = np.repeat(np.arange(len(corpus)), [len(entry.captions) for entry in corpus])
    sentences = tokenizer.encode_batch(texts)
    longest = np.iinfo(np.uint16).max - 1 if max_length is None else max_length
    kept = [number for number, ids in enumerate(sentences) if len(ids) <= longest]
    if not kept:
        raise ValueError(f"each of the {len(texts)} captions has more than {longest} tokens; raise data.max_length")
    lengths = np.array([len(sentences[number]) + 1 for number in kept], np.uint16)
    side: Side
    if dropout:
        letters = [texts[number].encode() for number in kept]
        content = np.frombuffer(b"".join(letters), np.uint8)
        ends = np.cumsum([len(text) for text in letters])
        side = TextSide(content, ends, lengths, tokenizer, BpeDropout(tokenizer, dropout))
    else:
        flat = [token for number in kept for token in (*sentences[number], Tokenizer.END)]
        side = Side(np.array(flat, np.int32), np.cumsum(lengths, dtype=np.int64), lengths)
    return CaptionTokens(side, owners[kept].astype(np.int64), len(texts) - len(kept))
