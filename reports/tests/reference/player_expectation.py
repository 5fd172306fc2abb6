"""Reference figures for measure/player/results.rs: mean and variance of the score, by enumeration of the results."""
import numpy as np

for x, draw in [(0.0, 0.0), (0.7, 0.0), (-1.3, 0.4), (2.0, 1.5)]:
    weights = np.array([np.exp(x / 2), draw, np.exp(-x / 2)])
    chances, points = weights / weights.sum(), np.array([1.0, 0.5, 0.0])
    mean = (chances * points).sum()
    print(x, draw, repr(float(mean)), repr(float((chances * (points - mean) ** 2).sum())))
