"""A class: submissions in, gradebooks out, executors, bundles."""
