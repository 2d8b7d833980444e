"""The page of exhibits."""

from __future__ import annotations


def exhibits_page() -> str:
    return "# Exhibits\n"
