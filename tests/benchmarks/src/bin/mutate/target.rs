//! Executions of a fuzz target with mutated seeds, without the feedback of a fuzzer but faster.

use tafl_rules::Rng;
use tafl_tests::targets::Target;

use super::input::SeedInputs;
use super::mutator::Mutator;
use super::run::Execution;

/// Executions of a fuzz target.
pub(crate) struct TargetRuns<'s> {
    target: Target,
    seeds: &'s SeedInputs,
    seed: u64,
    mutator: Mutator,
}

impl<'s> TargetRuns<'s> {
    pub(crate) fn new(target: Target, seeds: &'s SeedInputs, seed: u64) -> TargetRuns<'s> {
        TargetRuns { target, seeds, seed, mutator: Mutator::default() }
    }
}

impl Execution for TargetRuns<'_> {
    fn execute(&mut self, number: u64) -> &'static str {
        self.mutator.mutate(self.seeds, &mut Rng::stream(self.seed, number));
        (self.target.run)(self.mutator.text());
        self.target.name
    }

    fn input(&self) -> String {
        self.mutator.text().escape_ascii().to_string()
    }

    fn recover(&mut self) {}
}
