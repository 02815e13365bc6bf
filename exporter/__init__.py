"""exporter turns one validated issue of a periodical into print, e-mail and text editions."""

__version__ = "0.1.0"
