//! A network during training: all weights as floats in one vector, with the forward and the
//! backward pass.

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
const HEAD_LENGTH: usize = AT_BASE + 1;

// The weights of a head have the order of the file.
const _: () = assert!(HEAD_LENGTH == NetworkHead::LENGTH);

/// The maximum absolute value of a weight of the first layer. Sums of up to 66 active inputs then
/// fit in 16 bits.
const MAX_WEIGHT: f32 = 1.9;

/// The weights of a network: the filters by input, the filters' biases, and both heads.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub(super) weights: Vec<f32>,
    n_inputs: usize,
    n_images: usize,
    /// The image of each input under each symmetry, grouped by input.
    images: Vec<u32>,
}

impl Model {
    pub(super) fn new(inputs: &NetworkInputs, rng: &mut Rng) -> Model {
        let (n_inputs, n_images) = (inputs.count(), inputs.n_images());
        let images = (0..n_inputs)
            .flat_map(|input| (0..n_images).map(move |symmetry| inputs.image(symmetry, input) as u32));
        let mut model = Model {
            weights: vec![0.0; (n_inputs + 1) * FILTERS + 2 * HEAD_LENGTH],
            n_inputs,
            n_images,
            images: images.collect(),
        };
        let mut around = |most: f32| (2.0 * rng.unit() as f32 - 1.0) * most;
        let at_heads = model.at_head(0);
        model.weights[..n_inputs * FILTERS].iter_mut().for_each(|weight| *weight = around(0.12));
        model.weights[n_inputs * FILTERS..at_heads].iter_mut().for_each(|weight| *weight = 0.3 + around(0.2));
        for head in 0..2 {
            let weights = &mut model.weights[at_heads + head * HEAD_LENGTH..][..HEAD_LENGTH];
            weights[..AT_SIGNALS].iter_mut().for_each(|weight| *weight = around(0.25));
            weights[AT_SIGNALS..AT_BIAS].iter_mut().for_each(|weight| *weight = around(0.1));
            weights[AT_BIAS..AT_HIDDEN].iter_mut().for_each(|weight| *weight = 0.3 + around(0.1));
            weights[AT_HIDDEN..AT_DIRECT].iter_mut().for_each(|weight| *weight = around(0.5));
        }
        model
    }

    fn at_head(&self, head: usize) -> usize {
        (self.n_inputs + 1) * FILTERS + head * HEAD_LENGTH
    }

    fn images(&self, input: u16) -> &[u32] {
        &self.images[usize::from(input) * self.n_images..][..self.n_images]
    }

    /// Clamps the first layer to the range of its integer representation.
    pub(super) fn clip(&mut self) {
        let first = (self.n_inputs + 1) * FILTERS;
        self.weights[..first].iter_mut().for_each(|weight| *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    }

    /// Returns the network with its first layer rounded to integers.
    pub(super) fn network(&self, provenance: NetworkProvenance, scale: f32) -> Network {
        let whole = |weight: &f32| (weight * f32::from(UNIT)).round() as i16;
        let row = |row: &[f32]| -> [i16; FILTERS] { std::array::from_fn(|at| whole(&row[at])) };
        let first = self.n_inputs * FILTERS;
        Network {
            provenance,
            scale,
            filters: self.weights[..first].chunks_exact(FILTERS).map(row).collect(),
            bias: row(&self.weights[first..first + FILTERS]),
            heads: [0, 1].map(|head| NetworkHead::of(&self.weights[self.at_head(head)..][..HEAD_LENGTH])),
        }
    }
}

/// The activations of a forward pass and the accumulated gradient.
#[derive(Debug)]
pub(super) struct ForwardBackward {
    pub(super) gradient: Vec<f32>,
    /// The sums of the filters for each symmetry.
    filter_sums: Vec<[f32; FILTERS]>,
    pools: [f32; POOLS],
    /// The symmetry with the greatest output of each filter.
    argmax: [usize; FILTERS],
    hidden: [f32; HIDDEN],
}

impl ForwardBackward {
    pub(super) fn new(model: &Model) -> ForwardBackward {
        ForwardBackward {
            gradient: vec![0.0; model.weights.len()],
            filter_sums: vec![[0.0; FILTERS]; model.n_images],
            pools: [0.0; POOLS],
            argmax: [0; FILTERS],
            hidden: [0.0; HIDDEN],
        }
    }

    /// Forward pass: returns the output of the network as a logit.
    pub(super) fn output(&mut self, model: &Model, example: &TrainingExample) -> f32 {
        self.pool(model, example);
        let head = &model.weights[model.at_head(usize::from(example.head))..][..HEAD_LENGTH];
        self.hidden.copy_from_slice(&head[AT_BIAS..AT_HIDDEN]);
        for (pool, weights) in self.pools.iter().zip(head.chunks_exact(HIDDEN)) {
            add(&mut self.hidden, weights, *pool);
        }
        let mut output = head[AT_BASE];
        for signal in &example.signals {
            let signal = usize::from(*signal);
            add(&mut self.hidden, &head[AT_SIGNALS + signal * HIDDEN..][..HIDDEN], 1.0);
            output += head[AT_DIRECT + signal];
        }
        for (value, weight) in self.hidden.iter().zip(&head[AT_HIDDEN..AT_DIRECT]) {
            output += value.clamp(0.0, 1.0) * weight;
        }
        output
    }

    fn pool(&mut self, model: &Model, example: &TrainingExample) {
        let first = model.n_inputs * FILTERS;
        let bias = &model.weights[first..first + FILTERS];
        self.filter_sums.iter_mut().for_each(|filter_sums| filter_sums.copy_from_slice(bias));
        for input in &example.inputs {
            for (filter_sums, image) in self.filter_sums.iter_mut().zip(model.images(*input)) {
                add_row(filter_sums, &model.weights[*image as usize * FILTERS..][..FILTERS]);
            }
        }
        self.pools = [0.0; POOLS];
        self.argmax = [0; FILTERS];
        let share = 1.0 / model.n_images as f32;
        for (image, filter_sums) in self.filter_sums.iter().enumerate() {
            for (filter, output) in filter_sums.iter().enumerate() {
                let clipped = output.clamp(0.0, 1.0);
                self.pools[filter] += clipped * share;
                if clipped > self.pools[FILTERS + filter] {
                    self.pools[FILTERS + filter] = clipped;
                    self.argmax[filter] = image;
                }
            }
        }
    }

    /// Forward and backward pass: adds the gradient of an example and returns its loss.
    pub(super) fn backpropagate(&mut self, model: &Model, example: &TrainingExample) -> f32 {
        let logit = self.output(model, example);
        let gradient = (sigmoid(logit) - example.target) * example.weight;
        let at = model.at_head(usize::from(example.head));
        let head = &model.weights[at..][..HEAD_LENGTH];
        let gradients = &mut self.gradient[at..][..HEAD_LENGTH];
        let mut of_hidden = [0.0; HIDDEN];
        for cell in 0..HIDDEN {
            let value = self.hidden[cell];
            gradients[AT_HIDDEN + cell] += gradient * value.clamp(0.0, 1.0);
            // A small gradient outside of the range, so that a saturated unit can recover.
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
        for (image, filter_sums) in self.filter_sums.iter_mut().enumerate() {
            for filter in 0..FILTERS {
                let is_greatest = self.argmax[filter] == image;
                let gradient =
                    of_pools[filter] * share + if is_greatest { of_pools[FILTERS + filter] } else { 0.0 };
                let open = if (0.0..1.0).contains(&filter_sums[filter]) { 1.0 } else { 0.0 };
                filter_sums[filter] = gradient * open;
            }
            add_row(&mut self.gradient[at_bias..at_bias + FILTERS], filter_sums);
        }
        for input in &example.inputs {
            for (gradients, image) in self.filter_sums.iter().zip(model.images(*input)) {
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
