"""``python -m mlnotes.cli``: the command ``mlnotes``."""

import sys

from mlnotes.cli import main

if __name__ == "__main__":
    sys.exit(main())
