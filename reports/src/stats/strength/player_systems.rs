//! Systems of linear equations for the effects of players only, with fixed sides and draws: several right-hand sides at once, because most
//! of the time of a product is that of reading the pairings.

use std::ops::Range;

use super::side_terms::{SideTerms, add_scaled, dot};
use super::sums::by_halves;
use super::system::{MAX_ITERATIONS, System, is_solved};
use super::unknowns::{add_terms, terms};

/// The terms of `x` of a pairing: 1 in a group if one is given, and those of both players.
pub(super) type PairingVector<'v> = (Option<usize>, &'v SideTerms);

/// The maximum number of vectors that are multiplied at once: with more, their numbers would take too much of the cache.
const AT_ONCE: usize = 4;

impl System<'_> {
    /// Solves the system for the effects of players by conjugate gradients, up to a small residual relative to the right-hand side, for
    /// each right-hand side. The solutions of similar systems as warm starts, or else zeros, save iterations.
    pub(super) fn solve_players(&self, solutions: &mut [Vec<f64>], rhs: Vec<Vec<f64>>, precision: f64) {
        let preconditioner: Vec<f64> = self.diagonal.players.iter().map(|number| 1.0 / number).collect();
        let is_warm = solutions.iter().flatten().any(|number| *number != 0.0);
        let starts: Vec<&[f64]> = solutions.iter().map(Vec::as_slice).collect();
        let products = if is_warm { self.player_products(&starts) } else { Vec::new() };
        let mut products = products.into_iter();
        let mut all: Vec<ConjugateGradients<'_>> = Vec::new();
        for (rhs, solution) in rhs.into_iter().zip(solutions) {
            let target = squared_norm(&rhs, &preconditioner) * precision * precision;
            let mut residual = rhs;
            if let Some(product) = products.next() {
                add_scaled(&mut residual, -1.0, &product);
            }
            let direction = residual.iter().zip(&preconditioner).map(|(number, factor)| number * factor);
            let (direction, norm) = (direction.collect(), squared_norm(&residual, &preconditioner));
            all.push(ConjugateGradients { solution, residual, direction, norm, target });
        }
        for _ in 0..MAX_ITERATIONS {
            all.retain(|own| !is_solved(own.norm, own.target));
            if all.is_empty() {
                break;
            }
            let directions: Vec<&[f64]> = all.iter().map(|own| own.direction.as_slice()).collect();
            let products = self.player_products(&directions);
            all.iter_mut().zip(products).for_each(|(own, product)| own.step(&product, &preconditioner));
        }
    }

    /// Returns the products of the matrix for the effects of players with vectors.
    fn player_products(&self, vectors: &[&[f64]]) -> Vec<Vec<f64>> {
        let side_terms: Vec<SideTerms> = vectors.iter().map(|vector| terms(vector)).collect();
        let pulls =
            self.information_products(&side_terms.iter().map(|terms| (None, terms)).collect::<Vec<_>>());
        let product = |(vector, pulls): (&&[f64], SideTerms)| {
            let precisions = self.sds().precisions(self.league().n_players);
            let mut product: Vec<f64> =
                vector.iter().zip(precisions).map(|(number, precision)| precision * number).collect();
            add_terms(&mut product, &pulls);
            product
        };
        vectors.iter().zip(pulls).map(product).collect()
    }

    /// Returns, for each vector, the sums over the pairings of each player of the information times `x`.
    pub(super) fn information_products(&self, vectors: &[PairingVector<'_>]) -> Vec<SideTerms> {
        let of_chunk = |vectors: &[PairingVector<'_>]| match *vectors {
            [one] => self.products_at_once([one]),
            [one, two] => self.products_at_once([one, two]),
            [one, two, three] => {
                let mut found = self.products_at_once([one, two, three, three]);
                found.truncate(3);
                found
            }
            [one, two, three, four] => self.products_at_once([one, two, three, four]),
            _ => unreachable!("chunks have at most {AT_ONCE} vectors"),
        };
        vectors.chunks(AT_ONCE).flat_map(of_chunk).collect()
    }

    fn products_at_once<const N: usize>(&self, vectors: [PairingVector<'_>; N]) -> Vec<SideTerms> {
        let (mut products, more) =
            by_halves(self.league().pairings().len(), |pairings| self.products_of_part(&vectors, pairings));
        for (product, more) in products.iter_mut().zip(more.unwrap_or_default()) {
            product.add_scaled(1.0, &more);
        }
        products
    }

    fn products_of_part<const N: usize>(
        &self,
        vectors: &[PairingVector<'_>; N],
        pairings: Range<usize>,
    ) -> Vec<SideTerms> {
        let league = self.league();
        let mut products: Vec<SideTerms> = (0..N).map(|_| SideTerms::zero(league.n_players)).collect();
        // The terms and the sums of each player with the defenders, near each other in memory.
        let mut of_defenders: Vec<[[f64; N]; 2]> = (0..league.n_players)
            .map(|player| [vectors.map(|(_, terms)| terms.defenders[player]), [0.0; N]])
            .collect();
        for run in league.runs(pairings) {
            let own = vectors.map(|(group, terms)| {
                terms.attackers[run.attackers] + if group == Some(run.group) { 1.0 } else { 0.0 }
            });
            let mut sum = [0.0; N];
            let weights = &self.weights()[run.pairings.clone()];
            for (defenders, weight) in league.defenders()[run.pairings].iter().zip(weights) {
                let [terms, sums] = &mut of_defenders[*defenders as usize];
                for at in 0..N {
                    let pull = weight * (own[at] + terms[at]);
                    sums[at] += pull;
                    sum[at] += pull;
                }
            }
            products.iter_mut().zip(sum).for_each(|(product, sum)| product.attackers[run.attackers] += sum);
        }
        for (at, product) in products.iter_mut().enumerate() {
            for (to, [_, sums]) in product.defenders.iter_mut().zip(&of_defenders) {
                *to = sums[at];
            }
        }
        products
    }
}

/// Returns the squared norm of a residual, given the inverse of the diagonal.
fn squared_norm(residual: &[f64], preconditioner: &[f64]) -> f64 {
    residual.iter().zip(preconditioner).map(|(number, factor)| number * (number * factor)).sum()
}

/// The state of a solution.
struct ConjugateGradients<'s> {
    solution: &'s mut Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    /// The squared norm of the residual, and that at which the system is solved.
    norm: f64,
    target: f64,
}

impl ConjugateGradients<'_> {
    /// Takes a step; `product` is that of the matrix and the direction.
    fn step(&mut self, product: &[f64], preconditioner: &[f64]) {
        let step = self.norm / dot(&self.direction, product);
        add_scaled(self.solution, step, &self.direction);
        let mut next = 0.0;
        for ((residual, product), factor) in self.residual.iter_mut().zip(product).zip(preconditioner) {
            *residual -= step * product;
            next += *residual * (*residual * factor);
        }
        let ratio = next / self.norm;
        for ((direction, residual), factor) in
            self.direction.iter_mut().zip(&self.residual).zip(preconditioner)
        {
            *direction = ratio * *direction + residual * factor;
        }
        self.norm = next;
    }
}
