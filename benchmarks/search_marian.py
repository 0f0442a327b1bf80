"""Hugging Face's Marian and CTranslate2 as workers of translation.py, attention returned by both.

    PEERS/marian/bin/python search_marian.py WORK FOLDER BEAM THREADS hf|float32|int8
    PEERS/marian/bin/python search_marian.py WORK FOLDER UPDATES THREADS train

`train` makes a Marian of the sizes of our recipe `multi30k-transformer` on the same sentences, and converts it for
CTranslate2; hf, float32 and int8 then translate with it, `generate` in batches of 64 sorted by length.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import sentencepiece  # type: ignore[import-not-found]
import torch
from peer_turns import take_turns
from transformers import MarianConfig, MarianMTModel, MarianTokenizer  # type: ignore[import-not-found]

PIECES = 8000
END, PADDING = 3, PIECES
BATCH = 64


def sentences(path: Path) -> list[np.ndarray]:
    with np.load(path) as arrays:
        return np.split(arrays["ids"], arrays["lengths"].cumsum()[:-1])


def padded(rows: list[list[int]]) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [PADDING] * (width - len(row)) for row in rows])


def new_model() -> MarianMTModel:
    sizes = {"layers": 4, "attention_heads": 4, "ffn_dim": 256}
    return MarianMTModel(
        MarianConfig(
            vocab_size=PIECES + 1,
            d_model=128,
            **{f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in sizes.items()},
            max_position_embeddings=256,
            dropout=0.1,
            scale_embedding=True,
            pad_token_id=PADDING,
            eos_token_id=END,
            forced_eos_token_id=None,
            bos_token_id=None,
            decoder_start_token_id=PADDING,
        )
    )


def train(work: Path, folder: Path, updates: int) -> None:
    torch.manual_seed(1)
    dice = np.random.default_rng(1)
    model = new_model().train()
    pairs = list(zip(*(sentences(work / f"ids.{side}.npz") for side in ("en", "de")), strict=True))
    table = model.get_input_embeddings().weight
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.0, betas=(0.9, 0.98), fused=True)
    for update in range(1, updates + 1):
        optimiser.param_groups[0]["lr"] = 0.003 * min(update / 1000, (1000 / update) ** 0.5)
        chosen = sorted((pairs[n] for n in dice.integers(0, len(pairs), 16 * BATCH)), key=lambda pair: len(pair[1]))
        start = BATCH * int(dice.integers(0, 16))
        source, target = (
            padded([[*row.tolist(), END] for row in rows]) for rows in zip(*chosen[start : start + BATCH], strict=True)
        )
        labels = target.masked_fill(target == PADDING, -100)
        logits = model(input_ids=source, attention_mask=source != PADDING, labels=labels).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=0.1)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        with torch.no_grad():
            table[PADDING] = 0.0  # sentences start from it, and CTranslate2 takes it for zero
        if update % 100 == 0:
            print(f"update {update}: loss {loss.item():.3f}", file=sys.stderr, flush=True)
    model.save_pretrained(folder / "hf")
    names = (work / "vocab.txt").read_text(encoding="utf-8").splitlines()
    names[1] = "<unused>"  # sentencepiece's padding; Marian has its own at the end
    vocabulary = folder / "vocab.json"
    vocabulary.write_text(json.dumps({name: number for number, name in enumerate([*names, "<pad>"])}), encoding="utf-8")
    MarianTokenizer(str(work / "sp.model"), str(work / "sp.model"), str(vocabulary)).save_pretrained(folder / "hf")
    from ctranslate2.converters import TransformersConverter  # type: ignore[import-not-found]

    for kind in ("float32", "int8"):
        TransformersConverter(str(folder / "hf")).convert(str(folder / kind), quantization=kind, force=True)


def hf(folder: Path, pieces: sentencepiece.SentencePieceProcessor, beam: int, texts: list[str]) -> list[str]:
    global MODEL
    MODEL = MODEL or MarianMTModel.from_pretrained(folder / "hf", attn_implementation="eager").eval()
    rows = [[*row, END] for row in pieces.encode(texts)]
    order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    found = [""] * len(rows)
    for start in range(0, len(order), BATCH):
        numbers = order[start : start + BATCH]
        source = padded([rows[number] for number in numbers])
        with torch.no_grad():
            made = MODEL.generate(
                input_ids=source,
                attention_mask=source != PADDING,
                num_beams=beam,
                max_new_tokens=2 * source.shape[1] + 10,
                output_attentions=True,
                return_dict_in_generate=True,
            )
        for number, row in zip(numbers, made.sequences.tolist(), strict=True):
            found[number] = pieces.decode([piece for piece in row if piece < PIECES and piece != END])
    return found


MODEL: MarianMTModel | None = None


def main() -> None:
    work, folder, number, threads, what = Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:5]), sys.argv[5]
    torch.set_num_threads(threads)
    if what == "train":
        folder.mkdir(parents=True, exist_ok=True)
        train(work, folder, number)
        return
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(work / "sp.model"))
    if what == "hf":
        take_turns(lambda texts: hf(folder, pieces, number, texts))
        return
    import ctranslate2

    # Two batches side by side, as jumok has them: half as fast again as two threads in one, int8 nearly four times.
    translator = ctranslate2.Translator(str(folder / what), inter_threads=threads, intra_threads=1, compute_type=what)

    def translated(texts: list[str]) -> list[str]:
        tokens = [[*row, "</s>"] for row in pieces.encode(texts, out_type=str)]
        results = translator.translate_batch(
            tokens, beam_size=number, max_batch_size=BATCH, return_attention=True, max_decoding_length=128
        )
        assert all(result.attention for result in results)
        return [pieces.decode(result.hypotheses[0]) for result in results]

    take_turns(translated)


if __name__ == "__main__":
    main()
