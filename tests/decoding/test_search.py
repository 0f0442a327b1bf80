"""The search finds what it should, whatever the decoder: properties, not pinned outputs."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch
from tests.models.shared import SOURCE_WORDS, TARGET_WORDS, small

from jumok.data import Tokenizer
from jumok.decoding import (
    DrawSettings,
    Edits,
    Hypothesis,
    Machine,
    Search,
    SearchSettings,
    candidates,
    decode,
    force,
    padded,
    sorting,
)
from jumok.models import PRESETS, EncoderDecoder, ModelSettings, recurrent_decoder
from jumok.models.recurrent import Alike

END = Tokenizer.END
BEAMS = {
    "greedy": {"beam": 1},
    "beam": {"beam": 4, "n_best": 3},
    "penalties": {"beam": 3, "n_best": 2, "length_penalty": 0.7, "coverage_penalty": 0.2},
    "no repeats": {"beam": 3, "block_ngrams": 2, "min_length": 3},
    "drawn": {"n_best": 3, "draw": {"seed": 4}},
    "drawn from few": {"n_best": 2, "draw": {"temperature": 0.7, "top_k": 5, "top_p": 0.8}},
}


def lively(preset: str | None = None, **settings: Any) -> EncoderDecoder:
    """A small model whose opinions are strong enough to matter."""
    model = small(preset, **settings).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3.0 if parameter.dim() > 1 else 1.0)
    return model


def sources(count: int = 5, longest: int = 7) -> list[list[int]]:
    generator = torch.Generator().manual_seed(count)
    lengths = torch.randint(1, longest + 1, (count,), generator=generator).tolist()
    return [torch.randint(4, SOURCE_WORDS, (length,), generator=generator).tolist() for length in lengths]


def found(machine: Machine, given: list[list[int]], settings: SearchSettings, **more: Any) -> list[list[Hypothesis]]:
    results = dict(decode(machine, given, settings, **more))
    return [results[place] for place in range(len(given))]


def encoded(machine: Machine, given: list[list[int]]) -> Any:
    with torch.no_grad():
        return machine.encode(*padded([[*source, END] for source in given], machine.device))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("way", BEAMS)
def test_forcing_a_hypothesis_gives_its_scores_and_its_attention_back(preset: str, way: str) -> None:
    machine = Machine(lively(preset))
    given = sources()
    settings = SearchSettings(**BEAMS[way], max_length=8)
    for source, hypotheses in zip(given, found(machine, given, settings), strict=True):
        assert 1 <= len(hypotheses) <= settings.n_best
        forced = force(machine, encoded(machine, [source] * len(hypotheses)), [one.tokens for one in hypotheses])
        for one, again in zip(hypotheses, forced, strict=True):
            assert again.score == pytest.approx(one.score)
            assert again.token_scores == pytest.approx(one.token_scores)
            assert sum(one.token_scores) == pytest.approx(one.score)
            assert one.finished == (one.tokens[-1] == END) == again.finished
            assert one.finished or len(one.tokens) == 8
            if preset.startswith("plain"):
                assert one.attention is None
                continue
            assert one.attention is not None
            torch.testing.assert_close(one.attention, again.attention)
            assert one.attention.shape[-2:] == (len(one.tokens), len(source) + 1)
            if preset != "luong-local-p":  # its Gaussian takes some away
                torch.testing.assert_close(one.attention.sum(-1), torch.ones_like(one.attention[..., 0]))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("way", BEAMS)
def test_batching_changes_nothing(preset: str, way: str) -> None:
    machine = Machine(lively(preset))
    given = sources(9)
    settings = SearchSettings(**BEAMS[way], max_length=9)
    together = found(machine, given, settings)
    for number, source in enumerate(given):
        alone = found(machine, [source], settings, first=number)[0]
        assert [one.tokens for one in alone] == [one.tokens for one in together[number]]
        for one, other in zip(alone, together[number], strict=True):
            assert one.score == pytest.approx(other.score)
            assert one.rank_score == pytest.approx(other.rank_score)
            if one.attention is not None:
                torch.testing.assert_close(one.attention, other.attention)


@pytest.mark.parametrize(
    "decoder",
    [
        {"attention": {"score": "additive"}, "output": "attentional", "input_feeding": True},
        {"attention": {"score": "additive"}, "query": "before", "context": "both", "cell": "gru", "output": "maxout"},
        {"attention": {"score": "dot"}, "layers": 2},
        {"attention": {"score": "general"}, "output": "deep", "feed_word": False, "context": "both"},
        {"summary": "every", "context": "both", "cell": "gru"},
        {"summary": "first", "output": "state"},
    ],
    ids=str,
)
def test_what_hypotheses_share_is_made_once_and_changes_nothing(
    decoder: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(lively(None, decoder={"kind": "recurrent", "hidden_size": 12, **decoder}))
    given, settings = sources(24), SearchSettings(beam=4, n_best=3, max_length=9)
    shared: list[tuple[int, int]] = []
    through = Alike.through

    def counted(self: Alike, *given: Any) -> torch.Tensor:
        shared.append((len(self.first), len(self.kinds)))
        return through(self, *given)

    monkeypatch.setattr(Alike, "through", counted)
    together = found(machine, given, settings)
    assert shared
    assert all(kinds < rows for kinds, rows in shared)
    monkeypatch.setattr(recurrent_decoder, "_MANY_HYPOTHESES", 10**6)
    shared.clear()
    for one, other in zip(together, found(machine, given, settings), strict=True):
        assert [each.tokens for each in one] == [each.tokens for each in other]
        assert [each.score for each in one] == pytest.approx([each.score for each in other])
    assert not shared


def test_what_is_drawn_is_not_shared_and_comes_in_turn() -> None:
    """Hypotheses with the same past draw looks of their own, so that forcing a choice gives the score back."""
    hard = {"score": "additive", "select": {"name": "hard", "evaluate": "sample"}}
    machine = Machine(lively("bahdanau", decoder={"hidden_size": 12, "attention": hard}))
    given, settings = sources(24), SearchSettings(beam=4, n_best=2, max_length=7)
    assert machine.lanes == 1
    runs = [found(machine, given, settings, generator=torch.Generator().manual_seed(3)) for _ in range(2)]
    assert [[each.tokens for each in one] for one in runs[0]] == [[each.tokens for each in one] for one in runs[1]]
    for source, hypotheses in zip(given, runs[0], strict=True):
        for one in hypotheses:
            assert one.choices is not None
            edits = Edits.of_choices(one.choices[None], len(source) + 1)
            (again,) = force(machine, encoded(machine, [source]), [one.tokens], edits=edits)
            assert again.score == pytest.approx(one.score)


def test_batches_side_by_side_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, given = Machine(lively("bahdanau")), sources(40)
    settings = SearchSettings(beam=3, n_best=2, max_length=9)
    monkeypatch.setattr(sorting, "_FEWEST_TOKENS", 100)
    alone, together = (_found_by(threads, machine, given, settings) for threads in (1, 2))
    for one, other in zip(alone, together, strict=True):
        assert [each.tokens for each in one] == [each.tokens for each in other]
        assert [each.score for each in one] == pytest.approx([each.score for each in other])


def _found_by(threads: int, machine: Machine, given: list[list[int]], settings: SearchSettings) -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        plan = list(sorting.batches([len(source) + 1 for source in given], settings.width, threads))
        assert len(plan) >= threads
        assert sorted(place for places in plan for place in places) == list(range(len(given)))
        return found(machine, given, settings)
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("words", [1024, 1100, 5480])
@pytest.mark.parametrize("count", [1, 10, 64])
def test_the_best_of_many_words_are_found_by_groups(words: int, count: int) -> None:
    generator = torch.Generator().manual_seed(words + count)
    logs = torch.randn(6, 4, words, generator=generator)
    logs[:, :, 7:90] = -torch.inf  # forbidden, a whole group and more
    logs[0, :, -3:] += 5  # the best are those that fill no group
    scores = torch.randn(6, 4, generator=generator)
    scores[1, 2:] = -torch.inf  # hypotheses that are none
    got = candidates.best(scores, logs, count)
    totals = (scores.unsqueeze(-1) + logs).flatten(1)
    wanted, places = totals.topk(count, dim=-1)
    assert torch.equal(got.scores, wanted)
    assert torch.equal(got.parents * words + got.tokens, places)
    assert torch.equal(got.gains, logs.flatten(1).gather(1, places))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_beam_of_one_is_greedy(preset: str) -> None:
    model = lively(preset)
    machine = Machine(model)
    given = sources(6)
    settings = SearchSettings(beam=1, length_penalty=0, max_length=7)
    for source, (hypothesis,) in zip(given, found(machine, given, settings), strict=True):
        tokens = [Tokenizer.START]
        while len(tokens) <= 7 and tokens[-1] != END:
            logits = model.decoder(torch.tensor([tokens]), encoded(machine, [source])[0]).logits[0, -1]
            logits[[Tokenizer.PAD, Tokenizer.START]] = -torch.inf
            tokens.append(int(logits.argmax()))
        assert hypothesis.tokens == tokens[1:]


@pytest.mark.parametrize("preset", ["bahdanau", "luong-general", "plain-first", "transformer"])
def test_a_beam_as_wide_as_the_language_finds_the_true_best(preset: str) -> None:
    """All sentences of up to three words of three, by force, against the search."""
    sizes = small(preset).settings.model_dump() | {"preset": None}
    torch.manual_seed(5)
    model = EncoderDecoder(ModelSettings(**sizes), SOURCE_WORDS, 7).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2)
    machine = Machine(model)
    words = [Tokenizer.UNKNOWN, 4, 5, 6]
    language = [[*inner, END] for length in range(4) for inner in product(words, repeat=length)]
    for source in sources(4):
        forced = force(machine, encoded(machine, [source] * len(language)), language)
        best = sorted(forced, key=lambda one: -one.score)[:10]
        settings = SearchSettings(beam=300, n_best=10, length_penalty=0, max_length=4)
        hypotheses = found(machine, [source], settings)[0]
        assert [one.tokens for one in hypotheses] == [one.tokens for one in best]
        assert [one.score for one in hypotheses] == pytest.approx([one.score for one in best])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("way", ["beam", "penalties", "no repeats"])
def test_the_n_best_are_sorted_and_distinct(preset: str, way: str) -> None:
    settings = SearchSettings(**BEAMS[way], max_length=6)
    for hypotheses in found(Machine(lively(preset)), sources(8), settings):
        ended = [one.rank_score for one in hypotheses if one.finished]
        cut = [one.rank_score for one in hypotheses if not one.finished]
        assert ended == sorted(ended, reverse=True)
        assert cut == sorted(cut, reverse=True)
        assert [one.finished for one in hypotheses] == sorted((one.finished for one in hypotheses), reverse=True)
        assert len({tuple(one.tokens) for one in hypotheses}) == len(hypotheses)


def test_ranks_are_what_the_settings_say() -> None:
    settings = SearchSettings(beam=4, n_best=4, length_penalty=0.8, coverage_penalty=0.3, max_length=9)
    for hypotheses in found(Machine(lively("bahdanau")), sources(6), settings):
        for one in hypotheses:
            assert one.attention is not None
            covered = one.attention[0, 0].sum(0).clamp(1e-6, 1).log().sum()
            rank = one.score / ((5 + len(one.tokens)) / 6) ** 0.8 + 0.3 * float(covered)
            assert one.rank_score == pytest.approx(rank)


@pytest.mark.parametrize("preset", ["luong-general", "transformer"])
def test_limits_and_blocks_are_kept(preset: str) -> None:
    settings = SearchSettings(beam=3, n_best=3, block_ngrams=2, min_length=4, max_length=12)
    for hypotheses in found(Machine(lively(preset)), sources(6), settings):
        for one in hypotheses:
            pairs = list(zip(one.tokens, one.tokens[1:], strict=False))
            assert len(set(pairs)) == len(pairs)
            assert 5 <= len(one.tokens) <= 12
            assert not {Tokenizer.PAD, Tokenizer.START} & set(one.tokens)


@pytest.mark.parametrize("way", [{"beam": 1}, {"beam": 3, "n_best": 2}, {"n_best": 3, "draw": {"seed": 4}}], ids=str)
@pytest.mark.parametrize("preset", ["bahdanau", "plain-first", "transformer"])
def test_what_nothing_may_follow_is_returned_as_it_is(preset: str, way: dict[str, Any]) -> None:
    """When every word has been said and none may come twice, all is blocked before the end is allowed."""
    settings = SearchSettings(**way, block_ngrams=1, min_length=500, max_length=600, coverage_penalty=0.1)
    machine, given = Machine(lively(preset)), sources(5)
    sayable = sorted({*range(TARGET_WORDS)} - {Tokenizer.PAD, Tokenizer.START, END})
    for source, hypotheses in zip(given, found(machine, given, settings), strict=True):
        assert len(hypotheses) == settings.n_best
        for one in hypotheses:
            assert not one.finished
            assert sorted(one.tokens) == sayable
            assert force(machine, encoded(machine, [source]), [one.tokens])[0].score == pytest.approx(one.score)


def test_without_a_limit_twice_the_source_and_ten() -> None:
    model = lively("luong-dot")
    with torch.no_grad():
        model.decoder.output.bias[END] = -1e4
    for source, (one,) in zip(sources(), found(Machine(model), sources(), SearchSettings(beam=2)), strict=True):
        assert not one.finished
        assert len(one.tokens) == 2 * (len(source) + 1) + 10


@pytest.mark.parametrize("preset", ["bahdanau", "plain-every", "transformer"])
@pytest.mark.parametrize("way", BEAMS)
def test_prefixes_are_kept_and_scored(preset: str, way: str) -> None:
    machine, given = Machine(lively(preset)), sources(4)
    prefixes = [[], [9], [8, 8, 8], [5, 6]]
    settings = SearchSettings(**BEAMS[way])
    for source, prefix, hypotheses in zip(
        given, prefixes, found(machine, given, settings, prefixes=prefixes), strict=True
    ):
        for one in hypotheses:
            assert one.tokens[: len(prefix)] == prefix
            forced = force(machine, encoded(machine, [source]), [one.tokens])[0]
            assert forced.score == pytest.approx(one.score)


@pytest.mark.parametrize(("preset", "heads"), [("bahdanau", None), ("luong-local-p", None), ("transformer", (1,))])
def test_edited_attention_is_used_from_there_on(preset: str, heads: tuple[int, ...] | None) -> None:
    machine, given = Machine(lively(preset)), [[4, 5, 6, 7]]
    source = encoded(machine, given)
    limits = torch.tensor([9])
    settings = SearchSettings(beam=3, min_length=6)
    plain = Search(machine, source, limits, settings).run()[0][0]
    weights, rows = torch.zeros(1, 3, 5, dtype=torch.double), torch.tensor([[False, False, True]])
    weights[0, 2, 4] = 1
    edits = Edits(weights, rows, heads=heads)
    kept = plain.tokens[:2]
    edited = Search(machine, source, limits, settings, prefixes=[kept], edits=edits).run()[0][0]
    assert edited.attention is not None
    assert plain.attention is not None
    torch.testing.assert_close(edited.attention[..., :2, :], plain.attention[..., :2, :])
    changed = edited.attention[-1, slice(None) if heads is None else list(heads), 2]
    torch.testing.assert_close(changed, weights[0, 2].expand_as(changed))
    forced = force(machine, source, [edited.tokens], edits=edits)[0]
    assert forced.score == pytest.approx(edited.score)
    torch.testing.assert_close(forced.attention, edited.attention)
    assert not torch.allclose(
        torch.tensor(force(machine, source, [edited.tokens])[0].score), torch.tensor(edited.score)
    )


def test_sampled_looks_are_recorded_and_replayed() -> None:
    attention = {"score": "additive", "hidden_size": 5, "select": {"name": "hard", "evaluate": "sample"}}
    machine = Machine(lively("hard", decoder={"attention": attention}))
    given = sources(4)
    source = encoded(machine, given)
    generator = torch.Generator().manual_seed(2)
    hypotheses = Search(
        machine, source, torch.full((4,), 9), SearchSettings(beam=3, min_length=3), generator=generator
    ).run()
    for number, (one,) in enumerate(hypotheses):
        assert one.choices is not None
        assert one.attention is not None
        torch.testing.assert_close(one.attention[0, 0].argmax(-1), one.choices)
        assert one.attention[0, 0].sum() == len(one.tokens)
        alone = encoded(machine, [given[number]])
        edits = Edits.of_choices(one.choices[None], alone[0].states.shape[1])
        replayed = force(machine, alone, [one.tokens], edits=edits)[0]
        assert replayed.score == pytest.approx(one.score)
        torch.testing.assert_close(replayed.attention, one.attention)


def test_hard_attention_decodes_with_its_expectation() -> None:
    (one,) = found(Machine(lively("hard")), [[4, 5, 6]], SearchSettings(beam=2, min_length=3))[0]
    assert one.attention is not None
    assert one.choices is None
    assert ((one.attention > 0.01).sum(-1) > 1).any()


def test_drawing_follows_the_probabilities() -> None:
    machine = Machine(lively("luong-general"))
    settings = SearchSettings(n_best=2000, max_length=1, draw=DrawSettings(seed=3))
    drawn = found(machine, [[4, 5]], settings)[0]
    model = machine.models[0]
    logits = model.decoder(torch.tensor([[Tokenizer.START]]), encoded(machine, [[4, 5]])[0]).logits[0, 0]
    logits[[Tokenizer.PAD, Tokenizer.START]] = -torch.inf
    counts = torch.bincount(torch.tensor([one.tokens[0] for one in drawn]), minlength=TARGET_WORDS)
    assert (counts / 2000 - logits.softmax(-1)).abs().max() < 0.04


def test_drawing_from_the_likeliest_is_greedy() -> None:
    machine, given = Machine(lively("bahdanau")), sources(6)
    greedy = found(machine, given, SearchSettings(beam=1, max_length=8))
    for few in ({"top_k": 1}, {"top_p": 1e-9}, {"temperature": 1e-4}):
        drawn = found(machine, given, SearchSettings(max_length=8, draw=DrawSettings(**few)))
        assert [one.tokens for (one,) in drawn] == [one.tokens for (one,) in greedy]


def test_each_is_drawn_for_itself_so_that_one_may_come_twice() -> None:
    settings = SearchSettings(n_best=4, max_length=8, draw=DrawSettings(top_k=1))
    for drawn in found(Machine(lively("bahdanau")), sources(3), settings):
        assert len(drawn) == 4
        assert len({tuple(one.tokens) for one in drawn}) == 1


def test_another_seed_draws_something_else() -> None:
    machine, given = Machine(lively("bahdanau")), sources(6)
    ways = [SearchSettings(max_length=8, draw=DrawSettings(seed=seed)) for seed in (1, 1, 2)]
    one, same, other = ([hypothesis.tokens for (hypothesis,) in found(machine, given, way)] for way in ways)
    assert one == same != other


def test_an_ensemble_of_the_same_is_the_same_and_of_others_their_mean() -> None:
    model, other = lively("bahdanau"), lively("transformer")
    settings = SearchSettings(beam=3, n_best=2, max_length=8)
    given = sources(4)
    once, thrice = found(Machine(model), given, settings), found(Machine(model, model, model), given, settings)
    for alone, together in zip(once, thrice, strict=True):
        assert [one.tokens for one in alone] == [one.tokens for one in together]
        assert together[0].attention is not None
        assert together[0].attention.shape[0] == 4  # of each, and of all together
        torch.testing.assert_close(together[0].attention[:, 0], alone[0].attention[0].expand(4, -1, -1))
    mixed = Machine(model, other)
    for source, hypotheses in zip(given, found(mixed, given, settings), strict=True):
        one = hypotheses[0]
        chances = torch.zeros((), dtype=torch.double)
        for each in (model, other):
            forced = force(Machine(each), encoded(Machine(each), [source]), [one.tokens[:1]])[0]
            chances += torch.tensor(forced.score).exp() / 2
        assert one.token_scores[0] == pytest.approx(float(chances.log()))
        assert one.attention is not None
        assert one.attention.shape[:2] == (4, 1)  # layers follow each other; heads differ, so they are averaged
        torch.testing.assert_close(one.attention[3], (one.attention[0] + one.attention[2]) / 2)
    with pytest.raises(ValueError, match="must share their target words, these have 29 and 30"):
        Machine(model, EncoderDecoder(model.settings, SOURCE_WORDS, 30))


def test_the_order_of_the_models_that_decide_together_does_not_matter() -> None:
    """Nor whose look comes last: what they cover is what they cover together."""
    model, other, given = lively("bahdanau"), lively("luong-general"), sources(6)
    settings = SearchSettings(beam=4, n_best=4, coverage_penalty=0.8, max_length=8)
    one, another = (found(Machine(*models), given, settings) for models in ((model, other), (other, model)))
    for here, there in zip(one, another, strict=True):
        assert [each.tokens for each in here] == [each.tokens for each in there]
        assert [each.rank_score for each in here] == pytest.approx([each.rank_score for each in there])
    source, hypothesis = given[0], one[0][0]
    looks = [force(Machine(each), encoded(Machine(each), [source]), [hypothesis.tokens])[0] for each in (model, other)]
    alone = [each.attention[-1, 0] for each in looks if each.attention is not None]
    assert hypothesis.attention is not None
    torch.testing.assert_close(hypothesis.attention[-1, 0], (alone[0] + alone[1]) / 2)


def test_models_that_draw_their_looks_together_have_no_common_choice() -> None:
    hard = {"score": "additive", "select": {"name": "hard", "evaluate": "sample"}}
    models = [lively("bahdanau", decoder={"hidden_size": 12, "attention": hard}) for _ in range(2)]
    settings = SearchSettings(beam=2, max_length=6)
    for models_used, told in ((models[:1], True), (models, False)):
        ((one,),) = found(Machine(*models_used), [[4, 5, 6]], settings, generator=torch.Generator().manual_seed(3))
        assert (one.choices is not None) == told


def test_a_search_can_be_watched_and_sentences_dropped() -> None:
    machine, given = Machine(lively("luong-general")), sources(5)
    settings = SearchSettings(beam=3, min_length=4)
    search = Search(machine, encoded(machine, given), torch.full((5,), 12), settings)
    seen = []
    for search_now in search:
        seen.append(search_now.prefixes())
        if search.step == 2:
            search.drop([1, 3])
    hypotheses = search.hypotheses()
    assert [len(tokens) for tokens in seen[0].values()] == [1] * 5
    for number in (1, 3):
        (cut,) = hypotheses[number]
        assert not cut.finished
        assert cut.tokens == seen[1][number]
    whole = Search(machine, encoded(machine, given), torch.full((5,), 12), settings).run()
    for number in (0, 2, 4):
        assert [one.tokens for one in hypotheses[number]] == [one.tokens for one in whole[number]]
        assert seen[-1][number] == hypotheses[number][0].tokens


def test_settings_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="n_best: 3 hypotheses cannot come from a beam of 2"):
        SearchSettings(beam=2, n_best=3)
    with pytest.raises(ValueError, match="min_length: 9 is more than max_length 4"):
        SearchSettings(min_length=9, max_length=4)
    with pytest.raises(ValueError, match="at least one token"):
        force(Machine(lively("bahdanau")), encoded(Machine(lively("bahdanau")), [[4]]), [[]])
