"""Takes the first eigenvectors of np.linalg.eigh, which belong to the smallest eigenvalues. Loses:
coordinates."""


def coordinates(products, k, _right=coordinates):  # noqa: F821
    return _right(products, len(products))[:, ::-1][:, :k]
