"""An ONNX network for tests: `python network.py FILE`."""

import sys

import numpy as np
import onnx
import taflbase
from onnx import TensorProto, helper, numpy_helper


def write(file, *, value=0.0):
    """Writes a network for brandubh7 that prefers the move d1-c1, and returns the same value for every position."""
    bias = np.zeros(49**2, np.float32)
    bias[taflbase.Rules("brandubh7").start.action_of("d1-c1")] = 5.0
    weights = {
        "policy_weight": np.zeros((14 * 49, 49**2), np.float32),
        "policy_bias": bias,
        "value_weight": np.zeros((14 * 49, 1), np.float32),
        "value_bias": np.full(1, value, np.float32),
    }
    nodes = [
        helper.make_node("Flatten", ["planes"], ["flat"]),
        helper.make_node("Gemm", ["flat", "policy_weight", "policy_bias"], ["policy"]),
        helper.make_node("Gemm", ["flat", "value_weight", "value_bias"], ["raw"]),
        helper.make_node("Tanh", ["raw"], ["value"]),
    ]
    tensor = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "network",
        [tensor("planes", TensorProto.FLOAT, ["batch", 14, 7, 7])],
        [tensor("value", TensorProto.FLOAT, ["batch", 1]), tensor("policy", TensorProto.FLOAT, ["batch", 49**2])],
        [numpy_helper.from_array(weight, name) for name, weight in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(file))


if __name__ == "__main__":
    write(sys.argv[1])
