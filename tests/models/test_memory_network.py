"""The memory network: what padding, order and tying do, the linear start, and the fast path beside the slow one."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from jumok.attention import KeyValueMemory
from jumok.data import Question, Stories
from jumok.data.stories import KINDS
from jumok.data.stories.batches import EncodedStories, StoryBatches
from jumok.data.stories.words import StoryWords
from jumok.models import MemoryNetwork, MemoryNetworkSettings
from jumok.models import memory_network as module

QUESTIONS = [question for kind in KINDS for question in Stories(0, kind).questions(5)]
WORDS = StoryWords.of(QUESTIONS)
TYINGS = ("adjacent", "layerwise", "mapped")


def network(**settings: Any) -> MemoryNetwork:
    torch.manual_seed(0)
    chosen = MemoryNetworkSettings(**{"size": 8, **settings})
    return MemoryNetwork(chosen, WORDS.size, WORDS.longest, WORDS.answer_words).eval()


def asked(model: MemoryNetwork, questions: list[Question], linear: bool | None = None) -> module.Answered:
    stories = EncodedStories(questions, WORDS, model.settings.memories)
    answered: module.Answered = model(stories.batch(range(len(questions))), linear)
    return answered


@pytest.mark.parametrize("tying", TYINGS)
@pytest.mark.parametrize("texts", [{}, {"keys": "window", "values": "next"}, {"values": "before"}])
@pytest.mark.parametrize("linear", [False, True])
def test_a_story_is_answered_alike_alone_and_in_company(tying: str, texts: dict[str, str], linear: bool) -> None:
    model = network(tying=tying, **texts)
    together = asked(model, QUESTIONS, linear)
    for number, question in enumerate(QUESTIONS[:8]):
        alone = asked(model, [question], linear)
        count = len(question.story)
        torch.testing.assert_close(alone.logits[0], together.logits[number])
        torch.testing.assert_close(alone.weights[0], together.weights[number, :, :count])
        assert not together.weights[number, :, count:].any()


@pytest.mark.parametrize("tying", TYINGS)
def test_each_hop_looks_with_weights_that_sum_to_one(tying: str) -> None:
    weights = asked(network(tying=tying, hops=4, nothing=False), QUESTIONS).weights
    assert weights.shape[1] == 4
    torch.testing.assert_close(weights.sum(-1), torch.ones(len(QUESTIONS), 4))
    rest = 1 - asked(network(tying=tying, hops=4), QUESTIONS).weights.sum(-1)
    assert ((rest > 0) & (rest < 1)).all()  # what was looked at nothing


def slow(model: MemoryNetwork, question: Question, nothing: bool) -> Tensor:
    """The logits by the paper's formulas, word by word (adjacent tying)."""
    size, hops = model.settings.size, model.settings.hops
    tables = model.tables.view(-1, hops + 1, size)

    def embed(sentence: str, table: int) -> Tensor:
        total = torch.zeros(size)
        for j, word in enumerate(WORDS.encode(sentence), start=1):
            for k in range(1, size + 1):
                unit, place = k - (size + 1) / 2, j - (WORDS.longest + 1) / 2
                weight = 1 + 4 * unit * place / (size * WORDS.longest)
                total[k - 1] += weight * tables[word, table, k - 1] if word else 0
        return total

    u = embed(question.text, 0)
    for hop in range(hops):
        ages = range(len(question.story) - 1, -1, -1)
        keys, values = (
            torch.stack([embed(s, t) + model.ages[t, age] for s, age in zip(question.story, ages, strict=True)])
            for t in (hop, hop + 1)
        )
        scores = torch.cat(
            [keys @ u, torch.zeros(int(nothing))]
        )  # an empty memory fits everything alike, and says nothing
        u = u + scores.softmax(0)[: len(keys)] @ values
    return torch.stack([tables[word, hops] @ u for word in WORDS.answer_words])


@pytest.mark.parametrize("nothing", [False, True])
def test_it_is_the_papers_network(nothing: bool) -> None:
    model = network(nothing=nothing)
    for question in QUESTIONS[::7]:
        torch.testing.assert_close(asked(model, [question]).logits[0], slow(model, question, nothing))


def test_few_words_and_many_are_embedded_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    model = network()
    results = []
    for few in (0, 10**6):
        monkeypatch.setattr(module, "FEW", few)
        answered = asked(model, QUESTIONS)
        answered.logits.square().sum().backward()
        assert model.tables.grad is not None
        results.append((answered.logits.detach(), model.tables.grad.clone()))
        model.zero_grad()
    torch.testing.assert_close(results[0], results[1])
    assert not results[0][1][0].any()  # no word stays no word


def test_order_counts_where_it_is_wanted() -> None:
    story = ("Nora went to the attic.", "Nora went to the cellar.")
    questions = [Question(order, "Where is Nora?", "attic") for order in (story, story[::-1])]
    with_times, without = (asked(network(times=times, noise=0), questions).logits for times in (True, False))
    assert not torch.allclose(with_times[0], with_times[1])
    torch.testing.assert_close(without[0], without[1])
    swapped = [Question(story, text, "") for text in ("Nora gave Owen", "Owen gave Nora")]
    with_places, bags = (asked(network(positions=positions), swapped).logits for positions in (True, False))
    assert not torch.allclose(with_places[0], with_places[1])
    torch.testing.assert_close(bags[0], bags[1])


def test_words_beyond_the_longest_sentence_count_still() -> None:
    model = network()
    long = "Nora went to the attic and the cellar and the library and the workshop"
    assert len(WORDS.encode(long)) > WORDS.longest
    questions = [Question((text,), "Where is Nora?", "") for text in (long, long.rsplit(" ", 1)[0])]
    first, second = asked(model, questions).logits
    assert not torch.allclose(first, second)


def test_only_the_last_sentences_are_kept() -> None:
    model = network(memories=3)
    question = max(QUESTIONS, key=lambda question: len(question.story))
    short = question._replace(story=question.story[-3:])
    torch.testing.assert_close(asked(model, [question]).logits, asked(model, [short]).logits)


def test_values_may_be_the_next_sentence() -> None:
    """With keys that all fit alike, reading the next sentence of two is reading the second, half as much."""
    story = ("Nora went to the attic.", "Owen took the map.")
    model = network(times=False, noise=0, hops=1, values="next", nothing=False)
    with torch.no_grad():
        model.tables[:, :8] = 0  # keys and question: every look is even
    first, second = (asked(model, [Question(lines, "Where is Nora?", "")]).logits for lines in (story, story[1:]))
    plain = network(times=False, noise=0, hops=1, nothing=False)
    with torch.no_grad():
        plain.tables.copy_(model.tables)
    torch.testing.assert_close(first, asked(plain, [Question(story[1:], "Where is Nora?", "")]).logits / 2)
    assert not second.any()  # there is nothing after the last


def test_empty_memories_keep_the_order_and_are_few() -> None:
    lengths = torch.tensor([1, 7, 30, 50])
    seen = set()
    for _ in range(50):
        ages = module.with_empty(lengths, 50, 0.1)
        for row, count in zip(ages, lengths.tolist(), strict=True):
            its = row[:count]
            assert (its.diff() > 0).all()
            assert 0 <= its.min() <= its.max() < count + -(-count // 10)
            seen.add((count, int(its[-1]) - count + 1))
    assert {(50, empty) for empty in range(6)} <= seen
    assert {(1, 0), (1, 1)} <= seen
    torch.testing.assert_close(module.with_empty(lengths, 50, 0.0)[3], torch.arange(50))


def test_noise_is_for_learning_only() -> None:
    model = network(noise=1.0)
    first, second = (asked(model.eval(), QUESTIONS).logits for _ in range(2))
    torch.testing.assert_close(first, second)
    first, second = (asked(model.train(), QUESTIONS).logits for _ in range(2))
    assert not torch.allclose(first, second)


def test_the_linear_start_ends_after_so_many_evaluations() -> None:
    model = network(linear_start=2)
    seen = [bool(model.linear)]
    for _ in range(3):
        model.note_evaluation()
        seen.append(bool(model.linear))
    assert seen == [True, True, False, False]
    assert not network().linear


def test_what_has_learned_looks_with_a_softmax_whenever_it_stopped() -> None:
    model = network(linear_start=2, noise=0)
    learning, learned = asked(model.train(), QUESTIONS), asked(model.eval(), QUESTIONS)
    assert (learned.weights >= 0).all()
    torch.testing.assert_close(learning.logits, asked(model, QUESTIONS, linear=True).logits)
    assert not torch.allclose(learning.logits, learned.logits)


def test_a_linear_start_is_linear_in_the_values() -> None:
    memory = KeyValueMemory(4, hops=1)
    query, keys, values, mask = torch.randn(2, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 4), torch.rand(2, 5) > 0.3
    found = memory(query, keys, values, mask=mask, linear=True)
    scores = (keys @ query[..., None]).squeeze(-1) * mask
    torch.testing.assert_close(found.weights[:, 0], scores)
    torch.testing.assert_close(found.query, query + (scores[:, None] @ values).squeeze(1))


@pytest.mark.parametrize("tying", TYINGS)
@pytest.mark.parametrize("linear", [0, 1])
def test_every_weight_learns(tying: str, linear: int) -> None:
    model = network(tying=tying, linear_start=linear).train()
    asked(model, QUESTIONS).logits.logsumexp(-1).sum().backward()
    for name, weights in model.named_parameters():
        assert weights.grad is not None, name
        assert weights.grad.abs().sum() > 0, name


def test_noise_without_times_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="noise"):
        MemoryNetworkSettings(times=False)


def test_batches_follow_from_seed_and_epoch_and_every_question_comes_once() -> None:
    stories = EncodedStories(QUESTIONS, WORDS, 50)
    batches = StoryBatches(stories, 7, seed=1, epoch=2)
    numbers = [number for batch in batches for number in batch.numbers]
    assert sorted(numbers) == list(range(len(QUESTIONS)))
    assert numbers == [number for batch in StoryBatches(stories, 7, 1, 2) for number in batch.numbers]
    assert numbers != [number for batch in StoryBatches(stories, 7, 1, 3) for number in batch.numbers]
    shares = [[batch.numbers for batch in StoryBatches(stories, 7, 1, 2, rank, 2)] for rank in (0, 1)]
    assert sorted(number for share in shares for some in share for number in some) == list(range(len(QUESTIONS)))
    assert len(shares[0]) == len(shares[1]) == len(batches)
