"""Games for OpenSpiel. Importing the module registers the game `tafl`.

>>> import taflbase.openspiel                                         # doctest: +SKIP
>>> game = pyspiel.load_game("tafl(variant=tablut9_wtf,max_plies=300)")  # doctest: +SKIP

Player 0 has the attackers, and player 1 the defenders. Actions and observations are those of `taflbase.environments`. A game
ends as a draw after `max_plies`.
"""

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ._rules import Rules
from ._states import GameState

_TYPE = pyspiel.GameType(
    short_name="tafl",
    long_name="Tafl",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"variant": "brandubh7", "max_plies": 512},
)


class TaflGame(pyspiel.Game):
    """A variant as an OpenSpiel game."""

    def __init__(self, rules, given):
        self.rules = rules
        self.max_plies = int(given["max_plies"])
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.cells) ** 2,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self, state=None):
        """Returns the start, or the state of a dictionary of `GameState.to_dict`."""
        return TaflState(self, GameState(self.rules) if state is None else GameState.from_dict(state))

    def make_py_observer(self, iig_obs_type=None, params=None):
        """Returns an observer of boards."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.rules)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TaflState(pyspiel.State):
    """A state, around a `GameState`."""

    def __init__(self, game, state):
        super().__init__(game)
        self.state = state
        self._max_plies = game.max_plies

    def current_player(self):
        """Returns the player to move."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.state.current_player

    def _legal_actions(self, player):
        return sorted(self.state.position.legal_actions().tolist())

    def _apply_action(self, action):
        self.state = self.state.act(action)

    def _action_to_string(self, player, action):
        return self.state.position.move_of(action)

    def is_terminal(self):
        """Returns whether the game is over."""
        return self.state.is_terminal or len(self.state.history) >= self._max_plies

    def returns(self):
        """Returns the results of both players."""
        return self.state.returns

    def __str__(self):
        return f"{self.state.position}"


class PlanesObserver:
    """Writes observations: the planes of `taflbase.planes` as numbers, and the position record as text."""

    def __init__(self, rules):
        shape = GameState(rules).observation().shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state, player):
        """Writes the planes of a state."""
        del player
        self.dict["observation"][...] = state.state.observation()

    def string_from(self, state, player):
        """Returns a state as a text."""
        del player
        position = state.state.position
        return f"{position.record} {position.to_move}"


def _load(params=None):
    given = {"variant": "brandubh7", "max_plies": 512, **(params or {})}
    # Before the game is created: an exception in its constructor would leave an object that crashes Python when it is shown.
    return TaflGame(Rules(given["variant"]), given)


pyspiel.register_game(_TYPE, _load)
