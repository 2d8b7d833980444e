"""Mistakes of the homework a second time, as somebody else would make them: other names, another algorithm.

Each was written from the sentence of the mistake alone, without a look at the first version.
"""

VERSIONS = {
    "hw01": {
        "wrong_accuracy": """
def error_probability(rule, joint):
    right = 0.0
    for atom in range(joint.shape[0]):
        right += joint[atom][rule[atom]]
    return right
""",
        "wrong_best_constant": """
def least_error(joint):
    errors = []
    for k in range(joint.shape[1]):
        errors.append(np.delete(joint, k, axis=1).sum())
    return min(errors)
""",
        "wrong_fails_instead": """
import math
def pass_probability(X, limit, rate):
    answers = []
    for sleep, beers in X:
        room = limit - sleep - beers
        answers.append(math.exp(-rate * room) if room > 0 else 1.0)
    return answers
""",
    },
    "hw02": {
        "wrong_not_twice": """
def centres(means, covariance, prior):
    d = len(covariance)
    A = np.zeros((d + 1, d))
    A[:d] = np.linalg.solve(np.linalg.cholesky(covariance), np.eye(d))
    C = np.array([A @ m for m in means])
    for k in range(len(prior)):
        C[k, d] = (np.log(max(prior)) - np.log(prior[k])) ** 0.5
    return A, C
""",
        "wrong_divides_by_all": """
def merge(n0, m0, S0, n1, m1, S1):
    means = np.zeros(m0.shape)
    total = sum(n0) * S0 + sum(n1) * S1
    for k in range(len(n0)):
        means[k] = (n0[k] * m0[k] + n1[k] * m1[k]) / (n0[k] + n1[k])
        total = total + n0[k] * np.outer(m0[k] - means[k], m0[k] - means[k])
        total = total + n1[k] * np.outer(m1[k] - means[k], m1[k] - means[k])
    return means, total / (sum(n0) + sum(n1))
""",
        "wrong_divides_by_n": """
def within(points, labels):
    d, n = points.shape
    S = np.zeros((d, d))
    for k in set(labels.tolist()):
        group = [points[:, i] for i in range(n) if labels[i] == k]
        mean = sum(group) / len(group)
        for x in group:
            S += np.outer(x - mean, x - mean)
    return S / n
""",
    },
    "hw03": {
        "wrong_ascends": """
def descend(slope, start, step, n_steps):
    path = np.zeros((len(start), n_steps + 1))
    path[:, 0] = start
    for t in range(n_steps):
        path[:, t + 1] = path[:, t] + step * np.asarray(slope(path[:, t]))
    return path
""",
        "wrong_one_short": """
def descend(slope, start, step, n_steps):
    w, kept = np.array(start, dtype=float), []
    for _ in range(n_steps):
        kept.append(w)
        w = w - step * np.asarray(slope(w))
    kept.append(kept[-1])
    return np.array(kept).T
""",
        "wrong_mean": """
def slope(beta, points, labels):
    total = np.zeros(beta.shape)
    for x, y in zip(points, labels):
        z = np.append(0.0, beta @ x)
        e = np.exp(z - z.max())
        p = e / e.sum()
        for k in range(1, len(p)):
            total[k - 1] += (p[k] - (y == k)) * x
    return total / len(points)
""",
    },
    "hw04": {
        "wrong_last_weights": """
def average(points, labels, passes):
    w = np.zeros(len(points))
    for _ in range(passes):
        for x, y in zip(points.T, labels):
            if y * (x @ w) <= 0:
                w += y * x
    return w
""",
        "wrong_before_the_update": """
def average(points, labels, passes):
    w, kept = np.zeros(len(points)), []
    for _ in range(passes):
        for x, y in zip(points.T, labels):
            kept.append(w)
            if y * (x @ w) <= 0:
                w = w + y * x
    return np.mean(kept, axis=0)
""",
        "wrong_once_is_enough": """
def counts(gram, labels):
    n = len(labels)
    count = [0] * n
    while True:
        clean = True
        for i in range(n):
            if labels[i] * sum(count[j] * labels[j] * gram[i, j] for j in range(n)) <= 0:
                count[i] += 1
                clean = False
        if clean:
            return [1 if c else 0 for c in count]
""",
    },
    "hw05": {
        "wrong_rescales_the_largest": """
def thin(X, labels, alpha):
    few = 0 * alpha
    for sign in (False, True):
        own = [i for i in range(len(alpha)) if bool(labels[i]) == sign]
        few[max(own, key=lambda i: alpha[i])] = sum(alpha[i] for i in own)
    return few
""",
        "wrong_both_signs": """
def program(X, labels, C):
    y = np.where(labels == 1, 1.0, -1.0)
    Z = y[:, None] * X
    n = len(y)
    G = np.concatenate([-np.eye(n), np.eye(n)])
    h = np.concatenate([np.zeros(n), C * np.ones(n)])
    return -(Z @ Z.T), np.ones(n), G, h, y[None, :], np.zeros(1)
""",
        "wrong_ends_swapped": """
def offsets(alpha, labels, K, C):
    y = 2 * labels - 1
    low, high = -np.inf, np.inf
    for i in range(len(y)):
        r = y[i] - sum(K[i, j] * alpha[j] * y[j] for j in range(len(y)))
        if (alpha[i] < C and y[i] > 0) or (alpha[i] > 0 and y[i] < 0):
            low = max(low, r)
        if (alpha[i] < C and y[i] < 0) or (alpha[i] > 0 and y[i] > 0):
            high = min(high, r)
    return high, low
""",
    },
    "hw06": {
        "wrong_no_width": """
def estimate(points, weights, places, bandwidth):
    out = []
    for x in places:
        u = (x - points) / bandwidth
        k = np.where(np.abs(u) < 1, 15 / 16 * (1 - u**2) ** 2, 0)
        out.append((weights * k).sum() / weights.sum())
    return out
""",
        "wrong_histogram_rate": """
import math
def cosine(radius, curvature, n_points):
    c = radius
    R = math.pi**2 / (16 * c)
    mu = c * c * (1 - 8 / math.pi**2)
    return R, mu, (R / (mu * mu * curvature * n_points)) ** (1 / 3)
""",
        "wrong_variance_not_squared": """
import math
def cosine(radius, curvature, n_points):
    c = radius
    R = math.pi**2 / (16 * c)
    mu = c * c * (1 - 8 / math.pi**2)
    return R, mu, (R / (mu * curvature * n_points)) ** 0.2
""",
    },
    "hw07": {
        "wrong_children_without_weights": """
def luck(counts, left):
    n = sum(counts)
    different = (n * n - sum(int(c) ** 2 for c in counts)) / (n * (n - 1))
    fall = 0
    for m in (left, n - left):
        fall += (1 - 1 / n) * different - (1 - 1 / m) * different
    return fall
""",
        "wrong_draws_with_replacement": """
def luck(counts, left):
    n = sum(counts)
    before = 1 - sum((c / n) ** 2 for c in counts)
    after = left / n * before * (1 - 1 / left) + (n - left) / n * before * (1 - 1 / (n - left))
    return before - after
""",
        "wrong_one_polarity": """
def boost(X, y, rounds):
    n, d = X.shape
    w = np.full(n, 1 / n)
    F, T, S, V = [], [], [], []
    for _ in range(rounds):
        best = (np.inf, 0, 0.0)
        for j in range(d):
            v = np.unique(X[:, j])
            for t in (v[1:] + v[:-1]) / 2:
                e = w[np.where(X[:, j] > t, 1, -1) != y].sum()
                if e < best[0] - 1e-12:
                    best = (e, j, t)
        e, j, t = best
        alpha = np.log((1 - e) / e)
        w = w * np.exp(alpha * (np.where(X[:, j] > t, 1, -1) != y))
        w = w / w.sum()
        F.append(j); T.append(t); S.append(1); V.append(alpha)
    return F, T, S, V
""",
    },
    "hw08": {
        "wrong_rows_for_columns": """
def moments(table):
    n = len(table)
    mean = sum(table) / n
    return mean, sum(np.outer(x - mean, x - mean) for x in table) / (n - 1)
""",
        "wrong_from_the_small_end": """
def how_many(variances, share):
    total, k = 0.0, 0
    for v in variances:
        if total >= share * sum(variances) * (1 - 1e-12):
            break
        total += v
        k += 1
    return k
""",
        "wrong_unit_columns": """
def coordinates(products, k):
    n = len(products)
    H = np.eye(n) - np.ones((n, n)) / n
    U, s, _ = np.linalg.svd(H @ products @ H)
    return U[:, :k]
""",
    },
}
