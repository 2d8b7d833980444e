"""The lite site: lectures, homework and mlnotes as static pages, with Python in the reader's browser."""
