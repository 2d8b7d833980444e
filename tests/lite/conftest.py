"""A Chromium with an empty profile."""

import os

import pytest

from tests.lite.tab import Tab

# a browser, a built site and minutes of work: `make test-lite` asks for them, and `.ci/run` for a part
collect_ignore = [] if os.environ.get("MLNOTES_LITE") else ["test_join.py", "test_lite.py"]


@pytest.fixture
def tab():
    with Tab() as tab:
        tab.resize(1280, 900)
        yield tab
        assert tab.strangers() == []
