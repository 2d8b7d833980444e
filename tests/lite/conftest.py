"""One Chromium, whose profile is empty at first, and one site for all tests of a process."""

import os
from pathlib import Path

import pytest

from tests.lite.tab import Tab, served

# a browser, a built site and minutes of work: `make test-lite` asks for them, and `.ci/run` for a part
collect_ignore = [] if os.environ.get("MLNOTES_LITE") else ["test_join.py", "test_lite.py"]


BUILD = Path(__file__).resolve().parents[2] / "build"
SITE = BUILD / "lite"


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The joined site, or the lite one alone, to which tests add pages; one address keeps Python for all."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "lite").symlink_to(SITE)
    for part in (BUILD / "site").glob("*"):
        if part.name != "lite":
            (folder / part.name).symlink_to(part)
    return folder


@pytest.fixture(scope="session")
def address(folder):
    with served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def isolated_address(folder):
    """The same site, whose pages may share memory with their workers."""
    with served(folder, isolated=True) as address:
        yield address


@pytest.fixture(scope="session")
def chromium():
    with Tab() as chromium:
        yield chromium


@pytest.fixture
def tab(chromium, address, isolated_address):
    """A new page, for which Python is unpacked and compiled already unless the test is the first."""
    chromium.new_page()
    for site in (address, isolated_address):
        chromium.forget(site)
    yield chromium
    assert chromium.strangers() == []
