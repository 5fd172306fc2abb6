//! Numbers of players by their side.

use super::league::Pairing;

/// A number for each player with the attackers, and one with the defenders. In loops over pairings, they need half as many
/// memory accesses as strengths and side skills.
#[derive(Debug, Clone)]
pub(super) struct SideTerms {
    pub(super) attackers: Vec<f64>,
    pub(super) defenders: Vec<f64>,
}

impl SideTerms {
    pub(super) fn zero(n_players: usize) -> SideTerms {
        SideTerms { attackers: vec![0.0; n_players], defenders: vec![0.0; n_players] }
    }

    /// Returns the sum for a pairing.
    #[inline]
    pub(super) fn of_pairing(&self, pairing: &Pairing) -> f64 {
        self.attackers[pairing.attackers as usize] + self.defenders[pairing.defenders as usize]
    }

    /// Adds a multiple of other numbers.
    pub(super) fn add_scaled(&mut self, factor: f64, other: &SideTerms) {
        add_scaled(&mut self.attackers, factor, &other.attackers);
        add_scaled(&mut self.defenders, factor, &other.defenders);
    }

    /// Returns the sum of the products with other numbers.
    pub(super) fn dot(&self, other: &SideTerms) -> f64 {
        dot(&self.attackers, &other.attackers) + dot(&self.defenders, &other.defenders)
    }
}

/// Returns the sum of the products of numbers.
pub(super) fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(one, two)| one * two).sum()
}

/// Adds a multiple of numbers to others.
pub(super) fn add_scaled(to: &mut [f64], factor: f64, numbers: &[f64]) {
    to.iter_mut().zip(numbers).for_each(|(to, number)| *to += factor * number);
}
