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
        "wrong_decimal_log": """
import math
def threshold(prior, cost_fp, cost_fn):
    odds = math.log10(1 - prior) - math.log10(prior)
    return odds + math.log10(cost_fp) - math.log10(cost_fn)
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
        "wrong_ignores_cost": """
def choose(posterior, cost):
    return [int(np.argsort(-row, kind="stable")[0]) for row in posterior]
""",
        "wrong_unbiased": """
class PlugIn:
    def fit(self, X, y):
        self.classes = np.unique(y)
        self.prior = np.bincount(y) / len(y)
        means, covariances = [], []
        for k in self.classes:
            rows = X[y == k]
            centred = rows - rows.mean(0)
            means.append(rows.mean(0))
            covariances.append(centred.T @ centred / (len(rows) - 1))
        self.means, self.covariances = np.array(means), np.array(covariances)
        return self

    def logs(self, X):
        logs = np.zeros((len(X), len(self.classes)))
        for k in range(len(self.classes)):
            d = X - self.means[k]
            Q = np.linalg.inv(self.covariances[k])
            logs[:, k] = np.log(self.prior[k]) - 0.5 * np.linalg.slogdet(self.covariances[k])[1]
            logs[:, k] -= 0.5 * np.einsum("ij,jk,ik->i", d, Q, d)
        return logs

    def posterior(self, X):
        logs = self.logs(X)
        logs -= np.logaddexp.reduce(logs, axis=1)[:, None]
        return np.exp(logs)

    def predict(self, X):
        return np.argmax(self.logs(X), axis=1)
""",
        "wrong_swapped_costs": """
import math
def threshold(p, a, b):
    return math.log((1 - p) / p) + math.log(b) - math.log(a)
""",
    },
    "hw02": {
        "wrong_centres_without_priors": """
def centres(means, covariance, prior):
    values, vectors = np.linalg.eigh(covariance)
    A = (vectors / np.sqrt(values)).T
    return A, means @ A.T
""",
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
        "wrong_averages": """
def merge(n0, m0, S0, n1, m1, S1):
    means = np.zeros(m0.shape)
    for k in range(len(n0)):
        means[k] = (n0[k] * m0[k] + n1[k] * m1[k]) / (n0[k] + n1[k])
    rows = sum(n0) + sum(n1)
    return means, (sum(n0) * S0 + sum(n1) * S1) / (rows - len(n0))
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
        "wrong_no_prior": """
def line(mean0, mean1, covariance, prior):
    P = np.linalg.inv(covariance)
    w = P @ (mean1 - mean0)
    return w, 0.5 * (mean0 @ P @ mean0 - mean1 @ P @ mean1)
""",
        "wrong_swapped": """
def line(mean0, mean1, covariance, prior):
    w = np.linalg.solve(covariance, mean0 - mean1)
    b = -w @ (mean0 + mean1) / 2 + np.log(1 - prior) - np.log(prior)
    return w, b
""",
        "wrong_no_determinant": """
def quadric(mean0, covariance0, mean1, covariance1, prior):
    P0, P1 = np.linalg.inv(covariance0), np.linalg.inv(covariance1)
    A = -0.5 * P1 + 0.5 * P0
    b = P1 @ mean1 - P0 @ mean0
    c = -0.5 * mean1 @ P1 @ mean1 + 0.5 * mean0 @ P0 @ mean0 + np.log(prior / (1 - prior))
    return (A + A.T) / 2, b, c
""",
        "wrong_negative_root": """
import math
def switch(scale):
    v = scale * scale
    return -math.sqrt(2 * math.log(scale) * v / (v - 1))
""",
    },
    "hw03": {
        "wrong_rows": """
def shares(scores):
    largest = scores.max(axis=1)[:, None]
    e = np.exp(scores - largest)
    return e / e.sum(axis=1)[:, None]
""",
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
        "wrong_half": """
def limit(points, strength):
    top = np.linalg.svd(points, compute_uv=False)[0] ** 2
    return 1 / (top / 4 + strength)
""",
        "wrong_no_penalty": """
def limit(points, strength):
    return 8 / np.linalg.norm(points, 2) ** 2
""",
        "wrong_no_batch": """
def spread(variance, start, step, batch_size, t):
    for _ in range(t):
        start = (1 - step) ** 2 * start + step**2 * variance
    return start
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
        "wrong_no_indicator": """
def slope(beta, points, labels):
    z = points @ beta.T
    top = np.maximum(0, z.max(axis=1, keepdims=True))
    e = np.exp(z - top)
    p = e / (np.exp(-top) + e.sum(axis=1, keepdims=True))
    return p.T @ points
""",
    },
    "hw04": {
        "wrong_appends_one": """
def lift(radius, size, offset, least):
    longest, separator = radius * radius + 1, size * size + offset * offset
    return 1, longest * separator / (least * least)
""",
        "wrong_length_not_squared": """
def lift(radius, size, offset, least):
    c = abs(offset * radius / size) ** 0.5
    return c, ((radius**2 + c**2) * (size**2 + (offset / c) ** 2)) ** 0.5 / least
""",
        "wrong_forgets_the_level": """
def cautious(radius, margin, level):
    return (radius / margin) ** 2
""",
        "wrong_level_once": """
def cautious(radius, margin, level):
    return (radius * radius + level) / margin / margin
""",
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
        "wrong_strict": """
def train(points, labels):
    y = np.where(labels > 0, 1, -1)
    w, updates = [0.0] * (points.shape[1] + 1), []
    changed = True
    while changed:
        changed = False
        for i, x in enumerate(points):
            if y[i] * (w[0] + np.dot(w[1:], x)) < 0:
                w = np.add(w, y[i] * np.append(1.0, x))
                updates.append(i)
                changed = True
    return updates, w
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
        "wrong_equal_weights": """
def witness(rows):
    n = rows.shape[0]
    return [1 / n for _ in range(n)]
""",
    },
    "hw05": {
        "wrong_keeps_the_largest": """
def thin(X, labels, alpha):
    few, room = np.zeros(len(alpha)), X.shape[1] + 1
    for i in sorted(range(len(alpha)), key=lambda i: -alpha[i])[:room]:
        few[i] = alpha[i]
    return few
""",
        "wrong_rescales_the_largest": """
def thin(X, labels, alpha):
    few = 0 * alpha
    for sign in (False, True):
        own = [i for i in range(len(alpha)) if bool(labels[i]) == sign]
        few[max(own, key=lambda i: alpha[i])] = sum(alpha[i] for i in own)
    return few
""",
        "wrong_unit_normal": """
def plane(p, q):
    w = (p - q) / np.sqrt(((p - q) ** 2).sum())
    return w, -(w @ (p + q)) / 2
""",
        "wrong_half_norm": """
def plane(p, q):
    d = p - q
    s = d @ d
    return d / s, -(p @ p - q @ q) / (2 * s)
""",
        "wrong_swapped_sides": """
def plane(p, q):
    d = q - p
    return 2 * d / (d @ d), (p @ p - q @ q) / (d @ d)
""",
        "wrong_hinge_dual": """
def squared(X, labels, C, alpha):
    v = sum(a * (1 if t else -1) * x for a, t, x in zip(alpha, labels, X))
    return sum(alpha) - 0.5 * v @ v
""",
        "wrong_times_price": """
def squared(X, labels, C, alpha):
    y = 2 * labels - 1
    w = (alpha * y) @ X
    return alpha.sum() - w @ w / 2 - C / 2 * (alpha**2).sum()
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
        "wrong_no_n": """
def triangle(a, n_bins, n_points):
    m = n_bins
    return a * a / (3 * m * m), m - 1 - a * a / 3 * (1 - 1 / m**2)
""",
        "wrong_no_width": """
def estimate(points, weights, places, bandwidth):
    out = []
    for x in places:
        u = (x - points) / bandwidth
        k = np.where(np.abs(u) < 1, 15 / 16 * (1 - u**2) ** 2, 0)
        out.append((weights * k).sum() / weights.sum())
    return out
""",
        "wrong_ignores_weights": """
def estimate(points, weights, places, bandwidth):
    u = np.subtract.outer(places, points) / bandwidth
    return (15 / 16 * np.clip(1 - u * u, 0, None) ** 2).mean(axis=1) / bandwidth
""",
        "wrong_weights_do_not_sum_to_one": """
def estimate(points, weights, places, bandwidth):
    u = np.subtract.outer(places, points) / bandwidth
    k = 15 / 16 * np.clip(1 - u * u, 0, None) ** 2
    return k @ weights / (bandwidth * len(points))
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
        "wrong_priors_forgotten": """
class Sorter:
    def __init__(self, bandwidth):
        self.h = bandwidth

    def fit(self, X, y):
        self.X, self.y = X, y

    def logs(self, X):
        out = np.zeros((len(X), self.y.max() + 1))
        for k in range(self.y.max() + 1):
            own = self.X[self.y == k]
            e = np.array([[-((x - z) ** 2).sum() / 2 / self.h**2 for z in own] for x in X])
            top = e.max(axis=1)
            out[:, k] = top + np.log(np.exp(e - top[:, None]).mean(axis=1))
        return out

    def posterior(self, X):
        logs = self.logs(X)
        w = np.exp(logs - logs.max(axis=1, keepdims=True))
        return w / w.sum(axis=1, keepdims=True)

    def decide(self, X):
        return self.logs(X).argmax(axis=1)
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
        "wrong_left_child_only": """
def luck(counts, left):
    n = sum(counts)
    before = 1 - sum((c / n) ** 2 for c in counts)
    inside = before * n / (n - 1) * (1 - 1 / left)
    return left / n * (before - inside)
""",
        "wrong_turned_vote": """
import math
def vote(err):
    return 0.5 * (math.log(err) - math.log(1 - err))
""",
        "wrong_whole_vote": """
import math
def vote(err):
    return math.log1p(-err) - math.log(err)
""",
        "wrong_first_feature": """
def cut(table, labels):
    best, found = np.inf, None
    x = table[0]
    for t in sorted(set(x.tolist()))[:-1]:
        score = 0
        for side in (labels[x <= t], labels[x > t]):
            score += len(side) - sum((side == k).sum() ** 2 for k in set(labels.tolist())) / len(side)
        if score < best - 1e-12:
            best, found = score, t
    larger = x[x > found].min()
    return 0, (found + larger) / 2
""",
        "wrong_leaves_before": """
def links(risk, left, right):
    left, right = list(left), list(right)
    def leaves(t):
        return [t] if left[t] < 0 else leaves(left[t]) + leaves(right[t])
    prices, numbers = [], []
    while left[0] >= 0:
        numbers.append(len(leaves(0)))
        def inner(t):
            return [] if left[t] < 0 else [t] + inner(left[t]) + inner(right[t])
        def price(t):
            return (risk[t] - sum(risk[s] for s in leaves(t))) / (len(leaves(t)) - 1)
        weakest = min(inner(0), key=price)
        prices.append(price(weakest))
        left[weakest] = right[weakest] = -1
    return prices, numbers
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
        "wrong_divides_by_n": """
def moments(table):
    return np.mean(table, axis=1), np.cov(table, ddof=0)
""",
        "wrong_rows_for_columns": """
def moments(table):
    n = len(table)
    mean = sum(table) / n
    return mean, sum(np.outer(x - mean, x - mean) for x in table) / (n - 1)
""",
        "wrong_average_loss": """
def least(covariance, n, k):
    values = np.sort(np.linalg.eigvalsh(covariance))
    return values[: len(values) - k].sum()
""",
        "wrong_kept_for_lost": """
def least(covariance, n, k):
    values = sorted(np.linalg.eigvalsh(covariance), reverse=True)
    return (n - 1) * sum(values[:k])
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
        "wrong_raw_products": """
def coordinates(products, k):
    U, s, _ = np.linalg.svd(products)
    return U[:, :k] * np.sqrt(s[:k])
""",
        "wrong_unit_columns": """
def coordinates(products, k):
    n = len(products)
    H = np.eye(n) - np.ones((n, n)) / n
    U, s, _ = np.linalg.svd(H @ products @ H)
    return U[:, :k]
""",
        "wrong_not_centred": """
def directions(X, k):
    values, vectors = np.linalg.eigh(X.T @ X)
    return vectors[:, np.argsort(-values)[:k]]
""",
        "wrong_no_mean_back": """
class Reduction:
    def __init__(self, k):
        self.k = k

    def learn(self, X):
        self.m = X.mean(axis=0)
        values, vectors = np.linalg.eigh(np.cov(X.T))
        self.V = vectors[:, ::-1][:, : self.k]

    def encode(self, X):
        return (X - self.m) @ self.V

    def decode(self, Z):
        return Z @ self.V.T
""",
    },
}
