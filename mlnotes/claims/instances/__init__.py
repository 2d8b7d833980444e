"""Instances that the claims of several topics draw, with their exact truth."""
