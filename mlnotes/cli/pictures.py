"""The command on pictures: ``figures``."""

from __future__ import annotations

import argparse
import os

from mlnotes.cli import OK


def figures(arguments: argparse.Namespace) -> int:
    """Draw the figures of the gallery that are out of date."""
    from mlnotes.show import gallery

    formats = (arguments.format,) if arguments.format else gallery.STORED
    gallery.render(
        arguments.names,
        folder=arguments.folder,
        force=arguments.all,
        formats=formats,
        jobs=arguments.jobs or os.cpu_count() or 1,
    )
    return OK
