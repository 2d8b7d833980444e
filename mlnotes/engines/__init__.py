"""Why the estimators are fast: solvers, sums and searches; the topic is in the name of the file."""
