"""What several agreement tests share: engines that meet their edges on a handful of observations."""

import pytest

from mlnotes.engines import density_sums

BLOCKS = ("_BLOCK", "_SHORT_BLOCK", "_MIN_PAIRS", "_MIN_WINDOW", "_MIN_SAMPLE", "_TILE")


@pytest.fixture(scope="module")
def short_sums():
    """Every way through the sums of kernels, on a handful of points."""
    with pytest.MonkeyPatch.context() as patch:
        for name in BLOCKS:
            patch.setattr(density_sums, name, 3)
        patch.setattr(density_sums, "_SPAN", 20)
        yield
