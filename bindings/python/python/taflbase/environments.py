"""Environments for reinforcement learning: `TaflEnv` and `TaflVectorEnv` for Gymnasium, `TaflAec` for PettingZoo, and
`TaflArrays`, which plays many games and has the arrays of pgx.

An action is `from * n_cells + to`, with the numbers of cells in `Rules.cells`. Observations are those of `planes`.
"""

from dataclasses import dataclass
from operator import index

import numpy as np

from ._rules import Batch, planes, rules_of

AGENTS = ("attackers", "defenders")
RENDER_MODES = ("svg", "ansi")


def _mask(position, n_cells):
    mask = np.zeros(n_cells * n_cells, np.int8)
    mask[position.legal_actions()] = 1
    return mask


def _rewards(position):
    winner = position.outcome[0]
    return {agent: 0.0 if winner == "draw" else 1.0 if winner == agent else -1.0 for agent in AGENTS}


def _render(position, render_mode):
    return position.image("text" if render_mode == "ansi" else "svg")


def _checked_mode(render_mode):
    if render_mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode is {render_mode!r}; expected one of {', '.join(RENDER_MODES)}, or None for svg")
    return render_mode


def TaflEnv(variant, *, max_plies=512, render_mode=None):
    """Returns a Gymnasium environment in which the agent moves for both sides in turn.

    The reward of a step is 1 if the side that moved has won, and -1 if it has lost. `info["action_mask"]` marks the legal
    actions; an illegal action is an error. `info["current_player"]` is 0 for the attackers, and 1 for the defenders. After
    `max_plies`, the game is truncated. `render` draws the board as `svg` (the default) or as text (`ansi`).
    """
    import gymnasium
    from gymnasium import spaces

    class GymnasiumTaflEnv(gymnasium.Env):
        metadata = {"render_modes": list(RENDER_MODES)}

        def __init__(self):
            self.rules = rules_of(variant)
            self.render_mode = _checked_mode(render_mode)
            self.n_cells = len(self.rules.cells)
            shape = planes([self.rules.start]).shape[1:]
            self.observation_space = spaces.Box(0, 1, shape, np.uint8)
            self.action_space = spaces.Discrete(self.n_cells**2)
            self.position = self.rules.start

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.position = self.rules.start
            return self._observe(), self._info()

        def step(self, action):
            side = self.position.to_move
            self.position = self.position.act(index(action))
            ended = self.position.outcome is not None
            reward = _rewards(self.position)[side] if ended else 0.0
            truncated = not ended and self.position.n_plies >= max_plies
            return self._observe(), reward, ended, truncated, self._info()

        def render(self):
            return _render(self.position, self.render_mode)

        def _observe(self):
            return planes([self.position])[0]

        def _info(self):
            player = AGENTS.index(self.position.to_move)
            return {"action_mask": _mask(self.position, self.n_cells), "current_player": player}

    return GymnasiumTaflEnv()


def TaflVectorEnv(variant, num_envs, *, max_plies=512):
    """Returns a Gymnasium vector environment: many games, which are played at the same time and much faster than one.

    Rewards and `info` are those of `TaflEnv`, one row for each game. A game that is over starts again in the next step, which
    ignores its action. `env.sample()` returns random legal actions.
    """
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector.utils import batch_space

    class GymnasiumTaflVectorEnv(gymnasium.vector.VectorEnv):
        metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}

        def __init__(self):
            self.num_envs = num_envs
            self.rules = rules_of(variant)
            shape = planes([self.rules.start]).shape[1:]
            self.single_observation_space = spaces.Box(0, 1, shape, np.uint8)
            self.single_action_space = spaces.Discrete(len(self.rules.cells) ** 2)
            self.observation_space = batch_space(self.single_observation_space, num_envs)
            self.action_space = batch_space(self.single_action_space, num_envs)
            self.batch = Batch(self.rules, num_envs, max_plies)

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            if seed is None:
                # As Gymnasium requires, the random numbers go on.
                self.batch.reset()
            else:
                self.batch = Batch(self.rules, num_envs, max_plies, seed)
            return self.batch.planes(), self._info()

        def sample(self):
            return self.batch.sample()

        def step(self, actions):
            players = self.batch.current_player()
            was_over = self.batch.terminated() | self.batch.truncated()
            self.batch.step(actions, restart=True)
            rewards = np.where(was_over, 0.0, self.batch.returns()[np.arange(num_envs), players])
            return self.batch.planes(), rewards, self.batch.terminated(), self.batch.truncated(), self._info()

        def _info(self):
            return {"action_mask": self.batch.masks(), "current_player": self.batch.current_player()}

    return GymnasiumTaflVectorEnv()


@dataclass(frozen=True)
class ArrayState:
    """The arrays of a pgx state, with one row for each game. Players are 0 for the attackers and 1 for the defenders."""

    current_player: np.ndarray
    observation: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    legal_action_mask: np.ndarray
    _step_count: np.ndarray


class TaflArrays:
    """Many games with the arrays of pgx: observations have the planes last, and games that are over don't change."""

    def __init__(self, variant, count, *, max_plies=512):
        self.rules = rules_of(variant)
        self.count, self.max_plies = count, max_plies
        self.num_actions = len(self.rules.cells) ** 2
        self._games = None

    def init(self, seed=0):
        """Starts all games. The seed is that of `sample`."""
        self._games = Batch(self.rules, self.count, self.max_plies, seed)
        return self._state(np.zeros((self.count, 2), np.float32))

    def step(self, actions):
        """Plays an action in each game. The rewards are those of this step: of a game, only its last one has some."""
        was_over = self._batch.terminated() | self._batch.truncated()
        self._batch.step(actions)
        return self._state(np.where(was_over[:, None], np.float32(0), self._batch.returns()))

    def sample(self):
        """Returns random legal actions; 0 for games that are over."""
        return self._batch.sample()

    @property
    def _batch(self):
        if self._games is None:
            raise RuntimeError("the games are not started; call `init` first")
        return self._games

    def _state(self, rewards):
        batch = self._batch
        return ArrayState(
            current_player=batch.current_player(),
            observation=batch.planes().transpose(0, 2, 3, 1).astype(bool),
            rewards=rewards,
            terminated=batch.terminated(),
            truncated=batch.truncated(),
            legal_action_mask=batch.masks(),
            _step_count=batch.plies(),
        )


def TaflAec(variant, *, max_plies=512, render_mode=None):
    """Returns a PettingZoo environment (AEC) with the agents `attackers` and `defenders`."""
    from gymnasium import spaces
    from pettingzoo import AECEnv

    class PettingZooTaflEnv(AECEnv):
        metadata = {"name": f"tafl_{rules_of(variant).name or 'rules'}_v0", "is_parallelizable": False, "render_modes": list(RENDER_MODES)}

        def __init__(self):
            super().__init__()
            self.rules = rules_of(variant)
            self.n_cells = len(self.rules.cells)
            self.possible_agents = list(AGENTS)
            observation = spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, planes([self.rules.start]).shape[1:], np.uint8),
                    "action_mask": spaces.Box(0, 1, (self.n_cells**2,), np.int8),
                }
            )
            self.observation_spaces = {agent: observation for agent in AGENTS}
            self.action_spaces = {agent: spaces.Discrete(self.n_cells**2) for agent in AGENTS}
            self.render_mode = _checked_mode(render_mode)
            self.reset()

        def observation_space(self, agent):
            return self.observation_spaces[agent]

        def action_space(self, agent):
            return self.action_spaces[agent]

        def reset(self, seed=None, options=None):
            self.position = self.rules.start
            self.agents = list(AGENTS)
            self.rewards = dict.fromkeys(AGENTS, 0.0)
            self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
            self.terminations = dict.fromkeys(AGENTS, False)
            self.truncations = dict.fromkeys(AGENTS, False)
            self.infos = {agent: {} for agent in AGENTS}
            self.agent_selection = self.position.to_move

        def observe(self, agent):
            moves = agent == self.position.to_move and self.position.outcome is None
            mask = _mask(self.position, self.n_cells) if moves else np.zeros(self.n_cells**2, np.int8)
            return {"observation": planes([self.position])[0], "action_mask": mask}

        def step(self, action):
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[agent] = 0.0
            self.position = self.position.act(index(action))
            self.rewards = dict.fromkeys(AGENTS, 0.0)
            if self.position.outcome is not None:
                self.rewards = _rewards(self.position)
                self.terminations = dict.fromkeys(AGENTS, True)
            elif self.position.n_plies >= max_plies:
                self.truncations = dict.fromkeys(AGENTS, True)
            done = self.position.outcome is not None
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)] if done else self.position.to_move
            self._accumulate_rewards()

        def render(self):
            return _render(self.position, self.render_mode)

        def close(self):
            pass

    return PettingZooTaflEnv()
