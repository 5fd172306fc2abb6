//! A network prepared for one rule set.

use std::sync::OnceLock;

use tafl_rules::{Bitboard, Cell, Piece, Position, Rulebook, Side};

use super::inputs::{KingRelation, NetworkInputs};
use super::{HIDDEN_1, HIDDEN_2, LayerStack, N_BUCKETS, Network, RowSums, TABLE_UNIT, bucket};
use crate::eval_term::{EvalTerm, Features, N_TERMS};
use crate::facts::NodeFacts;

/// The integer that represents 1 in the sums of rows.
const UNIT: f32 = 128.0;

/// The maximum absolute correction, in hundredths: far more than that of a sound network. A file can have any weights, and sums of
/// scores must not overflow.
const MAX_CORRECTION: f32 = 1e6;

/// The sum of the rows of each kind of piece and each cell, for one place of a king.
type PieceRows = Box<[[i16; HIDDEN_1]]>;

/// A network prepared for one rule set.
#[derive(Debug)]
pub(crate) struct CompiledNet<const N: usize> {
    inputs: NetworkInputs,
    table: Vec<[i16; HIDDEN_1]>,
    pieces: Vec<Piece>,
    /// The largest absolute value of a row, so that sums do not overflow.
    max_row: i32,
    /// For each side with a royal king, the rows for each cell of that king, and last those without a king. Those of the
    /// first side also have what depends on no king. They are computed when they are needed first.
    rows: Vec<(Side, Vec<OnceLock<PieceRows>>)>,
    bias: [f32; HIDDEN_1],
    terms: [[f32; HIDDEN_1]; N_TERMS],
    stacks: [[LayerStack; N_BUCKETS]; 2],
    n_at_start: u32,
    scale: f32,
    /// The correction at the start, which is subtracted so that the start scores zero.
    at_start: i32,
}

impl<const N: usize> CompiledNet<N> {
    /// Prepares a network for rules. `features` are the counts of the terms at the start, which all but the right to move are
    /// relative to.
    pub(crate) fn new(network: &Network, book: &Rulebook<N>, features: &Features) -> CompiledNet<N> {
        let inputs = NetworkInputs::of(book.rules());
        let n_cells = book.shape().n_cells();
        let start = book.start();
        let with_king = [Side::Defenders, Side::Attackers]
            .into_iter()
            .filter(|side| *side == Side::Defenders || book.royal_king(&start, *side).is_some());
        let rows = with_king.map(|side| (side, (0..=n_cells).map(|_| OnceLock::new()).collect()));
        let rows: Vec<(Side, Vec<OnceLock<PieceRows>>)> = rows.collect();
        let mut bias = network.bias;
        for input in inputs.rules() {
            let row = network.table[usize::from(*input)];
            bias.iter_mut().zip(row).for_each(|(sum, weight)| *sum += f32::from(weight) / TABLE_UNIT);
        }
        for (term, weights) in
            network.terms.iter().enumerate().filter(|(term, _)| *term != EvalTerm::Tempo.index())
        {
            add_scaled(&mut bias, weights, -features[term] as f32);
        }
        let n_at_start = start.occupied().count();
        let mut net = CompiledNet {
            max_row: i32::from(i16::MAX) / (rows.len() as i32 * (n_at_start as i32 + 1)),
            rows,
            inputs,
            table: network.table.clone(),
            pieces: book.pieces().iter().collect(),
            bias,
            terms: network.terms,
            stacks: network.stacks.clone(),
            n_at_start,
            scale: network.scale,
            at_start: 0,
        };
        net.at_start = net.correction(&start, features, &NodeFacts::of(book, &start), &mut RowSums::new());
        net
    }

    /// Returns the correction of the sum of the terms, in hundredths, relative to the attackers. `features` are the counts of the
    /// terms, not relative to the start. `row_sums` has the sums of rows of earlier positions; they save time and do not affect the
    /// result.
    #[inline]
    pub(crate) fn correction(
        &self,
        pos: &Position<N>,
        features: &Features,
        facts: &NodeFacts<N>,
        row_sums: &mut RowSums<N>,
    ) -> i32 {
        let sums = self.sum_rows(pos, facts, row_sums);
        let mut hidden = self.bias;
        for unit in 0..HIDDEN_1 {
            hidden[unit] += f32::from(sums[unit]) * (1.0 / UNIT);
        }
        add_terms(&mut hidden, &self.terms, features);
        let bucket = bucket(pos.occupied().count(), self.n_at_start);
        let output = self.stacks[pos.to_move().index()][bucket].output(&hidden);
        let hundredths = (output * self.scale).clamp(-MAX_CORRECTION, MAX_CORRECTION);
        // Like `round`, which calls a library function if the target has no instruction for it (x86-64 before SSE 4.1).
        (hundredths + 0.5_f32.copysign(hundredths)) as i32 - self.at_start
    }

    /// Returns the sums of the rows of all pieces.
    #[inline]
    fn sum_rows(
        &self,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        row_sums: &mut RowSums<N>,
    ) -> [i16; HIDDEN_1] {
        let king_of = |side: Side| facts.king(side).map(|king| king.cell);
        let n_cells = self.rows[0].1.len() - 1;
        let king_index = |king: Option<Cell>| king.map_or(n_cells, Cell::index);
        let first_king = king_index(king_of(self.rows[0].0));
        let second_king = self.rows.get(1).and_then(|(side, _)| king_of(*side));
        let entry = row_sums.entry(first_king, second_king, n_cells + 1, self.pieces.len());
        for (number, piece) in self.pieces.iter().enumerate() {
            let (placed, now) = (entry.placed[number], pos.pieces(*piece));
            if placed == now {
                continue;
            }
            entry.placed[number] = now;
            for (side, tables) in &self.rows {
                let king = king_of(*side);
                let rows = tables[king_index(king)].get_or_init(|| self.rows_for(*side, king));
                let rows = &rows[number * n_cells..(number + 1) * n_cells];
                change_rows(&mut entry.sums, rows, placed.without(now), now.without(placed));
            }
        }
        entry.sums
    }

    /// Returns the rows for one place of a side's king.
    fn rows_for(&self, side: Side, king: Option<Cell>) -> PieceRows {
        let relation: Option<KingRelation> = king.map(|king| self.inputs.king_relation(side, king));
        let is_first = self.rows[0].0 == side;
        let n_cells = self.rows[0].1.len() - 1;
        let row = |piece: Piece, cell: Cell| {
            let mut sums = [0_i32; HIDDEN_1];
            let mut add = |input: usize| {
                sums.iter_mut().zip(self.table[input]).for_each(|(sum, weight)| *sum += i32::from(weight));
            };
            if is_first {
                self.inputs.of_piece(piece, cell, &mut add);
            }
            if let Some(relation) = &relation {
                self.inputs.of_piece_and_king(piece, cell, relation, &mut add);
            }
            sums.map(|sum| {
                let value = (sum as f32 * (UNIT / TABLE_UNIT)).round() as i32;
                value.clamp(-self.max_row, self.max_row) as i16
            })
        };
        let pieces = self.pieces.iter();
        pieces
            .flat_map(|piece| (0..n_cells).map(move |cell| (*piece, Cell::new(cell))))
            .map(|(piece, cell)| row(piece, cell))
            .collect()
    }
}

impl LayerStack {
    /// Returns the output for the sums of the hidden layer.
    #[inline]
    fn output(&self, hidden: &[f32; HIDDEN_1]) -> f32 {
        let mut hidden_2 = self.bias;
        add_hidden(&mut hidden_2, &self.hidden_2, hidden);
        let active = hidden_2.iter().zip(&self.output).map(|(sum, weight)| sum.max(0.0) * weight);
        self.output_bias + active.sum::<f32>()
    }
}

// The next three functions are never inlined: compilers use whole vector registers for their loops alone, but only halves of them
// if code that needs single numbers follows.

/// Subtracts the rows of a set of cells from sums, and adds those of another. Intermediate sums may overflow; since they wrap
/// around, the final sums are right.
#[inline(never)]
fn change_rows<const N: usize>(
    sums: &mut [i16; HIDDEN_1],
    rows: &[[i16; HIDDEN_1]],
    removed: Bitboard<N>,
    added: Bitboard<N>,
) {
    let mut total = *sums;
    for cell in removed {
        let row = &rows[cell.index()];
        for (sum, weight) in total.iter_mut().zip(row) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
    for cell in added {
        let row = &rows[cell.index()];
        for (sum, weight) in total.iter_mut().zip(row) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    *sums = total;
}

const _: () = assert!(N_TERMS <= 64, "a word has a bit for each term");

/// Adds the terms, most of which are zero, to the sums of the first hidden layer.
#[inline(never)]
fn add_terms(hidden: &mut [f32; HIDDEN_1], terms: &[[f32; HIDDEN_1]; N_TERMS], features: &Features) {
    let mut active = 0_u64;
    for (term, count) in features.iter().enumerate() {
        active |= u64::from(*count != 0) << term;
    }
    let mut kept = *hidden;
    while active != 0 {
        let term = active.trailing_zeros() as usize;
        active &= active - 1;
        add_scaled(&mut kept, &terms[term], features[term] as f32);
    }
    *hidden = kept;
}

/// Adds the active units of the first hidden layer to the sums of the second one.
#[inline(never)]
fn add_hidden(
    hidden_2: &mut [f32; HIDDEN_2],
    weights: &[[f32; HIDDEN_2]; HIDDEN_1],
    hidden: &[f32; HIDDEN_1],
) {
    let mut kept = *hidden_2;
    for (sum, weights) in hidden.iter().zip(weights) {
        add_scaled(&mut kept, weights, sum.max(0.0));
    }
    *hidden_2 = kept;
}

#[inline]
fn add_scaled<const LEN: usize>(sums: &mut [f32; LEN], weights: &[f32; LEN], value: f32) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight * value;
    }
}
