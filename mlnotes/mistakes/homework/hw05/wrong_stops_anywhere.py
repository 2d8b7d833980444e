"""Stops after two hundred pairs, whatever the gap is then. Loses: Machine."""

import numpy as np


class Machine(Machine):  # noqa: F821
    def fit(self, X, labels):
        y, beta = 2.0 * labels - 1, np.zeros(len(X))
        K, g, lo, hi = X @ X.T, -y, np.minimum(0, self.C * y), np.maximum(0, self.C * y)
        for _ in range(200):
            i, j = np.argmin(np.where(beta < hi, g, np.inf)), np.argmax(np.where(beta > lo, g, -np.inf))
            if g[j] - g[i] < 1e-9:
                break
            curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
            step = min((g[j] - g[i]) / curvature, hi[i] - beta[i], beta[j] - lo[j])
            beta[i], beta[j] = beta[i] + step, beta[j] - step
            g = g + step * (K[i] - K[j])
        self.w, self.b = beta @ X, self.middle(g, beta, lo, hi)
