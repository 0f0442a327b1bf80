"""The one search: greedy, beam and drawing, step by step, for every decoder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Tensor

from jumok.core.memory import keep_freed_memory
from jumok.data import Tokenizer
from jumok.decoding import candidates
from jumok.decoding.candidates import Candidates
from jumok.decoding.edits import Edits
from jumok.decoding.hypothesis import Hypothesis
from jumok.decoding.machine import Machine
from jumok.decoding.settings import SearchSettings
from jumok.decoding.tracing import Ends, Taken, trace
from jumok.models import Encoded

_LEAVE = 8
"""Sentences that are done leave the batch when they are one of so many: to copy the others costs, too."""


_FREE_WORDS = 2
"""How far a hypothesis that is open may hope to come without a loss. On Multi30k with a beam of 5, without this bound
one of 500 translations was another, and a twentieth more hypotheses were followed."""

_HELD_MEMORY = 1 << 28
"""Bytes of memory that was freed and stays with the process, for the next step."""


class Search:
    """A search through what a machine may say of some sources; iterate over it, a step at a time, or call `run`.

    encoded: the sources, encoded by each model. limits: how long each target may become, `(B,)`.
    prefixes: tokens that each target begins with. edits: attention to be used in place of the machine's own.
    numbers: of the sentences, for drawing; from 0 unless given. generator: where sampled looks are drawn from.

    A sentence is done when no hypothesis that is still open can come among its `n_best`. With a penalty for length, one
    might still do so by many more words that cost next to nothing; so it is taken for beaten when two more words for
    nothing would not be enough, or when as many have ended as the beam is wide.
    """

    def __init__(
        self,
        machine: Machine,
        encoded: Sequence[Encoded],
        limits: Tensor,
        settings: SearchSettings | None = None,
        *,
        prefixes: Sequence[Sequence[int]] | None = None,
        edits: Edits | None = None,
        numbers: Tensor | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        self.settings = settings or SearchSettings()
        count, device = len(limits), limits.device
        if device.type == "cpu":
            keep_freed_memory(_HELD_MEMORY)
        self._machine, self._edits, self._generator = machine, edits, generator
        self._mask = encoded[0].mask
        self._numbers = torch.arange(count, device=device) if numbers is None else numbers
        self._prefixes = _table(prefixes or [()] * count, device)
        self._limits = torch.maximum(limits, (self._prefixes >= 0).sum(1) + 1)
        self.step = 0
        """How many steps were taken."""
        self.sentences = torch.arange(count, device=device)
        """Those that are still there, `(B,)`; all that follows is by row of these."""
        self._done = torch.zeros(count, dtype=torch.bool, device=device)
        self._state = machine.start(encoded)
        self._scores = encoded[0].states.new_zeros(count, 1)  # (B, N), -inf where there is nothing
        self._history = torch.zeros(count, 1, 0, dtype=torch.int64, device=device)  # (B, N, t)
        self._covered: Tensor | None = None  # (B, N, S)
        self._last: Candidates | None = None  # what the last step chose
        self._taken: list[Taken] = []
        self._ends = Ends.none(count, self.settings.n_best, self._scores)  # by sentence
        self._ended = torch.zeros(count, dtype=torch.int64, device=device)  # by sentence

    def __iter__(self) -> Iterator[Search]:
        """Takes step after step until every sentence is done; after each, whoever waits may look, drop or stop."""
        while len(self.sentences):
            with torch.no_grad():
                self._take()
                self._settle()
            yield self

    def run(self) -> list[list[Hypothesis]]:
        """All steps, and what they found."""
        for _ in self:
            pass
        return self.hypotheses()

    def drop(self, sentences: Iterable[int]) -> None:
        """Look no further for these: they get what they have so far."""
        dropped = torch.isin(self.sentences, torch.tensor(list(sentences), device=self.sentences.device))
        self._give_up(dropped)
        self._leave()

    def prefixes(self) -> dict[int, list[int]]:
        """The best tokens that each sentence has so far, ended or still open."""
        found = {number: hypotheses[0] for number, hypotheses in enumerate(self.hypotheses()) if hypotheses}
        best = {number: hypothesis.tokens for number, hypothesis in found.items()}
        scores, places = self._scores.max(1)
        ranks = (scores / self.settings.divisor(self.step)).tolist()
        for row, (number, rank) in enumerate(zip(self.sentences.tolist(), ranks, strict=True)):
            if number not in found or rank > found[number].rank_score:
                best[number] = self._history[row, places[row]].tolist()
        return best

    def hypotheses(self) -> list[list[Hypothesis]]:
        """What has ended so far for each sentence, the best first; after the last step there is at least one."""
        there = self._ends.steps >= 0
        sentences, places = there.nonzero(as_tuple=True)
        traced = trace(self._taken, self._ends, sentences, places)
        sources = self._mask.sum(1).tolist()
        found: list[list[Hypothesis]] = [[] for _ in sources]
        scores, ranks = self._ends.scores[there].tolist(), self._ends.ranks[there].tolist()
        tokens, gains, lengths = traced.tokens.tolist(), traced.gains.tolist(), traced.lengths.tolist()
        for number, (sentence, length) in enumerate(zip(sentences.tolist(), lengths, strict=True)):
            weights, choices = traced.weights, traced.choices
            found[sentence].append(
                Hypothesis(
                    tokens[number][:length],
                    scores[number],
                    ranks[number],
                    tokens[number][length - 1] == Tokenizer.END,
                    gains[number][:length],
                    None if weights is None else weights[number, :, :, :length, : sources[sentence]],
                    None if choices is None else choices[number, :length],
                )
            )
        return found

    def _take(self) -> None:
        """One step of all sentences that are still there."""
        rows = torch.zeros_like(self._limits)
        rows[self.sentences] = torch.arange(len(self.sentences), device=rows.device)
        words = self._history[..., -1] if self.step else torch.full_like(self.sentences[:, None], Tokenizer.START)
        given = None if self._edits is None else self._edits.at(self.step, self.sentences, words.shape[1])
        looked = self._machine.step(words, self._state, given, self._generator)
        found = self._found(looked.log_probs)
        self._keep_stuck(found)
        covered = self._coverage(looked.weights)
        ends = (found.tokens == Tokenizer.END) & found.scores.isfinite()
        if self.settings.draw is None:
            ends[:, self.settings.beam :] = False  # an end counts where a narrower search would take it
        self._put(found, ends, None if covered is None else self._penalty(covered).gather(1, found.parents))
        self._ended[self.sentences] += ends.sum(1)
        self._last = chosen = self._still_open(found)
        self._taken.append(Taken(rows, chosen.tokens, chosen.gains, chosen.parents, looked.weights, looked.choice))
        self._state = looked.state.select(chosen.parents)
        by_parent = chosen.parents.unsqueeze(-1)
        self._covered = None if covered is None else covered.take_along_dim(by_parent, 1)
        self._history = torch.cat([self._history.take_along_dim(by_parent, 1), chosen.tokens.unsqueeze(-1)], dim=-1)
        self._scores = chosen.scores
        self.step += 1

    def _found(self, log_probs: Tensor) -> Candidates:
        """What the hypotheses of each sentence may become."""
        settings = self.settings
        forced = None
        if self.step < self._prefixes.shape[1]:
            wanted = self._prefixes[self.sentences, self.step]
            forced = candidates.only(log_probs, wanted)
        log_probs = candidates.allowed(log_probs, self._history, settings)
        if forced is not None:
            log_probs = torch.where((wanted >= 0)[:, None, None], forced, log_probs)
        if settings.draw is None:
            return candidates.best(self._scores, log_probs, 2 * settings.beam)
        numbers = self._numbers[self.sentences]
        return candidates.drawn(self._scores, log_probs, settings.draw, settings.n_best, numbers, self.step)

    def _still_open(self, found: Candidates) -> Candidates:
        """The best candidates that do not end."""
        open_scores = found.scores.masked_fill(found.tokens == Tokenizer.END, -torch.inf)
        if self.settings.draw is not None:
            return found._replace(scores=open_scores)
        scores, places = open_scores.topk(min(self.settings.beam, open_scores.shape[1]), dim=1)
        return Candidates(scores, *(part.gather(1, places) for part in found[1:]))

    def _put(self, found: Candidates, ends: Tensor, penalty: Tensor | None, finished: bool = True) -> None:
        """Candidates that end `(B, C)`, among the best of their sentences; the unfinished behind all others."""
        if not bool(ends.any()):
            return
        step = self.step if finished else self.step - 1
        ranks = found.scores / self.settings.divisor(step + 1)
        if penalty is not None:
            ranks = ranks + penalty
        order = (ranks.double() if finished else ranks.double() - 1e9).masked_fill(~ends, -torch.inf)
        steps = torch.full_like(found.tokens, step).masked_fill(~ends, -1)
        new = Ends(order, ranks, found.scores, steps, found.tokens, found.gains, found.parents)
        self._ends = self._ends.joined(new, self.sentences)

    def _settle(self) -> None:
        """Say which sentences are done after this step, and let them leave."""
        self._give_up(self.step >= self._limits[self.sentences])
        alive = self._scores.amax(1)
        ahead = alive / self.settings.divisor(float(self.step + _FREE_WORDS))  # scores only fall
        worst = self._ends.order[self.sentences, -1]
        self._done |= (worst >= ahead) | alive.isneginf()
        if self.settings.length_penalty or self.settings.coverage_penalty:
            self._done |= (self._ended[self.sentences] >= self.settings.width) & ~worst.isneginf()
        self._scores = self._scores.masked_fill(self._done[:, None], -torch.inf)
        self._leave()

    def _keep_stuck(self, found: Candidates) -> None:
        """What nothing may follow, since all is blocked, ends as it is: all of a sentence, or one that is drawn."""
        stuck = found.scores.isneginf()
        self._end_open(stuck.all(1, keepdim=True) if self.settings.draw is None else stuck)

    def _give_up(self, rows: Tensor) -> None:
        """What is open of these rows `(B,)` ends here, unfinished."""
        self._end_open(rows[:, None])
        self._done = self._done | rows
        self._scores = self._scores.masked_fill(rows[:, None], -torch.inf)

    def _end_open(self, which: Tensor) -> None:
        """These of the open hypotheses `(B, N)` are kept as they are, unfinished."""
        ends = which & self._scores.isfinite()
        if self._last is not None and bool(ends.any()):
            penalty = None if self._covered is None else self._penalty(self._covered)
            self._put(self._last._replace(scores=self._scores), ends, penalty, finished=False)

    def _leave(self) -> None:
        """Sentences that are done leave the batch, when there are enough of them."""
        done = int(self._done.sum())
        if done * _LEAVE < max(1, len(self._done)):
            return
        kept = ~self._done
        self.sentences, self._scores, self._history = self.sentences[kept], self._scores[kept], self._history[kept]
        self._covered = None if self._covered is None else self._covered[kept]
        self._last = None if self._last is None else Candidates(*(part[kept] for part in self._last))
        self._state = self._state.keep(kept)
        self._done = self._done[kept]

    def _coverage(self, weights: tuple[Tensor, ...]) -> Tensor | None:
        """The weights so far on each place `(B, N, S)`, of those that looked: last layer, mean of its heads."""
        if not self.settings.coverage_penalty or not weights:
            return None
        look = weights[-1] if weights[-1].dim() == 3 else weights[-1].mean(1)
        return look if self._covered is None else self._covered + look

    def _penalty(self, covered: Tensor) -> Tensor:
        """What coverage adds to the rank, `(B, N)`."""
        logs = covered.clamp(1e-6, 1).log().masked_fill(~self._mask[self.sentences].unsqueeze(1), 0)
        return self.settings.coverage_penalty * logs.sum(-1)


def _table(rows: Sequence[Sequence[int]], device: torch.device) -> Tensor:
    """Tokens as a table `(B, longest)`, -1 behind the shorter rows."""
    longest = max(map(len, rows), default=0)
    table = [[*row, *[-1] * (longest - len(row))] for row in rows]
    return torch.tensor(table, dtype=torch.int64, device=device).view(len(rows), longest)
