"""The studio: models in the browser, and their API."""

from jumok.studio.app import create_app
from jumok.studio.limits import Limits
from jumok.studio.shelf import Shelf

__all__ = ["Limits", "Shelf", "create_app"]
