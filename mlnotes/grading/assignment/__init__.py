"""Declaring assignments: parts, stubs, handouts, master notebooks, audits."""
