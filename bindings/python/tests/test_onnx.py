"""ONNX networks as players."""

import pytest
import taflbase

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import network  # noqa: E402
from taflbase.onnx import OnnxPlayer, main  # noqa: E402


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    file = tmp_path_factory.mktemp("networks") / "network.onnx"
    network.write(file)
    return file


def test_a_network_gives_probabilities_of_legal_actions(file):
    start = taflbase.Rules("brandubh7").start
    policy, value = OnnxPlayer(file).evaluate(start)
    assert sorted(policy) == sorted(start.legal_actions().tolist()) and value == 0.0
    assert sum(policy.values()) == pytest.approx(1.0) and max(policy, key=policy.get) == start.action_of("d1-c1")


def test_the_search_prefers_the_policy_and_finds_a_win(file):
    player = OnnxPlayer(file, nodes=50)
    start = taflbase.Rules("brandubh7").start
    assert start.move_of(player.choose(start)[0]) == "d1-c1"
    before = start
    for move in "d2-c2 d3-b3 c2-c3 d4-d2 a4-a3 d2-a2 g4-g3".split():
        before = before.play(move)
    action, value = player.choose(before, nodes=400)
    assert before.act(action).outcome[0] == "defenders" and value > 0


def test_a_network_for_another_board_is_an_error(file):
    with pytest.raises(taflbase.TaflError, match="doesn't fit the board of copenhagen11.*14641 numbers"):
        OnnxPlayer(file).evaluate(taflbase.Rules("copenhagen11").start)


def test_a_file_without_a_network_is_an_error(tmp_path):
    with pytest.raises(taflbase.TaflError, match="no such file") as caught:
        OnnxPlayer(tmp_path / "missing.onnx")
    assert (caught.value.kind, caught.value.parameter) == ("io", "file")
    foreign = tmp_path / "foreign.onnx"
    foreign.write_text("not a network")
    with pytest.raises(taflbase.TaflError, match="not an ONNX model"):
        OnnxPlayer(foreign)


def test_values_that_are_not_finite_are_an_error(tmp_path):
    broken = tmp_path / "broken.onnx"
    network.write(broken, value=float("nan"))
    with pytest.raises(taflbase.TaflError, match="not finite"):
        OnnxPlayer(broken).evaluate(taflbase.Rules("brandubh7").start)


def test_the_program_ends_with_one_message_before_a_game(file, tmp_path, capsys):
    def fail(*arguments):
        with pytest.raises(SystemExit) as caught:
            main([*map(str, arguments)], ["uci", "isready"], lambda answer: None)
        assert caught.value.code == 2
        return capsys.readouterr().err

    missing = fail(tmp_path / "missing.onnx")
    assert missing == f"python -m taflbase.onnx: error: {tmp_path}/missing.onnx: no such file\n"
    assert "doesn't fit the board of copenhagen11" in fail(file), "at `isready`"
    assert "`brandubh77` is not a variant" in fail(file, "--variant", "brandubh77")


def test_the_protocol_is_answered(file):
    lines = [
        "uci",
        "setoption name Rules value " + taflbase.Rules("brandubh7").text,
        "ucinewgame",
        "isready",
        "position startpos moves d2c2 d3b3",
        "go nodes 8",
        "position startpos moves d2d7",
        "nonsense",
        "go nodes many",
        "quit",
        "isready",
    ]
    answers = []
    main([str(file), "--variant", "brandubh7"], lines, answers.append)
    assert "uciok" in answers and answers.count("readyok") == 1
    best = next(answer for answer in answers if answer.startswith("bestmove "))
    position = taflbase.Rules("brandubh7").start.play("d2-c2").play("d3-b3")
    position.play(best.removeprefix("bestmove "))
    assert sum(answer.startswith("info string error") for answer in answers) == 3
