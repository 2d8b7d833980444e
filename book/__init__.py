"""The book: the course as one static site, generated from the executed lectures, the claims and the code."""
