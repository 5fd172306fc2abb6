"""A network in a file of ONNX as a player of `tafl match`, by the protocol UCI.

    tafl match taflbase "uci:name=Net;python -m taflbase.onnx net.onnx" --variant brandubh7

`docs/python.md` has the inputs and the outputs of the network.
"""

import argparse
import sys

from ._network import OnnxPlayer
from ._rules import Rules

__all__ = ["OnnxPlayer", "main"]


def main(arguments=None, lines=None, write=None):
    """Answers commands until `quit` or the end of the input."""
    parser = argparse.ArgumentParser(prog="python -m taflbase.onnx", description="Play with a network, by the protocol UCI.")
    parser.add_argument("file", help="the network")
    parser.add_argument("--nodes", type=int, default=100, help="positions to search for a move, if the other program names no number")
    parser.add_argument("--variant", default="copenhagen11", help="the variant, if the other program names no rules")
    given = parser.parse_args(arguments)
    player, rules = OnnxPlayer(given.file, nodes=given.nodes), Rules(given.variant)
    position = rules.start

    def answer(*words):
        (write or print)(" ".join(str(word) for word in words))
        sys.stdout.flush()

    for line in lines or sys.stdin:
        command, _, rest = line.strip().partition(" ")
        try:
            if command == "uci":
                answer("id name taflbase.onnx")
                answer("option name Rules type string default", rules.text)
                answer("uciok")
            elif command == "isready":
                answer("readyok")
            elif command == "setoption" and rest.startswith("name Rules value "):
                rules = Rules(rest.removeprefix("name Rules value "))
                position = rules.start
            elif command == "ucinewgame":
                position = rules.start
            elif command == "position" and rest.split(" ")[0] == "startpos":
                position = rules.start
                for move in rest.split(" ")[2:]:
                    position = position.play(move)
            elif command == "go":
                words = rest.split(" ")
                nodes = int(words[words.index("nodes") + 1]) if "nodes" in words else None
                action, value = player.choose(position, nodes=nodes)
                answer("info nodes", nodes or player.nodes, "score cp", round(100 * value))
                answer("bestmove", "(none)" if action is None else position.move_of(action).replace("-", ""))
            elif command == "quit":
                return
            elif command:
                answer("info string error: unknown command", command)
        except ValueError as error:
            answer("info string error:", error)


if __name__ == "__main__":
    main()
