//! The design effect of a proportion that grows.

use super::{HitSums, SharedPlayers};

/// The hits among all games of [`SharedPlayers`], to which others are added one by one, such as the games that have ended by
/// a ply. The design effect is known after each, in constant time.
#[derive(Debug, Clone)]
pub struct GrowingHits<'s> {
    shared: &'s SharedPlayers,
    /// The number of hits.
    hits: f64,
    /// The number of hits without two players.
    alone: f64,
    /// The number of hits of each player, and of each pair that is not single.
    hits_of: [Vec<u32>; 2],
    /// Their sums.
    sums: [HitSums; 2],
}

impl GrowingHits<'_> {
    /// Starts without hits.
    pub fn new(shared: &SharedPlayers) -> GrowingHits<'_> {
        let hits_of = shared.n_of.each_ref().map(|sizes| vec![0; sizes.n_of.len()]);
        GrowingHits { shared, hits: 0.0, alone: 0.0, hits_of, sums: [HitSums::default(); 2] }
    }

    /// Adds a game, which was not a hit before, by its index.
    pub fn add(&mut self, game: u32) {
        self.hits += 1.0;
        let Some(game) = self.shared.pair_of(game) else {
            self.alone += 1.0;
            return;
        };
        let [one, two] = game.players.map(|player| Some(player as usize));
        for (kind, group) in [(0, one), (0, two), (1, game.pair())] {
            let Some(group) = group else {
                self.sums[kind].add_single(1.0);
                continue;
            };
            let hits = &mut self.hits_of[kind][group];
            self.sums[kind].squares += 2.0 * f64::from(*hits) + 1.0;
            self.sums[kind].products += self.shared.n_of[kind].n_of[group];
            *hits += 1;
        }
    }

    /// Returns the design effect of the proportion of hits among all games; `None` for fewer than two games, and while none or
    /// all are hits.
    pub fn design_effect(&self) -> Option<f64> {
        self.shared.effect_of_sums(self.hits, self.alone, self.sums)
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    #[test]
    fn each_hit_gives_the_design_effect_of_all_hits_so_far() {
        let mut rng = Rng::new(6);
        let games: Vec<Option<[u32; 2]>> = (0..200)
            .map(|_| (rng.below(9) > 0).then(|| [rng.below(12) as u32, 12 + rng.below(12) as u32]))
            .collect();
        let shared = SharedPlayers::of(games.iter().copied());
        let mut hits = GrowingHits::new(&shared);
        assert_eq!(hits.design_effect(), None);
        let mut added = Vec::new();
        // Games of the first players end first, so that ends depend on players.
        let mut order: Vec<u32> = (0..200).collect();
        order.sort_by_key(|game| games[*game as usize].map_or(99, |players| players[0]));
        let mut max: f64 = 1.0;
        for game in order {
            hits.add(game);
            added.push(game);
            let (grown, direct) = (hits.design_effect(), shared.design_effect(&added));
            assert_eq!(grown.is_some(), added.len() < 200);
            let difference = grown.unwrap_or(1.0) - direct.unwrap_or(1.0);
            assert!(difference.abs() < 1e-9, "{grown:?} {direct:?}");
            max = max.max(grown.unwrap_or(1.0));
        }
        assert!(max > 3.0, "{max}");
    }
}
