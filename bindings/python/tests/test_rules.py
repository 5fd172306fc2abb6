"""Rules and positions."""

import numpy as np
import pytest
import taflbase


def test_rules_are_named_by_a_variant_or_a_rules_string():
    rules = taflbase.Rules("brandubh7")
    assert rules.name == "brandubh7"
    assert rules == taflbase.Rules(rules.text)
    assert len(rules.cells) == 49 and rules.cells[0] == "a1"
    assert any("king" in sentence.lower() for section in rules.sheet()["sections"] for sentence in section["sentences"])


def test_a_changed_rule_makes_other_rules():
    changed = taflbase.Rules("brandubh7", rule=["sw=w"])
    assert changed != taflbase.Rules("brandubh7")
    assert changed.name is None and changed.start.explain("d1-c1")["legal"]
    assert taflbase.GameState(changed).to_dict()["variant"] is None


@pytest.mark.parametrize("variant", ["brandubh7", "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"])
def test_the_text_of_rules_makes_them_again(variant):
    for rules in (taflbase.Rules(variant), taflbase.Rules(variant, rule=["sw=w"])):
        assert eval(repr(rules), {"Rules": taflbase.Rules}) == rules
        state = taflbase.GameState(rules).play("d1-c1")
        assert eval(repr(state), {"GameState": taflbase.GameState}) == state


def test_moves_are_played_and_explained():
    start = taflbase.Rules("brandubh7").start
    assert start.to_move == "attackers" and len(start.legal_moves()) == 40
    after = start.play("d6-a6").play("d5-a5")
    assert after.piece("a6") is None and after.piece("a5") == "T"
    assert start.piece("d6") == "t", "a position doesn't change"
    explained = start.play("d6-a6").explain("d5-a5")
    assert explained["legal"] and explained["captured"] == ["a6"] and "a6" in explained["explanation"][0]


def test_an_illegal_move_is_an_error_with_its_kind():
    with pytest.raises(taflbase.TaflError) as caught:
        taflbase.Rules("brandubh7").start.play("d1-d7")
    assert caught.value.kind == "illegal-move"
    with pytest.raises(taflbase.TaflError) as caught:
        taflbase.Rules("brandubh77")
    assert caught.value.kind == "unknown-variant" and caught.value.parameter == "variant"


def test_positions_are_values():
    rules = taflbase.Rules("brandubh7")
    one = rules.start.play("d1-c1")
    other = rules.position(moves="d1-c1")
    assert one == other and hash(one) == hash(other) and one.key == other.key
    assert rules.position(one.record, "defenders").legal_moves() == one.legal_moves()
    assert rules.start.play("d1-e1").key == one.key, "mirror images have the same key"


def test_a_move_is_explained_and_evaluated_in_its_game():
    position = taflbase.Rules("brandubh7").start
    for move in "d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3 c1-d1".split():
        position = position.play(move)
    assert position.play("c3-d3").outcome == ("attackers", "repetition")
    assert position.explain("c3-d3")["outcome"] == {"winner": "attackers", "reason": "repetition"}
    (line,) = (line for line in taflbase.Engine(depth=1, lines=60).evaluate(position).lines if line.moves[0] == "c3-d3")
    assert (line.wins, line.plies) == ("attackers", 1)


def test_a_chain_continues_in_explanations_and_evaluations():
    position = taflbase.Rules("berserk-hnefatafl-11x11").start
    for move in "b6-c6 h6-i6 j6-h6".split():
        position = position.play(move)
    # The attackers may go on with the piece on h6, or leave the next move to the defenders.
    assert position.to_move == "attackers"
    assert all(position.explain(move)["legal"] for move in ("h6-j6", "f4-f3"))
    assert taflbase.Engine(nodes=200).evaluate(position).best.moves[0] in [*position.legal_moves(), "decline"]
    declined = position.play("decline")
    assert declined.to_move == "defenders" and "h6-j6" not in declined.legal_moves()
    assert declined.play("f4-f3") == position.play("f4-f3")
    with pytest.raises(taflbase.TaflError, match="no chain that they may decline"):
        declined.play("decline")


def test_a_chain_is_part_of_a_position():
    rules = taflbase.Rules("berserk-hnefatafl-11x11")
    chained = rules.position(moves="b6-c6 h6-i6 j6-h6")
    other = rules.position(chained.record, chained.to_move)
    assert chained != other and chained.legal_moves() != other.legal_moves()
    again = rules.position(moves="b6-c6 h6-i6 j6-h6")
    assert chained == again and hash(chained) == hash(again)


def test_a_game_ends():
    position = taflbase.Rules("brandubh7").start
    for move in "d2-c2 d3-b3 c2-c3 d4-d2 a4-a3 d2-a2 g4-g3 a2-a1".split():
        position = position.play(move)
    assert position.outcome == ("defenders", "king reached goal")
    assert position.legal_moves() == []


def test_a_position_has_pictures():
    start = taflbase.Rules("hexentafl4").start
    assert start.image().startswith("<svg") and start._repr_svg_() == start.image()
    assert start.image("png", width=64)[:4] == b"\x89PNG"
    assert "k" in start.image("text").lower()


def test_planes_show_the_side_to_move_first():
    start = taflbase.Rules("brandubh7").start
    array = taflbase.planes([start, start.play("d1-c1")])
    assert array.shape == (2, 14, 7, 7) and array.dtype == np.uint8
    assert array[0, 0].sum() == 8 and array[0, 7, 3, 3] == 1, "attackers to move; their enemy's king is on d4"
    assert array[1, 1, 3, 3] == 1 and array[1, 6].sum() == 8, "defenders to move"
    assert array[0, 13].all() and not array[1, 13].any()
    assert taflbase.planes([]).shape[0] == 0


def test_actions_are_the_legal_moves():
    position = taflbase.Rules("copenhagen11").start
    actions = position.legal_actions()
    assert [position.move_of(int(action)) for action in actions] == position.legal_moves()
    assert position.act(int(actions[3])) == position.play(position.legal_moves()[3])
    with pytest.raises(IndexError):
        position.act(121 * 121)
    with pytest.raises(taflbase.TaflError):
        position.act(0)


def test_every_variant_can_be_played():
    names = [variant["name"] for variant in taflbase.variants()]
    assert len(names) >= 158
    for name in names:
        position = taflbase.Rules(name).start
        assert position.act(int(position.legal_actions()[0])).n_plies == 1, name
