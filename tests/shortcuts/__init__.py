"""Shortcuts of a lazy or clever student: each is wrong by the words of one question of a homework."""
