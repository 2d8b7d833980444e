"""Takes the columns of the smallest eigenvalues, which np.linalg.eigh puts first. Loses: coordinates."""


def coordinates(products, k, _right=coordinates):  # noqa: F821
    return _right(products, len(products))[:, ::-1][:, :k]
