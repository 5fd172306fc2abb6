//! Functions shared by the training of weights and networks: the logistic function, the loss, and
//! Adam.

/// Returns the logistic function of a logit.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns the cross entropy between a logit and a target.
pub(super) fn cross_entropy(logit: f32, target: f32) -> f32 {
    // log(1 + e^x) without overflow.
    let softplus = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
    softplus - target * logit
}

/// The Adam optimizer: steps along the running mean of the gradient, divided by the root of its
/// running mean square.
///
/// See <https://arxiv.org/abs/1412.6980>.
#[derive(Debug)]
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    n_steps: usize,
    keep_square: f32,
    epsilon: f32,
}

impl Adam {
    const KEEP_MEAN: f32 = 0.9;

    /// Creates the state for `count` parameters. `keep_square` is the decay rate of the mean square
    /// (beta 2); `epsilon` keeps steps finite.
    pub(super) fn new(count: usize, keep_square: f32, epsilon: f32) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], n_steps: 0, keep_square, epsilon }
    }

    /// Returns the number of steps taken.
    pub(super) fn n_steps(&self) -> usize {
        self.n_steps
    }

    /// Takes a step: calls `apply` with the step of each parameter, which the caller scales and
    /// subtracts.
    pub(super) fn step(
        &mut self,
        gradient: impl IntoIterator<Item = f32>,
        mut apply: impl FnMut(usize, f32),
    ) {
        self.n_steps += 1;
        // After this many steps the corrections are practically 1.
        let n_steps = self.n_steps.min(100_000) as i32;
        let (first, second) = (1.0 - Adam::KEEP_MEAN.powi(n_steps), 1.0 - self.keep_square.powi(n_steps));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for (at, (slope, (mean, square))) in gradient.into_iter().zip(moments).enumerate() {
            *mean = Adam::KEEP_MEAN * *mean + (1.0 - Adam::KEEP_MEAN) * slope;
            *square = self.keep_square * *square + (1.0 - self.keep_square) * slope * slope;
            apply(at, (*mean / first) / ((*square / second).sqrt() + self.epsilon));
        }
    }
}
