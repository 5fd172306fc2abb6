"""Networks with a policy and a value as players: a search that they guide."""

import math
from dataclasses import dataclass, field

import numpy as np

from ._rules import planes

# The weight of the policy against the values that were found, as in AlphaZero.
EXPLORATION = 1.5


@dataclass
class _Node:
    position: object
    prior: float
    visits: int = 0
    total: float = 0.0
    children: dict = field(default_factory=dict)


class OnnxPlayer:
    """A network in a file of ONNX, with the search of AlphaZero around it.

    The input of the network is a batch of `planes` as 32-bit floats. Its outputs are logits of all actions, and a value between
    -1 and 1 for the side to move; the one with more numbers is the policy.
    """

    def __init__(self, file, *, nodes=100):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name
        self.nodes = nodes

    def evaluate(self, position):
        """Returns the probability of each legal action, and the value for the side to move."""
        batch = planes([position]).astype(np.float32)
        outputs = sorted((np.asarray(one).reshape(-1) for one in self._session.run(None, {self._input: batch})), key=np.size)
        if len(outputs) != 2 or outputs[0].size != 1 or outputs[1].size != len(position.rules.cells) ** 2:
            sizes = [output.size for output in outputs]
            raise ValueError(f"the outputs have the sizes {sizes}; expected 1 and {len(position.rules.cells) ** 2}")
        actions = position.legal_actions()
        logits = outputs[1][actions]
        weights = np.exp(logits - logits.max())
        return dict(zip(actions.tolist(), (weights / weights.sum()).tolist())), float(outputs[0][0])

    def choose(self, position, *, nodes=None):
        """Returns the action that was searched most, and the value of the position for the side to move."""
        root = _Node(position, 1.0)
        for _ in range(max(1, nodes or self.nodes)):
            self._visit(root)
        if not root.children:
            return None, root.total / root.visits
        best = max(root.children.items(), key=lambda child: (child[1].visits, child[1].prior))
        return best[0], root.total / root.visits

    def _visit(self, node):
        """Adds a position to the tree, and returns its value for the side to move at the node."""
        value = self._value(node)
        node.visits += 1
        node.total += value
        return value

    def _value(self, node):
        outcome, side = node.position.outcome, node.position.to_move
        if outcome is not None:
            return 0.0 if outcome[0] == "draw" else 1.0 if outcome[0] == side else -1.0
        if not node.children:
            policy, value = self.evaluate(node.position)
            node.children = {action: _Node(None, prior) for action, prior in policy.items()}
            return value
        action, child = self._select(node)
        if child.position is None:
            child.position = node.position.act(action)
        value = self._visit(child)
        # After the step of a chain, the same side moves.
        return value if child.position.to_move == side else -value

    def _select(self, node):
        side, root = node.position.to_move, math.sqrt(node.visits)

        def score(item):
            child = item[1]
            if not child.visits:
                return EXPLORATION * child.prior * root
            mean = child.total / child.visits
            mean = mean if child.position.to_move == side else -mean
            return mean + EXPLORATION * child.prior * root / (1 + child.visits)

        return max(node.children.items(), key=score)
