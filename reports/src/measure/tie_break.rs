//! Tie-breaks: the order of players with the same number of points.
//!
//! Sources: direct encounter, Sonneborn-Berger, Buchholz, and wins are defined in the FIDE Handbook, chapter C.07
//! (Tie-Break Regulations, 2024). The list of the World Tafl Federation (rules of its championship of 2020,
//! aagenielsen.dk/wtfturnering2020.php) is direct comparison, Sonneborn-Berger, and the shortest win.

use super::win_length::WinLength;

/// A tie-break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The points from games between the tied players.
    Direct,
    /// The Sonneborn-Berger score: the points of beaten opponents, plus half the points of drawn opponents, once for
    /// each game.
    SonnebornBerger,
    /// The Buchholz score: the points of all opponents, once for each game.
    Buchholz,
    /// The number of wins.
    Wins,
    /// The length of the player's shortest win in plies; the shorter one is better. A game that was cut short counts
    /// with the number of plies that its winner needs to finish it.
    ShortestWin,
}

impl TieBreak {
    /// Every tie-break.
    pub const ALL: [TieBreak; 5] = [
        TieBreak::Direct,
        TieBreak::SonnebornBerger,
        TieBreak::Buchholz,
        TieBreak::Wins,
        TieBreak::ShortestWin,
    ];

    /// The tie-breaks of crosstables, unless others are chosen.
    pub const DEFAULT: [TieBreak; 4] =
        [TieBreak::Direct, TieBreak::SonnebornBerger, TieBreak::Buchholz, TieBreak::Wins];
}

/// The value of a tie-break for a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TieBreakValue {
    /// Points or a number of wins; more is better.
    Points(f64),
    /// The bounds of the player's shortest win; `None` without a win.
    Length(Option<WinLength>),
    /// The tie-break was not applied: the player was not tied with another one, or a more important tie-break is undecided.
    Unused,
}

/// The ranking of players.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Ranking {
    /// The players, best first, in groups that no tie-break separates.
    pub(super) classes: Vec<Vec<usize>>,
    /// The values of each player for each tie-break.
    pub(super) values: Vec<Vec<TieBreakValue>>,
    /// The players whom the shortest win would separate if the lengths of unfinished wins were known.
    pub(super) undecided: Vec<usize>,
}

/// The source of the values of a tie-break for tied players, in their order.
pub(super) trait TieBreakSource {
    /// The error of a missing or damaged file.
    type Error;

    /// Returns the values of players who are tied before this tie-break.
    fn values(&mut self, by: TieBreak, tied: &[usize]) -> Result<Vec<TieBreakValue>, Self::Error>;
}

/// Ranks players by points, and breaks ties by a list of tie-breaks, each of which is applied to the players whom
/// the earlier ones left tied.
pub(super) fn rank<S: TieBreakSource>(
    points: &[f64],
    tie_breaks: &[TieBreak],
    source: &mut S,
) -> Result<Ranking, S::Error> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|one, two| points[*two].total_cmp(&points[*one]));
    let mut classes: Vec<Vec<usize>> =
        order.chunk_by(|one, two| points[*one] == points[*two]).map(<[usize]>::to_vec).collect();
    let mut values = vec![Vec::new(); points.len()];
    let mut undecided: Vec<usize> = Vec::new();
    for by in tie_breaks {
        let mut refined = Vec::with_capacity(classes.len());
        for class in classes {
            // What a more important tie-break may still decide is not decided by a less important one.
            let is_open = class.iter().any(|player| undecided.contains(player));
            let of_class = if is_open || class.len() == 1 {
                vec![TieBreakValue::Unused; class.len()]
            } else {
                source.values(*by, &class)?
            };
            for (player, value) in class.iter().zip(&of_class) {
                values[*player].push(*value);
            }
            if is_open || class.len() == 1 {
                refined.push(class);
                continue;
            }
            for (part, is_decided) in split(class.into_iter().zip(of_class).collect()) {
                if !is_decided {
                    undecided.extend(&part);
                }
                refined.push(part);
            }
        }
        classes = refined;
    }
    undecided.sort_unstable();
    Ok(Ranking { classes, values, undecided })
}

/// Splits tied players by their values, best first, and returns for each part whether its players are known to be
/// equal.
fn split(mut players: Vec<(usize, TieBreakValue)>) -> Vec<(Vec<usize>, bool)> {
    // The interval of each value, so that less is better.
    let bounds = |value: &TieBreakValue| match value {
        TieBreakValue::Points(points) => (-points, -points),
        TieBreakValue::Length(None) => (f64::INFINITY, f64::INFINITY),
        TieBreakValue::Length(Some(length)) => {
            (f64::from(length.min), length.max.map_or(f64::INFINITY, f64::from))
        }
        TieBreakValue::Unused => (0.0, 0.0),
    };
    players.sort_by(|(_, one), (_, two)| {
        let (one, two) = (bounds(one), bounds(two));
        one.0.total_cmp(&two.0).then(one.1.total_cmp(&two.1))
    });
    let mut parts: Vec<(Vec<usize>, bool)> = Vec::new();
    let mut last: Option<(f64, f64)> = None;
    for (player, value) in players {
        let (low, high) = bounds(&value);
        match (last, parts.last_mut()) {
            (Some((min, max)), Some((part, is_decided))) if low <= max => {
                part.push(player);
                *is_decided &= low == high && (low, high) == (min, max);
                last = Some((min, max.max(high)));
            }
            _ => {
                parts.push((vec![player], true));
                last = Some((low, high));
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by player, for one tie-break.
    struct Fixed(Vec<TieBreakValue>);

    impl TieBreakSource for Fixed {
        type Error = std::convert::Infallible;

        fn values(&mut self, _: TieBreak, tied: &[usize]) -> Result<Vec<TieBreakValue>, Self::Error> {
            Ok(tied.iter().map(|player| self.0[*player]).collect())
        }
    }

    fn ranked(values: Vec<TieBreakValue>, tie_breaks: &[TieBreak]) -> Ranking {
        rank(&vec![1.0; values.len()], tie_breaks, &mut Fixed(values)).unwrap()
    }

    #[test]
    fn the_shortest_win_leads_and_no_win_is_last() {
        let length = |min, max| TieBreakValue::Length(Some(WinLength { min, max }));
        let values = vec![
            TieBreakValue::Length(None),
            length(40, Some(40)),
            length(31, Some(31)),
            length(40, Some(40)),
            TieBreakValue::Length(None),
        ];
        let found = ranked(values, &[TieBreak::ShortestWin]);
        assert_eq!(found.classes, [vec![2], vec![1, 3], vec![0, 4]]);
        assert_eq!(found.undecided, [0; 0]);
    }

    #[test]
    fn overlapping_bounds_are_undecided_and_not_decided_by_later_tie_breaks() {
        let length = |min, max| TieBreakValue::Length(Some(WinLength { min, max }));
        // Player 0 may have won in 20 plies or more, player 1 in 25; player 2 in 18.
        let values = vec![length(20, None), length(25, Some(25)), length(18, Some(18))];
        let found = ranked(values, &[TieBreak::ShortestWin, TieBreak::Wins]);
        assert_eq!(found.classes, [vec![2], vec![0, 1]]);
        assert_eq!(found.undecided, [0, 1]);
        assert_eq!(found.values[0][1], TieBreakValue::Unused);
        // Bounds that only touch are undecided, too: 20 to 25 against 25.
        let found = ranked(vec![length(25, Some(25)), length(20, Some(25))], &[TieBreak::ShortestWin]);
        assert_eq!((found.classes.len(), found.undecided.len()), (1, 2));
    }
}
