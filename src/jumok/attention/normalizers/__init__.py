"""How do scores become probabilities? One file an idea; the base does mask and temperature."""

from jumok.attention.normalizers.base import Normalizer
from jumok.attention.normalizers.entmax15 import Entmax15, entmax15
from jumok.attention.normalizers.softmax import Softmax
from jumok.attention.normalizers.sparsemax import Sparsemax, sparsemax
from jumok.attention.normalizers.sum import Sum

__all__ = ["Entmax15", "Normalizer", "Softmax", "Sparsemax", "Sum", "entmax15", "sparsemax"]
