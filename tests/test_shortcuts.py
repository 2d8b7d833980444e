"""Structured wrong programs lose their part: at the public check, and whatever the secret."""

import importlib
import os
from pathlib import Path

import pytest

from mlnotes.grading.engine import grade_part
from mlnotes.grading.protocol.instances import Draw
from mlnotes.grading.protocol.session import InProcessSession
from mlnotes.homework import load

IDS = sorted(path.stem for path in (Path(__file__).parent / "shortcuts").glob("hw*.py"))
WRONG = {id: importlib.import_module(f"tests.shortcuts.{id}").WRONG for id in IDS}
TRIES = [(id, part, title) for id in IDS for part in WRONG[id] for title in WRONG[id][part]]
SECRETS = [b"%d" % n for n in range(int(os.environ.get("MLNOTES_SECRETS", "2")))]


@pytest.mark.parametrize(("id", "name", "title"), TRIES)
def test_a_shortcut_loses_its_part_at_every_secret(id, name, title):
    assignment = load(id)
    part, wrong = assignment.part(name), WRONG[id][name][title]
    right = vars(importlib.import_module(f"mlnotes.mistakes.homework.{id}.solution"))
    draws = [Draw(secret, assignment, "") for secret in SECRETS]
    verdicts = [
        grade_part(part, InProcessSession({**right, part.writes[0].name: wrong}), draw).verdict
        for draw in draws
    ]
    assert "OK" not in verdicts
    assert not any("GRADER" in verdict for verdict in verdicts)
