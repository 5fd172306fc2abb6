"""Reference figures for stats/ratio.rs, by numpy: the variance from covariances, and a jackknife as a check."""
import numpy as np

above, below = np.array([1, 0, 3, 2, 1, 4.0]), np.array([10, 14, 22, 9, 31, 18.0])
n, ratio = len(above), above.sum() / below.sum()
cov = np.cov(above, below)
variance = (cov[0, 0] + ratio**2 * cov[1, 1] - 2 * ratio * cov[0, 1]) / n / below.mean() ** 2
left_out = np.array([np.delete(above, i).sum() / np.delete(below, i).sum() for i in range(n)])
jackknife = (n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()
assert abs(variance / jackknife - 1) < 0.5, (variance, jackknife)
print(repr(float(ratio)), repr(float(np.sqrt(variance))), repr(float(variance / (ratio * (1 - ratio) / below.sum()))))
