"""One key, sampled."""

from __future__ import annotations

from torch import Tensor

from jumok.attention.selectors.base import Sampler, Selected


class Hard(Sampler):
    """`c = v_s, s ~ p`: one key, drawn (Xu et al. 2015, section 4.1).

    No gradient goes through the choice; it is learned by REINFORCE (Williams 1992) from `log_prob`:
    `loss + (cost - baseline).detach() * log_prob`, averaged over draws, has the gradient of the expected cost.
    In eval `evaluate` says what happens: 'expected' (the mean, as soft), 'argmax', or 'sample'.
    """


class StraightThrough(Sampler):
    """`c = v_s, s ~ p`, with the gradient of the mean: backward takes the one-hot weights for the probabilities
    (Bengio et al. 2013). Biased, but needs no REINFORCE. In eval `evaluate` says what happens, as for `Hard`."""

    def chosen(self, probabilities: Tensor, choice: Tensor) -> Selected:
        selected = super().chosen(probabilities, choice)
        return selected._replace(weights=selected.weights + (probabilities - probabilities.detach()))
