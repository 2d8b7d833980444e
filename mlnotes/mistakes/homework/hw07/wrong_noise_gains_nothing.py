"""Takes the children for as mixed as the node: no decrease. Loses: luck."""


def luck(counts, left):
    return 0.0
