//! Clocks of games: the time for a move.

use std::time::Duration;

/// The expected number of moves until the end of a game, by which the time of a clock is divided.
pub(crate) const EXPECTED_MOVES: u32 = 40;

/// The time that is kept back for delays between the engine and the client.
const RESERVE: Duration = Duration::from_millis(50);

/// The time for a move if only the reserve is left.
const SHORTEST: Duration = Duration::from_millis(5);

/// The clock of the side to move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveClock {
    /// The remaining time.
    pub(crate) left: Duration,
    /// The time that is added after each move.
    pub(crate) increment: Duration,
    /// The number of moves for which the remaining time must suffice; 0 has the meaning of 1.
    pub(crate) moves: u32,
}

impl MoveClock {
    /// Returns the time for the next move.
    ///
    /// It is an equal part of the remaining time and three quarters of the increment, so that a clock with an increment
    /// keeps about ten increments. Unless it is the last move of the period, at most half of the remaining time is used.
    pub(crate) fn share(&self) -> Duration {
        let usable = self.left.saturating_sub(RESERVE);
        let share = usable / self.moves.max(1) + self.increment * 3 / 4;
        let most = if self.moves <= 1 { usable } else { usable / 2 };
        share.min(most).max(SHORTEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn share(left: u64, increment: u64, moves: u32) -> Duration {
        MoveClock { left: millis(left), increment: millis(increment), moves }.share()
    }

    #[test]
    fn time_is_divided_among_the_moves() {
        assert_eq!(share(40_050, 0, 40), millis(1000));
        assert_eq!(share(40_050, 2000, 40), millis(2500));
        assert_eq!(share(10_050, 0, 1), millis(10_000));
        assert_eq!(share(10_050, 0, 0), millis(10_000));
        // The increment arrives after the move.
        assert_eq!(share(1050, 60_000, 40), millis(500));
        assert_eq!(share(1050, 60_000, 1), millis(1000));
        assert_eq!(share(0, 60_000, 40), SHORTEST);
        assert_eq!(share(0, 0, 1), SHORTEST);
    }

    #[test]
    fn the_time_suffices_for_long_games_and_whole_periods() {
        let delay = millis(20);
        for (left, increment) in [(60_000, 1000), (1000, 100), (100, 50), (600_000, 10_000)] {
            let mut clock =
                MoveClock { left: millis(left), increment: millis(increment), moves: EXPECTED_MOVES };
            for ply in 0..1000 {
                let used = clock.share() + delay;
                assert!(used < clock.left, "{left} + {increment}, move {ply}: {clock:?}");
                clock.left = clock.left - used + clock.increment;
            }
        }
        let mut clock = MoveClock { left: millis(60_000), increment: Duration::ZERO, moves: 40 };
        while clock.moves > 0 {
            let used = clock.share() + delay;
            assert!(used < clock.left, "{clock:?}");
            clock.left -= used;
            clock.moves -= 1;
        }
        // Most of the period is used.
        assert!(clock.left < millis(100), "{clock:?}");
    }
}
