//! Random numbers that are the same in every run.

/// Random numbers from a seed: SplitMix64.
#[derive(Debug, Clone)]
pub struct Dice {
    state: u64,
    spare: Option<f64>,
}

impl Dice {
    /// Returns dice that fall the same way for the same seed.
    pub fn new(seed: u64) -> Dice {
        Dice { state: mixed(seed ^ 0x7461_666c_6261_7365), spare: None }
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    /// Returns a number from 0, included, to 1, excluded.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a number below `n`; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Returns a number of the standard normal distribution.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * self.unit()).sin_cos();
        self.spare = Some(radius * sin);
        radius * cos
    }
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_normal_and_repeatable() {
        let mut dice = Dice::new(7);
        let n = 100_000;
        let all: Vec<f64> = (0..n).map(|_| dice.normal()).collect();
        let mean = all.iter().sum::<f64>() / f64::from(n);
        let variance = all.iter().map(|x| x * x).sum::<f64>() / f64::from(n);
        let beyond = all.iter().filter(|x| x.abs() > 1.96).count() as f64 / f64::from(n);
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02 && (beyond - 0.05).abs() < 0.004);
        assert_eq!(Dice::new(3).bits(), Dice::new(3).bits());
        assert_ne!(Dice::new(3).bits(), Dice::new(4).bits());
        assert!((0..100).all(|_| dice.below(3) < 3) && dice.below(0) == 0);
    }
}
