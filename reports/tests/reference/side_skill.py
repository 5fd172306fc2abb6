"""Reference figures for the side skills of stats/strength: Laplace's method with dense matrices (pip install numpy scipy).

Usage: side_skill.py < FILE, a line per pairing: attackers' player, defenders' player, attackers' wins, draws, defenders' wins.
The league is that of the test. No side-choice effects, no prior of the spreads, no corrections.
"""
import sys

import numpy as np
from scipy.optimize import minimize

data = np.loadtxt(sys.stdin).astype(int)
a, d = data[:, 0], data[:, 1]
wins, draws, losses = data[:, 2].astype(float), data[:, 3].astype(float), data[:, 4].astype(float)
n = wins + draws + losses
k = max(a.max(), d.max()) + 1
rows = np.arange(len(a))
z = np.zeros((len(a), 2 * k))
z[rows, a] += 1
z[rows, d] -= 1
z[rows, k + a] += 1
z[rows, k + d] += 1


def chances(x, nu):
    w = np.stack([np.exp(x / 2), np.full_like(x, nu), np.exp(-x / 2)])
    return w / w.sum(0), np.log(w.sum(0))


def inner(theta, start):
    advantage, nu = theta[0], np.exp(theta[1])
    prior = np.concatenate([np.full(k, np.exp(-2 * theta[2])), np.full(k, np.exp(-2 * theta[3]))])
    u = start.copy()
    for _ in range(50):
        p, _ = chances(z @ u + advantage, nu)
        gradient = z.T @ (wins + draws / 2 - n * (p[0] + p[1] / 2)) - prior * u
        gap = p[0] - p[2]
        h = (z.T * (n * (p[0] + p[2] - gap**2) / 4)) @ z + np.diag(prior)
        step = np.linalg.solve(h, gradient)
        u += step
        if abs(step).max() < 1e-10:
            break
    x = z @ u + advantage
    _, log = chances(x, nu)
    value = ((wins - losses) / 2 * x).sum() + draws.sum() * theta[1] - (n * log).sum() - (prior * u * u).sum() / 2
    return value + np.log(prior).sum() / 2 - np.linalg.slogdet(h)[1] / 2, u


start = np.zeros(2 * k)
found = minimize(lambda theta: -inner(theta, start)[0], [0.0, -2.0, 0.0, -1.0], method="Nelder-Mead",
                 options={"xatol": 1e-5, "fatol": 1e-7, "maxiter": 4000})
best = found.x
hessian = np.zeros((4, 4))
h = 1e-3
for i in range(4):
    for j in range(4):
        values = []
        for si, sj in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            theta = best.copy()
            theta[i] += si * h
            theta[j] += sj * h
            values.append(-inner(theta, start)[0])
        hessian[i, j] = (values[0] - values[1] - values[2] + values[3]) / (4 * h * h)
errors = np.sqrt(np.diag(np.linalg.inv(hessian)))
print("advantage", best[0], "error", errors[0], "draw", np.exp(best[1]), "spread", np.exp(best[2]), "side skill", np.exp(best[3]))
_, u = inner(best, start)
print("strengths", u[:2])
