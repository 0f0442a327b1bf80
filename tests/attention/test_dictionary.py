"""The dictionary that the texts start from."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from jumok.attention import Attention, SoftDictionary

NUMBERS = {"computer": 9, "dog": 2, "cat": 3}
ALIKE = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
NAMES = {"Zhang": "Aston", "Lipton": "Zachary", "Li": "Mu", "Smola": "Alex", "Hu": "Rachel", "Werness": "Brent"}


def puppy(question: str, key: str) -> float:
    assert question == "puppy"
    return ALIKE[key]


@pytest.mark.parametrize(("normalize", "answer"), [("sum", 2.8235), ("softmax", 3.7478)])
def test_a_puppy_is_mostly_a_dog(normalize: str, answer: float) -> None:
    found = SoftDictionary(NUMBERS, puppy, normalize=normalize).look("puppy")
    assert found.value == pytest.approx(answer, abs=5e-5)
    assert found.likeliest == "dog"
    assert [key for key, _ in found.pairs] == list(NUMBERS)
    assert sum(weight for _, weight in found.pairs) == pytest.approx(1)


def test_temperature_makes_it_choose() -> None:
    assert SoftDictionary(NUMBERS, puppy, temperature=0.01)["puppy"] == pytest.approx(2, abs=1e-6)
    assert SoftDictionary(NUMBERS, puppy, temperature=1000.0)["puppy"] == pytest.approx(14 / 3, abs=1e-2)


def test_with_exact_match_it_is_an_ordinary_dict() -> None:
    soft, plain = SoftDictionary(NAMES), dict(NAMES)
    assert dict(soft) == plain
    assert [soft[key] for key in plain] == list(plain.values())
    with pytest.raises(KeyError, match="puppy"):
        soft["puppy"]
    with pytest.raises(KeyError):
        SoftDictionary()["anything"]
    for both in (soft, plain):
        both["Kim"] = "Min"
        both["Li"] = "Fei-Fei"
        del both["Hu"]
    assert list(soft.items()) == list(plain.items())
    assert len(soft) == len(plain)
    assert "Kim" in soft
    assert "Hu" not in soft
    with pytest.raises(KeyError):
        del soft["Hu"]
    numbers = SoftDictionary(NUMBERS)
    assert numbers["dog"] == 2
    assert isinstance(numbers["dog"], int)
    assert numbers.get("puppy", -1) == -1


def test_the_gradient_of_an_exact_match_is_zero() -> None:
    keys = [torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])]
    entries = list(zip(keys, [torch.tensor([5.0]), torch.tensor([7.0])], strict=True))
    question = torch.tensor([0.0, 1.0], requires_grad=True)
    exact = SoftDictionary(entries)[question]
    assert exact.item() == 7
    assert not torch.autograd.grad(exact.sum(), question)[0].any()
    soft = SoftDictionary(entries, "cosine")[question]
    assert bool(torch.autograd.grad(soft.sum(), question)[0].any())
    with pytest.raises(KeyError):
        SoftDictionary(entries)[torch.tensor([0.0, 0.9])]


def test_surnames_answer_with_first_names() -> None:
    names = SoftDictionary(NAMES, "spelling")
    assert names["Li"] == "Mu"
    del names["Li"]
    found = names.look("Li")
    assert found.value == "Zachary"
    assert found.likeliest == "Lipton"
    assert len(found.pairs) == 5
    assert found.weights.sum().item() == pytest.approx(1)


def test_with_vectors_it_is_attention() -> None:
    keys, values, question = torch.randn(4, 6), torch.randn(4, 3), torch.randn(6)
    soft = SoftDictionary(zip(keys, values, strict=True), "cosine")
    context, weights = Attention("cosine")(question[None], keys[None], values[None])
    found = soft.look(question)
    assert torch.allclose(found.value, context[0])
    assert torch.allclose(found.weights, weights[0])


def test_vectors_may_be_written_as_whole_numbers() -> None:
    soft = SoftDictionary({(0, 1): 9, (1, 0): 2}, "cosine", temperature=0.01)
    assert soft[2, 0] == pytest.approx(2)
    assert soft[0.0, 0.5] == pytest.approx(9)


def test_values_may_be_vectors_under_keys_that_are_words() -> None:
    found = SoftDictionary({"dog": torch.tensor([1.0, 0.0]), "cat": torch.tensor([0.0, 1.0])}, puppy, normalize="sum")[
        "puppy"
    ]
    assert isinstance(found, Tensor)
    assert torch.allclose(found, torch.tensor([0.9, 0.7]).double() / 1.6)


def test_a_similarity_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown similarity 'cosin': did you mean 'cosine'"):
        SoftDictionary(NUMBERS, "cosin")
