"""Reference figures for the trend of measure/log_odds.rs, by statsmodels (pip install statsmodels)."""
import numpy as np
import statsmodels.api as sm

wins, losses = np.array([30.5, 20.5, 12.5]), np.array([10.5, 20.5, 28.5])
x, y, variance = np.array([2.0, 3.0, 4.0]), np.log(wins / losses), 1 / wins + 1 / losses
found = sm.WLS(y, sm.add_constant(x), weights=1 / variance).fit()
# The errors are known, so the scale is 1.
print(repr(float(found.params[1])), repr(float(np.sqrt(found.normalized_cov_params[1, 1]))))
