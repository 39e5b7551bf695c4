"""The public names of this part, imported when used."""

from .composition import compose as compose
