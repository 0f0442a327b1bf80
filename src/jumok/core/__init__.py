"""What every room needs: errors of one line, the nearest known name, registries."""

from jumok.core.names import nearest, unknown
from jumok.core.registry import Registry, keyword_settings

__all__ = ["Registry", "keyword_settings", "nearest", "unknown"]
