"""The slow twin of everything in this room: loops over sentences, steps and keys, written to be read.

It takes the parameters of a built attention and does what its docstrings say, one query and one key at a time, on
the visible keys only: no mask is ever filled in. Tests say that the fast paths agree, in value and in gradient.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from jumok.attention.attended import Attended
from jumok.attention.attention import Attention
from jumok.attention.graph import DynamicScore, GraphAttention, StaticScore
from jumok.attention.normalizers import Entmax15, Normalizer, Softmax, Sparsemax, Sum
from jumok.attention.scores import (
    Additive,
    Boxcar,
    Constant,
    Content,
    Cosine,
    Dot,
    Epanechnikov,
    Gaussian,
    General,
    Kernel,
    Location,
    ScaledDot,
    Score,
)
from jumok.attention.selectors import Gumbel, Hard, Selector, Soft, StraightThrough, TopK
from jumok.attention.windows import LocalM, LocalP, Shift, Window


def attend(
    attention: Attention,
    queries: Tensor,
    keys: Tensor,
    values: Tensor | None = None,
    mask: Tensor | None = None,
    causal: bool = False,
    generator: torch.Generator | None = None,
) -> Attended:
    """What `attention(queries, keys, values, mask=mask, causal=causal)` means; queries `(B, T, Q)`."""
    values = keys if values is None else values
    batch, rows, columns = queries.shape[0], queries.shape[1], keys.shape[1]
    random = _random_numbers(attention.selector, batch, rows, columns, queries, generator)
    contexts, weights, probabilities, choices, log_probs = [], [], [], [], []
    for b in range(batch):
        history: list[Tensor] = []  # the weights of each step so far, (S,)
        for t in range(rows):
            visible = [s for s in range(columns) if _may_look(mask, causal, b, t, s, rows, columns)]
            row = _probabilities(attention, queries[b, t], keys[b], visible, t, history)
            chosen, choice = select(attention.selector, row, None if random is None else random[t, b])
            probabilities.append(row)
            weights.append(chosen)
            contexts.append(sum((chosen[s] * values[b, s] for s in range(columns)), 0 * values[b, 0]))
            choices.append(torch.tensor(-1 if choice is None else choice))
            log_probs.append(row.new_zeros(()) if choice is None else row[choice].log())
            history.append(chosen)
    records = (contexts, weights, probabilities, choices, log_probs)
    return Attended(*(torch.stack(list(record)).unflatten(0, (batch, rows)) for record in records))


def _may_look(mask: Tensor | None, causal: bool, b: int, t: int, s: int, rows: int, columns: int) -> bool:
    if causal and s > t + columns - rows:
        return False
    if mask is None:
        return True
    mask = mask[:, None] if mask.dim() == 2 else mask
    full = mask.expand(max(b + 1, mask.shape[0]), max(t + 1, mask.shape[1]), columns)
    return bool(full[b, t, s])


def _probabilities(
    attention: Attention, query: Tensor, keys: Tensor, visible: list[int], step: int, history: list[Tensor]
) -> Tensor:
    """The row `(S,)` of one query, zeros included."""
    if not history and isinstance(attention.window, Shift) and visible:  # it looked at the first key before
        last = torch.nn.functional.one_hot(torch.tensor(visible[0]), len(keys)).to(query.dtype)
    else:
        last = history[-1] if history else query.new_zeros(len(keys))
    told = {"coverage": sum(history, torch.zeros_like(last)), "last": last, None: last}[attention.score.history]
    scores = {s: score(attention.score, query, keys[s], s, told) for s in visible}
    length = max(visible) + 1 if visible else 0
    seen = near(attention.window, query, step, length, visible)
    probabilities = query.new_zeros(len(keys))
    if seen:
        some = normalize(attention.normalizer, torch.stack([scores[s] for s in seen]))
        probabilities = probabilities.index_put((torch.tensor(seen),), some)
    return reweigh(attention.window, probabilities, query, length, visible, last)


def score(kind: Score, query: Tensor, key: Tensor, place: int, told: Tensor) -> Tensor:
    """The score of one query `(Q,)` and one key `(K,)` that stands at `place`; told: the history `(S,)`."""
    if isinstance(kind, Content):
        strength = torch.nn.functional.softplus(kind.strength.weight @ query + kind.strength.bias)[0]
        return strength * _cosine(kind.wanted.weight @ query + kind.wanted.bias, key)
    if isinstance(kind, General):
        return query @ kind.key.weight @ key
    if isinstance(kind, Cosine):
        return _cosine(query, key)
    if isinstance(kind, ScaledDot):
        return query @ key / math.sqrt(len(query))
    if isinstance(kind, Dot):
        return query @ key
    if isinstance(kind, Location):
        return kind.place.weight[place] @ query
    if isinstance(kind, Additive):
        return _additive(kind, query, key, place, told)
    if isinstance(kind, Kernel):
        distance = (query - key).square().sum().sqrt() if not torch.equal(query, key) else 0 * (query - key).sum()
        return kernel(kind, distance / kind.width)
    raise TypeError(f"no slow twin of {type(kind).__name__}")


def _cosine(one: Tensor, other: Tensor) -> Tensor:
    if not one.any() or not other.any():
        return 0 * (one @ other)
    return one @ other / ((one @ one).sqrt() * (other @ other).sqrt())


def _additive(kind: Additive, query: Tensor, key: Tensor, place: int, told: Tensor) -> Tensor:
    of_query, of_key = kind.maps()
    inside = of_key @ key
    if of_query is not None:
        inside = inside + of_query @ query
    if kind.bias is not None:
        inside = inside + kind.bias
    if kind.history is not None:
        if kind.filters is None:
            features = told[place : place + 1]
        else:
            filters = kind.filters.weight[:, 0]  # (C, width)
            reach = filters.shape[1] // 2
            around = range(max(0, place - reach), min(len(told), place + reach + 1))
            features = torch.stack([filters[:, s - place + reach] * told[s] for s in around]).sum(0)
        inside = inside + kind.seen.weight @ features
    return inside.tanh()[0] if kind.v is None else kind.v @ inside.tanh()


def kernel(kind: Kernel, distance: Tensor) -> Tensor:
    """K of a distance in widths."""
    if isinstance(kind, Gaussian):
        return (-(distance**2) / 2).exp()
    if isinstance(kind, Boxcar):
        return (distance <= 1).to(distance.dtype)
    if isinstance(kind, Epanechnikov):
        return (1 - distance**2).clamp_min(0)
    if isinstance(kind, Constant):
        return torch.ones_like(distance)
    raise TypeError(f"no slow twin of {type(kind).__name__}")


def normalize(kind: Normalizer, scores: Tensor) -> Tensor:
    """Probabilities of the scores `(n,)` of the visible keys, n at least 1."""
    if isinstance(kind, Sum):
        powers = scores ** (1 / kind.temperature)
        return powers / powers.sum() if powers.sum() > 0 else powers
    scores = scores / kind.temperature
    if isinstance(kind, Softmax):
        exponentials = (scores - scores.max().detach()).exp()
        return exponentials / exponentials.sum()
    if isinstance(kind, Sparsemax):
        return _sparsemax_by_sorting(scores)
    if isinstance(kind, Entmax15):
        return _entmax15_by_sorting(scores)
    raise TypeError(f"no slow twin of {type(kind).__name__}")


def _sparsemax_by_sorting(scores: Tensor) -> Tensor:
    """The largest support whose smallest member stays positive (Martins & Astudillo 2016, algorithm 1)."""
    ordered = scores.sort(descending=True).values
    tau = ordered[0] - 1
    for count in range(1, len(ordered) + 1):
        if 1 + count * ordered[count - 1] > ordered[:count].sum():
            tau = (ordered[:count].sum() - 1) / count
    return (scores - tau).clamp_min(0)


def _entmax15_by_sorting(scores: Tensor) -> Tensor:
    """For each size of the support tau solves a quadratic; the right one lies between two scores."""
    half = (scores - scores.max()) / 2
    ordered = half.sort(descending=True).values
    tau = ordered[0] - 1
    for count in range(1, len(ordered) + 1):
        mean = ordered[:count].mean()
        spread = (ordered[:count] - mean).square().sum()
        if spread >= 1:
            break
        candidate = mean - ((1 - spread) / count).sqrt()
        if candidate < ordered[count - 1]:
            tau = candidate
    return (half - tau).clamp_min(0) ** 2


def near(window: Window | None, query: Tensor, step: int, length: int, visible: list[int]) -> list[int]:
    """The visible keys that lie in the window."""
    if isinstance(window, LocalM):
        return [s for s in visible if abs(s - min(step, length - 1)) <= window.width]
    if isinstance(window, LocalP):
        return [s for s in visible if abs(s - _predicted(window, query, length).item()) <= window.width]
    return visible


def _predicted(window: LocalP, query: Tensor, length: int) -> Tensor:
    return length * torch.sigmoid(window.place.weight[0] @ torch.tanh(window.hidden.weight @ query))


def reweigh(window: Window | None, row: Tensor, query: Tensor, length: int, visible: list[int], last: Tensor) -> Tensor:
    """What the window does to the probabilities `(S,)`."""
    if isinstance(window, LocalP):
        sigma = window.width / 2
        places = torch.arange(len(row))
        row = row * torch.exp(-((places - _predicted(window, query, length)) ** 2) / (2 * sigma**2))
        return row / row.sum() if window.sums_to_one and row.sum() > 0 else row
    if isinstance(window, Shift) and visible:
        gate = torch.sigmoid(window.gate.weight @ query + window.gate.bias)[0]
        mixed = gate * row + (1 - gate) * last
        shares = torch.softmax(window.shift.weight @ query + window.shift.bias, dim=0)
        moved = []
        for rank in range(len(visible)):
            came = [visible[(rank - shift) % len(visible)] for shift in range(-window.reach, window.reach + 1)]
            moved.append(sum(share * mixed[s] for share, s in zip(shares, came, strict=True)))
        turned = torch.zeros_like(row).index_put((torch.tensor(visible),), torch.stack(moved))
        gamma = 1 + torch.nn.functional.softplus(window.sharpness.weight @ query + window.sharpness.bias)[0]
        return turned**gamma / (turned**gamma).sum()
    return row


def _random_numbers(
    selector: Selector, batch: int, rows: int, columns: int, like: Tensor, generator: torch.Generator | None
) -> Tensor | None:
    """One number a row for a draw, one a key for Gumbel noise; step after step."""
    draws = isinstance(selector, Hard | StraightThrough | Gumbel)
    if not draws or not (selector.training or selector.evaluate == "sample"):
        return None
    size = (rows, batch, columns) if isinstance(selector, Gumbel) else (rows, batch)
    return torch.rand(size, generator=generator, dtype=like.dtype)


def select(selector: Selector, row: Tensor, random: Tensor | None) -> tuple[Tensor, int | None]:
    """The coefficients `(S,)`, and the chosen key where one was."""
    if isinstance(selector, Soft) or not bool(row.sum() > 0):
        return row, None
    if isinstance(selector, TopK):
        best = sorted(range(len(row)), key=row.tolist().__getitem__, reverse=True)[: selector.k]
        kept = torch.stack([row[s] if s in best else 0 * row[s] for s in range(len(row))])
        return kept / kept.sum() * row.sum(), None
    assert isinstance(selector, Hard | StraightThrough | Gumbel)
    if not selector.training and selector.evaluate == "expected":
        return row, None
    if random is not None and isinstance(selector, Gumbel):
        return _gumbel(selector, row, random)
    chosen = int(row.argmax()) if random is None else _drawn(row, random.item())
    one_hot = torch.nn.functional.one_hot(torch.tensor(chosen), len(row)).to(row.dtype)
    return (one_hot + row - row.detach() if isinstance(selector, StraightThrough) else one_hot), chosen


def _drawn(row: Tensor, random: float) -> int:
    """The first key at which the running sum of the probabilities exceeds the random number."""
    total = 0.0
    for s, probability in enumerate(row.tolist()):
        total += probability
        if total > random:
            return s
    return int(row.argmax())


def _gumbel(selector: Gumbel, row: Tensor, random: Tensor) -> tuple[Tensor, int | None]:
    noise = -(-random.log()).log()
    possible = row > 0
    soft = torch.zeros_like(row)
    soft[possible] = torch.softmax((row[possible].log() + noise[possible]) / selector.temperature, dim=0)
    if not selector.hard:
        return soft, None
    chosen = int(soft.argmax())
    one_hot = torch.nn.functional.one_hot(torch.tensor(chosen), len(row)).to(row.dtype)
    return one_hot + soft - soft.detach(), chosen


def _value_and_score(score: StaticScore | DynamicScore, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """What the source gives `(heads, D)`, and its score `(heads,)` in the eyes of the target."""
    if isinstance(score, StaticScore):
        value = score.weight @ source
        inner = (score.source * value).sum(-1) + (score.target * (score.weight @ target)).sum(-1)
        return value, torch.nn.functional.leaky_relu(inner, score.negative_slope)
    value = score.source @ source
    asking = (score.source if score.target is None else score.target) @ target
    return value, (score.vector * torch.nn.functional.leaky_relu(value + asking, score.negative_slope)).sum(-1)


def attend_edges(layer: GraphAttention, nodes: Tensor, edges: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
    """The context, the weights `(E, heads)` and, where loops are added, the self weights `(N, heads)`."""
    pairs = list(zip(*edges.tolist(), strict=True))
    none = nodes.new_zeros(layer.heads)
    weights = [none] * len(pairs)
    self_weights = [none] * len(nodes)
    contexts = []
    for i, target in enumerate(nodes):
        into = [e for e, pair in enumerate(pairs) if pair[1] == i]
        looped = layer.self_loops and (i, i) not in pairs
        sources = [nodes[pairs[e][0]] for e in into] + [target] * looped
        if not sources:
            contexts.append(nodes.new_zeros(layer.heads, layer.out_size))
            continue
        looks = [_value_and_score(layer.score, source, target) for source in sources]
        values, scores = (torch.stack(parts) for parts in zip(*looks, strict=True))
        shares = scores.softmax(0)  # (edges into i, heads)
        contexts.append((shares[:, :, None] * values).sum(0))
        for e, share in zip(into, shares, strict=False):
            weights[e] = share
        if looped:
            self_weights[i] = shares[-1]
    context = torch.stack(contexts)
    context = context.flatten(1) if layer.concat else context.mean(1)
    if layer.bias is not None:
        context = context + layer.bias
    given = torch.stack(weights) if weights else nodes.new_zeros(0, layer.heads)
    return context, given, torch.stack(self_weights) if layer.self_loops else None
