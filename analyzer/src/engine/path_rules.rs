//! Rules whose result depends on the plies before a position: limits of plies, and repetition of the defenders' arrangement.
//!
//! Unlike the repetition of positions, they are counted exactly: the second of three occurrences of an arrangement does not
//! form a cycle, because the attackers may have moved on.

use tafl_rules::{Game, RepetitionRule, RepetitionScope, RuleSet};

/// The rules, with the state of the game at the root.
#[derive(Debug, Clone)]
pub(super) struct PathRules {
    /// The number of plies after the root at which the game is drawn.
    pub(super) plies_left: Option<u32>,
    pub(super) captureless_limit: Option<u32>,
    /// The rules that count the defenders' arrangement.
    pub(super) configuration_rules: Vec<RepetitionRule>,
    /// The number of plies before the root without a capture.
    captureless: u32,
    /// The keys of the defenders' arrangements before the root that count.
    configurations: Vec<u64>,
}

/// The state of these rules at one ply of the search stack.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PathState {
    /// The number of plies since the last capture.
    pub(super) captureless: u32,
    /// The number of arrangements before the last capture.
    pub(super) first_configuration: usize,
}

impl PathRules {
    pub(super) fn of(rules: &RuleSet, game: &Game) -> PathRules {
        let counts_defenders = |rule: &RepetitionRule| {
            matches!(rule, RepetitionRule::Counted { scope: RepetitionScope::DefenderConfiguration, .. })
        };
        PathRules {
            plies_left: rules.ply_limit.map(|limit| limit.saturating_sub(game.n_plies())),
            captureless_limit: rules.captureless_limit,
            configuration_rules: rules.repetition.iter().copied().filter(counts_defenders).collect(),
            captureless: game.n_captureless_plies(),
            configurations: game.defenders_keys(),
        }
    }

    /// Returns whether there are such rules.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.plies_left.is_some() || self.captureless_limit.is_some() || !self.configuration_rules.is_empty()
    }

    /// Returns the arrangements before the root.
    pub(super) fn configurations(&self) -> Vec<u64> {
        self.configurations.clone()
    }

    /// Returns the state at the root.
    pub(super) fn root_state(&self) -> PathState {
        PathState { captureless: self.captureless, first_configuration: 0 }
    }

    /// Returns whether a limit may be reached within `depth` plies after a position, `ply` plies after the root. Results of
    /// the transposition table do not apply there, because they ignore the plies before a position.
    #[inline]
    pub(super) fn is_near_limit(&self, state: PathState, ply: u16, depth: i32) -> bool {
        let depth = depth.max(0) as u32;
        self.plies_left.is_some_and(|left| u32::from(ply) + depth >= left)
            || self.captureless_limit.is_some_and(|limit| state.captureless + depth >= limit)
    }
}
