"""What the built package says of the project's addresses, from one table of pyproject.toml.

A package index shows the README without the repository around it: pictures and links become absolute. As long
as the table holds no address, none is written.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    """Fill in ``urls`` and ``readme`` from ``[tool.hatch.metadata.hooks.custom]``."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Write the addresses into the project's metadata."""
        text = Path(self.root, "README.md").read_text("utf-8")
        repository, site = self.config["repository"], self.config["site"]
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, repository)}
        metadata["urls"] = urls(repository, site)


def urls(repository: str, site: str) -> dict[str, str]:
    """Return the addresses under the names that package indexes know; an unknown one is left out."""
    known = {"Documentation": site}
    if repository:
        known |= {
            "Repository": repository,
            "Issues": f"{repository}/issues",
            "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        }
    return {name: address for name, address in known.items() if address}


def absolute(text: str, repository: str) -> str:
    """Return Markdown whose links to files of the repository work outside of it."""
    if not repository:
        return text
    picture, link = r"(!\[[^]]*\]\()(?![a-z]+:|#)", r"((?<!!)\[[^]]*\]\()(?![a-z]+:|#)"
    text = re.sub(picture, rf"\g<1>{repository}/raw/main/", text)
    return re.sub(link, rf"\g<1>{repository}/blob/main/", text)
