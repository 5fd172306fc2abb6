"""Environments for reinforcement learning: `TaflEnv` for Gymnasium, and `TaflAec` for PettingZoo.

An action is `from * n_cells + to`, with the numbers of cells in `Rules.cells`. Observations are those of `planes`.
"""

import numpy as np

from ._rules import Rules, planes

AGENTS = ("attackers", "defenders")


def _mask(position, n_cells):
    mask = np.zeros(n_cells * n_cells, np.int8)
    mask[position.legal_actions()] = 1
    return mask


def _rewards(position):
    winner = position.outcome[0]
    return {agent: 0.0 if winner == "draw" else 1.0 if winner == agent else -1.0 for agent in AGENTS}


def TaflEnv(variant, *, max_plies=512):
    """Returns a Gymnasium environment in which the agent moves for both sides in turn.

    The reward of a step is 1 if the side that moved has won, and -1 if it has lost. `info["action_mask"]` marks the legal
    actions; an illegal action is an error. After `max_plies`, the game is truncated.
    """
    import gymnasium
    from gymnasium import spaces

    class Env(gymnasium.Env):
        metadata = {"render_modes": ["svg", "ansi"]}

        def __init__(self):
            self.rules = Rules(variant)
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
            self.position = self.position.act(int(action))
            ended = self.position.outcome is not None
            reward = _rewards(self.position)[side] if ended else 0.0
            truncated = not ended and self.position.n_plies >= max_plies
            return self._observe(), reward, ended, truncated, self._info()

        def render(self):
            return self.position.image("svg")

        def _observe(self):
            return planes([self.position])[0]

        def _info(self):
            return {"action_mask": _mask(self.position, self.n_cells), "to_move": self.position.to_move}

    return Env()


def TaflAec(variant, *, max_plies=512):
    """Returns a PettingZoo environment (AEC) with the agents `attackers` and `defenders`."""
    from gymnasium import spaces
    from pettingzoo import AECEnv

    class Env(AECEnv):
        metadata = {"name": f"tafl_{variant}_v0", "is_parallelizable": False, "render_modes": ["svg"]}

        def __init__(self):
            super().__init__()
            self.rules = Rules(variant)
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
            self.render_mode = None

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
            self.position = self.position.act(int(action))
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
            return self.position.image("svg")

    return Env()
