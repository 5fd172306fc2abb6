"""Reference figures for stats/cluster.rs and stats/scaling.rs, by scipy and numpy."""
import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

flat = np.array([2, 6, 10, 9.5, 7, 5, 9, 8, 6.5, 4, 5, 3.5, 3, 8.5, 9.25])
n, groups = 6, {item: [item] for item in range(6)}
for number, (one, other, height, _) in enumerate(linkage(flat, "average")):
    groups[n + number] = sorted(groups[int(one)] + groups[int(other)])
    print(repr(float(height)), groups[n + number])
squares = squareform(flat) ** 2
center = np.eye(n) - 1 / n
values, vectors = np.linalg.eigh(-0.5 * center @ squares @ center)
for axis in (-1, -2):
    vector = vectors[:, axis] * np.sqrt(values[axis])
    print([float(x) for x in vector * np.sign(vector[np.abs(vector).argmax()])])
print(repr(float((values[-1] + values[-2]) / values[values > 0].sum())))
