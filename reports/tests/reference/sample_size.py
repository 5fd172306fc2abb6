"""Reference figures for stats/sample_size.rs (pip install numpy scipy): information by adaptive quadrature, power by the normal
distribution of the estimate, and the smallest number of games by search; unequal activity by matrices."""
import math

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

DRAW, SPREAD, SIDE_SKILL, POWER = 0.06, 1.8, 0.14, 0.8


def chances(x):
    weights = [math.exp(x / 2), DRAW, math.exp(-x / 2)]
    return [weight / sum(weights) for weight in weights]


def variance(x):
    win, even, loss = chances(x)
    mean = win + even / 2
    return win * (1 - mean) ** 2 + even * (0.5 - mean) ** 2 + loss * mean**2


deviation = math.sqrt(2 * (SPREAD**2 + SIDE_SKILL**2))
information = quad(lambda z: norm.pdf(z) * variance(z * deviation), -6, 6)[0] / quad(norm.pdf, -6, 6)[0]


def detects(error):
    # The probability of a significant result on the right side.
    return norm.sf(norm.ppf(0.975) - 0.05 / error)


def equivalent(error):
    # Both ends of the interval within 5 points, with a true distance of 2 points.
    reach = norm.ppf(0.975) * error
    return norm.cdf(0.05 - reach, 0.02, error) - norm.cdf(-0.05 + reach, 0.02, error)


def needed(players, power):
    error = brentq(lambda error: power(error) - POWER, 1e-4, 0.03)
    rest = (error / variance(0)) ** 2 - 4 * SIDE_SKILL**2 / players
    return math.ceil(1 / (rest * information)) if rest > 0 else None


for players in (12, 40, 200):
    print(players, needed(players, detects), needed(players, equivalent))
error = brentq(lambda error: detects(error) - POWER, 1e-4, 0.03)
print("fewest players", math.floor(4 * SIDE_SKILL**2 / (error / variance(0)) ** 2) + 1)


# Unequal activity: generalized least squares with known strengths, by matrices. `games` of each player; pairs meet in proportion.
GAMES = [100, 60, 40, 20, 10, 5, 5, 3, 2, 1, 1, 1]


def unequal(copies, total):
    games = np.repeat(np.array(GAMES, float), copies)
    games *= 2 * total / games.sum()
    weights = games * information
    precision = np.diag(weights + 1 / SIDE_SKILL**2) + np.outer(weights, weights) / weights.sum()
    return 1 / (total * information - weights @ np.linalg.solve(precision, weights))


def fewest_games(copies):
    wanted = (error / variance(0)) ** 2
    return math.ceil(brentq(lambda total: unequal(copies, total) - wanted, 10, 1e7))


print("unequal activity", [(12 * copies, fewest_games(copies)) for copies in (2, 5, 20)])
