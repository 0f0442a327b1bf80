"""Bad input gets one clear line that names the argument and both shapes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from jumok.attention import Attention, General, Normalizer, Score, Soft, build, lengths_to_mask, register

Q, K, V = torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6)


def mask(*shape: int) -> torch.Tensor:
    return torch.ones(shape, dtype=torch.bool)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Attention("dot")(Q[0, 0], K), r"queries: expected \(B, Q\) or \(B, T, Q\), got shape \(4,\)"),
        (lambda: Attention("dot")(Q, K[0]), r"keys: expected \(B, S, K\), got shape \(5, 4\)"),
        (lambda: Attention("dot")(Q[:1], K), r"queries: batch of \(1, 3, 4\) does not fit the keys' \(2, 5, 4\)"),
        (
            lambda: Attention("dot")(Q[..., :3], K),
            r"queries: expected size 4, got shape \(2, 3, 3\) on keys \(2, 5, 4\)",
        ),
        (lambda: Attention("gaussian")(Q[..., :3], K), r"queries: expected size 4, got shape \(2, 3, 3\)"),
        (lambda: Attention(General(7, 4))(Q, K), r"queries: expected size 7, got shape \(2, 3, 4\) on keys"),
        (lambda: Attention(General(4, 7))(Q, K), r"keys: expected \(B, S, 7\), got shape \(2, 5, 4\)"),
        (
            lambda: Attention("dot")(Q, K, V[:, :4]),
            r"values: expected \(B, S, V\) beside keys \(2, 5, 4\), got \(2, 4, 6\)",
        ),
        (lambda: Attention("dot")(Q, K, mask=mask(5)), r"mask: expected \(B, S\) or \(B, T, S\), got shape \(5,\)"),
        (lambda: Attention("dot")(Q, K, mask=mask(2, 2, 3, 5)), r"mask: expected \(B, S\) or \(B, T, S\), got shape"),
        (
            lambda: Attention("dot")(Q, K, mask=mask(3, 5)),
            r"mask: axis 0 of \(B, S\) must be B = 2 or 1, got shape \(3, 5\)",
        ),
        (
            lambda: Attention("dot")(Q, K, mask=mask(2, 4)),
            r"mask: axis 1 of \(B, S\) must be S = 5 or 1, got shape \(2, 4\)",
        ),
        (
            lambda: Attention("dot")(Q, K, mask=mask(2, 4, 5)),
            r"mask: it has 4 rows for T = 3 queries; T must be 3 or 1",
        ),
        (lambda: Attention("dot")(Q, Attention("dot").prepare(K), V), "values: the memory holds them already"),
        (
            lambda: Attention("dot")(Q, Attention("dot").prepare(K), mask=mask(2, 5)),
            "mask: the memory holds them already",
        ),
        (
            lambda: Attention("dot").step(Q[:, 0], Attention("dot").prepare(K), None),
            r"queries: a step takes \(B, N, Q\)",
        ),
        (lambda: Attention("dott"), "unknown score 'dott': did you mean 'dot'"),
        (lambda: Attention("dot", normalize="sofmax"), "unknown normalizer 'sofmax': did you mean 'softmax'"),
        (lambda: Attention("dot", select="topk"), "unknown selector 'topk': did you mean 'top_k'"),
        (lambda: Attention("dot", window="local-q"), "unknown window 'local-q': did you mean 'local_"),
        (lambda: Attention("general"), "score 'general' needs query_size; known settings: query_size, key_size"),
        (
            lambda: build("additive", query_size=4, key_size=4, hiden_size=3),
            "unknown setting of score 'additive': 'hiden_size': did you mean 'hidden_size'",
        ),
        (
            lambda: build("additive", query_size=4, key_size=4, hidden_size=3, v=False),
            "hidden_size: without v .* must be 1, got 3",
        ),
        (lambda: build("additive", query_size=-1, key_size=4), "query_size: must be at least 0, got -1"),
        (lambda: build("general", query_size=4, key_size=0), "key_size: must be at least 1, got 0"),
        (lambda: build("concat", query_size=0, key_size=4), "query_size: must be at least 1, got 0"),
        (
            lambda: build("additive", query_size=4, key_size=4, history="covrage"),
            "history: expected 'coverage', 'last' or None, got 'covrage'",
        ),
        (lambda: build("additive", query_size=4, key_size=4, filters=3), "filters: they look at earlier weights"),
        (
            lambda: build("additive", query_size=4, key_size=4, history="last", filter_width=4),
            "filter_width: must be odd",
        ),
        (lambda: build("gaussian", width=0), "width: expected a number above 0 or 'learned', got 0"),
        (lambda: build("dot", dropout=1.0), "dropout: must be at least 0 and below 1, got 1.0"),
        (
            lambda: build(General(4, 4), hidden_size=3),
            "settings: hidden_size cannot be given to a score that is built already",
        ),
        (lambda: build("dot", select={"name": "top_k", "k": 0}), "k: must be at least 1, got 0"),
        (
            lambda: build("dot", select={"name": "gumbel", "temperature": 0}),
            "temperature: expected a number above 0, got 0",
        ),
        (lambda: lengths_to_mask(torch.tensor([[1, 2]])), r"lengths: expected whole numbers of shape \(B,\)"),
    ],
)
def test_value_errors(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: Attention("dot")(Q, K, mask=mask(2, 5).int()),
            "mask: expected a boolean mask .* got torch.int32; write mask.bool",
        ),
        (lambda: Attention("dot")(Q, K, mask=mask(2, 5).float()), "mask: expected a boolean mask .* got torch.float32"),
        (lambda: Attention("dot")([1.0], K), "queries: expected a tensor, got list"),
        (lambda: Attention("dot")(Q, [1.0]), "keys: expected a tensor or a Memory, got list"),
        (lambda: Attention(3), "score: expected a name, a mapping with a 'name', or a module, got 3"),
        (lambda: Attention(Soft()), "score: expected a name or a Score, got Soft"),
        (
            lambda: Attention("dot", normalize={"temperature": 2}),
            "normalizer: expected a name, a mapping with a 'name'",
        ),
        (lambda: build("general", query_size=4.0, key_size=4), "query_size: expected a whole number, got 4.0"),
        (
            lambda: register("nothing")(int),
            "register.'nothing'.: .* is no subclass of Score, Normalizer, Window or Selector",
        ),
    ],
)
def test_type_errors(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_a_step_beyond_the_rows_of_the_mask_is_refused() -> None:
    attend = Attention("dot")
    memory = attend.prepare(K, mask=mask(2, 2, 5))
    state = attend.start(memory)
    for _ in range(2):
        state = attend.step(Q[:, :1], memory, state).state
    with pytest.raises(ValueError, match="mask: it has 2 rows, and this is step 3"):
        attend.step(Q[:, :1], memory, state)


def test_a_new_kind_is_used_by_name_everywhere() -> None:
    @register("test_difference")
    class Difference(Score):
        """`score(q, k) = -|q - k|`, summed."""

        def forward(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
            return -torch.cdist(queries, keys, p=1)

    @register("test_first")
    class First(Normalizer):
        """Everything on the best."""

        def normalize(self, scores: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)

    attended = build("test_difference", normalize="test_first")(K[:, 1:3], K)
    assert attended.weights.argmax(-1).tolist() == [[1, 2], [1, 2]]
    assert attended.weights.sum(-1).tolist() == [[1, 1], [1, 1]]
    with pytest.raises(ValueError, match="score 'dot' is taken by Dot; register under another name"):
        register("dot")(Difference)
