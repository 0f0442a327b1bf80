"""Several views of every picture, each computed once: augmentation with a cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jumok.data import mixing
from jumok.data.pictures.features import FeatureMaps

if TYPE_CHECKING:
    from torch import Tensor


class CachedViews:
    """The feature maps of each view of a corpus, the pictures as they are first; an epoch has one view of a picture."""

    def __init__(self, maps: Sequence[FeatureMaps], seed: int) -> None:
        self.maps, self.seed = maps, seed

    def take(self, numbers: npt.NDArray[np.int64], epoch: int | None = None) -> Tensor:
        """The maps of these pictures in an epoch; without one, for evaluation, those of the pictures as they are."""
        import torch

        if epoch is None:
            return self.maps[0].take(numbers)
        first = mixing.numbers_at(mixing.key(self.seed, 5), numbers) >> np.uint64(32)
        views = (first.astype(np.int64) + epoch) % len(self.maps)
        found = np.empty((len(numbers), *self.maps[0].shape[1:]), self.maps[0].dtype)
        for view in np.unique(views):
            here = views == view
            found[here] = self.maps[view][numbers[here]]
        return torch.from_numpy(found)
