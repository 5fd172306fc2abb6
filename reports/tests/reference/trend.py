"""Reference figures for the trend of measure/adjusted.rs, by statsmodels (pip install statsmodels)."""
import numpy as np
import statsmodels.api as sm

strength, elo, error = np.array([-2.0, 0.5, 3.3]), np.array([-120.0, -124.0, -44.0]), np.array([20.0, 21.0, 25.0])
found = sm.WLS(elo, sm.add_constant(strength), weights=1 / error**2).fit()
# The errors are known, so the scale is 1.
print(repr(float(found.params[1])), repr(float(np.sqrt(found.normalized_cov_params[1, 1]))))
