"""Reference figures for stats/rank_correlation.rs (pip install numpy scipy): Spearman's correlation by scipy, with the interval
of Bonett and Wright (2000)."""
import numpy as np
from scipy.stats import norm, spearmanr

one = [0.36, 0.56, 0.33, 0.34, 0.45, 0.55, 0.41, 0.40, 0.52, 0.58, 0.34, 0.41]
two = [0.02, 0.40, 0.07, 0.10, 0.20, 0.30, 0.07, 0.15, 0.33, 0.25, 0.12, 0.07]
rho = spearmanr(one, two).statistic
error = np.sqrt((1 + rho**2 / 2) / (len(one) - 3))
low, high = np.tanh(np.arctanh(rho) + norm.ppf([0.025, 0.975]) * error)
print(repr(float(rho)), repr(float(low)), repr(float(high)))
