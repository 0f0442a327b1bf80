"""Maps that other libraries made: Hugging Face Transformers' `output_attentions=True`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jumok.viewing.map import SPECIAL, AttentionMap, Weights
from jumok.viewing.text import SPACE


def from_transformers(
    attentions: Sequence[Any],
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    *,
    sentence: int = 0,
    special: Sequence[str] = (),
    row_name: str = "target",
    column_name: str = "source",
    title: str = "",
) -> AttentionMap:
    """The map of a Transformers model: `outputs.attentions`, `.cross_attentions`, `.decoder_attentions` and so on.

    attentions: a tensor `(batch, heads, rows, columns)` for each layer, as a call of the model gives it; or, as
    `generate` gives it, such a tuple for each step, whose rows are put under each other. sentence: which of the batch
    (of `generate` with beams: which of the beams).
    rows, columns: the tokens of that sentence, `tokenizer.convert_ids_to_tokens(ids)`; without columns they are the
    rows (self-attention). Tokens of padding at the end may be left out. special: `tokenizer.all_special_tokens`.

    The marks of subwords (`▁word`, `Ġword`, `##ing`, `word</w>`) are understood, so that `words()` puts them together.

        outputs = model(**tokenizer("나는 왔다", return_tensors="pt"), output_attentions=True)
        look = from_transformers(outputs.attentions, tokens, special=tokenizer.all_special_tokens)
        look.save("heads.svg", form="heads")
    """
    columns = rows if columns is None else columns
    weights = _stacked(attentions, sentence)
    if weights.shape[2] < len(rows) or weights.shape[3] < len(columns):
        raise ValueError(
            f"{len(rows)} rows and {len(columns)} columns are named, but the attentions have {weights.shape[2]}"
            f" and {weights.shape[3]}; give the tokens of what the model read and wrote"
        )
    kept = weights[:, :, : len(rows), : len(columns)]
    (row_labels, row_words), (column_labels, column_words) = (_pieces(side, special) for side in (rows, columns))
    return AttentionMap(kept, row_labels, column_labels, row_words, column_words, row_name, column_name, title)


def _stacked(attentions: Sequence[Any], sentence: int) -> Weights:
    """`(layers, heads, rows, columns)` of one sentence."""
    if not len(attentions):
        raise ValueError("there are no attentions; call the model with output_attentions=True")
    if attentions[0] is None:
        raise ValueError(
            "the attentions are None: this implementation does not return them; load the model with"
            ' attn_implementation="eager", and call it with output_attentions=True'
        )
    if isinstance(attentions[0], tuple | list):
        return _steps([_stacked(step, sentence) for step in attentions])
    layers = [_numbers(layer) for layer in attentions]
    if layers[0].ndim != 4:
        raise ValueError(
            f"attentions of shape {layers[0].shape}: expected (batch, heads, rows, columns) for each layer"
        )
    if not -len(layers[0]) <= sentence < len(layers[0]):
        raise ValueError(f"there is no sentence {sentence}: the batch has {len(layers[0])}, counted from 0")
    return np.stack([layer[sentence] for layer in layers])


def _steps(steps: Sequence[Weights]) -> Weights:
    """The rows of all steps under each other; a step that sees less has zeros where it could not look."""
    width = max(step.shape[3] for step in steps)
    return np.concatenate([np.pad(step, ((0, 0), (0, 0), (0, 0), (0, width - step.shape[3]))) for step in steps], 2)


def _numbers(tensor: Any) -> Weights:
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().cpu().float().numpy()
    return np.asarray(tensor, np.float32)


def _pieces(tokens: Sequence[str], special: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Tokens with jumok's mark of a space before a word, and the number of each one's word."""
    how = _marks(tokens)
    labels, words, word = [], [], -1
    after = True  # whether the token before ended a word
    for token in tokens:
        if token in special:
            labels.append(token)
            words.append(SPECIAL)
            after = True
            continue
        begins, ends, text = how(token)
        word += 1 if begins or after or word < 0 else 0
        labels.append(SPACE + text if begins or after else text)
        words.append(word)
        after = ends
    return tuple(labels), tuple(words)


def _marks(tokens: Sequence[str]) -> Any:
    """How these tokens mark words: a function from a token to (begins a word, ends one, its text)."""
    if any(token.startswith("▁") for token in tokens):
        return lambda token: (token.startswith("▁"), False, token.removeprefix("▁"))
    if any(token.startswith("Ġ") for token in tokens):  # bytes as letters, as GPT-2 has them
        return lambda token: (token.startswith("Ġ"), False, _bytes_as_text(token.removeprefix("Ġ")))
    if any(token.endswith("</w>") for token in tokens):
        return lambda token: (False, token.endswith("</w>"), token.removesuffix("</w>"))
    return lambda token: (not token.startswith("##"), False, token.removeprefix("##"))


def _bytes_as_text(token: str) -> str:
    """A token of GPT-2's alphabet, which has a letter for each byte, as text; as it is where that is none."""
    try:
        return bytes(_BYTES[letter] for letter in token).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return token


def _alphabet() -> dict[str, int]:
    """GPT-2's letters: bytes that can be printed stand for themselves, the others follow from 256 on."""
    printed = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(256 + place): byte for place, byte in enumerate(others)}


_BYTES = _alphabet()
