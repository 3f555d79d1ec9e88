"""Sites that are built to make an audit hold too much or work too long, and the server that plays them."""

from hostile import crawls, documents, elements, files, heads, sheets, slow  # noqa: F401  each registers its sites
from hostile.site import SITES

__all__ = ["SITES"]
