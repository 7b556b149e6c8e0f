"""Which version this is; a module of its own, so that nothing below the public face imports that face."""

__version__ = "0.1.0"
