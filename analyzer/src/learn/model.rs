//! A network while it is trained: all weights as floats in one row, and the way there and back.

use tafl_rules::Rng;

use super::example::TrainingExample;
use super::optimizer::{cross_entropy, sigmoid};
use crate::net::signals::COUNT as SIGNALS;
use crate::net::{FILTERS, HIDDEN, Network, NetworkHead, NetworkInputs, NetworkProvenance, POOLS, UNIT};

const POOL_WEIGHTS: usize = POOLS * HIDDEN;
const SIGNAL_WEIGHTS: usize = SIGNALS * HIDDEN;
const AT_SIGNALS: usize = POOL_WEIGHTS;
const AT_BIAS: usize = AT_SIGNALS + SIGNAL_WEIGHTS;
const AT_HIDDEN: usize = AT_BIAS + HIDDEN;
const AT_DIRECT: usize = AT_HIDDEN + HIDDEN;
const AT_BASE: usize = AT_DIRECT + SIGNALS;
const OF_HEAD: usize = AT_BASE + 1;

// The weights of a head lie as the file has them.
const _: () = assert!(OF_HEAD == NetworkHead::LENGTH);

/// No weight of the first layer is further from 0 than this, so that sums of 16 bits do not overflow where up to 66 inputs
/// are on.
const MOST: f32 = 1.9;

/// The weights of a network: inputs by filters, the filters' biases, then both heads.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub(super) weights: Vec<f32>,
    n_inputs: usize,
    n_images: usize,
    /// Where each symmetry takes each input, the images of an input together.
    images: Vec<u32>,
}

impl Model {
    pub(super) fn new(inputs: &NetworkInputs, rng: &mut Rng) -> Model {
        let (n_inputs, n_images) = (inputs.count(), inputs.n_images());
        let images = (0..n_inputs)
            .flat_map(|input| (0..n_images).map(move |symmetry| inputs.image(symmetry, input) as u32));
        let mut model = Model {
            weights: vec![0.0; (n_inputs + 1) * FILTERS + 2 * OF_HEAD],
            n_inputs,
            n_images,
            images: images.collect(),
        };
        let mut around = |most: f32| (2.0 * rng.unit() as f32 - 1.0) * most;
        let at_heads = model.at_head(0);
        model.weights[..n_inputs * FILTERS].iter_mut().for_each(|weight| *weight = around(0.12));
        model.weights[n_inputs * FILTERS..at_heads].iter_mut().for_each(|weight| *weight = 0.3 + around(0.2));
        for head in 0..2 {
            let weights = &mut model.weights[at_heads + head * OF_HEAD..][..OF_HEAD];
            weights[..AT_SIGNALS].iter_mut().for_each(|weight| *weight = around(0.25));
            weights[AT_SIGNALS..AT_BIAS].iter_mut().for_each(|weight| *weight = around(0.1));
            weights[AT_BIAS..AT_HIDDEN].iter_mut().for_each(|weight| *weight = 0.3 + around(0.1));
            weights[AT_HIDDEN..AT_DIRECT].iter_mut().for_each(|weight| *weight = around(0.5));
        }
        model
    }

    fn at_head(&self, head: usize) -> usize {
        (self.n_inputs + 1) * FILTERS + head * OF_HEAD
    }

    fn images(&self, input: u16) -> &[u32] {
        &self.images[usize::from(input) * self.n_images..][..self.n_images]
    }

    /// Keeps the first layer within what its whole numbers can say.
    pub(super) fn clip(&mut self) {
        let first = (self.n_inputs + 1) * FILTERS;
        self.weights[..first].iter_mut().for_each(|weight| *weight = weight.clamp(-MOST, MOST));
    }

    /// Returns the network, its first layer in whole numbers.
    pub(super) fn network(&self, provenance: NetworkProvenance, scale: f32) -> Network {
        let whole = |weight: &f32| (weight * f32::from(UNIT)).round() as i16;
        let row = |row: &[f32]| -> [i16; FILTERS] { std::array::from_fn(|at| whole(&row[at])) };
        let first = self.n_inputs * FILTERS;
        Network {
            provenance,
            scale,
            filters: self.weights[..first].chunks_exact(FILTERS).map(row).collect(),
            bias: row(&self.weights[first..first + FILTERS]),
            heads: [0, 1].map(|head| NetworkHead::of(&self.weights[self.at_head(head)..][..OF_HEAD])),
        }
    }
}

/// What is worked out on the way through a network, and the gradients on the way back.
#[derive(Debug)]
pub(super) struct Pass {
    pub(super) gradient: Vec<f32>,
    /// For each symmetry what the filters add up to.
    answers: Vec<[f32; FILTERS]>,
    pools: [f32; POOLS],
    /// Which symmetry has the greatest answer of each filter.
    greatest: [usize; FILTERS],
    hidden: [f32; HIDDEN],
}

impl Pass {
    pub(super) fn new(model: &Model) -> Pass {
        Pass {
            gradient: vec![0.0; model.weights.len()],
            answers: vec![[0.0; FILTERS]; model.n_images],
            pools: [0.0; POOLS],
            greatest: [0; FILTERS],
            hidden: [0.0; HIDDEN],
        }
    }

    /// Returns the answer of a network as a logit.
    pub(super) fn answer(&mut self, model: &Model, example: &TrainingExample) -> f32 {
        self.pool(model, example);
        let head = &model.weights[model.at_head(usize::from(example.head))..][..OF_HEAD];
        self.hidden.copy_from_slice(&head[AT_BIAS..AT_HIDDEN]);
        for (pool, weights) in self.pools.iter().zip(head.chunks_exact(HIDDEN)) {
            add(&mut self.hidden, weights, *pool);
        }
        let mut answer = head[AT_BASE];
        for signal in &example.signals {
            let signal = usize::from(*signal);
            add(&mut self.hidden, &head[AT_SIGNALS + signal * HIDDEN..][..HIDDEN], 1.0);
            answer += head[AT_DIRECT + signal];
        }
        for (value, weight) in self.hidden.iter().zip(&head[AT_HIDDEN..AT_DIRECT]) {
            answer += value.clamp(0.0, 1.0) * weight;
        }
        answer
    }

    fn pool(&mut self, model: &Model, example: &TrainingExample) {
        let first = model.n_inputs * FILTERS;
        let bias = &model.weights[first..first + FILTERS];
        self.answers.iter_mut().for_each(|answers| answers.copy_from_slice(bias));
        for input in &example.inputs {
            for (answers, image) in self.answers.iter_mut().zip(model.images(*input)) {
                add_row(answers, &model.weights[*image as usize * FILTERS..][..FILTERS]);
            }
        }
        self.pools = [0.0; POOLS];
        self.greatest = [0; FILTERS];
        let share = 1.0 / model.n_images as f32;
        for (image, answers) in self.answers.iter().enumerate() {
            for (filter, answer) in answers.iter().enumerate() {
                let clipped = answer.clamp(0.0, 1.0);
                self.pools[filter] += clipped * share;
                if clipped > self.pools[FILTERS + filter] {
                    self.pools[FILTERS + filter] = clipped;
                    self.greatest[filter] = image;
                }
            }
        }
    }

    /// Adds the gradients of a example to the gradient and returns its loss.
    pub(super) fn learn(&mut self, model: &Model, example: &TrainingExample) -> f32 {
        let logit = self.answer(model, example);
        let gradient = (sigmoid(logit) - example.target) * example.weight;
        let at = model.at_head(usize::from(example.head));
        let head = &model.weights[at..][..OF_HEAD];
        let gradients = &mut self.gradient[at..][..OF_HEAD];
        let mut of_hidden = [0.0; HIDDEN];
        for cell in 0..HIDDEN {
            let value = self.hidden[cell];
            gradients[AT_HIDDEN + cell] += gradient * value.clamp(0.0, 1.0);
            // A little gradient outside, so that no cell is lost for good.
            let open = if (0.0..1.0).contains(&value) { 1.0 } else { 0.01 };
            of_hidden[cell] = gradient * head[AT_HIDDEN + cell] * open;
        }
        gradients[AT_BASE] += gradient;
        add_row(&mut gradients[AT_BIAS..AT_HIDDEN], &of_hidden);
        for signal in &example.signals {
            let signal = usize::from(*signal);
            gradients[AT_DIRECT + signal] += gradient;
            add_row(&mut gradients[AT_SIGNALS + signal * HIDDEN..][..HIDDEN], &of_hidden);
        }
        let mut of_pools = [0.0; POOLS];
        for pool in 0..POOLS {
            let weights = &head[pool * HIDDEN..][..HIDDEN];
            of_pools[pool] = weights.iter().zip(&of_hidden).map(|(weight, gradient)| weight * gradient).sum();
            let value = self.pools[pool];
            add_scaled(&mut gradients[pool * HIDDEN..][..HIDDEN], &of_hidden, value);
        }
        self.back_to_filters(model, example, &of_pools);
        cross_entropy(logit, example.target) * example.weight
    }

    fn back_to_filters(&mut self, model: &Model, example: &TrainingExample, of_pools: &[f32; POOLS]) {
        let share = 1.0 / model.n_images as f32;
        let at_bias = model.n_inputs * FILTERS;
        for (image, answers) in self.answers.iter_mut().enumerate() {
            for filter in 0..FILTERS {
                let is_greatest = self.greatest[filter] == image;
                let gradient =
                    of_pools[filter] * share + if is_greatest { of_pools[FILTERS + filter] } else { 0.0 };
                let open = if (0.0..1.0).contains(&answers[filter]) { 1.0 } else { 0.0 };
                answers[filter] = gradient * open;
            }
            add_row(&mut self.gradient[at_bias..at_bias + FILTERS], answers);
        }
        for input in &example.inputs {
            for (gradients, image) in self.answers.iter().zip(model.images(*input)) {
                add_row(&mut self.gradient[*image as usize * FILTERS..][..FILTERS], gradients);
            }
        }
    }
}

#[inline]
fn add(sums: &mut [f32; HIDDEN], weights: &[f32], value: f32) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight * value;
    }
}

#[inline]
fn add_scaled(sums: &mut [f32], row: &[f32; HIDDEN], value: f32) {
    for (sum, other) in sums.iter_mut().zip(row) {
        *sum += other * value;
    }
}

#[inline]
fn add_row(sums: &mut [f32], row: &[f32]) {
    for (sum, other) in sums[..FILTERS].iter_mut().zip(&row[..FILTERS]) {
        *sum += other;
    }
}
