"""Reference figures for stats/mantel_haenszel.rs, by statsmodels (pip install statsmodels)."""
import numpy as np
from statsmodels.stats.contingency_tables import StratifiedTable

tables = [[[5, 3], [2, 6]], [[10, 4], [7, 7]], [[1, 2], [0, 3]], [[4, 0], [3, 2]], [[8, 9], [3, 12]]]
found = StratifiedTable([np.array(table, dtype=float) for table in tables])
print(repr(float(found.logodds_pooled)), repr(float(found.logodds_pooled_se)), int(np.sum(tables)))

# The dyadic-robust error if strata share players, from all pairs of strata (scipy for Student's distribution).
from scipy.stats import norm, t

pairs = [(at, (at + 1) % 20) for at in range(20)]
tables = [tables[at // 2 % 5] for at in range(20)]
n = [np.sum(table) for table in tables]
ad = np.array([table[0][0] * table[1][1] for table in tables]) / n
bc = np.array([table[0][1] * table[1][0] for table in tables]) / n
influence = ad / ad.sum() - bc / bc.sum()
weight = (ad / ad.sum() + bc / bc.sum()) / 2
share = np.array([[bool(set(one) & set(two)) for two in pairs] for one in pairs])
h = weight @ share @ weight
freedom = max(1 / h - 1, 3)
variance = influence @ share @ influence
print(freedom, repr(float(np.sqrt(variance * (1 + freedom) / freedom) * t.ppf(0.975, freedom) / norm.ppf(0.975))))
