"""Maps of Hugging Face's models, and maps read back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from jumok.viewing import AttentionMap, GraphLook, from_transformers, read_looks
from jumok.viewing.graph_look import LayerLook
from viewing.looks import simple


def attentions(layers: int, heads: int, rows: int, columns: int, batch: int = 2) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.rand(batch, heads, rows, columns, generator=generator).softmax(-1) for _ in range(layers))


@pytest.mark.parametrize(
    ("tokens", "special", "words"),
    [
        (["▁나는", "▁학교", "에", "▁갔다", "</s>"], ["</s>"], ["나는", "학교에", "갔다", "</s>"]),
        (["[CLS]", "play", "##ing", "chess", "[SEP]"], ["[CLS]", "[SEP]"], ["[CLS]", "playing", "chess", "[SEP]"]),
        (["I", "Ġcame", "Ġhome", "ward"], [], ["I", "came", "homeward"]),
        (["ëĤĺ", "ëĬĶ", "Ġê°"], [], ["나는", "ê°"]),
        (["i</w>", "ca", "me</w>"], [], ["i", "came"]),
    ],
)
def test_the_marks_of_subwords_are_understood(tokens: list[str], special: list[str], words: list[str]) -> None:
    count = len(tokens)
    full = from_transformers(attentions(2, 3, count, count), tokens, special=special)
    assert full.weights.shape == (2, 3, count, count)
    assert list(full.words().rows) == words
    assert [label for label, word in zip(full.rows, full.row_words, strict=True) if word == -1] == [
        token for token in tokens if token in special
    ]


def test_the_weights_are_those_of_the_sentence_that_is_named() -> None:
    layers = attentions(2, 3, 4, 6)
    full = from_transformers(layers, list("abcd"), list("uvwxyz"), sentence=1)
    np.testing.assert_array_equal(full.weights, torch.stack(layers)[:, 1].numpy())
    padded = from_transformers(layers, list("abc"), list("uvwx"))
    np.testing.assert_array_equal(padded.weights, torch.stack(layers)[:, 0, :, :3, :4].numpy())


def test_steps_of_generate_become_rows() -> None:
    steps = [attentions(2, 3, 1, 5), attentions(2, 3, 1, 5)]
    full = from_transformers(steps, ["a", "b"], list("uvwxy"))
    np.testing.assert_array_equal(full.weights[:, :, 1], torch.stack(steps[1])[:, 0, :, 0].numpy())
    growing = [attentions(1, 1, 2, 2), attentions(1, 1, 1, 3)]
    full = from_transformers(growing, list("abc"))
    assert full.weights[0, 0, 0, 2] == 0


def test_a_real_model_of_transformers_gives_its_map() -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=30, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, intermediate_size=16
    )
    model = transformers.BertModel._from_config(config, attn_implementation="eager").eval()
    outputs = model(torch.arange(5)[None], output_attentions=True)
    full = from_transformers(outputs.attentions, ["[CLS]", "play", "##ing", "on", "[SEP]"], special=["[CLS]", "[SEP]"])
    assert (full.layers, full.heads) == (2, 4)
    np.testing.assert_allclose(full.weights.sum(-1), 1, atol=1e-5)
    assert full.words().rows == ("[CLS]", "playing", "on", "[SEP]")


def test_a_real_generate_of_transformers_gives_its_map() -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.MarianConfig(
        vocab_size=20,
        d_model=16,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
        forced_eos_token_id=None,
    )
    model = transformers.MarianMTModel._from_config(config, attn_implementation="eager").eval()
    read = torch.tensor([[4, 5, 6, 1]])
    how = {"output_attentions": True, "return_dict_in_generate": True, "min_new_tokens": 3, "max_new_tokens": 3}
    found = model.generate(read, num_beams=1, do_sample=False, **how)
    full = from_transformers(
        found.cross_attentions, ["▁a", "▁b", "▁c"], ["▁나는", "▁학", "교", "</s>"], special=["</s>"]
    )
    assert full.weights.shape == (2, 2, 3, 4)
    np.testing.assert_allclose(full.weights.sum(-1), 1, atol=1e-5)


def test_what_does_not_fit_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match="output_attentions=True"):
        from_transformers((), ["a"])
    with pytest.raises(ValueError, match='attn_implementation="eager"'):
        from_transformers((None, None), ["a"])
    with pytest.raises(ValueError, match="3 rows and 3 columns are named, but the attentions have 2 and 2"):
        from_transformers(attentions(1, 1, 2, 2), list("abc"))
    with pytest.raises(ValueError, match="no sentence 5: the batch has 2"):
        from_transformers(attentions(1, 1, 2, 2), list("ab"), sentence=5)


def graph() -> GraphLook:
    weights = np.array([[0.25, 0.5], [1.0, 0.0]], np.float32)
    layer = LayerLook(weights, None, np.array([[0.5, 0.5]] * 3, np.float32))
    return GraphLook(("a", "나", "c"), np.array([[0, 1], [1, 2]]), (layer,), ("x", "y", "x"), "title")


def test_looks_come_back_as_they_were_saved(tmp_path: Path) -> None:
    simple("one").save(tmp_path / "one.json")
    (found,) = read_looks(tmp_path / "one.json")
    assert isinstance(found, AttentionMap)
    assert found.to_dict() == simple("one").to_dict()
    plain = [simple("one").to_dict(), None, simple("two").to_dict()]
    (tmp_path / "several.json").write_text(json.dumps(plain), "utf-8")
    assert [found.title for found in read_looks(tmp_path / "several.json")] == ["one", "two"]
    graph().save(tmp_path / "graph.json")
    (found,) = read_looks(tmp_path / "graph.json")
    assert isinstance(found, GraphLook)
    assert found.to_dict() == graph().to_dict()


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"version": 9}, "version 9"),
        ({"edges": [[0, 7], [1, 2]]}, "a node that is not there"),
        ({"layers": [{"weights": [[1.0]], "back": None, "own": None}]}, r"expected \(2, heads\)"),
        ({"layers": [{"weights": [[-1.0], [1.0]], "back": None, "own": None}]}, "not negative"),
        ({"layers": []}, "at least one layer"),
        ({"nodes": None}, "damaged graph look"),
    ],
)
def test_a_damaged_graph_look_is_one_clear_line(tmp_path: Path, change: dict[str, object], line: str) -> None:
    (tmp_path / "graph.json").write_text(json.dumps(graph().to_dict() | change), "utf-8")
    with pytest.raises(ValueError, match=line):
        read_looks(tmp_path / "graph.json")


def test_a_file_without_looks_is_one_clear_line(tmp_path: Path) -> None:
    for content, line in (("[null]", "holds no look"), ("[1]", "not an attention map"), ("{", "Expecting")):
        (tmp_path / "a.json").write_text(content, "utf-8")
        with pytest.raises(ValueError, match=line):
            read_looks(tmp_path / "a.json")
    with pytest.raises(ValueError, match="looks are read from"):
        read_looks(tmp_path / "a.svg")
