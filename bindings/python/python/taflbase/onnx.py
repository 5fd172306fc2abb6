"""An ONNX network as a player of `tafl match`, over the UCI protocol.

    tafl match taflbase "uci:name=Net;python -m taflbase.onnx network.onnx" --variant brandubh7

`docs/python.md` describes the inputs and the outputs of the network.
"""

import argparse
import sys

from ._network import OnnxPlayer
from ._request import tafl_error
from ._rules import Rules
from ._taflbase import TaflError

__all__ = ["OnnxPlayer", "main"]

_PROGRAM = "python -m taflbase.onnx"


class _UciLoop:
    """The state of the protocol. `answer` yields the answers to a command."""

    def __init__(self, player, rules):
        self.player = player
        self.rules = rules
        self.position = rules.start

    def answer(self, line):
        command, _, rest = line.strip().partition(" ")
        if command == "uci":
            yield "id name taflbase.onnx"
            yield f"option name Rules type string default {self.rules.text}"
            yield "uciok"
        elif command == "isready":
            # A network for another board ends the program here, before a game.
            self.player.evaluate(self.rules.start)
            yield "readyok"
        elif command == "go":
            yield from self._go(rest.split())
        elif command:
            try:
                self._change(command, rest)
            except TaflError as error:
                yield f"info string error: {error}"

    def _change(self, command, rest):
        words = rest.split()
        if command == "setoption" and words[:3] == ["name", "Rules", "value"]:
            self.rules = Rules(" ".join(words[3:]))
            self.position = self.rules.start
        elif command == "ucinewgame":
            self.position = self.rules.start
        elif command == "position" and words[:1] == ["startpos"]:
            position = self.rules.start
            for move in words[2:]:
                position = position.play(move)
            self.position = position
        else:
            raise tafl_error(f"unknown command `{command}`")

    def _go(self, words):
        number = "".join(words[words.index("nodes") + 1 :][:1]) if "nodes" in words else str(self.player.nodes)
        if not number.isdecimal():
            yield f"info string error: `go nodes` needs a number, not `{number}`"
            return
        nodes = int(number)
        action, value = self.player.choose(self.position, nodes=nodes)
        yield f"info nodes {nodes} score cp {round(100 * value)}"
        yield "bestmove " + ("(none)" if action is None else self.position.move_of(action).replace("-", ""))


def main(arguments=None, lines=None, write=print):
    """Answers commands until `quit` or the end of the input. A network that can't be used ends the program with the exit code 2."""
    parser = argparse.ArgumentParser(prog=_PROGRAM, description="Play with an ONNX network over the UCI protocol.")
    parser.add_argument("file", help="the ONNX file of the network")
    parser.add_argument("--nodes", type=int, default=100, help="positions to search per move, unless `go nodes` sets the number")
    parser.add_argument("--variant", default="copenhagen11", help="the variant, unless the option Rules sets the rules")
    given = parser.parse_args(arguments)
    try:
        loop = _UciLoop(OnnxPlayer(given.file, nodes=given.nodes), Rules(given.variant))
        for line in lines or sys.stdin:
            if line.strip() == "quit":
                return
            for answer in loop.answer(line):
                write(answer)
            sys.stdout.flush()
    except TaflError as error:
        parser.exit(2, f"{_PROGRAM}: error: {error}\n")
    except ModuleNotFoundError as error:
        parser.exit(2, f"{_PROGRAM}: error: {error.name} is not installed (pip install \"taflbase[onnx]\")\n")


if __name__ == "__main__":
    main()
