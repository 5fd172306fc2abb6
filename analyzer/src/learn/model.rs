//! A network during training: all weights as floats in one vector, with the forward and the
//! backward pass.

use std::ops::Range;

use tafl_rules::Rng;

use super::example::Examples;
use super::optimizer::sigmoid;
use crate::eval_term::N_TERMS;
use crate::net::inputs::N_INPUTS;
use crate::net::{FLOATS, HIDDEN_1, HIDDEN_2, N_BUCKETS, Network, STACK_LENGTH, TABLE_UNIT};

const AT_TERMS: usize = N_INPUTS * HIDDEN_1;
const AT_BIAS: usize = AT_TERMS + N_TERMS * HIDDEN_1;
const AT_STACKS: usize = AT_BIAS + HIDDEN_1;
const N_WEIGHTS: usize = AT_TERMS + FLOATS;

// Within a stack: the second hidden layer, its biases, the output, and its bias.
const AT_HIDDEN_2_BIAS: usize = HIDDEN_2 * HIDDEN_1;
const AT_OUTPUT: usize = AT_HIDDEN_2_BIAS + HIDDEN_2;
const AT_OUTPUT_BIAS: usize = AT_OUTPUT + HIDDEN_2;

/// The weights of a network: the table, the terms, the hidden biases, and the stacks, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub(super) weights: Vec<f32>,
    /// The unit of each term, so that all have similar magnitudes.
    units: [f32; N_TERMS],
    /// The growth of the logit per hundredth of the sum of the terms.
    slope: f32,
}

impl Model {
    /// Creates a network whose correction is zero.
    pub(super) fn new(examples: &Examples, slope: f32, rng: &mut Rng) -> Model {
        let mut around = |most: f32| (2.0 * rng.unit() as f32 - 1.0) * most;
        let mut weights = vec![0.0; N_WEIGHTS];
        weights[..AT_TERMS].iter_mut().for_each(|weight| *weight = around(0.04));
        weights[AT_TERMS..AT_BIAS].iter_mut().for_each(|weight| *weight = around(0.12));
        weights[AT_BIAS..AT_STACKS].fill(0.1);
        for stack in weights[AT_STACKS..].chunks_exact_mut(STACK_LENGTH) {
            stack[..AT_HIDDEN_2_BIAS].iter_mut().for_each(|weight| *weight = around(0.25));
            stack[AT_HIDDEN_2_BIAS..AT_OUTPUT].fill(0.1);
            // The weights of the output stay zero, so that the first correction is zero.
        }
        Model { weights, units: units(examples), slope }
    }

    /// Returns the network with its table rounded to integers.
    pub(super) fn network(&self, training: String) -> Network {
        let whole = |weight: &f32| (weight * TABLE_UNIT).round().clamp(-32_767.0, 32_767.0) as i16;
        let row = |row: &[f32]| -> [i16; HIDDEN_1] { std::array::from_fn(|at| whole(&row[at])) };
        let table = self.weights[..AT_TERMS].chunks_exact(HIDDEN_1).map(row).collect();
        let mut floats = self.weights[AT_TERMS..].to_vec();
        for (weights, unit) in floats.chunks_exact_mut(HIDDEN_1).zip(&self.units) {
            weights.iter_mut().for_each(|weight| *weight /= unit);
        }
        Network::of_floats(training, 1.0 / self.slope, table, &floats)
    }
}

/// Returns the root mean square of each term, at least 0.1.
fn units(examples: &Examples) -> [f32; N_TERMS] {
    let mut sums = [0.0_f64; N_TERMS];
    for terms in &examples.terms {
        sums.iter_mut().zip(terms).for_each(|(sum, count)| *sum += f64::from(*count).powi(2));
    }
    sums.map(|sum| (sum / examples.terms.len().max(1) as f64).sqrt().max(0.1) as f32)
}

/// The activations of a forward pass.
#[derive(Debug)]
struct Activations {
    hidden: [f32; HIDDEN_1],
    hidden_2: [f32; HIDDEN_2],
}

/// The passes over positions, with the accumulated gradient.
#[derive(Debug)]
pub(super) struct ForwardBackward {
    pub(super) gradient: Vec<f32>,
}

/// Returns the place of the stack of a position.
fn at_stack(side: u8, bucket: u8) -> Range<usize> {
    let first = AT_STACKS + (usize::from(side) * N_BUCKETS + usize::from(bucket)) * STACK_LENGTH;
    first..first + STACK_LENGTH
}

/// Forward pass: returns the logit of the attackers' expectation.
pub(super) fn logit(model: &Model, examples: &Examples, at: usize) -> f32 {
    forward(model, examples, at).0
}

fn forward(model: &Model, examples: &Examples, at: usize) -> (f32, Activations) {
    let weights = &model.weights;
    let example = &examples.positions[at];
    let mut hidden = [0.0; HIDDEN_1];
    hidden.copy_from_slice(&weights[AT_BIAS..AT_STACKS]);
    for input in examples.inputs(at) {
        add_row(&mut hidden, &weights[usize::from(*input) * HIDDEN_1..][..HIDDEN_1]);
    }
    for (term, count) in examples.terms[at].iter().enumerate().filter(|(_, count)| **count != 0) {
        let row = &weights[AT_TERMS + term * HIDDEN_1..][..HIDDEN_1];
        add_scaled(&mut hidden, row, f32::from(*count) / model.units[term]);
    }
    let hidden = hidden.map(|sum| sum.max(0.0));
    let stack = &weights[at_stack(example.side, example.bucket)];
    let mut hidden_2 = [0.0; HIDDEN_2];
    hidden_2.copy_from_slice(&stack[AT_HIDDEN_2_BIAS..AT_OUTPUT]);
    for (value, row) in hidden.iter().zip(stack.chunks_exact(HIDDEN_2)) {
        add_scaled(&mut hidden_2, row, *value);
    }
    let hidden_2 = hidden_2.map(|sum| sum.max(0.0));
    let active = hidden_2.iter().zip(&stack[AT_OUTPUT..AT_OUTPUT_BIAS]).map(|(value, weight)| value * weight);
    let output = stack[AT_OUTPUT_BIAS] + active.sum::<f32>();
    (model.slope * f32::from(example.value) + output, Activations { hidden, hidden_2 })
}

impl ForwardBackward {
    pub(super) fn new() -> ForwardBackward {
        ForwardBackward { gradient: vec![0.0; N_WEIGHTS] }
    }

    /// Forward and backward pass: adds the gradient of a position with a target, and returns the logit.
    pub(super) fn backpropagate(
        &mut self,
        model: &Model,
        examples: &Examples,
        at: usize,
        target: f32,
    ) -> f32 {
        let (logit, Activations { hidden, hidden_2 }) = forward(model, examples, at);
        let logit_gradient = sigmoid(logit) - target;
        let example = &examples.positions[at];
        let place = at_stack(example.side, example.bucket);
        let stack = &model.weights[place.clone()];
        let gradient = &mut self.gradient[place];
        gradient[AT_OUTPUT_BIAS] += logit_gradient;
        add_scaled(&mut gradient[AT_OUTPUT..AT_OUTPUT_BIAS], &hidden_2, logit_gradient);
        let of_hidden_2: [f32; HIDDEN_2] = std::array::from_fn(|unit| {
            if hidden_2[unit] > 0.0 { logit_gradient * stack[AT_OUTPUT + unit] } else { 0.0 }
        });
        add_row(&mut gradient[AT_HIDDEN_2_BIAS..AT_OUTPUT], &of_hidden_2);
        let mut of_hidden = [0.0; HIDDEN_1];
        for unit in (0..HIDDEN_1).filter(|unit| hidden[*unit] > 0.0) {
            let row = unit * HIDDEN_2..(unit + 1) * HIDDEN_2;
            add_scaled(&mut gradient[row.clone()], &of_hidden_2, hidden[unit]);
            of_hidden[unit] =
                stack[row].iter().zip(&of_hidden_2).map(|(weight, gradient)| weight * gradient).sum();
        }
        add_row(&mut self.gradient[AT_BIAS..AT_STACKS], &of_hidden);
        for input in examples.inputs(at) {
            add_row(&mut self.gradient[usize::from(*input) * HIDDEN_1..][..HIDDEN_1], &of_hidden);
        }
        for (term, count) in examples.terms[at].iter().enumerate().filter(|(_, count)| **count != 0) {
            let row = &mut self.gradient[AT_TERMS + term * HIDDEN_1..][..HIDDEN_1];
            add_scaled(row, &of_hidden, f32::from(*count) / model.units[term]);
        }
        logit
    }
}

#[inline]
fn add_row(sums: &mut [f32], row: &[f32]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

#[inline]
fn add_scaled(sums: &mut [f32], row: &[f32], factor: f32) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight * factor;
    }
}
