//! Games, summed up by who met whom.

/// Games of a pairing: attackers' wins, draws, defenders' wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Points {
    /// Games that the attackers won.
    pub attackers: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Games that the defenders won.
    pub defenders: u32,
}

impl Points {
    /// Returns how many games there are.
    pub fn n(&self) -> u32 {
        self.attackers + self.draws + self.defenders
    }

    fn add(&mut self, other: &Points) {
        self.attackers += other.attackers;
        self.draws += other.draws;
        self.defenders += other.defenders;
    }
}

/// A game between two players, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// Who played the attackers.
    pub attackers: u32,
    /// Who played the defenders.
    pub defenders: u32,
    /// The group whose advantage the game tells of.
    pub group: u32,
    /// One game, or several of the same kind.
    pub points: Points,
}

/// All games of the same players on the same sides in the same group.
pub type Pairing = Meeting;

/// All games that are looked at together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct League {
    /// How many players there are.
    pub n_players: usize,
    /// How many groups there are.
    pub n_groups: usize,
    pairings: Vec<Pairing>,
}

impl League {
    /// Sums games up. A game of a player against himself says nothing and is left out; so are games with numbers that are
    /// not below the limits.
    pub fn new((n_players, n_groups): (usize, usize), games: impl IntoIterator<Item = Meeting>) -> League {
        let fits = |game: &Meeting| {
            game.attackers != game.defenders
                && (game.attackers.max(game.defenders) as usize) < n_players
                && (game.group as usize) < n_groups
        };
        let mut all: Vec<Meeting> = games.into_iter().filter(fits).collect();
        let key = |game: &Meeting| (game.group, game.attackers, game.defenders);
        all.sort_unstable_by_key(key);
        let mut pairings: Vec<Pairing> = Vec::new();
        for game in all {
            match pairings.last_mut() {
                Some(last) if key(last) == key(&game) => last.points.add(&game.points),
                Some(_) | None => pairings.push(game),
            }
        }
        League { n_players, n_groups, pairings }
    }

    /// Returns the pairings.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Returns the results of all games.
    pub fn total(&self) -> Points {
        let mut total = Points::default();
        self.pairings.iter().for_each(|pairing| total.add(&pairing.points));
        total
    }
}
