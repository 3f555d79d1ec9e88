"""Hostile sites, which try to make an audit use too much memory or time, and the server for them."""

from hostile import crawls, documents, elements, files, heads, sheets, slow  # noqa: F401  each registers its sites
from hostile.site import SITES

__all__ = ["SITES"]
