"""``python -m mlnotes`` is the command ``mlnotes``, wherever the folder of scripts is not on the path."""

from mlnotes.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
