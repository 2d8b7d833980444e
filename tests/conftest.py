"""What every test gets: figures without a screen, and the ``needs`` mark."""

import os
import shutil
import subprocess

import pytest

os.environ["MPLBACKEND"] = "Agg"

# The kernel may refuse an installed tool: these are asked for the least they can do.
PROBES = {"bwrap": ["bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"]}


def works(tool: str) -> bool:
    if shutil.which(tool) is None:
        return False
    return tool not in PROBES or subprocess.run(PROBES[tool], capture_output=True).returncode == 0


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        (tool,) = mark.args
        if works(tool):
            continue
        if os.environ.get("MLNOTES_CI") == "1":
            pytest.fail(f"MLNOTES_CI=1, and {tool} does not work here", pytrace=False)
        pytest.skip(f"{tool} does not work here")
