"""A Chromium with an empty profile; one at a time, also where tests run in several processes."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.lite.tab import Tab

ROOT = Path(__file__).resolve().parents[2]
# a browser, a built site and minutes of work: `make test-lite` asks for them
collect_ignore = [] if os.environ.get("MLNOTES_LITE") else ["test_join.py", "test_lite.py"]


@pytest.fixture
def tab():
    with (ROOT / "build/lite.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with Tab() as tab:
            tab.resize(1280, 900)
            yield tab
            assert tab.strangers() == []
