"""Faithfulness: attention on the words that decide is found faithful, attention on others is not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from jumok.evaluation import Erasure, ErasureRow, erasure, output_change, over_sentences, permutation


def sentence(seed: int) -> tuple[list[str], dict[str, float]]:
    """Words, and how much each of them matters."""
    dice = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(dice.integers(2, 16))]
    return words, dict(zip(words, dice.exponential(size=len(words)).tolist(), strict=True))


def scorer(matters: dict[str, float]) -> object:
    """A model whose target is as likely as the words that are left matter."""
    return lambda variants: [sum(matters[word] for word in words) - 10 for words in variants]


def rows(kind: str, count: int = 80) -> list[ErasureRow]:
    found = []
    for seed in range(count):
        words, matters = sentence(seed)
        attention = {
            "true": [matters[word] for word in words],
            "noise": np.random.default_rng(1000 + seed).random(len(words)).tolist(),
            "wrong": [-matters[word] for word in words],
            "even": [1.0] * len(words),
        }[kind]
        found.append(erasure(scorer(matters), words, attention, seed=seed))
    return over_sentences(found)


def test_attention_that_decides_is_faithful() -> None:
    for row in rows("true"):
        assert row.faithful
        assert row.low < row.difference < row.high
        assert row.difference == pytest.approx(row.attended - row.random)
        assert row.wins > 0.9


def test_attention_at_random_is_not() -> None:
    for row in rows("noise"):
        assert not row.faithful
        assert row.low < 0 < row.high


def test_attention_at_what_does_not_matter_is_worse_than_random() -> None:
    assert all(row.high < 0 and row.wins < 0.1 for row in rows("wrong"))


def test_a_model_that_does_not_read_is_not_faithful() -> None:
    found = erasure(lambda variants: [-3.0] * len(variants), ["a", "b", "c"], [1, 2, 3])
    assert found.attended == found.random == (0, 0, 0, 0)
    assert over_sentences([found])[0].wins == 0.5


def test_the_most_attended_words_are_the_ones_that_go() -> None:
    seen: list[list[str]] = []

    def score(variants: list[list[str]]) -> Sequence[float]:
        seen.extend(variants)
        return [float(len(words)) for words in variants]

    found = erasure(score, list("abcdefghij"), [0, 9, 0, 8, 0, 7, 0, 6, 0, 5], shares=(0.1, 0.3, 0.9), draws=4)
    assert seen[0] == list("abcdefghij")
    assert [seen[1], seen[6], seen[11]] == [list("acdefghij"), list("aceghij"), ["i"]]
    assert found.erased == (1, 3, 9)
    assert [len(words) for words in seen[1:]] == [9] * 5 + [7] * 5 + [1] * 5
    assert len({tuple(words) for words in seen[2:6]}) > 1


def test_at_least_one_word_goes_and_one_stays() -> None:
    found = erasure(lambda variants: [float(len(words)) for words in variants], ["a", "b"], [1, 0], shares=(0.01, 0.99))
    assert found.erased == (1, 1)


def test_the_same_seed_draws_the_same_words() -> None:
    words, matters = sentence(5)
    runs = [erasure(scorer(matters), words, [1.0] * len(words), seed=seed) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def model(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Output distributions of a model whose context is the weighted mean of values: `(n, rows, outcomes)`."""
    logits = weights @ values
    exponents = np.exp(logits - logits.max(-1, keepdims=True))
    return exponents / exponents.sum(-1, keepdims=True)


def test_weights_that_decide_pass_the_permutation_test() -> None:
    own = np.eye(6)
    values = 5 * np.eye(6)

    def score(variants: np.ndarray) -> Sequence[float]:
        return np.log(model(variants, values)[:, range(6), range(6)]).sum(1)

    found = permutation(score, own, permutations=99)
    assert found.p == 0.01
    assert found.fall > 5
    assert (output_change(lambda variants: model(variants, values), own) > 0.5).all()


def test_weights_that_do_not_matter_do_not_pass() -> None:
    own = np.eye(6)
    same = np.tile(np.random.default_rng(0).random(6), (6, 1))  # every place holds the same
    found = permutation(lambda variants: np.log(model(variants, same)[:, range(6), range(6)]).sum(1).round(9), own)
    assert found.p == 1.0
    assert found.fall == pytest.approx(0)
    np.testing.assert_allclose(output_change(lambda variants: model(variants, same), own), 0, atol=1e-12)


def test_p_values_of_weights_at_random_are_uniform() -> None:
    dice = np.random.default_rng(4)
    values = dice.normal(size=(5, 5))
    targets = np.arange(3)
    score = lambda variants: np.log(model(variants, values)[:, range(3), targets]).sum(1)  # noqa: E731
    found = [permutation(score, dice.dirichlet([0.3] * 5, size=3), permutations=39, seed=seed) for seed in range(200)]
    assert 0.4 < np.mean([test.p for test in found]) < 0.6
    assert np.mean([test.p <= 0.05 for test in found]) < 0.12
    assert sum(found[1:], start=found[0]).p > 0.05


def test_permuted_rows_hold_the_same_weights() -> None:
    own = np.random.default_rng(0).random((4, 7))
    seen: list[np.ndarray] = []

    def score(variants: np.ndarray) -> Sequence[float]:
        seen.append(variants)
        return [0.0] * len(variants)

    permutation(score, own, permutations=10)
    np.testing.assert_array_equal(seen[0][0], own)
    np.testing.assert_allclose(np.sort(seen[0], axis=2), np.broadcast_to(np.sort(own, axis=1), (11, 4, 7)))
    orders = np.argsort(seen[0][1], axis=1)
    assert len({tuple(order) for order in orders}) > 1  # each row in an order of its own


def test_total_variation_by_hand() -> None:
    def outputs(variants: np.ndarray) -> np.ndarray:
        return np.stack([[[1.0, 0.0, 0.0]], *[[[0.25, 0.5, 0.25]]] * (len(variants) - 1)])

    assert output_change(outputs, np.array([[0.5, 0.5]])) == pytest.approx([0.75])


def test_bad_input_is_one_line() -> None:
    score = lambda variants: [0.0] * len(variants)  # noqa: E731
    with pytest.raises(ValueError, match="give at least two words"):
        erasure(score, ["a"], [1.0])
    with pytest.raises(ValueError, match="a weight for each"):
        erasure(score, ["a", "b"], [1.0])
    with pytest.raises(ValueError, match="between 0 and 1"):
        erasure(score, ["a", "b"], [1, 2], shares=(0.5, 1.5))
    with pytest.raises(ValueError, match="draws must be at least 1"):
        erasure(score, ["a", "b"], [1, 2], draws=0)
    with pytest.raises(ValueError, match="one number for each"):
        erasure(lambda variants: [0.0], ["a", "b"], [1, 2])
    with pytest.raises(ValueError, match="no erasures"):
        over_sentences([])
    with pytest.raises(ValueError, match="different shares"):
        over_sentences([Erasure((0.1,), (1,), (0.0,), (0.0,)), Erasure((0.2,), (1,), (0.0,), (0.0,))])
    with pytest.raises(ValueError, match=r"give \(rows, columns\)"):
        permutation(score, np.zeros(3))
    with pytest.raises(ValueError, match="at least 1"):
        permutation(score, np.eye(2), permutations=0)
    with pytest.raises(ValueError, match="outcomes"):
        output_change(lambda variants: np.zeros((2, 2)), np.eye(2))
