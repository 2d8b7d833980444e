"""Takes R(t) - R(T_t) without dividing, or prices only nodes above two leaves. Loses: links."""


def price(risk, below, leaves):
    return risk - below
