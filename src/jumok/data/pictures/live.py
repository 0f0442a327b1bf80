"""Pictures that are decoded whenever they are asked for, as each epoch sees another view of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from jumok.data.pictures.augmenting import Augmentation
from jumok.data.pictures.corpus import PictureCorpus
from jumok.data.pictures.threads import decoding_threads

if TYPE_CHECKING:
    from PIL.Image import Image
    from torch import Tensor


class LivePictures:
    """The prepared pictures of a corpus, `(n, 3, H, W)`; `prepare` is the encoder's.

    `take(numbers, epoch)` gives the views of that epoch; without an epoch, for evaluation, the pictures as they are.
    """

    def __init__(
        self,
        corpus: PictureCorpus,
        prepare: Callable[[Image], Tensor],
        augmentation: Augmentation | None = None,
        seed: int = 0,
    ) -> None:
        self.corpus, self.seed = corpus, seed
        self._prepare, self._augmentation = prepare, augmentation or Augmentation()

    def __len__(self) -> int:
        return len(self.corpus)

    def take(self, numbers: npt.NDArray[np.int64], epoch: int | None = None) -> Tensor:
        """These pictures, decoded by threads."""
        import torch

        def prepared(number: int) -> Tensor:
            image = self.corpus[number].picture.load()
            if epoch is not None and self._augmentation.changes:
                image = self._augmentation.apply(image, self.seed, epoch, number)
            return self._prepare(image)

        with ThreadPoolExecutor(decoding_threads()) as threads:
            return torch.stack(list(threads.map(prepared, numbers.tolist())))
