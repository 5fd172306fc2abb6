"""Reference figures for stats/hierarchy.rs: restricted likelihood with dense matrices (pip install numpy scipy).

Usage: mixed_pool.py make > FILE draws the data of the test; mixed_pool.py < FILE estimates. A line has a value, its error, two
covariates, and a family."""
import sys

import numpy as np
from scipy.optimize import minimize

if len(sys.argv) > 1:
    rng = np.random.default_rng(4)
    families = 0.3 * rng.standard_normal(14)
    for at in range(40):
        family, error = at % 14, 0.05 + 0.4 * rng.random()
        covariates = [float(at % 2) - 0.5, rng.standard_normal()]
        truth = -0.2 + 0.6 * covariates[0] - 0.3 * covariates[1] + families[family] + 0.2 * rng.standard_normal()
        value = truth + error * rng.standard_normal()
        print(f"{value:.4f} {error:.4f} {covariates[0]:.1f} {covariates[1]:.4f} {family}")
    sys.exit()

data = np.loadtxt(sys.stdin)
y, noise, family = data[:, 0], np.diag(data[:, 1] ** 2), data[:, 4].astype(int)
x = np.column_stack([np.ones(len(y)), data[:, 2], data[:, 3]])
z = np.eye(family.max() + 1)[family]


def parts(logs):
    between = np.exp(logs[0]) * np.eye(len(y)) + np.exp(logs[1]) * z @ z.T
    v = noise + between
    inverse = np.linalg.inv(v)
    covariances = np.linalg.inv(x.T @ inverse @ x)
    beta = covariances @ x.T @ inverse @ y
    rest = y - x @ beta
    deviance = np.linalg.slogdet(v)[1] - np.linalg.slogdet(covariances)[1] + rest @ inverse @ rest
    return deviance, beta, covariances, x @ beta + between @ inverse @ rest


found = minimize(lambda logs: parts(logs)[0], [-3.0, -3.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-11})
_, beta, covariances, values = parts(found.x)
print(np.round([*np.exp(found.x / 2), *beta, np.sqrt(covariances[1, 1]), values[0]], 6).tolist())
