"""ONNX networks with a policy and a value as players: AlphaZero's search around them."""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ._request import tafl_error
from ._rules import planes

# The exploration constant of PUCT: the weight of the policy against the values that were found.
C_PUCT = 1.5


@dataclass
class _Node:
    """A node of the search tree. Its position is None before its first visit."""

    position: object
    prior: float
    visit_count: int = 0
    # For the side to move in the position.
    value_sum: float = 0.0
    children: dict = field(default_factory=dict)


class OnnxPlayer:
    """A network in an ONNX file, with AlphaZero's search around it.

    The input of the network is a batch of `planes` as 32-bit floats. Its outputs are the logits of all actions, and a value between
    -1 and 1 for the side to move; the output with more numbers is the policy. `nodes` is the number of simulations for a move.

    Raises a `TaflError` if the file can't be read or is not an ONNX model.
    """

    def __init__(self, file, *, nodes=100):
        import onnxruntime

        if not Path(file).exists():
            raise tafl_error(f"{file}: no such file", kind="io", parameter="file")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        try:
            self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        # The exceptions of onnxruntime have no common base class.
        except Exception as problem:
            raise tafl_error(f"{file}: not an ONNX model: {_first_line(problem)}", parameter="file") from None
        self.file = file
        self.nodes = nodes
        self._input = self._session.get_inputs()[0].name

    def evaluate(self, position):
        """Returns the probability of each legal action, and the value for the side to move.

        Raises a `TaflError` if the network doesn't fit the board, or returns values that are not numbers.
        """
        policy, value = self._run(position)
        actions = position.legal_actions()
        logits = policy[actions]
        with np.errstate(invalid="ignore"):
            weights = np.exp(logits - logits.max())
        if not (np.isfinite(weights).all() and np.isfinite(value)):
            raise tafl_error(f"{self.file}: the network returns values that are not finite", parameter="file")
        return dict(zip(actions.tolist(), (weights / weights.sum()).tolist())), value

    def _run(self, position):
        batch = planes([position]).astype(np.float32)
        n_actions = len(position.rules.cells) ** 2
        expected = f"expected an input of the shape {batch.shape}, and outputs of {n_actions} numbers and 1 number"
        try:
            outputs = self._session.run(None, {self._input: batch})
        except Exception as problem:
            raise self._misfit(position, f"{_first_line(problem)}; {expected}") from None
        value, *policy = sorted((np.asarray(output).reshape(-1) for output in outputs), key=np.size)
        if value.size != 1 or [output.size for output in policy] != [n_actions]:
            sizes = [int(np.size(output)) for output in outputs]
            raise self._misfit(position, f"its outputs have the sizes {sizes}; {expected}")
        return policy[0], float(value[0])

    def _misfit(self, position, reason):
        message = f"{self.file}: the network doesn't fit the board of {position.rules.name or position.rules.title}: {reason}"
        return tafl_error(message, help="choose the variant that the network was trained for", parameter="file")

    def choose(self, position, *, nodes=None):
        """Returns the action with the most visits, and the value of the position for the side to move."""
        root = _Node(position, 1.0)
        for _ in range(max(1, nodes or self.nodes)):
            self._simulate(root)
        value = root.value_sum / root.visit_count
        if not root.children:
            return None, value
        action, _ = max(root.children.items(), key=lambda child: (child[1].visit_count, child[1].prior))
        return action, value

    def _simulate(self, node):
        """Descends to a new node, adds its value to all nodes of the path, and returns the value for the side to move here."""
        value = self._value(node)
        node.visit_count += 1
        node.value_sum += value
        return value

    def _value(self, node):
        outcome, side = node.position.outcome, node.position.to_move
        if outcome is not None:
            return 0.0 if outcome[0] == "draw" else 1.0 if outcome[0] == side else -1.0
        if not node.children:
            policy, value = self.evaluate(node.position)
            node.children = {action: _Node(None, prior) for action, prior in policy.items()}
            return value
        action, child = _select_child(node)
        if child.position is None:
            child.position = node.position.act(action)
        value = self._simulate(child)
        # In the middle of a chain, the same side moves again.
        return value if child.position.to_move == side else -value


def _select_child(node):
    """Returns the action with the highest PUCT score, and its child."""
    side, root_of_visits = node.position.to_move, math.sqrt(node.visit_count)

    def puct(item):
        child = item[1]
        bonus = C_PUCT * child.prior * root_of_visits / (1 + child.visit_count)
        if not child.visit_count:
            return bonus
        mean = child.value_sum / child.visit_count
        return bonus + (mean if child.position.to_move == side else -mean)

    return max(node.children.items(), key=puct)


def _first_line(problem):
    """Returns the first line of an exception of onnxruntime, which can fill a screen."""
    return str(problem).strip().split("\n", 1)[0]
