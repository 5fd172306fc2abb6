"""Reference figures for stats/mantel_haenszel.rs, by statsmodels (pip install statsmodels)."""
import numpy as np
from statsmodels.stats.contingency_tables import StratifiedTable

tables = [[[5, 3], [2, 6]], [[10, 4], [7, 7]], [[1, 2], [0, 3]], [[4, 0], [3, 2]], [[8, 9], [3, 12]]]
found = StratifiedTable([np.array(table, dtype=float) for table in tables])
print(repr(float(found.logodds_pooled)), repr(float(found.logodds_pooled_se)), int(np.sum(tables)))
